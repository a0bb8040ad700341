"""Agents of the user's: a program, or a class with one method. Each episode gets a process of its own.

The program finds in its environment: BULLETTIME_TICKET (for the client and the shell commands), BULLETTIME_ADDRESS and
BULLETTIME_SESSION_TOKEN (for plain HTTP), BULLETTIME_AGENT_SEED (for its own chance; it says nothing of the world's).
The class is made once an episode, with what `hello` tells, and asked again and again:

    class Agent:
        def __init__(self, hello): ...
        def act(self, seen): return "click 400 300; wait 200"   # or a list of actions; None only looks

This file is also the program that plays such a class: `python -m harness.agents.guest MODULE:CLASS`.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import shlex
import signal
import sys
from pathlib import Path

from harness.agents import Spec
from harness.errors import Unusable
from harness.wire.client import SyncClient
from harness.wire.pipe import HOME, TOKEN
from harness.wire.protocol import Ticket

TAIL = 500  # characters of what it wrote last, told when it fails


async def play(spec: Spec, ticket: str, seed: int) -> str:
    """Have the agent play; returns how it failed, or "". Raises Unusable when it cannot be started."""
    where = Ticket.parse(ticket)
    own = {
        "BULLETTIME_TICKET": ticket,
        "BULLETTIME_ADDRESS": where.address,
        "BULLETTIME_SESSION_TOKEN": where.token,
        "BULLETTIME_AGENT_SEED": str(seed),
    }
    try:
        process = await asyncio.create_subprocess_exec(
            *_command(spec),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env={key: value for key, value in os.environ.items() if key != TOKEN} | own | _path(spec),
            start_new_session=True,  # so that it can be ended with all that it has started
        )
    except OSError as error:
        raise Unusable(f"{spec.name}: {error.strerror}", "name a program that can be run") from None
    try:
        _, said = await process.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    if process.returncode == 0:
        return ""
    return f"ended with status {process.returncode}: {said.decode(errors='replace').strip()[-TAIL:]}"


def _command(spec: Spec) -> list[str]:
    if spec.kind == "python":
        return [sys.executable, "-m", "harness.agents.guest", spec.target]
    return shlex.split(spec.target)


def _path(spec: Spec) -> dict[str, str]:
    """A class is looked for where the run was started, too."""
    if spec.kind != "python":
        return {}
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(HOME), str(Path.cwd()), os.environ.get("PYTHONPATH"))))}


def main(target: str) -> None:
    """Play the session of the environment's ticket with this class."""
    module, _, name = target.partition(":")
    kind = getattr(importlib.import_module(module), name)
    with SyncClient.connect(os.environ["BULLETTIME_TICKET"]) as client:
        agent = kind(client.hello())
        seen = client.begin()
        while not seen.over:
            deed = agent.act(seen)
            seen = client.look() if deed is None else client.act(deed)


if __name__ == "__main__":
    main(sys.argv[1])
