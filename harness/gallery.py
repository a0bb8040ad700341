"""`bullettime games`: what there is to play, as a list or as a contact sheet of moments."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import cv2
import numpy as np
import typer
from rich.console import Console
from rich.table import Table

import games as catalogue
from games.kit.picture import Picture
from games.kit.world import TICKS_PER_SECOND, Twin, World
from harness.errors import BadInput, UserError
from harness.film import BACK, DIM, INK, LOST, WON
from harness.painter.encode import encode_png
from harness.painter.fonts import measure, wrap
from harness.painter.gl import Painter
from harness.progress import progress
from harness.results.records import Verdict
from harness.session import MODES, TIMINGS
from harness.suite import choose_games, parse_numbers
from harness.tape import open_again, oracle_verdict, walk

THUMB = (320, 240)  # pixels of a moment
MARGIN, GAP, LABEL, HEAD = 24, 8, 190, 72  # pixels
ABILITIES = {"temporal": "time", "planning": "plan", "exploration": "explore", "3d": "3d"}  # and their column's head
ROWS_CAP = 120  # rows of a sheet, which is then some 30,000 pixels high


class Entry(NamedTuple):
    """A game in the list."""

    name: str
    title: str
    family: str
    twin: str
    seconds: float
    abilities: tuple[str, ...]
    twin_abilities: tuple[str, ...]
    goal: str


def games(
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list")] = False,
    sheet: Annotated[Path | None, typer.Option(help="Write a contact sheet to this PNG instead")] = None,
    games: Annotated[str, typer.Option(help="Names or families, with * and ?, separated by commas")] = "*",
    levels: Annotated[str, typer.Option(help="For the sheet, for example 1,3-5")] = "3",
    modes: Annotated[str, typer.Option(help="For the sheet: simple,full")] = "full",
    timings: Annotated[str, typer.Option(help="For the sheet: rt,twin")] = "rt",
    moments: Annotated[int, typer.Option(help="For the sheet: pictures a row", min=1, max=12)] = 5,
    seed: Annotated[int, typer.Option(help="For the sheet: which world", min=0)] = 1,
    across: Annotated[
        bool, typer.Option("--across", help="For the sheet: a row a game, a picture a configuration")
    ] = False,
) -> None:
    """List the games, or show moments of how their oracles play them."""
    chosen = choose_games([part.strip() for part in games.split(",")])
    if sheet is not None:
        configurations = [
            f"{game}/{timing}/{level}/{mode}"
            for game in chosen
            for timing in _words(timings, TIMINGS, "timings")
            for level in parse_numbers(levels, "levels")
            for mode in _words(modes, MODES, "modes")
        ]
        write_sheet(sheet, configurations, 0 if across else moments, seed)
        what = "configurations" if across else f"rows of {moments} moments"
        print(f"{sheet}: {len(configurations)} {what}")
        return
    entries = [describe(catalogue.load(name)) for name in chosen]
    if json:
        print(json_format.dumps([entry._asdict() for entry in entries], indent=2, ensure_ascii=False))
    else:
        _print_table(entries)


def describe(game: type[World]) -> Entry:
    """A game as the list shows it."""
    return Entry(
        game.id,
        game.title,
        game.family,
        tell_twin(game.twin),
        game.seconds,
        game.abilities,
        game.twin_abilities,
        game.goal,
    )


def tell_twin(twin: Twin) -> str:
    """When the twin lets time pass, in a few words."""
    return {
        "still": "still",
        "turn": f"turn {twin.ticks / TICKS_PER_SECOND:.2g} s",
        "until": "until",
        "acting": "acting",
    }[twin.kind]


def _words(text: str, known: tuple[str, ...], field: str) -> list[str]:
    words = [part.strip() for part in text.split(",")]
    for word in words:
        if word not in known:
            raise BadInput(field, f"{word!r} is unknown", f"use {' or '.join(known)}")
    return words


def _print_table(entries: list[Entry]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("game", "title", "twin"):
        table.add_column(column, no_wrap=True)
    for head in ABILITIES.values():
        table.add_column(head, justify="center", no_wrap=True)
    family = ""
    for entry in entries:
        if entry.family != family:
            family = entry.family
            table.add_row(f"[bold cyan]{family}[/]")
        marks = ["●" if a in entry.twin_abilities else "○" if a in entry.abilities else "" for a in ABILITIES]
        table.add_row(f"  {entry.name}", entry.title, entry.twin, *marks)
    console = Console(highlight=False)
    console.width = max(
        console.width, console.measure(table, options=console.options.update(max_width=999)).maximum
    )  # rather a wrapped line than a cut name
    console.print(table)
    told = f"{len(entries)} game{'s' * (len(entries) != 1)}"
    console.print(f"\n● in both timings, ○ in real time only: {', '.join(ABILITIES)}", style="dim", soft_wrap=True)
    console.print(f"{told} × rt, twin × level 1 to 5 × simple, full = {len(entries) * 20} configurations")


# -------------------------------------------------------------------------------- contact sheets


def write_sheet(path: Path, configurations: list[str], moments: int, seed: int) -> None:
    """Write a contact sheet as PNG. Raises UserError.

    A row a configuration, a column a moment; with 0 moments a row a game, a column a configuration.
    """
    if moments and len(configurations) > ROWS_CAP:
        raise UserError(f"that is {len(configurations)} rows, more than {ROWS_CAP}", "narrow --games or --levels")
    painter = Painter()
    rows: list[tuple[Verdict, list[np.ndarray]]] = []
    with progress("plays", len(configurations)) as advance:
        for configuration in configurations:
            verdict = oracle_verdict(configuration, seed)
            if moments:
                rows.append((verdict, moments_of(verdict, moments, painter)))
            else:
                if not rows or rows[-1][0].job.game != verdict.job.game:
                    rows.append((verdict, []))
                rows[-1][1].append(moments_of(verdict, 3, painter, configuration.partition("/")[2])[1])
            advance()
    image = _lay_out(rows, painter, each=bool(moments))
    painter.close()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode_png(image))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}", "name a file that can be written") from None


def moments_of(verdict: Verdict, count: int, painter: Painter, told: str = "") -> list[np.ndarray]:
    """Evenly spread pictures of a recorded episode, the first and the last included. told: instead of their times."""
    length = 1 + sum(1 for _ in walk(open_again(verdict), verdict))  # its end comes after all that it yields
    wanted = [round(index * length / max(1, count - 1)) for index in range(count)]
    session = open_again(verdict)
    seen: list[np.ndarray] = []
    steps = walk(session, verdict)
    for index in range(length + 1):
        while len(seen) < count and wanted[len(seen)] == index:
            picture = session.picture()
            seconds = f"{session.world.tick / TICKS_PER_SECOND:.1f} s"
            _stamp(picture, told or (seconds if session.realtime else f"{session.acts} acts"))
            seen.append(cv2.resize(painter.render(picture), THUMB, interpolation=cv2.INTER_AREA))
        next(steps, None)
    return seen


def _stamp(picture: Picture, told: str) -> None:
    """Write the time into the lower left corner, large enough to be read when small."""
    width = measure(told, 28) + 28
    picture.box(14 + width / 2, 570, width, 42, BACK, radius=10, alpha=0.75)
    picture.text(28, 570, told, 28, INK, align="left")


def _lay_out(rows: list[tuple[Verdict, list[np.ndarray]]], painter: Painter, *, each: bool) -> np.ndarray:
    """each: a row is one configuration."""
    columns = max(len(seen) for _, seen in rows)
    width = 2 * MARGIN + LABEL + columns * (THUMB[0] + GAP) - GAP
    width += width % 2
    bands = [_band(width, HEAD, painter, _draw_head)]
    for verdict, seen in rows:
        bands.append(_row(width, verdict, seen, painter, each=each))
    bands.append(_band(width, MARGIN, painter, lambda picture: None))
    return np.vstack(bands)


def _band(width: int, height: int, painter: Painter, draw: Any) -> np.ndarray:
    picture = Picture(width, height)
    picture.background(BACK)
    draw(picture)
    return painter.render(picture, width, height).copy()


def _draw_head(picture: Picture) -> None:
    picture.text(MARGIN, 34, "BulletTime", 26, INK, align="left", bold=True)
    picture.text(MARGIN + 152, 35, "moments of an oracle at play", 15, DIM, align="left")


def _row(width: int, verdict: Verdict, seen: list[np.ndarray], painter: Painter, *, each: bool) -> np.ndarray:
    height = THUMB[1] + 2 * GAP
    job = verdict.job

    def draw_label(picture: Picture) -> None:
        world = catalogue.load(job.game)
        y = GAP + 16.0
        for line in wrap(world.title, 18, LABEL - 16, bold=True):
            picture.text(MARGIN, y, line, 18, INK, align="left", bold=True)
            y += 24
        if not each:
            picture.text(MARGIN, y + 4, world.family, 13, DIM, align="left")
            return
        timing = "real time" if job.timing == "rt" else "twin"
        for line in (world.family, f"level {job.level}, {job.mode}", f"{timing}, seed {job.seed}"):
            picture.text(MARGIN, y + 4, line, 13, DIM, align="left")
            y += 19
        won = verdict.verdict == "won"
        for line in wrap("won" if won else f"lost: {verdict.reason}", 14, LABEL - 16, bold=True):
            picture.text(MARGIN, y + 12, line, 14, WON if won else LOST, align="left", bold=True)
            y += 18

    band = _band(width, height, painter, draw_label)
    for index, image in enumerate(seen):
        x = MARGIN + LABEL + index * (THUMB[0] + GAP)
        band[GAP : GAP + THUMB[1], x : x + THUMB[0]] = image
    return band
