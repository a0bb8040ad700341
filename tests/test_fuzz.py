"""A sample of senseless messages; `python -m tests.fuzz 10000` sends them all."""

from __future__ import annotations

from tests.fuzz import fuzz


def test_senseless_messages_are_answered_and_harm_nobody() -> None:
    report = fuzz(1000, seed=1)
    assert not report.wrong, report.wrong[:5]
    assert report.survived
    assert report.acts < 100  # some had sense after all
    assert report.answers["error"] > 700
    assert report.answers["HTTP 401"] and report.answers["HTTP 410"]
    assert any(answer.startswith("close") for answer in report.answers)
    assert not report.neighbour
    assert report.neighbour_late_us < 50_000 + 5 * report.machine_late_us
    assert report.grown_bytes < 24 * 2**20
    assert report.grown_files <= 3
