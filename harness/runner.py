"""`bullettime run`: agents over configurations, tempos and seeds, with records that survive whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json as json_format
import os
import platform
import signal
import time
from collections.abc import Iterator
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import psutil
import typer
from rich.console import Console

from harness import agents as agents_of
from harness import cluster
from harness import options as opt
from harness.agents import guest
from harness.agents.models.conversation import OWN_PRICES, Policy, load_policy, price_of
from harness.crew import AT_ONCE, PATIENT, Crew, LimitReached, Limits, Todo
from harness.errors import BadInput, UserError
from harness.pool import pool
from harness.progress import Progress, progress
from harness.record import film
from harness.results import report
from harness.results.records import Ended, Outcome, Results, Run, Shard, begun, now, rules_digest
from harness.sandbox import walls
from harness.suite import Job, Suite, load_suite

RUNS = Path("runs")
FILM_S = 12.0  # of a film, at most
FIRST_REPORT_S = 60.0  # of play, until there is a report of what has been played so far; each next takes twice as long
TRANSCRIPTS = "transcripts"
FINISHED, UNSCORED, LIMITED, INTERRUPTED = 0, 1, 3, 130  # statuses of a run that has ended
LOCK = ".lock"  # held by the run that is at work in a folder


class How(NamedTuple):
    """How a run is played: processes, episodes of each provider at once, limits, whether to keep transcripts; where."""

    seats: int
    at_once: int
    limits: Limits
    transcripts: bool
    on: str = "local"  # or "ray"

    def crew(self, folder: Path, suite: Suite, shard: Shard, advance: Progress) -> Crew:
        """Those who play it."""
        return Crew(
            folder,
            suite,
            shard,
            self.seats,
            advance,
            at_once=self.at_once,
            limits=self.limits,
            spent=advance.spend,
            transcripts=folder / TRANSCRIPTS if self.transcripts else None,
        )


class Interrupted(Exception):
    """Ctrl-C, or a polite request to end."""


def run(
    agents: opt.Agents = None,
    suite: Annotated[str, typer.Option(help="A suite by name, or a .toml file")] = "default",
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
            help="The folder of the run; a new one under runs/ by default", parser=opt.folder_named, metavar="PATH"
        ),
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the run in this folder")] = None,
    json: opt.Json = False,
) -> None:
    """Run agents over games, tempos and seeds; leaves records, a report and a film in a folder.

    Without options: the default suite, about three minutes. Options replace that field of the suite.
    What takes longer than a minute reports on the way: after one minute, two more, four more, and so on.
    Status 0: all has been played; 1: but nothing was scored; 2: something is to be mended; 3: a limit was reached;
    130: interrupted.
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
    if resume is not None and (
        out is not None or suite != "default" or any(value is not None for value in fields.values())
    ):
        raise UserError(
            "--resume goes on with a run as it was begun", "leave the other options out, or begin a new run"
        )
    screen = Console(stderr=True)
    if resume is not None:
        folder, plan = resume, Results.load(resume).run.suite
    else:
        plan = load_suite(suite).narrowed(**fields)
        plan.jobs()  # refuses what names no episode before there is a folder
        folder = out or _new_folder(plan.name)
    how = How(seats(jobs), at_once, opt.limits(max_cost, max_calls, max_hours), transcripts)
    with alone_in(folder):
        if resume is None and begun(folder):
            raise UserError(f"{folder} holds a run already", f"go on with it: bullettime run --resume {folder}")
        status = play_and_report(folder, plan, how, screen, json=json)
    if status in (LIMITED, INTERRUPTED):
        screen.print(f"stopped; go on with: bullettime run --resume {folder}", highlight=False, soft_wrap=True)
    if status != FINISHED:
        raise typer.Exit(status)


def seats(jobs: int) -> int:
    """How many processes play."""
    return jobs or len(os.sched_getaffinity(0))


def play_and_report(folder: Path, plan: Suite, how: How, screen: Console, *, json: bool) -> int:
    """Play what is not finished of the plan in a folder, then report; returns the run's status. Raises UserError."""
    known = take_up(folder) if begun(folder) else {}
    status = play(folder, plan, known, how, screen)
    results, page, status = _report(folder, screen, status)
    if json:
        told = {"folder": str(folder), "finished": status == FINISHED, **report.summary(results)}
        print(json_format.dumps(told, indent=2))
    else:
        report.show(results, Console())
        if page is not None:
            screen.print(f"report: {page}", highlight=False, soft_wrap=True)
    _say_tainted(results, screen)
    scored = any(outcome.verdict is not None for outcome in results.outcomes.values())
    return UNSCORED if status == FINISHED and not scored else status


def _say_tainted(results: Results, screen: Console) -> None:
    """Say of each agent how many of its episodes stay unscored, and the last cause."""
    agents = {outcome.job.agent for outcome in results.outcomes.values() if outcome.tainted}
    for agent in sorted(agents):
        played = [outcome for outcome in results.outcomes.values() if outcome.job.agent == agent]
        tainted = [outcome for outcome in played if outcome.tainted]
        why = f"{agent}: {len(tainted)} of {len(played)} episodes could not be scored: {tainted[-1].taints[-1].cause}"
        screen.print(why, style="red", highlight=False, markup=False, soft_wrap=True)
    if agents:
        screen.print("mend the cause and play them in a new folder: this run does not try again", highlight=False)


def play(folder: Path, suite: Suite, outcomes: dict[str, Outcome], how: How, screen: Console) -> int:
    """Play all that is not finished; returns FINISHED, LIMITED or INTERRUPTED. Raises UserError."""
    jobs = suite.jobs()
    if any(job.agent == agents_of.HUMAN for job in jobs):
        raise BadInput("agents", "people play in a window", "bullettime play --suite NAME; its records are the same")
    if any(job.conditions.code for job in jobs):
        walls.require()
    for spec in map(agents_of.parse, sorted({job.agent for job in jobs})):
        guest.require(spec)
        if how.limits.cost is not None and spec.model and price_of(spec) is None:
            mend = f"give its price in a file like configs/prices.toml, {OWN_PRICES}=FILE; or use --max-calls"
            raise BadInput("max-cost", f"the price of {spec.name} is unknown, so nothing would stop it", mend)
    todo = []
    for job in jobs:
        known = outcomes.get(job.key) or Outcome(job)
        if not known.finished:
            todo.append(Todo(job, known.started, len(known.taints)))
    rules = {job.game: rules_digest(job.game) for job in jobs}
    try:
        with Shard(folder) as shard, progress("episodes", len(jobs), len(jobs) - len(todo), screen) as advance:
            shard.write(
                Run(
                    name=folder.name,
                    suite=suite,
                    version=version("bullettime"),
                    machine=machine(),
                    rules=dict(sorted(rules.items())),
                    conversations=conversations(jobs),
                    resumed=bool(outcomes),
                    at=now(),
                )
            )
            try:
                _work(folder, suite, todo, shard, advance, how, screen)
            except (Interrupted, KeyboardInterrupt):
                shard.write(Ended(why="interrupted", at=now()))
                return INTERRUPTED
            except LimitReached as limit:
                screen.print(f"limit reached: {limit}", highlight=False)
                shard.write(Ended(why=f"limit: {limit}", at=now()))
                return LIMITED
            shard.write(Ended(why="finished", at=now()))
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}", "choose another folder with --out") from None
    return FINISHED


def _work(
    folder: Path, suite: Suite, todo: list[Todo], shard: Shard, advance: Progress, how: How, screen: Console
) -> None:
    """Play on this machine, or wherever Ray finds room."""
    if how.on == "ray":
        cluster.play(suite, todo, shard, advance, how.at_once, how.limits)
    else:
        asyncio.run(_until_interrupted(how.crew(folder, suite, shard, advance), todo, folder, screen))


async def _until_interrupted(crew: Crew, jobs: list[Todo], folder: Path, screen: Console) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    working = asyncio.ensure_future(crew.work(jobs))
    stopping = asyncio.ensure_future(stop.wait())
    reporting = asyncio.ensure_future(_report_now_and_then(folder, screen))
    await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    reporting.cancel()
    await asyncio.gather(reporting, return_exceptions=True)  # there will be another, which says what is wrong
    if not working.done():
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        raise Interrupted
    working.result()


async def _report_now_and_then(folder: Path, screen: Console) -> None:
    """Write the report of what has been played so far, in a process that gives way: after a while, then ever later."""
    for number in count():
        await asyncio.sleep(FIRST_REPORT_S * 2**number)
        page = await asyncio.to_thread(_report_apart, folder)
        if number == 0:
            screen.print(f"report so far: {page}", highlight=False, soft_wrap=True)


def _report_apart(folder: Path) -> Path:
    with pool(1, nice=PATIENT) as child:
        return child.submit(_report_on, folder).result()


def _report_on(folder: Path) -> Path:
    return report.write(Results.load(folder))


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder. Raises UserError when one is at work there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}", "choose another folder with --out") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"another run is at work in {folder}", "wait for it") from None
        yield
    finally:
        os.close(lock)


def _report(folder: Path, screen: Console, status: int) -> tuple[Results, Path | None, int]:
    """Write the report, then again with its film; also returns the run's status, film and all."""
    results = Results.load(folder)
    page = report.write(results) if results.outcomes else None
    if status == FINISHED and page is not None:
        try:
            _film(results, screen)
            page = report.write(results)
        except (KeyboardInterrupt, SystemExit):  # Ctrl-C; SIGTERM
            status = INTERRUPTED
    return results, page, status


def _film(results: Results, screen: Console) -> None:
    """Film the oracle at the first game, beside its twin, unless it has been done."""
    job, path = report.filmed(results), results.folder / report.FILM
    if job is None or path.exists():
        return
    screen.print("filming the oracle", highlight=False)
    try:
        film(job.config, job.seed, path, beside_twin=True, seconds=FILM_S)
    except (UserError, RuntimeError) as error:
        screen.print(f"no film: {error}", highlight=False, soft_wrap=True)


def take_up(folder: Path) -> dict[str, Outcome]:
    """What is known of a run. Raises UserError when its games or conversations have changed since."""
    results = Results.load(folder)
    changed = {game for game, rules in results.run.rules.items() if rules_digest(game) != rules}
    ended = [outcome.verdict for outcome in results.outcomes.values() if outcome.verdict]
    changed |= {verdict.job.game for verdict in ended if verdict.cap not in (None, verdict.job.cap)}
    if changed:
        raise UserError(
            f"the rules have changed since this run began: {', '.join(sorted(changed))}",
            "its results would mix two games; begin a new run",
        )
    spoken = conversations(results.jobs())
    other = [name for name, policy in results.run.conversations.items() if spoken.get(name, policy) != policy]
    if other:
        raise UserError(
            f"the conversation has changed since this run began: {', '.join(other)}",
            "its results would mix two agents; begin a new run, or give the new conversation another name",
        )
    return results.outcomes


def conversations(jobs: list[Job]) -> dict[str, Policy]:
    """How the models of these jobs are spoken to, by name."""
    specs = map(agents_of.parse, sorted({job.agent for job in jobs}))
    names = {spec.option("conversation", "default") for spec in specs if spec.model}
    return {name: load_policy(name) for name in sorted(names)}


def machine() -> dict[str, Any]:
    """What a run was made on."""
    return {
        "system": platform.platform(),
        "processor": platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "python": platform.python_version(),
    }


def _new_folder(name: str) -> Path:
    return RUNS / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
