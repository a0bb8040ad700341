"""Broken: it carries tags for what it does not have: no camera, nothing to find out, nothing to plan."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import Firefly


@dataclass
class Boastful(Firefly):
    abilities = twin_abilities = ("temporal", "planning", "exploration", "3d")
