"""Broken: misses cost nothing, so pressing one place of its ring again and again wins."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import Firefly


@dataclass
class Spammed(Firefly):
    def miss(self) -> None:
        pass
