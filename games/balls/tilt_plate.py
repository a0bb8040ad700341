"""Tilt a quaking plate with three levers so that each steel ball rolls into the cup of its colour.

Balls never rest and tremors tip the plate anew: a tilt meant for where a ball was runs it into a hole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import TAU, clamp, cos, hypot, sin
from games.kit.omen import Omen
from games.kit.world import TICKS_PER_SECOND, Hold, World, acting

Wall = tuple[float, float, float, float]  # cm: x1, z1, x2, z2, along a side of the plate
RIM = ((-21, -22, 21, -22), (-21, 22, 21, 22), (-30, -13, -30, 13), (30, -13, 30, 13))
BALL, HOLE, CORNER = 1.6, 2.2, 43.0  # cm: radii; |x| + |z| at the open corners
PULL, DRAG, BOUNCE, CATCH = 7.0, 0.5, 0.45, 14.0  # cm/s² a degree; lost a second; kept at a wall; cm/s a cup holds
COUNT, LOST, WAIT, SINK = 5, 5, 90, 24  # balls to bring home; lost that end it; ticks at the gate and while it falls
WARNING, SETTLE = 28, 0.08  # ticks of arrows before a tremor; of the way to the new lean, a tick
TOLD = 40  # ticks for which a cup says why it refused a ball, longer than that takes to roll through
PUSH, SAG = 1 / 18, 1 / 48  # of a lever's full throw, a tick under the hand; of its place, when left
JACKS = ((0.0, 3.0), (-2.598, -1.5), (2.598, -1.5))  # degrees that a full lift leans the plate, from where it stands
LEVERS, CODES = ("lever 1", "lever 2", "lever 3"), "QAWSED"
KEYS = {f"Key{code}": f"{LEVERS[i // 2]} {'down' if i % 2 else 'up'}" for i, code in enumerate(CODES)}
SLOTS, SLOT_Y, THROW = (656.0, 708.0, 760.0), 474.0, 58.0  # px, of the levers


class Level(NamedTuple):
    balls: int  # on the plate at once
    holes: int
    ridges: int
    cup: float  # cm, radius
    tremor: float  # degrees, most
    interval: float  # s, mean time between tremors
    coupling: float  # share of a lever's lift that goes to a second jack


@dataclass
class Ball:
    colour: int
    x: float  # cm, from the plate's middle, x to the right, z to the front
    z: float = BALL - 22
    vx: float = 0.0  # cm/s
    vz: float = 8.0
    age: int = -WAIT  # ticks: below 0 it waits at the gate, above 0 it has fallen
    refuser: int = 0  # the colour of the cup that refused it last
    told: int = 0  # ticks for which that cup still says so

    def roll(self, lean: list[float], walls: list[Wall], ticks: int = 1) -> None:
        """Some ticks in a stride. lean: degrees, downhill along x and z."""
        time = ticks / TICKS_PER_SECOND
        self.vx += (lean[0] * PULL - DRAG * self.vx) * time
        self.vz += (lean[1] * PULL - DRAG * self.vz) * time
        self.x, self.z = self.x + self.vx * time, self.z + self.vz * time
        for x1, z1, x2, z2 in walls:
            dx, dz = self.x - clamp(self.x, x1, x2), self.z - clamp(self.z, z1, z2)
            if 0 < dx * dx + dz * dz < BALL * BALL:
                far = hypot(dx, dz)
                into = min(0.0, self.vx * dx + self.vz * dz) * (1 + BOUNCE) / (far * far)
                self.x, self.z = self.x + dx * (BALL / far - 1), self.z + dz * (BALL / far - 1)
                self.vx, self.vz = self.vx - into * dx, self.vz - into * dz


def shove(lever: float, push: float) -> float:
    """Where a lever is a tick later, under a push of -1..1, or left when it is 0."""
    return clamp(lever + push * PUSH, -1, 1) if push else lever - lever * SAG


def behind(cell: tuple[int, int], cup: tuple[int, int], column: int) -> bool:
    """Whether a cell is next to a cup, where a ball that comes from the gate's column and runs too far would go."""
    x, z, dx, dz = 10 * (cup[0] - column), 11 * cup[1] + 5.5, 10 * (cell[0] - cup[0]), 11 * (cell[1] - cup[1])
    return hypot(dx, dz) < 16 and x * dx + z * dz > 0.7 * hypot(x, z) * hypot(dx, dz)


@dataclass
class TiltPlate(World):
    title = "Quaking Plate"
    goal = "Roll each steel ball into the cup of its colour on the plate, past the holes; the levers are not explained."
    rulebook = (
        "The shelf shows the balls to come, the next one at the gate. A cup takes only balls of its own sign, and "
        "only slow ones: a rolling ball in a white ring is slow enough, one with a flame behind it too fast. A cup "
        "that refuses a ball says why. A ball that falls into a hole or off one of the corners, where arrows point "
        "out and no rim stands, comes back at the gate; the first costs nothing, the fifth ends it. A lever takes a "
        "while to go where the hand sends it, and sags back when it is left. Yellow arrows stand where a tremor is "
        "about to raise the plate's edge, the longer the higher. On the dial the needle points downhill, the farther "
        "the steeper, and its tip is on its way to the hollow ring, where the levers and the tremor bring it. Which "
        "lever works which jack is for you to find out."
    )
    controls = {
        "full": "Drag a lever to set it for as long as you hold it. Or hold Q, W and E to raise the three levers, "
        "A, S and D to lower them, several at once.",
        "simple": "Q, W and E raise the three levers a little, A, S and D lower them; several may go together.",
    }
    seconds = 75
    twin = acting(18)  # TIMING
    keys = {code: Hold(grip) for code, grip in KEYS.items()}
    verbs = KEYS
    crosshair = False
    abilities = twin_abilities = ("temporal", "planning", "exploration", "3d")
    levels = (
        Level(1, 4, 1, 3.8, 1.2, 2.5, 0.05),
        Level(1, 5, 1, 3.4, 1.8, 2.0, 0.12),
        Level(1, 6, 2, 3.0, 2.6, 1.6, 0.20),
        Level(2, 8, 2, 2.6, 3.8, 1.2, 0.30),
        Level(2, 10, 3, 2.1, 6.8, 0.6, 0.40),
    )

    gate: float  # cm, x
    cups: list[tuple[float, float]]  # cm, of each colour
    holes: list[tuple[float, float]]
    walls: list[Wall]  # rim and ridges
    deal: list[list[float]]  # of each lever: how far its full throw lifts each jack
    rack: list[int]  # colours of the balls still to come
    balls: list[Ball] = field(default_factory=list)
    levers: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])  # -1..1
    sway: list[float] = field(default_factory=lambda: [0.0, 0.0])  # degrees: the plate's own lean, downhill
    aim: list[float] = field(default_factory=lambda: [0.0, 0.0])  # degrees: where the last tremor brings it
    omen: Omen = field(default_factory=Omen)
    home: list[int] = field(default_factory=list)  # colours of the balls in their cups
    lost: int = 0

    @classmethod
    def new(cls, level: Level, dice: Dice) -> TiltPlate:
        column, signs = dice.whole(1, 4), [dice.sign() for _ in range(6)]
        cups = [(dice.whole(0, 1), 2), (dice.whole(2, 3), 3), (dice.whole(4, 5), 2)]
        free = [(i, k) for i in range(6) for k in range(4) if (i % 5 or k % 3) and (i != column or k > 1)]
        holes = [cell for cell in free if cell not in cups and not any(behind(cell, cup, column) for cup in cups)]
        ridges = [(10.0 * i - 29.5, 0.0, 10.0 * i - 20.5, 0.0) for i in range(6)]
        ridges += [(10.0 * i - 20, 10.0 * k, 10.0 * i - 20, 10.0 * k + 10) for i in range(5) for k in (-1, 0)]
        jacks, order = [0, 1, 2], [0, 1, 2]
        for items in (cups, holes, ridges, jacks, order):
            dice.shuffle(items)
        spots = [(10 * i - 25 + dice.between(-1, 1), 11 * k - 16.5 + dice.between(-1, 1)) for i, k in cups + holes]
        deal = [[0.0, 0.0, 0.0] for _ in LEVERS]
        for lever, lifts in enumerate(deal):
            lifts[jacks[lever]], lifts[jacks[lever - 1]] = float(signs[lever]), level.coupling * signs[lever + 3]
        gate, pits, rack = 10.0 * column - 25, spots[3 : 3 + level.holes], (2 * order)[:COUNT]
        walls = [*RIM, *ridges[: level.ridges]]
        return cls(level=level, gate=gate, cups=spots[:3], holes=pits, walls=walls, deal=deal, rack=rack)

    def sent(self, lever: int) -> float | None:
        """Where the hand sends a lever, -1..1; None: it is left."""
        hand, name = self.hand, LEVERS[lever]
        if hand.holds(name):
            return clamp((SLOT_Y - hand.y) / THROW, -1, 1)
        return float(hand.holds(f"{name} up") - hand.holds(f"{name} down")) or None

    def lifts(self, levers: list[float]) -> list[float]:
        """How far levers that stand so lift each jack, about -1..1."""
        (a, b, c), (one, two, three) = levers, self.deal
        return [a * one[jack] + b * two[jack] + c * three[jack] for jack in range(3)]

    def lean(self, levers: list[float], sway: list[float]) -> list[float]:
        """Degrees of the plate's lean, downhill along x and z, under such levers and such a lean of its own."""
        (x, z), ((ax, az), (bx, bz), (cx, cz)), (a, b, c) = sway, JACKS, self.lifts(levers)
        return [x - a * ax - b * bx - c * cx, z - a * az - b * bz - c * cz]

    def drift(self) -> None:
        level, fate, balls, levers = self.level, self.fate, self.balls, self.levers
        self.omen.tick(fate, level.interval * TICKS_PER_SECOND, WARNING)
        if self.tick == 1 or self.omen.lead == WARNING:
            turn, much = fate.between(0, TAU), level.tremor * fate.between(0.5, 1)
            self.aim = [much * cos(turn), much * sin(turn)]
        if not self.omen.lead:
            self.sway = [own + (aim - own) * SETTLE for own, aim in zip(self.sway, self.aim, strict=True)]
        for index, lever in enumerate(levers):
            goal = self.sent(index)
            levers[index] = shove(lever, 0) if goal is None else lever + clamp(goal - lever, -PUSH, PUSH)
        lean, walls = self.lean(levers, self.sway), self.walls
        if len(balls) == 2 and balls[0].age == balls[1].age == 0:  # each meets a wall halfway to the other
            walls = [*walls, ((balls[0].x + balls[1].x) / 2, (balls[0].z + balls[1].z) / 2) * 2]
        for ball in balls:
            ball.age += ball.age != 0
            if not ball.age:
                ball.roll(lean, walls)
                self.judge(ball)
        balls[:] = [ball for ball in balls if ball.age < SINK]
        if self.rack and COUNT - len(self.home) - len(self.rack) < level.balls and all(ball.age >= 0 for ball in balls):
            balls.append(Ball(self.rack.pop(0), self.gate))

    def judge(self, ball: Ball) -> None:
        ball.told = max(0, ball.told - 1)
        for colour, (x, z) in enumerate(self.cups):
            if hypot(ball.x - x, ball.z - z) < self.level.cup:
                ball.refuser, ball.told = colour, TOLD  # not seen if it is taken now
        x, z = self.cups[ball.colour]
        if hypot(ball.x - x, ball.z - z) < self.level.cup and hypot(ball.vx, ball.vz) < CATCH:
            ball.age = 1
            self.home.append(ball.colour)
            if len(self.home) == COUNT:
                self.win()
        elif abs(ball.x) + abs(ball.z) > CORNER or any(hypot(ball.x - x, ball.z - z) < HOLE for x, z in self.holes):
            ball.age, self.lost = 1, self.lost + 1
            self.rack.insert(0, ball.colour)
            if self.lost == LOST:
                self.lose("five balls lost")

    def simple(self, verb: str) -> object:
        return Hold(verb, self.twin.ticks)

    def progress(self) -> float:
        return len(self.home) / COUNT

    def reserve(self) -> float:
        return min(1, (LOST - self.lost) / (LOST - 1))
