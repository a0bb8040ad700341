"""Records survive their writers, and read back as what was written."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from harness.errors import UserError
from harness.results.records import (
    ATTEMPTS,
    Act,
    AnyEvent,
    Ended,
    Results,
    Run,
    Shard,
    Started,
    Taint,
    Verdict,
    read_events,
)
from harness.suite import Conditions, Grid, Job, Suite

ROOT = Path(__file__).resolve().parents[1]
JOB = Job("oracle", "bell/rt/1/full", "live", "metered", 1, Conditions())
SUITE = Suite(name="t", grids=[Grid(agents=["oracle"], seeds=[1])])
RUN = Run(name="t", suite=SUITE, version="0", machine={}, rules={}, at="")


def verdict(job: Job = JOB, attempt: int = 1, won: bool = True) -> Verdict:
    return Verdict(
        episode=job.key,
        attempt=attempt,
        job=job,
        verdict="won" if won else "lost",
        reason="" if won else "time",
        progress=1.0,
        game_us=5,
        ticks=3,
        acts=1,
        thinking_us=7,
        wall_us=9,
        rules="r",
        isolation="none",
        digest_first="a",
        digest_last="b",
        journal=[{"kind": "act", "game_us": 1, "tick": 0, "actions": [{"type": "key", "keys": ["KeyR"]}]}],
    )


def act(seq: int, attempt: int = 1) -> Act:
    return Act(episode=JOB.key, attempt=attempt, seq=seq, game_us=seq, stale_us=None, thinking_us=0)


def test_events_read_back(tmp_path: Path) -> None:
    events: list[AnyEvent] = [
        RUN,
        Started(episode=JOB.key, job=JOB, attempt=1, at=""),
        act(1),
        Taint(episode=JOB.key, attempt=1, cause="worker died"),
        verdict(attempt=2),
        Ended(why="finished", at=""),
    ]
    with Shard(tmp_path) as shard:
        shard.write(*events[:2])
        shard.write(*events[2:])
    assert list(read_events(tmp_path)) == events
    entry = verdict().entries()[0]
    assert (entry.kind, entry.game_us, entry.coord_space) == ("act", 1, "px")
    assert entry.actions is not None


def test_identity_is_the_episode_and_nothing_else() -> None:
    other = {
        "agent": "idle",
        "config": "bell/rt/2/full",
        "tempo": "4x",
        "drive": "wall",
        "seed": 2,
        "conditions": Conditions(frames=4),
    }
    keys = {JOB.key, *(msgspec.structs.replace(JOB, **{field: value}).key for field, value in other.items())}
    assert len(keys) == 1 + len(other)


def test_what_the_scored_attempt_did_counts(tmp_path: Path) -> None:
    with Shard(tmp_path) as late, Shard(tmp_path) as early:  # events of an episode come from several processes
        early.write(RUN, Taint(episode=JOB.key, attempt=1, cause="worker died"))
        late.write(Started(episode=JOB.key, job=JOB, attempt=1, at=""), act(1), act(1, attempt=2), act(2, attempt=2))
        early.write(verdict(attempt=2), verdict(attempt=3, won=False))
    outcome = Results.load(tmp_path).outcomes[JOB.key]
    assert outcome.won and outcome.finished and not outcome.tainted
    assert [each.seq for each in outcome.acts] == [1, 2]
    assert [taint.cause for taint in outcome.taints] == ["worker died"]


def test_an_episode_is_given_up_after_its_retries(tmp_path: Path) -> None:
    with Shard(tmp_path) as shard:
        shard.write(RUN)
        for attempt in range(1, ATTEMPTS + 1):
            shard.write(Started(episode=JOB.key, job=JOB, attempt=attempt, at=""))
            assert not Results.load(tmp_path).outcomes[JOB.key].finished
            shard.write(Taint(episode=JOB.key, attempt=attempt, cause="worker died"))
    outcome = Results.load(tmp_path).outcomes[JOB.key]
    assert outcome.tainted and outcome.finished and not outcome.won


def test_a_torn_last_line_is_skipped_and_others_are_not(tmp_path: Path) -> None:
    with Shard(tmp_path) as shard:
        shard.write(RUN, act(1), act(2))
    whole = shard.path.read_bytes()
    assert shard.path.stat().st_mode & 0o777 == 0o600
    shard.path.write_bytes(whole.replace(b"\n", b"\n\n"))
    assert list(read_events(tmp_path)) == [RUN, act(1), act(2)]
    for cut in (1, 10, 60):
        shard.path.write_bytes(whole[:-cut])
        assert list(read_events(tmp_path)) == [RUN, act(1)]
    shard.path.write_bytes(whole.replace(b'"seq":1', b'"seq":oh'))
    with pytest.raises(UserError, match="line 2"):
        list(read_events(tmp_path))


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no records"):
        Results.load(tmp_path)


def _write_many(folder: Path, number: int) -> None:
    with Shard(folder) as shard:
        for seq in range(300):
            shard.write(act(1000 * number + seq))


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_many, args=(tmp_path, number)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    assert len(list((tmp_path / "records").iterdir())) == 3
    found = sorted(event.seq for event in read_events(tmp_path) if isinstance(event, Act))
    assert found == sorted(1000 * number + seq for number in range(3) for seq in range(300))


def test_what_was_written_survives_kill_9(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.test_results import act\n"
        "from harness.results.records import Shard\n"
        "shard, seq = Shard(Path(sys.argv[1])), 0\n"
        "while True:\n"
        "    seq += 1; shard.write(act(seq)); print(seq, flush=True)"
    )
    writer = subprocess.Popen([sys.executable, "-c", program, tmp_path], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    for _ in range(50):
        writer.stdout.readline()
    os.kill(writer.pid, signal.SIGKILL)
    said = [int(line) for line in writer.stdout.read().split()]
    writer.wait()
    found = [event.seq for event in read_events(tmp_path) if isinstance(event, Act)]
    assert found == list(range(1, len(found) + 1))
    assert len(found) >= max([50, *said])


def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shard = Shard(tmp_path)
    shard.write(RUN, act(1))
    room, write = [40], os.write

    def scarce(file: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        done = write(file, data[: room[0]])
        room[0] -= done
        return done

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", scarce)
        with pytest.raises(UserError, match="disk is full") as told:
            shard.write(act(2), act(3))
    assert "--resume" in told.value.mend
    assert list(read_events(tmp_path)) == [RUN, act(1)]
    shard.write(act(2))
    assert list(read_events(tmp_path)) == [RUN, act(1), act(2)]
    shard.close()


def test_reading_is_quick(tmp_path: Path) -> None:
    with Shard(tmp_path) as shard:
        shard.write(RUN, *(act(seq) for seq in range(50_000)))
    began = time.monotonic()
    assert sum(1 for _ in read_events(tmp_path)) == 50_001
    assert time.monotonic() - began < 5
