"""How Blue Core looks."""

from __future__ import annotations

from games.kit.maths import TAU, clamp, cos, mix, sin
from games.kit.picture import Picture, mix_colour
from games.kit.world import Hold
from games.systems.blue_core import CELLS, FOOT, GAP, NOTCH, NOTCHES, RAILS, REACH, RIPPLE, TOP, WHITE, BlueCore, X, Y

HEXAGON = [(36.5 * sin(TAU * corner / 6), 36.5 * cos(TAU * corner / 6)) for corner in range(6)]
CRACK = ((-22, -14), (-4, -2), (12, -22), (-4, -2), (-8, 8), (20, 18))
GAUGE, LOW, TALL = 48.0, 536.0, 420.0  # px: middle, glow 0, and how far up glow 1 is
NEAR_WHITE = 0.9  # glow from which a cell is rimmed
INK, LINE, PALE, MINT, AMBER, RED = 0x04101F, 0x1D4A78, 0xE8F6FF, 0x7FF0C0, 0xFFC04A, 0xFF5A4F
BLUES = [mix_colour(*pair, i / 16) for pair in ((0x0A2350, 0x1261CC), (0x1261CC, 0x3C9CF0)) for i in range(17)]


def draw(world: BlueCore, picture: Picture) -> None:
    picture.background(0x071A33, 0x02060F)
    draw_pool(world, picture)
    for cell in range(len(CELLS)):
        draw_cell(world, picture, cell)
    draw_patches(world, picture)
    draw_gauge(world, picture)
    draw_all(world, picture)
    moves = [world.let(grip, start, (world.hand.x, world.hand.y)) for grip, start in world.hand.held.items()]
    for number, rod in enumerate(world.rods):
        shift = sum(move[2] for move in moves if move and number in move[1])
        draw_rod(world, picture, number, int(clamp(rod.notch + shift, 0, NOTCHES)))
    for rod in world.rods:
        for place in [place for place, taken in zip(CELLS, rod.takes, strict=True) if taken and rod.stir]:
            picture.ring(*place, 28 - 16 * rod.stir / RIPPLE, 3, PALE, alpha=rod.stir / RIPPLE)


def draw_pool(world: BlueCore, picture: Picture) -> None:
    """The pool with its slow rings, and the alarm that grows round it."""
    picture.disc(X, Y, 250, 0x072444, edge=INK, edge_width=14)
    picture.glow(X, Y, 240, 0x0B5BC4, alpha=0.3 + 0.25 * clamp(world.share(), 0, 1))
    for far in [(world.tick * 0.25 + 58 * ring) % 232 for ring in range(4)]:
        picture.ring(X, Y, far + 2, 3, 0x6FC4FF, alpha=0.28 * (1 - far / 232))
    full = world.alarm / world.level.alarm
    picture.arc(X, Y, 243, -TAU / 4, TAU * full, 9, AMBER if full < 0.5 else RED)


def draw_cell(world: BlueCore, picture: Picture, cell: int) -> None:
    """Blue up to near white, which is rimmed; white in red, with a dial of the time until it cracks."""
    (x, y), glow, white = CELLS[cell], world.glow[cell], world.white[cell]
    size = 0.8 + 0.2 * min(glow, 1) if white >= 0 else 1.0
    face, edge, wide = BLUES[int(clamp(glow, 0, 1) * 33)], INK, 2.0
    if white < 0:
        face = 0x05070C
    elif glow >= 1:
        face, edge, wide = 0xFFFFFF, RED, 6.0
    elif glow >= NEAR_WHITE:
        edge, wide = AMBER, 3.0
    picture.polygon([(x + size * dx, y + size * dy) for dx, dy in HEXAGON], face, edge=edge, edge_width=wide)
    if white < 0:
        picture.path([(x + dx, y + dy) for dx, dy in CRACK], 3, 0xB8C2CE)
    elif white:
        picture.arc(x, y, 20, -TAU / 4, TAU * white / WHITE, 8, RED)
    elif glow > 0.5:
        picture.glow(x, y, 44, 0x2F8AE8, alpha=min(0.25, glow - 0.45))


def draw_patches(world: BlueCore, picture: Picture) -> None:
    for patch in world.patches:
        x, y, sign, tint = patch.x, patch.y, *((1, 0xFFC08A) if patch.power > 0 else (-1, 0x9FE08A))
        picture.glow(x, y, REACH, 0xFF6A3C, alpha=max(0, 0.3 * sign))
        picture.disc(x, y, 96, 0x0C2A14, alpha=max(0, -0.45 * sign), soft=96)
        for far in [(0.6 * sign * world.tick + 30 * ring) % 60 for ring in range(2)]:
            picture.ring(x, y, 14 + far, 2, tint, alpha=0.5 * (1 - far / 60))
        picture.disc(x, y, 13, INK, edge=tint, edge_width=2)
        picture.text(x, y, "+" if sign > 0 else "−", 24, tint, bold=True)


def draw_gauge(world: BlueCore, picture: Picture) -> None:
    level, wide, soon = LOW - TALL * clamp(world.share(), -0.06, 1.06), world.level.band * TALL, world.omen.lead
    picture.box(GAUGE, LOW - TALL / 2, 40, TALL + 76, INK, radius=20, edge=LINE, edge_width=2)
    picture.box(GAUGE, (level + LOW + 28) / 2, 24, LOW + 28 - level, 0x9FE6FF, radius=10, bottom=0x0B3F8C)
    then, now = (world.next, AMBER, 0.4 if soon % 12 > 4 else 0.1), (world.band, MINT if world.inside() else RED, 0.25)
    for middle, colour, alpha in (then, now) if soon else (now,):
        top, bottom = LOW - TALL * middle - wide / 2, LOW - TALL * middle + wide / 2
        picture.box(GAUGE, (top + bottom) / 2, 64, wide, colour, alpha=alpha)
        picture.path([(16, top), (80, top), (80, bottom), (16, bottom)], 4, colour, closed=True)
    picture.polygon([(62, level), (88, level - 10), (88, level + 10)], PALE, edge=INK, edge_width=2)


def draw_all(world: BlueCore, picture: Picture) -> None:
    """The handle that takes all rods."""
    lit = "all rods" in world.hand.held or (world.chosen() < 0 and world.hand.y == FOOT)
    picture.box(
        RAILS - GAP, FOOT, 30, 34, 0x2F86D4, radius=7, bottom=0x174A80, edge=PALE if lit else 0x4C8CC4,
        edge_width=3 if lit else 1.5, does=Hold("all rods"),
    )  # fmt: skip
    picture.text(RAILS - GAP, FOOT, "ALL", 13, PALE, bold=True)


def draw_rod(world: BlueCore, picture: Picture, number: int, at: int) -> None:
    """It hangs as deep as the core feels it; beads are moves to come. at: where its handle is, or would be let go."""
    rod, x = world.rods[number], RAILS + GAP * number
    y, tip, moving = TOP + NOTCH * at, TOP + NOTCH * rod.depth, at != rod.notch
    lit = number in world.taken() and (world.chosen() >= 0 or world.hand.y == FOOT)
    edge, thick = (PALE, 3.0) if lit else (0x4C8CC4, 1.5)
    taken = moving or f"also rod {number + 1}" in world.hand.held
    middle, tall = (TOP + FOOT) / 2 - 10, FOOT - TOP + 72
    picture.box(x, middle, 30, tall, 0x0B2A4C, radius=15, bottom=0x051427, edge=edge, edge_width=thick / 2)
    picture.box(x, TOP + NOTCHES / 2 * NOTCH, 8, NOTCHES * NOTCH, INK, radius=4, edge=LINE, edge_width=1)
    for notch in range(NOTCHES + 1):
        place = (x, TOP + NOTCH * notch, 24, 30)
        picture.box(*place, INK, radius=6, edge=0x5E9FD8, edge_width=1.5, does=("set", number, notch))
    picture.box(x, (TOP - 20 + tip) / 2, 7, tip - TOP + 24, 0xC9D6E6, radius=3.5, bottom=0x7F90A6)
    face = AMBER if taken else 0x2F86D4
    picture.box(x, y, 28, 34, face, radius=7, bottom=0x174A80, edge=edge, edge_width=thick, does=Hold(f"rod {number}"))
    for tick, (soon, later) in enumerate(zip(rod.coming, [*rod.coming[1:], rod.notch], strict=True)):
        if soon != later:
            picture.disc(x, mix(tip, y, tick / len(rod.coming)), 4.5, AMBER, edge=INK, edge_width=1)
    picture.disc(x, FOOT, 14, 0x0A2A4C, edge=PALE if rod.stir else edge, edge_width=thick + rod.stir / 15)
    picture.text(x, FOOT, str(number + 1), 16, PALE, bold=True)
