"""Broken: it is won by waiting."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import Firefly


@dataclass
class Unattended(Firefly):
    outlast = True
    seconds = 20
