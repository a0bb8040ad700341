"""How the process asks the system for memory."""

import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # glibc's names for what mallopt sets
_KEPT, _LARGEST = 1 << 28, 1 << 26  # bytes


def keep_freed_memory() -> None:
    """Have glibc keep what is freed: a picture's arrays from the system anew cost a page fault every 4 kB.

    Nothing happens where the C library is another.
    """
    try:
        mallopt = ctypes.CDLL("libc.so.6").mallopt
    except (OSError, AttributeError):
        return
    mallopt(_MMAP_THRESHOLD, _LARGEST)
    mallopt(_TRIM_THRESHOLD, _KEPT)
