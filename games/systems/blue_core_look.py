"""How Blue Core looks."""

from __future__ import annotations

from games.kit.maths import TAU, clamp, cos, floor, hypot, mix, sin
from games.kit.picture import Picture, Point, kept, mix_colour
from games.kit.world import Hold
from games.systems.blue_core import (
    ALSO,
    CELLS,
    CRACKS,
    FOOT,
    GAP,
    NOTCH,
    NOTCHES,
    RAILS,
    REACH,
    RIPPLE,
    TOP,
    WHITE,
    BlueCore,
    X,
    Y,
)


def hexagon(x: float, y: float, size: float) -> list[Point]:
    return [(x + size * sin(TAU * corner / 6), y + size * cos(TAU * corner / 6)) for corner in range(6)]


HEXAGONS = [hexagon(x, y, 34.5) for x, y in CELLS]
CRACK = ((-22, -14), (-4, -2), (12, -22), (-4, -2), (-8, 8), (20, 18))
GAUGE, LOW, TALL = 48.0, 536.0, 420.0  # px: middle, glow 0, and how far up glow 1 is
NEAR_WHITE = 0.9  # glow from which a cell is rimmed
RIM = 243.0  # px from the middle of the pool to the ring
APART = 30.0  # px at least between the marks of two patches
DEEP_RED = 0x7A1018
INK, LINE, PALE, MINT, AMBER, RED, HEART = 0x04101F, 0x1D4A78, 0xE8F6FF, 0x7FF0C0, 0xFFC04A, 0xFF5A4F, 0xFF8F7E
BLUES = [mix_colour(*pair, i / 16) for pair in ((0x0A2350, 0x1261CC), (0x1261CC, 0x5CB4FA)) for i in range(17)]


def draw(world: BlueCore, picture: Picture) -> None:
    picture.background(0x071A33, 0x02060F)
    lit = world.taken() if world.chosen() >= 0 or world.hand.y == FOOT else ()
    held, bright = world.hand.held, floor(4 * clamp(world.share(), 0, 1) + 0.5)
    draw_pool(picture, bright)
    draw_halos(world, picture)
    draw_gauge_case(picture)
    draw_rails(picture, len(world.rods), lit, "all rods" in held or (world.chosen() < 0 and bool(lit)))
    draw_cracks(picture, world.white.count(-1))
    draw_rings(world, picture)
    for cell in range(len(CELLS)):
        draw_cell(picture, cell, world.glow[cell], world.white[cell])
    for number in lit:
        if world.rods[number].felt and len(lit) == 1:
            draw_reach(picture, world.rods[number].takes)
    draw_patches(world, picture)
    draw_gauge(world, picture)
    moves = [world.let(grip, start, (world.hand.x, world.hand.y)) for grip, start in held.items()]
    for number, rod in enumerate(world.rods):
        shift = sum(move[2] for move in moves if move and number in move[1])
        draw_rod(world, picture, number, int(clamp(rod.notch + shift, 0, NOTCHES)), number in lit)
    for rod in world.rods:
        for place in [place for place, taken in zip(CELLS, rod.takes, strict=True) if taken and rod.stir]:
            picture.ring(*place, 28 - 16 * rod.stir / RIPPLE, 3, PALE, alpha=rod.stir / RIPPLE)


@kept
def draw_pool(picture: Picture, bright: int) -> None:
    """The pool, and a socket for each cell."""
    picture.disc(X, Y, 250, 0x072444, edge=INK, edge_width=14)
    picture.glow(X, Y, 240, 0x0B5BC4, alpha=0.3 + 0.06 * bright)
    for x, y in CELLS:
        picture.polygon(hexagon(x, y, 36.5), 0x0B2A55, edge=INK, edge_width=2.5)
    picture.text(X, Y + RIM + 20, "♥", 16, HEART)


@kept
def draw_cracks(picture: Picture, cracked: int) -> None:
    """The cracked cells of those that lose."""
    picture.text(RAILS - 42, 520, "♥", 15, HEART, align="left")
    picture.text(RAILS - 24, 520, f"cracked {cracked} of {CRACKS}", 14, PALE, align="left")
    for number in range(CRACKS):
        x, y = RAILS - 30 + 32 * number, 550
        picture.polygon(hexagon(x, y, 14), 0x05070C if number < cracked else BLUES[16], edge=0x5E9FD8, edge_width=1.5)
        if number < cracked:
            picture.path([(x + 0.42 * dx, y + 0.42 * dy) for dx, dy in CRACK], 2, 0xB8C2CE)


def draw_rings(world: BlueCore, picture: Picture) -> None:
    """The pool's slow rings, and the alarm that grows round it."""
    for far in [(world.tick // 4 + 58 * ring) % 232 for ring in range(4)]:
        picture.ring(X, Y, far + 2, 3, 0x6FC4FF, alpha=0.28 * (1 - far / 232))
    full = world.alarm / world.level.alarm
    picture.arc(X, Y, RIM, -TAU / 4, TAU * full, 9, AMBER if full < 0.5 else RED)
    picture.line(X, Y + RIM - 6, X, Y + RIM + 8, 3, HEART)


def draw_cell(picture: Picture, cell: int, glow: float, white: int) -> None:
    """Blue up to near white, which is rimmed; white in red, with a dial of the time until it cracks."""
    (x, y), points = CELLS[cell], HEXAGONS[cell]
    if white < 0:
        picture.polygon(hexagon(x, y, 29), 0x05070C)
        picture.path([(x + dx, y + dy) for dx, dy in CRACK], 3, 0xB8C2CE)
    elif glow >= 1:
        picture.polygon(points, 0xFFFFFF, edge=RED, edge_width=6)
    elif glow >= NEAR_WHITE:
        picture.polygon(points, BLUES[int(glow * 33)], edge=AMBER, edge_width=3)
    else:
        picture.disc(x, y, 29.5, BLUES[int(max(glow, 0) * 33)], soft=3)
    if white > 0:
        picture.arc(x, y, 20, -TAU / 4, TAU * white / WHITE, 8, RED)


@kept
def draw_reach(picture: Picture, takes: list[float]) -> None:
    """Which cells a rod dims that has been felt, and how much."""
    for (x, y), taken in zip(CELLS, takes, strict=True):
        if taken:
            picture.disc(x, y, 3 + 5 * taken, PALE, edge=INK, edge_width=1.5)


def draw_halos(world: BlueCore, picture: Picture) -> None:
    """What patches tint: the water between the cells, whose own blue is read for their glow."""
    for patch in world.patches:
        if patch.power > 0:
            picture.glow(patch.x, patch.y, REACH, 0xFF6A3C, alpha=0.7)
        else:
            picture.disc(patch.x, patch.y, REACH, 0x2E8A3A, alpha=0.45, soft=REACH)
    picture.ring(X, Y, RIM, 14, INK)


def draw_patches(world: BlueCore, picture: Picture) -> None:
    for (x, y), patch in zip(marks(world), world.patches, strict=True):
        sign, tint = (1, 0xFFC08A) if patch.power > 0 else (-1, 0x9FE08A)
        far = (0.6 * sign * world.tick) % 45
        picture.ring(patch.x, patch.y, 15 + far, 2, tint, alpha=0.6 * (1 - far / 45))
        picture.disc(x, y, 13, INK, edge=tint, edge_width=2)
        picture.text(x, y, "+" if sign > 0 else "−", 24, tint, bold=True)


def marks(world: BlueCore) -> list[Point]:
    """Where the signs of the patches stand: in their middles, but side by side where these meet."""
    spots = [(patch.x, patch.y) for patch in world.patches]
    for _ in range(3):
        for i in range(len(spots)):
            for k in range(i):
                (x1, y1), (x2, y2) = spots[k], spots[i]
                far = hypot(x2 - x1, y2 - y1)
                if far < APART:
                    dx, dy = ((x2 - x1) / far, (y2 - y1) / far) if far else (1.0, 0.0)
                    more = (APART - far) / 2
                    spots[k], spots[i] = (x1 - more * dx, y1 - more * dy), (x2 + more * dx, y2 + more * dy)
    return spots


@kept
def draw_gauge_case(picture: Picture) -> None:
    picture.box(GAUGE, LOW - TALL / 2, 40, TALL + 76, INK, radius=20, edge=LINE, edge_width=2)
    picture.text(GAUGE, 66, "GLOW", 12, PALE, bold=True)


def draw_gauge(world: BlueCore, picture: Picture) -> None:
    level, wide, soon = LOW - TALL * clamp(world.share(), -0.06, 1.06), world.level.band * TALL, world.omen.lead
    picture.box(GAUGE, (level + LOW + 28) / 2, 24, LOW + 28 - level, 0x9FE6FF, radius=10, bottom=0x0B3F8C)
    if soon:  # brackets and a word: they only brighten and pale, so that every picture has them
        middle = LOW - TALL * world.next
        picture.box(GAUGE, middle, 64, wide, AMBER, alpha=0.3 + 0.1 * cos(TAU * soon / 14))
        for across, down in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            x, y = GAUGE + 32 * across, middle + wide / 2 * down
            picture.path([(x - 20 * across, y), (x, y), (x, y - 24 * down)], 5, AMBER)
        picture.box(GAUGE, middle, 44, 18, INK, radius=5)
        picture.text(GAUGE, middle, "NEXT", 13, AMBER, bold=True)
    colour, top, bottom = MINT if world.inside() else RED, *(LOW - TALL * world.band + wide * i for i in (-0.5, 0.5))
    face, alpha = (MINT, 0.4) if world.inside() else (DEEP_RED, 0.5)  # lighter in than out, for who sees no hue
    picture.box(GAUGE, (top + bottom) / 2, 64, wide, face, alpha=alpha)
    picture.path([(16, top), (80, top), (80, bottom), (16, bottom)], 4, colour, closed=True)
    picture.polygon([(62, level), (88, level - 10), (88, level + 10)], PALE, edge=INK, edge_width=2)


@kept
def draw_rails(picture: Picture, rods: int, lit: tuple[int, ...], all_lit: bool) -> None:
    """What stands still of the rods, and the handle that takes them all."""
    picture.box(
        RAILS - GAP, FOOT, 30, 34, 0x2F86D4, radius=7, bottom=0x174A80, edge=PALE if all_lit else 0x4C8CC4,
        edge_width=3 if all_lit else 1.5, does=Hold("all rods"),
    )  # fmt: skip
    picture.text(RAILS - GAP, FOOT, "ALL", 13, PALE, bold=True)
    picture.text(RAILS + GAP * (rods - 1) / 2, TOP - 62, "RODS", 12, PALE, bold=True)
    for notch, words in ((0, ("out:", "brighter")), (NOTCHES, ("in:", "dimmer"))):
        for line, word in enumerate(words):
            picture.text(RAILS + GAP * rods - 8, TOP + NOTCH * notch + 16 * line - 8, word, 13, PALE, align="left")
    for number in range(rods):
        x, edge, thick = RAILS + GAP * number, *((PALE, 3.0) if number in lit else (0x4C8CC4, 1.5))
        middle, tall = (TOP + FOOT) / 2 - 10, FOOT - TOP + 72
        picture.box(x, middle, 30, tall, 0x0B2A4C, radius=15, bottom=0x051427, edge=edge, edge_width=thick / 2)
        picture.box(x, TOP + NOTCHES / 2 * NOTCH, 8, NOTCHES * NOTCH, INK, radius=4, edge=LINE, edge_width=1)
        for notch in range(NOTCHES + 1):
            place = (x, TOP + NOTCH * notch, 24, 30)
            picture.box(*place, INK, radius=6, edge=0x5E9FD8, edge_width=1.5, does=("set", number, notch))
        picture.disc(x, FOOT, 14, 0x0A2A4C, edge=edge, edge_width=thick)
        picture.text(x, FOOT, str(number + 1), 16, PALE, bold=True)


def draw_rod(world: BlueCore, picture: Picture, number: int, at: int, lit: bool) -> None:
    """It hangs as deep as the core feels it; beads are moves to come. at: where its handle is, or would be let go."""
    rod, x = world.rods[number], RAILS + GAP * number
    y, tip = TOP + NOTCH * at, TOP + NOTCH * rod.depth
    edge, thick = (PALE, 3.0) if lit else (0x4C8CC4, 1.5)
    face = AMBER if at != rod.notch or ALSO[number] in world.hand.held else 0x2F86D4
    picture.box(x, (TOP - 20 + tip) / 2, 7, tip - TOP + 24, 0xC9D6E6, radius=3.5, bottom=0x7F90A6)
    picture.box(x, y, 28, 34, face, radius=7, bottom=0x174A80, edge=edge, edge_width=thick, does=Hold(f"rod {number}"))
    if rod.coming.count(rod.notch) < len(rod.coming):
        for tick, (soon, later) in enumerate(zip(rod.coming, [*rod.coming[1:], rod.notch], strict=True)):
            if soon != later:
                picture.disc(x, mix(tip, y, tick / len(rod.coming)), 4.5, AMBER, edge=INK, edge_width=1)
    if rod.stir:
        picture.ring(x, FOOT, 12, 3 + rod.stir / 15, PALE)
