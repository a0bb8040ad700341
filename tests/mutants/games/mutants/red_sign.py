"""Broken: that it is about to turn shows as a change from green to red of one lightness, and in dark red letters."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.mutants.firefly import SIZE, Firefly
from games.mutants.red_green import GREEN, RED


@dataclass
class RedSign(Firefly):
    def draw_fly(self, picture: Picture) -> None:
        x, y = self.place(0)
        picture.disc(x, y, SIZE, RED if self.omen.lead else GREEN, does=("catch",))
        picture.text(400, 100, "watch its colour", 18, 0xC01010)
