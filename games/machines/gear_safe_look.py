"""How Gear Safe looks."""

from __future__ import annotations

from games.kit.maths import TAU, cos, hypot, sin
from games.kit.picture import Picture, kept, mix_colour
from games.kit.world import TICKS_PER_SECOND, Hold
from games.machines.gear_safe import BOLTS, CLUTCH, LATCH, SLIDE, Gear, GearSafe

Frame = tuple[float, float, int, float]  # of a gear: its middle (px), its teeth, the angle of its pointer
MOTOR = (88.0, 524.0)  # px
BARS, BAR = 6, 0.5  # of speed; teeth a second that each stands for, rounded
PULL = 74  # px, that the knob comes down

BOTTLE, DEEP, GREEN, INK, CREAM, RED = 0x14503C, 0x051A12, 0x3C8C6E, 0x03100B, 0xFFF3D2, 0xE4573D
BRASS = [  # of every other gear: shades from light to dark, edge, web
    ([mix_colour(face, edge, shade / 8) for shade in range(9)], edge, web)
    for face, edge, web in ((0xD0A14C, 0x8A6426, 0x4E3612), (0xB98A3F, 0x77551F, 0x432E0F))
]


def draw(world: GearSafe, picture: Picture) -> None:
    module, taut, opened = world.level.module, world.motor.lead > 0, world.drawn == BOLTS
    frames = [(gear.x, gear.y, gear.teeth, gear.pointer) for gear in world.gears]
    picture.background(BOTTLE, DEEP)
    draw_vault(picture, world.level.warning)
    draw_belt(picture, frames[0], taut)
    draw_beds(picture, frames, module, world.level.tolerance * TAU / 360)
    sliding = world.drawn and world.latch > LATCH - SLIDE and not world.missed and not world.verdict
    draw_pins(picture, world.misses, world.level.tries)
    if sliding:
        draw_bolts(picture, world.drawn, (LATCH - world.latch) / SLIDE)
    else:
        still_bolts(picture, world.drawn, 1.0)
    shown = (world.latch, world.hand.holds("clutch"), world.missed, opened)
    (draw_clutch if world.latch else still_clutch)(picture, *shown)
    draw_motor(world, picture)
    for index, gear in enumerate(world.gears):
        draw_teeth(picture, module, index, gear.x, gear.y, gear.teeth, gear.angle(world.turned))
    draw_rims(picture, frames, module)
    draw_choice(world, picture)
    for index, gear in enumerate(world.gears):
        draw_mark(world, picture, index, gear)
    for index, angle in enumerate(world.landed):
        gear = world.gears[index]
        draw_landed(picture, gear, module, angle, world.within(gear, angle))
        if index == world.knocked:
            picture.box(gear.x, gear.y, 68, 20, INK, radius=6, edge=RED, edge_width=2)
            picture.text(gear.x, gear.y, "KNOCKED", 11, CREAM, bold=True)


@kept
def draw_vault(picture: Picture, warning: float) -> None:
    """All that never changes: the vault, the motor's housing, the slots of bolts and clutch."""
    picture.shadow(350, 330, 652, 524, radius=34, blur=20, alpha=0.6)
    picture.box(350, 326, 652, 524, 0x0E3A2B, radius=34, bottom=0x08251B, edge=0x2C7358, edge_width=2)
    picture.glow(230, 130, 420, 0x4A7A4A, alpha=0.35)
    for radius, alpha in ((252, 0.5), (240, 0.9), (150, 0.5), (60, 0.5)):
        picture.ring(350, 326, radius, 2, 0x1F5A45, alpha=alpha)
    for corner in ((42, 82), (42, 570), (658, 82), (658, 570)):
        picture.disc(*corner, 7, 0x1E5A45, edge=GREEN, edge_width=1.5)
    x, y = MOTOR
    picture.shadow(x + 38, y + 14, 196, 100, radius=20, blur=14, alpha=0.5)
    picture.box(x + 38, y + 8, 192, 96, 0x1B4B3A, radius=18, bottom=0x0C2A20, edge=GREEN, edge_width=2)
    picture.text(x + 90, y - 27, "bar: ½ tooth/s", 11, CREAM)
    picture.text(x + 38, y + 44, f"taut {warning:.2f} s before change", 12, CREAM)
    x, y = CLUTCH
    picture.box(790, 324, 20, 552, INK, bottom=0x020806)
    picture.box(x, y + 57, 84, 214, 0x1B4B3A, radius=18, bottom=0x0C2A20, edge=GREEN, edge_width=2)
    picture.box(x, y + 55, 16, 150, INK, radius=8)
    picture.ring(x, y, 39, 2, CREAM, alpha=0.5)


@kept
def draw_belt(picture: Picture, driver: Frame, taut: bool) -> None:
    """Slack, but taut and bright before a change."""
    x, y = MOTOR
    ex, ey = driver[0] - x, driver[1] - y
    far = hypot(ex, ey)
    for side in (-1, 1):
        run = []
        for share in (0, 0.15, 0.3, 0.5, 0.7, 0.85, 1):
            off = side * (22 - (0 if taut else 60 * share * (1 - share))) / far
            run.append((x + share * ex - off * ey, y + share * ey + off * ex))
        picture.path(run, 9, INK, alpha=0.7)
        picture.path(run, 6, CREAM if taut else 0x8A5A34)
    picture.disc(x, y, 28, INK, edge=0xB98A3F, edge_width=3)


@kept
def draw_beds(picture: Picture, frames: list[Frame], module: float, wide: float) -> None:
    """What lies below the gears, and their pointers, each with its arc."""
    for index, (x, y, teeth, pointer) in enumerate(frames):
        radius, tip, hole = module * teeth, module * (teeth + 1.5), 0.6 * module * (teeth - 1.9)
        picture.shadow(x + 3, y + 10, 2 * radius, 2 * radius, radius=radius, blur=22, alpha=0.6)
        picture.ring(x, y, (tip + hole) / 2, tip - hole, INK, alpha=0.3, does=Hold(f"gear {index}"))
        picture.ring(x, y, tip - 1, 2, 0x5FA383, alpha=0.5)
        picture.disc(x, y, hole + 6, INK, alpha=0.75)
        picture.arc(x, y, tip + 7, pointer - wide, 2 * wide, 7, INK, alpha=0.8)
        picture.arc(x, y, tip + 7, pointer - wide, 2 * wide, 4, CREAM, alpha=0.75)
        c, s = direction(pointer)
        bx, by = x + (tip + 33) * c, y + (tip + 33) * s
        corners = [(bx - 20 * c, by - 20 * s), (bx - 11 * s, by + 11 * c), (bx + 11 * s, by - 11 * c)]
        picture.polygon(corners, RED, edge=CREAM, edge_width=2)


def draw_motor(world: GearSafe, picture: Picture) -> None:
    """Its turning pulley, and bars that show how fast, but not which way."""
    x, y = MOTOR
    for spoke in range(3):
        c, s = direction(world.turned * TAU / 6 + spoke * TAU / 3)
        picture.disc(x + 16 * c, y + 16 * s, 5, CREAM if spoke else RED)
    lit = round(abs(world.rate) * TICKS_PER_SECOND / BAR)
    for bar in range(BARS):
        high = 12 + 5 * bar
        colour, edge = (0xFFD873, 0x4E3612) if bar < lit else (0x06160F, GREEN)
        picture.box(x + 51 + 13 * bar, y + 26 - high / 2, 9, high, colour, radius=2, edge=edge, edge_width=1.5)


def draw_teeth(picture: Picture, module: float, index: int, x: float, y: float, teeth: int, angle: float) -> None:
    """The turning parts of a gear: its teeth, of which one is enamelled, and its spokes."""
    shades, edge, web = BRASS[index % 2]
    root, tip = module * (teeth - 1.9), module * (teeth + 1.5)
    middle, long, wide, hole = (root + tip) / 2 - 4, tip - root + 8, 2.75 * module, root * 0.6
    (c, s), (dc, ds), turn, grip = direction(angle), direction(TAU / teeth), angle, Hold(f"gear {index}")
    face = CREAM
    for _ in range(teeth):
        at = (x + middle * c, y + middle * s)
        picture.box(*at, long, wide, face, radius=4, turn=turn, edge=web, edge_width=1.5, does=grip)
        c, s, turn = c * dc - s * ds, s * dc + c * ds, turn + TAU / teeth
        face = shades[int(4.5 + 1.6 * c + 2.8 * s)]
    (c, s), (dc, ds) = direction(angle), FIFTH
    for _ in range(5):
        picture.line(x, y, x + hole * c, y + hole * s, 1.3 * module, edge)
        c, s = c * dc - s * ds, s * dc + c * ds


@kept
def draw_rims(picture: Picture, frames: list[Frame], module: float) -> None:
    """What of the gears looks alike however they turn."""
    for index, (x, y, teeth, _) in enumerate(frames):
        shades, edge, web = BRASS[index % 2]
        root = module * (teeth - 1.9)
        hole = root * 0.6
        picture.ring(x, y, (root + hole) / 2, root - hole + 4, shades[0], does=Hold(f"gear {index}"))
        picture.ring(x, y, root - 2, 2, edge)
        picture.ring(x, y, hole + 2, 3, web)
        picture.disc(x, y, 1.9 * module, shades[0], edge=edge, edge_width=3)
        picture.disc(x, y, 0.8 * module, web)
        picture.glow(x - root * 0.4, y - root * 0.5, root, 0xFFE2A0, alpha=0.16)


def draw_choice(world: GearSafe, picture: Picture) -> None:
    """A ring in the gear that the hand holds or is at: bright if held or chosen by a verb, else thin."""
    hand, module = world.hand, world.level.module
    held = [name for name in hand.held if name.startswith("gear")]
    for index, gear in enumerate(world.gears):
        root = module * (gear.teeth - 1.9)
        if f"gear {index}" in held or (not held and hypot(gear.x - hand.x, gear.y - hand.y) < root):
            bright = held or world.keyed
            picture.ring(gear.x, gear.y, root * 0.6 + 9, 4 if bright else 1.5, CREAM, alpha=0.95 if bright else 0.6)


def draw_mark(world: GearSafe, picture: Picture, index: int, gear: Gear) -> None:
    """A gear's enamel dot, and a ring where a slip or a drag under way will have brought it."""
    x, y, module, angle = gear.x, gear.y, world.level.module, gear.angle(world.turned)
    reach, pitch, grip = module * gear.teeth, TAU / gear.teeth, f"gear {index}"
    ends = angle + pitch * gear.owed
    if grip in world.hand.held:
        ends += pitch * world.dragged(gear, world.hand.held[grip], (world.hand.x, world.hand.y))
    if gear.owed or grip in world.hand.held:
        c, s = direction(ends)
        picture.ring(x + reach * c, y + reach * s, module + 4, 7, INK)
        picture.ring(x + reach * c, y + reach * s, module + 4, 3, CREAM)
    c, s = direction(angle)
    dx, dy = x + reach * c, y + reach * s
    picture.disc(dx, dy, 0.85 * module, RED, edge=INK, edge_width=2)
    if world.lined(gear):
        wide = world.level.tolerance * TAU / 360
        picture.arc(x, y, module * (gear.teeth + 1.5) + 7, gear.pointer - wide, 2 * wide, 4, CREAM)
        picture.glow(dx, dy, 5 * module, CREAM, alpha=0.8)
        picture.line(dx - 2.2 * module, dy, dx + 2.2 * module, dy, 2.5, 0xFFFFFF)
        picture.line(dx, dy - 2.2 * module, dx, dy + 2.2 * module, 2.5, 0xFFFFFF)


def draw_landed(picture: Picture, gear: Gear, module: float, angle: float, within: bool) -> None:
    """Where a mark was at a miss: a cross for outside its arc, a tick for within."""
    c, s = direction(angle)
    far = module * (gear.teeth + 1.5) + 7
    x, y = gear.x + far * c, gear.y + far * s
    picture.disc(x, y, 12, CREAM if within else RED, edge=INK, edge_width=2)
    for run in [[(-6, 0), (-2, 5), (6, -5)]] if within else [[(-5, -5), (5, 5)], [(-5, 5), (5, -5)]]:
        picture.path([(x + dx, y + dy) for dx, dy in run], 3.5, INK)


def draw_bolts(picture: Picture, drawn: int, slid: float) -> None:
    """slid: the share of its way that the last one drawn has gone. All drawn: light at the door's edge."""
    if drawn == BOLTS:
        picture.box(789, 324, 22, 552, 0xFFF8DC, bottom=0xFFE2A0)
        picture.glow(784, 324, 270, 0xFFE9A8, alpha=0.55)
    for index in range(BOLTS):
        out = 0.0 if index >= drawn else slid if index == drawn - 1 else 1.0
        x, y = 746 - 34 * out, 104 + 56 * index
        picture.shadow(x, y + 5, 96, 34, radius=12, blur=10, alpha=0.5)
        picture.box(x, y, 96, 34, 0xE2BC6A, radius=10, bottom=0x7A5820, edge=0x4E3612, edge_width=2)
        picture.box(724, y, 58, 46, 0x1B4B3A, radius=8, bottom=0x0C2A20, edge=GREEN, edge_width=2)
        picture.disc(724, y, 8, CREAM if out else INK, edge=0xB98A3F, edge_width=2)
        picture.glow(724, y, 24, CREAM, alpha=0.7 * out)


@kept
def draw_pins(picture: Picture, misses: int, tries: int) -> None:
    """One for each miss still borne, broken ones first."""
    for index in range(tries):
        x = CLUTCH[0] + (index - (tries - 1) / 2) * 18
        if index < misses:
            picture.line(x, 550, x, 542, 6, RED)
            picture.line(x + 5, 531, x + 3, 524, 6, RED)
        else:
            picture.line(x, 522, x, 550, 6, 0xD0A14C)


def draw_clutch(picture: Picture, latch: int, held: bool, missed: bool, opened: bool) -> None:
    """The knob, dark and ringed by what is left until it is home after a release."""
    (x, top), left = CLUTCH, latch / LATCH
    y = top + PULL * (1.0 if held else left)
    face, cap, told = (0xD0A14C, 0xF3D690, "CLUTCH") if not left else (0x2A3A32, 0x14201A, "WAIT")
    picture.shadow(x, y + 8, 76, 76, radius=38, blur=14, alpha=0.6)
    picture.disc(x, y, 37, face, edge=0x4E3612, edge_width=3, does=Hold("clutch"))
    picture.disc(x, y, 25, cap, edge=0x8A6426, edge_width=2)
    if left:
        picture.arc(x, y, 31, -TAU / 4, TAU * left, 7, RED if missed else CREAM)
    if left and missed:
        for side in (-8, 8):
            picture.line(x - 8, y - side, x + 8, y + side, 5, RED)
    elif not left:
        picture.glow(x - 10, y - 12, 24, 0xFFFFFF, alpha=0.5)
    picture.text(x, top + 140, "OPEN" if opened else told, 13, CREAM, bold=True, alpha=0.85)


def direction(angle: float) -> tuple[float, float]:
    return cos(angle), sin(angle)


FIFTH = direction(TAU / 5)
still_bolts, still_clutch = kept(draw_bolts), kept(draw_clutch)
