"""How Two Flocks at Dusk looks."""

from __future__ import annotations

from games.kit.dice import Dice
from games.kit.maths import TAU, atan2, clamp, cos, sin
from games.kit.picture import Picture, kept, mix_colour
from games.kit.world import TICKS_PER_SECOND, Hold
from games.pursuit.dusk_fold import (
    BOTTOM,
    DEEP,
    GAP,
    HALF,
    LASTS,
    LEFT,
    RIGHT,
    TOP,
    DuskFold,
    Sheep,
)

MOSS, SHADE, NIGHT, HEDGE, LEAF = 0x7F8C4E, 0x5C6F3F, 0x2B3140, 0x35472B, 0x4C6236
WOOD, EARTH, STRAW = 0x6E5034, 0xA88D63, 0xFFE9A8
WOOL, TRIM, FACE = (0xF6EBD0, 0x3A3540), (0xD8C49C, 0x17141B), (0x54443A, 0xE2D3BC)  # cream, black
FLOOR = (0xD3BF86, 0x757C78)
AMBER, DARK, PALE, BRASS = 0xFFD23C, 0x2E230C, 0xFFF7E4, 0xE8A526
BOARD = 0xA07C50
BELL = ((-3, 0), (3, 0), (6, 4), (7, 11), (11, 17), (-11, 17), (-7, 11), (-6, 4))  # px, hung from (0, 0)
RAKE = (0.92, 0.39)  # where shadows fall
ALONG = atan2(RAKE[1], RAKE[0])
SUNSETS = 6  # steps in which the ground darkens


def draw(world: DuskFold, picture: Picture) -> None:
    dusk = min(1.0, world.tick / (world.seconds * TICKS_PER_SECOND))
    step = int(dusk * SUNSETS) / SUNSETS
    picture.background(mix_colour(MOSS, NIGHT, 0.4 * step), mix_colour(SHADE, NIGHT, 0.45 * step))
    draw_land(picture, world.pens, world.gaps, world.level.gate, step)
    for black, (right, middle) in enumerate(world.pens):
        own = [sheep.fold == black for sheep in world.flock if sheep.black == black]
        draw_count(picture, black, right, middle, len(own), sum(own))
    draw_flock(world, picture, dusk)
    draw_dog(world, picture, dusk)
    for sheep in world.flock:
        draw_sign(world, picture, sheep)


@kept
def draw_land(
    picture: Picture, pens: list[tuple[int, float]], gaps: list[tuple[float, float]], gate: float, step: float
) -> None:
    """All that stands still while the light lasts."""
    draw_meadow(picture, pens[0], step)
    draw_hedges(picture, gaps, step)
    for black, (right, middle) in enumerate(pens):
        draw_fold(picture, black, right, middle, gate, step)


def draw_meadow(picture: Picture, pen: tuple[int, float], step: float) -> None:
    light, dark = mix_colour(0x87954F, NIGHT, 0.4 * step), mix_colour(0x63773F, NIGHT, 0.45 * step)
    picture.box(400, 328, 790, 530, light, bottom=dark, radius=30, does=Hold("lead"))
    picture.ellipse(60, 60, 520, 300, 0xFFC774, alpha=0.2 + 0.1 * step, soft=300, turn=0.4)
    felt = Dice(pen[0] + int(pen[1]))
    for _ in range(12):
        x, y = felt.between(60, 740), felt.between(110, 550)
        size, tint = felt.pick(((46, 0x98A45A), (59, 0x596B39), (72, 0x8F8A4C), (85, 0x6D8247)))
        picture.ellipse(x, y, size, size * 0.55, tint, turn=felt.between(0, TAU), alpha=0.3, soft=60)
    for _ in range(14):
        x, y, turn = felt.between(50, 750), felt.between(100, 555), felt.between(0, TAU)
        picture.line(x, y, x + 9 * cos(turn), y + 9 * sin(turn), 1.6, felt.pick((0xB9BF78, 0x4E6136)), alpha=0.6)


def draw_hedges(picture: Picture, gaps: list[tuple[float, float]], step: float) -> None:
    dark, leaf = mix_colour(HEDGE, NIGHT, 0.4 * step), mix_colour(LEAF, NIGHT, 0.4 * step)
    for x in (LEFT - 14, RIGHT + 14):
        picture.box(x, 328, 26, 560, dark, radius=12)
    for y in (TOP, BOTTOM):
        start = 0.0
        out = y - 17 if y == TOP else y + 17
        for x in [*sorted(gap[0] for gap in gaps if gap[1] == y), 800 + GAP / 2]:
            end = x - GAP / 2
            picture.box((start + end) / 2, out + (-4 if y == TOP else 4), end - start, 36, dark, radius=12)
            count = int((end - start) // 62) or 1
            for number in range(count):
                at = start + (number + 0.5) * (end - start) / count
                picture.ellipse(at, out, 36, 15 + number * 7 % 5, leaf, soft=10)
            start = x + GAP / 2
    for x, y in gaps:
        picture.ellipse(x, y, GAP / 2 - 2, 30, mix_colour(EARTH, NIGHT, 0.4 * step), alpha=0.85, soft=26)
        for side in (-1, 1):
            picture.line(x + side * 36, y, x + side * 24, y - side * 9, 4, mix_colour(0x6B5038, NIGHT, 0.4 * step))


def draw_fold(picture: Picture, black: int, right: int, middle: float, width: float, step: float) -> None:
    edge, way = (RIGHT, -1) if right else (LEFT, 1)
    gate, gatepost = edge + way * DEEP, width / 2
    shade = 12 + 26 * step
    picture.box(edge + way * DEEP / 2, middle, DEEP, 2 * HALF, mix_colour(FLOOR[black], NIGHT, 0.4 * step), radius=8)
    rails = [(edge, middle - HALF, gate, middle - HALF), (edge, middle + HALF, gate, middle + HALF)]
    rails += [(gate, middle + s * HALF, gate, middle + s * gatepost) for s in (-1, 1)]
    sx, sy = shade * RAKE[0], shade * RAKE[1]
    for x1, y1, x2, y2 in rails:
        picture.polygon([(x1, y1), (x2, y2), (x2 + sx, y2 + sy), (x1 + sx, y1 + sy)], 0x1E2A20, alpha=0.16)
    picture.box(gate, middle, 7, width, DARK)
    for dash in range(-2, 3):
        picture.box(gate, middle + dash * width / 6, 4, width / 11, PALE)
    for x1, y1, x2, y2 in rails:
        picture.line(x1, y1, x2, y2, 11, WOOD)
        picture.line(x1, y1, x2, y2, 7, WOOL[black])
    for post in (HALF, gatepost):
        for side in (-1, 1):
            picture.disc(gate, middle + side * post, 8, WOOL[black], edge=WOOD, edge_width=2.5)


@kept
def draw_count(picture: Picture, black: int, right: int, middle: float, own: int, inside: int) -> None:
    """A board over a fold: a sheep for each of its colour, bright and framed when inside, else faint."""
    x, y = (RIGHT - DEEP / 2 if right else LEFT + DEEP / 2), middle - HALF - 17
    picture.box(x, y, 32 * own + 10, 27, BOARD, radius=7, edge=DARK, edge_width=2)
    for place in range(own):
        at = x + 32 * (place - (own - 1) / 2)
        if place < inside:
            picture.box(at, y, 29, 20, AMBER, radius=6)
        alpha = 1.0 if place < inside else 0.5
        picture.ellipse(at - 2, y, 9, 7, WOOL[black], edge=TRIM[black], edge_width=1.5, alpha=alpha)
        picture.ellipse(at + 8, y - 2, 4.5, 3.5, FACE[black], alpha=alpha)


def draw_flock(world: DuskFold, picture: Picture, dusk: float) -> None:
    alpha, long = 0.36 - 0.12 * dusk, 18 + 44 * dusk
    herd = [sheep for sheep in world.flock if sheep.mood != "away"]
    for sheep in herd:
        x, y, reach = sheep.x + RAKE[0] * long / 2, sheep.y + RAKE[1] * long / 2, 13 * sheep.size
        picture.ellipse(x, y, reach + long / 2, reach * 0.85, 0x16202A, turn=ALONG, alpha=alpha, soft=8)
    for number, sheep in enumerate(herd):
        draw_sheep(world, picture, sheep, number)


def draw_sheep(world: DuskFold, picture: Picture, sheep: Sheep, number: int) -> None:
    size, black, x, y = sheep.size, sheep.black, sheep.x, sheep.y
    turn = atan2(sheep.vy + 0.1 * sin(sheep.whim), sheep.vx + 0.1 * cos(sheep.whim))
    fx, fy = cos(turn), sin(turn)
    picture.ellipse(x, y, 16 * size, 12.5 * size, WOOL[black], turn=turn, edge=TRIM[black], edge_width=2.5)
    curl = mix_colour(WOOL[black], 0xFFFFFF, 0.5 if not black else 0.14)
    picture.ellipse(x - 3 * size, y - 4 * size, 9 * size, 5 * size, curl, turn=turn, soft=6)
    up = world.who >= 0 and world.flock[world.who] is sheep
    if up or sheep.mood:
        fx, fy = cos(sheep.aim), sin(sheep.aim)
    nod = 14 + (3 if up else sin(world.tick * 0.12 + number))
    hx, hy = x + fx * nod * size, y + fy * nod * size
    picture.ellipse(hx, hy, 7.5 * size, 5.5 * size, FACE[black], turn=atan2(fy, fx), edge=TRIM[1 - black], edge_width=1)


def draw_sign(world: DuskFold, picture: Picture, sheep: Sheep) -> None:
    """A badge over a raised head announces what comes; what goes on shows at the sheep itself."""
    if sheep.mood == "away":
        x, y, way, wool = sheep.x, sheep.y, 1 if sheep.y < 300 else -1, WOOL[sheep.black]
        picture.ellipse(x, y, 10, 13, wool, edge=TRIM[sheep.black], edge_width=2, alpha=0.6)
        picture.ellipse(x, y + 12 * way, 5, 6.5, FACE[sheep.black], alpha=0.8)
        picture.arc(x, y, 22, -TAU / 4, TAU * (1 - sheep.left / LASTS["away"]), 4, STRAW)
    elif world.who >= 0 and world.flock[world.who] is sheep:
        draw_badge(world, picture, sheep)
    else:
        draw_mood(world, picture, sheep)


def draw_badge(world: DuskFold, picture: Picture, sheep: Sheep) -> None:
    """Arrow, square or bell on yellow at the end of a stem, before the raised head; the rim is the time left."""
    x, y, ax, ay = sheep.x, sheep.y, cos(sheep.aim), sin(sheep.aim)
    far = 50 if world.plan == "balk" else 62
    for wide, colour in ((8, DARK), (5, AMBER)):
        picture.line(x + ax * 26, y + ay * 26, x + ax * (far - 12), y + ay * (far - 12), wide, colour)
    x, y = clamp(x + ax * far, 19, 781), clamp(y + ay * far, 67, 581)
    picture.disc(x, y, 15, AMBER, edge=DARK, edge_width=2.5)
    picture.arc(x, y, 18, -TAU / 4, TAU * world.omen.lead / world.level.warning, 4, 0xFFF7DA)
    if world.plan == "bolt":
        picture.line(x - ax * 9, y - ay * 9, x, y, 5, DARK)
        picture.polygon([(x + ax * 12, y + ay * 12), (x - ay * 9, y + ax * 9), (x + ay * 9, y - ax * 9)], DARK)
    elif world.plan == "balk":
        picture.box(x, y, 10, 10, DARK)
    else:
        draw_bell(picture, x, y - 10, 0.8, 0.2 * sin(0.25 * world.tick), DARK)


def draw_bell(picture: Picture, x: float, y: float, size: float, swing: float, colour: int) -> None:
    """A bell that hangs from a place; swing: radians, its clapper lags behind."""
    down, aside = cos(swing) * size, sin(swing) * size
    picture.disc(x + 19 * sin(0.5 * swing) * size, y + 18.5 * size, 4 * size, DARK)
    picture.polygon(
        [(x + px * down - py * aside, y + px * aside + py * down) for px, py in BELL], colour, edge=DARK, edge_width=1.5
    )


def draw_mood(world: DuskFold, picture: Picture, sheep: Sheep) -> None:
    """Streaks behind a bolt, pegs around a balk, a bell at a leader's neck and hooks that go ahead of it."""
    x, y, size, ax, ay = sheep.x, sheep.y, sheep.size, cos(sheep.aim), sin(sheep.aim)
    if sheep.mood == "bolt":
        for aside, far in ((-9, 34), (0, 44), (9, 34)):
            sx, sy = x - ay * aside - ax * 20, y + ax * aside - ay * 20
            picture.line(sx, sy, sx - ax * (far - 20), sy - ay * (far - 20), 3, PALE, alpha=0.75)
    elif sheep.mood == "balk":
        for px, py in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            cx, cy = x + 21 * px, y + 21 * py
            picture.path([(cx - 10 * px, cy), (cx, cy), (cx, cy - 10 * py)], 4, PALE)
    elif sheep.mood == "lead":
        for far in (34, 45, 56):
            tip, wing = far + world.tick % 22 / 2, far + world.tick % 22 / 2 - 6
            ends = [(x + ax * wing - ay * side, y + ay * wing + ax * side) for side in (-6, 6)]
            picture.path([ends[0], (x + ax * tip, y + ay * tip), ends[1]], 3, PALE)
        nx, ny, swing = x + ax * 10 * size, y + ay * 10 * size, 0.6 * sin(0.22 * world.tick)
        picture.line(nx - ay * 8, ny + ax * 8, nx + ay * 8, ny - ax * 8, 5, 0xE2604C)
        draw_bell(picture, nx, ny, 1.0, swing, BRASS)
        for side in (0.0, TAU / 2):
            picture.arc(nx, ny + 11, 19, side - 0.4, 0.8, 2.5, PALE, alpha=0.4 + 0.6 * abs(swing))


def draw_dog(world: DuskFold, picture: Picture, dusk: float) -> None:
    dog, long = world.dog, 18 + 44 * dusk
    x, y = dog.x, dog.y
    turn = world.facing
    fx, fy = cos(turn), sin(turn)
    picture.ring(x, y, world.reach(), 2.5, 0xFFF3CF, alpha=0.45)
    sx, sy = x + RAKE[0] * long / 2, y + RAKE[1] * long / 2
    picture.ellipse(sx, sy, 14 + long / 2, 9, 0x16202A, turn=ALONG, alpha=0.34, soft=8)
    picture.line(x - fx * 14, y - fy * 14, x - fx * 26 - fy * 4, y - fy * 26 + fx * 4, 5, 0xF4EDE0)
    picture.ellipse(x, y, 18, 9.5, 0x8A4B25, turn=turn, edge=0x3C2012, edge_width=2.5, does=Hold("dog"))
    picture.ellipse(x + fx * 9, y + fy * 9, 5, 8.5, 0xD8402F, turn=turn)
    picture.ellipse(x + fx * 18, y + fy * 18, 9, 6.5, 0xA45E30, turn=turn, edge=0x3C2012, edge_width=2)
    picture.ellipse(x + fx * 22, y + fy * 22, 5, 3, 0xF4EDE0, turn=turn)
    for side in (-1, 1):
        picture.ellipse(x + fx * 15 - fy * 6 * side, y + fy * 15 + fx * 6 * side, 4.5, 3, 0x3C2012, turn=turn + side)
    if world.loud:
        draw_bark(world, picture, turn)


def draw_bark(world: DuskFold, picture: Picture, turn: float) -> None:
    """Sound before the muzzle and a word in a bubble, as long as no other bark can follow."""
    x, y = world.dog.x, world.dog.y
    for wave in range(3):
        picture.arc(x, y, 36 + 9 * wave, turn - 0.45, 0.9, 3.5, PALE, alpha=1.0 if world.loud // 4 % 3 != wave else 0.4)
    bx, by = clamp(x, 44, 756), y - 46 if y > 130 else y + 46
    picture.box(bx, by, 62, 24, PALE, radius=11, edge=DARK, edge_width=2)
    picture.text(bx, by, "Woof!", 15, DARK, bold=True)
