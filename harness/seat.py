"""An episode process of a run: `python -m harness.seat RUN_FOLDER`. It plays one episode after another.

Orders come as lines of JSON on standard input, answers leave on standard output. An oracle plays its world in here
and writes the records itself; a player gets a ticket and nothing else. The process ends when its input does.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from harness import agents
from harness.agents import oracle
from harness.errors import UserError
from harness.results.records import Shard
from harness.suite import Job
from harness.wire.client import SyncClient


class Order(Struct):
    """Play this. ticket: of the session, for a player."""

    job: Job
    attempt: int
    ticket: str = ""


class Answer(Struct):
    """What came of an order: nothing to say, or one of these."""

    crashed: str = ""  # the agent; that is a loss
    taint: str = ""  # something outside the agent
    problem: str = ""  # something that the user has to mend before the run can go on
    mend: str = ""


def play(order: Order, shard: Shard) -> Answer:
    """Play one episode."""
    spec = agents.parse(order.job.agent)
    try:
        if spec.oracle:
            shard.write(oracle.play(order.job, spec, order.attempt, shard.write))
        else:
            _play_over_the_wire(order, agents.player(spec.name))
    except oracle.GameFailed as error:
        return Answer(taint=f"game failed: {error}")
    except UserError as error:
        if spec.oracle:
            return Answer(problem=error.message, mend=error.mend)
        return Answer(crashed=str(error))
    except Exception as error:
        return Answer(crashed=repr(error))
    return Answer()


def _play_over_the_wire(order: Order, player: agents.Player) -> None:
    own_seed = int.from_bytes(blake2b(order.job.key.encode(), digest_size=6).digest())
    with SyncClient.connect(order.ticket) as client:
        player(client, own_seed)
        client.end()


def main() -> None:
    """Obey until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the run tells us
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a library prints is no answer
    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin.buffer:
            orders.put(line)
        os._exit(0)

    threading.Thread(target=listen, name="listen", daemon=True).start()
    with Shard(Path(sys.argv[1])) as shard:
        out.write(b"{}\n")
        while True:
            order = msgspec.json.decode(orders.get(), type=Order)
            out.write(msgspec.json.encode(play(order, shard)) + b"\n")


if __name__ == "__main__":
    main()
