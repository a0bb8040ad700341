"""The HTTP client that vendors' SDKs are given: it stamps when a request leaves and when its answer has come.

Its sockets live in the event loop of a thread of their own, and what they receive bears the kernel's own stamp, where
there is one (Linux). So what an SDK needs for building a request and reading an answer, what other episodes of the
process are doing, or a first import, is never taken for thinking.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
import threading
import time
from collections.abc import AsyncIterator
from concurrent.futures import Future
from functools import cache
from struct import Struct
from typing import Any

import httpcore2
import httpx2
from aiohappyeyeballs import AddrInfoType, start_connection

Head = tuple[int, list[tuple[bytes, bytes]]]  # status and headers
Told = Head | bytes | Exception | None
SWITCH_S = 0.001  # a busy thread gives the sockets' one its turn after so long
PATIENCE_S = 0.25  # with one address of a host, before the next is tried as well
STAMPS = 35 if sys.platform == "linux" else 0  # SO_TIMESTAMPNS, which the socket module does not name
STAMP = Struct("qq")  # s and ns, on the clock of the day
ROOM = socket.CMSG_SPACE(STAMP.size)


class Stopwatch(httpx2.AsyncBaseTransport):
    """Stamps of the request under way or the last one, in µs on the monotonic clock."""

    def __init__(self) -> None:
        self.sent_us = self.done_us = 0
        self.leaving = False  # a request is about to be sent
        self.unstreamed = ""  # the type of the last answer's content where that is no stream of events
        self.rehearsal = b""  # an answer to be given without asking anyone
        self._pool = httpcore2.AsyncConnectionPool(ssl_context=_trust(), network_backend=_Network(self))

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.unstreamed = ""
        content = await request.aread()
        if self.rehearsal:
            return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=self.rehearsal)
        body = _Body()
        body.reading = asyncio.run_coroutine_threadsafe(self._exchange(request, content, body), _loop())
        try:
            status, headers = await body.head
        except asyncio.CancelledError:
            body.reading.cancel()
            raise
        response = httpx2.Response(status, headers=headers, stream=body, request=request)
        kind = response.headers.get("content-type", "nothing that has a type")
        self.unstreamed = "" if kind.startswith("text/event-stream") else kind
        return response

    async def _exchange(self, request: httpx2.Request, content: bytes, body: _Body) -> None:
        """In the sockets' loop: send, and hand on what comes."""
        timeouts = {"timeout": request.extensions.get("timeout", {})}
        try:
            self.sent_us = self.done_us = now_us()
            asked = httpcore2.Request(
                request.method,
                str(request.url),
                headers=request.headers.raw,
                content=content,
                extensions={**timeouts, "trace": self._trace},
            )
            response = await self._pool.handle_async_request(asked)
            body.tell((response.status, response.headers))
            async for piece in response.aiter_stream():
                body.tell(piece)
            await response.aclose()
            body.tell(None)
        except Exception as error:
            body.tell(error)

    async def _trace(self, event: str, _: dict[str, Any]) -> None:
        """Called as the exchange goes on. Connecting is not thinking."""
        if event.endswith("send_request_headers.started"):
            self.leaving = True

    async def aclose(self) -> None:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._pool.aclose(), _loop()))


class _Network(httpcore2.AsyncNetworkBackend):
    """Connections that stamp what they receive."""

    def __init__(self, watch: Stopwatch) -> None:
        self._watch = watch

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: Any = None, socket_options: Any = None
    ) -> httpcore2.AsyncNetworkStream:
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(timeout):
            places = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            own = await start_connection(
                places, happy_eyeballs_delay=PATIENCE_S, socket_factory=lambda place: _Socket(self._watch, place)
            )
            transport, _ = await loop.create_connection(lambda: protocol, sock=own)
        return _Connection(reader, asyncio.StreamWriter(transport, protocol, reader, loop))


class _Socket(socket.socket):
    """A socket that stamps when a request begins to leave, and when the last it has received reached this machine."""

    def __init__(self, watch: Stopwatch, place: AddrInfoType) -> None:
        super().__init__(*place[:3])
        self._watch = watch
        if STAMPS:
            self.setsockopt(socket.SOL_SOCKET, STAMPS, 1)

    def send(self, data: Any, flags: int = 0) -> int:
        if self._watch.leaving:
            self._watch.leaving, self._watch.sent_us = False, now_us()
        return super().send(data, flags)

    def recv(self, size: int, flags: int = 0) -> bytes:
        data, told, *_ = self.recvmsg(size, ROOM, flags)
        if data:
            self._watch.done_us = _arrived_us(told)
        return data

    def recv_into(self, buffer: Any, size: int = 0, flags: int = 0) -> int:
        count, told, *_ = self.recvmsg_into([buffer], ROOM, flags)
        if count:
            self._watch.done_us = _arrived_us(told)
        return count


def _arrived_us(told: list[tuple[int, int, bytes]]) -> int:
    """When what was received with these messages came, on the monotonic clock: as the kernel says, or else now."""
    now = now_us()
    for level, kind, data in told:
        if (level, kind) == (socket.SOL_SOCKET, STAMPS):
            seconds, nanoseconds = STAMP.unpack_from(data)
            return now - max(0, (time.time_ns() - seconds * 1_000_000_000 - nanoseconds) // 1000)
    return now


class _Connection(httpcore2.AsyncNetworkStream):
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        async with asyncio.timeout(timeout):
            return await self._reader.read(max_bytes)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._writer.write(buffer)
        async with asyncio.timeout(timeout):
            await self._writer.drain()

    async def aclose(self) -> None:
        self._writer.close()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        async with asyncio.timeout(timeout):
            await self._writer.start_tls(ssl_context, server_hostname=server_hostname)
        return self

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # asked of an idle connection: whether the other end has closed it
            return self._reader.at_eof()
        return self._writer.get_extra_info(info)


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
