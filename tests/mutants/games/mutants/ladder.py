"""A sound game whose levels differ a lot: the last is too quick for a slow hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.mutants.firefly import Firefly, turn


class Level(NamedTuple):
    rate: float  # degrees a second
    interval: float  # ticks between new turns
    warning: int  # ticks of flicker


@dataclass
class Ladder(Firefly):
    levels = (Level(40, 130, 46), Level(60, 110, 42), Level(85, 95, 38), Level(105, 80, 34), Level(130, 62, 29))

    def fly(self) -> None:
        if self.omen.tick(self.fate, self.level.interval, self.level.warning):
            self.rate = turn(self.level, self.fate)
        self.angle += self.rate
