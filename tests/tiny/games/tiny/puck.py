"""Hit a drifting puck: a world for the tests of the wire, with keys that win, lose, break and hang.

The field's colour tells how many acts it has felt, so that a picture proves whose effect it shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import Command, Hold, World, turn


class Level(NamedTuple):
    speed: float  # px a tick


@dataclass
class Puck(World):
    title = "Puck"
    goal = "Hit the puck."
    rulebook = "It drifts. W wins, L loses, X breaks, H hangs."
    seconds = 60
    twin = turn(30)  # TIMING
    keys = {
        "KeyW": ("end", 1),
        "KeyL": ("end", 0),
        "KeyX": ("break",),
        "KeyH": ("hang",),
        "ArrowLeft": Hold("left"),
        "ArrowRight": Hold("right"),
    }
    verbs = {"ArrowLeft": "left", "ArrowRight": "right", "Space": "hit"}
    abilities = ("temporal",)
    twin_abilities = ()
    levels = (Level(1.0), Level(1.5), Level(2.0), Level(2.5), Level(3.0))

    x: float
    hits: int = 0
    felt: int = 0  # acts

    @classmethod
    def new(cls, level: Level, dice: Dice) -> Puck:
        return cls(level=level, x=dice.between(100, 700))

    def act(self, command: Command) -> object:
        self.felt += 1
        match command:
            case ("hit",):
                self.hits += 1
            case ("end", won):
                if won:
                    self.win()
                else:
                    self.lose("asked")
            case ("break",):
                raise ArithmeticError("broken on request")
            case ("hang",):
                while True:
                    pass
        return None

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        return None

    def simple(self, verb: str) -> object:
        return ("hit",) if verb == "hit" else Hold(verb, 6)

    def drift(self) -> None:
        push = self.hand.holds("right") - self.hand.holds("left")
        self.x = (self.x + self.level.speed * (self.fate.unit() + push)) % 800

    def draw(self, picture: Picture) -> None:
        picture.background(0x000000)
        picture.box(400, 324, 800, 552, 0x080808 * (self.felt % 30), does=("miss",))
        picture.disc(self.x, 300, 40, 0xFF8800, does=("hit",))

    def progress(self) -> float:
        return min(self.hits / 10, 1.0)
