"""Smooths the staircases of a rendered picture, on the pixels along edges only.

Each straight run of edge between two rows (or columns) is taken for a slanted line between its ends, which
says how much of each pixel the other side covers (morphological antialiasing).
"""

import cv2
import numpy as np

_STEP = 10  # grey levels that make an edge


class Smoother:
    """Smooths pictures of one size. Keeps its working memory, since fresh pages cost more than the work."""

    def __init__(self, width: int, height: int) -> None:
        self._grey = np.empty((height, width), np.uint8)
        self._difference = np.empty((height - 1, width - 1), np.uint8)
        # edges below and right of each pixel; the last row and column stay 0, which keeps neighbours in bounds
        self._below, self._beside = np.zeros((2, height, width), np.uint8)
        self._turned_below, self._turned_beside = np.zeros((2, width, height), np.uint8)
        self._changes = np.empty(width * height, np.uint8)

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
        rows = self._coverage(below, beside)
        at, other, weight = self._coverage(self._turned_beside, self._turned_below)
        columns = at % height * width + at // height, other % height * width + other // height, weight
        words = pixels.reshape(-1).view(np.uint32)
        for at, other, weight in (rows, columns):
            here, there = (words.take(i).view(np.uint8).reshape(-1, 4).astype(np.int16) for i in (at, other))
            here += (there - here) * weight[:, None] >> 8
            words[at] = here.astype(np.uint8).view(np.uint32).reshape(-1)

    def _coverage(self, edges: np.ndarray, crossings: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Flat indices of pixels along runs of edges, of their neighbours across, and how much those cover them.

        edges: whether a pixel differs from the one in the next row; crossings: from the one in the next column.
        The cover is in 256ths, at most 128.
        """
        width = edges.shape[1]
        row, cross = edges.reshape(-1), crossings.reshape(-1).view(np.int8)
        np.bitwise_xor(row[1:], row[:-1], out=self._changes[1:])
        self._changes[0] = 0
        turns = np.flatnonzero(self._changes.view(np.bool_))
        starts, ends = turns[0::2], turns[1::2]
        left = cross[starts - 1] - cross[starts - 1 + width]  # 1: the line rises towards this end, -1: it falls
        right = cross[ends - 1] - cross[ends - 1 + width]
        half = (ends - starts) / 2
        parts = []
        for lean, first, step in ((left, starts, 1), (right, ends - 1, -1)):
            runs = np.flatnonzero(lean)
            length = np.ceil(half[runs]).astype(np.intp)
            of = np.repeat(runs, length)
            i = np.arange(len(of)) - np.repeat(np.cumsum(length) - length, length)
            share = np.minimum(half[of] - i, 1)
            weight = share * (0.5 - (i + share / 2) / (2 * half[of])) * 256
            upper = first[of] + step * i
            rises = lean[of] > 0
            pair = np.where(rises, upper, upper + width), np.where(rises, upper + width, upper)
            parts.append((*pair, weight.astype(np.int16)))
        at, other, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
        return at, other, weight
