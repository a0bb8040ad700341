"""Sound: the firefly darkens when it is about to turn, so that nobody needs to tell hues apart."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.mutants.firefly import SIZE, Firefly


@dataclass
class Clear(Firefly):
    def draw_fly(self, picture: Picture) -> None:
        x, y = self.place(0)
        picture.disc(x, y, SIZE, 0xA06818 if self.omen.lead else 0xC0FF60, does=("catch",))
        picture.text(400, 100, "catch the brightest", 18, 0xD8E0E8)
