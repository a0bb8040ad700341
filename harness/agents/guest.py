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
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import IO

from harness.agents import Spec
from harness.errors import Unusable, UserError
from harness.wire.client import SyncClient
from harness.wire.pipe import HOME, TOKEN
from harness.wire.protocol import Ticket

TAIL = 500  # characters of the last line that it wrote, told when it fails
IMPORT_S = 300.0  # for a class to be imported
CHECK = "--check"


def require(spec: Spec) -> None:
    """Raise Unusable where a class cannot be imported, or has no method `act`."""
    if spec.kind != "python":
        return
    try:
        done = subprocess.run(
            [*_command(spec), CHECK], stdin=subprocess.DEVNULL, capture_output=True, env=_environment(spec),
            timeout=IMPORT_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Unusable(f"{spec.name}: takes more than {IMPORT_S:g} s to import", "let it import less") from None
    if done.returncode:
        mend = "write python:MODULE:CLASS, a class with a method act(seen) that can be imported from this folder"
        raise Unusable(f"{spec.name}: {_last_line(done.stderr)}", mend)


async def play(spec: Spec, ticket: str, seed: int, kept: Path | None = None) -> str:
    """Have the agent play; returns how it failed, or "". Raises Unusable when it cannot be started.

    kept: a folder for what it writes, `stdout.txt` and `stderr.txt`.
    """
    where = Ticket.parse(ticket)
    own = {
        "BULLETTIME_TICKET": ticket,
        "BULLETTIME_ADDRESS": where.address,
        "BULLETTIME_SESSION_TOKEN": where.token,
        "BULLETTIME_AGENT_SEED": str(seed),
    }
    with _output(kept, "stdout.txt") as out, _output(kept, "stderr.txt") as errors:
        try:
            process = await asyncio.create_subprocess_exec(
                *_command(spec),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=out,
                stderr=errors,
                env=_environment(spec) | own,
                start_new_session=True,  # so that it can be ended with all that it has started
            )
        except OSError as error:
            raise Unusable(f"{spec.name}: {error.strerror}", "name a program that can be run") from None
        try:
            await process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        if process.returncode == 0:
            return ""
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - 8 * TAIL))
        said = _last_line(errors.read())
    if spec.kind == "python" and said:
        return said
    return f"ended with status {process.returncode}" + (f": {said}" if said else ", and wrote nothing to stderr")


def _output(folder: Path | None, name: str) -> IO[bytes]:
    if folder is None:
        return tempfile.TemporaryFile()
    folder.mkdir(parents=True, exist_ok=True)
    return (folder / name).open("w+b")


def _last_line(raw: bytes) -> str:
    lines = raw.decode(errors="replace").strip().splitlines()
    return lines[-1].strip()[:TAIL] if lines else ""


def _command(spec: Spec) -> list[str]:
    if spec.kind == "python":
        return [sys.executable, "-m", "harness.agents.guest", spec.target]
    return shlex.split(spec.target)


def _environment(spec: Spec) -> dict[str, str]:
    """Ours without the admin token. A class is looked for where the run was started, too."""
    env = {key: value for key, value in os.environ.items() if key != TOKEN}
    if spec.kind == "python":
        env["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HOME), str(Path.cwd()), env.get("PYTHONPATH"))))
    return env


def main(target: str, *, check: bool = False) -> None:
    """Play the session of the environment's ticket with this class, or only see that it can be imported.

    What it raises ends the process with status 1, the error being the last line on stderr.
    """
    try:
        module, _, name = target.partition(":")
        kind = getattr(importlib.import_module(module), name)
        if not callable(getattr(kind, "act", None)):
            raise UserError(f"{name} has no method act", "give it one: act(seen)")
        if not check:
            _play(kind)
    except Exception as error:
        traceback.print_exc()
        sys.exit(_told(error))


def _play(kind: type) -> None:
    with SyncClient.connect(os.environ["BULLETTIME_TICKET"]) as client:
        agent = kind(client.hello())
        seen = client.begin()
        while not seen.over:
            deed = agent.act(seen)
            seen = client.look() if deed is None else client.act(deed)


def _told(error: Exception) -> str:
    """An error in one line, and where in the user's lines it arose."""
    if isinstance(error, UserError):
        return f"{error} ({error.mend})"
    ours = ("<", str(HOME / "harness"), str(importlib.__file__))
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(ours)]
    where = f" ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else ""
    return " ".join(f"{type(error).__name__}: {error}".split()) + where


if __name__ == "__main__":
    main(sys.argv[1], check=CHECK in sys.argv[2:])
