"""The shell's way to play: `bullettime open`, `look`, `act`, `close`. Whatever can run a command can play.

Each command is a process that speaks HTTP once and ends: it imports little, as its start is the agent's thinking.
"""

import http.client
import sys
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
import typer

from harness.errors import UserError
from harness.telling import columns, keys_of, tell
from harness.wire import runtime
from harness.wire.protocol import Opened, Reply, Ticket, check, unpack

CALL_S = 1200.0  # for an answer: an act may hold a key for long under a slow tempo

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object")]
Out = Annotated[Path, typer.Option("--out", "-o", help="Where to save the picture; earlier ones go beside it")]
Frames = Annotated[int | None, typer.Option(min=0, help="How many pictures, the last one now")]
Where = Annotated[
    str | None,
    typer.Option(envvar="BULLETTIME_TICKET", help="A ticket; else the last of this folder"),
]
PICTURE = Path("frame.png")
WRITTEN = {  # a gesture -> how the action language spells it
    "click": "click X Y",
    "drag": "drag X1 Y1 X2 Y2",
    "hold": "drag X1 Y1 X2 Y2 MS; or down X Y, move, wait, up",
    "right click": "right X Y",
    "wheel": "scroll X Y NOTCHES",
    "tap keys": "key NAME",
    "hold keys": "hold NAME MS",
}


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
    runtime.write(runtime.ticket_file(), opened.ticket)
    hello = _ask(opened.ticket, "hello").hello or {}
    reply, paths = _see(opened.ticket, "begin" if begin else "look", {}, out)
    if hello["timing"] == "twin" and hello["tempo"] != "live":
        print(f"note: a twin charges no thinking, so --tempo {tempo} changes nothing", file=sys.stderr)
    _print(reply, paths, json, f"{opened.ticket}\n\n{_told(hello)}\n", ticket=opened.ticket, hello=hello)


def look(ticket: Where = None, frames: Frames = None, out: Out = PICTURE, json: Json = False) -> None:
    """Save what an open session shows now.

    Before the first act the world stands still. Afterwards a look costs the game time that passed while you thought,
    as an act does: all of it at tempo live, a quarter at 4x, none when paused or in a twin.

    \b
    bullettime look             the picture of now, in frame.png
    bullettime look -o now.png  elsewhere
    bullettime look --frames 3  also the two before it, frame-1.png and
                                frame-2.png; at most as many as `open` granted
    bullettime look --frames 0  none, only the state
    """
    reply, paths = _see(_ticket(ticket), "look", {"frames": frames}, out)
    _print(reply, paths, json)


def act(
    line: Annotated[str, typer.Argument(help="click 400 300; hold ArrowLeft 500; drag 1 2 3 4; wait 200 …")],
    ticket: Where = None,
    frames: Frames = None,
    out: Out = PICTURE,
    json: Json = False,
) -> None:
    """Act in an open session and save what it then shows. The first act starts the world.

    A line holds actions, with ; between them, done one after another. X and Y are pixels of the 800x600 picture, from
    its upper left corner. MS are milliseconds of game time, however slow the tempo. The keys of a game are those that
    `open` lists; simple mode takes keys only.

    \b
    click [X Y]              press and let go at once; without X Y: where it is
    right [X Y]              the same with the right button
    double [X Y]             click twice
    drag X1 Y1 X2 Y2 … [MS]  press, move along the points, let go; in 250 ms
    move X Y [MS]            point there, at once or over MS
    down [X Y] [BUTTON]      press and keep, over later acts too, until
    up [X Y] [BUTTON]        it is let go; BUTTON: left, right, middle
    scroll [X Y] NOTCHES     turn the wheel; positive is down
    key NAME[+NAME] [MS]     tap: W, Space, ArrowLeft, Shift+1; for 80 ms
    hold NAME[+NAME] MS      keep down for MS
    keydown NAME             press and keep, over later acts too, until
    keyup NAME               it is let go
    type TEXT                tap its letters, 80 ms each
    wait MS                  let game time pass
    pass                     do nothing, but let a twin's time go on

    An act takes at most 10 s and is answered when its time has passed. `@MS` behind an action starts it so long after
    the act's begin instead of after the action before. Refused lines have no effect.

    \b
    bullettime act 'click 400 300'
    bullettime act 'drag 300 330 450 160; wait 200; right 450 160'
    bullettime act 'hold W+ArrowLeft 500; key Space'
    bullettime act 'down 120 540; move 120 500 300; wait 1000; up'
    bullettime act 'hold W 900; click 400 300 @450'
    """
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


def _told(hello: dict[str, Any]) -> str:
    """The game as a new player has to know it, and how the action language plays it."""
    keys = keys_of(hello)
    return "\n".join(
        (
            *tell(hello),
            "Played with (`bullettime act --help` tells more):",
            *columns({gesture: WRITTEN[gesture] for gesture in hello["gestures"]}),
            *(["Keys:"] if keys else []),
            *columns(keys),
        )
    )


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
    ticket = given or runtime.read(runtime.ticket_file())
    if not ticket:
        raise UserError("no session has been opened from this folder", "bullettime open GAME/rt/1/full, or --ticket")
    return ticket


def _call(address: str, token: str, path: str, body: dict[str, Any], accept: str = "application/json") -> bytes:
    """POST a message; raises BadInput when it is refused, UserError when nobody answers."""
    headers = {"Authorization": f"Bearer {token}", "Accept": accept, "Content-Type": "application/json"}
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=CALL_S)
    try:
        connection.request("POST", path, msgspec.json.encode(body), headers)
        answer = connection.getresponse()
        raw = answer.read()
    except (OSError, http.client.HTTPException) as error:
        if path == "/sessions":
            raise UserError(f"no server answers at {address}: {error}", "try again") from None
        raise UserError(f"no worker answers at {address}; the session is lost", "open another session") from None
    finally:
        connection.close()
    return raw if answer.headers["Content-Type"] == "application/octet-stream" else check(raw)
