"""Lines of text as quads: an atlas of glyph bitmaps, and where in it and on the canvas each glyph lies."""

from collections import OrderedDict
from collections.abc import Callable
from math import cos, sin
from struct import Struct
from typing import NamedTuple

import numpy as np

from games.kit.records import SHAPE
from harness.painter import fonts
from harness.painter.canvas import Fit

ATLAS = 1024  # pixels a side
GLYPH = Struct("<9fI")  # x y, step along the line, left top width height in the atlas, alpha, colour
_LARGEST = 96.0  # pixels of size; larger type is stretched


class _Cell(NamedTuple):
    """A glyph in the atlas: its place there, and where it stands from the pen; pixels."""

    x: int
    y: int
    width: int
    height: int
    left: int
    top: int


class _Full(Exception):
    """The atlas has no room left."""


class Lettering:
    """The atlas's contents. upload(pixels, (left, top, width, height)) puts a bitmap into it."""

    def __init__(self, upload: Callable[[bytes, tuple[int, int, int, int]], None]) -> None:
        self._upload = upload
        self._clear()

    def lay_out(self, records: np.ndarray, texts: list[str], place: Fit) -> list[bytes]:
        """The GLYPH records of each TEXT record."""
        try:
            return [self._line(record, texts[record[15]], place) for record in records]
        except _Full:
            self._clear()
        lines = []
        for record in records:
            try:
                lines.append(self._line(record, texts[record[15]], place))
            except _Full:  # more type in one picture than fits: leave out the rest
                lines.append(b"")
        return lines

    def _clear(self) -> None:
        self._cells: dict[tuple[str, float, bool, int], _Cell | None] = {}
        self._lines: OrderedDict[tuple[bytes, str, Fit], bytes] = OrderedDict()
        self._x = self._y = self._row = 0

    def _line(self, record: np.ndarray, string: str, place: Fit) -> bytes:
        key = (record[:15].tobytes(), string, place)
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = self._lay_out(record, string, place)
            if len(self._lines) > 1024:
                self._lines.popitem(last=False)
        return line

    def _lay_out(self, record: np.ndarray, string: str, place: Fit) -> bytes:
        _, x, y, size, _, _, turn, *_, alpha, ink, align, bold, _ = SHAPE.unpack(record.tobytes())
        wanted = size * place.scale
        pixels = min(_LARGEST, max(2.0, round(wanted * 2) / 2 if wanted < 24 else round(wanted)))
        stretch = wanted / pixels if wanted > _LARGEST else 1.0
        pens, width = fonts.spread(string, bool(bold))
        start = -(0.5, 0.0, 1.0)[align] * width * pixels
        base = fonts.CAPITAL / 2 * pixels
        x, y = place.left + x * place.scale, place.top + y * place.scale
        out = bytearray()
        if turn == 0 and stretch == 1:
            # on whole rows, and on quarters of columns by a bitmap for each
            row = round(y + base)
            for char, pen in zip(string, pens, strict=True):
                column, phase = divmod(round((x + start + pen * pixels) * fonts.PHASES), fonts.PHASES)
                cell = self._cell(char, pixels, bool(bold), phase)
                if cell is not None:
                    area = (cell.x, cell.y, cell.width, cell.height)
                    out += GLYPH.pack(column + cell.left, row + cell.top, 1, 0, *area, alpha, ink)
            return bytes(out)
        cosine, sine = stretch * cos(turn), stretch * sin(turn)
        for char, pen in zip(string, pens, strict=True):
            cell = self._cell(char, pixels, bool(bold), 0)
            if cell is not None:
                # drawn with the margin, so that turned edges are smooth
                area = (cell.x - 1, cell.y - 1, cell.width + 2, cell.height + 2)
                u, v = start + pen * pixels + cell.left - 1, base + cell.top - 1
                corner = (x + u * cosine - v * sine, y + u * sine + v * cosine)
                out += GLYPH.pack(*corner, cosine, sine, *area, alpha, ink)
        return bytes(out)

    def _cell(self, char: str, pixels: float, bold: bool, phase: int) -> _Cell | None:
        """The glyph's place in the atlas, drawn there at its first use; None when it is blank."""
        key = (char, pixels, bold, phase)
        if key not in self._cells:
            bitmap = fonts.raster(char, pixels, bold, phase)
            self._cells[key] = self._put(bitmap) if bitmap.pixels.size and char >= " " else None
        return self._cells[key]

    def _put(self, bitmap: fonts.Bitmap) -> _Cell:
        framed = np.pad(bitmap.pixels, 1)  # a margin of one empty pixel
        height, width = framed.shape
        if self._x + width > ATLAS:
            self._x, self._y = 0, self._row
        if self._y + height > ATLAS or width > ATLAS:
            raise _Full
        self._upload(framed.tobytes(), (self._x, self._y, width, height))
        cell = _Cell(self._x + 1, self._y + 1, width - 2, height - 2, bitmap.left, bitmap.top)
        self._x += width
        self._row = max(self._row, self._y + height)
        return cell
