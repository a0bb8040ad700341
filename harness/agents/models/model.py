"""A conversation with one model, whatever its vendor: the history, and what of it is sent again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import Any

from harness.agents import Spec
from harness.agents.models import code as code_of
from harness.agents.models.code import Tool
from harness.agents.models.conversation import Answer, Policy, Shown, whole_text
from harness.agents.models.stopwatch import Stopwatch, client
from harness.agents.models.surface import TOOL, TOOL_TOLD, schema


class Model(ABC):
    """A conversation with one model over one episode, its history in the vendor's own form.

    A turn is the model's answer and what it was shown then; only the policy's newest turns are sent again.
    code: whether it may run Python.
    """

    def __init__(self, spec: Spec, policy: Policy, hello: dict[str, Any], system: str, code: bool = False) -> None:
        self.spec, self.policy, self.hello, self.system, self.code = spec, policy, hello, system, code
        self.surface = spec.surface
        self.watch = Stopwatch()
        self.http = client(self.watch, policy.call_s)
        self._opening: list[Any] = []
        self._turns: deque[list[Any]] = deque(maxlen=policy.kept)

    @property
    def history(self) -> list[Any]:
        """All that is sent, in order."""
        return [*self._opening, *(item for turn in self._turns for item in turn)]

    @property
    def functions(self) -> list[Tool]:
        """The function tools that it gets, beside its vendor's own where that is the surface."""
        act = [Tool(TOOL, TOOL_TOLD, schema(self.hello))] if self.surface == "function" else []
        return act + ([code_of.TOOL] if self.code and self.surface != "text" else [])

    @property
    def scale(self) -> tuple[float, float]:
        """From pixels of the pictures to those of the screen, in each direction."""
        (width, height), (wide, high) = self.policy.size, self.hello["screen"]
        return wide / width, high / height

    async def ask(self, shown: Shown) -> Answer:
        """Show the model what there is, and get its answer. Raises ProviderFailed, UserError."""
        if self._opening:
            self._turns[-1] += self._reply(shown)
        else:
            self._opening = self._begin(shown)
        answer, said = await self._call()
        self._turns.append(whole_text(said))
        return answer

    @abstractmethod
    def _begin(self, shown: Shown) -> list[Any]:
        """The messages that open the conversation."""

    @abstractmethod
    def _reply(self, shown: Shown) -> list[Any]:
        """The messages that answer the model's last one."""

    @abstractmethod
    async def _call(self) -> tuple[Answer, list[Any]]:
        """Send the history; returns the answer and the messages that stand for it in the history."""

    async def close(self) -> None:
        """Let go of connections."""
        await self.http.aclose()
