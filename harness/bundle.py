"""`bullettime submit`: a run as one file that anyone can verify, and how such a file is opened again.

A bundle is a ZIP with the records, and `bundle.json`: what was planned and found, versions, and a hash of each file.
The records say all that decides a verdict, so `bullettime verify` needs nothing else. Transcripts hold pictures and
whatever models said; they go into a second file beside it.
"""

from __future__ import annotations

import contextlib
import json as json_format
import os
import re
import tempfile
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct
from rich.console import Console

from harness.errors import UserError
from harness.progress import progress
from harness.results.records import FOLDER, Results, unwritable

INDEX = "bundle.json"
TRANSCRIPTS = "transcripts"
LARGEST = 4 * 2**30  # bytes of a bundle's file, unpacked
NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)S?$")  # of variables whose values must not leave the machine
SHORTEST = 8  # characters of such a value
SECRETS = re.compile(rb"\b(sk-[\w-]{16,}|AIza[\w-]{30,}|ghp_\w{30,}|hf_\w{30,}|xox[bp]-[\w-]{20,})")


class Index(Struct):
    """What a bundle says of itself. files: name -> sha256. digest: of all the rest, which names the bundle."""

    name: str
    version: str
    rules: dict[str, str]
    planned: int
    scored: int
    tainted: int
    files: dict[str, str]
    digest: str = ""

    def own_digest(self) -> str:
        """The digest that it must have."""
        told = {key: value for key, value in msgspec.to_builtins(self).items() if key != "digest"}
        return sha256(json_format.dumps(told, sort_keys=True).encode()).hexdigest()


def submit(
    run: Annotated[Path, typer.Argument(help="The folder of a run")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The bundle; by default RUN.zip")] = None,
    transcripts: Annotated[bool, typer.Option(help="Put transcripts into a second file beside it")] = True,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object")] = False,
) -> None:
    """Pack a run into one file that anyone can verify: records, plan, versions, hashes.

    What looks like a key or a secret is refused, with its place. `bullettime verify BUNDLE` re-simulates it.
    """
    results = Results.load(run)
    path = out or run.with_name(f"{run.name}.zip")
    index = pack(results, path)
    said = path.with_name(f"{path.stem}-{TRANSCRIPTS}.zip")
    kept = transcripts and (run / TRANSCRIPTS).exists()
    if kept:
        _pack_transcripts(run / TRANSCRIPTS, said)
    told = {"bundle": str(path), "digest": index.digest, "transcripts": str(said) if kept else None}
    if json:
        print(
            json_format.dumps(
                {**told, "planned": index.planned, "scored": index.scored, "tainted": index.tainted}, indent=2
            )
        )
        return
    screen = Console(highlight=False)
    counts = f"{index.scored} of {index.planned} episodes scored, {index.tainted} tainted"
    screen.print(f"{path}: {counts}\n  {index.digest}", soft_wrap=True)
    if kept:
        screen.print(f"{said}: what was shown and said", soft_wrap=True)
    if index.scored + index.tainted < index.planned:
        screen.print("  the run is not finished: who verifies it will see that", soft_wrap=True)


def pack(results: Results, path: Path) -> Index:
    """Write a run's bundle. Raises UserError when it holds a secret, or cannot be written."""
    files = {f"{FOLDER}/{each.name}": each for each in sorted((results.folder / FOLDER).glob("*.jsonl"))}
    hashes = {}
    for name, file in files.items():
        raw = file.read_bytes()
        _refuse_secrets(file, raw)
        hashes[name] = sha256(raw).hexdigest()
    outcomes = results.outcomes.values()
    index = Index(
        name=results.run.name,
        version=results.run.version,
        rules=results.run.rules,
        planned=len(results.jobs()),
        scored=sum(outcome.verdict is not None for outcome in outcomes),
        tainted=sum(outcome.tainted for outcome in outcomes),
        files=hashes,
    )
    index.digest = index.own_digest()
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(INDEX, json_format.dumps(msgspec.to_builtins(index), indent=1))
            for name, file in files.items():
                archive.write(file, name)
    except OSError as error:
        raise unwritable(path, error) from None
    return index


def _refuse_secrets(file: Path, raw: bytes) -> None:
    """Raise UserError when a file holds the value of a secret variable, or what looks like a key."""
    own = [value.encode() for name, value in os.environ.items() if NAMES.search(name) and len(value) >= SHORTEST]
    for number, line in enumerate(raw.split(b"\n"), 1):
        if SECRETS.search(line) or any(value in line for value in own):
            raise UserError(f"{file}, line {number} holds what looks like a key", "take it out of the agent's name")


def _pack_transcripts(folder: Path, path: Path) -> None:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive, progress("files", len(files)) as advance:
            for file in files:
                if file.suffix == ".jsonl":
                    _refuse_secrets(file, file.read_bytes())
                archive.write(file, file.relative_to(folder.parent))
                advance()
    except OSError as error:
        raise unwritable(path, error) from None


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Path]:
    """A run's folder: itself, or a bundle's, unpacked for as long as it is needed.

    Raises UserError that names the place where a bundle is not what it says.
    """
    if path.is_dir():
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="bullettime-") as place:
        try:
            _unpack(path, Path(place))
            yield Path(place)
        except UserError as error:  # nobody can look into the folder that it names
            said = error.message.replace(f"{place}/", f"{path}: ").replace(place, str(path))
            raise UserError(said, error.mend) from None


def _unpack(path: Path, place: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            index = msgspec.json.decode(archive.read(INDEX), type=Index)
            _check_names(path, archive, index)
            (place / FOLDER).mkdir()
            for name, digest in index.files.items():
                raw = archive.read(name)
                if sha256(raw).hexdigest() != digest:
                    raise UserError(f"{path}: {name} is not what was packed", "the bundle has been changed")
                (place / name).write_bytes(raw)
    except (OSError, zipfile.BadZipFile, KeyError, msgspec.DecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise UserError(f"{path} is no bundle: {why}", "name a run's folder, or what `submit` has written") from None
    _check_index(path, index, Results.load(place))


def _check_names(path: Path, archive: zipfile.ZipFile, index: Index) -> None:
    """Each file has one place, is of a sane size, and is a record."""
    if index.digest != index.own_digest():
        raise UserError(f"{path}: {INDEX} does not fit its digest", "the bundle has been changed")
    for name in index.files:
        if not re.fullmatch(rf"{FOLDER}/\d+\.jsonl", name) or archive.getinfo(name).file_size > LARGEST:
            raise UserError(f"{path}: {name} has no business in a bundle", "the bundle has been changed")


def _check_index(path: Path, index: Index, results: Results) -> None:
    """What is told of the whole is what the records say."""
    outcomes = results.outcomes.values()
    found: dict[str, Any] = {
        "planned": len(results.jobs()),
        "scored": sum(outcome.verdict is not None for outcome in outcomes),
        "tainted": sum(outcome.tainted for outcome in outcomes),
        "rules": results.run.rules,
    }
    for name, value in found.items():
        if getattr(index, name) != value:
            raise UserError(
                f"{path}: {INDEX} says {name} = {getattr(index, name)}, the records {value}", "it is changed"
            )
