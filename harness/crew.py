"""The engine of a run: episode processes, the server for those who play over the wire, retries, watchdog."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import sys
import time
from collections import deque
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Literal

import msgspec

import games
from clock.tempo import Tempo
from harness import agents
from harness.errors import BadInput, UserError
from harness.results.records import ATTEMPTS, Act, Shard, Started, Taint, Verdict, now, rules_digest
from harness.seat import Answer, OracleOrder, PlayerOrder
from harness.suite import Job, Suite
from harness.wire.pipe import HOME, TOKEN
from harness.wire.protocol import Open, Opened, Summary
from harness.wire.server import Server

START_S = 60.0  # for an episode process to be ready
STARTS = 3  # of a process that dies before it is ready
LEAVE_S = 5.0  # for one to end by itself
LINE_CAP = 1024 * 1024
HUNG = "agent hung"
DIED = "the agent's process ended"  # why a player lost that took its process with it


class SeatDied(Exception):
    """The episode process has gone."""


class Seat:
    """An episode process, started when it is first needed and again after it has died.

    run: the folder of the records, for oracles; a player's process is not told of it.
    """

    def __init__(self, run: Path | None) -> None:
        self._arguments = [] if run is None else [str(run)]
        self._process: asyncio.subprocess.Process | None = None

    async def play(self, order: OracleOrder | PlayerOrder, limit_s: float) -> Answer:
        """Have an episode played, once ready. Raises SeatDied; a process that makes no sense is ended."""
        assert self._process is not None and self._process.stdin is not None
        with contextlib.suppress(ConnectionError):
            self._process.stdin.write(msgspec.json.encode(order) + b"\n")
        try:
            return msgspec.json.decode(await asyncio.wait_for(self._read(), limit_s), type=Answer)
        except TimeoutError:
            await self.kill()
            return Answer(crashed=HUNG)
        except (msgspec.DecodeError, ValueError):
            await self.kill()
            raise SeatDied from None

    async def ready(self) -> None:
        """Start the process unless it is there. Raises UserError."""
        if self._process is not None and self._process.returncode is None:
            return
        for _ in range(STARTS):
            with contextlib.suppress(SeatDied):
                await self._start()
                return
        raise UserError("no episode process starts", "see above; `bullettime doctor` checks this machine")

    async def _start(self) -> None:
        """Start the process. Raises SeatDied, and UserError when it is not ready in time."""
        path = os.pathsep.join(filter(None, (str(HOME), os.environ.get("PYTHONPATH"))))
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "harness.seat", *self._arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={key: value for key, value in os.environ.items() if key != TOKEN} | {"PYTHONPATH": path},
            limit=LINE_CAP,
        )
        try:
            await asyncio.wait_for(self._read(), START_S)
        except TimeoutError:
            await self.kill()
            raise UserError("no episode process is ready in time", "`bullettime doctor` checks this machine") from None

    async def _read(self) -> bytes:
        assert self._process is not None and self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line.endswith(b"\n"):
            await self._process.wait()
            raise SeatDied
        return line

    async def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def stop(self) -> None:
        """Close its input, which ends it."""
        if self._process is None or self._process.returncode is not None:
            return
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), LEAVE_S)
        except TimeoutError:
            await self.kill()


class Crew:
    """Plays jobs on `seats` processes at once. `done` is called for each that is finished."""

    def __init__(self, run: Path, suite: Suite, shard: Shard, seats: int, done: Callable[[Job], None]) -> None:
        self._run, self._suite, self._shard, self._seats, self._done = run, suite, shard, seats, done
        self._server: Server | None = None
        self._queue: deque[tuple[Job, int, int]] = deque()
        self._salt = secrets.token_bytes(16)

    async def work(self, jobs: list[tuple[Job, int, int]]) -> None:
        """Play (job, attempts begun, attempts tainted) to the end. Raises UserError when the run cannot go on."""
        self._queue = deque(jobs)
        if any(not agents.parse(job.agent).oracle for job, _, _ in jobs):
            self._server = Server(min(self._seats, len(jobs)))
            await self._server.start()
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self._seats, len(jobs))):
                    group.create_task(self._occupy(Seat(self._run), Seat(None)))
        except* UserError as problems:
            raise problems.exceptions[0] from None
        finally:
            if self._server is not None:
                await self._server.stop()

    async def _occupy(self, oracles: Seat, players: Seat) -> None:
        """Play one job after another. Players have a process that has never known a world."""
        try:
            while self._queue:
                job, begun, tainted = self._queue.popleft()
                oracle = agents.parse(job.agent).oracle
                taint = await self._attempt(oracles if oracle else players, job, begun + 1)
                if taint:
                    self._shard.write(Taint(episode=job.key, attempt=begun + 1, cause=taint))
                    if tainted + 1 < ATTEMPTS:
                        self._queue.append((job, begun + 1, tainted + 1))
                        continue
                self._done(job)
            await asyncio.gather(oracles.stop(), players.stop())
        finally:
            await asyncio.gather(oracles.kill(), players.kill())

    async def _attempt(self, seat: Seat, job: Job, attempt: int) -> str:
        """Play an episode once; returns why that does not count, if it does not."""
        await seat.ready()
        self._shard.write(Started(episode=job.key, job=job, attempt=attempt, at=now()))
        oracle = agents.parse(job.agent).oracle
        return await (self._privileged if oracle else self._over_the_wire)(seat, job, attempt)

    async def _privileged(self, seat: Seat, job: Job, attempt: int) -> str:
        """An oracle's episode: its seat writes the records."""
        began = time.monotonic_ns()
        try:
            said = await seat.play(OracleOrder(job, attempt), self._limit_s(job))
        except SeatDied:  # and the world with it
            return "worker died"
        if said.problem:
            raise UserError(said.problem, said.mend)
        if said.crashed:
            reason = _lost_by(said)
            summary = Summary(session="", open=self._opening(job), verdict="lost", reason=reason, progress=0.0)
            self._shard.write(self._verdict(job, attempt, summary, began, "none"))
        return said.taint

    async def _over_the_wire(self, seat: Seat, job: Job, attempt: int) -> str:
        """A player's episode: the worker has all that is to be recorded, and alone knows of causes that taint."""
        assert self._server is not None
        began = time.monotonic_ns()
        opened = await self._open(self._server, job)
        if opened is None:
            return "no worker"
        try:
            said = await seat.play(PlayerOrder(job.agent, opened.ticket, self._own_seed(job)), self._limit_s(job))
        except SeatDied:
            said = Answer(crashed=DIED)
        summary = await self._server.end(opened.session, _lost_by(said) or "given up")
        if summary.taint:
            return summary.taint
        self._shard.write(
            *(
                Act(
                    episode=job.key,
                    attempt=attempt,
                    seq=act.seq,
                    game_us=act.game_us,
                    stale_us=act.stale_us,
                    thinking_us=act.thinking_us,
                    received=act.received,
                    applied=act.applied,
                )
                for act in summary.acts
            ),
            self._verdict(job, attempt, summary, began, "process"),
        )
        return ""

    async def _open(self, server: Server, job: Job) -> Opened | None:
        """A session, as soon as a worker is there: one that died is being replaced."""
        for _ in range(int(START_S)):
            with contextlib.suppress(BadInput, ConnectionError, TimeoutError):
                return await server.open(self._opening(job))
            await asyncio.sleep(1.0)
        return None

    def _own_seed(self, job: Job) -> int:
        """Of a player's own chance: the same at each attempt, and no way back to the seed of the world."""
        return int.from_bytes(blake2b(job.key.encode(), key=self._salt, digest_size=6).digest())

    def _limit_s(self, job: Job) -> float:
        """Wall seconds that an episode may take."""
        slowdown = Tempo.parse(job.tempo).slowdown
        played = 0.0 if job.drive == "metered" else float(games.load(job.game).seconds * (slowdown or 1))
        return self._suite.limit_s + 2 * played

    def _opening(self, job: Job) -> Open:
        limit_s = 2 * self._limit_s(job)
        seen = job.conditions
        return Open(
            config=job.config,
            seed=job.seed,
            tempo=job.tempo,
            drive=job.drive,
            frames=seen.frames,
            every_ms=seen.every_ms,
            window_ms=seen.window_ms,
            rulebook=seen.rulebook,
            idle_s=limit_s,
            lifetime_s=limit_s,
        )

    @staticmethod
    def _verdict(
        job: Job, attempt: int, summary: Summary, began: int, isolation: Literal["none", "process"]
    ) -> Verdict:
        return Verdict(
            episode=job.key,
            attempt=attempt,
            job=job,
            verdict=summary.verdict,
            reason=summary.reason,
            progress=summary.progress or 0.0,
            game_us=summary.game_us,
            ticks=summary.ticks,
            acts=len(summary.acts),
            thinking_us=summary.thinking_us,
            infrastructure_us=summary.infrastructure_us,
            late_p99_us=summary.late_p99_us,
            late_max_us=summary.late_max_us,
            ping_median_us=summary.ping_median_us,
            wall_us=(time.monotonic_ns() - began) // 1000,
            rules=rules_digest(job.game),
            isolation=isolation,
            digest_first=summary.digest_first,
            digest_last=summary.digest_last,
            journal=summary.journal,
        )


def _lost_by(said: Answer) -> str:
    """The reason for a loss that an answer means, if any."""
    return said.crashed if said.crashed in ("", HUNG, DIED) else f"agent crashed: {said.crashed}"
