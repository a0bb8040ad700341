"""Gymnasium environments, checked by Gymnasium. Run by tests/test_integrations.py, in an environment that has it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import bullettime
import games
from configs import certified_seeds
from games.kit.dice import Dice
from harness.errors import BadInput, UserError
from harness.integrations import demos, gym
from harness.integrations.gym import TRAIN_SEEDS, BulletTimeEnv
from harness.session import build
from harness.suite import SEED_CAP

ROOT = Path(__file__).resolve().parents[2]
IDS = [name for name in gymnasium.registry if name.startswith("bullettime/")]
SOME = IDS[0]


def test_every_game_has_an_id() -> None:
    assert len(IDS) == len(games.names())
    assert {gymnasium.spec(name).kwargs["game"] for name in IDS} == set(games.names())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("timing", ["rt", "twin"])
@pytest.mark.parametrize("mode", ["simple", "full"])
@pytest.mark.parametrize("name", IDS)
def test_gymnasium_finds_nothing_wrong(name: str, mode: str, timing: str) -> None:
    env = gymnasium.make(name, level=2, mode=mode, timing=timing, render_mode="rgb_array")
    check_env(env.unwrapped)
    env.close()


def play(env: gymnasium.Env, steps: int, seed: int = 1) -> list[Any]:
    """What comes back of so many steps of chance."""
    env.action_space.seed(seed)
    told = [env.reset(seed=seed)[0]]
    for _ in range(steps):
        seen, reward, ended, cut, _ = env.step(env.action_space.sample())
        told.append((seen, reward))
        if ended or cut:
            told.append(env.reset()[0])
    return told


def test_making_an_environment_needs_no_import_of_ours() -> None:
    program = f"import gymnasium; print(gymnasium.make('bullettime:{SOME}').reset(seed=1)[0].shape)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(84, 84, 3)"


def test_importing_the_library_imports_no_framework() -> None:
    program = (
        "import sys, bullettime\n"
        "print(*({'gymnasium', 'numpy', 'harness'} & {*sys.modules}))\n"
        "bullettime.register()\n"
        "print(*sys.modules['gymnasium'].registry)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    light, known = done.stdout.splitlines()
    assert not light
    assert {*IDS} <= {*known.split()}


def test_the_same_seed_is_the_same_play() -> None:
    one, two = (play(gymnasium.make(SOME, mode="full"), 20) for _ in range(2))
    np.testing.assert_equal(one, two)


def test_pictures_come_in_any_size_and_stacked() -> None:
    env = gymnasium.make(SOME, size=(160, 120), frames=3)
    first, _ = env.reset(seed=1)
    assert first.shape == (3, 120, 160, 3)
    assert (first == first[2]).all()
    second = env.step(0)[0]
    assert (second[:2] == first[1:]).all()
    assert (second[2] != second[1]).any()


def test_a_step_takes_its_ticks_and_the_thinking() -> None:
    for think_ms, ticks, seconds in ((0, 6, 0.1), (200, 6, 0.3), (0, 30, 0.5)):
        env = gymnasium.make(SOME, think_ms=think_ms, ticks=ticks)
        env.reset(seed=1)
        assert env.step(0)[4]["seconds"] == pytest.approx(seconds)


def test_a_twin_waits_and_is_cut_off_in_the_end() -> None:
    env = gymnasium.make(SOME, timing="twin", ticks=600)
    env.reset(seed=1)
    cuts: list[bool] = []
    while not any(cuts):
        _, _, ended, cut, info = env.step(0)
        cuts.append(cut)
        assert not ended and info["seconds"] == 0
    assert len(cuts) == int(games.load(gymnasium.spec(SOME).kwargs["game"]).seconds / 10) + 1


def test_keys_and_buttons_stay_down_until_they_are_let_go() -> None:
    env = BulletTimeEnv(next(name for name in games.names() if games.load(name).keys), mode="full")
    env.reset(seed=1)
    keys = np.array([1] + [0] * (len(env.keys) - 1), np.int8)
    state = {"pointer": np.array([0.5, 0.02], np.float32), "button": 1, "wheel": 0, "keys": keys}
    for _ in range(2):
        env.step(state)
        assert set(env.session.world.hand.down) == {"left", env.keys[0]}
        assert (env.session.world.hand.x, env.session.world.hand.y) == (400, pytest.approx(12))
    env.step(state | {"button": 0, "keys": np.zeros_like(keys)})
    assert not env.session.world.hand.down
    assert env.session.acts == 2  # a state that is there already is no act


def test_training_never_meets_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    assert TRAIN_SEEDS.start > SEED_CAP  # beyond what suites and certificates can hold
    game = games.names()[0]
    assert max(certified_seeds(game)) <= SEED_CAP
    env = BulletTimeEnv(game, split="train")
    env.reset(seed=7)
    born = env.session.world
    env.np_random.bit_generator.state = np.random.default_rng(7).bit_generator.state
    first = int(np.random.default_rng(7).integers(TRAIN_SEEDS.start, TRAIN_SEEDS.stop))
    world = build(type(born), 1, first)
    world.fate = Dice()
    monkeypatch.setattr(gym, "_test_births", lambda *_: {gym.digest(world)})
    env.reset(seed=7)
    env.session.world.fate = Dice()
    assert env.session.digest() != gym.digest(world)  # a world like a test's is passed over


def test_the_test_split_is_played_through() -> None:
    game = next((name for name in games.names() if len(certified_seeds(name)) > 1), None)
    if game is None:
        pytest.skip("no game is certified")
    known = certified_seeds(game)
    env = BulletTimeEnv(game, split="test")
    env.reset(seed=3)
    births = [env.session.digest()]
    for _ in known:
        env.reset()
        births.append(env.session.digest())
    assert len(set(births)) == len(known) and births[0] == births[-1]
    assert set(births) == {gym.digest(build(games.load(game), 1, seed)) for seed in known}


def test_nothing_tells_the_seed_or_the_verdicts_reason() -> None:
    env = gymnasium.make(SOME, ticks=600)
    _, info = env.reset(seed=1)
    assert info.keys() == {"seconds", "progress"}
    ended = False
    while not ended:
        _, reward, ended, _, info = env.step(0)
    assert info.keys() == {"seconds", "progress", "won"} and reward == info["won"] == 0


def test_rewards_add_up_to_the_win_and_the_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    env = BulletTimeEnv(games.names()[0], progress_reward=0.5)
    env.reset(seed=1)
    made = {0: 0.0, 6: 0.25, 12: 0.25, 18: 1.0}  # by the ticks that have passed
    monkeypatch.setattr(type(env.session.world), "progress", lambda world: made[world.tick])
    env.reset(seed=1)
    rewards = [env.step(0)[1] for _ in range(2)]
    monkeypatch.setattr(type(env.session.world), "drift", lambda world: world.win() if world.tick == 18 else None)
    assert [*rewards, env.step(0)[1]] == [0.125, 0.0, 1.375]
    with pytest.raises(UserError, match="over"):
        env.step(0)


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_vectors_play_as_single_ones_do(mode: str, context: str) -> None:
    if mode == "sync" and context == "spawn":
        pytest.skip("sync starts no processes")
    kwargs = {"context": context} if mode == "async" else {}
    envs = gymnasium.make_vec(SOME, 2, vectorization_mode=mode, vector_kwargs=kwargs)
    seen, _ = envs.reset(seed=[1, 2])
    singles = [gymnasium.make(SOME) for _ in range(2)]
    for one, env, seed in zip(seen, singles, (1, 2), strict=True):
        assert (one == env.reset(seed=seed)[0]).all()
    for action in (1, 0, 2):
        seen = envs.step(np.array([action, action]))[0]
        for one, env in zip(seen, singles, strict=True):
            assert (one == env.step(action)[0]).all()
    envs.close()


@pytest.mark.parametrize(
    ("field", "kwargs"),
    [
        ("config", {"level": 6}),
        ("config", {"mode": "easy"}),
        ("ticks", {"ticks": 0}),
        ("think_ms", {"think_ms": -1}),
        ("size", {"size": (0, 84)}),
        ("frames", {"frames": 0}),
        ("split", {"split": "dev"}),
        ("render_mode", {"render_mode": "human"}),
    ],
)
def test_what_is_wrong_is_named(field: str, kwargs: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as wrong:
        BulletTimeEnv(games.names()[0], **kwargs)
    assert wrong.value.field == field


def test_the_face_shows_the_environment() -> None:
    assert bullettime.BulletTimeEnv is BulletTimeEnv


def test_the_benchmark_times_steps(capsys: pytest.CaptureFixture[str]) -> None:
    game = games.names()[0]
    arguments = ["--only", "gym_sps", "--games", game, "--json"]
    bullettime.command("bench")(args=arguments, standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert (
        told["measures"].keys() == told["targets"].keys() == {f"gym_sps.{size}.{game}" for size in ("84x84", "800x600")}
    )
    assert min(told["measures"].values()) > 1


@pytest.mark.parametrize("mode", ["simple", "full"])
def test_oracles_play_as_an_agent_would(mode: Literal["simple", "full"], tmp_path: Path) -> None:
    game, path = games.names()[0], tmp_path / "demos.npz"
    arguments = [
        f"{game}/rt/1/{mode}",
        "--episodes",
        "2",
        "--size",
        "16x12",
        "--progress-reward",
        "0.5",
        "-o",
        str(path),
    ]
    bullettime.command("demos")(args=arguments, standalone_mode=False)
    data = np.load(path)
    count = len(data["rewards"])
    parts = ["actions"] if mode == "simple" else ["pointer", "button", "wheel", "keys"]
    assert all(len(data[name]) == count for name in ("observations", "terminated", "truncated", *parts))
    assert data["observations"].shape[1:] == (12, 16, 3)
    assert data["starts"][0] == 0 and len(data["starts"]) == data["terminated"].sum() == 2
    env = BulletTimeEnv(game, 1, mode, size=(16, 12), progress_reward=0.5)
    seen, _ = env.reset(seed=1)
    for number in range(data["starts"][1]):  # the dataset is what the environment gives for its actions
        assert (seen == data["observations"][number]).all()
        action = data["actions"][number] if mode == "simple" else {name: data[name][number] for name in parts}
        seen, reward, ended, _, _ = env.step(action)
        assert (reward, ended) == (data["rewards"][number], data["terminated"][number])
    assert ended and env.session.world.verdict == "won"


def test_demonstrations_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command = bullettime.command("demos")
    with pytest.raises(BadInput, match="size"):
        command(args=[f"{games.names()[0]}/rt/1/full", "--size", "big"], standalone_mode=False)
    monkeypatch.setattr(demos, "record", lambda env, seed: [])
    monkeypatch.setattr(
        BulletTimeEnv, "session", property(lambda env: SimpleNamespace(world=SimpleNamespace(verdict="")))
    )
    with pytest.raises(UserError, match="has won 0 of 5 episodes"):
        command(args=[f"{games.names()[0]}/rt/1/full", "--episodes", "1"], standalone_mode=False)
