"""`bullettime bench`: how fast this machine is, over the real wire, beside what the design asks for."""

from __future__ import annotations

import asyncio
import json as json_format
import random
import statistics
import time
from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

import games as catalogue
from games.kit.world import FIELD_TOP, HEIGHT, TICKS_PER_SECOND, WIDTH
from harness.errors import BadInput
from harness.painter.gl import Painter
from harness.painter.hud import POINTER_TIP
from harness.runner import machine
from harness.session import Session
from harness.stopwatch import LEVEL, time_environments, time_renders, time_ticks
from harness.suite import choose_games
from harness.wire.client import Client, Frame, Seen
from harness.wire.protocol import Format, Open, Opened, Summary
from harness.wire.server import Server

TICK_US = 1_000_000 / TICKS_PER_SECOND
KINDS = ("2d", "3d")
FORMATS: tuple[Format, ...] = ("png", "jpeg")
MOVES, MOVES_PACE_S = 500, 1 / 150  # pointer moves a game and format, and the least time between two
CROWD, CROWD_S, CROWD_PACE_S = 16, 10.0, 0.5  # sessions, how long, and the time between two acts of one
CLOCK_S, CLOCK_PACE_S = 20.0, 0.05
OPENINGS = 12  # sessions opened to time their first frame
TARGETS = {  # key, or its beginning and end around the game's name -> what is asked for, 2D and 3D
    ("rtt_ms.", ".p50"): (4.0, 10.0),
    ("rtt_ms.", ".p99"): (10.0, 20.0),
    ("effect_in_frame", ""): (1.0, 1.0),
    ("concurrent.", ".p50"): (10.0, 16.0),
    ("concurrent.", ".tainted"): (0.0, 0.0),
    ("first_frame_ms.", ""): (30.0, 50.0),
    ("clock.max_error_ticks", ""): (1.0, 1.0),
    ("clock.drift_ms", ""): (1.0, 1.0),
    ("tick_us.median", ""): (20.0, 20.0),
    ("gym_sps.84x84.", ""): (2000.0, 1000.0),
    ("gym_sps.800x600.", ""): (500.0, 150.0),
}
AT_LEAST = ("effect_in_frame", "gym_sps")  # what these figures are asked to reach; all others, not to exceed
UNITS = {
    "rtt_ms": "ms",
    "first_frame_ms": "ms",
    "render_ms": "ms",
    "tick_us": "µs",
    "effect_in_frame": "of frames",
    "concurrent": "ms",
    "gym_sps": "steps/s",
    "gym_cpu_ms": "ms",
}
WIRE = ("rtt_ms", "effect_in_frame", "concurrent", "clock", "first_frame_ms")
GROUPS = (*WIRE, "tick_us", "render_ms", "gym_sps", "gym_cpu_ms")


class Measure(NamedTuple):
    """One figure. target: at most this, at least this for those of AT_LEAST; None where nothing is asked for."""

    key: str
    value: float
    target: float | None

    @property
    def met(self) -> bool:
        if self.target is None:
            return True
        return self.value >= self.target if self.key.startswith(AT_LEAST) else self.value <= self.target


def bench(
    only: Annotated[str, typer.Option(help="Measure only what begins with this, for example rtt_ms.png")] = "",
    games: Annotated[str, typer.Option(help="Names or families; by default all, over the wire one a kind")] = "",
    workers: Annotated[int | None, typer.Option(help="Worker processes; one a core by default", min=1)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object")] = False,
) -> None:
    """Measure the speed of this machine over the real wire. Takes a minute or two; leave the machine alone."""
    if only and not any(only.startswith(group) or group.startswith(only) for group in GROUPS):
        raise BadInput("only", f"nothing begins with {only!r}", f"for example {', '.join(GROUPS)}")
    chosen = choose_games([part.strip() for part in games.split(",")]) if games else []
    measures = list(Bench(only, chosen, workers).run())
    if json:
        told = {"machine": machine(), "measures": {m.key: m.value for m in measures}}
        told["targets"] = {m.key: m.target for m in measures if m.target is not None}
        print(json_format.dumps(told, indent=2))
    else:
        _print_table(Console(highlight=False), measures)


class Bench:
    """The measurements. only: a beginning of the keys wanted. chosen: games, or none for a few of each kind."""

    def __init__(self, only: str, chosen: list[str], workers: int | None) -> None:
        self._only, self._workers = only, workers
        self._all = chosen or catalogue.names()
        self._kind = {name: kind_of(name) for name in self._all}
        few = 100 if chosen else 1
        self._few = [name for kind in KINDS for name in self._of(kind)[:few]]

    def _of(self, kind: str) -> list[str]:
        return [name for name in self._all if self._kind[name] == kind]

    def _wanted(self, key: str) -> bool:
        return key.startswith(self._only) or self._only.startswith(key)

    def run(self) -> Iterable[Measure]:
        """All that is wanted, measured now."""
        figures: dict[str, float] = {}
        if any(self._wanted(group) for group in WIRE):
            figures |= asyncio.run(self._over_the_wire())
        if self._wanted("tick_us"):
            ticks = {name: time_ticks(name) for name in self._all}
            figures |= {f"tick_us.{name}": value for name, value in ticks.items()}
            figures["tick_us.median"] = statistics.median(ticks.values())
        if self._wanted("render_ms"):
            painter = Painter()
            figures |= {f"render_ms.{name}": time_renders(name, painter) for name in self._all}
            painter.close()
        if self._wanted("gym_sps") or self._wanted("gym_cpu_ms"):
            figures |= time_environments(self._all, told=self._only.startswith("gym"))
        for key, value in figures.items():
            if key.startswith(self._only):
                yield Measure(key, round(value, 3), self._target(key))

    def _target(self, key: str) -> float | None:
        for (start, end), pair in TARGETS.items():
            if key.startswith(start) and key.endswith(end):
                game = next((name for name in self._all if f".{name}." in key or key.endswith(f".{name}")), None)
                deep = ".3d" in key or (game is not None and self._kind[game] == "3d")
                return pair[deep]
        return None

    async def _over_the_wire(self) -> dict[str, float]:
        server = Server(self._workers)
        await server.start()
        try:
            figures: dict[str, float] = {}
            if self._wanted("rtt_ms") or self._wanted("effect_in_frame"):
                figures |= await self._round_trips(server)
            if self._wanted("concurrent"):
                for kind in KINDS:
                    if self._of(kind) and self._wanted(f"concurrent.{kind}"):
                        figures |= await _crowd(server, kind, self._of(kind))
            if self._wanted("clock"):
                figures |= await _clock(server, self._few[0])
            if self._wanted("first_frame_ms"):
                for kind in KINDS:
                    if self._of(kind):
                        figures[f"first_frame_ms.{kind}"] = await _first_frame(server, self._of(kind))
            return figures
        finally:
            await server.stop()

    async def _round_trips(self, server: Server) -> dict[str, float]:
        figures: dict[str, float] = {}
        shown = asked = 0
        for format in FORMATS:
            for name in self._few:
                key = f"rtt_ms.{format}.{name}"
                if not (self._wanted(key) or self._wanted("effect_in_frame")):
                    continue
                trips, fresh, right = await _trips(server, name, format)
                figures |= {f"{key}.p50": share(trips, 0.5), f"{key}.p99": share(trips, 0.99)}
                figures[f"{key}.fresh_p50"] = share(fresh, 0.5)
                if format == "png":  # where colours survive
                    shown, asked = shown + right, asked + len(trips)
        if asked:
            figures["effect_in_frame"] = shown / asked
        return figures


def kind_of(name: str) -> str:
    """2d or 3d: whether there is a camera in the picture."""
    return "2d" if Session(name, "rt", LEVEL, "full", 1, keep=0).picture().view is None else "3d"


def share(values: list[float], part: float) -> float:
    """The value that this part of the values does not exceed."""
    return float(np.quantile(values, part)) if values else float("nan")


# -------------------------------------------------------------------------------- over the wire


class Seat:
    """A session and its client, replaced by a new one when the world ends."""

    def __init__(self, server: Server, name: str, seed: int) -> None:
        self._server, self._name, self._seed = server, name, seed
        self._opened: Opened | None = None
        self.client: Client | None = None
        self.summaries: list[Summary] = []

    async def ready(self) -> Client:
        """The client of a world that runs."""
        if self.client is None:
            self._seed += 1
            opening = Open(config=f"{self._name}/rt/{LEVEL}/full", seed=self._seed, frames=1)
            self._opened = await self._server.open(opening)
            self.client = await Client.connect(self._opened.ticket)
            await self.client.begin(frames=0)
        return self.client

    async def act(self, deed: list[dict[str, Any]], **view: Any) -> tuple[Seen, float]:
        """An act and its time in ms, in a world that runs."""
        client = await self.ready()
        began = time.perf_counter()
        seen = await client.act(deed, **view)
        spent = (time.perf_counter() - began) * 1000
        if seen.over:
            await self.leave()
        return seen, spent

    async def leave(self) -> None:
        """End the session and keep its summary."""
        if self.client is not None and self._opened is not None:
            await self.client.close()
            self.summaries.append(await self._server.end(self._opened.session))
            self.client = None


async def _trips(server: Server, name: str, format: Format) -> tuple[list[float], list[float], int]:
    """Times of pointer moves to their pictures in ms, and how many pictures show the pointer where it was sent.

    The second list holds the times of those that were the first in their tick: a player who acts now and then has
    only such, since nothing but the pointer moves within a tick.
    """
    seat, chance = Seat(server, name, 1), random.Random(1)
    trips: list[float] = []
    fresh: list[float] = []
    frames: list[tuple[Frame, int, int]] = []  # looked at in the end: decoding between the moves would delay them
    tick: int | None = 0
    due = time.perf_counter()
    for number in range(MOVES + 20):
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        due = time.perf_counter() + MOVES_PACE_S
        x, y = chance.randrange(5, WIDTH - 20), chance.randrange(FIELD_TOP + 5, HEIGHT - 25)
        seen, spent = await seat.act([{"type": "move", "x": x, "y": y}], format=format)
        if number >= 20 and not seen.over:  # the first ones warm up
            trips.append(spent)
            frames.append((seen.frame, x, y))
            if seen.header.tick != tick:
                fresh.append(spent)
        tick = seen.header.tick
    await seat.leave()
    return trips, fresh, sum(_points_at(*one) for one in frames)


def _points_at(frame: Frame, x: int, y: int) -> bool:
    """Whether the pointer's tip is there in the picture."""
    red, green, blue = (int(value) for value in frame.image[y, x])
    return red << 16 | green << 8 | blue == POINTER_TIP


async def _crowd(server: Server, kind: str, names: list[str]) -> dict[str, float]:
    """Many live sessions at once, each acting at its own pace."""
    trips: list[float] = []
    seats = [Seat(server, names[number % len(names)], 100 * number) for number in range(CROWD)]
    for seat in seats:
        await seat.ready()
    end = time.perf_counter() + CROWD_S

    async def play(seat: Seat, chance: random.Random) -> None:
        await asyncio.sleep(chance.random() * CROWD_PACE_S)
        due = time.perf_counter()
        while due < end:
            x, y = chance.randrange(WIDTH), chance.randrange(FIELD_TOP, HEIGHT)
            _, spent = await seat.act([{"type": "move", "x": x, "y": y}])
            trips.append(spent)
            due = max(due + CROWD_PACE_S, time.perf_counter())
            await asyncio.sleep(max(0.0, due - time.perf_counter()))

    await asyncio.gather(*(play(seat, random.Random(number)) for number, seat in enumerate(seats)))
    for seat in seats:
        await seat.leave()
    summaries = [summary for seat in seats for summary in seat.summaries]
    return {
        f"concurrent.{kind}.p50": share(trips, 0.5),
        f"concurrent.{kind}.p99": share(trips, 0.99),
        f"concurrent.{kind}.tainted": float(sum(bool(summary.taint) for summary in summaries)),
        f"concurrent.{kind}.lateness_p99_ms": max(summary.late_p99_us for summary in summaries) / 1000,
    }


async def _clock(server: Server, name: str) -> dict[str, float]:
    """How far game time is from the time that has passed here, which is known to within a round trip."""
    error_us = drift_us = 0.0
    left = CLOCK_S
    seat = Seat(server, name, 1)
    while left > 0:
        client = await seat.ready()
        best: tuple[float, float] | None = None  # µs of the shortest round trip, and game time minus ours then
        offsets: list[float] = []
        began = time.perf_counter()
        while (passed := time.perf_counter() - began) < left:
            sent = time.perf_counter_ns() / 1000
            seen = await client.look(frames=0)
            got = time.perf_counter_ns() / 1000
            if seen.over:
                break
            game_us = float(seen.header.game_us or 0)
            if best is None or got - sent < best[0]:
                best = got - sent, game_us - (sent + got) / 2
            offsets.append(game_us - (sent + got) / 2)
            error_us = max(error_us, abs(game_us - (sent + got) / 2 - best[1]) - (got - sent) / 2)
            await asyncio.sleep(CLOCK_PACE_S)
        left -= max(passed, CLOCK_PACE_S)
        tenth = max(1, len(offsets) // 10)
        if offsets:
            drift_us = max(drift_us, abs(statistics.median(offsets[-tenth:]) - statistics.median(offsets[:tenth])))
        await seat.leave()
    return {"clock.max_error_ticks": error_us / TICK_US, "clock.drift_ms": drift_us / 1000}


async def _first_frame(server: Server, names: list[str]) -> float:
    """Median ms from the wish for a session to its first picture, on a worker that is up."""
    times = []
    for number in range(OPENINGS):
        began = time.perf_counter()
        opening = Open(config=f"{names[number % len(names)]}/rt/{LEVEL}/full", seed=number)
        opened = await server.open(opening)
        async with await Client.connect(opened.ticket) as client:
            await client.look(frames=1)
            times.append((time.perf_counter() - began) * 1000)
        await server.end(opened.session)
    return statistics.median(times[2:])  # the first ones load the games


def _print_table(console: Console, measures: list[Measure]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("measure", no_wrap=True)
    for column in ("", "asked for", ""):
        table.add_column(column, justify="right")
    for measure in measures:
        unit = UNITS.get(measure.key.split(".")[0], "")
        if measure.key.endswith((".tainted", "lateness_p99_ms")) or measure.key.startswith("clock"):
            unit = "ms" if measure.key.endswith("_ms") else ""
        asked = mark = ""
        if measure.target is not None:
            asked = f"{'≥' if measure.key.startswith(AT_LEAST) else '≤'} {measure.target:g}"
            mark = "[green]ok[/]" if measure.met else "[red]missed[/]"
        table.add_row(measure.key, f"{measure.value:.4g} {unit}".strip(), asked, mark)
    console.print(table)
