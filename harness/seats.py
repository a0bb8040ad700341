"""The processes that play episodes, seen from the run: seats play one at a time, hosts many at once."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from harness.errors import UserError
from harness.host import Order, Said
from harness.results.records import Call
from harness.seat import Answer, OracleOrder, PlayerOrder
from harness.wire.pipe import environment

START_S = 60.0  # for a process to be ready
STARTS = 3  # of a process that dies before it is ready
LEAVE_S = 5.0  # for one to end by itself
LINE_CAP = 1024 * 1024
HUNG = "agent hung"


class Died(Exception):
    """The process has gone."""


class Seat:
    """An episode process, started when it is first needed and again after it has died.

    run: the folder of the records, for oracles; a player's process is not told of it.
    """

    def __init__(self, run: Path | None) -> None:
        self._arguments = [] if run is None else [str(run)]
        self._process: asyncio.subprocess.Process | None = None

    async def ready(self) -> None:
        """Start the process unless it is there. Raises UserError."""
        if self._process is None or self._process.returncode is not None:
            self._process = await _start("harness.seat", *self._arguments)

    async def play(self, order: OracleOrder | PlayerOrder, limit_s: float) -> Answer:
        """Have an episode played, once ready. Raises Died; a process that makes no sense is ended."""
        assert self._process is not None and self._process.stdin is not None
        with contextlib.suppress(ConnectionError):
            self._process.stdin.write(msgspec.json.encode(order) + b"\n")
        try:
            return msgspec.json.decode(await asyncio.wait_for(self._read(), limit_s), type=Answer)
        except TimeoutError:
            await self.kill()
            return Answer(crashed=HUNG)
        except (msgspec.DecodeError, ValueError):
            await self.kill()
            raise Died from None

    async def _read(self) -> bytes:
        assert self._process is not None and self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line.endswith(b"\n"):
            await self._process.wait()
            raise Died
        return line

    async def kill(self) -> None:
        """End it at once."""
        await _kill(self._process)

    async def stop(self) -> None:
        """Close its input, which ends it."""
        await _leave(self._process)


class Host:
    """A process that plays many episodes at once, started when it is first needed and again after it has died."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._listener: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._count = itertools.count(1)
        self._under_way: dict[int, tuple[asyncio.Future[Said], Callable[[Call], None]]] = {}

    async def ready(self) -> None:
        """Start the process unless it is there. Raises UserError."""
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await _start("harness.host")
                self._listener = asyncio.create_task(self._listen(self._process))

    async def play(self, order: Order, limit_s: float, note: Callable[[Call], None]) -> Said:
        """Have an episode played, `note` called with each call of a model. Raises Died."""
        assert self._process is not None and self._process.stdin is not None
        order.number = next(self._count)
        future: asyncio.Future[Said] = asyncio.get_running_loop().create_future()
        self._under_way[order.number] = future, note
        try:
            self._send(order)
            return await asyncio.wait_for(future, limit_s)
        except TimeoutError:
            return Said(order.number, lost=HUNG)
        finally:
            del self._under_way[order.number]
            self._send(Order(order.number))  # it has ended, or is to

    def _send(self, order: Order) -> None:
        assert self._process is not None and self._process.stdin is not None
        with contextlib.suppress(ConnectionError):
            self._process.stdin.write(msgspec.json.encode(order) + b"\n")

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            said = msgspec.json.decode(line, type=Said)
            future, note = self._under_way.get(said.number, (None, None))
            if note and said.call:
                note(said.call)
            elif future and not future.done():
                future.set_result(said)
        await process.wait()
        for future, _ in self._under_way.values():
            if not future.done():
                future.set_exception(Died())

    async def stop(self) -> None:
        """End it, and all that it plays."""
        await _leave(self._process)
        if self._listener is not None:
            await asyncio.gather(self._listener, return_exceptions=True)


async def _start(module: str, *arguments: str) -> asyncio.subprocess.Process:
    """Start a process that plays, and wait for its first line. Raises UserError."""
    for _ in range(STARTS):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", module, *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment(),
            limit=LINE_CAP,
        )
        assert process.stdout is not None
        try:
            if (await asyncio.wait_for(process.stdout.readline(), START_S)).endswith(b"\n"):
                return process
            await process.wait()
        except TimeoutError:
            await _kill(process)
            raise UserError("no episode process is ready in time", "`bullettime doctor` checks this machine") from None
    raise UserError("no episode process starts", "see above; `bullettime doctor` checks this machine")


async def _leave(process: asyncio.subprocess.Process | None) -> None:
    """Close its input, which ends it."""
    if process is None or process.returncode is not None:
        return
    assert process.stdin is not None
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), LEAVE_S)
    except TimeoutError:
        await _kill(process)


async def _kill(process: asyncio.subprocess.Process | None) -> None:
    """End it at once."""
    if process is not None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
