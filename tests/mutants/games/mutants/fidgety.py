"""Broken: each look at it makes it turn a little."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.mutants.firefly import Firefly


@dataclass
class Fidgety(Firefly):
    def draw_fly(self, picture: Picture) -> None:
        self.angle += 0.0001
        super().draw_fly(picture)
