"""Rods of the blue core: held number keys send others along with a drag, and the core follows late."""

from __future__ import annotations

import pytest

from games.systems.blue_core import CREEP, GAP, NOTCH, RAILS, START, TOP, BlueCore
from harness import actions as a
from harness.session import Session


def core(session: Session) -> BlueCore:
    assert isinstance(session.world, BlueCore)
    return session.world


def drag(session: Session, number: int, notches: int, keys: list[str]) -> None:
    x, y = RAILS + GAP * number, TOP + NOTCH * START
    session.submit([a.Drag(path=[a.Point(x, y), a.Point(x, y + NOTCH * notches)], modifiers=keys, ms=100)])
    session.settle()


@pytest.mark.parametrize("timing", ["rt", "twin"])
def test_held_number_keys_move_other_rods_along(timing: str) -> None:
    session = Session("blue_core", timing, 5, "full", 1, keep=0)
    drag(session, 0, -1, ["Digit3", "Digit4"])
    assert [rod.notch - START for rod in core(session).rods] == [-1, 0, -1, -1]


def test_a_key_without_a_rod_does_nothing() -> None:
    session = Session("blue_core", "rt", 1, "full", 1, keep=0)
    drag(session, 1, 1, ["Digit4"])
    assert [rod.notch - START for rod in core(session).rods] == [0, 1, 0]


def test_the_core_follows_a_rod_after_its_delay() -> None:
    session = Session("blue_core", "rt", 5, "simple", 1, keep=0)
    session.submit([a.Key(keys=["ArrowUp"])])
    rod = core(session).rods[0]
    for _ in range(len(rod.coming)):
        session.step()
    assert rod.depth == START
    for _ in range(round(1 / CREEP)):
        session.step()
    assert rod.depth == rod.notch == START - 1
