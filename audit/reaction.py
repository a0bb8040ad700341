"""The reaction budget: the thinking delay at which half of the plays are won, from a logistic fit."""

from __future__ import annotations

from typing import Any

from harness.results.reaction import tipping_place

Counts = dict[float, tuple[int, int]]  # delay in s -> plays won, plays

GRID = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # s of thinking
STEEPEST = 20.0  # the odds of one configuration may tip at once


def budget(wins: Counts) -> dict[str, Any]:
    """τ50 in s with its 95 % interval by profile likelihood.

    P(win) = 1 / (1 + (delay / τ50) ** slope). censored: "below" or "above" when τ50 lies outside the delays measured;
    the value is then the grid's end.
    """
    delays = sorted(wins)
    played = [wins[delay][1] for delay in delays]
    lost = [wins[delay][1] - wins[delay][0] for delay in delays]
    found = tipping_place(delays, lost, played, steepest=STEEPEST)
    low, high = delays[0], delays[-1]
    return {
        "s": round(min(max(found.value, low), high), 3),
        "low": round(found.low, 3),
        "high": round(found.high, 3),
        "censored": "below" if found.value < low else "above" if found.value > high else "",
    }
