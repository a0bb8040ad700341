"""Senseless messages against a worker, by the thousand: `python -m tests.fuzz 10000`.

Each must be answered with an error that names a field, or with a clean close, and change nothing; beside it a second
session plays on undisturbed, and the worker neither dies nor grows.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import psutil

from harness.errors import BadInput
from harness.wire.client import Client, run_sync
from harness.wire.protocol import HARD_CAP, MESSAGE_CAP, Ticket, decode
from harness.wire.server import Server
from tests.wire import Wire, felt, opened, serving

SOUND: list[dict[str, Any]] = [
    {"type": "look", "frames": 1, "every_ms": 100, "format": "png", "size": [64, 64]},
    {"type": "act", "seq": 10**9, "line": "click 400 300; wait 100", "look": {"frames": 0}},
    {
        "type": "act",
        "seq": 10**9,
        "coord_space": "px",
        "actions": [
            {"type": "click", "x": 10, "y": 20, "button": "left", "count": 1, "modifiers": ["ArrowRight"]},
            {"type": "drag", "path": [{"x": 1, "y": 2, "ms": 0}, {"x": 3, "y": 4, "ms": 100}], "at_ms": 5},
            {"type": "key", "keys": ["ArrowLeft"], "ms": 50},
            {"type": "scroll", "dx": 0, "dy": 2},
            {"type": "type", "text": "..."},
        ],
        "look": {"frames": 1, "size": [64, 64]},
    },
    {"type": "stream", "fps": 10},
    {"type": "begin", "look": {"frames": 1}},
    {"type": "hello"},
    {"type": "ping", "id": 4},
]
NONSENSE: list[Any] = [
    None,
    True,
    -1,
    0,
    1.5,
    10**30,
    -(10**30),
    1e308,
    2**63,
    "",
    "x" * 5000,
    "\ud83d",
    [],
    [[]],
    {},
    {"a": 1},
]
RAW_NUMBERS = ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "0x10", "01", "1" * 5000]
LINES = ["click", "click x y", "hold", "jump 3", "click 1e999 3", "click nan nan", "wait -5", "key Nope", "; ;", "type"]


@dataclass
class Report:
    """What came of it."""

    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)  # messages that were not answered as they should be
    acts: int = 0  # that had an effect although they were senseless
    neighbour: str = ""  # what the second session suffered
    neighbour_late_us: int = 0  # 99 of 100 of its ticks were less late
    machine_late_us: int = 0  # and the most by which this process overslept meanwhile
    survived: bool = True
    grown_bytes: int = 0  # of the worker's memory, from a fifth of the run to its end
    grown_files: int = 0


def senseless(dice: random.Random) -> bytes:
    """A message that is broken somewhere, most likely."""
    message = json.loads(json.dumps(dice.choice(SOUND)))
    places = list(_places(message))
    kind = dice.randrange(10)
    if kind == 0:
        whole = json.dumps(message).encode()
        return whole[: dice.randrange(len(whole))]
    if kind == 1:
        flipped = bytearray(json.dumps(message).encode())
        for _ in range(dice.randint(1, 5)):
            flipped[dice.randrange(len(flipped))] = dice.randrange(256)
        return bytes(flipped)
    if kind == 2:
        return dice.randbytes(dice.randrange(200))
    if kind == 3:
        return dice.choice([b"[", b'{"a":', b'{"type":"act","seq":1,"actions":[']) * dice.randrange(1, 20_000)
    if kind == 4 and dice.random() < 0.2:
        return json.dumps(message | {"line": "x" * MESSAGE_CAP}).encode()
    if kind == 5:
        return json.dumps(message | {"seq": dice.randint(-5, 5), "line": dice.choice(LINES)}).encode()
    holder, key = dice.choice(places)
    if kind == 6 and isinstance(holder, dict):
        holder[dice.choice(["colour", "seed", "world", "", "x" * 300])] = dice.choice(NONSENSE)
    elif kind == 7:
        holder[key] = "@"
        return json.dumps(message).replace('"@"', dice.choice(RAW_NUMBERS)).encode()
    else:
        holder[key] = dice.choice(NONSENSE)
    return json.dumps(message).encode()


def _places(value: Any) -> Any:
    """Everything in a value that can be replaced: (container, key)."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        yield value, key
        if isinstance(inner, (dict, list)):
            yield from _places(inner)


def has_sense(raw: bytes) -> bool:
    """Whether a message is one after all, as far as the types tell."""
    try:
        decode(raw)
    except BadInput:
        return False
    return True


async def attack(server: Server, count: int, seed: int, report: Report) -> None:
    """Send so many senseless messages over one session's socket, HTTP doors, closed sessions and wrong tokens."""
    dice = random.Random(seed)
    worker = psutil.Process(server.workers()[0]["pid"])
    place = await opened(server, "puck/rt/1/full", drive="metered", tempo="paused")
    closed = await opened(server)
    await server.end(closed.session)
    ticket = Ticket.parse(place.ticket)
    async with aiohttp.ClientSession() as http, Wire(place.ticket) as wire:
        await wire.send({"type": "begin", "look": {"frames": 0}})
        await wire.send({"type": "act", "seq": 5, "line": "wait 1", "look": {"frames": 0}})
        for number in range(count):
            if number == count // 5:
                before = worker.memory_info().rss, worker.num_fds()
            raw = senseless(dice)
            door = dice.random()
            if door < 0.02:
                await _knock(http, ticket, raw, "wrong", 401, report)
            elif door < 0.04:
                await _knock(http, ticket, raw, Ticket.parse(closed.ticket).token, 410, report)
            elif door < 0.10:
                await _knock(http, ticket, raw, ticket.token, 400, report)
            elif door < 0.104:
                await _break_the_socket(dice, wire, report)
            elif door < 0.106:
                await _shout(dice, ticket, report)
            elif door < 0.15:
                act = {"type": "act", "seq": dice.randint(1, 5), "line": "click 400 300"}
                await _say(wire, json.dumps(act).encode(), report)
            else:
                await _say(wire, raw, report)
        await asyncio.sleep(0.2)
        report.grown_bytes = worker.memory_info().rss - before[0]
        report.grown_files = worker.num_fds() - before[1]
    summary = await server.end(place.session)
    report.acts = len(summary.acts) - 1
    report.survived = worker.is_running() and server.workers()[0]["pid"] == worker.pid


async def _say(wire: Wire, raw: bytes, report: Report) -> None:
    reply = await wire.send(raw)
    report.answers["error" if reply.error else reply.type] += 1
    if reply.error is None and not has_sense(raw):
        report.wrong.append(f"accepted: {raw[:200]!r}")
    if reply.error is not None and not (reply.error.field and reply.error.problem and reply.error.mend):
        report.wrong.append(f"{reply.error} for {raw[:200]!r}")


async def _knock(
    http: aiohttp.ClientSession, ticket: Ticket, raw: bytes, token: str, status: int, report: Report
) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    async with http.post(f"{ticket.address}/act", data=raw, headers=headers) as answer:
        report.answers[f"HTTP {answer.status}"] += 1
        expected = {status, 413, 200} if status == 400 else {status}
        if answer.status not in expected or (answer.status != 200 and not (await answer.json())["error"]["field"]):
            report.wrong.append(f"{answer.status} for {raw[:200]!r}")


async def _break_the_socket(dice: random.Random, wire: Wire, report: Report) -> None:
    """What a WebSocket cannot go on after: an absurd length, text that is none."""
    with contextlib.suppress(ConnectionError):  # closed before all of it was sent
        if dice.random() < 0.5:
            await wire.socket.send_bytes(bytes(HARD_CAP + 1))
        else:
            await wire.socket.send_frame(b"\xff\xfe", aiohttp.WSMsgType.TEXT)
    answer = await wire.socket.receive(timeout=20)
    report.answers[f"close {wire.socket.close_code}"] += 1
    if answer.type not in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR):
        report.wrong.append(f"{answer.type} where the socket was broken")
    await wire.socket.close()
    for _ in range(50):  # the worker may not have seen the end of the old one yet
        try:
            wire.socket = await wire.http.ws_connect(f"{wire.address}/session", max_msg_size=0)
            return
        except aiohttp.WSServerHandshakeError:
            await asyncio.sleep(0.02)
    report.wrong.append("the session could not be entered again")


async def _shout(dice: random.Random, ticket: Ticket, report: Report) -> None:
    """Bytes that are not even HTTP."""
    reader, writer = await asyncio.open_connection(ticket.host, ticket.port)
    writer.write(dice.randbytes(dice.randrange(1, 3000)) + b"\r\n\r\n")
    answer = await asyncio.wait_for(reader.read(20), 20)
    report.answers["shouted"] += 1
    if answer and not answer.startswith(b"HTTP/1."):
        report.wrong.append(f"{answer!r} to a shout")
    writer.close()


async def play_beside(server: Server, done: asyncio.Event, report: Report) -> None:
    """The second session: ten acts a second, each of whose replies must show it."""
    place = await opened(server)
    async with await Client.connect(place.ticket) as client:
        await client.begin(frames=0)
        count = 0
        while not done.is_set():
            seen = await client.act("click 400 580", frames=1)
            if seen.over:
                break
            count += 1
            if felt(seen) != count % 30:
                report.neighbour = f"shows {felt(seen)} of {count} acts"
                return
            asleep = time.monotonic()
            await asyncio.sleep(0.1)
            report.machine_late_us = max(report.machine_late_us, round((time.monotonic() - asleep - 0.1) * 1e6))
    summary = await server.end(place.session)
    report.neighbour_late_us = summary.late_p99_us
    if len(summary.acts) != count:
        report.neighbour = f"{len(summary.acts)} of {count} acts"


def fuzz(count: int, seed: int = 0) -> Report:
    """Send so many senseless messages to a worker of its own."""
    report = Report()

    async def both(server: Server) -> None:
        done = asyncio.Event()
        beside = asyncio.ensure_future(play_beside(server, done, report))
        try:
            await attack(server, count, seed, report)
        finally:
            done.set()
            await beside

    with serving() as server:
        run_sync(both(server))
    return report


if __name__ == "__main__":
    outcome = fuzz(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    print(outcome)
    sys.exit(bool(outcome.wrong or outcome.neighbour or not outcome.survived))
