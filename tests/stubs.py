"""A server that speaks the wire formats of OpenAI (responses, chat), Anthropic and Google, and says what a test wants.

`say` is asked for each call: a function of the vendor and the request's body that returns what to answer, one of

    {"actions": [...]}        a call of the function tool `act` with these canonical actions
    {"arguments": "…"}        a call of it with this as its arguments
    {"native": [...]}         calls of the vendor's computer tool, in its own words
    {"text": "…"}             words only
    {"refuse": True}, {"status": 429, "wait": 1}, {"hang": 60}, {"cut": True}, {"plain": "…", "type": "text/html"}

with "after": seconds before it answers, if any, and "tell": OpenAI's answer says as the number of its tokens how many
milliseconds it has taken.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Self

from aiohttp import web

Said = dict[str, Any]
Brain = Callable[[str, Said], Said]


class Stub:
    """The server, in a thread of its own. calls: (vendor, body) of each request; took_s: how long each answer took."""

    def __init__(self, say: Brain) -> None:
        self._say = say
        self.calls: list[tuple[str, Said]] = []
        self.took_s: list[float] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """What the SDKs read."""
        return {
            "OPENAI_API_KEY": "sk-test",
            "OPENAI_BASE_URL": f"{self.url}/v1",
            "ANTHROPIC_API_KEY": "sk-test",
            "ANTHROPIC_BASE_URL": self.url,
            "GEMINI_API_KEY": "test",
            "GOOGLE_GEMINI_BASE_URL": self.url,
        }

    def __enter__(self) -> Self:
        threading.Thread(target=self._run, daemon=True).start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _run(self) -> None:
        self._loop.run_until_complete(self._start())
        self._loop.run_forever()

    async def _start(self) -> None:
        app = web.Application(client_max_size=2**28)
        app.router.add_post("/v1/responses", self._route("openai", responses))
        app.router.add_post("/v1/chat/completions", self._route("chat", chat))
        app.router.add_post("/v1/messages", self._route("anthropic", messages))
        app.router.add_post("/{version}/models/{model:.+}:streamGenerateContent", self._route("google", contents))
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        self._ready.set()

    def _route(self, vendor: str, write: Callable[[Said, int], list[tuple[str, Said]]]) -> Any:
        async def answer(request: web.Request) -> web.StreamResponse:
            began = time.monotonic()
            body = await request.json()
            self.calls.append((vendor, body))
            said = self._say(vendor, body)
            await asyncio.sleep(said.get("after", 0) + said.get("hang", 0))
            said = said | {"took_ms": round(1000 * (time.monotonic() - began))}
            if status := said.get("status"):
                headers = {"retry-after": str(said["wait"])} if "wait" in said else {}
                error = {"error": {"message": "stub says no", "code": status, "type": "error", "status": "NO"}}
                return web.json_response(error, status=status, headers=headers)
            if "plain" in said:
                return web.Response(text=said["plain"], content_type=said["type"])
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            lines = write(said, len(self.calls))
            for name, data in lines[: 1 if said.get("cut") else None]:
                head = f"event: {name}\n" if name else ""
                await response.write(f"{head}data: {json.dumps(data)}\n\n".encode())
            if vendor == "chat" and not said.get("cut"):
                await response.write(b"data: [DONE]\n\n")
            self.took_s.append(time.monotonic() - began)
            return response

        return answer


def turns(body: Said) -> int:
    """How many acts an OpenAI conversation has had."""
    return sum(item.get("type") == "function_call_output" for item in body["input"])


def calls_of(said: Said) -> list[Any]:
    """The arguments of the function tool's calls."""
    if "arguments" in said:
        return [said["arguments"]]
    return [json.dumps({"actions": said["actions"]})] if "actions" in said else []


def responses(said: Said, number: int) -> list[tuple[str, Said]]:
    output: list[Said] = [{"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": "x"}]
    if said.get("text") or said.get("refuse"):
        part = {"type": "output_text", "text": said.get("text", ""), "annotations": []}
        if said.get("refuse"):
            part = {"type": "refusal", "refusal": "I would rather not."}
        output.append(
            {"type": "message", "id": f"m_{number}", "role": "assistant", "status": "completed", "content": [part]}
        )
    for index, arguments in enumerate(calls_of(said)):
        call = {"type": "function_call", "id": f"f_{number}_{index}", "call_id": f"c_{number}_{index}"}
        output.append({**call, "name": said.get("name", "act"), "arguments": arguments, "status": "completed"})
    if "native" in said:
        call = {"type": "computer_call", "id": f"cc_{number}", "call_id": f"n_{number}", "status": "completed"}
        checks = [{"id": "sc_1", "code": "malicious", "message": "?"}] if said.get("check") else []
        output.append({**call, "actions": said["native"], "pending_safety_checks": checks})
    usage = {
        "input_tokens": 1000,
        "input_tokens_details": {"cached_tokens": 400},
        "output_tokens": said["took_ms"] if said.get("tell") else 50,
        "output_tokens_details": {"reasoning_tokens": 30},
        "total_tokens": 1050,
    }
    response = {
        **{"id": f"r_{number}", "object": "response", "created_at": 0, "model": "stub", "status": "completed"},
        **{"output": output, "usage": usage, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []},
    }
    started: Said = {"type": "response.created", "sequence_number": 0, "response": {**response, "output": []}}
    added: Said = {"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": output[0]}
    ended: Said = {"type": "response.completed", "sequence_number": 2, "response": response}
    return [(event["type"], event) for event in (started, added, ended)]


def chat(said: Said, number: int) -> list[tuple[str, Said]]:
    def chunk(delta: Said, reason: str | None = None, **more: Any) -> tuple[str, Said]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        head = {"id": f"c_{number}", "object": "chat.completion.chunk", "created": 0, "model": "stub"}
        return "", {**head, "choices": [choice], **more}

    chunks = [chunk({"role": "assistant", "content": said.get("text", "")})]
    for index, arguments in enumerate(calls_of(said)):
        half = len(arguments) // 2
        function = {"name": said.get("name", "act"), "arguments": arguments[:half]}
        part = {"index": index, "id": f"t_{number}_{index}", "type": "function", "function": function}
        chunks.append(chunk({"tool_calls": [part]}))
        chunks.append(chunk({"tool_calls": [{"index": index, "function": {"arguments": arguments[half:]}}]}))
    chunks.append(chunk({}, "content_filter" if said.get("refuse") else "tool_calls" if calls_of(said) else "stop"))
    usage = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
    chunks.append(("", {**chunks[0][1], "choices": [], "usage": usage}))
    return chunks


def messages(said: Said, number: int) -> list[tuple[str, Said]]:
    blocks: list[tuple[Said, Said]] = []
    if said.get("text"):
        blocks.append(({"type": "text", "text": ""}, {"type": "text_delta", "text": said["text"]}))
    uses: list[tuple[str, str, Said]] = [(said.get("name", "act"), arguments, {}) for arguments in calls_of(said)]
    for action in said.get("native", ()):
        given = {key: value for key, value in action.items() if key != "name"}
        toolset = {} if action["name"] == "computer" else {"toolset_name": "computer"}
        uses.append((action["name"], json.dumps(given), toolset))
    for index, (name, arguments, more) in enumerate(uses):
        use = {"type": "tool_use", "id": f"toolu_{number}_{index}", "name": name, "input": {}, **more}
        blocks.append((use, {"type": "input_json_delta", "partial_json": arguments}))
    usage = {"input_tokens": 600, "cache_read_input_tokens": 400, "cache_creation_input_tokens": 0, "output_tokens": 1}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "stub", "content": []}
    events: list[Said] = [
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    ]
    for index, (block, delta) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    reason = "refusal" if said.get("refuse") else "tool_use" if uses else "end_turn"
    ended = {"stop_reason": reason, "stop_sequence": None}
    events += [
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 50}},
        {"type": "message_stop"},
    ]
    return [(event["type"], event) for event in events]


def contents(said: Said, number: int) -> list[tuple[str, Said]]:
    parts: list[Said] = [{"text": said["text"]}] if said.get("text") else []
    for arguments in calls_of(said):
        parts.append({"functionCall": {"name": said.get("name", "act"), "args": json.loads(arguments)}})
    for action in said.get("native", ()):
        given = {key: value for key, value in action.items() if key != "name"}
        parts.append({"functionCall": {"name": action["name"], "args": given}})
    usage = {"promptTokenCount": 1000, "candidatesTokenCount": 20, "thoughtsTokenCount": 30, "totalTokenCount": 1050}
    reason = "SAFETY" if said.get("refuse") else "STOP"
    head = {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}]}
    tail = {"candidates": [{"content": {"role": "model", "parts": []}, "index": 0, "finishReason": reason}]}
    return [("", head), ("", {**tail, "usageMetadata": usage})]


def main(acts: int, latency_s: float) -> None:
    """Print an address, and serve OpenAI's responses there until the input ends: so many acts, the last the key W.

    It takes that long in the mean, from 0.8 to 1.2 times as much, as no provider answers all at once.
    """
    chance = random.Random(1)

    def say(_: str, body: Said) -> Said:
        last = turns(body) == acts - 1
        act = {"type": "key", "keys": ["w"]} if last else {"type": "wait", "ms": 50}
        return {"actions": [act], "after": latency_s * chance.uniform(0.8, 1.2), "tell": True}

    with Stub(say) as stub:
        print(stub.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
