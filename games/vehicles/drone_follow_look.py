"""How Fox Film looks."""

from __future__ import annotations

from games.kit.dice import Dice
from games.kit.forms import Form, Paint, loft, ring
from games.kit.maths import TAU, atan2, cos, hypot, sin, sqrt
from games.kit.picture import Picture
from games.kit.space import Vector
from games.kit.world import Hold
from games.vehicles.drone_follow import ALONG, BUMPS, CELL, CLOSE, DOWN, FOV, LOST, REEL, STICKS, TRUNK, DroneFollow

TREES = 16  # birches drawn at most
DARK, PALE, ORANGE, CREAM, SOOT, RED, BLUE = 0x28311F, 0xFFF8D8, 0xEE6418, 0xFFF4E2, 0x2C1C16, 0xE0503C, 0x2450D0
ARROW = ((38, 0), (0, 30), (0, 12), (-30, 12), (-30, -12), (0, -12), (0, -30))  # px along and across it
# turn and lean of the ears that announce a plan, radians
LISTENS = {"": (0, 0.1), "turn": (-1.2, -0.2), "double": (-3.1, -0.5), "sprint": (0, -0.9), "slip": (0, 1.2)}
LEAVES = (0xF7E04A, 0xEFD23A, 0xFBEF8E, 0xD9C044, 0xE3CB3C, 0xFFF6B8)


def put(picture: Picture, name: str, at: Vector, turn: Vector = (0, 0, 0), glow: float = 0, casts: bool = True) -> None:
    points, faces, colours = FORMS[name]
    picture.mesh(name, points, faces, at, colours, turn=turn, glow=glow, casts=casts)


def loose(dice: Dice, corners: list[Vector], colours: tuple[int, ...]) -> Form:
    """Triangles that do not touch, of chance colours."""
    faces = tuple((n, n + 1, n + 2) for n in range(0, len(corners), 3))
    return tuple(corners), faces, tuple(dice.pick(colours) for _ in faces)


def scatter(dice: Dice, spots: list[Vector], size: float, high: float, colours: tuple[int, ...]) -> Form:
    """A leaf at each spot, its corners off by up to size, up and down by up to high."""
    off = dice.between
    places = [place for place in spots for _ in range(3)]
    corners = [(x + off(-size, size), y + off(-high, high), z + off(-size, size)) for x, y, z in places]
    return loose(dice, corners, colours)


def join(one: Form, other: Form) -> Form:
    first = len(one[0])
    return (
        one[0] + other[0],
        one[1] + tuple((a + first, b + first, c + first) for a, b, c in other[1]),
        one[2] + other[2],
    )


def grow(dice: Dice) -> tuple[Form, Form]:
    """A birch, as it looks near and far: a trunk with dark marks, and a crown of leaves."""
    heights, crown = [0.0, 0.3], []
    while heights[-1] < 9:
        heights.append(heights[-1] + dice.between(0.7, 1.6))
        heights.append(heights[-1] + dice.between(0.05, 0.1))
    dark = {(at, side) for at in range(2, len(heights), 2) for side in range(7) if dice.unit() < 0.4}
    for _ in range(56):
        angle, up, out = dice.between(0, TAU), dice.unit(), sqrt(dice.unit())
        out *= 2.3 * sin(TAU / 2 * (0.12 + 0.86 * up))
        crown.append((out * cos(angle), 4.6 + 6.2 * up, out * sin(angle)))

    def trunk(heights: list[float], sides: int, paint: Paint) -> Form:
        return loft(
            [ring(TRUNK * (1.03 - 0.085 * high) + (0 if high else 0.06), high, sides) for high in heights], paint
        )

    def bark(at: int, side: int) -> int:
        mark = (at, side) in dark or (at, side - 1) in dark
        return SOOT if mark else (0xFBF8EE, 0xF3EFE2)[(at + side) % 2] if at else 0x6A6558

    leaves = scatter(dice, crown, 0.98, 0.62, LEAVES)
    some = leaves[0][:90], leaves[1][:30], leaves[2][:30]
    slim = trunk([0, 0.3, heights[-1]], 5, lambda at, side: (0xFBF8EE, 0xF3EFE2)[side % 2] if at else 0x6A6558)
    return join(trunk(heights, 7, bark), leaves), join(slim, some)


def ring_of_wood(dice: Dice) -> Form:
    """Trunks and leaves all round, as far as the fog."""
    trunks, crowns = [], []
    for _ in range(90):
        turn, half, top = dice.between(0, TAU), dice.between(0.004, 0.011), dice.between(9, 16)
        trunks += [(33 * cos(a), y, 33 * sin(a)) for a, y in ((turn - half, 0), (turn + half, 0), (turn, top))]
        crowns += [(34 * cos(turn + n), dice.between(6, 13), 34 * sin(turn + n)) for n in (1, 3)]
    return join(loose(dice, trunks, (0xFFFDF0, 0xE9E4C8, 0xD8D2B0)), scatter(dice, crowns, 1.9, 1.4, LEAVES))


def ground(dice: Dice) -> Form:
    spots = [(dice.between(-2, 2), dice.between(0.02, 0.05), dice.between(-2, 2)) for _ in range(40)]
    patches = scatter(dice, spots[:7], 1.2, 0, (0x7B7440, 0x938A4B, 0x9C914C))
    return join(patches, scatter(dice, spots, 0.19, 0.03, (*LEAVES, 0x6E6A35, 0xA3924A, 0xB8A552)))


def along(rows: tuple[tuple[float, float, float, float], ...], paint: Paint) -> Form:
    """A body along x; a row is x, y, half height, half width."""
    turns = [TAU * side / 8 for side in range(8)]
    return loft([[(x, y + high * sin(turn), wide * cos(turn)) for turn in turns] for x, y, high, wide in rows], paint)


def fur(at: int, side: int) -> int:
    under = 4 <= side <= 7 if at > 3 else 5 <= side <= 6
    return SOOT if at > 9 else CREAM if under else ORANGE


FOX_X = (-0.56, -0.5, -0.3, 0.0, 0.26, 0.44, 0.56, 0.64, 0.76, 0.84, 1.0, 1.03)
FOX_Y = (0.04, 0.03, 0.0, 0.0, 0.0, 0.1, 0.24, 0.3, 0.29, 0.25, 0.21, 0.2)
FOX_HIGH = (0.04, 0.16, 0.21, 0.17, 0.21, 0.19, 0.15, 0.16, 0.12, 0.07, 0.045, 0.0)
FOX_WIDE = (0.04, 0.14, 0.17, 0.14, 0.16, 0.14, 0.13, 0.17, 0.14, 0.06, 0.04, 0.0)
TAIL_X, TAIL_Y = (0.0, -0.2, -0.5, -0.72, -0.86, -1.0), (0.0, -0.02, 0.0, 0.05, 0.1, 0.14)
TAIL_WIDE = (0.05, 0.12, 0.19, 0.17, 0.11, 0.0)
LEG = ((0.09, 0.06), (0.06, -0.18), (0.04, -0.42), (0.055, -0.47))  # radius, y
EAR = ((0.0, 0.22, 0.0), (0.04, 0.0, 0.08), (0.04, 0.0, -0.08), (-0.05, 0.0, 0.0))
DICE = Dice.named("fox film")
BIRCHES = [(number, zip(("near", "far"), grow(DICE), strict=True)) for number in range(3)]
FORMS: dict[str, Form] = {
    **{f"birch {where} {number}": form for number, birch in BIRCHES for where, form in birch},
    "afar": ring_of_wood(DICE),
    "litter": ground(DICE),
    "leaf": scatter(DICE, [(0, 0, 0)], 0.1, 0.03, LEAVES),
    "fox": along(tuple(zip(FOX_X, FOX_Y, FOX_HIGH, FOX_WIDE, strict=True)), fur),
    "tail": along(
        tuple(zip(TAIL_X, TAIL_Y, TAIL_WIDE, TAIL_WIDE, strict=True)), lambda at, _: CREAM if at > 2 else ORANGE
    ),
    "leg": loft([ring(radius, y, 6) for radius, y in LEG], lambda at, _: SOOT if at else ORANGE),
    "ear": (EAR, ((0, 1, 2), (0, 1, 3), (0, 2, 3)), (CREAM, SOOT, SOOT)),
}


def draw(world: DroneFollow, picture: Picture) -> None:
    drone, fx, fz = world.drone, world.drone.fx, world.drone.fz
    x, y, z = drone.x, drone.y, drone.z
    bank = 0.012 * (drone.vz * fx - drone.vx * fz) + 0.05 * drone.spin + 0.004 * world.dazed * sin(world.dazed)
    picture.background(0xE9D873, 0xFBF3B4)
    picture.camera((x, y, z), (x + fx * ALONG, y - DOWN, z + fz * ALONG), fov=FOV, up=(-fz * bank, 1, fx * bank))
    picture.light((0.62, -0.42, 0.66), 0xFFE9A8, ambient=0xAFAB90)
    picture.fog(0xF7EBA0, 7, 46)
    sun_x, sun_y, depth = picture.project((x - 62, y + 42, z - 66))
    if depth > 0:
        picture.glow(sun_x, sun_y, 330, 0xFFE680, alpha=0.55)
    picture.solid("plane", (x, 0, z), (140, 0, 140), 0x877E45, casts=False)
    put(picture, "afar", (x, 0, z), casts=False)
    for leaf in range(9):  # they float in a box before the camera
        u, v, w = (4.7 * leaf * leaf + way for way in world.blown)
        u, w = (u - x - 5 * fx) % 10 + x + 5 * fx - 5, (w - z - 5 * fz) % 10 + z + 5 * fz - 5
        turn = (0.05 * world.tick + leaf, 0.07 * world.tick, 0)
        put(picture, "leaf", (u, (v - 0.011 * world.tick) % 5, w), turn, casts=False)
    draw_wood(world, picture)
    draw_fox(world, picture)
    draw_finder(world, picture)
    draw_sticks(world, picture)


def draw_wood(world: DroneFollow, picture: Picture) -> None:
    """What stands and lies before the camera, nearest first."""
    drone, (i0, k0), squares, room = world.drone, world.cell, [], TREES
    for i in range(i0 - 8, i0 + 9):
        dx = (i + 0.5) * CELL - drone.x
        for k in range(k0 - 8, k0 + 9):
            dz = (k + 0.5) * CELL - drone.z
            far = dx * drone.fx + dz * drone.fz
            if -4 < far < 32 and abs(dz * drone.fx - dx * drone.fz) < 0.9 * far + 6:
                squares.append((far, i, k))
    for far, i, k in sorted(squares):
        if far < 10:
            middle = ((i + 0.5) * CELL, 0, (k + 0.5) * CELL)
            put(picture, "litter", middle, ((i + 2 * k) % 4 * TAU / 4, 0, 0), casts=False)
        birch = world.birch(i, k) if room else None
        if birch:
            x, z, looks = birch
            where = "near" if far < 13 else "far"
            put(picture, f"birch {where} {looks % 3}", (x, 0, z), (looks % 63 / 10, 0, 0), casts=far < 20)
            room -= 1


def draw_fox(world: DroneFollow, picture: Picture) -> None:
    fox, c, s = world.fox, cos(world.fox.heading), sin(world.fox.heading)
    gait, stride = min(1.0, fox.pace), world.tick * (0.1 + 0.035 * world.level.fox)
    bob = 0.08 * gait * sin(stride)

    def part(form: str, x: float, y: float, z: float, turn: float, roll: float) -> None:
        at = (fox.x + x * c - z * s, y + x * bob, fox.z + x * s + z * c)
        put(picture, form, at, (turn - fox.heading, 0, roll), glow=0.12)

    part("fox", 0, 0.52, 0, 0, bob)
    part("tail", -0.5, 0.56, 0, 0.25 * sin(0.5 * stride), -0.15 - 2 * bob)
    for x, z, phase in ((0.36, 0.1, 0.0), (0.36, -0.1, 0.5), (-0.38, 0.1, 2.9), (-0.38, -0.1, 3.4)):
        part("leg", x, 0.45, z, 0, 0.8 * gait * sin(stride + phase))
    turn, lean = LISTENS[fox.plan]
    for z in (0.07, -0.07):
        part("ear", 0.66, 0.92, z, turn if fox.turn > 0 else -turn, lean)


def wrong(world: DroneFollow, depth: float, right: float, up: float) -> str:
    """Why the fox is not on film."""
    if world.filmed:
        return ""
    if depth <= 0:
        return "behind you"
    if not world.seen:
        return "behind a trunk" if world.hidden() else "out of sight"
    if depth >= CLOSE:
        return "too far"
    side = ("left of", "right of")[right > 0] if abs(right) > abs(up) else ("below", "above")[up > 0]
    return f"{side} the ring"


def onto(angle: float, far: float, along: float, across: float, size: float) -> tuple[float, float]:
    """A place beside the one that lies so far out of the ring's middle at this angle."""
    c, s, along, across = cos(angle), sin(angle), far + along * size, across * size
    return 400 + along * c - across * s, 300 + along * s + across * c


def draw_finder(world: DroneFollow, picture: Picture) -> None:
    """Ring, reel, distance, what is wrong, the arrow to a fox out of sight, the lamp of its sight, the bumps left."""
    r, share = world.level.ring / 2, 1 - world.lost / LOST
    fill = PALE if world.filmed else RED
    picture.ring(400, 300, r, 3, PALE if world.filmed else DARK, alpha=0.9 if world.filmed else 0.6)
    picture.ring(400, 300, r + 13, 10, DARK, alpha=0.45)
    picture.arc(400, 300, r + 13, -TAU / 4, TAU * world.reel / REEL, 6, fill)
    depth, right, up = world.drone.sees(world.fox)
    angle = atan2(-up if depth > 0 else hypot(depth, up), right)
    below = not world.seen and sin(angle) > 0.5  # where the plate is, unless it makes room
    why, y = wrong(world, depth, right, up), 340 + r + 85 * below
    told, lost = f"{hypot(hypot(depth, right), up):.0f} m{why and ': '}{why}", world.reel > 0 and not world.filmed
    picture.box(400, y + 10 * lost, 48 + 9 * max(len(told), 14 * lost), 30 + 20 * lost, DARK, radius=15, alpha=0.85)
    picture.text(400, y, told, 17, PALE, bold=True)
    if lost:
        picture.text(400, y + 20, "reel runs back", 15, 0xFFB9A8, bold=True)
    if not world.seen:
        picture.polygon([onto(angle, r + 60, *point, 1.0) for point in ARROW], BLUE, edge=PALE, edge_width=4)
    picture.box(108, 98, 196, 80, DARK, radius=16, alpha=0.55)
    picture.disc(46, 90, 22, DARK)
    picture.disc(46, 90, 2 + 17 * share, PALE if world.seen else RED)
    picture.glow(46, 90, 42 * share, 0xFFF3A0, alpha=0.5)
    picture.text(46, 124, "sight", 13, PALE, bold=True)
    for bump in range(BUMPS):
        fill = PALE if bump >= world.bumps else DARK
        picture.box(92 + 22 * bump, 90, 14, 24, fill, radius=3, edge=PALE, edge_width=2)
    picture.text(136, 124, "bumps left", 13, PALE, bold=True)


def draw_sticks(world: DroneFollow, picture: Picture) -> None:
    pushed, y = world.pushed(), 510
    for index, (stick, x) in enumerate(zip(STICKS, (92, 708), strict=True)):
        a, b = x + 34 * pushed[2 * index], y - 34 * pushed[2 * index + 1]
        picture.shadow(x, y + 4, 132, 132, radius=66, blur=14, alpha=0.35)
        picture.disc(x, y, 66, DARK, alpha=0.75, edge=PALE, edge_width=2, does=Hold(stick))
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            picture.line(x + 52 * dx, y + 52 * dy, x + 58 * dx, y + 58 * dy, 3, PALE, alpha=0.7)
        picture.line(x, y, a, b, 11, 0x12160E)
        picture.disc(a, b, 24, 0xF3E58B, edge=0x5D5526, edge_width=3)
        picture.disc(a - 5, b - 6, 9, 0xFFFBE0, alpha=0.6, soft=8)
