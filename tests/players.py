"""Players without sense, and what a world did under them: for goldens and for tests over all games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import games
from configs import DEFAULTS
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import HEIGHT, PASS_KEY, TICKS_PER_SECOND, WIDTH, Hold
from harness import actions as a
from harness.session import Session, copy_world

LEVELS = (1, 2, 3, 4, 5)
TIMINGS = ("rt", "twin")
MODES = ("simple", "full")
PACE = 24  # ticks between two acts of a monkey


class Second(NamedTuple):
    """The state of a world and of its picture, each as a digest."""

    world: str
    picture: str


def picture_of(session: Session) -> Picture:
    """The game's own picture, without HUD and pointer."""
    picture = Picture()
    session.world.draw(picture)
    return picture


def monkey_act(session: Session, dice: Dice) -> list[a.AnyAction]:
    """One act by chance: any key or verb, a press on something pressable or anywhere, a drag, a notch."""
    world = session.world
    keys = sorted(world.verbs if session.mode == "simple" else (k for k in world.keys if not k.startswith("Wheel")))
    if session.mode == "simple" or (keys and dice.unit() < 0.4):
        ms = dice.pick((80, 80, 250, 600))
        return [a.Key(keys=[dice.pick([*keys, *keys, *keys, PASS_KEY])], ms=ms)]
    x, y, held = _target(picture_of(session), dice)
    there = (dice.between(0, WIDTH), dice.between(48, HEIGHT))
    fate = dice.unit()
    if held and fate < 0.7:
        return [a.Drag(path=[a.Point(x=x, y=y), a.Point(x=there[0], y=there[1])], ms=dice.pick((100, 300, 700)))]
    if fate < 0.8:
        return [a.Click(x=x, y=y)]
    if fate < 0.85:
        return [a.Click(x=x, y=y, button="right")]
    if fate < 0.9:
        return [a.Scroll(x=x, y=y, dy=dice.sign())]
    if fate < 0.95:
        return [a.Move(x=there[0], y=there[1], ms=200)]
    return [a.Key(keys=[PASS_KEY])]


def _target(picture: Picture, dice: Dice) -> tuple[float, float, bool]:
    """A place to press: half the time on something that can be pressed; whether it can be held."""
    marks = [*(marks for _, marks in picture._marks), *picture._solid_marks.values()]
    pressable = [action for does in marks for action in does if action is not None]
    if pressable and dice.unit() < 0.5:
        action = dice.pick(pressable)
        places = picture.find(action)
        if places:
            return (*places[0], isinstance(action, Hold))
    return dice.between(0, WIDTH), dice.between(48, HEIGHT), False


def monkey(session: Session, dice: Dice, ticks: int) -> Iterator[None]:
    """Play by chance for so many steps, or in a twin as many as its acts last; yields after each step."""
    for step in range(ticks):
        if session.over:
            return
        if step % PACE == 0 and (session.realtime or not session.busy):
            session.submit(monkey_act(session, dice))
        session.step()
        yield


def trace(
    name: str,
    timing: str,
    level: int,
    mode: str,
    seed: int = 1,
    *,
    seconds: int = 6,
    resume: bool = False,
    drawn: bool = False,
) -> list[Second]:
    """Digests at birth and after each second of a monkey's play.

    resume: every second a copy of the world goes on in a new session. drawn: the world is drawn at every step.
    """
    session = Session(name, timing, level, mode, seed, keep=0, cap=DEFAULTS.max_acts)
    dice = Dice.named("monkey", name, timing, level, mode, seed)
    seen = [_second(session)]
    while len(seen) <= seconds and not session.over:
        if resume:
            world = copy_world(session.world)
            session = Session(name, timing, level, mode, seed, keep=0, cap=DEFAULTS.max_acts, world=world)
        for _ in monkey(session, dice, TICKS_PER_SECOND):
            if drawn:
                picture_of(session)
        seen.append(_second(session))
    return seen


def _second(session: Session) -> Second:
    return Second(session.digest(), picture_of(session).digest())


def golden(name: str) -> dict[str, list[str]]:
    """What is committed of a game: configuration -> "world picture" of each second, digests cut short."""
    return {
        f"{timing}/{level}/{mode}": [
            f"{second.world[:12]} {second.picture[:12]}" for second in trace(name, timing, level, mode)
        ]
        for timing in TIMINGS
        for level in LEVELS
        for mode in MODES
    }


def all_or(names: list[str]) -> list[str]:
    """These games, or all when none is named. Raises games.UnknownGame."""
    for name in names:
        games.family(name)
    return names or games.names()
