"""Camera and solids in space: projection, rays, and exact meetings of a ray with each kind of solid.

Right-handed metres, y up. A turn is (yaw, pitch, roll) in radians: roll about z, then pitch about x, then
yaw about y, each counter-clockwise when its axis points at the viewer.
"""

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

from games.kit.maths import TAU, cos, sin

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]
STRAIGHT: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def add(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(a: Vector, factor: float) -> Vector:
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a: Vector) -> Vector:
    """The vector of length 1 along a. Raises ZeroDivisionError for the zero vector."""
    length = sqrt(dot(a, a))
    return (a[0] / length, a[1] / length, a[2] / length)


def rotation(turn: Vector) -> Matrix:
    """Rows of the matrix that takes a solid's own axes to the world's, for a turn (yaw, pitch, roll)."""
    yaw, pitch, roll = turn
    sy, cy, sx, cx, sz, cz = sin(yaw), cos(yaw), sin(pitch), cos(pitch), sin(roll), cos(roll)
    return (
        (cy * cz + sy * sx * sz, sy * sx * cz - cy * sz, sy * cx),
        (cx * sz, cx * cz, -sx),
        (cy * sx * sz - sy * cz, sy * sz + cy * sx * cz, cy * cx),
    )


def turned(matrix: Matrix, v: Vector) -> Vector:
    return (dot(matrix[0], v), dot(matrix[1], v), dot(matrix[2], v))


def turned_back(matrix: Matrix, v: Vector) -> Vector:
    """The inverse of `turned`."""
    a, b, c = matrix
    return (
        a[0] * v[0] + b[0] * v[1] + c[0] * v[2],
        a[1] * v[0] + b[1] * v[1] + c[1] * v[2],
        a[2] * v[0] + b[2] * v[1] + c[2] * v[2],
    )


class Camera(NamedTuple):
    """Where the picture is seen from. `focal` is in pixels; right, up and forward are unit vectors."""

    eye: Vector
    right: Vector
    up: Vector
    forward: Vector
    focal: float
    width: float
    height: float

    def project(self, point: Vector) -> Vector:
        """Screen x and y in pixels, and the depth along the view axis in metres (0 or less: behind)."""
        away = subtract(point, self.eye)
        depth = dot(away, self.forward)
        scale = self.focal / (depth if depth > 1e-6 else 1e-6)
        return (
            self.width / 2 + dot(away, self.right) * scale,
            self.height / 2 - dot(away, self.up) * scale,
            depth,
        )

    def ray(self, x: float, y: float) -> Vector:
        """The direction seen at a pixel, scaled so that one unit of it is one metre of depth."""
        a, b = (x - self.width / 2) / self.focal, (self.height / 2 - y) / self.focal
        r, u, f = self.right, self.up, self.forward
        return (
            f[0] + a * r[0] + b * u[0],
            f[1] + a * r[1] + b * u[1],
            f[2] + a * r[2] + b * u[2],
        )


def camera(eye: Vector, target: Vector, fov: float, up: Vector, width: float, height: float) -> Camera:
    """A camera at eye that looks at target. fov: vertical, degrees.

    Raises ZeroDivisionError when the view direction is zero or along up.
    """
    forward = unit(subtract(target, eye))
    right = unit(cross(forward, up))
    half = fov * TAU / 720
    return Camera(eye, right, cross(right, forward), forward, height / 2 * cos(half) / sin(half), width, height)


def meet(kind: str, size: Vector, origin: Vector, ray: Vector) -> float | None:
    """Where a ray first enters a solid that lies at the origin with its own axes, or None.

    The answer is a multiple of `ray`, greater than 0. size: full extents in metres.
    """
    half = (size[0] / 2, size[1] / 2, size[2] / 2)
    if kind == "plane":
        return _meet_plane(half, origin, ray)
    if min(half) <= 0:
        return None
    if kind == "box":
        return _meet_box(half, origin, ray)
    if kind == "capsule":
        half = (half[0], min(half[0], half[1], half[2]), half[2])
        reach = size[1] / 2 / half[1] - 1  # half the straight part, in cap heights
    # every other kind is a unit shape after scaling
    ox, oy, oz = origin[0] / half[0], origin[1] / half[1], origin[2] / half[2]
    dx, dy, dz = ray[0] / half[0], ray[1] / half[1], ray[2] / half[2]
    if kind == "ball":
        return _first(_roots(dx * dx + dy * dy + dz * dz, ox * dx + oy * dy + oz * dz, _square(ox, oy, oz) - 1))
    if kind == "cylinder":
        found = [
            t for t in _roots(dx * dx + dz * dz, ox * dx + oz * dz, ox * ox + oz * oz - 1) if -1 <= oy + t * dy <= 1
        ]
        return _first(found + _meet_lids((-1.0, 1.0), ox, oy, oz, dx, dy, dz))
    if kind == "cone":
        # radius at height y is (1 - y) / 2
        b, k = (1 - oy) / 2, -dy / 2
        found = [
            t
            for t in _roots(dx * dx + dz * dz - k * k, ox * dx + oz * dz - b * k, ox * ox + oz * oz - b * b)
            if -1 <= oy + t * dy <= 1
        ]
        return _first(found + _meet_lids((-1.0,), ox, oy, oz, dx, dy, dz))
    if kind == "capsule":
        found = [
            t
            for t in _roots(dx * dx + dz * dz, ox * dx + oz * dz, ox * ox + oz * oz - 1)
            if -reach <= oy + t * dy <= reach
        ]
        for end in (-reach, reach):
            y = oy - end
            found += _roots(dx * dx + dy * dy + dz * dz, ox * dx + y * dy + oz * dz, _square(ox, y, oz) - 1)
        return _first(found)
    raise ValueError(f"no such solid: {kind!r}")


def meet_mesh(triangles: Iterable[tuple[Vector, Vector, Vector]], origin: Vector, ray: Vector) -> float | None:
    """Where a ray first meets a triangle, from either side, as a multiple of `ray`, or None."""
    best: float | None = None
    for a, b, c in triangles:
        ab, ac = subtract(b, a), subtract(c, a)
        p = cross(ray, ac)
        det = dot(ab, p)
        if -1e-12 < det < 1e-12:
            continue
        s = subtract(origin, a)
        u = dot(s, p) / det
        q = cross(s, ab)
        v = dot(ray, q) / det
        t = dot(ac, q) / det
        if u >= 0 and v >= 0 and u + v <= 1 and t > 0 and (best is None or t < best):
            best = t
    return best


def _square(x: float, y: float, z: float) -> float:
    return x * x + y * y + z * z


def _roots(a: float, b: float, c: float) -> list[float]:
    """Solutions of a t² + 2 b t + c = 0."""
    if -1e-12 < a < 1e-12:
        return [-c / (2 * b)] if b else []
    inside = b * b - a * c
    if inside < 0:
        return []
    root = sqrt(inside)
    return [(-b - root) / a, (-b + root) / a]


def _first(found: list[float]) -> float | None:
    return min((t for t in found if t > 0), default=None)


def _meet_lids(heights: tuple[float, ...], ox: float, oy: float, oz: float, dx: float, dy: float, dz: float) -> list:
    if not dy:
        return []
    hits = ((y - oy) / dy for y in heights)
    return [t for t in hits if (ox + t * dx) ** 2 + (oz + t * dz) ** 2 <= 1]


def _meet_plane(half: Vector, origin: Vector, ray: Vector) -> float | None:
    if not ray[1]:
        return None
    t = -origin[1] / ray[1]
    if t > 0 and abs(origin[0] + t * ray[0]) <= half[0] and abs(origin[2] + t * ray[2]) <= half[2]:
        return t
    return None


def _meet_box(half: Vector, origin: Vector, ray: Vector) -> float | None:
    enter, leave = -1e30, 1e30
    for h, o, d in zip(half, origin, ray, strict=True):
        if not d:
            if abs(o) > h:
                return None
            continue
        near, far = (-h - o) / d, (h - o) / d
        if near > far:
            near, far = far, near
        enter, leave = max(enter, near), min(leave, far)
    if enter > leave or leave <= 0:
        return None
    return enter if enter > 0 else leave
