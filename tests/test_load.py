"""Many metered episodes at once: each is charged what its own model took, whatever the others are doing.

BULLETTIME_LOAD and BULLETTIME_LATENCY make it larger: 200 episodes of 5 s are what two cores are to bear.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import psutil
import pytest

from clock.gametime import SECOND_US, TICKS_PER_SECOND
from tests.stubs import Stub
from tests.test_models import WIN, agent, run

EPISODES = int(os.environ.get("BULLETTIME_LOAD", "24"))
LATENCY_S = float(os.environ.get("BULLETTIME_LATENCY", "1"))
ACTS = 5  # an episode, about
GIB = 2**30


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


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_each_is_charged_its_own_latency(tmp_path: Path) -> None:
    told = iter(range(10**9))

    def say(*_: object) -> dict[str, object]:
        act = WIN if next(told) >= (ACTS - 1) * EPISODES else [{"type": "wait", "ms": 50}]
        return {"actions": act, "after": LATENCY_S, "tell": True}

    memory = Memory()
    memory.start()
    began = time.monotonic()
    with Stub(say) as stub:
        outcomes = run(stub, tmp_path, agent(stub, "openai"), EPISODES, at_once=EPISODES, seats=2)
    took = time.monotonic() - began
    memory.over = True
    assert len(outcomes) == EPISODES and not any(outcome.taints for outcome in outcomes)
    off = sorted(abs(call.charged_us - 1000 * call.tokens_out) for outcome in outcomes for call in outcome.calls)
    print(f"{EPISODES} episodes, {len(off)} calls in {took:.0f} s; off by {off[len(off) // 2]} µs in the median, ")
    print(f"{off[-1]} at most; {memory.most / GIB:.1f} GiB")
    assert off[-1] <= SECOND_US / TICKS_PER_SECOND
    assert memory.most < 4 * GIB
