"""How Quaking Plate looks: seen from the plate, which stays, while the world around it leans."""

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
    Wall,
)
from games.kit.forms import Form, Paint, facets, loft, ring
from games.kit.maths import TAU, atan2, cos, hypot, mix, sin
from games.kit.picture import Picture, Point, kept, mix_colour
from games.kit.space import Matrix, Vector, add, rotation, turned, turned_back
from games.kit.world import Hold

COLOURS, SIGNS = (0xFFB02E, 0x58D3EA, 0xF2618F), "▲●■"
INK, MIST, BRASS, STEEL, ALARM = 0x141826, 0xD9C6BE, 0xD2A24E, 0xE8EEF6, 0xFF7A5C
EYE, MIDDLE, SUN = (0.7, 7.1, 5.7), (0.7, 0.0, 0.3), (0.55, -0.75, 0.3)
NEXT, STEP, STREAK = 4.6, 4.2, 4.5  # cm from the gate to the next ball, from ball to ball, of light behind a fast one
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
    draw_dust(world, picture)
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


def draw_refusal(world: TiltPlate, picture: Picture, ball: Ball) -> None:
    """A barred ring over a cup in which a ball rolls that it refuses: of another sign, or too fast."""
    for x, z in world.cups:
        if not ball.age and hypot(ball.x - x, ball.z - z) < world.level.cup:
            (px, py), reach = seen(picture, x, z), 6 * world.level.cup + 6
            for wide, colour in ((8, INK), (4, ALARM)):
                picture.ring(px, py, 1.42 * reach, wide, colour)
                picture.line(px - reach, py - reach, px + reach, py + reach, wide, colour)


def draw_ball(world: TiltPlate, picture: Picture, ball: Ball) -> None:
    """A ball at the gate, rolling, or on its way down: into its cup under a ring, or lost under a cross."""
    x, z, age, speed = ball.x, ball.z, ball.age, hypot(ball.vx, ball.vz)
    draw_refusal(world, picture, ball)
    if not age and speed > CATCH:
        dx, dz = ball.vx / speed, ball.vz / speed
        start = seen(picture, x - BALL * dx, z - BALL * dz, BALL)
        for far, wide in ((BALL + 0.5 * STREAK, 9), (BALL + 0.75 * STREAK, 5), (BALL + STREAK, 2.5)):
            end = seen(picture, x - far * dx, z - far * dz, BALL)
            picture.line(*start, *end, wide, 0xFFF3D8, alpha=0.4)
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


def draw_dust(world: TiltPlate, picture: Picture) -> None:
    """Beyond the edge that will rise; the stronger the tremor, the farther it hops."""
    dx, dz = world.sway[0] - world.aim[0], world.sway[1] - world.aim[1]
    for grain in range(10 if world.omen.lead else 0):
        way, hop = atan2(dz, dx) + (grain - 4.5) * 0.11, abs(sin(0.26 * world.omen.lead + 1.9 * grain))
        c, s, off = cos(way), sin(way), hop * (1 + 0.5 * hypot(dx, dz))
        px, py = seen(picture, (33 + off) * c, ((34 if s < 0 else 25) + off) * s)
        picture.disc(px, py, 9 + grain % 3 * 1.5, INK, alpha=0.45, soft=9)
        picture.disc(px, py, 5 + grain % 3 * 1.5, 0xFFF6E0, soft=4)


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
    """Its pearl lies downhill; its hollow ring where the levers and the tremor bring the pearl."""
    shares = [36 / max(8.0, hypot(x, y)) for x, y in (lean, heading)]  # 8 degrees and more lie at its edge
    px, py, qx, qy = [DIAL[i % 2] + shares[i // 2] * (*lean, *heading)[i] for i in range(4)]
    picture.line(px, py, qx, qy, 2, BRASS)
    picture.disc(px, py, 7, STEEL, edge=0x8795AC, edge_width=2)
    picture.ring(qx, qy, 10, 3, 0xFFC24A)


def dish(radius: float, colour: int, dark: float, sides: int) -> Form:
    """A round mouth with a rim. dark: how much of its colour is lost below the rim."""
    paints = [mix_colour(colour, INK, share) for share in (0, 0.15 + 0.75 * dark, 1)]
    shape = ((1.16, 0.004), (0.98, 0.03), (0.7, 0.011), (0, 0.01))
    return closed([ring(radius / 10 * share, y, sides) for share, y in shape], lambda step, side: paints[step])


def closed(rings: list[list[Vector]], paint: Paint) -> Form:
    """A skin that ends in a point, without the triangles that have become lines there."""
    points, faces, colours = loft(rings, paint)
    whole = [(face, colour) for face, colour in zip(faces, colours, strict=True) if points[face[1]] != points[face[2]]]
    return points, tuple(face for face, _ in whole), tuple(colour for _, colour in whole)


def brink() -> Form:
    """Warning stripes along the four corners, where no rim is."""
    stripes: list[Form] = []
    for (x1, z1), (x2, z2) in zip(EDGE[::2], EDGE[1::2], strict=True):
        for stripe in range(STRIPES):
            corners = [(stripe, 0.102), (stripe, 0.095), (stripe + 1, 0.095), (stripe + 1, 0.102)]
            points = [(mix(x1, x2, t / STRIPES) * k, 0.012, -mix(z1, z2, t / STRIPES) * k) for t, k in corners]
            colour = 0xFFE7B0 if stripe % 2 else 0xA8323E
            stripes.append((tuple(points), ((0, 2, 1), (0, 3, 2)), (colour, colour)))
    return join(stripes)


def join(forms: list[Form]) -> Form:
    """Several forms as one."""
    points, faces, colours = forms[0]
    for more, triples, inks in forms[1:]:
        faces += tuple((a + len(points), b + len(points), c + len(points)) for a, b, c in triples)
        points, colours = points + more, colours + inks
    return points, faces, colours


def rock(index: int, x: float, z: float) -> Form:
    points, faces, colours = closed([ring(r, y, 6) for r, y in ROUND], facets(0x8E5A50, 0xD9A084))
    frame, at = rotation((2.1 * index, 0.15, 0)), (x, -5 + 0.4 * (index % 3), z)
    return tuple(add(at, turned(frame, point)) for point in points), faces, colours


STRIPES = 7
PIT = dish(HOLE, 0x8C97AC, 0.9, 12)
CUPS = {level.cup: [dish(level.cup, colour, 0.55, 16) for colour in COLOURS] for level in TiltPlate.levels}
PLACES = ((-5.6, -2), (-5.2, 2.6), (5.6, -1.5), (-3.6, -5), (2.6, -6), (-0.6, -7.4), (6.2, -5.4), (-7.5, -6))
ROUND = ((1.4, 0), (1.1, 0.75), (1.3, 1.6), (0.8, 2.7), (0, 3.1))
CANYON = join([rock(index, *place) for index, place in enumerate(PLACES)])
EDGE = ((30, 13), (21, 22), (-21, 22), (-30, 13), (-30, -13), (-21, -22), (21, -22), (30, -13))
RISE = ((1.02, -0.3), (1.02, 0), (0.8, 0), (0.4, 0), (0, 0))
STONE = closed([[(x * r / 10, y, -z * r / 10) for x, z in EDGE] for r, y in RISE], facets(0x47516A, 0x646F8A))
SLAB = join([STONE, brink()])
