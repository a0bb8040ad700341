"""The surfaces by which a model acts, apart from its vendor's own: a function tool and a line of text.

Both take the canonical actions (docs/protocol.md), so that vendors are compared on equal verbs.
"""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import msgspec

from harness.actions import FORMS, MAX_ACTIONS, AnyAction, from_plain, parse_line, to_plain
from harness.agents.models import code as code_of
from harness.errors import BadInput
from harness.sandbox.box import LIMIT_S
from harness.telling import columns, keys_of, tell

TOOL = "act"
TOOL_TOLD = "Do these actions, in order, and see what comes of it. An empty list only looks."
ACT = re.compile(r"^\W*act:\s*(.+?)\W*$", re.IGNORECASE | re.MULTILINE)
LOOK = "look"  # what a line says that only looks
POINTED = ("click", "right", "double", "move", "down", "up", "drag", "scroll")  # words of the line that need a pointer


def told(hello: dict[str, Any]) -> str:
    """Goal, rules, controls, time, gestures and keys, as text."""
    keys = keys_of(hello)
    return "\n".join(
        (
            *tell(hello),
            f"Played with: {', '.join(hello['gestures'])}.",
            *(["Keys:"] if keys else []),
            *columns(keys),
        )
    )


def how(surface: str, hello: dict[str, Any], *, code: bool = False) -> str:
    """How to act by this surface, and to run code, as text."""
    return _how(surface, hello) + (_how_code(surface, hello) if code else "")


def _how_code(surface: str, hello: dict[str, Any]) -> str:
    block = "write a block that begins with ```python and ends with ```, without an `act:` line."
    call = block if surface == "text" else f"call the tool `{code_of.PYTHON}`."
    forms = "" if surface == "text" else f"\nActions of a line:\n{_forms(hello)}"
    return code_of.HOW.format(call=call, example=_example(hello), limit_s=LIMIT_S) + forms


def _how(surface: str, hello: dict[str, Any]) -> str:
    if surface == "native":
        return "Use the computer tool. The game fills the screen; there is nothing else on it."
    if surface == "function":
        return f"Call the tool `{TOOL}`. It answers with what the screen shows then."
    return (
        "End each answer with one line, `act: ACTION; ACTION; …`, or `act: look` to see the screen again.\nActions:\n"
        f"{_forms(hello)} For example: act: {_example(hello)}"
    )


def _forms(hello: dict[str, Any]) -> str:
    """The one-line language, as far as this session allows it."""
    forms = [f"  {usage}" for word, (usage, _) in FORMS.items() if hello["pointer"] or word not in POINTED]
    return "\n".join([*forms, "X and Y are pixels from the upper left, MS milliseconds."])


def _example(hello: dict[str, Any]) -> str:
    return "click 400 300; wait 200" if hello["pointer"] else f"key {next(iter(keys_of(hello)))}; wait 200"


def schema(hello: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of the tool's arguments: a list of the actions that this session allows.

    One flat object an action, its fields those of all kinds, as many servers know neither unions nor references.
    """
    fields: dict[str, Any] = {"type": {"type": "string", "enum": hello["actions"]}}
    forms = []
    (_,), parts = msgspec.json.schema_components([AnyAction])
    for kind in get_args(AnyAction):
        name = kind.__struct_config__.tag
        if name not in hello["actions"]:
            continue
        own = {key: _flat(value, parts) for key, value in parts[kind.__name__]["properties"].items() if key != "type"}
        fields |= {key: value for key, value in own.items() if key not in fields}
        needed = [key for key in parts[kind.__name__]["required"] if key != "type"]
        free = [f"[{key}]" for key in own if key not in needed and key != "at_ms"]
        forms.append(f"{name} {' '.join(needed + free)}: {kind.__doc__.strip().splitlines()[0]}")
    action = {"type": "object", "properties": fields, "required": ["type"], "description": "\n".join(forms)}
    actions = {"type": "array", "items": action, "maxItems": MAX_ACTIONS}
    return {"type": "object", "properties": {"actions": actions}, "required": ["actions"]}


def _flat(value: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """A field's schema without references, unions with null, and defaults, which differ between kinds."""
    if "anyOf" in value:
        value = next(each for each in value["anyOf"] if each.get("type") != "null")
    if "$ref" in value:
        part = parts[value["$ref"].rpartition("/")[2]]
        inner = {key: _flat(each, parts) for key, each in part["properties"].items()}
        return {"type": "object", "properties": inner, "required": part["required"]}
    value = {key: each for key, each in value.items() if key not in ("default", "title")}
    if "enum" in value:
        value.setdefault("type", "string")
    if "items" in value:
        value["items"] = _flat(value["items"], parts)
    return value


def read_call(name: str, arguments: Any) -> list[dict[str, Any]] | str:
    """The actions of a call of a function tool, or its code; arguments: JSON text or an object. Raises BadInput."""
    if name not in (TOOL, code_of.PYTHON):
        raise BadInput("tool", f"{name!r} is unknown", f"call {TOOL}")
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except json.JSONDecodeError as error:
            raise BadInput("arguments", f"no JSON ({error})", 'send {"actions": [...]}') from None
    try:
        msgspec.json.encode(arguments)
    except UnicodeEncodeError:
        raise BadInput("arguments", "hold half a character", "send whole ones") from None
    if name == code_of.PYTHON:
        return code_of.read_code(arguments)
    actions = arguments.get("actions") if isinstance(arguments, dict) else None
    if not isinstance(actions, list):
        raise BadInput("actions", "must be a list", 'send {"actions": [...]}')
    return to_plain(from_plain(actions))


def read_line(text: str) -> list[dict[str, Any]] | None:
    """The actions of a text's last `act:` line, none for `look`; None when there is no such line. Raises BadInput."""
    lines = ACT.findall(text)
    if not lines:
        return None
    line = lines[-1].strip("`* ")
    return [] if line.lower() == LOOK else to_plain(parse_line(line))
