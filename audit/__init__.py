"""Audits: what every game must show by its behaviour, measured over any selection of configurations.

One file of this folder is one audit if it has a function `measure`. An audit file holds

    SEEDS = 20                                        # how many seeds it takes when it is not told
    def applies(configuration) -> bool                # optional: which configurations it is for; all without it
    def measure(configuration, seeds, evidence) -> Result
    def join(game, results) -> Result                 # optional: bounds that compare or add up configurations

`measure` is a pure function of plain values, called in a process of its own, once a configuration. It builds a
`Result("name of the audit", str(configuration))`, notes its figures, also those that pass, and holds them to bounds:

    result.note("tau50", 0.8)                         # a figure without a bound
    result.at_least("won", 17, 17, evidence.log("lost", lines))
    result.at_most("tape", 0.05, 0.1)
    result.must("same_digest", True, "equal", same, path)

A bound that does not hold leaves a Finding, which carries the path of its evidence. `evidence` writes files: `log`
for lines of plain values, `frames` for pictures; without a folder it writes nothing and returns "". An exception is a
finding too. `join` gets the results of a game, by configuration, and judges them together (its subject is the game).

Seeds are drawn from the digest of the game's rules (`kit.draw_seeds`): whoever changes the rules gets other seeds, so
nothing can be tuned to them. All chance in an audit comes from `games.kit.dice.Dice.named`, so a run can be repeated.

`kit` is the frame, `players` are those who play without sense, `play` runs sessions, `command` is `bullettime audit`.
docs/audits.md says what each audit proves and where its bounds come from.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from types import ModuleType

_FOLDER = Path(__file__).resolve().parent


@cache
def names() -> tuple[str, ...]:
    """All audits, sorted by name."""
    stems = sorted(path.stem for path in _FOLDER.glob("*.py") if path.stem != "__init__")
    return tuple(stem for stem in stems if hasattr(importlib.import_module(f"audit.{stem}"), "measure"))


def load(name: str) -> ModuleType:
    """The module of an audit. Raises LookupError when none has this name."""
    if name not in names():
        raise LookupError(f"no audit is named {name!r}: there are {', '.join(names())}")
    return importlib.import_module(f"audit.{name}")
