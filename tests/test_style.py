"""Linter, formatter and type checker over the whole tree, as tests, so that one runner counts everything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("tool", ["ruff check", "ruff format --check --diff", "mypy"])
def test_style(tool: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *tool.split(), "."], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
