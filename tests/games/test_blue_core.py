"""Rods of the blue core: held number keys send others along with a drag, and the core follows late."""

from __future__ import annotations

from games.systems.blue_core import NOTCH, START, TOP, BlueCore
from harness import actions as a
from harness.session import Session


def _drag(session: Session, number: int, notches: int, keys: list[str]) -> None:
    world = session.world
    assert isinstance(world, BlueCore)
    x, y = world.rail(number), TOP + START * NOTCH
    path = [a.Point(x, y), a.Point(x, y + NOTCH * notches)]
    session.submit([a.Drag(path=path, modifiers=keys, ms=100)])


def test_held_number_keys_move_other_rods_along() -> None:
    for timing in ("rt", "twin"):
        session = Session("blue_core", timing, 5, "full", 1, keep=0)
        _drag(session, 0, -1, ["Digit3", "Digit6"])
        session.settle()
        moved = [number for number, rod in enumerate(session.world.rods) if rod.notch == START - 1]
        assert moved == [0, 2, 5], timing


def test_a_key_without_a_rod_does_nothing() -> None:
    session = Session("blue_core", "rt", 1, "full", 1, keep=0)
    _drag(session, 1, 1, ["Digit6"])
    session.settle()
    assert [rod.notch for rod in session.world.rods] == [START, START + 1, START]


def test_the_core_follows_a_rod_after_its_delay() -> None:
    session = Session("blue_core", "rt", 5, "simple", 1, keep=0)
    session.submit([a.Key(keys=["ArrowUp"])])
    rod = session.world.rods[0]
    for _ in range(rod.delay - 1):
        session.step()
    assert rod.depth == START
    for _ in range(30):
        session.step()
    assert rod.depth == rod.notch == START - 1 and not rod.moves
