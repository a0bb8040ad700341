"""Oracles as agents of a run. They need the world, so they play it inside their own process; no picture is drawn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from traceback import walk_tb
from typing import NamedTuple

from clock.gametime import SECOND_US, TICKS_PER_SECOND, edge_us
from clock.tempo import Tempo
from harness.actions import AnyAction
from harness.agents import Spec
from harness.episode import Entry, Episode
from harness.errors import BadInput, UserError
from harness.oracle import LAG, play_lagging, play_thinking
from harness.results.records import Act, Verdict, plain_journal, rules_digest
from harness.session import Configuration, Session
from harness.suite import Job


class GameFailed(Exception):
    """The world broke, not its player."""


class Played(NamedTuple):
    """An act that has been done. Times in µs."""

    entry: Entry
    stale_us: int
    thinking_us: int


class _Session(Session):
    """A session that keeps a journal of its acts."""

    def __init__(self, job: Job) -> None:
        self.steps = 0
        self.journal: list[Entry] = []
        super().__init__(*Configuration.parse(job.config), job.seed, keep=0)

    def submit(self, actions: list[AnyAction], coord_space: str = "px") -> None:
        self.journal.append(Entry("act", edge_us(self.steps), self.steps, actions, coord_space))
        super().submit(actions, coord_space)

    def step(self) -> None:
        self.steps += 1
        super().step()


def play(job: Job, spec: Spec, attempt: int, acted: Callable[[Act], None]) -> Verdict:
    """Play one episode to its verdict, calling `acted` after each act. Raises GameFailed; a crashed oracle has lost."""
    began = time.monotonic_ns()
    session = _Session(job)
    first = session.digest()
    tempo = Tempo.parse(job.tempo)
    if spec.think_us is None and session.realtime and tempo.slowdown is not None:
        journal = session.journal
        played = _lagging(session, round(LAG / tempo.slowdown))
    else:
        episode = Episode(session, tempo, "metered", window_us=round(job.conditions.window_ms * 1000))
        journal = episode.journal
        played = _thinking(episode, spec.think_us or 0)
    count = thinking_us = 0
    crash = ""
    try:
        for count, act in enumerate(played, 1):
            thinking_us += act.thinking_us
            acted(
                Act(
                    episode=job.key,
                    attempt=attempt,
                    seq=count,
                    game_us=act.entry.game_us,
                    stale_us=act.stale_us,
                    thinking_us=act.thinking_us,
                )
            )
    except BadInput as error:
        crash = f"agent refused: {error}"
    except UserError:  # of the records
        raise
    except Exception as error:
        if not _is_players(error):
            raise GameFailed(repr(error)) from error
        crash = f"agent crashed: {error!r}"
    world = session.world
    return Verdict(
        episode=job.key,
        attempt=attempt,
        job=job,
        verdict="won" if world.verdict == "won" else "lost",
        reason=world.reason or crash,
        progress=world.progress(),
        game_us=journal[-1].game_us if journal else 0,
        ticks=world.tick,
        acts=count,
        thinking_us=thinking_us,
        wall_us=(time.monotonic_ns() - began) // 1000,
        rules=rules_digest(job.game),
        cap=job.cap,
        isolation="none",
        digest_first=first,
        digest_last=session.digest(),
        journal=plain_journal(journal),
    )


def _is_players(error: Exception) -> bool:
    """Whether an error arose in the oracle's own lines, not in the world's."""
    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        module = frame.f_globals["__name__"]
        if module.startswith(("games.", "harness.session")):
            return False
        if module.startswith("oracles."):
            break
    return True


def _lagging(session: _Session, lag: int) -> Iterator[Played]:
    """Each act lands `lag` ticks after the look that it was chosen from."""
    lag_us = lag * SECOND_US // TICKS_PER_SECOND
    told = 0
    for _ in play_lagging(session, lag):
        for entry in session.journal[told:]:
            yield Played(entry, lag_us, LAG * SECOND_US // TICKS_PER_SECOND)
        told = len(session.journal)
    session.journal.append(Entry("over", edge_us(session.steps), session.steps))


def _thinking(episode: Episode, think_us: int) -> Iterator[Played]:
    """Look, think so long, act, look again."""
    episode.begin(0)
    told = looked_us = 0
    for _ in play_thinking(episode, think_us):
        for entry in episode.journal[told:]:
            if entry.kind == "act":
                yield Played(entry, entry.game_us - looked_us, think_us)
        told, looked_us = len(episode.journal), episode.game_us
