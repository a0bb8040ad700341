"""What Bazaar Cups tells of its pearls."""

from __future__ import annotations

import pytest

from games.kit.dice import Dice
from games.kit.picture import Picture
from games.sequence.bazaar_cups import LAND, BazaarCups


def born(level: int) -> BazaarCups:
    world = BazaarCups.new(BazaarCups.levels[level - 1], Dice.named("a test", 1))
    world.fate = Dice.named("its fate", 1)
    return world


def texts(world: BazaarCups) -> list[str]:
    picture = Picture()
    world.draw(picture)
    return list(picture.texts)


def lifted(world: BazaarCups, place: int) -> BazaarCups:
    """The world once a lift has landed there, on a table where cups may be lifted and no shawl lies."""
    world.dealing, world.raised, world.shuffles, world.aloft, world.waved = 0, [], 9, 1.0, True
    world.act(("lift", place))
    for tick in range(LAND):
        world.tick = tick + 1
        world.drift()
    return world


@pytest.mark.parametrize(("level", "named", "sign"), [(1, ["pearl"], "only one"), (5, ["dark", "light"], "light")])
def test_open_pearls_have_names_and_hidden_ones_do_not(level: int, named: list[str], sign: str) -> None:
    world = born(level)
    world.shawl = world.spot(world.pearls[0])[0]
    words = ("pearl", "light", "dark")
    shown = texts(world)
    assert sorted(word for word in shown if word in words) == sorted([*named, *([sign] if sign in words else [])])
    assert sign in shown
    world.raised = []
    assert [word for word in texts(world) if word in words] == ([sign] if sign in words else [])


def test_the_sign_tells_how_the_last_lift_went() -> None:
    world = born(5)
    assert "last lift: none yet" in texts(world)
    assert "last lift: found" in texts(lifted(born(5), world.pearls[0]))
    shown = texts(lifted(born(5), world.pearls[1]))
    assert "last lift: wrong cup" in shown
    assert "dark" in shown, "what lies under the wrong cup"
    empty = next(place for place in range(9) if place not in world.pearls)
    assert "empty" in texts(lifted(born(5), empty))[-1:]


def test_a_lift_under_the_shawl_costs_nothing_and_is_told() -> None:
    world = born(3)
    place = world.pearls[0]
    world.dealing, world.raised, world.shuffles, world.shawl = 0, [], 9, world.spot(place)[0]
    world.target = place
    world.land(Dice.named("a test", 2))
    assert (world.empty, world.found) == (0, 0)
    assert "last lift: under shawl" in texts(world)


def test_a_look_forgets_the_last_swap_and_the_last_look_says_that_all_are_found() -> None:
    world = born(1)
    world.tracks, world.found = [0, 1], 3
    assert lifted(world, world.pearls[0]).tracks == []
    shown = texts(world)
    assert "LOOK" in shown and "ALL FOUND" not in shown
    shown = texts(lifted(world, world.pearls[0]))
    assert "ALL FOUND" in shown and "LOOK" not in shown
