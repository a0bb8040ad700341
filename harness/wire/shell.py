"""The shell's way to play: `bullettime open`, `look`, `act`, `close`. Whatever can run a command can play.

Each command is a process that speaks HTTP once and ends: it imports little, as its start is the agent's thinking.
"""

import http.client
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
import typer

from harness.errors import UserError
from harness.wire import runtime
from harness.wire.protocol import Opened, Reply, Ticket, check, unpack

CALL_S = 1200.0  # for an answer: an act may hold a key for long under a slow tempo

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object")]
Out = Annotated[Path, typer.Option("--out", "-o", help="Where to save the picture; earlier ones go beside it")]
Frames = Annotated[int | None, typer.Option(min=0, help="How many pictures, the last one now")]
Where = Annotated[str | None, typer.Option(envvar="BULLETTIME_TICKET", help="A ticket; the last one by default")]
PICTURE = Path("frame.png")


def open_(
    config: Annotated[str, typer.Argument(help="game/rt|twin/1..5/simple|full")],
    seed: Annotated[int | None, typer.Option(min=0, help="Which world; drawn by default")] = None,
    tempo: Annotated[str, typer.Option(help="live, 4x, 16x, 64x, another slowdown, or paused")] = "live",
    drive: Annotated[str, typer.Option(help="wall, or metered: an act is charged the thinking before it")] = "wall",
    frames: Annotated[int, typer.Option(min=1, help="Pictures of an observation, the last one now")] = 1,
    begin: Annotated[bool, typer.Option("--begin", help="Start the world at once, not with the first act")] = False,
    out: Out = PICTURE,
    json: Json = False,
) -> None:
    """Open a session: print its ticket and rules, save its first picture. Starts a server where none runs."""
    condition = {"config": config, "seed": seed, "tempo": tempo, "drive": drive, "frames": frames}
    address, token = runtime.started_server()
    opened = msgspec.json.decode(_call(address, token, "/sessions", condition), type=Opened)
    runtime.write(runtime.TICKET, opened.ticket)
    hello = _ask(opened.ticket, "hello").hello or {}
    reply, paths = _see(opened.ticket, "begin" if begin else "look", {}, out)
    keys = ", ".join(f"{key} ({what})" for key, what in hello["keys"].items())
    text = f"{opened.ticket}\n{hello['title']}. {hello['goal']}\n{hello['rulebook']}\nKeys: {keys}"
    _print(reply, paths, json, text, ticket=opened.ticket, hello=hello)


def look(ticket: Where = None, frames: Frames = None, out: Out = PICTURE, json: Json = False) -> None:
    """Save what an open session shows now."""
    reply, paths = _see(_ticket(ticket), "look", {"frames": frames}, out)
    _print(reply, paths, json)


def act(
    line: Annotated[str, typer.Argument(help="click 400 300; hold ArrowLeft 500; drag 1 2 3 4; wait 200 …")],
    ticket: Where = None,
    frames: Frames = None,
    out: Out = PICTURE,
    json: Json = False,
) -> None:
    """Act in an open session and save what it then shows. The first act starts the world."""
    ticket = _ticket(ticket)
    last = _ask(ticket, "ping")
    if last.state == "ready":
        _ask(ticket, "begin", look={"frames": 0})
    message = {"seq": (last.seq or 0) + 1, "line": line, "look": {"frames": frames}}
    reply, paths = _see(ticket, "act", message, out)
    _print(reply, paths, json)


def close(ticket: Where = None, json: Json = False) -> None:
    """End an open session and print its verdict; one that is not over is given up."""
    _print(_ask(_ticket(ticket), "end"), [], json)


def _see(ticket: str, kind: str, message: dict[str, Any], out: Path) -> tuple[Reply, list[Path]]:
    """Send a message and save the pictures of its reply: now's at `out`, the one before it at `out`-1 …"""
    where = Ticket.parse(ticket)
    raw = _call(where.address, where.token, f"/{kind}", message, "application/octet-stream")
    reply, images = unpack(raw)
    paths = [out if not back else out.with_stem(f"{out.stem}-{back}") for back in range(len(images))]
    try:
        for path, image in zip(paths, reversed(images), strict=True):
            path.write_bytes(image)
    except OSError as error:
        raise UserError(f"{error.filename}: {error.strerror}", "choose another place with --out") from None
    return reply, paths


def _ask(ticket: str, kind: str, **message: Any) -> Reply:
    where = Ticket.parse(ticket)
    return msgspec.json.decode(_call(where.address, where.token, f"/{kind}", message), type=Reply)


def _print(reply: Reply, paths: list[Path], json: bool, text: str = "", **more: Any) -> None:
    if json:
        saved = {"pictures": [str(path) for path in paths]}
        print(msgspec.json.encode({**msgspec.to_builtins(reply), **saved, **more}).decode())
        return
    state = f"{reply.verdict}: {reply.reason}" if reply.reason else reply.verdict or reply.state
    lines = [text, f"{state}, game time {(reply.game_us or 0) / 1e6:.2f} s"]
    lines += [f"{path} ({'now' if not back else f'{back} before'})" for back, path in enumerate(paths)]
    print("\n".join(filter(None, lines)))


def _ticket(given: str | None) -> str:
    ticket = given or runtime.read(runtime.TICKET)
    if not ticket:
        raise UserError("no session is open", "bullettime open GAME/rt/1/full")
    return ticket


def _call(address: str, token: str, path: str, body: dict[str, Any], accept: str = "application/json") -> bytes:
    """POST a message; raises BadInput when it is refused, UserError when nobody answers."""
    headers = {"Authorization": f"Bearer {token}", "Accept": accept, "Content-Type": "application/json"}
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=CALL_S)
    try:
        connection.request("POST", path, msgspec.json.encode(body), headers)
        answer = connection.getresponse()
        raw = answer.read()
    except OSError as error:
        raise UserError(f"nobody answers at {address}: {error}", "open another session") from None
    finally:
        connection.close()
    return raw if answer.headers["Content-Type"] == "application/octet-stream" else check(raw)
