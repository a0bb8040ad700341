"""Paths, polygons and what is round and wide, as quads for the painter: records like SHAPE's, two kinds of its own."""

from functools import lru_cache

import mapbox_earcut
import numpy as np

from games.kit.records import ARC, PATH, WORDS

SEGMENT = 10  # x1 y1 x2 y2 half_width angle1 angle2 cap1 cap2: a capsule, cut at each end along an angle
QUAD = 11  # four corners (x y), then the coverage at the first two and at the last two

_OCTAGON = np.linspace(-np.pi, np.pi, 9, dtype=np.float32)
# Bands of a polygon: from a ring to another, how much it covers at both, the record's word of its colour.
_PLAIN, _THIN = ((0, 1, 1, 0, 12),), ((0, 1, 1, 0, 14),)
_EDGED = ((0, 1, 1, 0, 12), (0, 1, 0, 1, 14), (1, 2, 1, 1, 14), (2, 3, 1, 0, 14))
_LONGEST_MITRE = 3.0  # how far a sharp corner of an outline may reach, in widths


def strokes(record: np.ndarray, points: np.ndarray, pixel: float) -> np.ndarray:
    """The records (n, 16; uint32) that draw a PATH or POLYGON record through points (n, 2).

    pixel: the width over which edges fade, in the points' units.
    """
    points = _distinct(points)
    if record[0] == PATH:
        return _path(record, points)
    return _polygon(record, points, pixel) if len(points) > 2 else np.empty((0, WORDS), np.uint32)


def band(record: np.ndarray) -> np.ndarray:
    """The sectors (n, 16; uint32) that draw a RING or ARC: each the same record, from one angle to the next."""
    numbers = record.view(np.float32)
    radius, sweep = numbers[3], np.pi
    if record[0] == ARC:
        sweep = min(np.pi, float(numbers[9] + 2 / radius))  # a pixel or two more, for the ends to fade in
    sectors = max(3, round(float(sweep * np.sqrt(radius)) / 2))
    angles = np.linspace(-sweep, sweep, sectors + 1, dtype=np.float32)
    out = np.empty((sectors, WORDS), np.uint32)
    out[:] = record
    values = out.view(np.float32)
    values[:, 7], values[:, 8] = angles[:-1], angles[1:]
    return out


def glow(record: np.ndarray) -> np.ndarray:
    """The sectors (n, 16; uint32) that draw a GLOW: an octagon around the part that shows, or nothing."""
    numbers = record.view(np.float32)
    colour = int(record[12])
    strongest = float(numbers[11]) * max(colour >> 16, colour >> 8 & 255, colour & 255)  # of 255, at the middle
    shown = 1 - np.sqrt(0.4 / strongest) if strongest > 0.4 else 0.0  # it falls with the square of the distance
    out = np.empty((len(_OCTAGON) - 1 if shown else 0, WORDS), np.uint32)
    out[:] = record
    values = out.view(np.float32)
    values[:, 7], values[:, 8] = _OCTAGON[: len(out)], _OCTAGON[1 : len(out) + 1]
    values[:, 9] = numbers[3] * shown / np.cos(np.pi / 8)
    return out


def _distinct(points: np.ndarray) -> np.ndarray:
    if len(points) < 2:
        return points
    apart = np.abs(np.diff(points, axis=0)).max(axis=1) > 1e-3
    return points if apart.all() else points[np.concatenate(([True], apart))]


def _path(record: np.ndarray, points: np.ndarray) -> np.ndarray:
    numbers = record.view(np.float32)
    half_width, closed = numbers[5], bool(numbers[9])
    if len(points) == 1:
        points = np.repeat(points, 2, axis=0) + np.array([[0, 0], [1e-3, 0]], np.float32)
        closed = False
    if closed and np.abs(points[0] - points[-1]).max() < 1e-3:
        points = points[:-1]
    if len(points) < 3:
        closed = False
    ends = points[_neighbours(len(points))[1]] if closed else points[1:]
    starts = points if closed else points[:-1]
    along = ends - starts
    heading = np.arctan2(along[:, 1], along[:, 0])
    last, following = _neighbours(len(heading))
    before, after = heading[last], heading[following]
    if not closed:
        before[0], after[-1] = heading[0], heading[-1]
    out = np.empty((len(starts), WORDS), np.uint32)
    out[:] = record
    out[:, 0] = SEGMENT
    out[:, 13] = record[12]
    values = out.view(np.float32)
    values[:, 1:3], values[:, 3:5], values[:, 5] = starts, ends, half_width
    values[:, 6] = _between(before, heading) + np.pi / 2
    values[:, 7] = _between(heading, after) + np.pi / 2
    values[:, 8:10] = 0
    if not closed:
        values[0, 8] = values[-1, 9] = 1
    return out


def _between(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The heading half way of the shorter turn."""
    turn = second - first
    return first + (turn - 2 * np.pi * np.round(turn / (2 * np.pi))) / 2


def _polygon(record: np.ndarray, points: np.ndarray, pixel: float) -> np.ndarray:
    """Its inside as triangles, then bands between rings in and around its outline, over which edges fade."""
    if np.abs(points[0] - points[-1]).max() < 1e-3:
        points = points[:-1]
    edge_width = record.view(np.float32)[8]
    thin = 0 < edge_width < pixel / 2  # an edge that only colours what fades
    edge_width = 0 if thin else edge_width
    half, following = pixel / 2, _neighbours(len(points))[1]
    distances = (-edge_width - half, half - edge_width, -half, half) if edge_width else (-half, half)
    rings = points + _outward(points) * np.array(distances, np.float32)[:, None, None]
    corners = mapbox_earcut.triangulate_float32(rings[0], np.array([len(points)], np.uint32)).reshape(-1, 3)
    bands = _THIN if thin else _EDGED if edge_width else _PLAIN
    out = np.empty((len(corners) + len(bands) * len(points), WORDS), np.uint32)
    out[:] = record
    out[:, 0], out[:, 13] = QUAD, record[12]
    values = out.view(np.float32)
    values[: len(corners), 1:9] = rings[0][corners[:, [0, 1, 2, 2]]].reshape(-1, 8)
    values[: len(corners), 9:11] = 1
    start = len(corners)
    for inner, outer, inner_cover, outer_cover, colour in bands:
        rows = slice(start, start + len(points))
        values[rows, 1:3], values[rows, 3:5] = rings[inner], rings[inner][following]
        values[rows, 5:7], values[rows, 7:9] = rings[outer], rings[outer][following]
        values[rows, 9], values[rows, 10] = inner_cover, outer_cover
        out[rows, 12:14] = record[colour]
        start += len(points)
    return out


def _outward(points: np.ndarray) -> np.ndarray:
    """For each corner the step that moves both of its sides outward by 1."""
    last, following = _neighbours(len(points))
    along = points[following] - points
    along /= np.maximum(np.sqrt((along * along).sum(axis=1)), 1e-6)[:, None]
    normal = along[:, ::-1] * np.array((1, -1), np.float32)
    x, y = points.T
    if (x * y[following]).sum() < (x[following] * y).sum():
        normal = -normal
    both = normal + normal[last]
    square = np.maximum((both * both).sum(axis=1) / 2, 2 / _LONGEST_MITRE**2)
    return (both / square[:, None]).astype(np.float32)


@lru_cache(maxsize=256)
def _neighbours(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the one before and of the one after each of so many in a ring."""
    order = np.arange(count)
    return np.roll(order, 1), np.roll(order, -1)
