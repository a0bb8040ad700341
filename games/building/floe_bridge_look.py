"""How Floe Bridge looks."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from games.building.floe_bridge import (
    BLOW,
    BOTTOM,
    CATCH,
    CELL,
    CURL,
    FAR,
    FOXES,
    LIFE,
    MOST,
    SIGN,
    TICK,
    TOP,
    WIDE,
    Eddy,
    FloeBridge,
)
from games.kit.bodies import Disc, Rope, ends
from games.kit.maths import TAU, atan2, clamp, cos, floor, hypot, mix, sin
from games.kit.picture import Picture, Point, kept, mix_colour
from games.kit.world import Hold

PAPER, BLUSH, UNDER, STONE, SLATE = 0xFFF8F1, 0xFBDDCB, 0x6C93AD, 0x6B6480, 0x3A3550
JADE, DEEP, FOAM, GOLD, INK, RUST, CRIMSON = 0x5CC3A0, 0x12695F, 0xE4FFF2, 0xFFD873, 0x3B2A45, 0xE8702A, 0xA8123A
PEG = 16.0  # px from the rim of a floe to the peg of a rope
TURNS = 180  # ways round in which a floe is drawn: outlines that only move are quick to paint
FAR_SHORE = [(x, TOP - 4 - (7 * x) % 11) for x in range(0, 801, 40)]
NEAR_SHORE = [(x, BOTTOM + 6 + (5 * x) % 9) for x in range(0, 801, 40)]
STREAKS = [(167.0 * k % 860, TOP + 24 + 33 * k, 34 + 17 * k % 40) for k in range(12)]  # px: start, row, length
PINES = ((28, 598, 0.78), (74, 599, 0.62), (724, 598, 0.66), (772, 599, 0.8))  # x, foot, size
HILLS = (((0, 66), (130, 52), (260, 74), (420, 56), (560, 76), (800, 58)), ((0, 84), (180, 70), (400, 86), (800, 74)))
BENDS = [((0.18 + 0.13 * k) * cos(0.4 * k), (0.18 + 0.13 * k) * sin(0.4 * k)) for k in range(7)]  # of an arm of an eddy


def draw(world: FloeBridge, picture: Picture) -> None:
    picture.background(0xF7B08E, 0xFFE3C4)
    draw_banks(picture)
    draw_foxes_at_rest(picture, FOXES - world.home - bool(world.chain), world.home)
    draw_numbers(picture, world.coil(), world.level.spare, world.lost, MOST - world.shoves)
    for start, y, length in STREAKS:
        x = (start + world.flow(y) * world.tick * TICK) % 900 - 50
        picture.line(x, y, x + length, y - 3, 2.5, FOAM, alpha=0.35)
    for eddy in world.eddies:
        draw_eddy(picture, eddy)
    count = world.level.floes
    draw_rocks(
        picture,
        [
            (rock.x, rock.y, *outline(tuple(world.outlines[count + k]), rock.r, 0))
            for k, rock in enumerate(world.discs[count:])
        ],
    )
    for index in range(count):
        draw_floe(world, picture, index)
    for rope in world.ropes:
        draw_rope(world, picture, rope)
    draw_gust(world, picture)
    draw_knots(world, picture)
    if world.chain:
        draw_runner(world, picture)
    at_x, at_y, tick = world.mark
    age = (world.tick - tick) / 60
    if age < 0.6 and world.lost:
        picture.ring(at_x, at_y, 10 + 50 * age, 5, CRIMSON, alpha=1 - age)


def draw_knots(world: FloeBridge, picture: Picture) -> None:
    on_lattice = (world.hand.x - 25) % CELL == 0 and (world.hand.y - 118) % CELL == 0  # where the pole steps
    knots, hand = world.knots(), world.hand
    fars = [hypot(x - hand.x, y - hand.y) for _, _, x, y in knots]
    for (a, b, x, y), far in zip(knots, fars, strict=True):
        if on_lattice and far == min(fars) and far < CATCH:  # by the pole
            picture.line(hand.x, hand.y, x, y, 3, INK)
            picture.ring(x, y, world.level.knot + 7, 4, INK)
            picture.ring(x, y, world.level.knot + 4, 3, 0xFFFFFF)
        picture.disc(x, y, world.level.knot, GOLD, alpha=0.85, edge=INK, edge_width=2, does=("lash", a, b))
        for dx, dy in ((1, 0), (0, 1)):
            arm = 0.55 * world.level.knot
            picture.line(x - arm * dx, y - arm * dy, x + arm * dx, y + arm * dy, 3, INK)


def draw_gust(world: FloeBridge, picture: Picture) -> None:
    """Streaks of wind that fly over the river: thin before a gust, thick in it."""
    lead, blow = world.gust.lead, world.blow
    if not lead and not blow:
        return
    since = BLOW - blow + SIGN if blow else SIGN - lead
    length, width, alpha = (230, 9, min(0.85, 0.25 + blow / 10)) if blow else (90 + 5 * since, 4, 0.8)
    for k in range(9):
        x, y = (307.0 * k + 26 * since) % 1100 - 200, TOP + 26 + 46 * k
        picture.line(x, y, x + length, y - length / 12, width, 0xFFFFFF, alpha=alpha)


@kept
def draw_banks(picture: Picture) -> None:
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

    picture.polygon([*[(x, y - 5) for x, y in NEAR_SHORE], (800, 600), (0, 600)], 0x0D4A4A)
    picture.polygon([*NEAR_SHORE, (800, 600), (0, 600)], PAPER)
    picture.polygon([*[(x, y + 22) for x, y in NEAR_SHORE], (800, 600), (0, 600)], BLUSH)
    for x, foot, size in PINES:
        for step, colour in enumerate((0x1F4F52, 0x2F6F66)):
            wide, top = (24 - 6 * step) * size, foot - (30 + 26 * step) * size
            picture.polygon(
                [(x - wide, foot - 18 * step * size), (x, top), (x + wide, foot - 18 * step * size)], colour
            )


@kept
def draw_numbers(picture: Picture, ropes: int, spare: int, lost: int, shoves: int) -> None:
    """What is left. Each rope that may be lost is a coil, crossed out once it is."""
    picture.text(346, 564, "shoves left", 13, INK, align="left")
    picture.text(440, 564, "ropes in hand", 13, INK, align="left")
    losable, ink = ("ropes you may lose", INK) if lost < spare else ("no rope may be lost", CRIMSON)
    picture.text(552, 564, losable, 13, ink, bold=lost >= spare, align="left")
    picture.text(346, 585, str(shoves), 18, INK if shoves > MOST / 2 else CRIMSON, bold=True, align="left")
    words = str(ropes) if ropes else "0: cut one"
    picture.text(440, 585, words, 18, INK if ropes else CRIMSON, bold=True, align="left")
    for number in range(spare):
        x, gone = 558 + 22 * number, number >= spare - lost
        picture.ring(x, 585, 5.5, 3.5, 0xC9B6B0 if gone else 0x8A4A1E)
        if gone:
            picture.line(x - 7, 592, x + 7, 578, 3, CRIMSON)


def draw_eddy(picture: Picture, eddy: Eddy) -> None:
    """Foam that curls inwards the way the water turns: small while it gathers, wide while it whirls."""
    grown = 1 + eddy.age / CURL if eddy.age < 0 else 1.0
    shown = clamp((LIFE - eddy.age) / 25, 0, 1) * (0.5 + 0.5 * grown)
    far = 0.34 * WIDE * grown if eddy.age < 0 else WIDE * mix(0.34, 0.62, clamp(eddy.age / 15, 0, 1))
    picture.disc(eddy.x, eddy.y, far * 1.05, 0x073B3A, alpha=0.55 * shown, soft=far * 0.4)
    width = shown * (8 if eddy.age >= 0 else 5)  # it fades by getting thin: a paler arm would look like another thing
    for arm in range(3):
        turn = 0.085 * eddy.turn * (eddy.age + CURL) + arm * TAU / 3
        c, s = far * cos(turn), far * sin(turn)
        bends = [(eddy.x + u * c + v * s * eddy.turn, eddy.y + u * s - v * c * eddy.turn) for u, v in BENDS]
        for (x1, y1), (x2, y2) in pairwise(bends):
            picture.line(x1, y1, x2, y2, width, 0xFFFFFF)


@cache
def outline(corners: tuple[float, ...], r: float, turn: int) -> tuple[list[Point], list[Point]]:
    """A floe's rim and the paper on it, round its middle."""
    ways = [(far * r, TAU * (k / len(corners) + turn / TURNS)) for k, far in enumerate(corners)]
    rim = [(far * cos(way), far * sin(way)) for far, way in ways]
    return rim, [(0.66 * x - 0.7, 0.66 * y - 1) for x, y in rim]


def moved(points: list[Point], x: float, y: float) -> list[Point]:
    return [(x + dx, y + dy) for dx, dy in points]


@kept
def draw_rocks(picture: Picture, rocks: list[tuple[float, float, list[Point], list[Point]]]) -> None:
    for x, y, rim, inner in rocks:
        picture.polygon(moved(rim, x + 1, y + 8), 0x221D33)
        picture.polygon(moved(rim, x, y), SLATE, edge=0x8D86A3, edge_width=2)
        picture.polygon(moved(inner, x, y), STONE)


def draw_floe(world: FloeBridge, picture: Picture, index: int) -> None:
    disc, grip = world.discs[index], f"floe {index}"
    x, y, held = disc.x, disc.y, world.hand.held.get(grip)
    rim, _ = outline(tuple(world.outlines[index]), disc.r, round(atan2(disc.s, disc.c) * TURNS / TAU) % TURNS)
    picture.disc(x + 1, y + 8, 0.97 * disc.r, UNDER)
    picture.polygon(
        [(x + dx, y + dy) for dx, dy in rim], PAPER, edge=GOLD if held else None, edge_width=3, does=Hold(grip)
    )
    picture.disc(x - 1, y - 1, 0.64 * disc.r, BLUSH)
    if held:
        picture.line(*held, world.hand.x, world.hand.y, 3, INK, alpha=0.7)


def draw_rope(world: FloeBridge, picture: Picture, rope: Rope) -> None:
    """Tied to a peg on either side, it thins and reddens as it wears; the dial on it shows what is left."""
    x1, y1, x2, y2 = ends(world.discs, rope)
    pegs = [peg(world.discs[rope.a], x1, y1)]
    pegs += [peg(world.discs[rope.b], x2, y2) if rope.b >= 0 else (x2, y2 + (-PEG if rope.b == FAR else PEG))]
    way = [pegs[0], (x1, y1), (x2, y2), pegs[1]]
    picture.path(way, 13 - 5 * rope.wear, INK)
    picture.path(way, 8 - 4 * rope.wear, mix_colour(0xD89A52, CRIMSON, rope.wear))
    for x, y in pegs:
        picture.box(x, y, 9, 9, INK, radius=2)
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    picture.disc(x, y, 11, INK)
    left = TAU * clamp(1 - rope.wear, 0.02, 1)
    picture.arc(x, y, 5.5, -TAU / 4, left, 9, 0xFFE2A8 if rope.wear < 0.6 else 0xFF7A6A)


def peg(floe: Disc, x: float, y: float) -> Point:
    """Where a rope that comes over its rim there is tied to it."""
    return mix(x, floe.x, PEG / floe.r), mix(y, floe.y, PEG / floe.r)


@kept
def draw_foxes_at_rest(picture: Picture, waiting: int, home: int) -> None:
    for number in range(waiting):
        draw_fox(picture, 150 + 52 * number, 562, 0.0)
    for number in range(home):
        draw_fox(picture, 150 + 52 * number, 90, 0.0)


def draw_runner(world: FloeBridge, picture: Picture) -> None:
    """The fox on the bridge."""
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
