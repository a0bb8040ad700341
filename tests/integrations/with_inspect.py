"""The Inspect task, played by Inspect's mock model. Run by tests/test_integrations.py, where Inspect is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolDef
from inspect_ai.tool._tool_info import ToolInfo
from inspect_ai.tool._tools._computer._computer import is_computer_tool_info

from harness.errors import BadInput
from harness.integrations.inspect import bullettime, game_computer
from harness.wire.client import run_sync
from harness.wire.server import Server

PUCK = "puck/rt/1/full"


@pytest.fixture(autouse=True)
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server of the test's own, which knows a game that is won by a key."""
    monkeypatch.setenv("BULLETTIME_GAMES_DIR", str(Path(__file__).parents[1] / "tiny"))
    server = Server(1)
    run_sync(server.start())
    monkeypatch.setenv("BULLETTIME_SERVER", server.address)
    monkeypatch.setenv("BULLETTIME_TOKEN", server.token)
    yield server
    run_sync(server.stop())


def call(**arguments: Any) -> ModelOutput:
    """A model's call of the tool, which took two seconds."""
    output = ModelOutput.for_tool_call("mockllm/model", "computer", arguments)
    return spent(output)


def spent(output: ModelOutput, seconds: float = 2.0) -> ModelOutput:
    output.usage, output.time = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2), seconds
    return output


def run(outputs: list[ModelOutput], tmp_path: Path, **arguments: Any) -> EvalLog:
    model = get_model("mockllm/model", custom_outputs=outputs)
    task = bullettime(**({"config": PUCK, "seeds": [1], "tempo": "paused"} | arguments))
    [log] = eval(task, model=model, log_dir=str(tmp_path), display="none")
    return log


def test_inspect_takes_the_tool_for_its_own() -> None:
    definition = ToolDef(game_computer())
    info = ToolInfo(name=definition.name, description=definition.description, parameters=definition.parameters)
    assert is_computer_tool_info(info)


def test_a_win_and_what_it_looked_like(tmp_path: Path, server: Server) -> None:
    outputs = [
        call(action="screenshot"),
        call(action="left_click", coordinate=[400, 300]),
        call(actions=[{"action": "wait", "duration": 1}, {"action": "key", "text": "w"}]),
    ]
    log = run(outputs, tmp_path)
    assert log.status == "success" and log.results and log.results.scores[0].metrics["accuracy"].value == 1
    assert log.samples
    messages = log.samples[0].messages
    assert "Hit the puck" in messages[0].text
    answers = [message for message in messages if message.role == "tool"]
    assert [[part.type for part in answer.content if not isinstance(part, str)] for answer in answers] == [
        ["text", "image"]
    ] * 3
    assert answers[-1].text.startswith("won, game time 1.")
    assert not any("seed" in message.text.lower() for message in messages)
    assert log.samples[0].metadata["acts"] == 2
    assert not server.busy


def test_thinking_is_charged_as_inspect_measured_it(tmp_path: Path) -> None:
    log = run([call(action="wait", duration=1), call(action="key", text="l")], tmp_path, tempo="4x")
    assert log.samples
    told = log.samples[0].metadata
    assert told["verdict"] == "lost" and log.samples[0].scores and log.samples[0].scores["verdict"].value == 0
    assert told["thinking_us"] == sum(round(e.output.time * 1e6) for e in log.samples[0].events if e.event == "model")


def test_what_is_refused_is_told_and_silence_gives_up(tmp_path: Path) -> None:
    silence = [spent(ModelOutput.from_content("mockllm/model", "Hm.")) for _ in range(4)]
    log = run([call(action="navigate", text="elsewhere"), *silence], tmp_path)
    assert log.samples
    [answer] = [message for message in log.samples[0].messages if message.role == "tool"]
    assert answer.error and "'navigate' is not supported" in answer.error.message
    assert log.samples[0].metadata["verdict"] == "lost"


def test_seeds_must_be_certified() -> None:
    with pytest.raises(BadInput, match="seeds: puck has 0 certified ones"):
        bullettime(PUCK, seeds=2)
    with pytest.raises(BadInput, match="config"):
        bullettime("puck/rt/9/full")
