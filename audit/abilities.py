"""Abilities: each tag of a game shows in what happens there, and what happens there is tagged."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

import numpy as np

import games
from audit.changes import alike, changes, together
from audit.kit import Evidence, Result, painter
from audit.known import idle
from audit.play import Tape, Taped
from audit.players import Act
from audit.seeing import SIZE, STEP, differ
from audit.turns import Commit, Turns
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import Command, World
from harness.actions import Key, KeyHold, to_plain
from harness.session import TIMINGS, Configuration, build, copy_world

SEEDS = 3
MOMENTS = 3  # of each play, before an act, in its last two thirds
NEAR = (20.0, 120.0)  # px and ms: acts that are no farther apart are the same
OTHERS = 6  # other worlds of the play, from which a moment's past may be changed
CHANGED, PAIRS = 45, 6  # parts that are changed at a moment; of those that do not show, tried one by one
CHANGES, TRIED = 30, 8  # parts of other births that are tried; those that the first picture does not tell
PROBES = 16  # acts of a play, within which it finds out
LOOKS = 5  # steps between pictures that are compared
AFTER = 60  # steps after two commands, until what came of them is judged
GAP = 30  # steps between them at most
ORDERS = 8  # pairs of a play's commands
HALF = 0.5  # of configurations that show planning: with the tag at least, without it at most
TOLD = 0.1  # of moments that have two pasts: with the tag at least, without it at most
ORDER, GREEDY, GREEDIES = 0.2, 0.5, 2  # of pairs; of so many seeds
OPTIONS, AHEAD, PACE = 8, 45, 30  # a greedy player's: things to do, steps that it looks ahead, steps between choices


class Moment(Turns):
    """A play that has come to a moment. dead: its oracle has met a world that cannot be, and answers no more."""

    dead = False

    def ask(self, world: World) -> Any:
        try:
            return super().ask(world)
        except Exception:
            self.dead = True
            raise


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("abilities", str(configuration))
    tags = _tags(configuration)
    plays = [Turns(configuration, seed).run() for seed in seeds]
    asked = [(learned(moment), next(pasts(moment, play), None)) for play in plays for moment in _moments(play)]

    def judge(tag: str, figure: str, value: float, least: float, most: float, path: str = "") -> None:
        if tag in tags:
            result.at_least(figure, value, least, path)
        else:
            result.at_most(figure, value, most, path)

    judge("3d", "space", median(solid_share(play.picture()) for play in plays), 0.05, 0.01)

    told = [pair for _, pair in asked if pair]
    path = evidence.frames("two_pasts", told[0].pictures) if told else ""
    result.note("pasts", sorted({pair.part for pair in told}))
    result.note("two_pasts", len(told) / max(1, len(asked)))
    result.note("shown", path)

    effects = [reveal(play) for play in plays]
    result.note("effects", sorted({part for found in effects for part in found}))
    result.note("differ_by_seed", _share(map(bool, effects)))
    result.note("learned", _share(each for each, _ in asked))
    path = evidence.log("explored", [[play.seed, parts] for play, parts in zip(plays, effects, strict=True)])
    judge("exploration", "explored", min(result.figures["differ_by_seed"], result.figures["learned"]), 0.4, 0.7, path)

    order = _share(matters for play in plays for matters in orders(play))
    result.note("order", order)
    if (order < ORDER) if "planning" in tags else (order >= 2 * ORDER):  # else it tells enough alone
        result.note("greedy", _share(map(greedy, plays[:GREEDIES])))
    result.note("commands", evidence.log("commands", [[commit.step, commit.command] for commit in plays[0].commits]))
    return result


def join(game: str, results: dict[Configuration, Result]) -> Result:
    """Pasts that matter may be rare and first levels plain: two tags are held to all configurations together."""
    joined = Result("abilities", game)
    for timing in TIMINGS:
        own = {each: result.figures for each, result in results.items() if each.timing == timing}
        if not own:
            continue
        tags = _tags(next(iter(own)))
        bound = joined.at_least if "temporal" in tags else joined.at_most
        path = next((figures["shown"] for figures in own.values() if figures["shown"]), "")
        bound(f"{timing}_two_pasts", _share(figures["two_pasts"] for figures in own.values()), TOLD, path)
        bound = joined.at_least if "planning" in tags else joined.at_most
        planned = (_plans(figures, "planning" in tags) for figures in own.values())
        bound(f"{timing}_planned", _share(planned), HALF, next(iter(own.values()))["commands"])
    return joined


def _plans(figures: dict[str, Any], tagged: bool) -> bool:
    """Whether a configuration shows planning: by either figure where it is said to, else by both."""
    order, wins = figures["order"], figures.get("greedy", 1.0)
    return order >= ORDER or wins <= GREEDY if tagged else order >= 2 * ORDER and not wins


def _tags(configuration: Configuration) -> tuple[str, ...]:
    game = games.load(configuration.game)
    return game.abilities if configuration.timing == "rt" else game.twin_abilities


def _share(truths: Iterable[float]) -> float:
    found = list(truths)
    return sum(found) / max(1, len(found))


def _moments(play: Turns) -> Iterator[Moment]:
    """The same play again, as it comes to some of its acts."""
    late = [turn for turn in play.acted if 3 * turn > play.turns]
    again = Moment(play.configuration, play.seed)
    for number in range(min(MOMENTS, len(late))):
        if again.dead:
            again = Moment(play.configuration, play.seed)
        again.run(late[len(late) * number // MOMENTS])
        if not again.over:
            yield again


# -------------------------------------------------------------------------------- 3d


def solid_share(picture: Picture) -> float:
    """The share of the picture that its solids make."""
    if picture.view is None or not picture.solids:
        return 0.0
    bare = copy(picture)
    bare.solids, bare.meshes, bare.parts = bytearray(), [], []
    with_them, without = (painter().render(each, *SIZE).astype(np.int16) for each in (picture, bare))
    return float((np.abs(with_them - without).max(2) > STEP).mean())


# -------------------------------------------------------------------------------- temporal


class Pair(NamedTuple):
    """Two worlds with the same picture. part: what differs."""

    part: str
    pictures: list[Picture]


def pasts(moment: Moment, play: Turns) -> Iterator[Pair]:
    """Pairs of worlds of the same look and another past, or another motion, in which the oracle does other things.

    The second world is the moment's but for what it has at another time of the play: all parts of it that do not show,
    or one.
    """
    times = play.worlds[:: max(1, -(-len(play.worlds) // OTHERS))]
    found = changes(moment.world, map(pickle.loads, times), Dice.named("pasts", moment.seed, moment.turns), CHANGED)
    unseen = [change for change in found if _looks_so(moment, change.world)]
    of_times = [[change for change in unseen if change.donor == number] for number in range(len(times))]
    for change in [*(together(moment.world, some) for some in of_times if some), *unseen[:PAIRS]]:
        if moment.dead:
            return
        try:
            moment.ask_anew(change.world)  # so that a world that cannot be meets another oracle first
            if _looks_so(moment, change.world) and _tells(moment, change.world):
                yield Pair(change.kind, [moment.picture(), moment.show(change.world)])
        except Exception:
            continue  # such a world cannot be


def _looks_so(moment: Turns, world: World) -> bool:
    """Whether a world looks as the moment does."""
    try:
        return not differ(moment.picture(), moment.show(world))
    except Exception:
        return False  # such a world cannot be


def _tells(moment: Turns, other: World) -> bool:
    """Whether the oracle does something else in the other world, asked in turn and again."""
    acts = [moment.ask(world) for world in (moment.world, other)]
    if _same(*acts):
        return False
    again = [moment.ask(world) for world in (moment.world, other)]
    return all(map(_same, acts, again))


def _same(one: object, other: object) -> bool:
    return alike(one, other, *NEAR)


# -------------------------------------------------------------------------------- exploration


def learned(moment: Turns) -> bool:
    """Whether an oracle that has played so far does something else than one that begins here."""
    return not _same(moment.ask(moment.world), moment.ask_anew(moment.world))


def reveal(play: Turns) -> list[str]:
    """Parts that differ by seed and that the first acts of the play show, but neither words nor waiting."""
    kind, level, seed = type(play.world), play.configuration.level, play.seed
    birth, *donors = (build(kind, level, seed + more) for more in range(3))
    found: list[str] = []
    tried = 0
    for change in changes(birth, donors, Dice.named("reveal", seed), CHANGES):
        if differ(play.show(birth), play.show(change.world)) or tried == TRIED:
            continue
        tried += 1
        worlds = birth, change.world
        try:
            told = [Taped(play.configuration, 0, world=copy_world(world)).hello() for world in worlds]
            step = _parted(play, worlds, play.tape[:PROBES]) if told[0] == told[1] else None
            if step is not None and _parted(play, worlds, [], step) is None:
                found.append(change.kind)
        except Exception:
            continue  # such a world cannot be
    return found


def _parted(play: Turns, worlds: tuple[World, World], tape: Tape, steps: int = 0) -> int | None:
    """The step at which the two look different for the first time, under a tape, or in so many steps without acts."""
    sessions = [Taped(play.configuration, 0, world=copy_world(world)) for world in worlds]
    walks = [_walk(session, tape) if tape else _wait(session, steps) for session in sessions]
    for _ in zip(*walks, strict=False):
        if differ(*(play.show(session.world) for session in sessions)):
            return max(session.steps for session in sessions)
    return None


def _walk(session: Taped, tape: Tape) -> Iterator[None]:
    """Play a tape and a second more; comes back every few steps."""
    for step, act in [*tape, (tape[-1][0] + AFTER, [])]:
        while not session.over and (session.busy or (session.realtime and session.steps < step)):
            session.step()
            if session.steps % LOOKS == 0:
                yield
            if session.realtime and session.steps >= step:
                break
        if session.over:
            return
        if act:
            session.submit(act)
        yield


def _wait(session: Taped, steps: int) -> Iterator[None]:
    for _ in range(steps // LOOKS + 1):
        if not session.over and session.steps < steps:
            for _ in idle(session, LOOKS):
                pass
            yield


# -------------------------------------------------------------------------------- planning


def orders(play: Turns) -> Iterator[bool]:
    """For pairs of commands that follow each other: whether less comes of them the other way round."""
    pairs = [(one, other) for one, other in pairwise(play.commits) if not _same(one.command, other.command)]
    for one, other in pairs[:: max(1, -(-len(pairs) // ORDERS))]:
        gap = min(GAP, other.step - one.step)
        try:
            there = _outcome(play, one, (one.command, other.command), gap)
            yield _outcome(play, one, (other.command, one.command), gap) < there
        except Exception:
            continue  # a command for something that is not there yet


def _outcome(play: Turns, start: Commit, commands: tuple[Command, ...], gap: int) -> Score:
    session = Direct(play.configuration, 0, world=start.world())
    for command, steps in zip(commands, (gap, AFTER), strict=True):
        session.do(command, steps)
    return score(session.world)


Score = tuple[int, float, float]
NEVER = (-2, 0.0, 0.0)


def score(world: World) -> Score:
    """What has been achieved and kept."""
    return {"won": 1, "": 0, "lost": -1}[world.verdict], world.progress(), world.reserve()


class Direct(Taped):
    """A session that takes commands without a hand."""

    def do(self, what: Command | Act, steps: int) -> None:
        """Carry out a command (or an act of keys), then let so many steps pass; in a twin, only what it grants."""
        if self.over:
            return
        if isinstance(what, tuple):
            self._commit(what)
        elif what:
            self.submit(what)
        elif not self.realtime:
            for _ in idle(self):
                pass
        if self.realtime:
            for _ in range(steps):
                self.step()
        else:
            self.settle()


def greedy(play: Turns) -> bool:
    """Whether a player wins that always does what brings most at once, or nothing: it tries all in copies first."""
    options = [[], *_options(play)]  # of equals the first is taken: nothing
    session = Direct(play.configuration, play.seed)
    cap = 3 * play.acts
    while not session.over and session.steps <= session.limit_steps and (session.realtime or session.acts < cap):
        session.do(max(options, key=lambda option: _promise(session, option)), PACE)
        if not session.realtime:
            cap -= 1
    return session.won


def _promise(session: Direct, option: Command | Act) -> Score:
    copy = Direct(session.configuration, 0, world=copy_world(session.world))
    try:
        copy.do(option, AHEAD)
    except Exception:
        return NEVER  # a command for something that is not there now
    return score(copy.world)


def _options(play: Turns) -> list[Command | Act]:
    """What the oracle did most: its commands, or what it held where it steers."""
    if play.commits:
        counts = Counter(commit.command for commit in play.commits)
        return [command for command, _ in counts.most_common(OPTIONS)]
    held = [act for _, act in play.tape if all(isinstance(each, (Key, KeyHold)) for each in act)]
    found: dict[str, tuple[int, Act]] = {}
    for act in held:
        name = str([each["keys"] for each in to_plain(act)])
        found[name] = found.get(name, (0, act))[0] + 1, act
    return [act for _, act in sorted(found.values(), key=lambda each: -each[0])[:OPTIONS]]
