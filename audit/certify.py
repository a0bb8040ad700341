"""`bullettime certify`: prove seeds solvable, and write down the proof so that anybody can make it again."""

from __future__ import annotations

import random
import tomllib
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

import audit
import configs
from audit import certificate as c
from audit.command import GAMES, JOBS, JOURNAL, cores, words
from audit.journal import Journal, as_line, read, sources_digest
from audit.kit import Result, joined, shipped, spread, tasks
from harness.errors import UserError
from harness.progress import progress
from harness.results.records import rules_digest
from harness.suite import choose_games

PROOFS = Path("runs/certify.jsonl")  # plays as they are made, so that an interrupted run can be taken up
CAPS_HEAD = "# Written by `bullettime certify`: acts after which a twin is lost, three times the most of its oracle.\n"


def certify(
    games: Annotated[str, typer.Option(help=GAMES)] = "*",
    seeds: Annotated[int, typer.Option(min=2, help="Seeds to try, half of them for each of test and train")] = 12,
    jobs: Annotated[int, typer.Option(min=0, help=JOBS)] = 0,
    out: Annotated[Path, typer.Option(help="The folder of the certificates and of caps.toml")] = configs.FOLDER,
    json: Annotated[bool, typer.Option("--json", help="Print what was certified as JSON")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Repeat plays of the certificates instead of writing any")
    ] = False,
    sample: Annotated[int, typer.Option(min=1, help="How many plays --check repeats, chosen at random")] = 20,
) -> None:
    """Prove seeds solvable and write each game's certificate; or check those that there are.

    What `audit` has found of the rules as they are (runs/audit.jsonl) is entered, and kept whole in configs/audits.
    Status 1 when a game has no seed that its oracle won everywhere, or a check fails.
    """
    chosen = choose_games(words(games))
    screen = Console(stderr=True)
    if check:
        raise typer.Exit(not _check(chosen, out, sample, jobs or cores(), screen))
    found: dict[str, Result] = {}
    for path in (*(shipped(game, out) for game in chosen), JOURNAL):
        found |= read(path, Result)
    splits = {game: c.candidates(game, seeds) for game in chosen}
    turns = [
        c.Turn(each, seed, sources_digest(game))
        for game in chosen
        for each in c.configurations(game)
        for seed in chain(*splits[game].values())
    ]
    plays = _prove(turns, _known(chosen, out), jobs or cores())
    rows: list[dict[str, Any]] = []
    certified = True
    for game in chosen:
        own = {each: [plays[turn] for turn in turns if turn.configuration == each] for each in c.configurations(game)}
        certificate = c.certify(game, version("bullettime"), splits[game], own)
        results = _current(game, found)
        c.enter(certificate, [*results.values(), *joined(results.values())])
        _write(certificate, out)
        shipped(game, out).write_bytes(b"".join(as_line(key, result) for key, result in results.items()))
        certified = certified and any(certificate.seeds.values())
        rows.append(_row(certificate, seeds))
    if json:
        print(msgspec.json.format(msgspec.json.encode(rows), indent=1).decode())
    else:
        _show(rows)
    raise typer.Exit(not certified)


def load(game: str, folder: Path) -> c.Certificate | None:
    """A game's certificate, None when there is none. Raises UserError."""
    path = folder / "certificates" / f"{game}.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=c.Certificate) if path.exists() else None
    except msgspec.DecodeError as error:
        raise UserError(f"{path}: {error}", "delete it and certify again") from None


def _known(chosen: list[str], folder: Path) -> dict[str, c.Play]:
    """The plays of the certificates that there are, by the keys of their turns."""
    return {
        c.Turn(each, play.seed, certificate.sources).key: play
        for game in chosen
        if (certificate := load(game, folder))
        for each in c.configurations(game)
        for play in certificate.pages[c.short(each)].plays
    }


def _prove(turns: list[c.Turn], known: dict[str, c.Play], jobs: int) -> dict[c.Turn, c.Play]:
    """The play of each turn: one that is known, or one from PROOFS, or newly made and added there."""
    journal = Journal(PROOFS, c.Play)
    known = known | journal.known
    plays = {turn: known[turn.key] for turn in turns if turn.key in known}
    todo = [turn for turn in turns if turn not in plays]
    with progress("plays", len(todo)) as advance:

        def keep(turn: c.Turn, play: c.Play) -> None:
            plays[turn] = play
            journal.add(turn.key, play)
            advance()

        spread(c.prove, todo, jobs, keep)
    journal.close()
    return plays


def _current(game: str, found: dict[str, Result]) -> dict[str, Result]:
    """What audits have found of the game as it is, by key, in the order in which they are run."""
    keys = [task.key for task in tasks(audit.names(), c.configurations(game))]
    return {key: found[key] for key in keys if key in found}


def _write(certificate: c.Certificate, folder: Path) -> None:
    path = folder / "certificates" / f"{certificate.game}.json"
    for each in (path, shipped(certificate.game, folder)):
        each.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(certificate), indent=1) + b"\n")
    path = folder / "caps.toml"
    caps = tomllib.loads(path.read_text()) if path.exists() else {}
    caps[certificate.game] = c.caps(certificate)
    blocks = ["".join(f'"{name}" = {cap}\n' for name, cap in sorted(caps[game].items())) for game in sorted(caps)]
    named = [f"\n[{game}]\n{block}" for game, block in zip(sorted(caps), blocks, strict=True)]
    path.write_text(CAPS_HEAD + "".join(named))


def _row(certificate: c.Certificate, tried: int) -> dict[str, Any]:
    lost = {name: sum(not play.won for play in page.plays) for name, page in certificate.pages.items()}
    share = 1 - sum(lost.values()) / (tried * len(lost))
    worst = {name: lost[name] for name in sorted(lost, key=lambda name: -lost[name])[:3] if lost[name]}
    counts = {split: len(certificate.seeds[split]) for split in c.SPLITS}
    return {"game": certificate.game, "tried": tried, **counts, "won": share, "lost_most_in": worst}


def _show(rows: list[dict[str, Any]]) -> None:
    table = Table("game", "tried", *c.SPLITS, "won", "lost most in", box=None, header_style="bold")
    for row in rows:
        worst = ", ".join(f"{name} {count}" for name, count in row["lost_most_in"].items())
        counts = (str(row[name]) for name in ("tried", *c.SPLITS))
        table.add_row(row["game"], *counts, f"{row['won']:.1%}", worst)
    Console().print(table)


def _check(chosen: list[str], folder: Path, sample: int, jobs: int, screen: Console) -> bool:
    """Whether all certificates fit the rules, and a sample of their plays can be repeated."""
    wrong = []
    proofs: list[tuple[c.Turn, c.Play]] = []
    for game in chosen:
        certificate = load(game, folder)
        if certificate is None or certificate.rules != rules_digest(game):
            wrong.append(f"{game}: {'there is no certificate' if certificate is None else 'its rules have changed'}")
            continue
        for each in c.configurations(game):
            page = certificate.pages[c.short(each)]
            proofs += [(c.Turn(each, play.seed, ""), play) for play in page.plays]
    some = random.sample(proofs, min(sample, len(proofs)))
    told = dict(some)
    with progress("plays", len(some)) as advance:

        def compare(turn: c.Turn, play: c.Play) -> None:
            if play != told[turn]:
                wrong.append(f"{turn.configuration}, seed {turn.seed}: {play} was certified as {told[turn]}")
            advance()

        spread(c.prove, [turn for turn, _ in some], jobs, compare)
    for line in wrong:
        screen.print(line, highlight=False)
    screen.print(f"{len(some)} of {len(proofs)} plays repeated, {len(wrong)} problems", highlight=False)
    return not wrong
