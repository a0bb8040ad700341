"""Broken: as long as the pointer rests on the hub, hardly anything moves."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.mutants.firefly import CENTRE, Firefly


@dataclass
class RestingBrake(Firefly):
    def pace(self) -> float:
        x, y = CENTRE
        return 0.05 if abs(self.hand.x - x) < 30 and abs(self.hand.y - y) < 30 else 1.0

    def draw_fly(self, picture: Picture) -> None:
        x, y = CENTRE
        picture.disc(x, y, 40, 0x406070)
        super().draw_fly(picture)
