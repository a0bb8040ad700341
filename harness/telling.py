"""What a session's `hello` says, in words for whoever plays."""

from __future__ import annotations

from typing import Any

from harness.keys import key_name


def tell(hello: dict[str, Any]) -> list[str]:
    """The game as a new player has to know it, in lines: goal, rules, controls, time, and what the top strip shows."""
    timing = "real time" if hello["timing"] == "rt" else "twin"
    return [
        f"{hello['title']}: {timing}, level {hello['level']}, {hello['mode']} mode, {hello['seconds']:g} s",
        f"Goal: {hello['goal']}",
        *([f"Rules: {hello['rulebook']}"] if hello["rulebook"] else []),
        *([f"Controls: {hello['controls']}"] if hello["controls"] else []),
        f"Time: {hello['time']}",
        "Top strip: the goal; ⚑ how much of it is done; ♥ how much you may still lose; the time left.",
    ]


def keys_of(hello: dict[str, Any]) -> dict[str, str]:
    """The keys by their shortest names, and what each does. Passing is only told where it does something."""
    twin = hello["timing"] == "twin"
    return {key_name(key): what for key, what in hello["keys"].items() if what != "pass" or twin}


def columns(rows: dict[str, str]) -> list[str]:
    """Two columns, as lines."""
    width = max(map(len, rows), default=0)
    return [f"  {first:<{width}}  {second}" for first, second in rows.items()]
