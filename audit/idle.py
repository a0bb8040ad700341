"""Idle: nobody wins without looking: not by doing nothing, not by chance, not by setting something up and leaving."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from audit import players
from audit.kit import Evidence, Result
from audit.play import Tape, Taped, follow, lag, replay, show, think
from audit.search import best_habit
from games.kit.dice import Dice
from harness.session import Configuration

SEEDS = 20
SHARE = 0.05
PREPARED = 1 / 3  # of a winning play's acts, after which the oracle leaves
PLAYERS: dict[str, Callable[[Taped, Dice], Iterator[players.Act | None]]] = {
    "idle": lambda session, dice: players.idle(session),
    "random": players.at_random,
    "mash": players.mash,
    "fixed": lambda session, dice: players.keep(session, dice.pick(players.habits(session, dice, 40))),
}


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("idle", str(configuration))
    won: dict[str, list[Taped]] = {name: [] for name in (*PLAYERS, "set_and_leave", "leave_early")}
    cap = None
    for number, seed in enumerate(seeds):
        tape = _oracle(configuration, seed)
        if configuration.timing == "twin":
            cap = max(cap or 0, 3 * len(tape))
        for name, player in PLAYERS.items():
            session = Taped(configuration, seed, cap=cap)
            won[name].append(follow(session, player(session, Dice.named(name, seed))))
        won["leave_early"].append(_leave(configuration, seed, tape, cap))
        if number % 4 == 0:
            won["set_and_leave"].append(_set(configuration, seed, cap))
    for name, sessions in won.items():
        wins = [session for session in sessions if session.won]
        result.at_most(name, len(wins) / len(sessions), SHARE, show(evidence, name, wins), of=len(sessions))
    return result


def _oracle(configuration: Configuration, seed: int) -> Tape:
    session = Taped(configuration, seed)
    return (lag(session) if session.realtime else think(session, 0)).tape


def _leave(configuration: Configuration, seed: int, tape: Tape, cap: int | None) -> Taped:
    """The oracle's own beginning, in its own world, and then nothing."""
    session = Taped(configuration, seed, cap=cap)
    start = tape[: max(1, int(len(tape) * PREPARED))]
    if session.realtime:
        return replay(session, start)
    acts = iter([act for _, act in start])
    idle = players.idle(session)
    return follow(session, (next(acts, None) or next(idle) for _ in range(cap or len(tape))))


def _set(configuration: Configuration, seed: int, cap: int | None) -> Taped:
    """The best setting that trying in clones of the world under another fate has found, left alone."""
    clone = Taped(configuration, seed, future="clone")
    found = [habit for habit in players.habits(clone, Dice.named("set", seed), 120) if habit.beat is None]
    best = best_habit(configuration, seed, found, cap)
    session = Taped(configuration, seed, cap=cap)
    return follow(session, players.keep(session, best) if best else players.idle(session))
