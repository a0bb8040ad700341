"""Broken: it jumps without a sign, so nobody could know where it will be."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.maths import TAU
from games.mutants.firefly import Firefly


@dataclass
class Jumping(Firefly):
    def fly(self) -> None:
        if self.tick % 12 == 1:
            self.angle = self.fate.between(0, TAU)
