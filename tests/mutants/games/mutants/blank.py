"""Broken: nothing to be seen."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.mutants.firefly import Firefly


@dataclass
class Blank(Firefly):
    def draw(self, picture: Picture) -> None:
        picture.background(0x081018)
        picture.box(400, 324, 800, 552, 0x081018, does=("miss", 0))
        x, y = self.place(0)
        picture.disc(x, y, 1, 0x0A1420, does=("catch",))
