"""Modes: one world for both, and no verb of simple mode goes after what moves. Real time only.

A verb may name a place, a direction or a part of the controls. One that names a moving thing does the eye's work: it
would be right however late it came.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from scipy.stats import fisher_exact

from audit.kit import Evidence, Result
from audit.moments import Moment, Watched, some
from audit.play import Taped, lag
from audit.players import Spot, picture_of
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import TICKS_PER_SECOND, World
from harness.actions import to_plain
from harness.session import TIMINGS, Configuration, copy_world

SEEDS = 5
MOMENTS = 10  # of a play
BUTTONS = ("left", "right", "wheel")
MOVED = (30, 90, 180)  # ticks by which the world moves on while nobody acts
FOLLOWS = 0.85  # share of the times that a verb's thing has moved away at which it still means that thing
FEW = 4  # such times, or acts, prove nothing
DRIFTS = 2.0  # px by which a hand that nobody moves may be elsewhere
DRIFTING = 0.1  # share of moments after which it is
LATE = (60, 150)  # ticks by which an act that gained something comes too late
AFTER = TICKS_PER_SECOND  # ticks after an act in which it gains
MORE = 0.3  # by which late verbs may gain more often than late gestures
LUCK = 0.01  # p of that


class Followed(NamedTuple):
    """How often a verb still meant a thing that had moved away, of how many times, and an example: before, after."""

    meant: int = 0
    times: int = 0
    example: tuple[World, ...] = ()


class Late(NamedTuple):
    """An act that gained progress (own), and what it gains so many ticks later, under another fate."""

    act: list[Any]
    own: float
    ticks: int
    gain: float

    @property
    def works(self) -> bool:
        return self.gain > self.own / 2


def applies(configuration: Configuration) -> bool:
    return configuration.timing == "rt" and configuration.mode == "simple"


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("modes", str(configuration))
    full = configuration._replace(mode="full")
    unlike = [[seed, what] for seed in seeds for what in _unlike(configuration, full, seed)]
    path = evidence.log("unlike", unlike)
    result.must("unlike", unlike[:6], "nothing by which the births of the modes differ", not unlike, path)
    verbs, gestures = _moments(configuration, seeds), _moments(full, seeds)
    chosen = some(verbs, MOMENTS * len(seeds))
    courses = [_course(configuration, moment.world) for moment in chosen]
    followed = _followed(courses)
    path = evidence.frames("followed", [picture_of(world) for each in followed.values() for world in each.example])
    shares = {verb: f"{each.meant} of {each.times}" for verb, each in followed.items()}
    result.must("followed", shares, "no verb's thing moved away and was still what the verb meant", not shares, path)
    drifting = [course for course in courses if _drifts(course)]
    views = [Taped(configuration, 0, world=world).picture() for world in chain(*drifting[:1])]
    path = evidence.frames("hand_drifts", views)
    result.at_most("hand_drifts", len(drifting) / len(courses), DRIFTING, path)
    _judge_late(result, _late(configuration, verbs), _late(full, gestures), evidence)
    return result


def _unlike(configuration: Configuration, full: Configuration, seed: int) -> Iterator[str]:
    for timing in TIMINGS:
        one, other = (Taped(each._replace(timing=timing), seed) for each in (configuration, full))
        if one.digest() != other.digest():
            yield f"{timing} digest"
        if picture_of(one.world).digest() != picture_of(other.world).digest():
            yield f"{timing} picture"


def _moments(configuration: Configuration, seeds: list[int]) -> list[Moment]:
    """Those of the oracle's plays, with nothing under way or held."""
    found = []
    for seed in seeds:
        play = Watched(configuration, seed)
        lag(play)
        found += play.moments
    for moment in found:
        moment.world.hand.plan.clear()
        moment.world.hand.held.clear()
        moment.world.hand.down.clear()
    return found


# -------------------------------------------------------------------------------- what verbs mean


def _course(configuration: Configuration, start: World) -> list[World]:
    """The world now, and after each of MOVED while nobody acts."""
    session = Taped(configuration, 0, limit=False, world=copy_world(start))
    worlds = [start]
    for ticks in range(1, MOVED[-1] + 1):
        session.step()
        if ticks in MOVED and not session.over:
            worlds.append(copy_world(session.world))
    return worlds


def _followed(courses: list[list[World]]) -> dict[str, Followed]:
    """Verbs that go after a thing."""
    found: dict[str, Followed] = {}
    for start, *later in courses:
        before = picture_of(start)
        for verb in start.verbs.values():
            thing: Any = start.simple(verb)
            places = before.find(thing) if isinstance(thing, tuple) else []
            for world in later if places else ():
                after = picture_of(world)
                if after.find(thing) and not any(_stays(after, place, thing) for place in places):
                    meant, times, example = found.get(verb, Followed())
                    still = world.simple(verb) == thing
                    found[verb] = Followed(meant + still, times + 1, (start, world) if still else example)
    return {verb: each for verb, each in found.items() if each.times >= FEW and each.meant > FOLLOWS * each.times}


def _stays(picture: Picture, place: Spot, thing: Any) -> bool:
    """Whether a thing is there still, though something may have come before it."""
    return picture.lies(*place, thing) or any(picture.hit(*place, button) == thing for button in BUTTONS)


def _drifts(course: list[World]) -> bool:
    hands = [world.hand for world in course]
    return any(abs(hand.x - hands[0].x) + abs(hand.y - hands[0].y) > DRIFTS for hand in hands)


# -------------------------------------------------------------------------------- what late verbs do


def _late(configuration: Configuration, moments: list[Moment]) -> list[Late]:
    """Acts that gained something in their moment, made late."""
    found = []
    for number, moment in enumerate(moments):
        own = _gain(configuration, moment, 0)
        for ticks in LATE if own > 0 else ():
            world = copy_world(moment.world)
            world.fate = Dice.named("late", number, ticks)
            found.append(Late(to_plain(moment.act), own, ticks, _gain(configuration, Moment(world, moment.act), ticks)))
    return found


def _gain(configuration: Configuration, moment: Moment, delay: int) -> float:
    """Progress that the act brings, so many ticks late, over doing nothing."""
    acted = Taped(configuration, 0, limit=False, world=copy_world(moment.world))
    for _ in range(delay):
        acted.step()
    if acted.over:
        return 0.0
    idle = Taped(configuration, 0, limit=False, world=copy_world(acted.world))
    acted.submit(moment.act)
    acted.settle()
    steps = acted.steps - delay + AFTER
    while acted.steps < delay + steps:
        acted.step()
    while idle.steps < steps:
        idle.step()
    return acted.world.progress() - idle.world.progress()


def _judge_late(result: Result, verbs: list[Late], gestures: list[Late], evidence: Evidence) -> None:
    counts = [(sum(act.works for act in late), len(late)) for late in (verbs, gestures)]
    result.note("late_verbs", list(counts[0]))
    result.note("late_gestures", list(counts[1]))
    if min(times for _, times in counts) < FEW:
        return
    share, by_hand = (works / times for works, times in counts)
    p = float(fisher_exact([[works, times - works] for works, times in counts], "greater").pvalue)
    bound = f"≤ {by_hand:.3g} + {MORE:g}, or by chance: what late gestures gain"
    path = evidence.log("late", verbs)
    result.must("late", share, bound, share <= by_hand + MORE or p >= LUCK, path)
