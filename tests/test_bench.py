"""The benchmark measures what it says, whatever the figures are."""

from __future__ import annotations

import json

import pytest

import bullettime
import games
from harness import bench, stopwatch
from harness.errors import UserError

GAME = games.names()[0]


def measure(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, float]:
    bullettime.command("bench")(args=["--games", GAME, "--json", *arguments], standalone_mode=False)
    return json.loads(capsys.readouterr().out)["measures"]


def test_only_what_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    assert measure(capsys, "--only", "tick_us").keys() == {f"tick_us.{GAME}", "tick_us.median"}
    with pytest.raises(UserError, match="nothing begins with"):
        measure(capsys, "--only", "speed")


def test_pictures_show_the_act(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "MOVES", 10)
    monkeypatch.setattr(bench, "OPENINGS", 3)
    monkeypatch.setattr(bench, "CROWD", 2)
    monkeypatch.setattr(bench, "CROWD_S", 1.0)
    monkeypatch.setattr(bench, "CLOCK_S", 1.0)
    figures = measure(capsys, "--workers", "1")
    assert figures["effect_in_frame"] == 1
    kind = bench.kind_of(GAME)
    wanted = {f"rtt_ms.{format}.{GAME}.{share}" for format in ("png", "jpeg") for share in ("p50", "p99", "fresh_p50")}
    wanted |= {f"concurrent.{kind}.{part}" for part in ("p50", "p99", "tainted", "lateness_p99_ms")}
    wanted |= {"clock.max_error_ticks", "clock.drift_ms", f"first_frame_ms.{kind}", f"render_ms.{GAME}"}
    assert wanted <= figures.keys()
    assert figures["clock.max_error_ticks"] <= 1


def test_targets() -> None:
    assert bench.Measure("rtt_ms.png.x.p50", 3.9, 4.0).met and not bench.Measure("rtt_ms.png.x.p50", 4.1, 4.0).met
    assert bench.Measure("effect_in_frame", 1.0, 1.0).met and not bench.Measure("effect_in_frame", 0.99, 1.0).met
    assert bench.Measure("gym_sps.84x84.x", 2001, 2000).met and not bench.Measure("gym_sps.84x84.x", 1999, 2000).met
    assert bench.Measure("anything", 1e9, None).met


def test_environments_need_their_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "find_spec", lambda name: None)
    assert stopwatch.time_environments([GAME], told=False) == {}
    with pytest.raises(UserError, match="Gymnasium"):
        stopwatch.time_environments([GAME], told=True)
