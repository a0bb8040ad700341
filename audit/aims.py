"""Where an action of the pointer goes, and the same action elsewhere."""

from __future__ import annotations

from typing import Any

import msgspec

from audit.players import Spot
from games.kit.world import HEIGHT, WIDTH
from harness import actions as a


def aim(action: a.AnyAction) -> Spot | None:
    """Where an action goes first, if it says."""
    place: Any = action.path[0] if isinstance(action, a.Drag) else action
    return None if getattr(place, "x", None) is None else (place.x, place.y)


def moved(action: a.AnyAction, by: Spot) -> a.AnyAction:
    """The action with all its places moved (px), but not beyond the screen."""
    if isinstance(action, a.Drag):
        return msgspec.structs.replace(action, path=[_moved(point, by) for point in action.path])
    moving: a.AnyAction = action if aim(action) is None else _moved(action, by)
    return moving


def at_once(action: a.AnyAction) -> a.AnyAction:
    """A pointer's action without its duration, so that nothing moves under way."""
    return msgspec.structs.replace(action, ms=0) if isinstance(action, (a.Move, a.Click, a.Drag)) else action


def _moved(placed: Any, by: Spot) -> Any:
    x, y = min(max(placed.x + by[0], 0.0), WIDTH), min(max(placed.y + by[1], 0.0), HEIGHT)
    return msgspec.structs.replace(placed, x=x, y=y)
