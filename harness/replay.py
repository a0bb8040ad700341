"""`bullettime replay`: a recorded episode again. `bullettime verify`: whether records say what really happened."""

from __future__ import annotations

import contextlib
import json as json_format
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.table import Table

from clock.gametime import SECOND_US
from harness import actions as a
from harness.bundle import opened
from harness.confirm import Finding, Told, check
from harness.errors import BadInput, UserError
from harness.pool import pool
from harness.progress import progress
from harness.results.records import Act, Call, Results, Run, Verdict, read_events
from harness.session import Session
from harness.tape import open_again, walk

FEW = 40  # episodes that are not worth several processes, or are worth a line each


def replay(
    record: Annotated[Path, typer.Argument(help="The folder of a run, or of what `play` has recorded")],
    episode: Annotated[str | None, typer.Option(help="A number of the list, or a part of the episode's name")] = None,
    film: Annotated[Path | None, typer.Option(help="Write a film of it here")] = None,
    seconds: Annotated[float | None, typer.Option(help="Film at most so many seconds", min=0.1)] = None,
    window: Annotated[bool, typer.Option("--window", help="Show it in a window")] = False,
) -> None:
    """Show a recorded episode again: as a transcript, in a window or as a film. Lists them when there are several."""
    verdicts = read_verdicts(record)
    chosen = choose(verdicts, episode)
    if len(chosen) > 1:
        _print_list(verdicts, chosen)
        return
    if film is not None:
        from harness.record import film_verdicts  # noqa: PLC0415 (a transcript needs no graphics)

        made = film_verdicts(chosen, film, seconds=seconds)
        print(f"{film}: {made.seconds:.1f} s, {made.verdict} {made.reason}".rstrip())
    elif window:
        from harness.play import show_again  # noqa: PLC0415

        show_again(chosen[0])
    else:
        for line in transcript(chosen[0]):
            print(line)


def verify(
    run: Annotated[Path, typer.Argument(help="The folder of a run, or a bundle of `submit`")],
    jobs: Annotated[int, typer.Option(min=0, help="Processes; 0: one a core")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object")] = False,
) -> None:
    """Re-simulate every recorded episode from its acts and confirm state, times and verdict.

    Status 1 if one differs, or if an episode of the run's plan has no verdict.
    """
    with opened(run) as folder:
        verdicts = read_verdicts(folder)
        plan = _plan(folder)
        episodes = told_of(folder, verdicts)
    findings = list(_repeated(verdicts))
    findings += list(_check_all(episodes, jobs or len(os.sched_getaffinity(0))))
    refuted = {finding.episode for finding in findings}
    if json:
        told = {
            "episodes": len(verdicts),
            "confirmed": len(verdicts) - len(refuted),
            "refuted": len(refuted),
            "missing": plan.missing,
            "tainted": plan.tainted,
        }
        print(json_format.dumps({**told, "findings": [finding._asdict() for finding in findings]}, indent=2))
    else:
        _print_findings(verdicts, findings, refuted)
        _print_plan(plan)
    if findings or plan.missing or plan.tainted:
        raise typer.Exit(1)


def read_verdicts(folder: Path) -> list[Verdict]:
    """All scored episodes of a folder, in the order of their names. Raises UserError."""
    found = [event for event in read_events(folder) if isinstance(event, Verdict)]
    if not found:
        raise UserError(f"{folder} holds no recorded episodes", "name a folder that `run` or `play` has made")
    return sorted(found, key=lambda verdict: verdict.episode)


def choose(verdicts: list[Verdict], wanted: str | None) -> list[Verdict]:
    """The episodes with this number, or with this in their names. Raises BadInput when there are none."""
    if wanted is None:
        return verdicts
    if wanted.isdigit() and 1 <= int(wanted) <= len(verdicts):
        return [verdicts[int(wanted) - 1]]
    found = [verdict for verdict in verdicts if wanted in verdict.episode]
    exact = [verdict for verdict in found if wanted == verdict.episode]
    if not found:
        raise BadInput("episode", f"none is called {wanted!r}", "leave it out to see their list")
    return exact[:1] or found


# -------------------------------------------------------------------------------- verify


class Plan(NamedTuple):
    """What a run was to play: how many episodes, and of which it has no verdict; tainted ones were given up."""

    episodes: int
    missing: list[str]
    tainted: list[str]


def _plan(folder: Path) -> Plan:
    """Of a run's folder. What was recorded without a run planned nothing."""
    if not any(isinstance(event, Run) for event in read_events(folder)):
        return Plan(0, [], [])
    results = Results.load(folder)
    jobs, known = results.jobs(), results.outcomes
    unscored = sorted(job.key for job in jobs if job.key not in known or known[job.key].verdict is None)
    tainted = [key for key in unscored if key in known and known[key].tainted]
    return Plan(len(jobs), [key for key in unscored if key not in tainted], tainted)


def told_of(folder: Path, verdicts: list[Verdict]) -> list[Told]:
    """These episodes with their acts and the thinking that was charged for calls."""
    acts: dict[tuple[str, int], list[Act]] = defaultdict(list)
    charged: Counter[tuple[str, int]] = Counter()
    for event in read_events(folder):
        if isinstance(event, Act):
            acts[event.episode, event.attempt].append(event)
        elif isinstance(event, Call):
            charged[event.episode, event.attempt] += event.charged_us
    keys = [(verdict.episode, verdict.attempt) for verdict in verdicts]
    return [Told(verdict, acts[key], charged[key]) for verdict, key in zip(verdicts, keys, strict=True)]


def _repeated(verdicts: list[Verdict]) -> Iterator[Finding]:
    """Episodes that were scored more than once."""
    for episode, count in Counter(verdict.episode for verdict in verdicts).items():
        if count > 1:
            yield Finding(episode, "verdicts of this episode", str(count), "1")


def _check_all(episodes: list[Told], jobs: int) -> Iterator[Finding]:
    with contextlib.ExitStack() as stack:
        advance = stack.enter_context(progress("episodes", len(episodes)))
        checked: Iterator[list[Finding]] = map(check, episodes)
        if jobs > 1 and len(episodes) > FEW:
            processes = stack.enter_context(pool(jobs))
            checked = processes.map(check, episodes, chunksize=10)
        for findings in checked:
            advance()
            yield from findings


def _print_findings(verdicts: list[Verdict], findings: list[Finding], refuted: set[str]) -> None:
    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("agent", "tempo", "episodes", "won", "confirmed"):
        table.add_column(column, justify="left" if column in ("agent", "tempo") else "right")
    groups = Counter((verdict.job.agent, _tempo(verdict)) for verdict in verdicts)
    for (agent, tempo), count in sorted(groups.items()):
        own = [verdict for verdict in verdicts if (verdict.job.agent, _tempo(verdict)) == (agent, tempo)]
        won = sum(verdict.verdict == "won" for verdict in own)
        wrong = sum(verdict.episode in refuted for verdict in own)
        table.add_row(agent, tempo, str(count), str(won), f"[red]{count - wrong}[/]" if wrong else str(count))
    console.print(table)
    for finding in findings:
        console.print(f"\n[red bold]refuted[/] {finding.episode}\n  {finding.place}", soft_wrap=True)
        console.print(f"    recorded  {finding.recorded}\n    replayed  {finding.replayed}", soft_wrap=True)
    if not findings:
        console.print(f"\nall {len(verdicts)} confirmed: every act replayed, every verdict and last state the same")


def _print_plan(plan: Plan) -> None:
    console = Console(highlight=False)
    for what, names in (("missing", plan.missing), ("tainted", plan.tainted)):
        if names:
            console.print(f"\n[red bold]incomplete[/]: {len(names)} of {plan.episodes} episodes of its plan are {what}")
            for name in names[:FEW]:
                console.print(f"  {name}", soft_wrap=True, markup=False)
            if len(names) > FEW:
                console.print(f"  and {len(names) - FEW} more: --json names all")


# -------------------------------------------------------------------------------- replay


def transcript(verdict: Verdict) -> Iterator[str]:
    """An episode in lines: when, what the player did, how the world stood."""
    session = open_again(verdict)
    yield f"{verdict.episode}"
    yield f"{'game time':>10}  progress  act"
    for act in walk(session, verdict):
        if act is not None:
            line = "; ".join(map(tell, act.actions or []))
            yield f"{act.game_us / SECOND_US:>8.2f} s  {_share(session)}  {line}"
    won = verdict.verdict == "won"
    yield f"{verdict.game_us / SECOND_US:>8.2f} s  {_share(session)}  {'won' if won else f'lost: {verdict.reason}'}"


def tell(action: a.AnyAction) -> str:
    """An action in about the words of the one-line language."""
    match action:
        case a.Click():
            words = [{"left": "click", "right": "right", "middle": "middle"}[action.button], *_place(action)]
        case a.Move():
            words = ["move", *_place(action), *_ms(action.ms)]
        case a.MouseDown() | a.MouseUp():
            words = ["down" if isinstance(action, a.MouseDown) else "up", *_place(action), action.button]
        case a.Drag():
            words = ["drag", *(f"{point.x:g} {point.y:g}" for point in action.path), *_ms(action.ms)]
        case a.Scroll():
            words = ["scroll", *_place(action), str(action.dy)]
        case a.Key() | a.KeyHold():
            words = ["hold" if isinstance(action, a.KeyHold) else "key", "+".join(action.keys), *_ms(action.ms)]
        case a.KeyDown() | a.KeyUp():
            words = ["keydown" if isinstance(action, a.KeyDown) else "keyup", action.key]
        case a.Type():
            words = ["type", action.text]
        case a.Wait():
            words = ["wait", f"{action.ms:.0f}"]
    return " ".join(words + ([f"@{action.at_ms:.0f}"] if action.at_ms is not None else []))


def _place(action: a.Click | a.Move | a.MouseDown | a.MouseUp | a.Scroll) -> list[str]:
    return [] if action.x is None or action.y is None else [f"{action.x:.0f} {action.y:.0f}"]


def _ms(ms: float) -> list[str]:
    return [f"{ms:.0f}"] if ms else []


def _share(session: Session) -> str:
    return f"{session.world.progress():>7.0%} "


def _tempo(verdict: Verdict) -> str:
    return verdict.job.tempo if verdict.job.timing == "rt" else "twin"


def _print_list(verdicts: list[Verdict], chosen: list[Verdict]) -> None:
    for number, verdict in enumerate(verdicts, 1):
        if verdict in chosen:
            print(f"{number:>4}  {verdict.verdict:<4}  {verdict.episode}")
    print("\nchoose one with --episode NUMBER")
