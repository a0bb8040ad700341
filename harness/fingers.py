"""Simple mode: from an oracle's wish to the keys that a human hand steps, and the moment for the last of them."""

from __future__ import annotations

import math
import pickle
from collections import deque
from typing import Any

from games.kit.picture import Picture
from games.kit.world import FREE, PASS, PASS_KEY, TAP, TICKS_PER_SECOND, Hold, World
from harness import actions as a
from harness.lower import TICK_MS, Later, find, first_hit
from oracles import Drag, Keep, Point, Wish

STEP = 8  # ticks between two key presses: about 8 a second
HORIZON = 3 * TICKS_PER_SECOND  # how far a press is planned ahead
_STRIDE = 3  # ticks between the moments that such planning tries
_STATES = 3000  # that the search over free verbs may visit
_NEAR = 120  # px around a shape in which places to press it are tried

Place = tuple[float, float]


class Fingers:
    """Finds the free verbs that a wish needs. Remembers which of them move the hand alone: that never changes."""

    def __init__(self) -> None:
        self._moves: dict[tuple[Place, str], tuple[Any, Place]] = {}  # what the key means there, and where it leads

    def lower(self, wish: Wish, world: World, later: Later) -> list[a.AnyAction] | None:
        """The keys that bring the wish about, begun in this world, or None when it cannot be had now."""
        if wish == PASS:
            return [a.Key(keys=[PASS_KEY])]
        if isinstance(wish, Point):
            return None
        if isinstance(wish, Keep):
            meant = [(key, world.simple(verb)) for key, verb in world.verbs.items()]
            keys = [key for key, what in meant if isinstance(what, Hold) and what.grip in wish.grips]
            return [a.Key(keys=keys)] if keys else None
        if isinstance(wish, Drag):
            start = find(Hold(wish.grip), world, "left") or wish.to
            let = world.let(wish.grip, start, wish.to)
            return None if let is None else self._search(let, world, later)
        return self._search(wish, world, later)

    def _search(self, command: Any, world: World, later: Later) -> list[a.AnyAction] | None:
        """Free verbs, breadth first, until a verb means the command; with TAP, also when it will."""
        start = (world.hand.x, world.hand.y)
        mark = _mark(_restored(_mark(world), start))  # a world that has been pickled may pickle differently
        bases = {mark: _restored(mark, start)}  # worlds that differ in more than the hand's place, by their marks
        queue: deque[tuple[bytes, Place, list[str]]] = deque([(mark, start, [])])
        seen = {(mark, start)}
        taps: list[tuple[Place, list[str]]] = []
        while queue and len(seen) < _STATES:
            mark, place, path = queue.popleft()
            for key, verb in world.verbs.items():
                state = None
                if (place, key) in self._moves:
                    what, goal = self._moves[place, key]
                    if what == command:
                        return _keys([*path, key])
                    state = mark, goal
                else:
                    here = bases[mark]
                    here.hand.x, here.hand.y = place
                    what = here.simple(verb)
                    if what is TAP:
                        taps.append((place, [*path, key]))
                    elif what == command:
                        return _keys([*path, key])
                    elif isinstance(what, tuple) and not isinstance(what, Hold):
                        state = self._try(what, mark, place, key, bases)
                if state and state not in seen:
                    seen.add(state)
                    queue.append((*state, [*path, key]))
        return _tap(command, world, later, taps) if taps else None

    def _try(
        self, command: Any, mark: bytes, place: Place, key: str, bases: dict[bytes, World]
    ) -> tuple[bytes, Place] | None:
        """Where a free command leads; None when it commits."""
        there = _restored(mark, place)
        if there.act(command) is not FREE:
            return None
        goal = (there.hand.x, there.hand.y)
        new = _mark(there)
        if new == mark:
            if goal != place:  # a verb that does nothing now may do something later
                self._moves[place, key] = command, goal
        else:
            bases.setdefault(new, there)
        return new, goal


def _mark(world: World) -> bytes:
    """A world pickled, its hand's place apart. Two marks of equal worlds may differ, but seldom do."""
    place = (world.hand.x, world.hand.y)
    world.hand.x = world.hand.y = 0.0
    mark = pickle.dumps(world, pickle.HIGHEST_PROTOCOL)
    world.hand.x, world.hand.y = place
    return mark


def _restored(mark: bytes, place: Place) -> World:
    """The world of a mark, with the hand at a place."""
    world: World = pickle.loads(mark)
    world.hand.x, world.hand.y = place
    return world


def _keys(path: list[str], wait: float = 0.0) -> list[a.AnyAction]:
    """The keys of a path, each a step after the one before; the last after `wait` more milliseconds."""
    times = [index * STEP * TICK_MS for index in range(len(path))]
    times[-1] += wait
    return [a.Key(keys=[key], at_ms=time, ms=TICK_MS) for key, time in zip(path, times, strict=True)]


def _tap(command: Any, world: World, later: Later, taps: list[tuple[Place, list[str]]]) -> list[a.AnyAction] | None:
    """The soonest moment at which the command's shape lies under a place that the crosshair can reach by then.

    A press that is near comes in the same act; for one that is far off, only the way there is gone now.
    """
    reach = max(len(path) for _, path in taps) * STEP
    for when in range(0, max(HORIZON, reach) + 1, _STRIDE):
        world = later(world, _STRIDE) if when else world
        picture = Picture()
        world.draw(picture)
        spot = first_hit(picture, command, "left")
        best = _best_place(command, picture, spot, taps, when) if spot else None
        if best is None:
            continue
        slack = when - (len(best) - 1) * STEP
        if when <= 2 * STEP or (len(best) == 1 and slack <= 2 * STEP):
            return _keys(best, slack * TICK_MS)
        return _keys(best[:-1]) if len(best) > 1 else None
    return None


def _best_place(
    command: Any, picture: Picture, spot: Place, taps: list[tuple[Place, list[str]]], when: int
) -> list[str] | None:
    """The path to the place nearest to the middle of the command's shape, of those reached in time."""
    near = sorted(
        (math.dist(place, spot), path, place)
        for place, path in taps
        if (len(path) - 1) * STEP <= when and math.dist(place, spot) < _NEAR
    )
    return next((path for _, path, place in near if picture.hit(*place) == command), None)
