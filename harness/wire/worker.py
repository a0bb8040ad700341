"""A worker process: many sessions, one scheduler for their ticks, one thread that renders their pictures.

The control server starts it and speaks to it in lines of JSON over its standard input and output; agents speak to
it directly (see `harness.wire.protocol`). It ends when its input closes, so it never outlives its server.

Threads. The event loop owns sockets and wall clocks: it stamps, applies acts, ticks by deadlines. Sessions whose
time passes at once (metered drive, twins) run in one simulation thread, so that a long catch-up makes nobody's
ticks late. Pictures are rendered and encoded in one render thread, which owns the GL context: ticks never wait.
"""

import asyncio
import contextlib
import gc
import logging
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from harness.errors import BadInput
from harness.wire.door import bearer, guard, http_response, listen, refuse
from harness.wire.live import Live, Moment, Scheduler, work_us
from harness.wire.pipe import Pipe
from harness.wire.protocol import (
    HARD_CAP,
    MESSAGE_CAP,
    Act,
    AnyRequest,
    Begin,
    End,
    Fault,
    Hello,
    Look,
    Open,
    Ping,
    Reply,
    Stamps,
    Stream,
    Summary,
    View,
    decode,
    fault,
    pack,
)
from harness.wire.studio import SCREEN, Studio, now_us

log = logging.getLogger("bullettime.worker")

SESSIONS_CAP = 1024  # sessions of one worker
WALL_CAP = 64  # of these, sessions that the wall's clock moves
PENDING_CAP = 64  # messages of one session under way at once
PING_EVERY_US = 500_000
GIVEN_UP = "given up"  # why an episode was lost that its agent ended
GRACE_S = 60.0
HOUSE_S = 0.5
SWITCH_S = 0.001  # a computing thread gives the event loop its turn after so long
CLOSED_KEPT = 1000  # ended sessions that are still answered with "closed"

Send = Callable[[Reply, list[bytes]], Awaitable[None]]


class Worker:
    """The sessions of this process, and the doors to them."""

    def __init__(self, tell: Callable[[dict[str, Any]], None], origins: list[str]) -> None:
        self._tell = tell
        self._origins = origins
        self.studio = Studio()
        self._simulation = ThreadPoolExecutor(1, thread_name_prefix="simulation")
        self._sessions: dict[str, Live] = {}  # by token
        self._closed: dict[str, str] = {}  # token -> why, newest last
        self._scheduler = Scheduler(self._sessions, self._failed)
        self._runner: web.AppRunner | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._sockets: set[web.WebSocketResponse] = set()

    # ---------------------------------------------------------------- lifecycle

    async def start(self) -> int:
        """Open the door on a free loopback port; returns the port."""
        app = web.Application(client_max_size=MESSAGE_CAP, middlewares=[guard(self._origins)])
        app.router.add_get("/session", self._socket)
        app.router.add_post("/{kind:hello|begin|act|look|end|ping}", self._http)
        self._runner, port = await listen(app)
        self._origins.append(f"http://127.0.0.1:{port}")
        return port

    async def stop(self) -> None:
        """Close every session and the door."""
        for live in list(self._sessions.values()):
            await self.close(live, "server stopped", taint="server stopped")
        for socket in list(self._sockets):
            await socket.close(code=WSCloseCode.GOING_AWAY)
        if self._runner is not None:
            await self._runner.cleanup()
        self._simulation.shutdown(cancel_futures=True)
        self.studio.close()

    async def open(self, name: str, token: str, opening: Open, seed: int) -> None:
        """Make a session. Raises BadInput."""
        live = await asyncio.to_thread(Live, name, token, opening, seed)
        ticking = sum(not other.at_once for other in self._sessions.values())
        if len(self._sessions) >= SESSIONS_CAP or (not live.at_once and ticking >= WALL_CAP):
            raise BadInput("session", "the worker is full", "end some sessions, or serve with more workers")
        self._sessions[token] = live

    async def close(self, live: Live, reason: str, taint: str = "") -> None:
        """End a session and report its summary to the server. `taint`: the cause, if it lies outside the agent."""
        if live.closed:
            return
        live.closed = True
        async with live.turn:
            if not live.session.over and taint:
                live.fail(taint)
            live.release()
            self._sessions.pop(live.token, None)
            self._closed[live.token] = reason
            if len(self._closed) > CLOSED_KEPT:
                del self._closed[next(iter(self._closed))]
            try:
                summary = live.summary(reason)
                live.session.close()
            except Exception as error:  # a broken world must still be reported
                log.exception("session %s", live.name)
                summary = Summary(session=live.name, open=live.opening, verdict="lost", reason=reason)
                summary.taint = live.taint or f"worker failed: {error!r}"
        self._tell({"ended": summary})
        if live.socket is not None:
            self._spawn(self._hang_up(live.socket))

    async def _hang_up(self, socket: web.WebSocketResponse) -> None:
        """Leave the agent of a closed session some time to hear of it."""
        await asyncio.sleep(GRACE_S)
        await socket.close()

    async def keep_house(self) -> NoReturn:
        """Close sessions that are idle or too old."""
        while True:
            await asyncio.sleep(HOUSE_S)
            now = now_us()
            for live in list(self._sessions.values()):
                if now - live.touched > live.opening.idle_s * 1e6 and not live.pending:
                    await self.close(live, "idle")
                elif now - live.born > live.opening.lifetime_s * 1e6:
                    await self.close(live, "lifetime")

    def by_name(self, name: str) -> Live | None:
        """The open session of this name."""
        return next((live for live in self._sessions.values() if live.name == name), None)

    def _failed(self, live: Live, error: Exception) -> None:
        log.error("session %s", live.name, exc_info=error)
        live.fail(f"worker failed: {error!r}")
        self._sessions.pop(live.token, None)  # it does not tick again
        self._spawn(self.close(live, "worker failed"))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a task and hold on to it until it is done, as the event loop does not."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # ---------------------------------------------------------------- one message

    async def exchange(self, live: Live, raw: bytes | str, stamp: int, send: Send, *, streams: bool = False) -> None:
        """Answer one message: whatever it holds, the answer is a reply or an error."""
        live.touched = stamp
        request: AnyRequest | None = None
        live.pending += 1
        try:
            request = decode(raw)  # first, so that a refusal names the message that it answers
            live.check_rate(stamp)
            if live.pending > PENDING_CAP:
                raise BadInput("message", "too many messages under way", "wait for replies")
            if live.opening.drive == "metered" and isinstance(request, Begin | Act | Look):
                if live.answering:  # or one could think for nothing while a reply is being made
                    raise BadInput("message", "the one before is still being answered", "metered: wait for its reply")
                live.answering = request
            async with live.turn:
                if live.closed:
                    raise BadInput("session", "is closed", "open another one")
                if isinstance(request, Stream) and streams:
                    await self._set_stream(live, request, send)
                else:
                    await self._answer(live, request, stamp, send)
        except BadInput as bad:
            await send(refusal(fault(bad), request, live), [])
        except Exception as error:
            self._failed(live, error)
            problem = Fault(field="session", problem="failed inside the server", mend="open another one")
            await send(refusal(problem, request, live), [])
        finally:
            live.pending -= 1
            live.answering = None if live.answering is request else live.answering

    async def _answer(self, live: Live, request: AnyRequest, stamp: int, send: Send) -> None:
        match request:
            case Hello():
                reply = Reply(type="hello", state=live.episode.state, screen=SCREEN, hello=live.hello())
                reply.id = request.id
                await send(reply, [])
            case Ping():
                await send(Reply(type="ping", id=request.id, seq=live.seq, state=live.episode.state), [])
            case Stream():
                raise BadInput("type", "stream needs a WebSocket", "use look")
            case End():
                await send(Reply(type="end", id=request.id, screen=SCREEN, **live.last_words(GIVEN_UP)), [])
                self._spawn(self.close(live, GIVEN_UP))
            case Begin() | Act() | Look():
                await self._show(live, request, stamp, send)

    async def _show(self, live: Live, request: Begin | Act | Look, stamp: int, send: Send) -> None:
        view = request if isinstance(request, Look) else request.look
        live.check_view(view)
        if live.at_once:
            loop = asyncio.get_running_loop()
            taken = await loop.run_in_executor(self._simulation, live.take, request, stamp, view)
        else:
            taken = live.take(request, stamp, view)
            self._scheduler.arm()
        moment = taken.moment or await live.later(view)
        kind: Any = request.__struct_config__.tag
        reply = Reply(type=kind, id=request.id, screen=SCREEN, **moment.header)
        if isinstance(request, Act):
            reply.seq, reply.too_late = request.seq, taken.record is None
        stamps = Stamps(received=stamp, applied=taken.applied, settled=moment.settled, sent=0)
        images: list[bytes] = []
        if moment.shots:
            reply.frames, images, stamps.rendered, stamps.encoded = await self.studio.develop(moment.shots, view)
            live.seen(moment)
        reply.wall_us = stamps
        stamps.sent = now_us()
        if taken.record is not None:
            taken.record.sent = stamps.sent
        live.episode.replied(stamps.sent, work_us(reply.frames))
        await send(reply, images)

    async def _set_stream(self, live: Live, request: Stream, send: Send) -> None:
        if live.opening.drive != "wall":
            raise BadInput("type", "stream needs the wall drive", "use look")
        live.end_stream()
        await send(Reply(type="stream", id=request.id, state=live.episode.state), [])
        if request.fps:
            live.stream = self._spawn(self._stream(live, request, send))

    async def _stream(self, live: Live, request: Stream, send: Send) -> None:
        """Send pictures at the wished pace, or at the one that renderer and network allow."""
        view = View(frames=1, format=request.format, size=request.size)
        due = now_us()
        while not live.closed:
            async with live.turn:
                moment = Moment(live, view)
            prints = await self.studio.develop(moment.shots, view)
            live.seen(moment)
            await send(Reply(type="frame", screen=SCREEN, frames=prints.infos, **moment.header), prints.images)
            due = max(due + round(1e6 / request.fps), now_us())
            await asyncio.sleep((due - now_us()) / 1e6)

    # ---------------------------------------------------------------- doors

    def _admit(self, request: web.Request) -> Live | web.Response:
        """The session of the request's token, or the refusal."""
        token = bearer(request) or request.query.get("token", "")
        if token in self._sessions:
            return self._sessions[token]
        if token in self._closed:
            return refuse(410, "session", f"is closed ({self._closed[token]})", "open another one")
        return refuse(401, "token", "is wrong", "send the ticket's token as Authorization: Bearer")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        live = self._admit(request)
        if isinstance(live, web.Response):
            return live
        if live.socket is not None:
            return refuse(409, "session", "another connection holds it", "close that one first")
        socket = live.socket = web.WebSocketResponse(compress=False, max_msg_size=HARD_CAP, autoping=False)
        self._sockets.add(socket)
        entered = False
        try:
            await socket.prepare(request)
            entered = True
            await self._serve(live, socket)
        except ConnectionError:
            if not entered:  # an upgrade that was not made cannot be closed
                return web.Response(status=400)
        finally:
            self._sockets.discard(socket)
            live.socket = None
            live.end_stream()
        return socket

    async def _serve(self, live: Live, socket: web.WebSocketResponse) -> None:
        async def send(reply: Reply, images: list[bytes]) -> None:
            with contextlib.suppress(ConnectionError):
                await socket.send_bytes(pack(reply, images))

        async for message in socket:
            stamp = now_us()
            if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                self._spawn(self.exchange(live, message.data, stamp, send, streams=True))
                if stamp - live.pinged_at > PING_EVERY_US:  # now, when the agent listens for its reply
                    live.pinged_at = now_us()
                    await socket.ping(live.pinged_at.to_bytes(8, "big"))
            elif message.type == WSMsgType.PONG and message.data == live.pinged_at.to_bytes(8, "big"):
                live.pings.append(stamp - live.pinged_at)
            elif message.type == WSMsgType.PING:
                await socket.pong(message.data)

    async def _http(self, request: web.Request) -> web.StreamResponse:
        live = self._admit(request)
        if isinstance(live, web.Response):
            return live
        raw = await request.read()
        stamp = now_us()  # not before the last byte: a message that trickles in is no reply given early
        with contextlib.suppress(msgspec.DecodeError, RecursionError):
            plain = msgspec.json.decode(raw or b"{}")
            if isinstance(plain, dict):
                raw = msgspec.json.encode({**plain, "type": request.match_info["kind"]})
        response = web.Response(status=500)

        async def send(reply: Reply, images: list[bytes]) -> None:
            nonlocal response
            response = http_response(request.headers.get("Accept", ""), reply, images)
            with contextlib.suppress(ConnectionError):
                await response.prepare(request)
                await response.write_eof()

        await self.exchange(live, raw, stamp, send)
        return response


def refusal(problem: Fault, request: AnyRequest | None, live: Live) -> Reply:
    """The reply that says why a message was refused."""
    reply = Reply(type="error", error=problem, state="closed" if live.closed else live.episode.state)
    if request is not None:
        reply.id, reply.seq = request.id, getattr(request, "seq", None)
    return reply


async def serve(origins: list[str]) -> None:
    """Run a worker until its server goes or says so."""
    pipe = Pipe()
    worker = Worker(pipe.tell, origins)
    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, done.set)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the server tells us

    async def obey(order: dict[str, Any]) -> None:
        answer: dict[str, Any] = {"answers": order["order"]}
        try:
            if order["do"] == "open":
                opening = msgspec.convert(order["open"], Open)
                await worker.open(order["session"], order["token"], opening, order["seed"])
            elif order["do"] == "close":
                live = worker.by_name(order["session"])
                if live is not None:
                    await worker.close(live, order["reason"], order["taint"])
        except BadInput as bad:
            answer["error"] = fault(bad)
        except Exception as error:
            log.exception("order %s", order["do"])
            answer["error"] = Fault(field="config", problem=f"failed: {error!r}", mend="see the server's log")
        pipe.tell(answer)

    tasks = set()

    def heard(line: bytes) -> None:
        task = asyncio.ensure_future(obey(msgspec.json.decode(line)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    pipe.listen(heard, done.set)
    try:
        info = await worker.studio.warm()
    except Exception as error:
        pipe.tell({"failed": str(error)})
        pipe.close()
        return
    port = await worker.start()
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_S)
    pipe.tell({"ready": port, "painter": info})
    house = asyncio.ensure_future(worker.keep_house())
    await done.wait()
    house.cancel()
    await worker.stop()
    pipe.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    asyncio.run(serve(sys.argv[1:]))
