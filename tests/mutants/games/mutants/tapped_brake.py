"""Broken: each tap of a key lets the world stand still for a while, and flashes so that the picture is not still."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.kit.world import FREE, Command
from games.mutants.firefly import Firefly


@dataclass
class TappedBrake(Firefly):
    keys = {"KeyB": ("calm",)}

    calm: int = 0
    taps: int = 0

    def act(self, command: Command) -> object:
        if command == ("calm",):
            self.calm, self.taps = 40, self.taps + 1
            return FREE
        return super().act(command)

    def fly(self) -> None:
        self.calm = max(0, self.calm - 1)
        if not self.calm:
            super().fly()

    def draw_field(self, picture: Picture) -> None:
        super().draw_field(picture)
        picture.box(400, 560, 800, 80, (0x204060, 0x602040, 0x406020)[self.taps % 3])
