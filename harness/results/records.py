"""Records of a run: lines of JSON that are only ever appended, and what they say when read back.

A run's folder holds `records/0001.jsonl`, `0002.jsonl`…, one for each process that writes. Every line is one event,
written whole in one call, so that whatever kills a process costs at most the line under way, which reading skips.
"""

from __future__ import annotations

import datetime
import errno
import itertools
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, Self

import msgspec
from msgspec import Struct

import games
from harness.actions import from_plain
from harness.agents.models.conversation import Policy
from harness.episode import Entry
from harness.errors import UserError
from harness.suite import Job, Suite

FOLDER = "records"
ATTEMPTS = 4  # an episode that is tainted is run again at most three times


class Event(Struct, tag_field="event", kw_only=True):
    """A line of the records."""


class Run(Event, kw_only=True, tag="run"):
    """A run begins, or is taken up again."""

    name: str
    suite: Suite
    version: str
    machine: dict[str, Any]
    rules: dict[str, str]  # game -> digest of its rules
    conversations: dict[str, Policy] = {}  # how models were spoken to
    resumed: bool = False
    at: str  # UTC


class Started(Event, tag="episode started"):
    """An attempt at an episode begins."""

    episode: str  # Job.key, in this and all events below
    job: Job
    attempt: int
    at: str


class Act(Event, tag="act", omit_defaults=True):
    """One act. Wall times in µs on the clock of the process that played the world."""

    episode: str
    attempt: int
    seq: int
    game_us: int
    stale_us: int | None  # game time since the newest frame shown; None where none had been
    thinking_us: int
    received: int | None = None
    applied: int | None = None


class Call(Event, kw_only=True, tag="call", omit_defaults=True):
    """One call of a model. Times in µs since the episode began, on the clock of the process that made it."""

    episode: str
    attempt: int
    seq: int
    sent_us: int
    first_us: int | None = None  # the first token; None where the answer came in one piece
    done_us: int
    charged_us: int = 0  # thinking that the world was charged for it
    tokens_in: int = 0  # all of them, cached ones too
    tokens_cached: int = 0
    tokens_out: int = 0  # all of them, reasoning too
    tokens_reasoning: int = 0
    cost: float | None = None  # USD; None: the price is unknown
    stop: str = ""  # why the model stopped, in its provider's word
    problem: str = ""  # what was wrong with the answer, or why there is none


class Taint(Event, tag="taint"):
    """An attempt that is not scored, because of a cause outside the agent."""

    episode: str
    attempt: int
    cause: str


class Verdict(Event, kw_only=True, tag="verdict"):
    """The end of an episode. Times in µs; `journal` replays it (see `entries`)."""

    episode: str
    attempt: int
    job: Job
    verdict: Literal["won", "lost"]
    reason: str
    progress: float
    game_us: int
    ticks: int
    acts: int
    thinking_us: int
    infrastructure_us: int = 0
    late_p99_us: int = 0
    late_max_us: int = 0
    ping_median_us: int | None = None
    wall_us: int  # from the start of the attempt to its end
    rules: str
    cap: int | None = None  # acts that were allowed
    isolation: Literal["none", "process", "sandbox"]
    surface: str = ""  # by which a model acted: native, function or text
    thinking: Literal["measured", "told", "declared"] = "measured"  # by the worker; by stamps of calls; by a rate
    digest_first: str
    digest_last: str
    journal: list[dict[str, Any]]

    def entries(self) -> list[Entry]:
        """The journal as `Episode.replay` takes it."""
        return [
            Entry(**{**line, "actions": None if line.get("actions") is None else from_plain(line["actions"])})
            for line in self.journal
        ]


class Ended(Event, tag="run ended"):
    """The run is over: `finished`, or why not."""

    why: str
    at: str


AnyEvent = Run | Started | Act | Call | Taint | Verdict | Ended
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)


def plain_journal(journal: list[Entry]) -> list[dict[str, Any]]:
    """A journal as it stands in records. Defaults are left out."""
    lines = []
    for entry in journal:
        line: dict[str, Any] = {"kind": entry.kind, "game_us": entry.game_us, "tick": entry.tick}
        if entry.actions is not None:
            line["actions"] = msgspec.to_builtins(entry.actions)
        if entry.coord_space != "px":
            line["coord_space"] = entry.coord_space
        lines.append(line)
    return lines


def now() -> str:
    """The time of day, UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


@cache
def rules_digest(game: str) -> str:
    """A hash of all that decides what happens in a game and how it looks: its files and the kit."""
    path = Path(str(games.module_of("games", game).__file__))
    looks = sorted(path.parent.glob(f"{path.stem}_*look.py"))
    kit = Path(games.__file__).parent / "kit"
    summed = blake2b(digest_size=8)
    for source in (path, *looks, *sorted(kit.glob("*.py"))):
        text = source.read_bytes()
        summed.update(b"%d:" % len(text) + text)
    return summed.hexdigest()


# -------------------------------------------------------------------------------- writing


class Shard:
    """The file of one writer. Raises UserError when the disk is full; what has been written stays readable."""

    def __init__(self, run: Path) -> None:
        folder = run / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        for number in itertools.count(1):
            self.path = folder / f"{number:04d}.jsonl"
            with suppress(FileExistsError):
                self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
                break

    def write(self, *events: AnyEvent) -> None:
        """Append events, a line each, in one call."""
        lines = b"".join(_encoder.encode(event) + b"\n" for event in events)
        end = os.fstat(self._file).st_size
        try:
            written = os.write(self._file, lines)
            if written < len(lines):
                os.write(self._file, lines[written:])  # says why, unless there is room again
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, end)
            raise unwritable(self.path, error) from None

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def unwritable(path: Path, error: OSError) -> UserError:
    """What a failed write means to the user."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.EROFS):
        return UserError(f"{path}: {error.strerror}", "name a place that can be written to")
    why = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else error.strerror
    return UserError(f"{path}: {why}", "make room, then go on with `bullettime run --resume FOLDER`: nothing is lost")


# -------------------------------------------------------------------------------- reading


@dataclass
class Outcome:
    """All that is known of one episode."""

    job: Job
    verdict: Verdict | None = None
    taints: list[Taint] = field(default_factory=list)  # attempts that were not scored
    acts: list[Act] = field(default_factory=list)  # of the attempt that was
    calls: list[Call] = field(default_factory=list)  # of all attempts
    started: int = 0

    @property
    def tainted(self) -> bool:
        """Whether it has no verdict, and is not going to get one."""
        return self.verdict is None and len(self.taints) >= ATTEMPTS

    @property
    def finished(self) -> bool:
        return self.verdict is not None or self.tainted

    @property
    def cost(self) -> float | None:
        """USD, over all attempts; None where a price is unknown, 0 where nothing was called."""
        costs = [call.cost for call in self.calls]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def won(self) -> bool:
        return self.verdict is not None and self.verdict.verdict == "won"


@dataclass
class Results:
    """A run as its records tell it."""

    folder: Path
    run: Run
    outcomes: dict[str, Outcome]  # by Job.key
    ended: list[Ended]

    @classmethod
    def load(cls, folder: str | Path) -> Results:
        """Read a run's folder. Raises UserError when it holds no run, or a line in the middle is damaged."""
        folder = Path(folder)
        run: Run | None = None
        ended: list[Ended] = []
        outcomes: dict[str, Outcome] = {}
        taints: dict[str, list[Taint]] = {}
        acts: dict[tuple[str, int], list[Act]] = {}
        calls: dict[str, list[Call]] = {}
        for event in read_events(folder):
            match event:
                case Run():
                    run = event  # the newest: a folder's plan may grow
                case Ended():
                    ended.append(event)
                case Started():
                    outcomes.setdefault(event.episode, Outcome(event.job)).started += 1
                case Verdict():
                    outcome = outcomes.setdefault(event.episode, Outcome(event.job))
                    outcome.verdict = outcome.verdict or event
                case Taint():
                    taints.setdefault(event.episode, []).append(event)
                case Call():
                    calls.setdefault(event.episode, []).append(event)
                case Act():
                    acts.setdefault((event.episode, event.attempt), []).append(event)
        if run is None:
            raise UserError(f"{folder} holds no records of a run", "name a folder that `bullettime run` has made")
        for key, outcome in outcomes.items():
            outcome.taints, outcome.calls = taints.get(key, []), calls.get(key, [])
            if outcome.verdict is not None:
                outcome.acts = acts.get((key, outcome.verdict.attempt), [])
        return cls(folder, run, outcomes, ended)

    def jobs(self) -> list[Job]:
        """What the run is to play, finished or not."""
        return self.run.suite.jobs()

    def open_jobs(self) -> list[Job]:
        """What is not finished."""
        return [job for job in self.jobs() if not (job.key in self.outcomes and self.outcomes[job.key].finished)]


def begun(folder: Path) -> bool:
    """Whether a folder holds anything of a run."""
    return any(path.stat().st_size for path in (folder / FOLDER).glob("*.jsonl"))


def read_events(folder: Path) -> Iterator[AnyEvent]:
    """All events of a run, shard by shard. The last line of a shard may be torn. Raises UserError."""
    for path in sorted((folder / FOLDER).glob("*.jsonl")):
        lines = path.read_bytes().split(b"\n")
        lines.pop()  # empty, or a line that was never finished
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield _decoder.decode(line)
            except (msgspec.DecodeError, UnicodeError) as error:
                raise UserError(f"{path}, line {number}: {error}", "the records have been damaged") from None
