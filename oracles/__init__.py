"""Solvers, one a game, in the same folders and under the same names as the games.

A solver is a generator `solve(look, ahead)`. `look()` is a copy of the world at the last frame that an agent would
have been shown, the solver's own acts still in flight included. `ahead(world, more=0)` runs a copy forward to the tick
at which an act decided now begins (and `more` ticks on), under a different fate: what can be seen coming comes, chance
cannot be read. A solver yields what it wishes to happen, or None to look again; a list of wishes is tried in order.
The harness turns wishes into clicks, drags, keys or verbs and delivers them late, through the agent's own door.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from games.kit.world import Command, World

Look = Callable[[], Any]
Ahead = Callable[..., Any]


class Drag(NamedTuple):
    """Take the grip where it is drawn and let go at `to` (pixels); along: grips whose keys are held meanwhile."""

    grip: str
    to: tuple[float, float]
    along: tuple[str, ...] = ()


class Keep(NamedTuple):
    """Hold grips together for some ticks (a simple verb's own length in simple mode)."""

    grips: tuple[str, ...]
    ticks: int


class Point(NamedTuple):
    """Only bring the pointer there (full mode; nothing in simple mode)."""

    x: float
    y: float


Wish = Command | Drag | Keep | Point
Solver = Callable[[Look, Ahead], Iterator[Wish | list[Wish] | None]]

__all__ = ["Ahead", "Drag", "Keep", "Look", "Point", "Solver", "Wish", "World"]
