"""Broken: the first miss is the end, so nothing can be won back."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import Firefly


@dataclass
class Fatal(Firefly):
    def miss(self) -> None:
        self.lose("a miss")
