"""Which server a client uses, and what a second server or a broken folder does to that."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.wire import runtime
from harness.wire.server import Server
from tests.wire import serving

ROOT = Path(__file__).resolve().parents[1]
HERE = ("http://127.0.0.1:1", "secret")  # where nobody listens


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    for name in ("BULLETTIME_SERVER", "BULLETTIME_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def test_health_tells_version_and_checkout_but_no_path(server: Server) -> None:
    told = runtime.health(server.address)
    assert told is not None and told.keys() == {"name", "protocol", "version", "checkout"}
    assert str(ROOT) not in json.dumps(told) and len(told["checkout"]) == 16


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"address": "http://[", "token": "x"}', '{"address": 1}', "\xff"]
)
def test_a_torn_file_is_no_server(text: str) -> None:
    runtime.write(runtime.server_file(), "")
    (runtime.folder() / runtime.server_file()).write_text(text, encoding="latin-1")
    assert runtime._alive() is None
    assert runtime.claim(*HERE) == ""
    assert runtime.server() == HERE


@pytest.mark.parametrize("base", ["file", "file/below"])
def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / base))
    for ask in (runtime.server, runtime.started_server, lambda: runtime.claim(*HERE), lambda: runtime.read("ticket")):
        with pytest.raises(UserError, match="file") as caught:
            ask()
        assert "XDG_RUNTIME_DIR" in caught.value.mend


def test_a_server_that_answers_keeps_its_place(server: Server) -> None:
    mine = (server.address, server.token)
    assert runtime.claim(*HERE) == ""  # and it dies
    assert runtime.claim(*mine) == ""
    assert runtime.claim(*mine) == ""
    assert runtime.claim(*HERE) == server.address
    assert runtime._alive() == mine
    runtime.withdraw(HERE[0])
    assert runtime.server() == mine
    runtime.withdraw(server.address)
    with pytest.raises(UserError, match="no server runs"):
        runtime.server()


def test_another_checkout_or_version_is_another_server(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = (server.address, server.token)
    assert runtime.claim(*mine) == ""
    with monkeypatch.context() as patch:
        patch.setattr(runtime, "HOME", Path("/elsewhere"))
        assert runtime.health(server.address) is not None
        with pytest.raises(UserError, match="no server runs"):
            runtime.server()
    told = runtime.identity() | {"version": "0.0.0"}
    with monkeypatch.context() as patch:
        patch.setattr(runtime, "health", lambda address: told)
        assert runtime._alive() is None
        patch.setenv("BULLETTIME_SERVER", server.address)  # whom the user names, the user gets
        assert runtime._alive() == mine
        patch.delenv("BULLETTIME_SERVER")
        assert runtime.claim(*HERE) == ""


def test_a_second_serve_leaves_the_first_its_clients(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bullettime", "serve", "--workers", "1"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout
        address = first.stdout.readline().strip()
        second = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        assert second.returncode == 2 and f"runs already, at {address}" in second.stderr
        assert "Traceback" not in second.stderr
        hidden = [*command, "--idle-s", "0.1"]
        known = os.environ | {"BULLETTIME_TOKEN": "known"}
        third = subprocess.run(hidden, cwd=ROOT, env=known, capture_output=True, text=True, timeout=60, check=False)
        assert third.returncode == 0 and third.stdout.startswith("http")
        assert runtime.server()[0] == address
        first.send_signal(signal.SIGTERM)
        assert first.wait(20) == 0
    with pytest.raises(UserError, match="no server runs"):
        runtime.server()
