"""Work the rods of a pool reactor so that its glow stays in a band that hops.

Rods answer late and patches wander, so a rod moved for an old glow overshoots, or leaves a cell to whiten and crack.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import TAU, clamp, cos, floor, hypot, mix, sin, sqrt
from games.kit.omen import Omen
from games.kit.world import FREE, TICKS_PER_SECOND, Command, Hand, Hold, World, turn

X, Y, PITCH = 338.0, 324.0, 65.0  # px: middle of the core, from a cell to the next
AXES = [(column, row) for row in range(-3, 4) for column in range(-3, 4) if abs(column + row) <= 3]
CELLS = [(X + PITCH * (column + row / 2), Y + PITCH * sqrt(0.75) * row) for column, row in AXES]
NOTCHES, START, CREEP = 2, 1, 0.125  # of a whole rod; at first; notches a tick that the core follows, after the delay
DEPTH = (0.85, 0.4)  # share of glow that a whole rod takes from the nearest and the farthest cell of its reach
REACH, HEARTS = 120.0, (1.1, -0.5)  # px of a patch; what hearts of hot and poisoned ones add to a cell's glow of 1
TURN, ROAM = 90, 150  # ticks from one new way of a patch to the next; px from the middle beyond which it turns back
WHITE, CRACKS = 90, 4  # ticks for which a cell bears to be white, and cracked cells that lose
WARNING, RIPPLE, STRIDE = 42, 45, 10  # ticks that the next band shows, that cells ripple, between reckonings of a cell
HOP, EDGE = (1.1, 1.5), 0.14  # widths of the band; share of the gauge at either end that its middle keeps off
ALSO = *(f"take rod {number} along" for number in (1, 2, 3)), "take rod 4 along (levels 3 to 5)"  # grips of number keys
RAILS, GAP, TOP, NOTCH, FOOT = 614.0, 32.0, 280.0, 44.0, 436.0  # px: first rail, gap, a rod drawn out, notch, numbers


class Level(NamedTuple):
    rods: int
    reach: int  # cells of a rod
    delay: float  # s, middle of what a rod's move takes to reach the core
    interval: float  # s, mean time between the band's hops
    band: float  # width, 1 being what all rods together can change
    patches: int  # hot and poisoned in turn
    speed: float  # px a second, middle of a patch's
    alarm: int  # ticks out of the band that lose
    drain: float  # of these, what a tick in the band takes back


@dataclass
class Rod:
    takes: list[float]  # share of each cell's glow, when let in whole
    coming: list[int]  # notches that the core is still to feel, one a tick
    notch: int = START  # where it is set
    depth: float = START  # notches that the core feels
    stir: int = 0  # ticks that its cells still ripple
    felt: bool = False  # whether the core has answered it


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
        "The column at the left is the total glow, the frame on it the band: green while the glow is in, red while it "
        "is out. For 0.7 s before it hops, brackets marked NEXT show its next place. The ring round the pool fills "
        "while the glow is out of the band and empties while it is in; a full ring loses, as does the fourth cracked "
        "cell: one that was white for 1.5 s. ♥ falls with each of these, and while the ring is past the ♥ at its half. "
        "The further a rod is in, the more it dims its cells, some time after its move (a bead runs from handle "
        "to tip until then); find out which and when: they ripple then. The outlined rod, once it has been felt, shows "
        "its cells by dots: the larger, the more it takes. Rods rest in notches. A patch with + brightens cells, one "
        "with − dims them; both wander. Last 30 s."
    )
    controls = {
        "full": "Click a notch to send its rod there, or drag the rod's handle; drag ALL up or down to move every rod. "
        "A number key that is held during that takes its rod along.",
        "simple": "Left and right choose a rod, or ALL; up draws it a notch out, down lets it a notch in.",
    }
    seconds, outlast = 30, True
    twin = turn(30)  # TIMING
    keys = {f"Digit{number}": Hold(grip) for number, grip in enumerate(ALSO, 1)}
    verbs = {"ArrowLeft": "rod to the left", "ArrowRight": "rod to the right", "ArrowUp": "out", "ArrowDown": "in"}
    crosshair = False
    abilities = ("temporal", "planning", "exploration")
    twin_abilities = ("planning", "exploration")
    levels = (
        Level(3, 13, 0.2, 2.6, 0.27, 2, 18, 290, 0.3),
        Level(3, 13, 0.23, 2.4, 0.26, 2, 22, 275, 0.3),
        Level(4, 14, 0.26, 2.2, 0.25, 3, 26, 260, 0.3),
        Level(4, 14, 0.29, 1.95, 0.242, 3, 30, 240, 0.3),
        Level(4, 15, 0.32, 1.4, 0.235, 4, 34, 180, 0.5),
    )

    rods: list[Rod]
    patches: list[Patch]
    fuel: list[float]  # a cell's glow without rods and patches; 1 is white
    low: float  # total glow with all rods in and no patches
    glow: list[float] = field(default_factory=lambda: [0.0] * len(CELLS))
    white: list[int] = field(default_factory=lambda: [0] * len(CELLS))  # ticks; -1 for a cracked cell
    band: float = 0.5  # its middle on the gauge
    next: float = 0.5  # where it hops to, once announced
    omen: Omen = field(default_factory=Omen)  # of the next hop; its place shows before
    alarm: float = 0.0  # ticks out of the band not yet taken back

    @classmethod
    def new(cls, level: Level, dice: Dice) -> BlueCore:
        order = list(range(4))
        dice.shuffle(order)
        first, lags = dice.between(0, TAU), [dice.between(0.6, 1.4) for _ in order]
        ages = [dice.between(0.42, 0.8) for _ in CELLS]
        starts = [(dice.between(0, TAU), dice.between(40, 190)) for _ in range(4)][: level.patches]

        rods, least = [], [1.0] * len(CELLS)
        for index in (index for index in order if index < level.rods):  # all round the middle
            way, far = first + TAU * index / level.rods, 128
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
            places = len(self.rods) + 1  # ALL is before the first rod
            self.hand.x, self.hand.y = RAILS + GAP * ((self.chosen() + 1 + command[1]) % places - 1), FOOT
            return FREE
        numbers, notches = command[1:]  # of one rod and where to, or of rods and how far
        if command[0] == "set":
            numbers, notches = self.along(f"rod {command[1]}"), notches - self.rods[command[1]].notch
        for rod in [self.rods[number] for number in numbers]:
            rod.notch = int(clamp(rod.notch + notches, 0, NOTCHES))
        return None

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        notches = 0 if grip in ALSO else floor((end[1] - start[1]) / NOTCH + 0.5)
        return ("move", self.along(grip), notches) if notches else None

    def along(self, grip: str) -> tuple[int, ...]:
        """The rods that go with this grip: its own and those whose keys are held."""
        rods, held = range(len(self.rods)), [grip, *self.hand.held]
        return tuple([n for n in rods if grip == "all rods" or f"rod {n}" in held or ALSO[n] in held])

    def simple(self, verb: str) -> object:
        way = 1 if verb in ("rod to the right", "in") else -1
        return ("choose", way) if verb.startswith("rod") else ("move", self.taken(), way)

    def chosen(self) -> int:
        """The rod over which the hand is, -1 for all."""
        return int(clamp(floor((self.hand.x - RAILS) / GAP + 0.5), -1, len(self.rods) - 1))

    def taken(self) -> tuple[int, ...]:
        """The rods that a verb moves."""
        return tuple(range(len(self.rods))) if self.chosen() < 0 else (self.chosen(),)

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
            rod.felt = rod.felt or bool(move)
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
        self.alarm = max(0.0, self.alarm + (-self.level.drain if self.inside() else 1))
        if not self.reserve():
            self.lose("out of the band" if self.alarm >= self.level.alarm else "four cracked cells")

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
        return 1 - clamp(max(self.white.count(-1) / CRACKS, 2 * self.alarm / self.level.alarm - 1), 0, 1)
