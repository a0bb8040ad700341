"""What presses do, by pressing: where one command does two things, the border between them must show in the frame."""

from __future__ import annotations

from collections import Counter
from math import cos, hypot, pi, sin
from typing import Any, NamedTuple

import numpy as np

from audit.gestures import Start, plain
from audit.looks import EDGE, REACH, crossings
from audit.players import Spot, picture_of
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.records import LINE, POLYGON, SHAPE
from games.kit.world import FIELD_TOP, HEIGHT, WIDTH
from harness import actions as a

RAYS = 12  # from a place, along which the border of what a press does is looked for
STEP, FAR = 6.0, 120.0  # px, along a ray
PLACES, CHANCE = 24, 12  # shapes whose middles are pressed, and places by chance
NEARBY, ASIDE = 10, 7.0  # places beside the border of what can be pressed, and how far from it (px)
ODD = 2  # places looked at for each command
FEW = 3  # things that a command does at several places: with more it depends on the place, as a rudder's does


class Edge(NamedTuple):
    """Where a press begins to do something else, though the same shape is pressed. shows: in the frame."""

    x: float
    y: float
    shows: bool


def effect(begin: Start, spot: Spot) -> Any:
    """What a press there has changed two ticks later; None for nothing."""
    x, y = spot
    pressed = begin.play([[a.MouseDown(x=x, y=y)]], 2).world
    rested = begin.play([[a.Move(x=x, y=y)]], 2).world
    grips, after = sorted(pressed.hand.held), plain(pressed)
    return None if not grips and after == plain(rested) else repr((grips, after))


def inner_edges(begin: Start, frame: np.ndarray, dice: Dice) -> dict[Any, list[Edge]]:
    """For each thing that can be pressed (None: the rest), the borders inside it where a press does something else."""
    picture = picture_of(begin.world)
    groups: dict[Any, dict[Spot, Any]] = {}
    for spot in _places(picture, frame, dice):
        groups.setdefault(picture.hit(*spot), {})[spot] = effect(begin, spot)
    found: dict[Any, list[Edge]] = {}
    for hit, group in groups.items():
        counts = Counter(group.values())
        repeated = [what for what, count in counts.items() if count > 1]
        if 2 <= len(repeated) <= FEW and 2 * len(counts) <= len(group):
            odd = [spot for spot in group if group[spot] == min(repeated, key=counts.__getitem__)][:ODD]
            found[hit] = [
                edge
                for spot in odd
                for ray in range(RAYS)
                if (edge := _along(begin, picture, frame, spot, 2 * pi * ray / RAYS, group[spot]))
            ]
    return found


def _places(picture: Picture, frame: np.ndarray, dice: Dice) -> list[Spot]:
    """The middles of shapes, places beside the borders of what can be pressed, and places by chance; in the field."""
    middles = [
        ((x + x2) / 2, (y + y2) / 2) if kind == LINE else (x, y)
        for kind, x, y, x2, y2, *_ in SHAPE.iter_unpack(picture.shapes)
        if kind < POLYGON
    ]
    borders = crossings(picture, frame)
    found: list[Spot] = []
    for spots, most in ((middles, PLACES), ([(each.x, each.y) for each in borders], NEARBY)):
        dice.shuffle(spots)
        apart: list[Spot] = []
        for x, y in spots:
            if len(apart) < most and all(hypot(x - u, y - v) > 2 * ASIDE for u, v in apart):
                apart.append((x, y))
        beside = ((-ASIDE, 0), (ASIDE, 0), (0, -ASIDE), (0, ASIDE)) if spots is not middles else ((0, 0),)
        found += [(x + dx, y + dy) for x, y in apart for dx, dy in beside]
    found += [(dice.between(0, WIDTH), dice.between(FIELD_TOP, HEIGHT)) for _ in range(CHANCE)]
    return [spot for spot in found if 0 <= spot[0] < WIDTH and FIELD_TOP <= spot[1] < HEIGHT]


def _along(begin: Start, picture: Picture, frame: np.ndarray, spot: Spot, angle: float, here: Any) -> Edge | None:
    """Where a press first does something else on a ray from a place, while the same shape is pressed."""
    way, hit = (cos(angle), sin(angle)), picture.hit(*spot)

    def at(far: float) -> Spot:
        return spot[0] + far * way[0], spot[1] + far * way[1]

    near, far = 0.0, STEP
    while True:
        x, y = at(far)
        inside = REACH < x < WIDTH - REACH and FIELD_TOP + REACH < y < HEIGHT - REACH
        if far > FAR or not inside or picture.hit(x, y) != hit:
            return None
        if effect(begin, (x, y)) != here:
            break
        near, far = far, far + STEP
    while far - near > 0.5:
        middle = (near + far) / 2
        near, far = (middle, far) if effect(begin, at(middle)) == here else (near, middle)
    seen = np.array([frame[int(y), int(x)] for x, y in (at(near + step) for step in range(-REACH, REACH + 1))])
    return Edge(*at(near), bool((seen.max(0) - seen.min(0)).max() >= EDGE))
