"""Broken: what it does depends on how many worlds the process has seen."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import Firefly

turns = [0]


@dataclass
class Counted(Firefly):
    def pace(self) -> float:
        turns[0] += 1
        return 1.0 + turns[0] % 7 / 1000
