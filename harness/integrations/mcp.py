"""`bullettime mcp`: a server of the Model Context Protocol, so that any of its clients can play.

Its tools are those of the shell: open, look, act, close. Behind them stands the ordinary client of a session.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import typer

from harness.actions import FORMS
from harness.errors import BadInput, UserError
from harness.integrations import need
from harness.suite import Drive
from harness.telling import columns, keys_of, tell
from harness.wire.client import Client, Seen

LANGUAGE = f"""Act in the open session, and see what it then shows. The first act starts the world.

The line holds actions with ; between them, done one after another: {"; ".join(usage for usage, _ in FORMS.values())}.
X and Y are pixels of the 800x600 picture from its upper left corner, MS are milliseconds of game time, however slow
the tempo. @MS behind an action starts it so long after the act's begin. A refused line has no effect."""


def mcp(
    config: Annotated[str, typer.Option(help="What is played; by default the client says: game/rt/1/full")] = "",
    seed: Annotated[int | None, typer.Option(min=0, help="Which world; drawn by default")] = None,
    tempo: Annotated[str, typer.Option(help="live, 4x, 16x, 64x, another slowdown, or paused")] = "live",
    drive: Annotated[
        Drive, typer.Option(help="metered: an act is charged the thinking before it; or wall")
    ] = "metered",
    frames: Annotated[int, typer.Option(min=1, help="Pictures of an observation, the last one now")] = 1,
) -> None:
    """Serve the tools open, look, act and close over MCP, on standard input and output.

    A client's configuration names the command and its arguments: "bullettime", ["mcp", "--tempo", "16x"].
    """
    build_server(config, seed=seed, tempo=tempo, drive=drive, frames=frames).run("stdio")


class Table:
    """The one session that a connection plays at a time. fixed: its configuration, or nothing: the client says."""

    def __init__(self, fixed: str, condition: dict[str, Any]) -> None:
        self._fixed, self._condition = fixed, condition
        self._client: Client | None = None
        self._begun = False

    async def open(self, config: str) -> tuple[str, Seen]:
        """Open a session, giving up the one before; what its player is told, and the first picture."""
        if self._fixed and config not in ("", self._fixed):
            raise BadInput("config", f"{config!r} is not what this server plays", f"leave it out, or {self._fixed!r}")
        if not (self._fixed or config):
            raise BadInput("config", "is missing", "for example GAME/rt/1/full; `bullettime games` lists the games")
        await self.leave()
        self._client = await Client.open(self._fixed or config, **self._condition)
        self._begun = False
        hello = await self._client.hello()
        return "\n".join((*tell(hello), "Keys:", *columns(keys_of(hello)))), await self._client.look()

    async def look(self) -> Seen:
        return await self._playing().look()

    async def act(self, line: str) -> Seen:
        client = self._playing()
        if not self._begun:
            await client.begin(frames=0)
            self._begun = True
        return await client.act(line)

    async def close(self) -> Seen:
        seen = await self._playing().end()
        await self.leave()
        return seen

    async def leave(self) -> None:
        """End the session, if there is one: what is not over is given up."""
        client, self._client = self._client, None
        if client is not None:
            try:
                await client.finish()
            finally:
                await client.close()

    def _playing(self) -> Client:
        if self._client is None:
            raise UserError("no session is open", "call open first")
        return self._client


def build_server(config: str = "", **condition: Any) -> Any:
    """The server, not yet running. condition: see `wire.protocol.Open`. Raises UserError without the extra `mcp`."""
    kit = need("mcp.server.mcpserver", "mcp")
    refused = need("mcp.server.mcpserver.exceptions", "mcp").ToolError
    table = Table(config, condition)

    @asynccontextmanager
    async def leaving(_: Any) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await table.leave()

    about = "Games that may not wait for you. Call open, then act and look."
    server = kit.MCPServer("bullettime", instructions=about, lifespan=leaving)

    def show(seen: Seen, text: str = "") -> list[Any]:
        header = seen.header
        state = f"{header.verdict}: {header.reason}" if header.reason else header.verdict or header.state
        lines = [text, f"{state}, game time {(header.game_us or 0) / 1e6:.2f} s"]
        return [
            "\n".join(filter(None, lines)),
            *(kit.Image(data=one.bytes, format=one.info.format) for one in seen.frames),
        ]

    async def tried(work: Any) -> Any:
        try:
            return await work
        except UserError as wrong:
            raise refused(f"{wrong}; {wrong.mend}" if wrong.mend else str(wrong)) from None

    @server.tool(structured_output=False)
    async def open(config: str = "") -> Any:
        """Open a session: game/rt|twin/1..5/simple|full. Tells goal, rules and controls, shows the first picture."""
        told, seen = await tried(table.open(config))
        return show(seen, told)

    @server.tool(structured_output=False)
    async def look() -> Any:
        """See what the open session shows now. Once the world has begun, a look costs thinking time, as an act does."""
        return show(await tried(table.look()))

    @server.tool(structured_output=False, description=LANGUAGE)
    async def act(line: str) -> Any:
        return show(await tried(table.act(line)))

    @server.tool(structured_output=False)
    async def close() -> Any:
        """End the open session and tell its verdict; one that is not over is given up."""
        return show(await tried(table.close()))

    return server
