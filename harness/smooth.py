"""Smooths the staircases of a rendered picture, on the pixels along edges only.

Each straight run of edge between two rows (or columns) is taken for a slanted line between its ends, which
says how much of each pixel the other side covers (morphological antialiasing).
"""

import cv2
import numpy as np

_STEP = 10  # grey levels that make an edge


def smooth(pixels: np.ndarray) -> None:
    """Smooth a picture (rows, columns, 4; uint8) in place."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGBA2GRAY)
    height, width = grey.shape
    # edges below and right of each pixel; the last row and column stay 0, which keeps neighbours in bounds
    below, beside = np.zeros((2, height, width), np.uint8)
    below[:-1, :-1] = cv2.threshold(cv2.absdiff(grey[1:, :-1], grey[:-1, :-1]), _STEP, 1, cv2.THRESH_BINARY)[1]
    beside[:-1, :-1] = cv2.threshold(cv2.absdiff(grey[:-1, 1:], grey[:-1, :-1]), _STEP, 1, cv2.THRESH_BINARY)[1]
    below[0, 0] = beside[0, 0] = 0
    flat = pixels.reshape(-1, 4)
    changes = []
    at, other, weight = _coverage(below, beside)
    changes.append((at, other, weight))
    at, other, weight = _coverage(cv2.transpose(beside), cv2.transpose(below))
    changes.append((at % height * width + at // height, other % height * width + other // height, weight))
    differences = [(flat[other].astype(np.float32) - flat[at]) * weight[:, None] for at, other, weight in changes]
    for (at, _, _), difference in zip(changes, differences, strict=True):
        flat[at] = flat[at] + np.rint(difference).astype(np.int16)


def _coverage(edges: np.ndarray, crossings: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Flat indices of pixels along runs of edges, of their neighbours across, and how much those cover them.

    edges: whether a pixel differs from the one in the next row; crossings: from the one in the next column.
    """
    width = edges.shape[1]
    row, cross = edges.reshape(-1), crossings.reshape(-1).view(np.int8)
    turns = np.flatnonzero(row[1:] != row[:-1]) + 1
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
        weight = share * (0.5 - (i + share / 2) / (2 * half[of]))
        upper = first[of] + step * i
        rises = lean[of] > 0
        parts.append((np.where(rises, upper, upper + width), np.where(rises, upper + width, upper), weight))
    return tuple(np.concatenate(part) for part in zip(*parts, strict=True))  # type: ignore[return-value]
