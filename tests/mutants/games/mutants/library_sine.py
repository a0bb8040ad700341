"""Broken: its sine is the C library's, whose last bits depend on the processor."""

from __future__ import annotations

import math
from dataclasses import dataclass

from games.mutants.firefly import Firefly


@dataclass
class LibrarySine(Firefly):
    wave: float = 0.0

    def fly(self) -> None:
        super().fly()
        self.wave += math.sin(self.tick * 0.37) + math.exp(-0.01 * self.tick) + math.cos(self.tick * 1.7)
