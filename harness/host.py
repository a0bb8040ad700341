"""A process that plays many episodes at once, of agents that mostly wait: models and guests. `python -m harness.host`.

Orders come as lines of JSON on standard input, answers leave on standard output, both with the number of their
episode. It is told a ticket, and nothing from which seed or records could be learned. It ends when its input does.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
from msgspec import Struct

from harness import agents
from harness.agents import guest
from harness.agents.models.conversation import ProviderFailed
from harness.agents.models.play import Play
from harness.agents.models.transcript import Transcript
from harness.errors import Unusable, UserError
from harness.results.records import Call
from harness.sandbox.box import Box
from harness.wire.client import Client
from harness.wire.pipe import Pipe


class Order(Struct):
    """Play the session of this ticket; without an agent: stop playing it.

    seed: of the agent's own chance; it says nothing of the world's. transcript: a folder, or "".
    """

    number: int
    agent: str = ""
    ticket: str = ""
    seed: int = 0
    metered: bool = True
    code: bool = False  # whether it may run code
    transcript: str = ""


class Said(Struct, omit_defaults=True):
    """A call that was made, or how an episode ended: well, or for one of these reasons. Number 0: ready."""

    number: int
    call: Call | None = None
    lost: str = ""  # the agent gave up, refused or failed
    taint: str = ""  # something outside the agent failed
    provider: bool = False  # it was the agent's provider
    throttled: bool = False  # it had too much to do
    wait_s: float | None = None  # it asks to be left alone so long
    problem: str = ""  # something that the user has to mend before the run can go on
    mend: str = ""


async def play(order: Order, note: Callable[[Call], None]) -> Said:
    """Play one episode; the agent's own failures are losses, its provider's are not."""
    spec = agents.parse(order.agent)
    said = Said(order.number)
    kept = Path(order.transcript) if order.transcript else None
    try:
        if spec.model:
            transcript = Transcript(kept)
            async with AsyncExitStack() as stack:
                client = await stack.enter_async_context(await Client.connect(order.ticket))
                box = await stack.enter_async_context(Box(order.ticket)) if order.code else None
                said.lost = await Play(spec, client, note, transcript, metered=order.metered, box=box).to_end()
        else:
            said.lost = await guest.play(spec, order.ticket, order.seed, kept)
    except ProviderFailed as failed:
        said.taint, said.provider = str(failed), True
        said.throttled, said.wait_s = failed.throttled, failed.wait_s
    except Unusable as error:
        said.problem, said.mend = error.message, error.mend
    except UserError as error:
        said.taint = f"the session was lost: {error}"
    except Exception as error:
        said.taint = f"the agent's adapter failed: {error!r}"
    return said


class Host:
    """The episodes of this process."""

    def __init__(self, tell: Callable[[Said], None]) -> None:
        self._tell = tell
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def obey(self, order: Order) -> None:
        """Begin an episode, or end one."""
        if order.agent:
            self._tasks[order.number] = asyncio.ensure_future(self._play(order))
        elif task := self._tasks.get(order.number):
            task.cancel()

    async def stop(self) -> None:
        """End every episode, and the programs that play them."""
        for task in list(self._tasks.values()):
            if not task.cancelling():  # or what it is tidying up would be left
                task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _play(self, order: Order) -> None:
        try:
            self._tell(await play(order, lambda call: self._tell(Said(order.number, call=call))))
        finally:
            self._tasks.pop(order.number, None)


async def serve() -> None:
    """Obey until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the run tells us
    pipe, done = Pipe(), asyncio.Event()
    host = Host(pipe.tell)
    pipe.listen(lambda line: host.obey(msgspec.json.decode(line, type=Order)), done.set)
    pipe.tell(Said(0))
    await done.wait()
    await host.stop()
    pipe.close()


if __name__ == "__main__":
    asyncio.run(serve())
