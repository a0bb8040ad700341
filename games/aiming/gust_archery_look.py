"""How Barley Wind Archery looks."""

from __future__ import annotations

from games.aiming.gust_archery import GustArchery
from games.kit.picture import Picture
from games.kit.world import Hold

DIALS, DIAL_Y = (230.0, 400.0, 570.0), 545.0  # px, their middles


def draw(world: GustArchery, picture: Picture) -> None:
    picture.background(0xE9B873, 0xFBE3B4)
    picture.camera((0, 5.5, 0), (0, -0.7, -50), fov=20)
    for butt in world.butts:
        picture.solid("ball", (butt.x, 1.4, -butt.range), (1.6, 1.6, 0.3), 0xFFC020)
    for index, x in enumerate(DIALS):
        picture.box(x, DIAL_Y, 120, 60, 0x402010, does=Hold(f"dial {index}"), wheel=("trim", index))
