"""Delay curves and reaction budgets, as `strict` has measured them: a picture and a table for readers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import games
from audit.kit import LEVELS, Result
from audit.reaction import GRID
from harness.session import MODES, Configuration

COLUMNS = 5  # games in a row of the picture
SHADES = ("#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08306b")  # a level each, light to dark
STYLES: dict[str, Any] = {"full": "-", "simple": ":"}

Found = dict[Configuration, Result]


def measured(results: Iterable[Result]) -> Found:
    """Results of `strict` that have a curve, by configuration."""
    return {
        Configuration.parse(each.subject): each
        for each in results
        if each.audit == "strict" and "curve" in each.figures
    }


def write(found: Found, folder: Path) -> list[Path]:
    """Write delays.png and budgets.md into the folder; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    picture, table = folder / "delays.png", folder / "budgets.md"
    _draw(found, picture)
    table.write_text(_table(found))
    return [picture, table]


def _names(found: Found) -> list[str]:
    return [name for name in games.names() if any(each.game == name for each in found)]


def _draw(found: Found, path: Path) -> None:
    import matplotlib as mpl  # noqa: PLC0415  slow to load

    mpl.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    names = _names(found)
    rows = -(-len(names) // COLUMNS)
    size = (3 * COLUMNS, 2.6 * rows + 0.5)
    figure, places = plt.subplots(rows, COLUMNS, figsize=size, sharex=True, sharey=True, squeeze=False)
    for axes in places.flat[len(names) :]:
        axes.axis("off")
    for axes, name in zip(places.flat, names, strict=False):
        axes.set_title(games.load(name).title, fontsize=11, loc="left")
        axes.set_xscale("log")
        axes.set_xticks(GRID, [f"{delay:g}" for delay in GRID], fontsize=8)
        axes.minorticks_off()
        axes.set_ylim(-0.04, 1.04)
        axes.axhline(0.5, color="#cccccc", linewidth=0.8)
        axes.spines[["top", "right"]].set_visible(False)
        for each, result in found.items():
            if each.game == name:
                curve = result.figures["curve"]
                delays = [float(delay) for delay in curve]
                style = {"color": SHADES[each.level - 1], "linestyle": STYLES[each.mode]}
                axes.plot(delays, list(curve.values()), linewidth=1.8, **style)
    handles = [plt.Line2D([], [], color=SHADES[level - 1], label=f"level {level}") for level in LEVELS]
    handles += [plt.Line2D([], [], color="#333333", linestyle=STYLES[mode], label=mode) for mode in MODES]
    figure.legend(handles=handles, loc="lower center", ncols=len(handles), frameon=False, fontsize=9)
    figure.supxlabel("thinking before each act, s", fontsize=10, y=0.06)
    figure.supylabel("share won, time limit lifted", fontsize=10, y=0.55)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _table(found: Found) -> str:
    """τ50 in seconds with its interval, a row for each game and mode, in Markdown."""
    levels = [level for level in LEVELS if any(each.level == level for each in found)]
    head = "| game | mode | " + " | ".join(f"level {level}" for level in levels) + " |\n"
    lines = [head, "|---|---|" + "---|" * len(levels) + "\n"]
    for name in _names(found):
        for mode in MODES:
            cells = [found.get(Configuration(name, "rt", level, mode)) for level in levels]
            if any(cells):
                told = " | ".join("" if cell is None else _budget(cell.figures["tau50"]) for cell in cells)
                lines.append(f"| {games.load(name).title} | {mode} | {told} |\n")
    return "".join(lines)


def _budget(tau: dict[str, Any]) -> str:
    sign = {"below": "< ", "above": "> "}.get(tau["censored"], "")
    return f"{sign}{tau['s']:.2g} ({tau['low']:.2g}–{tau['high']:.2g})"
