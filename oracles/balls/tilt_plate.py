"""Find out by probing what each lever lifts, then choose the pushes after which the balls roll best."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from copy import copy
from heapq import heappop, heappush
from itertools import product

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
from oracles import Ahead, Keep, Look, Wish

PROBE = (12, 15, 12)  # ticks; two lengths tell whether a push lasts as long as it is asked to
FIXED = 18  # ticks, where it does not
STRIDE = 3  # ticks between the moments at which a plan is judged
COAST = 15  # ticks after a push that still count
MESH = 2.0  # cm between the places that a map knows
COLUMNS, ROWS = 30, 22
BERTH = 2.2  # cm beyond a hole's edge that are kept clear where possible
PATIENCE = 0.96  # share of the care for other balls that is left after each act without one brought home
LOOK = 0.45  # s of rolling on, by which a place is judged

Map = list[list[float]]
Effect = tuple[float, float]  # degrees of lean of a lever's full throw


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    effects: list[Effect] = []
    periods: list[int] = []
    maps = [chart(look(), colour) for colour in range(3)]
    for lever, length in enumerate(PROBE):
        periods.append((yield from probe(look, ahead, maps, lever, length, effects)))
    fixed = periods[0] == periods[1]
    rest = periods[0] - (FIXED if fixed else PROBE[0])
    lengths = (FIXED,) if fixed else (15, 24)
    home, care = 0, 1.0
    while True:
        world = ahead(look())
        care = care * PATIENCE if len(world.home) == home else 1.0
        home = len(world.home)
        sort(world, maps)
        _, length, pushes = min(
            (judge(world, maps, care, leans), length, pushes)
            for length in lengths
            for pushes, leans in forecasts(world, effects, length, rest)
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
    look: Look, ahead: Ahead, maps: list[Map], lever: int, length: int, effects: list[Effect]
) -> Generator[Wish | None, None, int]:
    """Push one lever and watch which jacks move, steering by those known. Returns ticks until the next look."""
    before = look()
    was = before.levers[lever]
    world, push = ahead(before), -1 if was > 0 else 1
    sort(world, maps)
    known = [*effects, *[(0.0, 0.0)] * (len(LEVERS) - lever)]
    _, pushes = min(
        (judge(world, maps, 1.0, leans), pushes)
        for pushes, leans in forecasts(world, known, length, FIXED)
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
    world: TiltPlate, effects: list[Effect], length: int, rest: int
) -> Iterator[tuple[tuple[int, ...], list[list[float]]]]:
    """For each way to push the levers, the lean of the plate at the moments to come."""
    steps, sway, settle = range(0, length + rest + COAST, STRIDE), world.sway, 1 - (1 - SETTLE) ** STRIDE
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


def judge(world: TiltPlate, maps: list[Map], care: float, leans: list[list[float]]) -> float:
    """Cost of such leans: the way that balls still have, and what they risk. care: for the balls behind the first."""
    balls, cost = [copy(ball) for ball in world.balls], 0.0
    for lean in leans:
        for place, ball in enumerate(list(balls)):
            if ball.age < -STRIDE:
                ball.age += STRIDE
                continue
            ball.roll(lean, world.walls, STRIDE)
            cost += risk(world, ball, maps[ball.colour], balls) * (care if place else 1)
    return cost


def risk(world: TiltPlate, ball: Ball, chart: Map, balls: list[Ball]) -> float:
    speed = hypot(ball.vx, ball.vz)
    x, z = world.cups[ball.colour]
    if hypot(ball.x - x, ball.z - z) < world.level.cup - 0.3 and speed < CATCH - 1:
        balls.remove(ball)
        return -40.0
    near = min(hypot(ball.x - hx, ball.z - hz) for hx, hz in world.holes) - HOLE
    if near < 0.3 or abs(ball.x) + abs(ball.z) > CORNER:
        balls.remove(ball)
        return 600.0
    way = value(chart, ball.x + LOOK * ball.vx, ball.z + LOOK * ball.vz)
    return way + max(0.0, speed - clamp(6 + 0.9 * way, 8, 24)) + 4 * max(0.0, 1.5 - near)
