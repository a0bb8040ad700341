"""Open loop: who stops looking does not win, however well the acts were chosen. Real time only.

The world is born the same, only its fate differs: what live chance does decides whether an act is right.
"""

from __future__ import annotations

from audit.kit import Evidence, Result
from audit.play import Tape, Taped, follow, lag, replay, show, think
from audit.players import habits, keep
from audit.search import best_habit
from games.kit.dice import Dice
from harness.session import Configuration

SEEDS = 20
SHARE = 0.1
CLONES = ("clone 1", "clone 2", "clone 3")
FIXED = 4  # one of so many seeds has a search for a fixed act


def applies(configuration: Configuration) -> bool:
    return configuration.timing == "rt"


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("open_loop", str(configuration))
    replayed = [session for seed in seeds for session in _replayed(configuration, seed)]
    planned = [session for seed in seeds[::2] for session in _planned(configuration, seed)]
    fixed = [_fixed(configuration, seed) for seed in seeds[::FIXED]]
    result.note("tapes", len(replayed))
    for name, sessions in (("replayed", replayed), ("planned", planned), ("fixed", fixed)):
        wins = [session for session in sessions if session.won]
        result.at_most(name, len(wins) / max(1, len(sessions)), SHARE, show(evidence, name, wins), of=len(sessions))
    return result


def _replayed(configuration: Configuration, seed: int) -> list[Taped]:
    """A person's winning tape, under another fate; none when there was no win."""
    original = lag(Taped(configuration, seed))
    return [replay(Taped(configuration, seed, future="other"), original.tape)] if original.won else []


def _planned(configuration: Configuration, seed: int) -> list[Taped]:
    """Of tapes that won in clones with no lateness at all, the one that does best in the other clones, in the world."""
    clones = {future: think(Taped(configuration, seed, future=future), 0) for future in CLONES}
    tapes = [(session.tape, future) for future, session in clones.items() if session.won]
    if not tapes:
        return []

    def score(planned: tuple[Tape, str]) -> int:
        tape, own = planned
        others = (replay(Taped(configuration, seed, future=future), tape) for future in CLONES if future != own)
        return sum(other.won for other in others)

    return [replay(Taped(configuration, seed), max(tapes, key=score)[0])]


def _fixed(configuration: Configuration, seed: int) -> Taped:
    """The best act to repeat at the best place and pace, as found in clones."""
    clone = Taped(configuration, seed, future="clone")
    found = [habit for habit in habits(clone, Dice.named("fixed", seed), 240) if habit.beat]
    best = best_habit(configuration, seed, found)
    session = Taped(configuration, seed)
    return follow(session, keep(session, best)) if best else session
