"""A bundle says what a run has found, and cannot be changed without being found out."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from harness import agents
from harness.bundle import INDEX, Index, opened, pack, submit
from harness.errors import BadInput, UserError
from harness.replay import verify
from harness.results.records import Results
from tests.test_sweep import ODD, command, grid

ONE = "records/0001.jsonl"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("run")
    command("sweep", grid(place / "g.toml", seeds=[1]), "--out", place / "sweep")
    return place / "sweep"


@pytest.fixture(autouse=True)
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLETTIME_GAMES_DIR", str(ODD))


def changed(bundle: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A copy of a bundle, changed."""
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    other = bundle.with_stem("changed")
    with zipfile.ZipFile(other, "w") as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
    return other


def resealed(files: dict[str, bytes], **told: object) -> None:
    """Make the index fit itself again, as who changes a bundle on purpose would."""
    index = json.loads(files[INDEX]) | told
    index["files"] = {name: hashlib.sha256(raw).hexdigest() for name, raw in files.items() if name != INDEX}
    made = Index(**index)
    made.digest = made.own_digest()
    files[INDEX] = json.dumps({**index, "digest": made.digest}).encode()


def test_what_was_submitted_is_confirmed(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    submit(run, tmp_path / "b.zip", json=True)
    told = json.loads(capsys.readouterr().out)
    assert (told["planned"], told["scored"], told["transcripts"]) == (2, 2, None)
    verify(tmp_path / "b.zip", jobs=1, json=True)
    assert json.loads(capsys.readouterr().out)["confirmed"] == 2
    with opened(tmp_path / "b.zip") as folder:
        assert Results.load(folder).outcomes.keys() == Results.load(run).outcomes.keys()


def test_a_changed_record_is_found(run: Path, tmp_path: Path) -> None:
    pack(Results.load(run), tmp_path / "b.zip")
    won = b'"verdict":"won"'
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        name = next(name for name in archive.namelist() if won in archive.read(name))

    def swap(files: dict[str, bytes]) -> None:
        files[name] = files[name].replace(won, b'"verdict":"lost"')

    other = changed(tmp_path / "b.zip", swap)
    with pytest.raises(UserError, match=f"{name} is not what was packed"), opened(other):
        pass

    def swap_and_seal(files: dict[str, bytes]) -> None:
        swap(files)
        resealed(files)

    with pytest.raises(typer.Exit):  # hashes fit, but the world says otherwise
        verify(changed(tmp_path / "b.zip", swap_and_seal), jobs=1, json=True)


def test_a_changed_index_is_found(run: Path, tmp_path: Path) -> None:
    pack(Results.load(run), tmp_path / "b.zip")
    for change, problem in (
        (lambda files: files.update({INDEX: files[INDEX].replace(b'"planned": 2', b'"planned": 1')}), "does not fit"),
        (lambda files: resealed(files, planned=1), "says planned = 1"),
        (lambda files: files.pop(INDEX), "is no bundle"),
    ):
        with pytest.raises(UserError, match=problem), opened(changed(tmp_path / "b.zip", change)):
            pass


def test_a_bundle_cannot_write_elsewhere(run: Path, tmp_path: Path) -> None:
    pack(Results.load(run), tmp_path / "b.zip")

    def plant(files: dict[str, bytes]) -> None:
        files["../evil.jsonl"] = b"{}"
        resealed(files)

    with pytest.raises(UserError, match="no business"), opened(changed(tmp_path / "b.zip", plant)):
        pass


def test_episodes_that_were_left_out_are_told(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line for path in sorted((run / "records").iterdir()) for line in path.read_bytes().splitlines()]
    kept = [line for line in lines if b"twin/1" not in line or b'"event":"run"' in line]
    (tmp_path / "part/records").mkdir(parents=True)
    (tmp_path / "part" / ONE).write_bytes(b"\n".join(kept) + b"\n")
    pack(Results.load(tmp_path / "part"), tmp_path / "b.zip")
    with pytest.raises(typer.Exit):
        verify(tmp_path / "b.zip", jobs=1, json=True)
    told = json.loads(capsys.readouterr().out)
    (missing,) = told["missing"]
    assert "bell/twin/1" in missing and (told["refuted"], told["tainted"]) == (0, [])
    with pytest.raises(typer.Exit):
        verify(tmp_path / "b.zip", jobs=1)
    assert missing in capsys.readouterr().out


def test_a_verdict_that_was_made_a_taint_is_told(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line for path in sorted((run / "records").iterdir()) for line in path.read_bytes().splitlines()]
    (name,) = {json.loads(line)["episode"] for line in lines if b'"verdict"' in line and b"twin/1" in line}
    taints = [
        json.dumps({"event": "taint", "episode": name, "attempt": n, "cause": "late"}).encode() for n in (1, 2, 3, 4)
    ]
    kept = [line for line in lines if b'"event":"verdict"' not in line or b"twin/1" not in line]
    (tmp_path / "part/records").mkdir(parents=True)
    (tmp_path / "part" / ONE).write_bytes(b"\n".join(kept + taints) + b"\n")
    pack(Results.load(tmp_path / "part"), tmp_path / "b.zip")
    with pytest.raises(typer.Exit):
        verify(tmp_path / "b.zip", jobs=1, json=True)
    told = json.loads(capsys.readouterr().out)
    assert (told["tainted"], told["missing"]) == ([name], [])


def test_a_damaged_record_is_named_by_its_place_in_the_bundle(run: Path, tmp_path: Path) -> None:
    pack(Results.load(run), tmp_path / "b.zip")

    def damage(files: dict[str, bytes]) -> None:
        files[ONE] = b"{{\n" + files[ONE]
        resealed(files)

    other = changed(tmp_path / "b.zip", damage)
    with pytest.raises(UserError) as caught:
        verify(other, jobs=1)
    assert caught.value.message.startswith(f"{other}: {ONE}, line 1: ")


def test_exchanged_tempos_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was lost live is no loss at 4x: the game time before each act says how fast the world ran."""
    command(
        "sweep", grid(tmp_path / "g.toml", seeds=[1], tempos=["live", "4x"], timings=["rt"]), "--out", tmp_path / "s"
    )
    pack(Results.load(tmp_path / "s"), tmp_path / "b.zip")
    other = {b"live": b"4x", b"4x": b"live"}

    def exchange(files: dict[str, bytes]) -> None:
        for name in set(files) - {INDEX}:
            if b'"event":"verdict"' in files[name]:
                files[name] = re.sub(rb"(?<=[ \"])(live|4x)(?=[ \"])", lambda found: other[found[1]], files[name])
        resealed(files)

    with pytest.raises(typer.Exit):
        verify(changed(tmp_path / "b.zip", exchange), jobs=1, json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["refuted"] == 2 and all("act" in finding["place"] for finding in told["findings"])


def test_no_secret_is_packed(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "part/records").mkdir(parents=True)
    line = next(line for line in (run / ONE).read_bytes().splitlines() if line)
    (tmp_path / "part" / ONE).write_bytes(line.replace(b'"about":""', b'"about":"correct-horse"') + b"\n")
    results = Results.load(tmp_path / "part")
    pack(results, tmp_path / "b.zip")
    monkeypatch.setenv("SOME_API_KEY", "correct-horse")
    with pytest.raises(UserError, match=r"0001.jsonl, line 1 holds what looks like a key"):
        pack(results, tmp_path / "b.zip")


def test_no_password_is_taken_in_an_address() -> None:
    with pytest.raises(BadInput, match="password"):
        agents.parse("chat:http://me:secret@127.0.0.1/v1#m")


def test_a_place_that_is_not_there_is_told_as_such(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No such file") as refused:
        pack(Results.load(run), tmp_path / "nowhere/b.zip")
    assert refused.value.mend == "name a place that can be written to"
    with (
        pytest.raises(UserError, match=r"b\.zip is no bundle: No such file or directory\n"),
        opened(tmp_path / "b.zip"),
    ):
        pass


def test_other_caps_than_those_certified_are_found(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack(Results.load(run), tmp_path / "b.zip")

    def allow_more(files: dict[str, bytes]) -> None:
        for name in set(files) - {INDEX}:
            files[name] = re.sub(rb'"cap":\d+', b'"cap":99999', files[name])
        resealed(files)

    with pytest.raises(typer.Exit):
        verify(changed(tmp_path / "b.zip", allow_more), jobs=1, json=True)
    told = json.loads(capsys.readouterr().out)
    assert {finding["place"] for finding in told["findings"]} == {"acts allowed, as certified"}
