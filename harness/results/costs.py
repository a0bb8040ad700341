"""What calls of models have cost, in the mean of an agent's episodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from harness.results.records import Outcome
from harness.results.statistics import quantiles


class Cost(NamedTuple):
    """Calls of models, in the mean of an agent's episodes in a column. usd: None where a price is unknown."""

    episodes: int
    calls: float
    tokens_in: float
    tokens_cached: float
    tokens_out: float
    usd: float | None
    first_s: float  # median time to the first token, nan where answers came in one piece
    done_s: float  # median time to the end of an answer


def mean_cost(outcomes: Sequence[Outcome]) -> Cost:
    """What a mean episode of these has cost, tainted attempts included."""
    calls = [call for outcome in outcomes for call in outcome.calls]
    episodes = len(outcomes)
    costs = [outcome.cost for outcome in outcomes]
    known = [cost for cost in costs if cost is not None]
    return Cost(
        episodes,
        len(calls) / episodes,
        sum(call.tokens_in for call in calls) / episodes,
        sum(call.tokens_cached for call in calls) / episodes,
        sum(call.tokens_out for call in calls) / episodes,
        sum(known) / episodes if len(known) == episodes else None,
        quantiles([(call.first_us - call.sent_us) / 1e6 for call in calls if call.first_us is not None])[0],
        quantiles([(call.done_us - call.sent_us) / 1e6 for call in calls])[0],
    )
