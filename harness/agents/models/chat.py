"""Any server that speaks the OpenAI chat format: vLLM, SGLang, routers. `chat:URL#MODEL`.

Pictures go in user messages, as many servers take none from a tool. BULLETTIME_CHAT_KEY: a key, if it wants one.
"""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import openai

from harness.agents.models.conversation import Answer, ProviderFailed, Shown, Tokens
from harness.agents.models.model import Model
from harness.agents.models.openai import status
from harness.agents.models.stopwatch import now_us
from harness.agents.models.surface import read_call
from harness.agents.models.vendor import data_url, failures, gather

KEY = "BULLETTIME_CHAT_KEY"


class Conversation(Model):
    """A conversation over chat completions."""

    def __init__(self, *rest: Any) -> None:
        super().__init__(*rest)
        self._calls: list[dict[str, Any]] = []
        url, _, self._model = self.spec.target.partition("#")
        key = os.environ.get(KEY) or "none"
        self._client = openai.AsyncOpenAI(
            base_url=url, api_key=key, max_retries=0, timeout=self.policy.call_s, http_client=self.http
        )

    def _begin(self, shown: Shown) -> list[Any]:
        return [{"role": "system", "content": self.system}, _message(shown)]

    def _reply(self, shown: Shown) -> list[Any]:
        results = [{"role": "tool", "tool_call_id": call["id"], "content": shown.text} for call in self._calls]
        return [*results, _message(shown)]

    async def _call(self) -> tuple[Answer, list[Any]]:
        options: dict[str, Any] = {}
        if self.surface != "text":
            options["tools"] = [
                {"type": "function", "function": {"name": name, "description": told, "parameters": schema}}
                for name, told, schema in self.functions
            ]
        if effort := self.spec.option("effort"):
            options["reasoning_effort"] = effort
        said = _Said()
        with failures(self, status):
            stream = await self._client.chat.completions.create(
                model=self._model,
                messages=self.history,
                max_tokens=self.policy.max_tokens,
                stream=True,
                stream_options={"include_usage": True},
                **options,
            )
            async for chunk in stream:
                said.take(chunk)
            if not said.stop:
                raise ProviderFailed(f"{self.spec.kind}: the answer broke off")
        self._calls = list(said.calls.values())
        answer = Answer(text=said.text, stop=said.stop, first_us=said.first_us, tokens=said.tokens)
        answer.refused = said.stop == "content_filter" or (said.refused and not self._calls)
        gather(self, answer, [partial(read_call, **call["function"]) for call in self._calls])
        return answer, [said.message()]


class _Said:
    """An answer as its chunks add up."""

    def __init__(self) -> None:
        self.text = self.stop = ""
        self.refused = False
        self.first_us: int | None = None
        self.tokens = Tokens()
        self.calls: dict[int, dict[str, Any]] = {}  # by their place

    def take(self, chunk: Any) -> None:
        if usage := chunk.usage:
            cached, reasoning = usage.prompt_tokens_details, usage.completion_tokens_details
            self.tokens = Tokens(
                usage.prompt_tokens,
                (cached and cached.cached_tokens) or 0,
                usage.completion_tokens,
                (reasoning and reasoning.reasoning_tokens) or 0,
            )
        for choice in chunk.choices[:1]:
            delta = choice.delta
            if self.first_us is None and (delta.content or delta.tool_calls):
                self.first_us = now_us()
            self.text += delta.content or ""
            self.refused |= bool(delta.refusal)
            self.stop = choice.finish_reason or self.stop
            for part in delta.tool_calls or ():
                empty = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
                call = self.calls.setdefault(part.index, empty)
                call["id"] += part.id or ""
                call["function"]["name"] += (part.function and part.function.name) or ""
                call["function"]["arguments"] += (part.function and part.function.arguments) or ""

    def message(self) -> dict[str, Any]:
        calls = {"tool_calls": list(self.calls.values())} if self.calls else {}
        return {"role": "assistant", "content": self.text or None, **calls}


def _message(shown: Shown) -> dict[str, Any]:
    pictures = [{"type": "image_url", "image_url": {"url": data_url(each)}} for each in shown.pictures]
    return {"role": "user", "content": [{"type": "text", "text": shown.text}, *pictures]}
