"""Paths, polygons and what is round and wide, as quads for the painter: records like SHAPE's, two kinds of its own."""

import mapbox_earcut
import numpy as np

from games.kit.picture import ARC, PATH, SHAPE

SEGMENT = 10  # x1 y1 x2 y2 half_width angle1 angle2 cap1 cap2: a capsule, cut at each end along an angle
QUAD = 11  # four corners (x y), then the coverage at the first two and at the last two

_WORDS = SHAPE.size // 4
_OCTAGON = np.linspace(-np.pi, np.pi, 9, dtype=np.float32)
_LONGEST_MITRE = 3.0  # how far a sharp corner of an outline may reach, in widths


def strokes(record: np.ndarray, points: np.ndarray, pixel: float) -> np.ndarray:
    """The records (n, 16; uint32) that draw a PATH or POLYGON record through points (n, 2).

    pixel: the width over which edges fade, in the points' units.
    """
    points = _distinct(points)
    if record[0] == PATH:
        return _path(record, points)
    return _polygon(record, points, pixel) if len(points) > 2 else np.empty((0, _WORDS), np.uint32)


def band(record: np.ndarray) -> np.ndarray:
    """The sectors (n, 16; uint32) that draw a RING or ARC: each the same record, from one angle to the next."""
    numbers = record.view(np.float32)
    radius, sweep = numbers[3], np.pi
    if record[0] == ARC:
        sweep = min(np.pi, float(numbers[9] + 2 / radius))  # a pixel or two more, for the ends to fade in
    sectors = max(3, round(float(sweep * np.sqrt(radius)) / 2))
    angles = np.linspace(-sweep, sweep, sectors + 1, dtype=np.float32)
    out = np.empty((sectors, _WORDS), np.uint32)
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
    out = np.empty((len(_OCTAGON) - 1 if shown else 0, _WORDS), np.uint32)
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
    ends = np.roll(points, -1, axis=0) if closed else points[1:]
    starts = points if closed else points[:-1]
    along = ends - starts
    heading = np.arctan2(along[:, 1], along[:, 0])
    before, after = np.roll(heading, 1), np.roll(heading, -1)
    if not closed:
        before[0], after[-1] = heading[0], heading[-1]
    out = np.empty((len(starts), _WORDS), np.uint32)
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
    numbers = record.view(np.float32)
    edge_width, colour, edge = numbers[8], record[12], record[14]
    if np.abs(points[0] - points[-1]).max() < 1e-3:
        points = points[:-1]
    outward = _outward(points)
    half = pixel / 2

    def ring(distance: float) -> np.ndarray:
        return points + outward * np.float32(distance)

    if not edge_width:
        inner = ring(-half)
        return np.concatenate(
            (
                _fill(record, inner, colour),
                _band(record, inner, ring(half), 1, 0, colour),
            )
        )
    inner, border = ring(-edge_width - half), ring(-edge_width + half)
    outer = ring(-half)
    return np.concatenate(
        (
            _fill(record, inner, colour),
            _band(record, inner, border, 1, 0, colour),
            _band(record, inner, border, 0, 1, edge),
            _band(record, border, outer, 1, 1, edge),
            _band(record, outer, ring(half), 1, 0, edge),
        )
    )


def _outward(points: np.ndarray) -> np.ndarray:
    """For each corner the step that moves both of its sides outward by 1."""
    following = np.roll(points, -1, axis=0)
    along = following - points
    along /= np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-6)[:, None]
    normal = np.stack((along[:, 1], -along[:, 0]), axis=1)
    area = np.sum(points[:, 0] * following[:, 1] - following[:, 0] * points[:, 1])
    if area < 0:
        normal = -normal
    both = normal + np.roll(normal, 1, axis=0)
    square = np.maximum(np.sum(both * both, axis=1) / 2, 2 / _LONGEST_MITRE**2)
    return (both / square[:, None]).astype(np.float32)


def _fill(record: np.ndarray, points: np.ndarray, colour: np.uint32) -> np.ndarray:
    corners = mapbox_earcut.triangulate_float32(
        np.ascontiguousarray(points, np.float32), np.array([len(points)], np.uint32)
    ).reshape(-1, 3)
    return _quads(record, points[corners[:, [0, 1, 2, 2]]], 1, 1, colour)


def _band(
    record: np.ndarray, inner: np.ndarray, outer: np.ndarray, inner_cover: float, outer_cover: float, colour: np.uint32
) -> np.ndarray:
    corners = np.stack((inner, np.roll(inner, -1, axis=0), outer, np.roll(outer, -1, axis=0)), axis=1)
    return _quads(record, corners, inner_cover, outer_cover, colour)


def _quads(record: np.ndarray, corners: np.ndarray, first: float, second: float, colour: np.uint32) -> np.ndarray:
    out = np.empty((len(corners), _WORDS), np.uint32)
    out[:] = record
    out[:, 0] = QUAD
    out[:, 12:14] = colour
    values = out.view(np.float32)
    values[:, 1:9] = corners.reshape(-1, 8)
    values[:, 9], values[:, 10] = first, second
    return out
