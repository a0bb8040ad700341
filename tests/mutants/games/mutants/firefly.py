"""Catch a firefly, not a moth, five times: a sound game, from which the broken ones of this folder derive.

Its turn is redrawn while it flies, so a press chosen from an old look misses, and a miss loses a catch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import TAU, cos, sin
from games.kit.omen import Omen
from games.kit.picture import Picture
from games.kit.world import FREE, TAP, Command, World, still

CENTRE = (400.0, 330.0)
RADIUS, SIZE, STEP = 200, 38, 28  # px
CATCHES, MISSES, MOTHS = 5, 4, 5
REST = 70  # ticks after a catch
OMEN = 46  # ticks of flicker before it turns


class Level(NamedTuple):
    rate: float  # degrees a second
    interval: float  # ticks between new turns


def turn(level: Level, dice: Dice) -> float:
    """A new rate in radians a tick."""
    return level.rate * dice.between(0.6, 1.4) * dice.sign() * TAU / 360 / 60


@dataclass
class Firefly(World):
    title = "Firefly"
    goal = "Catch it five times."
    rulebook = "Four misses lose. It flickers before it turns."
    seconds = 40
    twin = still()  # TIMING
    verbs = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down", "Space": "press"}
    abilities = ("temporal",)
    twin_abilities = ()
    levels = (Level(40, 120), Level(48, 112), Level(56, 106), Level(64, 100), Level(72, 96))

    angle: float  # radians, of the firefly
    rate: float = 0.0  # radians a tick
    omen: Omen = field(default_factory=Omen)
    caught: int = 0
    missed: int = 0
    rest: int = 0

    @classmethod
    def new(cls, level: Level, dice: Dice) -> Firefly:
        return cls(level=level, angle=dice.between(0, TAU), rate=turn(level, dice))

    def act(self, command: Command) -> object:
        match command:
            case ("step", dx, dy):
                x, y = self.hand.x + dx * STEP, self.hand.y + dy * STEP
                if abs(x - CENTRE[0]) <= 260 and abs(y - CENTRE[1]) <= 260:
                    self.hand.x, self.hand.y = x, y
                return FREE
            case _ if self.rest:
                return FREE
            case ("catch",):
                self.caught += 1
                self.rest = REST
                if self.caught == CATCHES:
                    self.win()
            case ("miss", _):
                self.miss()
        return None

    def miss(self) -> None:
        self.missed += 1
        self.caught = max(0, self.caught - 1)
        if self.missed == MISSES:
            self.lose("four misses")

    def drift(self) -> None:
        self.fly()

    def fly(self) -> None:
        if self.omen.tick(self.fate, self.level.interval, OMEN):
            self.rate = turn(self.level, self.fate)
        self.angle += self.rate * self.pace()

    def pace(self) -> float:
        return 1.0

    def respond(self) -> bool:
        self.rest = max(0, self.rest - 1)
        return self.rest > 0

    def simple(self, verb: str) -> object:
        steps = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
        return TAP if verb == "press" else ("step", *steps[verb])

    def draw(self, picture: Picture) -> None:
        picture.background(0x081018)
        self.draw_field(picture)
        for moth in range(1, MOTHS + 1):
            picture.line(*CENTRE, *self.place(moth), 24, 0x204050)
        for moth in range(1, MOTHS + 1):
            picture.disc(*self.place(moth), SIZE, 0x706060, does=("miss", moth))
        self.draw_fly(picture)

    def place(self, moth: int) -> tuple[float, float]:
        angle = self.angle + moth * TAU / (MOTHS + 1)
        return CENTRE[0] + RADIUS * cos(angle), CENTRE[1] + RADIUS * sin(angle)

    def draw_field(self, picture: Picture) -> None:
        picture.box(400, 324, 800, 552, 0x0A1420, does=("miss", 0))

    def draw_fly(self, picture: Picture) -> None:
        picture.disc(*self.place(0), SIZE, 0xFFD060 if self.omen.lead & 4 or self.rest else 0xC0FF60, does=("catch",))

    def progress(self) -> float:
        return self.caught / CATCHES

    def reserve(self) -> float:
        return 1 - self.missed / MISSES
