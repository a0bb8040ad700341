"""What an episode's records say of its times is held against its journal."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from harness.confirm import Told, check
from harness.replay import read_verdicts, told_of
from tests.test_sweep import ODD, command, grid

Change = Callable[[Told], Told]


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> list[Told]:
    """Of a player over the wire, an oracle that thinks, and one that is as late as a person; three tempos and twins."""
    place = tmp_path_factory.mktemp("run")
    (place / "looker.py").write_text(
        "class Looker:\n"
        "    def __init__(self, hello):\n        self.turn = 0\n"
        "    def act(self, seen):\n        self.turn += 1\n        return 'wait 100' if self.turn % 3 else None\n"
    )
    names = ["python:looker:Looker", "oracle@1s", "oracle"]
    plan = grid(place / "g.toml", agents=names, seeds=[1], tempos=["live", "4x", "paused"])
    command("sweep", plan, "--out", place / "sweep", PYTHONPATH=str(place))
    return told_of(place / "sweep", read_verdicts(place / "sweep"))


@pytest.fixture(autouse=True)
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLETTIME_GAMES_DIR", str(ODD))


def one(episodes: list[Told], agent: str, tempo: str, timing: str = "rt") -> Told:
    (found,) = (
        told
        for told in episodes
        if (told.verdict.job.agent, told.verdict.job.tempo, told.verdict.job.timing) == (agent, tempo, timing)
    )
    return found


def with_act(**change: Any) -> Change:
    """The first act that has one before it, changed: each number by so much."""

    def make(told: Told) -> Told:
        first, second, *rest = told.acts
        other = {name: (getattr(second, name) or 0) + more for name, more in change.items()}
        return told._replace(acts=[first, msgspec.structs.replace(second, **other), *rest])

    return make


def with_verdict(**change: Any) -> Change:
    return lambda told: told._replace(verdict=msgspec.structs.replace(told.verdict, **change))


def with_tempo(tempo: str) -> Change:
    """As if played at another tempo, its name and all."""

    def make(told: Told) -> Told:
        job = msgspec.structs.replace(told.verdict.job, tempo=tempo)
        return with_verdict(job=job, episode=job.key)(told)

    return make


def test_honest_records_are_confirmed(episodes: list[Told]) -> None:
    assert len(episodes) == 12 and all(len(told.acts) > 1 for told in episodes)
    assert [found for told in episodes for found in check(told)] == []


@pytest.mark.parametrize("agent", ["python:looker:Looker", "oracle@1s", "oracle"])
@pytest.mark.parametrize(
    ("tempo", "change", "place"),
    [
        ("live", with_tempo("4x"), "act"),
        ("4x", with_tempo("live"), "act"),
        ("paused", with_tempo("live"), "act"),
        ("live", with_tempo("paused"), ""),
        ("live", with_act(thinking_us=50_000), "thinking"),
        ("4x", with_act(stale_us=777), "staleness of act 2"),
        ("live", with_act(game_us=1), "game time of act 2"),
        ("live", lambda told: told._replace(acts=told.acts[1:]), "acts told of"),
        ("live", with_verdict(thinking_us=5), "thinking"),
    ],
)
def test_times_that_do_not_fit_are_found(
    episodes: list[Told], agent: str, tempo: str, change: Change, place: str
) -> None:
    found = check(change(one(episodes, agent, tempo)))
    assert found and place in found[0].place


def test_thinking_that_was_made_less_is_found_where_nothing_hides_it(episodes: list[Told]) -> None:
    told = one(episodes, "python:looker:Looker", "live")
    plain = next(number for number, act in enumerate(told.acts) if act.thinking_us > 10 and number % 2 == 0)
    acts = [
        msgspec.structs.replace(act, thinking_us=act.thinking_us - 10) if number == plain else act
        for number, act in enumerate(told.acts)
    ]
    (found,) = check(told._replace(acts=acts))
    assert found.place.startswith("thinking of act")


def test_thinking_beyond_what_calls_were_charged_for_is_found(episodes: list[Told]) -> None:
    told = with_verdict(thinking="told")(one(episodes, "python:looker:Looker", "live"))
    assert "its calls" in check(told)[0].replayed
    assert check(told._replace(charged_us=told.verdict.thinking_us)) == []


def test_a_slow_world_takes_its_wall_time(episodes: list[Told]) -> None:
    told = one(episodes, "python:looker:Looker", "live")
    job = msgspec.structs.replace(told.verdict.job, drive="wall")
    made = with_verdict(job=job, episode=job.key, wall_us=told.verdict.game_us - 1)(told)
    assert check(made)[0].place == "wall time in µs"


def test_findings_are_plain(episodes: list[Told]) -> None:
    (found,) = check(with_tempo("4x")(one(episodes, "oracle@1s", "live")))
    assert json.loads(json.dumps(found._asdict()))["episode"] == found.episode
