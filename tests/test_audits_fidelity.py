"""The audits of fidelity and palettes must catch games that are broken on purpose, and pass a sound one."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from audit import kit
from audit.sameness import fma
from harness.session import Configuration

MUTANTS = Path(__file__).parent / "mutants"
BROKEN = [  # game, audit, figures that must be found wrong
    ("counted", "fidelity", {"run_twice"}),
    ("library_sine", "fidelity", {"elsewhere"}),
    ("drawn_on", "fidelity", {"drawn"}),
    ("blank", "fidelity", {"blank"}),
    ("unreadable", "fidelity", {"type_px", "contrast", "cut_off", "touching"}),
    ("padded", "fidelity", {"border"}),
    ("padded_ball", "fidelity", {"border"}),
    ("own_test", "fidelity", {"inner_border"}),
    ("pumped", "fidelity", {"coarse"}),
    ("hasty", "fidelity", {"quick_drags"}),
    ("stuck", "fidelity", {"stuck"}),
    ("red_green", "palettes", {"deuteranopia"}),
    ("red_sign", "palettes", {"deuteranopia", "text_protanopia"}),
]


@pytest.fixture(autouse=True)
def mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(games.OUTSIDE, str(MUTANTS))


def measure(name: str, configuration: str, evidence: str = "") -> kit.Result:
    return kit.carry_out(kit.Task(name, Configuration.parse(configuration), 1, evidence))


@pytest.mark.parametrize(("game", "name", "figures"), BROKEN, ids=[f"{game}-{name}" for game, name, _ in BROKEN])
def test_a_broken_game_is_caught(game: str, name: str, figures: set[str], tmp_path: Path) -> None:
    if game == "library_sine" and not fma():
        pytest.skip("no fused multiply-add here to be without")
    result = measure(name, f"{game}/rt/3/full", str(tmp_path))
    found = {finding.figure: finding for finding in result.findings}
    assert figures <= found.keys(), result.figures
    assert found.keys() <= figures | {"replayed", "copied", "drawn", "elsewhere", "drags_differ"}, "and nothing else"
    for figure in figures & {"run_twice", "elsewhere", "contrast", "border", "inner_border", "coarse"}:
        assert Path(found[figure].evidence).stat().st_size


@pytest.mark.parametrize("name", ["fidelity", "palettes"])
@pytest.mark.parametrize("configuration", ["clear/rt/3/full", "clear/rt/1/simple", "clear/twin/3/full"])
def test_a_sound_game_passes(name: str, configuration: str) -> None:
    result = measure(name, configuration)
    assert result.figures and not result.findings, result.figures
