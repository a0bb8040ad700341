"""The forms of Fox Film: birches, what lies and stands around, and the fox."""

from __future__ import annotations

from games.kit.dice import Dice
from games.kit.forms import Form, Paint, loft, ring
from games.kit.maths import TAU, cos, sin, sqrt
from games.kit.space import Vector

ORANGE, CREAM, SOOT = 0xEE6418, 0xFFF4E2, 0x2C1C16
LEAVES = (0xF7E04A, 0xEFD23A, 0xFBEF8E, 0xD9C044, 0xE3CB3C, 0xFFF6B8)
CARPET = 5.0  # m after which what lies on the ground repeats


def loose(dice: Dice, corners: list[Vector], colours: tuple[int, ...]) -> Form:
    """Triangles that do not touch, of chance colours."""
    faces = tuple((n, n + 1, n + 2) for n in range(0, len(corners), 3))
    return tuple(corners), faces, tuple(dice.pick(colours) for _ in faces)


def scatter(dice: Dice, spots: list[Vector], size: float, high: float, colours: tuple[int, ...]) -> Form:
    """A leaf at each spot, its corners off by up to size, up and down by up to high."""
    off = dice.between
    places = [place for place in spots for _ in range(3)]
    corners = [(x + off(-size, size), y + off(-high, high), z + off(-size, size)) for x, y, z in places]
    return loose(dice, corners, colours)


def join(one: Form, other: Form) -> Form:
    first = len(one[0])
    return (
        one[0] + other[0],
        one[1] + tuple((a + first, b + first, c + first) for a, b, c in other[1]),
        one[2] + other[2],
    )


def grow(dice: Dice, thick: float) -> tuple[Form, Form]:
    """A birch whose trunk has this radius, as it looks near and far: a trunk with dark marks, and a crown of leaves."""
    heights, crown = [0.0, 0.3], []
    while heights[-1] < 5.5:
        heights.append(heights[-1] + dice.between(0.8, 1.6))
        heights.append(heights[-1] + dice.between(0.06, 0.11))
    heights.append(9.6)
    dark = {(at, side) for at in range(2, len(heights), 2) for side in range(6) if dice.unit() < 0.4}
    for _ in range(44):
        angle, up, out = dice.between(0, TAU), dice.unit(), sqrt(dice.unit())
        out *= 2.3 * sin(TAU / 2 * (0.12 + 0.86 * up))
        crown.append((out * cos(angle), 4.6 + 6.2 * up, out * sin(angle)))

    def trunk(heights: list[float], sides: int, paint: Paint) -> Form:
        return loft(
            [ring(thick * (1.03 - 0.085 * high) + (0 if high else 0.06), high, sides) for high in heights], paint
        )

    def bark(at: int, side: int) -> int:
        mark = (at, side) in dark or (at, side - 1) in dark
        return SOOT if mark else (0xFBF8EE, 0xF3EFE2)[(at + side) % 2] if at else 0x6A6558

    leaves = scatter(dice, crown, 1.1, 0.66, LEAVES)
    some = leaves[0][:75], leaves[1][:25], leaves[2][:25]
    slim = trunk([0, 0.3, heights[-1]], 4, lambda at, side: (0xFBF8EE, 0xF3EFE2)[side % 2] if at else 0x6A6558)
    return join(trunk(heights, 6, bark), leaves), join(slim, some)


def surroundings(dice: Dice) -> Form:
    """The ground, and trunks and leaves all round, as far as the fog."""
    rounds = [ring(radius, 0, 10) for radius in (75, 44, 28, 16, 8, 0)]
    trunks, crowns = [], []
    for _ in range(62):
        turn, half, top = dice.between(0, TAU), dice.between(0.004, 0.011), dice.between(9, 16)
        trunks += [(33 * cos(a), y, 33 * sin(a)) for a, y in ((turn - half, 0), (turn + half, 0), (turn, top))]
        crowns += [(34 * cos(turn + n), dice.between(6, 13), 34 * sin(turn + n)) for n in (1, 3)]
    wood = join(loose(dice, trunks, (0xFFFDF0, 0xE9E4C8, 0xD8D2B0)), scatter(dice, crowns, 2.3, 1.6, LEAVES))
    return join(loft(rounds, lambda at, side: 0x877E45), wood)


def carpet(dice: Dice) -> Form:
    """Patches and fallen leaves on three by three squares that are alike."""
    spots = [(dice.between(0, CARPET), dice.between(0.02, 0.05), dice.between(0, CARPET)) for _ in range(30)]
    patches = scatter(dice, spots[:7], 1.5, 0, (0x7B7440, 0x938A4B, 0x9C914C))
    one = join(patches, scatter(dice, spots, 0.22, 0.03, (*LEAVES, 0x6E6A35, 0xA3924A, 0xB8A552)))
    steps = [(i * CARPET, k * CARPET) for i in (-1, 0, 1) for k in (-1, 0, 1)]
    corners = [(x + dx, y, z + dz) for dx, dz in steps for x, y, z in one[0]]
    faces = [(a + n, b + n, c + n) for n in range(0, len(corners), len(one[0])) for a, b, c in one[1]]
    return tuple(corners), tuple(faces), 9 * one[2]


def along(rows: tuple[tuple[float, float, float, float], ...], paint: Paint) -> Form:
    """A body along x; a row is x, y, half height, half width."""
    turns = [TAU * side / 8 for side in range(8)]
    return loft([[(x, y + high * sin(turn), wide * cos(turn)) for turn in turns] for x, y, high, wide in rows], paint)


def fur(at: int, side: int) -> int:
    under = 4 <= side <= 7 if at > 3 else 5 <= side <= 6
    return SOOT if at > 9 else CREAM if under else ORANGE


FOX_X = (-0.56, -0.5, -0.3, 0.0, 0.26, 0.44, 0.56, 0.64, 0.76, 0.84, 1.0, 1.03)
FOX_Y = (0.04, 0.03, 0.0, 0.0, 0.0, 0.1, 0.24, 0.3, 0.29, 0.25, 0.21, 0.2)
FOX_HIGH = (0.04, 0.16, 0.21, 0.17, 0.21, 0.19, 0.15, 0.16, 0.12, 0.07, 0.045, 0.0)
FOX_WIDE = (0.04, 0.14, 0.17, 0.14, 0.16, 0.14, 0.13, 0.17, 0.14, 0.06, 0.04, 0.0)
TAIL_X, TAIL_Y = (0.0, -0.2, -0.5, -0.72, -0.86, -1.0), (0.0, -0.02, 0.0, 0.05, 0.1, 0.14)
TAIL_WIDE = (0.05, 0.12, 0.19, 0.17, 0.11, 0.0)
LEG = ((0.09, 0.06), (0.06, -0.18), (0.04, -0.42), (0.055, -0.47))  # radius, y
EAR = ((0.0, 0.22, 0.0), (0.04, 0.0, 0.08), (0.04, 0.0, -0.08), (-0.05, 0.0, 0.0))


def forms(thick: float) -> dict[str, Form]:
    """All of them, by name. thick: radius of a trunk, in metres."""
    dice = Dice.named("fox film")
    birches = [(number, zip(("near", "far"), grow(dice, thick), strict=True)) for number in range(3)]
    return {
        **{f"birch {where} {number}": form for number, birch in birches for where, form in birch},
        "afar": surroundings(dice),
        "carpet": carpet(dice),
        "leaf": scatter(dice, [(0, 0, 0)], 0.1, 0.03, LEAVES),
        "fox": along(tuple(zip(FOX_X, FOX_Y, FOX_HIGH, FOX_WIDE, strict=True)), fur),
        "tail": along(
            tuple(zip(TAIL_X, TAIL_Y, TAIL_WIDE, TAIL_WIDE, strict=True)), lambda at, _: CREAM if at > 2 else ORANGE
        ),
        "leg": loft([ring(radius, y, 6) for radius, y in LEG], lambda at, _: SOOT if at else ORANGE),
        "ear": (EAR, ((0, 1, 2), (0, 1, 3), (0, 2, 3)), (CREAM, SOOT, SOOT)),
    }
