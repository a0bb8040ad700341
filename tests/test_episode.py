"""What tempo and drive promise, on a tiny world whose digest remembers every tick and every act."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.gametime import edge_us, ticks_at
from clock.tempo import Tempo
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import FREE, Command, Hold, Twin, World, acting, still, turn, until
from harness.actions import AnyAction, parse_line
from harness.episode import LATE_US, Drive, Episode
from harness.errors import BadInput
from harness.session import Session

RUNNING = ["live", "4x", "7.5x", "16x", "64x"]
TEMPOS = [*RUNNING, "paused"]
DRIVES: list[Drive] = ["wall", "metered"]
START = 987_654_321  # µs; no clock starts at 0
WINDOW = 300_000  # µs


class Level(NamedTuple):
    swell: int


@dataclass(kw_only=True)
class Buoy(World):
    """Tap, aim (free) or push while it drifts; a tap splashes for some ticks."""

    title = goal = rulebook = "buoy"
    seconds = 1e9
    twin = turn(20)
    keys = {"KeyT": ("tap",), "KeyA": ("aim",), "KeyP": Hold("push"), "KeyD": ("drown",)}
    levels = (Level(7),) * 5

    level: Level
    trace: int = 0
    splash: int = 0

    @classmethod
    def new(cls, level: Level, dice: Dice) -> Buoy:
        return cls(level=level, trace=dice.whole(0, 1000))

    def act(self, command: Command) -> object:
        self._remember(len(command[0]))
        if command == ("aim",):
            return FREE
        if command == ("drown",):
            self.lose("drowned")
        self.splash = 5
        return None

    def let(self, grip: str, start: Any, end: Any) -> Command:
        return ("tap",)

    def drift(self) -> None:
        self._remember(self.fate.whole(0, self.level.swell) + 100 * self.hand.holds("push"))

    def respond(self) -> bool:
        self.splash = max(0, self.splash - 1)
        return self.splash > 0

    def draw(self, picture: Picture) -> None:
        pass

    def progress(self) -> float:
        return 0.0

    def crest(self) -> bool:
        return self.trace % 13 == 0

    def _remember(self, what: int) -> None:
        self.trace = (self.trace * 31 + what + self.tick) % 2**61


class Watched(Session):
    """A session that keeps the digests that it had after every act and at every reply."""

    def __init__(self, game: type[World] = Buoy, timing: str = "rt", **options: Any) -> None:
        self.spread = False
        super().__init__(game, timing, 1, "full", 3, keep=0, **options)
        self.acted: list[str] = []
        self.shown: list[str] = []

    def submit(self, actions: list[AnyAction], coord_space: str = "px") -> None:
        super().submit(actions, coord_space)
        self.acted.append(self.digest())

    def spread_frames(self) -> None:
        super().spread_frames()
        self.spread = True

    def mark(self) -> None:
        super().mark()
        self.shown.append(self.digest())


def twin_of(policy: Twin) -> type[World]:
    return type("Buoy", (Buoy,), {"twin": policy, "__module__": __name__})


TWINS = {policy.kind: twin_of(policy) for policy in (still(), turn(20), until("crest"), acting(20))}

TAP, AIM = "keydown KeyT; keyup KeyT", "keydown KeyA; keyup KeyA"
TIMED = [
    "key KeyT",
    "key KeyA",
    "hold KeyP 500",
    "hold KeyP 120; wait 35",
    "wait 10",
    "wait 700",
    f"wait 100; {AIM}",
]
INSTANT = [TAP, AIM, "keydown KeyP", "keyup KeyP", f"{TAP}; {AIM}"]
BAD = "keydown KeyT; keyup Nonsense"
acts = st.sampled_from(TIMED + INSTANT)
# What an agent does next: it thinks so many µs of wall time, then sends an act or looks (None).
# Then: how much too late the scheduler is with each thing that it does until the reply is out.
thoughts = st.one_of(st.integers(0, 100_000), st.integers(0, 20_000_000))
scripts = st.lists(st.tuples(thoughts, st.none() | acts, st.integers(0, 40_000)), max_size=12)


def started(
    tempo: str, drive: Drive = "wall", session: Watched | None = None, **options: Any
) -> tuple[Episode, Watched]:
    session = session or Watched()
    episode = Episode(session, Tempo.parse(tempo), drive, **options)
    episode.begin(START)
    return episode, session


def act(episode: Episode, line: str) -> None:
    episode.act(parse_line(line))


def settle(episode: Episode, now: int, late: int = 0) -> int:
    """Serve the wall until the reply may leave, always `late` µs late; returns the time."""
    while not episode.settled:
        due = episode.due_us()
        assert due is not None
        now = max(now, due + late)
        episode.advance(now)
    return now


def play(episode: Episode, script: Sequence[tuple[int, str | None, int]]) -> list[int]:
    """Play a script; returns how much wall time the world had before each message, since it was settled."""
    now, charges = START, []
    for thought, line, late in script:
        delay = episode.delay_us
        now = settle(episode, now, late)
        episode.replied(now)
        now += thought
        thinking = episode.receive(now)
        charges.append(thinking + episode.delay_us - delay)
        if line and episode.state == "running":
            act(episode, line)
    episode.replied(settle(episode, now))
    return charges


def sound(episode: Episode) -> bool:
    """Invariants that hold at all times."""
    return episode.tick == ticks_at(episode.game_us)


# ---------------------------------------------------------------- the wall's clock


@pytest.mark.parametrize("tempo", RUNNING)
def test_ten_minutes_without_drift(tempo: str) -> None:
    episode, _ = started(tempo)
    slowdown = Tempo.parse(tempo).slowdown
    assert slowdown
    chance = random.Random(tempo)
    end, now = START + 600_000_000 * min(int(slowdown), 8), START
    while now < end:
        now = min(end, now + chance.choice((900, 16_667, 45_000, 500_000)) + chance.randrange(20_000))
        episode.advance(now)
        ideal = (now - START) / slowdown * 60 / 1_000_000
        assert -1 - 60 / 1_000_000 < episode.tick - ideal <= 0
        assert (due := episode.due_us()) and due > now and sound(episode)
    assert episode.game_us == (end - START) / slowdown // 1
    assert episode.lateness.ticks == episode.tick


@given(
    st.sampled_from(TEMPOS),
    st.lists(st.tuples(st.integers(0, 3_000_000), acts), max_size=8),
    st.lists(st.integers(START, START + 30_000_000), max_size=60),
)
def test_any_partition_gives_the_same_world(tempo: str, gaps: list[tuple[int, str]], cuts: list[int]) -> None:
    """Acts overlap and fall into windows here: nobody waits for a reply."""
    outcomes = []
    for pieces in ([], sorted(cuts)):
        episode, session = started(tempo)
        now = START
        for gap, line in gaps:
            for cut in pieces:
                if now < cut < now + gap:
                    episode.advance(cut)
                    assert sound(episode)
            now += gap
            episode.receive(now)
            act(episode, line)
        episode.advance(START + 100_000_000)
        outcomes.append((session.acted, session.digest(), episode.game_us, episode.journal))
        replayed = Watched()
        list(Episode.replay(replayed, episode.journal))
        assert replayed.acted == session.acted
    assert outcomes[0] == outcomes[1]


def test_lateness_is_how_far_behind_each_tick_was() -> None:
    episode, _ = started("4x")
    episode.advance(START + 4 * 100_000)  # ticks 1 to 6 were due
    late = [400_000 - 4 * edge_us(tick) for tick in range(1, 7)]
    assert episode.lateness.ticks == 6
    assert episode.lateness.total_us == sum(late)
    assert episode.lateness.worst_us == late[0]
    assert episode.lateness.over_limit == sum(us > LATE_US for us in late)


def test_an_earlier_time_does_nothing() -> None:
    episode, _ = started("live")
    episode.advance(START + 100_000)
    episode.receive(START + 50_000)
    assert (episode.tick, episode.game_us) == (6, 100_000)
    episode.advance(START + 100_001)
    assert episode.game_us == 100_001


# ---------------------------------------------------------------- two drives, one world


@pytest.mark.parametrize("tempo", TEMPOS)
@given(script=scripts)
def test_both_drives_and_a_replay_agree_at_every_act(tempo: str, script: list[tuple[int, str | None, int]]) -> None:
    wall, seen = started(tempo)
    charges = play(wall, script)
    metered, metered_seen = started(tempo, "metered")
    for charge, (_, line, _) in zip(charges, script, strict=True):
        metered.charge(charge)
        if line:
            act(metered, line)
            assert metered.settled
    assert metered_seen.acted == seen.acted
    assert metered_seen.digest() == seen.digest() and metered.game_us == wall.game_us
    played = [entry for entry in wall.journal if entry.kind == "act"]
    assert [entry for entry in metered.journal if entry.kind == "act"] == played
    replayed = Watched()
    replay = [(entry, replayed.digest()) for entry in Episode.replay(replayed, wall.journal)]
    assert replayed.acted == seen.acted
    assert [digest for entry, digest in replay if entry.kind == "reply"] == seen.shown


@given(st.sampled_from(TEMPOS), scripts)
def test_metered_charges_thinking_and_nothing_else(tempo: str, script: list[tuple[int, str | None, int]]) -> None:
    """A slow machine does not change a metered run."""
    outcomes = []
    for slow in (0, 1):
        episode, session = started(tempo, "metered")
        now = START
        for thought, line, late in script:
            now += slow * late
            episode.replied(now)
            now += thought
            assert episode.receive(now) == thought
            now += slow * late
            if line:
                act(episode, line)
        assert episode.thinking_us == sum(thought for thought, _, _ in script)
        assert (episode.delay_us > 0) == (slow == 1 and any(late for *_, late in script))
        assert episode.due_us() is None and episode.lateness.ticks == 0
        outcomes.append((session.acted, session.digest(), episode.journal))
    assert outcomes[0] == outcomes[1]


def test_pictures_that_run_ahead_of_thinking_are_charged() -> None:
    episode, _ = started("live", "metered")
    now = START
    for shown, thought, charged in (
        (600_000, 100_000, 100_000),  # 500 ms ahead
        (700_000, 0, 200_000),  # 1200 ms ahead: the free second is used up
        (30_000, 30_000, 30_000),
        (30_000, 10_000, 30_000),
        (3_000_000, 500_000, 3_000_000),
        (0, 1_000_000, 1_000_000),  # as much thinking: all of it is free again
        (1_000_000, 0, 0),
    ):
        now += 5_000
        episode.replied(now, shown)
        now += thought
        assert episode.receive(now) == charged
    assert episode.game_us == episode.thinking_us == 4_360_000


@given(st.sampled_from(TEMPOS), st.lists(st.integers(0, 10_000_000), min_size=1))
def test_the_tick_after_thinking_is_known_beforehand(tempo: str, thoughts: list[int]) -> None:
    episode, _ = started(tempo, "metered")
    for thought in thoughts:
        tick = episode.tick_after(thought)
        episode.charge(thought)
        assert episode.tick == tick


def test_charging_is_the_slowdown_exactly() -> None:
    for tempo, ticks in (("live", 450), ("4x", 112), ("7.5x", 60), ("16x", 28), ("64x", 7), ("paused", 0)):
        episode, session = started(tempo, "metered")
        episode.charge(7_500_000)
        assert session.world.tick == episode.tick == ticks
        assert episode.thinking_us == 7_500_000


def test_thinking_is_never_declared_under_wall() -> None:
    episode, _ = started("live")
    with pytest.raises(ValueError, match="never declared"):
        episode.charge(1)


# ---------------------------------------------------------------- acts


@given(st.lists(st.sampled_from(TIMED), min_size=1, max_size=4))
def test_durations_inside_acts_are_game_time(lines: list[str]) -> None:
    """Without thinking, every tempo and both drives give one trace."""
    outcomes = set()
    for tempo in TEMPOS:
        for drive in DRIVES:
            episode, session = started(tempo, drive, window_us=0)
            now = START
            for line in lines:
                episode.receive(now)
                act(episode, line)
                now = settle(episode, now)
            assert episode.game_us == edge_us(episode.tick)
            outcomes.add((tuple(session.acted), session.digest(), episode.tick))
    assert len(outcomes) == 1


def test_a_hold_of_half_a_second_at_64x() -> None:
    wall, seen = started("64x")
    act(wall, "hold KeyP 500")
    assert settle(wall, START) == START + 32_000_000
    metered, metered_seen = started("64x", "metered")
    act(metered, "hold KeyP 500")
    assert wall.game_us == metered.game_us == 500_000
    assert seen.digest() == metered_seen.digest()


@given(st.sampled_from(RUNNING), st.integers(0, 10_000_000), st.sampled_from(INSTANT))
def test_an_instant_act_applies_at_once_and_keeps_the_phase(tempo: str, thought: int, line: str) -> None:
    for drive in DRIVES:
        episode, session = started(tempo, drive)
        episode.replied(START)
        episode.receive(START + thought)
        before = episode.game_us, episode.tick, episode.due_us()
        act(episode, line)
        assert len(session.acted) == 1 and episode.settled
        assert (episode.game_us, episode.tick, episode.due_us()) == before


@given(st.sampled_from(RUNNING), st.integers(0, 10_000_000), st.sampled_from(TIMED))
def test_a_timed_act_ends_on_an_edge(tempo: str, thought: int, line: str) -> None:
    episode, _ = started(tempo, "wall")
    episode.receive(START + thought)
    act(episode, line)
    assert not episode.settled
    settle(episode, START + thought)
    assert episode.game_us == edge_us(episode.tick)


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("tempo", TEMPOS)
def test_bad_input_has_no_effect(tempo: str, drive: Drive) -> None:
    episode, session = started(tempo, drive)
    act(episode, "keydown KeyP")
    settle(episode, START)
    episode.replied(START + 1_000_000)
    episode.receive(START + 3_000_000)
    before = session.digest(), episode.game_us, episode.tick, list(episode.journal), episode.due_us()
    with pytest.raises(BadInput):
        act(episode, BAD)
    assert (session.digest(), episode.game_us, episode.tick, episode.journal, episode.due_us()) == before
    assert episode.settled
    assert episode.thinking_us == 2_000_000  # thinking up stays charged


def test_bad_input_does_not_restart_a_window() -> None:
    episode, _ = started("paused")
    act(episode, TAP)
    episode.receive(START + 100_000)
    with pytest.raises(BadInput):
        act(episode, BAD)
    assert settle(episode, START) == START + WINDOW


def test_acts_wait_for_begin_and_end_with_the_episode() -> None:
    session = Watched()
    episode = Episode(session, Tempo.parse("live"), "wall")
    episode.replied(START)
    episode.advance(START + 10**9)
    assert episode.receive(START + 10**9) == 0
    with pytest.raises(BadInput, match="ready"):
        act(episode, TAP)
    assert (episode.state, episode.tick, episode.thinking_us, episode.due_us()) == ("ready", 0, 0, None)
    episode.begin(START + 10**9)
    with pytest.raises(BadInput, match="begun"):
        episode.begin(START + 10**9)
    act(episode, "keydown KeyD")
    assert episode.state == "over" and episode.settled and episode.due_us() is None
    with pytest.raises(BadInput, match="over"):
        act(episode, TAP)
    episode.replied(START + 2 * 10**9)
    episode.receive(START + 3 * 10**9)
    assert (episode.tick, episode.thinking_us) == (0, 0)
    assert [entry.kind for entry in episode.journal] == ["act", "over", "reply"]


# ---------------------------------------------------------------- the stopwatch


def test_the_stopwatch_runs_from_a_reply_to_the_next_message() -> None:
    episode, _ = started("live")
    episode.replied(START + 5_000)  # the reply to begin took 5 ms
    assert episode.receive(START + 105_000) == 100_000
    act(episode, "wait 500")  # from 105 ms on; ends on the 36th tick's edge
    assert episode.receive(START + 300_000) == 0  # nobody has been answered yet
    now = settle(episode, START + 300_000)
    assert now == START + 600_000
    episode.replied(now + 7_000)  # rendering
    assert episode.receive(now + 27_000) == 20_000
    assert (episode.thinking_us, episode.delay_us) == (120_000, 12_000)
    assert episode.game_us == 627_000  # under wall the world pays for rendering, too


def test_a_message_that_came_before_the_reply_had_no_thinking() -> None:
    for drive in DRIVES:
        episode, _ = started("live", drive)
        episode.replied(START + 9_000)
        assert episode.receive(START + 5_000) == 0
        assert episode.thinking_us == 0


# ---------------------------------------------------------------- paused


@pytest.mark.parametrize("line", [AIM, "keyup KeyT"])
def test_an_act_of_free_actions_opens_no_window(line: str) -> None:
    for drive in DRIVES:
        episode, _ = started("paused", drive)
        act(episode, line)
        assert episode.settled and episode.tick == 0


@pytest.mark.parametrize(
    ("line", "game_us"),
    [(TAP, WINDOW), ("keydown KeyP", WINDOW), ("key KeyT", edge_us(5) + WINDOW), ("wait 500", 500_000)],
)
def test_the_window_follows_the_act(line: str, game_us: int) -> None:
    for drive in DRIVES:
        episode, _ = started("paused", drive)
        assert episode.due_us() is None
        episode.receive(START + 10**9)
        act(episode, line)
        now = settle(episode, START + 10**9)
        assert episode.game_us == game_us and sound(episode)
        if drive == "wall":
            assert now == START + 10**9 + game_us
        episode.receive(now + 10**10)
        assert episode.game_us == game_us and episode.due_us() is None


def test_an_act_inside_the_window_applies_at_once_and_restarts_it() -> None:
    episode, session = started("paused")
    act(episode, TAP)
    episode.receive(START + 105_000)
    act(episode, TAP)
    assert len(session.acted) == 2 and episode.game_us == 105_000
    assert settle(episode, START) == START + 105_000 + WINDOW
    assert episode.game_us == 105_000 + WINDOW


def test_a_free_act_inside_the_window_lets_it_be() -> None:
    episode, _ = started("paused")
    act(episode, TAP)
    episode.receive(START + 105_000)
    act(episode, AIM)
    assert settle(episode, START) == START + WINDOW


@pytest.mark.parametrize("gesture", ["hold KeyP 500", f"{TAP}; wait 500"])
def test_a_free_act_that_overtakes_a_gesture_leaves_it_its_window(gesture: str) -> None:
    episode, _ = started("paused")
    act(episode, gesture)
    episode.receive(START + 105_000)
    act(episode, AIM)
    assert settle(episode, START) == START + 500_000 + WINDOW


@given(st.integers(0, 1_000_000), st.lists(st.sampled_from(INSTANT), min_size=1, max_size=5))
def test_a_window_of_any_length_keeps_the_phase(window: int, lines: list[str]) -> None:
    ends = []
    for drive in DRIVES:
        episode, session = started("paused", drive, window_us=window)
        now = START
        for line in lines:
            episode.receive(now)
            act(episode, line)
            now = settle(episode, now) + 12_345
            assert sound(episode)
        assert episode.game_us % max(window, 1) == 0
        ends.append((episode.game_us, session.digest()))
    assert ends[0] == ends[1]


def test_frames_are_spread_over_the_motion_where_the_world_rests() -> None:
    for tempo, timing, spread in (("live", "rt", False), ("paused", "rt", True), ("live", "twin", True)):
        _, session = started(tempo, session=Watched(timing=timing))
        assert session.spread == spread


# ---------------------------------------------------------------- budgets and ends


def test_a_world_that_ended_before_begin_is_over() -> None:
    session = Watched()
    session.world.win()
    episode, _ = started("live", session=session)
    assert episode.state == "over" and episode.due_us() is None


class Brief(Buoy):
    seconds = 2.0


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("tempo", TEMPOS)
def test_the_budget_is_the_same_game_time_in_every_tempo(tempo: str, drive: Drive) -> None:
    episode, session = started(tempo, drive, Watched(Brief))
    slowdown = Tempo.parse(tempo).slowdown
    now = START
    if slowdown is None:
        for _ in range(10):
            if episode.state == "running":
                act(episode, "wait 250")
                now = settle(episode, now)
    else:
        episode.replied(now)
        episode.receive(now + round(2_000_000 * slowdown) - 1)
        assert episode.state == "running"
        episode.replied(now + round(2_000_000 * slowdown) - 1)
        episode.receive(now + 10**10)
    assert (episode.state, session.world.reason, session.world.tick) == ("over", "time", 120)
    assert episode.journal[-1][:3] == ("over", 2_000_000, 120)
    assert episode.game_us == 2_000_000 and episode.due_us() is None and episode.settled


# ---------------------------------------------------------------- twins


@pytest.mark.parametrize("kind", TWINS)
@given(script=scripts)
def test_twins_are_flat_over_all_delays(kind: str, script: list[tuple[int, str | None, int]]) -> None:
    outcomes = []
    runs: list[tuple[str, Drive, int]] = [
        ("live", "wall", 1),
        ("64x", "wall", 0),
        ("live", "metered", 1),
        ("paused", "metered", 0),
    ]
    lines = [line for _, line, _ in script if line]
    for tempo, drive, thinking in runs:
        episode, session = started(tempo, drive, Watched(TWINS[kind], "twin"))
        play(episode, [(thought * thinking, line, late * thinking) for thought, line, late in script])
        assert episode.settled and episode.due_us() is None
        assert episode.game_us == edge_us(episode.tick)
        assert episode.thinking_us == thinking * sum(thought for thought, _, _ in script)
        assert len(session.acted) == len(lines)
        outcomes.append((session.acted, session.digest(), [e for e in episode.journal if e.kind == "act"]))
        replayed = Watched(TWINS[kind], "twin")
        list(Episode.replay(replayed, episode.journal))
        assert (replayed.acted, replayed.digest()) == (session.acted, session.digest())
    assert all(outcome == outcomes[0] for outcome in outcomes)


def test_a_paced_burst_runs_at_the_wall_s_speed_for_people() -> None:
    quick, quick_seen = started("64x", "wall", Watched(timing="twin"))
    act(quick, TAP)
    assert quick.settled and quick.lateness.ticks == 0
    paced, seen = started("64x", "wall", Watched(timing="twin"), paced=True)
    assert paced.due_us() is None
    paced.receive(START + 5_000_000)
    act(paced, TAP)
    assert paced.due_us() == START + 5_000_000 + edge_us(1)
    paced.advance(START + 5_100_000)
    assert paced.tick == 6 and not paced.settled
    before = list(paced.journal)
    with pytest.raises(BadInput, match="moving"):
        act(paced, TAP)
    assert paced.journal == before
    assert settle(paced, START + 5_100_000) == START + 5_000_000 + edge_us(quick.tick)
    assert seen.digest() == quick_seen.digest()


def test_pacing_is_refused_where_it_means_nothing() -> None:
    refused: list[tuple[Watched, Drive]] = [(Watched(timing="twin"), "metered"), (Watched(), "wall")]
    for session, drive in refused:
        with pytest.raises(ValueError, match="twins under the wall drive"):
            Episode(session, Tempo.parse("live"), drive, paced=True)


# ---------------------------------------------------------------- anything goes


calls = st.one_of(
    st.tuples(st.just("act"), acts | st.just(BAD) | st.just("keydown KeyD")),
    st.tuples(st.sampled_from(["advance", "receive", "replied"]), st.integers(-50_000, 2_000_000)),
    st.tuples(st.just("begin"), st.just(0)),
)


@given(
    st.sampled_from(TEMPOS),
    st.sampled_from(DRIVES),
    st.sampled_from(["rt", *TWINS]),
    st.lists(calls, max_size=30),
)
def test_no_order_of_calls_upsets_an_episode(
    tempo: str, drive: Drive, kind: str, sequence: list[tuple[str, Any]]
) -> None:
    session = Watched() if kind == "rt" else Watched(TWINS[kind], "twin")
    episode = Episode(session, Tempo.parse(tempo), drive)
    now, game_us = START, 0
    for call, what in [("begin", 0), *sequence]:
        try:
            if call == "act":
                act(episode, what)
            elif drive == "wall" or call != "advance":
                now += max(what, 0)
                getattr(episode, call)(now + min(what, 0))
        except BadInput:
            assert call in ("act", "begin")
        assert sound(episode) and episode.game_us >= game_us
        assert drive == "wall" or episode.settled
        game_us = episode.game_us
    replayed = Watched() if kind == "rt" else Watched(TWINS[kind], "twin")
    list(Episode.replay(replayed, episode.journal))
    assert replayed.acted == session.acted
    ticks = [entry.tick for entry in episode.journal]
    assert ticks == sorted(ticks)
