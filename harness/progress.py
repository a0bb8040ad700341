"""How far a long command has come: a bar in a terminal, a plain line on stderr now and then elsewhere."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

STEP = 0.1  # share of all after which there is another line
LONGEST_S, SHORTEST_S = 15.0, 2.0  # between two lines; the longest only while something gets finished


class _Rate(ProgressColumn):
    """Things a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "", style="cyan")


@contextlib.contextmanager
def progress(what: str, total: int, done: int = 0, screen: Console | None = None) -> Iterator[Callable[..., None]]:
    """Gives a function to be called, with whatever, each time that one more of `what` is finished."""
    screen = screen or Console(stderr=True)
    if not screen.is_terminal:
        yield Lines(what, total, done, lambda line: screen.print(line, highlight=False, soft_wrap=True))
        return
    columns = (TextColumn(what), BarColumn(None), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=screen, expand=True) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda *_: bar.advance(task)


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
        self._what, self._total, self._done = what, total, done
        self._say, self._clock = say, clock
        self._begun = self._last = clock()
        self._told = done

    def __call__(self, *_: object) -> None:
        self._done += 1
        now = self._clock()
        quiet, fresh = now - self._last, self._done - self._told
        if quiet >= LONGEST_S or (quiet >= SHORTEST_S and fresh >= STEP * self._total):
            self._last, self._told = now, self._done
            share = self._done / self._total
            self._say(f"{self._what}: {self._done} of {self._total} ({share:.0%}) after {now - self._begun:.0f} s")
