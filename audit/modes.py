"""Modes: one world for both, and no verb of simple mode goes after what moves. Real time only.

A verb may name a place, a direction or a part of the controls. One that names a moving thing does the eye's work: it
would be right however late it came.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scipy.stats import fisher_exact

from audit.kit import Evidence, Result
from audit.moments import Moment, Watched, some
from audit.play import Taped, lag
from audit.players import Spot, picture_of
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import TICKS_PER_SECOND, World
from harness.session import TIMINGS, Configuration, copy_world

SEEDS = 6
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

Counts = tuple[int, int]  # how often it was so, of how many


def applies(configuration: Configuration) -> bool:
    return configuration.timing == "rt" and configuration.mode == "simple"


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("modes", str(configuration))
    full = configuration._replace(mode="full")
    unlike = [f"{seed}: {what}" for seed in seeds for what in _unlike(configuration, full, seed)]
    result.must("unlike", unlike[:6], "nothing by which the births of the modes differ", not unlike)
    verbs, gestures = _moments(configuration, seeds), _moments(full, seeds)
    chosen = some(verbs, MOMENTS * len(seeds))
    courses = [_course(configuration, moment.world) for moment in chosen]
    followed = _followed(courses)
    path = evidence.frames("moved", [picture_of(world) for world in courses[0]] if followed else [])
    result.must(
        "followed", followed, "no verb's thing moved away and was still what the verb meant", not followed, path
    )
    drifting = sum(_drifts(course) for course in courses) / len(courses)
    result.at_most("hand_drifts", drifting, DRIFTING, path)
    late, by_hand = _late(configuration, verbs), _late(full, gestures)
    result.note("late_verbs", list(late))
    result.note("late_gestures", list(by_hand))
    _judge_late(result, late, by_hand)
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


def _followed(courses: list[list[World]]) -> dict[str, str]:
    """Verbs that go after a thing: how often it had moved away and was still meant, of how many times."""
    counts: dict[str, Counts] = {}
    for start, *later in courses:
        before = picture_of(start)
        for verb in start.verbs.values():
            thing: Any = start.simple(verb)
            places = before.find(thing) if isinstance(thing, tuple) else []
            for world in later if places else ():
                after = picture_of(world)
                if after.find(thing) and not any(_pressed(after, place, thing) for place in places):
                    meant, times = counts.get(verb, (0, 0))
                    counts[verb] = meant + (world.simple(verb) == thing), times + 1
    return {
        verb: f"{meant} of {times}"
        for verb, (meant, times) in counts.items()
        if times >= FEW and meant > FOLLOWS * times
    }


def _pressed(picture: Picture, place: Spot, thing: Any) -> bool:
    return any(picture.hit(*place, button) == thing for button in BUTTONS)


def _drifts(course: list[World]) -> bool:
    hands = [world.hand for world in course]
    return any(abs(hand.x - hands[0].x) + abs(hand.y - hands[0].y) > DRIFTS for hand in hands)


# -------------------------------------------------------------------------------- what late verbs do


def _late(configuration: Configuration, moments: list[Moment]) -> Counts:
    """Of acts that gained something in their moment: how often they do so late, under another fate."""
    gained, times = 0, 0
    for number, moment in enumerate(moments):
        own = _gain(configuration, moment, 0)
        for delay in LATE if own > 0 else ():
            late = copy_world(moment.world)
            late.fate = Dice.named("late", number, delay)
            gained += _gain(configuration, moment._replace(world=late), delay) > own / 2
            times += 1
    return gained, times


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


def _judge_late(result: Result, late: Counts, by_hand: Counts) -> None:
    if min(late[1], by_hand[1]) < FEW:
        return
    verbs, gestures = late[0] / late[1], by_hand[0] / by_hand[1]
    table = [[gained, times - gained] for gained, times in (late, by_hand)]
    p = float(fisher_exact(table, "greater").pvalue)
    bound = f"≤ {gestures:.3g} + {MORE:g}, or by chance: what late gestures gain"
    result.must("late", verbs, bound, verbs <= gestures + MORE or p >= LUCK)
