"""Data: defaults, suites, grids, prices, certificates. This file only reads them."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

FOLDER = Path(__file__).resolve().parent


class Defaults(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The table of defaults.toml; times in milliseconds of game time."""

    key_ms: float
    click_ms: float
    drag_ms: float
    frames: int
    spacing_ms: float
    window_ms: float
    max_actions: int
    max_act_ms: float
    max_acts: int


DEFAULTS = msgspec.convert(tomllib.loads((FOLDER / "defaults.toml").read_text()), Defaults)
CERTIFICATES = FOLDER / "certificates"
CAPS = FOLDER / "caps.toml"


@cache
def act_cap(game: str, timing: str, level: int, mode: str) -> int:
    """Acts after which an episode is lost: a twin's own, as certified, or the safety net of the defaults."""
    if timing == "twin" and CAPS.exists():
        return tomllib.loads(CAPS.read_text()).get(game, {}).get(f"{level}/{mode}", DEFAULTS.max_acts)
    return DEFAULTS.max_acts


def certificate(game: str) -> dict[str, Any]:
    """A game's certificate as plain values (`audit.certificate` says what it holds); empty when there is none."""
    path = CERTIFICATES / f"{game}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def certified_seeds(game: str, split: str = "test") -> list[int]:
    """Seeds that the game's oracle has won in every configuration; split: "test" or "train". None: not certified."""
    return certificate(game).get("seeds", {}).get(split, [])
