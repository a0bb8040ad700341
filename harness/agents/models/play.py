"""A model's episode: show it the screen, do what it answers, again and again, with a stopwatch at its calls."""

from __future__ import annotations

import asyncio
import gc
import importlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.agents import Spec
from harness.agents.models.code import NOTHING
from harness.agents.models.conversation import Answer, Policy, Shown, load_policy, price_of
from harness.agents.models.surface import how, told
from harness.agents.models.transcript import Transcript
from harness.errors import BadInput, Unusable
from harness.results.records import Call
from harness.sandbox.box import Box
from harness.wire.client import Client, Seen

if TYPE_CHECKING:
    from harness.agents.models.model import Model

REHEARSALS = Path(__file__).with_name("rehearsals")  # a short answer in each vendor's form
REFUSED = "agent refused"
GAVE_UP = "agent gave up"
Note = Callable[[Call], None]


class Play:
    """One episode of one model. note is called with each call as it ends, and so knows of all that was paid for.

    box: where it may run code.
    """

    def __init__(
        self, spec: Spec, client: Client, note: Note, transcript: Transcript, *, metered: bool, box: Box | None = None
    ) -> None:
        self._spec, self._client, self._note, self._transcript = spec, client, note, transcript
        self._metered, self._box = metered, box
        self._policy: Policy = load_policy(spec.option("conversation", "default"))
        self._price = price_of(spec)
        self._calls = 0
        self._begun_us = 0

    async def to_end(self) -> str:
        """Play; returns the reason for a loss that the model itself is the cause of, if there is one.

        Raises ProviderFailed, and UserError when the session is gone or something has to be mended.
        """
        hello = await self._client.hello()
        width, height = hello["screen"]
        ways = how(self._spec.surface, hello, code=self._box is not None)
        system = self._policy.system.strip().format(told=told(hello), how=ways, width=width, height=height)
        self._transcript.write({"system": system, "agent": self._spec.name})
        model = make(self._spec, self._policy, hello, system, code=self._box is not None)
        try:
            await rehearse(model)
            return await self._turns(model)
        finally:
            await model.close()

    async def _turns(self, model: Model) -> str:
        seen = await self._client.begin(size=self._policy.size, format=self._policy.format)
        self._begun_us = time.monotonic_ns() // 1000
        problem, printed, idle = "", "", 0
        while not seen.over:
            if self._calls == self._policy.max_calls:
                return f"{GAVE_UP} after {self._calls} calls"
            answer, thought_us = await self._ask(model, seen, f"{printed}\n{problem}" if printed else problem)
            if answer.refused:
                return REFUSED
            problem, printed, seen = await self._do(answer, thought_us)
            idle = idle + 1 if problem else 0
            if idle == self._policy.patience and not seen.over:
                return f"{GAVE_UP}: {idle} answers were no act"
        return ""

    async def _ask(self, model: Model, seen: Seen, said: str) -> tuple[Answer, int]:
        """Call the model; returns its answer, and the thinking to charge for it (µs)."""
        shown = Shown(_words(seen, said), [frame.bytes for frame in seen.frames])
        self._transcript.write({"shown": shown.text}, shown.pictures, self._policy.format)
        self._calls += 1
        answer, why = Answer(), "cancelled"
        try:
            async with asyncio.timeout(self._policy.call_s + 1):  # the SDK's own limit comes first
                answer = await model.ask(shown)
            why = ""
        except Exception as error:
            why = str(error) or repr(error)
            raise
        finally:
            watch = model.watch
            charged_us = 0 if why else self._charged_us(answer, watch.done_us - watch.sent_us)
            self._note(self._call(answer, watch.sent_us, watch.done_us, charged_us, why))
        code = {"code": answer.code} if answer.code else {}
        self._transcript.write({"answer": answer.text, "actions": answer.actions, **code, "problem": answer.problem})
        return answer, charged_us

    async def _do(self, answer: Answer, thought_us: int) -> tuple[str, str, Seen]:
        """Do what was answered; returns what was wrong with it, what its code printed, and the screen after it."""
        view: dict[str, Any] = {"size": self._policy.size, "format": self._policy.format}
        charge = {"thought_us": thought_us} if self._metered else {}
        problem, printed = answer.problem, ""
        if answer.actions:
            try:
                seen = await self._client.act(answer.actions, coord_space=answer.space, **charge, **view)
                if not answer.code:
                    return "", "", seen
            except BadInput as bad:
                problem = f"{bad} ({bad.mend})"
        if answer.code and self._box and not problem:
            printed = await self._box.run(answer.code) or NOTHING
        elif not answer.looked:
            problem = problem or self._policy.nudge
        return problem, printed, await self._client.look(**charge, **view)

    def _charged_us(self, answer: Answer, measured_us: int) -> int:
        """Thinking: as measured, or as the agent's name declares."""
        rate = float(self._spec.option("rate", "0"))
        if not rate:
            return measured_us
        seconds = float(self._spec.option("first_s", "0")) + answer.tokens.received / rate
        return round(seconds * 1_000_000)

    def _call(self, answer: Answer, sent_us: int, done_us: int, charged_us: int, why: str) -> Call:
        begun, tokens = self._begun_us, answer.tokens
        return Call(
            episode="",  # known to who records it
            attempt=0,
            seq=self._calls,
            sent_us=sent_us - begun,
            first_us=None if answer.first_us is None else min(answer.first_us, done_us) - begun,
            done_us=done_us - begun,
            charged_us=charged_us,
            tokens_in=tokens.sent,
            tokens_cached=tokens.cached,
            tokens_out=tokens.received,
            tokens_reasoning=tokens.reasoning,
            cost=tokens.cost(self._price),
            stop=answer.stop,
            problem=why or answer.problem,
        )


def _words(seen: Seen, said: str) -> str:
    """What goes with the pictures."""
    count = len(seen.frames)
    shown = f"The last of {count} pictures is now." if count > 1 else "The screen now."
    return f"{said} {shown}".strip()


_rehearsed: set[str] = set()
_rehearsing = asyncio.Lock()


async def rehearse(model: Model) -> None:
    """Have a vendor's SDK load all that it needs, by an answer that nobody gave: once in a process.

    What it loads at its first call takes seconds in which the process hears of nothing else.
    """
    async with _rehearsing:
        if model.spec.kind in _rehearsed:
            return
        _rehearsed.add(model.spec.kind)
        other = type(model)(model.spec, model.policy, model.hello, model.system, model.code)
        other.watch.rehearsal = (REHEARSALS / f"{model.spec.kind}.sse").read_bytes()
        try:
            await other.ask(Shown("", [b""]))
        finally:
            await other.close()
        gc.collect()
        gc.freeze()  # or a collection would go through all that the SDK has loaded, for a third of a second


def make(spec: Spec, policy: Policy, hello: dict[str, Any], system: str, *, code: bool = False) -> Model:
    """A conversation with the model of that name, its vendor's SDK imported. Raises UserError, BadInput."""
    try:
        vendor = importlib.import_module(f"harness.agents.models.{spec.kind}")
    except ImportError as error:
        extra = "openai" if spec.kind == "chat" else spec.kind
        raise Unusable(
            f"{spec.name} needs a package that is missing: {error.name}", f"pip install 'bullettime[{extra}]'"
        ) from None
    return vendor.Conversation(spec, policy, hello, system, code)
