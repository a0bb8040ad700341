"""How Quaking Plate looks."""

from __future__ import annotations

from games.balls.tilt_plate import (
    BALL,
    CATCH,
    CODES,
    COUNT,
    HOLE,
    JACKS,
    LEVERS,
    SINK,
    SLOT_Y,
    SLOTS,
    THROW,
    Ball,
    TiltPlate,
)
from games.kit.forms import Form, facets, loft, ring
from games.kit.maths import TAU, atan2, cos, hypot, mix, sin
from games.kit.picture import Picture, mix_colour
from games.kit.space import Vector, rotation, turned
from games.kit.world import Hold

COLOURS, SIGNS = (0xFFB02E, 0x58D3EA, 0xF2618F), "▲●■"
INK, MIST, BRASS, STEEL, ALARM = 0x141826, 0xD9C6BE, 0xD2A24E, 0xE8EEF6, 0xFF7A5C
NEXT, STEP = 4.6, 4.2  # cm from the gate to the next ball, and from ball to ball
STREAK = 4.5  # cm of light behind a ball that is too fast for a cup
TRAY, TRAY_Y = 152.0, 552.0  # px, of the tray for balls that are home


class Plate:
    """Where the leaning plate is."""

    def __init__(self, world: TiltPlate, picture: Picture) -> None:
        self.lean, self.picture = world.lean(), picture
        self.turn = (0.0, self.lean[1] * TAU / 360, -self.lean[0] * TAU / 360)
        self.frame = rotation(self.turn)

    def on(self, x: float, z: float, y: float = 0.0) -> Vector:
        """A point of space (m) over a place on the plate (cm): a metre of the picture is 10 cm."""
        return turned(self.frame, (x / 10, y / 10, z / 10))

    def seen(self, x: float, z: float, y: float = 0.0) -> tuple[float, float]:
        """Its place in the picture."""
        px, py, _ = self.picture.project(self.on(x, z, y))
        return px, py


def draw(world: TiltPlate, picture: Picture) -> None:
    picture.background(0x55688F, 0xF4CDAE)
    picture.camera((0.7, 7.1, 5.7), (0.7, 0, 0.3), fov=46)
    picture.light((0.55, -0.75, 0.3), 0xFFDDB0, ambient=0x8490B0)
    picture.fog(MIST, 8, 15)
    for index, (x, z) in enumerate(PLACES):
        picture.mesh("rock", *ROCK[:2], (x, -5 + 0.4 * (index % 3), z), ROCK[2], turn=(2.1 * index, 0.15, 0))
    plate = Plate(world, picture)
    draw_plate(world, picture, plate)
    draw_jacks(world, picture, plate)
    draw_queue(world, picture, plate)
    for ball in world.balls:
        draw_ball(world, picture, plate, ball)
    draw_dust(world, picture, plate)
    draw_levers(world, picture)
    draw_dial(picture, plate)
    draw_tray(world, picture)


def draw_plate(world: TiltPlate, picture: Picture, plate: Plate) -> None:
    picture.mesh("slab", *SLAB[:2], (0, 0, 0), SLAB[2], turn=plate.turn)
    picture.mesh("brink", *BRINK[:2], (0, 0, 0), BRINK[2], turn=plate.turn, casts=False)
    for kind, (x, z) in enumerate(world.cups + world.holes):
        form = CUPS[world.level.cup][kind] if kind < 3 else PIT
        picture.mesh(f"dish {min(kind, 3)}", *form[:2], plate.on(x, z), form[2], turn=plate.turn, casts=False)
        if kind < 3:
            picture.text(*plate.seen(x, z), SIGNS[kind], 20, COLOURS[kind], bold=True)
    for x1, z1, x2, z2 in world.walls:
        size = ((x2 - x1 + 0.9) / 10, 0.2, (z2 - z1 + 0.9) / 10)
        picture.solid("box", plate.on((x1 + x2) / 2, (z1 + z2) / 2, 1), size, 0x98A3B8, turn=plate.turn)


def draw_jacks(world: TiltPlate, picture: Picture, plate: Plate) -> None:
    for (jx, jz), lift, far in zip(JACKS, world.lifts(), (8.5, 11.0, 11.0), strict=True):
        x, y, z = plate.on(jx * far, jz * far, 0.6)
        picture.solid("cylinder", (x, y, z), (0.18, 1 + 0.7 * lift, 0.18), STEEL, shine=0.8)
        picture.solid("cylinder", (x, y, z), (0.46, 0.2, 0.46), BRASS, shine=0.6)
        picture.solid("cylinder", (x, y - 2.2, z), (0.3, 4, 0.3), 0x6E5730, shine=0.4)


def draw_queue(world: TiltPlate, picture: Picture, plate: Plate) -> None:
    """The gate, and beside it on a shelf the balls still to come, the next one nearest."""
    gate, side = world.gate, 1 if world.gate < 0 else -1
    picture.solid("box", plate.on(gate, -22, 1.5), (0.6, 0.3, 0.12), BRASS, turn=plate.turn)
    middle, wide = NEXT + STEP * (COUNT - 1) / 2, STEP * COUNT + 1
    picture.solid("box", plate.on(gate + side * middle, -25, 1.2), (wide / 10, 0.08, 0.36), BRASS, turn=plate.turn)
    for place, colour in enumerate(world.rack):
        draw_steel(picture, plate, colour, gate + side * (NEXT + STEP * place), -25, 1.6 + BALL)


def draw_steel(picture: Picture, plate: Plate, colour: int, x: float, z: float, y: float, sign: bool = True) -> None:
    at = plate.on(x, z, y)
    picture.solid("ball", at, (BALL / 5,) * 3, mix_colour(STEEL, COLOURS[colour], 0.55), shine=1)
    if sign:
        picture.text(*picture.project(at)[:2], SIGNS[colour], 15, INK, bold=True)


def draw_ball(world: TiltPlate, picture: Picture, plate: Plate, ball: Ball) -> None:
    """A ball at the gate, rolling, or on its way down: into its cup under a ring, or lost under a cross."""
    x, z, age, speed = ball.x, ball.z, ball.age, hypot(ball.vx, ball.vz)
    if not age and speed > CATCH:
        for start, end, wide in ((1.0, 0.5, 9), (1.0, 0.75, 5), (1.0, 1.0, 2.5)):
            near, far = start * BALL / speed, (BALL + end * STREAK) / speed
            px, py = plate.seen(x - ball.vx * near, z - ball.vz * near, BALL)
            qx, qy = plate.seen(x - ball.vx * far, z - ball.vz * far, BALL)
            picture.line(px, py, qx, qy, wide, 0xFFF3D8, alpha=0.4)
    draw_steel(picture, plate, ball.colour, x, z, BALL - 0.04 * min(0, age) - 0.02 * max(0, age) ** 2, age < 4)
    if age <= 0:
        return
    fade = 1 - age / SINK
    cx, cz = world.cups[ball.colour]
    if hypot(x - cx, z - cz) < world.level.cup:
        px, py = plate.seen(cx, cz)
        picture.ring(px, py, 22 + 1.3 * age, 5, COLOURS[ball.colour], alpha=fade)
        picture.ring(px, py, 16 + 0.8 * age, 2.5, 0xFFFFFF, alpha=fade)
    else:
        px, py = plate.seen(x, z)
        for way in (-1, 1):
            picture.line(px - 13, py - 13 * way, px + 13, py + 13 * way, 8, INK, alpha=fade)
        for way in (-1, 1):
            picture.line(px - 12, py - 12 * way, px + 12, py + 12 * way, 4, ALARM, alpha=fade)


def draw_dust(world: TiltPlate, picture: Picture, plate: Plate) -> None:
    """Over the edge that will rise; the stronger the tremor, the higher."""
    dx, dz = world.sway[0] - world.aim[0], world.sway[1] - world.aim[1]
    for grain in range(14 if world.omen.lead else 0):
        way, hop = atan2(dz, dx) + (grain - 6.5) * 0.085, abs(sin(0.26 * world.omen.lead + 1.9 * grain))
        px, py = plate.seen(29 * cos(way), 21 * sin(way), hop * (1 + hypot(dx, dz)))
        picture.disc(px, py, 6 + grain % 3 * 2, 0xFFF6E0, alpha=0.85, soft=6)


def draw_levers(world: TiltPlate, picture: Picture) -> None:
    picture.box(708, SLOT_Y, 164, 196, INK, radius=18, alpha=0.6)
    for index, (x, name) in enumerate(zip(SLOTS, LEVERS, strict=True)):
        picture.box(x, SLOT_Y, 34, 150, 0x262C3F, radius=17, edge=0x6B7290, edge_width=2, does=Hold(name))
        picture.line(x - 12, SLOT_Y, x + 12, SLOT_Y, 2, 0x6B7290)
        picture.box(x, SLOT_Y - THROW * world.levers[index], 40, 22, 0xF5D595, bottom=0x9A6E2C, radius=8)
        picture.text(x, SLOT_Y - 87, CODES[2 * index], 15, MIST, bold=True)
        picture.text(x, SLOT_Y + 87, CODES[2 * index + 1], 15, MIST, bold=True)


def draw_dial(picture: Picture, plate: Plate) -> None:
    """Its pearl lies downhill."""
    picture.disc(64, 540, 46, INK, alpha=0.8, edge=BRASS, edge_width=3)
    picture.ring(64, 540, 14, 1.5, BRASS, alpha=0.6)
    picture.disc(64 + 4.5 * plate.lean[0], 540 + 4.5 * plate.lean[1], 7, STEEL, edge=0x8795AC, edge_width=2)


def draw_tray(world: TiltPlate, picture: Picture) -> None:
    """The balls that are home."""
    picture.box(
        TRAY + 18 * (COUNT - 1), TRAY_Y, 36 * COUNT + 10, 44, INK, radius=22, alpha=0.8, edge=BRASS, edge_width=2
    )
    for place in range(COUNT):
        x = TRAY + 36 * place
        if place < len(world.home):
            colour = world.home[place]
            picture.disc(x, TRAY_Y, 15, mix_colour(STEEL, COLOURS[colour], 0.55), edge=COLOURS[colour], edge_width=3)
            picture.text(x, TRAY_Y + 1, SIGNS[colour], 15, INK, bold=True)
        else:
            picture.disc(x, TRAY_Y, 13, 0x262C3F, edge=0x6B7290, edge_width=2)


def dish(radius: float, colour: int, dark: float) -> Form:
    """A round mouth with a rim. dark: how much of its colour is lost below the rim."""
    paints = [mix_colour(colour, INK, share) for share in (0, dark, 0.3 + dark / 2, 1)]
    shape = ((1.16, 0.004), (1.0, 0.03), (0.94, 0.012), (0.7, 0.011), (0, 0.01))
    return loft([ring(radius / 10 * share, y, 20) for share, y in shape], lambda step, side: paints[step])


def brink() -> Form:
    """Warning stripes along the four corners, where no rim is."""
    points: list[Vector] = []
    faces: list[tuple[int, int, int]] = []
    colours: list[int] = []
    for (x1, z1), (x2, z2) in zip(EDGE[::2], EDGE[1::2], strict=True):
        for stripe in range(STRIPES):
            first = len(points)
            for step, share in ((stripe, 1.02), (stripe, 0.95), (stripe + 1, 0.95), (stripe + 1, 1.02)):
                t = step / STRIPES
                points.append((mix(x1, x2, t) * share / 10, 0.012, -mix(z1, z2, t) * share / 10))
            faces += [(first, first + 2, first + 1), (first, first + 3, first + 2)]
            colours += [0xFFE7B0 if stripe % 2 else 0xA8323E] * 2
    return tuple(points), tuple(faces), tuple(colours)


STRIPES = 7
PIT = dish(HOLE, 0x8C97AC, 0.9)
CUPS = {level.cup: [dish(level.cup, colour, 0.55) for colour in COLOURS] for level in TiltPlate.levels}
PLACES = ((-5.6, -2), (-5.2, 2.6), (5.6, -1.5), (-3.6, -5), (2.6, -6), (-0.6, -7.4), (6.2, -5.4), (-7.5, -6))
ROUND = ((1.4, 0), (1.1, 0.75), (1.25, 1.5), (0.85, 2.2), (0.8, 2.9), (0, 3.1))
ROCK = loft([ring(r, y, 7) for r, y in ROUND], facets(0x8E5A50, 0xD9A084))
EDGE = ((30, 13), (21, 22), (-21, 22), (-30, 13), (-30, -13), (-21, -22), (21, -22), (30, -13))
RISE = ((1.02, -0.3), (1.02, 0), (0.8, 0), (0.4, 0), (0, 0))
SLAB = loft([[(x * r / 10, y, -z * r / 10) for x, z in EDGE] for r, y in RISE], facets(0x47516A, 0x646F8A))
BRINK = brink()
