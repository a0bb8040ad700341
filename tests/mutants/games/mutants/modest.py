"""Broken: one needs to see how it moves, but it does not carry the tag."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import Firefly


@dataclass
class Modest(Firefly):
    abilities = ()
