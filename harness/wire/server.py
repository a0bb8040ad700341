"""The control server: lifecycle only. It places sessions on worker processes and hands out tickets to them.

Agents speak to the workers directly. Everything here needs the admin token, from the environment variable
BULLETTIME_TOKEN or drawn and left, with the address, in the user's runtime folder (`harness.wire.runtime`).
"""

import asyncio
import contextlib
import hmac
import json
import logging
import math
import os
import secrets
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from aiohttp import web

from harness.errors import BadInput, UserError
from harness.session import Configuration
from harness.wire import runtime
from harness.wire.door import bearer, guard, listen, refuse
from harness.wire.pipe import ORDER_S, TOKEN, WorkerProcess
from harness.wire.protocol import MESSAGE_CAP, Open, Opened, Summary, Ticket, explain

log = logging.getLogger("bullettime.server")

START_S = 60.0  # for a worker to be ready
HANG_S = 10.0  # without a sign of life from a worker
BEATS = 10  # in which that time is counted
QUICK_DEATHS = 5  # workers that die before they are ready, in a row, before we give up on a place
SUMMARIES_KEPT = 2000


@dataclass
class Placed:
    """A session, and where it is."""

    session: str
    open: Open
    worker: int
    summary: Summary | None = None  # once ended
    done: asyncio.Event = field(default_factory=asyncio.Event)


class Server:
    """Sessions on worker processes. Use it in this process, or behind `start`'s HTTP door.

    workers: how many processes (one a core by default). token: the admin token (drawn by default). nice: what workers
    add to our niceness, where others' time is measured on the same cores.
    """

    def __init__(self, workers: int | None = None, token: str | None = None, *, nice: int = 0) -> None:
        self.token = token or secrets.token_urlsafe(24)
        self.port = 0
        self._places = [WorkerProcess(i, self._note, nice) for i in range(workers or len(os.sched_getaffinity(0)))]
        self._keepers: list[asyncio.Task[None]] = []
        self._sessions: dict[str, Placed] = {}  # open ones and ended ones, oldest first
        self._stopping = False
        self._origins: list[str] = []
        self._runner: web.AppRunner | None = None
        self.asked_to_stop = asyncio.Event()
        self.quiet_since = time.monotonic()  # when the last session ended

    # ---------------------------------------------------------------- lifecycle

    async def start(self, port: int = 0) -> None:
        """Open the door on loopback (port 0: a free one) and wait until every worker is ready.

        Raises UserError when the port is taken or no worker starts.
        """
        app = web.Application(client_max_size=MESSAGE_CAP, middlewares=[guard(self._origins), self._admit])
        app.router.add_get("/health", self._get_health)
        app.router.add_get("/workers", self._get_workers)
        app.router.add_get("/sessions", self._get_sessions)
        app.router.add_post("/sessions", self._post_session)
        app.router.add_get("/sessions/{session}", self._get_session)
        app.router.add_delete("/sessions/{session}", self._delete_session)
        app.router.add_post("/stop", self._post_stop)
        self._runner, self.port = await listen(app, port)
        self._origins += [f"http://{host}:{self.port}" for host in ("127.0.0.1", "localhost")]
        self._keepers = [asyncio.ensure_future(self._keep(place)) for place in self._places]
        self._keepers.append(asyncio.ensure_future(self._watch()))
        ready = asyncio.ensure_future(self._all_ready())
        waited_for: list[asyncio.Future[None]] = [ready, *self._keepers]
        await asyncio.wait(waited_for, timeout=START_S, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            ready.cancel()
            await self.stop()
            failure = next((place.failure for place in self._places if place.failure), "a worker does not start")
            raise UserError(failure, "`bullettime doctor` checks this machine")

    async def _all_ready(self) -> None:
        for place in self._places:
            await place.ready()

    @property
    def address(self) -> str:
        """Where the door is."""
        return f"http://127.0.0.1:{self.port}"

    async def stop(self) -> None:
        """End all sessions and workers, and close the door."""
        self._stopping = True
        await asyncio.gather(*(place.stop() for place in self._places))
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()

    async def _keep(self, place: WorkerProcess) -> None:
        """Have a worker at this place; start another one when it dies."""
        deaths = 0
        while deaths < QUICK_DEATHS:
            try:
                served = await place.run(self._origins)
            except Exception:  # what it said made no sense, or it could not be started
                log.exception("worker %d", place.number)
                served = False
            for placed in list(self._sessions.values()):
                if placed.worker == place.number and placed.summary is None:
                    self._note(lost(placed, "worker died"))
            if self._stopping or place.failure:
                return
            log.warning("worker %d died", place.number)
            deaths = 0 if served else deaths + 1
        log.error("worker %d does not start", place.number)

    async def _watch(self) -> NoReturn:
        """Kill workers that give no sign of life."""
        while True:
            await asyncio.sleep(HANG_S / 4)
            await asyncio.gather(*(self._feel(place) for place in self._places if place.port))

    async def _feel(self, place: WorkerProcess) -> None:
        """Kill a worker that does not answer in time. Time in which this process itself stood still does not count."""
        answer = asyncio.ensure_future(place.order("nothing", None))
        beat_s, beats = HANG_S / BEATS, 0
        try:
            while beats < BEATS and not answer.done():
                began = time.monotonic()
                await asyncio.wait((answer,), timeout=beat_s)
                beats += time.monotonic() - began < 2 * beat_s
            if not answer.done():
                log.error("worker %d hangs", place.number)
                place.kill()
        finally:
            answer.cancel()
            await asyncio.gather(answer, return_exceptions=True)

    # ---------------------------------------------------------------- sessions

    async def open(self, opening: Open) -> Opened:
        """Place a session. Raises BadInput that names the field, ConnectionError when its worker dies meanwhile."""
        Configuration.parse(opening.config)
        if opening.seed is None:
            opening = msgspec.structs.replace(opening, seed=secrets.randbits(48))
        session, token = secrets.token_hex(6), secrets.token_urlsafe(24)
        places = [place for place in self._places if place.port]
        if not places:
            raise BadInput("session", "no worker is up", "try again in a second")
        place = min(places, key=lambda place: self._load(place.number))
        placed = self._sessions[session] = Placed(session=session, open=opening, worker=place.number)
        try:
            await place.order("open", session=session, token=token, open=opening, seed=opening.seed)
        except BaseException:
            self._sessions.pop(session, None)
            raise
        return Opened(session=session, ticket=str(Ticket("127.0.0.1", place.port, session, token)), open=placed.open)

    async def end(self, session: str, reason: str = "ended by its owner", taint: str = "") -> Summary:
        """End a session, unless it has ended, and forget it. Returns its summary; raises KeyError if unknown."""
        placed = self._sessions[session]
        if placed.summary is None:
            place = self._places[placed.worker]
            with contextlib.suppress(ConnectionError, TimeoutError):
                await place.order("close", session=session, reason=reason, taint=taint)
        summary = await self.ended(session, ORDER_S) or lost(placed, "worker does not answer")
        self._sessions.pop(session, None)
        return summary

    async def ended(self, session: str, timeout_s: float | None = None) -> Summary | None:
        """Wait until a session has ended; its summary, or None when it has not. Raises KeyError if unknown."""
        placed = self._sessions[session]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(placed.done.wait(), timeout_s)
        return placed.summary

    def workers(self) -> list[dict[str, Any]]:
        """The worker processes; port 0: not up."""
        return [
            {
                "worker": place.number,
                "pid": place.process.pid if place.process else None,
                "port": place.port,
                "sessions": self._load(place.number),
                "painter": place.painter,
            }
            for place in self._places
        ]

    @property
    def busy(self) -> bool:
        """Whether a session is open."""
        return any(placed.summary is None for placed in self._sessions.values())

    def _load(self, worker: int) -> int:
        return sum(p.worker == worker and p.summary is None for p in self._sessions.values())

    def _note(self, summary: Summary) -> None:
        placed = self._sessions.get(summary.session)
        if placed is None or placed.summary is not None:
            return
        placed.summary = summary
        placed.done.set()
        self.quiet_since = time.monotonic()
        ended = [name for name, other in self._sessions.items() if other.summary is not None]
        for name in ended[:-SUMMARIES_KEPT]:
            del self._sessions[name]

    # ---------------------------------------------------------------- the door

    @web.middleware
    async def _admit(self, request: web.Request, handler: Any) -> web.StreamResponse:
        if request.path != "/health" and not hmac.compare_digest(
            bearer(request).encode(errors="surrogateescape"), self.token.encode()
        ):
            return refuse(401, "token", "is wrong", "send the admin token as Authorization: Bearer")
        return await handler(request)

    async def _get_health(self, request: web.Request) -> web.Response:
        return web.json_response(runtime.identity())

    async def _get_workers(self, request: web.Request) -> web.Response:
        return _json(self.workers())

    async def _get_sessions(self, request: web.Request) -> web.Response:
        return _json(
            [
                {"session": name, "config": placed.open.config, "ended": placed.summary is not None}
                for name, placed in self._sessions.items()
            ]
        )

    async def _post_session(self, request: web.Request) -> web.Response:
        raw = await request.read()
        try:
            opening = msgspec.json.decode(raw, type=Open)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as wrong:
            raise explain(wrong, raw) from None
        try:
            return _json(await self.open(opening), status=201)
        except (ConnectionError, TimeoutError) as error:
            return refuse(503, "session", str(error) or "the worker does not answer", "try again")

    async def _get_session(self, request: web.Request) -> web.Response:
        try:
            wait_s = min(float(request.query.get("wait_s", 0)), 60.0)
            if not math.isfinite(wait_s):
                raise ValueError
            summary = await self.ended(request.match_info["session"], max(wait_s, 0.001))
        except ValueError:
            raise BadInput("wait_s", "is no number", "give seconds") from None
        except KeyError:
            return _unknown()
        return _json({"ended": summary is not None, "summary": summary})

    async def _delete_session(self, request: web.Request) -> web.Response:
        reason = request.query.get("reason", "ended by its owner")
        try:
            return _json(await self.end(request.match_info["session"], reason, request.query.get("taint", "")))
        except KeyError:
            return _unknown()

    async def _post_stop(self, request: web.Request) -> web.Response:
        self.asked_to_stop.set()
        return web.json_response({})


def lost(placed: Placed, taint: str) -> Summary:
    """The summary of a session of which nothing else is left."""
    return Summary(session=placed.session, open=placed.open, verdict="lost", reason=taint, taint=taint)


def _json(value: Any, status: int = 200) -> web.Response:
    return web.Response(status=status, body=msgspec.json.encode(value), content_type="application/json")


def _unknown() -> web.Response:
    return refuse(404, "session", "is unknown, or its summary has been fetched", "GET /sessions lists them")


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Loopback port; 0: a free one")] = 0,
    workers: Annotated[int | None, typer.Option(min=1, help="Worker processes; one a core by default")] = None,
    idle_s: Annotated[float | None, typer.Option(help="End after so many seconds without a session")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object")] = False,
) -> None:
    """Serve sessions to agents on this machine, until Ctrl-C. Prints the address.

    The admin token is that of BULLETTIME_TOKEN, or is drawn and left in your runtime folder.
    """
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")

    def say(address: str) -> None:
        print(json.dumps({"address": address, "pid": os.getpid()}) if as_json else address, flush=True)

    asyncio.run(run(port, workers, idle_s, say))


async def run(port: int, workers: int | None, idle_s: float | None, say: Callable[[str], None]) -> None:
    """Serve until a signal, POST /stop, or `idle_s` seconds without a session. Raises UserError."""
    server = Server(workers, os.environ.get(TOKEN))
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, server.asked_to_stop.set)
    stopping = asyncio.ensure_future(server.asked_to_stop.wait())
    starting = asyncio.ensure_future(server.start(port))
    await asyncio.wait((starting, stopping), return_when=asyncio.FIRST_COMPLETED)
    try:
        if starting.done():
            starting.result()
            other = await asyncio.to_thread(runtime.claim, server.address, server.token)
            if other and not os.environ.get(TOKEN):
                mend = f"use that one, or set {TOKEN} for another one, of which only you know"
                raise UserError(f"a server of this checkout runs already, at {other}", mend)
            say(server.address)
        while not stopping.done():
            await asyncio.wait((stopping,), timeout=1.0)
            if idle_s is not None and not server.busy and time.monotonic() - server.quiet_since > idle_s:
                break
    finally:
        starting.cancel()
        try:
            runtime.withdraw(server.address)
        finally:
            await server.stop()
