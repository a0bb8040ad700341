"""Certificates: proven twice, taken up after an interruption, checked by anybody, and caps that sessions obey."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest
from PIL import Image

import bullettime
import configs
import games
from audit import budgets, certify, kit, strict
from audit import certificate as c
from audit.command import JOURNAL
from audit.journal import Journal, read
from harness.results.records import rules_digest
from harness.session import Configuration, Session, build

GAME = "valve"  # quick to play
SEEDS = 4


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder to write in, with the outside games at hand."""
    monkeypatch.setenv(games.OUTSIDE, str(Path(__file__).parent / "mutants"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(c, "LEVELS", (1, 2))
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    some = f"--out out --games {GAME} --seeds {SEEDS} --jobs 1".split()
    monkeypatch.setattr(sys, "argv", ["bullettime", "certify", *some, *arguments])
    with pytest.raises(SystemExit) as ended:
        bullettime.main()
    return ended.value.code


def only_real_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c, "TIMINGS", ("rt",))


def test_certify_writes_what_check_confirms(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    only_real_time(monkeypatch)
    assert run(monkeypatch) == 0
    certificate = certify.load(GAME, place / "out")
    assert certificate and certificate.rules == rules_digest(GAME)
    assert [len(certificate.seeds[split]) for split in c.SPLITS] == [2, 2]
    assert set(certificate.pages) == {f"rt/{level}/{mode}" for level in (1, 2) for mode in ("simple", "full")}
    assert all(play.won and play.digest for page in certificate.pages.values() for play in page.plays)
    assert run(monkeypatch, "--check") == 0

    page = certificate.pages["rt/1/full"]
    page.plays[0] = msgspec.structs.replace(page.plays[0], ticks=1)
    (place / "out/certificates" / f"{GAME}.json").write_bytes(msgspec.json.encode(certificate))
    assert run(monkeypatch, "--check", "--sample", "99") == 1
    certificate.rules = "other"
    (place / "out/certificates" / f"{GAME}.json").write_bytes(msgspec.json.encode(certificate))
    assert run(monkeypatch, "--check") == 1


def test_an_interrupted_run_is_taken_up(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    only_real_time(monkeypatch)
    made: list[c.Turn] = []

    def prove(turn: c.Turn, limit: int = 5) -> c.Play:
        made.append(turn)
        if len(made) > limit:
            raise KeyboardInterrupt
        return c.Play(turn.seed, True, 60, 1, "0")

    monkeypatch.setattr(c, "prove", prove)
    assert run(monkeypatch) == 130
    with certify.PROOFS.open("ab") as file:
        file.write(b'["cut off')
    done = made[:5]
    made.clear()
    monkeypatch.setattr(c, "prove", lambda turn: prove(turn, 99))
    assert run(monkeypatch) == 0
    assert not set(done) & set(made) and len(made) == 4 * SEEDS - 5


def test_what_a_game_hides_from_its_state_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.load(GAME)
    counted: list[int] = []

    def drift(world: games.World) -> None:
        counted.append(1)
        world.water += len(counted) % 7 == 0  # type: ignore[attr-defined]

    monkeypatch.setattr(game, "drift", drift)
    with pytest.raises(c.NotTheSame):
        c.prove(c.Turn(Configuration(GAME, "rt", 1, "full"), 1, ""))


def test_splits_share_no_world(monkeypatch: pytest.MonkeyPatch) -> None:
    splits = c.candidates(GAME, 20)
    assert not set(splits["test"]) & set(splits["train"])
    monkeypatch.setattr(c, "build", lambda game, level, seed: build(game, level, seed % 8))
    with pytest.raises(c.NotTheSame, match="share a world"):
        c.candidates(GAME, 20)


def test_audits_are_entered() -> None:
    rules = rules_digest(GAME)
    plays = {each: [c.Play(1, True, 600, 7, "a"), c.Play(2, False, 60, 9, "b")] for each in c.configurations(GAME)}
    certificate = c.certify(GAME, "0", {"test": [1], "train": [2]}, plays)
    assert certificate.seeds == {"test": [1], "train": []}
    assert c.caps(certificate) == {f"{level}/{mode}": 21 for level in (1, 2) for mode in ("simple", "full")}
    found = kit.Result("strict", f"{GAME}/rt/1/full", {"tau50": {"s": 1.0}}, rules=rules)
    found.at_least("prompt", 0, 1)
    stale = kit.Result("idle", f"{GAME}/rt/1/full", rules="other")
    c.enter(certificate, [found, stale, kit.Result("solvable", GAME, rules=rules)])
    assert certificate.audits == {"solvable": True}
    assert certificate.pages["rt/1/full"].audits == {"strict": False}
    assert certificate.pages["rt/1/full"].figures == {"tau50": {"s": 1.0}}


def test_what_was_audited_comes_along_and_is_not_measured_again(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    only_real_time(monkeypatch)
    work = kit.tasks(["solvable"], [Configuration(GAME, "rt", 1, "full")], 3)
    journal = Journal(JOURNAL, kit.Result)
    (found,) = kit.run(work, journal=journal)[:1]
    journal.add("0 solvable valve/rt/1/full", found)  # of other rules
    journal.close()
    assert run(monkeypatch) == 0
    certificate = certify.load(GAME, place / "out")
    assert certificate and certificate.pages["rt/1/full"].audits == {"solvable": True}
    assert certificate.audits == {"solvable": True}
    assert read(kit.shipped(GAME, place / "out"), kit.Result) == {work[0].key: found}

    for path in (JOURNAL, certify.PROOFS):
        path.unlink()
    monkeypatch.setattr(c, "prove", None)  # the plays of the certificate are known
    assert run(monkeypatch) == 0
    assert certify.load(GAME, place / "out") == certificate


def test_sessions_obey_the_caps(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    path = place / "caps.toml"
    path.write_text('[firefly]\n"1/full" = 7\n')
    monkeypatch.setattr(configs, "CAPS", path)
    configs.act_cap.cache_clear()
    try:
        assert Session("firefly", "twin", 1, "full", 1).cap == 7
        assert Session("firefly", "twin", 1, "full", 1, cap=9).cap == 9
        assert Session("firefly", "rt", 1, "full", 1).cap == Session("firefly", "twin", 2, "full", 1).cap == 2000
    finally:
        configs.act_cap.cache_clear()


def test_certified_seeds_are_read_from_the_certificate(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    monkeypatch.setattr(configs, "CERTIFICATES", place)
    assert configs.certified_seeds(GAME) == []
    (place / f"{GAME}.json").write_text('{"seeds": {"test": [3], "train": [4]}}')
    assert (configs.certified_seeds(GAME), configs.certified_seeds(GAME, "train")) == ([3], [4])


def test_an_interrupted_audit_is_taken_up(tmp_path: Path) -> None:
    work = kit.tasks(["solvable"], [Configuration(GAME, "rt", level, "full") for level in (1, 2)], 2)
    journal = Journal(tmp_path / "audit.jsonl", kit.Result)
    first = kit.run(work[:1], journal=journal)
    journal.close()
    with (tmp_path / "audit.jsonl").open("ab") as file:
        file.write(b'{"key": "cut o')
    journal = Journal(tmp_path / "audit.jsonl", kit.Result)
    assert journal.known == {work[0].key: first[0]}
    journal.known[work[0].key].figures["lag"] = 0.5  # not measured again
    results = kit.run(work, journal=journal)
    assert [each.figures["lag"] for each in results[:2]] == [0.5, 1]
    journal.known[work[0].key].seeds = 1  # fewer than are asked for
    assert kit.run(work, journal=journal)[0].figures["lag"] == 1


def test_shares_have_their_intervals() -> None:
    result = kit.Result("solvable", GAME)
    result.at_least("won", 0.5, 0.4, of=10)
    result.at_most("lost", 0.5, 0.4)
    assert result.figures == {"won": 0.5, "won_95": [0.2366, 0.7634], "lost": 0.5}
    assert [finding.figure for finding in result.findings] == ["lost"]


def test_a_level_that_leaves_more_time_than_an_easier_one_is_found() -> None:
    def result(s: float) -> kit.Result:
        return kit.Result("strict", GAME, {"tau50": {"s": s, "low": 0.8 * s, "high": 1.25 * s, "censored": ""}})

    for times, slower in (((1.0, 0.9, 1.1), []), ((1.0, 0.5, 1.3), ["2→3"])):
        levels = {Configuration(GAME, "rt", level, "full"): result(s) for level, s in enumerate(times, 1)}
        assert strict.join(GAME, levels).figures["full_slower"] == slower


def test_curves_and_budgets_are_written(tmp_path: Path) -> None:
    curve = {"0.1": 1.0, "10": 0.0}
    tau = {"s": 0.47, "low": 0.36, "high": 0.5, "censored": ""}
    found = kit.Result("strict", f"{GAME}/rt/2/full", {"curve": curve, "tau50": tau})
    empty = kit.Result("strict", f"{GAME}/rt/1/full", {"crash": "x"})
    picture, table = budgets.write(budgets.measured([found, empty, kit.Result("idle", GAME)]), tmp_path / "deep")
    assert Image.open(picture).size[0] > 600
    rows = [line for line in table.read_text().splitlines() if "full" in line]
    assert len(rows) == 1 and rows[0].endswith("| full | 0.47 (0.36–0.5) |")
