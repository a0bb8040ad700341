"""Broken: the rules measure for themselves whether a press was near enough, more generously than the picture says."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.maths import hypot
from games.kit.picture import Picture
from games.kit.world import Command
from games.mutants.firefly import SIZE, Firefly

PADDING = 14  # px


@dataclass
class OwnTest(Firefly):
    def act(self, command: Command) -> object:
        x, y = self.place(0)
        near = hypot(self.hand.x - x, self.hand.y - y) <= SIZE + PADDING
        return super().act(("catch",) if near and command == ("miss", 0) else command)

    def draw_fly(self, picture: Picture) -> None:
        x, y = self.place(0)
        picture.disc(x, y, SIZE, 0xC0FF60, does=("catch",))
