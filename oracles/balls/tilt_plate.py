"""Find out by probing what each lever lifts, then choose the pushes after which the balls roll best."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from copy import copy
from heapq import heappop, heappush
from itertools import product
from typing import NamedTuple

from games.balls.tilt_plate import (
    BALL,
    CATCH,
    CORNER,
    HOLE,
    JACKS,
    LEVERS,
    PUSH,
    SETTLE,
    Ball,
    TiltPlate,
    shove,
)
from games.kit.maths import clamp, hypot, mix
from games.kit.omen import Omen
from oracles import Ahead, Keep, Look, Wish

PROBE = (12, 15, 12)  # ticks; two lengths tell whether a push lasts as long as it is asked to
FIXED = 18  # ticks, where it does not
STRIDE = 3  # ticks between the moments at which a plan is judged
BEST = 4  # ways to push that are thought on by another push, in a world that waits
MESH = 2.0  # cm between the places that a map knows
COLUMNS, ROWS = 30, 22
BERTH = 2.2  # cm beyond a hole's edge that are kept clear where possible
PATIENCE = 0.96  # share of the care for other balls that is left after each act without one brought home
LOOK = 0.45  # s of rolling on, by which a place is judged

Map = list[list[float]]
Effect = tuple[float, float]  # degrees of lean of a lever's full throw


class Pace(NamedTuple):
    """How boldly the balls are led."""

    coast: int  # ticks after a push that still count
    least: float  # cm/s that are never too fast
    near: float  # cm/s at the cup
    rise: float  # cm/s more for each cm of the way to it
    most: float  # cm/s
    prize: float  # what a ball brought home is worth


class Aims(NamedTuple):
    maps: list[Map]
    care: float  # for the balls behind the first
    pace: Pace


CALM = Pace(15, 8, 6, 0.9, 24, 40)  # where acts are late
BRISK = Pace(24, 12, 12, 1.4, 45, 150)  # in a world that waits, to win in few acts


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    effects: list[Effect] = []
    periods: list[int] = []
    birth = look()
    maps, waits = [chart(birth, colour) for colour in range(3)], ahead(birth).tick == birth.tick
    aims = Aims(maps, 1.0, BRISK if waits else CALM)
    for lever, length in enumerate(PROBE):
        periods.append((yield from probe(look, ahead, aims, lever, length, effects)))
    fixed = periods[0] == periods[1]
    rest = periods[0] - (FIXED if fixed else PROBE[0])
    lengths = (FIXED,) if fixed else (24,) if waits else (15, 24)
    home = 0
    while True:
        world = ahead(look())
        aims = aims._replace(care=aims.care * PATIENCE if len(world.home) == home else 1.0)
        home = len(world.home)
        sort(world, maps)
        options = sorted(
            (judge(world, aims, leans), length, pushes, leans)
            for length in lengths
            for pushes, leans in forecasts(world, effects, length, rest, aims.pace.coast)
        )
        _, length, pushes, _ = options[0]
        if waits:
            _, length, pushes = min(
                (think_on(world, aims, effects, pushes, length + rest, leans), length, pushes)
                for _, length, pushes, leans in options[:BEST]
            )
        yield keep(pushes, length)


def keep(pushes: tuple[int, ...], length: int) -> Keep:
    grips = [f"{LEVERS[lever]} {'up' if push > 0 else 'down'}" for lever, push in enumerate(pushes) if push]
    return Keep(tuple(grips or (f"{LEVERS[0]} up", f"{LEVERS[0]} down")), length)


def sort(world: TiltPlate, maps: list[Map]) -> None:
    """Leave the balls that can be led, the nearest to its cup first."""
    balls = [ball for ball in world.balls if ball.age <= 0]
    world.balls = sorted(balls, key=lambda ball: (ball.age < 0, value(maps[ball.colour], ball.x, ball.z)))


def probe(
    look: Look, ahead: Ahead, aims: Aims, lever: int, length: int, effects: list[Effect]
) -> Generator[Wish | None, None, int]:
    """Push one lever and watch which jacks move, steering by those known. Returns ticks until the next look."""
    before = look()
    was = before.levers[lever]
    world, push = ahead(before), -1 if was > 0 else 1
    sort(world, aims.maps)
    known = [*effects, *[(0.0, 0.0)] * (len(LEVERS) - lever)]
    _, pushes = min(
        (judge(world, aims, leans), pushes)
        for pushes, leans in forecasts(world, known, length, FIXED, aims.pace.coast)
        if pushes[lever] == push and not any(pushes[lever + 1 :])
    )
    yield keep(pushes, length)
    first = now = look()
    while abs(now.levers[lever] - was) < 0.3:
        yield None
        now = look()
    x = z = 0.0
    still = [was if index == lever else place for index, place in enumerate(now.levers)]
    for lift, rest, (jx, jz) in zip(now.lifts(now.levers), now.lifts(still), JACKS, strict=True):
        moved = (lift - rest) / (now.levers[lever] - was)
        x, z = x - moved * jx, z - moved * jz
    effects.append((x, z))
    return first.tick - before.tick


def chart(world: TiltPlate, colour: int) -> Map:
    """How far it is from each place to the cup, round holes and ridges."""
    rough = [[terrain(world, MESH * i - 29, MESH * k - 21) for k in range(ROWS)] for i in range(COLUMNS)]
    far = [[1e9] * ROWS for _ in range(COLUMNS)]
    x, z = world.cups[colour]
    queue: list[tuple[float, int, int]] = []
    for i, k in product(range(COLUMNS), range(ROWS)):
        away = hypot(MESH * i - 29 - x, MESH * k - 21 - z)
        if away < 3:
            far[i][k] = away
            heappush(queue, (away, i, k))
    while queue:
        away, i, k = heappop(queue)
        if away > far[i][k]:
            continue
        for di, dk in product((-1, 0, 1), repeat=2):
            a, b = i + di, k + dk
            if 0 <= a < COLUMNS and 0 <= b < ROWS:
                on = away + hypot(di, dk) * MESH * (rough[i][k] + rough[a][b]) / 2
                if on < far[a][b]:
                    far[a][b] = on
                    heappush(queue, (on, a, b))
    return far


def terrain(world: TiltPlate, x: float, z: float) -> float:
    """The cost of a way through a place, 1 where nothing is near."""
    cost = 1.0
    clear = min([hypot(x - hx, z - hz) - HOLE for hx, hz in world.holes] + [(CORNER - abs(x) - abs(z)) / 1.4])
    cost += 4 * clamp((BERTH + 1 - clear) / (BERTH + 1), 0, 1) + 10 * (clear < 0.5)
    for x1, z1, x2, z2 in world.walls:
        cost += 8 * (hypot(x - clamp(x, x1, x2), z - clamp(z, z1, z2)) < BALL + 0.3)
    return cost


def value(chart: Map, x: float, z: float) -> float:
    """The map at a place, between its points."""
    a, b = clamp((x + 29) / MESH, 0, COLUMNS - 1.001), clamp((z + 21) / MESH, 0, ROWS - 1.001)
    i, k = int(a), int(b)
    return mix(mix(chart[i][k], chart[i + 1][k], a - i), mix(chart[i][k + 1], chart[i + 1][k + 1], a - i), b - k)


def forecasts(
    world: TiltPlate, effects: list[Effect], length: int, rest: int, coast: int
) -> Iterator[tuple[tuple[int, ...], list[list[float]]]]:
    """For each way to push the levers, the lean of the plate at the moments to come."""
    steps, sway, settle = range(0, length + rest + coast, STRIDE), world.sway, 1 - (1 - SETTLE) ** STRIDE
    own = []
    for tick in steps:
        if tick >= world.omen.lead:
            sway = [now + (aim - now) * settle for now, aim in zip(sway, world.aim, strict=True)]
        own.append(sway)
    tracks = [{push: track(lever, push, length, rest, steps) for push in (-1, 0, 1)} for lever in world.levers]
    (ax, az), (bx, bz), (cx, cz) = effects
    for pushes in product((-1, 0, 1), repeat=3):
        one, two, three = (tracks[lever][push] for lever, push in enumerate(pushes))
        moments = zip(own, one, two, three, strict=True)
        yield pushes, [[x + a * ax + b * bx + c * cx, z + a * az + b * bz + c * cz] for (x, z), a, b, c in moments]


def track(lever: float, push: int, length: int, rest: int, steps: range) -> list[float]:
    """Where a lever is at each moment: pushed, then left, then brought back to its middle."""
    places = []
    for tick in steps:
        for _ in range(STRIDE):
            if tick < length + rest:
                lever = shove(lever, push if tick < length else 0)
            else:
                lever -= clamp(lever, -PUSH, PUSH)
        places.append(lever)
    return places


def judge(world: TiltPlate, aims: Aims, leans: list[list[float]]) -> float:
    """Cost of such leans: the way that balls still have, and what they risk."""
    return advance(world, [copy(ball) for ball in world.balls], aims, leans)


def advance(world: TiltPlate, balls: list[Ball], aims: Aims, leans: list[list[float]]) -> float:
    """Roll these balls under such leans, without those that are home or lost; returns the cost."""
    cost = 0.0
    for lean in leans:
        for place, ball in enumerate(list(balls)):
            if ball.age < -STRIDE:
                ball.age += STRIDE
                continue
            ball.roll(lean, world.walls, STRIDE)
            cost += risk(world, ball, aims, balls) * (aims.care if place else 1)
    return cost


def think_on(
    world: TiltPlate,
    aims: Aims,
    effects: list[Effect],
    pushes: tuple[int, ...],
    length: int,
    leans: list[list[float]],
) -> float:
    """Cost of such pushes, which bring such leans, and of the best pushes after them."""
    then, cut = copy(world), length // STRIDE
    then.balls = [copy(ball) for ball in world.balls]
    cost = advance(world, then.balls, aims, leans[:cut])
    then.levers = [
        track(lever, push, length, 0, range(0, length, STRIDE))[-1]
        for lever, push in zip(world.levers, pushes, strict=True)
    ]
    still = (1 - SETTLE) ** max(0, length - max(0, world.omen.lead - 1))
    then.sway = [aim + (own - aim) * still for own, aim in zip(world.sway, world.aim, strict=True)]
    then.omen = Omen(lead=max(0, world.omen.lead - length))
    return cost + min(judge(then, aims, after) for _, after in forecasts(then, effects, FIXED, 0, aims.pace.coast))


def risk(world: TiltPlate, ball: Ball, aims: Aims, balls: list[Ball]) -> float:
    pace = aims.pace
    speed = hypot(ball.vx, ball.vz)
    x, z = world.cups[ball.colour]
    if hypot(ball.x - x, ball.z - z) < world.level.cup - 0.3 and speed < CATCH - 1:
        balls.remove(ball)
        return -pace.prize
    near = min(hypot(ball.x - hx, ball.z - hz) for hx, hz in world.holes) - HOLE
    if near < 0.3 or abs(ball.x) + abs(ball.z) > CORNER:
        balls.remove(ball)
        return 600.0
    way = value(aims.maps[ball.colour], ball.x + LOOK * ball.vx, ball.z + LOOK * ball.vz)
    return way + max(0.0, speed - clamp(pace.near + pace.rise * way, pace.least, pace.most)) + 4 * max(0.0, 1.5 - near)
