"""The order of drawing: shape records unfolded into what the painter draws, and text drawn in few runs."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from games.kit.picture import Picture
from games.kit.records import ARC, BOX, DISC, GLOW, LINE, POLYGON, RING, SHADOW, SHAPE, TEXT, WORDS
from harness.painter import fonts
from harness.painter.canvas import Fit
from harness.painter.strokes import QUAD, band, glow, strokes

LAID = 12  # a kind of the painter's own, like those of strokes
_LEGIBLE = 4.0  # pixels of size
_TO_MIDDLE = np.array((0.0, 1.0, -1.0))  # half widths from where a line is held, by its alignment
_INK = 0.45  # of the area of a line of text
_FINENESS, _COARSE = 32, 8  # steps of a pixel to which corners of outlines are kept; on canvases of a quarter and less


class Run(NamedTuple):
    """Draw unfolded records up to one index, then glyphs up to another."""

    shapes: int
    glyphs: int


def records_of(picture: Picture) -> np.ndarray:
    """The shape records (n, 16; uint32)."""
    return np.frombuffer(picture.shapes, np.uint32).reshape(-1, WORDS)


def placeholder(where: tuple[int, int, int, int], place: Fit) -> np.ndarray:
    """A record (1, 16; uint32) in the stead of those of a kept part. where: left, top, width, height on the canvas."""
    left, top, width, height = where
    out = np.zeros((1, WORDS), np.uint32)
    out[0, 0] = LAID
    middle = (left + width / 2 - place.left, top + height / 2 - place.top, width / 2, height / 2)
    out.view(np.float32)[0, 1:5] = np.array(middle) / place.scale
    return out


def greeked(records: np.ndarray, picture: Picture, scale: float) -> np.ndarray:
    """The records, with text that is too small to be read on a canvas of this scale as bars of its size."""
    values = records.view(np.float32)
    small = np.flatnonzero((records[:, 0] == TEXT) & (values[:, 3] * scale < _LEGIBLE))
    if not len(small):
        return records
    bars = records[small]
    values = bars.view(np.float32)
    which = zip(bars[:, 15].tolist(), bars[:, 14].tolist(), strict=True)
    widths = [fonts.spread(picture.texts[index], bold != 0)[1] for index, bold in which]
    half = np.array(widths) * values[:, 3] / 2
    along = _TO_MIDDLE[bars[:, 13]] * half
    values[:, 1] += along * np.cos(values[:, 6])
    values[:, 2] += along * np.sin(values[:, 6])
    values[:, 4] = values[:, 3] * (fonts.CAPITAL / 2)
    values[:, 3] = half
    values[:, 11] *= _INK
    bars[:, 0], bars[:, 13] = BOX, bars[:, 12]
    out = records.copy()
    out[small] = bars
    return out


def unfolded(records: np.ndarray, picture: Picture, pixel: float) -> tuple[np.ndarray, np.ndarray]:
    """The records to draw, without text and with paths and polygons unfolded; where those of each begin.

    records: (n, 16; uint32). pixel: size of a pixel of the canvas in the picture's.
    """
    kinds = records[:, 0]
    outlined = (kinds >= POLYGON) & (records[:, 13] > 0)
    glows = (kinds == GLOW) & (records.view(np.float32)[:, 3] > 40 * pixel)
    bands = _wide_bands(records, pixel)
    single = (kinds < TEXT) | (kinds == LAID)
    if not (outlined | glows | bands).any():
        counts = single.astype(np.int64)
        return records[single], np.cumsum(counts) - counts
    parts = [_sectors(records[i].tobytes()) for i in np.flatnonzero(glows | bands).tolist()]
    outlines, lengths = _outlines(records[outlined], _all_points(picture), pixel)
    single &= ~(glows | bands)
    counts = single.astype(np.int64)
    counts[outlined] = lengths
    counts[glows | bands] = [len(part) for part in parts]
    ends = np.cumsum(counts)
    of = np.repeat(np.arange(len(records)), counts)
    drawn = np.empty((len(of), WORDS), np.uint32)
    drawn[single[of]] = records[single]
    drawn[outlined[of]] = outlines
    if parts:
        drawn[(glows | bands)[of]] = np.concatenate(parts)
    return drawn, ends - counts


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
    outlines = np.flatnonzero((kinds >= POLYGON) & (records[:, 13] > 0))
    if len(outlines):
        points, starts = _points_of(records[outlines], _all_points(picture))
        reach = values[outlines, 5, None] + 1
        out[outlines, :2] = np.minimum.reduceat(points, starts) - reach
        out[outlines, 2:] = np.maximum.reduceat(points, starts) + reach
    return out


def _wide_bands(records: np.ndarray, pixel: float) -> np.ndarray:
    """Which records are thin bands around so much that drawing all of their square would cost far more (n; bool)."""
    kinds, values = records[:, 0], records.view(np.float32)
    return ((kinds == RING) | (kinds == ARC)) & (values[:, 3] > 16 * pixel) & (values[:, 5] < values[:, 3] / 3)


def _outlines(records: np.ndarray, points: np.ndarray, pixel: float) -> tuple[np.ndarray, list[int]]:
    """What draws these outlines, none without points, and how much of it each. Kept by shape: outlines mostly move."""
    if not len(records):
        return records, []
    points, starts = _points_of(records, points)
    counts = records[:, 13].astype(np.int64)
    origins = points[starts]
    own = np.rint((points - np.repeat(origins, counts, axis=0)) * np.float32(_fineness(pixel) / pixel)).tobytes()
    still = records.copy()
    still[:, 15] = 0
    keys, size, ends = still.tobytes(), 4 * WORDS, (starts + counts).tolist()
    parts = [
        _still_outline(keys[i * size : (i + 1) * size], own[8 * start : 8 * end], pixel)
        for i, (start, end) in enumerate(zip(starts.tolist(), ends, strict=True))
    ]
    drawn = np.concatenate(parts)
    lengths = [len(part) for part in parts]
    shift = np.repeat(np.tile(origins, 2), lengths, axis=0)
    values = drawn.view(np.float32)
    values[:, 1:5] += shift
    values[:, 5:9] += shift * (drawn[:, 0] == QUAD)[:, None]
    return drawn, lengths


@lru_cache(maxsize=512)
def _sectors(record: bytes) -> np.ndarray:
    """What draws a GLOW, RING or ARC in sectors. Kept, because many stay where they are."""
    own = np.frombuffer(record, np.uint32)
    return glow(own) if own[0] == GLOW else band(own)


@lru_cache(maxsize=2048)
def _still_outline(record: bytes, points: bytes, pixel: float) -> np.ndarray:
    own = np.frombuffer(points, np.float32).reshape(-1, 2) * np.float32(pixel / _fineness(pixel))
    return strokes(np.frombuffer(record, np.uint32), own, pixel)


def _fineness(pixel: float) -> int:
    return _COARSE if pixel >= 4 else _FINENESS


def _points_of(records: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The points of outlines, none without any, one after another; and where those of each begin in them."""
    counts = records[:, 13].astype(np.int64)
    ends = np.cumsum(counts)
    starts = ends - counts
    return points[np.arange(ends[-1]) + np.repeat(records[:, 15] - starts, counts)], starts


def _all_points(picture: Picture) -> np.ndarray:
    return np.frombuffer(picture.points, np.float32).reshape(-1, 2)


@lru_cache(maxsize=1024)
def _text_box(record: bytes, string: str) -> tuple[float, float, float, float]:
    _, x, y, size, _, _, turn, *_, align, bold, _ = SHAPE.unpack(record)
    width = fonts.measure(string, size, bool(bold)) + 2
    left = -(0.5, 0.0, 1.0)[align] * width
    if turn:
        far = width + size
        return x - far, y - far, x + far, y + far
    return x + left - 1, y - 0.8 * size, x + left + width, y + 0.8 * size
