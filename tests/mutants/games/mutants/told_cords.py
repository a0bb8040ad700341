"""Broken: its oracle knows from the beginning what each cord lights."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.cords import Cords


@dataclass
class ToldCords(Cords):
    pass
