"""Whether an episode's records say what really happened: its acts replayed, its times held against each other.

What follows from the tape is checked. What does not is taken on trust: who the agent was, when it played, on what
machine, and figures that leave no trace in the game (lateness, infrastructure, stamps of the wall's clock).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from clock.gametime import SECOND_US, TICKS_PER_SECOND, ticks_at
from clock.tempo import Tempo
from harness import agents
from harness.agents import HUMAN
from harness.episode import Entry
from harness.errors import UserError
from harness.oracle import LAG
from harness.results.records import Act, Verdict, rules_digest
from harness.tape import open_again, walk

NEAR_US = 1  # game time is told in whole µs


class Told(NamedTuple):
    """All that a run tells of one scored episode. charged_us: thinking that calls of a model were charged for."""

    verdict: Verdict
    acts: list[Act]
    charged_us: int


class Finding(NamedTuple):
    """Where an episode and its records part."""

    episode: str
    place: str
    recorded: str
    replayed: str


Wrong = tuple[str, object, object]  # place, what is recorded, what it should be


def check(told: Told) -> list[Finding]:
    """What the records of an episode say wrongly; nothing if all is confirmed."""
    verdict = told.verdict
    try:
        wrong = next(_wrong(told), None)
    except (UserError, TypeError, ValueError, KeyError) as error:
        wrong = "journal", "can be read", error
    return [Finding(verdict.episode, wrong[0], str(wrong[1]), str(wrong[2]))] if wrong else []


def _wrong(told: Told) -> Iterator[Wrong]:
    """All that is wrong, the first of which is telling."""
    verdict = told.verdict
    try:
        session = open_again(verdict)
    except (UserError, TypeError, ValueError) as error:
        yield "the game", verdict.job.config, error
        return
    for place, told_of, found in (
        ("name of the episode", verdict.episode, verdict.job.key),
        ("the rules", verdict.rules, rules_digest(verdict.job.game)),
        ("acts allowed, as certified", verdict.cap or verdict.job.cap, verdict.job.cap),
        ("first state", verdict.digest_first, session.digest()),
    ):
        if told_of != found:
            yield place, told_of, found
    entries = verdict.entries()
    yield from _wrong_times(verdict, entries)
    yield from _wrong_thinking(told, entries)
    number = 0
    try:
        for act in walk(session, verdict):
            number += act is not None
    except (UserError, TypeError, ValueError, KeyError) as error:
        yield f"act {number}, tick {session.world.tick}", "was carried out", error
    world = session.world
    reason = world.reason if world.verdict == "lost" else verdict.reason
    for place, recorded, replayed in (
        ("ticks", verdict.ticks, world.tick),
        ("acts", verdict.acts, number),
        ("verdict", verdict.verdict, world.verdict or "lost"),
        ("reason", verdict.reason, reason if world.verdict != "won" else ""),
        ("progress", verdict.progress, world.progress()),
        ("last state", verdict.digest_last, session.digest()),
    ):
        if recorded != replayed:
            yield place, recorded, replayed


def _wrong_times(verdict: Verdict, entries: Sequence[Entry]) -> Iterator[Wrong]:
    """Times in the journal that no clock can have shown."""
    before_us = before = 0
    for number, entry in enumerate(entries, 1):
        if entry.tick < before:
            yield f"tick of journal entry {number}", entry.tick, f"at least {before}"
        if entry.game_us < before_us:
            yield f"game time of journal entry {number}", entry.game_us, f"at least {before_us}"
        if ticks_at(entry.game_us) != entry.tick:
            yield f"tick of journal entry {number}", entry.tick, ticks_at(entry.game_us)
        before_us, before = entry.game_us, entry.tick
    if verdict.game_us < before_us or (entries and entries[-1].kind == "over" and verdict.game_us != before_us):
        yield "game time", verdict.game_us, before_us


# -------------------------------------------------------------------------------- thinking


def _wrong_thinking(told: Told, entries: Sequence[Entry]) -> Iterator[Wrong]:
    """Acts whose times are not the journal's, and thinking for which the game has no room, or too much."""
    verdict, job = told.verdict, told.verdict.job
    places = [entry.game_us for entry in entries if entry.kind == "act"]
    if len(told.acts) != len(places):
        yield "acts told of", len(told.acts), len(places)
        return
    for act, game_us in zip(told.acts, places, strict=True):
        if act.game_us != game_us:
            yield f"game time of act {act.seq}", act.game_us, game_us
    if job.agent == HUMAN:  # people's thinking is the time between two acts, the first one's since the picture
        return
    slowdown = Tempo.parse(job.tempo).slowdown if job.timing == "rt" else None
    thought_us = sum(act.thinking_us for act in told.acts)
    if verdict.thinking_us < thought_us:
        yield "thinking in µs", verdict.thinking_us, f"at least that of its acts, {thought_us}"
    if verdict.thinking != "measured" and not job.conditions.code and verdict.thinking_us > told.charged_us:
        yield "thinking in µs", verdict.thinking_us, f"at most that of its calls, {told.charged_us}"
    if slowdown and job.drive == "wall" and verdict.game_us * slowdown > verdict.wall_us:
        yield "wall time in µs", verdict.wall_us, f"at least {verdict.game_us * slowdown}: {job.tempo}"
    spec = agents.known(job.agent)
    if spec and spec.oracle:
        yield from _wrong_oracle(told, entries, spec.think_us, slowdown)
    else:
        yield from _wrong_gaps(told, entries, slowdown)


def _wrong_oracle(
    told: Told, entries: Sequence[Entry], think_us: int | None, slowdown: Fraction | None
) -> Iterator[Wrong]:
    """An oracle thinks as long as its name says, before its first act too."""
    lags = think_us is None and slowdown is not None
    thinking_us = LAG * SECOND_US // TICKS_PER_SECOND if lags else think_us or 0
    stale_us = thinking_us / slowdown if slowdown else Fraction(0)
    if lags and slowdown:
        stale_us = Fraction(round(LAG / slowdown) * SECOND_US // TICKS_PER_SECOND)
    for act in told.acts:
        if act.thinking_us != thinking_us:
            yield f"thinking of act {act.seq} in µs", act.thinking_us, thinking_us
        if act.stale_us is None or abs(act.stale_us - stale_us) > NEAR_US:
            yield f"staleness of act {act.seq} in µs", act.stale_us, round(stale_us)
    if not lags and told.acts and abs(entries[0].game_us - stale_us) > NEAR_US:
        yield "game time before the first act in µs", entries[0].game_us, f"{round(stale_us)}: {told.verdict.job.tempo}"


def _wrong_gaps(told: Told, entries: Sequence[Entry], slowdown: Fraction | None) -> Iterator[Wrong]:
    """Between a reply and the next act lies the thinking, divided by the slowdown; in paused and twin nothing.

    Sent before an earlier message was answered, an act has that one's thinking before it too.
    """
    metered, tempo = told.verdict.job.drive == "metered", told.verdict.job.tempo
    acts, shown = iter(told.acts), {0}
    before_us, answered, passed_us = 0, True, 0
    for number, entry in enumerate(entries):
        gap_us = entry.game_us - before_us
        passed_us += gap_us if answered else 0
        if entry.kind == "act":
            act = next(acts)
            thought_us = act.thinking_us / slowdown if slowdown else Fraction(0)
            exact = metered and answered and _alone(entries, number)
            if (slowdown and thought_us > gap_us + NEAR_US) or (exact and gap_us > thought_us + NEAR_US):
                told_us = f"{act.thinking_us}, at {tempo} {round(thought_us)} of game time"
                yield f"thinking of act {act.seq} in µs", told_us, f"{gap_us} of game time since the entry before"
            if metered and act.stale_us is not None and act.game_us - act.stale_us not in shown:
                yield f"staleness of act {act.seq} in µs", act.stale_us, act.game_us - max(shown)
        shown.add(entry.game_us)
        before_us, answered = entry.game_us, entry.kind == "reply"
    most_us = told.verdict.thinking_us / slowdown if slowdown else Fraction(0)
    if metered and passed_us > most_us + NEAR_US * len(entries):
        thinking = f"{told.verdict.thinking_us}, at {tempo} {round(most_us)} of game time"
        yield "thinking in µs", thinking, f"{passed_us} of game time after replies"


def _alone(entries: Sequence[Entry], number: int) -> bool:
    """Whether an act was answered, and nothing but it: no message before it was still under way."""
    replies = last_us = 0
    for entry in entries[number + 1 :]:
        if entry.kind == "act" or (replies and entry.game_us != last_us):
            break
        replies += entry.kind == "reply"
        last_us = entry.game_us
    return replies == 1
