"""What of the speed of this machine is measured without a wire: ticks, pictures, steps of environments."""

from __future__ import annotations

import statistics
import time
from importlib import import_module
from importlib.util import find_spec

from harness.errors import UserError
from harness.painter.gl import Painter
from harness.pool import pool
from harness.session import Session

LEVEL = 3
GYM_STEPS = {(84, 84): 1000, (800, 600): 200}  # size of pictures -> steps of an environment that are timed
STEPS, FRAMES = 600, 60  # ticks, and pictures, of a game that are timed


def time_ticks(name: str) -> float:
    """µs of a tick of the idle world."""
    session = Session(name, "rt", LEVEL, "full", 1, keep=0)
    spent = done = 0
    while done < STEPS:
        if session.over:
            session = Session(name, "rt", LEVEL, "full", done, keep=0)
        began = time.perf_counter_ns()
        session.step()
        spent += time.perf_counter_ns() - began
        done += 1
    return spent / done / 1000


def time_renders(name: str, painter: Painter) -> float:
    """Median ms to draw a picture of the running world and render it."""
    session = Session(name, "rt", LEVEL, "full", 1, keep=0)
    times = []
    for _ in range(FRAMES):
        session.step()
        began = time.perf_counter()
        painter.render(session.picture())
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def time_environments(names: list[str], told: bool) -> dict[str, float]:
    """Steps a second of Gymnasium environments, and ms of processor time a step, in a fresh process for each size.

    told: whether they were asked for by name; then it raises UserError without Gymnasium, else it returns nothing.
    """
    if find_spec("gymnasium") is None:
        if told:
            raise UserError("Gymnasium is not installed", "pip install 'bullettime[gymnasium]'")
        return {}
    figures: dict[str, float] = {}
    for size in GYM_STEPS:
        with pool(1) as child:
            for name in names:
                sps, cpu_ms = child.submit(time_steps, name, size).result()
                key = f"{size[0]}x{size[1]}.{name}"
                figures |= {f"gym_sps.{key}": sps, f"gym_cpu_ms.{key}": cpu_ms}
    return figures


def time_steps(name: str, size: tuple[int, int]) -> tuple[float, float]:
    """Steps a second, and ms of processor time a step over all threads, of an environment played by chance."""
    env = import_module("harness.integrations.gym").BulletTimeEnv(name, LEVEL, size=size)
    env.action_space.seed(1)
    env.reset(seed=1)
    count, ended = GYM_STEPS[size], False
    for number in range(-20, count):  # the first ones warm up
        if number == 0:
            began, used = time.perf_counter(), time.process_time()
        if ended:
            env.reset()
        ended = env.step(env.action_space.sample())[2]
    return count / (time.perf_counter() - began), (time.process_time() - used) * 1000 / count
