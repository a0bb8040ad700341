"""`bullettime test`: the project's own checks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from harness.errors import UserError

ROOT = Path(__file__).resolve().parents[1]


def test(
    arguments: Annotated[list[str] | None, typer.Argument(help="What pytest is given; options after --")] = None,
    fast: Annotated[bool, typer.Option("--fast", help="Leave out the tests marked slow")] = False,
) -> None:
    """Run the project's own checks: style, types and tests, two at a time."""
    if not (ROOT / "tests").is_dir():
        raise UserError("the tests are not installed with the package", "Run this in a clone of the project.")
    command = [sys.executable, "-m", "pytest", "-n", "2", *(["-m", "not slow"] if fast else []), *(arguments or [])]
    raise typer.Exit(subprocess.call(command, cwd=ROOT))
