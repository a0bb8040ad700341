"""How Flare Grill looks."""

from __future__ import annotations

from games.kit.maths import TAU, clamp, cos, hypot, sin
from games.kit.picture import Picture, kept, mix_colour
from games.kit.world import TICKS_PER_SECOND, Hold
from games.kitchen.grill import (
    AIR,
    BOTTOM,
    COLUMNS,
    FLAME,
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
    heat,
)

GLOW = [mix_colour(mix_colour(0x1C1210, 0xD9481A, i / 12), 0xFFDC98, i / 8 - 1.5) for i in range(21)]
RAW = [mix_colour(0xFFC6BA, 0xC48A4A, i / 24) for i in range(25)]  # up to the band
BROWN = [mix_colour(0x8F4D1E, 0x4A200C, i / 8) for i in range(9)]  # across the band
BOUND, EATEN, FIRE = 0xFFE08A, 0xFF5A4A, 0xFF8A2A  # of what is right; of that, what has passed; of flares
COALS = [(75.5 + 74.2 * (i % 7), 103 + 62 * (i // 7) + i * 5 % 11 - 5, i * 2.3) for i in range(35)]  # px, angle


def draw(world: Grill, picture: Picture) -> None:
    picture.background(0x2A1C16, 0x0D0908)
    draw_kitchen(picture, world.level.band, world.level.scorch, world.ruined)
    spots = tuple((2 * int(spot.x / 2), 2 * int(spot.y / 2)) for spot in world.spots)
    draw_coals(picture, world.level.reach, spots, world.tick // 20 % 4)
    for spot in world.spots:
        flicker = 0.6 + 0.1 * sin(world.tick * 0.13 + spot.x) + 0.08 * sin(world.tick * 0.31 + spot.y)
        picture.glow(spot.x, spot.y, 60, 0xE8641C, alpha=flicker)
    draw_bars(picture)
    for spot in world.spots:
        draw_flare(world, picture, spot)
    lifted = [index for index in range(len(world.pieces)) if world.lifted(index)]
    for index in sorted(range(len(world.pieces)), key=lifted.count):
        draw_piece(world, picture, index, world.pieces[index], *world.where(index))
    for spot in world.spots:
        draw_hiss(world, picture, spot)
    x, y, tick = world.ash
    age = (world.tick - tick) / TICKS_PER_SECOND
    if age < 1:
        picture.disc(x, y - 30 * age, 26 + 30 * age, 0x050403, alpha=0.9 * (1 - age), soft=30)


@kept
def draw_kitchen(picture: Picture, band: float, scorch: float, ruined: int) -> None:
    draw_grate(picture)
    draw_board(picture)
    draw_plate(picture)
    draw_scale(picture, band, scorch, ruined)


def draw_grate(picture: Picture) -> None:
    x, y, wide, high = (LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2, RIGHT - LEFT, BOTTOM - TOP
    picture.shadow(x, y + 14, wide + 36, high + 34, radius=24, blur=34, alpha=0.8)
    picture.box(x, y, wide + 34, high + 30, 0x4A423E, radius=20, bottom=0x1B1715, edge=0x5F5550, edge_width=1.5)
    picture.box(x, y, wide + 10, high + 6, 0x0B0605, radius=9, bottom=0x240C06)


@kept
def draw_coals(picture: Picture, reach: float, spots: tuple[tuple[float, float], ...], phase: int) -> None:
    """As hot as they are, but for a pixel or two, and for their glimmer, half of them at a time."""
    for number, (left, top, tilt) in enumerate(COALS):
        colour = GLOW[int(clamp(heat(spots, reach, left, top) * 16 + (3 * number + phase) // 2 % 2, 0, 20))]
        picture.box(left, top, 66, 57, colour, radius=20, turn=tilt, bottom=0x140A07)


@kept
def draw_bars(picture: Picture) -> None:
    x, wide = (LEFT + RIGHT) / 2, RIGHT - LEFT + 4
    for number in range(13):
        picture.box(x, TOP + 12 + number * 24, wide, 7, 0x8B7E76, radius=3, bottom=0x14100E)


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
    """Gold for each part that is within the band, and red for how far it has passed through it.

    Inside for the side above, outside for the one below.
    """
    band = world.level.band
    low = 1 - band / 2
    for side, reach in ((piece.up, radius - 4), (1 - piece.up, radius + 8)):
        done = [(part, (brown - low) / band) for part, brown in enumerate(piece.sides[side]) if brown >= low]
        gap = 0.16 if len(done) < 4 else 0
        for part, passed in done:
            start = piece.corner(part) * TAU / 4 + 0.08
            eaten = (TAU / 4 - 0.16) * min(passed, 1) if passed > 0.04 else 0
            if eaten:
                picture.arc(x, y, reach, start, eaten, 6, EATEN)
            if eaten + gap < TAU / 4 - 0.16 or not gap:
                picture.arc(x, y, reach, start + eaten, TAU / 4 - gap - eaten, 6, BOUND)


def draw_barred(world: Grill, picture: Picture, index: int) -> None:
    """A ring with a bar across, on the pick of a piece in the hand where it has no room: its sides stay in sight."""
    hand, grip = world.hand, f"piece {index}"
    x, y, reach = hand.x, hand.y, max(world.level.pick - 4, 14)
    command = ("lay", index, x, y) if world.tongs == index else world.let(grip, hand.held[grip], (x, y))
    barred = command and command[0] == "lay" and not world.room(*command[1:])
    for wide, colour in ((8, 0x1A0E08), (4.5, 0xFF5A4A)) if barred else ():
        picture.ring(x, y, reach, wide, colour)
        picture.line(x - 0.7 * reach, y + 0.7 * reach, x + 0.7 * reach, y - 0.7 * reach, wide, colour)


def draw_piece(world: Grill, picture: Picture, index: int, piece: Piece, x: float, y: float) -> None:
    on, lifted = piece.place == "grate", world.lifted(index)
    radius = RADII[piece.kind] * (0.8 if piece.place == "plate" else 1)
    seen, below = (tuple(tint(brown, world.level.band) for brown in side) for side in piece.sides[:: 1 - 2 * piece.up])
    grip = None if piece.place == "plate" else Hold(f"piece {index}")
    flip, spin = (("flip", index), ("turn", index)) if on else (None, None)
    scorch, corners = sum(piece.sides[piece.up]) / 4, tuple(piece.corner(part) * TAU / 4 for part in range(4))
    picture.shadow(x + 2, y + 6 + 16 * lifted, 2 * radius + 10, 2 * radius + 10, radius=radius, blur=16, alpha=0.8)
    (draw_body if on or lifted else draw_still)(picture, x, y, radius, 2 * piece.kind, seen, below, corners, scorch)
    if on and not lifted:
        rise, fume = (world.tick * 0.6 + index * 17) % 40, sum(piece.sides[1 - piece.up]) / 4
        x_fume = x + 8 * sin(world.tick * 0.05 + index)
        picture.ellipse(x_fume, y - 20 - rise, 20, 34, 0xFFF2E6, alpha=fume * (0.4 - rise * 0.01), soft=30)
    if on:
        draw_marks(world, picture, piece, x, y, radius)
    if on and piece.air:
        picture.arc(x, y, radius + 12, -TAU / 4, TAU * (1 - piece.air / AIR), 3, 0xBFE6FF, alpha=0.9)
    pick = world.level.pick
    picture.disc(x, y + 1, pick + 2, 0x1A0E08, alpha=0.6)
    picture.disc(x, y, pick, 0x353B45, edge=0xF6E9D2, edge_width=1.5, does=grip, right=flip, wheel=spin)
    if world.tongs == index:
        for side in (-1, 1):
            picture.line(x + side * (radius + 5), y + 4, x + 60 + side * 6, y - 110, 7, 0xC9C4BE)
    if lifted:
        draw_barred(world, picture, index)


def draw_body(
    picture: Picture,
    x: float,
    y: float,
    radius: float,
    thick: float,
    seen: tuple[int, ...],
    below: tuple[int, ...],
    corners: tuple[float, ...],
    scorch: float,
) -> None:
    """A piece, with the colours of its parts on the side above and on the rim, and how scorched it is."""
    picture.disc(x, y + 1 + thick, radius + 8, 0x2A150B)
    picture.disc(x, y, radius + 7, below[0])
    picture.disc(x, y, radius, seen[0])
    for part in range(1, 4):
        if below[part] != below[0]:
            picture.arc(x, y, radius + 3, corners[part], TAU / 4, 8, below[part])
        if seen[part] != seen[0]:
            picture.arc(x, y, radius / 2, corners[part], TAU / 4, radius, seen[part])
    picture.ring(x, y, radius - 1, 3, 0x2A1206, alpha=0.45)
    base = corners[0]
    for vein in (0.35, 0.55, 0.8) if scorch < 0.5 else ():
        picture.arc(x, y, radius * vein, base + vein * 9, 1.5, 3.5, 0xFFF6EC, alpha=0.6 * (1 - 2 * scorch))
    for stripe in (-0.5, 0, 0.5) if scorch > 0.5 else ():
        dx, dy = cos(base) * radius, sin(base) * radius
        sx, sy, reach = x - stripe * dy, y + stripe * dx, 0.8 - abs(stripe) * 0.3
        line = (sx - reach * dx, sy - reach * dy, sx + reach * dx, sy + reach * dy)
        picture.line(*line, 5, 0x2A1206, alpha=clamp(scorch - 0.5, 0, 0.5) * 0.8)
    picture.glow(x - radius * 0.3, y - radius * 0.4, radius * 0.75, 0xFFF4E4, alpha=0.22)


draw_still = kept(draw_body)


def draw_board(picture: Picture) -> None:
    x, y = (LEFT + RIGHT) / 2, ROWS[3]
    picture.shadow(x, y + 10, 554, 134, radius=18, blur=26, alpha=0.7)
    picture.box(x, y, 554, 134, 0x7A5436, radius=18, bottom=0x472D1B, edge=0x93683F, edge_width=2)
    for number, column in enumerate(COLUMNS):
        picture.line(LEFT, y - 52 + 26 * number, RIGHT, y - 50 + 26 * number, 1.5, 0x3B2415, alpha=0.5)
        picture.disc(column, y, 50, 0x2E1C11, edge=0x8A6040, edge_width=2)


def draw_scale(picture: Picture, band: float, scorch: float, ruined: int) -> None:
    """How brown is right: the band, with its bounds; what a flare adds; and what has been ruined."""
    low, high = 1 - band / 2, 1 + band / 2
    scale = ((0, low, "raw", RAW[24], RAW[0]), (low, high, "", BROWN[8], BROWN[0]), (high, 1.4, "burnt", 0, 0))
    picture.box(612, 498, 32, 136, 0x3A2A21, radius=6)
    for start, end, word, top, bottom in scale:
        middle = 562 - 92 * (start + end) / 2
        picture.box(612, middle, 24, 92 * (end - start), top, bottom=bottom)
        picture.text(640, min(middle, 504), word, 14, 0xB8A896, align="left")
    picture.text(640, 470, "serve", 16, BOUND, align="left", bold=True)
    for bound in (low, high):
        y = 562 - 92 * bound
        picture.line(596, y, 630, y, 2, BOUND)
        picture.path(((630, y), (636, 470)), 1.5, BOUND, alpha=0.8)
    picture.box(647, 562 - 46 * scorch, 12, 92 * scorch, 0xFFE7A0, bottom=FIRE)
    picture.text(660, 552, "a flare", 14, FIRE, align="left")
    picture.text(740, 446, "ruined", 15, 0xEADCC8)
    for number in range(RUINS):
        lost = number < ruined
        picture.disc(740, 472 + 17 * number, 7, 0x050403, edge=0xFF5A3C if lost else 0x4A3A32, edge_width=2.5)


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
