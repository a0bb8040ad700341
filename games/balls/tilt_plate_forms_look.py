"""Forms of Quaking Plate: the plate with its cups and holes, and the rocks around it."""

from __future__ import annotations

from games.balls.tilt_plate import HOLE, TiltPlate
from games.kit.forms import Form, Paint, facets, loft, ring
from games.kit.maths import mix
from games.kit.picture import mix_colour
from games.kit.space import Vector, add, rotation, turned

COLOURS, INK, DANGER = (0xFFB02E, 0x58D3EA, 0xF2618F), 0x141826, 0xFFA284
SLATES = (0x3A4358, 0x566183)  # of the plate: its sides, and its top, as plain as can be


def dish(radius: float, colour: int, dark: float, sides: int) -> Form:
    """A round mouth with a rim. dark: how much of its colour is lost below the rim."""
    paints = [mix_colour(colour, INK, share) for share in (0, 0.15 + 0.75 * dark, 1)]
    shape = ((1.16, 0.004), (0.98, 0.03), (0.7, 0.011), (0, 0.01))
    return closed([ring(radius / 10 * share, y, sides) for share, y in shape], lambda step, side: paints[step])


def closed(rings: list[list[Vector]], paint: Paint) -> Form:
    """A skin that ends in a point, without the triangles that have become lines there."""
    points, faces, colours = loft(rings, paint)
    whole = [(face, colour) for face, colour in zip(faces, colours, strict=True) if points[face[1]] != points[face[2]]]
    return points, tuple(face for face, _ in whole), tuple(colour for _, colour in whole)


def ways_out() -> Form:
    """Flat arrows that point over the four corners, where no rim is."""
    arrows: list[Form] = []
    for (x1, z1), (x2, z2) in zip(EDGE[::2], EDGE[1::2], strict=True):
        for share in (0.25, 0.75):
            x, z, sx, sz = mix(x1, x2, share), mix(z1, z2, share), 1 if x1 > 0 else -1, 1 if z1 > 0 else -1
            corners = [(x + 0.707 * (sx * n - sz * u), z + 0.707 * (sz * n + sx * u)) for u, n in ARROW]
            points = tuple((px / 10, 0.012, pz / 10) for px, pz in corners)
            arrows.append((points, ARROW_FACES, (DANGER,) * len(ARROW_FACES)))
    return join(arrows)


def join(forms: list[Form]) -> Form:
    """Several forms as one."""
    points, faces, colours = forms[0]
    for more, triples, inks in forms[1:]:
        faces += tuple((a + len(points), b + len(points), c + len(points)) for a, b, c in triples)
        points, colours = points + more, colours + inks
    return points, faces, colours


def rock(index: int, x: float, z: float) -> Form:
    points, faces, colours = closed([ring(r, y, 6) for r, y in ROUND], facets(0x8E5A50, 0xD9A084))
    frame, at = rotation((2.1 * index, 0.15, 0)), (x, -5 + 0.4 * (index % 3), z)
    return tuple(add(at, turned(frame, point)) for point in points), faces, colours


SHAFT = ((-0.75, -3.0), (-0.75, -6.2), (0.75, -6.2), (0.75, -3.0))  # of an arrow, cm: along the edge, out
ARROW = ((0.0, -0.4), (-2.1, -3.0), (2.1, -3.0), *SHAFT)
ARROW_FACES = ((0, 1, 2), (3, 4, 5), (3, 5, 6))
PIT = dish(HOLE, 0x8C97AC, 0.9, 12)
CUPS = {level.cup: [dish(level.cup, colour, 0.55, 16) for colour in COLOURS] for level in TiltPlate.levels}
PLACES = ((-5.6, -2), (-5.2, 2.6), (5.6, -1.5), (-3.6, -5), (2.6, -6), (-0.6, -7.4), (6.2, -5.4), (-7.5, -6))
ROUND = ((1.4, 0), (1.1, 0.75), (1.3, 1.6), (0.8, 2.7), (0, 3.1))
CANYON = join([rock(index, *place) for index, place in enumerate(PLACES)])
EDGE = ((30, 13), (21, 22), (-21, 22), (-30, 13), (-30, -13), (-21, -22), (21, -22), (30, -13))
RISE = ((1.02, -0.3), (1.02, 0), (0, 0))
STONE = closed([[(x * r / 10, y, -z * r / 10) for x, z in EDGE] for r, y in RISE], lambda step, _: SLATES[step])
SLAB = join([STONE, ways_out()])
