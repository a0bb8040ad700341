"""Turn a side over once it is brown, serve when both are, and move what browns slowly or unevenly to fitter coals."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

from games.kit.maths import clamp
from games.kit.omen import Omen
from games.kit.world import TICKS_PER_SECOND
from games.kitchen.grill import AIR, COLUMNS, HEARTH, PLATE, ROWS, SLOWNESS, Grill, Piece
from oracles import Ahead, Drag, Look, Wish

CROWD = 2  # pieces on the grate at once
PRESSING = 1.3  # s until a part burns that leave no time for a move
FORESIGHT = 0.36  # of the time that a side takes, for which the coals are taken to stay as they are
GAIN = 0.12  # of worth, for which a move is made
WAY = 0.001  # of worth, that a pixel of the way costs
CARRY = 75  # ticks in the air that a move may come to, and a serving besides
TURN = 1.0  # s: as pressing as a part that burns so soon
UNEVEN = 0.25  # of a side that a flare licks: it would hardly be evened out
EVEN = 0.003  # of slant a second, for which a piece is turned
ROLL = 20  # ticks of its speed that a rolling coal still goes

Place = tuple[float, float]


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    turns = False  # whether there is a wheel: a hand in simple mode is always at a cell
    while True:
        seen = look()
        world = ahead(seen)
        turns = turns or seen.hand.x not in COLUMNS or seen.hand.y not in ROWS
        waits = world.hand.tick != world.tick  # a twin: what is carried may as well be laid at once
        wish = plan(rolled(seen, world), turns, waits)
        yield wish[-1] if waits and isinstance(wish, list) else wish


def rolled(seen: Grill, world: Grill) -> Grill:
    """The world to come with its coals about where they roll to, and no hiss but those that are heard."""
    world = copy(world)
    left, top, right, bottom = HEARTH
    world.spots = [
        replace(
            spot,
            x=folded(spot.x + ROLL * spot.dx, left, right),
            y=folded(spot.y + ROLL * spot.dy, top, bottom),
            omen=spot.omen if heard.omen.lead else Omen(),
        )
        for heard, spot in zip(seen.spots, world.spots, strict=True)
    ]
    return world


def folded(value: float, low: float, high: float) -> float:
    return clamp(2 * low - value if value < low else 2 * high - value if value > high else value, low, high)


def plan(world: Grill, turns: bool, waits: bool) -> Wish | list[Wish] | None:
    """The most pressing thing to do. waits: the world does, so lifting a piece for a while does not help it."""
    if world.tongs >= 0:
        return ("lay", world.tongs, *fittest(world, world.tongs)[1])
    on = [index for index, piece in enumerate(world.pieces) if piece.place == "grate"]
    chances: list[tuple[float, Wish | list[Wish]]] = []
    for index in on:
        piece = world.pieces[index]
        place = piece.x, piece.y
        rates = paces(world, piece, place)
        ready, burn = outlook(world, piece.sides[1 - piece.up], rates)
        side, soon = flared(world, piece, place)
        if max(side) - min(side) > UNEVEN or outlook(world, side, rates)[1] < 0:
            burn = min(burn, soon)
        if ready <= 0:
            done = world.done(piece)
            chances.append((burn - 1, Drag(f"piece {index}", PLATE[:2]) if done else ("flip", index)))
            continue
        if burn == soon:  # what is lifted no flare licks
            cell = fittest(world, index)[1]
            if cell != place or not waits:
                chances.append((soon - 1, move(index, cell)))
            continue
        turn = max((1, -1), key=lambda way: -slant(world, turned(piece, way)))
        if turns and slant(world, piece) - slant(world, turned(piece, turn)) > EVEN:
            chances.append((min(burn, TURN), ("turn", index, turn)))
            continue
        best, cell = fittest(world, index)
        gain = best - worth(world, piece, place)
        if gain > GAIN and piece.air < AIR - CARRY:
            chances.append((burn if burn < 2 * PRESSING else 9 - gain, move(index, cell)))
        elif burn < PRESSING:
            chances.append((burn, ("flip", index)))
    if chances:
        return min(chances, key=lambda chance: chance[0])[1]
    raw = [index for index, piece in enumerate(world.pieces) if piece.place == "tray"]
    return move(raw[0], fittest(world, raw[0])[1]) if raw and len(on) < CROWD else None


def move(index: int, cell: Place) -> list[Wish]:
    """With tongs a move is a matter of two wishes, the second chosen on the way."""
    return [("lift", index), Drag(f"piece {index}", cell)]


def paces(world: Grill, piece: Piece, place: Place) -> list[float]:
    """How fast the parts of the lower side would brown at a place, a second."""
    pace = world.level.brown_time * SLOWNESS[piece.kind]
    return [heat / pace for heat in (world.heat(*part) for part in world.parts(piece, *place))]


def slant(world: Grill, piece: Piece) -> float:
    """How much the lower side grows more uneven, a second: above 0 where its browner parts are over hotter coals."""
    side, rates = piece.sides[1 - piece.up], paces(world, piece, (piece.x, piece.y))
    brown, rate = sum(side) / 4, sum(rates) / 4
    return sum((one - brown) * (pace - rate) for one, pace in zip(side, rates, strict=True))


def turned(piece: Piece, way: int) -> Piece:
    return replace(piece, turned=(piece.turned + way) % 4)


def outlook(world: Grill, side: list[float], rates: list[float]) -> tuple[float, float]:
    """Seconds until such a side would be brown, and until a part of it would burn."""
    low, high = 1 - world.level.band / 2, 1 + world.level.band / 2
    parts = list(zip(side, rates, strict=True))
    return max((low - brown) / rate for brown, rate in parts), min((high - brown) / rate for brown, rate in parts)


def flared(world: Grill, piece: Piece, place: Place) -> tuple[list[float], float]:
    """How brown the lower side will be at a place once the coals that hiss have flared, and in how many seconds."""
    side, soon = piece.sides[1 - piece.up], 99.0
    for spot in world.spots:
        scorches = world.scorches(spot, piece, *place) if spot.omen.lead else []
        if any(scorches):
            side = [brown + scorch for brown, scorch in zip(side, scorches, strict=True)]
            soon = min(soon, spot.omen.lead / TICKS_PER_SECOND)
    return side, soon


def worth(world: Grill, piece: Piece, place: Place) -> float:
    """How brown the lower side would soon be at a place, less what could then hardly be evened out."""
    rates = paces(world, piece, place)
    side, _ = flared(world, piece, place)
    ready, burn = outlook(world, side, rates)
    if burn < PRESSING:
        return burn - 9
    time = min(FORESIGHT * world.level.brown_time, burn - 0.5)
    if ready < time:
        return 1.2 - 0.1 * ready + 0.3 * min(burn - ready, 1.5)
    later = [brown + rate * time for brown, rate in zip(side, rates, strict=True)]
    mean = sum(later) / 4
    return mean - 2 * max(0, max(later) - min(later) - 0.6 * world.level.band - 0.5 * max(0.0, 0.9 - mean))


def fittest(world: Grill, index: int) -> tuple[float, Place]:
    """What the piece is worth at the cell where it would come out best, and the cell."""
    piece, own = world.pieces[index], world.where(index)
    return max(
        (worth(world, piece, (x, y)) - WAY * (abs(x - own[0]) + abs(y - own[1])), (x, y))
        for x in COLUMNS
        for y in ROWS[:3]
        if world.room(index, x, y)
    )
