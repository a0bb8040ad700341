"""OpenAI's models, over the Responses API of its official SDK."""

from __future__ import annotations

from functools import partial
from typing import Any

import openai

from harness.agents.models.code import Tool
from harness.agents.models.conversation import Answer, ProviderFailed, Shown, Tokens
from harness.agents.models.model import Model
from harness.agents.models.stopwatch import now_us
from harness.agents.models.surface import read_call
from harness.agents.models.vendor import data_url, failures, gather, holding, notches
from harness.errors import BadInput, Unusable

BUTTONS = {"left": "left", "right": "right", "wheel": "middle"}


def status(error: Exception) -> tuple[int, str, Any] | None:
    """The HTTP status, message and headers of an error that has them."""
    if isinstance(error, openai.APIStatusError):
        return error.status_code, error.message, error.response.headers
    return None


class Conversation(Model):
    """A conversation over the Responses API; nothing of it is kept at the provider's."""

    def __init__(self, *rest: Any) -> None:
        super().__init__(*rest)
        self._calls: list[Any] = []  # of tools, in the last answer
        try:
            self._client = openai.AsyncOpenAI(max_retries=0, timeout=self.policy.call_s, http_client=self.http)
        except openai.OpenAIError as error:
            raise Unusable(f"{self.spec.name}: {error}", "set OPENAI_API_KEY") from None

    def _begin(self, shown: Shown) -> list[Any]:
        return [_message(shown)]

    def _reply(self, shown: Shown) -> list[Any]:
        if not self._calls:
            return [_message(shown)]
        items = [self._output(call, shown, last=call is self._calls[-1]) for call in self._calls]
        native = self._calls[-1].type == "computer_call"
        early = Shown(shown.text, shown.pictures[:-1])  # its output takes one picture and no text
        return [*items, _message(early)] if native and (early.pictures or early.text) else items

    @staticmethod
    def _output(call: Any, shown: Shown, *, last: bool) -> dict[str, Any]:
        if call.type == "computer_call":
            return {
                "type": "computer_call_output",
                "call_id": call.call_id,
                "output": {"type": "computer_screenshot", "image_url": data_url(shown.pictures[-1])},
                "acknowledged_safety_checks": [each.model_dump() for each in call.pending_safety_checks or ()],
            }
        output = _parts(shown) if last else "see below"
        return {"type": "function_call_output", "call_id": call.call_id, "output": output}

    async def _call(self) -> tuple[Answer, list[Any]]:
        options: dict[str, Any] = {}
        if self.surface != "text":
            computer = [{"type": "computer"}] if self.surface == "native" else []
            options["tools"] = [*computer, *map(_function, self.functions)]
        if effort := self.spec.option("effort"):
            options["reasoning"] = {"effort": effort}
        with failures(self, status):
            stream = await self._client.responses.create(
                model=self.spec.target,
                instructions=self.system,
                input=self.history,
                max_output_tokens=self.policy.max_tokens,
                store=False,
                include=["reasoning.encrypted_content"],
                stream=True,
                **options,
            )
            first_us, response = None, None
            async for event in stream:
                if first_us is None and (event.type.endswith(".delta") or event.type == "response.output_item.added"):
                    first_us = now_us()
                if event.type in ("response.completed", "response.incomplete", "response.failed"):
                    response = event.response
            if response is None or response.status == "failed":
                raise ProviderFailed(f"{self.spec.kind}: {response.error if response else 'the answer broke off'}")
        answer = self._read(response)
        answer.first_us = first_us
        return answer, [item.model_dump(mode="json", exclude_none=True) for item in response.output]

    def _read(self, response: Any) -> Answer:
        self._calls = [item for item in response.output if item.type in ("function_call", "computer_call")]
        answer = Answer(text=response.output_text, stop=response.status)
        if response.incomplete_details:
            answer.stop = f"{response.status}: {response.incomplete_details.reason}"
            answer.refused = response.incomplete_details.reason == "content_filter"
        parts = [part for item in response.output if item.type == "message" for part in item.content]
        answer.refused |= any(part.type == "refusal" for part in parts) and not self._calls
        if usage := response.usage:
            answer.tokens = Tokens(
                usage.input_tokens,
                usage.input_tokens_details.cached_tokens or 0,
                usage.output_tokens,
                usage.output_tokens_details.reasoning_tokens or 0,
            )
        gather(self, answer, [partial(self._actions, call) for call in self._calls])
        return answer

    def _actions(self, call: Any) -> list[dict[str, Any]] | str:
        if call.type == "function_call":
            return read_call(call.name, call.arguments)
        actions = call.actions or ([call.action] if call.action else [])
        return [done for action in actions for done in canonical(action, self.policy.wait_ms, self.scale)]


def _function(tool: Tool) -> dict[str, Any]:
    fields = {"name": tool.name, "description": tool.told, "parameters": tool.schema}
    return {"type": "function", "strict": False, **fields}


def _message(shown: Shown) -> dict[str, Any]:
    return {"role": "user", "content": _parts(shown)}


def _parts(shown: Shown) -> list[dict[str, Any]]:
    pictures = [{"type": "input_image", "image_url": data_url(each), "detail": "high"} for each in shown.pictures]
    return [{"type": "input_text", "text": shown.text}, *pictures]


# -------------------------------------------------------------------------------- the computer tool


def canonical(action: Any, wait_ms: float, scale: tuple[float, float] = (1, 1)) -> list[dict[str, Any]]:
    """An action of the computer tool in ours; none for a screenshot. Raises BadInput."""
    held = list(getattr(action, "keys", None) or [])
    place = {"x": action.x * scale[0], "y": action.y * scale[1]} if hasattr(action, "x") else {}
    match action.type:
        case "screenshot":
            return []
        case "wait":
            return [{"type": "wait", "ms": wait_ms}]
        case "keypress":
            return [{"type": "key", "keys": held}]
        case "type":
            return [{"type": "type", "text": action.text}]
        case "click" if action.button in BUTTONS:
            return [{"type": "click", **place, "button": BUTTONS[action.button], "modifiers": held}]
        case "double_click":
            return [{"type": "click", **place, "count": 2, "modifiers": held}]
        case "drag":
            path = [{"x": point.x * scale[0], "y": point.y * scale[1]} for point in action.path]
            return [{"type": "drag", "path": path, "modifiers": held}]
        case "move":
            return holding(held, {"type": "move", **place})
        case "scroll":
            turn = {"dx": notches(action.scroll_x), "dy": notches(action.scroll_y)}
            return holding(held, {"type": "scroll", **place, **turn})
    raise BadInput("action", f"{action.type!r} of this kind is not supported", "use what the game is played with")
