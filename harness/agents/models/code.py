"""The tool by which a model runs Python in its sandbox, beside the surface by which it acts.

Where the surface is text, a fenced block of Python is the call.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from harness.errors import BadInput

PYTHON = "python"
FENCE = re.compile(r"^```(?:python|py)[ \t]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
NOTHING = "(nothing was printed)"
TOLD = "Run this code in your Python, where `game`, `np` and `cv2` are; answers with what it prints, then the screen."
HOW = """
You may also run Python: {call} Names and threads stay from one call to the next, so a thread can watch and act \
while you think: write one that plays, and better it while it does. numpy (`np`), OpenCV (`cv2`) and `game` are there:
  seen = game.look()                         # seen.picture: the screen now, a uint8 array [y, x, rgb]
  seen = game.act({example!r})  # actions in a line, or a list of them; shows the effect
  for seen in game.frames(fps=20): ...       # a stream of the screen, until the episode is over
  seen.over, seen.won, seen.ms               # ms: game time since the beginning
What is printed comes back, and errors. A call may take {limit_s:g} s: what takes longer belongs in a thread. There is \
no network, and no file but in /tmp."""


class Tool(NamedTuple):
    """A function tool: its name, what a model is told of it, and the JSON schema of its arguments."""

    name: str
    told: str
    schema: dict[str, Any]


TOOL = Tool(PYTHON, TOLD, {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]})


def read_code(arguments: Any) -> str:
    """The code of a call's arguments. Raises BadInput."""
    code = arguments.get("code") if isinstance(arguments, dict) else None
    if not isinstance(code, str):
        raise BadInput("code", "must be text", 'send {"code": "…"}')
    return code


def split(text: str) -> tuple[str, str]:
    """The code of a text's fenced blocks, and the text without them."""
    return "\n".join(FENCE.findall(text)), FENCE.sub("", text)
