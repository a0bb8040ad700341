"""A server with a tiny game for the tests of the wire, and raw connections to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from harness.wire.client import Client, run_sync
from harness.wire.protocol import Open, Opened, Reply, Ticket, unpack
from harness.wire.server import Server

TINY = Path(__file__).parent / "tiny"
REALTIME, SIMPLE, TWIN = "puck/rt/1/full", "puck/rt/1/simple", "puck/twin/1/full"


@contextmanager
def serving(workers: int = 1) -> Iterator[Server]:
    """A server in this process, in the event loop of `run_sync`, that knows the tiny game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BULLETTIME_GAMES_DIR", str(TINY))
        server = Server(workers)
        run_sync(server.start())
        try:
            yield server
        finally:
            run_sync(server.stop())


async def opened(server: Server, config: str = REALTIME, **condition: Any) -> Opened:
    """A session on the server."""
    return await server.open(msgspec.convert({"config": config, "seed": 7, **condition}, Open))


@asynccontextmanager
async def playing(
    server: Server, config: str = REALTIME, *, begin: bool = True, **condition: Any
) -> AsyncIterator[Client]:
    """A client in a session of its own, which is begun, and ended at the end."""
    place = await opened(server, config, **condition)
    async with await Client.connect(place.ticket) as client:
        if begin:
            await client.begin(frames=0)
        yield client
    await server.end(place.session)


class Wire:
    """A connection that sends what it is told, sense or not."""

    def __init__(self, ticket: str) -> None:
        self.ticket = Ticket.parse(ticket)
        self.address = self.ticket.address

    async def __aenter__(self) -> Wire:
        self.http = aiohttp.ClientSession(headers={"Authorization": f"Bearer {self.ticket.token}"})
        self.socket = await self.http.ws_connect(f"{self.address}/session", max_msg_size=0)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.socket.close()
        await self.http.close()

    async def send(self, message: Any) -> Reply:
        """Send raw bytes, text, or a value as JSON; the header of the next reply."""
        if isinstance(message, str):
            await self.socket.send_str(message)
        else:
            await self.socket.send_bytes(message if isinstance(message, bytes) else msgspec.json.encode(message))
        return await self.receive()

    async def receive(self) -> Reply:
        """The header of the next reply. Raises ConnectionError when the connection is closed instead."""
        answer = await self.socket.receive(timeout=20)
        if answer.type != aiohttp.WSMsgType.BINARY:
            raise ConnectionError(f"closed with {self.socket.close_code}")
        return unpack(answer.data)[0]


def felt(client_reply: Any) -> int:
    """How many acts the puck's world has felt, as its picture's colour tells."""
    return round(int(client_reply.frame.image[590, 790, 0]) / 8)
