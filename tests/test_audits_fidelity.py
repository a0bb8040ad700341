"""The audits of fidelity and palettes must catch games that are broken on purpose, and pass a sound one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import games
from audit import kit, looks, palettes
from audit.sameness import fma
from games.kit.picture import Picture
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


@pytest.mark.parametrize("deficiency", palettes.MODELS)
def test_the_colour_blind_see_greys_as_they_are(deficiency: str) -> None:
    greys = np.linspace(0, 1, 11)[:, None] * np.ones(3)
    assert np.abs(palettes.seen(greys, deficiency) - greys).max() < 1e-5
    assert palettes.lab(greys[[0, -1]]) == pytest.approx(np.array([[0, 0, 0], [100, 0, 0]]), abs=0.02)


@pytest.mark.parametrize(
    ("deficiency", "one", "other"),
    [("deuteranopia", 0xC8503C, 0x5B8A32), ("protanopia", 0xC8503C, 0x6E6C36), ("tritanopia", 0x3CA0C0, 0x3CA678)],
)
def test_pairs_that_a_deficiency_confuses(deficiency: str, one: int, other: int) -> None:
    light = looks.linear(np.array([[(colour >> shift) & 255 for shift in (16, 8, 0)] for colour in (one, other)]))
    apart = {name: np.linalg.norm(np.subtract(*palettes.lab(palettes.seen(light, name)))) for name in ("", deficiency)}
    assert apart[""] > palettes.CLEAR and apart[deficiency] < palettes.APART


def test_contrast_is_that_of_the_strokes() -> None:
    for colour, below, ratio in ((0xFFFFFF, 0x000000, 21.0), (0x777777, 0xFFFFFF, 4.48)):
        picture = Picture()
        picture.background(below)
        picture.text(400, 300, "HEEL", 60, colour, bold=True)
        text = looks.texts(picture)[0]
        frames = looks.render(picture), looks.render(looks.without(picture, [text.place]))
        assert looks.contrast(*(looks.linear(looks.crop(each, text.box)) for each in frames)) == pytest.approx(
            ratio, rel=0.02
        )
