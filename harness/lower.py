"""Full mode: from an oracle's wish to the actions of a human hand: where to point, and how long that takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from games.kit.picture import Picture
from games.kit.world import PASS, PASS_KEY, TICKS_PER_SECOND, Hold, World
from harness import actions as a
from oracles import Drag, Keep, Point, Wish

TICK_MS = 1000 / TICKS_PER_SECOND

Later = Callable[[World, int], World]  # a copy of the world, so many ticks on


def travel_ms(start: tuple[float, float], goal: tuple[float, float], width: float = 30.0) -> float:
    """Time of an aimed movement: Fitts's law (Fitts 1954; Shannon form), 50 ms + 100 ms a bit."""
    distance = math.dist(start, goal)
    return 50 + 100 * math.log2(distance / width + 1) if distance > 2 else 0.0


def lower_full(wish: Wish, world: World, later: Later) -> list[a.AnyAction] | None:
    """The gesture that brings the wish about, begun in this world, or None when it cannot be had now."""
    if wish == PASS:
        return [a.Key(keys=[PASS_KEY])]
    hand = (world.hand.x, world.hand.y)
    if isinstance(wish, Point):
        return [a.Move(x=wish.x, y=wish.y, ms=travel_ms(hand, wish))]
    if isinstance(wish, Keep):
        keys = [key for grip in wish.grips for key, what in world.keys.items() if what == Hold(grip)]
        if keys:
            return [a.KeyHold(keys=keys, ms=wish.ticks * TICK_MS)]
        place = _aim(Hold(wish.grips[0]), world, later)
        if place is None:
            return None
        return [
            *_move(hand, place),
            a.MouseDown(),
            a.Wait(ms=wish.ticks * TICK_MS),
            a.MouseUp(),
        ]
    if isinstance(wish, Drag):
        place = _aim(Hold(wish.grip), world, later)
        if place is None:
            return None
        path = [a.Point(*place), a.Point(*wish.to)]
        held = [key for key, what in world.keys.items() if isinstance(what, Hold) and what.grip in wish.along]
        return [*_move(hand, place), a.Drag(path=path, modifiers=held, ms=max(100.0, travel_ms(place, wish.to)))]
    for key, what in world.keys.items():
        if what == wish:
            return _wheel(key) if key.startswith("Wheel") else [a.Key(keys=[key])]
    presses: tuple[tuple[Any, str, a.AnyAction], ...] = (
        (wish, "left", a.Click()),
        (wish, "right", a.Click(button="right")),
        (wish[:-1], "wheel", a.Scroll(dy=-1 if wish[-1] == 1 else 1)),
    )
    for target, button, press in presses:
        place = _aim(target, world, later, button)
        if place is not None:
            return [*_move(hand, place), press]
    return None


def _wheel(key: str) -> list[a.AnyAction]:
    return [a.Scroll(dy=-1 if key == "WheelUp" else 1)]


def _move(hand: tuple[float, float], place: tuple[float, float]) -> list[a.AnyAction]:
    return [a.Move(x=place[0], y=place[1], ms=travel_ms(hand, place))]


def _aim(target: Any, world: World, later: Later, button: str = "left") -> tuple[float, float] | None:
    """Where a shape that carries the target will be when the pointer gets there."""
    hand = (world.hand.x, world.hand.y)
    place = find(target, world, button)
    for _ in range(2):  # the time of travel depends on the place, and the place on the time
        if place is None:
            return None
        place = find(target, later(world, round(travel_ms(hand, place) / TICK_MS)), button)
    return place


def find(target: Any, world: World, button: str) -> tuple[float, float] | None:
    picture = Picture()
    world.draw(picture)
    return first_hit(picture, target, button)


def first_hit(picture: Picture, target: Any, button: str) -> tuple[float, float] | None:
    """A place in the picture where a press means the target."""
    best = picture.deepest(target)
    if best is None or picture.hit(*best, button) == target:
        return best
    return next((place for place in picture.find(target) if picture.hit(*place, button) == target), None)
