"""The user's own runtime folder: where a server leaves its address and token, and the shell its last tickets."""

import contextlib
import fcntl
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from harness.errors import UserError
from harness.wire.protocol import VERSION

HOME = Path(__file__).resolve().parents[2]
IDLE_S = 900  # a server that was started in the background ends after so long without a session
START_S = 60.0  # for it to start


def identity() -> dict[str, Any]:
    """What a server is. Two that differ may know other games, or the same ones by other rules.

    checkout: a hash of where the code and the user's own games lie.
    """
    own = os.environ.get("BULLETTIME_GAMES_DIR")
    checkout = _hash(f"{HOME}\n{Path(own).resolve() if own else ''}")
    return {"name": "bullettime", "protocol": VERSION, "version": version("bullettime"), "checkout": checkout}


def _hash(text: str) -> str:
    return blake2b(text.encode(errors="surrogateescape"), digest_size=8).hexdigest()


def ticket_file() -> str:
    """Where the shell leaves the last ticket of those who work in the present folder: others have their own."""
    return f"ticket-{_hash(str(Path.cwd()))}"


def server_file() -> str:
    """Where a server of this checkout leaves its address and token."""
    return f"server-{identity()['checkout']}.json"


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Tell the user of a folder that cannot be used. Raises UserError."""
    try:
        yield
    except OSError as error:
        mend = "set XDG_RUNTIME_DIR to a folder of your own"
        raise UserError(f"{error.filename or 'the runtime folder'}: {error.strerror}", mend) from None


def folder() -> Path:
    """The folder, made if need be; nobody else can read it. Raises UserError if it is not ours."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    path = Path(base) / "bullettime" if base else Path(tempfile.gettempdir()) / f"bullettime-{os.getuid()}"
    with _told():
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = path.lstat()
    if path.is_symlink() or state.st_uid != os.getuid() or state.st_mode & 0o077:
        raise UserError(f"{path} is open to others", "remove it, or set XDG_RUNTIME_DIR to a folder of your own")
    return path


def write(name: str, text: str) -> None:
    """Put a private file (mode 0600) in place of an older one, at once. Raises UserError."""
    path = folder() / name
    with _told():
        handle, made = tempfile.mkstemp(dir=path.parent)  # 0600
        with os.fdopen(handle, "w") as file:
            file.write(text)
        os.replace(made, path)


def read(name: str) -> str | None:
    """The text of a file in the folder, or None. Raises UserError."""
    path = folder() / name
    with _told(), contextlib.suppress(FileNotFoundError):
        return path.read_text(errors="replace")
    return None


@contextlib.contextmanager
def _locked(name: str) -> Iterator[None]:
    """Keep other processes out of the block. Raises UserError."""
    path = folder() / name
    with _told():
        lock = path.open("w")
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def claim(address: str, token: str) -> str:
    """Leave address and token of this server to its clients; returns nothing.

    Where another server of this checkout and version has done so and still answers, it stays; returns its address.
    """
    with _locked("claim"):
        known = _left()
        if known is not None and known[0] != address and health(known[0]) == identity():
            return known[0]
        write(server_file(), json.dumps({"address": address, "token": token, "pid": os.getpid()}))
        return ""


def withdraw(address: str) -> None:
    """Take back what `claim` has left, unless it is another server's by now. Raises UserError."""
    with _locked("claim"):
        known = _left()
        if known is not None and known[0] == address:
            (folder() / server_file()).unlink(missing_ok=True)


def _left() -> tuple[str, str] | None:
    """Address and token that a server of this checkout has left, unless they are torn."""
    try:
        known = json.loads(read(server_file()) or "")
        return str(known["address"]), str(known["token"])
    except (ValueError, LookupError, TypeError):
        return None


def server() -> tuple[str, str]:
    """Address and admin token of the control server to use: those of the environment (BULLETTIME_SERVER,
    BULLETTIME_TOKEN), else of the server of this checkout that this user runs. Raises UserError when there is none.
    """
    address, token = os.environ.get("BULLETTIME_SERVER"), os.environ.get("BULLETTIME_TOKEN")
    if address and token:
        return address, token
    known = _left()
    if known is None:
        raise UserError("no server runs", "start one: bullettime serve")
    return address or known[0], token or known[1]


def started_server() -> tuple[str, str]:
    """Address and admin token of the control server, started in the background where none runs. Raises UserError."""
    with _locked("lock"):
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
        raise UserError(
            f"the server does not start: {log.read_text(errors='replace')[-2000:]}", "`bullettime doctor` checks"
        )


def _alive() -> tuple[str, str] | None:
    """The known server, if it answers and is of this checkout and version, or named by the user."""
    try:
        address, token = server()
    except UserError:
        return None
    told = health(address)
    mine = told == identity() or (told and os.environ.get("BULLETTIME_SERVER"))
    return (address, token) if mine else None


def health(address: str) -> dict[str, Any] | None:
    """What a server says that it is (see `identity`), or None when none answers."""
    try:
        with contextlib.closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=5)) as connection:
            connection.request("GET", "/health")
            answer = connection.getresponse()
            return json.loads(answer.read()) if answer.status == 200 else None
    except (OSError, http.client.HTTPException, ValueError):
        return None
