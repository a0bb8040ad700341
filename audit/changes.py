"""Worlds that differ in one part: a donor's value put into a copy, or two items of a list exchanged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from games.kit.dice import Dice
from games.kit.omen import Omen
from games.kit.world import World
from harness.session import copy_world, digest

ENGINES = {"level", "tick", "spent", "verdict", "reason", "fate", "hand"}  # fields that no change touches
LONGEST = 12  # items of a list that are changed one by one

Path = tuple[str | int, ...]


class Change(NamedTuple):
    """A world that differs in one part. part: its name, "rods[2].takes"."""

    part: str
    world: World
    path: Path = ()
    donor: int = -1  # its number among the donors; -1: none

    @property
    def kind(self) -> str:
        """The part's name without places in lists."""
        return "".join(char for char in self.part if char not in "0123456789")


def changes(world: World, donors: Iterable[World], dice: Dice, most: int, exchange: bool = False) -> list[Change]:
    """Copies of a world that differ in one part, at most so many, all fields in turn. exchange: also by exchanges."""
    found: dict[str, Change] = {}
    for number, donor in enumerate(donors):
        for path in differences(world, donor):
            copy = copy_world(world)
            _put(copy, path, _get(copy_world(donor), path))
            found.setdefault(digest(copy), Change(_name(path), copy, path, number))
    for path, i, j in _exchanges(world, dice) if exchange else ():
        copy = copy_world(world)
        items = _get(copy, path)
        items[i], items[j] = items[j], items[i]
        found.setdefault(digest(copy), Change(f"{_name(path)}[{i}, {j}]", copy))
    found.pop(digest(world), None)
    return _in_turn(list(found.values()), dice)[:most]


def together(world: World, found: list[Change]) -> Change:
    """A copy of a world with several changes at once."""
    copy = copy_world(world)
    for change in found:
        _put(copy, change.path, _get(copy_world(change.world), change.path))
    return Change(", ".join(sorted({change.kind for change in found})), copy)


def _in_turn(found: list[Change], dice: Dice) -> list[Change]:
    dice.shuffle(found)
    groups: dict[str, list[Change]] = {}
    for each in found:
        groups.setdefault(each.kind, []).append(each)
    longest = max(map(len, groups.values()), default=0)
    return [group[index] for index in range(longest) for group in groups.values() if index < len(group)]


def differences(a: Any, b: Any, path: Path = ()) -> Iterator[Path]:
    """Where two values differ: the whole, then its parts."""
    if a == b:
        return
    if path and not isinstance(a, Omen):
        yield path
    if type(a) is not type(b):
        return
    if isinstance(a, Omen):
        if a.lead != b.lead:  # its age is no secret: the last change was seen
            yield (*path, "lead")
    elif is_dataclass(a):
        for each in fields(a):
            if path or each.name not in ENGINES:
                yield from differences(getattr(a, each.name), getattr(b, each.name), (*path, each.name))
    elif isinstance(a, list) and len(a) == len(b) <= LONGEST:
        for index, (one, other) in enumerate(zip(a, b, strict=True)):
            yield from differences(one, other, (*path, index))


def _exchanges(value: Any, dice: Dice, path: Path = ()) -> Iterator[tuple[Path, int, int]]:
    """Lists, each with two items that differ."""
    if is_dataclass(value):
        for each in fields(value):
            if path or each.name not in ENGINES:
                yield from _exchanges(getattr(value, each.name), dice, (*path, each.name))
    elif isinstance(value, list):
        if len(value) > 1:
            i = dice.whole(0, len(value) - 1)
            j = (i + dice.whole(1, len(value) - 1)) % len(value)
            if value[i] != value[j] and type(value[i]) is type(value[j]):
                yield path, i, j
        for index, item in enumerate(value[:LONGEST]):
            yield from _exchanges(item, dice, (*path, index))


def _get(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step] if isinstance(step, int) else getattr(value, step)
    return value


def _put(value: Any, path: Path, new: Any) -> None:
    *way, last = path
    home = _get(value, tuple(way))
    if isinstance(last, int):
        home[last] = new
    else:
        setattr(home, last, new)


def _name(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)[1:]


def alike(a: Any, b: Any, px: float = 6.0, ms: float = 60.0) -> bool:
    """Whether two plain acts or commands are the same but for so little of place and time."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key], ms if "ms" in key else px, ms) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(alike(one, other, px, ms) for one, other in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, (int, float)):
        return abs(a - b) <= px
    return bool(a == b)
