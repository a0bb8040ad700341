"""How Flare Grill looks."""

from __future__ import annotations

from games.kit.maths import TAU, clamp, cos, hypot, sin
from games.kit.picture import Picture, mix_colour
from games.kit.world import TICKS_PER_SECOND, Hold
from games.kitchen.grill import (
    AIR,
    BOTTOM,
    COLUMNS,
    FLAME,
    HEARTH,
    HIGH,
    LEFT,
    PLATE,
    RADII,
    RIGHT,
    ROWS,
    RUINS,
    TOP,
    WIDE,
    Grill,
    Piece,
    Spot,
)

GLOW = [mix_colour(mix_colour(0x1C1210, 0xD9481A, i / 12), 0xFFC46A, i / 8 - 1.5) for i in range(21)]
RAW = [mix_colour(0xF4B3A4, 0xD39C63, i / 24) for i in range(25)]  # up to the band
BROWN = [mix_colour(0x9A5624, 0x542710, i / 8) for i in range(9)]  # across the band
BOUND = 0xFFE08A  # of what is right
COALS = [(68 + 65.5 * (i % 8), 103 + 62 * (i // 8) + i * 5 % 11 - 5, i * 2.3) for i in range(40)]  # px, angle


def draw(world: Grill, picture: Picture) -> None:
    picture.background(0x2A1C16, 0x0D0908)
    draw_grate(picture)  # what never changes comes first
    draw_board(picture)
    draw_plate(picture)
    draw_scale(world, picture)
    draw_coals(world, picture)
    lifted = [index for index in range(len(world.pieces)) if world.lifted(index)]
    for index in sorted(range(len(world.pieces)), key=lifted.count):
        draw_piece(world, picture, index, world.pieces[index], *world.where(index))
    for spot in world.spots:
        draw_hiss(world, picture, spot)
    x, y, tick = world.ash
    age = (world.tick - tick) / TICKS_PER_SECOND
    if age < 1:
        picture.disc(x, y - 30 * age, 26 + 30 * age, 0x050403, alpha=0.9 * (1 - age), soft=30)


def draw_grate(picture: Picture) -> None:
    x, y, wide, high = (LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2, RIGHT - LEFT, BOTTOM - TOP
    picture.shadow(x, y + 14, wide + 36, high + 34, radius=24, blur=34, alpha=0.8)
    picture.box(x, y, wide + 34, high + 30, 0x4A423E, radius=20, bottom=0x1B1715, edge=0x5F5550, edge_width=1.5)
    picture.box(x, y, wide + 10, high + 6, 0x0B0605, radius=9, bottom=0x240C06)


def draw_coals(world: Grill, picture: Picture) -> None:
    """The coals, as hot as they are, and the bars above them."""
    for number, (left, top, tilt) in enumerate(COALS):
        heat = world.heat(left, top) + 0.0025 * abs((world.tick + 23 * number) % 80 - 40)
        colour = GLOW[int(clamp(heat * 16, 0, 20))]
        picture.box(left, top, 60, 52, colour, radius=20, turn=tilt, bottom=0x140A07)
    for spot in world.spots:
        flicker = 0.62 + 0.05 * sin(world.tick * 0.23 + spot.x)
        edge = 48 + min(spot.x - HEARTH[0], HEARTH[2] - spot.x, spot.y - HEARTH[1], HEARTH[3] - spot.y)
        picture.glow(spot.x, spot.y, min(world.level.reach * 0.7, edge + 12), 0xE8641C, alpha=flicker)
    for number in range(13):
        picture.box(
            (LEFT + RIGHT) / 2, TOP + 12 + number * 24, RIGHT - LEFT + 4, 7, 0x8B7E76, radius=3, bottom=0x14100E
        )
    for spot in world.spots:
        draw_flare(world, picture, spot)


def draw_flare(world: Grill, picture: Picture, spot: Spot) -> None:
    blaze = clamp(hypot(spot.dx, spot.dy) / 4, 0, 1)
    if blaze > 0.05:
        for tongue in (-1, 1, 0):
            x = spot.x + 15 * tongue + 4 * sin(world.tick * 0.5 + tongue * 2)
            high = (34 - 10 * abs(tongue)) * blaze
            picture.ellipse(x, spot.y - high * 0.6, 12, high, 0xFF8A2A, alpha=0.75 * blaze, soft=12)
            picture.ellipse(x, spot.y - high * 0.3, 6, high * 0.6, 0xFFE7A0, alpha=0.85 * blaze, soft=7)


def draw_hiss(world: Grill, picture: Picture, spot: Spot) -> None:
    """What will be licked, and how soon: the ring runs out until the flare."""
    if not spot.omen.lead:
        return
    picture.glow(spot.x, spot.y, 40, 0xFFF2C0, alpha=0.75 if spot.omen.lead & 4 else 0.4)
    for spark in range(6):
        rise = (world.tick * 2 + spark * 7) % 24
        x, y = spot.x + (12 + rise) * cos(spark * 1.9), spot.y + (9 + rise) * sin(spark * 1.9)
        picture.disc(x, y, 3.6 - rise * 0.09, 0xFFF0B8)
    picture.ring(spot.x, spot.y, FLAME, 6, 0x2A0C04, alpha=0.6)
    picture.arc(spot.x, spot.y, FLAME, -TAU / 4, TAU * spot.omen.lead / world.level.hiss, 3.5, 0xFFF6D8)


def tint(brown: float, band: float) -> int:
    """The colour of a part, which turns dark at the band."""
    low = 1 - band / 2
    return RAW[int(brown / low * 24)] if brown < low else BROWN[min(8, int((brown - low) / band * 8))]


def draw_marks(world: Grill, picture: Picture, piece: Piece, x: float, y: float, radius: float) -> None:
    """Gold for each part that is within the band: inside for the side above, outside for the one below."""
    low = 1 - world.level.band / 2
    for side, reach in ((piece.up, radius - 3), (1 - piece.up, radius + 8)):
        done = [part for part in range(4) if piece.sides[side][part] >= low]
        if len(done) == 4:
            picture.ring(x, y, reach, 3.5, BOUND)
        for part in done if len(done) < 4 else ():
            picture.arc(x, y, reach, piece.corner(part) * TAU / 4 + 0.12, TAU / 4 - 0.24, 3.5, BOUND)


def draw_piece(world: Grill, picture: Picture, index: int, piece: Piece, x: float, y: float) -> None:
    on, lifted = piece.place == "grate", world.lifted(index)
    radius = RADII[piece.kind] * (0.8 if piece.place == "plate" else 1)
    seen, below = ([tint(brown, world.level.band) for brown in piece.sides[side]] for side in (piece.up, 1 - piece.up))
    grip = None if piece.place == "plate" else Hold(f"piece {index}")
    flip, spin = (("flip", index), ("turn", index)) if on else (None, None)
    picture.shadow(x + 2, y + 6 + 16 * lifted, 2 * radius + 10, 2 * radius + 10, radius=radius, blur=16, alpha=0.8)
    picture.disc(x, y + 1 + 2 * piece.kind, radius + 8, 0x2A150B)
    picture.disc(x, y, radius + 7, below[0])
    picture.disc(x, y, radius, seen[0])
    for part in range(1, 4):
        start = piece.corner(part) * TAU / 4
        if below[part] != below[0]:
            picture.arc(x, y, radius + 3, start, TAU / 4, 8, below[part])
        if seen[part] != seen[0]:
            picture.arc(x, y, radius / 2, start, TAU / 4, radius, seen[part])
    picture.ring(x, y, radius - 1, 3, 0x2A1206, alpha=0.45)
    scorch, base = clamp(sum(piece.sides[piece.up]) / 4, 0, 1), piece.corner(0) * TAU / 4
    for vein in (0.35, 0.55, 0.8) if scorch < 0.9 else ():
        picture.arc(x, y, radius * vein, base + vein * 9, 1.5, 3.5, 0xFFF6EC, alpha=0.6 * (1 - scorch))
    for stripe in (-0.5, 0, 0.5) if scorch > 0.1 else ():
        dx, dy = cos(base) * radius, sin(base) * radius
        sx, sy, reach = x - stripe * dy, y + stripe * dx, 0.8 - abs(stripe) * 0.3
        line = (sx - reach * dx, sy - reach * dy, sx + reach * dx, sy + reach * dy)
        picture.line(*line, 5, 0x2A1206, alpha=0.4 * scorch)
    picture.glow(x - radius * 0.3, y - radius * 0.4, radius * 0.75, 0xFFF4E4, alpha=0.22)
    if on and not lifted:
        rise, fume = (world.tick * 0.6 + index * 17) % 40, sum(piece.sides[1 - piece.up]) / 4
        x_fume = x + 8 * sin(world.tick * 0.05 + index)
        picture.ellipse(x_fume, y - 20 - rise, 20, 34, 0xFFF2E6, alpha=fume * (0.4 - rise * 0.01), soft=30)
    if on:
        draw_marks(world, picture, piece, x, y, radius)
    if on and piece.air:
        picture.arc(x, y, radius + 12, -TAU / 4, TAU * (1 - piece.air / AIR), 2.5, 0xBFE6FF, alpha=0.8)
    picture.disc(x + 1, y + 3, world.level.pick + 1, 0x1A0E08, alpha=0.6, soft=4)
    picture.disc(x, y, world.level.pick, 0x353B45, edge=0xF6E9D2, edge_width=1.5, does=grip, right=flip, wheel=spin)
    if world.tongs == index:
        for side in (-1, 1):
            picture.line(x + side * (radius + 5), y + 4, x + 60 + side * 6, y - 110, 7, 0xC9C4BE)


def draw_board(picture: Picture) -> None:
    x, y = (LEFT + RIGHT) / 2, ROWS[3]
    picture.shadow(x, y + 10, 554, 134, radius=18, blur=26, alpha=0.7)
    picture.box(x, y, 554, 134, 0x7A5436, radius=18, bottom=0x472D1B, edge=0x93683F, edge_width=2)
    for number, column in enumerate(COLUMNS):
        picture.line(LEFT, y - 52 + 26 * number, RIGHT, y - 50 + 26 * number, 1.5, 0x3B2415, alpha=0.5)
        picture.disc(column, y, 50, 0x2E1C11, edge=0x8A6040, edge_width=2)


def draw_scale(world: Grill, picture: Picture) -> None:
    """How brown is right: the band, with its bounds; and what has been ruined."""
    low, high = 1 - world.level.band / 2, 1 + world.level.band / 2
    scale = ((0, low, "raw", RAW[24], RAW[0]), (low, high, "", BROWN[8], BROWN[0]), (high, 1.4, "burnt", 0, 0))
    picture.box(612, 498, 32, 136, 0x3A2A21, radius=6)
    for start, end, word, top, bottom in scale:
        middle = 562 - 92 * (start + end) / 2
        picture.box(612, middle, 24, 92 * (end - start), top, bottom=bottom)
        picture.text(640, middle, word, 14, 0xB8A896, align="left")
    picture.text(640, 470, "serve", 16, BOUND, align="left", bold=True)
    for bound in (low, high):
        y = 562 - 92 * bound
        picture.line(596, y, 630, y, 2, BOUND)
        picture.path(((630, y), (636, 470)), 1.5, BOUND, alpha=0.8)
    picture.text(740, 446, "ruined", 15, 0xEADCC8)
    for number in range(RUINS):
        lost = number < world.ruined
        picture.disc(740, 474 + 28 * number, 10, 0x050403, edge=0xFF5A3C if lost else 0x4A3A32, edge_width=2.5)


def draw_plate(picture: Picture) -> None:
    (x, y), wide, high = PLATE, WIDE - 4, HIGH - 4  # what falls just beside it counts
    x += 2  # clear of the grate
    picture.shadow(x, y + 10, wide - 8, high, radius=62, blur=20, alpha=0.7)
    picture.box(x, y, wide, high, 0xF3ECE0, radius=62, bottom=0xA79B8B)
    picture.box(x, y, wide - 36, high - 36, 0xB9AE9E, radius=46, bottom=0xECE4D8)
    picture.box(x, y + 3, wide - 44, high - 44, 0xDAD1C4, radius=42, bottom=0xE6DED2)
    for leaf in range(5):
        picture.ellipse(x + 26 + 9 * leaf, y + 126 - leaf * 7 % 12, 11, 6, 0x3F6B2A, turn=leaf * 1.3)
    picture.disc(x + 36, y + 138, 17, 0xF2CE45, edge=0xFFF3B0, edge_width=3)
