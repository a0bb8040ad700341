"""One session under one tempo and one drive: the place that decides how much game time passes, and when.

`wall` lets the clock on the wall move the world. `metered` has that clock stand still except for the thinking
that it is charged and the time that acts take. All the rest is common to both; docs/time.md has the rules.
All times are whole microseconds: `now_us` on one monotonic clock, whichever it is; `game_us` since begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from clock.gametime import GameClock, edge_us, ticks_at
from clock.tempo import Tempo
from configs import DEFAULTS
from harness.errors import BadInput

if TYPE_CHECKING:
    from harness.actions import AnyAction
    from harness.session import Session

Drive = Literal["wall", "metered"]
LATE_US = 50_000  # a tick that runs later than this behind the clock taints its episode
AHEAD_US = 1_000_000  # metered: work on pictures that an agent may have had done beyond its own thinking


class Entry(NamedTuple):
    """A line of the journal. `tick` counts the session's steps; only acts have actions.

    How stale an act was: its `game_us` minus that of the last "reply" before it.
    """

    kind: Literal["act", "reply", "over"]
    game_us: int
    tick: int
    actions: list[AnyAction] | None = None
    coord_space: str = "px"


@dataclass
class Lateness:
    """How far behind the wall's clock ticks were run, in µs of wall time."""

    ticks: int = 0
    total_us: int = 0
    worst_us: int = 0
    over_limit: int = 0  # ticks later than LATE_US

    def note(self, late_us: int) -> None:
        self.ticks += 1
        self.total_us += late_us
        self.worst_us = max(self.worst_us, late_us)
        self.over_limit += late_us > LATE_US


class Episode:
    """Call `begin`; for each message `receive` and perhaps `act`; once `settled`, call `replied` and reply.

    Under `wall`, also call `advance` whenever `due_us` has come.
    window_us: game time that `paused` lets pass after an act. paced (people): a twin's bursts take wall time.
    """

    def __init__(
        self,
        session: Session,
        tempo: Tempo,
        drive: Drive,
        *,
        window_us: int = round(DEFAULTS.window_ms * 1000),
        paced: bool = False,
    ) -> None:
        if paced and (drive == "metered" or session.realtime):
            raise ValueError("paced is for twins under the wall drive")
        self.session = session
        self.tempo = tempo
        self.drive = drive
        self.state: Literal["ready", "running", "over"] = "ready"
        self.tick = 0  # steps of the session
        self.thinking_us = 0  # wall time between replies and the messages that followed them
        self._ahead_us = 0  # work on its pictures beyond the thinking since
        self.delay_us = 0  # wall time by which replies left later than they could have: rendering, queues
        self.lateness = Lateness()
        self.journal: list[Entry] = []
        slowdown = tempo.slowdown if session.realtime else None
        self._clock = GameClock(slowdown or Fraction(1))
        self._on_demand = slowdown is None  # time passes only while an act, a burst or a window is under way
        self._at_once = drive == "metered" or not (session.realtime or paced)  # acts take no wall time
        self._window_us = window_us if tempo.paused and session.realtime else 0
        self._window_end = 0  # game time
        self._act_under_way = False
        self._opens_window = False  # an act that another one overtook has earned a window
        self._now = 0  # wall time that the world has caught up with
        self._settled_at = 0  # wall time since which the reply could have left
        self._replied_at: int | None = None
        if tempo.paused:
            session.spread_frames()

    @property
    def game_us(self) -> int:
        """Game time since begin in µs."""
        return self._clock.game_us

    @property
    def settled(self) -> bool:
        """Whether a reply may leave: gesture and burst are over, in `paused` also the window."""
        return self.state != "running" or not (self.session.busy or self.game_us < self._window_end)

    def begin(self, now_us: int) -> None:
        """The agent has seen the first frame and is ready: time starts. Raises BadInput if it has already."""
        if self.state != "ready":
            raise BadInput("begin", "the world has begun already", "send acts and looks")
        self.state = "running"
        self._now = self._settled_at = now_us
        self._take_stock()

    def receive(self, now_us: int) -> int:
        """A look or act arrived at this time: let the world catch up. Returns the thinking before it (µs).

        Metered: work on pictures that has run too far ahead of thinking counts as thinking, as it could hide some.
        """
        thinking_us = 0 if self._replied_at is None else max(0, now_us - self._replied_at)
        self._replied_at = None
        self._settled_at = now_us
        if self.drive == "metered":
            ahead_us = max(0, self._ahead_us - thinking_us)
            self._ahead_us = min(ahead_us, AHEAD_US)
            thinking_us += ahead_us - self._ahead_us
            self.charge(thinking_us)
        else:
            self.thinking_us += thinking_us
            self.advance(now_us)
        return thinking_us

    def heard(self, now_us: int, thinking_us: int) -> None:
        """Metered only, in place of `receive`: a look or act arrived, and its thinking is told by who may tell it."""
        self._replied_at = None
        self._settled_at = now_us
        self.charge(thinking_us)

    def charge(self, us: int) -> None:
        """Metered only, in place of `receive`: so much thinking is declared instead of measured."""
        if self.drive == "wall":
            raise ValueError("under the wall drive thinking is measured, never declared")
        self.thinking_us += us
        self._pass(us)

    def tick_after(self, us: int) -> int:
        """The tick at which so much thinking from now would end."""
        return self.tick if self._on_demand else ticks_at(self._clock.after(us))

    def act(self, actions: list[AnyAction], coord_space: str = "px") -> None:
        """Apply an act now, in the middle of a tick if need be. Raises BadInput; then it had no effect."""
        if self.state != "running":
            mend = "send begin first" if self.state == "ready" else "open another session"
            raise BadInput("act", f"the episode is {self.state}, not running", mend)
        earned = self.session.busy and (self._opens_window or self.session.opens_window)
        self.session.submit(actions, coord_space)
        self._note("act", actions, coord_space)
        self._act_under_way, self._opens_window = True, earned
        self._take_stock()
        while self._at_once and not self.settled:
            self._pass(self._until_stop())

    def advance(self, now_us: int) -> None:
        """Wall only: run every tick that is due by now. An earlier `now_us` than before does nothing."""
        if now_us > self._now:
            wall_us, self._now = now_us - self._now, now_us
            self._pass(wall_us)

    def due_us(self) -> int | None:
        """Wall only: when `advance` next has something to do; None when nothing will happen by itself."""
        return self._now + self._until_stop() if self.drive == "wall" and self._flowing else None

    def replied(self, now_us: int, work_us: int = 0) -> None:
        """The reply is about to leave: the stopwatch of thinking starts. work_us: what its pictures count for."""
        if self.state == "ready":
            return
        self._ahead_us += work_us
        self.delay_us += max(0, now_us - self._settled_at)
        self._replied_at = now_us if self.state == "running" else None
        self._note("reply")
        self.session.mark()

    @staticmethod
    def replay(session: Session, journal: Iterable[Entry]) -> Iterator[Entry]:
        """Bring a fresh session through a journal, without any clock; yields each entry when reached."""
        tick = 0
        for entry in journal:
            for _ in range(tick, entry.tick):
                session.step()
            tick = entry.tick
            if entry.actions is not None:
                session.submit(entry.actions, entry.coord_space)
            yield entry

    @property
    def _flowing(self) -> bool:
        return self.state == "running" and not (self._on_demand and self.settled)

    def _until_stop(self) -> int:
        """Wall time in µs until the next tick, or until the end of the window if that is sooner."""
        stop = edge_us(self.tick + 1)
        if not self.session.busy and self.game_us < self._window_end:
            stop = min(stop, self._window_end)
        return self._clock.wall_until(stop)

    def _pass(self, wall_us: int) -> None:
        """Let so much wall time pass, measured or charged."""
        while self._flowing and (until := self._until_stop()) <= wall_us:
            wall_us -= until
            self._clock.pass_wall(until)
            waited = not self.settled
            if self.game_us >= edge_us(self.tick + 1):
                self.tick += 1
                self.session.step()
                if not self._at_once:
                    self.lateness.note(wall_us)
                self._take_stock()
            if waited and not self._at_once:
                self._settled_at = self._now - wall_us
        if self._flowing:
            self._clock.pass_wall(wall_us)

    def _take_stock(self) -> None:
        """After an act or a tick: has the world ended, has the act, does its window open?"""
        if self.session.over:
            self.state = "over"
            self._note("over")
        elif self._act_under_way and not self.session.busy:
            if self._opens_window or self.session.opens_window:
                self._window_end = self.game_us + self._window_us
            self._act_under_way = self._opens_window = False

    def _note(
        self,
        kind: Literal["act", "reply", "over"],
        actions: list[AnyAction] | None = None,
        coord_space: str = "px",
    ) -> None:
        self.journal.append(Entry(kind, self.game_us, self.tick, actions, coord_space))
