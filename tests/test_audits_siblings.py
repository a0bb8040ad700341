"""The audits of twins, modes and levels must catch games that are broken on purpose, and pass a sound one."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from audit import kit
from harness.session import Configuration

MUTANTS = Path(__file__).parent / "mutants"
SEEDS = 4
BROKEN = [  # configuration, audit, figures that must be found wrong
    ("lenient/twin/3/full", "twin", {"tolerance"}),
    ("overheard/twin/3/full", "twin", {"heard"}),
    ("fidgety/twin/3/full", "twin", {"changed"}),
    ("named/rt/3/simple", "modes", {"followed", "late"}),
    ("snatched/rt/3/simple", "modes", {"late"}),
    ("tracking/rt/3/simple", "modes", {"hand_drifts", "late"}),
]
SOUND = [
    ("firefly/twin/3/full", "twin"),
    ("firefly/twin/1/simple", "twin"),
    ("waiting/twin/3/full", "twin"),
    ("firefly/rt/3/simple", "modes"),
]


@pytest.fixture(autouse=True)
def mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(games.OUTSIDE, str(MUTANTS))


@pytest.mark.parametrize(("configuration", "name", "figures"), BROKEN, ids=[each[0] for each in BROKEN])
def test_a_broken_game_is_caught(configuration: str, name: str, figures: set[str], tmp_path: Path) -> None:
    result = kit.carry_out(kit.Task(name, Configuration.parse(configuration), SEEDS, str(tmp_path)))
    found = {finding.figure: finding for finding in result.findings}
    assert figures <= found.keys(), result.figures
    for figure in figures:
        assert Path(found[figure].evidence).stat().st_size


@pytest.mark.parametrize(("configuration", "name"), SOUND)
def test_a_sound_game_passes(configuration: str, name: str) -> None:
    result = kit.carry_out(kit.Task(name, Configuration.parse(configuration), SEEDS, ""))
    assert result.figures and not result.findings, result.figures


@pytest.mark.parametrize(
    ("game", "levels", "figures"),
    [
        ("ladder", (1, 5), set()),
        ("repeated", (2, 5), {"full_repeats", "full_fall", "axes"}),
        ("tame", (1, 5), {"full_fall", "full_rise_p"}),
    ],
)
def test_levels_get_harder(game: str, levels: tuple[int, ...], figures: set[str]) -> None:
    work = kit.tasks(["levels"], kit.choose([game], levels=levels, modes=["full"], timings=["rt"]), 20)
    found = {finding.figure for result in kit.run(work) for finding in result.findings}
    assert found == figures
