"""Moments of a play: the worlds in which acts began, for audits that try something else there."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

from audit.play import Taped
from audit.players import Act
from games.kit.world import Hand, World
from harness.session import Configuration, copy_world, digest

T = TypeVar("T")


class Moment(NamedTuple):
    """The world in which an act began, and the act."""

    world: World
    act: Act


class Watched(Taped):
    """A session that keeps its moments."""

    def __init__(self, configuration: Configuration, seed: int, **options: Any) -> None:
        self.moments: list[Moment] = []
        super().__init__(configuration, seed, **options)

    def submit(self, actions: Act, coord_space: str = "px") -> None:
        self.moments.append(Moment(copy_world(self.world), actions))
        super().submit(actions, coord_space)


def some(items: list[T], most: int) -> list[T]:
    """At most so many of them, evenly spread, the first among them."""
    return items[:: max(1, -(-len(items) // most))]


def state(world: World) -> str:
    """A digest of the world, its hand left out."""
    bare = copy_world(world)
    bare.hand = Hand()
    return digest(bare)
