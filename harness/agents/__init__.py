"""Agents by their names, one line of text each.

oracle          a person who knows the game: acts 250 ms after the look that an act was chosen from
oracle@2s       a model that knows the game: looks, thinks so long, acts, looks again (0s, 1.5s, 250ms…)
tracker         sees only pictures: finds glyphs and motion with classical computer vision
random, idle    allowed actions by chance; waits
openai:MODEL, anthropic:MODEL, google:MODEL     a vendor's model, over its official SDK
chat:URL#MODEL                                  any server that speaks the OpenAI chat format
command:PROGRAM ARGUMENTS                       any program; it finds its ticket in the environment
python:MODULE:CLASS                             a class with one method, act(seen)

Models take options behind a `?`, for example `openai:MODEL?effort=low&surface=function`; see docs/agents.md.
"""

from __future__ import annotations

import importlib
import re
import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl

from harness.errors import BadInput

if TYPE_CHECKING:
    from harness.wire.client import SyncClient

Player = Callable[["SyncClient", int], None]  # plays a session to its end; the number is a seed of the player's own
PLAYERS = ("tracker", "random", "idle")
HUMAN = "human"  # plays by `bullettime play`
VENDORS = ("openai", "anthropic", "google", "chat")
GUESTS = ("command", "python")
SURFACES = ("native", "function", "text")  # by which a model acts
OPTIONS = {  # of models: name -> what its value looks like, as a pattern and in words
    "effort": (r"[a-z]+", "a word, such as low"),
    "surface": ("|".join(SURFACES), ", ".join(SURFACES)),
    "conversation": (r"[^?&]+", "a conversation's name, or a .toml file"),
    "tool": (r"computer_\w+", "Anthropic's, by its version, such as computer_20251124"),
    "first_s": (r"\d+(\.\d+)?", "seconds, such as 0.6"),  # with rate: thinking is charged so, not as measured
    "rate": (r"\d+(\.\d+)?", "tokens a second, such as 80"),
}
LONGEST_S = 3600


class Spec(NamedTuple):
    """An agent by its canonical name.

    kind: oracle, a player of PLAYERS, a vendor or a guest. think_us: None for a player, or for lag.
    target: a model, URL#MODEL, a command line, or MODULE:CLASS.
    """

    name: str
    kind: str
    think_us: int | None = None
    target: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def oracle(self) -> bool:
        """Whether it needs the world."""
        return self.kind == "oracle"

    @property
    def model(self) -> bool:
        """Whether it is a model behind an API."""
        return self.kind in VENDORS

    @property
    def hosted(self) -> bool:
        """Whether it mostly waits for others, so that one process plays many of its episodes."""
        return self.model or self.kind in GUESTS

    @property
    def surface(self) -> str:
        """By which surface a model acts."""
        return self.option("surface", "function")

    def option(self, name: str, default: str = "") -> str:
        """The value of an option."""
        return dict(self.options).get(name, default)

    def with_option(self, name: str, value: str) -> Spec:
        """The same model with another value of an option. Raises BadInput."""
        options = dict(self.options) | {name: value}
        return parse(f"{self.kind}:{self.target}?" + "&".join(f"{key}={value}" for key, value in options.items()))


def parse(text: str) -> Spec:
    """Read an agent's name. Raises BadInput."""
    text = text.strip()
    kind, colon, target = text.partition(":")
    if colon and kind in VENDORS:
        return _model(text, kind, target)
    if colon and kind in GUESTS:
        return _guest(text, kind, target)
    word = text.lower()
    if word in (*PLAYERS, HUMAN):
        return Spec(word, word)
    if word == "oracle":
        return Spec(word, "oracle")
    found = re.fullmatch(r"oracle@(\d{1,7}(?:\.\d{1,6})?)(ms|s)", word, re.ASCII)
    delays = f"write oracle@2s, oracle@1.5s or oracle@250ms: any time from 0s to {LONGEST_S}s"
    if word.startswith("oracle@") and not found:
        raise BadInput("agents", f"{text!r} names no thinking time", delays)
    if not found:
        mend = (
            f"use oracle, oracle@2s, {', '.join(PLAYERS)}, "
            "openai:MODEL, anthropic:MODEL, google:MODEL, chat:URL#MODEL, command:PROGRAM or python:MODULE:CLASS"
        )
        raise BadInput("agents", f"{text!r} is unknown", mend)
    think_us = round(float(found[1]) * (1_000 if found[2] == "ms" else 1_000_000))
    if think_us > LONGEST_S * 1_000_000:
        raise BadInput("agents", f"{text!r} thinks for more than {LONGEST_S} s", delays)
    return Spec(f"oracle@{think_us / 1e6:g}s", "oracle", think_us)


def _model(text: str, kind: str, target: str) -> Spec:
    target, _, query = target.partition("?")
    if not target or (kind == "chat" and not re.fullmatch(r"https?://[^#]+#.+", target)):
        form = "chat:http://127.0.0.1:8000/v1#MODEL" if kind == "chat" else f"{kind}:MODEL"
        raise BadInput("agents", f"{text!r} names no model", f"write {form}")
    if "@" in target.partition("#")[0]:
        raise BadInput("agents", f"{kind}: an address with a key or password in it", "set BULLETTIME_CHAT_KEY instead")
    options = dict(parse_qsl(query, keep_blank_values=True))
    for name, value in options.items():
        if name not in OPTIONS:
            raise BadInput("agents", f"{text!r}: option {name!r} is unknown", f"there are {', '.join(OPTIONS)}")
        pattern, words = OPTIONS[name]
        if not re.fullmatch(pattern, value):
            raise BadInput("agents", f"{text!r}: {name}={value!r} is malformed", f"{name} is {words}")
    if ("first_s" in options) != ("rate" in options) or options.get("rate") in ("0", "0.0"):
        raise BadInput("agents", f"{text!r}: first_s and rate go together", "give both: first_s=0.5&rate=80")
    if kind == "chat" and options.get("surface") == "native":
        raise BadInput("agents", f"{text!r}: the chat format has no native surface", "use function or text")
    ordered = tuple(sorted(options.items()))
    name = f"{kind}:{target}" + ("?" + "&".join(f"{key}={value}" for key, value in ordered) if ordered else "")
    return Spec(name, kind, None, target, ordered)


def _guest(text: str, kind: str, target: str) -> Spec:
    if kind == "python" and not re.fullmatch(r"[\w.]+:\w+", target):
        raise BadInput("agents", f"{text!r} names no class", "write python:MODULE:CLASS")
    try:
        program = shlex.split(target)
    except ValueError as error:
        raise BadInput("agents", f"{text!r}: {error}", "close the quotation") from None
    if not program:
        raise BadInput("agents", f"{text!r} names no program", "write command:./agent, with its arguments if any")
    return Spec(f"{kind}:{target.strip()}", kind, None, target.strip())


def known(name: str) -> Spec | None:
    """The agent of that name, or None when it is not one of ours: records may hold others."""
    try:
        return parse(name)
    except BadInput:
        return None


def player(name: str) -> Player:
    """The player of that name, its module imported."""
    module = "simple" if name in ("random", "idle") else name
    return getattr(importlib.import_module(f"harness.agents.{module}"), f"play_{name}")
