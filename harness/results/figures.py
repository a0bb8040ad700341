"""The report's figures, as SVG that takes its colours from the page, so that it follows the reader's light or dark."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from harness.results.statistics import Rate

WIDTH, HEIGHT = 540, 340
LEFT, RIGHT, TOP, BOTTOM = 40, 104, 32, 44
LINE_PX = 15  # between two labels
LONGEST = 13  # letters of a name
DASH = 8  # px of a line that lies on another
DODGE_PX = 2.6  # between the whiskers of two series at one place


class Name(NamedTuple):
    """An agent's name as it fits beside a figure, and whole, for a tooltip."""

    short: str
    whole: str


Drawn = Counter[tuple[tuple[float, float], ...]]  # lines, or pieces of them, by (at, share)


class Mark(NamedTuple):
    """A pass rate at a place of the horizontal axis, 0..1."""

    at: float
    rate: Rate
    title: str


class Series(NamedTuple):
    """A line: its label and the name of its colour on the page (a CSS custom property).

    curve: (at, share) of a line that is drawn instead of the one that joins the marks.
    """

    label: Name
    colour: str
    marks: list[Mark]
    curve: Sequence[tuple[float, float]] = ()


class Bar(NamedTuple):
    """A piece of a bar: the class that colours it, its share, a tooltip, and how much of `time` its colour holds."""

    kind: str
    share: float
    title: str
    blend: float | None = None


class Span(NamedTuple):
    """Two pass rates of one agent, the first pressed for time."""

    label: Name
    colour: str
    pressed: Rate
    waited: Rate


class Notch(NamedTuple):
    """A labelled place of the horizontal axis, 0..1."""

    at: float
    label: str


def chart(series: Sequence[Series], notches: Sequence[Notch], axis: str, *, breaks: Sequence[float] = ()) -> str:
    """Pass rates along an axis, with Wilson whiskers, labelled at the lines' ends. breaks: where lines are cut."""
    parts = [*_frame(notches, axis), *(_break(at) for at in breaks)]
    ends = []
    drawn: Drawn = Counter()
    for number, line in enumerate(series):
        dodge = (number - (len(series) - 1) / 2) * DODGE_PX
        parts.append(_line(line, dodge, breaks, drawn))
        ends.append((*(line.curve[-1] if line.curve else (line.marks[-1].at, line.marks[-1].rate.share)), line))
    places = _spread([_y(share) for _, share, _ in ends])
    for (at, share, line), place in zip(ends, places, strict=True):
        x = WIDTH - RIGHT + 8
        colour = f"fill:var({line.colour})"
        parts.append(
            f'<path class="lead" d="M{_x(at) + 4:.1f} {_y(share):.1f}L{x - 2:.1f} {place:.1f}"/>'
            f'<text class="label" x="{x:.1f}" y="{place + 4:.1f}" style="{colour}">{_name(line.label)}</text>'
        )
    return _svg(WIDTH, HEIGHT, parts)


def stacked(rows: Sequence[tuple[Name, Sequence[Bar]]]) -> str:
    """Bars whose pieces add up to one."""
    left, width, high, gap = 112, 440, 22, 9
    parts = []
    for row, (label, pieces) in enumerate(rows):
        y, x = row * (high + gap) + 4, float(left)
        parts.append(f'<text class="name" x="{left - 10}" y="{y + 15.5}" text-anchor="end">{_name(label)}</text>')
        for kind, share, title, blend in pieces:
            wide = max(share, 0.0) * width
            if wide < 0.5:
                continue
            colour = "" if blend is None else f' style="fill:{mixed(blend)}"'
            parts.append(
                f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{max(wide - 2, 1):.1f}" height="{high}" rx="3"'
                f"{colour}><title>{escape(title)}</title></rect>"
            )
            if wide > 36:
                parts.append(
                    f'<text class="on {kind}" x="{x + wide / 2 - 1:.1f}" y="{y + 15.5}" text-anchor="middle">'
                    f"{share:.0%}</text>"
                )
            x += wide
    return _svg(left + width + 6, len(rows) * (high + gap), parts)


def mixed(blend: float) -> str:
    """A colour between what was won (0) and what was lost to time (1)."""
    return f"color-mix(in oklab, var(--time) {100 * blend:.0f}%, var(--win))"


def spans(rows: Sequence[Span]) -> str:
    """Two pass rates a row, joined: how far waiting takes an agent. Whiskers are Wilson's."""
    left, right, step, top = 114, WIDTH - 22, 30, 6
    bottom = top + step * len(rows)

    def x(share: float) -> float:
        return left + share * (right - left)

    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(f'<path class="grid" d="M{x(share):.1f} {top}V{bottom}"/>')
        parts.append(f'<text class="tick" x="{x(share):.1f}" y="{bottom + 16}" text-anchor="middle">{share:.0%}</text>')
    for number, row in enumerate(rows):
        y = top + step * (number + 0.5)
        parts.append(f'<text class="name" x="{left - 12}" y="{y + 4}" text-anchor="end">{_name(row.label)}</text>')
        marks = [f'<path class="line" d="M{x(row.pressed.share):.1f} {y}H{x(row.waited.share):.1f}"/>']
        for rate, kind, lift in ((row.pressed, "", -3), (row.waited, ' class="ring"', 3)):
            low, high = rate.interval
            title = f"{row.label.whole}: {rate.share:.0%} ({rate.won} of {rate.played})"
            marks.append(f'<path class="whisker" d="M{x(low):.1f} {y + lift}H{x(high):.1f}"/>')
            marks.append(
                f'<circle{kind} cx="{x(rate.share):.1f}" cy="{y}" r="5"><title>{escape(title)}</title></circle>'
            )
        parts.append(f'<g class="series" style="--c:var({row.colour})">{"".join(marks)}</g>')
    return _svg(WIDTH, bottom + 22, parts)


def named(names: Sequence[str]) -> dict[str, Name]:
    """Names by whole names, the same throughout a page.

    What comes before a model's own name goes first, then what its options are called, then the end; where names would
    be alike then, the middle goes instead.
    """
    own = {name: _own(name) if len(name) > LONGEST else name for name in names}
    ended = {name: text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…" for name, text in own.items()}
    alike = Counter(ended.values())
    return {name: Name(end if alike[end] == 1 else _inner(own[name]), name) for name, end in ended.items()}


def _own(name: str) -> str:
    target, _, options = (name.partition("#")[2] or name.partition(":")[2] or name).partition("?")
    return "?".join(filter(None, [target, re.sub(r"(^|&)[^=&]*=", r"\1", options)]))


def _inner(text: str) -> str:
    tail = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[: LONGEST - tail - 1]}…{text[-tail:]}"


def _name(name: Name) -> str:
    """A label, whole as a tooltip."""
    tooltip = "" if name.short == name.whole else f"<title>{escape(name.whole)}</title>"
    return escape(name.short) + tooltip


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {width:g} {height:g}" role="img">{"".join(parts)}</svg>'


def _x(at: float) -> float:
    return LEFT + 14 + at * (WIDTH - LEFT - RIGHT - 28)


def _y(share: float) -> float:
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)


def _frame(notches: Sequence[Notch], axis: str) -> list[str]:
    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = _y(share)
        parts.append(f'<path class="{"base" if share == 0 else "grid"}" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    for notch in notches:
        x = _x(notch.at)
        parts.append(f'<path class="base" d="M{x:.1f} {_y(0):.1f}v5"/>')
        parts.append(
            f'<text class="tick" x="{x:.1f}" y="{_y(0) + 19:.1f}" text-anchor="middle">{escape(notch.label)}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text class="axis" x="{middle}" y="{HEIGHT - 4}" text-anchor="middle">{escape(axis)}</text>')
    return parts


def _break(at: float) -> str:
    x, y = _x(at), _y(0)
    return f'<path class="cut" d="M{x - 4:.1f} {y + 5:.1f}l4 -10M{x + 2:.1f} {y + 5:.1f}l4 -10"/>'


def _line(line: Series, dodge: float, breaks: Sequence[float], drawn: Drawn) -> str:
    """A line with its marks. Where it lies on others that were drawn before, it is dashed, to let them be seen."""
    parts = []
    ends = [(mark.at, mark.rate.share) for mark in line.marks]
    for piece in [tuple(line.curve)] if line.curve else list(pairwise(ends)):
        cut = not line.curve and any(piece[0][0] < at < piece[1][0] for at in breaks)
        moved = 0.0 if line.curve else dodge
        path = "L".join(f"{_x(at) + moved:.1f} {_y(share):.1f}" for at, share in piece)
        dashes = f' style="stroke-dasharray:{DASH} {DASH * (drawn[piece] + 1)}"' if drawn[piece] and not cut else ""
        drawn[piece] += 1
        parts.append(f'<path class="{"line cutline" if cut else "line"}" d="M{path}"{dashes}/>')
    for mark in line.marks:
        x, (low, high) = _x(mark.at) + dodge, mark.rate.interval
        parts.append(f'<path class="whisker" d="M{x:.1f} {_y(low):.1f}V{_y(high):.1f}"/>')
        parts.append(
            f'<circle cx="{x:.1f}" cy="{_y(mark.rate.share):.1f}" r="4"><title>{escape(mark.title)}</title></circle>'
        )
    return f'<g class="series" style="--c:var({line.colour})">{"".join(parts)}</g>'


def _spread(wanted: Sequence[float]) -> list[float]:
    """Places near the wanted ones, none closer than a line of text to another."""
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    places = [wanted[i] for i in order]
    for _ in range(200):
        moved = False
        for i in range(len(places) - 1):
            lack = LINE_PX - (places[i + 1] - places[i])
            if lack > 0.01:
                places[i] -= lack / 2
                places[i + 1] += lack / 2
                moved = True
        if not moved:
            break
    lowest = HEIGHT - BOTTOM + 6.0
    for i in reversed(range(len(places))):
        places[i] = lowest = min(places[i], lowest)
        lowest -= LINE_PX
    result = [0.0] * len(wanted)
    for i, place in zip(order, places, strict=True):
        result[i] = place
    return result


def log_place(value: float, low: float, high: float) -> float:
    """Where a positive value stands between two others on a logarithmic axis, 0..1."""
    return math.log(value / low) / math.log(high / low) if high > low else 0.5
