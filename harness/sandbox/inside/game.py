"""The way to the game for code in the sandbox: looks, acts, pictures as arrays. `game` stands for it there.

    seen = game.look()                      # seen.picture: uint8, (height, width, 3), rgb; seen.pictures: oldest first
    seen = game.act("click 400 300")        # or a list of actions; seen shows the effect
    for seen in game.frames(fps=20): ...    # a stream, until the episode is over
    game.hello()["goal"]

`seen.over`, `seen.won`, `seen.ms` (game time since the beginning). Any number of threads may use it at once.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import cv2
import numpy as np

SOCKET = "/game.sock"


class Refused(ValueError):
    """What was asked had no effect: which field, what is wrong with it, how to mend it."""


class Seen:
    """A reply, and its pictures, decoded when they are looked at."""

    def __init__(self, header: dict[str, Any], data: list[bytes]) -> None:
        self.header, self._data = header, data

    @cached_property
    def pictures(self) -> list[np.ndarray]:
        """uint8, (height, width, 3), rgb; oldest first, the last one now."""
        return [np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)) for data in self._data]

    @property
    def picture(self) -> np.ndarray:
        """The picture of now."""
        return self.pictures[-1]

    @property
    def over(self) -> bool:
        """Whether there is a verdict."""
        return self.header.get("state") in ("over", "closed")

    @property
    def won(self) -> bool:
        """Whether the verdict is a win."""
        return self.header.get("verdict") == "won"

    @property
    def ms(self) -> float:
        """Game time since the beginning."""
        return self.header["game_us"] / 1000

    def __repr__(self) -> str:
        state = ("won" if self.won else "lost") if self.over else "running"
        return f"<Seen: {state}, {len(self._data)} pictures, {self.ms:.0f} ms>"


class Game:
    """The session. Each thread has a connection of its own."""

    def __init__(self) -> None:
        self._own = threading.local()

    def hello(self) -> dict[str, Any]:
        """Goal, rules, controls, keys, screen."""
        return self._ask({"type": "hello"}).header["hello"]

    def look(self, frames: int = 1, **view: Any) -> Seen:
        """The screen now. `frames`, `every_ms`, `format`, `size` as in an agent's look."""
        return self._ask({"type": "look", "frames": frames, **view})

    def act(self, deed: str | list[dict[str, Any]], frames: int = 1, **view: Any) -> Seen:
        """Do a line ("click 400 300; wait 200") or a list of actions. Raises Refused; it then had no effect."""
        what = {"line": deed} if isinstance(deed, str) else {"actions": deed}
        return self._ask({"type": "act", **what, "look": {"frames": frames, **view}})

    def frames(self, fps: float = 20, **view: Any) -> Iterator[Seen]:
        """The screen so many times a second of real time, always the newest, until the episode is over."""
        due = time.monotonic()
        while True:
            seen = self.look(**view)
            yield seen
            if seen.over:
                return
            due = max(due + 1 / fps, time.monotonic())
            time.sleep(max(0.0, due - time.monotonic()))

    def _ask(self, message: dict[str, Any]) -> Seen:
        line = json.dumps(message).encode() + b"\n"
        try:
            header, data = _unpack(_exchange(self._connection(), line))
        except BaseException:  # also one that interrupts: the reply that is still to come answers nothing any more
            self._own.file = None
            raise
        if error := header.get("error"):
            raise Refused(f"{error['field']}: {error['problem']} ({error['mend']})")
        return Seen(header, data)

    def _connection(self) -> Any:
        """This thread's, made where there is none."""
        if getattr(self._own, "file", None) is None:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(SOCKET)
                self._own.file = connection.makefile("rwb")
        return self._own.file


def _exchange(file: Any, line: bytes) -> bytes:
    file.write(line)
    file.flush()
    (length,) = struct.unpack(">I", _read(file, 4))
    return _read(file, length)


def _read(file: Any, length: int) -> bytes:
    data = file.read(length)
    if len(data) < length:
        raise ConnectionError("the session has gone")
    return data


def _unpack(raw: bytes) -> tuple[dict[str, Any], list[bytes]]:
    (length,) = struct.unpack_from(">I", raw)
    header, place, data = json.loads(raw[4 : 4 + length]), 4 + length, []
    for frame in header.get("frames", ()):
        data.append(raw[place : place + frame["bytes"]])
        place += frame["bytes"]
    return header, data
