"""How pictures are packed: a record of 64 bytes for each shape and for each solid, and meshes."""

from struct import Struct
from typing import NamedTuple

Point = tuple[float, float]

# One record of a shape, 64 bytes: kind, ten numbers, alpha, colour, bottom colour, edge colour, extra.
# What the numbers mean for each kind stands beside it.
SHAPE = Struct("<I11f4I")
DISC = 0  # x y rx ry - turn soft edge_width
BOX = 1  # x y half_width half_height radius turn soft edge_width
LINE = 2  # x1 y1 x2 y2 half_width
RING = 3  # x y r r half_width
ARC = 4  # x y r r half_width turn (of its middle) - - half_sweep
GLOW = 5  # x y r r
SHADOW = 6  # x y half_width half_height radius turn blur
TEXT = 7  # x y size - - turn; bottom: 0 centre 1 left 2 right; edge: bold; extra: index in texts
POLYGON = 8  # - - - - - - - edge_width; bottom: number of points; extra: first of points
PATH = 9  # - - - - half_width - - - closed; bottom: number of points; extra: first of points

# One record of a solid, 64 bytes: kind, position, size, turn, colour, shine, glow, casts, mesh, spare.
SOLID = Struct("<I9fI2f3I")
SOLIDS = ("box", "ball", "cylinder", "cone", "capsule", "plane", "mesh")

WORDS = SHAPE.size // 4  # of a record, of a shape as of a solid


class Mesh(NamedTuple):
    """A mesh as packed bytes: triangles of three vertices (9 floats), and one colour (uint32) a triangle."""

    key: str
    triangles: bytes
    colours: bytes  # empty: the solid's own colour
