"""How models are spoken to: the policy of a conversation, what is shown and answered, and what it costs."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from configs import FOLDER
from harness.agents import Spec
from harness.errors import BadInput, UserError

CONVERSATIONS, PRICES = FOLDER / "conversations", FOLDER / "prices.toml"
OWN_PRICES = "BULLETTIME_PRICES"  # a variable: the user's own file
Count = Annotated[int, Meta(ge=1)]


class Policy(Struct, frozen=True, forbid_unknown_fields=True):
    """A conversation's rules; configs/conversations/default.toml says what each means."""

    system: str
    nudge: str
    about: str = ""
    kept: Count = 12
    size: tuple[Annotated[int, Meta(ge=16, le=2560)], Annotated[int, Meta(ge=16, le=1920)]] = (800, 600)
    format: Literal["png", "jpeg"] = "png"
    wait_ms: Annotated[float, Meta(ge=0, le=10_000)] = 1000
    max_tokens: Count = 4096
    max_calls: Count = 300
    patience: Count = 5
    call_s: Annotated[float, Meta(gt=0)] = 120


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """USD per million tokens."""

    input: float
    output: float
    cached: float | None = None


@dataclass
class Tokens:
    """What a call used. Cached ones are among those that went in, reasoning among those that came out."""

    sent: int = 0
    cached: int = 0
    received: int = 0
    reasoning: int = 0

    def cost(self, price: Price | None) -> float | None:
        """USD; None where the price is unknown."""
        if price is None:
            return None
        cached = price.input if price.cached is None else price.cached
        fresh = self.sent - self.cached
        return (fresh * price.input + self.cached * cached + self.received * price.output) / 1e6


@dataclass
class Shown:
    """What a model is shown: pictures, oldest first, and words that go with them."""

    text: str
    pictures: list[bytes]


@dataclass
class Answer:
    """What a model answered. Without actions and code, problem says why, unless it only wanted to look."""

    actions: list[dict[str, Any]] = field(default_factory=list)
    code: str = ""  # to be run after the actions
    space: Literal["px", "norm1000"] = "px"
    problem: str = ""
    looked: bool = False
    refused: bool = False
    stop: str = ""
    text: str = ""
    tokens: Tokens = field(default_factory=Tokens)
    first_us: int | None = None  # when the first token came, on the clock of the stopwatch


class ProviderFailed(Exception):
    """The provider did not answer as it should: a cause outside the agent. wait_s: it asks to be left alone so long."""

    def __init__(self, why: str, *, throttled: bool = False, wait_s: float | None = None) -> None:
        super().__init__(why)
        self.throttled = throttled
        self.wait_s = wait_s


@cache
def load_policy(name: str) -> Policy:
    """The conversation of configs/conversations by its name, or that in a TOML file. Raises UserError."""
    path = Path(name) if name.endswith(".toml") else CONVERSATIONS / f"{name}.toml"
    try:
        return msgspec.convert(tomllib.loads(path.read_text()), Policy)
    except FileNotFoundError:
        known = ", ".join(sorted(each.stem for each in CONVERSATIONS.glob("*.toml")))
        raise UserError(f"there is no conversation {name!r}", f"known are {known}; or name a .toml file") from None
    except (OSError, tomllib.TOMLDecodeError, UnicodeError, msgspec.ValidationError) as error:
        raise UserError(f"{path}: {error}", "configs/conversations/default.toml explains each field") from None


def price_of(spec: Spec) -> Price | None:
    """What a model's tokens cost, where that is known. Raises UserError."""
    return prices().get(f"{spec.kind}:{spec.target}")


@cache
def prices() -> dict[str, Price]:
    """The known prices, by `vendor:model`: ours, and before them those of the user's own file. Raises UserError."""
    known: dict[str, Price] = {}
    for path in (PRICES, os.environ.get(OWN_PRICES)):
        try:
            known |= msgspec.convert(tomllib.loads(Path(path).read_text()), dict[str, Price]) if path else {}
        except (OSError, tomllib.TOMLDecodeError, UnicodeError, msgspec.ValidationError) as error:
            raise UserError(f"{path}: {error}", "configs/prices.toml shows the form") from None
    return known


def whole_text(value: Any) -> Any:
    """Plain values, with half characters in their texts replaced: JSON can spell them, and nobody can send them on."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {key: whole_text(each) for key, each in value.items()}
    return [whole_text(each) for each in value] if isinstance(value, list) else value


def whole(name: str, value: object) -> float:
    """A number of a tool call. Raises BadInput."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInput(name, f"must be a number, not {value!r}", "send a number")
    return value
