"""The report of a run: one HTML page that needs nothing else, its tables as CSV, and a summary for the terminal."""

from __future__ import annotations

import base64
import csv
import io
import math
import os
from collections import Counter
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import av
import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from rich.console import Console
from rich.table import Table

import games
from clock.gametime import SECOND_US, TICKS_PER_SECOND
from clock.tempo import Tempo
from harness import agents
from harness.painter.encode import encode_jpeg
from harness.painter.gl import Painter
from harness.results.analysis import TWIN, Analysis, Loss, condition
from harness.results.figures import Mark, Notch, Series, chart, log_place, stacked
from harness.results.records import Results, Verdict, unwritable
from harness.tape import open_again, walk

TEMPLATES = Path(__file__).parent / "templates"
PAGE, FILM = "report.html", "film.mp4"
PICTURE = (480, 360)  # pixels
SOONEST_S = 0.01  # the delay axis begins here; anything sooner stands there


def summary(results: Results) -> dict[str, Any]:
    """Counts and pass rates, as plain values."""
    told = Analysis(results)
    counts = _counts(results, told)
    return {
        "report": str(results.folder / PAGE),
        "episodes": counts["planned"],
        "scored": counts["scored"],
        "won": sum(outcome.won for outcome in told.outcomes),
        "tainted": counts["tainted"],
        "rates": _rate_rows(told),
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
        table.add_row(f"[bold]{agent}[/]", *cells)
    console.print(table)
    for agent in told.agents:
        if loss := told.loss(agent, told.focus):
            console.print(f"[bold]{agent}[/]: {loss.words}", highlight=False)


def write(results: Results, film: str = "") -> Path:
    """Write the page and its tables into the run's folder; returns the page's path. film: its caption, if there is one.

    Raises UserError when the disk is full.
    """
    told = Analysis(results)
    losses = {agent: told.loss(agent, told.focus) for agent in told.agents}
    colours = {agent: f"--a{number}" for number, agent in enumerate(told.agents)}
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters.update(share=_share, signed=_signed, seconds=_seconds, chance=_chance, count=_count)
    page = environment.get_template(PAGE).render(
        run=results.run,
        told=told,
        losses=losses,
        counts=_counts(results, told),
        colours=colours,
        palette=dict(zip(colours.values(), _palette(told.agents), strict=True)),
        hints={column: _hint(column) for column in told.columns},
        css=(TEMPLATES / "report.css").read_text(),
        slowdown=_slowdown(told, colours),
        delay=_delay(told, colours),
        levels=_levels(told, colours, told.focus),
        levels_twin=_levels(told, colours, TWIN) if told.focus != TWIN else None,
        bars=_bars(losses, told.focus),
        games=_games(told),
        film={"path": FILM, "caption": film, "poster": _poster(results.folder / FILM)} if film else None,
    )
    _put(results.folder / PAGE, page)
    _put(results.folder / "pass_rates.csv", _csv(_rate_rows(told)))
    _put(results.folder / "episodes.csv", _csv(_episode_rows(told)))
    return results.folder / PAGE


# -------------------------------------------------------------------------------- figures


def _slowdown(told: Analysis, colours: dict[str, str]) -> str:
    """Pass rate against slowdown; paused and twin stand behind breaks of the axis."""
    factors = {tempo: float(slow) for tempo in told.tempos if (slow := Tempo.parse(tempo).slowdown) is not None}
    apart = [column for column in told.columns if column not in factors]
    room = 1 - 0.17 * len(apart) if factors else 0.0
    low, high = min(factors.values(), default=1), max(factors.values(), default=1)
    places = {
        tempo: room * (log_place(factor, low, high) if len(factors) > 1 else 0.5) for tempo, factor in factors.items()
    }
    places |= {column: room + 0.17 * (number + 1) for number, column in enumerate(apart)}
    series = [
        Series(
            agent,
            colours[agent],
            [
                Mark(places[column], rate, f"{agent}, {column}: {rate.share:.0%} ({rate.won} of {rate.played})")
                for column in told.columns
                if (rate := told.headline.get((agent, column))) and rate.played
            ],
        )
        for agent in told.agents
    ]
    notches = [Notch(place, column) for column, place in places.items()]
    breaks = [places[column] - 0.085 for column in apart]
    return chart([line for line in series if line.marks], notches, "slowdown of the world", breaks=breaks)


def _delay(told: Analysis, colours: dict[str, str]) -> str | None:
    """Pass rate against the game time that passes between look and act."""
    shown = [(agent, tempo, max(stale, SOONEST_S), rate) for agent, tempo, stale, rate in told.by_delay if rate.played]
    if len({agent for agent, *_ in shown}) < 2 or len({tempo for _, tempo, *_ in shown}) < 2:
        return None
    low, high = SOONEST_S, max(1.0, *(stale for _, _, stale, _ in shown))
    series = [
        Series(
            agent,
            colours[agent],
            sorted(
                Mark(log_place(stale, low, high), rate, f"{name} at {tempo}: {stale:.2g} s late, {rate.share:.0%}")
                for name, tempo, stale, rate in shown
                if name == agent
            ),
        )
        for agent in dict.fromkeys(agent for agent, *_ in shown)
    ]
    marks = [0.01, 0.1, 1, 10, 100]
    notches = [
        Notch(log_place(at, low, high), "≤ 0.01" if at == 0.01 else f"{at:g}") for at in marks if low <= at <= high
    ]
    return chart(series, notches, "seconds of game time from look to act, median")


def _levels(told: Analysis, colours: dict[str, str], column: str) -> str | None:
    """Pass rate against level."""
    if column not in told.columns:
        return None
    span = max(told.levels) - min(told.levels) or 1
    places = {level: (level - min(told.levels)) / span if len(told.levels) > 1 else 0.5 for level in told.levels}
    series = [
        Series(
            agent,
            colours[agent],
            [
                Mark(places[level], rate, f"{agent}, level {level}: {rate.share:.0%} ({rate.won} of {rate.played})")
                for level in told.levels
                if (rate := told.by_level.get((agent, column, level))) and rate.played
            ],
        )
        for agent in told.agents
    ]
    notches = [Notch(place, str(level)) for level, place in places.items()]
    return chart([line for line in series if line.marks], notches, f"level ({column})")


def _bars(losses: dict[str, Loss | None], tempo: str) -> str | None:
    rows = [
        (
            agent,
            [
                ("won", loss.won, f"{agent} won {loss.won:.0%} {tempo}"),
                ("time", loss.to_time, f"{agent} lost {loss.to_time:.0%} to time"),
                ("unable", loss.unable, f"{agent} failed {loss.unable:.0%} even in the twin"),
            ],
        )
        for agent, loss in losses.items()
        if loss is not None
    ]
    return stacked(rows) if rows else None


def _palette(names: list[str]) -> list[tuple[str, str]]:
    """A colour for each agent, on light and on dark: oracles in one family from quick to slow, the others apart.

    Those that know nothing are dull.
    """
    oracles = [name for name in names if (spec := agents.known(name)) and spec.oracle]
    dull = {"random": ("#8a5a2b", "#d9a066"), "idle": ("#8b929c", "#8b94a1")}
    others = cycle([("#e2591b", "#ff9a52"), ("#c2185b", "#ff7aa8"), ("#a67c00", "#f2cf4a"), ("#557d00", "#a8d24a")])
    colours = []
    for name in names:
        if name in oracles:
            turn = 164 + 148 * oracles.index(name) / max(len(oracles) - 1, 1)
            colours.append((f"hsl({turn:.0f} 74% 38%)", f"hsl({turn:.0f} 72% 66%)"))
        else:
            colours.append(dull.get(name) or next(others))
    return colours


# -------------------------------------------------------------------------------- games


def _games(told: Analysis) -> list[dict[str, Any]]:
    painter = Painter()
    shown = []
    for name in told.games:
        game = games.load(name)
        played = [outcome.verdict for outcome in told.outcomes if outcome.job.game == name and outcome.verdict]
        picture = _picture(painter, max(played, key=_telling)) if played else None
        shown.append({"name": name, "title": game.title, "goal": game.goal, "picture": picture})
    painter.close()
    return shown


def _telling(verdict: Verdict) -> tuple[object, ...]:
    """Which episode shows best what the game is about: one that was won in real time, at a middle level."""
    job = verdict.job
    return job.timing == "rt", verdict.verdict == "won", -abs(job.level - 3), -verdict.acts, job


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


# -------------------------------------------------------------------------------- tables


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
        "late_us": max((verdict.late_max_us for verdict in verdicts), default=0),
        "largest": max((rate.played for rate in told.headline.values()), default=0),
    }


def _rate_rows(told: Analysis) -> list[dict[str, Any]]:
    return [
        {
            "agent": agent,
            "tempo": column,
            "won": rate.won,
            "played": rate.played,
            "rate": round(rate.share, 4) if rate.played else None,
            "low": round(rate.interval[0], 4),
            "high": round(rate.interval[1], 4),
        }
        for agent in told.agents
        for column in told.columns
        if (rate := told.headline.get((agent, column)))
    ]


def _episode_rows(told: Analysis) -> list[dict[str, Any]]:
    rows = []
    for outcome in told.outcomes:
        job, verdict = outcome.job, outcome.verdict
        row: dict[str, Any] = {
            "agent": job.agent,
            "game": job.game,
            "timing": job.timing,
            "level": job.level,
            "mode": job.mode,
            "tempo": condition(outcome),
            "drive": job.drive,
            "seed": job.seed,
            "taints": len(outcome.taints),
        }
        for name in ("verdict", "reason", "progress", "game_us", "ticks", "acts", "thinking_us", "infrastructure_us"):
            row[name] = getattr(verdict, name, None)
        rows.append(row)
    return rows


def _csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _put(path: Path, text: str) -> None:
    """Replace a file at once. Raises UserError."""
    made = path.with_name(path.name + ".new")
    try:
        made.write_text(text)
        os.replace(made, path)
    except OSError as error:
        made.unlink(missing_ok=True)
        raise unwritable(path, error) from None


# -------------------------------------------------------------------------------- words


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
    return "" if math.isnan(value) else f"{value:.0f}"
