"""Follow the called pearl through the swaps, swat what is about to sting, lift the cup while it is at rest."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit.maths import hypot
from games.sequence.bazaar_cups import LAND, LIFE, BazaarCups
from oracles import Ahead, Look, Point, Wish

PRESSING, AT_REST = 60, 240  # ticks before a sting that leave no time for a lift first; the twin moves in bursts
NEAR, AT_HAND = 2, 60  # px that the hand may be from the cup that it will lift, and from one to be lifted now
AIM = 22.4  # px above the foot of a cup at which a click takes it
CLEAR = 24  # px between the shawl and the middle of a cup that is taken


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    while True:
        seen = look()
        world = ahead(seen)
        late = world.tick - seen.tick
        if world.reach:
            yield None
        elif world.wasps and world.wasps[0].age > LIFE - (PRESSING + 2 * late if late else AT_REST):
            yield ("swat", 0)
        else:
            landing = ahead(seen, LAND)
            wish = lift(seen, world, landing)
            live = landing.tick > seen.tick  # in a twin the hand has time to come from anywhere
            way = follow(seen, world, AT_HAND if wish else NEAR) if live else None
            if way and wish and late < world.level.poise:  # else the way takes longer than the hands are away
                yield [way, wish]
            else:
                yield wish or (("swat", 0) if world.wasps else way)


def lift(seen: BazaarCups, world: BazaarCups, landing: BazaarCups) -> Wish | None:
    """Lift the called pearl's cup, or wave the shawl off it. world, landing: when a lift begins now, and lands."""
    place = settled(seen)
    if not world.ripe() or not rests(seen, place, landing.tick - seen.tick):
        return None
    if landing.covered(place, CLEAR) or world.covered(place, CLEAR):
        return ("wave",)
    return ("lift", place)


def rests(seen: BazaarCups, place: int, soon: int) -> bool:
    """Whether the cup there is likely to be at rest then. Never is it safer than when a swap has just ended."""
    if seen.turning or seen.poise:
        return place not in seen.pair or 0 < seen.turning <= soon
    return soon <= seen.level.poise


def settled(seen: BazaarCups) -> int:
    """Where the called pearl is once the swap under way is done."""
    place = seen.pearls[seen.called]
    return sum(seen.pair) - place if seen.turning and place in seen.pair else place


def follow(seen: BazaarCups, world: BazaarCups, near: float) -> Point | None:
    """Bring the hand to where the called pearl's cup will be, so that a lift is quick. world: when it sets out."""
    place = seen.pearls[seen.called]
    if place in seen.pair and (seen.turning or seen.poise):
        place = sum(seen.pair) - place
    x, y = seen.spot(place)
    far = hypot(world.hand.x - x, world.hand.y - y + AIM) > near
    return Point(x, y - AIM) if far else None
