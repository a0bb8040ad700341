"""Statistics of pass rates. Rates and intervals are shares, 0..1; intervals hold with 95 % confidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import bdtr, ndtri  # scipy.stats says as much in more words, and takes seconds to import

CONFIDENCE = 0.95
RESAMPLES = 2000
FEWEST = 5  # clusters that are worth resampling


class Rate(NamedTuple):
    """A pass rate with its Wilson interval. Without episodes it is nan between 0 and 1."""

    won: int
    played: int

    @property
    def share(self) -> float:
        return self.won / self.played if self.played else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's score interval."""
        if not self.played:
            return 0.0, 1.0
        n, z = self.played, float(ndtri((1 + CONFIDENCE) / 2))
        middle = (self.won + z * z / 2) / (n + z * z)
        reach = z * (self.won * (n - self.won) / n + z * z / 4) ** 0.5 / (n + z * z)
        return max(0.0, middle - reach), min(1.0, middle + reach)


class Difference(NamedTuple):
    """The mean of paired differences, its interval, and the chance of one as large where there is none.

    only_first, only_second: pairs of which only that one passed.
    """

    mean: float
    low: float
    high: float
    p: float
    pairs: int
    only_first: int = 0
    only_second: int = 0

    @property
    def smallest(self) -> float:
        """The smallest difference that so many pairs would have shown, as often as these two differ."""
        return smallest_gap(self.pairs, (self.only_first + self.only_second + 1) / (self.pairs + 2))


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p of paired outcomes that differ so often in each direction."""
    return min(1.0, 2 * float(bdtr(min(only_first, only_second), only_first + only_second, 0.5)))


def paired_difference(pairs: Sequence[tuple[str, bool, bool]]) -> Difference:
    """How much more often the first of a pair passes: pairs are (cluster, first, second), clusters are games.

    The interval comes from resampling whole clusters, so that one game's quirks are not taken for many findings. With
    fewer than FEWEST clusters, or where all clusters agree and resampling would claim to know the difference exactly,
    it is Bonett and Price's. p is McNemar's exact one.
    """
    if not pairs:
        return Difference(float("nan"), -1.0, 1.0, 1.0, 0)
    gaps = np.array([int(first) - int(second) for _, first, second in pairs], float)
    names = [cluster for cluster, _, _ in pairs]
    only_first, only_second = int((gaps > 0).sum()), int((gaps < 0).sum())
    low, high = _bootstrap(gaps, names) if len(set(names)) >= FEWEST else (0.0, 0.0)
    if low == high:
        low, high = bonett_price(only_first, only_second, len(pairs))
    p = mcnemar(only_first, only_second)
    return Difference(float(gaps.mean()), low, high, p, len(pairs), only_first, only_second)


def bonett_price(only_first: int, only_second: int, pairs: int) -> tuple[float, float]:
    """The interval of a difference of paired rates, of which so many pairs differ in each direction (2012).

    It is wide where nothing differs, or everything: few pairs do not prove that none would.
    """
    first, second = (only_first + 1) / (pairs + 2), (only_second + 1) / (pairs + 2)
    middle = first - second
    reach = float(ndtri((1 + CONFIDENCE) / 2)) * ((first + second - middle * middle) / (pairs + 2)) ** 0.5
    return max(-1.0, middle - reach), min(1.0, middle + reach)


def _bootstrap(values: np.ndarray, clusters: Sequence[str]) -> tuple[float, float]:
    """Percentiles of the mean over resampled clusters."""
    _, index = np.unique(np.array(clusters), return_inverse=True)
    sums, counts = np.bincount(index, values), np.bincount(index)
    drawn = np.random.default_rng(0).integers(len(sums), size=(RESAMPLES, len(sums)))
    means = sums[drawn].sum(1) / counts[drawn].sum(1)
    edge = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, (edge, 1 - edge))
    return float(low), float(high)


def smallest_gap(pairs: int, discordant: float = 0.3, power: float = 0.8) -> float:
    """The smallest paired difference of pass rates that so many pairs show with this power (Connor 1987).

    discordant: the share of pairs whose two outcomes differ. 1.0 where no difference would show.
    """
    if not pairs:
        return 1.0
    alpha, beta = ndtri((1 + CONFIDENCE) / 2), ndtri(power)
    for gap in np.arange(0.005, 1.0, 0.005):
        share = max(discordant, gap)
        needed = (alpha * share**0.5 + beta * max(share - gap * gap, 0.0) ** 0.5) ** 2 / gap**2
        if needed <= pairs:
            return float(gap)
    return 1.0


def quantiles(values: Sequence[float], shares: Sequence[float] = (0.5, 0.9)) -> list[float]:
    """Quantiles, or nan where there are no values."""
    return [float(v) for v in np.quantile(values, shares)] if len(values) else [float("nan")] * len(shares)
