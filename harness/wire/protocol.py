"""The wire between an agent and its session: every message as a type, its errors, and its framing.

A request is one JSON object. A reply is one binary message: four bytes of header length (big-endian),
the header as JSON, then the image bytes of `header.frames` in order, each as long as its `bytes` says.
`harness.wire.schemas` writes docs/schemas/ and the tables of docs/protocol.md from these types.
"""

import re
import struct
from typing import Annotated, Any, Literal, NamedTuple, get_args
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from configs import DEFAULTS
from harness.actions import KINDS, Actions, AnyAction, CoordSpace
from harness.errors import BadInput, UserError, plainly

VERSION = 1
MESSAGE_CAP = 256 * 1024  # bytes of one request; longer ones are answered with an error
HARD_CAP = 4 * 1024 * 1024  # bytes; a WebSocket message beyond this closes the connection (1009)
FRAMES_CAP = 32  # frames of one observation

Size = tuple[Annotated[int, Meta(ge=16, le=2560)], Annotated[int, Meta(ge=16, le=1920)]]
Format = Literal["png", "jpeg"]
Sequence = Annotated[int, Meta(ge=1, le=2**53 - 1)]
Thought = Annotated[int, Meta(ge=0, le=86_400_000_000, description="µs of wall time")]


class View(Struct, forbid_unknown_fields=True, kw_only=True):
    """What a reply shows: `frames` pictures (0: none), the last one now, the others `every_ms` of game time apart.

    Both default to the session's condition and cannot exceed it. `size` (pixels) defaults to the screen's.
    """

    frames: Annotated[int, Meta(ge=0, le=FRAMES_CAP)] | None = None
    every_ms: Annotated[float, Meta(ge=1, le=10_000)] | None = None
    format: Format = "png"
    size: Size | None = None


class Request(Struct, forbid_unknown_fields=True, kw_only=True, tag_field="type"):
    """A message of the agent. Its reply repeats `id`, for clients that send before they have read."""

    id: Sequence | None = None


class Hello(Request, tag="hello"):
    """Ask what the game is: goal, rulebook, screen, mode, keys or verbs, allowed actions. Costs no game time."""


class Begin(Request, tag="begin"):
    """Say that you have seen the first frame and are ready: the frozen world starts, and thinking counts."""

    look: View = msgspec.field(default_factory=View)


class Act(Request, tag="act"):
    """Do a list of actions, checked whole before any of it takes effect; the reply's picture has the effect.

    Give either `actions` or `line` (the one-line language). `seq` must be greater than that of every act before.
    `thought_us` only in a session that was opened so: the thinking before it, in place of what the worker measured.
    """

    seq: Sequence
    actions: Actions | None = None
    line: Annotated[str, Meta(max_length=10_000)] | None = None
    coord_space: CoordSpace = "px"
    thought_us: Thought | None = None
    look: View = msgspec.field(default_factory=View)


class Look(View, forbid_unknown_fields=True, kw_only=True, tag_field="type", tag="look"):
    """See the world as it is now. `thought_us` as in an act, but it may be left out."""

    id: Sequence | None = None
    thought_us: Thought | None = None


class Stream(Request, tag="stream"):
    """Have pictures sent at `fps` of wall time, unasked, until it is 0 again. Wall drive and WebSocket only."""

    fps: Annotated[float, Meta(ge=0, le=60)]
    format: Format = "jpeg"
    size: Size | None = None


class End(Request, tag="end"):
    """Close the session. An episode that is not over is thereby given up: lost."""


class Ping(Request, tag="ping"):
    """Ask for the session's state and the `seq` of its last act. Costs no game time."""


AnyRequest = Hello | Begin | Act | Look | Stream | End | Ping


class FrameInfo(Struct, kw_only=True):
    """One picture of a reply; its bytes follow the header."""

    tick: Annotated[int, Meta(description="1/60 s of game time")]
    width: int
    height: int
    format: Format
    bytes: int
    data: Annotated[str | UnsetType, Meta(description="base64, over HTTP only")] = UNSET


class Stamps(Struct, kw_only=True):
    """Wall time in µs on the worker's monotonic clock, to be compared with each other only."""

    received: int
    applied: Annotated[int, Meta(description="the world had caught up with the receipt, and the act had been applied")]
    settled: Annotated[int, Meta(description="the act's own duration had passed: what the pictures show")]
    rendered: int | None = None
    encoded: int | None = None
    sent: int


class Fault(Struct, kw_only=True):
    """Why a message was refused. It had no effect."""

    field: str
    problem: str
    mend: str


class Reply(Struct, kw_only=True, omit_defaults=True):
    """The header of every reply. `type` repeats the request's, or is `frame` in a stream, or `error`."""

    type: Literal["hello", "begin", "act", "look", "stream", "end", "ping", "frame", "error"]
    id: int | None = None
    seq: Annotated[int | None, Meta(description="of the act that is answered")] = None
    state: Annotated[
        Literal["ready", "running", "over", "closed"] | None, Meta(description="ready: frozen until begin")
    ] = None
    verdict: Annotated[Literal["won", "lost"] | None, Meta(description="once over")] = None
    reason: Annotated[str | None, Meta(description="of a loss")] = None
    too_late: Annotated[bool, Meta(description="the episode was over before this act came: it was not applied")] = False
    game_us: Annotated[int | None, Meta(description="game time since begin, µs")] = None
    tick: Annotated[int | None, Meta(description="1/60 s of game time")] = None
    screen: Annotated[
        tuple[int, int] | None, Meta(description="what pixel coordinates refer to, whatever a frame's size")
    ] = None
    wall_us: Stamps | None = None
    frames: list[FrameInfo] = []
    hello: dict[str, Any] | None = None
    error: Fault | None = None


class Open(Struct, forbid_unknown_fields=True, kw_only=True):
    """The owner's request for a session: what is played, and under which condition. Never shown to the agent."""

    config: str
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1, description="drawn if missing")] | None = None
    tempo: str = "live"
    drive: Literal["wall", "metered"] = "wall"
    frames: Annotated[int, Meta(ge=1, le=FRAMES_CAP)] = DEFAULTS.frames
    every_ms: Annotated[float, Meta(ge=1, le=10_000)] = DEFAULTS.spacing_ms
    window_ms: Annotated[float, Meta(ge=0, le=10_000)] = DEFAULTS.window_ms
    rulebook: Annotated[bool, Meta(description="whether hello tells the rules beside the goal")] = True
    thinking: Annotated[
        Literal["measured", "told"], Meta(description="told: metered, by each act's thought_us; for trusted agents")
    ] = "measured"
    paced: Annotated[bool, Meta(description="a twin's bursts at the wall's speed, for people")] = False
    idle_s: Annotated[float, Meta(gt=0, le=86_400, description="without a message, then closed")] = 1800
    lifetime_s: Annotated[float, Meta(gt=0, le=604_800)] = 14_400


class Opened(Struct, kw_only=True):
    """A session has been placed. The ticket is the agent's, the rest the owner's."""

    session: str
    ticket: str
    open: Open


class ActRecord(Struct, kw_only=True):
    """One act as the worker saw it. Wall times in µs on its monotonic clock."""

    seq: int
    received: int
    applied: int
    sent: int | None = None
    game_us: Annotated[int, Meta(description="game time at its application")]
    stale_us: Annotated[
        int | None, Meta(description="game time since the newest frame that had been sent; None where none had been")
    ]
    thinking_us: Annotated[int, Meta(description="before it, as docs/time.md counts it")]


class Summary(Struct, kw_only=True):
    """What the owner gets of an ended session, for the records."""

    session: str
    open: Open
    verdict: Literal["won", "lost"]
    reason: str
    taint: Annotated[str, Meta(description="not scored, because of this")] = ""
    progress: Annotated[float | None, Meta(description="0..1")] = None
    ticks: int = 0
    game_us: int = 0
    thinking_us: int = 0
    infrastructure_us: Annotated[
        int, Meta(description="wall time by which replies left later than they could have")
    ] = 0
    late_p99_us: Annotated[int, Meta(description="ticks behind the wall's clock")] = 0
    late_max_us: int = 0
    ping_median_us: Annotated[
        int | None, Meta(description="until the agent answered a WebSocket ping; None where it answered none")
    ] = None
    digest_first: str = ""
    digest_last: str = ""
    acts: list[ActRecord] = []
    journal: list[Any] = []


class Ticket(NamedTuple):
    """All that an agent needs and gets: `bullettime://127.0.0.1:PORT/SESSION#TOKEN`."""

    host: str
    port: int
    session: str
    token: str

    def __str__(self) -> str:
        return f"bullettime://{self.host}:{self.port}/{self.session}#{self.token}"

    @property
    def address(self) -> str:
        """The worker's door."""
        return f"http://{self.host}:{self.port}"

    @classmethod
    def parse(cls, text: str) -> "Ticket":
        """Read a ticket; raises BadInput."""
        parts = urlsplit(text.strip())
        session = parts.path.strip("/")
        try:
            port = parts.port
        except ValueError:
            port = None
        if parts.scheme != "bullettime" or not (parts.hostname and port and session and parts.fragment):
            raise BadInput("ticket", "is none", "it reads bullettime://127.0.0.1:PORT/SESSION#TOKEN")
        return cls(parts.hostname, port, session, parts.fragment)


ACTIONS = [*KINDS]
POINTER_ACTIONS = ("move", "click", "mouse_down", "mouse_up", "drag", "scroll")  # not in simple mode

_decoder = msgspec.json.Decoder(AnyRequest)
_encoder = msgspec.json.Encoder()
_HEAD = struct.Struct(">I")
_TAGGED: dict[str, type[Struct]] = {
    kind.__struct_config__.tag: kind for kind in (*get_args(AnyRequest), *get_args(AnyAction))
}


def decode(raw: bytes | str) -> AnyRequest:
    """The request in `raw`; raises BadInput, naming the field, for anything that is not one."""
    if len(raw) > MESSAGE_CAP:
        raise BadInput("message", f"{len(raw)} bytes", f"send at most {MESSAGE_CAP} bytes")
    try:
        request = _decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as wrong:
        raise explain(wrong, raw) from None
    if isinstance(request, Act) and (request.actions is None) == (request.line is None):
        raise BadInput("actions", "need one of actions and line", "give a list of actions, or one line")
    return request


def encode(request: AnyRequest) -> bytes:
    """The request as it travels."""
    return _encoder.encode(request)


def explain(wrong: Exception, raw: bytes | str) -> BadInput:
    """What a failed decoding means, with the field that it is about and a mend."""
    problem, _, path = str(wrong).partition(" - at `$")
    field = path.rstrip("`").lstrip(".")
    if not isinstance(wrong, msgspec.ValidationError):
        return BadInput("message", problem, "send one JSON object, UTF-8")
    try:
        there = msgspec.json.decode(raw)
        for key, index in re.findall(r"\.?([^.\[\]]+)|\[(\d+)\]", field):
            within = there
            there = there[int(index)] if index else there.get(key)
            if there is None:
                there = within
                break
    except (msgspec.DecodeError, RecursionError, AttributeError, LookupError, TypeError, ValueError):
        there = None
    name = re.search(r"field `(.+?)`", problem)
    if name:
        field = f"{field}.{name[1]}" if field else name[1]
    kind = _TAGGED.get(there.get("type", "")) if isinstance(there, dict) else None
    if "Invalid value" in problem and field.rpartition(".")[2] == "type":
        kinds = ACTIONS if field.startswith("actions") else [k.__struct_config__.tag for k in get_args(AnyRequest)]
        mend = f"one of {', '.join(kinds)}"
    elif kind is not None:
        mend = f"{kind.__struct_config__.tag} takes {', '.join(kind.__struct_encode_fields__)}"
    else:
        mend = "see docs/protocol.md"
    return BadInput(field or "message", plainly(problem), mend)


def fault(bad: BadInput) -> Fault:
    """`bad` as it travels."""
    return Fault(field=bad.field, problem=bad.problem, mend=bad.mend)


def pack(reply: Reply, images: list[bytes]) -> bytes:
    """The binary message of `reply` and its images."""
    header = _encoder.encode(reply)
    return b"".join((_HEAD.pack(len(header)), header, *images))


def unpack(message: bytes) -> tuple[Reply, list[bytes]]:
    """The header and the images of a binary message; raises ValueError if it is none."""
    if len(message) < 4:
        raise ValueError("a reply has at least four bytes")
    start = 4 + _HEAD.unpack_from(message)[0]
    reply = msgspec.json.decode(message[4:start], type=Reply)
    images = []
    for frame in reply.frames:
        images.append(message[start : start + frame.bytes])
        start += frame.bytes
    if start != len(message):
        raise ValueError(f"{len(message)} bytes where the header says {start}")
    return reply, images


def check(raw: bytes) -> bytes:
    """A JSON answer over HTTP, unless it says an error: then raises BadInput."""
    try:
        answer = msgspec.json.decode(raw)
    except msgspec.DecodeError:
        raise UserError("the answer makes no sense", "is this a BulletTime server?") from None
    if isinstance(answer, dict) and answer.get("error"):
        problem = msgspec.convert(answer["error"], Fault)
        raise BadInput(problem.field, problem.problem, problem.mend)
    return raw
