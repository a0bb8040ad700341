"""Broken: a crosshair that is near the firefly flies with it."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from games.mutants.firefly import SIZE, Firefly


@dataclass
class Tracking(Firefly):
    def fly(self) -> None:
        near = dist(self.place(0), (self.hand.x, self.hand.y)) < 2 * SIZE
        super().fly()
        if near:
            self.hand.x, self.hand.y = self.place(0)
