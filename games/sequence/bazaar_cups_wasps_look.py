"""The wasps of Bazaar Cups, and the marks of swats."""

from __future__ import annotations

from games.kit.maths import TAU, cos, sin
from games.kit.picture import Picture
from games.sequence.bazaar_cups import LIFE, Wasp
from games.sequence.bazaar_cups_stall_look import CREAM, INK, RED

MARK = 30  # ticks that a swat shows


def draw_wasp(picture: Picture, index: int, wasp: Wasp) -> None:
    x, y = wasp.place()
    left = 1 - wasp.age / LIFE
    picture.disc(x, y, 29, INK, alpha=0.45, does=("swat", index))
    picture.arc(x, y, 26, -TAU / 4, TAU * left, 4, RED if left < 0.3 else CREAM)
    beat = 0.5 + 0.25 * sin(wasp.age * 1.9)
    for side in (-1, 1):
        picture.ellipse(x + 7 * side, y - 9, 6, 13, 0xE8F2FF, turn=side * beat, alpha=0.75)
    picture.ellipse(x + 3, y + 4, 17, 9, 0xFFC21F, edge=0x1A1206, edge_width=2)
    for stripe in (0, 8):
        picture.line(x + stripe, y - 1, x + stripe, y + 9, 4, 0x1A1206)
    picture.disc(x - 13, y + 2, 7, 0x2A1C08)


def draw_hit(picture: Picture, x: float, y: float, age: int) -> None:
    """Where a wasp has been swatted, bursting. age: ticks since then."""
    share = age / MARK
    if share > 1:
        return
    for number in range(8):
        across, along = cos(number * TAU / 8), sin(number * TAU / 8)
        start, end = 8 + 14 * share, 22 + 14 * share
        for width, face in ((7, INK), (3, CREAM)):
            ends = x + start * across, y + start * along, x + end * across, y + end * along
            picture.line(*ends, width, face, alpha=1 - 0.6 * share)
