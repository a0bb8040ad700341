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

CORE = (338.0, 324.0)  # px
PITCH = 65.0  # px from a cell to the next
CELLS = [
    (CORE[0] + PITCH * (column + row / 2), CORE[1] + PITCH * sqrt(0.75) * row)
    for row in range(-3, 4)
    for column in range(-3, 4)
    if abs(column + row) <= 3
]
HEXAGON = [(36.5 * sin(TAU * corner / 6), 36.5 * cos(TAU * corner / 6)) for corner in range(6)]  # px
STRIDE = 6  # ticks from one reckoning of a cell to the next
NOTCHES, START = 3, 2  # from a rod drawn out to a rod let in, and where rods are at first
CREEP = 0.2  # notches a tick at which the core follows a rod, after its delay
DEPTH = (0.85, 0.4)  # share of glow that a whole rod takes from the nearest and the farthest cell of its reach
PATCH = (120.0, 1.1, -0.5)  # px, and what the heart of a hot and of a poisoned patch adds to a cell's glow of 1
TURN = 90  # ticks from one new way of a patch to the next
ROAM = 150  # px from the middle beyond which it turns back
WHITE = 90  # ticks for which a cell bears to be white
CRACKS = 4
WARNING = 42  # ticks that the band's next place blinks
HOP = (1.1, 1.5)  # widths of the band
EDGE = 0.14  # share of the gauge at either end that the band's middle keeps off
ALARM = 8 * TICKS_PER_SECOND  # ticks out of the band that shut the pool down
DRAIN = 0.45  # ticks of them that a tick in the band takes back
RAILS, GAP, TOP, NOTCH = 694.0, 32.0, 196.0, 84.0  # px: middle, from one rail to the next, a rod drawn out, a notch
FOOT = 530.0  # px, of the rods' numbers
GAUGE = (48.0, 536.0, 420.0)  # px: middle, glow 0, and how far up glow 1 is
RIPPLE = 45  # ticks

PALE, MINT, AMBER, RED = 0xE8F6FF, 0x7FF0C0, 0xFFC04A, 0xFF5A4F
BLUES = (
    [mix_colour(0x0A2350, 0x1268D8, step / 16) for step in range(16)]
    + [mix_colour(0x1268D8, 0x8FE4FF, step / 16) for step in range(16)]
    + [0xFFFFFF]
)


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
    cells: list[int]
    takes: list[float]  # share of glow of each of these cells when let in whole
    delay: int  # ticks
    notch: int = START  # where it is set
    depth: float = START  # notches: what the core feels
    moves: list[list[int]] = field(default_factory=list)  # [ticks to come, notch] under way
    stir: int = 0  # ticks that its cells still ripple


@dataclass
class Patch:
    x: float
    y: float
    power: float
    dx: float = 0.0  # px a tick
    dy: float = 0.0
    to_dx: float = 0.0
    to_dy: float = 0.0

    def drift(self) -> None:
        self.dx += 0.03 * (self.to_dx - self.dx)
        self.dy += 0.03 * (self.to_dy - self.dy)
        self.x += self.dx
        self.y += self.dy


@dataclass
class BlueCore(World):
    title = "Blue Core"
    goal = "Hold the pool's total glow inside the moving band without any cell turning white."
    rulebook = (
        "The gauge shows the total glow and the band; the band's next place blinks before it hops. The ring round the "
        "pool fills while the glow is out of the band and empties while it is in; full, it ends the game, as does the "
        "fourth cracked cell. A cell cracks when it has been white for a second and a half. A rod dims its own cells, "
        "some time after it was moved; which and when you must find out: they ripple as they answer. Patches marked "
        "+ brighten the cells below, those marked − dim them. Full mode: drag rods up and down; those whose "
        "number keys are held move along. Simple mode: Left and Right choose a rod, Up and Down move it one notch. "
        "Hold out for 65 seconds."
    )
    seconds = 65
    outlast = True
    twin = turn(15)  # TIMING
    keys = {f"Digit{number + 1}": Hold(f"along {number}") for number in range(6)}
    verbs = {
        "ArrowLeft": "rod to the left",
        "ArrowRight": "rod to the right",
        "ArrowUp": "draw the rod out",
        "ArrowDown": "let the rod in",
    }
    abilities = ("temporal", "planning", "exploration")
    twin_abilities = ("temporal", "planning", "exploration")
    levels = (
        Level(3, 13, 0.2, 3.0, 0.27, 2, 18),
        Level(4, 13, 0.25, 2.95, 0.26, 2, 20),
        Level(4, 14, 0.3, 2.9, 0.25, 3, 22),
        Level(5, 14, 0.34, 2.85, 0.235, 3, 24),
        Level(6, 15, 0.38, 2.8, 0.22, 4, 27),
    )

    rods: list[Rod]
    patches: list[Patch]
    fuel: list[float]  # a cell's glow without rods and patches; 1 is white
    low: float  # total glow with all rods in and no patches
    high: float  # and with all rods out
    damp: list[float]  # share of its glow that the rods leave to a cell
    glow: list[float]
    white: list[int] = field(default_factory=lambda: [0] * len(CELLS))  # ticks; -1 for a cracked cell
    band: float = 0.5  # its middle on the gauge
    next: float = 0.5  # where it hops to, once announced
    omen: Omen = field(default_factory=Omen)  # of the next hop; its place blinks before
    alarm: float = 0.0  # ticks out of the band not yet taken back

    @classmethod
    def new(cls, level: Level, dice: Dice) -> BlueCore:
        order = list(range(6))
        dice.shuffle(order)
        first, lags = dice.between(0, TAU), [dice.between(0.6, 1.4) for _ in range(6)]
        ages = [dice.between(0.42, 0.8) for _ in CELLS]
        starts = [(dice.between(0, TAU), dice.between(40, 190)) for _ in range(4)]

        rods = [place_rod(level, first, index, round(lags[index] * level.delay * 60)) for index in range(level.rods)]
        rods = [rods[index] for index in order if index < level.rods]
        least, damp = [1.0] * len(CELLS), [1.0] * len(CELLS)
        for rod in rods:
            for cell, takes in zip(rod.cells, rod.takes, strict=True):
                least[cell] *= 1 - takes
                damp[cell] *= 1 - takes * rod.depth / NOTCHES
        fuel = [min(age, 0.95 / (1 + PATCH[1]) / sqrt(share)) for age, share in zip(ages, least, strict=True)]
        patches = [
            Patch(CORE[0] + far * cos(way), CORE[1] + far * sin(way), PATCH[1 + index % 2])
            for index, (way, far) in enumerate(starts[: level.patches])
        ]
        low = sum(age * share for age, share in zip(fuel, least, strict=True))
        world = cls(
            level=level,
            rods=rods,
            patches=patches,
            fuel=fuel,
            low=low,
            high=sum(fuel),
            damp=damp,
            glow=[0.0] * len(CELLS),
            hand=Hand(x=RAILS - GAP * (level.rods - 1) / 2, y=FOOT),
        )
        for cell in range(len(CELLS)):
            world.reckon(cell)
        world.band = clamp(world.share(), EDGE, 1 - EDGE)
        return world

    def act(self, command: Command) -> object:
        match command:
            case ("choose", step):
                self.hand.x, self.hand.y = self.rail((self.chosen() + step) % len(self.rods)), FOOT
                return FREE
            case ("move", which, notches):
                for index in which:
                    rod = self.rods[index]
                    notch = int(clamp(rod.notch + notches, 0, NOTCHES))
                    if notch != rod.notch:
                        rod.notch = notch
                        rod.moves.append([rod.delay, notch])
        return None

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        notches = dragged(start, end)
        return ("move", self.gang(grip), notches) if grip.startswith("rod") and notches else None

    def gang(self, grip: str) -> tuple[int, ...]:
        """The rods that a drag moves: its own and those whose number keys are held."""
        numbers = {int(each.split()[1]) for each in (grip, *self.hand.held)}
        return tuple(sorted(number for number in numbers if number < len(self.rods)))

    def rail(self, number: int) -> float:
        """Where a rod's rail is."""
        return RAILS + GAP * (number - (len(self.rods) - 1) / 2)

    def chosen(self) -> int:
        """The rod whose rail is nearest to the hand."""
        return int(clamp(floor((self.hand.x - self.rail(0)) / GAP + 0.5), 0, len(self.rods) - 1))

    def simple(self, verb: str) -> object:
        if verb.startswith("rod"):
            return ("choose", 1 if verb == "rod to the right" else -1)
        return ("move", (self.chosen(),), 1 if verb == "let the rod in" else -1)

    def share(self) -> float:
        """The total glow on the gauge: 0 with all rods in, 1 with all out, but for what patches do."""
        return (sum(self.glow) - self.low) / (self.high - self.low)

    def inside(self) -> bool:
        return abs(self.share() - self.band) <= self.level.band / 2

    def drift(self) -> None:
        for index, patch in enumerate(self.patches):
            if self.tick == 1 or (self.tick + 37 * index) % TURN == 0:
                self.veer(patch)
            patch.drift()
        for rod in self.rods:
            if rod.moves or rod.stir:
                self.follow(rod)
        for cell in range(self.tick % STRIDE, len(CELLS), STRIDE):
            if self.white[cell] >= 0:
                self.reckon(cell)
                self.whiten(cell)
        self.hop()
        self.alarm = self.alarm + 1 if not self.inside() else max(0.0, self.alarm - DRAIN)
        if self.alarm >= ALARM:
            self.lose("out of the band")

    def veer(self, patch: Patch) -> None:
        """A new way, by chance, but not out of the core."""
        way, speed = self.fate.between(0, TAU), self.level.speed * self.fate.between(0.6, 1.4) / TICKS_PER_SECOND
        patch.to_dx, patch.to_dy = speed * cos(way), speed * sin(way)
        x, y = patch.x - CORE[0], patch.y - CORE[1]
        if x * x + y * y > ROAM * ROAM and x * patch.to_dx + y * patch.to_dy > 0:
            patch.to_dx, patch.to_dy = -patch.to_dx, -patch.to_dy

    def follow(self, rod: Rod) -> None:
        rod.stir = max(0, rod.stir - 1)
        for move in rod.moves:
            move[0] -= 1
        while len(rod.moves) > 1 and rod.moves[1][0] <= 0:
            del rod.moves[0]
        if not rod.moves or rod.moves[0][0] > 0:
            return
        goal = rod.moves[0][1]
        depth = rod.depth + clamp(goal - rod.depth, -CREEP, CREEP)
        for cell, takes in zip(rod.cells, rod.takes, strict=True):
            self.damp[cell] *= (1 - takes * depth / NOTCHES) / (1 - takes * rod.depth / NOTCHES)
        rod.depth, rod.stir = depth, RIPPLE
        if depth == goal:
            del rod.moves[0]

    def reckon(self, cell: int) -> None:
        x, y = CELLS[cell]
        heat, square = 1.0, PATCH[0] * PATCH[0]
        for patch in self.patches:
            dx, dy = patch.x - x, patch.y - y
            near = 1 - (dx * dx + dy * dy) / square
            if near > 0:
                heat += patch.power * near * near
        self.glow[cell] = self.fuel[cell] * heat * self.damp[cell]

    def whiten(self, cell: int) -> None:
        self.white[cell] = max(0, self.white[cell] + (STRIDE if self.glow[cell] >= 1 else -STRIDE))
        if self.white[cell] >= WHITE:
            self.white[cell], self.glow[cell] = -1, 0.0
            if self.cracked() == CRACKS:
                self.lose("four cracked cells")

    def cracked(self) -> int:
        return self.white.count(-1)

    def hop(self) -> None:
        comes = self.omen.tick(self.fate, self.level.interval * TICKS_PER_SECOND, WARNING)
        if comes:
            self.band = self.next
        elif self.omen.lead == WARNING:
            jump = self.fate.between(*HOP) * self.level.band * self.fate.sign()
            if not EDGE <= self.band + jump <= 1 - EDGE:
                jump = -jump
            self.next = clamp(self.band + jump, EDGE, 1 - EDGE)

    def progress(self) -> float:
        return min(1.0, self.tick / (self.seconds * TICKS_PER_SECOND))

    def reserve(self) -> float:
        return 1 - clamp(max(self.cracked() / CRACKS, 2 * self.alarm / ALARM - 1), 0, 1)

    # ---------------------------------------------------------------- picture

    def draw(self, picture: Picture) -> None:
        picture.background(0x071A33, 0x02060F)
        self.draw_pool(picture)
        for cell in range(len(CELLS)):
            self.draw_cell(picture, cell)
        for rod in self.rods:
            alpha = rod.stir / RIPPLE
            for cell in rod.cells if rod.stir else ():
                picture.ring(*CELLS[cell], 12 + 16 * (1 - alpha), 3, PALE, alpha=alpha)
        for patch in self.patches:
            self.draw_patch(picture, patch)
        self.draw_gauge(picture)
        self.draw_panel(picture)

    def draw_pool(self, picture: Picture) -> None:
        """The water, its rings, and the alarm round it."""
        x, y = CORE
        picture.shadow(x, y + 8, 500, 500, radius=250, blur=30, alpha=0.7)
        picture.disc(x, y, 250, 0x04101F, edge=0x16395E, edge_width=2)
        picture.disc(x, y, 236, 0x072444, edge=0x0E3A66, edge_width=2)
        picture.glow(x, y, 240, 0x0B5BC4, alpha=0.3 + 0.25 * clamp(self.share(), 0, 1))
        for ring in range(4):
            far = (self.tick * 0.25 + 58 * ring) % 232
            picture.ring(x, y, far + 2, 3, 0x6FC4FF, alpha=0.28 * (1 - far / 232))
        share = self.alarm / ALARM
        if share:
            colour = AMBER if share < 0.5 else RED
            picture.arc(x, y, 243, -TAU / 4, TAU * share, 9, colour)
        picture.line(x, y + 236, x, y + 250, 3, PALE, alpha=0.8)

    def draw_cell(self, picture: Picture, cell: int) -> None:
        (x, y), glow, white = CELLS[cell], self.glow[cell], self.white[cell]
        if white < 0:
            picture.polygon([(x + dx, y + dy) for dx, dy in HEXAGON], 0x05070C, edge=0x3A4450, edge_width=2)
            picture.path([(x - 22, y - 14), (x - 4, y - 2), (x - 8, y + 8), (x + 20, y + 18)], 3, 0x77828F)
            picture.path([(x - 4, y - 2), (x + 12, y - 22)], 3, 0x77828F)
            return
        colour = BLUES[int(clamp(glow, 0, 1) * 32)]
        size = 0.8 + 0.2 * clamp(glow, 0, 1)
        picture.polygon([(x + size * dx, y + size * dy) for dx, dy in HEXAGON], colour, edge=0x041226, edge_width=2)
        if glow > 0.5:
            picture.glow(x, y, 50, 0x3FA8FF, alpha=min(0.9, glow - 0.45))
        if white:
            picture.arc(x, y, 23, -TAU / 4, TAU * white / WHITE, 8, RED)

    def draw_patch(self, picture: Picture, patch: Patch) -> None:
        x, y, size = patch.x, patch.y, PATCH[0]
        if patch.power > 0:
            picture.glow(x, y, size, 0xFF6A3C, alpha=0.5)
            colour = 0xFFC08A
        else:
            picture.disc(x, y, size * 0.8, 0x0C2A14, alpha=0.45, soft=size * 0.8)
            colour = 0x9FE08A
        for ring in range(2):
            far = (0.6 * self.tick * (1 if patch.power > 0 else -1) + 30 * ring) % 60
            picture.ring(x, y, 14 + far, 2, colour, alpha=0.5 * (1 - far / 60))
        picture.disc(x, y, 13, 0x10131A, edge=colour, edge_width=2)
        picture.line(x - 6, y, x + 6, y, 3, colour)
        if patch.power > 0:
            picture.line(x, y - 6, x, y + 6, 3, colour)

    def draw_gauge(self, picture: Picture) -> None:
        x, foot, tall = GAUGE
        middle, inside = foot - tall / 2, self.inside()
        wide = self.level.band * tall
        picture.box(x, middle, 40, tall + 76, 0x04101F, radius=20, edge=0x1D4A78, edge_width=2)
        for mark in range(11):
            picture.line(x - 16, foot - tall * mark / 10, x - 10, foot - tall * mark / 10, 2, 0x3C78B4)
        level = clamp(self.share(), -0.06, 1.06)
        bottom = foot + 28
        top = foot - tall * level
        picture.box(x, (top + bottom) / 2, 24, bottom - top, 0x9FE6FF, radius=10, bottom=0x0B3F8C)
        if self.omen.lead:
            at, bright = foot - tall * self.next, self.omen.lead % 12 >= 5
            picture.box(x, at, 68, wide, AMBER, radius=6, alpha=0.4 if bright else 0.1)
            picture.path(frame(x, at, 68, wide), 3, AMBER, closed=True, alpha=1 if bright else 0.5)
        at = foot - tall * self.band
        colour = MINT if inside else RED
        picture.box(x, at, 60, wide, colour, radius=6, alpha=0.22)
        picture.path(frame(x, at, 60, wide), 3.5, colour, closed=True)
        picture.polygon([(x + 14, top), (x + 40, top - 10), (x + 40, top + 10)], PALE, edge=0x04101F, edge_width=2)

    def draw_panel(self, picture: Picture) -> None:
        """The rods, where a drag would set them, and the cracks."""
        picture.shadow(RAILS, 334, 200, 452, radius=22, blur=18, alpha=0.6)
        picture.box(RAILS, 330, 200, 452, 0x0B2A4C, radius=22, bottom=0x051427, edge=0x1D4A78, edge_width=2)
        for crack in range(CRACKS):
            x, gone = RAILS + 36 * (crack - (CRACKS - 1) / 2), crack < self.cracked()
            face, edge = (0x05070C, RED) if gone else (0x1268D8, 0x8CC8F0)
            picture.polygon([(x + 0.38 * dx, 132 + 0.38 * dy) for dx, dy in HEXAGON], face, edge=edge, edge_width=2)
            if gone:
                picture.path([(x - 7, 126), (x + 2, 131), (x - 3, 134), (x + 7, 140)], 2.5, RED)
        ghosts: dict[int, int] = {}
        for grip, start in self.hand.held.items():
            if grip.startswith("rod"):
                notches = dragged(start, (self.hand.x, self.hand.y))
                ghosts |= {number: notches for number in self.gang(grip)}
        for number, rod in enumerate(self.rods):
            self.draw_rod(picture, number, rod)
            if ghosts.get(number):
                at = TOP + NOTCH * clamp(rod.notch + ghosts[number], 0, NOTCHES)
                picture.box(self.rail(number), at, 28, 34, AMBER, radius=7, alpha=0.4, edge=PALE, edge_width=2)

    def draw_rod(self, picture: Picture, number: int, rod: Rod) -> None:
        """A rod hangs from its knob's rail as deep as the core feels it; beads run from the knob for moves to come."""
        x, foot = self.rail(number), TOP + NOTCH * NOTCHES
        near = self.chosen() == number and self.hand.x > RAILS - 100
        taken = f"rod {number}" in self.hand.held or f"along {number}" in self.hand.held
        picture.box(x, (TOP + foot) / 2, 12, foot - TOP + 36, 0x030C18, radius=6, edge=0x1D4A78, edge_width=1.5)
        for notch in range(NOTCHES + 1):
            picture.line(x - 9, TOP + NOTCH * notch, x + 9, TOP + NOTCH * notch, 2, 0x2C5F92)
        tip, at = TOP + NOTCH * rod.depth, TOP + NOTCH * rod.notch
        picture.box(x, (TOP - 20 + tip) / 2, 7, tip - TOP + 24, 0xC9D6E6, radius=3.5, bottom=0x7F90A6)
        picture.shadow(x, at + 4, 28, 34, radius=7, blur=8, alpha=0.6)
        picture.box(
            x,
            at,
            28,
            34,
            AMBER if taken else 0x2F86D4,
            radius=7,
            bottom=0x174A80,
            edge=PALE if near else 0x8CC8F0,
            edge_width=3 if near else 1.5,
            does=Hold(f"rod {number}"),
        )
        picture.line(x - 7, at, x + 7, at, 2.5, 0x04101F)
        for left, _ in rod.moves:
            if left > 0:
                picture.disc(x, mix(at, tip, 1 - left / rod.delay), 4.5, AMBER, edge=0x04101F, edge_width=1)
        picture.disc(x, FOOT, 14, 0x0A2A4C, edge=PALE if near else 0x2C5F92, edge_width=3 if near else 1.5)
        picture.text(x, FOOT, str(number + 1), 16, PALE, bold=True)
        if rod.stir:
            picture.ring(x, FOOT, 15 + 8 * (1 - rod.stir / RIPPLE), 3, PALE, alpha=rod.stir / RIPPLE)


def dragged(start: tuple[float, float], end: tuple[float, float]) -> int:
    """Notches deeper that a drag means."""
    return floor((end[1] - start[1]) / NOTCH + 0.5)


def place_rod(level: Level, first: float, index: int, delay: int) -> Rod:
    """A rod over its share of the core: round the middle, the fifth in it."""
    way = first + TAU * index / min(level.rods, 5)
    far = 0.0 if index == 5 else 128.0
    x, y = CORE[0] + far * cos(way), CORE[1] + far * sin(way)
    aways = [hypot(x - cx, y - cy) for cx, cy in CELLS]
    cells = sorted(range(len(CELLS)), key=lambda cell: aways[cell])[: level.reach]
    most = aways[cells[-1]]
    return Rod(sorted(cells), [mix(*DEPTH, aways[cell] / most) for cell in sorted(cells)], delay)


def frame(x: float, y: float, wide: float, high: float) -> list[tuple[float, float]]:
    return [(x + side * wide / 2, y + end * high / 2) for side, end in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
