"""Pick the chain of least gaps; lash what is in reach, and give the shove after which the chain would lie best."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from itertools import pairwise

from games.building.floe_bridge import (
    BEAT,
    BOTTOM,
    CELL,
    DRAG,
    FAR,
    NEAR,
    POKE,
    PUSH,
    REACH,
    TICK,
    TOP,
    FloeBridge,
)
from games.kit.bodies import Rope, ends, glide
from games.kit.maths import clamp, hypot
from games.kit.omen import Omen
from games.kit.world import PASS, Command
from oracles import Ahead, Drag, Look, Point, Wish

GESTURE, STEP = 24, 8  # ticks that a gesture takes, and a step of the pole
GLIDE, SETTLE = 40, 100  # ticks after a shove at which its effect is judged: in the current, and at most without
REST, PAUSE, PATIENCE = 20, 12, 75  # ticks after a shove, after a vain reckoning, and for the way to a shove
STUCK = 24  # shoves, after which what can be lashed is lashed at once
OPEN = 2  # reaches: a bank may be tied already where the one gap left is no wider
WORTH, TRAVEL = 5.0, 1.0  # of price that a shove must save, and each step to it
CLOSE, FIT = 0.3, 0.9  # of the reach: a gap that narrow is as good as none, or fit to be lashed
MOST, STRETCH, SHORT = 6, 0.35, 2.0  # floes of a chain; of the reach that its gaps may take; price of a px too short
LINK, EDGE = 9.0, 690.0  # price of a link; px from where on a floe is about to float away
WIDE, TRIES, GLIDES = 90.0, 4, 0.47  # px, the widest gap of a chain; shoves tried out; s of its speed a shove lasts
HOVER, CLICK = 12.0, 7  # px from a knot to where the pointer waits for it; ticks from there to a click
WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))
Pair = tuple[int, int]


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    goal: Command | None = None  # a shove to which the pole is on its way
    rest = until = delay = 0
    while True:
        seen = look()
        live = seen.tick > 0
        sure = not delay or seen.chain or seen.hand.plan
        world = ahead(seen) if sure else later(seen, delay)
        delay = world.tick - seen.tick if sure else delay
        windy, world.blow = gusty(seen, delay), 0
        if world.chain:
            yield None if live or world.tick > seen.tick else PASS
            continue
        soon = later(world, GESTURE) if live else world
        _, chain, links = best_chain(soon)
        knots = {(a, b): steps((world.hand.x, world.hand.y), (x, y)) for a, b, x, y in world.knots()}
        ready = [pair for pair in chain if pair in knots and soon.width(*pair) <= soon.level.reach - 1]
        inner = [pair for pair in ready if pair[1] >= 0]
        wide = [soon.width(*pair) for pair in chain if pair not in ready]
        near = len(wide) == 1 and wide[0] < OPEN * soon.level.reach
        if ready and (not wide or (live and (inner or near)) or seen.shoves > STUCK):
            goal = None
            wishes = reach(world, ("lash", *min(inner or ready, key=lambda pair: knots[pair])), live)
            yield None if windy and wishes and wishes[0][0] == "lash" else wishes
            continue
        idle = [rope for rope in world.ropes if (rope.a, rope.b) not in links]
        if idle and live and world.coil() < len(chain):
            yield cut(world, max(idle, key=lambda rope: rope.wear))
            continue
        if goal and (seen.tick > until or not live):
            goal = None
        if not goal and (not live or seen.tick >= rest):
            poking = live and on_lattice(world)
            goal = best_poke(world, chain, floes_of(chain)) if poking else best_shove(soon, chain, live)
            until, rest = seen.tick + PATIENCE, seen.tick + PAUSE
        wishes = reach(world, goal, live) if goal else None
        if wishes and goal in wishes and live and on_lattice(world):  # the pole is there: which way is best now?
            goal = best_poke(world, chain, [goal[1]])
            wishes = [goal] if goal else None
        if wishes and goal in wishes:
            goal, rest = None, seen.tick + GESTURE + REST
        yield wishes or (None if live else PASS)


def gusty(seen: FloeBridge, delay: int) -> bool:
    """Whether an act decided now comes in a gust, or the moment before."""
    return seen.blow > delay or 0 < seen.gust.lead <= delay + (1 if on_lattice(seen) else CLICK)


def cut(world: FloeBridge, rope: Rope) -> Wish:
    """The pointer or the pole to a rope, or what cuts it there."""
    x1, y1, x2, y2 = ends(world.discs, rope)
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    if on_lattice(world):
        dx, dy = round((x - world.hand.x) / CELL), round((y - world.hand.y) / CELL)
        there = ("cut", "ropes near the pole") if not dx else ("step", 1 if dx > 0 else -1, 0)
        return ("step", 0, 1 if dy > 0 else -1) if dy and not dx else there
    return ("cut", "the rope under the pointer") if hypot(x - world.hand.x, y - world.hand.y) < 8 else on_screen(x, y)


def on_screen(x: float, y: float) -> Point:
    return Point(clamp(x, 0, 800), clamp(y, 0, 600))


def tied(world: FloeBridge) -> set[Pair]:
    return {(rope.a, rope.b) for rope in world.ropes}


def price(world: FloeBridge, a: int, b: int) -> float:
    """Of a gap that is not lashed yet, in pixels that are too many."""
    width, reach = world.width(a, b), world.level.reach
    return max(0.0, width - CLOSE * reach) + max(0.0, width - FIT * reach)


def best_chain(world: FloeBridge) -> tuple[float, list[Pair], list[Pair]]:
    """The price of the cheapest chain from bank to bank, those of its links that are not tied yet, and all of them."""
    count, ropes, reach = world.level.floes, tied(world), world.level.reach
    floes = world.discs[:count]
    own = [LINK + max(0.0, floe.x - EDGE) + 2 * max(0.0, 40 - floe.x) for floe in floes]
    near, far = ([0.0 if (a, b) in ropes else price(world, a, b) for a in range(count)] for b in (NEAR, FAR))
    links: list[list[tuple[int, float]]] = [[] for _ in floes]
    for a, one in enumerate(floes):
        for b in range(a + 1, count):
            wide = one.r + floes[b].r + WIDE
            if (a, b) in ropes or (abs(one.x - floes[b].x) < wide and abs(one.y - floes[b].y) < wide):
                cost = 0.0 if (a, b) in ropes else price(world, a, b)
                links[a].append((b, cost + own[b]))
                links[b].append((a, cost + own[a]))
    ways = {a: (near[a] + own[a], BOTTOM - TOP - 2 * floes[a].r - 2 * STRETCH * reach, [a]) for a in range(count)}
    best, chain = 1e9, [0]
    for _ in range(MOST):
        longer: dict[int, tuple[float, float, list[int]]] = {}
        for a, (cost, short, way) in ways.items():
            whole = cost + far[a] + SHORT * max(0.0, short)
            if whole < best:
                best, chain = whole, way
            for b, more in links[a]:
                if cost + more < min(best, longer[b][0] if b in longer else best) and b not in way:
                    longer[b] = cost + more, short - 2 * floes[b].r - STRETCH * reach, [*way, b]
        ways = longer
    pairs = [(chain[0], NEAR), (chain[-1], FAR)]
    pairs += [(min(a, b), max(a, b)) for a, b in pairwise(chain)]
    return best, [pair for pair in pairs if pair not in ropes], pairs


def run(world: FloeBridge, live: bool) -> FloeBridge:
    """The world itself, run on until the effect of a shove is judged, if no new eddy comes."""
    if live:
        return drifted(world, GLIDE)
    for _ in range(SETTLE):
        if not world.respond():
            break
    return world


def drifted(world: FloeBridge, ticks: int) -> FloeBridge:
    """The moving world itself, run about so many ticks on, a beat at once, if no new eddy comes."""
    for _ in range(round(ticks / BEAT)):
        world.beat, world.tick = 0, world.tick + BEAT
        for eddy in world.eddies:
            eddy.age += BEAT - 1
            eddy.x += world.flow(eddy.y) * TICK * (BEAT - 1)
        world.drift()
        world.respond()
        glide(world.discs, TICK * (BEAT - 1), DRAG)
    return world


def later(world: FloeBridge, ticks: int) -> FloeBridge:
    return drifted(clone(world), ticks)


def clone(world: FloeBridge) -> FloeBridge:
    new = copy(world)
    new.discs = [copy(disc) for disc in world.discs]
    new.ropes = [copy(rope) for rope in world.ropes]
    new.eddies = [copy(eddy) for eddy in world.eddies if eddy.age > -30]
    new.fate, new.omen, new.gust, new.blow = copy(world.fate), Omen(age=-10000), Omen(age=-10000), 0
    return new


def worth(world: FloeBridge) -> float:
    return best_chain(world)[0] + 30 * world.lost + 25 * sum(rope.wear for rope in world.ropes)


def best_shove(world: FloeBridge, chain: list[Pair], live: bool) -> Command | None:
    """The shove after which the best chain is cheapest; where nothing moves by itself, any that helps."""
    still = run(clone(world), live)
    stay = worth(still) - (WORTH if live else 1.0)
    for commands in (shoves(world, chain),) if live else (shoves(world, chain), all_shoves(world)):
        if live:
            commands = sorted(commands, key=lambda command: -saving(still, chain, command))[:TRIES]
        prices = [worth(run(shoved(world, command), live)) for command in commands]
        if commands and min(prices) < stay:
            return commands[prices.index(min(prices))]
    return None if live else commands[world.shoves * 7 % len(commands)]


def best_poke(world: FloeBridge, chain: list[Pair], floes: list[int]) -> Command | None:
    """The shove from the lattice that saves most, judged from when the pole can be there."""
    hand = (world.hand.x, world.hand.y)
    ways = [(steps(hand, (world.discs[floe].x, world.discs[floe].y)), floe) for floe in floes]
    ways = ways if len(floes) > 1 else [(0, floes[0])]
    then, moments = world, {0: world}
    for tick in sorted({STEP * way + more for way, _ in ways for more in (0, GLIDE)}):
        moments[tick] = then = later(then, world.tick + tick - then.tick)
    trials: list[tuple[float, int, Command]] = []
    for way, floe in ways:
        for dx, dy in WAYS:
            command = ("shove", floe, dx * POKE, dy * POKE)
            trials.append((saving(moments[STEP * way + GLIDE], chain, command) - TRAVEL * way, way, command))
    best, most = None, WORTH
    for _, way, command in sorted(trials, reverse=True)[:TRIES]:
        done = run(shoved(moments[STEP * way], command), True)
        saved = worth(moments[STEP * way + GLIDE]) - worth(done) - TRAVEL * way
        if saved > most:
            best, most = command, saved
    return best


def saving(world: FloeBridge, chain: list[Pair], command: Command) -> float:
    """What a shove would save on a chain, roughly: as if its floe were alone, and would have lain as in this world."""
    _, floe, dx, dy = command
    disc, links = world.discs[floe], [pair for pair in chain if floe in pair]
    before, x, y = sum([price(world, *pair) for pair in links]), disc.x, disc.y
    disc.x, disc.y = x + dx / disc.mass * GLIDES, y + dy / disc.mass * GLIDES
    after = sum([price(world, *pair) for pair in links])
    disc.x, disc.y = x, y
    return before - after


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
    if command[0] == "lash" and live and not on_lattice(world):  # first there, then when it is calm
        spots = [
            (x, y) for each in (world, later(world, CLICK)) for a, b, x, y in each.knots() if (a, b) == command[1:]
        ]
        if hypot(spots[0][0] - world.hand.x, spots[0][1] - world.hand.y) > HOVER:
            return [on_screen(*spots[-1])]
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
    calm = command[0] == "shove" or not way  # a rope is thrown once the pole is there
    if near and calm and all(place in there for place in near if steps(hand, place) == way):
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
