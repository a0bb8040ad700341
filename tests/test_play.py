"""Playing by hand: the window, what a person's hand does to the world, and the record of it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

import bullettime
import games
from clock.tempo import Tempo
from games.kit.picture import Picture
from games.kit.world import HEIGHT, WIDTH, acting
from harness import play as play_command
from harness.confirm import Finding, Told, check
from harness.errors import UserError
from harness.keys import key_code
from harness.play import Sitting, show_again, wall_us
from harness.replay import read_verdicts, told_of
from harness.results.records import Results
from harness.session import Configuration
from harness.window import CODES, Input, Window

ROOT = Path(__file__).resolve().parents[1]
TINY = Path(__file__).parent / "tiny"
GAME = games.names()[0]

Step = tuple[float, Input | Callable[[Sitting], None]]  # seconds after the step before, what happens


@pytest.fixture(autouse=True)
def tiny_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLETTIME_GAMES_DIR", str(TINY))


class Screen:
    """In place of a window: hands out inputs at their times, and looks at the sitting in between."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps
        self.sitting: Any = None
        self.due = time.monotonic() + (steps[0][0] if steps else 0)
        self.shown = 0

    def inputs(self, wait_ms: int) -> Iterator[Input]:
        time.sleep(min(max(0.001, wait_ms / 1000), max(0.0, self.due - time.monotonic())))
        while self.steps and time.monotonic() >= self.due:
            _, what = self.steps.pop(0)
            if isinstance(what, Input):
                yield what
            else:
                what(self.sitting)
            self.due += self.steps[0][0] if self.steps else 0
        if not self.steps:
            yield Input("quit")

    def show(self, picture: Picture) -> None:
        self.shown += 1

    def point_at(self, visible: bool) -> None:
        pass


def sit(config: str, *steps: Step, tempo: str = "live", wish: str = "leave") -> Sitting:
    """Play a script; the sitting afterwards."""
    screen = Screen(list(steps))
    sitting = screen.sitting = Sitting(Configuration.parse(config), 3, Tempo.parse(tempo), 1)
    assert sitting.run(screen) == wish  # type: ignore[arg-type]
    assert screen.shown > 0
    return sitting


def checked(sitting: Sitting) -> list[Finding]:
    """What its records would say wrongly."""
    return check(Told(sitting.verdict(), sitting.acts, 0))


ENTER = Input("key", "Enter")


def test_world_is_frozen_until_begun() -> None:
    sitting = sit("puck/rt/1/full", (0.2, Input("key", "Tab")), (0.1, Input("move", "", 10, 10)))
    assert sitting.episode.state == "ready" and sitting.session.world.tick == 0 and not sitting.began


def test_world_runs_at_its_tempo() -> None:
    for tempo, slowdown in (("live", 1), ("4x", 4)):
        sitting = sit("puck/rt/1/full", (0.0, ENTER), (1.0, Input("unkey", "KeyA")), tempo=tempo)
        due = (wall_us() - sitting.began) * 60 / 1e6 / slowdown
        assert sitting.session.world.tick == pytest.approx(due, abs=8) and due > 12
    paused = sit("puck/rt/1/full", (0.0, ENTER), (0.5, Input("unkey", "KeyA")), tempo="paused")
    assert paused.session.world.tick == 0


def test_mouse_and_keys_reach_the_world_and_the_record() -> None:
    held: list[bool] = []

    def look(sitting: Sitting) -> None:
        held.append(sitting.session.world.hand.holds("left"))

    sitting = sit(
        "puck/rt/1/full",
        (0.0, Input("press", "left", 5, 5)),  # begins; is no act
        (0.1, Input("move", "", 123, 234)),
        (0.1, Input("key", "ArrowLeft")),
        (0.1, Input("key", "KeyQ")),  # means nothing here
        (0.1, look),
        (0.0, Input("unkey", "KeyQ")),
        (0.0, Input("unkey", "ArrowLeft")),
        (0.1, look),
        (0.0, Input("press", "left", 400, 560)),
        (0.05, Input("lift", "left", 401, 561)),
        (0.1, Input("notch", "", 10, 100, -2)),
        (0.1, Input("key", "Escape")),
    )
    world = sitting.session.world
    assert held == [True, False]
    assert world.felt == 1 and (world.hand.x, world.hand.y) == (10, 100) and not world.hand.down  # type: ignore[attr-defined]
    assert sitting.verdict().reason == "given up" and checked(sitting) == []
    assert [act.seq for act in sitting.acts] == list(range(1, sitting.verdict().acts + 1))


def test_simple_mode_has_no_pointer() -> None:
    sitting = sit(
        "puck/rt/1/simple",
        (0.0, ENTER),
        (0.0, Input("move", "", 123, 234)),
        (0.0, Input("press", "left", 400, 300)),
        (0.0, Input("lift", "left", 400, 300)),
        (0.05, Input("key", "Space")),
        (0.05, Input("unkey", "Space")),
        (0.05, Input("quit")),
    )
    assert sitting.session.world.hits == 1 and sitting.session.world.felt == 1  # type: ignore[attr-defined]
    assert checked(sitting) == []


def test_what_is_held_is_let_go_when_the_window_loses_the_keyboard() -> None:
    sitting = sit(
        "puck/rt/1/full", (0.0, ENTER), (0.0, Input("key", "ArrowLeft")), (0.1, Input("leave")), (0.1, Input("quit"))
    )
    assert not sitting.session.world.hand.held and not sitting.session.world.hand.down


def test_twin_moves_before_peoples_eyes_and_hears_nothing_meanwhile() -> None:
    felt: list[int] = []

    def look(sitting: Sitting) -> None:
        felt.append(sitting.session.world.felt)  # type: ignore[attr-defined]

    press, lift = Input("press", "left", 400, 560), Input("lift", "left", 400, 560)
    sitting = sit(
        "puck/twin/1/full",
        (0.0, ENTER),
        (0.2, press),
        (0.1, look),
        (0.0, lift),
        (0.05, press),  # the hand is lifted
        (0.05, lift),
        (0.8, look),
        (0.0, press),
        (0.1, lift),
        (0.8, look),
        (0.0, Input("quit")),
    )
    assert felt == [1, 1, 2]
    assert sitting.session.world.tick == 60 and not sitting.session.world.hand.down
    assert checked(sitting) == []


def test_twin_that_is_left_while_it_moves_verifies() -> None:
    sitting = sit("puck/twin/1/full", (0.0, ENTER), (0.1, Input("press", "left", 400, 560)), (0.1, Input("quit")))
    assert sitting.verdict().ticks == 30 and checked(sitting) == []


def test_acting_twin_moves_while_something_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games.load("puck"), "twin", acting(6))
    ticks: list[int] = []

    def look(sitting: Sitting) -> None:
        ticks.append(sitting.session.world.tick)

    sitting = sit(
        "puck/twin/1/full",
        (0.0, ENTER),
        (0.3, look),
        (0.0, Input("key", "ArrowRight")),
        (1.0, Input("unkey", "ArrowRight")),
        (0.1, look),
        (0.3, look),
        (0.0, Input("quit")),
    )
    assert ticks[0] == 0 and 30 <= ticks[1] <= 75 and ticks[2] == ticks[1]
    assert checked(sitting) == []


@pytest.mark.parametrize(("code", "wish"), [("KeyR", "again"), ("KeyN", "next"), ("Escape", "leave")])
def test_end(code: str, wish: str) -> None:
    steps = [(0.0, ENTER), (0.1, Input("key", "KeyW")), (0.1, Input("key", "KeyX")), (0.1, Input("key", code))]
    sitting = sit("puck/rt/1/full", *steps, (9.0, ENTER), wish=wish)
    assert sitting.verdict().verdict == "won" and checked(sitting) == []


# -------------------------------------------------------------------------------- the window itself


def test_keys_are_places() -> None:
    for code in CODES.values():
        assert key_code(code) == code
    reachable = set(CODES.values())
    for name in games.names():
        game = games.load(name)
        assert {code for code in (*game.keys, *game.verbs) if not code.startswith("Wheel")} <= reachable


@pytest.fixture
def dummy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def test_window_tells_events_in_the_pictures_pixels(dummy: None) -> None:
    import pygame  # noqa: PLC0415 (after the driver has been chosen)

    class Blank:
        def render(self, picture: Picture, width: int, height: int) -> np.ndarray:
            return np.zeros((height, width, 3), np.uint8)

    with Window("test", (WIDTH, HEIGHT), 1.5, Blank()) as window:  # type: ignore[arg-type]
        list(window.inputs(50))
        for event in (
            pygame.event.Event(pygame.KEYDOWN, key=pygame.K_q, scancode=pygame.KSCAN_A),  # a French keyboard's Q
            pygame.event.Event(pygame.KEYUP, key=pygame.K_q, scancode=pygame.KSCAN_A),
            pygame.event.Event(pygame.KEYDOWN, key=0, scancode=999),
            pygame.event.Event(pygame.MOUSEMOTION, pos=(600, 450), rel=(0, 0), buttons=(0, 0, 0)),
            pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(1199, 0), button=3),
            pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(1199, 0), button=3),
            pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(0, 0), button=4),  # the wheel, told twice
            pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1),
            pygame.event.Event(pygame.QUIT),
        ):
            pygame.event.post(event)
        told = list(window.inputs(200))
        assert told[:3] == [Input("key", "KeyA"), Input("unkey", "KeyA"), Input("move", "", 400, 300)]
        assert told[3].kind == "press" and told[3].what == "right" and told[3].x == pytest.approx(799.3, abs=0.1)
        assert [one.kind for one in told[4:]] == ["lift", "notch", "quit"] and told[5].notches == -1
        window.show(Picture())
        window.show_image(np.zeros((640, 800, 3), np.uint8))


def test_play_command_with_synthetic_events(dummy: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pygame  # noqa: PLC0415

    def key(kind: int, scancode: int) -> pygame.event.Event:
        return pygame.event.Event(kind, key=0, scancode=scancode)

    def play() -> None:
        while not pygame.display.get_init() or pygame.display.get_surface() is None:
            time.sleep(0.05)
        time.sleep(1.0)
        for scancode in (pygame.KSCAN_RETURN, pygame.KSCAN_W, pygame.KSCAN_N, pygame.KSCAN_RETURN):
            pygame.event.post(key(pygame.KEYDOWN, scancode))
            time.sleep(0.3)
            pygame.event.post(key(pygame.KEYUP, scancode))
            time.sleep(0.3)
        pygame.event.post(key(pygame.KEYDOWN, pygame.KSCAN_ESCAPE))

    thread = threading.Thread(target=play)
    thread.start()
    bullettime.command("play")(
        args=["puck/rt/1/full", "--scale", "0.5", "--out", str(tmp_path / "run")], standalone_mode=False
    )
    thread.join()
    assert "recorded in" in capsys.readouterr().out
    verdicts = read_verdicts(tmp_path / "run")
    assert [(v.job.seed, v.verdict, v.job.agent) for v in verdicts] == [(1, "won", "human"), (2, "lost", "human")]
    assert all(check(told) == [] for told in told_of(tmp_path / "run", verdicts))


def test_a_suite_is_played_one_after_another_and_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "two.toml").write_text(
        '[[grids]]\nagents = ["oracle"]\ngames = ["puck"]\nlevels = [1]\ntimings = ["rt"]\ntempos = ["live"]\n'
        "seeds = [1, 2, 3]\n"
    )
    steps: list[Step] = [(0.1, Input("key", "Enter")), (0.1, Input("key", "KeyW")), (0.1, Input("key", "KeyN"))]
    scripts = [[*steps, *steps[:2], (0.1, Input("key", "Escape"))], [*steps]]

    @contextlib.contextmanager
    def window(*_: Any) -> Iterator[Screen]:
        yield Screen(scripts.pop(0))

    monkeypatch.setattr(play_command, "Window", window)
    arguments = ["--suite", str(tmp_path / "two.toml"), "--out", str(tmp_path / "run")]
    for played in (2, 3):
        bullettime.command("play")(args=arguments, standalone_mode=False)
        assert len(read_verdicts(tmp_path / "run")) == played
    results = Results.load(tmp_path / "run")
    assert not results.open_jobs() and all(outcome.won for outcome in results.outcomes.values())
    assert {outcome.job.agent for outcome in results.outcomes.values()} == {"human"}


def test_record_is_shown_again_in_a_window(dummy: None) -> None:
    verdict = sit("puck/rt/1/full", (0.0, ENTER), (0.2, Input("key", "KeyW")), (0.1, Input("quit"))).verdict()
    began = time.monotonic()
    show_again(verdict, scale=0.5)
    assert time.monotonic() - began > verdict.ticks / 60


def test_without_a_display_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match="no window can be opened"):
        bullettime.command("play")(args=["puck/rt/1/full", "--out", str(tmp_path)], standalone_mode=False)


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="no Xvfb or no xdotool")
def test_play_on_a_real_display(tmp_path: Path) -> None:
    display = f":{90 + os.getpid() % 900}"
    env = os.environ | {"DISPLAY": display, "PYTHONPATH": str(ROOT)}
    env.pop("SDL_VIDEODRIVER", None)
    server = subprocess.Popen(
        ["Xvfb", display, "-noreset", "-screen", "0", "1000x760x24"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    command = [sys.executable, "-m", "bullettime", "play", "puck/rt/1/full", "--out", str(tmp_path / "run")]
    game = subprocess.Popen(command, cwd=ROOT, env=env, start_new_session=True)
    try:
        _until(lambda: _grab(display).std() > 5, "the window never shows anything")

        def do(*words: str) -> None:
            subprocess.run(["xdotool", *words], env=env, check=True)
            time.sleep(0.3)

        do("mousemove", "500", "380", "click", "1")
        do("mousemove", "300", "200")
        do("keydown", "Left", "sleep", "0.3", "keyup", "Left")
        do("key", "w")
        do("key", "Escape")
        assert game.wait(20) == 0
    finally:
        if game.poll() is None:
            os.killpg(game.pid, signal.SIGKILL)
        server.terminate()
        server.wait(10)
    (told,) = told_of(tmp_path / "run", read_verdicts(tmp_path / "run"))
    assert told.verdict.verdict == "won" and check(told) == []
    moves = [action for line in told.verdict.journal for action in line.get("actions", []) if action["type"] == "move"]
    assert moves[-1]["x"] == pytest.approx(200, abs=2) and moves[-1]["y"] == pytest.approx(120, abs=2)


def _until(true: Callable[[], bool], otherwise: str) -> None:
    for _ in range(120):
        if true():
            return
        time.sleep(0.5)
    pytest.fail(otherwise)


def _grab(display: str) -> np.ndarray:
    """What is on the display; all black while it does not answer."""
    try:
        with av.open(display, format="x11grab", options={"video_size": "1000x760"}) as screen:
            return next(screen.decode(video=0)).to_ndarray(format="rgb24")
    except (av.FFmpegError, StopIteration):
        return np.zeros((1, 1, 3), np.uint8)
