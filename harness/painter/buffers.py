"""What a painter draws on and from: canvases of one size, and quads."""

from sys import getrefcount
from typing import NamedTuple

import moderngl
import numpy as np

from harness.painter.smooth import Smoother


class Target(NamedTuple):
    """What one size of canvas needs."""

    canvas: moderngl.Texture
    frame: moderngl.Framebuffer  # that draws on the canvas
    deep: moderngl.Framebuffer  # with depths, for solids; a small one draws on the canvas itself
    scratch: moderngl.Framebuffer  # for what is kept apart
    pixels: np.ndarray  # rows, columns, RGBA
    smoother: Smoother
    given: list[np.ndarray]  # pictures given out, taken again when nobody holds them any more

    def free(self) -> np.ndarray:
        """An array for a picture that nobody else holds: new memory costs a page fault every 4 kB."""
        for array in self.given:
            if getrefcount(array) == 3:  # the list's, this loop's and the call's
                return array
        array = np.empty((*self.pixels.shape[:2], 3), np.uint8)
        if len(self.given) < 8:
            self.given.append(array)
        return array


class Batch:
    """Quads for one or several programs: records, each repeated for the four corners that shaders tell apart."""

    def __init__(self, context: moderngl.Context, programs: list[moderngl.Program], layout: str, names: list[str]):
        self._context, self._programs, self._layout, self._names = context, programs, layout, names
        self._room = 0

    def load(self, records: np.ndarray) -> None:
        """Take the records to draw."""
        corners = np.repeat(records, 4, axis=0)
        if len(records) > self._room:
            self._room = max(256, 2 * len(records))
            self._buffer = self._context.buffer(reserve=self._room * (corners.nbytes // len(records)), dynamic=True)
            pattern = np.array([0, 1, 2, 2, 1, 3], np.uint32)
            index = self._context.buffer((np.arange(self._room, dtype=np.uint32)[:, None] * 4 + pattern).tobytes())
            content = [(self._buffer, self._layout, *self._names)]
            self._arrays = [self._context.vertex_array(program, content, index) for program in self._programs]
        self._buffer.orphan()  # or writing would wait until what is drawn from it is done
        self._buffer.write(corners)

    def draw(self, start: int, end: int, program: int = 0) -> None:
        """Draw a part of the records."""
        if end > start:
            self._arrays[program].render(moderngl.TRIANGLES, vertices=6 * (end - start), first=6 * start)
