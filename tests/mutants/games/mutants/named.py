"""Broken: in simple mode one verb catches the firefly, wherever it is."""

from __future__ import annotations

from dataclasses import dataclass

from games.mutants.firefly import Firefly


@dataclass
class Named(Firefly):
    verbs = {**Firefly.verbs, "KeyC": "catch"}

    def simple(self, verb: str) -> object:
        return ("catch",) if verb == "catch" else super().simple(verb)
