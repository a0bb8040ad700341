"""Fingers find the verbs that a wish needs, and do not take what a verb did once for what it always does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import FREE, Command, World, still
from harness.actions import Key
from harness.fingers import Fingers
from harness.session import Session, copy_world


class Level(NamedTuple):
    size: int


@dataclass(kw_only=True)
class Gate(World):
    """The right arrow steps over a gate, and does nothing while that is shut."""

    title = goal = rulebook = "gate"
    seconds = 60
    twin = still()
    verbs = {"ArrowRight": "step", "Space": "ring"}
    abilities = twin_abilities = ()
    levels = (Level(1),) * 5

    level: Level
    open: bool = False

    @classmethod
    def new(cls, level: Level, dice: Dice) -> Gate:
        return cls(level=level)

    def act(self, command: Command) -> object:
        if command == ("step",):
            if self.open and self.hand.x == 400:
                self.hand.x = 500
            return FREE
        return None

    def simple(self, verb: str) -> object:
        return ("step",) if verb == "step" else ("ring", self.hand.x)

    def draw(self, picture: Picture) -> None:
        pass

    def progress(self) -> float:
        return 0.0


def keys(fingers: Fingers, world: World) -> list[list[str]] | None:
    act = fingers.lower(("ring", 500), world, lambda world, ticks: copy_world(world))
    return None if act is None else [action.keys for action in act if isinstance(action, Key)]


def test_a_verb_that_did_nothing_is_tried_again_in_another_world() -> None:
    fingers, world = Fingers(), Session(Gate, "rt", 1, "simple", 1).world
    assert isinstance(world, Gate)
    assert keys(fingers, world) is None
    world.open = True
    assert keys(fingers, world) == [["ArrowRight"], ["Space"]]
    assert keys(fingers, world) == [["ArrowRight"], ["Space"]]  # from memory


def test_a_free_verb_may_be_wished_twice() -> None:
    fingers, world = Fingers(), Session(Gate, "twin", 1, "simple", 1).world
    world.hand.x, world.open = 400, True  # type: ignore[attr-defined]

    def step() -> int:
        act = fingers.lower(("step",), world, lambda world, ticks: copy_world(world))
        return len(act or ())

    assert keys(fingers, world)  # it has learnt where the step leads
    assert step() == 1
