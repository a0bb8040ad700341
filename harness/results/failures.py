"""Episodes that an agent lost by a failure of its own: it crashed, hung, refused or gave up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from harness.results.records import Outcome

HOW = {  # -> how reasons of such losses begin, as the crew and models give them
    "crashed": ("agent crashed", "the agent's process ended"),
    "hung": ("agent hung",),
    "refused": ("agent refused",),
    "gave up": ("agent gave up", "given up"),
}
MOST = 0.9  # of its losses: then they tell nothing of the agent
FEW = 0.1  # of its episodes: then what it played tells enough
LONGEST = 120  # characters of a reason


class Failure(NamedTuple):
    """How it failed, in how many episodes, and the reason that most of them gave ("": none)."""

    how: str
    episodes: int
    said: str


class Failures(NamedTuple):
    """Of one agent, over its scored episodes."""

    kinds: list[Failure]
    lost: int
    played: int

    @property
    def silent(self) -> bool:
        """Whether its losses say nothing of its ability: (nearly) all are failures, and they are no few."""
        failed = sum(kind.episodes for kind in self.kinds)
        return failed >= MOST * self.lost and failed > FEW * self.played

    def __str__(self) -> str:
        return "; ".join(f"{kind.episodes} of {self.played} {kind.how}" for kind in self.kinds)


def failures(outcomes: Iterable[Outcome]) -> Failures | None:
    """What of these an agent lost by failing; None where nothing was."""
    verdicts = [outcome.verdict for outcome in outcomes if outcome.verdict is not None]
    lost = [verdict for verdict in verdicts if verdict.verdict == "lost"]
    said: dict[str, Counter[str]] = {}
    for verdict in lost:
        for how, begins in HOW.items():
            if verdict.reason.startswith(begins):
                said.setdefault(how, Counter())[_brief(verdict.reason)] += 1
    kinds = [Failure(how, count.total(), count.most_common(1)[0][0]) for how, count in said.items()]
    kinds.sort(key=lambda kind: -kind.episodes)
    return Failures(kinds, len(lost), len(verdicts)) if kinds else None


def _brief(reason: str) -> str:
    """What follows a reason's first words, in one line."""
    words = " ".join(reason.partition(": ")[2].split())
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
