"""A sweep on many machines, by Ray (an extra): batches of episodes as tasks, their records brought home.

Each task plays its batch as a run would, in a folder of its own machine, and returns the lines that it wrote. So the
records are the same as those of a local run; a task whose machine dies is played again, elsewhere.
"""

from __future__ import annotations

import asyncio
import importlib
import tempfile
from pathlib import Path
from typing import Any

from harness.crew import Crew, Ledger, LimitReached, Limits, Todo
from harness.errors import UserError
from harness.progress import Progress
from harness.results.records import ATTEMPTS, Call, Shard, read_events
from harness.suite import Suite
from harness.wire.pipe import HOME

BATCH = 20  # episodes of a task: few enough that a lost one costs little, enough that starting costs little


def play(suite: Suite, todo: list[Todo], shard: Shard, advance: Progress, at_once: int, limits: Limits) -> None:
    """Play all of it, wherever Ray finds room. Raises UserError without Ray, LimitReached."""
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise UserError("--on ray needs Ray", "pip install 'bullettime[ray]'") from None
    paths = {"env_vars": {"PYTHONPATH": str(HOME)}}
    ray.init(ignore_reinit_error=True, include_dashboard=False, log_to_driver=False, runtime_env=paths)
    try:
        task = ray.remote(num_cpus=1, max_retries=ATTEMPTS)(play_batch)
        waiting = [task.remote(suite, todo[start : start + BATCH], at_once) for start in range(0, len(todo), BATCH)]
        ledger = Ledger(limits, advance.spend)
        while waiting:
            (ready,), waiting = ray.wait(waiting, num_returns=1)
            events = ray.get(ready)
            shard.write(*events)
            for event in events:
                if isinstance(event, Call):
                    ledger.note(event)
            for _ in {event.episode for event in events}:
                advance()
            if ledger.reached:
                raise LimitReached(ledger.reached)
    finally:
        ray.shutdown()


def play_batch(suite: Suite, todo: list[Todo], at_once: int) -> list[Any]:
    """Play some episodes on this machine; returns all that there is to record of them."""
    with tempfile.TemporaryDirectory(prefix="bullettime-") as place:
        folder = Path(place)
        with Shard(folder) as shard:
            asyncio.run(Crew(folder, suite, shard, 1, lambda job: None, at_once=at_once).work(todo))
        return list(read_events(folder))
