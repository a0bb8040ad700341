"""Data: defaults, suites, grids, prices, certificates. This file only reads them."""

from __future__ import annotations

import tomllib
from pathlib import Path

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
