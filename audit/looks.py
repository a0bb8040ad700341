"""What audits measure in rendered frames: how texts read, and whether the border of what can be pressed shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from copy import copy
from functools import partial
from math import cos, sin
from typing import Any, NamedTuple

import numpy as np

from audit.kit import painter
from games.kit.picture import Picture
from games.kit.records import SHAPE, TEXT
from games.kit.world import FIELD_TOP, HEIGHT, WIDTH
from harness.painter import fonts

INK = 24  # of 255: what removing a text changes by more is its ink
CORE = 0.7  # of a text's largest change: pixels that change by so much are its strokes, not their soft edges
LINE = 0.9  # of a text's size: how high a line reaches that has descenders
CELL, CELL_3D = 4, 8  # px, of the grid on which presses are tried; solids take longer
REACH = 3  # px, from a border, within which the picture must show it
MARGIN = 12  # px, along the field's edges, where borders are those of the ground
EDGE = 10  # of 255: what colours differ by across a border that shows
_ALPHA = 4 + 10 * 4  # bytes before the alpha of a shape's record
_SHARES = np.arange(256) / 255
_LIGHT = np.where(_SHARES <= 0.04045, _SHARES / 12.92, ((_SHARES + 0.055) / 1.055) ** 2.4)

Pixels = np.ndarray  # rows, columns, RGB; 0 to 255
Light = np.ndarray  # the same, linear, 0 to 1
Box = tuple[float, float, float, float]  # left, top, right, bottom


class Text(NamedTuple):
    """A text of a picture. place: its record's. box: around it, px."""

    string: str
    place: int
    size: float
    x: float
    y: float
    box: Box


class Crossing(NamedTuple):
    """Where what a press does changes, on the way from one grid point to its neighbour. shows: in the frame."""

    x: float
    y: float
    inside: Any
    outside: Any
    shows: bool

    @property
    def central(self) -> bool:
        """Whether it lies apart from the field's own edges."""
        return MARGIN < self.x < WIDTH - MARGIN and FIELD_TOP + MARGIN < self.y < HEIGHT - MARGIN


def texts(picture: Picture) -> list[Text]:
    """The texts that have letters, in the order of drawing."""
    found = []
    for place, record in enumerate(SHAPE.iter_unpack(picture.shapes)):
        if record[0] == TEXT and picture.texts[record[15]].strip() and record[11] > 0:
            string = picture.texts[record[15]]
            found.append(Text(string, place, record[3], record[1], record[2], _box(record, string)))
    return found


def _box(record: tuple, string: str) -> Box:
    _, x, y, size, _, _, turn, *_, align, bold, _ = record
    width, half = fonts.measure(string, size, bool(bold)), LINE * size / 2
    left = -(0.5, 0.0, 1.0)[align] * width
    corners = [(u, v) for u in (left, left + width) for v in (-half, half)]
    xs = [x + u * cos(turn) - v * sin(turn) for u, v in corners]
    ys = [y + u * sin(turn) + v * cos(turn) for u, v in corners]
    return min(xs), min(ys), max(xs), max(ys)


def meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def render(picture: Picture) -> np.ndarray:
    """The picture as signed numbers."""
    return painter().render(picture).astype(np.int16)


def without(picture: Picture, places: Iterable[int]) -> Picture:
    """The picture without the records in these places."""
    clear = copy(picture)
    clear.shapes, clear.parts = bytearray(picture.shapes), []  # or the painter would show parts as it keeps them
    for place in places:
        start = place * SHAPE.size + _ALPHA
        clear.shapes[start : start + 4] = bytes(4)
    return clear


def crop(pixels: Pixels, box: Box) -> Pixels:
    """The part of the pixels in a box, with a margin of two pixels."""
    left, top, right, bottom = (round(value) for value in box)
    return pixels[max(0, top - 2) : max(0, bottom + 3), max(0, left - 2) : max(0, right + 3)]


def linear(pixels: Pixels) -> Light:
    """sRGB values, whole numbers 0 to 255, as light."""
    return _LIGHT[pixels]


def encoded(light: Light) -> np.ndarray:
    """Light as sRGB values 0 to 255."""
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def luminance(light: Light) -> np.ndarray:
    """Relative luminance, 0 to 1 (WCAG 2)."""
    return light @ np.array((0.2126, 0.7152, 0.0722))


def name(string: str) -> str:
    """What stays of a text while its numbers change."""
    return re.sub(r"\d+", "#", string) if len(string) > 1 else string


def contrast(ink: Light, below: Light) -> float | None:
    """Contrast ratio (WCAG 2; 1 to 21) of a text's strokes with what lies below them; None where none are seen.

    ink: light with the text; below: the same without it.
    """
    change = np.abs(encoded(ink) - encoded(below)).max(2, initial=0)
    if change.size == 0 or change.max() < 1:
        return None
    core = change >= CORE * change.max()
    bright, dark = luminance(ink[core]), luminance(below[core])
    light, shade = np.maximum(bright, dark), np.minimum(bright, dark)
    return float(np.median((light + 0.05) / (shade + 0.05)))


def touching(picture: Picture, frame: Pixels, found: list[Text]) -> list[tuple[Text, Text]]:
    """Pairs of texts whose visible ink touches."""
    pairs = [(a, b) for i, a in enumerate(found) for b in found[i + 1 :] if meet(a.box, b.box)]
    inks = {text.place: _spread(_ink(picture, frame, text)) for pair in pairs for text in pair}
    return [(a, b) for a, b in pairs if (inks[a.place] & inks[b.place]).sum() >= 4]


def _ink(picture: Picture, frame: Pixels, text: Text) -> np.ndarray:
    return np.abs(frame - render(without(picture, [text.place]))).max(2) > INK


def _spread(ink: np.ndarray) -> np.ndarray:
    """The ink and its four neighbours."""
    out = ink.copy()
    out[1:] |= ink[:-1]
    out[:-1] |= ink[1:]
    out[:, 1:] |= ink[:, :-1]
    out[:, :-1] |= ink[:, 1:]
    return out


# -------------------------------------------------------------------------------- borders


def crossings(picture: Picture, frame: Pixels, button: str = "left") -> list[Crossing]:
    """The border between places where presses do different things, and where the frame shows it."""
    act_at = partial(picture.hit, button=button)
    cell = CELL_3D if picture.solids else CELL
    xs = np.arange(cell / 2, WIDTH, cell)
    ys = np.arange(FIELD_TOP + cell / 2, HEIGHT, cell)
    grid = [[act_at(x, y) for x in xs] for y in ys]
    found = []
    for row, y in enumerate(ys):
        for column, x in enumerate(xs):
            here = grid[row][column]
            if column + 1 < len(xs) and grid[row][column + 1] != here:
                found.append(_refine(act_at, frame, (x, y), (x + cell, y), here))
            if row + 1 < len(ys) and grid[row + 1][column] != here:
                found.append(_refine(act_at, frame, (x, y), (x, y + cell), here))
    return found


def _refine(
    act_at: Callable[[float, float], Any],
    frame: Pixels,
    start: tuple[float, float],
    end: tuple[float, float],
    here: Any,
) -> Crossing:
    """Halve the way until the border is known to a quarter of a pixel."""
    there = act_at(*end)
    for _ in range(5):
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        what = act_at(*middle)
        start, end, there = (middle, end, there) if what == here else (start, middle, what)
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    return Crossing(x, y, here, there, shows(frame, x, y, start[0] != end[0]))


def shows(frame: Pixels, x: float, y: float, across: bool) -> bool:
    """Whether colours differ near a place, along its row (across) or its column."""
    if across:
        seen = frame[int(y), max(0, int(x) - REACH) : int(x) + REACH + 1]
    else:
        seen = frame[max(0, int(y) - REACH) : int(y) + REACH + 1, int(x)]
    return bool((seen.max(0) - seen.min(0)).max() >= EDGE)


def border_shares(found: list[Crossing], least: int = 8) -> dict[Any, float]:
    """For each thing to press, the share of its border that shows.

    Without what lies along the field's edges; things with fewer crossings than `least`, or most of them there (the
    ground), are left out.
    """
    sides: dict[Any, list[Crossing]] = {}
    for each in found:
        for what in (each.inside, each.outside):
            if what is not None:
                sides.setdefault(what, []).append(each)
    shares = {}
    for what, border in sides.items():
        central = [each.shows for each in border if each.central]
        if len(central) >= max(least, len(border) / 2):
            shares[what] = sum(central) / len(central)
    return shares
