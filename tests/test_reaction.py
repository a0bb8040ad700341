"""Effective reaction times: found where they are known, bounded where they lie outside the budgets."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import configs
from harness.results.reaction import Budgeted, Reaction, react, read_budgets, tipping_place

BUDGETS = np.geomspace(0.3, 4.0, 12)
SLOWDOWNS = (1, 4, 16)


def episodes(reaction_s: float, slope: float, chance: np.random.Generator, seeds: int = 3) -> Iterator[Budgeted]:
    """What an agent with this reaction time wins and loses."""
    for number, budget in enumerate(BUDGETS):
        for slowdown in SLOWDOWNS:
            for _ in range(seeds):
                share = 1 / (1 + (reaction_s / (budget * slowdown)) ** slope)
                yield Budgeted(f"game {number}", float(budget * slowdown), bool(chance.random() < share))


@pytest.mark.parametrize("reaction_s", [0.7, 3.0, 20.0])
@pytest.mark.parametrize("slope", [1.5, 5.0])
def test_a_known_reaction_time_is_found_and_its_interval_holds(reaction_s: float, slope: float) -> None:
    found = [react(episodes(reaction_s, slope, np.random.default_rng(seed))) for seed in range(60)]
    told = [each for each in found if each is not None and each.seconds is not None]
    assert len(told) >= 58  # the others lie just outside the budgets
    medians = np.median([each.seconds for each in told])
    assert medians == pytest.approx(reaction_s, rel=0.1)
    assert np.mean([each.low <= reaction_s <= each.high for each in told]) >= 0.88


def test_outside_the_budgets_there_is_a_bound() -> None:
    chance = np.random.default_rng(0)
    quick, slow = react(episodes(0.01, 4, chance)), react(episodes(2000.0, 4, chance))
    assert quick is not None and quick.seconds is None and quick.low == 0 and 0.01 < quick.high < 0.6
    assert slow is not None and slow.seconds is None and slow.high == math.inf and 30 < slow.low < 2000
    assert str(quick).startswith("< 0.") and str(slow).startswith("> ")
    assert react([]) is None


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Reaction(5.9, 0.93, 45.0, 6.0, 40, 3), "reacts in 0.93 to 45 s"),
        (Reaction(5.9, 4.2, 8.0, 6.0, 40, 3), "reacts in 5.9 s (4.2–8)"),
        (Reaction(None, 0.0, 5.6, 6.0, 2, 1), "reacts in < 5.6 s (2 episodes)"),
        (Reaction(None, 213.0, math.inf, 6.0, 40, 3), "reacts in > 210 s"),
    ],
)
def test_words_tell_a_place_only_where_it_is_known_well(found: Reaction, words: str) -> None:
    assert found.in_words() == words


def test_one_odd_loss_makes_no_reaction_time_below_the_budgets() -> None:
    found = react([Budgeted("a", budget, True) for budget in (1.0, 2.0, 4.0)] * 5 + [Budgeted("a", 4.0, False)])
    assert found is not None and found.seconds is None and found.low == 0


@pytest.mark.parametrize("scale", [0.01, 1.0, 300.0])
def test_the_unit_of_time_changes_nothing(scale: float) -> None:
    places, after, of = np.array([0.5, 1.0, 2.0, 4.0]), [0, 1, 5, 6], [6, 6, 6, 6]
    one, scaled = tipping_place(list(places), after, of), tipping_place(list(places * scale), after, of)
    assert scaled[:3] == pytest.approx([value * scale for value in one[:3]])
    assert 1.0 < one.value < 2.0 and one.low < one.value < one.high


def test_what_tips_one_way_tips_back_at_the_same_place() -> None:
    """So the same fit finds an oracle's budget from its delays: there the lost ones are those that have tipped."""
    places, of = [0.25, 0.5, 1.0, 2.5], [8, 8, 8, 8]
    one = tipping_place(places, [0, 1, 5, 8], of)
    other = tipping_place([1 / place for place in reversed(places)], [0, 3, 7, 8], of)
    assert one.value == pytest.approx(1 / other.value, rel=0.01)


def certificate(folder: Path, game: str, rules: str, tau50: dict[str, float | str] | None) -> None:
    figures = {} if tau50 is None else {"tau50_as_played": tau50}
    pages = {"rt/1/full": {"figures": figures}, "twin/1/full": {"figures": {}}}
    (folder / f"{game}.json").write_text(json.dumps({"game": game, "rules": rules, "pages": pages}))


def test_budgets_that_are_missing_stale_or_out_of_reach_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configs, "CERTIFICATES", tmp_path)
    known: dict[str, float | str] = {"s": 1.5, "low": 1.0, "high": 2.0, "censored": ""}
    certificate(tmp_path, "good", "r", known)
    certificate(tmp_path, "stale", "old", known)
    certificate(tmp_path, "unmeasured", "r", None)
    certificate(tmp_path, "beyond", "r", {**known, "censored": "above"})
    budgets, missing = read_budgets(dict.fromkeys(["good", "stale", "unmeasured", "beyond", "absent"], "r"))
    assert budgets == {"good/rt/1/full": 1.5}
    assert missing == {
        "stale": "certified under other rules",
        "unmeasured": "no budget measured",
        "beyond": "no budget measured",
        "absent": "no certificate",
    }
