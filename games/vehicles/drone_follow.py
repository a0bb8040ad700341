"""Fly a camera drone after a running fox and keep it in the ring while the reel fills.

The fox doubles back, sprints and hides on live draws: a move for where it was loses it, and the reel runs back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import TAU, atan2, clamp, cos, floor, hypot, sin, turn_between
from games.kit.omen import Omen
from games.kit.world import TICKS_PER_SECOND, Hold, World, acting

TICK = 1 / TICKS_PER_SECOND  # s
FOV, FOCAL, ALONG, DOWN = 66.0, 462.0, 0.9613, 0.2756  # degrees, vertical; px, the same; the camera dips 16 degrees
SPEED, SIDE = 2.1, 1.0  # of the drone, ahead and sideways, in speeds of the fox
LIFT, SPIN, EASE, GLIDE = 1.8, 1.25, 1 / 18, 1 / 60  # m/s; radians/s; of the way to what is asked, a tick; unasked
HEIGHT, LOW, HIGH = 2.2, 0.9, 6.0  # m: at the start, lowest, highest
CLEAR, BERTH = 0.7, 0.75  # m from a trunk's middle that stop a drone and a fox
BUMPS, DAZED, EARS = 5, 45, 24  # that end the flight; ticks in which no other counts; from ears to what they announce
PLANS = 3 * (("turn", 0.6, 1.8),) + (("double", 2.5, 3.1), ("sprint", 0.0, 0.4), ("slip", 0.0, 0.4))  # radians
BACK, CLOSE, SIGHT = 0.36, 10.0, 36.0  # m: height of the fox's middle; near enough to film it, to see it at all
REEL, LOST, GUSTS = 480, 600, 96  # ticks of film; out of sight that end the flight; mean ticks from wind to wind
CELL, TRUNK, GLADE = 4.0, 0.3, 10.0  # m: squares that hold one birch at most; its radius; none around the start
CODES = ("KeyA", "KeyD", "KeyS", "KeyW", "ArrowLeft", "ArrowRight", "ArrowDown", "ArrowUp")
STICKS, THUMB = ("left stick", "right stick"), 46.0  # px from where a thumb takes a stick to its full reach
GRIPS = tuple(f"{stick} {way}" for stick in STICKS for way in ("left", "right", "down", "up"))


class Level(NamedTuple):
    axes: int  # that the sticks move: ahead, turn, sideways, rise
    fox: float  # m/s
    interval: float  # s, mean time between the fox's changes
    trees: float  # a hundred square metres
    wind: float  # m/s, most
    ring: float  # px, diameter
    rewind: float  # ticks of film lost in a tick without the fox


@dataclass
class Drone:
    heading: float
    fx: float  # cosine and sine of the heading
    fz: float
    x: float = 0.0
    y: float = HEIGHT
    z: float = 0.0
    vx: float = 0.0  # m/s
    vy: float = 0.0
    vz: float = 0.0
    spin: float = 0.0  # radians a second

    def fly(self, asked: list[float], pace: float, wind: list[float], ticks: int = 1) -> None:
        """Some ticks in a stride. asked: ahead, turn, sideways, rise, each -1..1; pace: m/s of the fox."""
        time, ease, glide = ticks * TICK, 1 - (1 - EASE) ** ticks, 1 - (1 - GLIDE) ** ticks
        ahead, side = asked[0] * SPEED * pace, asked[2] * SIDE * pace
        go = ease if ahead or side else glide
        self.spin += (asked[1] * SPIN - self.spin) * (ease if asked[1] else glide)
        self.heading += self.spin * time
        fx, fz = self.fx, self.fz = cos(self.heading), sin(self.heading)
        self.vx += (ahead * fx - side * fz + wind[0] - self.vx) * go
        self.vy += (asked[3] * LIFT + wind[1] - self.vy) * (ease if asked[3] else glide)
        self.vz += (ahead * fz + side * fx + wind[2] - self.vz) * go
        self.x, self.z = self.x + self.vx * time, self.z + self.vz * time
        self.y = clamp(self.y + self.vy * time, LOW, HIGH)

    def sees(self, fox: Fox) -> tuple[float, float, float]:
        """Metres ahead, right and up of the camera."""
        dx, dy, dz = fox.x - self.x, BACK - self.y, fox.z - self.z
        far = dx * self.fx + dz * self.fz
        return far * ALONG - dy * DOWN, dz * self.fx - dx * self.fz, dy * ALONG + far * DOWN


@dataclass
class Fox:
    x: float
    z: float
    heading: float
    goal: float  # heading that it turns to
    pace: float = 0.5  # share of the level's speed
    urge: float = 0.8  # pace that it changes to
    lair: tuple[float, ...] = ()  # where it will lurk
    plan: str = ""  # what its ears announce
    turn: float = 0.0  # radians: the plan's
    omen: Omen = field(default_factory=Omen)

    def run(self, speed: float) -> None:
        self.heading += clamp(turn_between(self.heading, self.goal), -4 * TICK, 4 * TICK)
        self.pace += clamp(self.urge - self.pace, -0.04, 0.04)
        step = self.pace * speed * TICK
        self.x, self.z = self.x + cos(self.heading) * step, self.z + sin(self.heading) * step
        if self.lair and hypot(self.x - self.lair[0], self.z - self.lair[1]) < 0.5:
            self.urge = 0.05

    def change(self, eye: Drone, trunks: list[tuple[float, float]]) -> None:
        """Do what the ears have announced; to slip is to run behind the nearest trunk and lurk there."""
        self.lair, self.goal, self.urge = (), self.heading + self.turn, 1.5 if self.plan == "sprint" else 1.0
        x, z = min(trunks, key=lambda trunk: hypot(trunk[0] - self.x, trunk[1] - self.z), default=(1e9, 0.0))
        if self.plan == "slip" and hypot(x - self.x, z - self.z) < 9:
            far = hypot(x - eye.x, z - eye.z) or 1.0
            self.lair = (x + (x - eye.x) / far * 0.9, z + (z - eye.z) / far * 0.9)
            self.goal = atan2(self.lair[1] - self.z, self.lair[0] - self.x)
        self.plan = ""


@dataclass
class DroneFollow(World):
    title = "Fox Film"
    goal = (
        "Film the running fox: keep it inside the ring and close until the reel is full; try out what each stick does."
    )
    rulebook = (
        "The reel fills while the middle of the fox is in the ring, less than ten metres ahead, no trunk in the way; "
        "else it runs back. Ears turn just before it turns, doubles back, sprints or hides. Wind pushes the drone, "
        "which glides on for a while. Sight is lost while its middle is out of the picture, behind a trunk or 36 "
        "metres off: ten seconds of that, or the fifth bump into a trunk, end the flight. An arrow points to a fox out "
        "of sight or too far. Every drone wires its sticks in its own way; some ways of a stick may do nothing."
    )
    controls = {
        "full": "Hold W, A, S, D for the left stick, the arrows for the right one, several together; or drag a stick.",
        "simple": "W, A, S, D push the left stick and the arrows the right one, three tenths of a second each time.",
    }
    seconds = 75
    twin = acting(18)  # TIMING
    keys = {code: Hold(grip) for code, grip in zip(CODES, GRIPS, strict=True)}
    verbs = dict(zip(CODES, GRIPS, strict=True))
    crosshair = False
    abilities = twin_abilities = ("temporal", "planning", "exploration", "3d")
    levels = (
        Level(2, 2.5, 2.2, 1.2, 0.4, 230, 0.5),
        Level(3, 3.5, 1.9, 1.7, 0.8, 196, 0.7),
        Level(3, 4.6, 1.6, 2.3, 1.2, 166, 1.0),
        Level(4, 5.8, 1.3, 2.8, 1.6, 138, 1.3),
        Level(4, 7.0, 1.05, 3.4, 2.0, 116, 1.7),
    )

    wood: int  # the number from which every birch follows
    deal: list[tuple[int, int]]  # what moves each axis: 0 left across, 1 left up, 2 right across, 3 right up; sign
    drone: Drone
    fox: Fox
    wind: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])  # m/s
    veer: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])  # m/s: what the wind changes to
    blown: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])  # m that the wind has carried a leaf
    gust: Omen = field(default_factory=Omen)
    cell: tuple[int, int] = (0, 0)  # of the drone
    near: list[tuple[float, float]] = field(default_factory=list)  # trunks around it
    seen: bool = True
    filmed: bool = False
    reel: float = 0.0
    lost: int = 0  # ticks out of sight
    bumps: int = 0
    dazed: int = 0

    @classmethod
    def new(cls, level: Level, dice: Dice) -> DroneFollow:
        wood, ways = dice.bits(), [0, 1, 2, 3]
        dice.shuffle(ways)
        deal = [(way, dice.sign()) for way in ways]
        heading, aside, away = dice.between(0, TAU), dice.between(-0.35, 0.35), dice.between(-1.2, 1.2)
        fox = Fox(8.5 * cos(heading + aside), 8.5 * sin(heading + aside), heading + away, heading + away)
        world = cls(level=level, wood=wood, deal=deal, drone=Drone(heading, cos(heading), sin(heading)), fox=fox)
        world.look_round()
        world.film()
        return world

    def birch(self, i: int, k: int) -> tuple[float, float, int] | None:
        """The birch of a square, if any: x, z, and a number for its looks."""
        chance = Dice((self.wood + i * 0x632BE59BD9B4E019 + k * 0xD1342543DE82EF95) & 0xFFFFFFFFFFFFFFFF).bits()
        x, z = (i + 0.1 + (chance >> 16 & 255) / 320) * CELL, (k + 0.1 + (chance >> 24 & 255) / 320) * CELL
        wanted = (chance & 0xFFFF) / 0x10000 < self.level.trees * CELL * CELL / 100
        return (x, z, chance >> 32) if wanted and x * x + z * z > GLADE * GLADE else None

    def look_round(self) -> None:
        i, k = self.cell = floor(self.drone.x / CELL), floor(self.drone.z / CELL)
        self.near = [birch[:2] for n in range(49) if (birch := self.birch(i + n // 7 - 3, k + n % 7 - 3))]

    def pushed(self) -> list[float]:
        """Where the sticks stand: left across, left up, right across, right up, each -1..1."""
        hand, pushed = self.hand, [0.0] * 4
        for index, grip in enumerate(GRIPS):
            pushed[index // 2] += hand.holds(grip) * (index % 2 * 2 - 1)
        for n, stick in enumerate(STICKS):
            if hand.holds(stick):
                x, y = hand.held[stick]
                pushed[2 * n : 2 * n + 2] = clamp((hand.x - x) / THUMB, -1, 1), clamp((y - hand.y) / THUMB, -1, 1)
        return pushed

    def drift(self) -> None:
        level, fox, drone, fate, pushed = self.level, self.fox, self.drone, self.fate, self.pushed()
        if self.gust.tick(fate, GUSTS, 1) or self.tick == 1:
            self.veer = [fate.between(-1, 1) * level.wind * share for share in (1, 0.3 * (level.axes > 3), 1)]
        for axis in range(3):
            self.wind[axis] += (self.veer[axis] - self.wind[axis]) * 0.03
            self.blown[axis] += self.wind[axis] * TICK
        if fox.omen.tick(fate, level.interval * TICKS_PER_SECOND, EARS):
            fox.change(drone, self.near)
        elif fox.omen.lead == EARS:
            fox.plan, least, most = fate.pick(PLANS)
            fox.turn = fate.sign() * fate.between(least, most)
        fox.run(level.fox)
        asked = [sign * pushed[way] if axis < level.axes else 0.0 for axis, (way, sign) in enumerate(self.deal)]
        drone.fly(asked, level.fox, self.wind)
        self.dazed = max(0, self.dazed - 1)
        self.part(fox, BERTH)
        if self.part(drone, CLEAR) and not self.dazed:
            self.bumps, self.dazed = self.bumps + 1, DAZED
        if self.cell != (floor(drone.x / CELL), floor(drone.z / CELL)):
            self.look_round()
        self.film()

    def part(self, thing: Drone | Fox, room: float) -> bool:
        """Keep a thing so far from all trunks; a drone is thrown back. Whether one was in the way."""
        hits = [(x, z) for x, z in self.near if (thing.x - x) ** 2 + (thing.z - z) ** 2 < room * room]
        for x, z in hits:
            out = room / (hypot(thing.x - x, thing.z - z) or 1.0)
            dx, dz = (thing.x - x) * out, (thing.z - z) * out
            thing.x, thing.z = x + dx, z + dz
            if isinstance(thing, Drone):
                thing.vx, thing.vz = dx * 3.5, dz * 3.5
        return bool(hits)

    def film(self) -> None:
        depth, right, up = self.drone.sees(self.fox)
        x, y = right * FOCAL / max(depth, 0.01), up * FOCAL / max(depth, 0.01)
        self.seen = 0.5 < depth < SIGHT and -400 < x < 400 and -300 < y < 252 and not self.hidden()
        self.filmed = self.seen and depth < CLOSE and x * x + y * y < self.level.ring**2 / 4
        self.reel = min(REEL, self.reel + 1) if self.filmed else max(0.0, self.reel - self.level.rewind)
        self.lost = max(0, self.lost - 4) if self.seen else self.lost + 1
        if self.reel >= REEL:
            self.win()
        elif self.lost >= LOST or self.bumps >= BUMPS:
            self.lose("five bumps" if self.bumps >= BUMPS else "out of sight")

    def hidden(self) -> bool:
        """Whether a trunk near the drone stands before the fox's middle."""
        eye, ax, az = self.drone, self.fox.x - self.drone.x, self.fox.z - self.drone.z
        square = ax * ax + az * az
        rays = ((x - eye.x, z - eye.z) for x, z in self.near)
        return any(0 < ax * bx + az * bz < square and (ax * bz - az * bx) ** 2 < TRUNK**2 * square for bx, bz in rays)

    def simple(self, verb: str) -> object:
        return Hold(verb, self.twin.ticks)

    def progress(self) -> float:
        return self.reel / REEL

    def reserve(self) -> float:
        return 1 - max(self.bumps / BUMPS, 3 * self.lost // LOST / 3)  # in thirds: a glance away is no loss
