"""A sound game whose twin waits until the firefly has turned."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.world import until
from games.mutants.firefly import Firefly


@dataclass
class Waiting(Firefly):
    twin = until("turned")  # TIMING

    def turned(self) -> bool:
        return self.omen.age == 1 and not self.rest
