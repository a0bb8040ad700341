"""Press the wanted key when its ring's rate will hold until the press lands."""

from __future__ import annotations

from collections.abc import Iterator

from games.interfaces.rotating_keypad import RotatingKeypad
from games.kit.maths import hypot
from oracles import Ahead, Look, Point, Wish

NEAR = 40  # px, from which a press takes little more than the finger's own time
WIDE = 70  # px, from which a crosshair has more than its last steps to go
SOON = 24  # ticks for which a ring's turn is counted on; who is later goes the whole way at once


def solve(look: Look, ahead: Ahead) -> Iterator[list[Wish] | None]:
    while True:
        seen = look()
        world = ahead(seen)
        if world.entered == len(world.code):
            yield None
            continue
        glyph = world.code[world.entered]
        ring = next(index for index, ring in enumerate(seen.rings) if glyph in ring.glyphs)
        key = seen.rings[ring].glyphs.index(glyph)
        ready = not (world.latch or seen.rings[ring].omen.lead)
        wishes = point(world, ahead(seen, world.latch), ring, key) if ready or world.latch else []
        if seen.rings[ring].rate and world.tick - seen.tick < SOON:
            wishes += step(world, ahead(seen, SOON), ring, key)
        yield [*wishes, ("press", ring, key)] if ready else wishes


def point(world: RotatingKeypad, then: RotatingKeypad, ring: int, key: int) -> list[Wish]:
    """Where the pointer waits for a key, if that is far from here."""
    x, y = then.places(then.rings[ring])[key]
    return [Point(x, y)] if hypot(x - world.hand.x, y - world.hand.y) > NEAR else []


def step(world: RotatingKeypad, then: RotatingKeypad, ring: int, key: int) -> list[Wish]:
    """A step of the crosshair towards a key that it is far from."""
    x, y = then.places(then.rings[ring])[key]
    x, y = x - world.hand.x, y - world.hand.y
    if hypot(x, y) < WIDE:
        return []
    return [("step", 1 if x > 0 else -1, 0) if abs(x) > abs(y) else ("step", 0, 1 if y > 0 else -1)]
