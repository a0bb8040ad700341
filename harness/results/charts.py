"""Which figures a report shows, and of what."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle

import numpy as np

from clock.tempo import Tempo
from harness import agents
from harness.results.analysis import TWIN, Analysis, Loss, Side
from harness.results.figures import Bar, Mark, Notch, Series, Span, chart, log_place, spans, stacked
from harness.results.reaction import Budgeted
from harness.results.statistics import Rate

SOONEST_S = 0.01  # the delay axis begins here; anything sooner stands there
FACTOR = 2.0  # between the edges of a bin of budgets
DECADES = (0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000, 10_000)
OTHERS = [  # on light and on dark
    ("#e2591b", "#ff9a52"),
    ("#c2185b", "#ff7aa8"),
    ("#a67c00", "#f2cf4a"),
    ("#557d00", "#a8d24a"),
    ("#1769aa", "#6cb8f5"),
    ("#00796b", "#4fd0bf"),
    ("#6a3fb5", "#b79bff"),
    ("#6d4c41", "#cfa894"),
]

Colours = Mapping[str, str]  # agent -> name of its colour on the page


def slowdown(told: Analysis, colours: Colours) -> str:
    """Pass rate against slowdown; paused and twin stand behind breaks of the axis."""
    factors = {tempo: float(slow) for tempo in told.tempos if (slow := Tempo.parse(tempo).slowdown) is not None}
    apart = [column for column in told.columns if column not in factors]
    room = 1 - 0.17 * len(apart) if factors else 0.0
    low, high = min(factors.values(), default=1), max(factors.values(), default=1)
    places = {
        tempo: room * (log_place(factor, low, high) if len(factors) > 1 else 0.5) for tempo, factor in factors.items()
    }
    places |= {column: room + 0.17 * (number + 1) for number, column in enumerate(apart)}
    breaks = [places[column] - 0.085 for column in apart]
    return _along(
        told, colours, places, lambda agent, column: told.headline.get((agent, column)), "slowdown of the world", breaks
    )


def levels(told: Analysis, colours: Colours, column: str) -> str | None:
    """Pass rate against level."""
    return _steps(told, colours, column, told.levels, told.by_level, "level")


def abilities(told: Analysis, colours: Colours, column: str) -> str | None:
    """Pass rate against the number of abilities that a game asks for."""
    counts = sorted({int(str(count)) for _, shown, count in told.by_abilities if shown == column})
    return _steps(told, colours, column, counts, told.by_abilities, "abilities") if len(counts) > 1 else None


def _steps(
    told: Analysis,
    colours: Colours,
    column: str,
    steps: Sequence[int],
    rates: Mapping[tuple[object, ...], Rate],
    what: str,
) -> str | None:
    """Pass rates in one column, against a whole number."""
    if column not in told.columns:
        return None
    span = max(steps) - min(steps) or 1
    places = {str(step): (step - min(steps)) / span if len(steps) > 1 else 0.5 for step in steps}
    return _along(
        told, colours, places, lambda agent, step: rates.get((agent, column, int(step))), f"{what} ({column})"
    )


def _along(
    told: Analysis,
    colours: Colours,
    places: Mapping[str, float],
    rate_of: Callable[[str, str], Rate | None],
    axis: str,
    breaks: Sequence[float] = (),
) -> str:
    """A line an agent, over named places."""
    series = [
        Series(
            told.names[agent],
            colours[agent],
            [
                Mark(place, rate, f"{agent}, {name}: {rate.share:.0%} ({rate.won} of {rate.played})")
                for name, place in places.items()
                if (rate := rate_of(agent, name)) and rate.played
            ],
        )
        for agent in told.agents
    ]
    notches = [Notch(place, name) for name, place in places.items()]
    return chart([line for line in series if line.marks], notches, axis, breaks=breaks)


def delay(told: Analysis, colours: Colours) -> str | None:
    """Pass rate against the game time that passes between look and act."""
    shown = [(agent, tempo, max(stale, SOONEST_S), rate) for agent, tempo, stale, rate in told.by_delay if rate.played]
    if len({agent for agent, *_ in shown}) < 2 or len({tempo for _, tempo, *_ in shown}) < 2:
        return None
    low, high = SOONEST_S, max(1.0, *(stale for _, _, stale, _ in shown))
    series = [
        Series(
            told.names[agent],
            colours[agent],
            sorted(
                Mark(log_place(stale, low, high), rate, f"{name} at {tempo}: {stale:.2g} s late, {rate.share:.0%}")
                for name, tempo, stale, rate in shown
                if name == agent
            ),
        )
        for agent in dict.fromkeys(agent for agent, *_ in shown)
    ]
    return chart(series, _decades(low, high, SOONEST_S), "seconds of game time from look to act, median")


def budgets(told: Analysis, colours: Colours) -> str | None:
    """Pass rate against the thinking that episodes allowed, with each agent's fit."""
    shown = {agent: episodes for agent, episodes in told.budgeted.items() if episodes}
    if not shown:
        return None
    places = [episode.budget for episodes in shown.values() for episode in episodes]
    low, high = min(places), max(places) * 1.0001
    series = []
    for agent, episodes in shown.items():
        marks = [
            Mark(log_place(middle, low, high), rate, f"{agent}, τ50 about {middle:.2g} s: {rate.share:.0%}")
            for middle, rate in _bins(episodes)
        ]
        found = told.reactions[agent]
        curve = []
        if found.seconds is not None:
            for budget in np.geomspace(low, high, 60):
                share = 1 / (1 + (found.seconds / budget) ** found.slope)
                curve.append((log_place(float(budget), low, high), float(share)))
        series.append(Series(told.names[agent], colours[agent], marks, curve))
    return chart(series, _decades(low, high), "reaction budget: τ50 times slowdown, seconds of thinking")


def _bins(episodes: Iterable[Budgeted]) -> list[tuple[float, Rate]]:
    """Pass rates over bins of budgets, each at the geometric mean of what is in it."""
    bins: dict[int, list[Budgeted]] = {}
    for episode in episodes:
        bins.setdefault(math.floor(math.log(episode.budget, FACTOR)), []).append(episode)
    return [
        (
            math.exp(sum(math.log(episode.budget) for episode in members) / len(members)),
            Rate(sum(episode.won for episode in members), len(members)),
        )
        for _, members in sorted(bins.items())
    ]


def costs(told: Analysis, colours: Colours) -> str | None:
    """Pass rate against what an episode costs; agents whose prices are known."""
    priced = {group: cost.usd for group, cost in told.costs.items() if cost.usd}
    if not priced:
        return None
    low, high = min(priced.values()) / 1.5, max(priced.values()) * 1.5
    series = []
    for agent in told.agents:
        marks = [
            Mark(log_place(usd, low, high), rate, f"{agent}, {column}: {rate.share:.0%} at ${usd:.3g} an episode")
            for column in told.columns
            if (usd := priced.get((agent, column))) and (rate := told.headline.get((agent, column))) and rate.played
        ]
        series.append(Series(told.names[agent], colours[agent], marks))
    axis = "US dollars an episode; a dot a tempo"
    return chart([line for line in series if line.marks], _decades(low, high), axis)


def _decades(low: float, high: float, least: float | None = None) -> list[Notch]:
    """Notches of a logarithmic axis. least: a value that stands for all below."""
    wide = high / low > 1500
    values = [at * step for at in DECADES for step in ((1,) if wide else (1, 2, 5))]
    return [
        Notch(log_place(at, low, high), f"≤ {at:g}" if at == least else f"{at:g}")
        for at in values
        if low <= at <= high and not (least and least < at < 3 * least)  # its label is longer than others
    ]


def pressed_and_waited(told: Analysis, colours: Colours) -> str | None:
    """Pass rates at the most pressing tempo and in the twin."""
    rows = [
        Span(told.names[agent], colours[agent], pressed, waited)
        for agent in told.agents
        if not told.silent(agent)
        if (pressed := told.headline.get((agent, told.focus))) and (waited := told.headline.get((agent, TWIN)))
        if pressed.played and waited.played
    ]
    return spans(rows) if rows and told.focus != TWIN else None


def bars(told: Analysis, losses: Mapping[str, Loss | None]) -> str | None:
    """What each agent won, recovered at each slower tempo, won only in the twin, and failed even there."""
    rows = [(told.names[agent], _pieces(told, agent, loss)) for agent, loss in losses.items() if loss is not None]
    return stacked(rows) if rows else None


def _pieces(told: Analysis, agent: str, loss: Loss) -> list[Bar]:
    slower, most = told.tempos[1:], max(loss.won, loss.able.share)
    pieces = [Bar("won", loss.won, f"{agent} won {loss.won:.0%} {told.focus}")]
    so_far = loss.won
    for number, tempo in enumerate(slower, 1):
        gap = told.gaps.get(("slowdown", Side(agent, tempo), Side(agent, told.focus)))
        more = max(0.0, min(loss.won + gap.mean, most) - so_far) if gap else 0.0
        pieces.append(Bar("back", more, f"{agent} recovered {more:.0%} more at {tempo}", number / (len(slower) + 1)))
        so_far += more
    late = most - so_far
    pieces.append(Bar("time", late, f"{agent} won {late:.0%} in the twin alone"))
    return [*pieces, Bar("unable", 1 - most, f"{agent} failed {1 - most:.0%} even in the twin")]


def palette(names: Sequence[str]) -> list[tuple[str, str]]:
    """A colour for each agent, on light and on dark: oracles in one family from quick to slow, the others apart.

    Those that know nothing are dull.
    """
    oracles = [name for name in names if (spec := agents.known(name)) and spec.oracle]
    dull = {"random": ("#8a5a2b", "#d9a066"), "idle": ("#8b929c", "#8b94a1")}
    others = cycle(OTHERS)
    colours = []
    for name in names:
        if name in oracles:
            turn = 164 + 148 * oracles.index(name) / max(len(oracles) - 1, 1)
            colours.append((f"hsl({turn:.0f} 74% 38%)", f"hsl({turn:.0f} 72% 66%)"))
        else:
            colours.append(dull.get(name) or next(others))
    return colours
