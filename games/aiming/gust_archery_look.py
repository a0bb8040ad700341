"""How Barley Wind Archery looks: dawn over barley, through which the wind runs in waves."""

from __future__ import annotations

from games.aiming.gust_archery import EYE, GOLD, HITS, LAYERS, NOCK, PITCH, RAIL, Butt, GustArchery, Wind
from games.kit.dice import Dice
from games.kit.forms import Form
from games.kit.maths import HALF_PI, TAU, clamp, cos, hypot, sin
from games.kit.picture import Picture
from games.kit.world import TICKS_PER_SECOND, Hold

FOV, FOCAL, DIP = 20, 1701.0, 0.0794  # degrees; px; slope of the camera
DIALS, DIAL_Y = (230.0, 400.0, 570.0), 546.0  # px, their middles
CODES = ("QA", "WS", "ED")
INK, PAPER, CREAM, TEAL, CRIMSON, GLEAM, BRASS = 0x2E1B12, 0xFFF4DC, 0xFFF8E2, 0x19B7B4, 0xA62B2B, 0xFFD02E, 0xC99A55
FACE, FACE_DIM, GOLD_DIM, STRAW, WOOD = 0x26335F, 0x8C7457, 0xA98D62, 0xB98A4A, 0x5A3A22
BARLEY, CREST, SIGN = (0xD29A3C, 0xDEAA4A, 0xC48A31), (0xF3CC72, 0xEBBE5E), (0xFFF4D0, 0xFFE9B0)
PENNANTS = ((5.9, 29.0), (-6.0, 38.0), (7.2, 52.0))  # m: to the right, away
REACHES = ((26.5, LAYERS[0]), LAYERS, (LAYERS[1], 58.0))
WAVES, APART = 3, 9.0  # of a reach; m from one to the next


def teeth(dice: Dice, spots: list[tuple[float, float, float, float]], colours: tuple[int, ...], lean: float) -> Form:
    """Ears of barley: x, z, height and width of each, leaning to the right."""
    corners, paints = [], []
    for x, z, high, wide in spots:
        tip = x + lean * high + dice.between(-0.3, 0.3) * wide
        corners += [(x - wide / 2, 0.0, z), (x + wide / 2, 0.0, z), (tip, high, z)]
        paints.append(dice.pick(colours))
    return tuple(corners), tuple((n, n + 1, n + 2) for n in range(0, len(corners), 3)), tuple(paints)


def field(dice: Dice) -> Form:
    """All the barley that stands still, and the hills."""
    spots, far = [], 64.0
    while far > 26:
        wide, half = 0.011 * far, 0.25 * far + 1
        for n in range(int(2 * half / wide)):
            spots.append((n * wide - half, -far - dice.between(0, 1), 0.38 + dice.between(0, 0.25), 1.5 * wide))
        far -= 1.2 + 0.02 * far
    hills = [
        (dice.between(-60, 60), -dice.between(170, 240), dice.between(3, 9), dice.between(40, 80)) for _ in range(9)
    ]
    first, second = teeth(dice, hills, (0xB5793C, 0xA56C38), 0.0), teeth(dice, spots, BARLEY, 0.1)
    shift = len(first[0])
    faces = first[1] + tuple((a + shift, b + shift, c + shift) for a, b, c in second[1])
    return first[0] + second[0], faces, first[2] + second[2]


def wave(dice: Dice, reach: tuple[float, float], colours: tuple[int, ...], high: float) -> Form:
    """A crest of bent ears across a reach, around its own middle."""
    spots = []
    for row in range(5):
        far = reach[1] - (row + 0.5) * (reach[1] - reach[0]) / 5
        for n in range(-4, 5):
            x = 0.3 * n + dice.between(-0.1, 0.1) + 0.5 * sin(1.3 * row)
            spots.append((x, -far, high * cos(0.3 * n), 0.5))
    return teeth(dice, spots, colours, 0.5)


DICE = Dice.named("barley")
FIELD = field(DICE)
WAVE = [wave(DICE, reach, CREST, 0.8) for reach in REACHES]
HERALD = [wave(DICE, reach, SIGN, 0.85) for reach in REACHES]
FLAG: Form = (
    ((0, 0.36, 0), (0, -0.36, 0), (0.8, -0.25, 0), (0.8, 0.25, 0), (1.5, 0.14, 0), (1.5, -0.14, 0), (2.3, 0, 0)),
    ((0, 1, 2), (0, 2, 3), (3, 2, 5), (3, 5, 4), (4, 5, 6)),
    (CRIMSON, CRIMSON, PAPER, PAPER, CRIMSON),
)


def draw(world: GustArchery, picture: Picture) -> None:
    picture.background(0xEE9B3F, 0xFFF0C4)
    picture.camera((0, EYE, 0), (0, EYE - 50 * DIP, -50), fov=FOV)
    picture.light((0.75, -0.5, -0.45), 0xFFE2B0, ambient=0xA89078)
    picture.fog(0xFFDFA0, 32, 175)
    picture.solid("plane", (0, 0, -120), (260, 0, 240), 0xA8752C, casts=False)
    picture.mesh("field", *FIELD[:2], (0, 0, 0), FIELD[2], glow=0.25, casts=False)
    for index, wind in enumerate(world.winds):
        draw_wind(world, picture, index, wind)
    for butt in world.butts:
        draw_butt(world, picture, butt)
    picture.glow(640, 150, 120, 0xFFE9A0, alpha=0.6)
    picture.disc(640, 150, 17, 0xFFF7DC, alpha=0.9, soft=4)
    draw_lit(world, picture)
    draw_arrow(world, picture)
    draw_sight(world, picture)
    for index, wind in enumerate(world.winds):
        draw_plate(world, picture, index, wind)
    draw_panel(world, picture)


def coming(world: GustArchery, wind: Wind) -> float:
    """Share of the warning that has passed before a jump of the wind; 0 if none is announced."""
    return 1 - (wind.omen.lead - 1) / world.level.warning / TICKS_PER_SECOND if wind.omen.lead else 0.0


def draw_wind(world: GustArchery, picture: Picture, index: int, wind: Wind) -> None:
    """Waves through a reach of the barley, the heralds of a jump, and the pennant."""
    span, share = WAVES * APART, coming(world, wind)
    runs = [("wave", WAVE[index], wind.now, 0.5 * wind.blown, 0.35)]
    if share:
        runs.append(("herald", HERALD[index], wind.next, wind.next * share * world.level.warning, 0.45))
    for name, form, blow, way, glow in runs:
        for n in range(WAVES):
            x = (n * APART + way + 2 * index) % span - span / 2
            yaw, z = (0.0, 0.0) if blow > 0 else (TAU / 2, -REACHES[index][0] - REACHES[index][1])
            picture.mesh(f"{name} {index}", *form[:2], (x, 0, z), form[2], turn=(yaw, 0, 0), glow=glow, casts=False)
    x, far = PENNANTS[index]
    picture.solid("cylinder", (x, 1.6, -far), (0.1, 3.2, 0.1), WOOD)
    hang = HALF_PI * 0.9 * clamp(1 - abs(wind.now) / 9, 0, 1) + 0.08 * sin(0.35 * world.tick + index)
    picture.mesh("flag", *FLAG[:2], (x, 2.9, -far), FLAG[2], turn=(0 if wind.now > 0 else TAU / 2, 0, -hang), glow=0.3)


def draw_butt(world: GustArchery, picture: Picture, butt: Butt) -> None:
    lit, z = butt is world.lit(), -butt.range
    picture.solid("box", (butt.middle, 0.62, z), (2 * RAIL + 0.4, 0.12, 0.12), WOOD, casts=False)
    for side in (-1, 1):
        picture.solid("box", (butt.middle + side * (RAIL + 0.2), 0.42, z), (0.16, 0.84, 0.16), WOOD, casts=False)
    fall = world.latch / NOCK if world.struck else 0.0
    up = HALF_PI * (1 - fall if lit else fall * (butt is world.butts[world.order[world.hits - 1]]))  # others lie
    turn, c, s, ring = (0.0, up, 0.0), cos(up), sin(up), 2 * world.level.ring
    y, (face, gold) = 0.75 + (GOLD - 0.75) * s, (FACE, GLEAM) if lit else (FACE_DIM, GOLD_DIM)
    picture.solid("cylinder", (butt.x, y, z), (1.9, 0.3, 1.9), STRAW, turn=turn)
    for off, wide, colour, glow in ((0.16, 1.66, face, 0.3), (0.2, ring, gold, 0.9 * lit)):
        at = (butt.x, y + off * c, z + off * s)
        picture.solid("cylinder", at, (wide, 0.04, wide), colour, turn=turn, glow=glow, casts=False)
    picture.solid(
        "ball", (butt.lamp, 0.62, z + 0.3), (0.4, 0.4, 0.4), TEAL if lit else WOOD, glow=0.8 * lit, casts=False
    )


def said(wind: float) -> str:
    return f"→ {wind:.1f}" if wind > 0 else f"← {-wind:.1f}"


def draw_plate(world: GustArchery, picture: Picture, index: int, wind: Wind) -> None:
    """The wind of a reach in figures, and the one that comes, with the time that is left until then."""
    x, far = PENNANTS[index]
    x, y, _ = picture.project((x, 3.5, -far))
    share = coming(world, wind)
    picture.box(x, y, 76, 26, INK, radius=7, edge=BRASS, edge_width=1.5)
    picture.text(x, y, said(wind.now), 17, PAPER, bold=True)
    if share:
        picture.box(x, y - 30, 98, 28, CREAM, radius=7, edge=INK, edge_width=1.5)
        picture.text(x - 10, y - 30, said(wind.next), 17, INK, bold=True)
        picture.arc(x + 35, y - 30, 5, -HALF_PI, TAU * (1 - share), 6, CRIMSON)


def draw_lit(world: GustArchery, picture: Picture) -> None:
    """The rings of the lit butt, now and where its lamp has it soon; where it will turn; its range."""
    butt = world.lit()
    x, y, depth = picture.project((butt.x, GOLD, -butt.range + 0.2))
    picture.ring(x, y, 0.98 * FOCAL / depth, 3, CREAM)
    picture.ring(x, y, world.level.ring * FOCAL / depth, 1.5, INK)
    ahead, _, _ = picture.project((butt.lamp, GOLD, -butt.range + 0.2))
    picture.ring(ahead, y, world.level.ring * FOCAL / depth, 2.5, TEAL)
    picture.glow(ahead, y + 0.78 * FOCAL / depth, 18, TEAL, alpha=0.8)
    for _, speed, place in butt.turns:  # chalked by the lamp where it turned
        x, y, _ = picture.project((place, 0.62, -butt.range + 0.2))
        long = (5 + 4 * abs(speed)) * (1 if speed > 0 else -1)
        picture.polygon([(x, y + 5), (x, y + 17), (x + long, y + 11)], TEAL, edge=INK, edge_width=1)
    x, y, _ = picture.project((butt.middle + RAIL + 0.5, 0.62, -butt.range))
    picture.box(x + 32, y, 60, 26, INK, radius=7, edge=TEAL, edge_width=1.5)
    picture.text(x + 32, y, f"{butt.range:.0f} m", 17, PAPER, bold=True)


def draw_arrow(world: GustArchery, picture: Picture) -> None:
    """The arrow on its way, and where the last one went past or in."""
    arrow = world.arrow
    if arrow and arrow.z > 6:
        x, y, _ = picture.project((arrow.x, arrow.y, -arrow.z))
        before = 2.5 / arrow.vz
        a, b, _ = picture.project((arrow.x - arrow.vx * before, arrow.y - arrow.vy * before, 2.5 - arrow.z))
        picture.line(a, b, x, y, 4, INK)
        picture.disc(x, y, 4, CREAM, edge=INK, edge_width=1)
    elif world.mark and not arrow:
        x, y, _ = picture.project((world.mark[0], world.mark[1], -world.mark[2]))
        if world.struck:
            picture.ring(x, y, 10 + 1.2 * (NOCK - world.latch), 4, CREAM, alpha=world.latch / NOCK)
        else:
            for side in (-7, 7):
                picture.line(x - 7, y - side, x + 7, y + side, 6, CREAM)
            for side in (-7, 7):
                picture.line(x - 7, y - side, x + 7, y + side, 3, CRIMSON)


def draw_sight(world: GustArchery, picture: Picture) -> None:
    """Where the arrow points as it leaves, with a mark for every second click; and the bow."""
    nocked = world.nocked()
    drift, height = nocked.vx / nocked.vz, nocked.vy / nocked.vz
    x, y, _ = picture.project((100 * drift, EYE + 100 * height, -100))
    colour = CRIMSON if world.drawn > 90 else INK
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        for more, width, ink in ((1.5, 5.0, CREAM), (0.0, 2.0, colour)):
            picture.line(x + (7 - more) * dx, y + (7 - more) * dy, x + 58 * dx, y + 58 * dy, width, ink)
            for far in (27, 54):
                a, b, half = x + far * dx, y + far * dy, 5 + more
                picture.line(a - half * dy, b - half * dx, a + half * dy, b + half * dx, width, ink)
    picture.disc(x, y, 3.5, colour, edge=CREAM, edge_width=1.5)
    pull = 12.0 if world.hand.holds("draw") else 0.0
    picture.path([(310, 488), (345, 468), (400, 460), (455, 468), (490, 488)], 8, WOOD)
    picture.path([(310, 488), (400, 486 + pull), (490, 488)], 1.5, CREAM)
    if not world.arrow and not world.latch:
        away = hypot(x - 400, y - 486 - pull)
        c, s, mass = (x - 400) / away, (y - 486 - pull) / away, world.mass()
        tip, head = (400 + 74 * c, 486 + pull + 74 * s), 5 + 6 * mass
        picture.line(400, 486 + pull, *tip, 1.5 + 2 * mass, PAPER)
        corners = ((head * 1.6, 0.0), (0.0, head * 0.7), (0.0, -head * 0.7))
        picture.polygon([(tip[0] + a * c - b * s, tip[1] + a * s + b * c) for a, b in corners], INK)


def draw_panel(world: GustArchery, picture: Picture) -> None:
    picture.box(400, 547, 800, 108, INK, alpha=0.86)
    picture.box(400, 493, 800, 2, GLEAM, alpha=0.6)
    for index, x in enumerate(DIALS):
        grip, wheel = f"dial {index}", ("trim", index)
        asked = (world.hand.x - world.hand.held[grip][0]) / PITCH if world.hand.holds(grip) else 0.0
        moved = world.room(index, asked)
        turned = world.faces[index] + moved
        picture.box(
            x, DIAL_Y, 132, 46, WOOD, bottom=0x2A1A10, radius=10, edge=BRASS, edge_width=2, does=Hold(grip), wheel=wheel
        )
        for ridge in range(7):
            place = (ridge * 18 + turned * PITCH) % 126 - 63
            picture.line(x + place, DIAL_Y - 15, x + place, DIAL_Y + 15, 4, 0xE0B468, alpha=1 - abs(place) / 80)
        picture.text(x, 511, f"{turned + 0.0:+.2f}", 15, PAPER, bold=True)
        picture.text(x, 584, f"{index + 1}", 15, GLEAM, bold=True)
        for side, code in ((-1, f"◀ {CODES[index][1]}"), (1, f"{CODES[index][0]} ▶")):
            stuck = abs(world.room(index, moved + side) - moved) < 0.001
            picture.text(x + 46 * side, 584, "end" if stuck else code, 14, GLEAM if stuck else PAPER, bold=stuck)
            if stuck:
                picture.box(x + 56 * side, DIAL_Y, 16, 40, CRIMSON, radius=4, edge=PAPER, edge_width=2)
    needed, spare = HITS - world.hits, world.level.spare - world.misses
    for n in range(needed + max(0, spare)):
        x = 18 + 9.5 * n
        picture.line(x, 522, x, 562, 2.5, 0xB98A4A if n < needed else PAPER)
        if n < needed:
            picture.disc(x, 520, 4, GLEAM)
    picture.text(20, 584, f"{needed} to hit, {max(0, spare)} spare", 13, PAPER, align="left")
    mass = world.mass()
    picture.line(672, 540, 756, 540, 2 + 3 * mass, PAPER)
    picture.polygon([(752, 540 - 10 * mass), (752, 540 + 10 * mass), (752 + 20 * mass, 540)], GLEAM)
    picture.text(720, 584, f"arrow {100 * mass:.0f} %", 14, PAPER)
