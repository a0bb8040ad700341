"""Find out by probing what each stick does, then fly the combination of keys that keeps the fox in the ring."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from copy import copy
from itertools import product
from typing import NamedTuple

from games.kit.maths import atan2, hypot, mix
from games.kit.world import PASS
from games.vehicles import drone_follow as game
from oracles import Ahead, Keep, Look, Wish

PROBES = (12, 18, 12, 12)  # ticks; two lengths show whether a hold lasts as long as it is asked to
FEW = 16  # best ways to fly for which the next act is weighed as well
LENGTH = 18  # ticks of an act; all verbs last so long
CLEAR_SIGN = 0.1  # share of a stick's full effect
STRIDE = 3  # ticks between the moments at which a way to fly is judged
COAST = 15  # ticks after an act that still count
PATIENCE = 30  # ticks without sight of the fox after which a trunk in the way is flown round
ASIDE = 2.0  # m from a trunk's middle at which it is passed
DIP = 0.279  # radians, of the camera
NEAR = 6.4  # m from the fox at which it is in the middle of the ring, seen from the height of the start

Grips = dict[tuple[int, int], str]  # (axis, sign): what to hold
Track = list[tuple[float, float]]
STILL = [0.0, 0.0, 0.0, 0.0]


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    grips: Grips = {}
    periods = []
    for pair, ticks in enumerate(PROBES):
        periods.append((yield from probe(look, pair, ticks, grips)))
    rest = periods[0] - (LENGTH if periods[0] == periods[1] else PROBES[0])  # ticks that pass between two acts
    axes = sorted({axis for axis, _ in grips})
    while True:
        seen = look()
        world = ahead(seen)
        asked = decide(world, axes, rest, waits=world.tick == seen.tick)
        held = tuple(grips[axis, int(sign)] for axis, sign in enumerate(asked) if sign)
        yield [Keep(held, LENGTH)] if held else [Keep(("left stick",), LENGTH), PASS]


def probe(look: Look, pair: int, ticks: int, grips: Grips) -> Generator[Wish | None, None, int]:
    """Hold one key of a pair and watch how the camera's motion changes. Returns the ticks until the next look."""
    back, grip = game.GRIPS[2 * pair : 2 * pair + 2]
    before = look()
    yield Keep((grip,), ticks)
    first = now = look()
    while now.hand.plan:
        yield None
        now = look()
    if now.bumps > before.bumps:
        return (yield from probe(look, pair, ticks, grips))
    axis, share = effect(before, now)
    if abs(share) > CLEAR_SIGN:
        sign = 1 if share > 0 else -1
        grips[axis, sign], grips[axis, -sign] = grip, back
    return first.tick - before.tick


def effect(before: game.DroneFollow, now: game.DroneFollow) -> tuple[int, float]:
    """The axis that has been moved most, and how far, as a share of a stick's full effect."""
    still, drone, pace, ticks = copy(before.drone), now.drone, now.level.fox, now.tick - before.tick
    for tick in range(ticks):
        still.fly(STILL, pace, [mix(a, b, tick / ticks) for a, b in zip(before.wind, now.wind, strict=True)])
    vx, vz = drone.vx - still.vx, drone.vz - still.vz
    shares = (
        (vx * drone.fx + vz * drone.fz) / (game.SPEED * pace),
        (drone.spin - still.spin) / game.SPIN,
        (vz * drone.fx - vx * drone.fz) / (game.SIDE * pace),
        (drone.vy - still.vy) / game.LIFT,
    )
    return max(enumerate(shares), key=lambda item: abs(item[1]))


def decide(world: game.DroneFollow, axes: list[int], rest: int, waits: bool) -> list[float]:
    """What to ask of each known axis; where the world waits, with the act in mind that will follow."""
    span = (LENGTH + rest) // STRIDE
    track = course(world, 2 * span * STRIDE if waits else span * STRIDE + COAST)
    near = [(x, z) for x, z in world.near if hypot(x - world.drone.x, z - world.drone.z) < 9]
    depth, _, _ = world.drone.sees(world.fox)
    if world.lost > PATIENCE or depth > game.CLOSE:
        track = [detour(world.drone, x, z, near) for x, z in track]
    ways = [dict(zip(axes, way, strict=True)) for way in product((0.0, -1.0, 1.0), repeat=len(axes))]
    asks = [[way.get(axis, 0.0) for axis in range(4)] for way in ways]
    view = View(world, near)
    first = track[:span] if waits else track
    flights = sorted((view.fly(world.drone, first, asked) for asked in asks), key=lambda flight: flight.cost)
    if not waits:
        return flights[0].asked
    level = [asked for asked in asks if not asked[3]]

    def both(flight: Flight) -> float:
        return flight.cost + min(view.fly(flight.end, track[span:], asked).cost for asked in level)

    return min(flights[:FEW], key=both).asked


def course(world: game.DroneFollow, ticks: int) -> Track:
    """Where the fox will be after each stride if only what its ears announce happens."""
    fox, track = copy(world.fox), []
    for tick in range(1, ticks + 1):
        if tick == fox.omen.lead:
            fox.change(world.drone, world.near)
        fox.run(world.level.fox)
        if tick % STRIDE == 0:
            track.append((fox.x, fox.z))
    return track


def detour(drone: game.Drone, x: float, z: float, near: Track) -> tuple[float, float]:
    """Where to look for the fox instead of at (x, z), so as to come to the side of the first trunk in the way."""
    ax, az = x - drone.x, z - drone.z
    away = hypot(ax, az) or 1.0
    ax, az = ax / away, az / away
    first, beside = away, (0.0, 0.0)
    for tx, tz in near:
        bx, bz = tx - drone.x, tz - drone.z
        along, across = ax * bx + az * bz, ax * bz - az * bx
        if 0 < along < first and abs(across) < 1.0:
            side = -ASIDE if across > 0 else ASIDE
            first, beside = along, (bx - az * side, bz + ax * side)
    if first == away:
        return x, z
    more = 1 + NEAR / (hypot(*beside) or 1.0)
    return drone.x + beside[0] * more, drone.z + beside[1] * more


class Flight(NamedTuple):
    cost: float  # the fox off the ring's middle, trunks before it, trunks about to be hit
    end: game.Drone
    asked: list[float]


class View(NamedTuple):
    """What ways to fly are judged in."""

    world: game.DroneFollow
    near: Track

    def fly(self, start: game.Drone, track: Track, asked: list[float]) -> Flight:
        """Ask this for the length of an act while the fox goes along the track."""
        drone, cost, level = copy(start), 0.0, self.world.level
        for stride, (x, z) in enumerate(track):
            drone.fly(asked if stride * STRIDE < LENGTH else STILL, level.fox, self.world.wind, STRIDE)
            cost += stray(drone, x, z, level.ring / 2 / game.FOCAL) + trunks(drone, x, z, self.near)
        return Flight(cost, drone, asked)


def stray(drone: game.Drone, x: float, z: float, ring: float) -> float:
    dx, dz = x - drone.x, z - drone.z
    away = hypot(dx, dz)
    bearing = atan2(dz * drone.fx - dx * drone.fz, dx * drone.fx + dz * drone.fz)
    low = atan2(drone.y - game.BACK, away) - DIP
    off = (bearing * bearing + low * low) / (ring * ring)
    apart = 0.1 * abs(away - NEAR) + 0.3 * max(0.0, away - game.CLOSE + 1) + 0.3 * abs(drone.y - game.HEIGHT)
    return off * off / (0.4 + off * off) + 0.5 * abs(bearing) + apart


def trunks(drone: game.Drone, x: float, z: float, near: Track) -> float:
    cost, ax, az = 0.0, x - drone.x, z - drone.z
    square = ax * ax + az * az
    for tx, tz in near:
        bx, bz = tx - drone.x, tz - drone.z
        gap = bx * bx + bz * bz
        if gap < 1.7:
            cost += 2 * (1.7 - gap)
        if 0 < ax * bx + az * bz < square and (ax * bz - az * bx) ** 2 < 1.5 * game.TRUNK**2 * square:
            cost += 0.4
    return cost
