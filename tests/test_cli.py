"""The root of the command line and the library's face."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

import bullettime
from harness.errors import BadInput, UserError

ROOT = Path(__file__).resolve().parents[1]


def run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "bullettime.py", *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )


def main(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int | str | None:
    """The status that `bullettime test` ends with when the command raises this error."""

    def test() -> None:
        raise error

    app = typer.Typer(add_completion=False)
    app.command("test")(test)
    monkeypatch.setattr(bullettime, "command", lambda name: typer.main.get_command(app))
    monkeypatch.setattr(sys, "argv", ["bullettime", "test"])
    monkeypatch.delenv("BULLETTIME_DEBUG", raising=False)
    with pytest.raises(SystemExit) as ended:
        bullettime.main()
    return ended.value.code


def test_help_is_quick_and_lists_the_commands() -> None:
    seconds = []
    for _ in range(5):
        begun = time.monotonic()
        done = run("--help")
        seconds.append(time.monotonic() - begun)
    assert done.returncode == 0
    assert {"doctor", "test"} <= {line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")}
    assert min(seconds) < 0.5


@pytest.mark.parametrize("name", bullettime.COMMANDS)
def test_every_command_has_help(name: str) -> None:
    if not (ROOT / bullettime.COMMANDS[name].module.replace(".", "/")).with_suffix(".py").exists():
        pytest.skip("not written yet")
    done = run(name, "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Usage: bullettime {name} ")
    assert "Options:" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tset"], "No such command 'tset'. Did you mean 'test'?"),
        (["--nonsense"], "No such option: --nonsense"),
        (["doctor", "--nonsense"], "No such option: --nonsense"),
        (["--games-dir", "/does/not/exist", "doctor"], "'/does/not/exist' does not exist"),
        ([], "Usage: bullettime"),
    ],
)
def test_wrong_use_is_told_plainly(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_version() -> None:
    assert run("--version").stdout == f"bullettime {bullettime.__version__}\n"


def test_user_errors_are_one_line_and_the_mend(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(monkeypatch, UserError("no such file", "Make it first.")) == 2
    assert capsys.readouterr().err == "bullettime: no such file\n  Make it first.\n"


@pytest.mark.parametrize("error", [UserError("no such file", "make it"), BadInput("seed", "is none", "give one")])
def test_errors_cross_processes(error: UserError) -> None:
    other = pickle.loads(pickle.dumps(error))
    assert (type(other), str(other), other.mend, other.__notes__) == (type(error), str(error), error.mend, [error.mend])


def test_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(monkeypatch, KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == ""


def test_faults_of_ours_keep_their_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        main(monkeypatch, ZeroDivisionError())


@pytest.mark.parametrize("hiding", ["games/__init__.py", "harness.py"])
def test_a_folder_of_the_users_that_hides_ours_is_named(tmp_path: Path, hiding: str) -> None:
    (tmp_path / hiding).parent.mkdir(exist_ok=True)
    (tmp_path / hiding).touch()
    program = f"import sys; sys.path[1:1] = [{str(ROOT)!r}]; import bullettime; bullettime.Session"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"bullettime._Hidden: {tmp_path / hiding} hides BulletTime's own")


def test_the_face_is_lazy() -> None:
    program = "import sys, bullettime; print(*(m for m in ('typer', 'numpy', 'games', 'harness') if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
    assert not hasattr(bullettime, "Nonsense")
