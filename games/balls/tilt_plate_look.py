"""How Quaking Plate looks: seen from the plate, which stays, while the world around it leans."""

from __future__ import annotations

from games.balls.tilt_plate import (
    BALL,
    CATCH,
    CODES,
    COUNT,
    JACKS,
    LEVERS,
    SINK,
    SLOT_Y,
    SLOTS,
    THROW,
    Ball,
    TiltPlate,
    Wall,
)
from games.balls.tilt_plate_forms_look import CANYON, COLOURS, CUPS, INK, PIT, SLAB
from games.kit.maths import TAU, atan2, cos, hypot, sin
from games.kit.picture import Picture, Point, kept, mix_colour
from games.kit.space import Matrix, Vector, add, rotation, turned_back
from games.kit.world import FIELD_TOP, Hold

SIGNS = "▲●■"
MIST, BRASS, STEEL, CREAM = 0xD9C6BE, 0xD2A24E, 0xE8EEF6, 0xFFEFC4
ALARM, FLAME, QUAKE = 0xFF7A5C, 0xFF6A3A, 0xFFE94A
EYE, MIDDLE, SUN = (0.7, 7.1, 5.7), (0.7, 0.0, 0.3), (0.55, -0.75, 0.3)
NEXT, STEP, STREAK = 4.6, 4.2, 8.0  # cm from the gate to the next ball, from ball to ball, of flame behind a fast one
DIAL, TRAY = (66.0, 538.0), (154.0, 552.0)  # px, of the dial and of the first ball that is home


def draw(world: TiltPlate, picture: Picture) -> None:
    lean = world.lean(world.levers, world.sway)
    frame = rotation((0.0, lean[1] * TAU / 360, -lean[0] * TAU / 360))
    picture.background(0x55688F, 0xF4CDAE)
    picture.camera(turned_back(frame, EYE), turned_back(frame, MIDDLE), fov=46, up=frame[1])
    picture.light(turned_back(frame, SUN), 0xFFDDB0, ambient=0x8490B0)
    picture.fog(MIST, 8, 15)
    draw_board(picture, world.level.cup, world.cups, world.holes, world.walls, world.gate, world.rack)
    around = turn_of(frame)
    picture.mesh("canyon", *CANYON[:2], (0, 0, 0), CANYON[2], turn=around, casts=False)
    draw_jacks(world, picture, frame, around)
    for (x, z), sign, colour in zip(world.cups, SIGNS, COLOURS, strict=True):
        picture.text(*seen(picture, x, z), sign, 20, colour, bold=True)
    for place, colour in enumerate(world.rack):
        picture.text(*seen(picture, *queued(world.gate, place)), SIGNS[colour], 15, INK, bold=True)
    for ball in world.balls:
        draw_ball(world, picture, ball)
    draw_refusals(world, picture)
    draw_quake(world, picture)
    draw_desk(picture, world.home)
    draw_levers(world, picture)
    draw_dial(picture, lean, world.lean([world.sent(lever) or 0.0 for lever in range(3)], world.aim))


def on(x: float, z: float, y: float = 0.0) -> Vector:
    """A point of space (m) over a place on the plate (cm): a metre of the picture is 10 cm."""
    return x / 10, y / 10, z / 10


def seen(picture: Picture, x: float, z: float, y: float = 0.0) -> Point:
    """The place in the picture of a point over the plate."""
    return picture.project(on(x, z, y))[:2]


def turn_of(frame: Matrix) -> Vector:
    """The turn that undoes the plate's lean."""
    (_, xy, _), (_, yy, _), (zx, zy, zz) = frame
    return atan2(zx, zz), atan2(-zy, hypot(xy, yy)), atan2(xy, yy)


@kept
def draw_board(
    picture: Picture, cup: float, cups: list[Point], holes: list[Point], walls: list[Wall], gate: float, rack: list[int]
) -> None:
    """The plate with all that stands on it: rim and ridges, the gate, and the shelf with the balls to come."""
    picture.mesh("slab", *SLAB[:2], (0, 0, 0), SLAB[2], casts=False)
    for kind, (x, z) in enumerate(cups + holes):
        form = CUPS[cup][kind] if kind < 3 else PIT
        picture.mesh(f"dish {min(kind, 3)}", *form[:2], on(x, z), form[2], casts=False)
    for x1, z1, x2, z2 in walls:
        size = ((x2 - x1 + 0.9) / 10, 0.2, (z2 - z1 + 0.9) / 10)
        picture.solid("box", on((x1 + x2) / 2, (z1 + z2) / 2, 1), size, 0x98A3B8)
    picture.solid("box", on(gate, -22, 1.5), (0.6, 0.3, 0.12), BRASS)
    middle = queued(gate, (COUNT - 1) / 2)[0]
    picture.solid("box", on(middle, -25, 1.2), (STEP * COUNT / 10 + 0.1, 0.08, 0.36), BRASS)
    for place, colour in enumerate(rack):
        draw_steel(picture, colour, *queued(gate, place))


def queued(gate: float, place: float) -> Vector:
    """x, z and y of the balls to come, the next one (0) nearest to the gate."""
    return gate + (NEXT + STEP * place) * (1 if gate < 0 else -1), -25, 1.6 + BALL


def draw_steel(picture: Picture, colour: int, x: float, z: float, y: float) -> None:
    picture.solid("ball", on(x, z, y), (BALL / 5,) * 3, mix_colour(STEEL, COLOURS[colour], 0.55), shine=1)


def draw_jacks(world: TiltPlate, picture: Picture, frame: Matrix, around: Vector) -> None:
    for (jx, jz), lift, far in zip(JACKS, world.lifts(world.levers), (8.5, 11.0, 11.0), strict=True):
        at = on(jx * far, jz * far, 0.6)
        foot = add(at, turned_back(frame, (0, -2.2, 0)))
        picture.solid("cylinder", at, (0.18, 1 + 0.7 * lift, 0.18), STEEL, turn=around, shine=0.8, casts=False)
        picture.solid("cylinder", at, (0.46, 0.2, 0.46), BRASS, turn=around, shine=0.6, casts=False)
        picture.solid("cylinder", foot, (0.3, 4, 0.3), 0x6E5730, turn=around, casts=False)


def draw_refusals(world: TiltPlate, picture: Picture) -> None:
    """Beside a cup, off the way of the ball that it refused, why: of another sign, or too fast."""
    told = {ball.refuser: ball for ball in world.balls if ball.told and not ball.age}
    for cup, ball in told.items():
        x, z = world.cups[cup]
        (px, py), reach, inward = seen(picture, x, z), 10 * world.level.cup, -1 if x > 0 else 1
        dx, dy = (0, -1) if abs(ball.vx) > abs(ball.vz) else (inward, 0)
        far_x, far_y = px + dx * (reach + 58), py + dy * (reach + 28)
        picture.line(px + dx * reach, py + dy * reach * 0.8, far_x, far_y, 5, ALARM)
        picture.box(far_x, far_y, 88, 24, INK, radius=8, edge=ALARM, edge_width=2)
        picture.text(far_x, far_y, "too fast" if cup == ball.colour else "wrong cup", 14, CREAM, bold=True)


def draw_pace(picture: Picture, ball: Ball) -> None:
    """Round a rolling ball a white ring, when it is slow enough for a cup, or else a flame behind it."""
    x, z, speed = ball.x, ball.z, hypot(ball.vx, ball.vz)
    px, py = seen(picture, x, z, BALL)
    side = seen(picture, x + BALL, z, BALL)
    wide = hypot(side[0] - px, side[1] - py)
    if speed < CATCH:
        picture.ring(px, py, wide + 6, 6, INK)
        picture.ring(px, py, wide + 6, 3, 0xFFFFFF)
        return
    ex, ey = seen(picture, x - STREAK * ball.vx / speed, z - STREAK * ball.vz / speed, BALL)
    far = hypot(ex - px, ey - py)
    dx, dy = (ex - px) / far, (ey - py) / far
    bx, by = px + dx * wide * 0.8, py + dy * wide * 0.8
    for half, reach, colour in ((wide + 3, far + 8, INK), (wide, far, FLAME), (wide * 0.5, far * 0.7, CREAM)):
        sides = [(bx - dy * half, by + dx * half), (bx + dy * half, by - dx * half)]
        picture.polygon([*sides, (px + dx * reach, py + dy * reach)], colour)


def draw_ball(world: TiltPlate, picture: Picture, ball: Ball) -> None:
    """A ball at the gate, rolling, or on its way down: into its cup under a ring, or lost under a cross."""
    x, z, age = ball.x, ball.z, ball.age
    if not age:
        draw_pace(picture, ball)
    y = BALL - 0.04 * min(0, age) - 0.02 * max(0, age) ** 2
    draw_steel(picture, ball.colour, x, z, y)
    if age < 4:
        picture.text(*seen(picture, x, z, y), SIGNS[ball.colour], 15, INK, bold=True)
    if age <= 0:
        return
    fade = 1 - age / SINK
    cx, cz = world.cups[ball.colour]
    if hypot(x - cx, z - cz) < world.level.cup:
        picture.ring(*seen(picture, cx, cz), 22 + 1.3 * age, 5, COLOURS[ball.colour], alpha=fade)
        picture.ring(*seen(picture, cx, cz), 16 + 0.8 * age, 2.5, 0xFFFFFF, alpha=fade)
        return
    px, py = seen(picture, x, z)
    for reach, wide, colour in ((13, 8, INK), (12, 4, ALARM)):
        for way in (-reach, reach):
            picture.line(px - reach, py - way, px + reach, py + way, wide, colour, alpha=fade)


def draw_quake(world: TiltPlate, picture: Picture) -> None:
    """Arrows up at the edge that will rise, the longer the stronger the tremor."""
    dx, dz = world.sway[0] - world.aim[0], world.sway[1] - world.aim[1]
    tall = 22 + 4 * min(8.0, hypot(dx, dz))
    for place in (-0.32, 0, 0.32) if world.omen.lead else ():
        way = atan2(dz, dx) + place
        px, py = seen(picture, 36 * cos(way), (42 if dz < 0 else 29) * sin(way))
        top = max(FIELD_TOP + 10, py - tall / 2)
        foot = top + tall
        for wide, colour in ((13, INK), (7, QUAKE)):
            picture.line(px, top, px, foot, wide, colour)
            picture.path([(px - 12, top + 12), (px, top), (px + 12, top + 12)], wide, colour)


@kept
def draw_desk(picture: Picture, home: list[int]) -> None:
    """Slots of the levers, the dial, and the tray with the balls that are home."""
    picture.box(708, SLOT_Y, 164, 196, INK, radius=18, alpha=0.6)
    for index, (x, name) in enumerate(zip(SLOTS, LEVERS, strict=True)):
        picture.box(x, SLOT_Y, 34, 150, 0x262C3F, radius=17, edge=0x6B7290, edge_width=2, does=Hold(name))
        picture.line(x - 12, SLOT_Y, x + 12, SLOT_Y, 2, 0x6B7290)
        picture.text(x, SLOT_Y - 87, CODES[2 * index], 15, MIST, bold=True)
        picture.text(x, SLOT_Y + 87, CODES[2 * index + 1], 15, MIST, bold=True)
    picture.disc(*DIAL, 50, INK, alpha=0.8, edge=BRASS, edge_width=3)
    x, y = DIAL
    picture.line(x - 42, y, x + 42, y, 1.5, 0x6B7290)
    picture.line(x, y - 42, x, y + 42, 1.5, 0x6B7290)
    picture.text(x, y - 62, "downhill", 14, INK, bold=True)
    x, y = TRAY
    picture.box(x + 18 * (COUNT - 1), y, 36 * COUNT + 10, 44, INK, radius=22, alpha=0.8, edge=BRASS, edge_width=2)
    for place, colour in enumerate(home):
        face = mix_colour(STEEL, COLOURS[colour], 0.55)
        picture.disc(x + 36 * place, y, 15, face, edge=COLOURS[colour], edge_width=3)
        picture.text(x + 36 * place, y + 1, SIGNS[colour], 15, INK, bold=True)
    for place in range(len(home), COUNT):
        picture.disc(x + 36 * place, y, 13, 0x262C3F, edge=0x6B7290, edge_width=2)


def draw_levers(world: TiltPlate, picture: Picture) -> None:
    """Where they are, and a bright bar where the hand sends them."""
    for index, (x, lever) in enumerate(zip(SLOTS, world.levers, strict=True)):
        goal = world.sent(index)
        if goal is not None:
            picture.line(x - 20, SLOT_Y - THROW * goal, x + 20, SLOT_Y - THROW * goal, 4, 0xFFFFFF)
        picture.box(x, SLOT_Y - THROW * lever, 40, 22, 0xF5D595, bottom=0x9A6E2C, radius=8)


def draw_dial(picture: Picture, lean: list[float], heading: list[float]) -> None:
    """Its needle points downhill; its hollow ring is where the levers and the tremor bring the tip."""
    shares = [36 / max(8.0, hypot(x, y)) for x, y in (lean, heading)]  # 8 degrees and more lie at its edge
    px, py, qx, qy = [DIAL[i % 2] + shares[i // 2] * (*lean, *heading)[i] for i in range(4)]
    picture.line(px, py, qx, qy, 2, BRASS)
    picture.line(*DIAL, px, py, 5, STEEL)
    picture.disc(px, py, 6, STEEL)
    picture.ring(qx, qy, 10, 3, 0xFFC24A)
