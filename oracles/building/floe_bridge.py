"""Pick the chain of least gaps; lash what is in reach, and give the shove after which the chain would lie best."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from itertools import pairwise

from games.building.floe_bridge import BOTTOM, CELL, FAR, NEAR, POKE, PUSH, REACH, TOP, FloeBridge
from games.kit.maths import clamp, hypot
from games.kit.omen import Omen
from games.kit.world import PASS, Command
from oracles import Ahead, Drag, Look, Wish

GESTURE, STEP = 24, 8  # ticks that a gesture takes, and a step of the pole
GLIDE, SETTLE = 40, 100  # ticks after a shove at which its effect is judged: in the current, and at most without
REST, PAUSE, PATIENCE = 20, 12, 75  # ticks after a shove, after a vain reckoning, and for the way to a shove
STUCK = 24  # shoves, after which what can be lashed is lashed at once
OPEN = 2  # reaches: a bank may be tied already where the one gap left is no wider
WORTH, TRAVEL = 5.0, 1.0  # of price that a shove must save, and each step to it
CLOSE, FIT = 0.3, 0.9  # of the reach: a gap that narrow is as good as none, or fit to be lashed
MOST, STRETCH, SHORT = 6, 0.35, 2.0  # floes of a chain; of the reach that its gaps may take; price of a px too short
LINK, EDGE = 9.0, 690.0  # price of a link; px from where on a floe is about to float away
WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))
Pair = tuple[int, int]


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    goal: Command | None = None  # a shove to which the pole is on its way
    rest = until = 0
    while True:
        seen = look()
        live, world = seen.tick > 0, ahead(seen)
        if world.chain:
            yield None if live or world.tick > seen.tick else PASS
            continue
        soon = later(world, GESTURE) if live else world
        chain = best_chain(soon)[1]
        knots = {(a, b) for a, b, _, _ in world.knots()}
        ready = [pair for pair in chain if pair in knots and soon.width(*pair) <= soon.level.reach - 1]
        inner = [pair for pair in ready if pair[1] >= 0]
        wide = [soon.width(*pair) for pair in chain if pair not in ready]
        near = len(wide) == 1 and wide[0] < OPEN * soon.level.reach
        if ready and (not wide or (live and (inner or near)) or seen.shoves > STUCK):
            goal = None
            yield reach(world, ("lash", *(inner or ready)[0]), live)
            continue
        if goal and (seen.tick > until or not live):
            goal = None
        if not goal and (not live or seen.tick >= rest):
            poking = live and on_lattice(world)
            goal = best_poke(world, floes_of(chain)) if poking else best_shove(soon, chain, live)
            until, rest = seen.tick + PATIENCE, seen.tick + PAUSE
        wishes = reach(world, goal, live) if goal else None
        if wishes and goal in wishes and live and on_lattice(world):  # the pole is there: which way is best now?
            goal = best_poke(world, [goal[1]])
            wishes = [goal] if goal else None
        if wishes and goal in wishes:
            goal, rest = None, seen.tick + GESTURE + REST
        yield wishes or (None if live else PASS)


def tied(world: FloeBridge) -> set[Pair]:
    return {(rope.a, rope.b) for rope in world.ropes}


def best_chain(world: FloeBridge) -> tuple[float, list[Pair]]:
    """The price of the cheapest chain from bank to bank, and those of its links that are not tied yet."""
    count, ropes, reach = world.level.floes, tied(world), world.level.reach
    floes = world.discs[:count]
    own = [LINK + max(0.0, floe.x - EDGE) + 2 * max(0.0, 40 - floe.x) for floe in floes]

    def price(a: int, b: int) -> float:
        width = 0.0 if (a, b) in ropes else world.width(a, b)
        return max(0.0, width - CLOSE * reach) + max(0.0, width - FIT * reach)

    near = [price(a, NEAR) for a in range(count)]
    far = [price(a, FAR) for a in range(count)]
    links = {(a, b): price(a, b) for a in range(count) for b in range(a + 1, count)}
    ways = [(near[a] + own[a], [a]) for a in range(count)]
    best, chain = 1e9, [0]
    for _ in range(MOST):
        for cost, way in ways:
            short = BOTTOM - TOP - sum([2 * floes[a].r for a in way]) - (len(way) + 1) * STRETCH * reach
            cost += far[way[-1]] + SHORT * max(0.0, short)
            if cost < best:
                best, chain = cost, way
        longer = []
        for b in range(count):
            froms = [
                (cost + links[(a, b) if a < b else (b, a)] + own[b], way)
                for a, (cost, way) in ((way[-1], (cost, way)) for cost, way in ways)
                if b not in way
            ]
            if froms:
                cost, way = min(froms)
                longer.append((cost, [*way, b]))
        ways = longer
    pairs = [(chain[0], NEAR), (chain[-1], FAR)]
    pairs += [(min(a, b), max(a, b)) for a, b in pairwise(chain)]
    return best, [pair for pair in pairs if pair not in ropes]


def run(world: FloeBridge, live: bool) -> FloeBridge:
    """The world itself, run some time on, if no new eddy comes."""
    for _ in range(GLIDE if live else SETTLE):
        if live:
            world.tick += 1
            world.drift()
        if not world.respond() and not live:
            break
    return world


def later(world: FloeBridge, ticks: int) -> FloeBridge:
    """A copy of a moving world so many ticks on, if no new eddy comes."""
    new = clone(world)
    for _ in range(ticks):
        new.tick += 1
        new.drift()
        new.respond()
    return new


def clone(world: FloeBridge) -> FloeBridge:
    new = copy(world)
    new.discs = [copy(disc) for disc in world.discs]
    new.ropes = [copy(rope) for rope in world.ropes]
    new.eddies = [copy(eddy) for eddy in world.eddies if eddy.age > -30]
    new.fate, new.omen = copy(world.fate), Omen(age=-10000)
    return new


def worth(world: FloeBridge) -> float:
    return best_chain(world)[0] + 30 * world.lost + 25 * sum(rope.wear for rope in world.ropes)


def best_shove(world: FloeBridge, chain: list[Pair], live: bool) -> Command | None:
    """The shove after which the best chain is cheapest; where nothing moves by itself, any that helps."""
    stay = worth(run(clone(world), live)) - (WORTH if live else 1.0)
    for commands in (shoves(world, chain),) if live else (shoves(world, chain), all_shoves(world)):
        prices = [worth(run(shoved(world, command), live)) for command in commands]
        if commands and min(prices) < stay:
            return commands[prices.index(min(prices))]
    return None if live else commands[world.shoves * 7 % len(commands)]


def best_poke(world: FloeBridge, floes: list[int]) -> Command | None:
    """The shove from the lattice that saves most, judged from when the pole can be there."""
    hand = (world.hand.x, world.hand.y)
    best, most = None, WORTH
    then, waited = world, 0
    for way, floe in sorted([(steps(hand, (world.discs[floe].x, world.discs[floe].y)), floe) for floe in floes]):
        wait = STEP * (way if len(floes) > 1 else 0)
        then, waited = later(then, wait - waited), wait
        stay = worth(run(clone(then), True))
        for dx, dy in WAYS:
            command = ("shove", floe, dx * POKE, dy * POKE)
            saved = stay - worth(run(shoved(then, command), True)) - TRAVEL * way
            if saved > most:
                best, most = command, saved
    return best


def floes_of(chain: list[Pair]) -> list[int]:
    return sorted({floe for pair in chain for floe in pair if floe >= 0})


def shoved(world: FloeBridge, command: Command) -> FloeBridge:
    new = clone(world)
    new.act(command)
    return new


def shoves(world: FloeBridge, chain: list[Pair]) -> list[Command]:
    """Those that would narrow the gaps of a chain."""
    found: list[Command] = []
    if on_lattice(world):
        return [("shove", a, dx * POKE, dy * POKE) for a in floes_of(chain) for dx, dy in WAYS]
    for a, b in chain:
        one = world.discs[a]
        if b < 0:
            ways = [(a, 0.0, 1.0 if b == NEAR else -1.0)]
        else:
            other = world.discs[b]
            far = hypot(other.x - one.x, other.y - one.y)
            dx, dy = (other.x - one.x) / far, (other.y - one.y) / far
            ways = [(a, dx, dy), (b, -dx, -dy)]
        for floe, dx, dy in ways:
            for power in (0.35, 0.65, 1.0):
                push = power * REACH * PUSH
                found.append(("shove", floe, dx * push, dy * push))
    return found


def all_shoves(world: FloeBridge) -> list[Command]:
    push = POKE if on_lattice(world) else 0.6 * REACH * PUSH
    return [("shove", floe, dx * push, dy * push) for floe in range(world.level.floes) for dx, dy in WAYS]


def on_lattice(world: FloeBridge) -> bool:
    return (world.hand.x - 25) % CELL == 0 and (world.hand.y - 118) % CELL == 0


def reach(world: FloeBridge, command: Command, live: bool) -> list[Wish] | None:
    """The wish itself; where the pole steps, the step to where it will come true."""
    wishes: list[Wish] = [command]
    if command[0] == "shove":
        _, floe, dx, dy = command
        disc = world.discs[floe]
        wishes.append(Drag(f"floe {floe}", (clamp(disc.x + dx / PUSH, 0, 800), clamp(disc.y + dy / PUSH, 0, 600))))
    if not on_lattice(world) or not live:
        return wishes
    hand = (world.hand.x, world.hand.y)
    near = places(world, command)
    way = min([steps(hand, place) for place in near], default=4)
    there = places(later(world, STEP * way), command)
    if near and all(place in there for place in near if steps(hand, place) == way):
        return wishes
    if not there or hand in there:
        return None
    x, y = min(there, key=lambda place: steps(hand, place))
    dx, dy = x - hand[0], y - hand[1]
    return [("step", 1 if dx > 0 else -1, 0) if abs(dx) >= abs(dy) else ("step", 0, 1 if dy > 0 else -1)]


def steps(one: tuple[float, float], other: tuple[float, float]) -> int:
    return round((abs(one[0] - other[0]) + abs(one[1] - other[1])) / CELL)


def places(world: FloeBridge, command: Command) -> list[tuple[float, float]]:
    """Places of the pole's lattice where its verb would mean this."""
    knots = world.knots() if command[0] == "lash" else []
    spots = [(x, y) for a, b, x, y in knots if (a, b) == command[1:]]
    spots += [(world.discs[command[1]].x, world.discs[command[1]].y)] if command[0] == "shove" else []
    found = []
    for x, y in spots:
        for i in (-1, 0, 1):
            for k in (-1, 0, 1):
                px = clamp(25 + CELL * (round((x - 25) / CELL) + i), 25, 775)
                py = clamp(118 + CELL * (round((y - 118) / CELL) + k), 118, 518)
                meant = world.nearest(px, py) if knots else world.under(px, py)
                if (px, py) not in found and meant == (command[1:] if knots else command[1]):
                    found.append((px, py))
    return found
