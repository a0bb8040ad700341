"""Broken: what can be pressed reaches a dozen pixels beyond what is seen of it."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.mutants.firefly import SIZE, Firefly

PADDING = 12  # px


@dataclass
class Padded(Firefly):
    def draw_fly(self, picture: Picture) -> None:
        super().draw_fly(picture)
        x, y = self.place(0)
        picture.disc(x, y, SIZE + PADDING, 0xC0FF60, alpha=0.004, does=("catch",))
