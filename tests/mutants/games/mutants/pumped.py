"""Broken: a pull lifts the lamp by how often the hand has moved, not by how far."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.kit.picture import Picture
from games.kit.world import Hold
from games.mutants.firefly import Firefly


@dataclass
class Pumped(Firefly):
    lamp: float = 300.0  # px
    last: list[float] = field(default_factory=list)

    def fly(self) -> None:
        super().fly()
        here = [self.hand.x, self.hand.y]
        if self.hand.holds("lamp") and self.last and here != self.last:
            self.lamp -= 5
        self.last = here

    def draw_fly(self, picture: Picture) -> None:
        super().draw_fly(picture)
        picture.box(60, self.lamp, 40, 40, 0xE0E0E0, does=Hold("lamp"))
