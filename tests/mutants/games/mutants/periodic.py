"""Broken: it turns as it always turns; who knows its timetable need not look."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import Firefly


@dataclass
class Periodic(Firefly):
    def fly(self) -> None:
        self.angle += 0.03 if self.tick % 160 < 80 else -0.02
