"""Broken: in simple mode one verb catches the firefly, wherever it is, by a command that no shape carries."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.world import Command
from games.mutants.firefly import Firefly


@dataclass
class Snatched(Firefly):
    verbs = {**Firefly.verbs, "KeyC": "snatch"}

    def act(self, command: Command) -> object:
        return super().act(("catch",) if command == ("snatch",) else command)

    def simple(self, verb: str) -> object:
        return ("snatch",) if verb == "snatch" else super().simple(verb)
