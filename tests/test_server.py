"""Sessions over the wire: what an agent gets, what it cannot get, and what happens when processes die."""

from __future__ import annotations

import asyncio
import base64
import gc
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import cv2
import numpy as np
import psutil
import pytest

from harness.errors import BadInput, UserError
from harness.wire.client import Client, Owner, Seen, SyncClient, run_sync
from harness.wire.live import RATE_CAP
from harness.wire.protocol import Ticket, unpack
from harness.wire.server import Server
from tests.wire import REALTIME, SIMPLE, TINY, TWIN, Wire, felt, opened, playing, serving

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


# ---------------------------------------------------------------- what an agent gets


def test_an_episode(server: Server) -> None:
    async def play() -> None:
        place = await opened(server, frames=2)
        async with await Client.connect(place.ticket) as client:
            hello = await client.hello()
            assert hello["goal"] == "Hit the puck."
            assert hello["screen"] == [800, 600]
            assert "click" in hello["actions"]
            assert hello["gestures"] == ["click", "tap keys", "hold keys"]
            assert "does not wait" in hello["time"]
            first = await client.look()
            await asyncio.sleep(0.1)
            still = await client.look()
            assert first.header.state == "ready"
            assert [first.header.tick, still.header.tick] == [0, 0]
            assert still.frame.bytes == first.frame.bytes
            await client.begin()
            seen = await client.act("click 400 580")
            assert (len(seen.frames), felt(seen)) == (2, 1)
            over = await client.act("key KeyW")
            assert (over.over, over.won, over.header.verdict) == (True, True, "won")
            late = await client.act("click 400 580")
            assert (late.header.too_late, felt(late)) == (True, felt(over))
            assert (await client.end()).header.verdict == "won"
            with pytest.raises(BadInput, match="is closed"):
                await client.look()
        summary = await server.end(place.session)
        assert (summary.verdict, summary.reason, summary.taint) == ("won", "", "")
        assert [act.seq for act in summary.acts] == [1, 2]
        assert all(act.received <= act.applied <= (act.sent or 0) for act in summary.acts)
        assert all(act.stale_us and act.stale_us > 0 for act in summary.acts)
        assert summary.digest_first != summary.digest_last
        assert [entry["actions"][0]["type"] for entry in summary.journal if entry["kind"] == "act"] == ["click", "key"]
        assert summary.infrastructure_us > 0
        with pytest.raises(KeyError):
            await server.end(place.session)

    run_sync(play())


def test_replies_always_show_the_effect(server: Server) -> None:
    async def play(format: str) -> None:
        async with playing(server) as client:
            for count in range(1, 25):
                assert felt(await client.act("click 400 580", frames=1, format=format)) == count

    run_sync(play("png"))
    run_sync(play("jpeg"))


def test_the_wall_moves_the_world(server: Server) -> None:
    async def play() -> None:
        async with playing(server) as client:
            first = await client.look(frames=0)
            await asyncio.sleep(0.5)
            second = await client.look(frames=0)
            a, b = first.header, second.header
            assert a.wall_us and b.wall_us and a.game_us is not None and b.game_us is not None
            assert abs((b.game_us - a.game_us) - (b.wall_us.received - a.wall_us.received)) < 20_000

    run_sync(play())


def test_a_hold_is_answered_at_its_end(server: Server) -> None:
    async def play() -> None:
        async with playing(server) as client:
            seen = (await client.act("hold ArrowRight 300")).header
            assert seen.wall_us and seen.game_us and seen.tick
            assert seen.wall_us.settled - seen.wall_us.received > 280_000
            assert 0 <= seen.game_us - seen.tick * 1_000_000 // 60 < 15_000  # a tick's edge, and the wake-up's delay

    run_sync(play())


def test_a_look_during_an_act_is_answered_first(server: Server) -> None:
    async def play() -> None:
        async with playing(server) as client:
            act = asyncio.ensure_future(client.act("wait 400"))
            await asyncio.sleep(0.05)
            look = await client.look()
            assert not act.done()
            assert (look.header.tick or 0) < ((await act).header.tick or 0)

    run_sync(play())


def test_metered_waits_for_nobody(server: Server) -> None:
    async def play() -> None:
        async with playing(server, drive="metered", tempo="4x") as client:
            started = time.monotonic()
            first = await client.act("wait 5000", frames=0)
            await asyncio.sleep(0.4)
            second = await client.act("click 400 580")
            assert time.monotonic() - started < 2
            a, b = first.header, second.header
            assert a.wall_us and b.wall_us and a.game_us and b.game_us
            assert abs((b.game_us - a.game_us) - (b.wall_us.received - a.wall_us.sent) / 4) < 2
            assert felt(second) == 1

    run_sync(play())


def test_thinking_does_not_hide_behind_large_pictures(server: Server) -> None:
    async def play() -> None:
        async with playing(server, drive="metered", frames=12) as client:
            few = await client.look(frames=1)
            many = await client.look(size=(2560, 1920))
            last = await client.look(frames=0)
            charged = []
            for before, after in ((few, many), (many, last)):
                a, b = before.header, after.header
                assert a.wall_us and b.wall_us and a.game_us is not None and b.game_us is not None
                charged.append((b.game_us - a.game_us, b.wall_us.received - a.wall_us.sent))
            assert charged[0][0] == charged[0][1]
            assert charged[1][0] >= 12 * 102_400 - 1_000_000 > 0

    run_sync(play())


def test_paused_stands_still(server: Server) -> None:
    async def play(drive: str) -> None:
        async with playing(server, tempo="paused", drive=drive) as client:
            seen = await client.act("click 400 580")
            assert (seen.header.game_us, felt(seen)) == (300_000, 1)
            await asyncio.sleep(0.1)
            assert (await client.look()).frame.bytes == seen.frame.bytes

    run_sync(play("wall"))
    run_sync(play("metered"))


def test_a_twin_waits(server: Server) -> None:
    async def play(drive: str) -> None:
        async with playing(server, TWIN, drive=drive) as client:
            await asyncio.sleep(0.1)
            before = await client.look()
            after = await client.act("click 400 580")
            assert (before.header.tick, after.header.tick) == (0, 30)
            assert len(after.frames) == 3

    run_sync(play("wall"))
    run_sync(play("metered"))


def test_simple_mode_refuses_the_pointer(server: Server) -> None:
    async def play() -> None:
        async with playing(server, SIMPLE) as client:
            assert "click" not in (await client.hello())["actions"]
            with pytest.raises(BadInput, match=r"actions\[0\].type"):
                await client.act("click 1 1")
            assert felt(await client.act("key Space")) == 1

    run_sync(play())


def test_sizes_and_formats(server: Server) -> None:
    async def play() -> None:
        async with playing(server) as client:
            for size, format in (((84, 84), "png"), ((1280, 960), "jpeg")):
                seen = await client.look(frames=1, size=size, format=format)
                assert seen.frame.image.shape == (size[1], size[0], 3)
                assert seen.frame.info.format == format
                assert seen.header.screen == (800, 600)
            png = cv2.imdecode(np.frombuffer((await client.look()).frame.bytes, np.uint8), cv2.IMREAD_COLOR)
            assert png is not None and png.std() > 1

    run_sync(play())


def test_coordinate_spaces(server: Server) -> None:
    async def play() -> None:
        async with playing(server) as client:
            assert felt(await client.act([{"type": "click", "x": 500, "y": 970}], coord_space="norm1000")) == 1
            assert felt(await client.act([{"type": "click", "x": 0.5, "y": 0.97}], coord_space="unit")) == 2
            with pytest.raises(BadInput, match="off the screen"):
                await client.act([{"type": "click", "x": 2, "y": 0.5}], coord_space="unit")

    run_sync(play())


def test_stream(server: Server) -> None:
    async def play() -> None:
        frames: list[Seen] = []
        async with playing(server) as client:
            client.on_frame = frames.append
            await client.stream(20)
            assert felt(await client.act("click 400 580")) == 1
            await asyncio.sleep(0.6)
            await client.stream(0)
            count = len(frames)
            assert 2 <= count <= 14
            assert felt(frames[-1]) == 1
            await asyncio.sleep(0.15)
            assert len(frames) <= count + 1  # one may have been on its way
        async with playing(server, drive="metered") as client:
            with pytest.raises(BadInput, match="wall drive"):
                await client.stream(20)

    run_sync(play())


def test_a_session_that_is_refused_tells_the_mend_and_leaves_nothing_open(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("BULLETTIME_SERVER", server.address)
    monkeypatch.setenv("BULLETTIME_TOKEN", server.token)
    for config, condition in (("gong/rt/1/full", {}), (REALTIME, {"tempo": "0.5x"})):
        with pytest.raises(BadInput) as refused:
            SyncClient.open(config, **condition)
        assert refused.value.mend in "".join(traceback.format_exception(refused.value))
    del refused
    gc.collect()
    assert "Unclosed" not in caplog.text


def test_the_synchronous_client(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLETTIME_SERVER", server.address)
    monkeypatch.setenv("BULLETTIME_TOKEN", server.token)
    with SyncClient.open(REALTIME, seed=3) as client:
        client.begin()
        assert felt(client.act("click 400 580")) == 1
        assert client.look().header.state == "running"
        assert client.finish().open.seed == 3


def test_a_client_that_is_cancelled_while_it_leaves_leaves_nothing_open(server: Server) -> None:
    async def play() -> None:
        place = await opened(server)
        client = await Client.connect(place.ticket)
        leaving = asyncio.ensure_future(client.close())
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
        assert leaving.cancelled() and client._http.closed
        await server.end(place.session)

    run_sync(play())


# ---------------------------------------------------------------- over HTTP


def test_http(server: Server) -> None:
    async def play() -> None:
        ticket = Ticket.parse((await opened(server)).ticket)

        async def post(kind: str, body: Any = None, **headers: str) -> aiohttp.ClientResponse:
            data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
            return await http.post(f"{ticket.address}/{kind}", data=data, headers=headers)

        async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {ticket.token}"}) as http:
            assert (await (await post("hello")).json())["hello"]["title"] == "Puck"
            await post("begin")
            reply = await (await post("act", {"seq": 1, "line": "click 400 580"})).json()
            image = cv2.imdecode(np.frombuffer(base64.b64decode(reply["frames"][-1]["data"]), np.uint8), 1)
            assert image is not None and image[590, 790, 0] == 8
            raw = await post("look", Accept="image/png")
            assert raw.content_type == "image/png"
            assert json.loads(raw.headers["X-BulletTime-Reply"])["state"] == "running"
            assert (await raw.read()).startswith(b"\x89PNG")
            header, images = unpack(await (await post("look", Accept="application/octet-stream")).read())
            assert len(images) == len(header.frames) == 3
            assert (await post("act", {"seq": 1, "line": "click 400 580"})).status == 400
            for body in (b"{", b"[]", b"\xff", {"colour": 1}, b"x" * 300_000):
                answer = await post("look", body)
                assert answer.status in (400, 413)
                assert (await answer.json())["error"]["field"]
            assert (await post("dance")).status == 404
            assert (await post("end")).status == 200
            answer = await post("look")
            assert (answer.status, (await answer.json())["error"]["field"]) == (410, "session")

    run_sync(play())


def test_who_may_come_in(server: Server) -> None:
    async def ask() -> None:
        ticket = Ticket.parse((await opened(server)).ticket)
        mine, admin = {"Authorization": f"Bearer {ticket.token}"}, {"Authorization": f"Bearer {server.token}"}
        foreign = {"Origin": "http://evil.example"}
        async with aiohttp.ClientSession() as http:

            async def status(method: str, url: str, headers: dict[str, str]) -> int:
                async with http.request(method, url, headers=headers) as answer:
                    if answer.status >= 400:
                        assert (await answer.json())["error"]["mend"]
                    return answer.status

            look, sessions = f"{ticket.address}/look", f"{server.address}/sessions"
            assert await status("POST", look, mine) == 200
            assert await status("POST", look, mine | {"Origin": server.address}) == 200
            assert await status("POST", look, {}) == 401
            assert await status("POST", look, {"Authorization": "Bearer wrong"}) == 401
            assert await status("POST", look, admin) == 401
            assert await status("POST", look, mine | foreign) == 403
            assert await status("POST", look, mine | {"Host": "evil.example:80"}) == 403
            assert await status("GET", f"{ticket.address}/session", {}) == 401
            assert await status("GET", sessions, admin) == 200
            assert await status("GET", sessions, mine) == 401
            assert await status("GET", sessions, admin | foreign) == 403
            assert await status("GET", f"{server.address}/health", {}) == 200
            assert await status("GET", f"{server.address}/nothing", admin) == 404
            assert await status("DELETE", f"{sessions}/nothing", admin) == 404

    run_sync(ask())


# ---------------------------------------------------------------- refusals


def test_a_replayed_act_changes_nothing(server: Server) -> None:
    async def play() -> None:
        place = await opened(server, tempo="paused")
        async with Wire(place.ticket) as wire:
            act = {"type": "act", "seq": 5, "line": "click 400 580"}
            assert (await wire.send(act)).error  # not begun
            await wire.send({"type": "begin"})
            for good in (act, act | {"seq": 6}):
                assert (await wire.send(good)).state == "running"
            for seq in (6, 5, 1):
                reply = await wire.send(act | {"seq": seq})
                assert reply.error and reply.error.field == "seq"
            assert (await wire.send({"type": "ping"})).seq == 6
        assert len((await server.end(place.session)).acts) == 2

    run_sync(play())


def test_a_bad_batch_has_no_effect(server: Server) -> None:
    async def play() -> None:
        place = await opened(server, tempo="paused")
        async with await Client.connect(place.ticket) as client:
            await client.begin()
            with pytest.raises(BadInput, match=r"actions\[1\].x"):
                await client.act("click 400 580; click 9999 580")
            assert felt(await client.look()) == 0
        assert not (await server.end(place.session)).acts

    run_sync(play())


def test_looks_keep_to_the_condition(server: Server) -> None:
    async def play() -> None:
        async with playing(server, frames=2, every_ms=100) as client:
            for view, field in (({"frames": 3}, "frames"), ({"every_ms": 200}, "every_ms")):
                with pytest.raises(BadInput, match=f"look.{field}"):
                    await client.look(**view)
            assert len((await client.look()).frames) == 2

    run_sync(play())


def test_a_key_that_the_game_does_not_use_is_refused(server: Server) -> None:
    async def play(config: str, keys: str) -> None:
        async with playing(server, config) as client:
            with pytest.raises(BadInput, match="'F1' does nothing in this game") as caught:
                await client.act("hold F1 500")
            assert (caught.value.field, caught.value.mend) == ("actions[0].keys[0]", f"its keys are {keys}")
            assert (await client.act("pass", frames=0)).header.seq == 2

    run_sync(play(REALTIME, "KeyW, KeyL, KeyX, KeyH, ArrowLeft, ArrowRight, Period (pass)"))
    run_sync(play(SIMPLE, "ArrowLeft, ArrowRight, Space, Period (pass)"))


def test_floods_are_refused(server: Server) -> None:
    async def play() -> None:
        async with Wire((await opened(server)).ticket) as wire:
            for _ in range(3 * RATE_CAP):
                await wire.socket.send_str('{"type": "ping"}')
            replies = [await wire.receive() for _ in range(3 * RATE_CAP)]
            refused = [reply.error for reply in replies if reply.error]
            assert 0 < len(refused) < 3 * RATE_CAP
            assert "too many" in refused[0].problem
            await asyncio.sleep(0.1)
            assert not (await wire.send({"type": "ping"})).error

    run_sync(play())


def test_a_client_that_floods_is_told(server: Server) -> None:
    async def play() -> None:
        async with playing(server) as client:
            with pytest.raises(BadInput, match="too many messages"):
                for _ in range(20 * RATE_CAP):
                    await asyncio.wait_for(client.act([{"type": "move", "x": 300, "y": 300}], frames=0), 10)

    run_sync(play())


def test_one_connection_at_a_time(server: Server) -> None:
    async def play() -> None:
        place = await opened(server)
        async with await Client.connect(place.ticket) as client:
            await client.begin()
            await client.act("click 400 580")
            with pytest.raises(BadInput, match="another connection"):
                await Client.connect(place.ticket)
        async with await Client.connect(place.ticket) as client:  # back again, and seq goes on
            assert felt(await client.act("click 400 580")) == 2

    run_sync(play())


@pytest.mark.parametrize(
    ("condition", "field"),
    [
        ({"config": "nothing/rt/1/full"}, "config"),
        ({"config": "puck/rt/9/full"}, "config"),
        ({"tempo": "fast"}, "tempo"),
        ({"paced": True}, "paced"),
        ({"drive": "walls"}, "drive"),
        ({"seed": -1}, "seed"),
        ({"colour": 1}, "colour"),
        ({"idle_s": 0}, "idle_s"),
    ],
)
def test_owners_are_told_what_is_wrong(server: Server, condition: dict[str, Any], field: str) -> None:
    async def ask() -> None:
        async with Owner(server.address, server.token) as owner:
            with pytest.raises(BadInput) as caught:
                await owner.open(**{"config": REALTIME, **condition})
            assert caught.value.field == field

    run_sync(ask())


# ---------------------------------------------------------------- ends


def test_ends_and_their_reasons(server: Server) -> None:
    async def ask() -> None:
        async with Owner(server.address, server.token) as owner:
            idle = await owner.open(REALTIME, idle_s=0.2)
            old = await owner.open(REALTIME, lifetime_s=0.2)
            given_up, ended = await owner.open(REALTIME), await owner.open(REALTIME)
            async with await Client.connect(given_up.ticket) as client:
                assert (await client.end()).header.reason == "given up"
            assert not await owner.ended(ended.session)
            assert await owner.ended(idle.session, wait_s=5)
            assert await owner.ended(old.session, wait_s=5)
            reasons = [(await owner.end(place.session)).reason for place in (idle, old, given_up, ended)]
            assert reasons == ["idle", "lifetime", "given up", "ended by its owner"]
            with pytest.raises(BadInput, match=r"closed \(idle\)"):
                await Client.connect(idle.ticket)

    run_sync(ask())


def test_a_broken_game_taints(server: Server) -> None:
    async def play() -> None:
        place = await opened(server)
        async with await Client.connect(place.ticket) as client:
            await client.begin()
            with pytest.raises(BadInput, match="failed inside"):
                await client.act("key KeyX")
        assert "broken on request" in (await server.end(place.session)).taint
        metered = await opened(server, drive="metered")
        async with await Client.connect(metered.ticket) as client:
            await client.begin()
            with pytest.raises(BadInput, match="failed inside"):
                await client.act("wait 500; key KeyX")
        assert "broken on request" in (await server.end(metered.session)).taint

    run_sync(play())


def test_an_agent_that_withholds_its_pongs_taints_nothing(server: Server) -> None:
    async def play() -> None:
        place = await opened(server)
        ticket = Ticket.parse(place.ticket)
        async with (
            aiohttp.ClientSession(headers={"Authorization": f"Bearer {ticket.token}"}) as http,
            http.ws_connect(f"{ticket.address}/session", autoping=False) as socket,
        ):
            for _ in range(3):
                await socket.send_str('{"type": "ping"}')
                answers = [await socket.receive(), await socket.receive()]
                ping = next(answer for answer in answers if answer.type == aiohttp.WSMsgType.PING)
                await asyncio.sleep(0.6)
                await socket.pong(ping.data)
            await socket.send_str('{"type": "end"}')
            await socket.receive()
        summary = await server.end(place.session)
        assert (summary.taint, summary.ping_median_us is not None and summary.ping_median_us > 500_000) == ("", True)

    run_sync(play())


def test_many_sessions_at_once(server: Server) -> None:
    async def one(number: int) -> str:
        place = await opened(server, seed=number)
        async with await Client.connect(place.ticket) as client:
            await client.begin(frames=0)
            for count in range(1, 4):
                assert felt(await client.act("click 400 580", frames=1)) == count
                await asyncio.sleep(0.2)
        return (await server.end(place.session)).digest_first

    async def all_of_them() -> list[str]:
        return await asyncio.gather(*(one(number) for number in range(12)))

    assert len(set(run_sync(all_of_them()))) == 12


def test_a_dead_worker_is_noticed_and_replaced() -> None:
    async def play(server: Server) -> None:
        first, second = await opened(server), await opened(server)
        async with await Client.connect(first.ticket) as doomed, await Client.connect(second.ticket) as safe:
            await doomed.begin()
            await safe.begin()
            dead = next(w for w in server.workers() if w["port"] == doomed.ticket.port)
            os.kill(dead["pid"], signal.SIGKILL)
            with pytest.raises(UserError, match="the worker died; the session is lost"):
                while True:
                    await doomed.look()
            with pytest.raises(UserError, match=r"no worker answers at .*; the session is lost"):
                await Client.connect(first.ticket)
            summary = await server.ended(first.session, 5)
            assert summary and summary.taint == "worker died"
            assert (await safe.look()).header.state == "running"
        await server.end(second.session)
        for _ in range(200):
            if all(worker["port"] for worker in server.workers()):
                break
            await asyncio.sleep(0.1)
        again = [await opened(server) for _ in range(2)]
        assert len({Ticket.parse(place.ticket).port for place in again}) == 2

    with serving(workers=2) as server:
        run_sync(play(server))


def test_a_server_stops_under_its_agents() -> None:
    async def play(server: Server) -> None:
        place = await opened(server)
        async with await Client.connect(place.ticket) as client:
            await client.begin()
            act = asyncio.ensure_future(client.act("wait 9000"))
            await asyncio.sleep(0.1)
            started = time.monotonic()
            await server.stop()
            assert time.monotonic() - started < 5
            await asyncio.wait((act,), timeout=2)
            assert act.done()
            with pytest.raises(UserError, match="the server has stopped"):
                await client.look()
        summary = await server.ended(place.session)
        assert summary and summary.taint == "server stopped"
        assert len(summary.acts) == 1

    with serving() as server:
        run_sync(play(server))


def test_a_hanging_worker_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(server: Server) -> None:
        place = await opened(server)
        async with await Client.connect(place.ticket) as client:
            await client.begin()
            with pytest.raises(UserError):
                await client.act("key KeyH")
        summary = await server.ended(place.session, 5)
        assert summary and summary.taint == "worker died"

    monkeypatch.setattr("harness.wire.server.HANG_S", 1.0)
    with serving() as server:
        run_sync(play(server))


def test_a_worker_is_not_condemned_for_the_servers_own_standstill(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stand_still() -> None:
        place = server._places[0]
        pid = server.workers()[0]["pid"]
        feeling = asyncio.ensure_future(server._feel(place))
        for _ in range(3):  # the worker is asked
            await asyncio.sleep(0)
        time.sleep(1.0)
        await feeling
        await asyncio.sleep(0.1)
        assert (server.workers()[0]["pid"], place.port > 0) == (pid, True)

    monkeypatch.setattr("harness.wire.server.HANG_S", 0.5)
    run_sync(stand_still())


# ---------------------------------------------------------------- as processes


def environment(folder: Path) -> dict[str, str]:
    folder.mkdir(mode=0o700, exist_ok=True)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("BULLETTIME_")}
    return kept | {"XDG_RUNTIME_DIR": str(folder), "BULLETTIME_GAMES_DIR": str(TINY)}


def gone(processes: list[psutil.Process], seconds: float = 10) -> bool:
    return not psutil.wait_procs(processes, timeout=seconds)[1]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_workers_never_outlive_the_server(tmp_path: Path, end: signal.Signals) -> None:
    command = [sys.executable, str(ROOT / "bullettime.py"), "serve", "--workers", "1", "--json"]
    with subprocess.Popen(command, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdout and server.stderr
        known = json.loads(server.stdout.readline())
        (file,) = (tmp_path / "bullettime").glob("server-*.json")
        assert file.stat().st_mode & 0o777 == 0o600
        assert json.loads(file.read_text())["address"] == known["address"]
        workers = psutil.Process(server.pid).children(recursive=True)
        assert workers
        server.send_signal(end)
        assert server.wait(10) == (-9 if end == signal.SIGKILL else 0)
        assert gone(workers)
        assert b"Traceback" not in server.stderr.read()
        assert file.exists() == (end == signal.SIGKILL)


@pytest.mark.slow
def test_the_shell_plays(tmp_path: Path) -> None:
    def run(*arguments: str, folder: Path = tmp_path) -> Any:
        command = [sys.executable, str(ROOT / "bullettime.py"), *arguments, "--json"]
        done = subprocess.run(command, env=variables, cwd=folder, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr
        return json.loads(done.stdout) if done.returncode == 0 else done.stderr

    variables = environment(tmp_path / "run")
    assert "no session has been opened from this folder" in run("look")
    assert "config: no game" in run("open", "nothing/rt/1/full")
    ticket = run("open", REALTIME, "--seed", "3", "--frames", "2")
    (file,) = (tmp_path / "run" / "bullettime").glob("server-*.json")
    server = json.loads(file.read_text())["pid"]
    processes = [psutil.Process(server), *psutil.Process(server).children(recursive=True)]
    try:
        assert ticket["hello"]["goal"] == "Hit the puck."
        assert ticket["state"] == "ready"
        assert (tmp_path / "frame.png").read_bytes().startswith(b"\x89PNG")
        assert (tmp_path / "frame-1.png").exists()
        acted = run("act", "click 400 580; wait 100", "--out", "after.png", "--frames", "1")
        assert acted["pictures"] == ["after.png"]
        image = cv2.imread(str(tmp_path / "after.png"))
        assert image is not None and image[590, 790, 0] == 8
        assert "off the screen" in run("act", "click 4000 3")
        assert run("act", "click 400 580", "--ticket", ticket["ticket"])["seq"] == 2
        assert run("look")["state"] == "running"
        assert "from this folder" in run("act", "wait 100", folder=tmp_path / "run")  # where somebody else may work
        assert run("close")["verdict"] == "lost"
        assert "is closed" in run("look")
        assert psutil.pid_exists(server)  # for the next one
    finally:
        processes[0].terminate()
        assert gone(processes)


def test_an_unused_server_ends(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "bullettime.py"), "serve", "--workers", "1", "--idle-s", "0.5"]
    done = subprocess.run(command, env=environment(tmp_path), capture_output=True, timeout=30, check=False)
    assert done.returncode == 0


def test_a_taken_port_is_told(server: Server, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "bullettime.py"), "serve", "--port", str(server.port)]
    done = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 2
    assert f"port {server.port}" in done.stderr
