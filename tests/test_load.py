"""Many metered episodes at once: each is charged what its own model took, whatever the others are doing.

BULLETTIME_LOAD and BULLETTIME_LATENCY make it larger: 200 episodes of 5 s are what two cores are to bear.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from clock.gametime import SECOND_US, TICKS_PER_SECOND
from tests.test_models import run

EPISODES = int(os.environ.get("BULLETTIME_LOAD", "24"))
LATENCY_S = float(os.environ.get("BULLETTIME_LATENCY", "1"))
ACTS = 5  # an episode
TICK_US = SECOND_US / TICKS_PER_SECOND
MEASURED = "BULLETTIME_LOAD" in os.environ  # alone on the machine; else other tests run on the same cores
TOLERATED = 0.01  # of the calls: the stub may be late as well
GIB = 2**30
ROOT = Path(__file__).resolve().parents[1]


class Memory(threading.Thread):
    """The most that this process and its children have held at once, in bytes (proportional set size)."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most, self.over = 0, False

    def run(self) -> None:
        me = psutil.Process()
        while not self.over:
            held = 0
            for process in (me, *me.children(recursive=True)):
                try:
                    held += process.memory_full_info().pss
                except psutil.Error:
                    continue
            self.most = max(self.most, held)
            time.sleep(0.5)


class Remote:
    """A stub in a process of its own, as a provider is."""

    def __enter__(self) -> Remote:
        command = [sys.executable, "-m", "tests.stubs", str(ACTS), str(LATENCY_S)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        url = self._process.stdout.readline().strip()
        self.environment = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": f"{url}/v1"}
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_each_is_charged_its_own_latency(tmp_path: Path) -> None:
    memory = Memory()
    memory.start()
    began = time.monotonic()
    with Remote() as stub:
        outcomes = run(stub, tmp_path, "openai:stub", EPISODES, at_once=EPISODES, seats=2)
    took = time.monotonic() - began
    memory.over = True
    assert len(outcomes) == EPISODES and not any(outcome.taints for outcome in outcomes)
    assert all(outcome.won and len(outcome.calls) == ACTS for outcome in outcomes)
    off = sorted(abs(call.charged_us - 1000 * call.tokens_out) for outcome in outcomes for call in outcome.calls)
    middle, most = off[len(off) // 2], off[-1]
    over = sum(each > TICK_US for each in off)
    told = (
        f"{len(off)} calls in {took:.0f} s, charged {middle / 1000:.1f} ms off in the median, {most / 1000:.1f} at most"
    )
    print(f"{told}; {over} by more than a tick; {memory.most / GIB:.1f} GiB")
    assert middle <= TICK_US and (not MEASURED or over <= TOLERATED * len(off)), told
    assert memory.most < 4 * GIB
