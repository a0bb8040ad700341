"""The render thread of a worker: draw lists in, image bytes out."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from games.kit.picture import Picture
from games.kit.world import HEIGHT, WIDTH
from harness.memory import keep_freed_memory
from harness.painter.encode import encode_jpeg, encode_png
from harness.painter.gl import Painter
from harness.session import Shot
from harness.wire.protocol import FrameInfo, View

SCREEN = (WIDTH, HEIGHT)


def now_us() -> int:
    """The worker's clock: monotonic, in µs."""
    return time.monotonic_ns() // 1000


class Prints(NamedTuple):
    """Image bytes and what they are; when (µs) the last picture was rendered, and encoded."""

    infos: list[FrameInfo]
    images: list[bytes]
    rendered: int
    encoded: int


class Studio:
    """The render thread: one GL context, made and warmed there."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="render")
        self._encoder = ThreadPoolExecutor(1, thread_name_prefix="encode")
        self._painter: Painter | None = None

    async def warm(self) -> dict[str, Any]:
        """Make the context and draw once in 2D and once in 3D; returns what the painter says of itself."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._warm)

    def _warm(self) -> dict[str, Any]:
        keep_freed_memory()
        painter = self._painter = Painter()
        flat, deep = Picture(), Picture()
        flat.background(0x102030)
        flat.disc(100, 100, 50, 0xFF8800)
        flat.text(400, 300, "ready", 20, 0xFFFFFF)
        deep.background(0x102030)
        deep.camera((0, 2, 5), (0, 0, 0))
        deep.light((-1, -2, -1))
        deep.solid("box", (0, 0, 0), (1, 1, 1), 0xFF8800)
        for picture in (flat, deep):
            encode_jpeg(painter.render(picture, *SCREEN))
            encode_png(painter.render(picture, *SCREEN))
        return dict(painter.info())

    async def develop(self, shots: list[Shot], view: View) -> Prints:
        """The pictures as image bytes."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._develop, shots, view)

    def _develop(self, shots: list[Shot], view: View) -> Prints:
        assert self._painter is not None, "warm comes first"
        width, height = view.size or SCREEN
        encode = encode_png if view.format == "png" else encode_jpeg
        images = []
        for shot in shots[:-1]:  # encoded while the next one is rendered
            images.append(self._encoder.submit(encode, self._painter.render(shot.picture, width, height)))
        rgb = self._painter.render(shots[-1].picture, width, height)
        rendered = now_us()
        last = encode(rgb)
        data = [*(image.result() for image in images), last]
        infos = [
            FrameInfo(tick=shot.tick, width=width, height=height, format=view.format, bytes=len(image))
            for shot, image in zip(shots, data, strict=True)
        ]
        return Prints(infos, data, rendered, now_us())

    def close(self) -> None:
        """Wait for the picture under way, then stop."""
        self._pool.shutdown(cancel_futures=True)
        self._encoder.shutdown()
