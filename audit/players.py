"""Players without sense: idle, random, mashing, and habits: a preparation, then one thing for ever."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, count
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import FIELD_TOP, FREE, HEIGHT, PASS_KEY, TICKS_PER_SECOND, WIDTH, Hold, World
from harness import actions as a
from harness.session import Session, copy_world

Act = list[a.AnyAction]
Spot = tuple[float, float]

RANDOM_PACE, MASH_PACE, GLANCE = 24, 8, 240  # ticks between acts, and between glances
LONG = 10_000.0  # ms: the longest hold that an act can ask for
PULLS = ((100.0, 0.0), (-100.0, 0.0), (0.0, 100.0), (0.0, -100.0))  # px


class Habit(NamedTuple):
    """A preparation, one act a third of a second, and then the same act every `period` ticks; None: nothing more."""

    name: str
    setup: tuple[Act, ...]
    beat: Act | None = None
    period: int = TICKS_PER_SECOND

    @property
    def ready(self) -> int:
        """Ticks after which only the beat is left."""
        return 20 * len(self.setup)


def picture_of(world: World) -> Picture:
    """The world's own picture, without HUD and pointer."""
    picture = Picture()
    world.draw(picture)
    return picture


def spots(world: World, dice: Dice, most: int = 12) -> list[tuple[Spot, bool]]:
    """Places of what can be pressed now, at most so many, in a chance order; and whether it is something to hold."""
    picture = picture_of(world)
    found = picture.actions()
    dice.shuffle(found)
    places = ((picture.deepest(action), isinstance(action, Hold)) for action in found[: 2 * most])
    return [(place, held) for place, held in places if place][:most]


def anywhere(dice: Dice) -> Spot:
    """A place in the field."""
    return dice.between(0, WIDTH), dice.between(FIELD_TOP, HEIGHT)


def keys_of(session: Session) -> list[str]:
    """The keys that do something, the pass apart."""
    keys = session.world.verbs if session.mode == "simple" else session.world.keys
    return [key for key in keys if not key.startswith("Wheel")]


# -------------------------------------------------------------------------------- players


def pass_time(session: Session) -> Act:
    """An act that only lets time go on, where nothing else does."""
    acting = session.world.twin.kind == "acting"
    return [a.Wait(ms=1000)] if acting else [a.Key(keys=[PASS_KEY])]


def idle(session: Session) -> Iterator[Act | None]:
    """Nothing, ever; in a twin, passes."""
    while True:
        yield None if session.realtime else pass_time(session)


def at_random(session: Session, dice: Dice, pace: int = RANDOM_PACE, aimed: float = 0.5) -> Iterator[Act | None]:
    """Any act at a steady pace. aimed: share of the pointer's acts that go where something could be pressed.

    It learns those places with a glance every few seconds: with open eyes it would be a player.
    """
    for step in count():
        if step % GLANCE == 0 or not session.realtime:
            known = spots(session.world, dice) if session.mode == "full" else []
        yield random_act(session, dice, known, aimed) if step % pace == 0 or not session.realtime else None


def mash(session: Session, dice: Dice) -> Iterator[Act | None]:
    """Whatever can be pressed, as fast as a hand can."""
    return at_random(session, dice, MASH_PACE, 1.0)


def random_act(session: Session, dice: Dice, known: list[tuple[Spot, bool]], aimed: float) -> Act:
    """One act by chance: a key or verb, a press, a drag, a notch; the known places are aimed at."""
    keys = keys_of(session)
    if session.mode == "simple" or (keys and dice.unit() < 0.4):
        return [a.Key(keys=[dice.pick(keys)], ms=dice.pick((80, 80, 250, 600)))]
    (x, y), held = dice.pick(known) if known and dice.unit() < aimed else (anywhere(dice), False)
    kind = dice.unit()
    if held and kind < 0.7:
        end = a.Point(*anywhere(dice))
        return [a.Drag(path=[a.Point(x, y), end], ms=dice.pick((100, 300, 700)))]
    if kind < 0.85:
        return [a.Click(x=x, y=y)]
    if kind < 0.95:
        return [a.Click(x=x, y=y, button="right")]
    return [a.Scroll(x=x, y=y, dy=dice.sign())]


def keep(session: Session, habit: Habit) -> Iterator[Act | None]:
    """Prepare as the habit says, then keep to it. In a twin each beat is an act, and passes follow a lone setup."""
    for act in habit.setup:
        yield act
        if session.realtime:
            yield from [None] * 19
    while True:
        yield habit.beat if habit.beat or session.realtime else pass_time(session)
        if session.realtime:
            yield from [None] * (habit.period - 1)


# -------------------------------------------------------------------------------- habits


def habits(session: Session, dice: Dice, most: int) -> list[Habit]:
    """Ways to hold, repeat or rest, for this world as it is: all kinds of them in turn, at most so many."""
    kinds = _simple_kinds(session, dice) if session.mode == "simple" else _full_kinds(session, dice)
    known = spots(session.world, dice) if session.mode == "full" else []
    kinds.append([Habit(f"setting {n}", _setting(session, dice, known)) for n in range(40)])
    for kind in kinds:
        dice.shuffle(kind)
    longest = max(map(len, kinds), default=0)
    mixed = [kind[index] for index in range(longest) for kind in kinds if index < len(kind)]
    return mixed[:most]


def _simple_kinds(session: Session, dice: Dice) -> list[list[Habit]]:
    """Verbs kept, verbs repeated, and two in turn, each also from places that the free verbs lead to."""
    keys = keys_of(session)
    free = [key for key in keys if _is_free(session, key)]
    kept = [Habit(f"keep {key}", (), [a.KeyHold(keys=[key], ms=LONG)], 600) for key in keys]
    chords = [Habit(f"keep {x}+{y}", (), [a.Key(keys=[x, y], ms=300)], 20) for x, y in combinations(keys, 2)]
    tapped = [Habit(f"tap {key}/{n}", (), [a.Key(keys=[key])], n) for key in keys for n in (8, 24, 60)]
    walked = [
        Habit(f"walk {len(walk)}, tap {key}/{n}", walk, [a.Key(keys=[key])] if key else None, n)
        for key in (*keys, "")
        for n in (8, 24, 60)
        for _ in range(4)
        for walk in [_walk(free or keys, dice)]
    ]
    return [kept, chords, tapped, walked]


def _walk(keys: list[str], dice: Dice) -> tuple[Act, ...]:
    """Some taps in one direction and some in another, all in one or two acts."""
    return tuple(
        [a.Key(keys=[key], ms=17) for _ in range(dice.whole(1, 7))] for key in (dice.pick(keys), dice.pick(keys))
    )


def _setting(session: Session, dice: Dice, known: list[tuple[Spot, bool]]) -> tuple[Act, ...]:
    """A few acts by chance, most of them on what can be pressed or held."""
    return tuple(random_act(session, dice, known, 0.9) for _ in range(dice.whole(1, 4)))


def _is_free(session: Session, key: str) -> bool:
    world = copy_world(session.world)
    what = world.simple(world.verbs[key])
    if not isinstance(what, tuple) or isinstance(what, Hold):
        return False
    return world.act(what) is FREE


def _full_kinds(session: Session, dice: Dice) -> list[list[Habit]]:
    """Resting, holding and clicking at places, pulling what can be held, keys held and tapped, alone and in pairs."""
    pressable = spots(session.world, dice)
    grid = [(80.0 + 160 * column, 100.0 + 110 * row) for column in range(5) for row in range(5)]
    places = [*(place for place, _ in pressable), *grid]
    keys = keys_of(session)
    down = [a.MouseDown(button="left")]
    return [
        [Habit(f"rest {_at(p)}", (_move(p),)) for p in places],
        [Habit(f"press and keep {_at(p)}", ([*_move(p), *down],)) for p in places],
        [
            Habit(f"pull {_at(p)} by {by}", ([*_move(p), *down, *_move(_moved(p, by), 300)],))
            for p, held in pressable
            for by in PULLS
            if held
        ],
        [
            Habit(f"drag {_at(p)} by {by}", (), [a.Drag(path=[a.Point(*p), a.Point(*_moved(p, by))])], 30)
            for p, held in pressable
            for by in PULLS
            if held
        ],
        [Habit(f"click {_at(p)}/{n}", (), [a.Click(x=p[0], y=p[1])], n) for p in places for n in (8, 24, 60)],
        [
            Habit(f"right click {_at(p)}/24", (), [a.Click(x=p[0], y=p[1], button="right")], 24)
            for p, _ in _right(session)
        ],
        [
            Habit(f"scroll {_at(p)} {dy}", (), [a.Scroll(x=p[0], y=p[1], dy=dy)], 8)
            for p in (places if _turns(session) else [])
            for dy in (1, -1)
        ],
        [Habit(f"keep {key}", ([a.KeyDown(key=key)],)) for key in keys],
        [Habit(f"keep {x}+{y}", ([a.KeyDown(key=x), a.KeyDown(key=y)],)) for x, y in combinations(keys, 2)],
        [Habit(f"tap {key}/{n}", (), [a.Key(keys=[key])], n) for key in keys for n in (8, 24, 60)],
    ]


def _right(session: Session) -> list[tuple[Spot, None]]:
    picture = picture_of(session.world)
    places = (picture.deepest(action) for action in picture.actions("right")[:12])
    return [(place, None) for place in places if place]


def _turns(session: Session) -> bool:
    return bool(picture_of(session.world).actions("wheel")) or any(
        key.startswith("Wheel") for key in session.world.keys
    )


def _move(place: Spot, ms: float = 0) -> Act:
    return [a.Move(x=place[0], y=place[1], ms=ms)]


def _moved(place: Spot, by: Spot) -> Spot:
    return min(max(place[0] + by[0], 0.0), WIDTH), min(max(place[1] + by[1], 0.0), HEIGHT)


def _at(place: Spot) -> str:
    return f"({place[0]:.0f}, {place[1]:.0f})"
