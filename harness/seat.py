"""An episode process of a run, which plays one episode after another: `python -m harness.seat [RUN_FOLDER]`.

Orders come as lines of JSON on standard input, answers leave on standard output. With a folder it seats oracles, which
play their world in here and write the records themselves. Without one it seats players, who get their ticket and a
number for their own chance, and nothing from which seed or records could be learned. It ends when its input does.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from harness import agents
from harness.agents import oracle
from harness.errors import UserError
from harness.results.records import Shard
from harness.suite import Job
from harness.wire.client import SyncClient


class OracleOrder(Struct):
    """Play this in here."""

    job: Job
    attempt: int


class PlayerOrder(Struct):
    """Play the session of this ticket. seed: of the player's own chance; it says nothing of the world's."""

    agent: str
    ticket: str
    seed: int


class Answer(Struct):
    """What came of an order: nothing to say, or one of these. A player is believed only that it crashed."""

    crashed: str = ""  # the agent; that is a loss
    taint: str = ""  # something outside the agent
    problem: str = ""  # something that the user has to mend before the run can go on
    mend: str = ""


def play_oracle(order: OracleOrder, shard: Shard) -> Answer:
    """Play one episode in this process."""
    try:
        shard.write(oracle.play(order.job, agents.parse(order.job.agent), order.attempt, shard.write))
    except oracle.GameFailed as error:
        return Answer(taint=f"game failed: {error}")
    except UserError as error:
        return Answer(problem=error.message, mend=error.mend)
    except Exception as error:
        return Answer(crashed=repr(error))
    return Answer()


def play_player(order: PlayerOrder) -> Answer:
    """Play one episode over the wire."""
    try:
        player = agents.player(agents.parse(order.agent).name)
        with SyncClient.connect(order.ticket) as client:
            player(client, order.seed)
            client.end()
    except UserError as error:
        return Answer(crashed=str(error))
    except Exception as error:
        return Answer(crashed=repr(error))
    return Answer()


def main() -> None:
    """Obey until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the run tells us
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a library prints is no answer
    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        with os.fdopen(os.dup(0), "rb") as lines:  # the end of the process waits for a reader of sys.stdin itself
            for line in lines:
                orders.put(line)
        os._exit(0)

    def obey(play: Callable[[bytes], Answer]) -> None:
        try:
            out.write(b"{}\n")
            while True:
                out.write(msgspec.json.encode(play(orders.get())) + b"\n")
        except BrokenPipeError:  # the run has been killed
            os._exit(0)

    threading.Thread(target=listen, name="listen", daemon=True).start()
    if len(sys.argv) > 1:
        with Shard(Path(sys.argv[1])) as shard:
            obey(lambda line: play_oracle(msgspec.json.decode(line, type=OracleOrder), shard))
    else:
        obey(lambda line: play_player(msgspec.json.decode(line, type=PlayerOrder)))


if __name__ == "__main__":
    main()
