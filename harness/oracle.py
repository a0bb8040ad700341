"""Oracles at play: privileged to read, held to human hands, and as late as they are told to be.

Two kinds of lateness. Lag is a person's: looking and acting go on, each act lands so long after the frame that it was
chosen from. Thinking is a model's: look, think, act, look again; that is an episode with its thinking declared.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import games
from games.kit.dice import Dice
from games.kit.world import PASS_KEY, TICKS_PER_SECOND, World
from harness import actions as a
from harness.episode import Episode
from harness.fingers import STEP, Fingers
from harness.lower import lower_full
from harness.plan import plan_act
from harness.session import Session, copy_world
from oracles import Solver

LAG = 15  # ticks: 250 ms, a person's reaction
_BLINK = 3  # ticks between two looks of an oracle that found nothing to do
_GIVE_UP = 400  # fruitless looks in a row at a world at rest: the oracle is stuck


class Oracle:
    """A solver bound to a session: it decides, given how late the act will begin."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.delay = 0  # ticks of game time from a look to the beginning of the act chosen from it
        self.flight: list[tuple[int, list[a.AnyAction]]] = []  # (ticks until it begins, act)
        self._seen = b""  # the last look, pickled
        self._foreseen = b""  # that look at the tick at which the act begins, if the solver has asked for it
        solver: Solver = games.module_of("oracles", session.configuration.game).solve
        self._wishes = solver(self.look, self.ahead)
        self._lower = Fingers().lower if session.mode == "simple" else lower_full
        self._looks = 0

    def decide(self) -> list[a.AnyAction] | None:
        """The next act, or None when there is nothing to do now."""
        self._foreseen = b""
        wish = next(self._wishes)
        if wish is None:
            return None
        world = pickle.loads(self._foreseen) if self._foreseen else self._run_on(self.look(), self.delay)
        for each in wish if isinstance(wish, list) else [wish]:
            act = self._lower(each, world, self._later)
            if act is not None:
                return act
        return None

    def land(self) -> None:
        """Submit the acts in flight that are due."""
        while self.flight and self.flight[0][0] <= 0:
            self.session.submit(self.flight.pop(0)[1])

    def look(self) -> World:
        """A copy of the world under another fate, its own acts in flight included."""
        self._looks += 1
        world = copy_world(self.session.world)
        world.fate = Dice.named("another fate", self._looks)
        for start, act in self.flight:
            first = 1 + max((order for _, order, _ in world.hand.plan), default=0)  # as Session.submit has it
            for order, (after, event) in enumerate(_plan(act, world, self.session.mode), first):
                world.hand.plan.append((world.hand.tick + start + after, order, event))
        world.hand.plan.sort(key=lambda item: item[:2])
        self._seen = _pickled(world)
        return world

    def ahead(self, world: World, more: int = 0) -> World:
        """A copy run forward to the tick at which an act decided now begins, and `more` ticks on."""
        given = _pickled(world)
        later = self._run_on(pickle.loads(given), self.delay + more)
        if not more and given == self._seen:  # what the solver has changed, or asks of later, is its own business
            self._foreseen = _pickled(later)
        return later

    def _later(self, world: World, ticks: int) -> World:
        return self._run_on(copy_world(world), ticks)

    def _run_on(self, world: World, ticks: int) -> World:
        """The world itself, run forward."""
        if ticks and self.session.realtime:
            _, timing, level, mode = self.session.configuration
            session = Session(type(world), timing, level, mode, 0, limit=False, keep=0, world=world)
            for _ in range(ticks):
                session.step()
        return world


def _pickled(world: World) -> bytes:
    return pickle.dumps(world, pickle.HIGHEST_PROTOCOL)


def _plan(act: list[a.AnyAction], world: World, mode: str) -> list[tuple[int, Any]]:
    return plan_act(act, mode=mode, space="px", hand=(world.hand.x, world.hand.y))


def play_lagging(session: Session, lag: int = LAG) -> Iterator[None]:
    """Play in real time, each act landing `lag` ticks after the look that it was chosen from. Yields every tick."""
    oracle = Oracle(session)
    oracle.delay = lag
    now = look_at = 0
    while not session.over:
        oracle.land()  # before the look, which takes what is in flight to be still to come
        if now >= look_at and not session.over:
            act = oracle.decide()
            look_at = now + (max(_length(act, session), STEP) if act else _BLINK)
            if act:
                oracle.flight.append((lag, act))
                oracle.land()
        session.step()
        oracle.flight = [(start - 1, act) for start, act in oracle.flight]
        now += 1
        yield


def _length(act: list[a.AnyAction], session: Session) -> int:
    """Ticks that a gesture takes, a verb's own length included."""
    ticks = max((after for after, _ in _plan(act, session.world, session.mode)), default=0)
    if session.mode == "simple" and session.world.twin.kind == "acting":
        return max(ticks, session.world.twin.ticks)
    return ticks


def play_thinking(episode: Episode, think_us: int) -> Iterator[None]:
    """Play look, think, act. Yields after every act. Thinking is declared, so a run is the same on any machine.

    Raises RuntimeError when the oracle finds nothing to do in a world that rests.
    """
    session, idle = episode.session, 0
    oracle = Oracle(session)
    while episode.state != "over":
        oracle.delay = episode.tick_after(think_us) - episode.tick
        act = oracle.decide()
        idle = 0 if act else idle + 1
        if idle > _GIVE_UP and not session.realtime:
            raise RuntimeError(f"{session.configuration}: the oracle is stuck")
        episode.charge(think_us)
        if episode.state == "running":
            episode.act(act or _idle(session))
        yield


def _idle(session: Session) -> list[a.AnyAction]:
    """Let a little time pass, in whatever way this timing has."""
    if session.realtime or session.world.twin.kind == "acting":
        return [a.Wait(ms=_BLINK * 1000 / TICKS_PER_SECOND)]
    return [a.Key(keys=[PASS_KEY])]
