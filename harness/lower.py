"""From an oracle's wish to the actions of a human hand: where to point, how long that takes, which keys to step."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Any

from games.kit.picture import Picture
from games.kit.world import FREE, PASS, PASS_KEY, TAP, TICKS_PER_SECOND, Hold, World
from harness import actions as a
from harness.session import copy_world, digest
from oracles import Drag, Keep, Point, Wish

STEP = 8  # ticks between two key presses of a human hand: about 8 a second
HORIZON = 3 * TICKS_PER_SECOND  # how far a simple-mode press is planned ahead
_STRIDE = 3  # ticks between the moments that such planning tries
_NODES = 500  # states that the search over free verbs may visit
_TICK_MS = 1000 / TICKS_PER_SECOND
_STEP_MS = STEP * _TICK_MS

Later = Callable[[World, int], World]  # a copy of the world, so many ticks on


def travel_ms(start: tuple[float, float], goal: tuple[float, float], width: float = 30.0) -> float:
    """Time of an aimed movement: Fitts's law (Fitts 1954; Shannon form), 50 ms + 100 ms a bit."""
    distance = math.dist(start, goal)
    return 50 + 100 * math.log2(distance / width + 1) if distance > 2 else 0.0


def lower(wish: Wish, world: World, mode: str, later: Later) -> list[a.AnyAction] | None:
    """The actions that bring the wish about, begun in this world, or None when it cannot be had now."""
    if wish == PASS:
        return [a.Key(keys=[PASS_KEY])]
    return (_simple if mode == "simple" else _full)(wish, world, later)


# -------------------------------------------------------------------------------- full mode


def _full(wish: Wish, world: World, later: Later) -> list[a.AnyAction] | None:
    hand = (world.hand.x, world.hand.y)
    if isinstance(wish, Point):
        return [a.Move(x=wish.x, y=wish.y, ms=travel_ms(hand, wish))]
    if isinstance(wish, Keep):
        keys = [key for grip in wish.grips for key, what in world.keys.items() if what == Hold(grip)]
        if keys:
            return [a.KeyHold(keys=keys, ms=wish.ticks * _TICK_MS)]
        place = _aim(Hold(wish.grips[0]), world, later)
        if place is None:
            return None
        return [
            *_move(hand, place),
            a.MouseDown(),
            a.Wait(ms=wish.ticks * _TICK_MS),
            a.MouseUp(),
        ]
    if isinstance(wish, Drag):
        place = _aim(Hold(wish.grip), world, later)
        if place is None:
            return None
        path = [a.Point(*place), a.Point(*wish.to)]
        return [*_move(hand, place), a.Drag(path=path, ms=max(100.0, travel_ms(place, wish.to)))]
    for key, what in world.keys.items():
        if what == wish:
            return _wheel(key) if key.startswith("Wheel") else [a.Key(keys=[key])]
    for target, button in ((wish, "left"), (wish, "right"), (wish[:-1], "wheel")):
        place = _aim(target, world, later, button)
        if place is not None:
            return [*_move(hand, place), *_press(button, wish)]
    return None


def _wheel(key: str) -> list[a.AnyAction]:
    return [a.Scroll(dy=-1 if key == "WheelUp" else 1)]


def _press(button: str, wish: Wish) -> list[a.AnyAction]:
    if button == "wheel":
        return [a.Scroll(dy=-wish[-1])]
    return [a.Click(button="left" if button == "left" else "right")]


def _move(hand: tuple[float, float], place: tuple[float, float]) -> list[a.AnyAction]:
    return [a.Move(x=place[0], y=place[1], ms=travel_ms(hand, place))]


def _aim(target: Any, world: World, later: Later, button: str = "left") -> tuple[float, float] | None:
    """Where a shape that carries the target will be when the pointer gets there."""
    hand = (world.hand.x, world.hand.y)
    place = _find(target, world, button)
    for _ in range(2):  # the time of travel depends on the place, and the place on the time
        if place is None:
            return None
        place = _find(target, later(world, round(travel_ms(hand, place) / _TICK_MS)), button)
    return place


def _find(target: Any, world: World, button: str) -> tuple[float, float] | None:
    picture = Picture()
    world.draw(picture)
    for x, y in picture.find(target):
        if picture.hit(x, y, button) == target:
            return x, y
    return None


# -------------------------------------------------------------------------------- simple mode


def _simple(wish: Wish, world: World, later: Later) -> list[a.AnyAction] | None:
    if isinstance(wish, Point):
        return None
    if isinstance(wish, Keep):
        keys = [
            key
            for grip in wish.grips
            for key, verb in world.verbs.items()
            if isinstance(what := world.simple(verb), Hold) and what.grip == grip
        ]
        return [a.Key(keys=keys)] if keys else None
    if isinstance(wish, Drag):
        let = copy_world(world)
        start = _find(Hold(wish.grip), world, "left") or wish.to
        command = let.let(wish.grip, start, wish.to)
        if command is None:
            return None
        wish = command
    return _search(wish, world, later)


def _keys(path: list[str], wait: float = 0.0) -> list[a.AnyAction]:
    """The keys of a path, each a step after the one before; the last after `wait` more milliseconds."""
    times = [index * _STEP_MS for index in range(len(path))]
    times[-1] += wait
    return [a.Key(keys=[key], at_ms=time, ms=_TICK_MS) for key, time in zip(path, times, strict=True)]


def _search(command: Any, world: World, later: Later) -> list[a.AnyAction] | None:
    """Free verbs, breadth first, until a verb means the command; with TAP, also when it will."""
    queue: deque[tuple[World, list[str]]] = deque([(world, [])])
    seen = {digest(world)}
    taps: list[tuple[float, float, list[str]]] = []  # places where a verb is a press, and the path there and it
    while queue and len(seen) < _NODES:
        here, path = queue.popleft()
        for key, verb in here.verbs.items():
            there = copy_world(here)
            what = there.simple(verb)
            if what is TAP:
                taps.append((here.hand.x, here.hand.y, [*path, key]))
            elif what == command:
                return _keys([*path, key])
            elif isinstance(what, tuple) and not isinstance(what, Hold) and there.act(what) is FREE:
                mark = digest(there)
                if mark not in seen:
                    seen.add(mark)
                    queue.append((there, [*path, key]))
    return _tap(command, world, later, taps) if taps else None


def _tap(
    command: Any, world: World, later: Later, taps: list[tuple[float, float, list[str]]]
) -> list[a.AnyAction] | None:
    """The soonest moment at which the command's shape lies under a place that the crosshair can reach by then.

    A press that is near comes in the same act; for one that is far off, only the way there is gone now.
    """
    reach = max(len(path) for _, _, path in taps) * STEP
    for when in range(0, max(HORIZON, reach + 1), _STRIDE):
        picture = Picture()
        later(world, when).draw(picture)
        best = None
        for x, y, path in taps:
            if (len(path) - 1) * STEP <= when and picture.hit(x, y) == command:
                margin = _margin(picture, x, y, command)
                if best is None or margin > best[0]:
                    best = margin, path
        if best is None:
            continue
        _, path = best
        slack = when - (len(path) - 1) * STEP
        if when <= 2 * STEP or len(path) == 1 and slack <= 2 * STEP:
            return _keys(path, slack * _TICK_MS)
        return _keys(path[:-1]) if len(path) > 1 else None
    return None


def _margin(picture: Picture, x: float, y: float, command: Any) -> int:
    """How deep inside the shape a place lies, in steps of 4 pixels."""
    depth = 0
    while depth < 6:
        reach = 4 * (depth + 1)
        around = ((x + reach, y), (x - reach, y), (x, y + reach), (x, y - reach))
        if any(picture.hit(*place) != command for place in around):
            break
        depth += 1
    return depth
