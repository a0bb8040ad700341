"""Broken: the firefly is told from the moths by red and green of one lightness alone."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.mutants.firefly import MOTHS, SIZE, Firefly

RED, GREEN = 0xC8503C, 0x5B8A32  # what a deuteranope sees of both is nearly the same


@dataclass
class RedGreen(Firefly):
    def draw(self, picture: Picture) -> None:
        picture.background(0x081018)
        self.draw_field(picture)
        for moth in range(1, MOTHS + 1):
            x, y = self.place(moth)
            picture.disc(x, y, SIZE, RED, does=("miss", moth))
        x, y = self.place(0)
        picture.disc(x, y, SIZE, GREEN, does=("catch",))
