"""The effective reaction time of an agent: the thinking delay at which oracles would win as often as it does.

A configuration's reaction budget τ50 is the delay at which its oracle wins half of its plays, as its certificate says.
At a slowdown thinking costs less game time, so that the budget is worth as many times more thinking. What an agent wins
and loses in real time, set against those budgets, tells how slow it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from configs import certificate

SLOPES = 25  # that are tried, from FLAT to the steepest
FLAT, STEEP = 0.5, 6.0  # budgets are known to a fifth or so: over them nobody's curve is steeper
STEPS = 401  # places that are tried
BEYOND = 20.0  # times the ends of what was measured: how far they reach
WIDE = 4.0  # times: an interval that wide has no middle worth naming
FEW = 10  # episodes
DROP = 1.92  # of the log likelihood: half of chi squared's 95th percentile with one degree of freedom


class Place(NamedTuple):
    """A place on a logarithmic axis with its interval of 95 %, and how steeply the odds change there."""

    value: float
    low: float
    high: float
    slope: float


class Budgeted(NamedTuple):
    """An episode with the thinking that it allowed: τ50 times the slowdown, in s."""

    game: str
    budget: float
    won: bool


class Reaction(NamedTuple):
    """An effective reaction time in s of thinking, with its interval of 95 %.

    seconds: None where it lies outside the budgets played, of which low (0: none) and high (inf: none) are the bound.
    """

    seconds: float | None
    low: float
    high: float
    slope: float
    episodes: int
    games: int

    def __str__(self) -> str:
        if self.seconds is None:
            return f"< {_two(self.high)} s" if self.low == 0 else f"> {_two(self.low)} s"
        return f"{_two(self.seconds)} s ({_two(self.low)}–{_two(self.high)})"

    def in_words(self) -> str:
        """A place only where it is known well, else what bounds it; and of how many episodes, where they are few."""
        few = f" ({self.episodes} episode{'' if self.episodes == 1 else 's'})" if self.episodes < FEW else ""
        if self.seconds is None or self.high <= WIDE * self.low:
            return f"reacts in {self}{few}"
        return f"reacts in {_two(self.low)} to {_two(self.high)} s{few}"


def _two(value: float) -> str:
    """Two digits that count, and no power of ten."""
    return f"{float(f'{value:.2g}'):,.10g}"


def tipping_place(
    places: Sequence[float], after: Sequence[int], of: Sequence[int], *, steepest: float = STEEP
) -> Place:
    """Where half of the outcomes have tipped: P(tipped at x) = 1 / (1 + (place / x) ** slope).

    places: positive, at each of which so many `of` all outcomes had tipped. steepest: slope that is thought possible.
    The interval is a profile likelihood's; its ends are the ends of the search, BEYOND the places, where nothing bounds
    it.
    """
    slopes = np.geomspace(FLAT, steepest, SLOPES)
    at, share, full = np.log(np.asarray(places, float)), np.asarray(after, float), np.asarray(of, float)
    reach = np.log(BEYOND)
    tried = np.linspace(at.min() - reach, at.max() + reach, STEPS)
    gaps = at[None, :] - tried[:, None]
    likelihood = np.stack([slope * gaps @ share - np.logaddexp(0, slope * gaps) @ full for slope in slopes])
    profile = likelihood.max(0)
    best = int(profile.argmax())
    inside = tried[profile >= profile.max() - DROP]
    value, low, high = (float(each) for each in np.exp((tried[best], inside[0], inside[-1])))
    return Place(value, low, high, float(slopes[likelihood[:, best].argmax()]))


def react(episodes: Iterable[Budgeted]) -> Reaction | None:
    """The effective reaction time behind these outcomes; None without any."""
    counts: dict[float, list[int]] = {}
    names = set()
    for episode in episodes:
        count = counts.setdefault(episode.budget, [0, 0])
        count[0] += episode.won
        count[1] += 1
        names.add(episode.game)
    if not counts:
        return None
    places = sorted(counts)
    won, played = zip(*(counts[place] for place in places), strict=True)
    found = tipping_place(places, won, played)
    known = (found.slope, sum(played), len(names))
    if sum(won) == sum(played) or found.value < places[0]:
        return Reaction(None, 0.0, found.high, *known)
    if not sum(won) or found.value > places[-1]:
        return Reaction(None, found.low, float("inf"), *known)
    return Reaction(found.value, found.low, found.high, *known)


def read_budgets(rules: Mapping[str, str]) -> tuple[dict[str, float], dict[str, str]]:
    """τ50 in s by configuration as played, from the certificates; and of games that have none, why.

    rules: game -> digest of the rules that were played. A budget outside the delays measured is no budget.
    """
    budgets: dict[str, float] = {}
    missing: dict[str, str] = {}
    for game, digest in rules.items():
        told = certificate(game)
        found = {
            f"{game}/{page}": float(tau["s"])
            for page, entry in told.get("pages", {}).items()
            if (tau := entry.get("figures", {}).get("tau50_as_played")) and not tau["censored"]
        }
        if not told:
            missing[game] = "no certificate"
        elif told["rules"] != digest:
            missing[game] = "certified under other rules"
        elif not found:
            missing[game] = "no budget measured"
        else:
            budgets |= found
    return budgets, missing
