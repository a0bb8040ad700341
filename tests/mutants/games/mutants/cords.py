"""Pull the cord that lights the colour asked for: a sound game of finding out, for no cord shows its colour.

What is asked for changes on a live sign; a wrong pull costs a chance.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import Command, turn
from games.mutants.firefly import OMEN, REST, Firefly, Level

COLOURS = (0xFF6050, 0x60D080, 0x60A0FF, 0xE0E080)
CHANCES = 9


@dataclass
class Cords(Firefly):
    goal = "Pull the cord that lights the colour asked for, five times."
    twin = turn(60)  # TIMING
    verbs = {f"Digit{number}": str(number) for number in range(4)}
    abilities = twin_abilities = ("exploration",)

    deal: list[int] = field(default_factory=list)  # the colour that each cord lights
    asked: int = 0
    soon: int = 0  # what will be asked for next
    pulled: int = -1  # the cord pulled last
    rest: int = 0

    @classmethod
    def new(cls, level: Level, dice: Dice) -> Cords:
        deal = [0, 1, 2, 3]
        dice.shuffle(deal)
        return cls(level=level, angle=dice.unit(), deal=deal, asked=dice.whole(0, 3))

    def act(self, command: Command) -> object:
        if self.rest:
            return None
        self.pulled, self.rest = command[1], REST
        if self.deal[self.pulled] == self.asked:
            self.caught += 1
            if self.caught == 5:
                self.win()
        else:
            self.missed += 1
            if self.missed == CHANCES:
                self.lose("nine wrong pulls")
        return None

    def drift(self) -> None:
        if self.omen.tick(self.fate, self.level.interval, OMEN):
            self.asked = self.soon
        elif self.omen.lead == OMEN:
            self.soon = (self.asked + self.fate.whole(1, 3)) % 4

    def simple(self, verb: str) -> object:
        return ("pull", int(verb))

    def draw(self, picture: Picture) -> None:
        picture.background(0x081018)
        picture.disc(400, 160, 60, COLOURS[self.asked])
        if self.omen.lead:
            picture.disc(560, 160, 30, COLOURS[self.soon])
        for number in range(4):
            lit = self.rest and self.pulled == number
            picture.disc(160 + 160 * number, 440, 50, 0x404850, does=("pull", number))
            picture.disc(160 + 160 * number, 340, 36, COLOURS[self.deal[number]] if lit else 0x202830)
        for number in range(self.missed):
            picture.disc(60 + 30 * number, 560, 10, 0xFF4040)
        for number in range(self.caught):
            picture.disc(740 - 30 * number, 560, 10, 0x60FF80)

    def reserve(self) -> float:
        return 1 - self.missed / CHANCES
