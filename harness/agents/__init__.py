"""The agents that come with the benchmark, by their names.

oracle       a person who knows the game: acts 250 ms after the look that an act was chosen from
oracle@2s    a model that knows the game: looks, thinks so long, acts, looks again (0s, 1.5s, 250ms…)
tracker      sees only pictures: finds glyphs and motion with classical computer vision
random       allowed actions by chance
idle         waits
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from harness.errors import BadInput

if TYPE_CHECKING:
    from harness.wire.client import SyncClient

Player = Callable[["SyncClient", int], None]  # plays a session to its end; the number is a seed of the player's own
PLAYERS = ("tracker", "random", "idle")
LONGEST_S = 3600


class Spec(NamedTuple):
    """An agent by its canonical name. oracle: it needs the world. think_us: None for a player, or for lag."""

    name: str
    oracle: bool
    think_us: int | None


def parse(text: str) -> Spec:
    """Read an agent's name. Raises BadInput."""
    word = text.strip().lower()
    if word in PLAYERS:
        return Spec(word, False, None)
    if word == "oracle":
        return Spec(word, True, None)
    found = re.fullmatch(r"oracle@(\d{1,7}(?:\.\d{1,6})?)(ms|s)", word, re.ASCII)
    if not found:
        mend = f"use oracle, oracle@2s (any time), {', '.join(PLAYERS)}"
        raise BadInput("agents", f"{text!r} is unknown", mend)
    think_us = round(float(found[1]) * (1_000 if found[2] == "ms" else 1_000_000))
    if think_us > LONGEST_S * 1_000_000:
        raise BadInput("agents", f"{text!r} thinks for more than {LONGEST_S} s", "let it think less")
    return Spec(f"oracle@{think_us / 1e6:g}s", True, think_us)


def known(name: str) -> Spec | None:
    """The agent of that name, or None when it is not one of ours: records may hold others."""
    try:
        return parse(name)
    except BadInput:
        return None


def player(name: str) -> Player:
    """The player of that name, its module imported."""
    module = "simple" if name in ("random", "idle") else name
    return getattr(importlib.import_module(f"harness.agents.{module}"), f"play_{name}")
