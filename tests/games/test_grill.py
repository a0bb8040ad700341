"""The grill's own rules: parts that follow a flip and a turn, pieces that are ruined and come back raw."""

from __future__ import annotations

import pytest

from games.kitchen.grill import AIR, COLUMNS, CORNERS, PLATE, ROWS, RUINS, Grill
from harness import actions as a
from harness.session import Session, build


def _grill() -> Grill:
    world = build(Grill, 1, 1)
    assert isinstance(world, Grill)
    return world


def test_a_flip_mirrors_a_piece_and_a_quarter_turn_carries_each_part_to_the_next_corner() -> None:
    world = _grill()
    piece = world.pieces[0]
    for notch in range(4):
        before = [CORNERS[piece.corner(part)] for part in range(4)]
        world.act(("flip", 0))
        assert [CORNERS[piece.corner(part)] for part in range(4)] == [(-x, y) for x, y in before], notch
        world.act(("flip", 0))
        world.act(("turn", 0, 1))
        assert [CORNERS[piece.corner(part)] for part in range(4)] == [(-y, x) for x, y in before], notch


@pytest.mark.parametrize("mode", ["simple", "full"])
def test_a_raw_serving_ruins_and_the_seventh_loses(mode: str) -> None:
    session = Session("grill", "rt", 1, mode, 1, keep=0)
    world = session.world
    assert isinstance(world, Grill)
    for count in range(1, RUINS + 1):
        world.act(("lay", 0, COLUMNS[2], ROWS[1]))
        world.hand.x, world.hand.y = COLUMNS[2], ROWS[1]
        here = a.Point(COLUMNS[2], ROWS[1])
        session.submit([a.Key(keys=["t"])] if mode == "simple" else [a.Drag(path=[here, a.Point(*PLATE)], ms=50)])
        session.settle()
        assert (world.ruined, world.pieces[0].place) == (count, "tray")
    assert world.verdict == "lost"


def test_a_piece_held_up_is_not_browned_but_ruined_in_the_end() -> None:
    session = Session("grill", "rt", 1, "simple", 1, keep=0)
    world = session.world
    assert isinstance(world, Grill)
    world.act(("lift", 0))
    for _ in range(AIR):
        session.step()
    assert (world.ruined, max(map(max, world.pieces[0].sides))) == (0, 0)
    session.step()
    assert (world.ruined, world.tongs, world.pieces[0].place) == (1, -1, "tray")


def test_a_piece_finds_no_room_on_another() -> None:
    world = _grill()
    world.act(("lay", 0, COLUMNS[1], ROWS[1]))
    before = world.pieces[1].x, world.pieces[1].y
    world.act(("lift", 1))
    world.act(("lay", 1, COLUMNS[1] + 50, ROWS[1]))
    assert (world.pieces[1].x, world.pieces[1].y, world.tongs) == (*before, -1)
