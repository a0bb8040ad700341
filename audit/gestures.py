"""The same gesture in other messages: what a drag or a hold does must not depend on how it is carried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import numpy as np

from audit.play import Taped
from audit.players import PULLS, Act, Spot, picture_of
from games.kit.dice import Dice
from games.kit.world import FIELD_TOP, HEIGHT, TICKS_PER_SECOND, WIDTH, Hold, World
from harness import actions as a
from harness.session import Configuration, copy_world

LONG = 500.0  # ms, of a gesture
PARTS = 5  # of a gesture in several messages
QUICK = 50.0  # ms, of a quick drag
AFTER = TICKS_PER_SECOND  # ticks in which letting go must matter

Plain = list[Any]  # a world without its hand and fate, as nested lists


class Start(NamedTuple):
    """Where a gesture begins: in a copy of this world, at rest and with nothing held."""

    configuration: Configuration
    world: World

    def play(self, acts: list[Act], after: int = 0) -> Taped:
        """Do the acts, each when the one before has ended; then let so many ticks pass in real time."""
        session = Taped(self.configuration, 0, limit=False, world=copy_world(self.world))
        session.close()
        session.settle()
        for act in acts:
            if session.over:
                break
            session.submit(act)
            session.settle()
        if session.realtime:
            for _ in range(after):
                session.step()
        return session


class Drag(NamedTuple):
    """From a place where a grip is taken to another. button: 'left' or 'right'."""

    grip: str
    start: Spot
    end: Spot


def plain(world: World) -> Plain:
    """All but the hand (whose clock and plan depend on how a gesture is carried)."""
    return [_plain(getattr(world, each.name)) for each in fields(world) if each.name not in ("hand", "fate")]


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return [_plain(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return [[_plain(key), _plain(item)] for key, item in value.items()]
    return value


def numbers(value: Any, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], float]]:
    """The numbers of a plain value, each with its place."""
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from numbers(each, (*place, index))
    elif isinstance(value, (int, float)):
        yield place, float(value)


def apart(one: Plain, other: Plain, without: Plain, quantile: float = 1.0) -> float:
    """How far two outcomes of a gesture are apart, 0 to 1, measured by what it changes: 1 where one does nothing.

    This quantile (1: the most) of the numbers that the gesture changes, of those that all three worlds have.
    """
    if one == other:
        return 0.0
    a, b, c = (dict(numbers(each)) for each in (one, other, without))
    shares = []
    for place in a.keys() & b.keys() & c.keys():
        x, y, none = a[place], b[place], c[place]
        reach = max(abs(x - none), abs(y - none))
        if reach > 1e-9:
            shares.append(min(1.0, abs(x - y) / reach))
    return float(np.quantile(shares, quantile, method="higher")) if shares else 1.0


# -------------------------------------------------------------------------------- drags


def drags(world: World, dice: Dice, most: int = 4) -> list[Drag]:
    """Pulls of what can be held, to other things and to places by chance."""
    picture = picture_of(world)
    holds = [action for action in picture.actions() if isinstance(action, Hold) and not action.ticks]
    dice.shuffle(holds)
    found = []
    for hold in holds[:most]:
        for start in picture.find(hold)[:1]:
            dx, dy = dice.pick(PULLS)
            ends = [(start[0] + dx, start[1] + dy), (dice.between(60, WIDTH - 60), dice.between(90, HEIGHT - 40))]
            found += [
                Drag(hold.grip, start, end) for end in ends if 0 <= end[0] <= WIDTH and FIELD_TOP <= end[1] <= HEIGHT
            ]
    return found


class Carried(NamedTuple):
    """How the ways of carrying a drag compare.

    transfer: the world before the release does not depend on the way. same: for transfers, all ways do the same; for
    others, those that move the hand alike do. coarse: for others, how far apart steps and a smooth way are, 0 to 1.
    quick: whether letting go does something after a quick drag just as it does after a slow one.
    """

    drag: Drag
    transfer: bool
    same: bool
    coarse: float
    quick: bool


def carry(begin: Start, drag: Drag) -> Carried:
    """Carry a drag in several ways."""
    down: Act = [a.MouseDown(x=drag.start[0], y=drag.start[1])]
    up: Act = [a.MouseUp()]
    part = LONG / PARTS
    corners = [_between(drag, share / PARTS) for share in range(PARTS + 1)]
    moves: list[Act] = [[a.Move(x=x, y=y, ms=part)] for x, y in corners[1:]]
    jumps: list[Act] = [[a.Wait(ms=part), a.Move(x=x, y=y)] for x, y in corners[1:]]
    smooth, stepped = [down, *moves], [down, *jumps]
    jumped: list[Act] = [down, [a.Move(x=drag.end[0], y=drag.end[1])], [a.Wait(ms=LONG)]]
    ways = [smooth, stepped, jumped]
    before = [plain(begin.play(way).world) for way in ways]
    none = plain(begin.play([[a.Move(x=drag.start[0], y=drag.start[1])], [a.Wait(ms=LONG)]]).world)
    transfer = all(each == before[0] for each in before)
    whole: Act = [a.Drag(path=[a.Point(*corners[0]), a.Point(*corners[-1])], ms=LONG)]
    pointed: Act = [a.Drag(path=[a.Point(*corner) for corner in corners], ms=LONG)]
    after = [plain(begin.play(way).world) for way in ([whole], [pointed], *([*way, up] for way in ways))]
    alike = after if transfer else after[:3]
    return Carried(
        drag,
        transfer,
        same=all(apart(after[0], each, none) < 0.01 for each in alike),
        coarse=0.0 if transfer else apart(before[0], before[1], none, 0.75),
        quick={_matters(begin, drag, ms) for ms in (QUICK, LONG)} != {True, False},
    )


def _between(drag: Drag, share: float) -> Spot:
    (x, y), (to_x, to_y) = drag.start, drag.end
    return x + (to_x - x) * share, y + (to_y - y) * share


def _matters(begin: Start, drag: Drag, ms: float) -> bool | None:
    """Whether letting go at the end of a drag does something at once; None when the grip was not taken."""
    down: Act = [a.MouseDown(x=drag.start[0], y=drag.start[1])]
    acts: list[Act] = [[a.Wait(ms=LONG - ms)], down, [a.Move(x=drag.end[0], y=drag.end[1], ms=ms)]]
    session = begin.play(acts)
    if drag.grip not in session.world.hand.held or session.over:
        return None
    held = plain(session.world)
    session.submit([a.MouseUp()])
    return plain(session.world) != held


# -------------------------------------------------------------------------------- holds


class Kept(NamedTuple):
    """A key kept in several ways. same: they do the same. freed: letting go matters, if keeping it does."""

    key: str
    same: bool
    freed: bool


def keep(begin: Start, key: str) -> Kept:
    """Hold a key in one message and in several; and hold it on where another player lets go."""
    down, up = a.KeyDown(key=key), a.KeyUp(key=key)
    fixed = begin.play([[down]]).world.hand.tick - begin.play([]).world.hand.tick  # ticks that a tap lasts anyhow
    long = fixed * 1000 / TICKS_PER_SECOND or LONG
    waits: list[Act] = [] if fixed else [[a.Wait(ms=LONG / PARTS)] for _ in range(PARTS)]
    once: list[Act] = [[a.KeyHold(keys=[key], ms=long)]]
    spelled: list[Act] = [[down, a.Wait(ms=long), up]]
    split: list[Act] = [[down], *waits, [up]]
    outcomes = [plain(begin.play(way).world) for way in (once, spelled, split)]
    more: Act = [a.Wait(ms=1000.0)]
    held, freed, none = (begin.play([*way, more]).world for way in (split[:-1], split, [[a.Wait(ms=long)]]))
    idle = not held.hand.held or plain(held) == plain(none)
    return Kept(key, all(each == outcomes[0] for each in outcomes), idle or plain(held) != plain(freed))
