"""Work the rods of a pool reactor so that its glow stays in a band that hops.

Rods answer late and patches wander, so a rod moved for an old glow overshoots, or leaves a cell to whiten and crack.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import TAU, clamp, cos, floor, hypot, mix, sin, sqrt
from games.kit.omen import Omen
from games.kit.picture import Picture, mix_colour
from games.kit.world import FREE, TICKS_PER_SECOND, Command, Hand, Hold, World, turn

X, Y, PITCH = 338.0, 324.0, 65.0  # px: middle of the core, from a cell to the next
AXES = [(column, row) for row in range(-3, 4) for column in range(-3, 4) if abs(column + row) <= 3]
CELLS = [(X + PITCH * (column + row / 2), Y + PITCH * sqrt(0.75) * row) for column, row in AXES]
HEXAGON = [(36.5 * sin(TAU * corner / 6), 36.5 * cos(TAU * corner / 6)) for corner in range(6)]
CRACK = ((-22, -14), (-4, -2), (12, -22), (-4, -2), (-8, 8), (20, 18))
NOTCHES, START, CREEP = 3, 2, 0.25  # of a whole rod; at first; notches a tick that the core follows, after the delay
DEPTH = (0.85, 0.4)  # share of glow that a whole rod takes from the nearest and the farthest cell of its reach
REACH, HEARTS = 120.0, (1.1, -0.5)  # px of a patch; what hearts of hot and poisoned ones add to a cell's glow of 1
TURN, ROAM = 90, 150  # ticks from one new way of a patch to the next; px from the middle beyond which it turns back
WHITE, CRACKS = 90, 4  # ticks for which a cell bears to be white, and cracked cells that lose
WARNING, RIPPLE, STRIDE = 42, 45, 10  # ticks that the band blinks, that cells ripple, between reckonings of a cell
HOP, EDGE = (1.1, 1.5), 0.14  # widths of the band; share of the gauge at either end that its middle keeps off
ALARM, DRAIN = 480, 0.45  # ticks out of the band that lose, and how many of them a tick in the band takes back
RAILS, GAP, TOP, NOTCH, FOOT = 614.0, 32.0, 170.0, 92.0, 524.0  # px: first rail, gap, a rod drawn out, notch, numbers
GAUGE, LOW, TALL = 48.0, 536.0, 420.0  # px: middle, glow 0, and how far up glow 1 is
INK, LINE, PALE, MINT, AMBER, RED = 0x04101F, 0x1D4A78, 0xE8F6FF, 0x7FF0C0, 0xFFC04A, 0xFF5A4F
BLUES = [mix_colour(*pair, i / 16) for pair in ((0x0A2350, 0x1268D8), (0x1268D8, 0x8FE4FF)) for i in range(16)]


class Level(NamedTuple):
    rods: int
    reach: int  # cells of a rod
    delay: float  # s, middle of what a rod's move takes to reach the core
    interval: float  # s, mean time between the band's hops
    band: float  # width, 1 being what all rods together can change
    patches: int  # hot and poisoned in turn
    speed: float  # px a second, middle of a patch's


@dataclass
class Rod:
    takes: list[float]  # share of each cell's glow, when let in whole
    coming: list[int]  # notches that the core is still to feel, one a tick
    notch: int = START  # where it is set
    depth: float = START  # notches that the core feels
    stir: int = 0  # ticks that its cells still ripple


@dataclass
class Patch:
    x: float
    y: float
    power: float
    dx: float = 0.0  # px a tick
    dy: float = 0.0
    goal: tuple[float, float] = (0.0, 0.0)  # what dx and dy change to


@dataclass
class BlueCore(World):
    title = "Blue Core"
    goal = "Hold the pool's total glow inside the moving band without any cell turning white."
    rulebook = (
        "The band's next place blinks before it hops. The ring round the pool fills while the glow is out of the band "
        "and empties while it is in; a full ring loses, as does the fourth cracked cell: one that was white for 1.5 s. "
        "A rod dims cells some time after its move; find out which and when: they ripple then. Patches: + brightens, "
        "− dims. Drag rods, number keys held take others along; or choose by arrows and move by notches. Last 65 s."
    )
    seconds, outlast = 65, True
    twin = turn(15)  # TIMING
    keys = {f"Digit{number + 1}": Hold(f"also rod {number + 1}") for number in range(6)}
    verbs = {"ArrowLeft": "rod to the left", "ArrowRight": "rod to the right", "ArrowUp": "out", "ArrowDown": "in"}
    crosshair = False
    abilities = twin_abilities = ("temporal", "planning", "exploration")
    levels = (
        Level(3, 13, 0.2, 3.0, 0.27, 2, 18),
        Level(4, 13, 0.23, 2.95, 0.26, 2, 20),
        Level(4, 14, 0.26, 2.9, 0.25, 3, 22),
        Level(5, 14, 0.29, 2.85, 0.242, 3, 24),
        Level(6, 15, 0.32, 2.8, 0.235, 4, 26),
    )

    rods: list[Rod]
    patches: list[Patch]
    fuel: list[float]  # a cell's glow without rods and patches; 1 is white
    low: float  # total glow with all rods in and no patches
    glow: list[float] = field(default_factory=lambda: [0.0] * len(CELLS))
    white: list[int] = field(default_factory=lambda: [0] * len(CELLS))  # ticks; -1 for a cracked cell
    band: float = 0.5  # its middle on the gauge
    next: float = 0.5  # where it hops to, once announced
    omen: Omen = field(default_factory=Omen)  # of the next hop; its place blinks before
    alarm: float = 0.0  # ticks out of the band not yet taken back

    @classmethod
    def new(cls, level: Level, dice: Dice) -> BlueCore:
        order = list(range(6))
        dice.shuffle(order)
        first, lags = dice.between(0, TAU), [dice.between(0.6, 1.4) for _ in order]
        ages = [dice.between(0.42, 0.8) for _ in CELLS]
        starts = [(dice.between(0, TAU), dice.between(40, 190)) for _ in range(4)][: level.patches]

        rods, least = [], [1.0] * len(CELLS)
        for index in (index for index in order if index < level.rods):  # five round the middle, the sixth in it
            way, far = first + TAU * index / min(level.rods, 5), 0 if index == 5 else 128
            aways = [hypot(X + far * cos(way) - x, Y + far * sin(way) - y) for x, y in CELLS]
            most = sorted(aways)[level.reach - 1]
            takes = [mix(*DEPTH, away / most) if away <= most else 0.0 for away in aways]
            rods.append(Rod(takes, [START] * round(lags[index] * level.delay * TICKS_PER_SECOND)))
            least = [share * (1 - taken) for share, taken in zip(least, takes, strict=True)]
        fuel = [min(age, 0.95 / (1 + HEARTS[0]) / sqrt(share)) for age, share in zip(ages, least, strict=True)]
        low = sum(age * share for age, share in zip(fuel, least, strict=True))
        patches = [Patch(X + far * cos(way), Y + far * sin(way), HEARTS[i % 2]) for i, (way, far) in enumerate(starts)]
        world = cls(level=level, rods=rods, patches=patches, fuel=fuel, low=low, hand=Hand(x=RAILS, y=FOOT))
        for cell in range(len(CELLS)):
            world.reckon(cell)
        world.band = clamp(world.share(), EDGE, 1 - EDGE)
        return world

    def act(self, command: Command) -> object:
        if command[0] == "choose":
            self.hand.x, self.hand.y = RAILS + GAP * ((self.chosen() + command[1]) % len(self.rods)), FOOT
            return FREE
        for rod in [self.rods[number] for number in command[1]]:
            rod.notch = int(clamp(rod.notch + command[2], 0, NOTCHES))
        return None

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        notches = floor((end[1] - start[1]) / NOTCH + 0.5)
        numbers = [n for n in range(len(self.rods)) if grip == f"rod {n}" or f"also rod {n + 1}" in self.hand.held]
        return ("move", tuple(numbers), notches) if grip.startswith("rod") and notches else None

    def simple(self, verb: str) -> object:
        way = 1 if verb in ("rod to the right", "in") else -1
        return ("choose", way) if verb.startswith("rod") else ("move", (self.chosen(),), way)

    def chosen(self) -> int:
        return int(clamp(floor((self.hand.x - RAILS) / GAP + 0.5), 0, len(self.rods) - 1))

    def share(self) -> float:
        """The total glow on the gauge: 0 with all rods in, 1 with all out, but for what patches do."""
        return (sum(self.glow) - self.low) / (sum(self.fuel) - self.low)

    def inside(self) -> bool:
        return abs(self.share() - self.band) <= self.level.band / 2

    def drift(self) -> None:
        level, fate = self.level, self.fate
        for index, patch in enumerate(self.patches):
            if self.tick == 1 or (self.tick + 37 * index) % TURN == 0:
                way, speed = fate.between(0, TAU), fate.between(0.6, 1.4) * level.speed / TICKS_PER_SECOND
                x, y, dx, dy = patch.x - X, patch.y - Y, speed * cos(way), speed * sin(way)
                patch.goal = (-dx, -dy) if hypot(x, y) > ROAM and x * dx + y * dy > 0 else (dx, dy)
            patch.dx, patch.dy = mix(patch.dx, patch.goal[0], 0.03), mix(patch.dy, patch.goal[1], 0.03)
            patch.x, patch.y = patch.x + patch.dx, patch.y + patch.dy
        for rod in self.rods:
            rod.coming.append(rod.notch)
            move = rod.coming.pop(0) - rod.depth
            rod.stir = RIPPLE if move else rod.stir and rod.stir - 1
            rod.depth += CREEP if move > 0 else -CREEP if move else 0
        for cell in range(self.tick % STRIDE, len(CELLS), STRIDE):
            if self.white[cell] >= 0:
                self.reckon(cell)
        if self.omen.tick(fate, level.interval * TICKS_PER_SECOND, WARNING):
            self.band = self.next
        elif self.omen.lead == WARNING:
            jump = fate.between(*HOP) * level.band * fate.sign()
            way = 1 if EDGE <= self.band + jump <= 1 - EDGE else -1
            self.next = clamp(self.band + way * jump, EDGE, 1 - EDGE)
        self.alarm = max(0.0, self.alarm + (-DRAIN if self.inside() else 1))
        if not self.reserve():
            self.lose("out of the band" if self.alarm >= ALARM else "four cracked cells")

    def reckon(self, cell: int) -> None:
        (x, y), glow, heat = CELLS[cell], self.fuel[cell], 1.0
        for patch in self.patches:
            dx, dy = patch.x - x, patch.y - y
            near = 1 - (dx * dx + dy * dy) / (REACH * REACH)
            heat += patch.power * near * near if near > 0 else 0
        for rod in self.rods:
            glow *= 1 - rod.takes[cell] * rod.depth / NOTCHES
        self.glow[cell] = glow = glow * heat
        self.white[cell] = max(0, self.white[cell] + (STRIDE if glow >= 1 else -STRIDE))
        if self.white[cell] >= WHITE:
            self.white[cell], self.glow[cell] = -1, 0.0

    def progress(self) -> float:
        return min(1.0, self.tick / (self.seconds * TICKS_PER_SECOND))

    def reserve(self) -> float:
        return 1 - clamp(max(self.white.count(-1) / CRACKS, 2 * self.alarm / ALARM - 1), 0, 1)

    def draw(self, picture: Picture) -> None:
        picture.background(0x071A33, 0x02060F)
        picture.disc(X, Y, 250, 0x072444, edge=INK, edge_width=14)
        picture.glow(X, Y, 240, 0x0B5BC4, alpha=0.3 + 0.25 * clamp(self.share(), 0, 1))
        for far in [(self.tick * 0.25 + 58 * ring) % 232 for ring in range(4)]:
            picture.ring(X, Y, far + 2, 3, 0x6FC4FF, alpha=0.28 * (1 - far / 232))
        picture.arc(X, Y, 243, -TAU / 4, TAU * self.alarm / ALARM, 9, AMBER if self.alarm < ALARM / 2 else RED)
        for (x, y), glow, white in zip(CELLS, self.glow, self.white, strict=True):
            size = 0.8 + 0.2 * min(glow, 1) if white >= 0 else 1.0
            face = 0x05070C if white < 0 else 0xFFFFFF if glow >= 1 else BLUES[int(glow * 32)]
            picture.polygon([(x + size * dx, y + size * dy) for dx, dy in HEXAGON], face, edge=INK, edge_width=2)
            if white < 0:
                picture.path([(x + dx, y + dy) for dx, dy in CRACK], 3, 0xB8C2CE)
            elif white:
                picture.arc(x, y, 23, -TAU / 4, TAU * white / WHITE, 8, RED)
            elif glow > 0.5:
                picture.glow(x, y, 50, 0x3FA8FF, alpha=min(0.9, glow - 0.45))
        for patch in self.patches:
            x, y, sign, tint = patch.x, patch.y, *((1, 0xFFC08A) if patch.power > 0 else (-1, 0x9FE08A))
            picture.glow(x, y, REACH, 0xFF6A3C, alpha=max(0, 0.5 * sign))
            picture.disc(x, y, 96, 0x0C2A14, alpha=max(0, -0.45 * sign), soft=96)
            for far in [(0.6 * sign * self.tick + 30 * ring) % 60 for ring in range(2)]:
                picture.ring(x, y, 14 + far, 2, tint, alpha=0.5 * (1 - far / 60))
            picture.disc(x, y, 13, INK, edge=tint, edge_width=2)
            picture.text(x, y, "+" if sign > 0 else "−", 24, tint, bold=True)
        level, wide, soon = LOW - TALL * clamp(self.share(), -0.06, 1.06), self.level.band * TALL, self.omen.lead
        picture.box(GAUGE, LOW - TALL / 2, 40, TALL + 76, INK, radius=20, edge=LINE, edge_width=2)
        picture.box(GAUGE, (level + LOW + 28) / 2, 24, LOW + 28 - level, 0x9FE6FF, radius=10, bottom=0x0B3F8C)
        then, now = (self.next, AMBER, 0.4 if soon % 12 > 4 else 0.1), (self.band, MINT if self.inside() else RED, 0.25)
        for middle, colour, alpha in (then, now) if soon else (now,):
            top, bottom = LOW - TALL * middle - wide / 2, LOW - TALL * middle + wide / 2
            picture.box(GAUGE, (top + bottom) / 2, 64, wide, colour, alpha=alpha)
            picture.path([(16, top), (80, top), (80, bottom), (16, bottom)], 4, colour, closed=True)
        picture.polygon([(62, level), (88, level - 10), (88, level + 10)], PALE, edge=INK, edge_width=2)
        moves = [self.let(grip, start, (self.hand.x, self.hand.y)) for grip, start in self.hand.held.items()]
        for number, rod in enumerate(self.rods):  # it hangs as deep as the core feels it; beads are moves to come
            at = clamp(rod.notch + sum(move[2] for move in moves if move and number in move[1]), 0, NOTCHES)
            x, y, tip, grip = RAILS + GAP * number, TOP + NOTCH * at, TOP + NOTCH * rod.depth, f"rod {number}"
            edge, thick = (PALE, 3.0) if self.chosen() == number and self.hand.x > RAILS - GAP else (0x4C8CC4, 1.5)
            picture.box(x, 324, 30, 460, 0x0B2A4C, radius=15, bottom=0x051427, edge=edge, edge_width=thick / 2)
            face = AMBER if at != rod.notch or f"also rod {number + 1}" in self.hand.held else 0x2F86D4
            picture.box(x, TOP + NOTCHES / 2 * NOTCH, 12, NOTCHES * NOTCH + 36, INK, radius=6, edge=LINE, edge_width=2)
            for notch in range(NOTCHES + 1):
                picture.line(x - 9, TOP + NOTCH * notch, x + 9, TOP + NOTCH * notch, 2, 0x2C5F92)
            picture.box(x, (TOP - 20 + tip) / 2, 7, tip - TOP + 24, 0xC9D6E6, radius=3.5, bottom=0x7F90A6)
            picture.shadow(x, y + 4, 28, 34, radius=7, blur=8, alpha=0.6)
            picture.box(x, y, 28, 34, face, radius=7, bottom=0x174A80, edge=edge, edge_width=thick, does=Hold(grip))
            for tick, (soon, later) in enumerate(zip(rod.coming, [*rod.coming[1:], rod.notch], strict=True)):
                if soon != later:
                    picture.disc(x, mix(tip, y, tick / len(rod.coming)), 4.5, AMBER, edge=INK, edge_width=1)
            picture.disc(x, FOOT, 14, 0x0A2A4C, edge=PALE if rod.stir else edge, edge_width=thick + rod.stir / 9)
            picture.text(x, FOOT, str(number + 1), 16, PALE, bold=True)
            for place in [place for place, taken in zip(CELLS, rod.takes, strict=True) if taken and rod.stir]:
                picture.ring(*place, 28 - 16 * rod.stir / RIPPLE, 3, PALE, alpha=rod.stir / RIPPLE)
