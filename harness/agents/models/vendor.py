"""What the vendors' files share: pictures, tool calls, failures, and pieces of computer tools."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from harness.agents import Spec
from harness.agents.models.code import PYTHON, split
from harness.agents.models.conversation import Answer, ProviderFailed, whole_text
from harness.agents.models.model import Model
from harness.agents.models.surface import read_line
from harness.errors import BadInput, Unusable, UserError

NOTCH_PX = 120  # of a wheel
PASSING = (408, 409, 425, 429)  # statuses of requests that may be met later; others from 400 to 499 stay as they are
Status = Callable[[Exception], tuple[int, str, Any] | None]  # HTTP status, message and headers, if any


def mime(picture: bytes) -> str:
    """A picture's type."""
    return "image/png" if picture.startswith(b"\x89PNG") else "image/jpeg"


def base64_of(picture: bytes) -> str:
    """A picture as text."""
    return base64.b64encode(picture).decode()


def data_url(picture: bytes) -> str:
    """A picture as a URL that holds it."""
    return f"data:{mime(picture)};base64,{base64_of(picture)}"


def gather(model: Model, answer: Answer, calls: list[Callable[[], list[dict[str, Any]] | str]]) -> None:
    """Put together the actions and the code of an answer's calls, or of its text where that is the surface.

    One bad call spoils them all: an act is done whole or not at all.
    """
    answer.text = whole_text(answer.text)
    try:
        if model.surface == "text":
            answer.code, text = split(answer.text) if model.code else ("", answer.text)
            line = read_line(text)
            answer.looked, answer.actions = line == [], line or []
            return
        done = [call() for call in calls]
        if not model.code and any(isinstance(each, str) for each in done):
            raise BadInput("tool", f"{PYTHON!r} is unknown", "call one that you were given")
        answer.code = "\n".join(each for each in done if isinstance(each, str))
        answer.actions = [action for each in done if not isinstance(each, str) for action in each]
        answer.looked = bool(calls) and not answer.actions
    except BadInput as bad:
        answer.actions, answer.code, answer.problem = [], "", f"{bad} ({bad.mend})"


@contextmanager
def failures(model: Model, status: Status) -> Iterator[None]:
    """Within it, what goes wrong is told as what it means to a run: something to mend, or a provider that failed."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        told = status(error)
        if told is not None:
            raise _status_failed(model.spec, *told) from error
        if model.watch.unstreamed:
            what = f"the server answers with {model.watch.unstreamed}, not with a stream of events"
            raise Unusable(f"{model.spec.name}: {what}", "check its address, and that it can stream") from error
        if isinstance(error, ProviderFailed):
            raise
        raise ProviderFailed(f"{model.spec.kind}: {_words(error)}") from error


def _words(error: BaseException) -> str:
    """What an error says, with the one that it came from: an SDK's own may only say that there was one."""
    deepest = error
    while deepest.__cause__ is not None:
        deepest = deepest.__cause__
    return " ".join(dict.fromkeys(str(each) or repr(each) for each in (error, deepest)))


def _status_failed(spec: Spec, status: int, message: str, headers: Any) -> Exception:
    if 400 <= status < 500 and status not in PASSING:
        named = "check the key and the model's name"
        mend = named if status in (401, 403, 404) else "change what it refuses: surface, effort, tool or conversation"
        return Unusable(f"{spec.name}: {status}: {message}", mend)
    wait = str((headers or {}).get("retry-after", ""))
    wait_s = float(wait) if wait.replace(".", "", 1).isdigit() else None
    return ProviderFailed(f"{spec.kind}: {status}: {message}", throttled=status in (429, 529), wait_s=wait_s)


def holding(keys: list[str], action: dict[str, Any]) -> list[dict[str, Any]]:
    """An action with keys down around it."""
    downs = [{"type": "key_down", "key": key} for key in keys]
    return [*downs, action, *({"type": "key_up", "key": key} for key in reversed(keys))]


def notches(px: float) -> int:
    """Pixels of scrolling as notches of a wheel, at least one where there are any."""
    whole = round(px / NOTCH_PX)
    return whole or (px > 0) - (px < 0)
