"""The engine of a run: who plays which episode when, the server for those who play over the wire, retries, limits."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, NamedTuple

import games
from clock.tempo import Tempo
from harness import agents
from harness.agents import Spec
from harness.agents.models.conversation import load_policy
from harness.errors import BadInput, UserError
from harness.gate import Gate
from harness.host import Order, Said
from harness.results.records import ATTEMPTS, Act, Call, Shard, Started, Taint, Verdict, now, rules_digest
from harness.seat import OracleOrder, PlayerOrder
from harness.seats import HUNG, START_S, Died, Host, Seat
from harness.suite import Job, Suite
from harness.wire.protocol import Open, Opened, Summary
from harness.wire.server import Server

AT_ONCE = 8  # episodes of one provider's models under way
GIVEN_UP = "given up"
DIED = "the agent's process ended"  # why a player lost that took its process with it
OWN_WORDS = ("", HUNG, DIED)  # reasons for a loss that need no explanation
LONGEST_S = 604_800.0  # of a session
PATIENT = 5  # niceness of workers without a clock of their own: models are timed on the same cores


class Todo(NamedTuple):
    """A job that is not finished, and its attempts: begun, and of these tainted."""

    job: Job
    begun: int
    tainted: int


class Limits(NamedTuple):
    """What ends a run: money spent on models (USD), calls of models, wall time (s). None: nothing does."""

    cost: float | None = None
    calls: int | None = None
    wall_s: float | None = None


class LimitReached(Exception):
    """A limit of the run. What is under way is not scored; it is played when the run goes on."""


class Ledger:
    """What models have cost so far, call by call."""

    def __init__(self, limits: Limits, spent: Callable[[Call], None]) -> None:
        self._limits, self._spent = limits, spent
        self._calls, self._cost = 0, 0.0
        self._over = asyncio.Event()
        self.reached = ""  # which limit, once there is one

    def note(self, call: Call) -> None:
        """Count a call in."""
        self._spent(call)
        self._calls += 1
        self._cost += call.cost or 0.0
        if self._limits.cost is not None and self._cost >= self._limits.cost:
            self._reach(f"${self._cost:.2f} have been spent, of ${self._limits.cost:g}")
        elif self._limits.calls is not None and self._calls >= self._limits.calls:
            self._reach(f"{self._calls} calls have been made")

    def _reach(self, why: str) -> None:
        self.reached = self.reached or why
        self._over.set()

    async def until_reached(self) -> str:
        """Wait for a limit; returns which."""
        await self._over.wait()
        return self.reached


class Crew:
    """Plays jobs: `seats` processes for oracles and players; of each model's provider `at_once` episodes.

    `done` is called for each job that is finished, `spent` for each call of a model. transcripts: a folder, or None.
    """

    def __init__(
        self,
        run: Path,
        suite: Suite,
        shard: Shard,
        seats: int,
        done: Callable[[Job], None],
        *,
        at_once: int = AT_ONCE,
        limits: Limits | None = None,
        spent: Callable[[Call], None] = lambda call: None,
        transcripts: Path | None = None,
    ) -> None:
        self._run, self._suite, self._shard, self._seats, self._done = run, suite, shard, seats, done
        self._at_once, self._limits, self._spent = at_once, limits or Limits(), spent
        self._transcripts = transcripts
        self._server: Server | None = None
        self._salt = secrets.token_bytes(16)

    async def work(self, jobs: list[Todo]) -> None:
        """Play to the end. Raises UserError when the run cannot go on, and LimitReached."""
        self._ledger = Ledger(self._limits, self._spent)
        wired = sum(not agents.parse(todo.job.agent).oracle for todo in jobs)
        if wired:
            metered = all(todo.job.drive == "metered" for todo in jobs)
            self._server = Server(min(self._seats, wired), nice=PATIENT if metered else 0)
            await self._server.start()
        hosts = [Host() for _ in range(self._seats)]
        try:
            await self._together(self._workers(jobs, hosts))
        finally:
            await asyncio.gather(*(host.stop() for host in hosts))
            if self._server is not None:
                await self._server.stop()

    def _workers(self, jobs: list[Todo], hosts: list[Host]) -> list[Coroutine[Any, Any, None]]:
        """Those who take jobs from a queue: one a seat, and so many for each provider as may play at once."""
        seated, hosted = deque[Todo](), defaultdict[str, deque[Todo]](deque)
        for todo in jobs:
            spec = agents.parse(todo.job.agent)
            (hosted[_provider(spec)] if spec.hosted else seated).append(todo)
        workers = [self._occupy(seated, Seat(self._run), Seat(None)) for _ in range(min(self._seats, len(seated)))]
        for queue in hosted.values():
            gate = Gate(self._at_once)
            most = min(self._at_once, len(queue))
            workers += [self._attend(queue, gate, hosts[number % len(hosts)]) for number in range(most)]
        return workers

    async def _together(self, workers: list[Coroutine[Any, Any, None]]) -> None:
        """Run them all, to the end or to a limit."""
        limit = asyncio.ensure_future(self._until_limit())
        working = asyncio.ensure_future(_all(workers))
        try:
            await asyncio.wait((limit, working), return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                working.result()
            else:
                raise LimitReached(limit.result())
        finally:
            limit.cancel()
            working.cancel()
            await asyncio.gather(limit, working, return_exceptions=True)

    async def _until_limit(self) -> str:
        """Wait until a limit is reached; says which."""
        try:
            return await asyncio.wait_for(self._ledger.until_reached(), self._limits.wall_s)
        except TimeoutError:
            return f"{self._limits.wall_s:g} s have passed"

    # ---------------------------------------------------------------- workers

    async def _occupy(self, queue: deque[Todo], oracles: Seat, players: Seat) -> None:
        """Play one job after another. Players have a process that has never known a world."""
        try:
            while queue:
                todo = queue.popleft()
                if agents.parse(todo.job.agent).oracle:
                    await oracles.ready()
                    taint = await self._privileged(oracles, todo.job, self._begin(todo))
                else:
                    await players.ready()
                    attempt = self._begin(todo)
                    play = partial(self._seated, players, todo.job, attempt)
                    taint = (await self._over_the_wire(todo.job, attempt, play)).taint
                self._end(queue, todo, taint)
            await asyncio.gather(oracles.stop(), players.stop())
        finally:
            await asyncio.gather(oracles.kill(), players.kill())

    async def _attend(self, queue: deque[Todo], gate: Gate, host: Host) -> None:
        """Play one hosted job after another, each when the gate lets it begin."""
        while queue:
            await gate.enter()
            said = Said(0)
            try:
                if queue:
                    todo = queue.popleft()
                    await host.ready()
                    attempt = self._begin(todo)
                    said = await self._over_the_wire(todo.job, attempt, partial(self._hosted, host, todo.job, attempt))
                    self._end(queue, todo, said.taint)
            finally:
                await gate.leave(failed=said.provider, throttled=said.throttled, wait_s=said.wait_s)

    def _begin(self, todo: Todo) -> int:
        """Note that an attempt begins; returns its number."""
        self._shard.write(Started(episode=todo.job.key, job=todo.job, attempt=todo.begun + 1, at=now()))
        return todo.begun + 1

    def _end(self, queue: deque[Todo], todo: Todo, taint: str) -> None:
        """Note that an attempt has ended. A tainted one is made again, later."""
        if taint:
            self._shard.write(Taint(episode=todo.job.key, attempt=todo.begun + 1, cause=taint))
            if todo.tainted + 1 < ATTEMPTS:
                queue.append(Todo(todo.job, todo.begun + 1, todo.tainted + 1))
                return
        self._done(todo.job)

    # ---------------------------------------------------------------- attempts

    async def _privileged(self, seat: Seat, job: Job, attempt: int) -> str:
        """An oracle's episode: its seat writes the records. Returns why it does not count, if it does not."""
        began = time.monotonic_ns()
        try:
            said = await seat.play(OracleOrder(job, attempt), self._limit_s(job))
        except Died:  # and the world with it
            return "worker died"
        if said.problem:
            raise UserError(said.problem, said.mend)
        if said.crashed:
            reason = _lost_by(said.crashed)
            summary = Summary(session="", open=self._opening(job), verdict="lost", reason=reason, progress=0.0)
            self._shard.write(self._verdict(job, attempt, summary, began, "none"))
        return said.taint

    async def _over_the_wire(self, job: Job, attempt: int, play: Callable[[Opened], Awaitable[Said]]) -> Said:
        """Another agent's episode: the worker has all that is to be recorded. Returns how it ended."""
        assert self._server is not None
        began = time.monotonic_ns()
        opened = await self._open(self._server, job, attempt)
        if opened is None:
            return Said(0, taint="no worker")
        said = await play(opened)
        if said.problem:
            raise UserError(said.problem, said.mend)
        summary = await self._server.end(opened.session, said.lost or GIVEN_UP)
        said.taint = summary.taint or said.taint
        if said.lost == HUNG and job.drive == "metered" and attempt < ATTEMPTS:
            said.taint = said.taint or _held_up(summary, (time.monotonic_ns() - began) // 1000)
        if not said.taint:
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
                self._verdict(job, attempt, summary, began, "sandbox" if job.conditions.code else "process"),
            )
        return said

    async def _seated(self, seat: Seat, job: Job, attempt: int, opened: Opened) -> Said:
        """A player's part of it. Whatever it says, it can only have lost."""
        try:
            order = PlayerOrder(job.agent, opened.ticket, self._own_seed(job))
            return Said(0, lost=_lost_by((await seat.play(order, self._limit_s(job, attempt))).crashed))
        except Died:
            return Said(0, lost=DIED)

    async def _hosted(self, host: Host, job: Job, attempt: int, opened: Opened) -> Said:
        """A model's or a guest's part of it: its host knows when its provider has failed."""
        spec = agents.parse(job.agent)
        folder = ""
        if self._transcripts is not None:
            folder = str(self._transcripts / f"{blake2b(job.key.encode(), digest_size=8).hexdigest()}-{attempt}")
        metered, code = job.drive == "metered", job.conditions.code
        order = Order(0, job.agent, opened.ticket, self._own_seed(job), metered, code, folder)

        def note(call: Call) -> None:
            call.episode, call.attempt = job.key, attempt
            self._shard.write(call)
            self._ledger.note(call)

        try:
            said = await host.play(order, self._limit_s(job, attempt), note)
        except Died:
            return Said(0, taint="the host died")
        said.lost = said.lost if spec.model else _lost_by(said.lost)
        return said

    async def _open(self, server: Server, job: Job, attempt: int) -> Opened | None:
        """A session, as soon as a worker is there: one that died is being replaced."""
        for _ in range(int(START_S)):
            with contextlib.suppress(BadInput, ConnectionError, TimeoutError):
                return await server.open(self._opening(job, attempt))
            await asyncio.sleep(1.0)
        return None

    def _own_seed(self, job: Job) -> int:
        """Of a player's own chance: the same at each attempt, and no way back to the seed of the world."""
        return int.from_bytes(blake2b(job.key.encode(), key=self._salt, digest_size=6).digest())

    def _limit_s(self, job: Job, attempt: int = 1) -> float:
        """Wall seconds that an attempt may take. A model's end is that of its calls, each of which has a limit.

        Under metered drive each attempt gets twice the time of the one before, as the machine may be slow.
        """
        spec = agents.parse(job.agent)
        if spec.model:
            policy = load_policy(spec.option("conversation", "default"))
            return min(policy.max_calls * (policy.call_s + 10), LONGEST_S / 2)
        slowdown = Tempo.parse(job.tempo).slowdown
        played = 0.0 if job.drive == "metered" else float(games.load(job.game).seconds * (slowdown or 1))
        patience = 2 ** (min(attempt, ATTEMPTS) - 1) if job.drive == "metered" else 1
        return min(patience * self._suite.limit_s + 2 * played, LONGEST_S / 2)

    def _opening(self, job: Job, attempt: int = 1) -> Open:
        limit_s = 2 * self._limit_s(job, attempt)
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
            thinking="told" if _thinking(job) != "measured" else "measured",
            idle_s=min(limit_s, 86_400),
            lifetime_s=limit_s,
        )

    @staticmethod
    def _verdict(
        job: Job, attempt: int, summary: Summary, began: int, isolation: Literal["none", "process", "sandbox"]
    ) -> Verdict:
        spec = agents.parse(job.agent)
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
            cap=job.cap,
            isolation=isolation,
            surface=spec.surface if spec.model else "",
            thinking=_thinking(job),
            digest_first=summary.digest_first,
            digest_last=summary.digest_last,
            journal=summary.journal,
        )


async def _all(workers: list[Coroutine[Any, Any, None]]) -> None:
    """Run them to the end; the first UserError ends all."""
    try:
        async with asyncio.TaskGroup() as group:
            for worker in workers:
                group.create_task(worker)
    except* UserError as problems:
        raise problems.exceptions[0] from None


def _provider(spec: Spec) -> str:
    """Whose capacity an agent shares: a vendor's, a chat server's, or its own program's."""
    return f"{spec.kind}:{spec.target.partition('#')[0]}" if spec.kind in ("chat", "command", "python") else spec.kind


def _thinking(job: Job) -> Literal["measured", "told", "declared"]:
    """How an episode's thinking is charged: as the worker measures it, by its calls' stamps, or by a declared rate."""
    spec = agents.parse(job.agent)
    if not spec.model or job.drive == "wall":
        return "measured"
    return "declared" if spec.option("rate") else "told"


def _held_up(summary: Summary, wall_us: int) -> str:
    """Why an attempt that did not end in time is no loss yet, where its world needed more time than its agent."""
    needed_us = summary.infrastructure_us
    if 2 * needed_us <= wall_us:
        return ""
    return f"the machine is slow: the world needed {needed_us / 1e6:.0f} of {wall_us / 1e6:.0f} s"


def _lost_by(crashed: str) -> str:
    """The reason for a loss that an agent's end means, if any."""
    return crashed if crashed in OWN_WORDS else f"agent crashed: {crashed}"
