"""The same play again: seals of worlds and pictures at every second, and the ways of coming by them twice.

`python -m audit.sameness CONFIGURATION` reads lines of [seed, tape, steps] and prints the seals of each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from audit.play import Tape, Taped, submit_tape
from audit.players import picture_of
from games.kit.world import TICKS_PER_SECOND
from harness.actions import AnyAction, from_plain, to_plain
from harness.session import Configuration, copy_world

# The C library then computes as on a processor without fused multiply-add.
NO_FMA = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4"

_ROOT = Path(__file__).resolve().parents[1]

Seals = list[str]  # digests of world and picture, one a second


class Sealed(Taped):
    """A session that keeps a seal and a copy of its world at birth, at every second and at the end.

    drawn: it is drawn at every step. copied: at every second, a copy takes the world's place.
    """

    def __init__(
        self, configuration: Configuration, seed: int, *, drawn: bool = False, copied: bool = False, **options: Any
    ) -> None:
        self.seals: Seals = []
        self.worlds: list[Any] = []
        self._drawn, self._copied = drawn, copied
        super().__init__(configuration, seed, **options)
        self._seal()

    def submit(self, actions: list[AnyAction], coord_space: str = "px") -> None:
        super().submit(actions, coord_space)
        if self.over:
            self._seal()

    def step(self) -> None:
        if self.over:
            return
        super().step()
        if self._drawn:
            picture_of(self.world)
        if self.steps % TICKS_PER_SECOND == 0 or self.over:
            self._seal()
            if self._copied:
                self.world = copy_world(self.world)

    def _seal(self) -> None:
        self.seals.append(f"{self.digest()} {picture_of(self.world).digest()}")
        self.worlds.append(copy_world(self.world))


def again(session: Sealed, until: int) -> Seals:
    """The seals of a fresh session up to a step, given the acts of a tape that lies in it."""
    tape, session.tape = session.tape, []
    submit_tape(session, tape)
    while session.steps < until and not session.over and (session.realtime or session.busy):
        session.step()
    return session.seals


def repeat(configuration: Configuration, seed: int, tape: Tape, until: int, **how: bool) -> Seals:
    """The seals of a tape, played in a world of its own."""
    session = Sealed(configuration, seed, **how)
    session.tape = tape
    return again(session, until)


def elsewhere(configuration: Configuration, plays: list[tuple[int, Tape, int]]) -> list[Seals]:
    """The seals of (seed, tape, steps) in another process: without FMA, where there is any, and with other hashes."""
    lines = [json.dumps([seed, [(step, to_plain(act)) for step, act in tape], until]) for seed, tape, until in plays]
    done = subprocess.run(
        [sys.executable, "-P", "-m", __name__, str(configuration)],
        env=os.environ | {"PYTHONPATH": str(_ROOT), "GLIBC_TUNABLES": NO_FMA, "PYTHONHASHSEED": "7"},
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def fma() -> bool:
    """Whether this processor has fused multiply-add, so that the other process computes without it."""
    try:
        return " fma " in Path("/proc/cpuinfo").read_text()
    except OSError:
        return False


def main() -> None:
    configuration = Configuration.parse(sys.argv[1])
    for line in sys.stdin:
        seed, plain, until = json.loads(line)
        tape = [(step, from_plain(act)) for step, act in plain]
        print(json.dumps(repeat(configuration, seed, tape, until)))


if __name__ == "__main__":
    main()
