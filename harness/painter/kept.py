"""What the painter keeps of the still parts of pictures: see games.kit.picture.kept."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from games.kit.picture import Picture
from harness.painter.canvas import Fit, clip
from harness.painter.order import boxes, records_of

Value = TypeVar("Value")

# How often a ground is shown before it is kept, on small canvases and others: keeping costs several showings.
ASKS = (8, 2)
# What drawing costs a software renderer, in ns: a record, a pixel under one, laying a kept part, a pixel of it; with
# laying, its share of what it cost to keep. Whether a part is laid must not depend on what was shown before, since it
# rounds otherwise.
_RECORD, _COVERED, _LAYING, _LAID = 1000, 6, 300_000, 3


class Keeper(Generic[Value]):
    """At most so many values by key, the least used go first. What is asked for seldom may not be worth keeping."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Value] = OrderedDict()
        self._asked: OrderedDict[Hashable, int] = OrderedDict()  # how often, of what is not kept

    def get(self, key: Hashable) -> Value | None:
        """The value of a key, or None."""
        value = self._kept.get(key)
        if value is not None:
            self._kept.move_to_end(key)
        return value

    def made(self, key: Hashable, make: Callable[[], Value], asks: int = 1) -> Value | None:
        """The value of a key, made when it is asked for so often; None before."""
        value = self.get(key)
        if value is not None:
            return value
        asked = self._asked.pop(key, 0) + 1
        if asked < asks:
            self._asked[key] = asked
            drop_oldest(self._asked, 4 * self._most)
            return None
        value = self._kept[key] = make()
        drop_oldest(self._kept, self._most)
        return value


class Reach(NamedTuple):
    """Pixels of a canvas: left, top, width and height."""

    left: int
    top: int
    width: int
    height: int


def grounds(picture: Picture) -> list[tuple[tuple[Picture, ...], int]]:
    """What a picture begins with: its first part, its first two, and so on, each with its number of shape records."""
    out: list[tuple[tuple[Picture, ...], int]] = []
    parts: tuple[Picture, ...] = ()
    count = 0
    for start, end, part in picture.parts:
        if start.shapes != count:
            break
        parts, count = (*parts, part), end.shapes
        out.append((parts, count))
    return out


def reach(part: Picture, place: Fit, width: int, height: int) -> Reach | None:
    """Where a part shows on a canvas, if laying it out again costs less there than drawing it; None if not."""
    records = records_of(part)
    bounds = boxes(records, part) * np.float32(place.scale) + np.array((place.left, place.top) * 2, np.float32)
    left, top, wide, high = clip(part, place) or (0, 0, width, height)
    bounds = np.clip(bounds, (left, top) * 2, (left + wide, top + high) * 2)
    sizes = np.maximum(bounds[:, 2:] - bounds[:, :2], 0)
    first = np.floor(bounds[:, :2].min(axis=0)).astype(int)
    last = np.ceil(bounds[:, 2:].max(axis=0)).astype(int)
    span = np.maximum(last - first, 0)
    drawing = _RECORD * len(records) + _COVERED * float(sizes.prod(axis=1).sum())
    if not span.all() or drawing < _LAYING + _LAID * float(span.prod()):
        return None
    return Reach(*first.tolist(), *span.tolist())


def drop_oldest(kept: OrderedDict, most: int) -> None:
    """Keep the last so many."""
    while len(kept) > most:
        kept.popitem(last=False)
