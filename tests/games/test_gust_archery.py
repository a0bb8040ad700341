"""Rules of Barley Wind Archery that no property of all games shows."""

from __future__ import annotations

import pytest

from games.aiming.gust_archery import BREATH, DRIFT, HEIGHT, MOST, PITCH, RAIL, SAG, WEIGHT, GustArchery
from games.kit.dice import Dice
from harness import actions as a
from harness.session import Session
from oracles.aiming.gust_archery import Dials, choose


def born(level: int = 3, seed: int = 1) -> GustArchery:
    world = GustArchery.new(GustArchery.levels[level - 1], Dice.named("a test", seed))
    world.fate = Dice.named("its fate", seed)
    return world


def aim(world: GustArchery) -> None:
    """Set the dials for the lit butt of a world that stands still."""
    dials = Dials({trim: (dial, sign) for dial, (trim, sign) in enumerate(world.deal)}, whole=False, moves=False)
    world.trims = choose(world, dials).trims


def shoot(world: GustArchery) -> None:
    world.act(("loose",))
    while world.respond():
        pass


def test_a_hit_lights_another_butt_and_six_win() -> None:
    world = born()
    for hit in range(6):
        lit = world.lit()
        aim(world)
        shoot(world)
        assert world.struck
        assert world.hits == hit + 1
        assert world.lit() is not lit
    assert world.verdict == "won"


def test_misses_beyond_the_spare_arrows_lose() -> None:
    world = born(5)
    world.trims[HEIGHT] = MOST[HEIGHT]
    for miss in range(1, world.level.spare + 2):
        assert not world.verdict
        shoot(world)
        assert (world.misses, world.struck) == (miss, False)
    assert (world.verdict, world.reason) == ("lost", "quiver empty")


def test_one_arrow_at_a_time() -> None:
    world = born()
    world.act(("loose",))
    flying = world.arrow
    world.act(("loose",))
    assert world.arrow is flying


def test_wind_carries_light_arrows_farther_and_heavy_ones_fall_more() -> None:
    def lands(weight: float, wind: float) -> tuple[float, float]:
        world = born()
        world.trims = [0.0, 0.0, weight]
        arrow = world.nocked()
        while arrow.z < 47:
            arrow.fly(wind)
        return arrow.at(47)

    light, heavy = lands(-2, 8), lands(2, 8)
    assert light[0] > heavy[0] > 0
    assert light[1] > heavy[1]
    assert lands(0, -8)[0] == pytest.approx(-lands(0, 8)[0])


def test_a_long_draw_sags() -> None:
    world = born()
    fresh = world.nocked().vz
    world.drawn = BREATH
    assert world.nocked().vz == fresh
    world.drawn = BREATH + SAG
    assert world.nocked().vz < 0.7 * fresh


@pytest.mark.parametrize("dial", [0, 1, 2])
def test_a_dial_turns_by_drag_and_wheel_as_its_face_says(dial: int) -> None:
    session = Session("gust_archery", "rt", 3, "full", 4, keep=0)
    world = session.world
    assert isinstance(world, GustArchery)
    trim, sign = world.deal[dial]
    x, start = (230 + 170 * dial), list(world.trims)
    session.submit([a.Drag(path=[a.Point(x, 546), a.Point(x + PITCH, 546)], ms=50), a.Scroll(x=x, y=546, dy=-1)])
    for _ in range(6):
        session.step()
    moved = [now - before for now, before in zip(world.trims, start, strict=True)]
    assert moved == pytest.approx([1.25 * sign if each == trim else 0 for each in (HEIGHT, DRIFT, WEIGHT)])
    assert world.faces[dial] == pytest.approx(1.25)


def test_a_butt_does_what_its_lamp_did() -> None:
    world = born(5)
    ahead = round(world.level.warning * 60)
    lamps: list[list[float]] = [[] for _ in world.butts]
    for tick in range(600):
        world.tick += 1
        world.drift()
        for butt, past in zip(world.butts, lamps, strict=True):
            past.append(butt.lamp)
            assert abs(butt.lamp - butt.middle) < RAIL + 0.1
            if tick >= ahead:
                assert butt.x == pytest.approx(past[tick - ahead], abs=0.05)


def test_a_wind_jumps_only_after_its_sign() -> None:
    world = born(5)
    jumps = 0
    for _ in range(900):
        before = [(wind.now, wind.next, wind.omen.lead) for wind in world.winds]
        world.tick += 1
        world.drift()
        for wind, (now, coming, lead) in zip(world.winds, before, strict=True):
            if wind.now != now:
                jumps += 1
                assert (wind.now, lead) == (coming, 1)
    assert jumps > 12
