"""Solvable: an honest oracle with a person's reaction time wins, on seeds that no tuning has seen."""

from __future__ import annotations

from audit.kit import Evidence, Result
from audit.play import Taped, lag, show, think
from harness.session import Configuration

SEEDS = 20
SHARE = 0.85  # of a configuration's seeds
OVER_GAME = 0.95  # of all its configurations' seeds
PAUSED = 0.5  # without any haste, the world standing still while the oracle looks
THINKING = 10.0  # s, which a twin must not feel
SLOWLY = 4  # one of so many seeds is also played without haste


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("solvable", str(configuration))
    realtime = configuration.timing == "rt"
    sessions = [Taped(configuration, seed) for seed in seeds]
    played = [lag(session) if realtime else think(session, 0) for session in sessions]
    name = "lag" if realtime else "think_0s"
    _won(result, name, played, SHARE, evidence)
    acts = sorted(session.acts for session in played)
    result.note(f"{name}_acts", acts[len(acts) // 2])
    result.note(f"{name}_most_acts", acts[-1])
    slow = [Taped(configuration, seed) for seed in seeds[::SLOWLY]]
    if realtime:
        _won(result, "paused", [think(session, 0, "paused") for session in slow], PAUSED, evidence)
    else:
        pairs = zip(played[::SLOWLY], [think(session, THINKING) for session in slow], strict=True)
        felt = [slowly for quickly, slowly in pairs if slowly.tape != quickly.tape or slowly.won != quickly.won]
        log = show(evidence, "felt", felt)
        result.must("felt", len(felt), f"0: {THINKING:g} s of thinking change no play of a twin", not felt, log)
    return result


def _won(result: Result, name: str, sessions: list[Taped], bound: float, evidence: Evidence) -> None:
    lost = [session for session in sessions if not session.won]
    result.at_least(name, 1 - len(lost) / len(sessions), bound, show(evidence, name, lost), of=len(sessions))


def join(game: str, results: dict[Configuration, Result]) -> Result:
    """The share of all seeds, in real time and in twins."""
    joined = Result("solvable", game)
    for timing, name in (("rt", "lag"), ("twin", "think_0s")):
        found = [result for each, result in results.items() if each.timing == timing]
        if found:
            share = sum(result.figures[name] for result in found) / len(found)
            joined.at_least(timing, share, OVER_GAME, of=sum(result.seeds for result in found))
    return joined
