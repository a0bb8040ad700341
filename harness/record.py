"""`bullettime record`: films of episodes as their oracles play them."""

from __future__ import annotations

import json as json_format
from collections.abc import Iterator
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from harness.errors import UserError
from harness.film import SIZE, Film, Reel, check, ending_cleanly
from harness.painter.gl import Painter
from harness.pool import pool
from harness.results.records import Verdict
from harness.session import Configuration
from harness.suite import load_suite
from harness.tape import oracle_verdict

FPS = 30
GAP = 8  # columns between real time and twin
GAP_COLOUR = 0x20


class Filmed(NamedTuple):
    """A film that has been written, and what it shows."""

    path: str
    config: str
    seed: int
    verdict: str
    reason: str
    seconds: float


def record(
    config: Annotated[str | None, typer.Argument(help="game/rt|twin/1..5/simple|full")] = None,
    seed: Annotated[int, typer.Option(help="Which world", min=0)] = 1,
    out: Annotated[Path | None, typer.Option(help="Film to write; with --suite, a folder")] = None,
    beside_twin: Annotated[bool, typer.Option("--beside-twin", help="Real time left, its twin right")] = False,
    seconds: Annotated[float | None, typer.Option(help="Film at most so many seconds", min=0.1)] = None,
    fps: Annotated[int, typer.Option(help="Frames a second", min=5, max=60)] = FPS,
    suite: Annotated[str | None, typer.Option(help="Film every configuration of a suite, with its first seed")] = None,
    jobs: Annotated[int, typer.Option(help="With --suite: processes", min=1)] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON object a film")] = False,
) -> None:
    """Film an episode as its oracle plays it. Presses show as ripples, keys as caps below the picture."""
    if (config is None) == (suite is None):
        raise UserError("name a configuration or a suite", "for example GAME/rt/3/full, or --suite NAME")
    if config is not None:
        path = out or Path(f"{_name(config, seed)}.mp4")
        films: Iterator[Filmed] = iter([film(config, seed, path, beside_twin=beside_twin, seconds=seconds, fps=fps)])
    else:
        films = _film_suite(str(suite), out or Path("films"), jobs, beside_twin, seconds, fps)
    for each in films:
        if json:
            print(json_format.dumps(each._asdict()), flush=True)
        else:
            told = f"{each.verdict} {each.reason}".strip()
            print(f"{each.path}: {each.seconds:.1f} s of {each.config}, seed {each.seed}, {told}", flush=True)


def film(
    configuration: str,
    seed: int,
    path: str | Path,
    *,
    beside_twin: bool = False,
    seconds: float | None = None,
    fps: int = FPS,
) -> Filmed:
    """Film the oracle at a configuration, with `beside_twin` its sibling too. Raises BadInput, UserError."""
    verdicts = [oracle_verdict(configuration, seed)]
    if beside_twin:
        own = Configuration.parse(configuration)
        verdicts = [oracle_verdict(str(own._replace(timing=timing)), seed) for timing in ("rt", "twin")]
    return film_verdicts(verdicts, path, seconds=seconds, fps=fps)


def film_verdicts(verdicts: list[Verdict], path: str | Path, *, seconds: float | None = None, fps: int = FPS) -> Filmed:
    """Film recorded episodes side by side. Raises UserError."""
    painter = Painter()
    try:
        images = _beside([Reel(verdict, painter, fps).images() for verdict in verdicts])
        width = len(verdicts) * (SIZE[0] + GAP) - GAP
        with ending_cleanly(), Film(path, width, SIZE[1], fps) as file:
            for image in islice(images, None if seconds is None else max(1, round(seconds * fps))):
                file.add(image)
    finally:
        painter.close()
    job, result = verdicts[0].job, verdicts[0]
    return Filmed(str(path), job.config, job.seed, result.verdict, result.reason, check(path).seconds)


def _beside(reels: list[Iterator[np.ndarray]]) -> Iterator[np.ndarray]:
    """Images side by side; the last one of a reel stays until all have ended."""
    if len(reels) == 1:
        yield from reels[0]
        return
    gap = np.full((SIZE[1], GAP, 3), GAP_COLOUR, np.uint8)
    last: list[np.ndarray | None] = [None] * len(reels)
    endless = [chain(reel, repeat(None)) for reel in reels]
    while True:
        images = [next(reel) for reel in endless]
        if not any(image is not None for image in images):
            return
        last = [old if new is None else new for new, old in zip(images, last, strict=True)]
        parts: list[Any] = [part for image in last for part in (image, gap)]
        yield np.hstack(parts[:-1])


def _film_suite(
    suite: str, folder: Path, jobs: int, beside_twin: bool, seconds: float | None, fps: int
) -> Iterator[Filmed]:
    """One film a configuration, in several processes."""
    first: dict[str, int] = {}
    for job in sorted(load_suite(suite).jobs()):
        if not (beside_twin and job.timing == "twin"):
            first.setdefault(job.config, job.seed)
    if not first:
        raise UserError(f"{suite} holds nothing in real time", "leave out --beside-twin")
    with ending_cleanly(), pool(jobs) as processes:
        waiting = [
            processes.submit(
                film,
                config,
                seed,
                folder / f"{_name(config, seed)}.mp4",
                beside_twin=beside_twin,
                seconds=seconds,
                fps=fps,
            )
            for config, seed in first.items()
        ]
        try:
            yield from (each.result() for each in waiting)
        except BaseException:
            processes.shutdown(cancel_futures=True)
            raise


def _name(config: str, seed: int) -> str:
    return f"{config.replace('/', '-')}-{seed}"
