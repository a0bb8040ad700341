"""Whether two pictures can be told from each other."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np

from audit.kit import painter
from games.kit.picture import Picture

SIZE = (320, 240)  # px
STEP, PIXELS = 6, 3  # of 255, in more than so many pixels: a difference
KEPT = 200  # pictures whose pixels are kept

_kept: OrderedDict[str, np.ndarray] = OrderedDict()


def pixels(picture: Picture) -> np.ndarray:
    """A picture, small, as signed numbers."""
    name = picture.digest()
    if name in _kept:
        _kept.move_to_end(name)
    else:
        _kept[name] = painter().render(picture, *SIZE).astype(np.int16)
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    return _kept[name]


def differ(a: Picture, b: Picture) -> bool:
    """Whether there is anything by which two pictures can be told from each other."""
    if a.digest() == b.digest():
        return False
    return int((np.abs(pixels(a) - pixels(b)).max(2) > STEP).sum()) > PIXELS
