"""The report of a run: one HTML page that needs nothing else, its tables beside it, and a summary for the terminal."""

from __future__ import annotations

import base64
import json as json_format
import math
import shlex
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import av
import msgspec
import numpy as np
import typer
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import games
from clock.gametime import SECOND_US, TICKS_PER_SECOND
from harness.errors import UserError
from harness.painter.encode import encode_jpeg
from harness.painter.gl import Painter
from harness.results import charts, tables
from harness.results.analysis import TWIN, Analysis, Side
from harness.results.figures import mixed
from harness.results.records import Results, Verdict
from harness.suite import Job
from harness.tape import open_again, walk

TEMPLATES = Path(__file__).parent / "templates"
PAGE, FILM = "report.html", "film.mp4"
FILMS = "films"  # a folder of the run: films of games, whose names begin with the game's
PICTURE = (480, 360)  # pixels


def summary(results: Results) -> dict[str, Any]:
    """Counts, pass rates, losses and reaction times, as plain values."""
    told = Analysis(results)
    counts = _counts(results, told)
    return {
        "report": str(results.folder / PAGE),
        "episodes": counts["planned"],
        "scored": counts["scored"],
        "won": sum(outcome.won for outcome in told.outcomes),
        "tainted": counts["tainted"],
        "rates": [row._asdict() for row in tables.rate_rows(told)],
        "failures": [row._asdict() for row in tables.failure_rows(told)],
        "losses": [row._asdict() for row in tables.loss_rows(told)],
        "reaction_times": [row._asdict() for row in tables.reaction_rows(told)],
    }


def show(results: Results, console: Console) -> None:
    """Pass rates, as a table in the terminal."""
    told = Analysis(results)
    table = Table("agent", *told.columns, box=None, header_style="dim", padding=(0, 1, 0, 0))  # fits 80 columns
    for agent in told.agents:
        cells = []
        for column in told.columns:
            rate = told.headline.get((agent, column))
            cells.append(f"{rate.share:4.0%} [dim]{rate.won}/{rate.played}[/]" if rate and rate.played else "")
        table.add_row(f"[bold]{escape(agent)}[/]", *cells)
    console.print(table)
    for agent in told.agents:
        if answer := told.answer(agent):
            console.print(f"[bold]{escape(agent)}[/]: {answer}", highlight=False)
        for kind in told.failures[agent].kinds if agent in told.failures else []:
            if kind.said:
                console.print(f"  {kind.how}: {kind.said}", highlight=False, markup=False, soft_wrap=True)


def report(
    folder: Annotated[Path, typer.Argument(help="The folder of a run, which may be going on")],
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON")] = False,
) -> None:
    """Write the report of a run anew, from what has been played so far."""
    results = Results.load(folder)
    if not results.outcomes:
        raise UserError(f"nothing has been played in {folder} yet", "wait for its first episode")
    page = write(results)
    if json:
        print(json_format.dumps(summary(results), indent=2))
    else:
        show(results, Console())
        Console(stderr=True).print(f"report: {page}", highlight=False, soft_wrap=True)


def filmed(results: Results) -> Job | None:
    """The episode that the run's film shows, if there is any that it can show."""
    shown = [(job.level != 3, job.config, job.seed, job) for job in results.jobs() if job.timing == "rt"]
    return min(shown)[-1] if shown else None


def write(results: Results) -> Path:
    """Write the page and its tables into the run's folder; returns the page's path.

    Raises UserError when the disk is full.
    """
    told = Analysis(results)
    film, job = results.folder / FILM, filmed(results)
    losses = {agent: told.loss(agent, told.focus) for agent in told.agents}
    colours = {agent: f"--a{number}" for number, agent in enumerate(told.agents)}
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters.update(share=_share, signed=_signed, seconds=_seconds, chance=_chance, count=_count, usd=_usd)
    files = tables.write(told, results.folder)
    page = environment.get_template(PAGE).render(
        run=results.run,
        spoken=msgspec.to_builtins(results.run.conversations),
        folder=shlex.quote(str(results.folder)),
        told=told,
        losses=losses,
        counts=_counts(results, told),
        names=told.names,
        cast={outcome.job.agent.partition("@")[0] for outcome in told.outcomes},
        colours=colours,
        palette=dict(zip(colours.values(), charts.palette(told.agents), strict=True)),
        hints={column: _hint(column) for column in told.columns},
        side=Side,
        css=(TEMPLATES / "report.css").read_text(),
        figures=_figures(told, colours, losses),
        blends={tempo: mixed(number / len(told.tempos)) for number, tempo in enumerate(told.tempos) if number},
        games=_games(results, told),
        film={"path": FILM, "caption": _caption(job), "poster": _poster(film)} if job and film.exists() else None,
        files=files,
    )
    tables.put(results.folder / PAGE, page.encode())
    return results.folder / PAGE


def _caption(job: Job) -> str:
    return f"The oracle at {job.config}, seed {job.seed}, and at its twin beside it."


def _figures(told: Analysis, colours: charts.Colours, losses: dict[str, Any]) -> dict[str, str | None]:
    """Pictures by name; None where there is nothing to be seen."""
    twin = told.focus != TWIN
    return {
        "slowdown": charts.slowdown(told, colours),
        "spans": charts.pressed_and_waited(told, colours),
        "bars": charts.bars(told, losses),
        "budgets": charts.budgets(told, colours),
        "delay": charts.delay(told, colours),
        "levels": charts.levels(told, colours, told.focus) if len(told.levels) > 1 else None,
        "levels_twin": charts.levels(told, colours, TWIN) if twin and len(told.levels) > 1 else None,
        "abilities": charts.abilities(told, colours, told.focus),
        "abilities_twin": charts.abilities(told, colours, TWIN) if twin else None,
        "costs": charts.costs(told, colours),
    }


# -------------------------------------------------------------------------------- games


def _games(results: Results, told: Analysis) -> list[dict[str, Any]]:
    painter = Painter()
    shown = []
    numbers = {key: number for number, key in enumerate(_scored(told), 1)}
    films = sorted(path.name for path in (results.folder / FILMS).glob("*.mp4"))
    for name in told.games:
        game = games.load(name)
        played = [outcome.verdict for outcome in told.outcomes if outcome.job.game == name and outcome.verdict]
        telling = max(played, key=_telling) if played else None
        shown.append(
            {
                "name": name,
                "title": game.title,
                "goal": game.goal,
                "picture": _picture(painter, telling) if telling else None,
                "episode": telling.episode if telling else "",
                "number": numbers[telling.episode] if telling else 0,
                "films": [f"{FILMS}/{film}" for film in films if film.startswith(f"{name}-")],
            }
        )
    painter.close()
    return shown


def _scored(told: Analysis) -> list[str]:
    """Episodes in the order in which `bullettime replay` numbers them."""
    return sorted(outcome.verdict.episode for outcome in told.outcomes if outcome.verdict)


def _telling(verdict: Verdict) -> tuple[object, ...]:
    """Which episode shows best what the game is about: one that was won in real time, at a middle level."""
    job = verdict.job
    return job.timing == "rt", verdict.verdict == "won", -abs(job.level - 3), -verdict.acts, job.key


def _picture(painter: Painter, verdict: Verdict) -> str | None:
    """What the agent saw in the middle of the episode, as a data URL; None where that cannot be shown here."""
    try:
        session = open_again(verdict)
        for _ in islice(walk(session, verdict), verdict.game_us * TICKS_PER_SECOND // SECOND_US // 2):
            pass
        return _data_url(painter.render(session.picture(), *PICTURE))
    except Exception:  # no renderer, changed rules, a broken game: the report stands without it
        return None


def _poster(film: Path) -> str | None:
    """A frame from its middle, to be seen before it plays; None where it cannot be read."""
    try:
        with av.open(str(film)) as file:
            file.seek((file.duration or 0) // 2)
            return _data_url(next(file.decode(video=0)).to_ndarray(format="rgb24"))
    except (OSError, av.FFmpegError, StopIteration):
        return None


def _data_url(rgb: np.ndarray) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(encode_jpeg(rgb, 85)).decode()


# -------------------------------------------------------------------------------- words


def _counts(results: Results, told: Analysis) -> dict[str, Any]:
    verdicts = [outcome.verdict for outcome in told.outcomes if outcome.verdict is not None]
    causes = Counter(taint.cause for outcome in told.outcomes for taint in outcome.taints)
    return {
        "planned": len(results.jobs()),
        "scored": len(verdicts),
        "tainted": sum(outcome.tainted for outcome in told.outcomes),
        "retried": causes.total(),
        "causes": ", ".join(f"{cause} ({count})" for cause, count in causes.most_common()),
        "configurations": len({outcome.job.config for outcome in told.outcomes}),
        "seeds": ", ".join(map(str, sorted({outcome.job.seed for outcome in told.outcomes}))),
        "drives": ", ".join(sorted({outcome.job.drive for outcome in told.outcomes})),
        "isolation": ", ".join(sorted({verdict.isolation for verdict in verdicts})),
        "thinking": _thinking(verdicts),
        "surfaces": ", ".join(sorted({f"{v.job.agent}: {v.surface}" for v in verdicts if v.surface})),
        "late_us": max((verdict.late_max_us for verdict in verdicts), default=0),
        "largest": max((rate.played for rate in told.headline.values()), default=0),
    }


def _thinking(verdicts: list[Verdict]) -> str:
    """How thinking was charged, in words."""
    words = {
        "measured": "as measured where the world runs",
        "told": "by the stamps of each call",
        "declared": "by a declared rate: time to the first token, and tokens by their rate",
    }
    kinds = {verdict.thinking for verdict in verdicts}
    if len(kinds) == 1:
        return words[kinds.pop()]
    return "; ".join(
        f"{words[kind]}: {', '.join(sorted({v.job.agent for v in verdicts if v.thinking == kind}))}"
        for kind in sorted(kinds)
    )


def _hint(column: str) -> str:
    hints = {"live": "real time", "paused": "still until an act", TWIN: "waits for the player"}
    return hints.get(column, f"{column[:-1]} times slower")


def _share(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.0%}"


def _signed(value: float) -> str:
    return "" if math.isnan(value) else f"{100 * value:+.0f}".replace("-", "−") if round(100 * value) else "0"


def _seconds(value: float) -> str:
    if math.isnan(value):
        return "·"
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def _chance(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _count(value: float) -> str:
    return "" if math.isnan(value) else f"{value:,.0f}"


def _usd(value: float) -> str:
    return f"${value:.2f}" if value >= 0.1 else f"${value:.2g}"
