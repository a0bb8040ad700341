"""Follow the called pearl through the swaps, swat what is about to sting, lift the cup while it is at rest."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit.maths import hypot
from games.sequence.bazaar_cups import LAND, LIFE, BazaarCups
from oracles import Ahead, Drag, Look, Point, Wish

PRESSING, AT_REST = 60, 240  # ticks before a sting that leave no time for a lift first; the twin moves in bursts
REACH = 10  # ticks of a drag
NEAR = 20  # px that the hand may be from the cup that it will lift
CLEAR = 24  # px between the shawl and the middle of a cup that is taken


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | None]:
    while True:
        seen = look()
        world = ahead(seen)
        late = world.tick - seen.tick
        if world.numb or world.reach:
            yield None
        elif world.wasps and world.wasps[0].age > LIFE - (PRESSING + 2 * late if late else AT_REST):
            yield ("swat", 0)
        else:
            yield lift(world, ahead(seen, REACH + LAND)) or (("swat", 0) if world.wasps else follow(world, late))


def lift(world: BazaarCups, landing: BazaarCups) -> Wish | None:
    """Lift the called pearl's cup, or wave the shawl off it. landing: the world when a lift that begins now lands."""
    place = world.pearls[world.called]
    if not world.ripe() or ((world.turning or world.poise) and place in world.pair):
        return None
    if landing.covered(place, CLEAR) or world.covered(place, CLEAR):
        return ("wave",)
    x, y = world.spot(place)
    return Drag(f"place {place}", (x, y - 78))


def follow(world: BazaarCups, late: int) -> Wish | None:
    """Keep the hand near the called pearl's cup, so that a lift is short."""
    x, y = world.spot(world.pearls[world.called])
    far = hypot(world.hand.x - x, world.hand.y - y + 38) > NEAR
    return Point(x, y - 38) if late and far else None
