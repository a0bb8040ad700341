"""Broken: the cords light the same colours in every world, so there is nothing to find out."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.dice import Dice
from games.mutants.cords import Cords
from games.mutants.firefly import Level


@dataclass
class AlikeCords(Cords):
    @classmethod
    def new(cls, level: Level, dice: Dice) -> AlikeCords:
        return cls(level=level, angle=dice.unit(), deal=[0, 1, 2, 3], asked=dice.whole(0, 3))
