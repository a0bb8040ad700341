"""The contract of a game, property by property, over all games: a new game brings no test of its own.

`pytest tests/test_games.py -k NAME` checks one game. What takes long is marked slow but for a sample of games.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest

import games
from clock.tempo import Tempo
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.records import SHAPE, SOLID, TEXT
from games.kit.world import FIELD_TOP, HEIGHT, PASS_KEY, TICKS_PER_SECOND, WIDTH, Hold, Twin
from harness import actions as a
from harness.episode import Episode
from harness.keys import key_code
from harness.oracle import play_lagging, play_thinking
from harness.painter.gl import Painter
from harness.session import Session, build, digest
from tests.make_goldens import golden_path
from tests.players import LEVELS, MODES, TIMINGS, golden, monkey, picture_of, trace

ROOT = Path(__file__).resolve().parents[1]
NAMES = games.names()
SAMPLE = NAMES[:: max(1, len(NAMES) // 3)][:3]
SPREAD = (1, 3, 5)  # levels
SEEDS = (101, 102)
ABILITIES = {"temporal", "planning", "exploration", "3d"}
SMALLEST_TYPE = 11  # px
IDLE_ACTS = 400  # passes after which an idle twin has not won
# The C library then computes as on a processor without fused multiply-add.
NO_FMA = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4"

every = pytest.mark.parametrize("name", NAMES)
sampled = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in SAMPLE else pytest.mark.slow) for name in NAMES]
)
timings = pytest.mark.parametrize("timing", TIMINGS)
modes = pytest.mark.parametrize("mode", MODES)


@pytest.fixture(scope="module")
def painter() -> Painter:
    return Painter()


# -------------------------------------------------------------------------------- the data of a game


@every
def test_says_what_it_is(name: str) -> None:
    game = games.load(name)
    for text in (game.title, game.goal, game.rulebook):
        assert isinstance(text, str) and text.strip() == text and text
    assert game.goal.endswith(".") and game.rulebook.endswith(".")
    assert all(game.controls[mode].endswith(".") for mode in ("simple", "full"))
    assert not any(f"{mode} mode" in game.rulebook.lower() for mode in ("simple", "full")), "that belongs in controls"
    assert (game.family, game.id) == (games.family(name), name)
    module = sys.modules[game.__module__]
    assert module.__doc__ and len(module.__doc__.strip().split("\n\n")) >= 2, (
        "line 1: what you do; then: why lateness hurts"
    )
    assert 10 <= game.seconds <= 180


@every
def test_names_its_abilities(name: str) -> None:
    game = games.load(name)
    assert game.abilities and set(game.abilities) <= ABILITIES
    assert set(game.twin_abilities) <= set(game.abilities)
    deep = any(_picture(build(game, level, 1)).view is not None for level in LEVELS)
    assert deep == ("3d" in game.abilities), "3d means that there is a camera in the picture"


@every
def test_has_a_twin(name: str) -> None:
    game = games.load(name)
    assert isinstance(game.twin, Twin) and game.twin.kind in ("still", "turn", "until", "acting")
    assert (game.twin.ticks > 0) == (game.twin.kind in ("turn", "acting"))
    assert (game.twin.occasion != "") == (game.twin.kind == "until")
    if game.twin.occasion:
        assert isinstance(getattr(build(game, 1, 1), game.twin.occasion)(), bool)


@every
def test_keys_are_physical_and_verbs_are_few(name: str) -> None:
    game = games.load(name)
    for code in (*game.keys, *game.verbs):
        assert key_code(code) == code or (code in ("WheelUp", "WheelDown") and code in game.keys), code
        assert code not in (PASS_KEY, "Escape")
    for what in game.keys.values():
        assert isinstance(what, Hold) or (isinstance(what, tuple) and isinstance(what[0], str))
    assert 1 <= len(game.verbs) <= 12 and len(set(game.verbs.values())) == len(game.verbs)


@every
def test_levels_are_five_rows_that_get_harder(name: str) -> None:
    rows = games.load(name).levels
    assert len(rows) == 5 and len({type(row) for row in rows}) == 1
    kind: Any = type(rows[0])
    assert issubclass(kind, tuple) and kind.__name__ == "Level"
    assert get_type_hints(kind).keys() == set(kind._fields)
    moving = 0
    for column in zip(*rows, strict=True):
        assert all(isinstance(value, (int, float)) for value in column)
        assert list(column) in (sorted(column), sorted(column, reverse=True)), f"not monotone: {column}"
        moving += len(set(column)) > 1
    assert moving >= 2, "more than one axis moves"


# -------------------------------------------------------------------------------- the state


@sampled
@timings
@modes
def test_same_seed_same_world(name: str, timing: str, mode: str) -> None:
    for level in SPREAD:
        once = trace(name, timing, level, mode)
        assert once == trace(name, timing, level, mode), "a second run differs"
        assert once == trace(name, timing, level, mode, resume=True), "a copy goes on differently"
        assert once == trace(name, timing, level, mode, drawn=True), "drawing changes the world"


@every
def test_golden(name: str) -> None:
    path = golden_path(name)
    assert path.exists(), f"no golden: write it with `python -m tests.make_goldens {name}`, look at the diff, commit"
    kept = json.loads(path.read_text())
    now = golden(name)
    assert kept.keys() == now.keys()
    for key, seconds in now.items():
        assert kept[key] == seconds, f"{key}: if the change is meant, `python -m tests.make_goldens {name}`"


@sampled
def test_same_in_another_process_without_fma(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.make_goldens", "--print", name],
        cwd=ROOT,
        env=os.environ | {"GLIBC_TUNABLES": NO_FMA, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == golden(name)


@every
def test_state_is_plain(name: str) -> None:
    for level in SPREAD:
        session = Session(name, "rt", level, "full", 1, keep=0)
        _check_plain(session.world, "world")
        for _ in monkey(session, Dice(level), 5 * TICKS_PER_SECOND):
            pass
        _check_plain(session.world, "world")


def _check_plain(value: Any, place: str) -> None:
    """Plain values all the way down, and nothing that copy or digest would miss."""
    if is_dataclass(value):
        names = {field.name for field in fields(value)}
        assert not hasattr(value, "__dict__") or set(vars(value)) == names, f"{place}: not declared as a field"
        for each in names:
            _check_plain(getattr(value, each), f"{place}.{each}")
    elif isinstance(value, (list, tuple)):
        for index, each in enumerate(value):
            _check_plain(each, f"{place}[{index}]")
    elif isinstance(value, dict):
        for key, each in value.items():
            assert isinstance(key, (str, int)), f"{place}: key {key!r}"
            _check_plain(each, f"{place}[{key!r}]")
    else:
        assert value is None or type(value) in (bool, int, float, str), f"{place}: {value!r}"
        assert not isinstance(value, float) or math.isfinite(value), place


@every
def test_siblings_are_born_equal(name: str) -> None:
    game = games.load(name)
    for level in LEVELS:
        born = digest(build(game, level, 7))
        for timing in TIMINGS if game.twin.kind != "until" else ("rt",):
            for mode in MODES:
                assert Session(name, timing, level, mode, 7).digest() == born, f"{timing}/{level}/{mode}"


@every
def test_asking_what_a_verb_means_changes_nothing(name: str) -> None:
    session = Session(name, "rt", 3, "simple", 5, keep=0)
    for _ in monkey(session, Dice(5), 3 * TICKS_PER_SECOND):
        before = session.digest()
        for verb in session.world.verbs.values():
            session.world.simple(verb)
        assert session.digest() == before


@every
def test_progress_and_reserve_are_shares(name: str) -> None:
    for level in SPREAD:
        for mode in MODES:
            session = Session(name, "rt", level, mode, 3, keep=0)
            assert session.world.progress() < 1 and session.world.reserve() == 1
            for _ in monkey(session, Dice(level), 20 * TICKS_PER_SECOND):
                assert 0 <= session.world.progress() <= 1 and 0 <= session.world.reserve() <= 1


# -------------------------------------------------------------------------------- the picture


def _picture(world: Any) -> Picture:
    picture = Picture()
    world.draw(picture)
    return picture


@sampled
def test_seeds_look_different(name: str, painter: Painter) -> None:
    for level in (1, 5):
        views = [painter.render(_picture(build(games.load(name), level, seed))).astype(int) for seed in range(4)]
        for first in range(4):
            for second in range(first):
                differs = np.abs(views[first] - views[second]).max(axis=2) > 24
                assert differs.mean() > 0.004, f"level {level}: seeds {second} and {first} look alike"


@sampled
def test_first_frame_is_not_blank(name: str, painter: Painter) -> None:
    for level in SPREAD:
        for mode in MODES:
            field = painter.render(Session(name, "rt", level, mode, 1).picture())[FIELD_TOP:]
            assert field.std() > 8, "hardly any contrast"
            red, green, blue = np.moveaxis(field.astype(int) >> 3, 2, 0)
            counts = np.bincount((red << 10 | green << 5 | blue).ravel())
            assert (counts > 0).sum() > 12 and counts.max() < 0.97 * counts.sum(), "hardly anything on it"


@sampled
def test_shapes_are_on_the_canvas(name: str) -> None:
    for level in SPREAD:
        session = Session(name, "rt", level, "full", 1, keep=0)
        _check_shapes(picture_of(session))
        for step, _ in enumerate(monkey(session, Dice(level), 10 * TICKS_PER_SECOND)):
            if step % 30 == 0:
                _check_shapes(picture_of(session))


def _check_shapes(picture: Picture) -> None:
    shapes = list(SHAPE.iter_unpack(picture.shapes))
    assert len(shapes) <= 500 and len(picture.solids) // SOLID.size <= 150, "too much to draw in a tick's time"
    for kind, x, y, size, *rest in shapes:
        assert all(math.isfinite(number) for number in (x, y, size, *rest[:8]))
        if kind == TEXT:
            assert size >= SMALLEST_TYPE, f"{picture.texts[rest[-1]]!r} is too small to read"
            assert 0 <= x <= WIDTH and FIELD_TOP <= y <= HEIGHT, f"{picture.texts[rest[-1]]!r} at {x:.0f}, {y:.0f}"
    for solid in SOLID.iter_unpack(picture.solids):
        assert all(math.isfinite(number) for number in solid[1:10])


# -------------------------------------------------------------------------------- time


@every
@modes
def test_pass_is_there(name: str, mode: str) -> None:
    game = games.load(name)
    for level in (1, 5):
        live, still = (Session(name, "rt", level, mode, 5) for _ in range(2))
        live.submit([a.Key(keys=[PASS_KEY], ms=0)])
        for session in (live, still):
            for _ in range(TICKS_PER_SECOND):
                session.step()
        assert picture_of(live).digest() == picture_of(still).digest(), "live, a pass does nothing"
        twin = Session(name, "twin", level, mode, 5)
        start = twin.world.tick
        twin.submit([a.Key(keys=[PASS_KEY], ms=300)])
        twin.settle()
        passed = twin.world.tick - start
        wanted = {"still": 0, "turn": game.twin.ticks, "acting": game.twin.ticks if mode == "simple" else 18}
        assert passed == wanted[game.twin.kind] if game.twin.kind in wanted else passed > 0 or twin.over


@sampled
@modes
def test_twin_rests_while_it_is_looked_at(name: str, mode: str) -> None:
    for level in SPREAD:
        session = Session(name, "twin", level, mode, 11)
        episode = Episode(session, Tempo.parse("live"), "wall")
        episode.begin(0)
        dice, now = Dice(level), 0
        for _ in range(4):
            before = session.digest(), session.picture().digest()
            for _ in range(60):
                episode.receive(now)
                episode.replied(now)
                now += 1_000_000
            assert (session.digest(), session.picture().digest()) == before
            episode.receive(now)
            if episode.state == "running":
                for _ in monkey(session, dice, 1):
                    pass
                session.settle()


@sampled
@timings
@modes
def test_idleness_does_not_win(name: str, timing: str, mode: str) -> None:
    for level in SPREAD:
        for seed in SEEDS:
            session = Session(name, timing, level, mode, seed, keep=0)
            for _ in _idle(session):
                pass
            assert session.world.verdict != "won", f"level {level}, seed {seed}"
            assert session.over or timing == "twin", "an idle world never ends"


def _idle(session: Session) -> Iterator[None]:
    """Nothing at all in real time; passes in a twin."""
    if session.realtime:
        while not session.over and session.world.tick <= session.world.seconds * TICKS_PER_SECOND:
            session.step()
            yield
    for _ in range(IDLE_ACTS):
        if session.over:
            return
        session.submit([a.Key(keys=[PASS_KEY], ms=1000)])
        session.settle()
        yield


@sampled
@timings
@modes
def test_random_play_does_not_win(name: str, timing: str, mode: str) -> None:
    for level in SPREAD:
        for seed in SEEDS:
            session = Session(name, timing, level, mode, seed, keep=0)
            for _ in monkey(session, Dice(seed), 60 * TICKS_PER_SECOND):
                pass
            assert session.world.verdict != "won", f"level {level}, seed {seed}, after {session.acts} acts"


# -------------------------------------------------------------------------------- the oracle


@sampled
@modes
@pytest.mark.parametrize("level", (1, 4))
def test_oracle_wins_in_real_time(name: str, level: int, mode: str) -> None:
    lost = []
    for seed in SEEDS:
        session = Session(name, "rt", level, mode, seed, keep=0)
        for _ in play_lagging(session):
            pass
        if session.world.verdict != "won":
            lost.append((seed, session.world.reason))
        else:
            assert session.world.progress() == 1, "a win is all of the goal"
    assert len(lost) < len(SEEDS), f"lost on every seed: {lost}"


@sampled
@modes
@pytest.mark.parametrize("level", (1, 4))
def test_oracle_wins_the_twin(name: str, level: int, mode: str) -> None:
    for seed in SEEDS:
        session = Session(name, "twin", level, mode, seed, keep=0)
        episode = Episode(session, Tempo.parse("live"), "metered")
        episode.begin(0)
        for _ in play_thinking(episode, 0):
            pass
        assert session.world.verdict == "won", f"seed {seed}: {session.world.reason}"
