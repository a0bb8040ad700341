"""The reaction budget: the thinking delay at which half of the plays are won, from a logistic fit."""

from __future__ import annotations

from typing import Any

import numpy as np

Counts = dict[float, tuple[int, int]]  # delay in s -> plays won, plays

GRID = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # s of thinking
_TAUS = np.geomspace(0.02, 50.0, 241)
_SLOPES = np.geomspace(0.5, 20.0, 33)
_CHI = 1.92  # half of chi squared's 95th percentile with one degree of freedom


def budget(wins: Counts) -> dict[str, Any]:
    """τ50 in s with its 95 % interval by profile likelihood.

    P(win) = 1 / (1 + (delay / τ50) ** slope). censored: "below" or "above" when τ50 lies outside the delays measured;
    the value is then the grid's end.
    """
    delays = np.array(sorted(wins))
    won = np.array([wins[delay][0] for delay in delays], float)
    lost = np.array([wins[delay][1] for delay in delays], float) - won
    odds = _SLOPES[None, :, None] * np.log(delays[None, None, :] / _TAUS[:, None, None])
    likelihood = -(won * np.logaddexp(0, odds) + lost * np.logaddexp(0, -odds)).sum(2)
    profile = likelihood.max(1)
    tau = float(_TAUS[profile.argmax()])
    inside = _TAUS[profile >= profile.max() - _CHI]
    low, high = delays[0], delays[-1]
    censored = "below" if tau < low else "above" if tau > high else ""
    return {
        "s": round(float(np.clip(tau, low, high)), 3),
        "low": round(float(inside[0]), 3),
        "high": round(float(inside[-1]), 3),
        "censored": censored,
    }
