"""Bark before a bolt; else choose some sheep of one colour, then the run of the dog after which they stand best."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from copy import copy
from itertools import product

from games.kit.maths import TAU, atan2, clamp, cos, hypot, log, mix, sin, turn_between
from games.kit.omen import QUIET
from games.kit.world import TICKS_PER_SECOND
from games.pursuit import dusk_fold as game
from games.pursuit.dusk_fold import PERIOD, Animal, DuskFold, Sheep
from oracles import Ahead, Drag, Keep, Look, Wish

VERB = game.DuskFold.twin.ticks  # ticks of a step
SLACK = 6  # ticks of a badge that a bark leaves over
COAST = 12  # ticks after an act that still count
BELIEF = 0.8  # share of a bolt that is taken for granted
RANGE = 160.0  # px around a sheep in which others of its colour are driven with it
FAITH = 120.0  # px of way that another choice must be better by
SCENE = 300.0  # px from the dog within which a run may move sheep
BERTH = 10.0  # px beside a gap that a bolt may miss its way by
DANGER = 120.0  # px from a gap at which a sheep is kept from it

Spot = tuple[float, float]
Course = list[Spot | None]  # in each stride: the dog's velocity, (0, 0) for a bark, None for nothing
Run = tuple[list[Wish], Course]
STEPS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
GRIPS = {(-1, 0): "left", (1, 0): "right", (0, -1): "up", (0, 1): "down"}


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    simple, rest = yield from probe(look)
    chosen = -1
    while True:
        seen = look()
        world = ahead(seen)
        if not seen.omen.lead:
            world.omen.lead, world.who = 0, -1  # a badge that only chance of its own has put there
        if world.who >= 0 and world.plan == "bolt" and world.omen.lead > 2 and not world.loud:
            yield [Keep(("bark",), VERB)] if simple else [("bark",)]
            continue
        chosen = choose(world, chosen)
        pause: Course = [None] * ((COAST + min(rest, 60)) // PERIOD)
        runs = steps(pause) if simple else drags(world, pause)
        most = spare(seen, world.tick - seen.tick) / PERIOD + len(pause)
        scene, group = focus(world, chosen)
        short = [run for run in runs if len(run[1]) <= most]
        yield min(short, key=lambda run: judge(scene, run, group))[0] if short else None


def spare(world: DuskFold, late: int) -> float:
    """Ticks that an act may take, so that a bark for a badge that comes meanwhile is in time."""
    omen, level = world.omen, world.level
    leeway = level.warning - late - SLACK
    if leeway <= 0:
        return 1e9
    quiet = QUIET * level.interval * TICKS_PER_SECOND
    return leeway + (omen.lead + quiet if omen.lead else max(0.0, quiet - omen.age))


def probe(look: Look) -> Generator[list[Wish], None, tuple[bool, int]]:
    """Step or lead the dog forward. Returns whether there are only steps, and the ticks between two acts."""
    before = look()
    yield [Keep(("up",), VERB), Drag("dog", (before.dog.x, max(0.0, before.dog.y - 90)))]
    now = look()
    simple = (now.hand.x, now.hand.y) == (before.hand.x, before.hand.y) and not any(
        event[0] == "at" for *_, event in now.hand.plan
    )
    return simple, max(0, now.tick - before.tick - VERB)


def steps(pause: Course) -> Iterator[Run]:
    """What verbs can do."""
    for x, y in STEPS:
        grips = tuple(GRIPS[one] for one in ((x, 0), (0, y)) if one != (0, 0))
        far = game.STEP / hypot(x, y)
        walk: Course = [(x * far, y * far)] * round(VERB / PERIOD)
        yield [Keep(grips, VERB)], walk + pause
    still: Course = [None] * round(VERB / PERIOD)
    yield [Keep(("left", "right"), VERB)], still + pause
    yield [Keep(("bark",), VERB)], [(0.0, 0.0), *still[1:], *pause]


def drags(world: DuskFold, pause: Course) -> Iterator[Run]:
    """What the pointer can do."""
    dog, hand = world.dog, world.hand
    wait = travel(hypot(hand.x - dog.x, hand.y - dog.y))
    for far in (60.0, 190.0):
        for number in range(8):
            turn = (number + 0.5 * (far > 100)) * TAU / 8
            x = clamp(dog.x + far * cos(turn), game.LEFT, game.RIGHT)
            y = clamp(dog.y + far * sin(turn), game.TOP, game.BOTTOM)
            ticks = max(6.0, travel(far))
            strides = max(1, round(ticks / PERIOD))
            speed = min(game.TOP_SPEED, far / ticks) / (hypot(x - dog.x, y - dog.y) or 1.0)
            run: Course = [((x - dog.x) * speed, (y - dog.y) * speed)] * strides
            yield [Drag("dog", (x, y))], [*[None] * round(wait / PERIOD), *run, *pause]
    yield [Keep(("creep",), 18)], [None, None, None, *pause]  # it only waits
    yield [("bark",)], [(0.0, 0.0), *pause]


def travel(far: float) -> float:
    """Ticks that a hand takes to move so far."""
    return (3 + 6 * log(far / 30 + 1) / 0.6931) if far > 2 else 0.0


def choose(world: DuskFold, chosen: int) -> int:
    """The sheep to be driven next, with those of its colour around it; -1 when there is none."""
    best, cost = -1, 1e9
    for number, sheep in enumerate(world.flock):
        if sheep.mood == "away" or sheep.fold == sheep.black:
            continue
        far = hypot(sheep.x - world.dog.x, sheep.y - world.dog.y)
        mates = sum(
            other.black == sheep.black
            and other.fold == sheep.fold
            and hypot(other.x - sheep.x, other.y - sheep.y) < RANGE
            for other in world.flock
        )
        its = (way(world, sheep) + far) / mates - FAITH * (number == chosen)
        gap = min(hypot(sheep.x - x, sheep.y - y) for x, y in world.gaps)
        its -= 3 * max(0.0, DANGER - gap)
        if its < cost:
            best, cost = number, its
    return best


def route(world: DuskFold, sheep: Sheep) -> list[Spot]:
    """Places that lie on its way into its fold; empty when it is there."""
    if sheep.fold == sheep.black:
        return []
    spots = []
    if sheep.fold >= 0:
        spots.append(place(world, sheep.fold, game.DEEP + 40, 0))
    right, middle = world.pens[sheep.black]
    deep = game.RIGHT - sheep.x if right else sheep.x - game.LEFT
    if sheep.fold < 0 and deep < game.DEEP + 14:
        spots.append(place(world, sheep.black, game.DEEP + 50, 100 if sheep.y > middle else -100))
    elif sheep.fold < 0 and deep < game.DEEP + 60 and abs(sheep.y - middle) < world.level.gate / 2:
        return [place(world, sheep.black, game.DEEP - 60, 0)]
    return [*spots, place(world, sheep.black, game.DEEP + 20, 0), place(world, sheep.black, game.DEEP - 60, 0)]


def place(world: DuskFold, pen: int, deep: float, aside: float) -> Spot:
    right, middle = world.pens[pen]
    return (game.RIGHT - deep if right else game.LEFT + deep), middle + aside


def way(world: DuskFold, sheep: Sheep) -> float:
    """How far a sheep still has to go, px."""
    total, x, y = 0.0, sheep.x, sheep.y
    for nx, ny in route(world, sheep):
        total, x, y = total + hypot(nx - x, ny - y), nx, ny
    return total


def focus(world: DuskFold, chosen: int) -> tuple[DuskFold, list[int]]:
    """The world with those sheep only that the next run may move; the numbers of those that are to be driven."""
    first, dog, scene = world.flock[chosen], world.dog, copy(world)
    driven = [
        sheep
        for sheep in world.flock
        if sheep is first
        or (
            (sheep.black, sheep.fold) == (first.black, first.fold)
            and hypot(sheep.x - first.x, sheep.y - first.y) < RANGE
        )
    ]
    others = [sheep for sheep in world.flock if sheep not in driven and hypot(sheep.x - dog.x, sheep.y - dog.y) < SCENE]
    scene.flock = driven + others
    head = world.flock[world.who] if world.who >= 0 else None
    scene.who = next((number for number, sheep in enumerate(scene.flock) if sheep is head), -1)
    return scene, list(range(len(driven)))


def judge(world: DuskFold, run: Run, group: list[int]) -> float:
    """Cost of a run of the dog."""
    then = copy(world)
    then.flock, then.dog = [copy(sheep) for sheep in world.flock], copy(world.dog)
    for stride, led in enumerate(run[1]):
        if world.omen.lead and stride * PERIOD >= world.omen.lead > (stride - 1) * PERIOD:
            then.begin()
        then.loud = max(0, then.loud - PERIOD)
        if led == (0.0, 0.0) and not then.loud:
            then.bark()
        move(then.dog, *(led or (0.0, 0.0)))
        for sheep in then.flock:
            sheep.x += sheep.vx * PERIOD
            sheep.y += sheep.vy * PERIOD
        for sheep in then.flock:
            then.think(sheep)
    then.begin()
    cost = 600.0 * (then.escapes - world.escapes)
    for sheep in then.flock:
        if sheep.mood == "bolt" and sheep.fold < 0:
            far = game.BOLT * sheep.left * BELIEF
            cost += 600.0 * leaves(then, sheep, far)
            sheep.x, sheep.y = sheep.x + cos(sheep.aim) * far, sheep.y + sin(sheep.aim) * far
        if sheep.mood != "away" and sheep.fold != sheep.black:
            gap = min(hypot(sheep.x - x, sheep.y - y) for x, y in world.gaps)
            cost += way(then, sheep) + 60 + (4.0 if sheep.mood == "bolt" else 1.5) * max(0.0, DANGER - gap)
    return cost + behind(then, [then.flock[number] for number in group])


def leaves(world: DuskFold, sheep: Sheep, far: float) -> bool:
    """Whether it may get out by a gap if it bolts so far, px."""
    rise = sin(sheep.aim) * far
    side = game.TOP if rise < 0 else game.BOTTOM
    if abs(rise) <= abs(side - sheep.y) - game.MARGIN:
        return False
    x = sheep.x + cos(sheep.aim) * far * (side - sheep.y) / rise
    return any(gy == side and abs(x - gx) < game.GAP / 2 + BERTH for gx, gy in world.gaps)


def move(dog: Animal, vx: float, vy: float) -> None:
    """What the dog does from thought to thought, at the speed that is asked for."""
    dog.vx, dog.vy = mix(dog.vx, vx, 0.9), mix(dog.vy, vy, 0.9)
    dog.x = clamp(dog.x + dog.vx * PERIOD, game.LEFT, game.RIGHT)
    dog.y = clamp(dog.y + dog.vy * PERIOD, game.TOP, game.BOTTOM)


def behind(world: DuskFold, group: list[Sheep]) -> float:
    """How far the dog is from where it drives a group on."""
    spots = route(world, group[0])
    if not spots or group[0].mood == "away":
        return 0.0
    x, y = sum(sheep.x for sheep in group) / len(group), sum(sheep.y for sheep in group) / len(group)
    wide = max(hypot(sheep.x - x, sheep.y - y) for sheep in group)
    gx, gy = spots[0]
    far = hypot(x - gx, y - gy) or 1.0
    reach = 55 + wide
    sx, sy = x + (x - gx) / far * reach, y + (y - gy) / far * reach
    dog = world.dog
    turn = turn_between(atan2(sy - y, sx - x), atan2(dog.y - y, dog.x - x))
    return hypot(dog.x - sx, dog.y - sy) + 45 * abs(turn)
