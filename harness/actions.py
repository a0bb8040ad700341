"""The canonical actions of an agent, and the one-line language that spells them.

All durations are milliseconds of game time. Coordinates count in the space that the message declares.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from configs import DEFAULTS
from harness.errors import BadInput, told

MAX_ACTIONS = DEFAULTS.max_actions
Ms = Annotated[float, Meta(ge=0, le=DEFAULTS.max_act_ms, description="milliseconds of game time")]
Number = Annotated[float, Meta(ge=-100_000, le=100_000)]
KeyName = Annotated[str, Meta(min_length=1, max_length=32, description="DOM code or a known alias")]
KeyNames = Annotated[list[KeyName], Meta(min_length=1, max_length=8)]
Button = Literal["left", "right", "middle"]
Notches = Annotated[int, Meta(ge=-50, le=50, description="wheel notches; positive is down or right")]


class Action(Struct, forbid_unknown_fields=True, tag_field="type", kw_only=True, omit_defaults=True):
    """Base of all actions. at_ms: start after the act's application; without it, after the action before."""

    at_ms: Ms | None = None


class Move(Action, tag="move"):
    """Move the pointer, at once or along a straight line for ms."""

    x: Number
    y: Number
    ms: Ms = 0


class Click(Action, tag="click"):
    """Press and let go of a button, where the pointer is unless x and y are given."""

    x: Number | None = None
    y: Number | None = None
    button: Button = "left"
    count: Annotated[int, Meta(ge=1, le=3)] = 1
    modifiers: Annotated[list[KeyName], Meta(max_length=4)] = []
    ms: Ms = DEFAULTS.click_ms


class MouseDown(Action, tag="mouse_down"):
    """Press a button and keep it."""

    x: Number | None = None
    y: Number | None = None
    button: Button = "left"


class MouseUp(Action, tag="mouse_up"):
    """Let go of a button."""

    x: Number | None = None
    y: Number | None = None
    button: Button = "left"


class Point(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A corner of a drag's path. ms: when it is reached, counted from the drag's start."""

    x: Number
    y: Number
    ms: Ms | None = None


class Drag(Action, tag="drag"):
    """Press at the first point, move along the path, let go at the last."""

    path: Annotated[list[Point], Meta(min_length=2, max_length=64)]
    button: Button = "left"
    modifiers: Annotated[list[KeyName], Meta(max_length=4)] = []
    ms: Ms = DEFAULTS.drag_ms


class Scroll(Action, tag="scroll"):
    """Turn the wheel."""

    x: Number | None = None
    y: Number | None = None
    dx: Notches = 0
    dy: Notches = 0


class Key(Action, tag="key"):
    """Tap keys together (a chord)."""

    keys: KeyNames
    ms: Ms = DEFAULTS.key_ms


class KeyHold(Action, tag="key_hold"):
    """Hold keys together for ms."""

    keys: KeyNames
    ms: Ms


class KeyDown(Action, tag="key_down"):
    """Press a key and keep it down, over later acts too."""

    key: KeyName


class KeyUp(Action, tag="key_up"):
    """Let go of a key."""

    key: KeyName


class Type(Action, tag="type"):
    """Tap the keys of a text, one after another."""

    text: Annotated[str, Meta(min_length=1, max_length=100)]


class Wait(Action, tag="wait"):
    """Let game time pass."""

    ms: Ms


AnyAction = Move | Click | MouseDown | MouseUp | Drag | Scroll | Key | KeyHold | KeyDown | KeyUp | Type | Wait
KINDS: dict[Any, type[Action]] = {kind.__struct_config__.tag: kind for kind in get_args(AnyAction)}
Actions = Annotated[list[AnyAction], Meta(max_length=MAX_ACTIONS)]
CoordSpace = Literal["px", "norm1000", "unit"]


def from_plain(value: Any) -> list[AnyAction]:
    """Actions from plain JSON values. Raises BadInput that names the field."""
    try:
        return msgspec.convert(value, Actions)
    except msgspec.ValidationError as error:
        field, problem = told(error, "actions")
        raise BadInput(field, problem, _takes(value, field)) from None


def to_plain(actions: list[AnyAction]) -> list[dict[str, Any]]:
    """Actions as plain JSON values."""
    return msgspec.to_builtins(actions)


def _takes(value: Any, field: str) -> str:
    """What an action of this value can be, or what the action of this field takes."""
    place = re.match(r"actions\[(\d+)\]", field)
    if not place:
        return f"send a list of at most {MAX_ACTIONS} actions"
    action = value[int(place[1])]
    kind = KINDS.get(action.get("type", "")) if isinstance(action, dict) else None
    if kind is None:
        return f"an action has a type, one of {', '.join(KINDS)}"
    return f"{kind.__struct_config__.tag} takes {', '.join(kind.__struct_encode_fields__)}"


def parse_line(line: str) -> list[AnyAction]:
    """Actions from the one-line language, `click 400 300; hold ArrowLeft 500; wait 200`.

    Raises BadInput that quotes the part that was not understood.
    """
    actions = []
    for index, part in enumerate(piece for piece in line.split(";") if piece.strip()):
        actions.append(_parse_part(part.strip(), f"line, part {index + 1} ({part.strip()!r})"))
    if not actions:
        raise BadInput("line", "holds no action", "for example: click 400 300; wait 200")
    if len(actions) > MAX_ACTIONS:
        raise BadInput("line", f"holds {len(actions)} actions", f"send at most {MAX_ACTIONS} an act")
    return actions


def _parse_part(part: str, place: str) -> AnyAction:
    try:
        word, *rest = shlex.split(part) if not part.startswith("type ") else ["type", part[5:].strip(" \"'")]
    except ValueError as error:
        raise BadInput(place, str(error), "close the quotation") from None
    at = next((text for text in rest if text.startswith("@")), None)
    rest = [text for text in rest if text is not at]
    form = FORMS.get(word.lower())
    if form is None:
        raise BadInput(place, f"unknown action {word!r}", f"use one of {', '.join(FORMS)}")
    usage, build = form
    try:
        plain = build(rest)
        if at:
            plain["at_ms"] = float(at[1:])
        return msgspec.convert(plain, AnyAction)
    except (ValueError, IndexError, msgspec.ValidationError) as error:
        detail = "does not fit its form"
        if isinstance(error, msgspec.ValidationError):
            detail = " ".join(told(error))
        raise BadInput(place, detail, f"write it as: {usage}") from None


def _numbers(words: list[str], *counts: int) -> list[float]:
    if len(words) not in counts:
        raise ValueError
    return [float(word) for word in words]


def _click(button: str = "left", count: int = 1) -> Callable[[list[str]], dict[str, Any]]:
    def build(words: list[str]) -> dict[str, Any]:
        return {"type": "click", "button": button, "count": count, **_place(words)}

    return build


def _place(words: list[str]) -> dict[str, float]:
    return dict(zip("xy", _numbers(words, 0, 2), strict=False))


def _move(words: list[str]) -> dict[str, Any]:
    return {"type": "move", **dict(zip(("x", "y", "ms"), _numbers(words, 2, 3), strict=False))}


def _button(kind: str) -> Callable[[list[str]], dict[str, Any]]:
    def build(words: list[str]) -> dict[str, Any]:
        named = [word for word in words if word in ("left", "right", "middle")]
        rest = [word for word in words if word not in named]
        return {"type": kind, **({"button": named[0]} if named else {}), **_place(rest)}

    return build


def _drag(words: list[str]) -> dict[str, Any]:
    numbers = [float(word) for word in words]
    if len(numbers) < 4:
        raise ValueError
    path = [{"x": x, "y": y} for x, y in zip(numbers[0::2], numbers[1::2], strict=False)]
    return {"type": "drag", "path": path, **({"ms": numbers[-1]} if len(numbers) % 2 else {})}


def _scroll(words: list[str]) -> dict[str, Any]:
    *place, notches = words
    return {"type": "scroll", **dict(zip("xy", _numbers(place, 0, 2), strict=False)), "dy": int(notches)}


def _key(kind: str, *, timed: bool) -> Callable[[list[str]], dict[str, Any]]:
    def build(words: list[str]) -> dict[str, Any]:
        keys, *rest = words
        ms = _numbers(rest, 1) if timed else _numbers(rest, 0, 1)
        return {
            "type": kind,
            "keys": keys.split("+") if len(keys) > 1 else [keys],
            **({"ms": ms[0]} if ms else {}),
        }

    return build


def _one_key(kind: str) -> Callable[[list[str]], dict[str, Any]]:
    return lambda words: {"type": kind, "key": words[0]}


FORMS: dict[str, tuple[str, Callable[[list[str]], dict[str, Any]]]] = {  # word -> usage, what builds the action
    "click": ("click [X Y]", _click()),
    "right": ("right [X Y]", _click("right")),
    "double": ("double [X Y]", _click(count=2)),
    "move": ("move X Y [MS]", _move),
    "down": ("down [X Y] [BUTTON]", _button("mouse_down")),
    "up": ("up [X Y] [BUTTON]", _button("mouse_up")),
    "drag": ("drag X1 Y1 X2 Y2 … [MS]", _drag),
    "scroll": ("scroll [X Y] NOTCHES", _scroll),
    "key": ("key NAME[+NAME] [MS]", _key("key", timed=False)),
    "hold": ("hold NAME[+NAME] MS", _key("key_hold", timed=True)),
    "keydown": ("keydown NAME", _one_key("key_down")),
    "keyup": ("keyup NAME", _one_key("key_up")),
    "type": ("type TEXT", lambda words: {"type": "type", "text": words[0]}),
    "wait": ("wait MS", lambda words: {"type": "wait", "ms": _numbers(words, 1)[0]}),
    "pass": ("pass", lambda words: {"type": "key", "keys": ["Period"]}),
}
