"""What a run says: pass rates, what was lost to time and what to inability, reaction times, delays, costs, taints."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import Literal, NamedTuple

import games
from clock.tempo import Tempo
from harness import agents
from harness.results.costs import Cost, mean_cost
from harness.results.failures import Failures, failures
from harness.results.figures import Name, named
from harness.results.reaction import Budgeted, Reaction, react, read_budgets
from harness.results.records import Outcome, Results
from harness.results.statistics import Difference, Rate, paired_difference, quantiles, smallest_gap
from harness.suite import Job

TWIN = "twin"
FIT = 0.9  # a pass rate from which on we call an agent able, or quick enough

Place = tuple[str, int, str, int]  # game, level, mode, seed: what a pair of episodes shares


class Loss(NamedTuple):
    """Shares of an agent's episodes at a tempo, over pairs of real-time episode and twin: they add up to one."""

    won: float
    to_time: float
    able: Rate  # of the twins
    time: Difference  # twin minus real time, paired
    words: str

    @property
    def unable(self) -> float:
        return 1 - self.able.share


class Side(NamedTuple):
    """One side of a comparison: an agent's episodes in a column."""

    agent: str
    column: str


class Comparison(NamedTuple):
    """First minus second, over what both have played. kind: "step" from a tempo to the next, "slowdown" from the most
    pressing one, "twin" from a tempo, or "agents" in one column.
    """

    kind: Literal["step", "slowdown", "twin", "agents"]
    first: Side
    second: Side
    gap: Difference


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


def place(outcome: Outcome) -> Place:
    """What it shares with its siblings at other tempos, its twin, and the same episode of other agents."""
    job = outcome.job
    return job.game, job.level, job.mode, job.seed


def rate(outcomes: Iterable[Outcome]) -> Rate:
    """The pass rate of those that were scored."""
    scored = [outcome for outcome in outcomes if outcome.verdict is not None]
    return Rate(sum(outcome.won for outcome in scored), len(scored))


def agent_order(name: str) -> tuple[int, float, str]:
    """Oracles first, the quick before the slow, then whatever was brought along, then the simple ones."""
    spec = agents.known(name)
    if spec is not None and spec.oracle:
        return 0, -1.0 if spec.think_us is None else spec.think_us, name
    return (2, agents.PLAYERS.index(name), name) if name in agents.PLAYERS else (1, 0.0, name)


@dataclass
class Analysis:
    """Tables over the outcomes of a run."""

    results: Results

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """In the order of their identity, so that two reports of the same records are equal."""
        return [self.results.outcomes[key] for key in sorted(self.results.outcomes)]

    @cached_property
    def _common(self) -> dict[str, frozenset[str]]:
        """The conditions that all of an agent's episodes share, word by word."""
        found: dict[str, frozenset[str]] = {}
        for outcome in self.outcomes:
            words = _words(outcome.job)
            found[outcome.job.agent] = found.get(outcome.job.agent, words) & words
        return found

    def agent(self, outcome: Outcome) -> str:
        """Its agent; with what tells conditions apart, where that agent was played under several."""
        name = outcome.job.agent
        return " ".join([name, *sorted(_words(outcome.job) - self._common[name])])

    @cached_property
    def agents(self) -> list[str]:
        return sorted({self.agent(outcome) for outcome in self.outcomes}, key=agent_order)

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
        return self.rates(self.agent, condition)

    @cached_property
    def by_level(self) -> dict[tuple[object, ...], Rate]:
        """Pass rates by (agent, column, level)."""
        return self.rates(self.agent, condition, lambda o: o.job.level)

    @cached_property
    def by_abilities(self) -> dict[tuple[object, ...], Rate]:
        """Pass rates by (agent, column, number of abilities that the game asks for)."""
        return self.rates(self.agent, condition, self.abilities)

    @cached_property
    def by_game(self) -> dict[tuple[object, ...], Rate]:
        """Pass rates by (agent, column, game)."""
        return self.rates(self.agent, condition, lambda o: o.job.game)

    @cached_property
    def _abilities(self) -> dict[tuple[str, str], int]:
        loaded = {name: games.load(name) for name in self.games}
        twins = {(name, TWIN): len(game.twin_abilities) for name, game in loaded.items()}
        return twins | {(name, "rt"): len(game.abilities) for name, game in loaded.items()}

    def abilities(self, outcome: Outcome) -> int:
        """How many abilities the game asks for, in this timing."""
        return self._abilities[outcome.job.game, outcome.job.timing]

    @cached_property
    def uneven(self) -> bool:
        """Whether agents were played on different configurations or seeds."""
        played = {
            frozenset((o.job.config, o.job.tempo, o.job.seed) for o in self.outcomes if self.agent(o) == agent)
            for agent in self.agents
        }
        return len(played) > 1

    @cached_property
    def focus(self) -> str:
        """The tempo that losses are told for: the most pressing one, or the twin where there is none."""
        return self.columns[0] if self.columns else TWIN

    @cached_property
    def _scored(self) -> dict[Side, dict[Place, bool]]:
        """Whether each scored episode was won, by where it stands."""
        found: dict[Side, dict[Place, bool]] = defaultdict(dict)
        for outcome in self.outcomes:
            if outcome.verdict is not None:
                found[Side(self.agent(outcome), condition(outcome))][place(outcome)] = outcome.won
        return found

    def _pairs(self, first: Side, second: Side) -> list[tuple[str, bool, bool]]:
        """(game, first won, second won) of what both have played."""
        ours, theirs = self._scored.get(first, {}), self._scored.get(second, {})
        return [(where[0], won, theirs[where]) for where, won in ours.items() if where in theirs]

    @cached_property
    def names(self) -> dict[str, Name]:
        """By agent, the name that it has in figures and tables."""
        return named(self.agents)

    @cached_property
    def failures(self) -> dict[str, Failures]:
        """Of the agents that lost episodes by a failure of their own."""
        members = {agent: [o for o in self.outcomes if self.agent(o) == agent] for agent in self.agents}
        return {agent: found for agent, own in members.items() if (found := failures(own))}

    def silent(self, agent: str) -> bool:
        """Whether an agent's losses say nothing of what it is able to do."""
        return agent in self.failures and self.failures[agent].silent

    def answer(self, agent: str) -> str:
        """What the run says of an agent, in words; "" where it says nothing."""
        loss, reaction = self.loss(agent, self.focus), self.reactions.get(agent)
        if self.silent(agent):
            return f"no verdict on its ability: {self.failures[agent]}"
        if loss is None:
            return str(self.failures.get(agent, ""))
        found = [loss.words, *([reaction.in_words()] if reaction else [])]
        return "; ".join([*found, *([str(self.failures[agent])] if agent in self.failures else [])])

    def loss(self, agent: str, tempo: str) -> Loss | None:
        """What the agent lost at this tempo, over the episodes that have a scored twin.

        None without any, or where the agent's losses tell of neither time nor ability.
        """
        pairs = self._pairs(Side(agent, TWIN), Side(agent, tempo))
        if not pairs or tempo == TWIN or self.silent(agent):
            return None
        able = Rate(sum(won for _, won, _ in pairs), len(pairs))
        live = sum(won for _, _, won in pairs) / len(pairs)
        return Loss(live, able.share - live, able, paired_difference(pairs), in_words(live, able.share))

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """All that can be paired, by kind."""
        tempos, pressing = self.tempos, self.tempos[:1]
        wanted = [
            *(("slowdown", Side(a, tempo), Side(a, *pressing)) for a in self.agents for tempo in tempos[1:]),
            *(("step", Side(a, now), Side(a, before)) for a in self.agents for before, now in pairwise(tempos)),
            *(("twin", Side(a, TWIN), Side(a, tempo)) for a in self.agents for tempo in tempos),
            *(("agents", Side(a, c), Side(b, c)) for c in self.columns for a, b in combinations(self.agents, 2)),
        ]
        return [
            Comparison(kind, first, second, paired_difference(pairs))  # type: ignore[arg-type]
            for kind, first, second in wanted
            if (pairs := self._pairs(first, second))
        ]

    @cached_property
    def gaps(self) -> dict[tuple[str, Side, Side], Difference]:
        """The comparisons, to be looked up."""
        return {(each.kind, each.first, each.second): each.gap for each in self.comparisons}

    @cached_property
    def _budgets(self) -> tuple[dict[str, float], dict[str, str]]:
        return read_budgets({game: self.results.run.rules.get(game, "") for game in self.games})

    @property
    def without_budget(self) -> dict[str, str]:
        """Games that take no part in reaction times, and why."""
        return self._budgets[1]

    def budget(self, outcome: Outcome) -> float | None:
        """Thinking in s that the episode allowed: τ50 times the slowdown. None where that is unknown or unlimited."""
        slowdown = None if outcome.job.timing == TWIN else Tempo.parse(outcome.job.tempo).slowdown
        known = self._budgets[0].get(outcome.job.config)
        return None if known is None or slowdown is None else known * float(slowdown)

    @cached_property
    def budgeted(self) -> dict[str, list[Budgeted]]:
        """By agent, the real-time episodes that tell of its speed: not those whose twin it lost, or that it failed."""
        found: dict[str, list[Budgeted]] = {agent: [] for agent in self.agents}
        for outcome in self.outcomes:
            agent, budget = self.agent(outcome), self.budget(outcome)
            able = self._scored.get(Side(agent, TWIN), {}).get(place(outcome), True)
            if outcome.verdict is not None and budget is not None and able and not self.silent(agent):
                found[agent].append(Budgeted(outcome.job.game, budget, outcome.won))
        return found

    @cached_property
    def unbudgeted(self) -> list[str]:
        """Real-time configurations of games with budgets that have none themselves, as those of simple mode."""
        own = [o.job.config for o in self.outcomes if condition(o) not in (TWIN, "paused") and self.budget(o) is None]
        return sorted({config for config in own if config.partition("/")[0] not in self.without_budget})

    @cached_property
    def reactions(self) -> dict[str, Reaction]:
        """Effective reaction times of the agents that have any."""
        return {agent: found for agent in self.agents if (found := react(self.budgeted[agent]))}

    @cached_property
    def delays(self) -> dict[tuple[str, str], Delay]:
        """By (agent, column)."""
        groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
        for outcome in self.outcomes:
            if outcome.verdict is not None:
                groups[self.agent(outcome), condition(outcome)].append(outcome)
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
    def costs(self) -> dict[tuple[str, str], Cost]:
        """By (agent, column), where calls were recorded; what tainted attempts cost is part of it."""
        groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
        for outcome in self.outcomes:
            groups[self.agent(outcome), condition(outcome)].append(outcome)
        return {group: mean_cost(members) for group, members in groups.items() if any(o.calls for o in members)}

    @cached_property
    def taints(self) -> list[Taints]:
        """Of the agents that have tainted episodes."""
        rows = []
        for agent in self.agents:
            members = [outcome for outcome in self.outcomes if self.agent(outcome) == agent and outcome.finished]
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


def _words(job: Job) -> frozenset[str]:
    return frozenset([*job.conditions.name.split(), job.drive])


def _both(values: list[float]) -> tuple[float, float]:
    median, ninetieth = quantiles(values)
    return median, ninetieth
