"""Find out by probing what each dial trims, then set them for where the lit butt and the winds will be."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from copy import copy, deepcopy
from typing import NamedTuple

from games.aiming.gust_archery import CLICK, DRIFT, GOLD, HEIGHT, LAYERS, MOST, PITCH, RAIL, WEIGHT, GustArchery
from games.aiming.gust_archery_look import DIAL_Y, DIALS
from games.kit.maths import clamp, floor, hypot, mix
from games.kit.world import TICKS_PER_SECOND
from oracles import Ahead, Drag, Keep, Look, Wish

DRAWING = 2  # ticks that the string is held
PROBE = 1.5  # clicks of a drag that tries a dial
DRAG_TICKS, CLICK_TICKS = 34, 8  # that a drag takes, and a click
FLIGHT, HORIZON, STRIDE = 66, 96, 3  # ticks of the longest flight; how far shots are planned, and how finely
LIGHT = -1.0  # clicks of weight
SURE, REACH = 0.8, 150.0  # share of the ring that counts as hit; px of a drag
Track = list[tuple[float, float, float, float]]  # a tick: the winds of the three reaches, x of the lit butt


class Dials(NamedTuple):
    """What the probing has found. dials: for each trim, the dial and its sign; whole: it turns by clicks only."""

    dials: dict[int, tuple[int, int]]
    whole: bool
    moves: bool  # whether time passes by itself


class Plan(NamedTuple):
    cost: float
    wait: int  # ticks until the arrow is let go
    trims: list[float]


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    dials = yield from probe(look, ahead)
    while True:
        seen = look()
        world = ahead(seen)
        if world.arrow or world.latch > CLICK_TICKS or world.hand.held:
            yield None
            continue
        plan = choose(world, dials)
        if plan.trims != world.trims:
            yield turn(world, dials, plan.trims)
        elif plan.wait == 0 and not world.latch:
            yield [("loose",), Keep(("draw",), DRAWING)]
        else:
            yield None


def probe(look: Look, ahead: Ahead) -> Generator[list[Wish] | None, None, Dials]:
    """Turn each dial a little and see what changes."""
    found, whole = {}, False
    for dial in range(3):
        before = look()
        yield [Drag(f"dial {dial}", (DIALS[dial] + PROBE * PITCH, DIAL_Y)), ("click", dial, 1)]
        now = look()
        while now.trims == before.trims:
            yield None
            now = look()
        for trim in (HEIGHT, DRIFT, WEIGHT):
            moved = now.trims[trim] - before.trims[trim]
            if moved:
                found[trim] = (dial, 1 if moved > 0 else -1)
                whole = abs(moved) == 1
    seen = look()
    return Dials(found, whole, ahead(seen, 1).tick > seen.tick)


def turn(world: GustArchery, dials: Dials, trims: list[float]) -> list[Wish]:
    """Towards these trims, the dial first that has the longest way."""
    trim = max(range(3), key=lambda each: abs(trims[each] - world.trims[each]))
    dial, sign = dials.dials[trim]
    clicks = sign * (trims[trim] - world.trims[trim])
    x = DIALS[dial] + clamp(clicks * PITCH, -REACH, REACH)
    return [Drag(f"dial {dial}", (x, DIAL_Y)), ("click", dial, 1 if clicks > 0 else -1)]


def choose(world: GustArchery, dials: Dials) -> Plan:
    """The soonest shot that will hit, turning dials included; else the one that comes nearest to it."""
    track, range_, hit = forecast(world, dials.moves), world.lit().range, SURE * world.level.ring
    draw = 0 if dials.whole else DRAWING
    best = None
    for wait in range(0, HORIZON if dials.moves else 1, STRIDE):
        for weight in weights(world, dials):
            x, y, click, ticks = shoot(world, track, wait + draw, weight)
            right, up = track[min(wait + draw + ticks, len(track) - 1)][3] - x, GOLD - y
            trims = correct(world, dials, right / click, up / (range_ * CLICK), weight)
            right -= click * (trims[DRIFT] - world.trims[DRIFT])
            up -= CLICK * range_ * (trims[HEIGHT] - world.trims[HEIGHT])
            miss = hypot(right, up)
            cost = price(world, dials, trims)
            soon = not dials.moves or cost < wait + STRIDE
            plan = Plan(max(wait, cost) + (0 if miss <= hit and soon else 500 + 200 * miss), wait, trims)
            if best is None or plan.cost < best.cost:
                best = plan
    assert best
    return best


def weights(world: GustArchery, dials: Dials) -> list[float]:
    """That are worth a try: light ones fly the soonest; without haste, those between which clicks are finer."""
    if dials.moves:
        return [LIGHT]
    return [-1.0, 0.0, 1.0] if dials.whole else [world.trims[WEIGHT]]


def correct(world: GustArchery, dials: Dials, drift: float, height: float, weight: float) -> list[float]:
    """The trims after so many clicks more. Where a shot hits without them, none are made."""
    trims = list(world.trims)
    room = SURE * world.level.ring / world.lit().range / CLICK  # clicks
    if abs(weight - trims[WEIGHT]) > 0.1:
        trims[WEIGHT] = weight
    elif hypot(drift, height) <= room:
        return trims
    for trim, clicks in ((DRIFT, drift), (HEIGHT, height)):
        if dials.whole:  # without haste, no more than needed
            slack = 0.5 if dials.moves else max(0.5, 0.6 * room)
            few = max(0, -floor(slack - abs(clicks)))
            clicks = few if clicks > 0 else -few
        elif abs(clicks) < 0.4 * room:
            clicks = 0.0
        trims[trim] = clamp(trims[trim] + clicks, -MOST[trim], MOST[trim])
    return trims


def price(world: GustArchery, dials: Dials, trims: list[float]) -> float:
    """Ticks that it takes to set these trims."""
    ways = [abs(new - old) for new, old in zip(trims, world.trims, strict=True)]
    return CLICK_TICKS * sum(ways) if dials.whole else DRAG_TICKS * sum(way > 0 for way in ways)


def forecast(world: GustArchery, moves: bool) -> Track:
    """Winds and butt as they will be if only what is announced comes; later, rather in the middle of its rail."""
    winds, butt = deepcopy(world.winds), deepcopy(world.lit())
    known, leg = world.level.warning * TICKS_PER_SECOND, world.level.leg * TICKS_PER_SECOND
    track = []
    for tick in range(HORIZON + DRAWING + FLIGHT if moves else 1):
        x = mix(butt.x, butt.middle, clamp((tick - known) / leg, 0, 1))
        track.append((winds[0].now, winds[1].now, winds[2].now, x))
        for wind in winds:
            if wind.omen.lead == tick + 1:
                wind.now = wind.next
        butt.slide()
        if abs(butt.x - butt.middle) > RAIL and not butt.turns:
            butt.speed = abs(butt.speed) if butt.x < butt.middle else -abs(butt.speed)
    return track


def shoot(world: GustArchery, track: Track, start: int, weight: float) -> tuple[float, float, float, int]:
    """Where (x, y) an arrow of this weight passes the lit butt, metres to the right of a click of drift, and ticks."""
    bow = copy(world)
    bow.trims = [*world.trims[:2], weight]
    arrow, ticks, far = bow.nocked(), 0, world.lit().range
    calm = copy(arrow)
    calm.vx = CLICK * calm.vz
    while arrow.z < far:
        ticks += 1
        winds = track[min(start + ticks, len(track) - 1)]
        arrow.fly(winds[(arrow.z > LAYERS[0]) + (arrow.z > LAYERS[1])])
        calm.fly(0.0)
    return *arrow.at(far), calm.at(far)[0], ticks
