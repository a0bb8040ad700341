"""The order of drawing: shape records unfolded into what the painter draws, and text drawn in few runs."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from games.kit.picture import ARC, BOX, DISC, GLOW, LINE, POLYGON, RING, SHADOW, SHAPE, TEXT, Extent, Picture
from harness.painter import fonts
from harness.painter.strokes import QUAD, band, glow, strokes

WORDS = SHAPE.size // 4


class Run(NamedTuple):
    """Draw unfolded records up to one index, then glyphs up to another."""

    shapes: int
    glyphs: int


def records_of(picture: Picture) -> np.ndarray:
    """The shape records (n, 16; uint32)."""
    return np.frombuffer(picture.shapes, np.uint32).reshape(-1, WORDS)


def cut(picture: Picture, start: Extent, end: Extent) -> Picture:
    """A part of the shapes as a picture of its own, the same whatever stands before it."""
    part = Picture(picture.width, picture.height)
    part.texts = picture.texts[start.texts : end.texts]
    part.points = picture.points[8 * start.points : 8 * end.points]
    records = records_of(picture)[start.shapes : end.shapes].copy()
    records[records[:, 0] == TEXT, 15] -= start.texts
    records[records[:, 0] >= POLYGON, 15] -= start.points
    part.shapes += records.tobytes()
    return part


def unfolded(records: np.ndarray, picture: Picture, pixel: float) -> tuple[np.ndarray, np.ndarray]:
    """The records to draw, without text and with paths and polygons unfolded; where those of each begin.

    records: (n, 16; uint32). pixel: size of a pixel of the canvas in the picture's.
    """
    kinds = records[:, 0]
    outlined = kinds >= POLYGON
    glows = (kinds == GLOW) & (records.view(np.float32)[:, 3] > 40 * pixel)
    folded = np.flatnonzero(outlined | glows | _wide_bands(records, pixel))
    counts = (kinds != TEXT).astype(np.int64)
    if not len(folded):
        return records[kinds != TEXT], np.cumsum(counts) - counts
    points = _all_points(picture)
    parts = [
        _strokes(records[i], _points(records[i], points), pixel)
        if outlined[i]
        else (glow if glows[i] else band)(records[i])
        for i in folded
    ]
    counts[folded] = [len(part) for part in parts]
    ends = np.cumsum(counts)
    starts = ends - counts
    drawn = np.empty((ends[-1], WORDS), np.uint32)
    single = kinds < TEXT
    single[folded] = False
    drawn[starts[single]] = records[single]
    for i, part in zip(folded, parts, strict=True):
        drawn[starts[i] : ends[i]] = part
    return drawn, starts


def runs(
    records: np.ndarray, texts: np.ndarray, glyphs: np.ndarray, starts: np.ndarray, total: int, picture: Picture
) -> list[Run]:
    """Runs that keep the painter's order, with text held back until a later shape would cover it.

    texts: indices of TEXT records; glyphs: number of glyphs up to and with each of them; starts and total: where
    each record's unfolded ones begin, and how many there are.
    """
    if not len(texts):
        return [Run(total, 0)]
    all_boxes = boxes(records, picture)
    mine = all_boxes[texts]
    meets = (
        (all_boxes[:, 0] < mine[:, 2, None])
        & (all_boxes[:, 2] > mine[:, 0, None])
        & (all_boxes[:, 1] < mine[:, 3, None])
        & (all_boxes[:, 3] > mine[:, 1, None])
        & (np.arange(len(records)) > texts[:, None])
        & (records[:, 0] != TEXT)
    )
    never = len(records)
    covers = np.where(meets.any(axis=1), meets.argmax(axis=1), never).tolist()
    out, until, before = [], never, 0
    for text, cover, count in zip(texts.tolist(), covers, glyphs.tolist(), strict=True):
        if text > until:
            out.append(Run(int(starts[until]), before))
            until = never
        until, before = min(until, cover), count
    if until < never:
        out.append(Run(int(starts[until]), before))
    out.append(Run(total, before))
    return out


def boxes(records: np.ndarray, picture: Picture) -> np.ndarray:
    """Left, top, right and bottom of each record, rather too large than too small (n, 4; float32)."""
    values = records.view(np.float32)
    kinds, place = records[:, 0], values[:, 1:5]
    line, turned = (kinds == LINE)[:, None], (kinds == BOX) | (kinds == SHADOW) | (kinds == DISC)
    half, turn = place[:, 2:], np.where(turned, values[:, 6], 0)
    # a corner of a turned box; its margin: half the width of a line or band, or what a soft edge fades over
    cosine, sine = np.abs(np.cos(turn)), np.abs(np.sin(turn))
    far = np.stack((cosine * half[:, 0] + sine * half[:, 1], sine * half[:, 0] + cosine * half[:, 1]), axis=1)
    far = np.where(line, 0, far) + (np.where(turned, 0, values[:, 5]) + values[:, 7] + 1)[:, None]
    start, end = place[:, :2], np.where(line, half, place[:, :2])
    out = np.concatenate((np.minimum(start, end) - far, np.maximum(start, end) + far), axis=1)
    for i in np.flatnonzero(kinds == TEXT).tolist():
        out[i] = _text_box(records[i].tobytes(), picture.texts[records[i, 15]])
    outlines = np.flatnonzero(kinds >= POLYGON)
    if len(outlines):
        points = _all_points(picture)
        for i in outlines.tolist():
            corners = _points(records[i], points)
            if len(corners):
                reach = values[i, 5] + 1
                out[i, :2], out[i, 2:] = corners.min(axis=0) - reach, corners.max(axis=0) + reach
    return out


def _wide_bands(records: np.ndarray, pixel: float) -> np.ndarray:
    """Which records are thin bands around so much that drawing all of their square would cost far more (n; bool)."""
    kinds, values = records[:, 0], records.view(np.float32)
    return ((kinds == RING) | (kinds == ARC)) & (values[:, 3] > 16 * pixel) & (values[:, 5] < values[:, 3] / 3)


def _strokes(record: np.ndarray, points: np.ndarray, pixel: float) -> np.ndarray:
    """What draws an outline. Kept by its shape, because outlines mostly move; to 1/256 pixel."""
    if not len(points):
        return np.empty((0, WORDS), np.uint32)
    own = np.round((points - points[0]) * (256 / pixel))
    still = record.copy()
    still[15] = 0
    out = _still_strokes(still.tobytes(), (own * np.float32(pixel / 256)).tobytes(), pixel).copy()
    values = out.view(np.float32)
    values[:, 1:5].reshape(-1, 2, 2)[:] += points[0]
    quads = out[:, 0] == QUAD
    if quads.any():
        values[quads, 5:9] += np.tile(points[0], 2)
    return out


@lru_cache(maxsize=512)
def _still_strokes(record: bytes, points: bytes, pixel: float) -> np.ndarray:
    own = np.frombuffer(points, np.float32).reshape(-1, 2)
    return strokes(np.frombuffer(record, np.uint32), own, pixel)


def _all_points(picture: Picture) -> np.ndarray:
    return np.frombuffer(picture.points, np.float32).reshape(-1, 2)


def _points(record: np.ndarray, points: np.ndarray) -> np.ndarray:
    return points[record[15] : record[15] + record[13]]


@lru_cache(maxsize=1024)
def _text_box(record: bytes, string: str) -> tuple[float, float, float, float]:
    _, x, y, size, _, _, turn, *_, align, bold, _ = SHAPE.unpack(record)
    width = fonts.measure(string, size, bool(bold)) + 2
    left = -(0.5, 0.0, 1.0)[align] * width
    if turn:
        far = width + size
        return x - far, y - far, x + far, y + far
    return x + left - 1, y - 0.8 * size, x + left + width, y + 0.8 * size
