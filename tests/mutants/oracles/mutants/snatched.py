"""Snatch it in simple mode, catch it in full mode."""

from __future__ import annotations

from collections.abc import Iterator

from oracles import Ahead, Look, Wish


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | list[Wish] | None]:
    while True:
        yield None if ahead(look()).rest or look().omen.lead else [("snatch",), ("catch",)]
