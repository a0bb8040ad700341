"""The two agents that know nothing: one acts by chance, one waits. A game that they win is broken."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from harness.wire.client import SyncClient

WAIT_MS = 1000.0  # of idling, an act
LONGEST_PAUSE_MS = 400.0  # between two random acts
LONGEST_HOLD_MS = 800.0

Actions = list[dict[str, Any]]


def play_idle(client: SyncClient, seed: int) -> None:
    """Wait, and in a twin pass, until there is a verdict."""
    twin = client.hello()["timing"] == "twin"
    deed = {"type": "key", "keys": ["Period"]} if twin else {"type": "wait", "ms": WAIT_MS}
    _play(client, lambda: [deed])


def play_random(client: SyncClient, seed: int) -> None:
    """Do what `hello` allows, at random places, moments and lengths."""
    hello = client.hello()
    chance = random.Random(seed)
    _play(client, lambda: _random_act(chance, hello))


def _play(client: SyncClient, choose: Callable[[], Actions]) -> None:
    """Act without looking. A twin ends when the acts that it allows are spent."""
    seen = client.begin(frames=0)
    while not seen.over:
        seen = client.act(choose(), frames=0)


def _random_act(chance: random.Random, hello: dict[str, Any]) -> Actions:
    pause = {"type": "wait", "ms": chance.uniform(0, LONGEST_PAUSE_MS)}
    if hello["pointer"] and chance.random() < 0.6:
        return [_random_pointing(chance, *hello["screen"]), pause]
    keys = [chance.choice(sorted(hello["keys"]))]
    if hello["mode"] == "full" and chance.random() < 0.5:
        return [{"type": "key_hold", "keys": keys, "ms": chance.uniform(0, LONGEST_HOLD_MS)}]
    return [{"type": "key", "keys": keys}, pause]


def _random_pointing(chance: random.Random, width: int, height: int) -> dict[str, Any]:
    def place() -> dict[str, float]:
        return {"x": chance.uniform(0, width - 1), "y": chance.uniform(0, height - 1)}

    kind = chance.choice(("click", "click", "move", "drag", "scroll"))
    if kind == "drag":
        return {"type": "drag", "path": [place(), place()]}
    if kind == "scroll":
        return {"type": "scroll", **place(), "dy": chance.choice((-1, 1))}
    return {"type": kind, **place(), **({"button": chance.choice(("left", "right"))} if kind == "click" else {})}
