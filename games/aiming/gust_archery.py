"""Trim a bow by three dials that nobody explains, and put arrows into the gold of butts that slide on rails.

Winds jump and the lit butt turns while the arrow is on its way, so a shot for an old pennant flies past and is spent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import clamp, hypot, sqrt
from games.kit.omen import Omen
from games.kit.world import FREE, TICKS_PER_SECOND, Command, Hand, Hold, World, still

TICK = 1 / TICKS_PER_SECOND  # s
EYE, GOLD = 5.5, 1.4  # m: height of the archer's eye, of the middle of a butt
BASE, CLICK = -0.05, 0.008  # slope of an arrow with the height at 0; of a dial's click
HEIGHT, DRIFT, WEIGHT = 0, 1, 2  # what dials trim
MOST, HEAVIER = (8.0, 16.0, 2.0), 0.25  # clicks to either side; of the usual arrow's mass, a click of weight
PITCH, NOTCH = 11.0, 0.25  # px of a drag that turn a dial by a click; clicks of the wheel
SPEED, FALL, DRAG = 80.0, 9.8, 1.2  # m/s of the usual arrow; m/s²; share of the wind that it takes on, a second
BREATH, SAG, SLACK = 90, 150, 0.6  # ticks that a draw holds; in which it sags after that; share of speed then left
LAYERS = (32.0, 43.0)  # m: where the second and the third wind begin
RANGES, RAIL = (40.0, 47.0, 54.0), 2.0  # m: of the butts; of a rail, from its middle to either end
HITS, NOCK = 6, 24  # that win; ticks from an arrow's end to the next


class Level(NamedTuple):
    wind: float  # m/s, most
    interval: float  # s, mean time between jumps of a wind
    warning: float  # s, from a jump's sign to the jump; also how far a lamp is ahead of its butt
    slide: float  # m/s, middle of a butt's speed
    leg: float  # s, mean time between a butt's turns
    ring: float  # m, radius of the gold
    spare: int  # arrows


@dataclass
class Wind:
    now: float  # m/s to the right
    next: float = 0.0  # what it will jump to, once announced
    omen: Omen = field(default_factory=Omen)
    blown: float = 0.0  # m that it has carried a leaf


@dataclass
class Butt:
    """A lamp runs ahead on the rail of a butt, which repeats all that the lamp does some time later."""

    range: float  # m
    middle: float  # m to the right: of its rail
    x: float
    speed: float  # m/s to the right
    lamp: float  # m to the right
    pace: float  # m/s to the right: of the lamp
    turns: list[list[float]] = field(default_factory=list)  # of the lamp: ticks until the butt's, new speed, place

    def slide(self) -> None:
        if self.turns:
            for turn in self.turns:
                turn[0] -= 1
            if self.turns[0][0] <= 0:
                self.speed = self.turns.pop(0)[1]
        self.x += self.speed * TICK

    def lead(self, pace: float, warning: int) -> None:
        """Let the lamp run for a tick. pace: m/s of a turn that it makes now, or 0."""
        beyond = self.lamp - self.middle
        if pace or (abs(beyond) > RAIL and beyond * self.pace > 0):
            self.pace = -(pace or abs(self.pace)) if self.pace > 0 else pace or abs(self.pace)
            self.turns.append([warning, self.pace, self.lamp])
        self.lamp += self.pace * TICK


@dataclass
class Arrow:
    drag: float  # a second
    vx: float  # m/s: to the right, up, away
    vy: float
    vz: float
    x: float = 0.0
    y: float = EYE
    z: float = 0.0

    def fly(self, wind: float) -> None:
        self.vx += (wind - self.vx) * self.drag * TICK
        self.vy -= FALL * TICK
        self.x, self.y, self.z = self.x + self.vx * TICK, self.y + self.vy * TICK, self.z + self.vz * TICK

    def at(self, far: float) -> tuple[float, float]:
        """Where (x, y) it has just passed this range."""
        past = (self.z - far) / self.vz
        return self.x - self.vx * past, self.y - self.vy * past


@dataclass
class GustArchery(World):
    title = "Barley Wind Archery"
    goal = "Put six arrows into the gold of the lit butt before the quiver is empty; the dials are not explained."
    rulebook = (
        "A hit lights another butt; an arrow beside the gold is lost. Plates tell the wind, in m/s, in three reaches "
        "of the field: up to 32 m, up to 43 m, and beyond. A pale sign tells to what wind a reach jumps, and in how "
        "many seconds; bright waves run that way. A lamp runs ahead of its butt, by the seconds told at the bow, and "
        "leaves an arrow where it turns: the butt follows, to the topmost arrow first. The sight shows only where an "
        "arrow sets off; all winds on its way push it, and it falls. Dots lead from there to where the last one passed "
        "its butt. One dial trims height, one drift, one weight: heavy arrows are slow, fall more and drift less."
    )
    controls = {
        "full": "Drag a dial to the right to turn it on, to the left to turn it back, or turn the wheel over it for a "
        "quarter of a click; hold F to draw the bow and let go of it to loose, within 1.5 s or the draw sags.",
        "simple": "Q, W and E turn dials 1, 2 and 3 on by a click, A, S and D turn them back; Space draws and looses "
        "at once.",
    }
    seconds = 75
    crosshair = False
    twin = still()  # TIMING
    keys = {"KeyF": Hold("draw")}
    verbs = {f"Key{key}": f"dial {n // 2 + 1} {('on', 'back')[n % 2]}" for n, key in enumerate("QAWSED")}
    verbs["Space"] = "loose"
    abilities = ("temporal", "planning", "exploration", "3d")
    twin_abilities = ("planning", "exploration", "3d")
    levels = (
        Level(3, 3.0, 1.7, 0.6, 3.0, 0.60, 8),
        Level(5, 2.6, 1.45, 0.9, 2.2, 0.50, 6),
        Level(7, 2.2, 1.15, 1.2, 1.4, 0.42, 5),
        Level(9, 1.9, 0.98, 1.6, 0.9, 0.36, 3),
        Level(11, 1.6, 0.84, 2.0, 0.55, 0.30, 2),
    )

    deal: list[tuple[int, int]]  # of each dial: what it trims, and its sign
    trims: list[float]  # clicks of height, drift, weight
    winds: list[Wind]
    butts: list[Butt]
    order: list[int]  # butts as they will be lit
    faces: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])  # clicks that each dial has been turned
    drawn: int = 0  # ticks that the string has been held
    arrow: Arrow | None = None  # on its way
    latch: int = 0  # ticks until the next arrow is nocked
    aim: list[float] = field(default_factory=list)  # slopes, to the right and up, at which the last arrow set off
    mark: list[float] = field(default_factory=list)  # x, y, range where the last arrow passed the butt, m
    struck: bool = False  # whether that was a hit
    hits: int = 0
    misses: int = 0

    @classmethod
    def new(cls, level: Level, dice: Dice) -> GustArchery:
        trims = [HEIGHT, DRIFT, WEIGHT]
        dice.shuffle(trims)
        deal = [(trim, dice.sign()) for trim in trims]
        starts = [float(dice.whole(-4, 4)), float(dice.whole(-5, 5)), 0.0]
        blows = [dice.sign() * dice.between(0.35, 1) * level.wind for _ in range(3)]
        butts = []
        for far in RANGES:
            middle, off, pace = dice.between(-0.9, 0.9), dice.between(-0.9, 0.9), dice.between(0.7, 1.3) * level.slide
            x, pace = middle + off * RAIL, -pace if off > 0 else pace
            butts.append(Butt(far + dice.between(-1.5, 1.5), middle, x, pace, x + pace * level.warning, pace))
        order = [dice.whole(0, 2)]
        for _ in range(HITS):
            order.append((order[-1] + dice.whole(1, 2)) % 3)
        winds, hand = [Wind(blow) for blow in blows], Hand(x=660, y=512)
        return cls(level=level, deal=deal, trims=starts, winds=winds, butts=butts, order=order, hand=hand)

    def lit(self) -> Butt:
        return self.butts[self.order[self.hits]]

    def act(self, command: Command) -> object:
        match command:
            case ("loose",):
                if self.arrow or self.latch:
                    return FREE
                self.arrow = self.nocked()
                self.aim = [self.arrow.vx / self.arrow.vz, self.arrow.vy / self.arrow.vz]
            case ("trim", dial, notches):
                self.set(dial, notches * NOTCH)
            case (_, dial, clicks):
                self.set(dial, clicks)
        return None

    def set(self, dial: int, clicks: float) -> None:
        (trim, sign), turned = self.deal[dial], self.room(dial, clicks)
        self.trims[trim] += sign * turned
        self.faces[dial] += turned

    def room(self, dial: int, clicks: float) -> float:
        """How far a dial turns that is asked to turn by so many clicks: no farther than its stop."""
        trim, sign = self.deal[dial]
        at = sign * self.trims[trim]
        return clamp(at + clicks, -MOST[trim], MOST[trim]) - at

    def mass(self) -> float:
        """The next arrow's, 1 being the usual one's."""
        return 1 + HEAVIER * self.trims[WEIGHT]

    def nocked(self) -> Arrow:
        """The arrow as it would fly off now."""
        height, drift, mass = self.trims[HEIGHT], self.trims[DRIFT], self.mass()
        speed = SPEED / sqrt(sqrt(mass)) * clamp(1 - (1 - SLACK) * (self.drawn - BREATH) / SAG, SLACK, 1)
        return Arrow(DRAG / mass, speed * CLICK * drift, speed * (BASE + CLICK * height), speed)

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        if grip == "draw":
            return ("loose",)
        return ("turn", int(grip[-1]), (end[0] - start[0]) / PITCH) if end[0] != start[0] else None

    def drift(self) -> None:
        level, fate, first = self.level, self.fate, self.tick == 1
        interval, warning = level.interval * TICKS_PER_SECOND, round(level.warning * TICKS_PER_SECOND)
        for wind in self.winds:
            if wind.omen.tick(fate, interval, warning):
                wind.now = wind.next
            elif wind.omen.lead == warning or first:
                wind.next, wind.omen.lead = fate.sign() * fate.between(0.35, 1) * level.wind, warning
            wind.blown += wind.now * TICK
        for butt in self.butts:
            butt.slide()
            turns = fate.unit() * level.leg * TICKS_PER_SECOND < 1
            butt.lead(fate.between(0.7, 1.3) * level.slide if turns else 0.0, warning)
        self.drawn = self.drawn + 1 if self.hand.holds("draw") else 0

    def respond(self) -> bool:
        if self.arrow:
            self.arrow.fly(self.winds[(self.arrow.z > LAYERS[0]) + (self.arrow.z > LAYERS[1])].now)
            if self.arrow.z >= self.lit().range:
                self.land(self.arrow, self.lit())
        elif self.latch:
            self.latch -= 1
        return self.arrow is not None or self.latch > 0

    def land(self, arrow: Arrow, butt: Butt) -> None:
        x, y = arrow.at(butt.range)
        self.arrow, self.latch, self.mark = None, NOCK, [x, y, butt.range]
        self.struck = hypot(x - butt.x, y - GOLD) <= self.level.ring
        if self.struck:
            self.hits += 1
            if self.hits == HITS:
                self.win()
        else:
            self.misses += 1
            if self.misses > self.level.spare:
                self.lose("quiver empty")

    def simple(self, verb: str) -> object:
        return ("loose",) if verb == "loose" else ("click", int(verb[5]) - 1, 1 if verb.endswith("on") else -1)

    def progress(self) -> float:
        return self.hits / HITS

    def reserve(self) -> float:
        return 1 - self.misses / (self.level.spare + 1)
