"""Tempo and game time: exact, without drift, however wall time is cut into pieces."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock import gametime
from clock.gametime import GameClock, edge_us, ticks_at
from clock.tempo import Tempo
from games.kit.world import TICKS_PER_SECOND

slowdowns = st.builds(Fraction, st.integers(1000, 100_000), st.just(1000)).filter(lambda s: s >= 1)


def test_a_tick_is_the_same_everywhere() -> None:
    assert gametime.TICKS_PER_SECOND == TICKS_PER_SECOND


@pytest.mark.parametrize(
    ("text", "name", "slowdown"),
    [
        ("live", "live", Fraction(1)),
        ("1x", "live", Fraction(1)),
        ("4x", "4x", Fraction(4)),
        (" 16X ", "16x", Fraction(16)),
        ("7.5x", "7.5x", Fraction(15, 2)),
        ("7.50x", "7.5x", Fraction(15, 2)),
        ("100x", "100x", Fraction(100)),
        ("1.000001x", "1.000001x", Fraction(1_000_001, 1_000_000)),
        ("Paused", "paused", None),
    ],
)
def test_parse(text: str, name: str, slowdown: Fraction | None) -> None:
    tempo = Tempo.parse(text)
    assert (tempo.name, tempo.slowdown, str(tempo)) == (name, slowdown, name)
    assert Tempo.parse(tempo.name) == tempo
    assert tempo.paused == (name == "paused")


@given(slowdowns)
def test_a_name_reads_back(slowdown: Fraction) -> None:
    assert Tempo.parse(Tempo(slowdown).name) == Tempo(slowdown)


@pytest.mark.parametrize("text", ["", "fast", "4", "x", "-4x", "4.x", "1e3x", "inf", "nanx", "4 x", "٤x", "4x4"])
def test_nonsense_is_told_how_to_write_it(text: str) -> None:
    with pytest.raises(ValueError, match=r'write "live", "paused" or a slowdown such as "7.5x"'):
        Tempo.parse(text)


@pytest.mark.parametrize("text", ["0x", "0.5x", "0.999999x"])
def test_faster_than_live_is_told_what_a_slowdown_is(text: str) -> None:
    with pytest.raises(ValueError, match='"2x": half speed'):
        Tempo.parse(text)


def test_order_is_from_pressing_to_lenient() -> None:
    names = ["live", "4x", "7.5x", "16x", "64x", "paused"]
    tempos = [Tempo.parse(name) for name in names]
    assert sorted(reversed(tempos)) == tempos
    assert all(a < b and b > a and a <= a and not a < a for a, b in pairwise(tempos))
    assert not tempos[-1] < tempos[-1] and tempos[-1] <= tempos[-1]
    assert len({*tempos, Tempo.parse("1x")}) == len(names)


@given(st.integers(0, 10**9))
def test_edges_are_the_first_microseconds_of_their_ticks(tick: int) -> None:
    edge = edge_us(tick)
    assert ticks_at(edge) == tick
    assert edge == 0 or ticks_at(edge - 1) == tick - 1
    assert 0 <= edge * TICKS_PER_SECOND - tick * 1_000_000 < TICKS_PER_SECOND


@given(slowdowns, st.lists(st.integers(0, 10**8), max_size=50))
def test_pieces_add_up_exactly(slowdown: Fraction, pieces: list[int]) -> None:
    clock = GameClock(slowdown)
    for piece in pieces:
        clock.pass_wall(piece)
    assert clock.game_us == sum(pieces) / slowdown // 1


@given(slowdowns, st.integers(0, 10**9), st.integers(0, 10**7))
def test_wall_until_is_the_first_microsecond_that_is_enough(slowdown: Fraction, before: int, more: int) -> None:
    clock = GameClock(slowdown)
    clock.pass_wall(before)
    goal = clock.game_us + more
    wait = clock.wall_until(goal)
    assert (wait == 0) == (more == 0)
    if wait:
        clock.pass_wall(wait - 1)
        assert clock.game_us < goal
        clock.pass_wall(1)
    assert clock.game_us == goal


def test_time_does_not_run_backwards() -> None:
    with pytest.raises(ValueError, match="backwards"):
        GameClock().pass_wall(-1)
    assert GameClock().wall_until(-5) == 0
