"""The bootstrap script: with a stand-in for uv, and (slow) for real in a fresh clone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from harness.doctor import GRAPHICS_PACKAGES

ROOT = Path(__file__).resolve().parents[1]

UV = f"""#!/usr/bin/env bash
# Stands in for uv: makes a .venv whose command prints its arguments.
echo "$*" >>"$UV_LOG"
if [ "$1" = venv ]; then mkdir -p .venv/bin && ln -s {sys.executable} .venv/bin/python; fi
if [ "$2" = sync ]; then sleep "${{UV_SLEEP:-0}}"; [ -z "${{UV_FAILS:-}}" ] || exit 1; fi
if [ "$2" = install ]; then
    printf '#!/bin/sh\\necho "ran $PWD:" "$@"\\n' >.venv/bin/bullettime && chmod +x .venv/bin/bullettime
fi
"""


class Clone:
    """A folder with the script and a lock, and the environment to run the script in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "a clone"
        self.folder.mkdir()
        shutil.copy(ROOT / "bullettime", self.folder)
        (self.folder / "requirements.lock").write_text("numpy==2.0\n")
        tools = folder / "tools"
        tools.mkdir()
        for name, text in {"uv": UV, "apt-get": "#!/bin/sh\nexit 1\n"}.items():
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        self.log = folder / "uv.log"
        self.env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "UV_LOG": str(self.log)}

    def start(self, *arguments: str, script: Path | None = None, **env: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [script or self.folder / "bullettime", *arguments],
            cwd="/",
            env={**self.env, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, script: Path | None = None, **env: str) -> tuple[int, str, str]:
        process = self.start(*arguments, script=script, **env)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def made(self) -> int:
        """How often a .venv was made."""
        return self.log.read_text().count("venv ") if self.log.exists() else 0


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_first_use_makes_the_environment_and_later_uses_only_run(clone: Clone, tmp_path: Path) -> None:
    code, out, err = clone.run("look", "a b")
    assert (code, out) == (0, "ran /: look a b\n")
    assert "making .venv" in err
    link = tmp_path / "link"
    link.symlink_to(clone.folder / "bullettime")
    assert clone.run("doctor", script=link) == (0, "ran /: doctor\n", "")
    assert clone.made() == 1


def test_made_again_when_the_lock_changes_or_the_folder_moves(clone: Clone) -> None:
    clone.run()
    (clone.folder / "requirements.lock").write_text("numpy==2.1\n")
    clone.run()
    assert clone.made() == 2
    clone.folder = clone.folder.rename(clone.folder.with_name("moved"))
    clone.run()
    assert clone.made() == 3


def test_failed_first_use_is_told_and_mended_by_the_next(clone: Clone) -> None:
    code, out, _ = clone.run(UV_FAILS="1")
    assert code != 0
    assert not out
    assert clone.run("x")[:2] == (0, "ran /: x\n")


def test_killed_first_use_is_mended_by_the_next(clone: Clone) -> None:
    process = clone.start(UV_SLEEP="60")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not (clone.log.exists() and "sync" in clone.log.read_text()):
        time.sleep(0.02)
    os.killpg(process.pid, 9)
    process.communicate(timeout=20)
    assert clone.run("x")[:2] == (0, "ran /: x\n")


def test_first_uses_at_once_make_one_environment(clone: Clone) -> None:
    started = [clone.start(str(number), UV_SLEEP="0.5") for number in range(4)]
    for number, process in enumerate(started):
        assert process.communicate(timeout=60)[0] == f"ran /: {number}\n"
    assert clone.made() == 1


def test_names_the_same_packages_as_the_doctor() -> None:
    assert f'"{GRAPHICS_PACKAGES}"' in (ROOT / "bullettime").read_text()


def test_lock_fits_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lock = (ROOT / "requirements.lock").read_text()
    pins = dict(re.findall(r"^([a-z0-9-]+)==([^ ;]+)", lock, re.MULTILINE))
    for wanted in map(Requirement, project["dependencies"] + project["optional-dependencies"]["dev"]):
        assert wanted.specifier.contains(pins[wanted.name]), f"lock again: {wanted} against {pins[wanted.name]}"
    assert "//" not in lock, "the lock names no host"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_fresh_clone(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
    done = subprocess.run([clone / "bullettime", "doctor"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"at {clone}/.venv/bin/python" in done.stdout
