"""Strict: an honest player in time wins, and lateness costs something that can be won back. Real time only.

The time limit is lifted throughout, so no deadline can do the work of a world that moves on. That looking is needed at
all is the audit `open_loop`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from scipy.stats import fisher_exact

from audit.kit import Evidence, Result
from audit.play import GENEROUS, Taped, follow, lag, show, think
from audit.players import idle
from audit.reaction import GRID, Counts, budget
from clock.tempo import Tempo
from games.kit.world import TICKS_PER_SECOND
from harness.episode import Episode
from harness.oracle import Oracle
from harness.session import MODES, Configuration, copy_world

SEEDS = 12
FATES = ("", "other")  # of each seed that prompt play meets, since it is quick
PROMPT = 0.8  # share won at 250 ms
HALF = 0.5  # of the best share: what 10 s may win
RUIN = 0.2  # share that 5 s may win from level 3 on
LUCK = 0.01  # p of a rise of the curve
SLOW = 0.5  # share won at the delay that is looked at closely
LOSSES = 0.4  # share of seeds in which lateness loses something
WON_BACK = 0.8  # share of those that a fresh oracle then wins
PROMPT_LOSSES = 0.5  # of lateness's share of losses: what promptness must stay below
SAME = 0.8  # share of late losses that come just when idleness loses, in a disguised deadline
NEAR = 2  # ticks that count as the same
GAIN = 0.05  # of progress: what lateness must achieve beyond idleness, if it loses at the same ticks
AFFORDABLE = 30  # acts of a win on which the cut-off counts


class Late(NamedTuple):
    """A late play up to its first loss, and what others did in the same world. Steps of first losses; None: none."""

    loss: int
    fatal: bool
    back: Taped  # a fresh oracle that took over at the loss
    idle: int | None
    sparse: int | None  # as few acts as the late play, but prompt ones
    gain: float  # progress beyond that of the idle play


def applies(configuration: Configuration) -> bool:
    return configuration.timing == "rt"


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("strict", str(configuration))
    prompt = [lag(each, until=_until(each)) for fate in FATES for each in _lifted(configuration, seeds, fate)]
    lost = [session for session in prompt if not session.won]
    result.at_least("prompt", 1 - len(lost) / len(prompt), PROMPT, show(evidence, "prompt", lost), of=len(prompt))
    acts = min(AFFORDABLE, sorted(session.acts for session in prompt)[len(prompt) // 2])
    late = _curve(configuration, seeds, acts)
    _judge_curve(result, configuration.level, _count(late, lambda session: session.won))
    in_time = _count(late, lambda session: session.in_time)
    result.note("curve_as_played", _shares(in_time))
    result.note("tau50_as_played", budget(in_time))
    slow = next((delay for delay in GRID if _share(late[delay]) <= SLOW), None)
    result.must("slow_s", slow, f"some delay of the grid at which at most {SLOW:g} are won", slow is not None)
    if slow is not None:
        plays = [_compare(session, slow) for session in late[slow] if session.loss]
        prompt_losses = sum(session.loss is not None for session in prompt) / len(prompt)
        _judge_losses(result, plays, prompt_losses, len(seeds), evidence)
    return result


def join(game: str, results: dict[Configuration, Result]) -> Result:
    """How the reaction budgets go from level to level, in each mode."""
    joined = Result("strict", game)
    for mode in MODES:
        taus = {each.level: found.figures["tau50"] for each, found in results.items() if each.mode == mode}
        joined.note(f"{mode}_tau50", {level: taus[level]["s"] for level in sorted(taus)})
        slower = [f"{a}→{b}" for a, b in combinations(sorted(taus), 2) if taus[b]["low"] > taus[a]["high"]]
        joined.must(f"{mode}_slower", slower, "none: no level leaves more time than an easier one", not slower)
    return joined


def _lifted(configuration: Configuration, seeds: list[int], future: str = "") -> list[Taped]:
    return [Taped(configuration, seed, watch=True, limit=False, future=future) for seed in seeds]


def _until(session: Taped, thinking_s: float = 0) -> int:
    """The step at which a play is cut off: well after the game's own limit and what thinking takes."""
    return GENEROUS * session.limit_steps + round(1.5 * thinking_s * TICKS_PER_SECOND)


def _curve(configuration: Configuration, seeds: list[int], acts: int) -> dict[float, list[Taped]]:
    """Plays with each delay of the grid; beyond a delay that never won, of every third seed."""
    late: dict[float, list[Taped]] = {}
    chosen = seeds
    for delay in GRID:
        late[delay] = [think(each, delay, until=_until(each, acts * delay)) for each in _lifted(configuration, chosen)]
        if not _share(late[delay]):
            chosen = seeds[::3]
    return late


def _count(plays: dict[float, list[Taped]], passed: Callable[[Taped], bool]) -> Counts:
    return {delay: (sum(map(passed, sessions)), len(sessions)) for delay, sessions in plays.items()}


def _share(sessions: list[Taped]) -> float:
    return sum(session.won for session in sessions) / len(sessions)


def _shares(counts: Counts) -> dict[str, float]:
    return {f"{delay:g}": won / played for delay, (won, played) in counts.items()}


def _judge_curve(result: Result, level: int, counts: Counts) -> None:
    shares = _shares(counts)
    result.note("curve", shares)
    result.note("curve_plays", {f"{delay:g}": played for delay, (_, played) in counts.items()})
    if level < 3:
        result.at_most("late_10s", shares["10"], HALF * max(shares.values()), of=counts[10.0][1])
    else:
        result.at_most("late_5s", shares["5"], RUIN, of=counts[5.0][1])
    p, a, b = min((_rise(counts[a], counts[b]), a, b) for a, b in combinations(GRID, 2))
    result.must("rise_p", p, f"≥ {LUCK:g} (from {a:g} s to {b:g} s)", p >= LUCK)
    result.note("tau50", budget(counts))


def _rise(before: tuple[int, int], after: tuple[int, int]) -> float:
    """The chance of so large a rise, or a larger one, where there is none."""
    table = [[won, played - won] for won, played in (after, before)]
    return float(fisher_exact(table, "greater").pvalue)


def _compare(late: Taped, delay: float) -> Late:
    """Hand the world of a late play's first loss to a fresh oracle; have idle and sparse players meet the same fate."""
    assert late.loss
    configuration, seed = late.configuration, late.seed
    back = Taped(configuration, seed, limit=False, world=copy_world(late.loss.world))
    back.close()
    if not back.over:
        lag(back, until=_until(back))
    still, sparse = _lifted(configuration, [seed, seed])
    follow(still, idle(still), _until(still))
    _play_sparsely(sparse, delay, late.loss.step + NEAR + 1)
    return Late(
        loss=late.loss.step,
        fatal=bool(late.loss.world.verdict),
        back=back,
        idle=still.loss.step if still.loss else None,
        sparse=sparse.loss.step if sparse.loss else None,
        gain=late.world.progress() - still.world.progress(),
    )


def _play_sparsely(session: Taped, delay: float, until: int) -> None:
    """Wait as long as the late player thinks, but then look and act at once."""
    episode = Episode(session, Tempo.parse("live"), "metered")
    episode.begin(0)
    oracle = Oracle(session)
    while not session.over and session.steps < until:
        episode.charge(round(delay * 1_000_000))
        act = None if session.over else oracle.decide()
        if act:
            episode.act(act)


def _judge_losses(result: Result, plays: list[Late], prompt: float, played: int, evidence: Evidence) -> None:
    losses = len(plays) / played
    result.at_least("late_losses", losses, LOSSES, of=played)
    result.must(
        "prompt_losses", prompt, f"< {PROMPT_LOSSES * losses:.3g}", prompt < PROMPT_LOSSES * losses or not losses
    )
    if not plays:
        return

    def share(which: list[bool]) -> float:
        return sum(which) / len(plays)

    result.at_most("fatal", share([play.fatal for play in plays]), 0.0)
    gone = [play.back for play in plays if not play.back.won]
    result.at_least(
        "won_back", 1 - len(gone) / len(plays), WON_BACK, show(evidence, "not_won_back", gone), of=len(plays)
    )
    as_idle = [_same(play.loss, play.idle) for play in plays]
    as_all = share([same and _same(play.loss, play.sparse) for play, same in zip(plays, as_idle, strict=True)])
    gain = sum(play.gain for play in plays) / len(plays)
    steps = evidence.log("losses", [[play.loss, play.idle, play.sparse, play.gain] for play in plays])
    result.must("deadline", as_all, f"< {SAME:g}: late, idle and sparse lose at the same tick", as_all < SAME, steps)
    result.note("late_gain", gain)
    result.must(
        "late_as_idle",
        share(as_idle),
        f"< {SAME:g}, or late_gain > {GAIN:g}: lateness is not idleness",
        share(as_idle) < SAME or gain > GAIN,
        steps,
    )


def _same(one: int, other: int | None) -> bool:
    return other is not None and abs(one - other) <= NEAR
