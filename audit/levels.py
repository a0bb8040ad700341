"""Levels: each is harder than those before it, in more than one way. Real time only.

The measure is a handicapped oracle, twice as late as a person and with an unsteady pointer, which plays as an agent
does. How long a thinking one may take, level by level, is held by `strict`, which measures it.
"""

from __future__ import annotations

from itertools import combinations
from math import hypot
from typing import Any, NamedTuple

from scipy.stats import fisher_exact

import games
from audit.aims import moved
from audit.kit import INTERVAL, LEVELS, Evidence, Result
from audit.play import Taped, lag, show
from games.kit.dice import Dice
from games.kit.world import TICKS_PER_SECOND, World
from harness import actions as a
from harness.actions import to_plain
from harness.results.statistics import Rate
from harness.session import MODES, Configuration

SEEDS = 16
LATE = TICKS_PER_SECOND // 2  # ticks: twice a person's reaction
TREMOR = 6.0  # px, standard deviation in x and in y of all places that the pointer is sent to
FALL = 0.3  # of the pass rate, from level 1 to level 5
LUCK = 0.01  # p of a rise from one level to a later one
AXES = 2  # columns of the table that make a difference
TRIES = 4  # plays in which a column may show that it does
BEGINNING = 15 * TICKS_PER_SECOND  # ticks of such a play


class Axis(NamedTuple):
    """A column of the table in which the last level differs from the first."""

    name: str
    felt: bool  # whether going back to the first level's value changes any play


class Unsteady(Taped):
    """A session whose player's pointer misses a little. The same player in all levels of a seed."""

    def __init__(self, configuration: Configuration, seed: int, **options: Any) -> None:
        self._tremor = Dice.named("tremor", seed)
        super().__init__(configuration, seed, **options)

    def submit(self, actions: list[a.AnyAction], coord_space: str = "px") -> None:
        super().submit([self._shake(action) for action in actions], coord_space)

    def _shake(self, action: a.AnyAction) -> a.AnyAction:
        return moved(action, (TREMOR * self._tremor.bell(), TREMOR * self._tremor.bell()))

    def trace(self) -> str:
        """All that was done and what came of it, as text: equal for equal plays."""
        return str([to_plain(act) for _, act in self.tape]) + self.picture().digest()


def applies(configuration: Configuration) -> bool:
    return configuration.timing == "rt"


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("levels", str(configuration))
    plays = [_handicapped(configuration, seed) for seed in seeds]
    rate = Rate(sum(play.won for play in plays), len(plays))
    result.note("handicapped", rate.share)
    result.note(f"handicapped{INTERVAL}", list(rate.interval))
    result.note("log", show(evidence, "handicapped", [*plays]))
    result.note("plays", f"{Dice.named(*(play.trace() for play in plays)).state:016x}")
    if configuration.mode == "full" and configuration.level == LEVELS[-1]:  # the rules are those of both modes
        axes = _axes(configuration, seeds[:TRIES])
        felt = [axis.name for axis in axes if axis.felt]
        result.note("idle_axes", [axis.name for axis in axes if not axis.felt])
        result.must("axes", felt, f"≥ {AXES} columns of the table that change a play", len(felt) >= AXES)
    return result


def _handicapped(configuration: Configuration, seed: int, world: World | None = None, until: int = 0) -> Unsteady:
    session = Unsteady(configuration, seed, world=world)
    lag(session, LATE, until)
    return session


def _axes(configuration: Configuration, seeds: list[int]) -> list[Axis]:
    """Each column that moves: do plays of the last level begin otherwise with the first level's value there?"""
    rows = games.load(configuration.game).levels
    columns = zip(rows[0]._fields, rows[0], rows[-1], strict=True)
    changed = {name: rows[-1]._replace(**{name: first}) for name, first, last in columns if first != last}
    felt = set()
    for seed in seeds:
        own = _beginning(configuration, seed, rows[-1])
        untold = [name for name in changed if name not in felt]
        felt |= {name for name in untold if _beginning(configuration, seed, changed[name]) != own}
    return [Axis(name, name in felt) for name in changed]


def _beginning(configuration: Configuration, seed: int, row: Any) -> str:
    """The trace of a play's beginning, in a world with this row of the table."""
    kind = games.load(configuration.game)
    world = kind.new(row, Dice.named(kind.id, seed, "world"))
    world.fate = Dice.named(kind.id, seed, "fate", "")
    return _handicapped(configuration, seed, world, BEGINNING).trace()


def join(game: str, results: dict[Configuration, Result]) -> Result:
    """The table's columns, and how the figures go from level to level, in each mode."""
    joined = Result("levels", game)
    rows = games.load(game).levels
    wavering = [
        name
        for name, column in zip(rows[0]._fields, zip(*rows, strict=True), strict=True)
        if list(column) not in (sorted(column), sorted(column, reverse=True))
    ]
    joined.must("wavering", wavering, "none: each column of the table goes one way", not wavering)
    for mode in MODES:
        found = {each.level: result for each, result in results.items() if each.mode == mode}
        if len(found) > 1:
            _judge(joined, mode, [found[level] for level in sorted(found)])
    return joined


def _judge(joined: Result, mode: str, results: list[Result]) -> None:
    """Hold one mode's levels, in order, to what must not rise, and what must fall over the range."""
    rates = [result.figures["handicapped"] for result in results]
    played = [result.seeds for result in results]
    log = results[0].figures["log"]
    joined.note(f"{mode}_rates", rates)
    joined.note(f"{mode}_fall{INTERVAL}", _fall_interval(results[0].figures, results[-1].figures))
    joined.at_least(f"{mode}_fall", rates[0] - rates[-1], FALL, log)
    pairs = list(combinations(range(len(results)), 2))
    p = min(_rise(rates[a] * played[a], played[a], rates[b] * played[b], played[b]) for a, b in pairs)
    joined.must(f"{mode}_rise_p", p, f"≥ {LUCK:g}: no level is won more often than an easier one", p >= LUCK, log)
    same = [a for a, b in pairs if results[a].figures["plays"] == results[b].figures["plays"]]
    joined.must(f"{mode}_repeats", same, "none: every play of a level goes as in another", not same, log)


def _fall_interval(first: dict[str, Any], last: dict[str, Any]) -> list[float]:
    """Of the difference of two shares, from Wilson's of each (Newcombe 1998, method 10)."""
    (a, (a_low, a_high)), (b, (b_low, b_high)) = (
        (each["handicapped"], each[f"handicapped{INTERVAL}"]) for each in (first, last)
    )
    return [a - b - hypot(a - a_low, b_high - b), a - b + hypot(a_high - a, b - b_low)]


def _rise(won: float, played: int, later_won: float, later_played: int) -> float:
    """The chance of so large a rise, or a larger one, where there is none."""
    table = [[round(later_won), round(later_played - later_won)], [round(won), round(played - won)]]
    return float(fisher_exact(table, "greater").pvalue)
