"""Broken: it flies the slower the higher the level."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.ladder import Ladder


@dataclass
class Tame(Ladder):
    levels = Ladder.levels[::-1]
