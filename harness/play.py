"""`bullettime play`: a game for people, under the same clock, tempos and rules as for agents, with the same record."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from clock.tempo import Tempo
from games.kit.world import HEIGHT, WIDTH
from harness import actions as a
from harness.agents import HUMAN
from harness.episode import Episode
from harness.errors import BadInput
from harness.film import SIZE, Reel
from harness.painter.gl import Painter
from harness.panels import draw_end, draw_ready
from harness.results.records import (
    Act,
    Ended,
    Results,
    Run,
    Shard,
    Started,
    Verdict,
    begun,
    now,
    plain_journal,
    rules_digest,
)
from harness.runner import RUNS, machine
from harness.session import Configuration, Session
from harness.suite import HUMAN_CAP, Conditions, Grid, Job, Suite, load_suite
from harness.window import Input, Window

FRAME_US = 16_667  # wall time between two pictures
REPLAY_FPS = 30
HELD_MS = 50  # game time that an acting twin passes at a time while something is held


def play(
    config: Annotated[str, typer.Argument(help="game/rt|twin/1..5/simple|full")] = "",
    seed: Annotated[int, typer.Option(help="Which world", min=0)] = 1,
    tempo: Annotated[str, typer.Option(help="live, 4x, 16x, 64x, another slowdown, or paused")] = "live",
    scale: Annotated[float, typer.Option(help="Size of the window; 1 is 800×600", min=0.25, max=4)] = 1.0,
    suite: Annotated[str, typer.Option(help="Play a suite's episodes instead, each once: human20, or a .toml")] = "",
    out: Annotated[Path | None, typer.Option(help="Folder for the records; under runs/ by default")] = None,
) -> None:
    """Play in a window: mouse and keys as they lie. Afterwards R plays it again, N the next world, Esc leaves.

    With --suite one episode follows another, and --out goes on with what is not finished of it there.
    """
    if bool(config) == bool(suite):
        raise BadInput("config", "name a configuration or a suite", "GAME/rt/1/full, or --suite human20")
    plan = load_suite(suite).narrowed(agents=[HUMAN], drive="wall") if suite else None
    what = config.partition("/")[0] or suite
    folder = out or RUNS / f"play-{Path(what).stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    records = Records(folder, plan)
    sittings = _of_suite(plan, folder) if plan else None
    painter = Painter()
    with Window(f"BulletTime: {config or suite}", (WIDTH, HEIGHT), scale, painter) as window:
        for sitting in sittings or _of_one(config, seed, tempo):
            sitting.wish = sitting.run(window)
            if sitting.began:
                records.write(sitting)
            if sitting.wish == "leave":
                break
    painter.close()
    if records.shard is not None:
        records.close()
        print(f"recorded in {folder}: bullettime replay {folder}")


def _of_one(config: str, seed: int, tempo: str) -> Iterator[Sitting]:
    """One configuration, again or with the next seed, as is wished after each. Raises BadInput."""
    configuration = Configuration.parse(config)
    try:
        speed = Tempo.parse(tempo)
    except ValueError as wrong:
        raise BadInput("tempo", str(wrong), "write live, paused, or a slowdown such as 4x") from None
    if configuration.timing == "twin" and speed.name != "live":
        print(f"note: a twin charges no thinking, so --tempo {tempo} changes nothing")
    attempts: dict[int, int] = {}
    while True:
        attempts[seed] = attempts.get(seed, 0) + 1
        sitting = Sitting(configuration, seed, speed, attempts[seed])
        yield sitting
        seed += sitting.wish == "next"


def _of_suite(plan: Suite, folder: Path) -> list[Sitting]:
    """What is not finished of a suite, each once."""
    known = Results.load(folder).outcomes if begun(folder) else {}
    return [
        Sitting(Configuration.parse(job.config), job.seed, Tempo.parse(job.tempo), 1, job.conditions)
        for job in plan.jobs()
        if not (job.key in known and known[job.key].finished)
    ]


def wall_us() -> int:
    """Wall time, monotonic."""
    return time.monotonic_ns() // 1000


class Sitting:
    """One episode with a person before it."""

    def __init__(
        self,
        configuration: Configuration,
        seed: int,
        tempo: Tempo,
        attempt: int,
        conditions: Conditions = Conditions(),  # noqa: B008 (it is frozen)
    ) -> None:
        self.session = Session(*configuration, seed, keep=0, cap=HUMAN_CAP)
        self.episode = Episode(self.session, tempo, "wall", paced=not self.session.realtime)
        shown = tempo.name if self.session.realtime else "live"
        self.job = Job(HUMAN, str(configuration), shown, "wall", seed, conditions)
        self.wish = "next"  # after it
        self.attempt, self.started = attempt, now()
        self.digest_first = self.session.digest()
        self.began = 0  # wall time
        self.acts: list[Act] = []
        self._down: set[str] = set()  # keys and buttons as the world has them
        self._coming: list[a.AnyAction] = []
        self._moved: tuple[float, float] | None = None  # where the mouse has gone since the last act
        self._last_us = 0  # wall time of the last act
        self._told = True  # goal and rules lie over the first picture

    def run(self, window: Window) -> str:
        """Ready, play, verdict. Returns what is wished next: "again", "next" or "leave"."""
        frame_us = wall_us()
        while True:
            for given in window.inputs((self._deadline(frame_us) - wall_us()) // 1000):
                wish = self._take(given)
                if wish:
                    return wish
            due = wall_us() >= frame_us
            self._pass_on(whole=due)
            if due:
                self._show(window)
                frame_us = max(frame_us + FRAME_US, wall_us())

    def _deadline(self, frame_us: int) -> int:
        """When there is something to do: a picture, or a twin that comes to rest while something is held."""
        due = self.episode.due_us() if self._holding() else None
        return frame_us if due is None else min(frame_us, due)

    def _holding(self) -> bool:
        """Whether a person lets an acting twin's time pass by holding something."""
        return bool(
            self.episode.state == "running"
            and self.session.world.twin.kind == "acting"
            and not self.session.realtime
            and self.session.world.hand.held
        )

    # ---------------------------------------------------------------- what the person does

    def _take(self, given: Input) -> str:
        """Note one input; returns a wish that ends the sitting, or nothing."""
        if given.kind == "quit" or given == Input("key", "Escape"):
            return "leave"
        if self.episode.state == "ready":
            if given.kind == "press" or given == Input("key", "Enter"):
                self._begin(given)
            elif given == Input("key", "Tab"):
                self._told = not self._told
        elif self.episode.state == "over":
            return {"KeyR": "again", "KeyN": "next"}.get(given.what, "") if given.kind == "key" else ""
        else:
            self._note(given)
        return ""

    def _begin(self, given: Input) -> None:
        self.began = self._last_us = wall_us()
        self.episode.begin(self.began)
        if given.kind == "press":
            self._moved = (given.x, given.y)

    def _note(self, given: Input) -> None:
        pointer = self.session.mode == "full"
        may_press = self.session.realtime or not self.session.busy  # a lifted hand presses nothing
        if given.kind == "leave":
            self._coming += [self._release(what) for what in sorted(self._down)]
            self._down.clear()
        elif given.kind in ("unkey", "lift") and given.what in self._down:
            self._down.discard(given.what)
            self._coming.append(self._release(given.what, given))
        elif given.kind == "key" and may_press and given.what not in self._down:
            self._down.add(given.what)
            self._coming.append(a.KeyDown(key=given.what))
        elif pointer and given.kind == "press" and may_press:
            self._down.add(given.what)
            self._moved = None
            self._coming.append(a.MouseDown(x=given.x, y=given.y, button=given.what))  # type: ignore[arg-type]
        elif pointer and given.kind == "notch" and may_press:
            self._coming.append(a.Scroll(x=given.x, y=given.y, dy=max(-50, min(50, -given.notches))))
        elif pointer and given.kind == "move":
            self._moved = (given.x, given.y)

    def _release(self, what: str, given: Input | None = None) -> a.AnyAction:
        if what not in ("left", "right", "middle"):
            return a.KeyUp(key=what)
        self._moved = None if given else self._moved
        place = (given.x, given.y) if given else (self.session.world.hand.x, self.session.world.hand.y)
        return a.MouseUp(x=place[0], y=place[1], button=what)  # type: ignore[arg-type]

    def _pass_on(self, *, whole: bool) -> None:
        """Let time pass, then act: presses at once, the mouse's way only with them or in a `whole` act."""
        if self.episode.state != "running":
            return
        self.episode.advance(wall_us())
        if self.session.busy and not self.session.realtime:
            return
        act, self._coming = self._coming, []
        if self._moved and (act or whole):
            act.append(a.Move(x=self._moved[0], y=self._moved[1]))
            self._moved = None
        if self._holding():
            act.append(a.Wait(ms=HELD_MS))
        for start in range(0, len(act), a.MAX_ACTIONS):
            self._act(act[start : start + a.MAX_ACTIONS])

    def _act(self, actions: list[a.AnyAction]) -> None:
        at = wall_us()
        self.episode.receive(at)
        if self.episode.state != "running":
            return
        game_us = self.episode.game_us
        try:
            self.episode.act(actions)
        except BadInput:
            return  # the twin has just begun to move: a lifted hand
        self.acts.append(
            Act(
                episode=self.job.key,
                attempt=self.attempt,
                seq=len(self.acts) + 1,
                game_us=game_us,
                stale_us=None,
                thinking_us=at - self._last_us,
                received=at,
                applied=wall_us(),
            )
        )
        self._last_us = at

    # ---------------------------------------------------------------- what the person sees

    def _show(self, window: Window) -> None:
        self.episode.advance(wall_us())
        running = self.episode.state == "running"
        window.point_at(not (running and self.session.mode == "full" and not self.session.world.hand.lifted))
        picture = self.session.picture()
        if self.episode.state == "ready" and self._told:
            draw_ready(picture, self.session, self.episode.tempo.name)
        elif self.episode.state == "over":
            draw_end(picture, self.session)
        window.show(picture)

    # ---------------------------------------------------------------- what remains

    def verdict(self) -> Verdict:
        """The record of the episode, whether it came to its end or was left."""
        world, episode = self.session.world, self.episode
        while not self.session.realtime and (due := episode.due_us()) is not None:
            episode.advance(due)  # left while the twin moved: it comes to rest unseen
        return Verdict(
            episode=self.job.key,
            attempt=self.attempt,
            job=self.job,
            verdict="won" if world.verdict == "won" else "lost",
            reason=world.reason if world.verdict else "given up",
            progress=world.progress(),
            game_us=episode.game_us,
            ticks=world.tick,
            acts=len(self.acts),
            thinking_us=episode.thinking_us,
            late_max_us=episode.lateness.worst_us,
            wall_us=wall_us() - self.began,
            rules=rules_digest(self.job.game),
            cap=self.job.cap,
            isolation="none",
            digest_first=self.digest_first,
            digest_last=self.session.digest(),
            journal=plain_journal(episode.journal),
        )


class Records:
    """What a person has played, as agents' runs are recorded; nothing is written before there is something."""

    def __init__(self, folder: Path, plan: Suite | None = None) -> None:
        self.folder, self.plan = folder, plan
        self.shard: Shard | None = None

    def write(self, sitting: Sitting) -> None:
        """Record one episode. Raises UserError when the disk is full."""
        job = sitting.job
        if self.shard is None:
            self.shard = Shard(self.folder)
            grid = Grid(
                agents=[HUMAN],
                games=[job.game],
                levels=[job.level],
                modes=[job.mode],  # type: ignore[list-item]
                timings=[job.timing],  # type: ignore[list-item]
                tempos=[job.tempo],
                seeds=[job.seed],
                drive="wall",
            )
            self.shard.write(
                Run(
                    name=self.folder.name,
                    suite=self.plan or Suite(name="play", grids=[grid]),
                    version=version("bullettime"),
                    machine=machine(),
                    rules={game: rules_digest(game) for game in self._games(job.game)},
                    at=sitting.started,
                )
            )
        started = Started(episode=job.key, job=job, attempt=sitting.attempt, at=sitting.started)
        self.shard.write(started, *sitting.acts, sitting.verdict())

    def _games(self, game: str) -> list[str]:
        return sorted({job.game for job in self.plan.jobs()}) if self.plan else [game]

    def close(self) -> None:
        """End the records."""
        if self.shard is not None:
            self.shard.write(Ended(why="finished", at=now()))
            self.shard.close()


def show_again(verdict: Verdict, scale: float = 1.0) -> None:
    """Show a recorded episode in a window, at the speed of game time. Raises UserError without a display."""
    painter = Painter()
    with Window(f"BulletTime: {verdict.job.config}", SIZE, scale, painter) as window:
        due = wall_us()
        for image in Reel(verdict, painter, REPLAY_FPS).images():
            window.show_image(image)
            due += 1_000_000 // REPLAY_FPS
            while (left := due - wall_us()) > 0:
                for given in window.inputs(left // 1000):
                    if given.kind == "quit" or given == Input("key", "Escape"):
                        return
