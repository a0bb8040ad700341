"""Smooths the staircases of a rendered picture, on the pixels along edges only.

Each straight run of edge between two rows (or columns) is taken for a slanted line between its ends, which
says how much of each pixel the other side covers (morphological antialiasing).
"""

import cv2
import numpy as np

_STEP = 16  # grey levels that make an edge: steps of less are hardly seen


class Smoother:
    """Smooths pictures of one size. Keeps its working memory, since fresh pages cost more than the work."""

    def __init__(self, width: int, height: int) -> None:
        self._grey = np.empty((height, width), np.uint8)
        self._difference = np.empty((height - 1, width - 1), np.uint8)
        # edges below and right of each pixel; the last row and column stay 0, which keeps neighbours in bounds
        self._below, self._beside = np.zeros((2, height, width), np.uint8)
        self._turned_below, self._turned_beside = np.zeros((2, width, height), np.uint8)
        self._changes = np.zeros(-(-width * height // 8) * 8, np.uint8)

    def smooth(self, pixels: np.ndarray) -> None:
        """Smooth a picture (rows, columns, 4; uint8) in place."""
        grey, below, beside = self._grey, self._below, self._beside
        cv2.cvtColor(pixels, cv2.COLOR_RGBA2GRAY, dst=grey)
        for edges, neighbour in ((below, grey[1:, :-1]), (beside, grey[:-1, 1:])):
            cv2.absdiff(neighbour, grey[:-1, :-1], dst=self._difference)
            np.greater(self._difference, _STEP, out=edges[:-1, :-1].view(np.bool_))
            edges[0, 0] = 0
        cv2.transpose(below, dst=self._turned_below)
        cv2.transpose(beside, dst=self._turned_beside)
        height, width = grey.shape
        rows = self._coverage(below, beside, 1)
        at, other, weight = self._coverage(self._turned_beside, self._turned_below, 2)
        columns = at % height * width + at // height, other % height * width + other // height, weight
        words = pixels.reshape(-1).view(np.uint32)
        for at, other, weight in (rows, columns):
            here, there = (words.take(i).view(np.uint8).reshape(-1, 4).astype(np.int16) for i in (at, other))
            here += (there - here) * weight[:, None] >> 8
            words[at] = here.astype(np.uint8).view(np.uint32).reshape(-1)

    def _coverage(self, edges: np.ndarray, crossings: np.ndarray, shortest: int) -> tuple[np.ndarray, ...]:
        """Flat indices of pixels along runs of edges, of their neighbours across, and how much those cover them.

        edges: whether a pixel differs from the one in the next row; crossings: from the one in the next column.
        shortest: pixels of the runs that count: those of one pixel lie at the corners of columns too.
        The cover is in 256ths, at most 128.
        """
        width = edges.shape[1]
        row, cross = edges.reshape(-1), crossings.reshape(-1).view(np.int8)
        np.bitwise_xor(row[1:], row[:-1], out=self._changes[1 : len(row)])
        turns = _nonzero(self._changes)
        starts, ends = turns[0::2], turns[1::2]
        if shortest > 1:
            long = np.flatnonzero(ends - starts >= shortest)
            starts, ends = starts[long], ends[long]
        # 1: the line rises towards this end, -1: it falls, 0: it stays
        left = cross.take(starts - 1) - cross.take(starts + (width - 1))
        right = cross.take(ends - 1) - cross.take(ends + (width - 1))
        lean = np.concatenate((left, right))
        parts = np.flatnonzero(lean)  # half a run each: from an end to the middle
        lean, size = lean[parts], np.tile(ends - starts, 2)[parts]
        first = np.concatenate((starts, ends - 1))[parts]
        step = np.where(parts < len(starts), 1, -1).astype(np.int32)
        length = (size + 1) >> 1
        of = np.repeat(np.arange(len(parts), dtype=np.int32), length)
        i = np.arange(len(of), dtype=np.int32) - (np.cumsum(length, dtype=np.int32) - length)[of]
        size = size[of]
        share = np.minimum(size - 2 * i, 2)  # of the pixel that belongs to this half, in halves
        weight = (share * (2 * size - 4 * i - share) * 32 // size).astype(np.int16)
        here = first[of] + step[of] * i
        lower = np.where(lean > 0, 0, width).astype(np.int32)[of]
        return here + lower, here + (width - lower), weight


def _nonzero(flags: np.ndarray) -> np.ndarray:
    """Indices (int32) of what is not 0 in a sparse array, whose length is divisible by 8: by words first."""
    words = flags.view(np.uint64)
    found = np.flatnonzero(words)
    inside = np.flatnonzero(words[found].view(np.bool_))
    return ((found << 3)[inside >> 3] + (inside & 7)).astype(np.int32)
