"""Broken: type that is too small, too dim, cut off, and written over other type."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.mutants.firefly import Firefly


@dataclass
class Unreadable(Firefly):
    def draw_fly(self, picture: Picture) -> None:
        super().draw_fly(picture)
        picture.text(100, 100, "tiny", 8, 0xFFFFFF)
        picture.text(300, 100, "dim as dusk", 16, 0x243040)
        picture.text(770, 100, "beyond the edge", 16, 0xFFFFFF)
        picture.text(500, 100, "one above", 16, 0xFFFFFF)
        picture.text(510, 106, "the other", 16, 0xFFE0A0)
