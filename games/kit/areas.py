"""The geometry of what can be pressed: areas of shapes, bodies of solids."""

from collections.abc import Callable
from math import sqrt
from struct import Struct
from typing import Any, NamedTuple

from games.kit.maths import HALF_PI, clamp, cos, hypot, sin
from games.kit.records import DISC, LINE, POLYGON, RING, Point
from games.kit.space import Matrix, Vector, dot, meet, meet_mesh, subtract, times, turned_back

_point = Struct("<2f")

Action = tuple[Any, ...]  # a Command or a Hold


class Area(NamedTuple):
    """The geometry of a pressable shape: signed distance in pixels (negative inside) and bounds."""

    distance: Callable[[float, float], float]
    bounds: tuple[float, float, float, float]  # left, top, right, bottom
    heart: Point | None  # a deepest point while nothing covers the shape; None: not known


class Body(NamedTuple):
    """The geometry of a solid: the depth at which a ray from the eye meets it."""

    kind: str
    position: Vector
    size: Vector
    matrix: Matrix
    triangles: list[tuple[Vector, Vector, Vector]]
    actions: tuple[Action | None, ...] | None
    away: Vector  # from the eye to its middle
    far: float  # that distance
    reach: float  # radius of the ball around it

    def depth(self, eye: Vector, ray: Vector) -> float | None:
        """Metres of depth, for rays that are one metre deep."""
        along = ray[0] * self.away[0] + ray[1] * self.away[1] + ray[2] * self.away[2]
        clear = self.far * self.far - self.reach * self.reach
        if clear > 0 and (along <= 0 or along * along < clear * dot(ray, ray)):
            return None  # the ray misses the ball around it
        origin = turned_back(self.matrix, subtract(eye, self.position))
        direction = turned_back(self.matrix, ray)
        if self.kind == "mesh":
            return meet_mesh(self.triangles, origin, direction)
        return meet(self.kind, self.size, origin, direction)

    def may_meet(self, other: "Body") -> bool:
        """Whether the balls around two solids may overlap on the screen."""
        if self.far <= self.reach or other.far <= other.reach:
            return True
        # the chord between two directions is shorter than their angle, an arc sine below pi/2 of its sine
        apart = subtract(times(self.away, 1 / self.far), times(other.away, 1 / other.far))
        return sqrt(dot(apart, apart)) < HALF_PI * (self.reach / self.far + other.reach / other.far)


def overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def area_of(record: tuple, points: bytearray) -> Area:
    kind, x, y, a, b, radius, turn, _soft, _edge, _p, _q, _alpha, _colour, bottom, _edge_colour, extra = record
    if kind == DISC and a == b:

        def disc(px: float, py: float) -> float:
            return hypot(px - x, py - y) - a

        return Area(disc, (x - a, y - a, x + a, y + a), (x, y))
    if kind == RING:

        def ring(px: float, py: float) -> float:
            return abs(hypot(px - x, py - y) - a) - radius

        reach = a + radius
        return Area(ring, (x - reach, y - reach, x + reach, y + reach), (x + a, y))
    if kind == LINE:
        x2, y2 = a, b
        along_x, along_y = x2 - x, y2 - y
        square = along_x * along_x + along_y * along_y or 1.0

        def line(px: float, py: float) -> float:
            t = clamp(((px - x) * along_x + (py - y) * along_y) / square, 0, 1)
            return hypot(px - x - t * along_x, py - y - t * along_y) - radius

        bounds = (min(x, x2) - radius, min(y, y2) - radius, max(x, x2) + radius, max(y, y2) + radius)
        return Area(line, bounds, ((x + x2) / 2, (y + y2) / 2))
    if kind == POLYGON:
        corners = [_point.unpack_from(points, 8 * i) for i in range(extra, extra + bottom)]
        xs, ys = [c[0] for c in corners], [c[1] for c in corners]

        def polygon(px: float, py: float) -> float:
            return _polygon_distance(corners, px, py)

        return Area(polygon, (min(xs), min(ys), max(xs), max(ys)), None)
    c, s = cos(turn), sin(turn)
    if kind == DISC:

        def ellipse(px: float, py: float) -> float:
            px -= x
            py -= y
            u, v = (px * c + py * s) / a, (py * c - px * s) / b
            k, g = hypot(u, v), hypot(u / a, v / b)
            return k * (k - 1) / g if g else -min(a, b)

        wide, high = hypot(a * c, b * s), hypot(a * s, b * c)
        return Area(ellipse, (x - wide, y - high, x + wide, y + high), (x, y))

    def box(px: float, py: float) -> float:
        px -= x
        py -= y
        u, v = abs(px * c + py * s) - a + radius, abs(py * c - px * s) - b + radius
        if u > 0 and v > 0:
            return sqrt(u * u + v * v) - radius
        return (u if u > v else v) - radius

    wide, high = a * abs(c) + b * abs(s), a * abs(s) + b * abs(c)
    return Area(box, (x - wide, y - high, x + wide, y + high), (x, y))


def _polygon_distance(corners: list[Point], x: float, y: float) -> float:
    nearest, inside = 1e30, False
    bx, by = corners[-1]
    for ax, ay in corners:
        ex, ey, wx, wy = bx - ax, by - ay, x - ax, y - ay
        t = clamp((wx * ex + wy * ey) / (ex * ex + ey * ey or 1.0), 0, 1)
        nearest = min(nearest, hypot(wx - t * ex, wy - t * ey))
        if (ay > y) != (by > y) and wx < ex * wy / (ey or 1.0):
            inside = not inside
        bx, by = ax, ay
    return -nearest if inside else nearest
