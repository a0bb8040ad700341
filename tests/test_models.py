"""Models play over their official SDKs, in each surface; what their providers fail at never counts as theirs."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from harness import host
from harness.crew import Crew, LimitReached, Limits, Todo
from harness.errors import UserError
from harness.host import Order, Said
from harness.results.records import Call, Outcome, Results, Run, Shard, begun
from harness.suite import Grid, Suite
from harness.wire.client import run_sync
from harness.wire.protocol import Summary
from harness.wire.server import Server
from tests import stubs
from tests.stubs import Stub
from tests.wire import TINY, opened, serving

ROOT = Path(__file__).resolve().parents[1]
WIN = [{"type": "key", "keys": ["w"]}]
NATIVE_WIN: dict[str, list[stubs.Said]] = {
    "openai": [{"type": "keypress", "keys": ["W"]}],
    "anthropic": [{"name": "key", "text": "w"}],
    "google": [{"name": "press_key", "key": "w"}],
}
VENDORS = ("openai", "anthropic", "google", "chat")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def agent(stub: Stub, vendor: str, **options: str) -> str:
    target = f"{stub.url}/v1#stub" if vendor == "chat" else "stub"
    return f"{vendor}:{target}?" + "&".join(f"{key}={value}" for key, value in options.items())


class Played(NamedTuple):
    """How an episode of the puck ended: what its worker says, what its host says, and its calls."""

    summary: Summary
    said: Said
    calls: list[Call]

    @property
    def won(self) -> bool:
        return self.summary.verdict == "won" and not self.said.taint and not self.said.lost


def play(server: Server, stub: Stub, name: str) -> Played:
    """One episode of the puck, real time, live, as a host plays it."""

    async def episode() -> Played:
        place = await opened(server, frames=2, drive="metered", thinking="told")
        calls: list[Call] = []
        said = await host.play(Order(1, name, place.ticket), calls.append)
        return Played(await server.end(place.session, said.lost or "given up"), said, calls)

    with pytest.MonkeyPatch.context() as patch:
        for key, value in stub.environment.items():
            patch.setenv(key, value)
        return run_sync(episode())


def run(stub: Any, folder: Path, name: str, seeds: int = 1, *, seats: int = 1, **how: Any) -> list[Outcome]:
    """A run of the puck by a crew, without report; its outcomes."""
    with pytest.MonkeyPatch.context() as patch:
        for key, value in {**stub.environment, "BULLETTIME_GAMES_DIR": str(TINY)}.items():
            patch.setenv(key, value)
        own = [*range(1, seeds + 1)]
        grid = Grid(agents=[name], games=["puck"], levels=[1], timings=["rt"], tempos=["live"], seeds=own)
        plan = Suite(grids=[grid])
        known = Results.load(folder).outcomes if begun(folder) else {}
        todo = [
            Todo(job, known[job.key].started if job.key in known else 0, 0)
            for job in plan.jobs()
            if not (job.key in known and known[job.key].finished)
        ]
        with Shard(folder) as shard:
            shard.write(Run(name="stub", suite=plan, version="", machine={}, rules={}, at=""))
            asyncio.run(Crew(folder, plan, shard, seats, lambda job: None, **how).work(todo))
    return list(Results.load(folder).outcomes.values())


def after(looks: int, last: stubs.Said, before: stubs.Said) -> Callable[[str, stubs.Said], stubs.Said]:
    """Answer so many times with `before`, then with `last`."""
    told = iter([before] * looks)
    return lambda vendor, body: next(told, last)


@pytest.mark.parametrize("vendor", VENDORS)
def test_plays_by_the_function_tool(server: Server, vendor: str) -> None:
    wait = {"actions": [{"type": "wait", "ms": 50}], "after": 0.2}
    with Stub(after(2, {"actions": WIN}, wait)) as stub:
        played = play(server, stub, agent(stub, vendor, surface="function", effort="low"))
    assert played.won
    assert [call.seq for call in played.calls] == [1, 2, 3] and not any(call.problem for call in played.calls)
    assert all((call.tokens_in, call.tokens_out, call.cost) == (1000, 50, None) for call in played.calls)
    for call, act, took in zip(played.calls, played.summary.acts, stub.took_s, strict=True):
        assert call.sent_us < (call.first_us or 0) <= call.done_us
        assert call.charged_us == act.thinking_us == call.done_us - call.sent_us
        assert took <= call.charged_us / 1e6 < took + 0.1
    body = json.dumps(stub.calls[-1][1])
    assert "low" in body.lower() and "Hit the puck." in body


@pytest.mark.parametrize("vendor", VENDORS)
def test_plays_by_text(server: Server, vendor: str) -> None:
    with Stub(after(1, {"text": "I see.\nact: key w"}, {"text": "Let me see.\n**act: look**"})) as stub:
        played = play(server, stub, agent(stub, vendor, surface="text"))
    assert played.won and len(played.calls) == 2 and len(played.summary.acts) == 1


@pytest.mark.parametrize("vendor", NATIVE_WIN)
def test_plays_by_the_computer_tool(server: Server, vendor: str) -> None:
    looks = {"openai": [{"type": "screenshot"}], "anthropic": [{"name": "screenshot"}]}
    first = {"native": looks.get(vendor, [{"name": "take_screenshot"}]), "check": True}
    with Stub(after(1, {"native": NATIVE_WIN[vendor]}, first)) as stub:
        played = play(server, stub, agent(stub, vendor, surface="native"))
    assert played.won and len(played.summary.acts) == 1 and not any(call.problem for call in played.calls)
    if vendor == "openai":
        (output,) = (item for item in stub.calls[-1][1]["input"] if item.get("type") == "computer_call_output")
        assert output["acknowledged_safety_checks"][0]["id"] == "sc_1"
        assert output["output"]["image_url"].startswith("data:image/png;base64,")


def test_anthropics_older_tool(server: Server) -> None:
    with Stub(lambda *_: {"native": [{"name": "computer", "action": "key", "text": "w"}]}) as stub:
        played = play(server, stub, agent(stub, "anthropic", surface="native", tool="computer_20251124"))
    assert played.won and stub.calls[0][1]["tools"][0]["display_width_px"] == 800


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_refusal_is_a_loss(server: Server, vendor: str) -> None:
    with Stub(lambda *_: {"refuse": True}) as stub:
        played = play(server, stub, agent(stub, vendor))
    assert played.said.lost == "agent refused" and not played.said.taint


@pytest.mark.parametrize("answer", [{"status": 429, "wait": 7}, {"status": 500}, {"cut": True}], ids=str)
@pytest.mark.parametrize("vendor", VENDORS)
def test_a_provider_that_fails_taints(server: Server, vendor: str, answer: stubs.Said) -> None:
    with Stub(lambda *_: answer) as stub:
        said, calls = play(server, stub, agent(stub, vendor))[1:]
    assert said.taint.startswith(vendor) and said.provider and not said.lost and not said.problem
    assert said.throttled == (answer.get("status") == 429)
    assert said.wait_s == (7 if said.throttled else None)
    assert len(calls) == 1 and calls[0].problem and calls[0].charged_us == 0


@pytest.mark.parametrize("vendor", VENDORS)
def test_what_a_provider_refuses_for_good_is_to_be_mended(server: Server, vendor: str) -> None:
    for status in (400, 404, 405, 422):
        with Stub(lambda *_, status=status: {"status": status}) as stub:
            said = play(server, stub, agent(stub, vendor)).said
        assert f"{status}: " in said.problem and "stub says no" in said.problem and said.mend and not said.taint


@pytest.mark.parametrize(
    "answer",
    [
        {"plain": "<html>Sign in</html>", "type": "text/html"},
        {"plain": '{"id": "1", "choices": [], "output": [], "content": []}', "type": "application/json"},
    ],
    ids=str,
)
@pytest.mark.parametrize("vendor", VENDORS)
def test_an_answer_that_is_no_stream_is_to_be_mended(server: Server, vendor: str, answer: stubs.Said) -> None:
    with Stub(lambda *_: answer) as stub:
        said = play(server, stub, agent(stub, vendor)).said
    assert answer["type"] in said.problem and "stream" in said.problem and not said.taint and not said.lost


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_provider_that_is_not_there_taints_and_is_named(server: Server, vendor: str) -> None:
    with Stub(lambda *_: {}) as stub:
        stub.port = 9  # where nobody is
        said = play(server, stub, agent(stub, vendor)).said
    assert said.provider and not said.problem and "Connect call failed ('127.0.0.1', 9)" in said.taint


def test_a_provider_that_hangs_taints(server: Server, tmp_path: Path) -> None:
    policy = (ROOT / "configs/conversations/default.toml").read_text().replace("call_s = 120", "call_s = 1")
    (tmp_path / "short.toml").write_text(policy)
    with Stub(lambda *_: {"hang": 20}) as stub:
        played = play(server, stub, f"openai:stub?conversation={tmp_path}/short.toml")
    assert played.said.provider and played.said.taint


MALFORMED: list[stubs.Said] = [
    {"arguments": '{"actions": [{"type": "jump"}]}'},
    {"arguments": '{"actions": 3}'},
    {"arguments": "{}", "name": "fly"},
    {"actions": [{"type": "click", "x": 9000, "y": 1}]},
    {"text": "I wonder."},
]


@pytest.mark.parametrize("answer", MALFORMED, ids=str)
def test_a_malformed_call_costs_its_thinking_and_is_told(server: Server, answer: stubs.Said) -> None:
    with Stub(after(1, {"actions": WIN}, {**answer, "after": 0.3})) as stub:
        played = play(server, stub, agent(stub, "anthropic"))
    assert played.won and played.summary.game_us > 300_000 and len(played.summary.acts) == 1
    assert len(stub.calls) == 2 and "The last of 2 pictures" in json.dumps(stub.calls[1][1]["messages"][-1])


@pytest.mark.parametrize("vendor", VENDORS)
def test_half_a_character_taints_nothing(server: Server, vendor: str) -> None:
    """JSON can spell a lone surrogate, which no JSON can carry on: the model's mistake, not its provider's."""
    half: stubs.Said = {"arguments": '{"actions": [{"type": "type", "text": "\\ud800"}]}'}
    answers: Iterator[stubs.Said] = iter([half, {"text": "\ud800"}, {"actions": WIN}])
    with Stub(lambda *_: next(answers)) as stub:
        played = play(server, stub, agent(stub, vendor))
    assert played.won and len(played.calls) == 3 and "arguments" in played.calls[0].problem


def test_who_never_acts_gives_up(server: Server) -> None:
    with Stub(lambda *_: {"text": "Hm."}) as stub:
        played = play(server, stub, agent(stub, "chat"))
    assert played.said.lost == "agent gave up: 5 answers were no act" and not played.said.taint


def test_declared_thinking_does_not_depend_on_the_provider(server: Server) -> None:
    script = after(1, {"actions": WIN, "after": 0.4}, {"actions": [{"type": "wait", "ms": 20}]})
    with Stub(script) as stub:
        played = play(server, stub, agent(stub, "openai", first_s="0.5", rate="100"))
    assert [act.thinking_us for act in played.summary.acts] == [1_000_000, 1_000_000]  # 0.5 s and 50 tokens
    assert played.won and 2_000_000 < played.summary.game_us < 2_040_000


def test_only_the_newest_turns_are_sent(server: Server, tmp_path: Path) -> None:
    policy = (ROOT / "configs/conversations/default.toml").read_text().replace("kept = 12", "kept = 2")
    (tmp_path / "short.toml").write_text(policy)
    wait = {"actions": [{"type": "wait", "ms": 10}]}
    for vendor, field, most in (("anthropic", "messages", 5), ("openai", "input", 7), ("chat", "messages", 8)):
        with Stub(after(5, {"actions": WIN}, wait)) as stub:
            assert play(server, stub, agent(stub, vendor, conversation=f"{tmp_path}/short.toml")).won
        assert len(stub.calls[-1][1][field]) == most, vendor


# ---------------------------------------------------------------- in a run


def test_a_run_records_calls_and_keeps_transcripts_but_no_key(tmp_path: Path) -> None:
    with Stub(lambda *_: {"actions": WIN}) as stub:
        (outcome,) = run(stub, tmp_path, agent(stub, "google"), transcripts=tmp_path / "transcripts")
    assert outcome.won and outcome.verdict is not None
    assert (outcome.verdict.surface, outcome.verdict.thinking) == ("function", "told")
    assert [call.episode for call in outcome.calls] == [outcome.job.key]
    (turns,) = (tmp_path / "transcripts").glob("*/turns.jsonl")
    opened, shown, answer = map(json.loads, turns.read_text().splitlines())
    assert "Hit the puck." in opened["system"] and answer["actions"][0]["type"] == "key"
    assert all((turns.parent / name).read_bytes().startswith(b"\x89PNG") for name in shown["pictures"])
    everything = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"sk-test" not in everything


def test_a_storm_of_429_scores_nothing_and_passes(tmp_path: Path) -> None:
    with Stub(after(3, {"actions": WIN}, {"status": 429, "wait": 0.05})) as stub:
        found = run(stub, tmp_path, agent(stub, "openai"), 4)
    assert all(outcome.won for outcome in found) and sum(len(outcome.taints) for outcome in found) == 3


def test_a_storm_that_does_not_pass_leaves_all_tainted(tmp_path: Path) -> None:
    with Stub(lambda *_: {"status": 429, "wait": 0.01}) as stub:
        found = run(stub, tmp_path, agent(stub, "openai"), 2)
    assert all(outcome.tainted and len(outcome.taints) == 4 for outcome in found)


def test_a_wrong_key_stops_the_run(tmp_path: Path) -> None:
    with Stub(lambda *_: {"status": 401}) as stub, pytest.raises(UserError, match="401"):
        run(stub, tmp_path, agent(stub, "openai"))
    (outcome,) = Results.load(tmp_path).outcomes.values()
    assert outcome.verdict is None and not outcome.taints


def command(stub: Stub, folder: Path, *options: str) -> tuple[int | None, str]:
    """The status of `bullettime run` with a model behind this stub, over two seeds of the puck; what it says."""
    environment = os.environ | stub.environment | {"BULLETTIME_GAMES_DIR": str(TINY)}
    plan = ["--games", "puck", "--levels", "1", "--timings", "rt", "--tempos", "live", "--seeds", "1-2"]
    done = subprocess.run(
        [sys.executable, "-m", "bullettime", "run", "--suite", "smoke", *plan, "--out", folder, *options],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    return done.returncode, done.stderr


def test_a_run_that_scored_nothing_says_why(tmp_path: Path) -> None:
    with Stub(lambda *_: {"status": 429, "wait": 0.01}) as stub:
        status, said = command(stub, tmp_path / "a", "--agents", agent(stub, "openai"))
        assert status == 1 and "2 of 2 episodes could not be scored: openai: 429" in said


def test_a_run_that_cannot_go_on_or_may_not_has_a_status_of_its_own(tmp_path: Path) -> None:
    with Stub(lambda *_: {"status": 400}) as stub:
        status, said = command(stub, tmp_path / "a", "--agents", agent(stub, "chat"))
        assert status == 2 and "stub says no" in said and len(stub.calls) <= 2 and "Traceback" not in said
    with Stub(lambda *_: {"actions": WIN}) as stub:
        status, said = command(stub, tmp_path / "b", "--agents", agent(stub, "chat"), "--max-calls", "1")
    assert status == 3 and "limit reached" in said and "--resume" in said


def test_a_cap_on_cost_needs_a_price(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Stub(lambda *_: {"actions": WIN}) as stub:
        name = agent(stub, "chat", effort="low")
        status, said = command(stub, tmp_path / "a", "--agents", name, "--max-cost", "0.01")
        assert status == 2 and "max-cost: the price of chat:" in said and not stub.calls
        own = tmp_path / "own.toml"
        own.write_text(f'["chat:{stub.url}/v1#stub"]\ninput = 10_000\noutput = 0\n')  # $10 a call
        monkeypatch.setenv("BULLETTIME_PRICES", str(own))
        status, said = command(stub, tmp_path / "b", "--agents", name, "--max-cost", "0.01", "--at-once", "1")
    assert status == 3 and "$10.00 have been spent, of $0.01" in said


def test_a_limit_ends_a_run_and_it_goes_on(tmp_path: Path) -> None:
    with Stub(lambda *_: {"actions": WIN, "after": 0.05}) as stub:
        name = agent(stub, "openai")
        with pytest.raises(LimitReached, match="3 calls have been made"):
            run(stub, tmp_path, name, 6, limits=Limits(calls=3), at_once=1)
        assert sum(outcome.won for outcome in Results.load(tmp_path).outcomes.values()) in (2, 3)
        found = run(stub, tmp_path, name, 6)
    assert len(found) == 6 and all(outcome.won for outcome in found)
