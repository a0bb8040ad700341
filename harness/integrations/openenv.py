"""`bullettime openenv`: sessions for clients of OpenEnv, by its wire format and without its library.

A WebSocket is an episode after another: {"type": "reset" | "step" | "state" | "close", "data": …}. docs/integrations.md
shows both sides. HTTP has the same operations on one episode that all its callers share.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import secrets
import signal
from typing import Annotated, Any, TypeVar

import msgspec
import typer
from aiohttp import WSMsgType, web

from harness.actions import CoordSpace
from harness.errors import BadInput, UserError
from harness.suite import Drive
from harness.telling import tell
from harness.wire.client import Client, Seen
from harness.wire.door import bearer, guard, listen, refuse
from harness.wire.pipe import TOKEN
from harness.wire.protocol import MESSAGE_CAP, Open, explain
from harness.wire.runtime import identity
from harness.wire.server import Server

T = TypeVar("T")
NAME = "bullettime"
ABOUT = "Real-time mini-games whose clock is under control; the world may not wait for the player."
OPEN_DOORS = ("/health", "/metadata", "/schema", "/openapi.json", "/mcp")  # no token needed: they play nothing


class Reset(Open, forbid_unknown_fields=True, kw_only=True):
    """What a reset asks for: a session's condition. Metered, unless it says otherwise."""

    config: str = ""  # the command's --config by default
    drive: Drive = "metered"
    episode_id: str | None = None


class Step(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """An act: a line of the action language, or canonical actions."""

    line: str | None = None
    actions: list[dict[str, Any]] | None = None
    coord_space: CoordSpace = "px"


class Image(msgspec.Struct, kw_only=True):
    """A picture, base64."""

    mime: str
    b64: str


class Observation(msgspec.Struct, kw_only=True):
    """What is seen. images: oldest first, the last one now. text: goal and rules after a reset."""

    text: str
    images: list[Image]
    state: str
    verdict: str | None = None
    reason: str | None = None
    tick: int
    game_us: int


class State(msgspec.Struct, kw_only=True):
    """Where an episode stands."""

    episode_id: str | None = None
    step_count: int = 0
    config: str = ""
    done: bool = False


class Episode:
    """The episode that one client plays at a time."""

    def __init__(self, server: Server, config: str) -> None:
        self._server, self._config = server, config
        self._client: Client | None = None
        self._begun = False
        self.state = State()

    async def reset(self, data: Any) -> dict[str, Any]:
        """Begin an episode, giving up the one before. Raises BadInput that names the field."""
        asked = _convert(data, Reset)
        plain = msgspec.to_builtins(asked)
        episode = plain.pop("episode_id") or secrets.token_hex(8)
        opening = _convert({**plain, "config": asked.config or self._config}, Open)
        await self.leave()
        opened = await self._server.open(opening)
        self._client, self._begun = await Client.connect(opened.ticket), False
        self.state = State(episode_id=episode, config=opening.config)
        return self._seen(await self._client.look(), "\n".join(tell(await self._client.hello())))

    async def step(self, data: Any) -> dict[str, Any]:
        """Act. Raises BadInput that names the field."""
        act = _convert(data, Step)
        if self._client is None:
            raise BadInput("step", "there is no episode", "send a reset first")
        if (act.line is None) == (act.actions is None):
            raise BadInput("step", "needs either line or actions", 'for example {"line": "click 400 300"}')
        if not self._begun:
            await self._client.begin(frames=0)
            self._begun = True
        deed = act.line if act.line is not None else act.actions or []
        seen = await self._client.act(deed, coord_space=act.coord_space)
        self.state.step_count += 1
        return self._seen(seen)

    async def leave(self) -> None:
        """Give up the episode, if there is one."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()
            await self._server.end(client.ticket.session, "left")

    def _seen(self, seen: Seen, text: str = "") -> dict[str, Any]:
        header = seen.header
        self.state.done = seen.over
        coded = [(frame.info.format, base64.b64encode(frame.bytes).decode()) for frame in seen.frames]
        observation = Observation(
            text=text,
            images=[Image(mime=f"image/{format}", b64=data) for format, data in coded],
            state=header.state or "",
            verdict=header.verdict,
            reason=header.reason,
            tick=header.tick or 0,
            game_us=header.game_us or 0,
        )
        return {"observation": msgspec.to_builtins(observation), "reward": float(seen.won), "done": seen.over}


class Door:
    """The HTTP side: OpenEnv's routes on loopback, in front of a server of this process."""

    def __init__(self, server: Server, config: str, token: str | None) -> None:
        self._server, self._config, self._token = server, config, token
        self._shared, self._turn = Episode(server, config), asyncio.Lock()
        self._runner: web.AppRunner | None = None
        self.address = ""

    async def start(self, port: int) -> None:
        """Open the door. Raises UserError when the port is taken."""
        app = web.Application(client_max_size=MESSAGE_CAP, middlewares=[guard([]), self._admit])
        told = {
            "/health": {"status": "healthy"},
            "/metadata": _metadata(),
            "/schema": _schema(),
            "/openapi.json": _openapi(),
        }
        for path, answer in told.items():
            app.router.add_get(path, _says(answer))
        app.router.add_post("/mcp", _says(_no_mcp()))
        app.router.add_get("/ws", self._play)
        app.router.add_post("/reset", self._reset)
        app.router.add_post("/step", self._step)
        app.router.add_get("/state", self._state)
        self._runner, port = await listen(app, port)
        self.address = f"http://127.0.0.1:{port}"

    async def stop(self) -> None:
        """Close the door."""
        await self._shared.leave()
        if self._runner is not None:
            await self._runner.cleanup()

    @web.middleware
    async def _admit(self, request: web.Request, handler: Any) -> web.StreamResponse:
        if self._token and request.path not in OPEN_DOORS and not secrets.compare_digest(bearer(request), self._token):
            return refuse(401, "token", "is wrong", "send it as Authorization: Bearer")
        return await handler(request)

    async def _play(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(max_msg_size=MESSAGE_CAP, compress=False)
        await socket.prepare(request)
        episode = Episode(self._server, self._config)
        try:
            async for message in socket:
                if message.type != WSMsgType.TEXT:
                    break
                answer = await _answer(episode, message.data)
                if answer is None:
                    break
                await socket.send_str(json.dumps(answer))
        finally:
            await episode.leave()
        return socket

    async def _reset(self, request: web.Request) -> web.Response:
        async with self._turn:
            return web.json_response(await self._shared.reset(await _body(request)))

    async def _step(self, request: web.Request) -> web.Response:
        body = await _body(request)
        if not isinstance(body, dict) or "action" not in body:
            raise BadInput("action", "is missing", 'send {"action": {"line": "click 400 300"}}')
        async with self._turn:
            return web.json_response(await self._shared.step(body["action"]))

    async def _state(self, request: web.Request) -> web.Response:
        return web.json_response(msgspec.to_builtins(self._shared.state))


async def _answer(episode: Episode, text: str) -> dict[str, Any] | None:
    """The reply to a message; None to close."""
    try:
        message = json.loads(text)
        kind, data = message["type"], message.get("data") or {}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return _error("INVALID_JSON", 'send {"type": …, "data": {…}}')
    try:
        if kind == "reset":
            return {"type": "observation", "data": await episode.reset(data)}
        if kind == "step":
            return {"type": "observation", "data": await episode.step(data)}
    except BadInput as wrong:
        return _error("VALIDATION_ERROR", f"{wrong}; {wrong.mend}")
    except (UserError, ConnectionError, TimeoutError) as broken:
        return _error("SESSION_ERROR", str(broken))
    if kind == "state":
        return {"type": "state", "data": msgspec.to_builtins(episode.state)}
    return None if kind == "close" else _error("UNKNOWN_TYPE", f"{kind!r} is none of reset, step, state, close")


def _error(code: str, message: str) -> dict[str, Any]:
    return {"type": "error", "data": {"code": code, "message": message}}


def _convert(data: Any, kind: type[T]) -> T:
    """Plain values as their type. Raises BadInput that names the field."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise explain(error, json.dumps(data)) from None


async def _body(request: web.Request) -> Any:
    try:
        return json.loads(await request.read() or b"{}")
    except (ValueError, RecursionError):
        raise BadInput("message", "is no JSON", "send an object") from None


def _says(answer: Any) -> Any:
    async def handler(request: web.Request) -> web.Response:
        return web.json_response(answer)

    return handler


def _metadata() -> dict[str, Any]:
    return {"name": NAME, "description": ABOUT, "version": identity()["version"]}


def _schema() -> dict[str, Any]:
    kinds = {"action": Step, "observation": Observation, "state": State, "reset": Reset}
    return {name: msgspec.json.schema(kind) for name, kind in kinds.items()}


def _openapi() -> dict[str, Any]:
    posts = {path: {"post": {"responses": {"200": {"description": about}}}} for path, about in _POSTS.items()}
    state = {"get": {"responses": {"200": {"description": "where the episode stands"}}}}
    info = {"title": NAME, "description": ABOUT, "version": identity()["version"]}
    return {"openapi": "3.1.0", "info": info, "paths": {**posts, "/state": state}}


_POSTS = {"/reset": "the first observation of an episode", "/step": "what is seen after an act"}


def _no_mcp() -> dict[str, Any]:
    error = {"code": -32601, "message": "tools are served by `bullettime mcp`"}
    return {"jsonrpc": "2.0", "id": None, "error": error}


def openenv(
    config: Annotated[str, typer.Option(help="What is played where a reset does not say: game/rt/1/full")] = "",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Loopback port; 0: a free one")] = 8000,
    workers: Annotated[int | None, typer.Option(min=1, help="Worker processes; one a core by default")] = None,
) -> None:
    """Serve sessions to clients of OpenEnv on this machine, until Ctrl-C. Prints the address.

    Who reaches the port may open sessions. Where BULLETTIME_TOKEN is set, clients have to send it as a bearer token.
    """
    asyncio.run(_serve(config, port, workers))


async def _serve(config: str, port: int, workers: int | None) -> None:
    token = os.environ.get(TOKEN)
    server = Server(workers)
    door = Door(server, config, token)
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, server.asked_to_stop.set)
    await server.start()
    try:
        await door.start(port)
        print(door.address, flush=True)
        await server.asked_to_stop.wait()
    finally:
        await door.stop()
        await server.stop()
