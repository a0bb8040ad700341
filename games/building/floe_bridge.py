"""Shove ice floes together and lash them with ropes, from bank to bank, so that the foxes can cross the river.

Eddies carry floes out of their places and ropes wear while they hold against the current: a shove or a lashing meant
for an old gap finds open water, and half a bridge does not wait.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.bodies import Disc, Rope, ends, gap, glide, jostle, pull
from games.kit.dice import Dice
from games.kit.maths import TAU, clamp, cos, hypot, sin, sqrt
from games.kit.omen import Omen
from games.kit.world import FREE, TICKS_PER_SECOND, Command, Hand, World, still

TOP, BOTTOM = 108.0, 528.0  # px, the far and the near bank
NEAR, FAR = -1, -2  # the banks, where floes are counted from 0
TICK = 1 / TICKS_PER_SECOND
SIZE = 48.0  # px, radius of a floe of mass 1
DRAG, SHORE = 1.1, 0.4  # of the speed against the water, lost a second; the current at the banks, as a share
BOUNCE, GRIP = 0.15, 0.3
CURL, LIFE, WIDE, SWIRL = 42, 90, 140.0, 95.0  # ticks of foam before an eddy, and of the eddy; px radius; px/s
STIFF, DAMP, BEAR = 45.0, 5.0, 1200.0  # of a rope: pull a px and a px/s; a pull that would snap it in a second
REACH = 110.0  # px of a drag that count
PUSH, POKE = 0.9, 62.0  # px/s that a floe of mass 1 gets for each px of a drag, and from a verb
CELL = 50.0  # px, of the pole's lattice
CATCH = 36.0  # px from the pole to the middle of a gap that it lashes
ROPES, FOXES, SHOVES = 6, 3, 50  # ropes beyond the spare ones; foxes that cross; shoves that end it
PACE, FILE = 2.0, 0.8  # links of the chain a second, and between two foxes


class Level(NamedTuple):
    floes: int
    current: float  # px/s, in midstream
    interval: float  # s, mean time between eddies
    reach: float  # px, the widest gap that a lashing spans
    spare: int  # ropes that may be lost
    rocks: int


@dataclass
class Eddy:
    x: float
    y: float
    turn: int  # 1 clockwise, -1 the other way
    age: int = -CURL  # ticks; below 0 only its foam curls


@dataclass
class FloeBridge(World):
    title = "Floe Bridge"
    goal = "Lash ice floes into an unbroken chain from bank to bank, so that three foxes can cross."
    rulebook = (
        "A gap that is narrow enough to be lashed shows a knot; a rope thrown anywhere else is lost. Ropes wear while "
        "they pull and snap in the end. Foxes cross a whole chain only, and run back when it breaks. Foam curls where "
        "an eddy is about to turn. Lost ropes beyond the spare ones, or the fiftieth shove, lose."
    )
    seconds = 80
    twin = still()  # TIMING
    keys = {"KeyX": ("cut",)}
    verbs = {
        "ArrowLeft": "left",
        "ArrowRight": "right",
        "ArrowUp": "up",
        "ArrowDown": "down",
        "KeyW": "shove up",
        "KeyA": "shove left",
        "KeyS": "shove down",
        "KeyD": "shove right",
        "Space": "lash",
    }
    abilities, twin_abilities = ("temporal", "planning"), ("planning",)
    levels = (
        Level(9, 12, 2.8, 32, 6, 0),
        Level(9, 17, 2.4, 29, 5, 1),
        Level(10, 22, 2.0, 26, 5, 1),
        Level(11, 28, 1.6, 23, 4, 2),
        Level(12, 34, 1.3, 20, 4, 3),
    )

    discs: list[Disc]  # the floes, then the rocks
    outlines: list[list[float]]  # of each disc: how far its corners are, in radii
    ropes: list[Rope] = field(default_factory=list)
    eddies: list[Eddy] = field(default_factory=list)
    omen: Omen = field(default_factory=Omen)
    lane: float = 0.0  # where the next floe comes in, 0 far bank to 1 near bank
    chain: list[int] = field(default_factory=list)  # floes of the bridge, near bank first
    foxes: list[float] = field(default_factory=list)  # links that foxes on the bridge have behind them
    home: int = 0
    lost: int = 0  # ropes
    shoves: int = 0
    mark: tuple[float, float, int] = (0.0, 0.0, -90)  # where and when a rope was lost last

    @classmethod
    def new(cls, level: Level, dice: Dice) -> FloeBridge:
        rocks = [Disc(dice.between(250, 740), dice.between(200, 440), dice.between(19, 26), 0) for _ in range(3)]
        floes: list[Disc] = []
        while len(floes) < 13:
            disc = Disc(0, 0, dice.between(40, 54))
            for _ in range(300):
                disc.x, disc.y = dice.between(30, 700), dice.between(TOP + disc.r + 4, BOTTOM - disc.r - 4)
                if all(gap(disc, other) > 6 for other in floes + rocks):
                    break
            disc.mass, turn = disc.r * disc.r / (SIZE * SIZE), dice.between(0, TAU)
            disc.c, disc.s = cos(turn), sin(turn)
            floes.append(disc)
        corners = [[dice.between(0.93, 1.06) for _ in range(9)] for _ in range(16)]
        discs = floes[: level.floes] + rocks[: level.rocks]
        outlines = corners[: level.floes] + corners[13 : 13 + level.rocks]
        return cls(level=level, discs=discs, outlines=outlines, hand=Hand(x=425, y=318))

    def act(self, command: Command) -> object:
        match command:
            case ("step", dx, dy):
                self.hand.x = clamp(self.hand.x + dx * CELL, 25, 775)
                self.hand.y = clamp(self.hand.y + dy * CELL, 118, 518)
                return FREE
            case ("shove", index, dx, dy):
                if index >= 0:
                    self.discs[index].vx += dx / self.discs[index].mass
                    self.discs[index].vy += dy / self.discs[index].mass
                self.shoves += 1
                if self.shoves == SHOVES:
                    self.lose("fifty shoves")
            case ("lash", a, b):
                self.lash(a, b)
            case ("throw",):
                if not self.coil():
                    return FREE
                self.lose_rope(self.hand.x, self.hand.y)
            case ("cut",):
                kept = [rope for rope in self.ropes if self.off(rope) > 10]
                if len(kept) == len(self.ropes):
                    return FREE
                self.retie(kept)
        return None

    def lash(self, a: int, b: int) -> None:
        one, width = self.discs[a], max(0.0, self.width(a, b))
        if b < 0:
            x, y = one.x, TOP if b == FAR else BOTTOM
            away, far = (0.0, -1.0 if b == FAR else 1.0), (x, y)
        else:
            other = self.discs[b]
            span = hypot(other.x - one.x, other.y - one.y)
            away = ((other.x - one.x) / span, (other.y - one.y) / span)
            far = other.own(other.x - away[0] * other.r * 0.9, other.y - away[1] * other.r * 0.9)
        near = one.own(one.x + away[0] * one.r * 0.9, one.y + away[1] * one.r * 0.9)
        spare = 0.1 * one.r + (0.1 * self.discs[b].r if b >= 0 else 0.0)
        self.retie([*self.ropes, Rope(a, b, (*near, *far), spare + max(3.0, 0.8 * width))])

    def lose_rope(self, x: float, y: float) -> None:
        self.lost, self.mark = self.lost + 1, (x, y, self.tick)
        if self.lost > self.level.spare:
            self.lose("ropes used up")

    def retie(self, ropes: list[Rope]) -> None:
        """Have these ropes and no others; foxes on a bridge that is another one now run back."""
        self.ropes = ropes
        ways = [[rope.a] for rope in ropes if rope.b == NEAR]
        ends = [rope.a for rope in ropes if rope.b == FAR]
        seen = [way[0] for way in ways]
        chain: list[int] = []
        while ways and not chain:
            way = ways.pop(0)
            if way[-1] in ends:
                chain = way
            for rope in ropes:
                for here, there in ((rope.a, rope.b), (rope.b, rope.a)):
                    if here == way[-1] and there >= 0 and there not in seen:
                        seen.append(there)
                        ways.append([*way, there])
        if chain != self.chain:
            self.chain, self.foxes = chain, []

    def coil(self) -> int:
        """Ropes that are left to lash with."""
        return ROPES + self.level.spare - self.lost - len(self.ropes)

    def off(self, rope: Rope) -> float:
        """Pixels from the hand to a rope."""
        x1, y1, x2, y2 = ends(self.discs, rope)
        dx, dy = x2 - x1, y2 - y1
        t = clamp(((self.hand.x - x1) * dx + (self.hand.y - y1) * dy) / (dx * dx + dy * dy or 1.0), 0, 1)
        return hypot(self.hand.x - x1 - t * dx, self.hand.y - y1 - t * dy)

    def width(self, a: int, b: int) -> float:
        """Pixels of open water between a floe and another one or a bank."""
        one = self.discs[a]
        return one.y - one.r - TOP if b == FAR else BOTTOM - one.y - one.r if b == NEAR else gap(one, self.discs[b])

    def knots(self) -> list[tuple[int, int, float, float]]:
        """What can be lashed now: a floe, another one or a bank, and the middle of the gap."""
        found: list[tuple[int, int, float, float]] = []
        if not self.coil():
            return found
        floes, reach, tied = self.discs[: self.level.floes], self.level.reach, [(r.a, r.b) for r in self.ropes]
        for a, one in enumerate(floes):
            if not 20 < one.x < 780:
                continue
            for b, y in ((NEAR, BOTTOM), (FAR, TOP)):
                if self.width(a, b) <= reach and (a, b) not in tied:
                    found.append((a, b, one.x, (y + (one.y + one.r if b == NEAR else one.y - one.r)) / 2))
            for b in range(a + 1, len(floes)):
                other = floes[b]
                dx, dy, near = other.x - one.x, other.y - one.y, one.r + other.r
                square = dx * dx + dy * dy
                if square <= (near + reach) * (near + reach) and (a, b) not in tied:
                    share = (1 + (one.r - other.r) / sqrt(square)) / 2
                    found.append((a, b, one.x + dx * share, one.y + dy * share))
        return found

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        dx, dy = end[0] - start[0], end[1] - start[1]
        far = hypot(dx, dy)
        push = PUSH * min(1, REACH / far) if far > 10 else 0
        return ("shove", int(grip.split()[1]), dx * push, dy * push) if push else None

    def simple(self, verb: str) -> object:
        dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1), "lash": (0, 0)}[verb.split()[-1]]
        x, y = self.hand.x, self.hand.y
        if verb.startswith("shove"):
            floes = self.discs[: self.level.floes]
            under = [index for index, floe in enumerate(floes) if hypot(floe.x - x, floe.y - y) < floe.r]
            return ("shove", under[0] if under else -1, dx * POKE, dy * POKE)
        if verb != "lash":
            return ("step", dx, dy)
        near = [(hypot(kx - x, ky - y), a, b) for a, b, kx, ky in self.knots()]
        far, a, b = min(near, default=(CATCH, 0, 0))
        return ("lash", a, b) if far < CATCH else ("throw",)

    def flow(self, y: float) -> float:
        """The current there, px/s."""
        u = (y - TOP) / (BOTTOM - TOP)
        return self.level.current * (SHORE + (1 - SHORE) * 4 * u * (1 - u))

    def drift(self) -> None:
        if self.tick % 90 == 1:
            self.lane = self.fate.unit()
        self.omen.tick(self.fate, self.level.interval * TICKS_PER_SECOND, CURL)
        if self.omen.lead == CURL:
            x, y = self.fate.between(60, 740), self.fate.between(TOP + 40, BOTTOM - 40)
            self.eddies.append(Eddy(x, y, self.fate.sign()))
        for eddy in self.eddies:
            eddy.age += 1
            eddy.x += self.flow(eddy.y) * TICK
        self.eddies = [eddy for eddy in self.eddies if eddy.age < LIFE]
        drive, whirls = (
            DRAG * TICK,
            [
                (
                    eddy.x,
                    eddy.y,
                    DRAG * TICK * 4 * SWIRL / WIDE * eddy.turn * min(1, eddy.age / 15, (LIFE - eddy.age) / 25),
                )
                for eddy in self.eddies
                if eddy.age > 0
            ],
        )
        for index in range(self.level.floes):
            floe = self.discs[index]
            floe.vx += drive * self.flow(floe.y)
            for x, y, power in whirls:
                dx, dy = floe.x - x, floe.y - y
                square = dx * dx + dy * dy
                if square < WIDE * WIDE:
                    near = power * (1 - sqrt(square) / WIDE)
                    floe.vx -= near * dy
                    floe.vy += near * dx
            if floe.x > 800 + floe.r:
                self.retie([rope for rope in self.ropes if index not in (rope.a, rope.b)])
                floe.x, floe.y = -floe.r, TOP + floe.r + self.lane * (BOTTOM - TOP - 2 * floe.r)

    def respond(self) -> bool:
        discs = self.discs
        for rope in self.ropes:
            pull(discs, rope, STIFF, DAMP, TICK)
            rope.wear += rope.pull * TICK / BEAR
        most = glide(discs, TICK, DRAG)
        jostle(discs, BOUNCE, GRIP)
        for floe in discs[: self.level.floes]:
            if floe.y - floe.r < TOP or floe.y + floe.r > BOTTOM:
                floe.y = clamp(floe.y, TOP + floe.r, BOTTOM - floe.r)
                floe.vy *= -BOUNCE
        if any(rope.wear >= 1 for rope in self.ropes):
            for rope in [rope for rope in self.ropes if rope.wear >= 1]:
                self.lose_rope(*ends(discs, rope)[:2])
            self.retie([rope for rope in self.ropes if rope.wear < 1])
        if self.chain:
            self.cross()
        return most > 9 or bool(self.chain)

    def cross(self) -> None:
        """Foxes run along the chain, one after another."""
        self.foxes = [fox + PACE * TICK for fox in self.foxes]
        if self.foxes and self.foxes[0] >= len(self.chain) + 1:
            self.foxes.pop(0)
            self.home += 1
            if self.home == FOXES:
                self.win()
        waiting = FOXES - self.home - len(self.foxes)
        if waiting > 0 and (not self.foxes or self.foxes[-1] >= FILE):
            self.foxes.append(0.0)

    def progress(self) -> float:
        return self.home / FOXES

    def reserve(self) -> float:
        return clamp(min(1 - self.lost / (self.level.spare + 1), 2 - 2 * self.shoves / SHOVES), 0, 1)
