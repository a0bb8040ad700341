"""Solvable: an honest oracle with a person's reaction time wins, on seeds that no tuning has seen."""

from __future__ import annotations

from audit.kit import Evidence, Result
from audit.play import Taped, lag, think
from harness.session import Configuration

SEEDS = 20
SHARE = 0.85  # of a configuration's seeds
OVER_GAME = 0.95  # of all its configurations' seeds
PAUSED = 0.5  # without any haste, the world standing still while the oracle looks
DELAYS = (0.0, 10.0)  # s of thinking that a twin must not feel


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("solvable", str(configuration))
    plays = (
        {f"think_{delay:g}s": [think(Taped(configuration, seed), delay) for seed in seeds] for delay in DELAYS}
        if configuration.timing == "twin"
        else {"lag": [lag(Taped(configuration, seed)) for seed in seeds]}
    )
    for name, sessions in plays.items():
        lost = [
            line for seed, each in zip(seeds, sessions, strict=True) if not each.won for line in (seed, *each.story())
        ]
        result.at_least(name, sum(each.won for each in sessions) / len(seeds), SHARE, evidence.log(name, lost))
        result.note(f"{name}_acts", sorted(each.acts for each in sessions)[len(seeds) // 2])
        result.note(f"{name}_worst_acts", max(each.acts for each in sessions))
    if configuration.timing == "rt":
        paused = [think(Taped(configuration, seed), 0, "paused").won for seed in seeds]
        result.at_least("paused", sum(paused) / len(seeds), PAUSED)
        result.note("seconds", sorted(each.world.tick for each in plays["lag"])[len(seeds) // 2] / 60)
    return result


def join(game: str, results: dict[Configuration, Result]) -> Result:
    """The share of all seeds, in real time and in twins."""
    joined = Result("solvable", game)
    for timing, name in (("rt", "lag"), ("twin", "think_0s")):
        shares = [result.figures[name] for each, result in results.items() if each.timing == timing]
        if shares:
            joined.at_least(timing, sum(shares) / len(shares), OVER_GAME)
    return joined
