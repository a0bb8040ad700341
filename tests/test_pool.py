"""Processes that share work do not outlive the one that started them."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = """
import os, time
from harness.pool import pool
if __name__ == "__main__":
    with pool(1) as processes:
        print(processes.submit(os.getpid).result(), flush=True)
        processes.submit(time.sleep, 300).result()
"""


def test_they_end_when_it_is_killed(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(PROGRAM)
    parent = subprocess.Popen(
        [sys.executable, str(tmp_path / "work.py")],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 15
    while psutil.pid_exists(child) and psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, "it is still at work"
        time.sleep(0.05)
