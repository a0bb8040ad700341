"""The habit that does best: tried first briefly, then to the end, in clones of a world under other fates."""

from __future__ import annotations

from audit.play import Taped, follow
from audit.players import Habit, keep
from games.kit.world import TICKS_PER_SECOND
from harness.session import Configuration

BRIEF = 10 * TICKS_PER_SECOND  # steps of a first try, or a tenth of so many acts in a twin
FINALISTS = 3


def best_habit(configuration: Configuration, seed: int, habits: list[Habit], cap: int | None = None) -> Habit | None:
    """The habit that wins, or else gets furthest, where the world has the same birth but another fate."""

    def score(habit: Habit, future: str, until: int) -> tuple[bool, float, float]:
        session = Taped(configuration, seed, future=future, cap=cap)
        follow(session, keep(session, habit), until)
        return session.won, session.world.progress(), session.world.reserve()

    ranked = sorted(habits, key=lambda habit: score(habit, "clone", BRIEF), reverse=True)[:FINALISTS]
    return max(ranked, key=lambda habit: score(habit, "clone", 0)[:2] + score(habit, "clone 2", 0)[:2], default=None)
