"""What a run says: pass rates by agent and tempo, what was lost to time and what to inability, delays, taints."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from clock.tempo import Tempo
from harness import agents
from harness.results.records import Outcome, Results
from harness.results.statistics import Difference, Rate, paired_difference, quantiles, smallest_gap

TWIN = "twin"
FIT = 0.9  # a pass rate from which on we call an agent able, or quick enough


class Loss(NamedTuple):
    """Shares of an agent's episodes at a tempo, over pairs of real-time episode and twin: they add up to one."""

    won: float
    to_time: float
    unable: float
    time: Difference  # twin minus real time, paired
    words: str


class Delay(NamedTuple):
    """Of one agent at one tempo, medians and ninetieth percentiles in seconds over acts; acts a median episode."""

    thinking: tuple[float, float]
    stale: tuple[float, float]
    acts: float


class Taints(NamedTuple):
    """Episodes that never came to be scored, and the pass rates if all of them had been lost or won."""

    agent: str
    tainted: int
    lowest: float
    share: float
    highest: float


def condition(outcome: Outcome) -> str:
    """The column that an episode stands in: its tempo, or the twin."""
    return TWIN if outcome.job.timing == TWIN else outcome.job.tempo


def rate(outcomes: Iterable[Outcome]) -> Rate:
    """The pass rate of those that were scored."""
    scored = [outcome for outcome in outcomes if outcome.verdict is not None]
    return Rate(sum(outcome.won for outcome in scored), len(scored))


def agent_order(name: str) -> tuple[int, float, str]:
    """Oracles first, the quick before the slow, then the others."""
    spec = agents.known(name)
    if spec is None:
        return 1, 0.0, name
    if spec.oracle:
        return 0, -1.0 if spec.think_us is None else spec.think_us, name
    return 2, agents.PLAYERS.index(name), name


@dataclass
class Analysis:
    """Tables over the outcomes of a run."""

    results: Results

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """In the order of their identity, so that two reports of the same records are equal."""
        return [self.results.outcomes[key] for key in sorted(self.results.outcomes)]

    @cached_property
    def agents(self) -> list[str]:
        return sorted({outcome.job.agent for outcome in self.outcomes}, key=agent_order)

    @cached_property
    def tempos(self) -> list[str]:
        """Of real-time episodes, from the most pressing to the most lenient."""
        names = {outcome.job.tempo for outcome in self.outcomes if condition(outcome) != TWIN}
        return sorted(names, key=Tempo.parse)

    @cached_property
    def columns(self) -> list[str]:
        """Tempos, and the twin if any was played."""
        twins = any(condition(outcome) == TWIN for outcome in self.outcomes)
        return [*self.tempos, *([TWIN] if twins else [])]

    @cached_property
    def games(self) -> list[str]:
        return sorted({outcome.job.game for outcome in self.outcomes})

    @cached_property
    def levels(self) -> list[int]:
        return sorted({outcome.job.level for outcome in self.outcomes})

    def rates(self, *keys: Callable[[Outcome], object]) -> dict[tuple[object, ...], Rate]:
        """Pass rates grouped by functions of an outcome."""
        groups: dict[tuple[object, ...], list[Outcome]] = defaultdict(list)
        for outcome in self.outcomes:
            groups[tuple(key(outcome) for key in keys)].append(outcome)
        return {group: rate(members) for group, members in groups.items()}

    @cached_property
    def headline(self) -> dict[tuple[object, ...], Rate]:
        """Pass rates by (agent, column)."""
        return self.rates(lambda o: o.job.agent, condition)

    @cached_property
    def by_level(self) -> dict[tuple[object, ...], Rate]:
        """Pass rates by (agent, column, level)."""
        return self.rates(lambda o: o.job.agent, condition, lambda o: o.job.level)

    @cached_property
    def by_game(self) -> dict[tuple[object, ...], Rate]:
        """Pass rates by (agent, column, game)."""
        return self.rates(lambda o: o.job.agent, condition, lambda o: o.job.game)

    @cached_property
    def uneven(self) -> bool:
        """Whether agents were played on different configurations or seeds."""
        played = {
            frozenset((o.job.config, o.job.tempo, o.job.seed) for o in self.outcomes if o.job.agent == agent)
            for agent in self.agents
        }
        return len(played) > 1

    @cached_property
    def focus(self) -> str:
        """The tempo that losses are told for: the most pressing one, or the twin where there is none."""
        return self.columns[0] if self.columns else TWIN

    def loss(self, agent: str, tempo: str) -> Loss | None:
        """What the agent lost at this tempo, over the episodes that have a scored twin."""
        pairs = self._pairs(agent, tempo)
        if not pairs:
            return None
        live = sum(won for _, _, won in pairs) / len(pairs)
        able = sum(won for _, won, _ in pairs) / len(pairs)
        return Loss(live, able - live, 1 - able, paired_difference(pairs), in_words(live, able))

    def _pairs(self, agent: str, tempo: str) -> list[tuple[str, bool, bool]]:
        """(game, twin won, real time won) of the same game, level, mode and seed."""
        live, twins = {}, {}
        for outcome in self.outcomes:
            job = outcome.job
            if job.agent == agent and outcome.verdict is not None:
                place = (job.game, job.level, job.mode, job.seed)
                if job.timing == TWIN:
                    twins[place] = outcome.won
                elif job.tempo == tempo:
                    live[place] = outcome.won
        return [(place[0], twins[place], won) for place, won in live.items() if place in twins]

    @cached_property
    def delays(self) -> dict[tuple[str, str], Delay]:
        """By (agent, column)."""
        groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
        for outcome in self.outcomes:
            if outcome.verdict is not None:
                groups[outcome.job.agent, condition(outcome)].append(outcome)
        return {
            group: Delay(
                _both([act.thinking_us / 1e6 for outcome in members for act in outcome.acts]),
                _both([act.stale_us / 1e6 for o in members for act in o.acts if act.stale_us is not None]),
                quantiles([outcome.verdict.acts for outcome in members if outcome.verdict], [0.5])[0],
            )
            for group, members in groups.items()
        }

    @cached_property
    def by_delay(self) -> list[tuple[str, str, float, Rate]]:
        """(agent, tempo, median staleness in s, pass rate) of real-time episodes of oracles that think."""
        return [
            (agent, tempo, self.delays[agent, tempo].stale[0], self.headline[agent, tempo])
            for agent in self.agents
            if (spec := agents.known(agent)) and spec.think_us is not None
            for tempo in self.tempos
            if (agent, tempo) in self.delays
        ]

    @cached_property
    def taints(self) -> list[Taints]:
        """Of the agents that have tainted episodes."""
        rows = []
        for agent in self.agents:
            members = [outcome for outcome in self.outcomes if outcome.job.agent == agent and outcome.finished]
            tainted = sum(outcome.tainted for outcome in members)
            if tainted:
                scored = rate(members)
                rows.append(
                    Taints(
                        agent,
                        tainted,
                        scored.won / len(members),
                        scored.share,
                        (scored.won + tainted) / len(members),
                    )
                )
        return rows

    @cached_property
    def smallest_gap(self) -> float:
        """The smallest difference between two tempos of one agent that the run could have shown."""
        sizes = [rate.played for (_, column), rate in self.headline.items() if column == self.focus]
        return smallest_gap(max(sizes, default=0))


def in_words(live: float, able: float) -> str:
    """The answer to the question, in words."""
    if able < 1 - FIT:
        return "cannot do it, at any speed"
    if live >= FIT:
        return "able, and quick enough"
    if able >= FIT:
        return "able, but too slow" if live < able / 2 else "able, but not always quick enough"
    if able - live > 0.1:
        return "partly able, and too slow for the rest"
    return "partly able; time costs it little"


def _both(values: list[float]) -> tuple[float, float]:
    median, ninetieth = quantiles(values)
    return median, ninetieth
