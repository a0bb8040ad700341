"""Classical computer vision for the tracker: rows of boxes, discs, the glyphs on them, and what moves.

Pictures are uint8 (rows, columns, 3) RGB; places are pixels (x, y).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np

STRIP_ROWS = (48, 140)  # where a row of boxes with a code is looked for: under the HUD
GLYPH = 32  # pixels, side of a normalised glyph
ROUND = 0.82  # a contour that fills so much of its enclosing circle is a disc


class Box(NamedTuple):
    """A box of a row: left, top, width, height in pixels."""

    x: int
    y: int
    w: int
    h: int


class Disc(NamedTuple):
    """A disc: its centre and radius in pixels."""

    x: float
    y: float
    r: float


def grey(image: np.ndarray) -> np.ndarray:
    """Brightness, uint8."""
    return cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)


def find_row(brightness: np.ndarray) -> list[Box]:
    """The longest row of at least three equal, evenly spaced boxes under the HUD, from left to right."""
    top, bottom = STRIP_ROWS
    edges = cv2.Canny(brightness[top:bottom], 30, 90)
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    boxes: list[Box] = []
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        squarish = 20 <= w <= 60 and 20 <= h <= 60 and 0.7 <= w / h <= 1.4
        if (
            squarish
            and cv2.contourArea(contour) > 0.8 * w * h
            and not any(abs(x + w / 2 - _middle(b)) < 8 for b in boxes)
        ):
            boxes.append(Box(x, y + top, w, h))
    boxes.sort()
    best: list[Box] = []
    for first in range(len(boxes)):
        row = [boxes[first]]
        for box in boxes[first + 1 :]:
            step = _middle(box) - _middle(row[-1])
            even = len(row) < 2 or abs(step - (_middle(row[1]) - _middle(row[0]))) < 5
            if even and step < 2.5 * row[0].w and abs(box.y - row[0].y) < 6 and abs(box.w - row[0].w) < 8:
                row.append(box)
        best = max(best, row, key=len)
    return best if len(best) >= 3 else []


def _middle(box: Box) -> float:
    return box.x + box.w / 2


def brightest_frame(brightness: np.ndarray, row: list[Box]) -> int:
    """Index of the box whose frame is the brightest: the one that is due."""

    def frame(box: Box) -> float:
        patch = brightness[box.y : box.y + box.h, box.x : box.x + box.w]
        border = np.concatenate([patch[:3].ravel(), patch[-3:].ravel(), patch[:, :3].ravel(), patch[:, -3:].ravel()])
        return float(np.percentile(border, 75))

    return max(range(len(row)), key=lambda index: frame(row[index]))


def find_discs(brightness: np.ndarray) -> list[Disc]:
    """Discs big enough to carry a glyph."""
    edges = cv2.Canny(brightness, 30, 90)
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    discs: list[Disc] = []
    for contour in sorted(contours, key=len, reverse=True):
        if len(contour) < 50:
            break
        (x, y), r = cv2.minEnclosingCircle(contour)
        if not 14 <= r <= 70 or cv2.contourArea(contour) < ROUND * math.pi * r * r:
            continue
        if all(math.dist((x, y), disc[:2]) > max(r, disc.r) for disc in discs):
            discs.append(Disc(x, y, r))
    return discs


def glyph_of(brightness: np.ndarray, x: float, y: float, w: float, h: float) -> np.ndarray | None:
    """The glyph in the box around a place as a unit vector, whatever its size and contrast; None if there is none."""
    left, top = max(0, round(x - w / 2)), max(0, round(y - h / 2))
    patch = brightness[top : round(y + h / 2), left : round(x + w / 2)]
    if patch.size == 0 or int(patch.max()) - int(patch.min()) < 30:
        return None
    _, ink = cv2.threshold(patch, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    if ink.mean() > 127:  # dark on bright
        ink = 255 - ink
        patch = 255 - patch
    columns, rows = np.flatnonzero(ink.any(0)), np.flatnonzero(ink.any(1))
    if len(columns) < 3 or len(rows) < 3:
        return None
    cut = patch[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = (GLYPH - 4) / max(cut.shape)
    size = max(1, round(cut.shape[1] * scale)), max(1, round(cut.shape[0] * scale))
    canvas = np.zeros((GLYPH, GLYPH), np.float32)
    small = cv2.resize(cut, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC).astype(np.float32)
    small = (small - small.min()) / max(float(np.ptp(small)), 1.0)
    dx, dy = (GLYPH - size[0]) // 2, (GLYPH - size[1]) // 2
    canvas[dy : dy + size[1], dx : dx + size[0]] = small
    flat = cv2.GaussianBlur(canvas, (0, 0), 1.0).ravel()
    flat = flat - flat.mean()
    return flat / max(float(np.linalg.norm(flat)), 1e-6)


def moving_place(before: np.ndarray, after: np.ndarray, top: int) -> tuple[float, float] | None:
    """The centre of the largest thing that moved between two brightnesses, below row `top`."""
    changed = cv2.absdiff(before[top:], after[top:])
    _, mask = cv2.threshold(changed, 24, 255, cv2.THRESH_BINARY)
    mask = cv2.dilate(mask, np.ones((9, 9), np.uint8))
    count, _, stats, centres = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    x, y = centres[largest]
    return float(x), float(y) + top
