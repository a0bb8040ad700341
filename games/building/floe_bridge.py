"""Shove ice floes together and lash them with ropes, from bank to bank, so that the foxes can cross the river.

Eddies carry floes off, gusts take thrown ropes: what is meant for an old gap finds water. Half a bridge does not wait.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.bodies import Disc, Rope, away, ends, fence, gap, glide, jostle, linked, pull, tie
from games.kit.dice import Dice
from games.kit.maths import TAU, clamp, cos, hypot, sin
from games.kit.omen import Omen
from games.kit.world import FREE, TICKS_PER_SECOND, Command, Hand, World, still

TOP, BOTTOM = 108.0, 528.0  # px, the far and the near bank
NEAR, FAR = -1, -2  # the banks, where floes are counted from 0
TICK, BEAT, BEAT_S = 1 / TICKS_PER_SECOND, 3, 3 / TICKS_PER_SECOND  # s; ticks and s between reckonings of forces
DRAG, SHORE = 1.1, 0.4  # of the speed against the water, lost a second; the current at the banks, as a share
SIZE, BOUNCE, GRIP = 48.0, 0.15, 0.3  # px, radius of a floe of mass 1; of bumps
CURL, SIGN, BLOW = 42, 18, 14  # ticks of foam before an eddy, of streaks before a gust, of a gust
LIFE, WIDE, SWIRL = 90, 150.0, 0.147  # ticks of an eddy; px radius; rad/s a beat
STIFF, DAMP, BEAR = 30.0, 3.0, 2600.0  # of a rope: pull a px and a px/s; a pull that would snap it in a second
REACH, PUSH, POKE = 110.0, 0.9, 62.0  # px of a drag that count; px/s a px for a floe of mass 1; px/s from a verb
CELL, CATCH = 50.0, 36.0  # px, of the pole's lattice, and from the pole to the middle of a gap that it lashes
ROPES, FOXES, MOST = 8, 4, 60  # ropes beyond the spare ones; foxes that cross; shoves that end it
CUTS = {"the rope under the pointer": 10.0, "ropes near the pole": CATCH}  # px to what is cut
SLACK, PACE = 5.0, 2.0  # px that a rope is longer than its gap; links that a fox runs in a second
WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
SHOVES = {"KeyA": "shove left", "KeyD": "shove right", "KeyW": "shove up", "KeyS": "shove down"}


class Level(NamedTuple):
    floes: int
    current: float  # px/s, in midstream
    interval: float  # s, mean time between eddies
    calm: float  # s, mean time between gusts
    reach: float  # px, the widest gap that a lashing spans
    spare: int  # ropes that may be lost
    rocks: int
    knot: float  # px, radius of what marks a gap that can be lashed


@dataclass
class Eddy:
    x: float
    y: float
    turn: int  # 1 clockwise, -1 the other way
    age: int = -CURL  # ticks; below 0 only its foam curls


@dataclass
class FloeBridge(World):
    title = "Floe Bridge"
    goal = "Lash ice floes into an unbroken chain from bank to bank, so that a fox can cross: four foxes in all."
    rulebook = (
        "A gap narrow enough to be lashed shows a gold knot, +; a rope thrown elsewhere is lost. No knot shows in a "
        "gust: bright streaks cross the river just before. A shoved floe glides on. Ropes wear while they pull (see "
        "the dials) and are lost when they snap; cut ones come back. A fox crosses a whole chain only, runs back when "
        "it breaks, and casts it off once over. Foam curls where an eddy is about to turn. ♥ falls with each rope lost "
        "and each shove after thirty. One rope more than you may lose, or the last shove, loses."
    )
    controls = {
        "full": "Drag a floe to shove it, far to shove hard; press a knot to lash; X cuts the rope under the pointer.",
        "simple": "Arrows step the pole; ADWS shove the floe under it, Space lashes a ringed knot, X cuts near ropes.",
    }
    seconds = 90
    twin = still()  # TIMING
    keys = {"KeyX": ("cut", "the rope under the pointer")}
    verbs = {f"Arrow{way.title()}": way for way in WAYS} | SHOVES | {"Space": "lash", "KeyX": "cut ropes near the pole"}
    abilities, twin_abilities = ("temporal", "planning"), ("planning",)
    levels = (
        Level(10, 13, 2.3, 6, 28, 6, 0, 22),
        Level(11, 15, 2.1, 4, 26.5, 5, 1, 18.5),
        Level(12, 17, 1.9, 2.6, 25, 5, 1, 15),
        Level(12, 19, 1.6, 1.8, 24, 4, 2, 12),
        Level(13, 21, 1.4, 1.3, 23, 3, 3, 9.5),
    )

    discs: list[Disc]  # the floes, then the rocks
    outlines: list[list[float]]  # of each disc: how far its corners are, in radii
    ropes: list[Rope] = field(default_factory=list)
    eddies: list[Eddy] = field(default_factory=list)
    omen: Omen = field(default_factory=Omen)
    gust: Omen = field(default_factory=Omen)
    blow: int = 0  # ticks that a gust still blows
    lane: float = 0.0  # where the next floe comes in, 0 far bank to 1 near bank
    beat: int = 0  # ticks since forces and bumps were reckoned last
    chain: list[int] = field(default_factory=list)  # floes of the bridge, near bank first
    fox: float = 0.0  # links of the chain that the fox on it has behind itself
    home: int = 0
    lost: int = 0  # ropes
    shoves: int = 0
    mark: tuple[float, float, int] = (0.0, 0.0, -90)  # where and when a rope was lost last

    @classmethod
    def new(cls, level: Level, dice: Dice) -> FloeBridge:
        rocks = [Disc(dice.between(250, 740), dice.between(200, 440), dice.between(19, 26), 0) for _ in range(3)]
        floes: list[Disc] = []
        while len(floes) < 13:
            disc, turn = Disc(0, 0, dice.between(40, 54)), dice.between(0, TAU)
            disc.mass, disc.c, disc.s = disc.r * disc.r / (SIZE * SIZE), cos(turn), sin(turn)
            for _ in range(300):
                disc.x, disc.y = dice.between(30, 700), dice.between(TOP + disc.r + 4, BOTTOM - disc.r - 4)
                if all(gap(disc, other) > 6 for other in floes + rocks):
                    break
            floes.append(disc)
        corners = [[dice.between(0.93, 1.06) for _ in range(9)] for _ in range(16)]
        discs, outlines = floes[: level.floes] + rocks[: level.rocks], corners[: level.floes] + corners[13:]
        return cls(level=level, discs=discs, outlines=outlines, hand=Hand(x=425, y=318))

    def act(self, command: Command) -> object:
        match command:
            case ("step", dx, dy):
                self.hand.x = clamp(self.hand.x + dx * CELL, 25, 775)
                self.hand.y = clamp(self.hand.y + dy * CELL, 118, 518)
                return FREE
            case ("shove", index, dx, dy):
                self.discs[index].push(dx, dy)
                self.shoves += 1
                if self.shoves == MOST:
                    self.lose("sixty shoves")
            case ("lash", a, b):
                ground, length = (self.discs[a].x, TOP if b == FAR else BOTTOM), SLACK + max(0.0, self.width(a, b))
                self.retie([*self.ropes, tie(self.discs, a, b, ground, length)])
            case ("throw",):
                if not self.coil():
                    return FREE
                self.lose_rope(self.hand.x, self.hand.y)
            case ("cut", what):
                kept = [rope for rope in self.ropes if away(self.discs, rope, self.hand.x, self.hand.y) > CUTS[what]]
                if len(kept) == len(self.ropes):
                    return FREE
                self.retie(kept)
        return None

    def lose_rope(self, x: float, y: float) -> None:
        self.lost, self.mark = self.lost + 1, (x, y, self.tick)
        if self.lost > self.level.spare:
            self.lose("ropes used up")

    def retie(self, ropes: list[Rope]) -> None:
        """Have these ropes and no others; foxes on a bridge that is another one now run back."""
        self.ropes, chain = ropes, linked(ropes, NEAR, FAR)
        if chain != self.chain:
            self.chain, self.fox = chain, 0.0

    def coil(self) -> int:
        """Ropes that are left to lash with."""
        return ROPES + self.level.spare - self.lost - len(self.ropes)

    def width(self, a: int, b: int) -> float:
        """Pixels of open water between a floe and another one or a bank."""
        one = self.discs[a]
        return one.y - one.r - TOP if b == FAR else BOTTOM - one.y - one.r if b == NEAR else gap(one, self.discs[b])

    def knots(self) -> list[tuple[int, int, float, float]]:
        """What can be lashed now: a floe, another one or a bank, and the middle of the gap."""
        found: list[tuple[int, int, float, float]] = []
        floes, reach, tied = self.discs[: self.level.floes], self.level.reach, [(r.a, r.b) for r in self.ropes]
        for a, one in [(a, one) for a, one in enumerate(floes) if self.coil() and not self.blow and 20 < one.x < 780]:
            for b, y in ((NEAR, BOTTOM), (FAR, TOP)):
                if self.width(a, b) <= reach and (a, b) not in tied:
                    found.append((a, b, one.x, (y + (one.y + one.r if b == NEAR else one.y - one.r)) / 2))
            for b in range(a + 1, len(floes)):
                dx, dy = floes[b].x - one.x, floes[b].y - one.y
                if self.width(a, b) <= reach and (a, b) not in tied:
                    share = (1 + (one.r - floes[b].r) / hypot(dx, dy)) / 2
                    found.append((a, b, one.x + dx * share, one.y + dy * share))
        return found

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        dx, dy = end[0] - start[0], end[1] - start[1]
        push = PUSH * min(1, REACH / far) if (far := hypot(dx, dy)) > 10 else 0
        return ("shove", int(grip.split()[1]), dx * push, dy * push) if push else None

    def simple(self, verb: str) -> object:
        (dx, dy), x, y = WAYS.get(verb.split()[-1], (0, 0)), self.hand.x, self.hand.y
        if verb.startswith("cut"):
            return tuple(verb.split(" ", 1))
        if verb == "lash":
            return ("lash", *pair) if (pair := self.nearest(x, y)) else ("throw",)
        floe = self.under(x, y)
        return ("step", dx, dy) if verb in WAYS else ("shove", floe, dx * POKE, dy * POKE) if floe >= 0 else None

    def nearest(self, x: float, y: float) -> tuple[int, int] | None:
        """What a rope thrown by the pole there would lash."""
        far, *pair = min([(hypot(kx - x, ky - y), a, b) for a, b, kx, ky in self.knots()], default=(1e9, 0, 0))
        return (pair[0], pair[1]) if far < CATCH else None

    def under(self, x: float, y: float) -> int:
        """The floe that lies there, or -1."""
        return next((index for index in range(self.level.floes) if self.discs[index].off(x, y) < 0), -1)

    def flow(self, y: float) -> float:
        """The current there, px/s."""
        u = (y - TOP) / (BOTTOM - TOP)
        return self.level.current * (SHORE + (1 - SHORE) * 4 * u * (1 - u))

    def drift(self) -> None:
        self.lane = self.fate.unit() if self.tick % 90 == 1 else self.lane
        self.blow = BLOW if self.gust.tick(self.fate, self.level.calm / TICK, SIGN) else max(0, self.blow - 1)
        self.omen.tick(self.fate, self.level.interval * TICKS_PER_SECOND, CURL)
        if self.omen.lead == CURL:
            x, y = self.fate.between(60, 740), self.fate.between(TOP + 75, BOTTOM - 75)
            self.eddies.append(Eddy(x, y, self.fate.sign()))
        self.eddies = [eddy for eddy in self.eddies if eddy.age < LIFE]
        for eddy in self.eddies:
            eddy.age += 1
            eddy.x += self.flow(eddy.y) * TICK
        if self.beat:
            return
        turns = [(e, SWIRL * e.turn * min(1, e.age / 15, (LIFE - e.age) / 25)) for e in self.eddies if e.age > 0]
        for index, floe in enumerate(self.discs[: self.level.floes]):
            floe.vx += self.flow(floe.y) * DRAG * BEAT_S
            for eddy, power in turns:
                dx, dy = floe.x - eddy.x, floe.y - eddy.y
                near = power * max(0.0, 1 - hypot(dx, dy) / WIDE)
                floe.vx, floe.vy = floe.vx - near * dy, floe.vy + near * dx
            if floe.x > 800 + floe.r:
                self.retie([rope for rope in self.ropes if index not in (rope.a, rope.b)])
                floe.x, floe.y = -floe.r, TOP + floe.r + self.lane * (BOTTOM - TOP - 2 * floe.r)

    def respond(self) -> bool:
        if not self.beat:
            for rope in self.ropes:
                pull(self.discs, rope, STIFF, DAMP, BEAT_S)
                rope.wear += rope.pull * BEAT_S / BEAR
            jostle(self.discs, BOUNCE, GRIP)
            fence(self.discs[: self.level.floes], TOP, BOTTOM, BOUNCE)
            for rope in [rope for rope in self.ropes if rope.wear >= 1]:
                self.lose_rope(*ends(self.discs, rope)[:2])
                self.retie([other for other in self.ropes if other is not rope])
        self.beat = (self.beat + 1) % BEAT
        most = glide(self.discs, TICK, DRAG)
        if self.chain:  # a fox runs along it, and casts it off behind itself
            self.fox += PACE * TICK
            if self.fox >= len(self.chain) + 1:
                self.home += 1
                self.retie([])
                if self.home == FOXES:
                    self.win()
        return most > 9 or bool(self.chain)

    def progress(self) -> float:
        return self.home / FOXES

    def reserve(self) -> float:
        return clamp(min(1 - self.lost / (self.level.spare + 1), 2 - 2 * self.shoves / MOST), 0, 1)
