"""OpenEnv's wire format, spoken by hand over a real socket to a real server."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import cv2
import jsonschema
import numpy as np
import pytest

import games
from harness.integrations.openenv import Door
from harness.wire.server import Server

GAME = games.names()[0]
Socket = aiohttp.ClientWebSocketResponse


async def ask(socket: Socket, kind: str, **data: Any) -> tuple[str, dict[str, Any]]:
    """Kind and data of the answer to a message."""
    await socket.send_json({"type": kind, "data": data})
    answer = await socket.receive_json(timeout=60)
    return answer["type"], answer["data"]


@asynccontextmanager
async def served(token: str | None = None) -> AsyncIterator[tuple[Server, aiohttp.ClientSession]]:
    """A server, and HTTP to its door."""
    server = Server(1)
    await server.start()
    door = Door(server, f"{GAME}/rt/1/full", token)
    await door.start(0)
    try:
        async with aiohttp.ClientSession(door.address) as http:
            yield server, http
    finally:
        await door.stop()
        await server.stop()


def check(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 100))


def image(observation: dict[str, Any]) -> np.ndarray:
    """The picture of now."""
    data = base64.b64decode(observation["images"][-1]["b64"])
    rgb = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    return rgb


def test_episodes_over_a_websocket() -> None:
    async def work() -> None:
        async with served() as (server, http):
            schemas = await (await http.get("/schema")).json()
            async with http.ws_connect("/ws") as socket:
                kind, first = await ask(socket, "reset", seed=1, tempo="paused", frames=2)
                assert kind == "observation" and first["reward"] == 0 and not first["done"]
                jsonschema.validate(first["observation"], schemas["observation"])
                assert games.load(GAME).goal in first["observation"]["text"]
                assert len(first["observation"]["images"]) == 2 and image(first["observation"]).shape == (600, 800, 3)
                _, second = await ask(socket, "step", line="move 300 300; wait 500")
                assert second["observation"]["game_us"] == 500_000
                assert (image(second["observation"]) != image(first["observation"])).any()
                await ask(socket, "step", actions=[{"type": "move", "x": 0.5, "y": 0.5}], coord_space="unit")
                kind, state = await ask(socket, "state")
                jsonschema.validate(state, schemas["state"])
                assert kind == "state" and state["step_count"] == 2 and "seed" not in state
                _, again = await ask(socket, "reset", seed=1, tempo="paused", frames=2)
                assert (image(again["observation"]) == image(first["observation"])).all()
                assert sum(worker["sessions"] for worker in server.workers()) == 1  # the one before was given up
            await asyncio.sleep(0.5)
            assert not server.busy

    check(work)


def test_an_episode_ends_with_its_reward() -> None:
    async def work() -> None:
        async with served() as (_, http), http.ws_connect("/ws") as socket:
            await ask(socket, "reset")
            told: dict[str, Any] = {"done": False}
            while not told["done"]:
                kind, told = await ask(socket, "step", line="wait 10000")
                assert kind == "observation"
            assert told["observation"]["verdict"] == "lost" and told["reward"] == 0

    check(work)


@pytest.mark.parametrize(
    ("kind", "data", "code", "told"),
    [
        ("reset", {"config": "nothing/rt/1/full"}, "VALIDATION_ERROR", "config: no game is named"),
        ("reset", {"colour": "red"}, "VALIDATION_ERROR", "colour: is unknown"),
        ("reset", {"seed": -1}, "VALIDATION_ERROR", "seed: must be at least 0"),
        ("step", {"line": "wait 1"}, "VALIDATION_ERROR", "send a reset first"),
        ("step", {"lines": "wait 1"}, "VALIDATION_ERROR", "lines: is unknown"),
        ("jump", {}, "UNKNOWN_TYPE", "'jump'"),
    ],
)
def test_what_is_wrong_is_told(kind: str, data: dict[str, Any], code: str, told: str) -> None:
    async def work() -> None:
        async with served() as (_, http), http.ws_connect("/ws") as socket:
            answer = await ask(socket, kind, **data)
            assert answer[0] == "error" and answer[1]["code"] == code and told in answer[1]["message"]
            await socket.send_str("[")
            assert (await socket.receive_json())["data"]["code"] == "INVALID_JSON"
            assert (await ask(socket, "state"))[0] == "state"  # it goes on

    check(work)


def test_the_same_over_http() -> None:
    async def work() -> None:
        async with served() as (_, http):
            first = await (await http.post("/reset", json={"tempo": "paused"})).json()
            assert image(first["observation"]).shape == (600, 800, 3)
            second = await (await http.post("/step", json={"action": {"line": "wait 100"}})).json()
            assert second["observation"]["game_us"] == 100_000
            assert (await (await http.get("/state")).json())["step_count"] == 1
            wrong = await http.post("/step", json={"line": "wait 100"})
            assert wrong.status == 400 and (await wrong.json())["error"]["field"] == "action"

    check(work)


def test_a_token_is_asked_for_where_one_is_set() -> None:
    async def work() -> None:
        async with served("secret") as (_, http):
            assert (await http.get("/health")).status == 200
            assert (await http.post("/reset")).status == 401
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await http.ws_connect("/ws")
            async with http.ws_connect("/ws", headers={"Authorization": "Bearer secret"}) as socket:
                assert (await ask(socket, "reset"))[0] == "observation"
            assert (await http.get("/health", headers={"Origin": "http://elsewhere"})).status == 403

    check(work)
