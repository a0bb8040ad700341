"""How Floe Bridge looks."""

from __future__ import annotations

from games.building.floe_bridge import BOTTOM, CELL, CURL, FAR, FOXES, LIFE, MOST, TICK, TOP, WIDE, Eddy, FloeBridge
from games.kit.bodies import Rope, ends
from games.kit.maths import TAU, clamp, cos, floor, mix, sin
from games.kit.picture import Picture, mix_colour
from games.kit.world import Hold

PAPER, BLUSH, UNDER, STONE, SLATE = 0xFFF8F1, 0xFBDDCB, 0x6C93AD, 0x6B6480, 0x3A3550
JADE, DEEP, FOAM, GOLD, INK, RUST, CRIMSON = 0x5CC3A0, 0x12695F, 0xE4FFF2, 0xFFD873, 0x3B2A45, 0xE8702A, 0xA8123A
CORNERS = [(cos(k * TAU / 9), sin(k * TAU / 9)) for k in range(9)]
FAR_SHORE = [(x, TOP - 4 - (7 * x) % 11) for x in range(0, 801, 40)]
NEAR_SHORE = [(x, BOTTOM + 6 + (5 * x) % 9) for x in range(0, 801, 40)]
STREAKS = [(167.0 * k % 860, TOP + 24 + 33 * k, 34 + 17 * k % 40) for k in range(12)]  # px: start, row, length
PINES = ((36, 586, 1.15), (84, 596, 0.9), (722, 590, 1.0), (770, 598, 1.3))  # x, foot, size
HILLS = (((0, 66), (130, 52), (260, 74), (420, 56), (560, 76), (800, 58)), ((0, 84), (180, 70), (400, 86), (800, 74)))


def draw(world: FloeBridge, picture: Picture) -> None:
    draw_river(picture)
    draw_near_bank(world, picture)
    for start, y, length in STREAKS:
        x = (start + world.flow(y) * world.tick * TICK) % 900 - 50
        picture.path([(x, y), (x + length / 2, y - 4), (x + length, y)], 2.5, FOAM, alpha=0.35)
    for eddy in world.eddies:
        draw_eddy(picture, eddy)
    for index in range(len(world.discs)):
        draw_floe(world, picture, index)
    for rope in world.ropes:
        draw_rope(world, picture, rope)
    on_lattice = (world.hand.x - 25) % CELL == 0 and (world.hand.y - 118) % CELL == 0  # where the pole steps
    taken = world.nearest(world.hand.x, world.hand.y) if on_lattice else None
    for a, b, x, y in world.knots():
        if (a, b) == taken:  # by the pole
            picture.line(world.hand.x, world.hand.y, x, y, 3, INK)
            picture.ring(x, y, world.level.knot + 7, 4, INK)
            picture.ring(x, y, world.level.knot + 4, 3, 0xFFFFFF)
        picture.disc(x, y, world.level.knot, GOLD, alpha=0.85, edge=INK, edge_width=2, does=("lash", a, b))
        picture.disc(x, y, 4, INK)
    draw_foxes(world, picture)
    at_x, at_y, tick = world.mark
    age = (world.tick - tick) / 60
    if age < 0.6 and world.lost:
        picture.ring(at_x, at_y, 10 + 50 * age, 5, CRIMSON, alpha=1 - age)


def draw_river(picture: Picture) -> None:
    picture.background(0xF7B08E, 0xFFE3C4)
    picture.disc(610, 70, 40, 0xFFF3C9)
    picture.glow(610, 70, 150, 0xFFB45E, alpha=0.5)
    for ridge, colour in zip(HILLS, (0xC78FA6, 0x9C7399), strict=True):
        picture.polygon([(0, 110), *ridge, (800, 110)], colour)
    picture.polygon([(0, 92), *[(x, y - 8) for x, y in FAR_SHORE], (800, 112), (0, 112)], PAPER)
    high = BOTTOM - TOP + 32
    picture.box(400, (TOP + BOTTOM) / 2 + 6, 800, high, JADE, bottom=DEEP, does=("throw",))
    picture.ellipse(610, TOP + 90, 120, 110, 0xFFE2A8, alpha=0.22, soft=110)
    picture.polygon([(0, TOP - 12), *[(x, y + 7) for x, y in FAR_SHORE], (800, TOP - 12)], 0x3E8F86)
    picture.polygon([(0, TOP - 20), *FAR_SHORE, (800, TOP - 20)], PAPER)


def draw_near_bank(world: FloeBridge, picture: Picture) -> None:
    picture.polygon([*[(x, y - 5) for x, y in NEAR_SHORE], (800, 600), (0, 600)], 0x0D4A4A)
    picture.polygon([*NEAR_SHORE, (800, 600), (0, 600)], PAPER)
    picture.polygon([*[(x, y + 22) for x, y in NEAR_SHORE], (800, 600), (0, 600)], BLUSH)
    for x, foot, size in PINES:
        for step, colour in enumerate((0x1F4F52, 0x2F6F66)):
            wide, top = (24 - 6 * step) * size, foot - (30 + 26 * step) * size
            picture.polygon(
                [(x - wide, foot - 18 * step * size), (x, top), (x + wide, foot - 18 * step * size)], colour
            )
    picture.text(470, 576, f"ropes {world.coil()}", 17, INK, bold=True, align="left")
    picture.text(560, 576, "spare", 14, INK, align="left")
    for number in range(world.level.spare):
        gone = number >= world.level.spare - world.lost
        picture.ring(610 + 15 * number, 576, 5, 3, 0xC9B6B0 if gone else 0x8A4A1E)
    picture.text(330, 576, f"shoves {MOST - world.shoves}", 17, INK, bold=True, align="left")


def draw_eddy(picture: Picture, eddy: Eddy) -> None:
    """Foam that curls inwards the way the water turns: small while it gathers, wide while it whirls."""
    grown = 1 + eddy.age / CURL if eddy.age < 0 else 1.0
    shown = clamp((LIFE - eddy.age) / 25, 0, 1) * (0.5 + 0.5 * grown)
    far = 0.34 * WIDE * grown if eddy.age < 0 else WIDE * mix(0.34, 0.62, clamp(eddy.age / 15, 0, 1))
    picture.disc(eddy.x, eddy.y, far * 1.05, 0x073B3A, alpha=0.55 * shown, soft=far * 0.4)
    turn = 0.085 * eddy.turn * (eddy.age + CURL)
    for arm in range(3):
        points = []
        for step in range(9):
            way, r = turn + arm * TAU / 3 - eddy.turn * step * 0.3, far * (0.18 + 0.1 * step)
            points.append((eddy.x + r * cos(way), eddy.y + r * sin(way)))
        picture.path(points, 8 if eddy.age >= 0 else 5, 0xFFFFFF, alpha=shown)


def draw_floe(world: FloeBridge, picture: Picture, index: int) -> None:
    disc, outline = world.discs[index], world.outlines[index]
    rim = [disc.place(u * disc.r * far, v * disc.r * far) for (u, v), far in zip(CORNERS, outline, strict=True)]
    floe = index < world.level.floes
    picture.polygon([(x + 1, y + 8) for x, y in rim], UNDER if floe else 0x221D33)
    grip = Hold(f"floe {index}") if floe else None
    held = floe and f"floe {index}" in world.hand.held
    edge = GOLD if held else 0xFFFFFF if floe else 0x8D86A3
    picture.polygon(rim, PAPER if floe else SLATE, edge=edge, edge_width=3 if held else 2, does=grip)
    inner = [(mix(disc.x - 2, x, 0.66), mix(disc.y - 3, y, 0.66)) for x, y in rim]
    picture.polygon(inner, BLUSH if floe else STONE)
    if held:
        picture.line(*world.hand.held[f"floe {index}"], world.hand.x, world.hand.y, 3, INK, alpha=0.7)


def draw_rope(world: FloeBridge, picture: Picture, rope: Rope) -> None:
    """A rope thins and reddens as it wears; the dial on it shows what is left."""
    x1, y1, x2, y2 = ends(world.discs, rope)
    dx, dy = (x2 - x1) * 0.3 + (x2 > x1) * 2, (y2 - y1) * 0.3
    picture.line(x1 - dx, y1 - dy, x2 + dx, y2 + dy, 13 - 5 * rope.wear, INK)
    picture.line(x1 - dx, y1 - dy, x2 + dx, y2 + dy, 9 - 5 * rope.wear, mix_colour(0xD89A52, CRIMSON, rope.wear))
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    picture.disc(x, y, 11, INK)
    left = TAU * clamp(1 - rope.wear, 0.02, 1)
    picture.arc(x, y, 5.5, -TAU / 4, left, 9, 0xFFE2A8 if rope.wear < 0.6 else 0xFF7A6A)


def draw_foxes(world: FloeBridge, picture: Picture) -> None:
    running = bool(world.chain)
    for number in range(FOXES - world.home - running):
        draw_fox(picture, 150 + 52 * number, 562, 0.0)
    for number in range(world.home):
        draw_fox(picture, 150 + 52 * number, 90, 0.0)
    if running:
        chain, discs = world.chain, world.discs
        grounds = {rope.b: rope.ends[2] for rope in world.ropes if rope.b < 0 and rope.a in (chain[0], chain[-1])}
        stops = [(grounds.get(-1, discs[chain[0]].x), BOTTOM + 20)]
        stops += [(discs[index].x, discs[index].y) for index in chain]
        stops.append((grounds.get(FAR, discs[chain[-1]].x), TOP - 14))
        link = min(floor(world.fox), len(chain))
        share = world.fox - link
        (x1, y1), (x2, y2) = stops[link], stops[link + 1]
        draw_fox(picture, mix(x1, x2, share), mix(y1, y2, share), 16 * share * (1 - share))


def draw_fox(picture: Picture, x: float, y: float, hop: float) -> None:
    """A fox of cut paper that stands at a place, or so high above it."""
    picture.ellipse(x, y + 3, 19, 6, INK, alpha=0.3)
    y -= hop
    picture.ellipse(x - 19, y - 9, 12, 6, RUST, turn=0.5, edge=INK, edge_width=1)
    picture.ellipse(x, y - 5, 16, 9, RUST, edge=INK, edge_width=1)
    for side in (-1, 1):
        picture.polygon([(x + 13 + 7 * side, y - 16), (x + 13 + 9 * side, y - 28), (x + 13, y - 20)], RUST)
    picture.disc(x + 13, y - 13, 9, RUST)
    picture.polygon([(x + 7, y - 11), (x + 20, y - 11), (x + 14, y - 3)], 0xFFFFFF)
    picture.disc(x + 14, y - 4, 2, INK)
