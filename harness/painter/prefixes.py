"""What pictures begin with alike: games draw their still parts first, so those are drawn once and kept."""

from collections import OrderedDict, deque
from typing import Any, NamedTuple

import numpy as np

from games.kit.picture import PATH, POLYGON, TEXT, Picture
from harness.painter.order import WORDS, boxes, records_of

_KEPT = 12  # beginnings
_RECENT = 8  # pictures that may be compared, since sessions take turns
_COMPARED = 2  # of them, that begin alike
_WORTH = 40_000  # pixels of shapes for which keeping a beginning pays
_MANY = 24  # records for which it pays


class _Begin(NamedTuple):
    """The first records of a picture, with the texts and points that they use."""

    where: tuple[Any, ...]
    shapes: bytes
    texts: list[str]
    points: bytes

    def begins(self, where: tuple[Any, ...], picture: Picture) -> bool:
        return (
            self.where == where
            and picture.shapes.startswith(self.shapes)
            and picture.texts[: len(self.texts)] == self.texts
            and picture.points.startswith(self.points)
        )


class Prefixes:
    """Kept beginnings, each with something of the painter's that shows it; the least used go first.

    `where` names what else the drawing depends on: canvas, place and sky.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[_Begin, Any]] = OrderedDict()
        self._recent: deque[_Begin] = deque(maxlen=_RECENT)
        self._count = 0

    def longest(self, where: tuple[Any, ...], picture: Picture, end: int | None = None) -> tuple[int, Any]:
        """The number of records of the longest kept beginning, and what shows it; 0 and None without one.

        end: most records that it may have.
        """
        best, size, most = None, 0, 4 * WORDS * (len(picture.shapes) if end is None else end)
        for key, (begin, _) in self._kept.items():
            if size < len(begin.shapes) <= most and begin.begins(where, picture):
                best, size = key, len(begin.shapes)
        if best is None:
            return 0, None
        self._kept.move_to_end(best)
        return size // (4 * WORDS), self._kept[best][1]

    def worth(self, where: tuple[Any, ...], picture: Picture, known: int) -> int:
        """How many records to keep as a new beginning, because a recent picture had them too; 0: none.

        known: records of the longest kept beginning.
        """
        records = records_of(picture)
        alike = compared = 0
        for other in self._recent:
            if other.where == where and picture.shapes.startswith(other.shapes[: 4 * WORDS]):
                alike, compared = max(alike, _alike(records, picture, other)), compared + 1
                if compared == _COMPARED:
                    break
        self._recent.appendleft(_begin(where, records, picture, len(records)))
        fresh = records[known:alike]
        return alike if len(fresh) >= _MANY or _area(fresh, picture) >= _WORTH else 0

    def keep(self, where: tuple[Any, ...], picture: Picture, count: int, shown: Any) -> None:
        """Keep the first records of a picture, and what shows them."""
        records = records_of(picture)
        self._count += 1
        self._kept[self._count] = (_begin(where, records, picture, count), shown)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def _begin(where: tuple[Any, ...], records: np.ndarray, picture: Picture, count: int) -> _Begin:
    own = records[:count]
    folded = own[(own[:, 0] == POLYGON) | (own[:, 0] == PATH)]
    points = int(folded[-1, 15] + folded[-1, 13]) if len(folded) else 0
    texts = int(np.count_nonzero(own[:, 0] == TEXT))
    return _Begin(where, own.tobytes(), picture.texts[:texts], bytes(picture.points[: 8 * points]))


def _alike(records: np.ndarray, picture: Picture, other: _Begin) -> int:
    """How many first records of the picture the other has too, with all that they use."""
    size = min(len(picture.shapes), len(other.shapes)) // 8
    pairs = [np.frombuffer(shapes, np.uint64, size) for shapes in (picture.shapes, other.shapes)]
    first = _first_difference(pairs[0] != pairs[1]) // (WORDS // 2)
    lines = np.flatnonzero(records[:first, 0] == TEXT)
    for line, string, others_string in zip(lines, picture.texts, other.texts, strict=False):
        if string != others_string:
            first = int(line)
            break
    outlines = np.flatnonzero((records[:first, 0] == POLYGON) | (records[:first, 0] == PATH))
    if len(outlines):
        ends = records[outlines, 15] + records[outlines, 13]
        size = int(ends[-1]) * 2
        mine, theirs = (np.frombuffer(points, np.uint32, size) for points in (picture.points, other.points))
        same = _first_difference(mine != theirs) // 2
        changed = outlines[ends > same]
        if len(changed):
            first = int(changed[0])
    return first


def _first_difference(differ: np.ndarray) -> int:
    """Index of the first true value, or the length."""
    at = int(differ.argmax()) if len(differ) else 0
    return at if len(differ) and differ[at] else len(differ)


def _area(records: np.ndarray, picture: Picture) -> float:
    """Pixels of the canvas under the records' boxes."""
    left, top, right, bottom = boxes(records, picture).T
    wide = np.minimum(right, picture.width) - np.maximum(left, 0)
    high = np.minimum(bottom, picture.height) - np.maximum(top, 0)
    return float((np.maximum(wide, 0) * np.maximum(high, 0)).sum())
