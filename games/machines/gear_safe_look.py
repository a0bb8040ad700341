"""How Gear Safe looks."""

from __future__ import annotations

from games.kit.maths import TAU, cos, hypot, sin
from games.kit.picture import Picture, mix_colour
from games.kit.world import Hold
from games.machines.gear_safe import BOLTS, CLUTCH, LATCH, SLIDE, Gear, GearSafe

MOTOR = (88.0, 532.0)  # px
PULL = 74  # px, that the knob comes down

BOTTLE, DEEP, GREEN, INK, CREAM, RED = 0x14503C, 0x051A12, 0x3C8C6E, 0x03100B, 0xFFF3D2, 0xE4573D
BRASS = [  # of every other gear: shades from light to dark, edge, web
    ([mix_colour(face, edge, shade / 8) for shade in range(9)], edge, web)
    for face, edge, web in ((0xD0A14C, 0x8A6426, 0x4E3612), (0xB98A3F, 0x77551F, 0x432E0F))
]


def draw(world: GearSafe, picture: Picture) -> None:
    picture.background(BOTTLE, DEEP)
    picture.shadow(350, 330, 652, 524, radius=34, blur=20, alpha=0.6)
    picture.box(350, 326, 652, 524, 0x0E3A2B, radius=34, bottom=0x08251B, edge=0x2C7358, edge_width=2)
    picture.glow(230, 130, 420, 0x4A7A4A, alpha=0.35)
    for radius, alpha in ((252, 0.5), (240, 0.9), (150, 0.5), (60, 0.5)):
        picture.ring(350, 326, radius, 2, 0x1F5A45, alpha=alpha)
    for x, y in ((42, 82), (42, 570), (658, 82), (658, 570)):
        picture.disc(x, y, 7, 0x1E5A45, edge=GREEN, edge_width=1.5)
    draw_motor(world, picture)
    for index, gear in enumerate(world.gears):
        radius, tip = world.level.module * gear.teeth, world.level.module * (gear.teeth + 1.5)
        hole = 0.6 * world.level.module * (gear.teeth - 1.9)
        picture.shadow(gear.x + 3, gear.y + 10, 2 * radius, 2 * radius, radius=radius, blur=22, alpha=0.6)
        picture.ring(gear.x, gear.y, (tip + hole) / 2, tip - hole, INK, alpha=0.3, does=Hold(f"gear {index}"))
        picture.ring(gear.x, gear.y, tip - 1, 2, 0x5FA383, alpha=0.5)
    for index, gear in enumerate(world.gears):
        draw_gear(world, picture, index, gear)
        draw_mark(world, picture, index, gear)
    draw_bolts(world, picture)
    draw_clutch(world, picture)


def draw_motor(world: GearSafe, picture: Picture) -> None:
    """The motor, its gauge, and the belt: slack, but taut before a change."""
    (x, y), driver, taut = MOTOR, world.gears[0], world.motor.lead > 0
    picture.shadow(x + 30, y + 6, 180, 84, radius=20, blur=14, alpha=0.5)
    picture.box(x + 30, y, 176, 80, 0x1B4B3A, radius=18, bottom=0x0C2A20, edge=GREEN, edge_width=2)
    ex, ey = driver.x - x, driver.y - y
    far = hypot(ex, ey)
    for side in (-1, 1):
        run = []
        for share in (0, 0.15, 0.3, 0.5, 0.7, 0.85, 1):
            off = side * (22 - (0 if taut else 60 * share * (1 - share))) / far
            run.append((x + share * ex - off * ey, y + share * ey + off * ex))
        picture.path(run, 9, INK, alpha=0.7)
        picture.path(run, 6, CREAM if taut else 0x8A5A34)
    picture.disc(x, y, 28, INK, edge=0xB98A3F, edge_width=3)
    for spoke in range(3):
        c, s = direction(world.turned * TAU / 6 + spoke * TAU / 3)
        picture.disc(x + 16 * c, y + 16 * s, 5, 0xD0A14C)
    x += 78
    picture.disc(x, y, 31, CREAM, edge=0xB98A3F, edge_width=4)
    for tick in range(-2, 3):
        c, s = direction(tick * 0.55 - TAU / 4)
        picture.line(x + 20 * c, y + 20 * s, x + 25 * c, y + 25 * s, 2, INK)
    c, s = direction(world.rate / world.level.rate * 1440 - TAU / 4)  # to 1.1 at full speed
    picture.line(x, y, x + 22 * c, y + 22 * s, 3.5, RED)
    picture.disc(x, y, 5, INK)


def draw_gear(world: GearSafe, picture: Picture, index: int, gear: Gear) -> None:
    module, x, y = world.level.module, gear.x, gear.y
    shades, edge, web = BRASS[index % 2]
    root, tip, angle = module * (gear.teeth - 1.9), module * (gear.teeth + 1.5), gear.angle(world.turned)
    middle, long, wide, hole = (root + tip) / 2 - 4, tip - root + 8, 2.75 * module, root * 0.6
    (c, s), (dc, ds), turn, grip = direction(angle), direction(TAU / gear.teeth), angle, Hold(f"gear {index}")
    for step in range(gear.teeth):
        face = shades[int(4.5 + 1.6 * c + 2.8 * s)] if step else CREAM
        at = (x + middle * c, y + middle * s)
        picture.box(*at, long, wide, face, radius=4, turn=turn, edge=web, edge_width=1.5, does=grip)
        c, s, turn = c * dc - s * ds, s * dc + c * ds, turn + TAU / gear.teeth
    picture.disc(x, y, hole + 6, INK, alpha=0.75)
    for spoke in range(5):
        c, s = direction(angle + spoke * TAU / 5)
        picture.line(x, y, x + hole * c, y + hole * s, 1.3 * module, edge)
    picture.ring(x, y, (root + hole) / 2, root - hole + 4, shades[0], does=grip)
    picture.ring(x, y, root - 2, 2, edge)
    picture.ring(x, y, hole + 2, 3, web)
    picture.disc(x, y, 1.9 * module, shades[0], edge=edge, edge_width=3)
    picture.disc(x, y, 0.8 * module, web)
    picture.glow(x - root * 0.4, y - root * 0.5, root, 0xFFE2A0, alpha=0.16)
    held = [name for name in world.hand.held if name.startswith("gear")]
    if grip.grip in held or (not held and hypot(x - world.hand.x, y - world.hand.y) < root):
        picture.ring(x, y, hole + 9, 3, CREAM, alpha=0.9)


def draw_mark(world: GearSafe, picture: Picture, index: int, gear: Gear) -> None:
    """A gear's enamel dot, the pointer with its arc, and where a drag under way would put the dot."""
    x, y, module, angle, lined = gear.x, gear.y, world.level.module, gear.angle(world.turned), world.lined(gear)
    reach, tip, wide = module * gear.teeth, module * (gear.teeth + 1.5), world.level.tolerance * TAU / 360
    c, s = direction(gear.pointer)
    picture.arc(x, y, tip + 7, gear.pointer - wide, 2 * wide, 7, INK, alpha=0.8)
    picture.arc(x, y, tip + 7, gear.pointer - wide, 2 * wide, 4, CREAM, alpha=1 if lined else 0.75)
    bx, by = x + (tip + 33) * c, y + (tip + 33) * s
    corners = [(bx - 20 * c, by - 20 * s), (bx - 11 * s, by + 11 * c), (bx + 11 * s, by - 11 * c)]
    picture.polygon(corners, RED, edge=CREAM, edge_width=2)
    if f"gear {index}" in world.hand.held:
        teeth = world.dragged(gear, world.hand.held[f"gear {index}"], (world.hand.x, world.hand.y))
        c, s = direction(angle + teeth * TAU / gear.teeth)
        picture.ring(x + reach * c, y + reach * s, module + 3, 3, CREAM)
    c, s = direction(angle)
    x, y = x + reach * c, y + reach * s
    picture.disc(x, y, 0.85 * module, RED, edge=INK, edge_width=2)
    if lined:
        picture.glow(x, y, 5 * module, CREAM, alpha=0.8)
        picture.line(x - 2.2 * module, y, x + 2.2 * module, y, 2.5, 0xFFFFFF)
        picture.line(x, y - 2.2 * module, x, y + 2.2 * module, 2.5, 0xFFFFFF)


def draw_bolts(world: GearSafe, picture: Picture) -> None:
    picture.box(790, 324, 20, 552, INK, bottom=0x020806)
    for index in range(BOLTS):
        sliding = index == world.drawn - 1 and world.latch and not world.missed and not world.verdict
        out = 0.0 if index >= world.drawn else min(1.0, (LATCH - world.latch) / SLIDE) if sliding else 1.0
        x, y = 746 - 34 * out, 104 + 56 * index
        picture.shadow(x, y + 5, 96, 34, radius=12, blur=10, alpha=0.5)
        picture.box(x, y, 96, 34, 0xE2BC6A, radius=10, bottom=0x7A5820, edge=0x4E3612, edge_width=2)
        picture.box(724, y, 58, 46, 0x1B4B3A, radius=8, bottom=0x0C2A20, edge=GREEN, edge_width=2)
        picture.disc(724, y, 8, CREAM if out else INK, edge=0xB98A3F, edge_width=2)
        picture.glow(724, y, 24, CREAM, alpha=0.7 * out)


def draw_clutch(world: GearSafe, picture: Picture) -> None:
    """The knob, dark and ringed by what is left until it is home after a release; a pin for each miss still borne."""
    (x, top), left = CLUTCH, world.latch / LATCH
    y = top + PULL * (1.0 if world.hand.holds("clutch") else left)
    face, cap, told = (0xD0A14C, 0xF3D690, "CLUTCH") if not left else (0x2A3A32, 0x14201A, "WAIT")
    picture.box(x, top + 57, 84, 214, 0x1B4B3A, radius=18, bottom=0x0C2A20, edge=GREEN, edge_width=2)
    picture.box(x, top + 55, 16, 150, INK, radius=8)
    picture.ring(x, top, 39, 2, CREAM, alpha=0.5)
    picture.shadow(x, y + 8, 76, 76, radius=38, blur=14, alpha=0.6)
    picture.disc(x, y, 37, face, edge=0x4E3612, edge_width=3, does=Hold("clutch"))
    picture.disc(x, y, 25, cap, edge=0x8A6426, edge_width=2)
    if left:
        picture.arc(x, y, 31, -TAU / 4, TAU * left, 7, RED if world.missed else CREAM)
    if left and world.missed:
        for side in (-8, 8):
            picture.line(x - 8, y - side, x + 8, y + side, 5, RED)
    elif not left:
        picture.glow(x - 10, y - 12, 24, 0xFFFFFF, alpha=0.5)
    picture.text(x, top + 140, told, 13, CREAM, bold=True, alpha=0.85)
    for index in range(world.level.tries):
        pin = x + (index - (world.level.tries - 1) / 2) * 18
        if index < world.misses:
            picture.line(pin, 550, pin, 542, 6, RED)
            picture.line(pin + 5, 531, pin + 3, 524, 6, RED)
        else:
            picture.line(pin, 522, pin, 550, 6, 0xD0A14C)


def direction(angle: float) -> tuple[float, float]:
    return cos(angle), sin(angle)
