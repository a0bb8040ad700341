"""Runs come to their end whatever dies, and go on where they were stopped."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
import typer
from rich.console import Console

from harness import crew, runner
from harness.crew import Crew, Limits, Todo
from harness.errors import UserError
from harness.results.records import ATTEMPTS, Ended, Results, Run, Shard, Started, Verdict, read_events
from harness.seat import Answer, PlayerOrder
from harness.suite import Grid, Suite
from harness.wire.protocol import Open

ROOT = Path(__file__).resolve().parents[1]
ODD = Path(__file__).parent / "odd"
FAIR, SLOW, CRASH, BROKEN, HANG = 1, 2, 3, 4, 5  # levels of the bell
WAIT_S = 60


def start(*options: Any, **environment: str) -> subprocess.Popen[str]:
    """`bullettime run` with these options, over the odd game."""
    command = [sys.executable, "-m", "bullettime", "run", *map(str, options)]
    odd = {"BULLETTIME_GAMES_DIR": str(ODD), **environment}
    return subprocess.Popen(
        command, cwd=ROOT, env=os.environ | odd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(process: subprocess.Popen[str], status: int = 0) -> tuple[str, str]:
    """What it printed, once it has ended with this status."""
    out, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == status, err
    return out, err


def run(folder: Path, *options: Any, status: int = 0, **environment: str) -> tuple[str, str]:
    """A whole run of the odd game into the folder."""
    return finish(start("--games", "bell", "--out", folder, *options, **environment), status)


def outcomes(folder: Path) -> dict[str, Any]:
    return Results.load(folder).outcomes


def wait_for(what: Callable[[], Any]) -> Any:
    """The first true value of what()."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        if found := what():
            return found
        time.sleep(0.02)
    raise TimeoutError


def events(folder: Path, kind: type) -> list[Any]:
    return [event for event in read_events(folder) if isinstance(event, kind)]


def parts(process: subprocess.Popen[str], module: str) -> list[psutil.Process]:
    """The process's children that run a module."""
    found = []
    for child in psutil.Process(process.pid).children():
        try:
            if module in child.cmdline():
                found.append(child)
        except psutil.Error:
            pass
    return found


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("BULLETTIME_GAMES_DIR", str(ODD))
    yield


# -------------------------------------------------------------------------------- runs


def test_a_run_leaves_records_tables_and_a_report(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    options = (
        "--agents",
        "oracle,oracle@1s,idle,random",
        "--levels",
        FAIR,
        "--tempos",
        "live,paused",
        "--seeds",
        "1-2",
    )
    out, _ = run(folder, "--suite", "smoke", *options, "--json")
    told = json.loads(out)
    assert told["finished"] and told["episodes"] == told["scored"] == 4 * 3 * 2 and told["tainted"] == 0
    rates = {(row["agent"], row["tempo"]): (row["won"], row["played"]) for row in told["rates"]}
    assert rates["oracle", "live"] == rates["oracle@1s", "twin"] == (2, 2)
    assert rates["oracle@1s", "live"] == rates["idle", "live"] == rates["idle", "twin"] == (0, 2)
    for name in ("report.html", "episodes.csv", "pass_rates.csv", "film.mp4"):
        assert (folder / name).stat().st_size > 100
    first, *_, last = read_events(folder)
    assert isinstance(first, Run) and first.rules.keys() == {"bell"} and first.machine["cores"]
    assert events(folder, Ended)[-1].why == "finished" and last
    played = {event.job.agent: event for event in events(folder, Verdict)}
    assert played["oracle"].isolation == "none" and played["idle"].isolation == "process"
    assert played["idle"].reason in ("time", "acts") and played["idle"].thinking_us > 0
    for key, outcome in outcomes(folder).items():
        assert len(outcome.acts) == outcome.verdict.acts, key

    _, err = run(folder, status=2)
    assert "--resume" in err

    before = {path: path.read_bytes() for path in (folder / "records").iterdir()}
    finish(start("--resume", folder))
    assert all(path.read_bytes() == text for path, text in before.items())
    assert not [
        event
        for path in (folder / "records").iterdir()
        if path not in before
        for event in [path.read_text()]
        if "verdict" in event
    ]


@pytest.mark.parametrize("how", [KeyboardInterrupt, SystemExit])
def test_ctrl_c_during_the_film_keeps_the_report(
    tmp_path: Path,
    odd: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    how: type[BaseException],
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        assert (tmp_path / "r/report.html").exists()
        raise how

    monkeypatch.setattr(runner, "film", interrupted)
    with pytest.raises(typer.Exit) as ended:
        runner.run(
            agents="oracle", suite="smoke", games="bell", levels="1", timings="rt", tempos="live", out=tmp_path / "r"
        )
    assert ended.value.exit_code == 130 and f"bullettime run --resume {tmp_path / 'r'}" in capsys.readouterr().err


def test_two_runs_do_not_share_a_folder(tmp_path: Path, odd: None) -> None:
    grid = Grid(agents=["oracle"], games=["bell"], levels=[1], seeds=[1])
    with Shard(tmp_path) as shard:
        shard.write(Run(name="", suite=Suite(grids=[grid]), version="", machine={}, rules={}, at=""))
    with runner.alone_in(tmp_path), pytest.raises(UserError, match="another run is at work"):
        runner.run(resume=tmp_path)


@pytest.mark.slow
def test_faults_are_told_apart(tmp_path: Path) -> None:
    suite = tmp_path / "faults.toml"
    suite.write_text(
        f"limit_s = 2\n[[grids]]\nagents = ['oracle']\nlevels = [{CRASH}, {BROKEN}, {HANG}]\n"
        "timings = ['rt']\ntempos = ['live']\nseeds = [1]\n"
    )
    run(tmp_path / "r", "--suite", suite)
    by_level = {outcome.job.level: outcome for outcome in outcomes(tmp_path / "r").values()}
    assert by_level[CRASH].verdict.verdict == "lost" and "a lost oracle" in by_level[CRASH].verdict.reason
    assert by_level[HANG].verdict.verdict == "lost" and "hung" in by_level[HANG].verdict.reason
    assert by_level[BROKEN].tainted and len(by_level[BROKEN].taints) == ATTEMPTS
    assert "a broken rule" in by_level[BROKEN].taints[0].cause
    page = (tmp_path / "r/report.html").read_text()
    assert "all lost" in page and "a broken rule" in page


@pytest.mark.slow
def test_a_player_that_does_not_end_has_lost(tmp_path: Path) -> None:
    suite = tmp_path / "short.toml"
    suite.write_text("limit_s = 0.01\n[[grids]]\nagents = ['idle']\nlevels = [1]\ntimings = ['twin']\nseeds = [1, 2]\n")
    run(tmp_path / "r", "--suite", suite)
    assert {outcome.verdict.reason for outcome in outcomes(tmp_path / "r").values()} == {"agent hung"}


@pytest.mark.parametrize(("share", "causes"), [(0.4, 0), (0.7, ATTEMPTS - 1)])
def test_time_that_the_world_needed_is_not_held_against_an_agent(
    tmp_path: Path, odd: None, monkeypatch: pytest.MonkeyPatch, share: float, causes: int
) -> None:
    end = crew.Server.end

    async def slow(self: Any, *rest: Any) -> Any:
        summary = await end(self, *rest)
        summary.infrastructure_us = round(share * 1e6 * (time.monotonic() - began[-1]))
        return summary

    began: list[float] = []
    opened = crew.Server.open

    async def noted(self: Any, opening: Any) -> Any:
        began.append(time.monotonic())
        return await opened(self, opening)

    monkeypatch.setattr(crew.Server, "end", slow)
    monkeypatch.setattr(crew.Server, "open", noted)
    name = "command:sleep 30"
    grid = Grid(agents=[name], games=["bell"], levels=[1], timings=["rt"], tempos=["paused"], seeds=[1])
    plan = Suite(grids=[grid], limit_s=0.5)
    with Shard(tmp_path) as shard:
        shard.write(Run(name="", suite=plan, version="", machine={}, rules={}, at=""))
        asyncio.run(Crew(tmp_path, plan, shard, 1, lambda job: None).work([Todo(job, 0, 0) for job in plan.jobs()]))
    (outcome,) = outcomes(tmp_path).values()
    assert len(outcome.taints) == causes and outcome.verdict.reason == "agent hung"
    assert outcome.verdict.wall_us > 500_000 * 2**causes  # each attempt had twice the time of the one before
    assert all("the machine is slow" in taint.cause for taint in outcome.taints)


SLOWLY = ("--suite", "smoke", "--agents", "oracle", "--levels", SLOW, "--timings", "rt", "--tempos", "live")


@pytest.mark.slow
def test_a_long_run_reports_on_the_way(tmp_path: Path, odd: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "FIRST_REPORT_S", 1.0)
    reports: list[Path] = []
    reported = runner._report_apart
    monkeypatch.setattr(runner, "_report_apart", lambda folder: reports.append(reported(folder)))
    grid = Grid(agents=["oracle"], games=["bell"], levels=[SLOW], timings=["rt"], seeds=list(range(1, 9)))
    said = io.StringIO()
    how = runner.How(1, 1, Limits(), transcripts=False)
    assert runner.play(tmp_path, Suite(grids=[grid]), {}, how, Console(file=said)) == runner.FINISHED
    assert reports and "report so far:" in said.getvalue()
    assert "oracle" in reports[0].read_text()


@pytest.mark.slow
def test_ctrl_c_stops_cleanly_and_resume_plays_the_rest(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    process = start("--games", "bell", *SLOWLY, "--seeds", "1-8", "--out", folder)
    wait_for(lambda: (folder / "records").exists() and len(events(folder, Verdict)) >= 2)
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGINT)
    _, err = finish(process, status=130)
    assert f"bullettime run --resume {folder}" in err and "Traceback" not in err
    assert not psutil.wait_procs(children, timeout=5)[1]
    assert events(folder, Ended)[-1].why == "interrupted"
    done = {event.episode for event in events(folder, Verdict)}
    assert 2 <= len(done) < 8

    finish(start("--resume", folder))
    verdicts = Counter(event.episode for event in events(folder, Verdict))
    assert len(verdicts) == 8 and set(verdicts.values()) == {1}
    starts = Counter(event.episode for event in events(folder, Started))
    assert all(starts[episode] == 1 for episode in done)
    assert len({(event.episode, event.attempt) for event in events(folder, Started)}) == starts.total()


@pytest.mark.slow
def test_a_killed_run_leaves_no_process_and_goes_on(tmp_path: Path, odd: None) -> None:
    folder = tmp_path / "r"
    process = start("--games", "bell", *SLOWLY, "--seeds", "1-4", "--out", folder)
    wait_for(lambda: (folder / "records").exists() and events(folder, Verdict))
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate()
    assert not psutil.wait_procs(children, timeout=10)[1]
    moved = folder.rename(tmp_path / "elsewhere")
    finish(start("--resume", moved))
    results = Results.load(moved)
    assert not results.open_jobs() and len(results.outcomes) == 4


@pytest.mark.slow
def test_an_episode_whose_process_is_killed_runs_again(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    process = start("--games", "bell", *SLOWLY, "--seeds", "1-3", "--jobs", "1", "--out", folder)
    wait_for(lambda: (folder / "records").exists() and events(folder, Verdict))
    parts(process, "harness.seat")[0].kill()
    finish(process)
    results = Results.load(folder)
    assert all(outcome.won for outcome in results.outcomes.values()) and len(results.outcomes) == 3
    assert [taint.cause for outcome in results.outcomes.values() for taint in outcome.taints] == ["worker died"]


SEED = 987_654_321_012


def player_order(folder: Path) -> tuple[PlayerOrder, list[str]]:
    """What a player's process is told in a run, and the command that started it."""
    told: list[Any] = []

    class Spied(crew.Seat):
        async def play(self, order: Any, limit_s: float) -> Answer:
            assert self._process is not None
            told.append((order, psutil.Process(self._process.pid).cmdline()))
            return await super().play(order, limit_s)

    options = {"agents": ["idle"], "games": ["bell"], "levels": [FAIR], "timings": ["rt"], "tempos": ["paused"]}
    suite = Suite(grids=[Grid(**options, seeds=[SEED])])  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch, Shard(folder) as shard:
        patch.setattr(crew, "Seat", Spied)
        asyncio.run(Crew(folder, suite, shard, 1, lambda job: None).work([Todo(job, 0, 0) for job in suite.jobs()]))
    return told[0]


def test_a_player_is_told_neither_seed_nor_folder(tmp_path: Path, odd: None) -> None:
    (order, command), (again, _) = player_order(tmp_path / "a"), player_order(tmp_path / "b")
    told = msgspec.json.encode(order).decode() + " ".join(command)
    assert str(SEED) not in told and str(tmp_path) not in told
    assert order.seed != again.seed  # it does not follow from the episode, so the episode does not follow from it
    assert set(msgspec.structs.asdict(order)) == {"agent", "ticket", "seed"}


def test_a_player_that_ends_its_process_has_lost(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    options = ("--suite", "smoke", "--agents", "idle", "--levels", FAIR, "--timings", "rt", "--tempos", "live")
    process = start("--games", "bell", *options, "--seeds", "1", "--drive", "wall", "--jobs", "1", "--out", folder)
    wait_for(lambda: (folder / "records").exists() and events(folder, Started))
    parts(process, "harness.seat")[0].kill()
    finish(process)
    (outcome,) = outcomes(folder).values()
    assert (outcome.verdict.verdict, outcome.verdict.reason, outcome.taints) == ("lost", crew.DIED, [])


@pytest.mark.slow
def test_retries_are_limited(tmp_path: Path) -> None:
    for deaths, scored in ((ATTEMPTS - 1, 1), (ATTEMPTS, 0)):
        (tmp_path / "deaths").write_text("death\n" * deaths)
        folder = tmp_path / f"r{deaths}"
        options = ("--suite", "smoke", "--agents", "oracle", "--levels", FAIR, "--timings", "rt", "--tempos", "live")
        deadly = str(tmp_path / "deaths")
        out, _ = run(folder, *options, "--seeds", 1, "--json", status=1 - scored, ODD_DEATHS=deadly)
        told = json.loads(out)
        assert (told["scored"], told["tainted"]) == (scored, 1 - scored)


@pytest.mark.slow
def test_a_player_whose_world_is_killed_plays_again(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    options = ("--suite", "smoke", "--agents", "idle", "--levels", FAIR, "--timings", "rt", "--tempos", "live")
    process = start("--games", "bell", *options, "--seeds", "1-2", "--drive", "wall", "--jobs", "1", "--out", folder)
    wait_for(lambda: (folder / "records").exists() and events(folder, Started))
    time.sleep(1)
    parts(process, "harness.wire.worker")[0].kill()
    finish(process)
    results = Results.load(folder)
    assert {outcome.verdict.reason for outcome in results.outcomes.values() if outcome.verdict} == {"time"}
    assert [taint.cause for outcome in results.outcomes.values() for taint in outcome.taints] == ["worker died"]


@pytest.mark.slow
def test_a_full_disk_stops_the_run_in_a_line(tmp_path: Path) -> None:
    program = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))\n"
        "sys.argv = ['bullettime', *sys.argv[1:]]\n"
        "import bullettime; bullettime.main()"
    )
    folder = tmp_path / "r"
    options = ["run", "--games", "bell", *SLOWLY, "--levels", str(FAIR), "--seeds", "1-40", "--out", str(folder)]
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, options)],
        cwd=ROOT,
        env=os.environ | {"BULLETTIME_GAMES_DIR": str(ODD)},
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert done.returncode == 2 and "File too large" in done.stderr and "--resume" in done.stderr
    assert "Traceback" not in done.stderr
    kept = len(events(folder, Verdict))
    finish(start("--resume", folder))
    assert len(events(folder, Verdict)) == 40 > kept > 0


@pytest.mark.slow
def test_changed_rules_are_not_mixed(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    process = start("--games", "bell", *SLOWLY, "--seeds", "1-4", "--out", folder)
    wait_for(lambda: (folder / "records").exists() and events(folder, Verdict))
    process.send_signal(signal.SIGINT)
    finish(process, status=130)
    record = next(path for path in (folder / "records").iterdir() if '"rules":{"bell"' in path.read_text())
    rules = next(iter(events(folder, Run))).rules["bell"]
    record.write_text(record.read_text().replace(f'"bell":"{rules}"', '"bell":"other"'))
    _, err = finish(start("--resume", folder), status=2)
    assert "rules have changed" in err and "bell" in err


def test_no_session_is_asked_to_live_longer_than_any_may(tmp_path: Path, odd: None) -> None:
    grid = Grid(agents=["idle"], games=["bell"], levels=[1], tempos=["999999x"], seeds=[1], drive="wall")
    plan = Suite(grids=[grid], limit_s=86_400)
    with Shard(tmp_path) as shard:
        own = Crew(tmp_path, plan, shard, 1, lambda job: None)
        for job in plan.jobs():
            msgspec.convert(msgspec.to_builtins(own._opening(job)), Open)


def test_a_seat_whose_run_was_killed_ends_quietly() -> None:
    command = [sys.executable, "-P", "-m", "harness.seat"]
    seat = subprocess.Popen(
        command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdin=-1, stdout=-1, stderr=-1
    )
    assert seat.stdout is not None and seat.stderr is not None
    seat.stdout.close()
    assert seat.wait(WAIT_S) == 0 and not seat.stderr.read()
