"""The one door: hands, holds, twins and pictures, on a tiny world that writes down what happens to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import pytest

from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import FREE, TAP, Command, Hold, Twin, World, acting, still, turn, until
from harness.actions import parse_line
from harness.errors import BadInput
from harness.session import Configuration, Session, copy_world, digest

STILL = still()


class Level(NamedTuple):
    size: int


@dataclass(kw_only=True)
class Slate(World):
    """A lamp to press, a ball to drag, a key to hold."""

    title = goal = rulebook = "slate"
    seconds = 5
    twin: ClassVar[Twin] = still()
    keys = {"KeyS": Hold("shove"), "KeyB": ("bell",)}
    verbs = {"ArrowRight": "right", "Space": "press", "KeyP": "puff"}
    abilities = twin_abilities = ()
    levels = (Level(20),) * 5

    level: Level
    log: list[str] = field(default_factory=list)
    shoved: int = 0
    flight: int = 0

    @classmethod
    def new(cls, level: Level, dice: Dice) -> Slate:
        return cls(level=level)

    def act(self, command: Command) -> object:
        self.log.append(" ".join(str(word) for word in command))
        if command[0] == "step":
            self.hand.x += 50
            return FREE
        if command[0] == "lamp":
            self.flight = 4
        return None

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command:
        return ("let", grip, start[0], end[0])

    def simple(self, verb: str) -> object:
        return {"right": ("step",), "press": TAP, "puff": Hold("shove", 6)}[verb]

    def drift(self) -> None:
        self.fate.bits()
        self.shoved += self.hand.holds("shove")

    def respond(self) -> bool:
        self.flight = max(0, self.flight - 1)
        return self.flight > 0

    def draw(self, picture: Picture) -> None:
        picture.disc(450, 300, 20, 0xFFFFFF, does=("lamp",))
        picture.disc(100, 100, 20, 0xFF0000, does=Hold("ball"), right=("burst",), wheel=("spin",))

    def progress(self) -> float:
        return 0.0

    def third(self) -> bool:
        return self.tick % 3 == 0


class Door(Session):
    world: Slate


@pytest.fixture(autouse=True)
def _a_clean_slate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Slate, "twin", still())


def session(line: str = "", *, timing: str = "rt", mode: str = "full", twin: Twin = STILL, **more: Any) -> Door:
    Slate.twin = twin
    made = Door(Slate, timing, 1, mode, 1, **more)
    if line:
        made.submit(parse_line(line))
    return made


def test_a_press_on_a_shape_is_its_command_and_a_drag_what_letting_go_means() -> None:
    door = session("click 450 300; drag 100 100 300 200; right 100 100; scroll 100 100 -1; key b; click 5 500")
    door.settle()
    assert door.world.log == ["lamp", "let ball 100.0 300.0", "burst", "spin 1", "bell"]


def test_an_instant_act_takes_no_time() -> None:
    door = session("click 450 300")
    assert (door.world.log, door.world.tick, door.busy) == (["lamp"], 0, False)


def test_a_hold_lasts_its_time_and_is_let_go() -> None:
    door = session("hold s 500")
    door.settle()
    assert (door.world.shoved, door.world.tick, door.world.hand.held) == (30, 30, {})


def test_a_key_that_stays_down_works_over_later_acts() -> None:
    door = session("keydown s")
    for _ in range(7):
        door.step()
    door.submit(parse_line("keyup s"))
    door.step()
    assert door.world.shoved == 7


def test_two_keys_on_one_grip_hold_until_both_are_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(Slate.keys, "KeyD", Hold("shove"))
    door = session()
    door.submit(parse_line("keydown s; keydown d; keyup s"))
    door.step()
    assert door.world.shoved == 1
    door.submit(parse_line("keyup d"))
    assert door.world.log == ["let shove 400.0 400.0"]


def test_verbs_step_press_and_puff() -> None:
    door = session("key Right 17; key Space 17; key p 17", mode="simple")
    door.settle()
    assert door.world.log[:2] == ["step", "lamp"]
    assert door.world.shoved == 6  # a puff lasts its own ticks, not the tap's


def test_a_refused_act_has_no_effect() -> None:
    door = session()
    before = door.digest()
    with pytest.raises(BadInput):
        door.submit(parse_line("click 450 300; click 900 0"))
    assert (door.digest(), door.acts) == (before, 0)


def test_time_runs_out_and_can_be_lifted() -> None:
    timed, lifted = session(), session(limit=False)
    for _ in range(400):
        timed.step()
        lifted.step()
    assert (timed.world.verdict, timed.world.reason, timed.world.tick) == ("lost", "time", 300)
    assert lifted.world.tick == 400
    with pytest.raises(BadInput, match="over"):
        timed.submit(parse_line("wait 1"))


def test_the_cap_on_acts_ends_an_idle_twin() -> None:
    door = session(timing="twin", cap=3)
    for _ in range(3):
        assert not door.over
        door.submit(parse_line("pass"))
        door.settle()
    assert (door.world.verdict, door.world.reason) == ("lost", "acts")


def test_overlapping_acts_do_not_put_the_cap_off() -> None:
    door = session(cap=3)
    for _ in range(3):
        door.submit(parse_line("wait 500"))
        door.step()
    assert not door.over and door.busy
    door.submit(parse_line("click 450 300"))
    assert (door.world.verdict, door.world.reason, door.world.log) == ("lost", "acts", [])


@pytest.mark.parametrize(
    ("twin", "line", "granted"),
    [
        (still(), "click 450 300", 0),
        (turn(9), "click 450 300", 9),
        (turn(9), "click 450 300; click 450 300; pass", 27),
        (turn(9), "drag 100 100 300 300 400", 9),
        (turn(9), "move 30 30 200; keydown s; wait 100", 0),
        (until("third"), "click 450 300", 3),
        (acting(12), "click 450 300", 0),
        (acting(12), "hold s 200", 12),
        (acting(12), "wait 100", 6),
        (acting(12), "keydown s", 0),
        (acting(12), "key Period 500", 30),
    ],
)
def test_twins_grant_the_time_that_their_policy_says(twin: Twin, line: str, granted: int) -> None:
    door = session(timing="twin", twin=twin)
    start = door.world.tick
    door.submit(parse_line(line))
    door.settle()
    assert door.world.tick - start == granted
    assert not door.world.hand.lifted
    assert twin.kind == "acting" or door.world.flight == 0  # there it takes time like all else


def test_a_free_act_grants_nothing() -> None:
    door = session("key Right", timing="twin", mode="simple", twin=turn(9))
    door.settle()
    assert door.world.tick == 0


def test_what_is_held_holds_nothing_while_a_twin_runs() -> None:
    door = session("keydown s; click 450 300", timing="twin", twin=turn(9))
    assert door.busy
    with pytest.raises(BadInput, match="moving"):
        door.submit(parse_line("click 450 300"))
    door.settle()
    assert door.world.shoved == 0 and "shove" in door.world.hand.held


def test_until_opens_at_its_first_rest() -> None:
    assert session(timing="twin", twin=until("third")).world.tick == 3


def test_a_simple_pass_lasts_the_acting_twins_length() -> None:
    door = session("pass", timing="twin", mode="simple", twin=acting(12))
    door.settle()
    assert door.world.tick == 12


def test_a_copy_is_everything() -> None:
    door = session("hold s 500")
    other = Session(type(door.world), "rt", 1, "full", 1, world=copy_world(door.world))
    for each in (door, other):
        each.settle()
    assert door.digest() == other.digest()


def test_another_future_has_the_same_present() -> None:
    one, other = session(), session(future="b")
    assert one.world.fate != other.world.fate
    other.world.fate = one.world.fate
    assert digest(one.world) == digest(other.world)


def test_the_crosshair_is_left_out_where_verbs_do_not_point(monkeypatch: pytest.MonkeyPatch) -> None:
    def shapes(mode: str) -> int:
        return len(session(mode=mode).picture().shapes)

    pointed, arrow = shapes("simple"), shapes("full")
    monkeypatch.setattr(Slate, "crosshair", False)
    assert shapes("simple") < pointed and shapes("full") == arrow


def test_frames_are_spaced_in_real_time_and_spread_over_motion_in_twins() -> None:
    live = session()
    for _ in range(40):
        live.step()
    assert [shot.tick for shot in live.frames(3, 9)] == [22, 31, 40]
    rested = session("click 450 300", timing="twin", twin=turn(30))
    rested.settle()
    assert [shot.tick for shot in rested.frames(3, 9)] == [0, pytest.approx(15, abs=2), 30]
    rested.mark()
    assert [shot.tick for shot in rested.frames(3, 9)] == [30, 30, 30]


@pytest.mark.parametrize("text", ["a/b", "no_game/rt/1/full", ""])
def test_a_bad_configuration_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="config"):
        Configuration.parse(text)
