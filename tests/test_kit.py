"""Chance and maths: right, and the same for ever."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kit import maths
from games.kit.dice import Dice
from games.kit.omen import Omen

reals = st.floats(-50, 50)


@given(reals)
def test_one_argument_functions_agree_with_the_library(x: float) -> None:
    assert maths.sin(x) == pytest.approx(math.sin(x), abs=1e-11)
    assert maths.cos(x) == pytest.approx(math.cos(x), abs=1e-11)
    assert maths.exp(x) == pytest.approx(math.exp(x), rel=1e-11)


@given(reals, reals)
def test_atan2_agrees_with_the_library(y: float, x: float) -> None:
    y, x = y + 0.0, x + 0.0  # -0.0 is 0.0 to us
    assert maths.atan2(y, x) == pytest.approx(math.atan2(y, x), abs=1e-11)


@given(st.floats(1e-9, 1e9), st.floats(-5, 5))
def test_log_and_power_agree_with_the_library(base: float, exponent: float) -> None:
    assert maths.log(base) == pytest.approx(math.log(base), abs=1e-10)
    assert maths.power(base, exponent) == pytest.approx(base**exponent, rel=1e-9)


@given(reals, reals)
def test_turn_between_is_the_shortest(a: float, b: float) -> None:
    turn = maths.turn_between(a, b)
    assert abs(turn) <= maths.PI + 1e-9
    assert math.cos(a + turn - b) == pytest.approx(1, abs=1e-9)


def test_maths_has_the_same_bits_for_ever() -> None:
    values = [maths.sin(1.1), maths.cos(-7.3), maths.atan2(-2.0, 0.3), maths.exp(3.3), maths.log(0.07)]
    assert [value.hex() for value in values] == [
        "0x1.c84c54c2d6338p-1",
        "0x1.0d5a0848a01cap-1",
        "-0x1.6c020e7493378p+0",
        "0x1.b1cd5e7807b7bp+4",
        "-0x1.5462a20517cffp+1",
    ]


def test_dice_mean_the_same_for_ever() -> None:
    dice = Dice.named("a game", 7, "world")
    assert [dice.whole(0, 999) for _ in range(5)] == [340, 737, 523, 980, 227]


@given(st.integers(0, 2**64 - 1))
def test_dice_stay_in_their_bounds(state: int) -> None:
    dice = Dice(state)
    assert 0 <= dice.unit() < 1
    assert 3 <= dice.between(3, 4) < 4
    assert 2 <= dice.whole(2, 5) <= 5
    assert dice.sign() in (-1, 1)
    items = list(range(9))
    dice.shuffle(items)
    assert sorted(items) == list(range(9))


def test_a_fork_leaves_its_stream_alone() -> None:
    dice, same = Dice(5), Dice(5)
    assert dice.fork("sparks").bits() != dice.fork("smoke").bits()
    assert dice.bits() == same.bits()


def test_bell_is_about_normal() -> None:
    dice = Dice(11)
    draws = [dice.bell() for _ in range(4000)]
    mean = sum(draws) / len(draws)
    assert abs(mean) < 0.06
    assert math.sqrt(sum((draw - mean) ** 2 for draw in draws) / len(draws)) == pytest.approx(1, abs=0.05)


@given(st.integers(0, 2**32), st.floats(30, 200), st.integers(6, 24))
def test_an_omen_warns_before_each_change(state: int, interval: float, warning: int) -> None:
    omen, fate = Omen(), Dice(state)
    lead = 0
    for _ in range(1500):
        before = omen.lead
        if omen.tick(fate, interval, warning):
            assert before == 1 and lead == warning - 1
            lead = 0
        elif omen.lead:
            lead += before > 0
    assert omen.lead <= warning


def test_omens_come_at_their_mean_interval() -> None:
    omen, fate = Omen(), Dice(3)
    changes = sum(omen.tick(fate, 90, 20) for _ in range(90_000))
    assert changes == pytest.approx(1000, rel=0.06)
