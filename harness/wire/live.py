"""A session that is being played on a worker: its world, its clock, and everything that is measured of it."""

import asyncio
import contextlib
import statistics
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from aiohttp import web

from clock.tempo import Tempo
from games.kit.world import TICKS_PER_SECOND
from harness.actions import parse_line, to_plain
from harness.controls import gestures, time_told
from harness.episode import LATE_US, Episode
from harness.errors import BadInput
from harness.plan import plan_act, used_keys
from harness.session import Configuration, Session, Shot
from harness.wire.protocol import ACTIONS, POINTER_ACTIONS, Act, ActRecord, Begin, FrameInfo, Look, Open, Summary, View
from harness.wire.studio import SCREEN, now_us

PICTURE_US = 10_000  # work that a picture of the screen's size counts for, on whatever machine
LEAST_PICTURE_US = 2_500
RATE_CAP = 200  # messages per second of one session under the wall drive


class Moment:
    """What a reply tells of the world, caught in the instant that it is about."""

    def __init__(self, live: "Live", view: View | None) -> None:
        episode, world = live.episode, live.session.world
        self.settled = now_us()
        self.over = episode.state == "over"
        self.header: dict[str, Any] = {
            "state": episode.state,
            "game_us": episode.game_us,
            "tick": world.tick,
            "verdict": (world.verdict or None) if self.over else None,
            "reason": (world.reason or None) if self.over else None,
        }
        self.game_us = episode.game_us
        self.shots = live.shots(view) if view is not None else []


class Taken(NamedTuple):
    """What became of a request."""

    applied: int  # wall time, µs
    record: ActRecord | None  # of an act that was applied
    moment: Moment | None  # None: the act is still under way


class Live:
    """A session on this worker, with everything that is measured of it."""

    def __init__(self, name: str, token: str, opening: Open, seed: int) -> None:
        configuration = Configuration.parse(opening.config)
        try:
            tempo = Tempo.parse(opening.tempo)
        except ValueError as wrong:
            raise BadInput("tempo", str(wrong), "write live, paused, or a slowdown such as 4x") from None
        self.name, self.token, self.opening = name, token, opening
        self.spacing = max(1, round(opening.every_ms * TICKS_PER_SECOND / 1000))
        keep = (opening.frames - 1) * self.spacing
        self.session = Session(*configuration, seed, keep=keep)
        try:
            self.episode = Episode(
                self.session,
                tempo,
                opening.drive,
                window_us=round(opening.window_ms * 1000),
                paced=opening.paced,
            )
        except ValueError as wrong:
            raise BadInput("paced", str(wrong), "leave paced out") from None
        self.told = opening.thinking == "told"
        if self.told and opening.drive == "wall":
            raise BadInput("thinking", "told needs the metered drive", "leave thinking out, or open it metered")
        self.at_once = opening.drive == "metered" or not (self.session.realtime or opening.paced)
        self.turn = asyncio.Lock() if self.at_once else contextlib.nullcontext()
        self.digest_first = self.session.digest()
        self.born = self.touched = now_us()
        self.closed = False
        self.taint = ""
        self.seq = 0
        self.acts: list[ActRecord] = []
        self.waiting: list[tuple[asyncio.Future[Moment], View]] = []
        self.pending = 0
        self.answering: Begin | Act | Look | None = None  # under the metered drive: its reply is not made yet
        self.socket: web.WebSocketResponse | None = None
        self.stream: asyncio.Task[None] | None = None
        self.seen_game_us: int | None = None  # game time of the newest frame sent
        self.late = Counter[int]()  # tenths of ms by which a wake-up came late -> how often
        self.pings: list[int] = []
        self.pinged_at = 0
        self._allowance, self._counted_at = float(RATE_CAP), self.born

    def check_rate(self, now: int) -> None:
        """Raise BadInput when messages come so fast that other sessions would suffer."""
        if self.opening.drive == "metered":
            return
        elapsed = max(0, now - self._counted_at)
        self._allowance = min(RATE_CAP, self._allowance + elapsed * RATE_CAP / 1e6) - 1
        self._counted_at = now
        if self._allowance < 0:
            self._allowance = 0
            raise BadInput("message", "too many messages", f"send at most {RATE_CAP} a second")

    def check_view(self, view: View) -> None:
        """Raise BadInput when a look asks for more than the condition grants."""
        if (view.frames or 0) > self.opening.frames:
            limit = f"ask for at most {self.opening.frames}, what the session was opened with"
            raise BadInput("look.frames", f"{view.frames} are more than this session shows", limit)
        if (view.every_ms or 0) > self.opening.every_ms:
            limit = f"ask for at most {self.opening.every_ms:g}, what the session was opened with"
            raise BadInput("look.every_ms", f"{view.every_ms:g} is wider than this session's frames", limit)

    def hello(self) -> dict[str, Any]:
        """What the agent is told of game and condition."""
        session, simple = self.session, self.session.mode == "simple"
        told = session.hello()
        return (told if self.opening.rulebook else told | {"rulebook": ""}) | {
            "gestures": ["tap keys"] if simple else list(gestures(session.world.id)),
            "time": time_told(session.world, self.episode.tempo, self.opening.window_ms, realtime=session.realtime),
            "screen": SCREEN,
            "actions": [name for name in ACTIONS if not (simple and name in POINTER_ACTIONS)],
            "tempo": self.episode.tempo.name,
            "frames": self.opening.frames,
            "every_ms": self.opening.every_ms,
        }

    def seen(self, moment: Moment) -> None:
        """Pictures of this moment are sent."""
        self.seen_game_us = max(self.seen_game_us or 0, moment.game_us)

    def shots(self, view: View) -> list[Shot]:
        """The observation as draw lists."""
        count = self.opening.frames if view.frames is None else view.frames
        if count == 0:
            return []
        spacing = self.spacing
        if view.every_ms is not None:
            spacing = max(1, round(view.every_ms * TICKS_PER_SECOND / 1000))
        return self.session.frames(count, spacing)

    def take(self, request: Begin | Act | Look, stamp: int, view: View) -> "Taken":
        """Let the world catch up to the stamp, then apply the request. Raises BadInput without any effect."""
        record = None
        if isinstance(request, Begin):
            self.episode.begin(now_us())
        elif isinstance(request, Look):
            self._check_told(request.thought_us, needed=False)
            self._charge(stamp, request.thought_us or 0)
        else:
            record = self._act(request, stamp)
        applied = now_us()
        self.release()
        at_rest = isinstance(request, Look) or self.episode.settled
        return Taken(applied, record, Moment(self, view) if at_rest else None)

    def _act(self, request: Act, stamp: int) -> ActRecord | None:
        """Apply an act, unless it comes too late; returns its record."""
        episode, session = self.episode, self.session
        if request.seq <= self.seq:
            raise BadInput("seq", f"{request.seq} after {self.seq}", f"send a number greater than {self.seq}")
        actions = parse_line(request.line or "") if request.actions is None else request.actions
        hand = session.world.hand
        used = used_keys(session.world, session.mode)
        plan_act(actions, mode=session.mode, space=request.coord_space, hand=(hand.x, hand.y), used=used)
        self._check_told(request.thought_us, needed=self.told)
        thinking_us = self._charge(stamp, request.thought_us or 0)
        if episode.state == "over":
            self.seq = request.seq
            return None
        game_us = episode.game_us
        episode.act(actions, request.coord_space)
        self.seq = request.seq
        record = ActRecord(
            seq=request.seq,
            received=stamp,
            applied=now_us(),
            game_us=game_us,
            stale_us=None if self.seen_game_us is None else game_us - self.seen_game_us,
            thinking_us=thinking_us,
        )
        self.acts.append(record)
        return record

    def _check_told(self, thought_us: int | None, *, needed: bool) -> None:
        """Raise BadInput where thinking is told that is measured, or not told although it must be."""
        if thought_us is None and needed:
            raise BadInput("thought_us", "is missing", "declare the thinking before each act")
        if thought_us is not None and not self.told:
            raise BadInput("thought_us", "is not asked for", "leave it out: the worker measures")

    def _charge(self, stamp: int, thought_us: int) -> int:
        """Let the world catch up with what came at this time, or with the thinking told; returns the thinking."""
        if not self.told:
            return self.episode.receive(stamp)
        self.episode.heard(stamp, thought_us)
        return thought_us

    async def later(self, view: View) -> Moment:
        """The moment at which the act under way has settled."""
        future: asyncio.Future[Moment] = asyncio.get_running_loop().create_future()
        self.waiting.append((future, view))
        return await future

    def release(self) -> None:
        """Give every reply that can leave now its moment."""
        if self.waiting and (self.episode.settled or self.closed):
            for future, view in self.waiting:
                if not future.done():
                    future.set_result(Moment(self, view))
            self.waiting.clear()

    def end_stream(self) -> None:
        """Send no more pictures unasked."""
        if self.stream is not None:
            self.stream.cancel()
            self.stream = None

    def last_words(self, reason: str) -> dict[str, Any]:
        """The header of the reply that closes the session for this reason."""
        header = Moment(self, None).header | {"state": "closed"}
        return header if header["verdict"] else header | {"verdict": "lost", "reason": reason}

    def fail(self, taint: str) -> None:
        """Note the first cause outside the agent that spoils the episode."""
        self.taint = self.taint or taint

    def summary(self, reason: str) -> Summary:
        """The record of the episode; `reason` is why it was closed, which counts when it was not over."""
        world, episode = self.session.world, self.episode
        if episode.lateness.worst_us > LATE_US:
            self.fail(f"ticks ran {episode.lateness.worst_us // 1000} ms late")
        return Summary(
            session=self.name,
            open=self.opening,
            verdict="won" if world.verdict == "won" else "lost",
            reason=world.reason if world.verdict else reason,
            taint=self.taint,
            progress=world.progress(),
            ticks=world.tick,
            game_us=episode.game_us,
            thinking_us=episode.thinking_us,
            infrastructure_us=episode.delay_us,
            late_p99_us=percentile(self.late, 0.99),
            late_max_us=episode.lateness.worst_us,
            ping_median_us=round(statistics.median(self.pings)) if self.pings else None,
            digest_first=self.digest_first,
            digest_last=self.session.digest(),
            acts=self.acts,
            journal=[
                {**entry._asdict(), "actions": None if entry.actions is None else to_plain(entry.actions)}
                for entry in episode.journal
            ],
        )


def work_us(frames: list[FrameInfo]) -> int:
    """What the pictures of a reply count for, in µs: by number and size, so that all machines count the same."""
    screen = SCREEN[0] * SCREEN[1]
    return sum(max(LEAST_PICTURE_US, PICTURE_US * frame.width * frame.height // screen) for frame in frames)


def percentile(tenths: Counter[int], share: float) -> int:
    """The value in µs below which this share of the counted tenths of a millisecond lies."""
    left = share * tenths.total()
    for tenth in sorted(tenths):
        left -= tenths[tenth]
        if left <= 0:
            return (tenth + 1) * 100
    return 0


class Scheduler:
    """Ticks of all wall sessions by deadlines: it sleeps until the earliest one is due."""

    def __init__(self, sessions: dict[str, Live], failed: Callable[[Live, Exception], None]) -> None:
        self._sessions = sessions
        self._failed = failed
        self._alarm: asyncio.TimerHandle | None = None

    def arm(self) -> None:
        """Set the alarm anew; call this after anything that may bring a deadline closer."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        dues = (live.episode.due_us() for live in self._sessions.values() if not live.at_once)
        earliest = min((due for due in dues if due is not None), default=None)
        if earliest is not None:
            self._alarm = asyncio.get_running_loop().call_at(earliest / 1e6, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        for live in list(self._sessions.values()):
            due = None if live.at_once else live.episode.due_us()
            now = now_us()
            if due is None or due > now:
                continue
            live.late[(now - due) // 100] += 1
            try:
                live.episode.advance(now)
                live.release()
            except Exception as error:
                self._failed(live, error)
        self.arm()
