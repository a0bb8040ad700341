"""Ring the bell three times: a world for the tests of runs, whose levels are ways in which an episode can go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import Command, World, still

RINGS = 3


class Level(NamedTuple):
    way: str


@dataclass
class Bell(World):
    title = "Bell"
    goal = "Ring the bell three times."
    rulebook = "R rings it."
    seconds = 3
    twin = still()  # TIMING
    keys = {"KeyR": ("ring",)}
    verbs = {"KeyR": "ring"}
    abilities = ("temporal",)
    twin_abilities = ()
    levels = (Level("fair"), Level("slow"), Level("crash"), Level("broken"), Level("hang"))

    hue: int
    rings: int = 0

    @classmethod
    def new(cls, level: Level, dice: Dice) -> Bell:
        return cls(level=level, hue=dice.whole(0, 255))

    def act(self, command: Command) -> object:
        if self.level.way == "broken":
            raise ArithmeticError("a broken rule")
        self.rings += 1
        if self.rings == RINGS:
            self.win()
        return None

    def simple(self, verb: str) -> object:
        return ("ring",)

    def draw(self, picture: Picture) -> None:
        picture.background(0x201000 + self.hue)
        picture.disc(400, 300, 100, 0xFFC040, does=("ring",))

    def progress(self) -> float:
        return self.rings / RINGS
