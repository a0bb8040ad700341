"""Broken: it only hops now and then, so a single frame tells all that the tag says needs more."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import OMEN, Firefly


@dataclass
class Perched(Firefly):
    def fly(self) -> None:
        if self.omen.tick(self.fate, self.level.interval, OMEN):
            self.angle += self.fate.between(1, 5)
