"""Brakes: nothing that a player can hold, repeat or rest the pointer on makes the world stand still. Real time only.

What moves is measured in the picture: the share of it that half a second of the world's own time changes. A picture is
compared with that of a copy that got the same acts but no time, so what the acts themselves change does not count.
Found by search: no list says which inputs might be brakes.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from audit.kit import Evidence, Result, painter
from audit.play import Taped, follow, lag
from audit.players import Habit, habits, idle, keep, picture_of
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import TICKS_PER_SECOND, World
from harness.session import Configuration, copy_world

SEEDS = 2
SPAN = TICKS_PER_SECOND // 2  # ticks over which motion is measured
RUN = 5  # spans in a row, so more than 2 s, make a brake
WATCHED = 16  # spans of a habit
IDLE = 30  # spans of the idle world
HABITS = 80  # tried in a state
SHARE = 0.5  # of the idle world's tenth percentile
LULL = 0.75  # of what moves at that time in the idle world: with more than that, nothing has been braked
STEP = 10  # of 255: a pixel that changes by less has not moved
SIZE = (160, 120)  # px
FATES = ("", "other", "third")  # a brake works in at least two of them


class Brake(NamedTuple):
    """A habit under which the world stood still. motion: the largest share of the picture that moved in a span."""

    habit: str
    motion: float
    pictures: list[Picture]


class Still(Taped):
    """A session whose world gets no time of its own; only what the player's acts set off goes on."""

    def _drift(self) -> None:
        self.world.respond()


class Course:
    """A world as it went on from a start under a habit (None: idle), cut into spans."""

    def __init__(self, configuration: Configuration, start: World, fate: str, habit: Habit | None) -> None:
        self._configuration = configuration
        world = copy_world(start)
        world.fate = Dice.named("brakes", fate, start.fate.state)
        session = Taped(configuration, 0, limit=False, world=world)
        player = keep(session, habit) if habit else idle(session)
        self.worlds = [copy_world(world)]
        for number in range(WATCHED if habit else IDLE):
            follow(session, player, SPAN * (number + 1))
            if session.over:
                break
            self.worlds.append(copy_world(world))
        self._tape = session.tape
        self._motions: dict[int, float] = {}

    @property
    def spans(self) -> int:
        """Spans before the end."""
        return len(self.worlds) - 1

    def costs(self, span: int) -> bool:
        """Whether something was lost in a span."""
        return self.worlds[span + 1].reserve() < self.worlds[span].reserve()

    def motion(self, span: int) -> float:
        """The share of the picture that the world's own time changed in a span."""
        if span not in self._motions:
            still = Still(self._configuration, 0, limit=False, world=copy_world(self.worlds[span]))
            for step in range(SPAN):
                for _, act in (one for one in self._tape if one[0] == span * SPAN + step):
                    if not still.over:
                        still.submit(act)
                still.step()
            before, after = _pixels(still.world), _pixels(self.worlds[span + 1])
            self._motions[span] = float((np.abs(after - before).max(2) > STEP).mean())
        return self._motions[span]


def applies(configuration: Configuration) -> bool:
    return configuration.timing == "rt"


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("brakes", str(configuration))
    tenths: list[float] = []
    brakes: list[Brake] = []
    tried = 0
    for seed in seeds:
        for number, start in enumerate(_starts(configuration, seed)):
            session = Taped(configuration, seed, world=copy_world(start))
            found = habits(session, Dice.named("brakes", seed, number), HABITS)
            search = Search(configuration, start)
            tenths.append(search.tenth)
            brakes += [brake for habit in found if (brake := search.judge(habit))]
            tried += len(found)
    result.must("idle_tenth", min(tenths), "> 0: the idle world moves", min(tenths) > 0)
    result.note("tried", tried)
    for brake in brakes[:1]:
        evidence.frames("brake", brake.pictures)
    path = evidence.log("brakes", [[brake.habit, brake.motion] for brake in brakes])
    result.must("brakes", [brake.habit for brake in brakes[:6]], "none", not brakes, path)
    return result


def _starts(configuration: Configuration, seed: int) -> list[World]:
    """The world at birth, and in the middle of an oracle's play."""
    born = Taped(configuration, seed)
    whole = lag(Taped(configuration, seed))
    half = lag(Taped(configuration, seed), until=whole.steps // 2)
    half.close()
    return [each.world for each in (born, half) if not each.over]


class Search:
    """Judges habits from one start. tenth: the idle world's tenth percentile of motion there."""

    def __init__(self, configuration: Configuration, start: World) -> None:
        self._configuration, self._start = configuration, start
        self._idle = cache(lambda fate: Course(configuration, start, fate, None))
        course = self._idle(FATES[0])
        motions = [course.motion(span) for span in range(course.spans)]
        self.tenth = float(np.quantile(motions, 0.1)) if motions else 0.0

    def judge(self, habit: Habit) -> Brake | None:
        """A brake, if the habit is one in the first fate and in one of the others."""
        first = self._stop(habit, FATES[0])
        if first and any(self._stop(habit, fate) for fate in FATES[1:]):
            return first
        return None

    def _stop(self, habit: Habit, fate: str) -> Brake | None:
        """Where the world stood still for so many spans in a row; looks at the last of them first."""
        course, idle = Course(self._configuration, self._start, fate, habit), self._idle(fate)
        first = 0
        while first + RUN <= course.spans:
            spans = range(first, first + RUN)
            moving = next((span for span in reversed(spans) if not self._low(course, span)), None)
            if moving is not None:
                first = moving + 1
            elif _total(course, spans) > LULL * _total(idle, spans):  # a lull of the world itself
                first += 1
            else:
                ends = [picture_of(course.worlds[span]) for span in (first, first + RUN)]
                return Brake(habit.name, max(course.motion(span) for span in spans), ends)
        return None

    def _low(self, course: Course, span: int) -> bool:
        if span >= course.spans or course.costs(span):
            return False
        return course.motion(span) < SHARE * self.tenth


def _total(course: Course, spans: range) -> float:
    return sum(course.motion(span) for span in spans if span < course.spans)


_cached: dict[str, np.ndarray] = {}


def _pixels(world: World) -> np.ndarray:
    """The world's own picture, small, as signed numbers; the last few are kept."""
    picture = picture_of(world)
    name = picture.digest()
    if name not in _cached:
        if len(_cached) >= 64:
            _cached.pop(next(iter(_cached)))
        _cached[name] = painter().render(picture, *SIZE).astype(np.int16)
    return _cached[name]
