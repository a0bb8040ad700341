"""Type: which bundled font has a character, how wide a line is, and the bitmap of a glyph.

Inter for letters, three Noto fonts for symbols that it lacks. All are under the SIL Open Font License (OFL.txt).
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import ImageFont, features

CAPITAL = 0.727  # height of a capital, in sizes
PHASES = 4  # bitmaps a glyph has for positions between pixels

_FOLDER = Path(__file__).parent
_SYMBOLS = ("NotoSansSymbols2-Regular.ttf", "NotoSansSymbols-Regular.ttf", "NotoSansMath-Regular.ttf")
_REFERENCE = 1000  # pixels: the size at which widths are measured


class Bitmap(NamedTuple):
    """Coverage of a glyph (rows, columns; uint8) and its place right of and below (negative: above) the pen."""

    pixels: np.ndarray
    left: int
    top: int


def files(bold: bool) -> tuple[str, ...]:
    """Font files in the order in which a character is looked for."""
    return ("Inter-Bold.otf" if bold else "Inter-Regular.otf", *_SYMBOLS)


@lru_cache(maxsize=256)
def spread(string: str, bold: bool = False) -> tuple[tuple[float, ...], float]:
    """Where each character's pen stands, and the width of the line, both in sizes."""
    pens, pen = [], 0.0
    for i, char in enumerate(string):
        pens.append(pen)
        pen += _advance(char, bold)
        if i + 1 < len(string):
            pen += _kern(char, string[i + 1], bold)
    return tuple(pens), pen


def measure(string: str, size: float, bold: bool = False) -> float:
    """Width of a line of text in pixels."""
    return spread(string, bold)[1] * size


def wrap(string: str, size: float, width: float, bold: bool = False) -> list[str]:
    """Lines of whole words that are no wider than width pixels, but for a single word that is."""
    lines: list[str] = []
    for word in string.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def raster(char: str, pixels: float, bold: bool, phase: int) -> Bitmap:
    """The bitmap of a glyph of some size in pixels, its pen at phase / PHASES right of a pixel's left side."""
    font = _font(_file(char, bold), pixels)
    mask, (left, top) = font.getmask2(char, mode="L", anchor="ls", start=(phase / PHASES, 0))
    width, height = mask.size
    return Bitmap(np.frombuffer(bytes(mask), np.uint8).reshape(height, width), left, top)


@lru_cache(maxsize=64)
def _font(file: str, pixels: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_FOLDER / file), pixels, layout_engine=ImageFont.Layout.BASIC)


@cache
def _shaper(file: str) -> ImageFont.FreeTypeFont | None:
    """The font with its kerning, where the library that knows it is there."""
    if not features.check("raqm"):
        return None
    return ImageFont.truetype(str(_FOLDER / file), _REFERENCE, layout_engine=ImageFont.Layout.RAQM)


@lru_cache(maxsize=4096)
def _file(char: str, bold: bool) -> str:
    """The first font that has the character; the first of all when none has it."""
    names = files(bold)
    return next((name for name in names if _has(name, char)), names[0])


def _has(file: str, char: str) -> bool:
    missing = _font(file, 32.0).getmask2("\uffff", mode="L")
    found = _font(file, 32.0).getmask2(char, mode="L")
    return char.isspace() or bytes(found[0]) != bytes(missing[0])


@lru_cache(maxsize=4096)
def _advance(char: str, bold: bool) -> float:
    return _font(_file(char, bold), float(_REFERENCE)).getlength(char) / _REFERENCE


@lru_cache(maxsize=4096)
def _kern(left: str, right: str, bold: bool) -> float:
    file = _file(left, bold)
    shaper = _shaper(file)
    if shaper is None or _file(right, bold) != file:
        return 0.0
    plain = ["-calt", "-liga"]  # widths of these characters, not of a ligature
    pair, first, second = (shaper.getlength(t, features=plain) for t in (left + right, left, right))
    return (pair - first - second) / _REFERENCE
