"""Gymnasium environments: session and painter in this process, no wire, a fixed number of ticks each step.

docs/integrations.md tells how they are used. Actions are those of a hand that is told its state once a step.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from functools import cache
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

import games
from configs import certified_seeds
from games.kit.dice import Dice
from games.kit.world import HEIGHT, TICKS_PER_SECOND, WIDTH, World
from harness import actions as a
from harness.errors import BadInput, UserError
from harness.painter.canvas import SMALL
from harness.painter.gl import Painter
from harness.plan import ticks as ticks_of
from harness.plan import used_keys
from harness.session import Configuration, Session, build, digest
from harness.suite import SEED_CAP

TICK_MS = 1000 / TICKS_PER_SECOND
KEY_TICKS = ticks_of(a.DEFAULTS.key_ms)
BUTTONS: tuple[a.Button | None, ...] = (None, "left", "right")
TRAIN_SEEDS = range(SEED_CAP + 1, 2**62)  # no suite and no certificate can hold one of them
_UNLIMITED = 10**9  # acts: an episode's steps are limited instead

Split = Literal["train", "test"]


class BulletTimeEnv(gymnasium.Env[np.ndarray, Any]):
    """One game under one configuration.

    game, level, mode, timing: the configuration. size: (width, height) of observations in pixels; the screen of 800 by
    600 is scaled to fit. frames: None for a single picture (height, width, 3), or a number of steps whose pictures are
    stacked, oldest first. ticks: of game time that a step takes (60 a second); in a twin time passes as its policy
    says. think_ms: game time that passes in real time before the action of each step lands. progress_reward: what
    all of the progress is worth, paid as it is made; the win itself is worth 1. split: worlds for training, or the
    certified ones of the benchmark.

    In simple mode an action is Discrete: 0 does nothing, then come the verbs, the last one passes. In full mode it is
    the state of the hand: pointer (shares of the screen), button (none, left, right), wheel (still, up, down) and the
    keys that are down, in the order of `keys`. Raises BadInput.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 10}

    def __init__(
        self,
        game: str,
        level: int = 1,
        mode: Literal["simple", "full"] = "simple",
        timing: Literal["rt", "twin"] = "rt",
        *,
        size: tuple[int, int] = (84, 84),
        frames: int | None = None,
        ticks: int = 6,
        think_ms: float = 0,
        progress_reward: float = 0,
        split: Split = "train",
        render_mode: str | None = None,
    ) -> None:
        self._configuration = Configuration.parse(f"{game}/{timing}/{level}/{mode}")
        _check_at_least("ticks", ticks, 1)
        _check_at_least("think_ms", think_ms, 0)
        _check_at_least("size", min(size), 1)
        _check_at_least("frames", 1 if frames is None else frames, 1)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadInput("render_mode", f"{render_mode!r} is unknown", "use rgb_array")
        if split not in ("train", "test") or (split == "test" and not certified_seeds(game)):
            raise BadInput(
                "split", f"{game} has no seeds for {split!r}", "use train or test; test: `bullettime certify`"
            )
        self.metadata = {**self.metadata, "render_fps": TICKS_PER_SECOND / ticks}
        self.render_mode = render_mode
        self._size, self._think, self._split = tuple(size), ticks_of(think_ms), split
        self.ticks, self.think_ms = ticks, think_ms
        self._progress_reward = progress_reward
        self._realtime = timing == "rt"
        kind = games.load(game)
        self.keys = used_keys(kind, mode)
        self._most_steps = int(kind.seconds * TICKS_PER_SECOND / ticks) + 1  # of a twin, as many as of real time
        self.action_space = _action_space(mode, len(self.keys))
        shape = (size[1], size[0], 3)
        self._stack = None if frames is None else deque[np.ndarray](maxlen=frames)
        self.observation_space = spaces.Box(0, 255, shape if frames is None else (frames, *shape), np.uint8)
        self._session: Session | None = None
        self._turn: int | None = None  # of the certified seeds, the next

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Begin another world. seed: of the chance that picks worlds; under `test` they then come one after another."""
        super().reset(seed=seed)
        if seed is not None:
            self._turn = None
        self._session = self._new_session()
        self._progress = self._session.world.progress()
        self._steps = 0
        if self._stack is not None:
            first = self._see()
            self._stack.extend(first for _ in range(self._stack.maxlen or 0))
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Have the action done and time pass. Raises UserError when there is no world, or it has ended."""
        session = self._session
        if session is None or session.over:
            raise UserError("the episode is over, or has not begun", "call reset")
        if self._realtime:
            self._run(self._think)
        if not session.over:
            self._act(self._lower(action))
        self._steps += 1
        before, self._progress = self._progress, session.world.progress()
        reward = self._progress_reward * (self._progress - before) + (session.world.verdict == "won")
        truncated = not self._realtime and not session.over and self._steps >= self._most_steps
        if self._stack is not None:
            self._stack.append(self._see())
        return self._observe(), float(reward), session.over, truncated, self._info()

    def render(self) -> np.ndarray | None:
        """The screen, (600, 800, 3), as people see it; None without a render_mode. Raises UserError before `reset`."""
        return None if self.render_mode is None else self._see((WIDTH, HEIGHT))

    @property
    def session(self) -> Session:
        """The session that is played. Raises UserError before `reset`."""
        if self._session is None:
            raise UserError("there is no world yet", "call reset")
        return self._session

    # ---------------------------------------------------------------- worlds

    def _new_session(self) -> Session:
        game, timing, level, mode = self._configuration
        if self._split == "test":
            known = certified_seeds(game)
            turn = int(self.np_random.integers(len(known))) if self._turn is None else self._turn
            self._turn = (turn + 1) % len(known)
            seed = known[turn]
        else:
            seed = int(self.np_random.integers(TRAIN_SEEDS.start, TRAIN_SEEDS.stop))
            while _birth(build(games.load(game), level, seed)) in _test_births(game, level):
                seed = int(self.np_random.integers(TRAIN_SEEDS.start, TRAIN_SEEDS.stop))
        return Session(game, timing, level, mode, seed, cap=_UNLIMITED, keep=0)

    # ---------------------------------------------------------------- acts

    def _lower(self, action: Any) -> list[a.AnyAction]:
        """What the hand has to do."""
        if self._configuration.mode == "full":
            return self._move_hand(action)
        number = int(action)
        if number == 0:
            return []
        return [a.Key(keys=[self.keys[number - 1]], ms=min(KEY_TICKS, self.ticks) * TICK_MS)]

    def _move_hand(self, action: Any) -> list[a.AnyAction]:
        """From the state that the hand is in to the one that is wished for: it moves, lets go, takes."""
        world = self.session.world
        held = world.hand.down
        x, y = float(action["pointer"][0]) * WIDTH, float(action["pointer"][1]) * HEIGHT
        button, wheel = BUTTONS[int(action["button"])], (0, -1, 1)[int(action["wheel"])]
        wished = [key for key, down in zip(self.keys, action["keys"], strict=True) if down]
        acts: list[a.AnyAction] = [a.Move(x=x, y=y)] if (x, y) != (world.hand.x, world.hand.y) else []
        acts += [a.MouseUp(button=one) for one in BUTTONS if one and one in held and one != button]
        acts += [a.KeyUp(key=key) for key in self.keys if key in held and key not in wished]
        acts += [a.MouseDown(button=button)] if button and button not in held else []
        acts += [a.KeyDown(key=key) for key in wished if key not in held]
        acts += [a.Scroll(dy=wheel)] if wheel else []
        if not self._realtime and world.twin.kind == "acting" and (button or wished):
            acts.append(a.Wait(ms=self.ticks * TICK_MS))
        return acts

    def _act(self, acts: list[a.AnyAction]) -> None:
        if acts:
            self.session.submit(acts)
        if self._realtime:
            self._run(self.ticks)
        else:
            self.session.settle()

    def _run(self, ticks: int) -> None:
        for _ in range(ticks):
            self.session.step()

    # ---------------------------------------------------------------- what is seen

    def _see(self, size: tuple[int, int] | None = None) -> np.ndarray:
        width, height = size or self._size
        painter = _painter(self._size[0] * self._size[1] <= SMALL)
        return painter.render(self.session.picture(), width, height)

    def _observe(self) -> np.ndarray:
        return self._see() if self._stack is None else np.stack(self._stack)

    def _info(self) -> dict[str, Any]:
        """Nothing of the seed, nor of why a world was lost."""
        world = self.session.world
        told = {"seconds": world.tick / TICKS_PER_SECOND, "progress": self._progress}
        return told | ({"won": world.verdict == "won"} if world.verdict else {})


def _action_space(mode: str, keys: int) -> spaces.Space:
    if mode == "simple":
        return spaces.Discrete(1 + keys)
    return spaces.Dict(
        {
            "pointer": spaces.Box(0, 1, (2,), np.float32),
            "button": spaces.Discrete(len(BUTTONS)),
            "wheel": spaces.Discrete(3),
            "keys": spaces.MultiBinary(keys),
        }
    )


def _check_at_least(name: str, value: float, least: float) -> None:
    if value < least:
        raise BadInput(name, f"{value:g} is too little", f"give at least {least:g}")


def _birth(world: World) -> str:
    """A digest of a world as it is born, its future apart."""
    world.fate = Dice()
    return digest(world)


@cache
def _test_births(game: str, level: int) -> frozenset[str]:
    """The worlds that are kept for tests."""
    return frozenset(_birth(build(games.load(game), level, seed)) for seed in certified_seeds(game))


_own = threading.local()  # .painter and .process: a painter belongs to one thread of one process


def _painter(small: bool) -> Painter:
    """This thread's painter, made when it is first asked for: after any fork of a vector environment."""
    if getattr(_own, "process", None) != os.getpid():
        _own.painter, _own.process = Painter(threads=0 if small else None, moving=True), os.getpid()
    return _own.painter
