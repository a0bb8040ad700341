"""What moderngl does not offer, by way of libEGL."""

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


def make_finish() -> Callable[[], None]:
    """glFinish without Python's lock, so that other threads run while a software renderer draws.

    moderngl keeps the lock in whatever it calls; after this, its read has nothing left to wait for.
    """
    return _function(b"glFinish")


def make_flush() -> Callable[[], None]:
    """glFlush: a software renderer draws what it has been given so far, while we go on."""
    return _function(b"glFlush")


@contextmanager
def software_threads(count: int | None) -> Iterator[None]:
    """A context made inside has so many threads of a software renderer, unless the user says or one was made before."""
    name = "LP_NUM_THREADS"  # read when a process opens its first context
    if count is None or name in os.environ:
        yield
        return
    os.environ[name] = str(count)
    try:
        yield
    finally:
        del os.environ[name]


def _function(name: bytes) -> Callable[[], None]:
    find = ctypes.CDLL("libEGL.so.1").eglGetProcAddress
    find.restype = ctypes.c_void_p
    return ctypes.CFUNCTYPE(None)(find(name))


def spread_threads() -> None:
    """Give each of the software renderer's threads a core of its own.

    The scheduler tends to wake them on the same core, one after the other. Nothing to do on other renderers.
    """
    cores = sorted(os.sched_getaffinity(0))
    for task in Path("/proc/self/task").iterdir():
        name, _, number = (task / "comm").read_text().strip().partition("-")
        if name == "llvmpipe" and number.isdigit():
            os.sched_setaffinity(int(task.name), {cores[int(number) % len(cores)]})
