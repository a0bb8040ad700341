"""The audits of time must catch games that are broken on purpose, and pass a sound one. See tests/mutants."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
import bullettime
import games
from audit import kit
from audit.reaction import GRID, budget
from harness.session import Configuration

MUTANTS = Path(__file__).parent / "mutants"
SEEDS = 6
BROKEN = [  # game, audit, figures that must be found wrong
    ("jumping", "solvable", {"lag"}),
    ("jumping", "strict", {"prompt"}),
    ("slow", "open_loop", {"replayed", "planned"}),
    ("slow", "strict", {"late_5s", "slow_s"}),
    ("periodic", "open_loop", {"replayed", "planned"}),
    ("periodic", "strict", {"late_5s", "slow_s"}),
    ("spammed", "open_loop", {"fixed"}),
    ("spammed", "idle", {"mash"}),
    ("held_brake", "brakes", {"brakes"}),
    ("resting_brake", "brakes", {"brakes"}),
    ("tapped_brake", "brakes", {"brakes"}),
    ("valve", "brakes", {"idle_tenth"}),
    ("valve", "idle", {"set_and_leave", "leave_early"}),
    ("valve", "strict", {"late_5s"}),
    ("unattended", "idle", {"idle"}),
    ("deadline", "strict", {"deadline"}),
    ("fatal", "strict", {"fatal", "won_back"}),
    ("hopeless", "strict", {"won_back"}),
]


@pytest.fixture(autouse=True)
def mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(games.OUTSIDE, str(MUTANTS))


def measure(name: str, configuration: str, evidence: str = "") -> kit.Result:
    seeds = 1 if name == "brakes" else SEEDS
    return kit.carry_out(kit.Task(name, Configuration.parse(configuration), seeds, evidence))


@pytest.mark.parametrize(("game", "name", "figures"), BROKEN, ids=[f"{game}-{name}" for game, name, _ in BROKEN])
def test_a_broken_game_is_caught(game: str, name: str, figures: set[str], tmp_path: Path) -> None:
    result = measure(name, f"{game}/rt/3/full", str(tmp_path))
    found = {finding.figure: finding for finding in result.findings}
    assert figures <= found.keys(), result.figures
    for figure in figures & {"lag", "replayed", "fixed", "mash", "brakes", "idle", "deadline"}:
        assert Path(found[figure].evidence).stat().st_size
    assert "brakes" not in figures or list(tmp_path.glob("*.png"))


@pytest.mark.parametrize("name", ["solvable", "strict", "open_loop", "brakes", "idle"])
@pytest.mark.parametrize("configuration", ["firefly/rt/3/full", "firefly/rt/1/simple", "firefly/twin/3/full"])
def test_a_sound_game_passes(name: str, configuration: str) -> None:
    if not getattr(audit.load(name), "applies", lambda _: True)(Configuration.parse(configuration)):
        pytest.skip("for real time only")
    if configuration.endswith("simple") and name in ("strict", "open_loop"):
        pytest.skip("takes long")
    result = measure(name, configuration)
    assert result.figures and not result.findings, result.figures


def test_a_crash_is_a_finding(tmp_path: Path) -> None:
    result = measure("solvable", "valve/twin/1/full", str(tmp_path))
    assert [finding.figure for finding in result.findings] == ["crash"]
    assert "the oracle is stuck" in Path(result.findings[0].evidence).read_text()


def test_seeds_follow_from_the_rules() -> None:
    assert kit.draw_seeds("firefly", 5) == kit.draw_seeds("firefly", 6)[:5]
    assert not set(kit.draw_seeds("firefly", 9)) & set(kit.draw_seeds("fatal", 9))
    assert all(0 <= seed < 2**53 for seed in kit.draw_seeds("firefly", 9))


@pytest.mark.parametrize("true", [0.3, 1.0, 4.0])
def test_the_reaction_budget_is_found(true: float) -> None:
    chance = np.random.default_rng(1)
    counts = {d: (int(chance.binomial(200, 1 / (1 + (d / true) ** 3))), 200) for d in GRID}
    found = budget(counts)
    assert found["low"] < 1.05 * true < 1.1 * found["high"] and found["high"] / found["low"] < 1.4
    assert found["s"] == pytest.approx(true, rel=0.15) and not found["censored"]


@pytest.mark.parametrize(("won", "censored", "s"), [(0, "below", 0.1), (12, "above", 10.0)])
def test_a_reaction_budget_outside_the_grid_is_censored(won: int, censored: str, s: float) -> None:
    found = budget({delay: (won, 12) for delay in GRID})
    assert (found["censored"], found["s"]) == (censored, s)


def test_the_command_tells_findings_by_its_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int | str | None, list[dict[str, Any]]]:
        some = ["--levels", "3", "--modes", "full", "--timings", "rt", "--seeds", "3", "--jobs", "2", "--json"]
        monkeypatch.setattr(sys, "argv", ["bullettime", "audit", *arguments, *some])
        with pytest.raises(SystemExit) as ended:
            bullettime.main()
        return ended.value.code, json.loads(capsys.readouterr().out)

    status, found = run("solvable", "idle", "--games", "firefly,unattended")
    results = {(each["audit"], each["subject"]): each for each in found}
    assert status == 1
    assert not results["idle", "firefly/rt/3/full"]["findings"]
    assert results["idle", "unattended/rt/3/full"]["findings"][0]["figure"] == "idle"
    assert results["solvable", "firefly"]["figures"]["rt"] == 1
    assert run("solvable", "--games", "firefly")[0] == 0


@pytest.mark.parametrize("name", audit.names())
def test_an_audit_says_what_it_is(name: str) -> None:
    module = audit.load(name)
    assert module.SEEDS > 0 and module.__doc__
    assert f"`{name}`" in (Path(audit.__file__).parents[1] / "docs/audits.md").read_text()
