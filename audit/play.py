"""Sessions for audits: they keep their tape and notice their first loss; and the ways in which oracles play them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

from audit.kit import Evidence
from clock.tempo import Tempo
from games.kit.world import TICKS_PER_SECOND, World
from harness.actions import AnyAction, to_plain
from harness.episode import Episode
from harness.oracle import LAG, play_lagging, play_thinking
from harness.session import Configuration, Session, copy_world

FALL = 0.25  # of progress below its best: a loss
GENEROUS = 2  # times a game's own seconds: when a play without a limit is cut off

Tape = list[tuple[int, list[AnyAction]]]  # (steps before it, act)


class Loss(NamedTuple):
    """The first loss of a play. world: a copy of that moment, which may have been the end."""

    step: int
    world: World


class Taped(Session):
    """A session that keeps its tape and counts its steps. watch: it also keeps its first loss."""

    def __init__(self, configuration: Configuration, seed: int, *, watch: bool = False, **options: Any) -> None:
        self.seed = seed
        self.steps = 0
        self.tape: Tape = []
        self.loss: Loss | None = None
        self._watch = watch
        super().__init__(*configuration, seed, keep=0, **options)
        self._full = self.world.reserve()
        self._best = self.world.progress()

    def submit(self, actions: list[AnyAction], coord_space: str = "px") -> None:
        self.tape.append((self.steps, actions))
        super().submit(actions, coord_space)
        self._look()

    def step(self) -> None:
        self.steps += 1
        super().step()
        self._look()

    @property
    def won(self) -> bool:
        return self.world.verdict == "won"

    @property
    def in_time(self) -> bool:
        """Whether it has been won, and before the game's own limit."""
        world = self.world
        return self.won and (world.outlast or world.tick + world.spent < world.seconds * TICKS_PER_SECOND)

    @property
    def limit_steps(self) -> int:
        """The game's own limit in ticks."""
        return round(self.world.seconds * TICKS_PER_SECOND)

    def _look(self) -> None:
        if not self._watch or self.loss:
            return
        world = self.world
        progress = world.progress()
        self._best = max(self._best, progress)
        if world.reserve() < self._full or progress < self._best - FALL or world.verdict == "lost":
            self.loss = Loss(self.steps, copy_world(world))

    def story(self) -> list[Any]:
        """How it went, as lines for a log: the end, then the tape."""
        world = self.world
        end = {
            "configuration": str(self.configuration),
            "seed": self.seed,
            "verdict": world.verdict,
            "reason": world.reason,
            "progress": world.progress(),
            "tick": world.tick,
            "acts": self.acts,
        }
        return [end, *({"step": step, "actions": to_plain(act)} for step, act in self.tape)]


S = TypeVar("S", bound=Taped)


def lag(session: Taped, ticks: int = LAG, until: int = 0) -> Taped:
    """Have the oracle play in real time, its acts so late; until: a step at which to stop. Returns the session."""
    for _ in play_lagging(session, ticks):
        if until and session.steps >= until:
            break
    return session


def think(session: Taped, seconds: float, tempo: str = "live", until: int = 0) -> Taped:
    """Have the oracle look, think so long and act, again and again. until: a step at which to stop."""
    episode = Episode(session, Tempo.parse(tempo), "metered")
    episode.begin(0)
    for _ in play_thinking(episode, round(seconds * 1_000_000)):
        if until and session.steps >= until:
            break
    return session


def submit_tape(session: Taped, tape: Tape) -> None:
    """Submit every act of a tape at its step, whatever has become of the world, until that is over."""
    for step, act in tape:
        while session.steps < step and not session.over:
            session.step()
        if session.over:
            break
        session.submit(act)


def replay(session: S, tape: Tape) -> S:
    """Play a tape, blindly; then nothing more."""
    submit_tape(session, tape)
    if session.realtime:
        while not session.over:
            session.step()
    else:
        session.settle()
    return session


def follow(session: Taped, acts: Iterator[list[AnyAction] | None], until: int = 0) -> Taped:
    """Play what a player without eyes yields: each step an act or None; a twin is asked whenever it rests."""
    for act in acts:
        if session.over or (until and session.steps >= until):
            break
        if act is not None:
            session.submit(act)
        if session.realtime:
            session.step()
        else:
            session.settle()
    return session


def show(evidence: Evidence, name: str, sessions: list[Taped]) -> str:
    """Write how these plays went, and the last pictures of the first three; returns the path of the log, or ""."""
    evidence.frames(name, [session.picture() for session in sessions[:3]])
    return evidence.log(name, [line for session in sessions for line in session.story()])
