"""Known is seen: what an oracle's decision depends on has changed a picture before it.

Two worlds that differ in one part, or in what chance does from now on, go on side by side, each before an oracle of its
own. Where the oracles first decide differently, a picture must have differed by then.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import games
from audit.changes import Change, alike, changes, differences
from audit.kit import Evidence, Result
from audit.play import Taped
from audit.players import pass_time
from audit.seeing import differ
from clock.tempo import Tempo
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import TICKS_PER_SECOND, World
from harness.actions import AnyAction, to_plain
from harness.episode import Episode
from harness.oracle import LAG, Oracle, play_lagging, play_thinking
from harness.session import Configuration, build, copy_world

SEEDS = 2
DONORS = 2  # other births, whose parts are put into a seed's world
CHANGES, UNSEEN = 40, 5  # tried of a birth; of them, played because the first picture does not tell them
LENGTH = 15 * TICKS_PER_SECOND  # steps that they are played at most
MOMENTS, SCANNED = 3, 20  # of an oracle's play, from which chance goes other ways; of so many those where most differs
GRAFTS = 8  # tried of a moment and one of these ways
WHILE = 4 * TICKS_PER_SECOND  # steps from a moment
ASK = 9  # steps between two questions to an oracle whose acts are not done
FATES = ("other", "third")
CLOSE, WIDE = 3, 30  # steps between pictures that are compared: in the first second, and later
CASES = 2  # in which a part must be found, so that one narrow decision is none


class Case(NamedTuple):
    """Two courses whose oracles decided differently at a step, though no picture had differed by then."""

    step: int
    number: int  # of the first decision that differs
    courses: tuple[Course, Course]


class Comparison(NamedTuple):
    """Two worlds that have been played side by side. part: what differed; born: from their birth."""

    part: str
    born: bool
    case: Case | None


class Decision(NamedTuple):
    """What an oracle decided at a step: a plain act; None where it was asked and wanted nothing."""

    step: int
    act: Any


class Course(Taped):
    """A world that goes on as far as it is asked to before an oracle, and remembers how it looked at each step.

    It begins with a short time without an act, so that what moves has been seen to move. played: from birth, and the
    oracle acts; else the oracle is only asked, again and again, and nothing is done.
    """

    def __init__(self, configuration: Configuration, world: World, *, played: bool = False) -> None:
        self._past_worlds: list[bytes] = []
        self._pictures: dict[int, Picture] = {}
        self.decisions: list[Decision] = []
        self.asked = not played
        self.late = LAG if played and configuration.timing == "rt" else 0  # steps from a decision to its act
        super().__init__(configuration, 0, world=copy_world(world))
        self._save()
        if played:
            self._open_twin()
        self._going = self._play() if played else self._ask()
        self.ended = False

    def _play(self) -> Iterator[None]:
        yield from idle(self)
        if self.realtime:
            yield from play_lagging(self)
        elif not self.over:
            episode = Episode(self, Tempo.parse("live"), "metered")
            episode.begin(0)
            yield from play_thinking(episode, 0)

    def _ask(self) -> Iterator[None]:
        yield from idle(self)
        oracle = Oracle(self)
        oracle.delay = LAG if self.realtime else 0
        while not self.over:
            act = oracle.decide()
            self.decisions.append(Decision(self.steps, act and to_plain(act)))
            for _ in range(ASK if self.realtime else 1):
                yield from idle(self, 1)

    def submit(self, actions: list[AnyAction], coord_space: str = "px") -> None:
        self.decisions.append(Decision(self.steps - self.late, to_plain(actions)))
        super().submit(actions, coord_space)

    def step(self) -> None:
        super().step()
        self._save()

    def _save(self) -> None:
        self._past_worlds.append(pickle.dumps(self.world, pickle.HIGHEST_PROTOCOL))

    def advance(self, step: int) -> None:
        """Play on until so many steps have been, or the end."""
        while self.steps < step and not self.ended:
            try:
                next(self._going)
            except StopIteration:
                self.ended = True

    def was(self, step: int) -> World:
        """The world after a step, or at the end if that came before."""
        return pickle.loads(self._past_worlds[min(step, len(self._past_worlds) - 1)])

    def seen(self, step: int) -> Picture:
        """What an agent saw then."""
        step = min(step, len(self._past_worlds) - 1)
        if step not in self._pictures:
            self._pictures[step] = self._show(self.was(step))
        return self._pictures[step]


def idle(session: Taped, steps: int = LAG) -> Iterator[None]:
    """So many steps without an act, or a pass."""
    if session.realtime:
        for _ in range(steps):
            session.step()
            yield
    elif not session.over:
        session.submit(pass_time(session))
        session.settle()
        yield


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("known", str(configuration))
    compared = [each for seed in seeds for each in _comparisons(configuration, seed)]
    result.note("compared", len(compared))
    result.note("unseen_at_birth", sorted({each.part for each in compared if each.born}))
    counts = Counter(each.part for each in compared if each.case)
    hidden = {part: count for part, count in sorted(counts.items()) if count >= min(CASES, len(seeds))}
    found = [(each.part, each.case) for each in compared if each.case and each.part in hidden]
    for number, (_, case) in enumerate(found[:3]):
        steps = (case.step, case.step + 60)  # at the decision, and a second later
        evidence.frames(f"hidden-{number}", [course.seen(step) for step in steps for course in case.courses])
    path = evidence.log("hidden", [_story(part, case) for part, case in found])
    result.must("hidden", hidden, "none: nothing decides before any picture has shown it", not hidden, path)
    return result


def _story(part: str, case: Case) -> dict[str, Any]:
    decisions = [course.decisions[case.number :][:1] for course in case.courses]
    return {"part": part, "step": case.step, "decisions": [[list(each) for each in some] for some in decisions]}


def _comparisons(configuration: Configuration, seed: int) -> Iterator[Comparison]:
    kind, dice = games.load(configuration.game), Dice.named("known", seed)
    birth, *donors = (build(kind, configuration.level, seed + more) for more in range(DONORS + 1))
    course = Course(configuration, birth, played=True)
    yield from _changed(course, changes(birth, donors, dice, CHANGES, exchange=True), UNSEEN, LENGTH)
    for futures in _moments(course):
        yield from _from_moment(configuration, futures, dice)


def _from_moment(configuration: Configuration, futures: Futures, dice: Dice) -> Iterator[Comparison]:
    """Other things that chance may do from here on: all of them, and one part of what they do at a time."""
    course = Course(configuration, futures.start)
    for fate in FATES:
        case = parted(course, Course(configuration, _fated(futures.start, fate)), WHILE)
        yield Comparison("chance", False, case)
    after, *donors = futures.worlds
    found = changes(after, donors, dice, GRAFTS)
    yield from _changed(Course(configuration, after), found, GRAFTS, WHILE)


def _changed(course: Course, found: list[Change], most: int, steps: int) -> Iterator[Comparison]:
    """A course beside those of changed worlds whose first pictures do not tell the change."""
    born = not course.was(0).tick
    played = 0
    for change in found:
        if played == most:
            break
        try:
            other = Course(course.configuration, change.world, played=born)
            if differ(course.seen(0), other.seen(0)):
                continue
            case = parted(course, other, steps)
        except Exception:
            continue  # such a world cannot be
        played += 1
        yield Comparison(change.kind, born, case)


def _fated(world: World, fate: str) -> World:
    copy = copy_world(world)
    copy.fate = Dice.named("known", fate, world.fate.state)
    return copy


class Futures(NamedTuple):
    """A moment, and what becomes of it in a little while: as it goes on, and under other fates."""

    start: World
    worlds: list[World]


def _moments(course: Course) -> list[Futures]:
    """Moments of a play, the hand free, at rest in a twin: its beginning, and those at which chance does most."""
    course.advance(2 * course.limit_steps)
    rests = list(range(course.steps)) if course.realtime else [step for step, _ in course.tape]
    steps = [rests[len(rests) * number // SCANNED] for number in range(min(SCANNED, len(rests)))]
    found = [_futures(course, step) for step in dict.fromkeys(steps)]
    live = [each for each in found if not any(world.verdict for world in each.worlds)]
    ranked = sorted(live[1:], key=lambda each: -_apart(each))
    return live[:1] + ranked[: MOMENTS - 1]


def _futures(course: Course, step: int) -> Futures:
    start = course.was(step)
    start.hand.plan.clear()
    start.hand.held.clear()
    start.hand.down.clear()
    worlds = []
    for world in (copy_world(start), *(_fated(start, fate) for fate in FATES)):
        session = Taped(course.configuration, 0, world=world)
        for _ in idle(session):
            pass
        worlds.append(session.world)
    return Futures(start, worlds)


def _apart(futures: Futures) -> int:
    """The number of parts in which the other fates differ from what comes."""
    first, *others = futures.worlds
    return sum(1 for other in others for _ in differences(first, other))


# -------------------------------------------------------------------------------- two courses


def parted(a: Course, b: Course, most: int) -> Case | None:
    """Where the two first decided differently (for good, where they are asked), if no picture had differed by then."""
    step = index = 0
    while not (a.ended and b.ended) and step < most:
        before, step = step, step + (CLOSE if step < TICKS_PER_SECOND else WIDE)
        a.advance(step)
        b.advance(step)
        seen = _first_difference(a, b, before + 1, step)
        if seen is not None:
            a.advance(seen + a.late)
            b.advance(seen + b.late)
        while _same(a, b, index) or (a.asked and _same(a, b, index + 1)):  # asked, they must differ twice
            index += 1
        first = _decided(a, b, index + a.asked)
        if first is not None and (seen is None or first < seen):
            blind = not any(differ(a.seen(each), b.seen(each)) for each in range(first + 1))
            return Case(first, index, (a, b)) if blind else None
        if seen is not None:
            return None
    return None


def _decided(a: Course, b: Course, index: int) -> int | None:
    """The step of the first decision that differs, as far as both have gone on to tell."""
    found = [course.decisions[index].step for course in (a, b) if len(course.decisions) > index]
    if not found:
        return None
    told = all(
        len(each.decisions) > index or each.ended or each.steps > min(found) + each.late + CLOSE for each in (a, b)
    )
    return min(found) if told else None


def _same(a: Course, b: Course, index: int) -> bool:
    """Whether both have made this decision, and made it alike."""
    if index >= min(len(a.decisions), len(b.decisions)):
        return False
    one, other = a.decisions[index], b.decisions[index]
    return abs(one.step - other.step) <= CLOSE and alike(one.act, other.act)


def _first_difference(a: Course, b: Course, first: int, last: int) -> int | None:
    """The first of these steps at which the pictures differed, if they do at the last."""
    if not differ(a.seen(last), b.seen(last)):
        return None
    return next(step for step in range(first, last + 1) if differ(a.seen(step), b.seen(step)))
