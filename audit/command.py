"""`bullettime audit`: hold games to what they claim, by running them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

import audit as audits
import configs
from audit import budgets, kit
from audit.journal import Journal
from harness.errors import UserError
from harness.progress import progress
from harness.suite import parse_numbers

JOURNAL = Path("runs/audit.jsonl")  # results as they come
GAMES = "Names or families, * allowed"
JOBS = "Processes; 0: one a core"


def audit(
    names: Annotated[list[str] | None, typer.Argument(help="Audits; all without any")] = None,
    games: Annotated[str, typer.Option(help=GAMES)] = "*",
    levels: Annotated[str, typer.Option(help="For example 1-3,5")] = "1-5",
    modes: Annotated[str, typer.Option(help="simple, full")] = "simple,full",
    timings: Annotated[str, typer.Option(help="rt, twin")] = "rt,twin",
    seeds: Annotated[int, typer.Option(min=0, help="Seeds a configuration; 0: what each audit needs")] = 0,
    jobs: Annotated[int, typer.Option(min=0, help=JOBS)] = 0,
    evidence: Annotated[Path | None, typer.Option(help="A folder for logs and frames of what is found")] = None,
    curves: Annotated[
        Path | None, typer.Option(help="A folder for the delay curves and reaction budgets that `strict` found")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Measure again what is known")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print all results as one JSON list")] = False,
) -> None:
    """Audit games by their behaviour. Status 1 when anything is found.

    Results are kept in runs/audit.jsonl as they come: an interrupted audit goes on where it was. What `certify` has
    entered in configs/audits is known as well. Whoever changes a game, its oracle or an audit has it measured anew.
    """
    for name in names or ():
        if name not in audits.names():
            raise UserError(f"no audit is named {name!r}", f"there are {', '.join(audits.names())}")
    chosen = kit.choose(words(games), parse_numbers(levels, "levels"), words(modes), words(timings))
    work = kit.tasks(names or audits.names(), chosen, seeds, str(evidence) if evidence else "")
    shipped = [kit.shipped(game, configs.FOLDER) for game in sorted({each.game for each in chosen})]
    journal = Journal(JOURNAL, kit.Result, shipped)
    if again or evidence:
        journal.known.clear()
    screen = Console(stderr=True)
    with progress("audits", len(work)) as advance:
        results = kit.run(work, jobs or cores(), advance, journal)
    journal.close()
    if curves:
        for path in budgets.write(budgets.measured(results), curves):
            screen.print(f"{path} is written", highlight=False)
    if json:
        print(msgspec.json.format(msgspec.json.encode(results), indent=1).decode())
    else:
        show(results, Console())
    raise typer.Exit(any(result.findings for result in results))


def show(results: list[kit.Result], screen: Console) -> None:
    """Print the figures of each result, and the findings."""
    table = Table("audit", "subject", "figures", "cpu s", box=None, header_style="bold")
    for result in results:
        figures = ", ".join(_told(result.figures, name) for name in result.figures if not name.endswith(kit.INTERVAL))
        mark = "red" if result.findings else ""
        table.add_row(result.audit, result.subject, figures, f"{result.cpu_s:g}", style=mark)
    screen.print(table)
    findings = [finding for result in results for finding in result.findings]
    for each in findings:
        screen.print(
            f"[red]{each.audit}[/] {each.subject}: {each.figure} is {_short(each.value)}, must be {each.bound}"
            + (f" ({each.evidence})" if each.evidence else ""),
            highlight=False,
        )
    screen.print(f"{len(results)} results, {len(findings)} findings", highlight=False)


def _told(figures: dict[str, Any], name: str) -> str:
    interval = figures.get(name + kit.INTERVAL)
    return f"{name} {_short(figures[name])}" + (f" ({interval[0]:.2g}–{interval[1]:.2g})" if interval else "")


def _short(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, dict):
        return "{" + " ".join(f"{key}:{_short(item)}" for key, item in value.items()) + "}"
    return str(value)


def words(text: str) -> list[str]:
    """The words of a list with commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))
