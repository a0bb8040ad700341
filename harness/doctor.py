"""`bullettime doctor`: what this machine has, what it lacks, and how to mend that."""

from __future__ import annotations

import importlib
import json as json_format
import os
import platform
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple

import psutil
import typer

from harness.sandbox.walls import trouble

GIB = 2**30
GRAPHICS_PACKAGES = "libegl1 libgl1 libgl1-mesa-dri"
GRAPHICS_SECONDS = 60  # a driver that hangs must not hang the check
RENDER = """
import json
from games.kit.picture import Picture
from harness.painter.gl import Painter
picture = Picture()
picture.background(0x204080)
picture.disc(400, 300, 100, 0xFFFFFF)
painter = Painter()
frame = painter.render(picture)
assert frame[300, 400].min() > 200 and frame[10, 10].max() < 200, "the picture came out wrong"
print(json.dumps(painter.info()))
"""


class Check(NamedTuple):
    """One finding. A failed check that is not essential only takes one ability away."""

    name: str
    passed: bool
    essential: bool
    found: str
    mend: str = ""


def doctor(json: Annotated[bool, typer.Option("--json", help="Print one JSON object")] = False) -> None:
    """Check this machine, and say how to mend what is missing. Status 1 if something essential is."""
    checks = [check() for check in CHECKS]
    healthy = all(check.passed for check in checks if check.essential)
    if json:
        print(json_format.dumps({"healthy": healthy, "checks": [check._asdict() for check in checks]}, indent=2))
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            mark, colour = _mark(check)
            typer.echo(f"{typer.style(mark, fg=colour)}  {check.name:<{width}}  {check.found}")
            if not check.passed:
                typer.echo(f"{'':{width + 6}}to mend: {check.mend}")
        typer.echo("everything essential is here" if healthy else "something essential is missing")
    raise typer.Exit(0 if healthy else 1)


def _mark(check: Check) -> tuple[str, str]:
    if check.passed:
        return "ok", "green"
    return ("!!", "red") if check.essential else ("--", "yellow")


def _python() -> Check:
    found = f"{platform.python_version()} at {sys.executable}"
    return Check("python", sys.version_info >= (3, 11), True, found, "install Python 3.11 or newer")


def _cores() -> Check:
    count = len(psutil.Process().cpu_affinity())
    mend = "with one core, expect live episodes to be tainted while others run"
    return Check("cores", count > 1, False, f"{count} of {platform.machine()}", mend)


def _memory() -> Check:
    memory = psutil.virtual_memory()
    found = f"{memory.available / GIB:.1f} GiB free of {memory.total / GIB:.1f}"
    return Check("memory", memory.available > GIB, False, found, "free some memory; a worker takes about 0.2 GiB")


def _graphics() -> Check:
    mend = f"sudo apt-get install {GRAPHICS_PACKAGES}"
    try:
        done = subprocess.run(
            [sys.executable, "-c", RENDER],
            capture_output=True,
            text=True,
            timeout=GRAPHICS_SECONDS,
            cwd=Path(__file__).parents[1],
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Check("graphics", False, True, f"no picture within {GRAPHICS_SECONDS} s", mend)
    if done.returncode:
        return Check("graphics", False, True, (done.stderr.strip().splitlines() or ["crashed"])[-1], mend)
    info = json_format.loads(done.stdout)
    return Check("graphics", True, True, ", ".join(str(value) for value in info.values() if value is not None))


def _pictures() -> Check:
    return _imports("png and jpeg", ["isal.isal_zlib", "simplejpeg"], essential=True)


def _films() -> Check:
    check = _imports("films", ["av"], essential=False)
    if not check.passed:
        return check
    codecs = importlib.import_module("av").codecs_available
    return Check("films", "libx264" in codecs, False, "H.264 by libx264", "pip install --force-reinstall av")


def _imports(name: str, modules: list[str], essential: bool) -> Check:
    try:
        for module in modules:
            importlib.import_module(module)
    except ImportError as error:
        return Check(name, False, essential, str(error), f"pip install {' '.join(m.split('.')[0] for m in modules)}")
    return Check(name, True, essential, ", ".join(module.split(".")[0] for module in modules))


def _fonts() -> Check:
    fonts = sorted(path.name for path in (Path(__file__).parent / "painter" / "fonts").glob("*.[ot]tf"))
    return Check("fonts", bool(fonts), True, f"{len(fonts)} fonts", "install BulletTime again: its fonts are gone")


def _display() -> Check:
    found = next((f"{name}={os.environ[name]}" for name in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(name)), "")
    return Check("window", bool(found), False, found or "no display", "only `bullettime play` in a window needs one")


def _ports() -> Check:
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            found = f"127.0.0.1:{server.getsockname()[1]} is free"
            socket.create_connection(server.getsockname(), timeout=2).close()
    except OSError as error:
        return Check("loopback", False, True, str(error), "allow connections to 127.0.0.1")
    return Check("loopback", True, True, found)


def _sandbox() -> Check:
    found = trouble()
    if found is None:
        return Check("sandbox", True, False, "bubblewrap")
    return Check("sandbox", False, False, found[0], f"{found[1]}; agents that run code need it")


CHECKS: list[Callable[[], Check]] = [
    _python,
    _cores,
    _memory,
    _graphics,
    _pictures,
    _films,
    _fonts,
    _display,
    _ports,
    _sandbox,
]
