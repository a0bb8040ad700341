"""Processes that share work, and end with the one that has started them, however that ends."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor

WATCH_S = 1.0


def pool(jobs: int, nice: int = 0) -> ProcessPoolExecutor:
    """So many processes, each started afresh. nice: how far they give way to others."""
    return ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_stay_with, initargs=(os.getpid(), nice)
    )


def _stay_with(parent: int, nice: int) -> None:
    """End this process when its parent has gone: killed, that leaves its children at work."""
    os.nice(nice)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_S)
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()
