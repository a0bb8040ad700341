"""The user's own runtime folder: where a server leaves its address and token, and the shell its last ticket."""

import fcntl
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from harness.errors import UserError

SERVER, TICKET = "server.json", "ticket"
HOME = Path(__file__).resolve().parents[2]
IDLE_S = 900  # a server that was started in the background ends after so long without a session
START_S = 60.0  # for it to start


def folder() -> Path:
    """The folder, made if need be; nobody else can read it. Raises UserError if it is not ours."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    path = Path(base) / "bullettime" if base else Path(tempfile.gettempdir()) / f"bullettime-{os.getuid()}"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = path.lstat()
    if path.is_symlink() or state.st_uid != os.getuid() or state.st_mode & 0o077:
        raise UserError(f"{path} is open to others", "remove it, or set XDG_RUNTIME_DIR to a folder of your own")
    return path


def write(name: str, text: str) -> None:
    """Put a private file (mode 0600) in place of an older one, at once."""
    path = folder() / name
    handle, made = tempfile.mkstemp(dir=path.parent)  # 0600
    with os.fdopen(handle, "w") as file:
        file.write(text)
    os.replace(made, path)


def read(name: str) -> str | None:
    """The text of a file in the folder, or None."""
    try:
        return (folder() / name).read_text()
    except FileNotFoundError:
        return None


def remove(name: str) -> None:
    """Delete a file of the folder, if it is there."""
    (folder() / name).unlink(missing_ok=True)


def server() -> tuple[str, str]:
    """Address and admin token of the control server to use: those of the environment (BULLETTIME_SERVER,
    BULLETTIME_TOKEN), else of the server that this user runs here. Raises UserError when there is none.
    """
    address, token = os.environ.get("BULLETTIME_SERVER"), os.environ.get("BULLETTIME_TOKEN")
    if address and token:
        return address, token
    known = json.loads(read(SERVER) or "{}")
    if not known:
        raise UserError("no server runs", "start one: bullettime serve")
    return address or known["address"], token or known["token"]


def started_server() -> tuple[str, str]:
    """Address and admin token of the control server, started in the background where none runs. Raises UserError."""
    with (folder() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = _alive()
        if known is not None:
            return known
        if os.environ.get("BULLETTIME_SERVER"):
            raise UserError("no server answers at BULLETTIME_SERVER", "start it, or unset the variable")
        log = folder() / "server.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, HOME / "bullettime.py", "serve", "--workers", "1", "--idle-s", str(IDLE_S)],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_S
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
            known = _alive()
            if known is not None:
                return known
        raise UserError(f"the server does not start: {log.read_text()[-2000:]}", "`bullettime doctor` checks")


def _alive() -> tuple[str, str] | None:
    """The known server, if it answers."""
    try:
        address, token = server()
    except UserError:
        return None
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=5)
    try:
        connection.request("GET", "/health")
        return (address, token) if connection.getresponse().status == 200 else None
    except OSError:
        return None
    finally:
        connection.close()
