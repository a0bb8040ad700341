"""The agents that come along do what their names say, by what they are shown and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import games
from games.kit.picture import Picture
from harness import agents
from harness.actions import from_plain
from harness.agents import oracle, vision
from harness.agents.simple import play_idle, play_random
from harness.agents.tracker import push
from harness.episode import Episode
from harness.painter.gl import Painter
from harness.plan import plan_act
from harness.results.analysis import agent_order
from harness.results.records import Act, Verdict
from harness.session import Configuration, Session
from harness.suite import Conditions, Job
from harness.wire.client import SyncClient, run_sync
from harness.wire.protocol import Open
from tests.wire import serving

ODD = Path(__file__).parent / "odd"
CODED = [name for name in games.names() if "glyph code" in games.load(name).goal]


class Deaf:
    """A client of a world that never ends by itself, for so many acts."""

    def __init__(self, acts: int, **hello: Any) -> None:
        self.left, self.acts = acts, list[Any]()
        self._hello = {"timing": "rt", "mode": "full", "pointer": True, "screen": (800, 600), "keys": {}} | hello

    def hello(self) -> dict[str, Any]:
        return self._hello

    def begin(self, **view: Any) -> Deaf:
        assert view == {"frames": 0}
        return self

    def act(self, actions: Any, **view: Any) -> Deaf:
        self.acts.append(actions)
        return self

    @property
    def over(self) -> bool:
        return len(self.acts) == self.left


def acts_of(player: Any, seed: int = 1, acts: int = 300, **hello: Any) -> list[Any]:
    client = Deaf(acts, **hello)
    player(client, seed)
    return client.acts


# -------------------------------------------------------------------------------- those that know nothing


def test_random_is_random_and_repeatable() -> None:
    keys = {"Period": "pass", "KeyA": "ring"}
    first = acts_of(play_random, keys=keys)
    assert first == acts_of(play_random, keys=keys) != acts_of(play_random, seed=2, keys=keys)
    assert len({str(act) for act in first}) > 250
    used = {action["type"] for act in first for action in act}
    assert used == {"click", "move", "drag", "scroll", "key", "key_hold", "wait"}


@pytest.mark.parametrize("mode", ["full", "simple"])
def test_random_does_only_what_is_allowed(mode: str) -> None:
    keys = {"Period": "pass", "Space": "press", "ArrowLeft": "left"}
    acts = acts_of(play_random, mode=mode, pointer=mode == "full", keys=keys)
    for act in acts:
        plan_act(from_plain(act), mode=mode, space="px", hand=(400, 300))
    assert {key for act in acts for action in act for key in action.get("keys", [])} == keys.keys()


def test_idle_waits_and_in_a_twin_passes() -> None:
    assert {str(act) for act in acts_of(play_idle)} == {str([{"type": "wait", "ms": 1000.0}])}
    twin = acts_of(play_idle, timing="twin")
    assert {str(act) for act in twin} == {str([{"type": "key", "keys": ["Period"]}])}


# -------------------------------------------------------------------------------- oracles


def play(name: str, config: str, tempo: str = "live") -> tuple[Verdict, list[Act]]:
    acts: list[Act] = []
    job = Job(name, config, tempo, "metered", 3, Conditions())
    return oracle.play(job, agents.parse(name), 1, acts.append), acts


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("BULLETTIME_GAMES_DIR", str(ODD))
    yield


@pytest.mark.parametrize(
    ("name", "config", "tempo", "stale_us", "thinking_us"),
    [
        ("oracle", "bell/rt/1/full", "live", 250_000, 250_000),
        ("oracle", "bell/rt/1/full", "5x", 50_000, 250_000),
        ("oracle", "bell/rt/1/full", "paused", 0, 0),
        ("oracle", "bell/twin/1/full", "live", 0, 0),
        ("oracle@0.5s", "bell/rt/1/simple", "live", 500_000, 500_000),
        ("oracle@8s", "bell/rt/1/full", "16x", 500_000, 8_000_000),
        ("oracle@8s", "bell/rt/1/full", "paused", 0, 8_000_000),
        ("oracle@8s", "bell/twin/1/full", "live", 0, 8_000_000),
    ],
)
def test_oracles_are_as_late_as_they_are_told(
    odd: None, name: str, config: str, tempo: str, stale_us: int, thinking_us: int
) -> None:
    verdict, acts = play(name, config, tempo)
    assert verdict.verdict == "won" and verdict.acts == len(acts) == 3
    assert {(act.stale_us, act.thinking_us) for act in acts} == {(stale_us, thinking_us)}
    assert verdict.thinking_us == 3 * thinking_us
    again = Session(*Configuration.parse(config), 3, keep=0)
    assert again.digest() == verdict.digest_first
    for _ in Episode.replay(again, verdict.entries()):
        pass
    assert again.digest() == verdict.digest_last


def test_too_late_an_oracle_loses_to_time(odd: None) -> None:
    verdict, _ = play("oracle@8s", "bell/rt/1/full")
    assert (verdict.verdict, verdict.reason) == ("lost", "time")


def test_a_crash_is_the_oracles_and_a_broken_rule_is_not(odd: None) -> None:
    verdict, _ = play("oracle", "bell/rt/3/full")
    assert verdict.verdict == "lost" and "LookupError" in verdict.reason
    for timing in ("rt", "twin"):
        with pytest.raises(oracle.GameFailed, match="a broken rule"):
            play("oracle", f"bell/{timing}/4/full")


# -------------------------------------------------------------------------------- the tracker


def drawn(*, due: int, lit: int) -> Picture:
    """A code of four letters in boxes, one of them framed brightly, and discs that bear them and others."""
    picture = Picture()
    picture.background(0x102030, 0x080C10)
    for index, letter in enumerate("RΣ5Ж"):
        x = 337 + 42 * index
        edge, width = (0xFFE7BF, 3.0) if index == due else (0x2A6775, 1.5)
        picture.box(x, 78, 36, 38, 0xFFB03B if index < lit else 0x0C2C37, radius=7, edge=edge, edge_width=width)
        picture.text(x, 78, letter, 23, 0x061018 if index < lit else 0x8FBCC4, bold=True)
    for index, letter in enumerate("ΛЖQ5ЮRΣ2"):
        x, y = 120 + 80 * index, 260 + 30 * (index % 3)
        picture.disc(x, y, 30, 0x17505E, edge=0x3C8796, edge_width=3)
        picture.text(x, y, letter, 31, 0xFFB03B, bold=True)
    return picture


@pytest.fixture(scope="module")
def painter() -> Iterator[Painter]:
    painter = Painter()
    yield painter
    painter.close()


@pytest.mark.parametrize(("due", "place"), [(0, 5), (1, 6), (2, 3), (3, 1)])
def test_the_due_glyph_is_found_on_its_disc(painter: Painter, due: int, place: int) -> None:
    brightness = vision.grey(painter.render(drawn(due=due, lit=due)))
    row = vision.find_row(brightness)
    assert [round(box.x + box.w / 2) for box in row] == pytest.approx([337, 379, 421, 463], abs=2)
    assert vision.brightest_frame(brightness, row) == due
    box = row[due]
    glyph = vision.glyph_of(brightness, box.x + box.w / 2, box.y + box.h / 2, box.w - 10, box.h - 10)
    assert glyph is not None
    discs = [disc for disc in vision.find_discs(brightness) if disc.y > 200]
    assert len(discs) == 8
    seen = {disc: vision.glyph_of(brightness, disc.x, disc.y, 1.3 * disc.r, 1.3 * disc.r) for disc in discs}
    best = max(discs, key=lambda disc: float(glyph @ other) if (other := seen[disc]) is not None else -1.0)
    assert (best.x, best.y) == pytest.approx((120 + 80 * place, 260 + 30 * (place % 3)), abs=2)


def test_no_code_where_there_is_none(painter: Painter) -> None:
    picture = Picture()
    picture.background(0x102030)
    picture.box(400, 78, 36, 38, 0x0C2C37, edge=0xFFFFFF, edge_width=3)
    brightness = vision.grey(painter.render(picture))
    assert vision.find_row(brightness) == [] and vision.find_discs(brightness) == []


def test_what_moves_is_seen() -> None:
    before, after = np.zeros((300, 400), np.uint8), np.zeros((300, 400), np.uint8)
    assert vision.moving_place(before, after, 24) is None
    after[100:120, 200:230] = 200
    after[0:20] = 255  # the HUD
    assert vision.moving_place(before, after, 24) == pytest.approx((214.5, 109.5), abs=1)


def test_keys_are_pushed_by_their_names() -> None:
    hello = {"keys": {"KeyA": "wheel left", "KeyD": "wheel right", "KeyW": "up", "Period": "pass"}}
    assert push(hello, 0.3, 0.1) == [{"type": "key_hold", "keys": ["KeyD"], "ms": 300.0}]
    assert push(hello, -0.3, 0.1) == [{"type": "key_hold", "keys": ["KeyA"], "ms": 300.0}]
    assert push(hello, 0.1, -0.3) == [{"type": "key_hold", "keys": ["KeyW"], "ms": 300.0}]
    assert push(hello, 0.1, 0.3) is None and push(hello, 0.01, 0.01) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", CODED)
def test_the_tracker_wins_where_a_code_is_to_be_entered(name: str) -> None:
    won = 0
    with serving() as server:
        for timing, seed in [("twin", 100), *(("rt", seed) for seed in range(10))]:
            opening = Open(config=f"{name}/{timing}/1/full", seed=seed, drive="metered")
            opened = run_sync(server.open(opening))
            with SyncClient.connect(opened.ticket) as client:
                agents.player("tracker")(client, 0)
                won += client.end().won
    assert won >= 6


def test_names_are_in_order() -> None:
    names = ["idle", "oracle@8s", "tracker", "oracle", "oracle@1s", "someone"]
    ordered = ["oracle", "oracle@1s", "oracle@8s", "someone", "tracker", "idle"]
    assert sorted(names, key=agent_order) == ordered
