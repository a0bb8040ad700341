"""The HTTP client that vendors' SDKs are given: it stamps when a request leaves and when its answer has come.

Its sockets live in the event loop of a thread of their own. So what an SDK needs for building a request and reading an
answer, what other episodes of the process are doing, or a first import, is never taken for thinking.
"""

from __future__ import annotations

import asyncio
import ssl
import sys
import threading
import time
from collections.abc import AsyncIterator
from concurrent.futures import Future
from functools import cache

import httpx2

Head = tuple[int, list[tuple[bytes, bytes]]]  # status and headers
Told = Head | bytes | Exception | None
SWITCH_S = 0.001  # a busy thread gives the sockets' one its turn after so long


class Stopwatch(httpx2.AsyncBaseTransport):
    """Stamps of the request under way or the last one, in µs on the monotonic clock."""

    def __init__(self) -> None:
        self.sent_us = self.done_us = 0
        self._sockets = httpx2.AsyncHTTPTransport(verify=_trust())

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await request.aread()
        body = _Body()
        body.reading = asyncio.run_coroutine_threadsafe(self._exchange(request, body), _loop())
        try:
            status, headers = await body.head
        except asyncio.CancelledError:
            body.reading.cancel()
            raise
        return httpx2.Response(status, headers=headers, stream=body, request=request)

    async def _exchange(self, request: httpx2.Request, body: _Body) -> None:
        """In the sockets' loop: send, and hand on what comes."""
        try:
            self.sent_us = self.done_us = now_us()
            response = await self._sockets.handle_async_request(request)
            body.tell((response.status_code, response.headers.raw))
            async for piece in response.aiter_raw():
                self.done_us = now_us()
                body.tell(piece)
            await response.aclose()
            body.tell(None)
        except Exception as error:
            self.done_us = now_us()
            body.tell(error)

    async def aclose(self) -> None:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._sockets.aclose(), _loop()))


class _Body(httpx2.AsyncByteStream):
    """The answer's head and body, as the other loop tells of them: the head, pieces, and None or an error."""

    reading: Future[None]  # of the other loop

    def __init__(self) -> None:
        self._own = asyncio.get_running_loop()
        self._told: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()
        self.head: asyncio.Future[Head] = self._own.create_future()

    def tell(self, what: Told) -> None:
        """Called in the other loop."""
        self._own.call_soon_threadsafe(self._take, what)

    def _take(self, what: Told) -> None:
        if isinstance(what, tuple):
            if not self.head.done():
                self.head.set_result(what)
        elif isinstance(what, Exception) and not self.head.done():
            self.head.set_exception(what)
        else:
            self._told.put_nowait(what)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (piece := await self._told.get()) is not None:
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def aclose(self) -> None:
        self.reading.cancel()


def client(watch: Stopwatch, timeout_s: float) -> httpx2.AsyncClient:
    """A client whose requests are stamped."""
    return httpx2.AsyncClient(transport=watch, timeout=timeout_s, follow_redirects=True)


def now_us() -> int:
    """Now, on the monotonic clock, in µs."""
    return time.monotonic_ns() // 1000


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The loop of the sockets, in its thread."""
    sys.setswitchinterval(SWITCH_S)
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="sockets", daemon=True).start()
    return loop


@cache
def _trust() -> ssl.SSLContext:
    """One for all, as making it takes a while."""
    return httpx2.create_ssl_context()
