"""Try each rod once; then move those that bring the glow nearest to where the band will be when they answer."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit.maths import hypot
from games.kit.world import PASS
from games.systems.blue_core import ALSO, CELLS, FOOT, GAP, NOTCH, NOTCHES, RAILS, REACH, TOP, BlueCore, Rod
from oracles import Ahead, Drag, Look, Wish

HOT, BURN = 0.95, 0.7  # glow that a cell should stay below, and the weight of its excess
SLACK = 0.24  # widths of the band, from its middle, that cost nothing
WORTH = 0.0006  # of the price that a move must save
GESTURE, STEP = 15, 8  # ticks that a gesture takes, and a step of the choice or of a rod
PATIENCE = 140  # ticks; what a rod gains is worth half when its answer takes so long
FEW = 2  # known rods that are not enough to begin with
MOST = 5  # rods in one drag
WAIT = 20  # ticks, in a world that waits, from the answer to the middle of the time until the next act
PAUSE = 2  # ticks from a world that needs nothing to the next reckoning

Plan = list[tuple[int, int]]  # rods, and notches for each


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    """A rod counts only once its cells have been seen to answer."""
    tried: set[int] = set()
    known: set[int] = set()
    first = [rod.depth for rod in look().rods]
    rest = 0
    while True:
        seen = look()
        known |= {number for number, rod in enumerate(seen.rods) if rod.depth != first[number]}
        if 0 < seen.tick < rest:
            yield None
            continue
        world = foresee(seen, ahead)
        found = best(world, sorted(known), 0 if world.tick > seen.tick else WAIT)
        untried = [number for number in range(len(world.rods)) if number not in tried]
        if untried and (len(tried) < FEW or (found is None and tried == known)):
            number = min(untried, key=lambda each: abs(each - world.chosen()))
            tried.add(number)
            found = [number], trial(world, number)
        if found:
            yield wishes(world, *found)
        else:
            rest = seen.tick + PAUSE
            yield None if world.tick > seen.tick else PASS


def trial(world: BlueCore, number: int) -> int:
    """A notch for a rod that is not known yet, towards the band where it can: any rod that is let in dims the core."""
    rod, band = world.rods[number], world.next if world.omen.lead else world.band
    bright = total(world, forecast(world, GESTURE + len(rod.coming))) > band
    return 1 if (bright and rod.notch < NOTCHES) or not rod.notch else -1


def foresee(seen: BlueCore, ahead: Ahead) -> BlueCore:
    """The world when an act begins, with no hop but the one that has been announced."""
    world: BlueCore = ahead(seen)
    lead = seen.omen.lead
    world.band, world.next = seen.band, seen.next
    world.omen.lead = max(0, lead - (world.tick - seen.tick))
    if lead and not world.omen.lead:
        world.band = seen.next
    return world


def wishes(world: BlueCore, numbers: list[int], notches: int) -> list[Wish]:
    """One drag of the first rod, the keys of the others held; where the hand steps, a notch of one or of all."""
    first = min(numbers, key=lambda each: handle(world, each))
    if world.hand.y != FOOT and len(numbers) == 1:
        return [("set", first, world.rods[first].notch + notches)]
    to = RAILS + GAP * first, TOP + NOTCH * (world.rods[first].notch + notches)
    drag = Drag(f"rod {first}", to, tuple(ALSO[number] for number in numbers if number != first))
    return [("move", tuple(numbers), 1 if notches > 0 else -1), drag] if world.hand.y == FOOT else [drag]


def handle(world: BlueCore, number: int) -> float:
    """How far the hand is from the handle of a rod."""
    return hypot(RAILS + GAP * number - world.hand.x, TOP + NOTCH * world.rods[number].notch - world.hand.y)


def best(world: BlueCore, known: list[int], wait: int) -> tuple[list[int], int] | None:
    """The rods, and the notches for each, that cost least, if less than to leave all as it is."""
    steps = world.hand.y == FOOT
    rods, chosen = world.rods, world.chosen()
    lags = [
        len(rod.coming) + (wait or (STEP * (abs(number - chosen) + 1) if steps else GESTURE))
        for number, rod in enumerate(rods)
    ]
    glow = forecast(world, sum(lags) // len(lags))
    bands = [world.next if 0 < world.omen.lead <= lag else world.band for lag in lags]
    step = world.twin.ticks if wait else 2 * STEP
    later = step if steps else GESTURE  # that each further move of a plan comes
    found, least = None, -WORTH
    for plan in plans(rods, known):
        together = not steps and plan[0][1] == plan[-1][1]
        moves = 1 if together else sum(abs(notches) for _, notches in plan) if steps else len(plan)
        lag = max(lags[number] for number, _ in plan) + later * (moves - 1)
        band = bands[plan[0][0]]
        gain = price(world, all_of(rods, glow, plan), band) - price(world, glow, band)
        gain /= 1 + lag / PATIENCE
        if gain < least:
            found, least = plan, gain
    for notches in (-1, 1) if steps else ():
        gain = price(world, all_moved(world, glow, notches), bands[0]) - price(world, glow, bands[0])
        gain /= 1 + (lags[0] + (0 if wait else STEP * (chosen + 1))) / PATIENCE
        if gain < least:
            return list(range(len(rods))), notches
    if found is None:
        return None
    band = bands[found[0][0]]
    if steps or found[0][1] != found[-1][1]:  # one after the other: first what helps most
        number, notches = min(found, key=lambda each: price(world, moved(rods[each[0]], glow, each[1]), band))
        return [number], notches
    numbers, notches = [number for number, _ in found], found[0][1]
    now = all_of(rods, glow, found)
    while len(numbers) < MOST:
        costs = [
            (price(world, moved(rods[number], now, notches), band), number)
            for number in known
            if number not in numbers and 0 <= rods[number].notch + notches <= NOTCHES
        ]
        if not costs or min(costs)[0] > price(world, now, band) - WORTH:
            break
        number = min(costs)[1]
        numbers, now = [*numbers, number], moved(rods[number], now, notches)
    return numbers, notches


def plans(rods: list[Rod], known: list[int]) -> list[Plan]:
    """Moves of one known rod, or of two."""
    ones = [
        (number, notches)
        for number in known
        for notches in range(-rods[number].notch, NOTCHES + 1 - rods[number].notch)
        if notches
    ]
    return [[one] for one in ones] + [[one, other] for one in ones for other in ones if one[0] < other[0]]


def all_of(rods: list[Rod], glow: list[float], plan: Plan) -> list[float]:
    for number, notches in plan:
        glow = moved(rods[number], glow, notches)
    return glow


def moved(rod: Rod, glow: list[float], notches: int) -> list[float]:
    """The cells' glow once the rod is so many notches deeper."""
    changed = list(glow)
    for cell, taken in enumerate(rod.takes):
        if taken:
            changed[cell] *= (NOTCHES - taken * (rod.notch + notches)) / (NOTCHES - taken * rod.notch)
    return changed


def all_moved(world: BlueCore, glow: list[float], notches: int) -> list[float]:
    """The same once all rods are so many notches deeper, as the gauge tells it."""
    free = sum(0 <= rod.notch + notches <= NOTCHES for rod in world.rods) / len(world.rods)
    change = notches / NOTCHES * free * (sum(world.fuel) - world.low)
    return [each * (1 - change / sum(glow)) for each in glow]


def forecast(world: BlueCore, ticks: int) -> list[float]:
    """Each cell's glow so many ticks on, if the patches keep their ways and all moves are answered."""
    spots = [(patch.x + patch.dx * ticks, patch.y + patch.dy * ticks, patch.power) for patch in world.patches]
    glow, square = [], REACH * REACH
    for (x, y), fuel, white in zip(CELLS, world.fuel, world.white, strict=True):
        heat = 1.0
        for px, py, power in spots:
            near = 1 - ((px - x) * (px - x) + (py - y) * (py - y)) / square
            if near > 0:
                heat += power * near * near
        glow.append(fuel * heat if white >= 0 else 0.0)
    for rod in world.rods:
        for cell, taken in enumerate(rod.takes):
            glow[cell] *= 1 - taken * rod.notch / NOTCHES
    return glow


def price(world: BlueCore, glow: list[float], band: float) -> float:
    """How far out of the middle of the band, and how near to white cells are."""
    off = max(0.0, abs(total(world, glow) - band) - SLACK * world.level.band)
    return off * off + BURN * sum([(each - HOT) * (each - HOT) for each in glow if each > HOT])


def total(world: BlueCore, glow: list[float]) -> float:
    """Where such a glow stands on the gauge."""
    return (sum(glow) - world.low) / (sum(world.fuel) - world.low)
