"""What was played by the clock on the wall is the same again when it is metered by the stamps of its acts' receipts."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest

from clock.tempo import Tempo
from harness.actions import parse_line
from harness.episode import Episode
from harness.session import Configuration, Session
from harness.wire.client import Client, run_sync
from harness.wire.protocol import Summary
from harness.wire.server import Server
from tests.wire import REALTIME, opened, serving

LINES = ("click 400 300", "hold ArrowRight 60", "wait 40", "key ArrowLeft 20; wait 30", "move 100 300; click")
SEED = 7  # of `opened`


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


async def by_the_wall(server: Server, tempo: str, lines: list[str]) -> Summary:
    """Play these acts, some thinking before each; the last wins."""
    chance = random.Random(tempo)
    place = await opened(server, frames=1, drive="wall", tempo=tempo)
    async with await Client.connect(place.ticket) as client:
        await client.begin()
        for line in lines:
            await asyncio.sleep(chance.uniform(0, 0.12))
            await client.act(line)
    return await server.end(place.session)


def metered(summary: Summary, tempo: Tempo, lines: list[str]) -> Session:
    """The same acts, charged with the wall time between their receipts less what the acts themselves took."""
    session = Session(*Configuration.parse(REALTIME), SEED)
    episode = Episode(session, tempo, "metered")
    slowdown = tempo.slowdown or 0
    episode.begin(0)
    before = None
    for act, line in zip(summary.acts, lines, strict=True):
        if before is None:
            wall_us = round(act.game_us * slowdown)  # since begin, which no stamp tells
        else:
            wall_us = act.received - before.received - round((episode.game_us - before.game_us) * slowdown)
        episode.charge(max(0, wall_us))
        assert abs(episode.game_us - act.game_us) <= 2
        episode.act(parse_line(line))
        before = act
    return session


@pytest.mark.parametrize("tempo", ["live", "4x", "16x", "64x", "paused"])
def test_a_wall_run_metered_by_its_stamps_ends_the_same(server: Server, tempo: str) -> None:
    lines = [*random.Random(1).choices(LINES[: 2 if tempo == "64x" else None], k=6), "key w"]
    summary = run_sync(by_the_wall(server, tempo, lines))
    assert not summary.taint and summary.verdict == "won"
    session = metered(summary, Tempo.parse(tempo), lines)
    assert (session.world.verdict, session.digest()) == (summary.verdict, summary.digest_last)
