"""The solids as triangles: each kind at the size 1, in several finenesses.

A vertex is 8 words: x y z, how it moves when a capsule is stretched (-1, 0 or 1 along y), its normal, and a
colour 0xRRGGBB by which the solid's is multiplied.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from games.kit.records import Mesh

SEGMENTS = (
    8,
    12,
    20,
    28,
    40,
)  # around a round solid, by fineness; divisible by 4, so that capsules part at the equator
PLANE_CELLS = 20  # a side of a plane, so that fog and light may differ along it
COARSE_CELLS = 8  # the same of a coarse one
_COLOURS = 0xC0C0C0  # of a coarse mesh, the parts of colours that count


class Form(NamedTuple):
    """Vertices (n, 8; float32, the last word a uint32) and triangles (m, 3; uint32), counter-clockwise."""

    vertices: np.ndarray
    triangles: np.ndarray


@cache
def form(kind: str, fineness: int, coarse: bool) -> Form:
    """A solid of size 1 around the origin.

    fineness: index in SEGMENTS; boxes and planes have one only. coarse: for small canvases; only planes differ.
    """
    n = SEGMENTS[fineness]
    # chords cut corners: a circle through the middle between inside and outside polygon errs least
    r = 0.25 * (1 + 1 / np.cos(np.pi / n))
    if kind == "box":
        return _box()
    if kind == "plane":
        return _plane(COARSE_CELLS if coarse else PLANE_CELLS)
    if kind == "ball":
        return _lathe(n, *_half_circle(n, r), [0] * (n // 2 + 1))
    if kind == "capsule":
        heights, radii, normals = (np.concatenate((half[: n // 4 + 1], half[n // 4 :])) for half in _half_circle(n, r))
        straight = [-1] * (n // 4 + 1) + [1] * (len(heights) - n // 4 - 1)
        return _lathe(n, heights, radii, normals, straight)
    if kind == "cylinder":
        # the lids' rims stand twice, with the lid's normal and the side's
        up, out, down = np.pi / 2, 0.0, -np.pi / 2
        return _lathe(n, [-0.5, -0.5, -0.5, 0.5, 0.5, 0.5], [0, r, r, r, r, 0], [down, down, out, out, up, up], [0] * 6)
    if kind == "cone":
        slope, down = np.arctan2(0.5, 1.0), -np.pi / 2
        return _lathe(n, [-0.5, -0.5, -0.5, 0.5], [0, r, r, 0], [down, down, slope, slope], [0] * 4)
    raise ValueError(f"no such solid: {kind!r}")


def form_of(mesh: Mesh, coarse: bool) -> Form:
    """A mesh as a form: three vertices a triangle, flat; or fewer and smoother ones."""
    corners = np.frombuffer(mesh.triangles, np.float32).reshape(-1, 3, 3)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    colours = np.frombuffer(mesh.colours, np.uint32) if mesh.colours else np.full(len(corners), 0xFFFFFF, np.uint32)
    vertices = _vertices(corners.reshape(-1, 3), np.repeat(normals, 3, axis=0))
    vertices.view(np.uint32)[:, 7] = np.repeat(colours, 3)
    flat = Form(vertices, np.arange(3 * len(corners), dtype=np.uint32).reshape(-1, 3))
    return _welded(flat) if coarse and len(corners) else flat


def _welded(form: Form) -> Form:
    """Vertices in one place as one, where they look alike: their normals about the same way, their colours close."""
    vertices = form.vertices
    colours = vertices.view(np.uint32)[:, 7]
    like = np.column_stack((np.round(vertices[:, :3], 4), np.round(vertices[:, 4:7]), colours & _COLOURS))
    _, first, which = np.unique(like, axis=0, return_index=True, return_inverse=True)
    which, counts = which.reshape(-1), np.bincount(which.reshape(-1))
    out = vertices[first]
    for i in range(4, 7):
        out[:, i] = np.bincount(which, vertices[:, i]) / counts
    channels = [np.bincount(which, colours >> shift & 255) / counts for shift in (16, 8, 0)]
    red, green, blue = np.rint(channels).astype(np.uint32)
    out.view(np.uint32)[:, 7] = red << 16 | green << 8 | blue
    return Form(out, which[form.triangles].astype(np.uint32))


def _vertices(places: np.ndarray, normals: np.ndarray, straight: np.ndarray | float = 0.0) -> np.ndarray:
    out = np.empty((len(places), 8), np.float32)
    out[:, :3], out[:, 3], out[:, 4:7] = places, straight, normals
    out.view(np.uint32)[:, 7] = 0xFFFFFF
    return out


def _half_circle(n: int, r: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Heights, radii and slopes of normals from the south pole to the north pole."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, n // 2 + 1)
    return r * np.sin(angles), r * np.cos(angles), angles


def _lathe(n: int, heights, radii, slopes, straight) -> Form:  # type: ignore[no-untyped-def]
    """A profile from bottom to top, turned around y in n segments. slopes: of the normals above the horizon."""
    around = np.arange(n + 1) * (2 * np.pi / n)
    cosine, sine = np.cos(around), np.sin(around)
    heights, radii, slopes = (np.asarray(a, float)[:, None] for a in (heights, radii, slopes))
    level = np.ones(n + 1)
    places = np.stack((radii * cosine, heights * level, -radii * sine), axis=2).reshape(-1, 3)
    flat = np.cos(slopes)
    normals = np.stack((flat * cosine, np.sin(slopes) * level, -flat * sine), axis=2).reshape(-1, 3)
    rows = np.arange(len(heights) - 1)[:, None] * (n + 1)
    low = (rows + np.arange(n)).reshape(-1)
    a, b, c, d = low, low + 1, low + n + 1, low + n + 2
    triangles = np.concatenate((np.stack((a, b, d), axis=1), np.stack((a, d, c), axis=1)))
    corners = places[triangles]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    stretched = np.asarray(straight)[triangles // (n + 1)]
    solid = (area > 1e-9) | (stretched.min(axis=1) != stretched.max(axis=1))
    return Form(
        _vertices(places, normals, np.repeat(np.asarray(straight, float), n + 1)),
        triangles[solid].astype(np.uint32),
    )


def _box() -> Form:
    places: list[np.ndarray] = []
    normals: list[np.ndarray] = []
    triangles: list[tuple[int, int, int]] = []
    for axis in range(3):
        for side in (-0.5, 0.5):
            normal, u, v = np.zeros(3), np.zeros(3), np.zeros(3)
            normal[axis], u[(axis + 1) % 3], v[(axis + 2) % 3] = 2 * side, 0.5, side
            first = len(places)
            places += [normal / 2 - u - v, normal / 2 + u - v, normal / 2 + u + v, normal / 2 - u + v]
            normals += [normal] * 4
            triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    return Form(_vertices(np.array(places), np.array(normals)), np.array(triangles, np.uint32))


def _plane(n: int) -> Form:
    z, x = np.meshgrid(np.linspace(-0.5, 0.5, n + 1), np.linspace(-0.5, 0.5, n + 1), indexing="ij")
    places = np.stack((x, np.zeros_like(x), z), axis=2).reshape(-1, 3)
    low = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).reshape(-1)
    triangles = np.concatenate(
        (np.stack((low, low + n + 1, low + n + 2), axis=1), np.stack((low, low + n + 2, low + 1), axis=1))
    )
    return Form(_vertices(places, np.broadcast_to((0.0, 1.0, 0.0), places.shape)), triangles.astype(np.uint32))
