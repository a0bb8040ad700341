"""Press the wanted key when its ring's rate will hold until the press lands."""

from __future__ import annotations

from collections.abc import Iterator

from games.interfaces.rotating_keypad import RotatingKeypad
from oracles import Ahead, Look, Wish


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | None]:
    while True:
        seen = look()
        world = ahead(seen)
        yield None if world.latch or world.entered == len(world.code) else press(seen, world)


def press(seen: RotatingKeypad, world: RotatingKeypad) -> Wish | None:
    """The wanted key on the ring that will keep its present rate the longest."""
    glyph = world.code[world.entered]
    steady = [
        (ring.omen.age, index, ring.glyphs.index(glyph))
        for index, ring in enumerate(seen.rings)
        if glyph in ring.glyphs and not ring.omen.lead
    ]
    return ("press", *min(steady)[1:]) if steady else None
