"""How Barley Wind Archery looks: dawn over barley, through which the wind runs in waves."""

from __future__ import annotations

from games.aiming.gust_archery import EYE, GOLD, HITS, LAYERS, NOCK, PITCH, RAIL, Butt, GustArchery, Wind
from games.aiming.gust_archery_forms_look import (
    APART,
    BUTT,
    CREST,
    CRIMSON,
    DYES,
    FIELD,
    FLAGS,
    PAPER,
    PENNANTS,
    SEAMS,
    STRAW,
    WAVE,
)
from games.kit.maths import HALF_PI, TAU, clamp, hypot, mix, sin
from games.kit.picture import Picture, kept
from games.kit.world import TICKS_PER_SECOND, Hold

FOV, FOCAL, DIP = 20, 1701.0, 0.0794  # degrees; px; slope of the camera
DIALS, DIAL_Y = (230.0, 400.0, 570.0), 546.0  # px, their middles
INK, CREAM, TEAL, GLEAM, BRASS = 0x2E1B12, 0xFFF8E2, 0x19B7B4, 0xFFD02E, 0xC99A55
FACE, WOOD, SIGN = 0x26335F, 0x5A3A22, 0xFFEFC2
NAMES = (f"to {LAYERS[0]:.0f} m", f"to {LAYERS[1]:.0f} m", "beyond")
STRIPS = ((29.25,), (34.75, 40.25), (45.75, 51.25, 56.75))  # m: of each reach
SOON = 52.0  # px of the bar on a sign, for each second until the wind that it names
ROWS = 5  # of arrows below a rail


def draw(world: GustArchery, picture: Picture) -> None:
    picture.background(0xEE9B3F, 0xFFF0C4)
    picture.camera((0, EYE, 0), (0, EYE - 50 * DIP, -50), fov=FOV)
    picture.light((0.75, -0.5, -0.45), 0xFFE2B0, ambient=0xA89078)
    picture.fog(0xFFDFA0, 32, 175)
    draw_still(picture, [seat(picture, butt.middle, butt.range) for butt in world.butts])
    for index in range(3):
        draw_dial(world, picture, index)
    draw_quiver(picture, HITS - world.hits, max(0, world.level.spare - world.misses), world.mass())
    for index, wind in enumerate(world.winds):
        draw_wind(world, picture, index, wind)
    draw_range(picture, world.lit().range, world.level.warning)
    draw_butts(world, picture)
    draw_arrow(world, picture)
    draw_bow(world, picture)


def seat(picture: Picture, x: float, far: float) -> tuple[float, float, float]:
    """Where on the screen a place on a butt's rail is, and how many pixels a metre has there."""
    left, top, depth = picture.project((x, 0.62, -far))
    return left, top, FOCAL / depth


@kept
def draw_still(picture: Picture, rails: list[tuple[float, float, float]]) -> None:
    """The field, the rails of the butts, the sun, and the panel without what its dials say."""
    picture.mesh("field", *FIELD[:2], (0, 0, 0), FIELD[2], glow=0.25, casts=False)
    for x, y, size in rails:
        half, top, foot = (RAIL + 0.2) * size, y - 0.2 * size, y + 0.6 * size
        posts = [(x - half, foot), (x - half, top), (x - half, y), (x + half, y), (x + half, top), (x + half, foot)]
        picture.path(posts, 0.13 * size, WOOD)
    picture.glow(262, 150, 120, 0xFFE9A0, alpha=0.6)
    picture.disc(262, 150, 17, 0xFFF7DC, alpha=0.9, soft=4)
    picture.box(400, 547, 800, 108, INK, alpha=0.86)
    picture.box(400, 493, 800, 2, GLEAM, alpha=0.6)
    for index, x in enumerate(DIALS):
        hold, wheel = Hold(f"dial {index}"), ("trim", index)
        picture.box(x, DIAL_Y, 132, 46, 0x42281A, radius=10, edge=BRASS, edge_width=2, does=hold, wheel=wheel)
        picture.text(x, 584, f"◀ back   {index + 1}   on ▶", 14, PAPER)


def draw_wind(world: GustArchery, picture: Picture, index: int, wind: Wind) -> None:
    """Waves through a reach of the barley, the heralds of a jump, the pennant and its plate."""
    (x, far), lead, warning = PENNANTS[index], wind.omen.lead, world.level.warning
    share = 1 - (lead - 1) / warning / TICKS_PER_SECOND if lead else 0.0  # of the warning of a jump
    runs = [(wind.now, 0.5 * wind.blown, CREST, 0.35), (wind.next, wind.next * share * warning, SIGN, 0.45)]
    for blow, way, colour, glow in runs if share else runs[:1]:
        turn = (0.0 if blow > 0 else TAU / 2, 0.0, 0.0)
        for n, strip in enumerate(STRIPS[index]):
            at = ((way + 2 * index + 0.9 * n) % APART - APART / 2, 0.0, -strip)
            picture.mesh("wave", *WAVE[:2], at, colour, turn=turn, glow=glow, casts=False)
    hang = HALF_PI * 0.9 * clamp(1 - abs(wind.now) / 9, 0, 1) + 0.08 * sin(0.35 * world.tick + index)
    turn = (0.0 if wind.now > 0 else TAU / 2, 0.0, -hang)
    picture.mesh(f"flag {index}", FLAGS[index], SEAMS, (x, 5.3, -far), DYES, turn=turn, glow=0.3, casts=False)
    x, foot, depth = picture.project((x, 0, -far))
    now, later = (f"→ {blow:.1f}" if blow > 0 else f"← {-blow:.1f}" for blow in (wind.now, wind.next))
    draw_plate(picture, x, foot, FOCAL / depth, NAMES[index], now)
    if lead:
        draw_sign(picture, x, later, lead / TICKS_PER_SECOND)


def draw_sign(picture: Picture, x: float, later: str, soon: float) -> None:
    """The wind that comes, and the seconds until it does, in figures and as a bar that runs out."""
    picture.box(x, 72, 100, 34, CREAM, radius=7, edge=INK, edge_width=1.5)
    picture.text(x - 19, 67, later, 17, INK, bold=True)
    picture.text(x + 29, 67, f"{soon:.1f} s", 14, CRIMSON, bold=True)
    picture.line(x - 44, 82, x - 44 + SOON * soon, 82, 4, CRIMSON)


@kept
def draw_plate(picture: Picture, x: float, foot: float, size: float, reach: str, now: str) -> None:
    """A mast; on it, above all that the sight can cover, the wind of a reach in figures."""
    picture.line(x, 114, x, foot, 0.1 * size, WOOD)
    picture.box(x, 114, 80, 44, INK, radius=7, edge=BRASS, edge_width=1.5)
    picture.text(x, 106, now, 17, PAPER, bold=True)
    picture.text(x, 126, reach, 13, GLEAM)


def draw_butts(world: GustArchery, picture: Picture) -> None:
    """Butts and their lamps. All lie but the lit one."""
    lit, fall = world.lit(), world.latch / NOCK if world.struck else 0.0
    for butt in world.butts:
        up = HALF_PI * (1 - fall if butt is lit else fall * (butt is world.butts[world.order[world.hits - 1]]))
        at = (butt.x, mix(0.75, GOLD, sin(up)), -butt.range)
        picture.mesh("butt", *BUTT[:2], at, STRAW, turn=(0.0, up, 0.0), glow=0.1, casts=False)
        x, y, size = seat(picture, butt.lamp, butt.range)
        picture.disc(x, y, 0.22 * size, TEAL if butt is lit else WOOD, edge=INK, edge_width=1.5)
    draw_lit(picture, lit, world.level.ring, sin(HALF_PI * (1 - fall)))


def draw_lit(picture: Picture, lit: Butt, gold: float, up: float) -> None:
    """The face of the lit butt, and where its lamp has it soon; where it will turn."""
    _, low, size = seat(picture, lit.x, lit.range)
    x, y, ahead = 400 + lit.x * size, low - (mix(0.75, GOLD, up) - 0.62) * size, 400 + lit.lamp * size
    for radius, colour in ((0.83 * size, FACE), (gold * size, GLEAM)):
        picture.ellipse(x, y, radius, radius * up + 1, colour, edge=INK, edge_width=1.5)
    picture.ring(x, y, 0.97 * size, 3, CREAM)
    picture.ring(ahead, y, gold * size, 2.5, TEAL)
    picture.glow(ahead, low, 20, TEAL, alpha=0.8)
    for row, (_, speed, place) in enumerate(lit.turns):  # chalked by the lamp where it turned, the next one on top
        x, y, long = 400 + place * size, low + 13 + 13 * (row % ROWS), (14 + 6 * abs(speed)) * (1 if speed > 0 else -1)
        picture.polygon([(x, y - 6.5), (x, y + 6.5), (x + long, y)], TEAL, edge=INK, edge_width=1)


@kept
def draw_range(picture: Picture, far: float, ahead: float) -> None:
    """How far the lit butt is, and how far ahead its lamp."""
    picture.box(596, 469, 176, 38, INK, radius=7, edge=TEAL, edge_width=1.5)
    picture.text(596, 461, f"lit butt at {far:.0f} m", 16, PAPER, bold=True)
    picture.text(596, 478, f"its lamp is {ahead:.2f} s ahead", 13, GLEAM)


def draw_arrow(world: GustArchery, picture: Picture) -> None:
    """The arrow on its way, and where the last one went past or in."""
    arrow = world.arrow
    if arrow and arrow.z > 6:
        x, y, _ = picture.project((arrow.x, arrow.y, -arrow.z))
        a, b, _ = picture.project((arrow.x - 0.03 * arrow.vx, arrow.y - 0.03 * arrow.vy, 0.03 * arrow.vz - arrow.z))
        picture.line(a, b, x, y, 4, INK)
        picture.disc(x, y, 4, CREAM, edge=INK, edge_width=1)
    elif world.mark and not arrow:
        x, y, _ = picture.project((world.mark[0], world.mark[1], -world.mark[2]))
        if world.struck:
            picture.ring(x, y, 10 + 1.2 * (NOCK - world.latch), 4, CREAM, alpha=world.latch / NOCK)
        else:
            draw_miss(picture, x, y, *picture.project((100 * world.aim[0], EYE + 100 * world.aim[1], -100))[:2])


@kept
def draw_miss(picture: Picture, x: float, y: float, left: float, top: float) -> None:
    """A cross where an arrow passed, and dots to there from where it set off."""
    for dot in range(1, 6):
        picture.disc(mix(left, x, dot / 6), mix(top, y, dot / 6), 3.5, CREAM, edge=CRIMSON, edge_width=1.5)
    for width, colour in ((6, CREAM), (3, CRIMSON)):
        for side in (-7, 7):
            picture.line(x - 7, y - side, x + 7, y + side, width, colour)


def draw_bow(world: GustArchery, picture: Picture) -> None:
    nocked = world.nocked()
    x, y, _ = picture.project((100 * nocked.vx / nocked.vz, EYE + 100 * nocked.vy / nocked.vz, -100))
    draw_sight(picture, x, y, CRIMSON if world.drawn > 90 else INK)
    pull = 12.0 if world.hand.holds("draw") else 0.0
    picture.path([(310, 488), (345, 468), (400, 460), (455, 468), (490, 488)], 8, WOOD)
    picture.path([(310, 488), (400, 486 + pull), (490, 488)], 1.5, CREAM)
    if not world.arrow and not world.latch:
        away = hypot(x - 400, y - 486 - pull)
        c, s, mass = (x - 400) / away, (y - 486 - pull) / away, world.mass()
        x, y, head = 400 + 74 * c, 486 + pull + 74 * s, 5 + 6 * mass
        picture.line(400, 486 + pull, x, y, 1.5 + 2 * mass, PAPER)
        corners = ((1.6, 0.0), (0.0, 0.7), (0.0, -0.7))
        picture.polygon([(x + head * (a * c - b * s), y + head * (a * s + b * c)) for a, b in corners], INK)


@kept
def draw_sight(picture: Picture, x: float, y: float, colour: int) -> None:
    """Where an arrow sets off to, with a mark for every second click."""
    for width, ink in ((5, CREAM), (2, colour)):
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            picture.line(x + 7 * dx, y + 7 * dy, x + 58 * dx, y + 58 * dy, width, ink)
            for a, b in ((x + 27 * dx, y + 27 * dy), (x + 54 * dx, y + 54 * dy)):
                picture.line(a - 5 * dy, b - 5 * dx, a + 5 * dy, b + 5 * dx, width, ink)
    picture.disc(x, y, 3.5, colour, edge=CREAM, edge_width=1.5)


def draw_dial(world: GustArchery, picture: Picture, index: int) -> None:
    hand, grip = world.hand, f"dial {index}"
    moved = world.room(index, (hand.x - hand.held[grip][0]) / PITCH) if hand.holds(grip) else 0.0
    stuck = [56 * side for side in (-1, 1) if abs(world.room(index, moved + side) - moved) < 0.001]
    draw_face(picture, DIALS[index], world.faces[index] + moved, stuck)


@kept
def draw_face(picture: Picture, x: float, turned: float, stuck: list[int]) -> None:
    """What a dial says. stuck: px to the right, of stops beyond which it cannot be turned."""
    for ridge in range(6):
        place = (ridge * 21 + turned * PITCH) % 126 - 63
        picture.line(x + place, DIAL_Y - 15, x + place, DIAL_Y + 15, 4, 0xE0B468, alpha=1 - abs(place) / 80)
    picture.text(x, 511, f"{turned + 0.0:+.2f}", 15, PAPER, bold=True)
    for side in stuck:
        picture.box(x + side, DIAL_Y, 16, 40, CRIMSON, radius=4, edge=PAPER, edge_width=2)


@kept
def draw_quiver(picture: Picture, needed: int, spare: int, mass: float) -> None:
    for n in range(needed + spare):
        x = 18 + 9.5 * n
        picture.line(x, 522, x, 562, 2.5, 0xB98A4A if n < needed else PAPER)
        if n < needed:
            picture.disc(x, 520, 4, GLEAM)
    picture.text(20, 584, f"{needed} to hit, {spare} spare", 13, PAPER, align="left")
    picture.line(672, 540, 756, 540, 2 + 3 * mass, PAPER)
    picture.polygon([(752, 540 - 10 * mass), (752, 540 + 10 * mass), (752 + 20 * mass, 540)], GLEAM)
    picture.text(720, 584, f"arrow weight {100 * mass:.0f} %", 14, PAPER)
