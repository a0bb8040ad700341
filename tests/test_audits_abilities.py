"""The audits of abilities and of knowledge must catch games that are broken on purpose, and pass sound ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import games
from audit import kit
from harness.session import Configuration

MUTANTS = Path(__file__).parent / "mutants"


@pytest.fixture(autouse=True)
def mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(games.OUTSIDE, str(MUTANTS))


def measure(name: str, configuration: str, evidence: str = "") -> kit.Result:
    return kit.carry_out(kit.Task(name, Configuration.parse(configuration), 0, evidence))


def measure_joined(configuration: str) -> list[kit.Result]:
    return kit.run(kit.tasks(["abilities"], [Configuration.parse(configuration)]))


@pytest.mark.parametrize(
    ("configuration", "part"),
    [("foretold/rt/3/full", "left"), ("told_cords/rt/3/full", "deal"), ("told_cords/twin/3/full", "deal")],
)
def test_what_only_the_oracle_knows_is_found(configuration: str, part: str, tmp_path: Path) -> None:
    result = measure("known", configuration, str(tmp_path))
    assert [finding.figure for finding in result.findings] == ["hidden"]
    assert part in result.figures["hidden"]
    lines = [json.loads(line) for line in Path(result.findings[0].evidence).read_text().splitlines()]
    assert any(line["part"] == part for line in lines)
    assert list(tmp_path.glob("*.png"))


@pytest.mark.parametrize(
    "configuration", ["firefly/rt/3/full", "firefly/twin/3/full", "cords/rt/3/full", "cords/twin/3/simple"]
)
def test_what_is_seen_may_be_known(configuration: str) -> None:
    result = measure("known", configuration)
    assert result.figures["compared"] > 8 and not result.findings, result.figures


@pytest.mark.parametrize(
    ("configuration", "figures"),
    [
        ("boastful/rt/3/full", {"space", "explored", "rt_planned"}),
        ("boastful/twin/3/full", {"space", "twin_two_pasts", "explored", "twin_planned"}),
        ("modest/rt/3/full", {"rt_two_pasts"}),
        ("perched/rt/3/full", {"rt_two_pasts"}),
        ("alike_cords/rt/3/full", {"explored"}),
        ("told_cords/rt/3/full", {"explored"}),
    ],
)
def test_a_wrong_tag_is_found(configuration: str, figures: set[str]) -> None:
    results = measure_joined(configuration)
    assert {finding.figure for result in results for finding in result.findings} == figures, results


@pytest.mark.parametrize(
    "configuration", ["firefly/rt/3/full", "firefly/twin/3/full", "cords/rt/3/full", "cords/twin/3/full"]
)
def test_right_tags_pass(configuration: str) -> None:
    results = measure_joined(configuration)
    assert results[0].figures and not any(result.findings for result in results), results
