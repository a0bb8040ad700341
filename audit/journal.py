"""What long commands have measured so far, as it comes, so that an interrupted one can be taken up."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

import audit
import games
import harness
import oracles
from harness.results.records import rules_digest

T = TypeVar("T")
PLAYERS = ("oracle.py", "lower.py", "fingers.py", "session.py", "plan.py")  # of the harness: they decide what is played

TELLERS = ("budgets", "certify", "command", "journal")  # of this folder: they measure nothing


class Line(msgspec.Struct):
    """A line of a journal."""

    key: str
    value: msgspec.Raw


class Journal(Generic[T]):
    """Values by key in a file of JSON lines, which is only appended to. A line cut off by a crash is skipped.

    others: files of the same form, whose values are known as well; a later one counts.
    """

    def __init__(self, path: Path, kind: type[T], others: Iterable[Path] = ()) -> None:
        self.known: dict[str, T] = {}
        for each in (*others, path):
            self.known |= read(each, kind)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("ab")

    def add(self, key: str, value: T) -> None:
        """Keep a value, on disk too."""
        self.known[key] = value
        self._file.write(as_line(key, value))
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def as_line(key: str, value: Any) -> bytes:
    """A line of a journal."""
    return msgspec.json.encode({"key": key, "value": value}) + b"\n"


def read(path: Path, kind: type[T]) -> dict[str, T]:
    """The values of a journal's file by key, the last of each; none when there is no such file."""
    known = {}
    for each in path.read_bytes().splitlines() if path.exists() else ():
        try:
            entry = msgspec.json.decode(each, type=Line)
            known[entry.key] = msgspec.json.decode(entry.value, type=kind)
        except msgspec.DecodeError:
            continue
    return known


@cache
def sources_digest(game: str, name: str = "") -> str:
    """A hash of all that a figure of a game depends on: its rules, its oracle, who plays, and who measures.

    name: of the audit that measures.
    """
    summed = blake2b(rules_digest(game).encode(), digest_size=8)
    players = (Path(str(harness.__path__[0])) / name for name in PLAYERS)
    others = {*audit.names(), *TELLERS} - {name}
    judges = (path for path in sorted(Path(__file__).parent.glob("*.py")) if path.stem not in others)
    oracle = Path(str(games.module_of(oracles.__name__, game).__file__))
    for source in (oracle, *players, *judges):
        summed.update(source.read_bytes())
    return summed.hexdigest()
