"""Progress of long commands, where nobody draws a bar."""

from __future__ import annotations

import io

from rich.console import Console

from harness.progress import LONGEST_S, SHORTEST_S, Lines, progress


def lines(total: int, every_s: float, done: int = 0) -> list[str]:
    """What is said while the rest of `total` gets finished, one each so many seconds."""
    said: list[str] = []
    now = 0.0
    told = Lines("episodes", total, done, said.append, lambda: now)
    for _ in range(total - done):
        now += every_s
        told("a job")
    return said


def test_a_line_each_tenth() -> None:
    said = lines(130, 1.0)
    assert len(said) == 10 and said[0] == "episodes: 13 of 130 (10%) after 13 s, about 117 s left"
    assert said[-1] == "episodes: 130 of 130 (100%) after 130 s"


def test_a_line_now_and_then_when_it_is_slow() -> None:
    said = lines(1000, 5.0)
    assert said[0] == "episodes: 3 of 1000 (0%) after 15 s, about 4985 s left" and len(said) == 5000 / LONGEST_S // 1


def test_what_is_soon_done_is_done_quietly() -> None:
    assert not lines(10, SHORTEST_S / 20)
    assert lines(10, 20.0, done=9) == ["episodes: 10 of 10 (100%) after 20 s"]


def test_files_get_lines_and_terminals_a_bar() -> None:
    plain, terminal = io.StringIO(), io.StringIO()
    with progress("rows", 2, screen=Console(file=plain)) as advance:
        advance()
    assert isinstance(advance, Lines) and not plain.getvalue()
    with progress("rows", 2, screen=Console(file=terminal, force_terminal=True)) as advance:
        advance()
    assert "1/2" in terminal.getvalue()
