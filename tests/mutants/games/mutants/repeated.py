"""Broken: its upper levels are one level, though the table has a column that says otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.mutants.firefly import Firefly


class Level(NamedTuple):
    rate: float  # degrees a second
    interval: float  # ticks between new turns
    moonlight: float  # changes nothing


@dataclass
class Repeated(Firefly):
    levels = (Level(40, 70, 9), Level(160, 70, 7), Level(160, 70, 5), Level(160, 70, 3), Level(160, 70, 1))
