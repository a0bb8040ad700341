"""What moderngl does not offer, by way of libEGL."""

import ctypes
from collections.abc import Callable


def make_finish() -> Callable[[], None]:
    """glFinish without Python's lock, so that other threads run while a software renderer draws.

    moderngl keeps the lock in whatever it calls; after this, its read has nothing left to wait for.
    """
    find = ctypes.CDLL("libEGL.so.1").eglGetProcAddress
    find.restype = ctypes.c_void_p
    return ctypes.CFUNCTYPE(None)(find(b"glFinish"))
