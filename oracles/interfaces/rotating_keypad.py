"""Press the wanted key when its ring's rate will hold until the press lands."""

from __future__ import annotations

from collections.abc import Iterator

from games.interfaces.rotating_keypad import RotatingKeypad
from games.kit.maths import hypot
from oracles import Ahead, Look, Point, Wish

NEAR = 40  # px, from which a press takes little more than the finger's own time


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | None]:
    while True:
        seen = look()
        world = ahead(seen)
        if world.entered == len(world.code):
            yield None
        elif world.latch:
            yield approach(ahead(seen, world.latch))
        else:
            yield press(seen, world)


def approach(world: RotatingKeypad) -> Wish | None:
    """Wait beside the next key while the bolt slides. world: as it will be then, if nothing changes."""
    glyph, hand = world.code[world.entered], world.hand
    places = [world.place(ring, ring.glyphs.index(glyph)) for ring in world.rings if glyph in ring.glyphs]
    x, y = min(places, key=lambda place: hypot(place[0] - hand.x, place[1] - hand.y))
    return Point(x, y) if hypot(x - hand.x, y - hand.y) > NEAR else None


def press(seen: RotatingKeypad, world: RotatingKeypad) -> Wish | None:
    """The wanted key on the ring that will keep its present rate the longest."""
    glyph = world.code[world.entered]
    steady = [
        (ring.omen.age, index, ring.glyphs.index(glyph))
        for index, ring in enumerate(seen.rings)
        if glyph in ring.glyphs and not ring.omen.lead
    ]
    return ("press", *min(steady)[1:]) if steady else None
