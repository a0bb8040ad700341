"""The games: found by walking the family folders, imported when asked for.

An outside folder named by the environment variable BULLETTIME_GAMES_DIR is walked as well. Its layout is
that of this project: `games/<family>/<game>.py` and `oracles/<family>/<game>.py`.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from pathlib import Path
from types import ModuleType

from games.kit.world import World

OUTSIDE = "BULLETTIME_GAMES_DIR"


class UnknownGame(LookupError):
    """No game has this name."""


def names() -> list[str]:
    """All games, sorted by family and name."""
    return list(_places())


def family(name: str) -> str:
    """The family of a game. Raises UnknownGame."""
    return _place(name).parent.name


def load(name: str) -> type[World]:
    """The world class of a game. Raises UnknownGame, or TypeError when its file does not hold exactly one."""
    return _load(name, str(_place(name)))


def module_of(kind: str, name: str) -> ModuleType:
    """The module `<kind>/<family>/<name>.py` that belongs to a game; kind is "games" or "oracles".

    Raises UnknownGame, or ModuleNotFoundError when the file is missing.
    """
    path = _place(name)
    root = path.parents[2]
    if root != _home():
        package = importlib.import_module(kind)
        if str(root / kind) not in package.__path__:  # lets an outside folder's families be imported as ours are
            package.__path__.append(str(root / kind))
            importlib.invalidate_caches()
    return importlib.import_module(f"{kind}.{path.parent.name}.{name}")


@cache
def _load(name: str, _path: str) -> type[World]:
    module = module_of("games", name)
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, World) and value.__module__ == module.__name__
    ]
    if len(own) != 1:
        raise TypeError(f"{name}: a game file holds exactly one World, this one holds {len(own)}")
    return own[0]


def _home() -> Path:
    return Path(__file__).resolve().parents[1]


def _place(name: str) -> Path:
    places = _places()
    if name not in places:
        raise UnknownGame(f"no game is named {name!r}; `bullettime games` lists them")
    return places[name]


def _places() -> dict[str, Path]:
    outside = os.environ.get(OUTSIDE, "")
    return _walk((_home(), Path(outside).resolve()) if outside else (_home(),))


@cache
def _walk(roots: tuple[Path, ...]) -> dict[str, Path]:
    return {
        path.stem: path
        for root in roots
        for path in sorted((root / "games").glob("*/*.py"))
        if path.parent.name not in ("kit", "__pycache__") and not path.stem.endswith("_look")
    }
