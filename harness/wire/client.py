"""The Python client: for owners, who open sessions, and for agents, who hold a ticket to one.

    async with await Client.connect(ticket) as client:
        seen = await client.look()
        await client.begin()
        seen = await client.act("click 400 300; wait 200")
        seen.frame.image  # numpy, rgb

`SyncClient` is the same without await.
"""

import asyncio
import itertools
import json
import threading
from collections.abc import Callable, Coroutine
from functools import cached_property
from typing import Any, Literal, Self, TypeVar
from urllib.parse import quote

import aiohttp
import cv2
import msgspec
import numpy as np

from harness.actions import AnyAction, from_plain
from harness.errors import BadInput, UserError
from harness.wire import runtime
from harness.wire.protocol import (
    Act,
    AnyRequest,
    Begin,
    End,
    Format,
    FrameInfo,
    Hello,
    Look,
    Opened,
    Ping,
    Reply,
    Size,
    Stream,
    Summary,
    Ticket,
    View,
    check,
    encode,
    unpack,
)

CONNECT_S = 10.0
T = TypeVar("T")
Deed = str | list[AnyAction] | list[dict[str, Any]]  # a line, actions, or actions as plain JSON


class Frame:
    """A picture as it came; decoded when it is looked at."""

    def __init__(self, info: FrameInfo, data: bytes) -> None:
        self.info = info
        self.bytes = data

    @cached_property
    def image(self) -> np.ndarray:
        """The picture, uint8, (height, width, 3), rgb. Raises ValueError if the bytes are broken."""
        rgb = cv2.imdecode(np.frombuffer(self.bytes, np.uint8), cv2.IMREAD_COLOR_RGB)
        if rgb is None:
            raise ValueError(f"no {self.info.format} picture")
        return rgb


class Seen:
    """A reply: its header (see `harness.wire.protocol.Reply`) and its frames, oldest first."""

    def __init__(self, header: Reply, images: list[bytes]) -> None:
        self.header = header
        self.frames = [Frame(info, data) for info, data in zip(header.frames, images, strict=True)]

    @property
    def frame(self) -> Frame:
        """The picture of now; raises IndexError if none was asked for."""
        return self.frames[-1]

    @property
    def over(self) -> bool:
        """Whether there is a verdict."""
        return self.header.state in ("over", "closed")

    @property
    def won(self) -> bool:
        """Whether the verdict is a win."""
        return self.header.verdict == "won"


class Owner:
    """The control server, for those who may open sessions. Close it, or use `async with`.

    address and token: those of the environment (BULLETTIME_SERVER, BULLETTIME_TOKEN) or else of the server that
    this user runs on this machine. Raises UserError when there is none.
    """

    def __init__(self, address: str | None = None, token: str | None = None) -> None:
        if not address or not token:
            address, token = runtime.server()
        self.address = address
        self._http = aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"})

    async def open(self, config: str, **condition: Any) -> Opened:
        """Open a session; the condition: see `wire.protocol.Open`. Raises BadInput that names the field."""
        raw = await self._call("POST", "/sessions", {"config": config, **condition})
        return msgspec.json.decode(raw, type=Opened)

    async def end(self, session: str, reason: str = "ended by its owner", taint: str = "") -> Summary:
        """End a session, unless it has ended, and fetch its summary: once."""
        raw = await self._call("DELETE", f"/sessions/{session}?reason={quote(reason)}&taint={quote(taint)}")
        return msgspec.json.decode(raw, type=Summary)

    async def ended(self, session: str, wait_s: float = 0) -> bool:
        """Whether a session has ended, at once or within so many seconds (at most 60)."""
        return bool(json.loads(await self._call("GET", f"/sessions/{session}?wait_s={wait_s}"))["ended"])

    async def workers(self) -> list[dict[str, Any]]:
        """The worker processes: pid, port, sessions, painter."""
        return json.loads(await self._call("GET", "/workers"))

    async def stop(self) -> None:
        """Stop the server."""
        await self._call("POST", "/stop")

    async def _call(self, method: str, path: str, body: Any = None) -> bytes:
        try:
            async with self._http.request(method, self.address + path, json=body) as answer:
                return check(await answer.read())
        except aiohttp.ClientError as error:
            raise UserError(f"no server answers at {self.address}: {error}", "start one: bullettime serve") from None

    async def close(self) -> None:
        """Let go of the connection."""
        await self._http.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()


class Client:
    """One session, seen by its agent over one WebSocket. Close it, or use `async with`."""

    def __init__(self, ticket: Ticket, http: aiohttp.ClientSession, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.ticket = ticket
        self.owner: Owner | None = None  # of a session that `open` has opened
        self.on_frame: Callable[[Seen], None] | None = None  # called for each frame of a stream
        self._http, self._socket = http, socket
        self._ids, self._seq = itertools.count(1), 0
        self._waiting: dict[int, asyncio.Future[Seen]] = {}
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def open(cls, config: str, *, server: Owner | None = None, **condition: Any) -> Self:
        """Open a session and enter it; the condition: see `wire.protocol.Open`. Raises BadInput, UserError.

        server: the one to open it on; by default this user's own, started in the background where none runs.
        """
        owner = server or Owner(*await asyncio.to_thread(runtime.started_server))
        try:
            opened = await owner.open(config, **condition)
            client = await cls.connect(opened.ticket)
        except BaseException:
            if server is None:
                await owner.close()
            raise
        client.owner = owner
        return client

    @classmethod
    async def connect(cls, ticket: str) -> Self:
        """Enter a session. Raises BadInput when the ticket is refused, UserError when nobody is there."""
        where = Ticket.parse(ticket)
        http = aiohttp.ClientSession(headers={"Authorization": f"Bearer {where.token}"})
        try:
            async with asyncio.timeout(CONNECT_S):
                async with http.post(f"{where.address}/ping") as answer:  # says why not, where an upgrade cannot
                    pong = msgspec.json.decode(check(await answer.read()), type=Reply)
                socket = await http.ws_connect(f"{where.address}/session", max_msg_size=0, compress=0)
        except BaseException as error:
            await http.close()
            if isinstance(error, aiohttp.WSServerHandshakeError):
                raise BadInput("ticket", "another connection holds the session", "close that one first") from None
            if isinstance(error, (aiohttp.ClientError, OSError)):
                raise UserError(
                    f"no worker answers at {where.address}; the session is lost", "open a new session"
                ) from None
            raise
        client = cls(where, http, socket)
        client._seq = pong.seq or 0
        return client

    # ---------------------------------------------------------------- the game

    async def hello(self) -> dict[str, Any]:
        """Goal, rulebook, screen, controls."""
        return (await self.request(Hello())).header.hello or {}

    async def begin(self, **view: Any) -> Seen:
        """Start the world. For the keywords see `harness.wire.protocol.View`."""
        return await self.request(Begin(look=View(**view)))

    async def act(
        self,
        deed: Deed,
        *,
        coord_space: Literal["px", "norm1000", "unit"] = "px",
        thought_us: int | None = None,
        **view: Any,
    ) -> Seen:
        """Act and see the effect. Raises BadInput when it was refused; it then had none.

        thought_us: the thinking before it, only in a session that was opened to be told.
        """
        line = deed if isinstance(deed, str) else None
        actions = None if isinstance(deed, str) else from_plain(msgspec.to_builtins(deed))
        while True:
            self._seq += 1
            act = Act(
                seq=self._seq,
                actions=actions,
                line=line,
                coord_space=coord_space,
                thought_us=thought_us,
                look=View(**view),
            )
            try:
                return await self.request(act)
            except BadInput as bad:
                if bad.field != "seq":
                    raise
            self._seq = (await self.ping()).header.seq or 0  # somebody else with this ticket has acted

    async def look(self, *, thought_us: int | None = None, **view: Any) -> Seen:
        """See the world as it is now. For the keywords see `harness.wire.protocol.View`, for thought_us `act`."""
        return await self.request(Look(thought_us=thought_us, **view))

    async def stream(self, fps: float, *, format: Format = "jpeg", size: Size | None = None) -> None:
        """Have `on_frame` called with a picture so many times a second (0: no more)."""
        await self.request(Stream(fps=fps, format=format, size=size))

    async def ping(self) -> Seen:
        """Wait for a sign of life: the session's state and the `seq` of its last act."""
        return await self.request(Ping())

    async def end(self) -> Seen:
        """Close the session; an episode that is not over is given up."""
        return await self.request(End())

    async def finish(self) -> Summary:
        """Owner only: end the session and fetch its summary. Raises UserError on a client that only has a ticket."""
        if self.owner is None:
            raise UserError("a ticket gives no summary", "open the session with Client.open")
        return await self.owner.end(self.ticket.session)

    async def request(self, request: AnyRequest) -> Seen:
        """Send any message and wait for its reply. Raises BadInput when refused, UserError when the session is gone."""
        if self._reader.done():
            raise self._gone()
        request.id = next(self._ids)
        future = self._waiting[request.id] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send_bytes(encode(request))
            return await future
        except ConnectionError:
            raise self._gone() from None
        finally:
            self._waiting.pop(request.id, None)

    def _gone(self) -> UserError:
        """Why the connection has ended. A worker that leaves in peace says so; on loopback no other end is known."""
        code = self._socket.close_code
        if code == aiohttp.WSCloseCode.ABNORMAL_CLOSURE:
            return UserError("the worker died; the session is lost", "open a new session")
        if code == aiohttp.WSCloseCode.GOING_AWAY:
            return UserError("the server has stopped; the session is lost", "open a new session")
        return UserError("the connection is closed", "connect again, or open a new session")

    async def _read(self) -> None:
        try:
            async for message in self._socket:
                self._take(*unpack(message.data))
        finally:
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ConnectionResetError())

    def _take(self, header: Reply, images: list[bytes]) -> None:
        if header.type == "frame":
            if self.on_frame is not None:
                self.on_frame(Seen(header, images))
            return
        future = self._waiting.get(header.id or 0)
        if future is None and header.error is not None and header.id is None:
            future = next(iter(self._waiting.values()), None)  # what could not be read has no id: the oldest
        if future is None or future.done():
            return
        if header.error is not None:
            future.set_exception(BadInput(header.error.field, header.error.problem, header.error.mend))
        else:
            future.set_result(Seen(header, images))

    async def close(self) -> None:
        """Leave; the session goes on without us."""
        try:
            await self._socket.close()
            await asyncio.gather(self._reader, return_exceptions=True)
        finally:  # also when cancelled meanwhile
            await self._http.close()
            if self.owner is not None:
                await self.owner.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()


class SyncClient:
    """`Client` without await: the same methods, run in an event loop of a thread of their own."""

    def __init__(self, client: Client) -> None:
        self.client = client

    @classmethod
    def open(cls, config: str, **condition: Any) -> Self:
        """Open a session and enter it; the condition: see `wire.protocol.Open`. Raises BadInput, UserError."""
        return cls(run_sync(Client.open(config, **condition)))

    @classmethod
    def connect(cls, ticket: str) -> Self:
        """Enter a session. Raises BadInput when the ticket is refused, UserError when nobody is there."""
        return cls(run_sync(Client.connect(ticket)))

    def hello(self) -> dict[str, Any]:
        """Goal, rulebook, screen, controls."""
        return run_sync(self.client.hello())

    def begin(self, **view: Any) -> Seen:
        """Start the world."""
        return run_sync(self.client.begin(**view))

    def act(self, deed: Deed, **how: Any) -> Seen:
        """Act and see the effect. Raises BadInput when it was refused; it then had none."""
        return run_sync(self.client.act(deed, **how))

    def look(self, **view: Any) -> Seen:
        """See the world as it is now."""
        return run_sync(self.client.look(**view))

    def end(self) -> Seen:
        """Close the session; an episode that is not over is given up."""
        return run_sync(self.client.end())

    def finish(self) -> Summary:
        """Owner only: end the session and fetch its summary."""
        return run_sync(self.client.finish())

    def close(self) -> None:
        """Leave; the session goes on without us."""
        run_sync(self.client.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


_loop: asyncio.AbstractEventLoop | None = None
_loop_lock = threading.Lock()


def run_sync(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in the background event loop that all synchronous clients share."""
    global _loop
    with _loop_lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="bullettime-client", daemon=True).start()
    return asyncio.run_coroutine_threadsafe(work, _loop).result()
