"""Broken: a key that was held once goes on working when it is up."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.world import Hold
from games.mutants.firefly import Firefly


@dataclass
class Stuck(Firefly):
    keys = {"KeyB": Hold("lure")}

    lured: bool = False

    def pace(self) -> float:
        self.lured = self.lured or self.hand.holds("lure")
        return 0.8 if self.lured else 1.0
