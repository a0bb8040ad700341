"""The certificates that ship are of the games as they are, and tell what the audits found."""

from __future__ import annotations

import pytest

import configs
from audit import certificate as c
from audit import certify, kit
from audit.journal import read
from harness.results.records import rules_digest

GAMES = sorted(path.stem for path in configs.CERTIFICATES.glob("*.json"))
FEWEST = 3  # certified seeds of each split that suites may count on


@pytest.mark.parametrize("game", GAMES)
def test_a_certificate_is_of_the_rules_as_they_are(game: str) -> None:
    certificate = certify.load(game, configs.FOLDER)
    assert certificate and certificate.rules == rules_digest(game), f"run `bullettime certify --games {game}`"
    assert set(certificate.pages) == {c.short(each) for each in c.configurations(game)}
    assert all(len(certificate.seeds[split]) >= FEWEST for split in c.SPLITS)


@pytest.mark.parametrize("game", GAMES)
def test_a_certificate_tells_what_the_audits_found(game: str) -> None:
    certificate = certify.load(game, configs.FOLDER)
    assert certificate
    results = list(read(kit.shipped(game, configs.FOLDER), kit.Result).values())
    assert all(result.figures and result.seeds and result.rules == certificate.rules for result in results)
    told = {(page, name): passed for page, its in certificate.pages.items() for name, passed in its.audits.items()}
    assert told == {(result.subject.partition("/")[2], result.audit): not result.findings for result in results}
    assert certificate.audits == {result.audit: not result.findings for result in kit.joined(results)}
