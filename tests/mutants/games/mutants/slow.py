"""Broken: it moves, but all it moves while anybody thinks is less than its size."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import Firefly


@dataclass
class Slow(Firefly):
    def pace(self) -> float:
        return 0.02
