"""`bullettime demos`: what oracles see and do in a Gymnasium environment, as a dataset for training."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from games.kit.world import HEIGHT, PASS_KEY, WIDTH
from harness.errors import BadInput, UserError
from harness.integrations import need
from harness.oracle import Oracle
from harness.plan import Plan, plan_act, ticks
from harness.progress import progress
from harness.session import Configuration

_PASS: Plan = [(0, ("key", PASS_KEY)), (1, ("unkey", PASS_KEY))]  # lets a twin's time go on
TRIES = 5  # episodes that may be lost for each one that is wanted


def demos(
    config: Annotated[str, typer.Argument(help="game/rt|twin/1..5/simple|full")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write the dataset")] = Path("demos.npz"),
    episodes: Annotated[int, typer.Option(min=1, help="How many wins")] = 10,
    size: Annotated[str, typer.Option(help="Of the pictures, width x height")] = "84x84",
    step: Annotated[int, typer.Option(min=1, help="Game time of a step in 1/60 s")] = 6,
    think_ms: Annotated[float, typer.Option(min=0, help="Game time that passes before each action lands")] = 0,
    progress_reward: Annotated[float, typer.Option(help="What all of the progress is worth; a win is worth 1")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Of the chance that picks training worlds")] = 1,
) -> None:
    """Have an oracle win in an environment, and write what it saw and did, for imitation or offline training.

    The file holds arrays of all steps, one after another: observations (before the step), actions (full mode: one
    array for each part), rewards, terminated, truncated, and starts, where each episode begins. Needs `gymnasium`.
    """
    wide, _, high = size.partition("x")
    if not (wide.isdigit() and high.isdigit()):
        raise BadInput("size", f"{size!r} is none", "write for example 84x84")
    need("gymnasium", "gymnasium")
    kind = import_module("harness.integrations.gym").BulletTimeEnv
    options = {"ticks": step, "think_ms": think_ms, "progress_reward": progress_reward}
    env = kind(*_configuration(config), size=(int(wide), int(high)), **options)
    kept: list[list[tuple[Any, ...]]] = []
    with progress("wins", episodes) as advance:
        for number in range(TRIES * episodes):
            steps = record(env, seed if number == 0 else None)
            if env.session.world.verdict == "won":
                kept.append(steps)
                advance()
            if len(kept) == episodes:
                break
    if len(kept) < episodes:
        mend = "try a lower level, a shorter step, or less thinking"
        raise UserError(f"{config}: the oracle has won {len(kept)} of {TRIES * episodes} episodes", mend)
    write(out, kept)
    print(f"{out}: {len(kept)} episodes, {sum(map(len, kept))} steps")


def record(env: Any, seed: int | None = None) -> list[tuple[Any, ...]]:
    """Play an episode; for each step observation, action, reward, terminated, truncated."""
    seen, _ = env.reset(seed=seed)
    steps = []
    for action in choose(env):
        following, reward, ended, cut, _ = env.step(action)
        steps.append((seen, action, reward, ended, cut))
        seen = following
        if ended or cut:
            break
    return steps


def write(path: Path, episodes: list[list[tuple[Any, ...]]]) -> None:
    """Write episodes as arrays. Raises UserError."""
    steps = [step for episode in episodes for step in episode]
    seen, actions, *rest = zip(*steps, strict=True)
    arrays: dict[str, Any] = dict(zip(("rewards", "terminated", "truncated"), map(np.array, rest), strict=True))
    if isinstance(actions[0], dict):
        arrays |= {name: np.array([action[name] for action in actions]) for name in actions[0]}
    else:
        arrays["actions"] = np.array(actions)
    arrays["observations"] = np.array(seen)
    arrays["starts"] = np.cumsum([0, *map(len, episodes[:-1])])
    try:
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}", "choose another place with --out") from None


def choose(env: Any) -> Iterator[Any]:
    """The oracle's actions, step by step, each chosen from the world before it."""
    session = env.session
    oracle = Oracle(session)
    oracle.delay = ticks(env.think_ms) if session.realtime else 0
    hand = _Hand(env) if session.mode == "full" else _Fingers(env)
    while True:
        act = oracle.decide()
        place = session.world.hand.x, session.world.hand.y
        plan = plan_act(act, mode=session.mode, space="px", hand=place) if act else []
        yield from hand.steps(plan if act or session.realtime else _PASS)
        while session.busy:  # a verb of a length of its own
            yield hand.rest()


class _Fingers:
    """Simple mode: a verb a step."""

    def __init__(self, env: Any) -> None:
        self._keys, self._ticks = env.keys, env.ticks

    def steps(self, plan: Plan) -> Iterator[int]:
        done = 0
        for after, event in plan:
            if event[0] == "key":
                while done + self._ticks <= after:
                    yield self.rest()
                    done += self._ticks
                yield 1 + self._keys.index(event[1])
                done += self._ticks
        if not done:
            yield self.rest()

    def rest(self) -> int:
        return 0


class _Hand:
    """Full mode: the state of the hand in each step. In a step it moves, lets go, takes, in this order."""

    def __init__(self, env: Any) -> None:
        self._keys, self._ticks, self._session = env.keys, env.ticks, env.session
        self._button, self._wheel, self._down = 0, 0, set[str]()

    def steps(self, plan: Plan) -> Iterator[dict[str, Any]]:
        self._place()
        done, changed = 0, set[object]()  # ticks, and what this step has changed already
        for after, event in plan:
            what = "hand" if event[0] == "at" else event[1] if len(event) == 2 else event[0]
            while after >= done + self._ticks or what in changed or (what == "hand" and changed):
                yield self.rest()
                done, changed = done + self._ticks, set()
            self._take(event)
            changed |= {what} - {"hand", "rest"}
        yield self.rest()

    def rest(self) -> dict[str, Any]:
        """The state that has come about; a notch of the wheel is turned once."""
        wheel, self._wheel = self._wheel, 0
        return {
            "pointer": np.array((self._x / WIDTH, self._y / HEIGHT), np.float32),
            "button": self._button,
            "wheel": wheel,
            "keys": np.array([key in self._down for key in self._keys], np.int8),
        }

    def _place(self) -> None:
        hand = self._session.world.hand
        self._x, self._y = hand.x, hand.y

    def _take(self, event: tuple[Any, ...]) -> None:
        match event:
            case ("at", x, y):
                self._x, self._y = x, y
            case ("press", button):
                self._button = {"left": 1, "right": 2}[button]
            case ("lift", _):
                self._button = 0
            case ("key", code):
                self._down.add(code)
            case ("unkey", code):
                self._down.discard(code)
            case ("notch", sign):
                self._wheel = 1 if sign > 0 else 2


def _configuration(config: str) -> tuple[str, int, str, str]:
    game, timing, level, mode = Configuration.parse(config)
    return game, level, mode, timing
