"""Broken: it hardly moves; only who does not press for some four seconds loses something. A deadline, no live world."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import MISSES, REST, Firefly


@dataclass
class Deadline(Firefly):
    since: int = 0

    def pace(self) -> float:
        return 0.002

    def fly(self) -> None:
        super().fly()
        self.since = 0 if self.rest == REST - 1 else self.since + 1
        if self.since == 230:
            self.since = 0
            self.missed += 1
            if self.missed == MISSES:
                self.lose("too late")
