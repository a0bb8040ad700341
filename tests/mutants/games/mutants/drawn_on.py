"""Broken: whoever looks changes the world."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.mutants.firefly import Firefly


@dataclass
class DrawnOn(Firefly):
    looks: int = 0

    def draw_fly(self, picture: Picture) -> None:
        self.looks += 1
        super().draw_fly(picture)
