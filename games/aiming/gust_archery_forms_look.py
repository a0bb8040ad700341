"""Solids of Barley Wind Archery: the field, waves through its barley, butts and pennants."""

from __future__ import annotations

from games.kit.dice import Dice
from games.kit.forms import Form, loft, ring
from games.kit.maths import cos

PAPER, CRIMSON, STRAW, SOIL, CREST = 0xFFF4DC, 0xA62B2B, 0xA3773C, 0x94662A, 0xEFC266
BARLEY, HILLS = (0xD29A3C, 0xDEAA4A, 0xC48A31), (0xB5793C, 0xA56C38)
PENNANTS = ((5.4, 29.0), (-6.0, 38.0), (5.8, 52.0))  # m: to the right, away
APART = 9.0  # m from one wave of a reach to the next


def teeth(dice: Dice, spots: list[tuple[float, float, float, float, int]], lean: float) -> Form:
    """Ears of barley: x, z, height, width and colour of each, leaning to the right."""
    corners: list[tuple[float, float, float]] = []
    for x, z, high, wide, _ in spots:
        tip = (x + lean * high + dice.between(-0.3, 0.3) * wide, high, z + dice.between(-0.3, 0.3) * high)
        corners += [(x - wide / 2, 0.0, z), (x + wide / 2, 0.0, z), tip]
    return tuple(corners), tuple((n, n + 1, n + 2) for n in range(0, len(corners), 3)), tuple(spot[4] for spot in spots)


def field(dice: Dice) -> Form:
    """All that stands still, the nearest first: barley, hills and the ground."""
    spots, far = [], 27.0
    while far < 64:
        wide, half = 0.017 * far, 0.25 * far + 1
        for n in range(int(2 * half / wide)):
            x, high = n * wide - half, 0.4 + dice.between(0, 0.3)
            spots.append((x, -far - dice.between(0, 1), high, 1.5 * wide, dice.pick(BARLEY)))
        far += 1.2 + 0.035 * far
    for n in range(9):
        spots.append((dice.between(-60, 60), -240.0 + 8 * n, dice.between(3, 9), dice.between(40, 80), HILLS[n % 2]))
    corners, faces, paints = teeth(dice, spots, 0.1)
    end, ground = len(corners), ((-700.0, 0.0, -260.0), (700.0, 0.0, -260.0), (0.0, 0.0, 20.0))
    return corners + ground, (*faces, (end, end + 1, end + 2)), (*paints, SOIL)


def wave(dice: Dice) -> Form:
    """Four crests of bent ears, all alike, across a strip of barley."""
    ears = [(0.45 * n, 0.85 * cos(0.45 * n)) for n in (-2, -1, 0, 1, 2)]
    spots = [(x + 0.5 * row, 1.8 * row, high, 0.66, CREST) for row in (1, 0, -1) for x, high in ears]
    crest = teeth(dice, spots, 0.5)[0]
    corners = tuple((x + APART * (n - 1.5), y, z) for n in range(4) for x, y, z in crest)
    return corners, tuple((n, n + 1, n + 2) for n in range(0, len(corners), 3)), ()


FIELD, WAVE = field(Dice.named("barley")), wave(Dice.named("crest"))
BUTT = loft([ring(radius, y, 16) for radius, y in ((0.95, -0.15), (0.95, 0.15), (0.0, 0.15))], lambda step, side: STRAW)
CLOTH = ((0, 0.4, 0), (0, -0.4, 0), (0.45, -0.28, 0), (0.45, 0.28, 0), (0.9, 0.15, 0), (0.9, -0.15, 0), (1.3, 0, 0))
SEAMS = ((0, 1, 2), (0, 2, 3), (3, 2, 5), (3, 5, 4), (4, 5, 6))
DYES = (CRIMSON, CRIMSON, PAPER, PAPER, CRIMSON)
FLAGS = [tuple((x * far / 29, y, z) for x, y, z in CLOTH) for _, far in PENNANTS]  # one length in the picture
