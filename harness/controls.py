"""What a player's hand can do in a game, and when its world moves: found in its pictures, keys and twin policy."""

from __future__ import annotations

from functools import cache
from typing import Any

import games
from clock.tempo import Tempo
from games.kit.picture import Picture
from games.kit.world import TICKS_PER_SECOND, Hold, World
from harness.session import build

LOOK_S = 15  # of a world left alone, in which what can be pressed shows itself


@cache
def gestures(name: str) -> tuple[str, ...]:
    """What the game of this name is played with in full mode, kept for the next who asks."""
    return find_gestures(games.load(name))


def find_gestures(game: type[World]) -> tuple[str, ...]:
    """What a game's full mode is played with: some of click, drag, hold, right click, wheel, tap keys, hold keys.

    They are those of level 5 of a world that nobody plays, so that they tell nothing of the session's own.
    """
    world = build(game, 5, 0)
    found = _with_keys(world)
    for tick in range(LOOK_S * TICKS_PER_SECOND):
        if tick % TICKS_PER_SECOND == 0:
            found |= _with_pointer(world)
        if world.verdict:
            break
        world.tick += 1
        world.drift()
        world.respond()
    order = ("click", "drag", "hold", "right click", "wheel", "tap keys", "hold keys")
    return tuple(gesture for gesture in order if gesture in found)


def _with_pointer(world: World) -> set[str]:
    picture = Picture()
    world.draw(picture)
    found = {_press(world, what) for what in picture.actions("left")}
    found |= {"right click"} if picture.actions("right") else set()
    return found | ({"wheel"} if picture.actions("wheel") else set())


def _press(world: World, what: Any) -> str:
    """How a button is used on it: what lets go where it was taken is a click, what does nothing then a hold."""
    if not isinstance(what, Hold):
        return "click"
    if type(world).let is World.let:
        return "hold"
    place = world.hand.x, world.hand.y
    return "drag" if world.let(what.grip, place, place) is None else "click"


def _with_keys(world: World) -> set[str]:
    """The table may name the wheel too."""

    def use(code: str, what: Any) -> str:
        return "wheel" if code.startswith("Wheel") else "hold keys" if isinstance(what, Hold) else "tap keys"

    return {use(code, what) for code, what in world.keys.items()}


def time_told(world: World, tempo: Tempo, window_ms: float, *, realtime: bool) -> str:
    """When the world moves, in a sentence for the player."""
    if not realtime:
        return {
            "still": "A twin: nothing moves but what your acts move.",
            "turn": f"A twin: it waits for you; what you do lets {world.twin.ticks / TICKS_PER_SECOND:.2g} s pass.",
            "until": "A twin: it waits for you; what you do lets it run to the next occasion.",
            "acting": "A twin: it moves while your acts last; wait or pass to let it go on.",
        }[world.twin.kind]
    if tempo.slowdown is None:
        return (
            f"The world stands still until you act, then moves as long as the act lasts and {window_ms:g} ms more "
            "(no more after an act that only waits, or only prepares something)."
        )
    if tempo.slowdown == 1:
        return "The world does not wait: it moves while you think."
    return f"The world moves while you think, {tempo.name[:-1]} times slower than while you act."
