"""Messages as types: what is accepted, what is refused and how that is said, and that the documents are current."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import msgspec
import pytest

from harness.actions import Click
from harness.errors import BadInput
from harness.wire import protocol as p
from harness.wire import schemas

STAMPS = p.Stamps(received=1, applied=2, settled=3, sent=4)


def refused(raw: bytes | str) -> BadInput:
    with pytest.raises(BadInput) as caught:
        p.decode(raw)
    assert caught.value.problem
    assert caught.value.mend
    return caught.value


def test_requests_survive_the_wire() -> None:
    for request in (
        p.Hello(),
        p.Begin(id=3, look=p.View(frames=0)),
        p.Act(seq=1, actions=[Click(x=1, y=2)], coord_space="unit", look=p.View(size=(84, 84), format="jpeg")),
        p.Act(seq=2, line="click 1 2"),
        p.Look(frames=2, every_ms=50),
        p.Stream(fps=30),
        p.End(),
        p.Ping(id=9),
    ):
        assert p.decode(p.encode(request)) == request


def test_replies_survive_the_wire() -> None:
    infos = [p.FrameInfo(tick=t, width=2, height=1, format="png", bytes=n) for t, n in ((0, 3), (9, 0))]
    reply = p.Reply(type="act", seq=7, state="over", verdict="won", wall_us=STAMPS, frames=infos)
    assert p.unpack(p.pack(reply, [b"abc", b""])) == (reply, [b"abc", b""])


@pytest.mark.parametrize("cut", [0, 3, 10, -1])
def test_broken_replies_are_noticed(cut: int) -> None:
    whole = p.pack(
        p.Reply(type="frame", frames=[p.FrameInfo(tick=0, width=1, height=1, format="png", bytes=4)]), [b"1234"]
    )
    with pytest.raises(ValueError):
        p.unpack(whole[:cut])


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (b"", "message"),
        (b"\xff\xfe", "message"),
        (b"[" * 100_000, "message"),
        (b'{"type": "look"', "message"),
        (b'"look"', "message"),
        (b"{}", "type"),
        (b'{"type": "dance"}', "type"),
        (b'{"type": 3}', "type"),
        (b'{"type": "look", "frames": 1000}', "frames"),
        (b'{"type": "look", "frames": NaN}', "message"),
        (b'{"type": "look", "every_ms": 1e999}', "every_ms"),
        (b'{"type": "look", "size": [1, 1]}', "size[0]"),
        (b'{"type": "look", "colour": 1}', "colour"),
        (b'{"type": "act", "line": "wait 1"}', "seq"),
        (b'{"type": "act", "seq": 1}', "actions"),
        (b'{"type": "act", "seq": 1, "line": "wait 1", "actions": []}', "actions"),
        (b'{"type": "act", "seq": 99999999999999999999999, "line": "wait 1"}', "seq"),
        (b'{"type": "act", "seq": "1", "line": "wait 1"}', "seq"),
        (b'{"type": "act", "seq": 1, "actions": [{"type": "click", "x": "a"}]}', "actions[0].x"),
        (b'{"type": "act", "seq": 1, "actions": [{"type": "click", "z": 1}]}', "actions[0].z"),
        (b'{"type": "act", "seq": 1, "actions": [{"type": "jump"}]}', "actions[0].type"),
        (b'{"type": "act", "seq": 1, "actions": [{"type": "wait", "ms": -1}]}', "actions[0].ms"),
        (b'{"type": "act", "seq": 1, "actions": [{"type": "drag", "path": [{"x": 1}]}]}', "actions[0].path[0].y"),
        (b'{"type": "act", "seq": 1, "line": "wait 1", "look": {"frames": -1}}', "look.frames"),
        (b'{"type": "act", "seq": 1, "line": "wait 1", "look": {"framse": 1}}', "look.framse"),
        (b" " * (p.MESSAGE_CAP + 1), "message"),
    ],
)
def test_refusals_name_the_field(raw: bytes, field: str) -> None:
    assert refused(raw).field == field


def test_refusals_say_what_would_do() -> None:
    assert "hello, begin, act, look" in refused(b'{"type": "dance"}').mend
    assert "x, y, button" in refused(b'{"type": "act", "seq": 1, "actions": [{"type": "click", "z": 1}]}').mend
    assert "move, click" in refused(b'{"type": "act", "seq": 1, "actions": [{"type": "jump"}]}').mend


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"{}", "is missing"),
        (b'"look"', "must be an object, not text"),
        (b'{"type": "dance"}', "'dance' is unknown"),
        (b'{"type": "look", "colour": 1}', "is unknown"),
        (b'{"type": "look", "format": "gif"}', "'gif' is unknown"),
        (b'{"type": "look", "frames": 1000}', "must be at most 32"),
        (b'{"type": "look", "frames": "x"}', "must be a whole number, not text"),
        (b'{"type": "look", "size": [100]}', "must hold 2 values"),
        (b'{"type": "act", "seq": 1, "actions": [{"type": "wait", "ms": -1}]}', "must be at least 0"),
        (b'{"type": "act", "seq": 1, "actions": [{"type": "key", "keys": "A"}]}', "must be a list, not text"),
    ],
)
def test_refusals_are_told_in_plain_words(raw: bytes, problem: str) -> None:
    assert refused(raw).problem == problem


def test_tickets() -> None:
    ticket = p.Ticket("127.0.0.1", 8000, "abc", "t-_k")
    assert p.Ticket.parse(f" {ticket}\n") == ticket
    for text in ("", "http://127.0.0.1:1/a#b", "bullettime://127.0.0.1/a#b", "bullettime://h:99999999/a#b", "x" * 999):
        with pytest.raises(BadInput, match="ticket"):
            p.Ticket.parse(text)


def test_replies_cannot_tell_secrets() -> None:
    _, parts = msgspec.json.schema_components([p.Reply])
    told = {name for part in parts.values() for name in part.get("properties", {})}
    assert not told & {"seed", "world", "digest", "digest_first", "digest_last", "oracle", "progress", "fate", "taint"}


def test_documents_are_current() -> None:
    """`python -m harness.wire.schemas` mends this."""
    written = {path.name: path.read_text() for path in (schemas.DOCS / "schemas").glob("*.json")}
    assert written == schemas.schemas()
    page = (schemas.DOCS / "protocol.md").read_text()
    assert page == schemas.page(page)
    assert all(f"<!-- {name} -->" in page for name in schemas.TABLES)


def validator(name: str) -> Any:
    schema = json.loads(schemas.schemas()[f"{name}.json"])
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_schemas_accept_what_we_send() -> None:
    infos = [p.FrameInfo(tick=0, width=2, height=1, format="png", bytes=3)]
    validator("reply").validate(json.loads(msgspec.json.encode(p.Reply(type="look", wall_us=STAMPS, frames=infos))))
    opening = p.Open(config="x/rt/1/full", seed=1)
    validator("open").validate(json.loads(msgspec.json.encode(opening)))
    summary = p.Summary(session="a", open=opening, verdict="lost", reason="time")
    validator("summary").validate(json.loads(msgspec.json.encode(summary)))
    with pytest.raises(jsonschema.ValidationError):
        validator("request").validate({"type": "look", "colour": 1})


def test_the_pages_examples_are_requests() -> None:
    page = (schemas.DOCS / "protocol.md").read_text()
    examples = re.findall(r"^-> (\{.*\})", page, re.MULTILINE)
    assert len(examples) == 6
    for example in examples:
        p.decode(example)
        validator("request").validate(json.loads(example))
