"""The adapters to other people's frameworks, each tested beside its framework in an environment of its own.

The frameworks exclude one another, so none is installed here. What is missing is installed once, into .venv/extras.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
import tomllib
from hashlib import blake2b
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.integrations import need
from harness.integrations.demos import demos

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def python_with(extra: str) -> Path:
    """A Python that has the extra, and below it all that this one has. Skips the test where it cannot be installed."""
    mark = blake2b("\n".join([sys.prefix, sys.version, *EXTRAS[extra]]).encode(), digest_size=6).hexdigest()
    home = Path(sys.prefix) / "extras" / f"{extra}-{mark}"
    home.parent.mkdir(exist_ok=True)
    python, ready = home / "bin/python", home / "ready"
    with home.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            base = getattr(sys, "_base_executable", sys.executable)
            commands: tuple[list[str | Path], ...] = (
                [base, "-m", "venv", "--clear", home],
                [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *EXTRAS[extra]],
            )
            for command in commands:
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:
                    pytest.skip(f"the extra {extra} cannot be installed: {(done.stderr or done.stdout)[-300:]}")
            own = next(path for path in map(Path, sys.path) if path.name == "site-packages")
            packages = next(home.glob("lib/python*/site-packages"))
            packages.joinpath("below.pth").write_text(f"import site; site.addsitedir({str(own)!r})\n")
            ready.touch()
    return python


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("extra", ["gymnasium", "inspect", "mcp"])
def test_beside_the_framework(extra: str) -> None:
    tests = ROOT / f"tests/integrations/with_{extra}.py"
    command: list[str | Path] = [python_with(extra), "-m", "pytest", "-q", "-p", "no:cacheprovider", tests]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", ["json", "no_such_library.part"])
def test_a_missing_extra_is_named(module: str) -> None:
    if module == "json":
        assert need(module, "some").__name__ == "json"
        return
    with pytest.raises(UserError, match="no_such_library is not installed") as missing:
        need(module, "some")
    assert "bullettime[some]" in missing.value.mend


def test_a_command_that_needs_an_extra_says_so(tmp_path: Path) -> None:
    try:
        need("gymnasium", "gymnasium")
    except UserError:
        with pytest.raises(UserError, match="gymnasium is not installed") as missing:
            demos("rotating_keypad/rt/1/full", tmp_path / "x.npz")
        assert "bullettime[gymnasium]" in missing.value.mend
    else:
        pytest.skip("gymnasium is installed here")
