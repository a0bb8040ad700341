"""Broken: a drag that is done within a third of a second is not noticed."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.kit.world import Command, Hold
from games.mutants.firefly import Firefly

LEAST = 20  # ticks


@dataclass
class Hasty(Firefly):
    held: int = 0  # ticks
    moved: float = 0.0  # px

    def act(self, command: Command) -> object:
        if command[0] == "move":
            self.moved += command[1]
            return None
        return super().act(command)

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        return ("move", end[0] - start[0]) if self.held >= LEAST else None

    def fly(self) -> None:
        super().fly()
        self.held = self.held + 1 if self.hand.holds("lamp") else 0

    def draw_fly(self, picture: Picture) -> None:
        super().draw_fly(picture)
        picture.box(60 + self.moved / 20, 300, 40, 40, 0xE0E0E0, does=Hold("lamp"))
