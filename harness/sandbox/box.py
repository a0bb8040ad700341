"""A sandbox with its interpreter, from the outside: code goes in, what it printed comes out."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sys
from pathlib import Path
from typing import Self

import msgspec

from harness.errors import UserError
from harness.sandbox import relay, walls
from harness.wire.protocol import Ticket

LIMIT_S = 30.0  # of wall time, for one piece of code
GRACE_S = 5.0  # for one that is told to stop, and for an interpreter to start
START_S = 30.0
SHOWN = 20_000  # bytes of what a piece printed
FLOOD = 16 * 2**20  # bytes; who prints more is stopped
STRANGERS = 10_000_000  # user ids from here on belong to nobody: a process id's worth of them
NEWLY = "Python was started anew: names and threads are gone"
PLAIN = {code: "\ufffd" for code in range(32) if chr(code) not in "\n\t"}  # providers take no control characters


class Output:
    """What is printed: its beginning and its end are kept."""

    def __init__(self) -> None:
        self.size = 0
        self._head = self._tail = b""

    def add(self, data: bytes) -> None:
        """Take what was printed next."""
        self.size += len(data)
        room = SHOWN // 2 - len(self._head)
        self._head += data[:room]
        self._tail = (self._tail + data[room:])[-SHOWN // 2 :]

    def __str__(self) -> str:
        left_out = self.size - len(self._head) - len(self._tail)
        cut = f"\n… {left_out:,} bytes left out …\n".encode() if left_out else b""
        return (self._head + cut + self._tail).decode(errors="replace").translate(PLAIN)


class Box:
    """A sandbox for one session. Use `async with`; an interpreter that is killed or ends is started anew."""

    def __init__(self, ticket: str, limit_s: float = LIMIT_S) -> None:
        self._ticket, self._limit_s = Ticket.parse(ticket), limit_s
        self._relay: asyncio.subprocess.Process | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._output = Output()
        self._mark = b""
        self._marked: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    async def __aenter__(self) -> Self:
        """Start it. Raises UserError."""
        try:
            self._socket = await self._start_relay()
            await self._start()
            if not await self._ran("", START_S):
                raise UserError(
                    f"the sandbox does not start: {self._output}", "`bullettime doctor` checks this machine"
                )
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def run(self, code: str) -> str:
        """Run code; returns what it printed, and how it failed if it did."""
        done = await self._ran(code, self._limit_s + GRACE_S)
        printed, self._output = self._output, Output()
        if done:
            return str(printed)
        ended = self._marked.done()
        why = "it ended" if ended and printed.size <= FLOOD else "it printed too much" if ended else "it did not stop"
        await self._stop()
        await self._start()
        return f"{printed}\n({why}; {NEWLY})".lstrip()

    async def _ran(self, code: str, limit_s: float) -> bool:
        """Run code, unless the interpreter ends or takes too long."""
        assert self._process is not None and self._process.stdin is not None
        mark = f"\0{secrets.token_hex(8)}\0"
        if not self._marked.done():  # and not ended since
            self._mark = mark.encode()
            with contextlib.suppress(ConnectionError):
                self._process.stdin.write(msgspec.json.encode({"code": code, "mark": mark}) + b"\n")
        try:
            return await asyncio.wait_for(asyncio.shield(self._marked), limit_s)
        except TimeoutError:
            return False
        finally:
            if self._marked.done() and self._marked.result():
                self._marked = asyncio.get_running_loop().create_future()

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Take in what is printed, between pieces of code, too: who prints must never wait for us."""
        assert process.stdout is not None
        rest = b""
        while data := await process.stdout.read(65_536):
            rest += data
            if self._mark and self._mark in rest:
                before, _, rest = rest.partition(self._mark)
                self._output.add(before)
                if not self._marked.done():
                    self._marked.set_result(True)
            keep = max(0, len(rest) - len(self._mark))  # a mark may come in two parts
            self._output.add(rest[:keep])
            rest = rest[keep:]
            if self._output.size > FLOOD:
                process.kill()
        self._output.add(rest)
        if not self._marked.done():
            self._marked.set_result(False)

    async def _start_relay(self) -> Path:
        """Returns the path of its socket."""
        self._relay = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", relay.__file__),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={},
        )
        assert self._relay.stdin is not None and self._relay.stdout is not None
        where = {"host": self._ticket.host, "port": self._ticket.port, "token": self._ticket.token}
        self._relay.stdin.write(msgspec.json.encode(where) + b"\n")
        path = (await asyncio.wait_for(self._relay.stdout.readline(), START_S)).decode().strip()
        if not path:
            raise UserError("the sandbox's relay does not start", "`bullettime doctor` checks this machine")
        return Path(path)

    async def _start(self) -> None:
        assert self._relay is not None
        uid = STRANGERS + self._relay.pid  # one of its own, as limits may count a user's processes
        self._marked = asyncio.get_running_loop().create_future()
        with walls.command(self._socket, "/inside/repl.py", str(uid), str(self._limit_s)) as (words, files):
            self._process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                env={},
                pass_fds=files,
            )
        self._reader = asyncio.create_task(self._listen(self._process))

    async def _stop(self) -> None:
        """Kill the interpreter, and all that it has started with it."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        if self._reader is not None:
            await self._reader

    async def close(self) -> None:
        """End it."""
        if self._relay is not None and self._relay.stdin is not None:
            self._relay.stdin.close()  # it leaves, and takes its folder along
        await self._stop()
        if self._relay is not None:
            await self._relay.wait()
