"""Broken: the right valve can be opened at the beginning and left; the rest happens by itself."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import Command
from games.mutants.firefly import Firefly, Level

FULL = 900  # ticks


@dataclass
class Valve(Firefly):
    verbs = {f"Digit{number}": str(number) for number in range(8)}

    wanted: int = 0
    opened: int = -1
    water: int = 0

    @classmethod
    def new(cls, level: Level, dice: Dice) -> Valve:
        return cls(level=level, angle=dice.unit(), wanted=dice.whole(0, 7))

    def act(self, command: Command) -> object:
        self.opened = command[1]
        return None

    def simple(self, verb: str) -> object:
        return ("open", int(verb))

    def drift(self) -> None:
        super().drift()
        self.water += self.opened == self.wanted
        if self.water == FULL:
            self.win()

    def draw(self, picture: Picture) -> None:
        for number in range(8):
            colour = 0xFFD060 if number == self.wanted else 0x406070
            picture.disc(90 + 88 * number, 500, 36, colour, does=("open", number))
        picture.box(400, 200, 700 * self.water / FULL, 60, 0x60A0FF)

    def progress(self) -> float:
        return self.water / FULL
