"""Open the right one."""

from __future__ import annotations

from collections.abc import Iterator

from oracles import Ahead, Look, Wish


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | None]:
    while True:
        seen = look()
        yield None if seen.opened == seen.wanted else ("open", seen.wanted)
