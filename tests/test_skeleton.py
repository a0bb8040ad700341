"""A new game is whole from its first minute: it lints, plays, is won by its oracle and keeps the contract."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bullettime
import games
from harness.errors import UserError
from harness.tape import oracle_verdict

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of games with a new one in it."""
    monkeypatch.setenv(games.OUTSIDE, str(tmp_path))
    bullettime.command("new-game")(args=["watches/night_watch"], standalone_mode=False)
    games._walk.cache_clear()  # it has been asked before the file was there
    return tmp_path


def test_new_game_is_won_by_its_oracle(outside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "night_watch" in games.names()
    for config in ("rt/1/full", "rt/5/simple", "twin/3/full", "twin/5/simple"):
        won = sum(oracle_verdict(f"night_watch/{config}", seed).verdict == "won" for seed in range(5))
        assert won >= 4, config


def test_new_game_is_clean(outside: Path) -> None:
    config = str(ROOT / "pyproject.toml")
    for path in sorted(outside.rglob("*.py")):
        for tool in (
            ["ruff", "check", "--config"],
            ["ruff", "format", "--check", "--config"],
            ["mypy", "--config-file"],
        ):
            call(*tool, config, str(path))


def test_new_game_keeps_the_contract(outside: Path) -> None:
    call("tests.make_goldens", "night_watch")
    call("pytest", "tests/test_games.py", "-q", "-x", "-p", "no:cacheprovider", "-k", "night_watch")
    assert (outside / "tests" / "goldens" / "night_watch.json").exists()


def call(*module: str) -> None:
    """Run a Python module with its arguments in the clone; it must end well."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", *module]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr


def test_new_game_says_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bullettime.command("new-game")(args=["watches/day_watch", "--games-dir", str(tmp_path)], standalone_mode=False)
    told = capsys.readouterr().out
    assert str(tmp_path / "games" / "watches" / "day_watch.py") in told
    assert f"bullettime --games-dir {tmp_path} play day_watch/rt/1/full" in told
    with pytest.raises(UserError, match="there already"):
        bullettime.command("new-game")(args=["watches/day_watch", "--games-dir", str(tmp_path)], standalone_mode=False)


@pytest.mark.parametrize("name", ["night_watch", "Watches/x", "watches/", "kit/x", "watches/class", "../x/y", "a/b/c"])
def test_names_that_do_not_do(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        bullettime.command("new-game")(args=[name, "--games-dir", str(tmp_path)], standalone_mode=False)
    assert list(tmp_path.iterdir()) == []


def test_names_that_are_taken(tmp_path: Path) -> None:
    name = f"x/{games.names()[0]}"
    with pytest.raises(UserError, match="exists"):
        bullettime.command("new-game")(args=[name, "--games-dir", str(tmp_path)], standalone_mode=False)
