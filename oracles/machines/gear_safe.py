"""Slip the gears until all marks meet at a turn that the motor nears, and release when the marks will be there."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit.maths import TAU, clamp, cos, floor, hypot, sin, sqrt
from games.kit.picture import Picture
from games.kit.world import TICKS_PER_SECOND, Hold
from games.machines.gear_safe import BOLTS, CLUTCH, DRIVER, NOTCHES, Gear, GearSafe
from oracles import Ahead, Drag, Keep, Look, Point, Wish

SLIP_TICKS = (8, 26)  # that a slip takes, by a tooth in simple mode and by a drag
WAY_TICKS = 25  # from a gear to the clutch
NEAR, AIM_TICKS = 25, 5  # px from the knob that need no journey, and what they need
BACK = 0.5  # teeth of the motor's run that one has to wait for where it must reverse first
STRAY = (7.0, 3.0)  # how much longer than straight there the motor takes: in a twin, in real time
STEADFAST = (60, 100)  # ticks that another meeting must save
SURE = 2  # ticks for which all marks must stay at their pointers


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    meeting = 0  # the turn of the driving gear at which all marks are to meet their pointers
    while True:
        seen = look()
        world = ahead(seen)
        lands = AIM_TICKS if 2 < way_to_clutch(world) < NEAR else 0
        landing, later = ahead(seen, lands), ahead(seen, lands + SURE)
        released = (world.drawn, world.misses) != (seen.drawn, seen.misses)
        if world.drawn == BOLTS or released or (seen.latch and any(gear.owed for gear in seen.gears)):
            yield None  # how far a release shakes the gears is not known before they have come to rest
            continue
        moves = later.tick > seen.tick  # else a twin
        changes = 0 < seen.motor.lead <= later.tick - seen.tick
        ready = not changes and not world.latch and lined(landing) and lined(later)
        costs = price(world, moves)
        best = min(costs, key=lambda each: costs[each])
        if meeting not in costs or costs[best] < costs[meeting] - STEADFAST[moves]:
            meeting = best
        yield plan(world, ready, moves, meeting)


def lined(world: GearSafe) -> bool:
    return all(world.lined(gear) for gear in world.gears)


def way_to_clutch(world: GearSafe) -> float:
    """Pixels from the hand to the knob."""
    return hypot(world.hand.x - CLUTCH[0], world.hand.y - CLUTCH[1])


def plan(world: GearSafe, ready: bool, moves: bool, meeting: int) -> list[Wish] | None:
    there = not moves or way_to_clutch(world) < NEAR
    if ready:
        return [("release",), Keep(("clutch",), 1) if there else Point(*CLUTCH)]
    slips = slips_to(world, meeting)
    if slips:
        index, teeth = min(slips, key=lambda slip: abs(slip[0] - world.chosen()))
        return [drag(world, index, teeth), ("slip", index, 1 if teeth > 0 else -1)]
    return None if there else [Point(*CLUTCH)]


def price(world: GearSafe, moves: bool) -> dict[int, float]:
    """The ticks that each meeting costs: those of the slips, and of the wait for the motor. moves: time never rests."""
    drags = all((gear.x, gear.y) != (world.hand.x, world.hand.y) for gear in world.gears)  # else the hand steps
    speed, usual = abs(world.rate), world.level.rate / 360 * DRIVER / TICKS_PER_SECOND
    interval = world.level.interval * TICKS_PER_SECOND
    slip = SLIP_TICKS[drags] if moves else 1 / NOTCHES / usual
    steady = world.motor.lead or max(0, interval - world.motor.age)
    costs = {}
    for meeting in range(floor(world.turned) - 8, floor(world.turned) + 10):
        slips = slips_to(world, meeting)
        work = slip * (len(slips) if drags else sum(abs(teeth) for _, teeth in slips))
        if moves and drags and (slips or way_to_clutch(world) >= NEAR):
            work += WAY_TICKS
        work = max(work, world.latch)
        sure = min(work, steady)
        left = (meeting - world.turned) * (1 if world.rate > 0 else -1) - sure * speed
        spread = usual * sqrt((work - sure) * interval)
        behind = clamp(0.5 - 0.5 * left / (spread + 0.3), 0, 1)
        costs[meeting] = work + STRAY[moves] * (hypot(left, spread) + BACK * behind) / usual
    return costs


def slips_to(world: GearSafe, meeting: int) -> list[tuple[int, int]]:
    """The slips (gear, teeth) after which all marks meet at this turn."""
    return [(index, short(gear, meeting)) for index, gear in enumerate(world.gears) if short(gear, meeting)]


def short(gear: Gear, meeting: int) -> int:
    """Teeth clockwise that bring a gear's mark to its pointer at this turn of the driving gear."""
    teeth = -gear.way * meeting - gear.mark
    return teeth - gear.teeth * floor(teeth / gear.teeth + 0.5)


def drag(world: GearSafe, index: int, teeth: int) -> Drag:
    """From where the rim is taken, as far round as the teeth reach."""
    gear, grip = world.gears[index], Hold(f"gear {index}")
    picture = Picture()
    world.draw(picture)
    x, y = picture.find(grip)[0]
    turn = teeth * TAU / gear.teeth
    dx, dy = x - gear.x, y - gear.y
    return Drag(grip.grip, (gear.x + dx * cos(turn) - dy * sin(turn), gear.y + dx * sin(turn) + dy * cos(turn)))
