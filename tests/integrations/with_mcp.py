"""The MCP server, spoken to by MCP's own client. Run by tests/test_integrations.py, in an environment that has it."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from mcp import StdioServerParameters
from mcp.client import Client

import games
from harness.wire.server import Server

ROOT = Path(__file__).resolve().parents[2]
GAME = games.names()[0]


@asynccontextmanager
async def connected(*arguments: str) -> AsyncIterator[tuple[Client, Server]]:
    """A client of `bullettime mcp`, which plays on a server of this test's own."""
    server = Server(1)
    await server.start()
    try:
        own = {"BULLETTIME_SERVER": server.address, "BULLETTIME_TOKEN": server.token}
        command = [str(ROOT / "bullettime.py"), "mcp", *arguments]
        where = StdioServerParameters(command=sys.executable, args=command, env={**os.environ, **own})
        async with Client(where) as client:
            yield client, server
        assert not server.busy  # who leaves gives up
    finally:
        await server.stop()


def picture(content: Any) -> np.ndarray:
    """The picture of a tool's answer, behind the text."""
    text, image = content
    assert text.type == "text" and image.type == "image" and image.mime_type == "image/png"
    rgb = cv2.imdecode(np.frombuffer(base64.b64decode(image.data), np.uint8), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    return rgb


def test_an_episode_from_open_to_close() -> None:
    async def play() -> None:
        async with connected("--tempo", "paused", "--seed", "1") as (client, _):
            assert [tool.name for tool in (await client.list_tools()).tools] == ["open", "look", "act", "close"]
            opened = await client.call_tool("open", {"config": f"{GAME}/rt/1/full"})
            assert not opened.is_error and games.load(GAME).goal in opened.content[0].text
            assert "seed" not in opened.content[0].text.lower()
            first = picture(opened.content)
            assert first.shape == (600, 800, 3)
            assert (picture((await client.call_tool("look", {})).content) == first).all()  # it has not begun
            acted = await client.call_tool("act", {"line": "move 300 300; wait 500"})
            assert "game time 0.50 s" in acted.content[0].text
            assert (picture(acted.content) != first).any()
            wrong = await client.call_tool("act", {"line": "jump"})
            assert wrong.is_error and "unknown action 'jump'" in wrong.content[0].text
            closed = await client.call_tool("close", {})
            assert closed.content[0].text.startswith("lost")
            assert (await client.call_tool("look", {})).is_error

    asyncio.run(play())


def test_the_owner_may_fix_what_is_played() -> None:
    async def play() -> None:
        async with connected("--config", f"{GAME}/twin/2/simple") as (client, _):
            other = await client.call_tool("open", {"config": f"{GAME}/twin/1/simple"})
            assert other.is_error and "config" in other.content[0].text
            assert "level 2" in (await client.call_tool("open", {})).content[0].text

    asyncio.run(play())


def test_a_game_must_be_named() -> None:
    async def play() -> None:
        async with connected() as (client, _):
            for config, problem in (("", "is missing"), ("nothing/rt/1/full", "no game is named")):
                answer = await client.call_tool("open", {"config": config})
                assert answer.is_error and problem in answer.content[0].text

    asyncio.run(play())


def test_a_session_left_is_given_up() -> None:
    async def play() -> None:
        async with connected("--config", f"{GAME}/rt/1/full") as (client, server):
            for _ in range(3):
                await client.call_tool("open", {})
            assert sum(worker["sessions"] for worker in server.workers()) == 1

    asyncio.run(play())
