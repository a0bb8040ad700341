"""Statistics, against scipy's own and against what is known of them."""

from __future__ import annotations

import math

import numpy as np
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


@pytest.mark.parametrize("pairs", [40, 100, 400])
@pytest.mark.parametrize("discordant", [0.15, 0.4])
def test_the_smallest_gap_is_shown_four_times_in_five(pairs: int, discordant: float) -> None:
    gap = smallest_gap(pairs, discordant)
    share = max(discordant, gap)
    first, second = (share + gap) / 2, (share - gap) / 2
    drawn = np.random.default_rng(0).multinomial(pairs, [first, second, 1 - share], size=2000)
    shown = np.mean([mcnemar(a, b) < 0.05 and a > b for a, b, _ in drawn])
    assert 0.68 < shown < 0.86  # the exact test asks for a little more than Connor's formula


def test_a_difference_knows_what_it_could_have_shown() -> None:
    alike = paired_difference([("a", True, True)] * 40)
    mixed = paired_difference([("a", n % 2 == 0, n % 3 == 0) for n in range(40)])
    assert (mixed.only_first, mixed.only_second) == (13, 7)
    assert 0 < alike.smallest < mixed.smallest == smallest_gap(40, 21 / 42)
