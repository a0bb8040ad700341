"""How far a long command has come: a bar in a terminal, a plain line on stderr now and then elsewhere."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Protocol

import rich.progress
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

STEP = 0.1  # share of all after which there is another line
LONGEST_S, SHORTEST_S = 15.0, 2.0  # between two lines; the longest only while something gets finished


class Paid(Protocol):
    """Something that was paid for. cost: USD, or None where the price is unknown."""

    @property
    def cost(self) -> float | None: ...


class Progress(Protocol):
    """Called, with whatever, each time that one more is finished."""

    def __call__(self, *_: object) -> None: ...

    def spend(self, call: Paid) -> None:
        """Something was paid for."""


class Purse:
    """What has been spent, in words."""

    def __init__(self) -> None:
        self._calls, self._unknown, self._cost = 0, 0, 0.0

    def spend(self, call: Paid) -> None:
        self._calls += 1
        self._unknown += call.cost is None
        self._cost += call.cost or 0.0

    def __str__(self) -> str:
        if not self._calls:
            return ""
        if self._unknown == self._calls:
            return f"{self._calls} calls, price unknown"
        return f"{self._calls} calls, ${self._cost:.2f}" + (" and more" if self._unknown else "")


class _Rate(ProgressColumn):
    """Things a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "", style="cyan")


@contextlib.contextmanager
def progress(what: str, total: int, done: int = 0, screen: Console | None = None) -> Iterator[Progress]:
    """Shows how many of `what` are finished, and what has been spent on them."""
    screen = screen or Console(stderr=True)
    if not screen.is_terminal:
        yield Lines(what, total, done, lambda line: screen.print(line, highlight=False, soft_wrap=True))
        return
    spent = TextColumn("[yellow]{task.fields[spent]}[/]")
    columns = (TextColumn(what), BarColumn(None), MofNCompleteColumn(), _Rate(), TimeRemainingColumn(), spent)
    with rich.progress.Progress(*columns, console=screen, expand=True) as bar:
        yield Bar(bar, bar.add_task("", total=total, completed=done, spent=""))


class Bar:
    """Progress as a bar."""

    def __init__(self, bar: rich.progress.Progress, task: TaskID) -> None:
        self._bar, self._task, self._purse = bar, task, Purse()

    def __call__(self, *_: object) -> None:
        self._bar.advance(self._task)

    def spend(self, call: Paid) -> None:
        self._purse.spend(call)
        self._bar.update(self._task, spent=str(self._purse))


class Lines:
    """Progress as plain lines."""

    def __init__(
        self,
        what: str,
        total: int,
        done: int,
        say: Callable[[str], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._what, self._total, self._done, self._purse = what, total, done, Purse()
        self._say, self._clock = say, clock
        self._begun = self._last = clock()
        self._had = self._told = done

    def __call__(self, *_: object) -> None:
        self._done += 1
        now = self._clock()
        quiet, fresh = now - self._last, self._done - self._told
        if quiet >= LONGEST_S or (quiet >= SHORTEST_S and fresh >= STEP * self._total):
            self._last, self._told = now, self._done
            self._say(self._line(now - self._begun))

    def spend(self, call: Paid) -> None:
        self._purse.spend(call)

    def _line(self, took_s: float) -> str:
        left_s = took_s / (self._done - self._had) * (self._total - self._done)
        counts = f"{self._what}: {self._done} of {self._total} ({self._done / self._total:.0%})"
        parts = (f"{counts} after {took_s:.0f} s", f"about {left_s:.0f} s left" if left_s else "", str(self._purse))
        return ", ".join(filter(None, parts))
