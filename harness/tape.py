"""A recorded episode brought to life again, without any clock: what replays, films and `verify` share."""

from __future__ import annotations

from collections.abc import Iterator

from harness import agents
from harness.agents import oracle
from harness.episode import Entry
from harness.errors import BadInput, UserError
from harness.results.records import Verdict
from harness.session import Configuration, Session
from harness.suite import Conditions, Job


def oracle_verdict(configuration: str, seed: int) -> Verdict:
    """An episode as its oracle plays it: with a person's lag in real time. Raises BadInput, UserError."""
    Configuration.parse(configuration)
    job = Job("oracle", configuration, "live", "metered", seed, Conditions())
    try:
        return oracle.play(job, agents.parse("oracle"), 1, lambda act: None)
    except oracle.GameFailed as error:
        raise UserError(f"{configuration}, seed {seed}: the game failed: {error}") from error


def open_again(verdict: Verdict) -> Session:
    """A session as it was when the recorded episode began. Raises BadInput when its game is unknown here."""
    return Session(*Configuration.parse(verdict.job.config), verdict.job.seed, keep=0, cap=verdict.job.cap)


def walk(session: Session, verdict: Verdict) -> Iterator[Entry | None]:
    """Bring a fresh session through a recorded episode: yields None after each step, an act before it is applied.

    Raises BadInput at an entry that this session could not have come to, or that it refuses.
    """
    tick = 0
    for entry in verdict.entries():
        for _ in range(tick, entry.tick):
            if session.over:
                break
            if not session.realtime and not session.busy:
                raise BadInput("tick", f"{entry.tick} is never reached", "the records have been changed")
            session.step()
            yield None
        tick = entry.tick
        if entry.actions is not None:
            yield entry
            session.submit(entry.actions, entry.coord_space)
    # an episode that was given up: what passed after its last entry
    while not session.over and (session.world.tick < verdict.ticks if session.realtime else session.busy):
        session.step()
        yield None
