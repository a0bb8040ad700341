"""How a picture lies on a canvas of another size."""

from typing import NamedTuple

from games.kit.picture import Picture

SMALL = 60_000  # pixels of a canvas on which preparations cost more than they save


class Fit(NamedTuple):
    """How a picture lies on a canvas: pixels of the canvas for one of the picture, and its left and top."""

    scale: float
    left: float
    top: float


def fit(picture_width: int, picture_height: int, width: int, height: int) -> Fit:
    """The largest uniform scale at which the picture fits on the canvas, centred; black bars fill the rest."""
    scale = min(width / picture_width, height / picture_height)
    return Fit(scale, (width - picture_width * scale) // 2, (height - picture_height * scale) // 2)


def clip(picture: Picture, place: Fit) -> tuple[int, int, int, int] | None:
    """The picture's part of the canvas (left, top, width, height in pixels); None for all of it."""
    if not (place.left or place.top):
        return None
    wide, high = round(picture.width * place.scale), round(picture.height * place.scale)
    return int(place.left), int(place.top), wide, high


def channels(colour: int) -> tuple[float, float, float, float]:
    """Red, green, blue and alpha, 0 to 1."""
    return (colour >> 16) / 255, (colour >> 8 & 255) / 255, (colour & 255) / 255, 1.0
