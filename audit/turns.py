"""Plays of oracles look by look, which can be stopped before an act, and asked what they would do in another world."""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

from audit.play import Taped
from audit.players import Act, pass_time
from games.kit.picture import Picture
from games.kit.world import PASS, Command, World
from harness.actions import Wait, to_plain
from harness.oracle import LAG, Oracle
from harness.session import Configuration, copy_world

MOST = 600  # looks of a play
BLINK = 3  # steps until an oracle that wanted nothing looks again


class Commit(NamedTuple):
    """A command of a play. before: the world just before it."""

    step: int
    command: Command
    before: bytes

    def world(self) -> World:
        world: World = pickle.loads(self.before)
        world.hand.plan.clear()
        return world


class Turns(Taped):
    """An oracle's play: it looks, and acts as late as a person does, or at once in a twin; then it looks again."""

    def __init__(self, configuration: Configuration, seed: int) -> None:
        super().__init__(configuration, seed)
        self.turns = 0
        self.acted: list[int] = []  # turns in which it wanted something
        self.worlds: list[bytes] = []  # those in which it did
        self.commits: list[Commit] = []
        self.oracle = Oracle(self)
        self.oracle.delay = LAG if self.realtime else 0

    def run(self, turns: int = MOST) -> Turns:
        """Play so many turns, or to the end."""
        while not self.over and self.turns < turns:
            self._turn()
        return self

    def _turn(self) -> None:
        world = pickle.dumps(self.world, pickle.HIGHEST_PROTOCOL)
        act = self.oracle.decide()
        if act:
            self.acted.append(self.turns)
            self.worlds.append(world)
        self.turns += 1
        for _ in range(self.oracle.delay if act else BLINK if self.realtime else 0):
            self.step()
        if not self.over and (act or not self.realtime):
            self.submit(act or self._pass())
            self.settle()

    def _pass(self) -> Act:
        return [Wait(ms=50)] if self.world.twin.kind == "acting" else pass_time(self)

    def _commit(self, command: Any) -> None:
        before, opened, self.opens_window = self.world, self.opens_window, False
        data = pickle.dumps(before, pickle.HIGHEST_PROTOCOL)
        super()._commit(command)
        if self.opens_window and command != PASS:
            self.commits.append(Commit(self.steps, command, data))
        self.opens_window |= opened

    def ask(self, world: World) -> Any:
        """What its oracle, with all that it has learned, would do in another world: a plain act or None."""
        own, self.world = self.world, copy_world(world)
        try:
            act = self.oracle.decide()
        finally:
            self.world = own
        return act and to_plain(act)

    def ask_anew(self, world: World) -> Any:
        """What an oracle that begins there would do."""
        fresh = Oracle(Taped(self.configuration, 0, world=copy_world(world)))
        fresh.delay = self.oracle.delay
        act = fresh.decide()
        return act and to_plain(act)

    def show(self, world: World) -> Picture:
        """A world as an agent sees it."""
        return self._show(world)
