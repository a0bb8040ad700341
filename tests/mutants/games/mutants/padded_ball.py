"""Broken: a ball in space is caught in a larger ball that nobody can see, though it hides nothing."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.picture import Picture
from games.mutants.firefly import CENTRE, SIZE, Firefly

SCALE = 100  # px a metre
BACK = 0x081018


@dataclass
class PaddedBall(Firefly):
    def draw_field(self, picture: Picture) -> None:
        picture.camera((0, 0, 8), (0, 0, 0), fov=40)
        picture.light((0, 0, -1), 0x000000, ambient=0xFFFFFF)
        x, y = self.place(0)
        place = (x - CENTRE[0]) / SCALE, (CENTRE[1] - y) / SCALE
        wide = 3 * SIZE / SCALE
        picture.solid("ball", (*place, 0), (wide, wide, wide), BACK, does=("catch",))

    def draw_fly(self, picture: Picture) -> None:
        assert picture.view is not None
        x, y = self.place(0)
        x, y, _ = picture.project(((x - CENTRE[0]) / SCALE, (CENTRE[1] - y) / SCALE, 0))
        picture.disc(x, y, SIZE, 0xC0FF60)
