"""Google's models, over the official SDK. The native surface is its computer use tool, in both of its vocabularies."""

from __future__ import annotations

from functools import partial
from typing import Any

from google import genai
from google.genai import errors, types

from harness.agents.models.code import PYTHON
from harness.agents.models.conversation import Answer, ProviderFailed, Shown, Tokens, whole
from harness.agents.models.model import Model
from harness.agents.models.stopwatch import now_us
from harness.agents.models.surface import read_call
from harness.agents.models.vendor import failures, gather, mime, notches
from harness.errors import BadInput, Unusable

EDGE = 1000  # its coordinates run from 0 to 999, over either side
USELESS = ["navigate", "go_back", "go_forward", "open_web_browser", "search"]
REFUSALS = ("SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "RECITATION", "SPII", "IMAGE_SAFETY")
WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
CLICKS = {
    "click": ("left", 1),
    "click_at": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
}


def status(error: Exception) -> tuple[int, str, Any] | None:
    """The HTTP status, message and headers of an error that has them."""
    if isinstance(error, errors.APIError):
        return error.code, error.message or "", getattr(error.response, "headers", {})
    return None


class Conversation(Model):
    """A conversation over generate_content."""

    def __init__(self, *rest: Any) -> None:
        super().__init__(*rest)
        self._calls: list[types.FunctionCall] = []
        limit_ms = round(self.policy.call_s * 1000)
        try:
            options = types.HttpOptions(timeout=limit_ms, httpx_async_client=self.http)
            self._client = genai.Client(http_options=options)
        except ValueError as error:
            raise Unusable(f"{self.spec.name}: {error}", "set GEMINI_API_KEY") from None

    def _begin(self, shown: Shown) -> list[Any]:
        return [types.Content(role="user", parts=_parts(shown))]

    def _reply(self, shown: Shown) -> list[Any]:
        results = [self._result(call, shown, last=call is self._calls[-1]) for call in self._calls]
        return [types.Content(role="user", parts=results or _parts(shown))]

    @staticmethod
    def _result(call: types.FunctionCall, shown: Shown, *, last: bool) -> types.Part:
        response: dict[str, Any] = {"output": shown.text if last else "see below"}
        if (call.args or {}).get("safety_decision"):
            response["safety_acknowledgement"] = "true"
        pictures = [
            types.FunctionResponsePart(inline_data=types.FunctionResponseBlob(mime_type=mime(each), data=each))
            for each in (shown.pictures if last else ())
        ]
        made = types.FunctionResponse(id=call.id, name=call.name, response=response, parts=pictures or None)
        return types.Part(function_response=made)

    async def _call(self) -> tuple[Answer, list[Any]]:
        config = types.GenerateContentConfig(
            system_instruction=self.system,
            max_output_tokens=self.policy.max_tokens,
            tools=self._tools(),
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )
        if effort := self.spec.option("effort"):
            config.thinking_config = types.ThinkingConfig(thinking_level=types.ThinkingLevel(effort.upper()))
        parts: list[types.Part] = []
        answer = Answer()
        with failures(self, status):
            stream = await self._client.aio.models.generate_content_stream(
                model=self.spec.target, contents=self.history, config=config
            )
            async for chunk in stream:
                parts += self._take(answer, chunk)
            if not answer.stop:
                raise ProviderFailed(f"{self.spec.kind}: the answer broke off")
        self._calls = [part.function_call for part in parts if part.function_call]
        answer.text = "".join(part.text for part in parts if part.text and not part.thought)
        answer.refused = answer.stop in REFUSALS and not self._calls
        answer.space = "norm1000" if self.surface == "native" else "px"
        gather(self, answer, [partial(self._actions, call) for call in self._calls])
        return answer, [types.Content(role="model", parts=parts or [types.Part(text="(nothing)")])]

    @staticmethod
    def _take(answer: Answer, chunk: types.GenerateContentResponse) -> list[types.Part]:
        """Note what a chunk says of the answer; returns its parts."""
        if usage := chunk.usage_metadata:
            thoughts = usage.thoughts_token_count or 0
            answer.tokens = Tokens(
                (usage.prompt_token_count or 0) + (usage.tool_use_prompt_token_count or 0),
                usage.cached_content_token_count or 0,
                (usage.candidates_token_count or 0) + thoughts,
                thoughts,
            )
        if chunk.prompt_feedback and chunk.prompt_feedback.block_reason:
            answer.stop = "SAFETY"
        for candidate in (chunk.candidates or [])[:1]:
            if candidate.finish_reason:
                answer.stop = candidate.finish_reason.value
            if candidate.content and candidate.content.parts:
                answer.first_us = answer.first_us or now_us()
                return list(candidate.content.parts)
        return []

    def _tools(self) -> list[Any]:
        tools = []
        if self.surface == "native":
            use = types.ComputerUse(
                environment=types.Environment.ENVIRONMENT_BROWSER, excluded_predefined_functions=USELESS
            )
            tools.append(types.Tool(computer_use=use))
        if self.functions:
            functions = [
                types.FunctionDeclaration(name=name, description=told, parameters_json_schema=schema)
                for name, told, schema in self.functions
            ]
            tools.append(types.Tool(function_declarations=functions))
        return tools

    def _actions(self, call: types.FunctionCall) -> list[dict[str, Any]] | str:
        given = call.args or {}
        if self.surface == "native" and call.name != PYTHON:
            return canonical(call.name or "", given, self.policy.wait_ms)
        return read_call(call.name or "", given)


def _parts(shown: Shown) -> list[types.Part]:
    pictures = [types.Part.from_bytes(data=each, mime_type=mime(each)) for each in shown.pictures]
    return [types.Part(text=shown.text), *pictures]


# -------------------------------------------------------------------------------- the computer tool


def canonical(name: str, given: dict[str, Any], wait_ms: float) -> list[dict[str, Any]]:
    """A function of the computer use tool as our actions; none for a screenshot. Raises BadInput."""
    match name:
        case "take_screenshot":
            return []
        case "wait" | "wait_5_seconds":
            seconds = 5.0 if name == "wait_5_seconds" else whole("seconds", given.get("seconds") or wait_ms / 1000)
            return [{"type": "wait", "ms": 1000 * seconds}]
        case "move" | "hover_at":
            return [{"type": "move", **_place(given)}]
        case "mouse_down" | "mouse_up":
            return [{"type": name, **_place(given)}]
        case "key_down" | "key_up":
            return [{"type": name, "key": given.get("key")}]
        case "press_key":
            return [{"type": "key", "keys": [given.get("key")]}]
        case "hotkey" | "key_combination":
            keys = given.get("keys")
            return [{"type": "key", "keys": keys.split("+") if isinstance(keys, str) else keys}]
        case "type" | "type_text_at":
            return _type(given)
        case "drag_and_drop":
            end = {"x": given.get("destination_x"), "y": given.get("destination_y")}
            return [{"type": "drag", "path": [_place(given), _place(end)]}]
        case "scroll" | "scroll_at" | "scroll_document" if given.get("direction") in WAYS:
            dx, dy = WAYS[given["direction"]]
            much = abs(notches(whole("magnitude", given.get("magnitude") or 800)))
            place = {} if name == "scroll_document" else _place(given)
            return [{"type": "scroll", **place, "dx": dx * much, "dy": dy * much}]
        case _ if name in CLICKS:
            button, count = CLICKS[name]
            return [{"type": "click", **_place(given), "button": button, "count": count}]
    raise BadInput("function", f"{name!r} is not supported", "use what the game is played with")


def _type(given: dict[str, Any]) -> list[dict[str, Any]]:
    click = [{"type": "click", **_place(given)}] if "x" in given else []
    enter = [{"type": "key", "keys": ["Enter"]}] if given.get("press_enter") else []
    return [*click, {"type": "type", "text": given.get("text")}, *enter]


def _place(given: dict[str, Any]) -> dict[str, float]:
    x, y = whole("x", given.get("x")), whole("y", given.get("y"))
    if not (0 <= x <= EDGE and 0 <= y <= EDGE):
        raise BadInput("x, y", f"{x:g}, {y:g} is off the screen", f"coordinates run from 0 to {EDGE - 1}")
    return {"x": x, "y": y}
