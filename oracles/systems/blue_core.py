"""Try each rod once; then move those that bring the glow nearest to where the band will be when they answer."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit.world import PASS
from games.systems.blue_core import CELLS, FOOT, GAP, NOTCH, NOTCHES, RAILS, REACH, TOP, BlueCore, Rod
from oracles import Ahead, Drag, Look, Wish

HOT = 0.95  # glow that a cell should stay below
SLACK = 0.24  # widths of the band, from its middle, that cost nothing
WORTH = 0.0006  # of the price that a move must save
GESTURE, STEP = 30, 8  # ticks that a drag takes, and a step of the choice or of a rod
PATIENCE = 140  # ticks; what a rod gains is worth the less, the nearer to them its answer comes
FEW = 2  # known rods that are not enough to begin with
MOST = 5  # rods in one drag
PAUSE = 6  # ticks from a world that needs nothing to the next reckoning


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
        world = ahead(seen)
        found = best(world, sorted(known))
        untried = [number for number in range(len(world.rods)) if number not in tried]
        if untried and (found is None or len(known) < FEW):
            number = min(untried, key=lambda each: abs(each - world.chosen()))
            tried.add(number)
            out = world.rods[number].notch and world.share() <= world.band - 0.01
            yield wishes(world, [number], -1 if out or world.rods[number].notch == NOTCHES else 1)
            continue
        if found:
            yield wishes(world, *found)
        else:
            rest = seen.tick + PAUSE
            yield None if world.tick > seen.tick else PASS


def wishes(world: BlueCore, numbers: list[int], notches: int) -> list[Wish]:
    """One drag of the first rod, the keys of the others held; where the hand steps, one notch of the first."""
    first = numbers[0]
    to = RAILS + GAP * first, TOP + NOTCH * (world.rods[first].notch + notches)
    drag = Drag(f"rod {first}", to, tuple(f"also rod {number + 1}" for number in numbers[1:]))
    return [("move", (first,), 1 if notches > 0 else -1), drag] if world.hand.y == FOOT else [drag]


def best(world: BlueCore, known: list[int]) -> tuple[list[int], int] | None:
    """The rods, and the notches for each, that cost least, if less than to leave all as it is."""
    steps = world.hand.y == FOOT
    rods, chosen = world.rods, world.chosen()
    lags = [
        len(rod.coming) + (STEP * (abs(number - chosen) + 1) if steps else GESTURE) for number, rod in enumerate(rods)
    ]
    glow = forecast(world, sum(lags) // len(lags))
    bands = [world.next if 0 < world.omen.lead <= lag else world.band for lag in lags]
    found, least = None, -WORTH
    for number in known:
        stay = price(world, glow, bands[number])
        for notches in range(-rods[number].notch, NOTCHES + 1 - rods[number].notch):
            gain = price(world, moved(rods[number], glow, notches), bands[number]) - stay
            gain *= 1 - lags[number] / PATIENCE
            if gain < least:
                found, least = ([number], notches), gain
    if found is None or steps:
        return found
    (first,), most = found
    band = bands[first]
    stay = price(world, glow, band)
    for notches in range(most, 0, -1 if most > 0 else 1):
        numbers, now = [first], moved(rods[first], glow, notches)
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
        if price(world, now, band) - stay < least:
            found, least = (numbers, notches), price(world, now, band) - stay
    return found


def moved(rod: Rod, glow: list[float], notches: int) -> list[float]:
    """The cells' glow once the rod is so many notches deeper."""
    changed = list(glow)
    for cell, taken in enumerate(rod.takes):
        if taken:
            changed[cell] *= (NOTCHES - taken * (rod.notch + notches)) / (NOTCHES - taken * rod.notch)
    return changed


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
    off = max(0.0, abs((sum(glow) - world.low) / (sum(world.fuel) - world.low) - band) - SLACK * world.level.band)
    return off * off + 2 * sum([(each - HOT) * (each - HOT) for each in glow if each > HOT])
