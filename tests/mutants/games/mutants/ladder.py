"""A sound game whose levels differ a lot: at the last a slow hand hardly wins."""

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
    levels = (Level(40, 130, 46), Level(70, 110, 40), Level(100, 90, 34), Level(130, 70, 26), Level(160, 50, 18))

    def fly(self) -> None:
        if self.omen.tick(self.fate, self.level.interval, self.level.warning):
            self.rate = turn(self.level, self.fate)
        self.angle += self.rate
