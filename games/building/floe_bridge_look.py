"""How Floe Bridge looks."""

from __future__ import annotations

from games.building.floe_bridge import BOTTOM, TOP, FloeBridge
from games.kit.bodies import ends
from games.kit.picture import Picture
from games.kit.world import Hold


def draw(world: FloeBridge, picture: Picture) -> None:
    picture.background(0x2E8F7E, 0x1F6F66)
    picture.box(400, (TOP + BOTTOM) / 2, 800, BOTTOM - TOP, 0x2F9A86, does=("throw",))
    picture.box(400, TOP / 2, 800, TOP, 0xF6D9C4)
    picture.box(400, (600 + BOTTOM) / 2, 800, 600 - BOTTOM, 0xF6D9C4)
    for eddy in world.eddies:
        picture.ring(eddy.x, eddy.y, 40, 3, 0xFFFFFF, alpha=0.5)
    for index, disc in enumerate(world.discs):
        grip = Hold(f"floe {index}") if index < world.level.floes else None
        points = []
        for u, v, far in zip(
            (1, 0.77, 0.17, -0.5, -0.94, -0.94, -0.5, 0.17, 0.77),
            (0, 0.64, 0.98, 0.87, 0.34, -0.34, -0.87, -0.98, -0.64),
            world.outlines[index],
            strict=True,
        ):
            points.append(disc.place(u * disc.r * far, v * disc.r * far))
        picture.polygon([(x, y + 6) for x, y in points], 0x5E7F99)
        picture.polygon(points, 0xFBEDE6 if grip else 0x4A4A55, does=grip)
    for rope in world.ropes:
        picture.line(*ends(world.discs, rope), 4, 0x8A3B1E)
    for a, b, x, y in world.knots():
        picture.disc(x, y, 6 + world.level.reach / 2, 0xFFC94A, alpha=0.6, does=("lash", a, b))
