"""The verbs of a desktop's `computer` tool, as Anthropic and Inspect name them, in our canonical actions."""

from __future__ import annotations

from typing import Any

from harness.agents.models.conversation import whole
from harness.agents.models.vendor import holding
from harness.errors import BadInput

CLICKS = {
    "left_click": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
}
WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def canonical(name: str, given: dict[str, Any], scale: tuple[float, float]) -> list[dict[str, Any]]:
    """An action of the computer tool in ours; none for a screenshot. Raises BadInput."""
    held = _chord(given["text"]) if name not in ("key", "hold_key", "type") and given.get("text") else []
    place = _place("coordinate", given.get("coordinate"), scale)
    match name:
        case "screenshot":
            return []
        case "wait":
            return [{"type": "wait", "ms": 1000 * whole("duration", given.get("duration"))}]
        case "key":
            tap = {"type": "key", "keys": _chord(given.get("text"))}
            return [tap] * int(whole("repeat", given.get("repeat") or 1))
        case "hold_key":
            ms = 1000 * whole("duration", given.get("duration"))
            return [{"type": "key_hold", "keys": _chord(given.get("text")), "ms": ms}]
        case "type":
            return [{"type": "type", "text": given.get("text")}]
        case "mouse_move":
            return [{"type": "move", **place}]
        case "left_mouse_down" | "left_mouse_up":
            return [{"type": name.removeprefix("left_")}]
        case "left_click_drag":
            path = [_place("start_coordinate", given.get("start_coordinate"), scale), place]
            return [{"type": "drag", "path": path, "modifiers": held}]
        case "scroll" if given.get("scroll_direction") in WAYS:
            dx, dy = WAYS[given["scroll_direction"]]
            much = int(whole("scroll_amount", given.get("scroll_amount")))
            return holding(held, {"type": "scroll", **place, "dx": dx * much, "dy": dy * much})
        case _ if name in CLICKS:
            button, count = CLICKS[name]
            return [{"type": "click", **place, "button": button, "count": count, "modifiers": held}]
    raise BadInput("action", f"{name!r} is not supported", "use what the game is played with")


def _chord(text: object) -> list[str]:
    if not isinstance(text, str) or not text:
        raise BadInput("text", "names no key", "for example ctrl+s, Left, space")
    return text.split("+") if len(text) > 1 else [text]


def _place(field: str, pair: object, scale: tuple[float, float]) -> dict[str, float]:
    if pair is None:
        return {}
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise BadInput(field, f"must be [x, y], not {pair!r}", "send two numbers")
    return {"x": whole(field, pair[0]) * scale[0], "y": whole(field, pair[1]) * scale[1]}
