"""The tracker: an agent that sees only what a screenshot shows, and knows only what `hello` says.

Where the goal speaks of a code, it reads the code from a row of boxes, finds each glyph among the discs of the
picture, and clicks ahead of their motion by the delay that it has measured of itself. Elsewhere it goes after the
largest thing that moves, with the pointer or with the keys that are named after directions.
"""

from __future__ import annotations

import math
from collections import deque
from typing import Any, NamedTuple

import numpy as np

from harness.agents.vision import (
    Disc,
    brightest_frame,
    find_discs,
    find_row,
    glyph_of,
    grey,
    moving_place,
)
from harness.wire.client import Seen, SyncClient

SURE = 0.82  # correlation of two pictures of the same glyph
INSIDE = 1.3  # side of the square in a disc that holds its glyph, in radii
FAR_PX = 90.0  # nothing moves so far between two frames
SETTLE_MS = 300.0  # from a click to the next look
SHORT_MS = 200.0
PUSH_MS = 300.0  # that a direction's key is held
LONG_MS = 400.0
COARSE = {"frames": 2, "size": (400, 300)}  # enough to see motion
HUD = 0.08  # of the picture's height
US = 1e6
DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}

Actions = list[dict[str, Any]]


class Found(NamedTuple):
    """A glyph found on a disc, and how sure that is, 0..1."""

    disc: Disc
    score: float


def play_tracker(client: SyncClient, seed: int) -> None:
    """Play to the end."""
    hello = client.hello()
    code = hello["pointer"] and "code" in hello["goal"].lower()
    view: dict[str, Any] = {} if code else COARSE
    begun = client.begin(frames=0)
    seen = client.look(**view)
    delay = Delay(begun, seen)
    while not seen.over:
        actions = read_code(seen, delay.guess) if code else follow(seen, hello)
        before, seen = seen, client.act(actions, coord_space="unit", **view)
        delay.note(before, seen)


class Delay:
    """How much game time passes between a frame and the act chosen from it, in µs, from the last few acts.

    `first` and `second` are replies with nothing but thinking between them: they tell what a µs of it costs here.
    """

    def __init__(self, first: Seen, second: Seen) -> None:
        passed = (second.header.game_us or 0) - (first.header.game_us or 0)
        self._cost = passed / max(_thinking(first, second), 1)
        self._seen: deque[float] = deque(maxlen=5)

    @property
    def guess(self) -> float:
        return float(np.median(self._seen)) if self._seen else 0.0

    def note(self, before: Seen, after: Seen) -> None:
        """Learn from the replies around an act."""
        self._seen.append(self._cost * _thinking(before, after))


def _thinking(before: Seen, after: Seen) -> int:
    """Wall time in µs from one reply to the message that the other one answers, by the stamps of both."""
    left, came = before.header.wall_us, after.header.wall_us
    return came.received - left.sent if left and came else 0


# -------------------------------------------------------------------------------- codes


def read_code(seen: Seen, ahead_us: float) -> Actions:
    """Click the glyph that is due where it will be; wait where it cannot be told."""
    now = grey(seen.frame.image)
    row = find_row(now)
    if not row:
        return [_wait(SHORT_MS)]
    due = row[brightest_frame(now, row)]
    glyph = glyph_of(now, due.x + due.w / 2, due.y + due.h / 2, due.w - 10, due.h - 10)
    if glyph is None:
        return [_wait(SHORT_MS)]
    found = find_glyph(glyph, now, below=due.y + due.h)
    if found is None or found.score < SURE:
        return [_wait(SHORT_MS)]
    x, y = found.disc.x, found.disc.y
    if ahead_us and len(seen.frames) > 1:
        vx, vy = velocity(seen, glyph, found.disc, below=due.y + due.h)
        x, y = x + vx * ahead_us, y + vy * ahead_us
    return [{"type": "click", **_place(seen, x, y)}, _wait(SETTLE_MS)]


def find_glyph(glyph: np.ndarray, brightness: np.ndarray, below: int) -> Found | None:
    """The disc whose glyph looks most like this one."""
    best = None
    for disc in find_discs(brightness):
        other = glyph_of(brightness, disc.x, disc.y, INSIDE * disc.r, INSIDE * disc.r) if disc.y > below else None
        if other is not None and (best is None or float(glyph @ other) > best.score):
            best = Found(disc, float(glyph @ other))
    return best


def velocity(seen: Seen, glyph: np.ndarray, now: Disc, below: int) -> tuple[float, float]:
    """Pixels a µs of game time that the glyph's disc moved, by the frame before the last; zero where unclear."""
    earlier, last = seen.frames[-2], seen.frames[-1]
    passed_us = (last.info.tick - earlier.info.tick) * US / 60
    was = find_glyph(glyph, grey(earlier.image), below) if passed_us else None
    if was is None or was.score < SURE or math.dist(was.disc[:2], now[:2]) > FAR_PX:
        return 0.0, 0.0
    return (now.x - was.disc.x) / passed_us, (now.y - was.disc.y) / passed_us


# -------------------------------------------------------------------------------- anything else


def follow(seen: Seen, hello: dict[str, Any]) -> Actions:
    """Go after the largest thing that moves."""
    frames = [grey(frame.image) for frame in seen.frames]
    place = moving_place(frames[0], frames[-1], round(HUD * len(frames[0])))
    if place is None:
        return [_wait(LONG_MS)] if hello["timing"] == "rt" else [{"type": "key", "keys": ["Period"]}]
    if hello["pointer"] and not hello["keys"].keys() - {"Period"}:
        return [{"type": "click", **_place(seen, *place)}, _wait(LONG_MS)]
    return push(hello, *_offset(seen, *place)) or [_wait(SHORT_MS)]


def push(hello: dict[str, Any], dx: float, dy: float) -> Actions | None:
    """Hold the key that is named after the direction of a place; None where it is near the middle or no key is."""
    if max(abs(dx), abs(dy)) < 0.05:
        return None
    for key, name in sorted(hello["keys"].items()):
        for word, (sx, sy) in DIRECTIONS.items():
            if word in str(name).split() and (sx * dx if abs(dx) > abs(dy) else sy * dy) > 0:
                return [{"type": "key_hold", "keys": [key], "ms": PUSH_MS}]
    return None


def _offset(seen: Seen, x: float, y: float) -> tuple[float, float]:
    """Where a place lies from the middle of the picture, in its widths and heights."""
    info = seen.frame.info
    return x / info.width - 0.5, y / info.height - 0.5


def _place(seen: Seen, x: float, y: float) -> dict[str, float]:
    """A place as shares of the picture's size."""
    info = seen.frame.info
    return {"x": min(max(x / info.width, 0.0), 0.999), "y": min(max(y / info.height, 0.0), 0.999)}


def _wait(ms: float) -> dict[str, Any]:
    return {"type": "wait", "ms": ms}
