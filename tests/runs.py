"""Records of runs that never were, for the tests of what is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.agents.models.conversation import Policy
from harness.results.records import ATTEMPTS, Act, Call, Results, Run, Shard, Started, Taint, Verdict
from harness.suite import Conditions, Grid, Job, Suite

MACHINE = {"cores": 2, "memory_gib": 8.0, "system": "test", "python": "3"}


def job(agent: str, timing: str, tempo: str, seed: int, level: int = 1, game: str = "bell") -> Job:
    return Job(agent, f"{game}/{timing}/{level}/full", tempo, "metered", seed, Conditions())


def verdict(played: Job, won: bool) -> Verdict:
    return Verdict(
        episode=played.key,
        attempt=1,
        job=played,
        verdict="won" if won else "lost",
        reason="" if won else "time",
        progress=float(won),
        game_us=2_000_000,
        ticks=120,
        acts=1,
        thinking_us=1_000_000,
        wall_us=9,
        rules="r",
        isolation="none",
        digest_first="a",
        digest_last="b",
        journal=[],
    )


def write_run(
    folder: Path,
    episodes: list[tuple[Job, bool | None]],
    about: str = "A test.",
    calls: Sequence[Call] = (),
    rules: dict[str, str] | None = None,
    conversations: dict[str, Policy] | None = None,
) -> Results:
    """Records of these episodes; None: tainted to the end. calls: of models, in any of them."""
    grid = Grid(agents=["oracle"], games=["bell"], seeds=[1])
    run = Run(
        name="t",
        suite=Suite(name="t", about=about, grids=[grid]),
        version="0",
        machine=MACHINE,
        rules=rules or {},
        conversations=conversations or {},
        at="2026-01-01T",
    )
    with Shard(folder) as shard:
        shard.write(run, *calls)
        for played, won in episodes:
            shard.write(Started(episode=played.key, job=played, attempt=1, at=""))
            if won is None:
                causes = [Taint(episode=played.key, attempt=n + 1, cause="worker died") for n in range(ATTEMPTS)]
                shard.write(*causes)
            else:
                acts = [
                    Act(episode=played.key, attempt=1, seq=1, game_us=1, stale_us=500_000, thinking_us=1_000_000),
                    Act(episode=played.key, attempt=1, seq=2, game_us=2, stale_us=None, thinking_us=3_000_000),
                ]
                shard.write(*acts, verdict(played, won))
    return Results.load(folder)
