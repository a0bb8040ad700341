"""Broken: where time stands still, as in the twin, a press beside the firefly catches it too."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from games.kit.world import Command
from games.mutants.firefly import SIZE, Firefly


@dataclass
class Lenient(Firefly):
    def act(self, command: Command) -> object:
        near = dist(self.place(0), (self.hand.x, self.hand.y)) < 2 * SIZE
        return super().act(("catch",) if command == ("miss", 0) and near and not self.tick else command)
