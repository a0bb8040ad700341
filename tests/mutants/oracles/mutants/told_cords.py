"""Pull the right cord at once."""

from __future__ import annotations

from collections.abc import Iterator

from oracles import Ahead, Look, Wish


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | None]:
    while True:
        seen = look()
        world = ahead(seen)
        yield None if world.rest or seen.omen.lead else ("pull", world.deal.index(world.asked))
