"""The frame of all audits: results, evidence, seeds, selection, and running many of them over processes."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import as_completed
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

import audit
from audit.journal import Journal, sources_digest
from games.kit.dice import Dice
from harness.painter.encode import encode_png
from harness.pool import pool
from harness.results.records import rules_digest
from harness.results.statistics import Rate
from harness.session import MODES, TIMINGS, Configuration
from harness.suite import choose_games

if TYPE_CHECKING:
    from games.kit.picture import Picture
    from harness.painter.gl import Painter

LEVELS = (1, 2, 3, 4, 5)
INTERVAL = "_95"  # ends the name of a figure that is another's interval of 95 %
T = TypeVar("T")
R = TypeVar("R")


class Finding(msgspec.Struct, frozen=True):
    """A bound that does not hold. subject: a configuration, or a game where configurations are joined."""

    audit: str
    subject: str
    figure: str
    value: Any
    bound: str
    evidence: str = ""  # path of a file or folder


class Result(msgspec.Struct):
    """What an audit has measured of a configuration (or game), and what it found wrong."""

    audit: str
    subject: str
    figures: dict[str, Any] = msgspec.field(default_factory=dict)
    findings: list[Finding] = msgspec.field(default_factory=list)
    rules: str = ""  # digest of the rules that were measured
    seeds: int = 0
    cpu_s: float = 0.0

    def note(self, figure: str, value: Any) -> None:
        """Keep a figure: a plain value."""
        self.figures[figure] = value

    def must(self, figure: str, value: Any, bound: str, holds: bool, evidence: str = "") -> None:
        """Keep a figure, and a finding if it does not hold. bound: in words, for the reader."""
        self.note(figure, value)
        if not holds:
            self.findings.append(Finding(self.audit, self.subject, figure, value, bound, evidence))

    def at_least(self, figure: str, value: float, bound: float, evidence: str = "", *, of: int = 0) -> None:
        """Keep a figure that must not be smaller than the bound. of: of how many plays it is a share."""
        self.must(figure, value, f"≥ {bound:g}", value >= bound, evidence)
        self._keep_interval(figure, value, of)

    def at_most(self, figure: str, value: float, bound: float, evidence: str = "", *, of: int = 0) -> None:
        """Keep a figure that must not be larger than the bound. of: of how many plays it is a share."""
        self.must(figure, value, f"≤ {bound:g}", value <= bound, evidence)
        self._keep_interval(figure, value, of)

    def _keep_interval(self, figure: str, share: float, of: int) -> None:
        if of:
            interval = Rate(round(share * of), of).interval
            self.note(figure + INTERVAL, [round(end, 4) for end in interval])


class Evidence(NamedTuple):
    """A folder for what proves a finding; "" writes nothing."""

    folder: str = ""

    def log(self, name: str, lines: Iterable[Any]) -> str:
        """Write plain values as JSON lines; returns the path, or ""."""
        return self._write(f"{name}.jsonl", "".join(json.dumps(line) + "\n" for line in lines).encode())

    def frames(self, name: str, pictures: Iterable[Picture]) -> str:
        """Write pictures as PNG files; returns the path of the first, or ""."""
        if not self.folder:
            return ""
        paths = [
            self._write(f"{name}-{number}.png", encode_png(painter().render(picture)))
            for number, picture in enumerate(pictures)
        ]
        return paths[0] if paths else ""

    def _write(self, name: str, data: bytes) -> str:
        if not self.folder or not data:
            return ""
        path = Path(self.folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return str(path)


@cache
def painter() -> Painter:
    """The painter of this process."""
    from harness.painter.gl import Painter  # noqa: PLC0415  loads OpenGL

    return Painter()


def draw_seeds(game: str, count: int, purpose: str = "audit") -> list[int]:
    """Seeds that follow from the digest of the game's rules, so that nobody can have tuned the rules to them."""
    dice = Dice.named(purpose, rules_digest(game))
    return [dice.bits() >> 11 for _ in range(count)]


def choose(
    games: list[str],
    levels: Iterable[int] = LEVELS,
    modes: Iterable[str] = MODES,
    timings: Iterable[str] = TIMINGS,
) -> list[Configuration]:
    """Configurations of the games that match the patterns (names or families). Raises BadInput."""
    return [
        Configuration.parse(f"{game}/{timing}/{level}/{mode}")
        for game in choose_games(games)
        for timing in timings
        for level in levels
        for mode in modes
    ]


class Task(NamedTuple):
    """One audit of one configuration."""

    audit: str
    configuration: Configuration
    seeds: int  # 0: as many as the audit wants
    evidence: str  # folder, or ""

    @property
    def key(self) -> str:
        """All that its result depends on, but for the number of seeds."""
        return f"{sources_digest(self.configuration.game, self.audit)} {self.audit} {self.configuration}"

    @property
    def number(self) -> int:
        """How many seeds are to be measured."""
        return self.seeds or audit.load(self.audit).SEEDS


def tasks(names: Iterable[str], configurations: list[Configuration], seeds: int = 0, evidence: str = "") -> list[Task]:
    """What there is to measure. evidence: the folder under which each task gets its own, or ""."""
    return [
        Task(name, each, seeds, f"{evidence}/{name}/{str(each).replace('/', '-')}" if evidence else "")
        for name in names
        for each in configurations
        if getattr(audit.load(name), "applies", lambda _: True)(each)
    ]


def carry_out(task: Task) -> Result:
    """Run one task. An exception is a finding, with its traceback as evidence."""
    module = audit.load(task.audit)
    evidence = Evidence(task.evidence)
    began = time.process_time()
    try:
        result = module.measure(task.configuration, draw_seeds(task.configuration.game, task.number), evidence)
    except Exception as error:
        result = Result(task.audit, str(task.configuration))
        trace = evidence.log("crash", traceback.format_exc().splitlines())
        result.must("crash", repr(error), "none", False, trace)
    result.seeds = task.number
    result.rules = rules_digest(task.configuration.game)
    result.cpu_s = round(time.process_time() - began, 2)
    return result


def spread(function: Callable[[T], R], items: list[T], jobs: int, done: Callable[[T, R], None]) -> None:
    """Call the function on each item, over so many processes; `done` hears of each in this process, as it ends."""
    if jobs == 1 or len(items) < 2:
        for item in items:
            done(item, function(item))
        return
    processes = pool(min(jobs, len(items)))
    try:
        running = {processes.submit(function, item): item for item in items}
        for future in as_completed(running):
            done(running[future], future.result())
    finally:
        processes.shutdown(cancel_futures=True)


def run(
    work: list[Task],
    jobs: int = 1,
    done: Callable[[Result], None] = lambda _: None,
    journal: Journal[Result] | None = None,
) -> list[Result]:
    """All results in the order of the tasks, then those of `join`, by audit and game.

    journal: results that it knows, of as many seeds or more, are not measured again; new ones are added.
    """
    found: dict[Task, Result] = {}
    todo = []
    for task in work:
        known = journal.known.get(task.key) if journal else None
        if known is None or known.seeds < task.number:
            todo.append(task)
        else:
            found[task] = known
            done(known)

    def keep(task: Task, result: Result) -> None:
        found[task] = result
        if journal:
            journal.add(task.key, result)
        done(result)

    spread(carry_out, todo, jobs, keep)
    results = [found[task] for task in work]
    return results + joined(results)


def joined(results: Iterable[Result]) -> list[Result]:
    """What audits make of all the configurations of a game together."""
    groups: dict[tuple[str, str], dict[Configuration, Result]] = {}
    for result in results:
        configuration = Configuration.parse(result.subject)
        groups.setdefault((result.audit, configuration.game), {})[configuration] = result
    found = []
    for (name, game), group in groups.items():
        join = getattr(audit.load(name), "join", None)
        sound = {each: result for each, result in group.items() if "crash" not in result.figures}
        if join and sound:
            found.append(join(game, sound))
            found[-1].rules = rules_digest(game)
    return found


def shipped(game: str, folder: Path) -> Path:
    """The file of a game's results that come with the project, under the folder of the data."""
    return folder / "audits" / f"{game}.jsonl"
