"""Broken: what counts down to its next turn is drawn nowhere, but its oracle knows."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import Firefly, turn


@dataclass
class Foretold(Firefly):
    left: int = 0

    def fly(self) -> None:
        self.left -= 1
        if self.left <= 0:
            self.rate, self.left = turn(self.level, self.fate), self.fate.whole(70, 160)
        self.angle += self.rate
