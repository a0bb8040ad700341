"""Broken: its twin lets it fly after each press, and hears a key that is still down then."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.world import Hold, turn
from games.mutants.firefly import Firefly


@dataclass
class Overheard(Firefly):
    twin = turn(60)  # TIMING
    keys = {"KeyL": Hold("lamp")}

    def pace(self) -> float:
        return 0.8 if "lamp" in self.hand.held else 1.0
