"""Slip the gears of a train until all marks reach their pointers at once, and release the clutch just then.

A motor turns the train at a speed that no one keeps, so a release chosen from an old look finds the marks gone by.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import TAU, atan2, clamp, cos, floor, hypot, sin, turn_between
from games.kit.omen import Omen
from games.kit.world import FREE, TICKS_PER_SECOND, Command, Hand, World, until

DRIVER = 12  # teeth of the gear on the motor
NOTCHES = 2  # to a tooth of the driving gear: 15 degrees each
BOLTS = 3
REVERSES = 0.85  # share of the motor's changes that turn it about
SLIP = 0.15  # teeth a tick that a slipping gear moves
SLIDE = 24  # ticks that a bolt takes
LATCH = 120  # ticks that the clutch takes to come back after a release
TELL = 60  # ticks for which a miss is shown at least
HALL = (350.0, 322.0)  # px, middle of the gearwork
CLUTCH = (732.0, 352.0)  # px, its knob at rest


class Level(NamedTuple):
    gears: int
    teeth: int  # to slip before all marks can meet their pointers
    tolerance: float  # degrees
    rate: float  # degrees a second, middle of what the driving gear turns
    interval: float  # s, mean time between the motor's new speeds
    warning: float  # s, from the belt's tautening to the new speed
    tries: int  # misses, the last of which jams the safe
    module: float  # px of a gear's radius for each of its teeth


@dataclass
class Gear:
    x: float
    y: float
    teeth: int
    way: int  # 1 turns with the driving gear, -1 against it
    pointer: float  # angle
    mark: int = 0  # teeth clockwise from pointer to mark when the driving gear stands at 0
    owed: float = 0.0  # teeth of its last slips that it has still to move

    def angle(self, turned: float) -> float:
        """Where the mark is when the driving gear has turned by so many teeth."""
        return self.pointer + TAU / self.teeth * (self.way * turned + self.mark - self.owed)


@dataclass
class GearSafe(World):
    title = "Gear Safe"
    goal = (
        "Slip the gears so that all marks meet the pointers together; release the clutch then. "
        "Three such releases draw the three bolts and open the safe."
    )
    rulebook = (
        "A slip moves one gear by whole teeth and leaves the others; until its mark has arrived, a ring waits at the "
        "mark's new place, which turns on. Gears that mesh turn opposite ways. A release tests the marks at once, "
        "where they then are: each must be within the arc at its pointer. Then the clutch is deaf for 2 s (WAIT). "
        "A drawn bolt shakes the gears apart. A miss breaks a pin, shoots a bolt back and knocks one gear, perhaps one "
        "that was right, by two teeth; without a pin left the safe jams. After a miss a cross beside each arc shows "
        "where a mark was outside, a tick where one was inside, until the next slip. The belt tautens just before the "
        "motor takes another speed, most often in the other direction; how long before stands below it. Each bar lit "
        "is half a tooth a second of the motor's speed, at any level; only the turning itself shows which way."
    )
    controls = {
        "full": "Drag a gear's rim round its axle by the teeth that it should slip: a ring shows where its mark will "
        "be, and less than half a tooth slips nothing. Press the clutch knob; it releases as you let go.",
        "simple": "Left and Right choose a gear, which wears a ring; Up slips it by a tooth clockwise, Down by a tooth "
        "back. Space releases the clutch as it goes down.",
    }
    seconds = 75
    twin = until("clicked")  # TIMING
    verbs = {
        "ArrowLeft": "previous gear",
        "ArrowRight": "next gear",
        "ArrowUp": "slip clockwise",
        "ArrowDown": "slip back",
        "Space": "release",
    }
    crosshair = False
    abilities = ("temporal", "planning")
    twin_abilities = ("temporal", "planning")
    levels = (
        Level(2, 1, 14, 25, 1.4, 0.45, 5, 10.8),
        Level(3, 2, 13.5, 33, 1.25, 0.42, 5, 9.5),
        Level(3, 3, 13, 42, 1.1, 0.38, 4, 9.0),
        Level(4, 4, 11, 54, 0.9, 0.34, 4, 7.8),
        Level(4, 5, 10, 70, 0.68, 0.28, 3, 7.6),
    )

    gears: list[Gear]
    shakes: list[list[int]]  # for each bolt drawn but the last, teeth clockwise that each gear is shaken by
    knocks: list[list[int]]  # for each miss, [gear, teeth clockwise]
    turned: float = 0.0  # teeth, of the driving gear
    rate: float = 0.0  # teeth a tick
    motor: Omen = field(default_factory=Omen)  # of its next speed; the belt tautens before
    notch: bool = False  # the driving gear has just clicked into a notch
    drawn: int = 0  # bolts
    misses: int = 0
    latch: int = 0  # ticks until the clutch is back
    missed: bool = False  # what the last release was
    landed: list[float] = field(default_factory=list)  # where the marks were at a miss, while that is shown
    knocked: int = 0  # the gear that the last miss knocked
    keyed: bool = False  # a verb chose the gear at the hand, which thus is no pointer that happens to be there

    @classmethod
    def new(cls, level: Level, dice: Dice) -> GearSafe:
        kinds = [8, 9, 10, 12]
        dice.shuffle(kinds)
        slopes = [dice.between(0.56, 0.72) for _ in range(3)]
        leans = [dice.between(-0.45, 0.45) for _ in range(4)]
        start, *shakes = [shake(level, dice) for _ in range(BOLTS)]
        meeting = dice.whole(1, 3) * dice.sign()
        knocks = [(dice.unit(), 2 * dice.sign()) for _ in range(5)]

        gears = [Gear(0, 0, DRIVER, 1, leans[0] - TAU / 4)]
        for index in range(1, level.gears):
            last, teeth, way = gears[-1], kinds[index], -gears[-1].way
            slope, reach = slopes[index - 1] * -way, level.module * (last.teeth + teeth)
            mesh = (slope - last.pointer) / TAU * last.teeth - 0.5  # a tooth of one meets a gap of the other
            base = slope + TAU / 2 + mesh * TAU / teeth
            upright = floor((leans[index] - way * TAU / 4 - base) / TAU * teeth + 0.5) * TAU / teeth + base
            gears.append(Gear(last.x + reach * cos(slope), last.y + reach * sin(slope), teeth, way, upright))
        low, last = gears[1], gears[-1]
        left = HALL[0] - (last.x + level.module * (last.teeth - DRIVER)) / 2
        top = HALL[1] - (low.y + level.module * (low.teeth - DRIVER)) / 2
        for gear, teeth in zip(gears, start, strict=True):
            gear.x, gear.y, gear.mark = gear.x + left, gear.y + top, teeth - gear.way * meeting
        return cls(
            level=level,
            gears=gears,
            shakes=shakes,
            knocks=[[int(pick * level.gears), teeth] for pick, teeth in knocks],
            turned=0.25,
            hand=Hand(x=gears[0].x, y=gears[0].y),
        )

    def act(self, command: Command) -> object:
        match command:
            case ("choose", step):
                gear = self.gears[(self.chosen() + step) % len(self.gears)]
                self.hand.x, self.hand.y, self.keyed = gear.x, gear.y, True
                return FREE
            case ("slip", index, teeth):
                self.slip(index, teeth)
                if self.latch <= LATCH - TELL:
                    self.landed = []
            case ("release",) if not self.latch:
                self.latch = LATCH
                self.missed = not all(self.lined(gear) for gear in self.gears)
                self.landed = [gear.angle(self.turned) for gear in self.gears] if self.missed else []
                if self.missed:
                    self.knocked = self.knocks[self.misses][0]
                    self.slip(*self.knocks[self.misses])
                    self.misses, self.drawn = self.misses + 1, max(0, self.drawn - 1)
                    if self.misses == self.level.tries:
                        self.lose("tries spent")
                elif self.drawn == BOLTS - 1:
                    self.drawn = BOLTS
                    self.win()
                else:
                    for index, teeth in enumerate(self.shakes[self.drawn]):
                        self.slip(index, teeth)
                    self.drawn += 1
        return None

    def slip(self, index: int, teeth: int) -> None:
        self.gears[index].mark += teeth
        self.gears[index].owed += teeth

    def chosen(self) -> int:
        """The gear nearest to the hand."""
        away = [hypot(gear.x - self.hand.x, gear.y - self.hand.y) for gear in self.gears]
        return away.index(min(away))

    def lined(self, gear: Gear) -> bool:
        return self.within(gear, gear.angle(self.turned))

    def within(self, gear: Gear, angle: float) -> bool:
        return abs(turn_between(gear.pointer, angle)) <= self.level.tolerance * TAU / 360

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        if grip == "clutch":
            return ("release",)
        index = int(grip.split()[1])
        teeth = self.dragged(self.gears[index], start, end)
        return ("slip", index, teeth) if teeth else None

    def dragged(self, gear: Gear, start: tuple[float, float], end: tuple[float, float]) -> int:
        """Teeth clockwise that a drag means."""
        before, after = (atan2(y - gear.y, x - gear.x) for x, y in (start, end))
        return floor(turn_between(before, after) / TAU * gear.teeth + 0.5)

    def drift(self) -> None:
        interval, warning = self.level.interval * TICKS_PER_SECOND, round(self.level.warning * TICKS_PER_SECOND)
        comes = self.motor.tick(self.fate, interval, warning)
        if comes or self.tick == 1:
            speed = self.level.rate * self.fate.between(0.65, 1.35) * DRIVER / 360 / TICKS_PER_SECOND
            self.rate = speed if (self.rate > 0) != (self.fate.unit() < REVERSES) else -speed
        before = floor(self.turned * NOTCHES)  # the last turn that is seen is always by the present speed
        self.turned += self.rate
        self.notch = floor(self.turned * NOTCHES) != before

    def clicked(self) -> bool:
        return self.notch

    def respond(self) -> bool:
        for gear in self.gears:
            gear.owed -= clamp(gear.owed, -SLIP, SLIP)
        if self.latch:
            self.latch -= 1
        return self.latch > 0 or any(gear.owed for gear in self.gears)

    def simple(self, verb: str) -> object:
        if verb == "release":
            return ("release",)
        step = 1 if verb in ("next gear", "slip clockwise") else -1
        return ("choose", step) if "gear" in verb else ("slip", self.chosen(), step)

    def progress(self) -> float:
        return self.drawn / BOLTS

    def reserve(self) -> float:
        return 1 - self.misses / self.level.tries


def shake(level: Level, dice: Dice) -> list[int]:
    """Teeth clockwise for each gear, after which no fewer slips than the level's bring the marks together again."""
    order, sign = [1, 2, 3], dice.sign()
    dice.shuffle(order)
    order = [index for index in order if index < level.gears]
    teeth = [0] * level.gears
    for count in range(level.teeth):
        place = count % len(order)
        gear = order[place]
        teeth[gear] += sign * (-1 if (place + gear) % 2 else 1)  # neighbours turn against each other
    return teeth
