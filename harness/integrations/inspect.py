"""A task for Inspect: its `computer` tool is the game's hand and eye, so that models use what they were trained on.

Inspect puts a vendor's own computer tool in the place of any tool of that name that has exactly these parameters.
What a model's call took, as Inspect tells it, is the thinking that the game is charged.
"""

from __future__ import annotations

import base64
from contextvars import ContextVar
from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, execute_tools
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolError, ToolResult, tool

from configs import certified_seeds
from harness.agents.models.desktop import canonical
from harness.errors import BadInput, UserError
from harness.session import Configuration
from harness.telling import columns, keys_of, tell
from harness.wire.client import Client, Seen

PROMPT = "Play this game with the computer tool, until it is over. The screen is 800 by 600 pixels.\n\n"
NUDGE = "The game is not over. Go on with the computer tool."
SILENT = 3  # answers in a row without a call, after which the model has given up


class Playing:
    """A session that a model plays."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.thought_us = 0  # since the last reply
        self.begun = False
        self.over = False

    async def act(self, given: list[dict[str, Any]]) -> Seen:
        """Do the computer tool's actions as one act, or only look. Raises BadInput."""
        actions = [action for each in given for action in _ours(each)]
        if not self.begun:
            await self.client.begin(frames=0)
            self.begun = True
        if actions:
            seen = await self.client.act(actions, thought_us=self.thought_us)
        else:
            seen = await self.client.look(thought_us=self.thought_us)
        self.thought_us = 0
        self.over = seen.over
        return seen


_playing: ContextVar[Playing] = ContextVar("playing")  # what the tool of this sample plays


@task
def bullettime(config: str, tempo: str = "live", seeds: int | list[int] = 3, frames: int = 1) -> Task:
    """Play a configuration, `game/rt/1/full`: seeds of the certified ones, or these. Raises BadInput."""
    game = Configuration.parse(config).game
    chosen = certified_seeds(game)[:seeds] if isinstance(seeds, int) else seeds
    if not chosen or (isinstance(seeds, int) and len(chosen) < seeds):
        raise BadInput("seeds", f"{game} has {len(chosen)} certified ones", "ask for fewer, or give a list")
    samples = [
        Sample(id=f"{config} {number}", input=config, metadata={"seed": seed}) for number, seed in enumerate(chosen)
    ]
    return Task(dataset=samples, solver=play(tempo, frames), scorer=verdict())


@solver
def play(tempo: str, frames: int) -> Solver:
    """Open a session, show it, and let the model act until there is a verdict or it gives up."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        condition = {"seed": state.metadata["seed"], "tempo": tempo, "frames": frames}
        async with await Client.open(state.input_text, drive="metered", thinking="told", **condition) as client:
            playing = Playing(client)
            _playing.set(playing)
            hello = await client.hello()
            told = PROMPT + "\n".join((*tell(hello), "Keys:", *columns(keys_of(hello))))
            state.messages = [ChatMessageUser(content=_content(await client.look(), told))]
            state.tools = [game_computer()]
            silent = 0
            while not (playing.over or state.completed or silent > SILENT):
                state = await generate(state, tool_calls="none")
                playing.thought_us += round((state.output.time or 0) * 1e6)
                called = bool(state.output.message.tool_calls)
                silent = 0 if called else silent + 1
                if called:
                    state.messages += (await execute_tools(state.messages, state.tools)).messages
                else:
                    state.messages.append(ChatMessageUser(content=NUDGE))
            summary = await client.finish()
        if summary.taint:
            raise RuntimeError(f"tainted: {summary.taint}")  # an error of the sample: not scored
        names = ("verdict", "reason", "progress", "game_us", "thinking_us", "infrastructure_us")
        state.metadata |= {name: getattr(summary, name) for name in names} | {"acts": len(summary.acts)}
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def verdict() -> Scorer:
    """1 for a win, 0 for a loss."""

    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=int(state.metadata["verdict"] == "won"), explanation=state.metadata["reason"])

    return score


@tool(name="computer")
def game_computer() -> Tool:
    """The tool. Its parameters are exactly those of Inspect's own."""

    async def execute(
        action: str | None = None,
        coordinate: list[int] | None = None,
        duration: int | None = None,
        region: list[int] | None = None,
        scroll_amount: int | None = None,
        scroll_direction: Literal["up", "down", "left", "right"] | None = None,
        start_coordinate: list[int] | None = None,
        text: str | None = None,
        repeat: int | None = None,
        press_enter: bool | None = None,
        actions: list[dict[str, object]] | None = None,
    ) -> ToolResult:
        """Act in the game with mouse and keyboard, and see what it then shows.

        Args:
            action: key, hold_key, type, mouse_move, left_mouse_down, left_mouse_up, left_click, left_click_drag,
                right_click, middle_click, double_click, triple_click, scroll, wait or screenshot.
            coordinate: x and y in pixels, of a click, move or scroll, or of a drag's end.
            duration: Seconds of game time, of hold_key and wait.
            region: Not used: there is nothing to zoom into.
            scroll_amount: Notches of scroll.
            scroll_direction: Where scroll turns the wheel.
            start_coordinate: Where left_click_drag begins.
            text: The keys of key and hold_key, such as "a" or "shift+Left"; the text of type; keys held in a click.
            repeat: How often key presses it.
            press_enter: Whether type presses Enter in the end.
            actions: Several actions, done one after another, in place of a single one.
        """
        single = {
            "action": action,
            "coordinate": coordinate,
            "duration": duration,
            "scroll_amount": scroll_amount,
            "scroll_direction": scroll_direction,
            "start_coordinate": start_coordinate,
            "text": text,
            "repeat": repeat,
            "press_enter": press_enter,
        }
        try:
            seen = await _playing.get().act([single] if actions is None else actions)
        except UserError as wrong:
            raise ToolError(f"{wrong}; {wrong.mend}" if wrong.mend else str(wrong)) from None
        return list(_content(seen, _state(seen)))

    return execute


def _ours(given: dict[str, Any]) -> list[dict[str, Any]]:
    """An action of the tool in ours. Raises BadInput."""
    given = {name: value for name, value in given.items() if value is not None}
    acts = canonical(str(given.get("action")), given, (1, 1))
    if given.get("action") == "type":
        first = canonical("left_click", {"coordinate": given["coordinate"]}, (1, 1)) if "coordinate" in given else []
        acts = [*first, *acts, *([{"type": "key", "keys": ["Enter"]}] if given.get("press_enter") else [])]
    return acts


def _state(seen: Seen) -> str:
    header = seen.header
    state = f"{header.verdict}: {header.reason}" if header.reason else header.verdict or header.state
    return f"{state}, game time {(header.game_us or 0) / 1e6:.2f} s"


def _content(seen: Seen, text: str) -> list[ContentText | ContentImage]:
    images = [f"data:image/{one.info.format};base64,{base64.b64encode(one.bytes).decode()}" for one in seen.frames]
    return [ContentText(text=text), *(ContentImage(image=image) for image in images)]
