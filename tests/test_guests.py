"""A user's program or class plays, and what becomes of it is the episode's end, not the run's."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from harness import agents, host, runner
from harness.agents import guest
from harness.errors import Unusable
from harness.host import Order, Said
from harness.wire.client import run_sync
from harness.wire.protocol import Summary
from harness.wire.server import Server
from tests.wire import opened, serving

PROGRAM = """
import json, os, urllib.request
def post(what, **message):
    request = urllib.request.Request(os.environ["BULLETTIME_ADDRESS"] + what, json.dumps(message).encode())
    request.add_header("Authorization", "Bearer " + os.environ["BULLETTIME_SESSION_TOKEN"])
    return json.load(urllib.request.urlopen(request))
assert post("/hello")["hello"]["title"] == "Puck"
post("/begin", look={"frames": 0})
assert post("/act", seq=1, line="key w", look={"frames": 0})["verdict"] == "won"
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def play(server: Server, name: str, limit_s: float = 60, kept: str = "") -> tuple[Summary, Said]:
    """One episode, as a host plays it."""

    async def episode() -> tuple[Summary, Said]:
        place = await opened(server, frames=1, drive="wall")
        task = asyncio.ensure_future(
            host.play(Order(1, name, place.ticket, 5, False, transcript=kept), lambda call: None)
        )
        await asyncio.wait({task}, timeout=limit_s)
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            said = Said(1, lost="hung")
        else:
            said = task.result()
        return await server.end(place.session, said.lost or "given up"), said

    return run_sync(episode())


def test_a_program_plays_over_plain_http(server: Server, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(PROGRAM)
    summary, said = play(server, f"command:{sys.executable} {tmp_path}/agent.py")
    assert (summary.verdict, said) == ("won", Said(1))


def test_a_class_plays(server: Server) -> None:
    summary, said = play(server, "python:tests.guests:Winner")
    assert (summary.verdict, said, len(summary.acts)) == ("won", Said(1), 1)


def test_a_guest_has_no_admin_token(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLETTIME_TOKEN", "secret")
    assert play(server, "python:tests.guests:Curious")[0].verdict == "won"


def test_a_crash_is_a_loss_that_says_why_in_a_line(server: Server) -> None:
    summary, said = play(server, "python:tests.guests:Crasher")
    assert summary.verdict == "lost" and not said.taint
    assert re.fullmatch(r"RuntimeError: no idea \(guests\.py, line \d+\)", said.lost)
    assert "actions: must be a list" in play(server, "python:tests.guests:Numb")[1].lost


def test_what_a_program_writes_is_kept(server: Server, tmp_path: Path) -> None:
    (tmp_path / "agent.sh").write_text("echo seen\necho first >&2\necho 'boom at last' >&2\nexit 3\n")
    _, said = play(server, f"command:sh {tmp_path}/agent.sh", kept=str(tmp_path / "kept"))
    assert said.lost == "ended with status 3: boom at last"
    assert (tmp_path / "kept/stdout.txt").read_text() == "seen\n"
    assert (tmp_path / "kept/stderr.txt").read_text() == "first\nboom at last\n"
    assert play(server, "command:false")[1].lost == "ended with status 1, and wrote nothing to stderr"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("python:nope:Agent", "No module named 'nope'"),
        ("python:tests.guests:Nobody", "no attribute 'Nobody'"),
        ("python:tests.guests:Actless", "has no method act"),
    ],
)
def test_a_class_that_cannot_play_is_refused_before_anything_is_played(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(Unusable, match=why) as refused:
        runner.run(agents=name, suite="smoke", games="rotating_keypad", out=tmp_path / "r")
    assert "python:MODULE:CLASS" in refused.value.mend and not (tmp_path / "r/records").exists()
    guest.require(agents.parse("python:tests.guests:Winner"))


def test_a_program_that_is_not_there_is_to_be_mended(server: Server) -> None:
    _, said = play(server, "command:./no-such-program")
    assert "No such file" in said.problem and not said.lost


def test_what_it_has_started_ends_with_it(server: Server, tmp_path: Path) -> None:
    (tmp_path / "agent.sh").write_text(f"sleep 300 & echo $! > {tmp_path}/pid; sleep 300\n")
    _, said = play(server, f"command:sh {tmp_path}/agent.sh", limit_s=3)
    assert said.lost == "hung"
    child = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 10
    while psutil.pid_exists(child) and psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.05)
