"""Sweeps go on by identity, say what they cost before they begin, and can be put together."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from harness import agents
from harness.errors import BadInput, UserError
from harness.results.records import FOLDER, Results, Shard, Verdict, read_events
from harness.runner import take_up
from harness.suite import Grid, Suite, load_suite
from harness.sweep import GRIDS, merge, sweep

ROOT = Path(__file__).resolve().parents[1]
ODD = Path(__file__).parent / "odd"


def command(*words: Any, status: int = 0, **environment: str) -> str:
    """What `bullettime` with these words prints, over the odd game."""
    own = os.environ | {"BULLETTIME_GAMES_DIR": str(ODD), **environment}
    done = subprocess.run(
        [sys.executable, "-m", "bullettime", *map(str, words)],
        cwd=ROOT,
        env=own,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == status, done.stderr
    return done.stdout


def grid(path: Path, **fields: Any) -> Path:
    """A grid of the bell's fair level, as a file."""
    own = {"agents": ["oracle@1s"], "games": ["bell"], "levels": [1], "tempos": ["live"], "seeds": [1, 2], **fields}
    path.write_text("[[grids]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in own.items()))
    return path


def verdicts(folder: Path) -> dict[str, tuple[str, str, int]]:
    return {
        event.episode: (event.verdict, event.digest_last, event.acts)
        for event in read_events(folder)
        if isinstance(event, Verdict)
    }


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLETTIME_GAMES_DIR", str(ODD))


def test_the_same_command_goes_on_also_when_the_grid_has_grown(tmp_path: Path, odd: None) -> None:
    folder = tmp_path / "sweep"
    command("sweep", grid(tmp_path / "g.toml"), "--out", folder)
    first = {path: path.read_bytes() for path in (folder / FOLDER).iterdir()}
    told = json.loads(command("sweep", grid(tmp_path / "g.toml", seeds=[1, 2, 3]), "--out", folder, "--json"))
    assert (told["finished"], told["episodes"], told["scored"]) == (True, 6, 6)
    assert all(path.read_bytes() == raw for path, raw in first.items())
    played = [event.episode for event in read_events(folder) if isinstance(event, Verdict)]
    assert len(played) == len(set(played)) == 6


def test_a_dry_run_tells_episodes_and_plays_nothing(tmp_path: Path) -> None:
    path = grid(tmp_path / "g.toml", agents=["oracle@1s", "openai:gpt-4o-2024-08-06", "openai:unheard-of"])
    told = json.loads(command("sweep", path, "--out", tmp_path / "sweep", "--dry-run", "--json"))
    assert (told["episodes"], told["left"], told["cost"]) == (12, 12, None)
    by_agent = {row["agent"]: row for row in told["agents"]}
    assert by_agent["oracle@1s"]["calls"] == 0 and by_agent["oracle@1s"]["cost"] == 0
    assert by_agent["openai:gpt-4o-2024-08-06"]["cost"] > 0 and by_agent["openai:unheard-of"]["cost"] is None
    assert not (tmp_path / "sweep").exists()
    assert "unknown" in command("sweep", path, "--out", tmp_path / "sweep", "--dry-run")


def test_a_dry_run_tells_of_time_and_of_what_else_the_folder_holds(
    tmp_path: Path, odd: None, capsys: pytest.CaptureFixture[str]
) -> None:
    command("sweep", grid(tmp_path / "g.toml"), "--out", tmp_path / "sweep")
    own = ["idle", "openai:m", "tracker", "oracle@1s", "anthropic:n"]
    other = grid(tmp_path / "h.toml", agents=own, levels=[2], seeds=[1, 2, 3])
    options = {"out": tmp_path / "sweep", "dry_run": True}
    sweep(str(other), json=True, **options)  # type: ignore[arg-type]
    told = json.loads((said := capsys.readouterr()).out)
    hours = {row["agent"]: row["hours"] for row in told["agents"]}
    assert list(hours) == ["oracle@1s", "anthropic:n", "openai:m", "tracker", "idle"]
    assert 0 < hours["idle"] < 0.05 and told["hours"] == hours["openai:m"] == hours["anthropic:n"]
    assert "holds 4 other episodes" in said.err
    sweep(str(other), **options)  # type: ignore[arg-type]
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.split() == ["all", "30", "30", "360", "unknown", "2", "min"]


def test_a_narrowed_suite_no_longer_says_what_it_was(odd: None) -> None:
    plan = Suite(about="All tempos.", grids=[Grid(agents=["oracle"], games=["bell"], seeds=[1])])
    assert plan.narrowed(agents=["idle"], seeds=[2]).about == "All tempos."
    assert plan.narrowed(tempos=["live"]).about == ""


def test_runs_of_two_machines_are_put_together(tmp_path: Path, odd: None) -> None:
    for name, seeds in (("a", [1, 2]), ("b", [2, 3])):
        command("sweep", grid(tmp_path / f"{name}.toml", seeds=seeds), "--out", tmp_path / name)
    merge([tmp_path / "a", tmp_path / "b"], tmp_path / "both")
    both = Results.load(tmp_path / "both")
    assert len(both.jobs()) == 6 and not both.open_jobs()
    assert verdicts(tmp_path / "both") == verdicts(tmp_path / "a") | verdicts(tmp_path / "b")
    assert command("verify", tmp_path / "both")
    assert {"report.html", "pass_rates.csv"} <= {path.name for path in (tmp_path / "both").iterdir()}
    with pytest.raises(UserError, match="holds a run already"):
        merge([tmp_path / "a"], tmp_path / "both")


def test_runs_of_different_rules_are_not(tmp_path: Path, odd: None) -> None:
    command("sweep", grid(tmp_path / "g.toml"), "--out", tmp_path / "a")
    run = Results.load(tmp_path / "a").run
    with Shard(tmp_path / "b") as shard:
        run.rules = {"bell": "other"}
        shard.write(run)
    with pytest.raises(UserError, match="bell has other rules"):
        merge([tmp_path / "a", tmp_path / "b"], tmp_path / "both")
    with pytest.raises(UserError, match="the rules have changed"):
        take_up(tmp_path / "b")


def test_efforts_and_conditions_multiply_models_but_not_oracles(odd: None) -> None:
    names = ["oracle", "openai:m?surface=text"]
    plan = Grid(
        agents=names,
        games=["bell"],
        levels=[1],
        timings=["rt"],
        tempos=["live"],
        seeds=[1],
        efforts=["low", "high"],
        frames=[1, 3],
        rulebook=[True, False],
    )
    jobs = Suite(grids=[plan]).jobs()
    assert sorted({job.agent for job in jobs}) == [
        "openai:m?effort=high&surface=text",
        "openai:m?effort=low&surface=text",
        "oracle",
    ]
    assert len(jobs) == 1 + 2 * 2 * 2
    assert len({job.key for job in jobs}) == len(jobs)
    assert sum("no-rulebook" in job.key for job in jobs) == 4


def test_private_seeds_come_from_a_file(tmp_path: Path, odd: None) -> None:
    (tmp_path / "held.json").write_text('{"*": [77, 78]}')
    held = str(tmp_path / "held.json")
    own = Grid(agents=["oracle"], games=["bell"], levels=[1], timings=["rt"], tempos=["live"], private=held)
    plan = Suite(grids=[own])
    assert {job.seed for job in plan.jobs()} == {77, 78}
    (tmp_path / "held.json").write_text("{}")
    with pytest.raises(UserError, match="no seeds for bell"):
        plan.jobs()


@pytest.mark.parametrize("path", sorted([*GRIDS.glob("*.toml")]), ids=lambda path: path.stem)
def test_every_grid_can_be_loaded(path: Path) -> None:
    assert load_suite(path.stem, GRIDS).about


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("openai:", "names no model"),
        ("openai:m?speed=9", "option 'speed' is unknown"),
        ("openai:m?effort=9", "malformed"),
        ("openai:m?first_s=1", "go together"),
        ("chat:localhost#m", "names no model"),
        ("chat:http://127.0.0.1:1/v1#m?surface=native", "no native surface"),
        ("python:module", "names no class"),
        ("command: ", "names no program"),
        ("gpt", "is unknown"),
    ],
)
def test_a_malformed_agent_is_refused(name: str, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        agents.parse(name)


def test_the_name_of_an_agent_is_canonical() -> None:
    name = agents.parse(" openai:GPT-x?surface=text&effort=low ").name
    assert name == "openai:GPT-x?effort=low&surface=text" and agents.parse(name).name == name
    chat = agents.parse("chat:http://127.0.0.1:8000/v1#org/Model-7B")
    assert (chat.target, chat.model) == ("http://127.0.0.1:8000/v1#org/Model-7B", True)


def test_killed_three_times_and_taken_up_it_ends_as_if_nothing_had_been(tmp_path: Path, odd: None) -> None:
    path = grid(tmp_path / "g.toml", agents=["oracle@1s", "oracle@2s"], seeds=[*range(1, 16)])
    command("sweep", path, "--out", tmp_path / "calm")
    folder = tmp_path / "sweep"
    words = [sys.executable, "-m", "bullettime", "sweep", str(path), "--out", str(folder)]
    for share in (0.1, 0.4, 0.7):
        process = subprocess.Popen(words, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while len(finished(folder)) < share * 60 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
        process.wait()
    command("sweep", path, "--out", folder)
    assert verdicts(folder) == verdicts(tmp_path / "calm") and len(finished(folder)) == 60


def finished(folder: Path) -> list[str]:
    """The episodes with a verdict, once for each."""
    return [event.episode for event in read_events(folder) if isinstance(event, Verdict)]
