"""The tables beside a report, as CSV and, where pyarrow is installed, as Parquet of the same columns."""

from __future__ import annotations

import csv
import importlib
import io
import math
import os
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

from harness.results.analysis import Analysis, Side, condition
from harness.results.records import Outcome, unwritable
from harness.results.statistics import Rate


class RateRow(NamedTuple):
    """pass_rates: of an agent in a column. rate and its Wilson interval are shares."""

    agent: str
    tempo: str
    won: int
    played: int
    rate: float | None
    low: float
    high: float


class GroupRow(NamedTuple):
    """groups: pass rates by level, number of abilities, game and mode; `group` says which, `value` what of it."""

    agent: str
    tempo: str
    group: str
    value: str
    won: int
    played: int
    rate: float | None
    low: float
    high: float


class DifferenceRow(NamedTuple):
    """differences: first minus second over pairs, as shares; smallest: what so many pairs would have shown."""

    kind: str
    agent: str
    tempo: str
    other_agent: str
    other_tempo: str
    pairs: int
    only_first: int
    only_second: int
    difference: float
    low: float
    high: float
    p: float
    smallest: float


class FailureRow(NamedTuple):
    """failures: episodes that an agent lost by a failure of its own; said: the reason that most of them gave."""

    agent: str
    how: str
    episodes: int
    played: int
    said: str


class LossRow(NamedTuple):
    """losses: shares of the episodes that have a twin. recovered: beyond the most pressing tempo."""

    agent: str
    tempo: str
    pairs: int
    won: float
    recovered: float | None
    recovered_low: float | None
    recovered_high: float | None
    to_time: float
    to_time_low: float
    to_time_high: float
    p: float
    unable: float
    unable_low: float
    unable_high: float


class ReactionRow(NamedTuple):
    """reaction_times: seconds of thinking. seconds: empty where low or high is a bound instead."""

    agent: str
    seconds: float | None
    low: float | None
    high: float | None
    slope: float
    episodes: int
    games: int


class EpisodeRow(NamedTuple):
    """episodes: budget_s is τ50 times the slowdown; cost in USD, empty where a price is unknown."""

    agent: str
    game: str
    timing: str
    level: int
    mode: str
    tempo: str
    drive: str
    seed: int
    abilities: int
    budget_s: float | None
    taints: int
    verdict: str | None
    reason: str | None
    progress: float | None
    game_us: int | None
    ticks: int | None
    acts: int | None
    thinking_us: int | None
    infrastructure_us: int | None
    thinking: str | None
    surface: str | None
    calls: int
    tokens_in: int
    tokens_cached: int
    tokens_out: int
    tokens_reasoning: int
    cost: float | None


class CallRow(NamedTuple):
    """calls: one of a model each; times in µs since the episode began."""

    agent: str
    config: str
    tempo: str
    seed: int
    attempt: int
    seq: int
    sent_us: int
    first_us: int | None
    done_us: int
    charged_us: int
    tokens_in: int
    tokens_cached: int
    tokens_out: int
    tokens_reasoning: int
    cost: float | None
    stop: str
    problem: str


def write(told: Analysis, folder: Path) -> list[str]:
    """Write all tables that have a row; returns the names of their files. Raises UserError when the disk is full."""
    names = []
    for name, (kind, rows) in tables(told).items():
        if rows:
            names.append(f"{name}.csv")
            put(folder / names[-1], _csv(kind, rows).encode())
            if find_spec("pyarrow"):
                names.append(f"{name}.parquet")
                put(folder / names[-1], _parquet(kind, rows))
    return names


def tables(told: Analysis) -> dict[str, tuple[type[Any], list[Any]]]:
    """By name: the kind of its rows, and the rows."""
    made: dict[str, tuple[type[Any], Iterator[Any]]] = {
        "pass_rates": (RateRow, rate_rows(told)),
        "groups": (GroupRow, _group_rows(told)),
        "differences": (DifferenceRow, _difference_rows(told)),
        "failures": (FailureRow, failure_rows(told)),
        "losses": (LossRow, loss_rows(told)),
        "reaction_times": (ReactionRow, reaction_rows(told)),
        "episodes": (EpisodeRow, _episode_rows(told)),
        "calls": (CallRow, _call_rows(told)),
    }
    return {name: (kind, list(rows)) for name, (kind, rows) in made.items()}


def put(path: Path, data: bytes) -> None:
    """Replace a file at once. Raises UserError."""
    made = path.with_name(path.name + ".new")
    try:
        made.write_bytes(data)
        os.replace(made, path)
    except OSError as error:
        made.unlink(missing_ok=True)
        raise unwritable(path, error) from None


def _csv(kind: type[Any], rows: Sequence[Any]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(kind._fields)
    writer.writerows(rows)
    return text.getvalue()


def _parquet(kind: type[Any], rows: Sequence[Any]) -> bytes:
    arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    types = {str: arrow.string(), int: arrow.int64(), float: arrow.float64()}
    columns = {name: (get_args(hint) or (hint,))[0] for name, hint in get_type_hints(kind).items()}
    schema = arrow.schema([(name, types[column]) for name, column in columns.items()])
    table = arrow.table([list(column) for column in zip(*rows, strict=True)], schema=schema)
    file = io.BytesIO()
    parquet.write_table(table, file)
    return file.getvalue()


# -------------------------------------------------------------------------------- rows


def rate_rows(told: Analysis) -> Iterator[RateRow]:
    for agent in told.agents:
        for column in told.columns:
            if rate := told.headline.get((agent, column)):
                yield RateRow(agent, column, *_rate(rate))


def _group_rows(told: Analysis) -> Iterator[GroupRow]:
    groups: dict[str, Callable[[Outcome], object]] = {
        "level": lambda o: o.job.level,
        "abilities": told.abilities,
        "mode": lambda o: o.job.mode,
        "game": lambda o: o.job.game,
    }
    for group, key in groups.items():
        found = told.rates(told.agent, condition, key)
        for (agent, column, value), rate in sorted(found.items(), key=str):
            yield GroupRow(str(agent), str(column), group, str(value), *_rate(rate))


def _rate(rate: Rate) -> tuple[int, int, float | None, float, float]:
    low, high = rate.interval
    return rate.won, rate.played, _round(rate.share), round(low, 4), round(high, 4)


def _difference_rows(told: Analysis) -> Iterator[DifferenceRow]:
    for kind, first, second, gap in told.comparisons:
        counts = gap.pairs, gap.only_first, gap.only_second
        figures = *map(_round, gap[:3]), _digits(gap.p), _round(gap.smallest)
        yield DifferenceRow._make([kind, *first, *second, *counts, *figures])


def loss_rows(told: Analysis) -> Iterator[LossRow]:
    for agent in told.agents:
        for tempo in told.tempos:
            if loss := told.loss(agent, tempo):
                gain = told.gaps.get(("slowdown", Side(agent, tempo), Side(agent, told.focus)))
                recovered = gain[:3] if gain else [None] * 3
                low, high = loss.able.interval
                figures = [loss.won, *recovered, *loss.time[:3]], [loss.unable, 1 - high, 1 - low]
                before, after = ([_round(share) for share in part] for part in figures)
                yield LossRow._make([agent, tempo, loss.time.pairs, *before, _digits(loss.time.p), *after])


def failure_rows(told: Analysis) -> Iterator[FailureRow]:
    for agent, found in told.failures.items():
        for kind in found.kinds:
            yield FailureRow(agent, kind.how, kind.episodes, found.played, kind.said)


def reaction_rows(told: Analysis) -> Iterator[ReactionRow]:
    for agent, found in told.reactions.items():
        seconds, low, high, slope = (_round(value) for value in found[:4])
        yield ReactionRow(agent, seconds, low or None, high, slope or 0.0, found.episodes, found.games)


def _episode_rows(told: Analysis) -> Iterator[EpisodeRow]:
    for outcome in told.outcomes:
        job, verdict, calls = outcome.job, outcome.verdict, outcome.calls
        place = told.agent(outcome), job.game, job.timing, job.level, job.mode, condition(outcome), job.drive, job.seed
        names = ("verdict", "reason", "progress", "game_us", "ticks", "acts", "thinking_us", "infrastructure_us")
        facts = [getattr(verdict, name, None) for name in (*names, "thinking", "surface")]
        tokens = [
            sum(getattr(call, name) for call in calls)
            for name in ("tokens_in", "tokens_cached", "tokens_out", "tokens_reasoning")
        ]
        about = told.abilities(outcome), _round(told.budget(outcome)), len(outcome.taints)
        cost = None if outcome.cost is None else float(outcome.cost)
        yield EpisodeRow._make([*place, *about, *facts, len(calls), *tokens, cost])


def _call_rows(told: Analysis) -> Iterator[CallRow]:
    for outcome in told.outcomes:
        place = told.agent(outcome), outcome.job.config, condition(outcome), outcome.job.seed
        for call in outcome.calls:
            yield CallRow._make([*place, *(getattr(call, name) for name in CallRow._fields[len(place) :])])


def _digits(p: float) -> float:
    return float(f"{p:.4g}")


def _round(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, 4)
