"""Forms of pictures in space: skins over rings of points, for `Picture.mesh`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.kit.maths import TAU, cos, sin
from games.kit.picture import mix_colour
from games.kit.space import Vector

Form = tuple[tuple[Vector, ...], tuple[tuple[int, int, int], ...], tuple[int, ...]]  # vertices, faces, colours
Paint = Callable[[int, int], int]  # the colour of the skin from a ring to the next, at a side


def ring(radius: float, y: float, corners: int) -> list[Vector]:
    """Points on a level circle (metres), counter-clockwise from above, beginning at +x."""
    turns = [TAU * corner / corners for corner in range(corners)]
    return [(radius * cos(turn), y, -radius * sin(turn)) for turn in turns]


def loft(rings: Sequence[Sequence[Vector]], paint: Paint) -> Form:
    """A skin over rings of equally many points, seen from outside where they rise counter-clockwise."""
    n = len(rings[0])
    quads = [(n * i + side, n * i + (side + 1) % n) for i in range(len(rings) - 1) for side in range(n)]
    faces = tuple(face for a, b in quads for face in ((a, b, a + n), (b, b + n, a + n)))
    colours = [paint(a // n, a % n) for a, _ in quads]
    return tuple(point for each in rings for point in each), faces, tuple(each for each in colours for _ in (0, 1))


def facets(a: int, b: int) -> Paint:
    """A paint that gives neighbours other mixtures of two colours, as on hewn stone."""
    return lambda step, side: mix_colour(a, b, (5 * step + 3 * side) % 8 / 7)
