"""The certificates that ship are of the games as they are, and of nothing that an audit has found at fault."""

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
def test_no_audit_has_found_anything(game: str) -> None:
    certificate = certify.load(game, configs.FOLDER)
    assert certificate
    failed = [name for name, passed in certificate.audits.items() if not passed]
    failed += [
        f"{page}: {name}"
        for page, its in certificate.pages.items()
        for name, passed in its.audits.items()
        if not passed
    ]
    assert not failed


@pytest.mark.parametrize("game", GAMES)
def test_what_was_found_ships_with_its_seeds_and_figures(game: str) -> None:
    certificate = certify.load(game, configs.FOLDER)
    assert certificate
    results = read(kit.shipped(game, configs.FOLDER), kit.Result).values()
    assert all(result.figures and result.seeds and result.rules == certificate.rules for result in results)
    told = {(result.subject.partition("/")[2], result.audit) for result in results}
    assert told == {(page, name) for page, its in certificate.pages.items() for name in its.audits}
