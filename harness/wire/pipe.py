"""Both ends of the pipe between the control server and a worker process: lines of JSON. Hosts use its far end, too.

The server starts the process and gives it orders on its standard input; on its standard output the worker says that
it is ready, answers each order, and reports each session that has ended.
"""

import asyncio
import contextlib
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from harness.errors import BadInput
from harness.wire.protocol import Fault, Summary

HOME = Path(__file__).resolve().parents[2]
TOKEN = "BULLETTIME_TOKEN"  # the admin token's variable: no business of a worker
ORDER_S = 30.0  # for a worker to obey
LEAVE_S = 5.0  # for a worker to end by itself
LINE_CAP = 256 * 1024 * 1024  # bytes of one summary


def environment() -> dict[str, str]:
    """The environment of a process of ours: it finds our modules, and not the admin token."""
    path = os.pathsep.join(filter(None, (str(HOME), os.environ.get("PYTHONPATH"))))
    return {key: value for key, value in os.environ.items() if key != TOKEN} | {"PYTHONPATH": path}


class WorkerProcess:
    """One worker process and the orders under way to it. nice: what it adds to our own niceness."""

    def __init__(self, number: int, ended: Callable[[Summary], None], nice: int = 0) -> None:
        self.number, self._nice = number, nice
        self.port = 0
        self.painter: dict[str, Any] = {}
        self.failure = ""  # why it cannot work on this machine
        self.process: asyncio.subprocess.Process | None = None
        self._ended = ended
        self._orders: dict[int, asyncio.Future[None]] = {}
        self._count = itertools.count(1)
        self._ready = asyncio.Event()

    async def run(self, origins: list[str]) -> bool:
        """Start the process and read what it says until it ends; returns whether it had been ready."""
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "harness.wire.worker", *origins),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment(),
            limit=LINE_CAP,
        )
        if self._nice:
            with contextlib.suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, self.process.pid, os.getpriority(os.PRIO_PROCESS, 0) + self._nice)
        assert self.process.stdout is not None
        try:
            async for line in self.process.stdout:
                self._hear(msgspec.json.decode(line))
        finally:
            try:
                await asyncio.wait_for(self.process.wait(), 1.0)  # it has closed its output: it is leaving
            except TimeoutError:
                self.kill()
                await self.process.wait()
            served, self.port = self.port > 0, 0
            self._ready.clear()
            for order in self._orders.values():
                if not order.done():
                    order.set_exception(ConnectionError("the worker died"))
        return served

    def _hear(self, message: dict[str, Any]) -> None:
        if "ready" in message:
            self.port, self.painter = message["ready"], message["painter"]
            self._ready.set()
        elif "failed" in message:
            self.failure = message["failed"]
        elif "ended" in message:
            self._ended(msgspec.convert(message["ended"], Summary))
        else:
            order = self._orders.pop(message["answers"], None)
            if order is None or order.done():
                return
            if "error" in message:
                problem = msgspec.convert(message["error"], Fault)
                order.set_exception(BadInput(problem.field, problem.problem, problem.mend))
            else:
                order.set_result(None)

    async def ready(self) -> None:
        """Wait until it takes sessions."""
        await self._ready.wait()

    async def order(self, what: str, timeout_s: float | None = ORDER_S, **fields: Any) -> None:
        """Have it do something. Raises BadInput when it refuses, ConnectionError when it died, TimeoutError."""
        if self.process is None or self.process.stdin is None or not self.port:
            raise ConnectionError("the worker is down")
        number = next(self._count)
        future = self._orders[number] = asyncio.get_running_loop().create_future()
        self.process.stdin.write(msgspec.json.encode({"order": number, "do": what, **fields}) + b"\n")
        try:
            await asyncio.wait_for(future, timeout_s)
        finally:
            self._orders.pop(number, None)

    async def stop(self) -> None:
        """Close its input, which ends it; kill it if it does not leave."""
        if self.process is None or self.process.returncode is not None:
            return
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), 2 * LEAVE_S)
        except TimeoutError:
            self.kill()

    def kill(self) -> None:
        """End it at once."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()


class Pipe:
    """The control server at the other end of our standard input and output, in lines of JSON.

    A thread reads, so that a world that hangs the event loop cannot keep the process alive after its server.
    """

    def __init__(self) -> None:
        self._in = os.fdopen(os.dup(0), "rb")  # the end of the process waits for a reader of sys.stdin itself
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # what a library prints must not reach the server
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="pipe")  # a full pipe must not stop the ticks

    def tell(self, message: Any) -> None:
        """Send one message, plain values or a struct, soon."""
        self._writer.submit(self._write, msgspec.json.encode(message) + b"\n")

    def _write(self, line: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._out.write(line)
            self._out.flush()

    def listen(self, heard: Callable[[bytes], None], ended: Callable[[], None]) -> None:
        """Call `heard` in the event loop for each line, and `ended` when the server has gone."""
        loop = asyncio.get_running_loop()

        def read() -> None:
            for line in self._in:
                loop.call_soon_threadsafe(heard, line)
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(ended)
            time.sleep(LEAVE_S)
            os._exit(1)

        threading.Thread(target=read, name="listen", daemon=True).start()

    def close(self) -> None:
        """Send what is still to be sent."""
        self._writer.shutdown()
