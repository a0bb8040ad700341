"""Broken: as long as a key is held, nothing moves."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.world import Hold
from games.mutants.firefly import Firefly


@dataclass
class HeldBrake(Firefly):
    keys = {"KeyB": Hold("brake")}

    def fly(self) -> None:
        if not self.hand.holds("brake"):
            super().fly()
