"""Broken: after a miss it is out of reach for ever, though the game goes on."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.mutants.firefly import Firefly


@dataclass
class Hopeless(Firefly):
    def draw_fly(self, picture: Picture) -> None:
        if not self.missed:
            super().draw_fly(picture)
