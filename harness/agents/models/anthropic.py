"""Anthropic's models, over the Messages API of its official SDK.

The native surface is the computer toolset of 2026-08; `tool=computer_20251124` chooses the single tool before it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import anthropic

from harness.agents.models.conversation import Answer, ProviderFailed, Shown, Tokens
from harness.agents.models.desktop import canonical
from harness.agents.models.model import Model
from harness.agents.models.stopwatch import now_us
from harness.agents.models.surface import read_call
from harness.agents.models.vendor import base64_of, failures, gather, mime
from harness.errors import Unusable

TOOLSET = "computer_toolset_20260801"
BETAS = {"computer_20251124": "computer-use-2025-11-24", "computer_20250124": "computer-use-2025-01-24"}
KEYS = ("key", "hold_key", "type", "wait", "screenshot")  # members that need no pointer
MALFORMED = "Unable to parse tool parameter JSON from model"  # what the SDK says of the model's own mistake
POINTER = (
    *("left_click", "right_click", "middle_click", "double_click", "triple_click"),
    *("mouse_move", "left_click_drag", "left_mouse_down", "left_mouse_up", "scroll"),
)


def status(error: Exception) -> tuple[int, str, Any] | None:
    """The HTTP status, message and headers of an error that has them."""
    if isinstance(error, anthropic.APIStatusError):
        return error.status_code, error.message, error.response.headers
    return None


class Conversation(Model):
    """A conversation over the Messages API."""

    def __init__(self, *rest: Any) -> None:
        super().__init__(*rest)
        self._calls: list[Any] = []  # tool_use blocks of the last answer
        self._client = anthropic.AsyncAnthropic(max_retries=0, timeout=self.policy.call_s, http_client=self.http)
        if not (self._client.api_key or self._client.auth_token):
            raise Unusable(f"{self.spec.name}: there is no key", "set ANTHROPIC_API_KEY")
        self._tool = self.spec.option("tool", TOOLSET)
        if self._tool != TOOLSET and self._tool not in BETAS:
            known = ", ".join((TOOLSET, *BETAS))
            raise Unusable(f"{self.spec.name}: the tool {self._tool!r} is unknown", f"there are {known}")

    def _begin(self, shown: Shown) -> list[Any]:
        return [{"role": "user", "content": _parts(shown)}]

    def _reply(self, shown: Shown) -> list[Any]:
        parts: list[Any] = [self._result(call, shown, last=call is self._calls[-1]) for call in self._calls]
        return [{"role": "user", "content": parts or _parts(shown)}]

    @staticmethod
    def _result(call: Any, shown: Shown, *, last: bool) -> dict[str, Any]:
        result = {"type": "tool_result", "tool_use_id": call.id, "content": _parts(shown) if last else "see below"}
        toolset = getattr(call, "toolset_name", None)
        return result | ({"toolset_name": toolset} if toolset else {})

    async def _call(self) -> tuple[Answer, list[Any]]:
        options: dict[str, Any] = {}
        if self.surface != "text":
            functions = [
                {"name": name, "description": told, "input_schema": schema} for name, told, schema in self.functions
            ]
            options["tools"] = [*([self._computer()] if self.surface == "native" else []), *functions]
        if self.surface == "native" and self._tool in BETAS:
            options["betas"] = [BETAS[self._tool]]
        if effort := self.spec.option("effort"):
            options["output_config"] = {"effort": effort}
        first_us = None
        with failures(self, status):
            try:
                async with self._client.beta.messages.stream(
                    model=self.spec.target,
                    system=self.system,
                    messages=self.history,
                    max_tokens=self.policy.max_tokens,
                    **options,
                ) as stream:
                    async for event in stream:
                        if first_us is None and event.type == "content_block_delta":
                            first_us = now_us()
                    message = await stream.get_final_message()
            except ValueError as error:
                if MALFORMED not in str(error):
                    raise
                self._calls = []  # the SDK gives us nothing of the answer, its tokens included
                problem = 'arguments: no JSON (send {"actions": [...]})'
                return Answer(problem=problem, first_us=first_us), [_said("(a malformed call)")]
            if message.stop_reason is None:
                raise ProviderFailed(f"{self.spec.kind}: the answer broke off")
        answer = self._read(message)
        answer.first_us = first_us
        content = [block.model_dump(mode="json", exclude_none=True) for block in message.content]
        return answer, [{"role": "assistant", "content": content} if content else _said("(nothing)")]

    def _computer(self) -> dict[str, Any]:
        """The vendor's tool, without the members that this game has no use for."""
        if self._tool in BETAS:
            width, height = self.policy.size
            size = {"display_width_px": width, "display_height_px": height}
            return {"type": self._tool, "name": "computer", **size}
        useless = ("zoom", "cursor_position", *(() if self.hello["pointer"] else POINTER))
        return {"type": TOOLSET, "configs": {name: {"enabled": False} for name in useless}}

    def _read(self, message: Any) -> Answer:
        self._calls = [block for block in message.content if block.type == "tool_use"]
        usage = message.usage
        cached = usage.cache_read_input_tokens or 0
        answer = Answer(
            text="".join(block.text for block in message.content if block.type == "text"),
            stop=message.stop_reason or "",
            refused=message.stop_reason == "refusal",
            tokens=Tokens(
                usage.input_tokens + cached + (usage.cache_creation_input_tokens or 0), cached, usage.output_tokens
            ),
        )
        gather(self, answer, [partial(self._actions, call) for call in self._calls])
        return answer

    def _actions(self, call: Any) -> list[dict[str, Any]] | str:
        given = call.input if isinstance(call.input, dict) else call.input.model_dump(exclude_none=True)
        if getattr(call, "toolset_name", None):
            return canonical(call.name, given, self.scale)
        if call.name == "computer":
            return canonical(str(given.get("action")), given, self.scale)
        return read_call(call.name, given)


def _said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


def _parts(shown: Shown) -> list[dict[str, Any]]:
    pictures = [
        {"type": "image", "source": {"type": "base64", "media_type": mime(each), "data": base64_of(each)}}
        for each in shown.pictures
    ]
    return [{"type": "text", "text": shown.text}, *pictures]
