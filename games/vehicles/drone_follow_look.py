"""How Fox Film looks."""

from __future__ import annotations

from games.kit.maths import TAU, atan2, cos, floor, hypot, sin
from games.kit.picture import Picture, kept
from games.kit.space import Vector
from games.kit.world import Hold
from games.vehicles.drone_follow import (
    ALONG,
    BACK,
    BUMPS,
    CELL,
    CLOSE,
    DAZED,
    DOWN,
    FOCAL,
    FOV,
    LOST,
    REEL,
    STICKS,
    TRUNK,
    DroneFollow,
)
from games.vehicles.drone_follow_forms_look import CARPET, forms

FORMS = forms(TRUNK)
TREES, VIEWS = 36, 24  # birches drawn at most; directions to look in, each with its own list of squares
DARK, PALE, RED, BLUE = 0x28311F, 0xFFF8D8, 0xE0503C, 0x2450D0
# px along and across, from its tip
ARROW = ((0, 0), (-38, 30), (-38, 12), (-68, 12), (-68, -12), (-38, -12), (-38, -30))
# turn and lean of the ears that announce a plan, radians
LISTENS = {"": (0, 0.1), "turn": (-1.2, -0.2), "double": (-3.1, -0.5), "sprint": (0, -0.9), "slip": (0, 1.2)}
ENDS = ((1.03, 0.73), (0.67, 1.1), (0.36, 0.1), (0.0, 0.52), (-0.38, 0.1), (-1.45, 0.65))  # m: of the fox, along and up

known: dict[tuple[int, float, int, int], tuple[float, float, int] | None] = {}  # birches by wood, density and square


def put(picture: Picture, name: str, at: Vector, turn: Vector = (0, 0, 0), glow: float = 0, casts: bool = True) -> None:
    points, faces, colours = FORMS[name]
    picture.mesh(name, points, faces, at, colours, turn=turn, glow=glow, casts=casts)


def squares(view: int) -> list[tuple[int, int]]:
    """Squares around that of the drone that may be seen in a direction, nearest first."""
    fx, fz = cos(TAU * view / VIEWS), sin(TAU * view / VIEWS)
    found = []
    for i in range(-8, 9):
        for k in range(-8, 9):
            far, aside = (i * fx + k * fz) * CELL, abs(k * fx - i * fz) * CELL
            if -5 < far < 32 and aside < 0.9 * far + 8:
                found.append((far, i, k))
    return [(i, k) for _, i, k in sorted(found)]


SQUARES = [squares(view) for view in range(VIEWS)]


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
    put(picture, "afar", (x, 0, z), casts=False)
    middle = [CARPET * floor((at + 6 * way) / CARPET) for at, way in ((x, fx), (z, fz))]
    put(picture, "carpet", (middle[0], 0, middle[1]), casts=False)
    for leaf in range(7):  # they float in a box before the camera
        u, v, w = (4.7 * leaf * leaf + way for way in world.blown)
        u, w = (u - x - 5 * fx) % 10 + x + 5 * fx - 5, (w - z - 5 * fz) % 10 + z + 5 * fz - 5
        turn = (0.05 * world.tick + leaf, 0.07 * world.tick, 0)
        put(picture, "leaf", (u, (v - 0.011 * world.tick) % 5, w), turn, casts=False)
    draw_wood(world, picture)
    draw_fox(world, picture)
    draw_finder(world, picture)
    draw_sticks(world, picture)


def draw_wood(world: DroneFollow, picture: Picture) -> None:
    """The birches in the picture, nearest first; so many that one that appears stands deep in the mist."""
    drone, (i0, k0), room = world.drone, world.cell, TREES
    if len(known) > 20000:
        known.clear()
    for i, k in SQUARES[floor(drone.heading / TAU * VIEWS + 0.5) % VIEWS]:
        key = (world.wood, world.level.trees, i0 + i, k0 + k)
        if key not in known:
            known[key] = world.birch(i0 + i, k0 + k)
        birch = known[key]
        if birch:
            x, z, looks = birch
            far = (x - drone.x) * drone.fx + (z - drone.z) * drone.fz
            aside = (z - drone.z) * drone.fx - (x - drone.x) * drone.fz
            if abs(aside) > 0.9 * far + 3:  # beside the picture, its shadow too
                continue
            name = f"birch {'near' if far < 16 else 'far'} {looks % 3}"
            put(picture, name, (x, 0, z), (looks % 63 / 10, 0, 0), casts=far < 16)
            room -= 1
            if not room:
                break


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


def shot(world: DroneFollow) -> tuple[float, float, bool]:
    """Where the rules have the fox's middle, px right of and above the picture's; whether it is in the picture."""
    depth, right, up = world.drone.sees(world.fox)
    x, y = right * FOCAL / max(depth, 0.5), up * FOCAL / max(depth, 0.5)
    return x, y, depth > 0.5 and -400 < x < 400 and -300 < y < 252


def shows(world: DroneFollow, picture: Picture) -> bool:
    """Whether a part of the fox is in the picture."""
    fox, c, s = world.fox, cos(world.fox.heading), sin(world.fox.heading)
    ends = [picture.project((fox.x + x * c, y, fox.z + x * s)) for x, y in ENDS]
    return any(depth > 0 and 0 < x < 800 and 48 < y < 600 for x, y, depth in ends)


def told(world: DroneFollow, picture: Picture) -> str:
    """That the fox is on film, or why not."""
    x, y, framed = shot(world)
    depth = world.drone.sees(world.fox)[0]
    if world.filmed:
        return "filming"
    if depth <= 0:
        return "behind you"
    if not framed:
        side = ("left", "right")[x > 0] if 3 * abs(x) > 4 * abs(y) else ("below", "above")[y > 0]
        return f"{'partly out' if shows(world, picture) else 'out of the picture'}, {side}"
    if world.hidden():
        return "trunk in the way"
    if depth >= CLOSE:
        return "too far" if world.seen else "much too far"
    side = ("left of", "right of")[x > 0] if abs(x) > abs(y) else ("below", "above")[y > 0]
    return f"{side} the ring"


def pointer(picture: Picture, x: float, y: float, angle: float) -> None:
    """An arrow with its tip at a place."""
    c, s = cos(angle), sin(angle)
    corners = [(x + a * c - b * s, y + a * s + b * c) for a, b in ARROW]
    picture.polygon(corners, BLUE, edge=PALE, edge_width=4)


def draw_finder(world: DroneFollow, picture: Picture) -> None:
    """Ring, reel, plate, the arrow to a fox out of sight or too far, the lamp of its sight, the bumps left."""
    r, share = world.level.ring / 2, 1 - world.lost / LOST
    if world.dazed:
        picture.box(400, 324, 800, 552, RED, alpha=0.5 * world.dazed / DAZED)
    draw_frame(picture, r, world.filmed, world.bumps, world.seen)
    picture.arc(400, 300, r + 13, -TAU / 4, TAU * world.reel / REEL, 6, PALE if world.filmed else RED)
    picture.disc(46, 90, 2 + 17 * share, PALE if world.seen else RED)
    depth, right, up = world.drone.sees(world.fox)
    framed = shot(world)[2]
    angle = floor((atan2(-up if depth > 0 else hypot(depth, up), right)) / TAU * 48 + 0.5) * TAU / 48
    below = not world.seen and not framed and sin(angle) > 0.5  # where the plate is, unless it makes room
    draw_plate(world, picture, depth if world.seen else hypot(hypot(depth, right), up), 340 + r + 85 * below)
    if world.dazed:
        picture.box(400, 100, 250, 56, DARK, radius=28, alpha=0.85)
        picture.text(400, 100, f"BUMP! {BUMPS - world.bumps} left", 30, PALE, bold=True)
    if framed and (depth >= CLOSE or not world.seen):
        x, y, _ = picture.project((world.fox.x, BACK, world.fox.z))  # as the picture leans
        side = 1 if x < 230 and y < 210 else -1  # from below where the board is
        pointer(picture, x, y + 34 * side, -side * TAU / 4)
    elif not world.seen:
        pointer(picture, 400 + (r + 98) * cos(angle), 300 + (r + 98) * sin(angle), angle)


def draw_plate(world: DroneFollow, picture: Picture, far: float, y: float) -> None:
    """How far the fox is, and whether it is on film. Tenths are cut off, so that what reads 10.0 is too far."""
    back = world.reel > 0 and not world.filmed
    text = f"{floor(10 * far) / 10:.1f} m: {told(world, picture)}"
    picture.box(400, y + 10 * back, 48 + 9 * max(len(text), 14 * back), 30 + 20 * back, DARK, radius=15, alpha=0.85)
    picture.text(400, y, text, 17, PALE, bold=True)
    if back:
        picture.text(400, y + 20, "reel runs back", 15, 0xFFB9A8, bold=True)


@kept
def draw_frame(picture: Picture, r: float, filmed: bool, bumps: int, seen: bool) -> None:
    """The ring, and the board of the lamp and the bumps."""
    picture.ring(400, 300, r, 3, PALE if filmed else DARK, alpha=0.9 if filmed else 0.6)
    picture.ring(400, 300, r + 13, 10, DARK, alpha=0.45)
    picture.box(108, 98, 196, 80, DARK, radius=16, alpha=0.55)
    picture.disc(46, 90, 22, DARK)
    if seen:
        picture.glow(46, 90, 42, 0xFFF3A0, alpha=0.4)
    picture.text(46, 124, "sight", 13, PALE, bold=True)
    for bump in range(BUMPS):
        fill = PALE if bump >= bumps else DARK
        picture.box(92 + 22 * bump, 90, 14, 24, fill, radius=3, edge=PALE, edge_width=2)
    picture.text(136, 124, "bumps left", 13, PALE, bold=True)


@kept
def draw_pads(picture: Picture) -> None:
    for stick, x in zip(STICKS, (92, 708), strict=True):
        picture.shadow(x, 514, 132, 132, radius=66, blur=14, alpha=0.35)
        picture.disc(x, 510, 66, DARK, alpha=0.75, edge=PALE, edge_width=2, does=Hold(stick))
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            picture.line(x + 52 * dx, 510 + 52 * dy, x + 58 * dx, 510 + 58 * dy, 3, PALE, alpha=0.7)


def draw_sticks(world: DroneFollow, picture: Picture) -> None:
    draw_pads(picture)
    pushed = world.pushed()
    for index, x in enumerate((92, 708)):
        a, b = x + 34 * pushed[2 * index], 510 - 34 * pushed[2 * index + 1]
        picture.line(x, 510, a, b, 11, 0x12160E)
        picture.disc(a, b, 24, 0xF3E58B, edge=0x5D5526, edge_width=3)
        picture.disc(a - 5, b - 6, 9, 0xFFFBE0, alpha=0.6, soft=8)
