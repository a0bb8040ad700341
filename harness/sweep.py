"""`bullettime sweep`: a grid of conditions, which may take days. `bullettime merge`: runs put together.

A sweep lives in one folder and is resumed by identity: whatever that folder has of the grid's episodes is finished,
whenever and wherever it was played. So the same command goes on where it was stopped.
"""

from __future__ import annotations

import json as json_format
import shutil
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import typer
from rich.console import Console
from rich.table import Table

import games as games_of
from clock.tempo import Tempo
from configs import FOLDER
from harness import agents as agents_of
from harness import options as opt
from harness.agents.models.conversation import Tokens, price_of
from harness.crew import AT_ONCE
from harness.errors import UserError
from harness.results import report
from harness.results.analysis import agent_order
from harness.results.records import Outcome, Results, Shard, begun, read_events
from harness.runner import FINISHED, INTERRUPTED, LIMITED, RUNS, How, alone_in, play_and_report, seats, take_up
from harness.suite import Job, Suite, load_suite

GRIDS = FOLDER / "grids"
# Guesses, for when nothing is known yet.
CALLS, CALL_S, CALL_TOKENS = 30, 5.0, Tokens(sent=8_000, received=300)  # of a model's episode; of each call
ORACLE_S, PLAYER_S = 0.3, 3.0  # of wall time, an episode of an oracle, and of a simple player under metered


def sweep(
    grid: Annotated[str, typer.Argument(help="A grid by name, or a .toml file")],
    agents: opt.Agents = None,
    games: opt.Games = None,
    levels: opt.Levels = None,
    modes: opt.Modes = None,
    timings: opt.Timings = None,
    tempos: opt.Tempos = None,
    seeds: opt.Seeds = None,
    drive: opt.DriveOption = None,
    efforts: opt.Efforts = None,
    frames: opt.Frames = None,
    rulebook: opt.Rulebook = None,
    code: opt.Code = None,
    jobs: opt.Jobs = 0,
    at_once: opt.AtOnce = AT_ONCE,
    max_cost: opt.MaxCost = None,
    max_calls: opt.MaxCalls = None,
    max_hours: opt.MaxHours = None,
    transcripts: opt.Transcripts = True,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The sweep's folder; by default runs/ and the grid's name", parser=opt.folder_named, metavar="PATH"
        ),
    ] = None,
    on: Annotated[Literal["local", "ray"], typer.Option(help="This machine, or whatever Ray can reach")] = "local",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say episodes, cost and hours")] = False,
    json: opt.Json = False,
) -> None:
    """Sweep a grid of conditions; the same command goes on with what is not finished.

    Grids: slowdown, difficulty, effort, abilities, or a file of your own. Options replace that field of the grid:
    bullettime sweep slowdown --agents 'openai:MODEL?effort=low,oracle@2s' --seeds 1-5 --dry-run
    """
    fields = opt.chosen(
        agents=agents,
        games=games,
        levels=levels,
        modes=modes,
        timings=timings,
        tempos=tempos,
        seeds=seeds,
        drive=drive,
        efforts=efforts,
        frames=frames,
        rulebook=rulebook,
        code=code,
    )
    plan = load_suite(grid, GRIDS).narrowed(**fields)
    folder = out or RUNS / plan.name
    how = How(seats(jobs), at_once, opt.limits(max_cost, max_calls, max_hours), transcripts, on)
    screen = Console(stderr=True)
    if dry_run:
        known = take_up(folder) if begun(folder) else {}
        jobs_of = plan.jobs()
        if others := known.keys() - {job.key for job in jobs_of}:
            screen.print(f"{folder} holds {len(others)} other episodes; --out names another folder", soft_wrap=True)
        show(estimates(jobs_of, known, how), json=json)
        return
    plan.jobs()  # refuses what names no episode before there is a folder
    with alone_in(folder):
        status = play_and_report(folder, plan, how, screen, json=json)
    if status in (LIMITED, INTERRUPTED):
        screen.print("stopped; the same command goes on", highlight=False)
    if status != FINISHED:
        raise typer.Exit(status)


# -------------------------------------------------------------------------------- estimates


class Estimate(NamedTuple):
    """Of one agent: episodes, those left, calls, USD (None: unknown), hours, and whether that was measured here."""

    agent: str
    episodes: int
    left: int
    calls: int
    cost: float | None
    hours: float
    measured: bool


def estimates(jobs: list[Job], known: dict[str, Outcome], how: How) -> list[Estimate]:
    """What it takes to finish these jobs, in the report's order of agents, by what finished episodes have taken."""
    by_agent: dict[str, list[Job]] = defaultdict(list)
    for job in jobs:
        by_agent[job.agent].append(job)
    finished = defaultdict[str, list[Outcome]](list)
    for outcome in known.values():
        if outcome.verdict is not None:
            finished[outcome.job.agent].append(outcome)
    names = sorted(by_agent, key=agent_order)
    return [_estimate(agent, by_agent[agent], known, finished[agent], how) for agent in names]


def _estimate(agent: str, jobs: list[Job], known: dict[str, Outcome], done: list[Outcome], how: How) -> Estimate:
    spec = agents_of.parse(agent)
    left = [job for job in jobs if not (job.key in known and known[job.key].finished)]
    calls = median([len(outcome.calls) for outcome in done] or [CALLS]) if spec.model else 0
    each = CALL_TOKENS.cost(price_of(spec))
    cost: float | None = None if each is None else each * calls
    spent = [outcome.cost for outcome in done if outcome.cost is not None]
    if spent and spec.model:
        cost = sum(spent) / len(spent)
    took = [outcome.verdict.wall_us / 1e6 for outcome in done if outcome.verdict]
    wall_s = [median(took)] * len(left) if took else [_wall_s(job) for job in left]
    at_once = how.at_once if spec.hosted else how.seats
    return Estimate(
        agent,
        len(jobs),
        len(left),
        round(calls * len(left)),
        (None if cost is None else cost * len(left)) if spec.model else 0.0,
        sum(wall_s) / max(1, min(at_once, len(left))) / 3600,
        bool(took),
    )


def _wall_s(job: Job) -> float:
    """A guess at the wall time of an episode."""
    spec = agents_of.parse(job.agent)
    if spec.oracle:
        return ORACLE_S
    if job.drive == "metered" and spec.model:
        return CALLS * CALL_S
    if job.drive == "metered" and spec.kind in agents_of.PLAYERS:
        return PLAYER_S
    slowdown = Tempo.parse(job.tempo).slowdown
    return float(games_of.load(job.game).seconds * (slowdown or 1))


def show(rows: list[Estimate], *, json: bool) -> None:
    """Print estimates and their sums."""
    costs = [row.cost for row in rows]
    total = {
        "episodes": sum(row.episodes for row in rows),
        "left": sum(row.left for row in rows),
        "calls": sum(row.calls for row in rows),
        "cost": None if None in costs else sum(cost or 0.0 for cost in costs),
        "hours": _hours(rows),
    }
    if json:
        print(json_format.dumps({**total, "agents": [row._asdict() for row in rows]}, indent=2))
        return
    table = Table("agent", "episodes", "left", "calls", "cost", "time", "by", box=None, header_style="dim")
    for row in rows:
        by = "its own episodes" if row.measured else "a guess"
        table.add_row(row.agent, *map(str, (row.episodes, row.left, row.calls)), _usd(row.cost), _time(row.hours), by)
    counts = [str(total[key]) for key in ("episodes", "left", "calls")]
    table.add_row("[bold]all", *counts, _usd(total["cost"]), _time(_hours(rows)), "")
    Console().print(table)


def _hours(rows: list[Estimate]) -> float:
    """Of all agents: those of one vendor, and those on this machine's seats, one after another, these side by side."""
    queues: dict[str, float] = defaultdict(float)
    for row in rows:
        spec = agents_of.parse(row.agent)
        queues[spec.kind if spec.hosted else "seats"] += row.hours
    return max(queues.values(), default=0.0)


def _time(hours: float) -> str:
    return f"{hours:.1f} h" if hours >= 1 else f"{max(1, round(hours * 60))} min" if hours else ""


def _usd(cost: Any) -> str:
    return "unknown" if cost is None else f"${cost:.2f}"


# -------------------------------------------------------------------------------- merging


def merge(
    folders: Annotated[list[Path], typer.Argument(help="Folders of runs")],
    out: Annotated[Path, typer.Option(help="The folder to make", parser=opt.folder_named, metavar="PATH")],
) -> None:
    """Put runs together, as those of several machines, and report. What two of them have is taken once."""
    if begun(out):
        raise UserError(f"{out} holds a run already", "name a new folder")
    results = [Results.load(folder) for folder in folders]
    rules: dict[str, str] = {}
    for result in results:
        for game, digest in result.run.rules.items():
            if rules.setdefault(game, digest) != digest:
                raise UserError(f"{result.folder}: {game} has other rules than in the runs before", "merge them apart")
    plan = Suite(
        name=out.name,
        about="; ".join(dict.fromkeys(result.run.suite.about for result in results if result.run.suite.about)),
        conditions=results[0].run.suite.conditions,
        limit_s=results[0].run.suite.limit_s,
        grids=[grid for result in results for grid in result.run.suite.grids],
    )
    if any(result.run.suite.conditions != plan.conditions for result in results):
        raise UserError("these runs have different conditions", "merge those of one condition")
    with alone_in(out):
        taken: set[str] = set()
        for result in results:
            own = {key for key, outcome in result.outcomes.items() if outcome.finished} - taken
            _copy(result.folder, out, own)
            taken |= own
        with Shard(out) as shard:
            first = results[0].run
            spoken = {name: policy for result in results for name, policy in result.run.conversations.items()}
            shard.write(msgspec.structs.replace(first, name=out.name, suite=plan, rules=rules, conversations=spoken))
    merged = Results.load(out)
    finished = sum(outcome.finished for outcome in merged.outcomes.values())
    print(f"{out}: {finished} of {len(merged.jobs())} episodes are finished")
    if merged.outcomes:
        print(f"report: {report.write(merged)}")


def _copy(folder: Path, out: Path, episodes: set[str]) -> None:
    """Copy all that a run knows of some episodes, and its transcripts."""
    with Shard(out) as shard:
        for event in read_events(folder):
            if getattr(event, "episode", None) in episodes:
                shard.write(event)
    transcripts = folder / "transcripts"
    if transcripts.exists():
        shutil.copytree(transcripts, out / "transcripts", dirs_exist_ok=True)
