"""What a new player is told: the gestures of a game, its keys, its time, and the action language."""

from __future__ import annotations

from typing import Any

import pytest

import bullettime
import games
from clock.tempo import Tempo
from configs import DEFAULTS
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import Command, Hold, World, still
from harness.actions import FORMS, parse_line
from harness.controls import find_gestures, gestures, time_told
from harness.keys import key_code, key_name
from harness.session import build
from harness.wire import shell


class Booth(World):
    """Shows something new to press after five seconds."""

    title, goal, rulebook, seconds, twin, levels = "Booth", "Press.", "It is so.", 60, still(), (1,) * 5
    keys = {"KeyW": ("go",), "KeyA": Hold("left"), "WheelUp": ("out",)}

    @classmethod
    def new(cls, level: int, dice: Dice) -> Booth:
        return cls(level=level)

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        return ("drop",) if grip == "knob" or start != end else None

    def draw(self, picture: Picture) -> None:
        picture.disc(100, 300, 40, 0xFFFFFF, does=Hold("knob"), right=("turn",))
        if self.tick > 300:
            picture.disc(400, 300, 40, 0xFFFFFF, does=Hold("sack"))


class Wheel(Booth):
    keys = {}
    let = World.let


def test_gestures_are_found_in_pictures_and_keys() -> None:
    assert find_gestures(Booth) == ("click", "drag", "right click", "wheel", "tap keys", "hold keys")
    assert find_gestures(Wheel) == ("hold", "right click")


@pytest.mark.parametrize("name", games.names())
def test_every_game_has_gestures_that_can_be_written(name: str) -> None:
    found = gestures(name)
    assert found and set(found) <= shell.WRITTEN.keys()


@pytest.mark.parametrize("code", ["KeyW", "Digit1", "Period", "Space", "ArrowLeft", "ShiftLeft", "F5", "BracketLeft"])
def test_keys_have_short_names_that_are_read_back(code: str) -> None:
    assert key_code(key_name(code)) == code
    assert len(key_name(code)) <= len(code)


def test_the_time_is_told() -> None:
    world = build(games.load(games.names()[0]), 1, 1)

    def told(tempo: str, *, realtime: bool = True) -> str:
        return time_told(world, Tempo.parse(tempo), 300, realtime=realtime)

    assert "does not wait" in told("live")
    assert "7.5 times slower" in told("7.5x")
    assert "300 ms more" in told("paused")
    assert told("live", realtime=False) == told("4x", realtime=False) and "twin" in told("live", realtime=False)


def hello(**more: Any) -> dict[str, Any]:
    plain = {"title": "Booth", "goal": "Press.", "rulebook": "It is so.", "timing": "rt", "level": 1, "mode": "full"}
    plain["controls"] = "Pull it."
    controls = {"keys": {"KeyW": "go", "Period": "pass"}, "gestures": ["drag", "tap keys"]}
    return plain | controls | {"seconds": 60, "time": "It runs."} | more


def test_a_session_is_told_in_words() -> None:
    told = shell._told(hello())
    for part in (
        "real time, level 1",
        "Press.",
        "It is so.",
        "Pull it.",
        "It runs.",
        "drag X1 Y1 X2 Y2",
        "key NAME",
        "  W  go",
    ):
        assert part in told
    assert "pass" not in told and "click X Y" not in told
    assert "  .  pass" in shell._told(hello(timing="twin"))
    assert "Keys" not in shell._told(hello(keys={}))


@pytest.fixture(scope="module")
def help_of_act() -> list[str]:
    text = bullettime.command("act").get_help(bullettime.command("act").make_context("act", ["pass"]))
    return [line.strip() for line in text.splitlines()]


@pytest.mark.parametrize("word", FORMS)
def test_help_spells_every_action(help_of_act: list[str], word: str) -> None:
    usage, _ = FORMS[word]
    assert any(line.startswith(f"{usage} ") for line in help_of_act), usage


def test_help_gives_the_true_lengths_and_examples_that_work(help_of_act: list[str]) -> None:
    text = " ".join(help_of_act)
    assert f"in {DEFAULTS.drag_ms:g} ms" in text and f"for {DEFAULTS.key_ms:g} ms" in text and DEFAULTS.click_ms == 0
    assert f"at most {DEFAULTS.max_act_ms / 1000:g} s" in text
    examples = [line.split("'")[1] for line in help_of_act if line.startswith("bullettime act '")]
    assert len(examples) > 3 and all(parse_line(line) for line in examples)
    assert max(map(len, help_of_act)) < 80
