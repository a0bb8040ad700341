"""Solvable: an honest oracle with a person's reaction time wins, on seeds that no tuning has seen."""

from __future__ import annotations

from collections.abc import Iterator

from audit.kit import Evidence, Result
from audit.play import Taped, lag, show, think
from harness.session import Configuration

SEEDS = 20
SHARE = 0.85  # of a configuration's seeds
OVER_GAME = 0.95  # of all its configurations' seeds
PAUSED = 0.5  # without any haste, the world standing still while the oracle looks
DELAYS = (0.0, 10.0)  # s of thinking, which a twin must not feel


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("solvable", str(configuration))
    for name, sessions in _plays(configuration, seeds):
        lost = [session for session in sessions if not session.won]
        result.at_least(name, 1 - len(lost) / len(seeds), SHARE, show(evidence, name, lost), of=len(seeds))
        acts = sorted(session.acts for session in sessions)
        result.note(f"{name}_acts", acts[len(acts) // 2])
        result.note(f"{name}_most_acts", acts[-1])
    if configuration.timing == "rt":
        paused = [think(Taped(configuration, seed), 0, "paused") for seed in seeds]
        lost = [session for session in paused if not session.won]
        result.at_least("paused", 1 - len(lost) / len(seeds), PAUSED, show(evidence, "paused", lost), of=len(seeds))
    return result


def _plays(configuration: Configuration, seeds: list[int]) -> Iterator[tuple[str, list[Taped]]]:
    if configuration.timing == "rt":
        yield "lag", [lag(Taped(configuration, seed)) for seed in seeds]
    else:
        for delay in DELAYS:
            yield f"think_{delay:g}s", [think(Taped(configuration, seed), delay) for seed in seeds]


def join(game: str, results: dict[Configuration, Result]) -> Result:
    """The share of all seeds, in real time and in twins."""
    joined = Result("solvable", game)
    for timing, name in (("rt", "lag"), ("twin", "think_0s")):
        found = [result for each, result in results.items() if each.timing == timing]
        if found:
            share = sum(result.figures[name] for result in found) / len(found)
            joined.at_least(timing, share, OVER_GAME, of=sum(result.seeds for result in found))
    return joined
