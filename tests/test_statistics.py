"""Statistics, against scipy's own and against what is known of them."""

from __future__ import annotations

import math

import pytest
from scipy.stats import binomtest, multinomial

from harness.results.statistics import Rate, bonett_price, mcnemar, paired_difference, quantiles, smallest_gap


@pytest.mark.parametrize(("won", "played"), [(0, 1), (0, 12), (5, 10), (12, 12), (17, 20), (399, 400)])
def test_wilson(won: int, played: int) -> None:
    theirs = binomtest(won, played).proportion_ci(0.95, method="wilson")
    assert Rate(won, played).interval == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert Rate(won, played).share == won / played


def test_nothing_played_says_nothing() -> None:
    assert math.isnan(Rate(0, 0).share) and Rate(0, 0).interval == (0, 1)
    assert paired_difference([]).pairs == 0 and smallest_gap(0) == 1
    assert all(map(math.isnan, quantiles([])))


@pytest.mark.parametrize(("first", "second"), [(0, 0), (3, 3), (8, 1), (0, 6), (25, 10)])
def test_mcnemar(first: int, second: int) -> None:
    theirs = binomtest(first, first + second).pvalue if first + second else 1.0
    assert mcnemar(first, second) == pytest.approx(theirs)


def test_paired_differences_know_their_clusters() -> None:
    same = [(f"game {i % 6}", True, False) for i in range(60)]
    assert paired_difference(same).mean == 1 and paired_difference(same)[1:3] == bonett_price(60, 0, 60)
    one_game = [(f"game {i % 6}", i % 6 == 0, False) for i in range(60)]  # all of the difference comes from one game
    spread = [(f"game {i % 6}", i < 10, False) for i in range(60)]
    clustered, even = paired_difference(one_game), paired_difference(spread)
    assert clustered.mean == even.mean == pytest.approx(1 / 6)
    assert clustered.high - clustered.low > 2 * (even.high - even.low)
    assert paired_difference(one_game) == clustered


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0.3, 0), (0.3, 0.1), (0.95, 0), (0.5, 0.5), (0.02, 0.02)])
@pytest.mark.parametrize("pairs", [6, 18, 60])
def test_intervals_of_differences_hold(first: float, second: float, pairs: int) -> None:
    covered = 0.0
    for a in range(pairs + 1):
        for b in range(pairs + 1 - a):
            low, high = bonett_price(a, b, pairs)
            chance = multinomial.pmf([a, b, pairs - a - b], pairs, [first, second, 1 - first - second])
            covered += chance * (low <= first - second <= high)
    assert covered > 0.93


def test_few_pairs_that_agree_prove_little() -> None:
    alike = [("a", True, False)] * 12
    told = paired_difference(alike)
    assert told.mean == told.high == 1 and 0.5 < told.low < 0.8
    none = paired_difference([("a", True, True)] * 12)
    assert none.mean == 0 and 0.1 < none.high == -none.low < 0.3


def test_more_pairs_show_smaller_gaps() -> None:
    gaps = [smallest_gap(pairs) for pairs in (10, 30, 100, 1000)]
    assert gaps == sorted(gaps, reverse=True) and 0.1 < gaps[2] < 0.2
