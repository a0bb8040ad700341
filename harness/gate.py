"""The gate before an episode of a provider's model: how many may be under way, and when the next may begin.

Throttling halves the number, and holds the next episode back for as long as the provider asks; episodes that end well
raise it again, one by one. So waiting stands before an episode, never inside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time

BACKOFF_S = 2.0  # after a failure, doubled by each that follows
LONGEST_S = 60.0


class Gate:
    """Of one provider. most: episodes that may be under way at once."""

    def __init__(self, most: int) -> None:
        self._most = self.allowed = most
        self.under_way = 0
        self._failures = 0  # in a row
        self._closed_until = 0.0
        self._changed = asyncio.Condition()

    async def enter(self) -> None:
        """Wait until another episode may begin."""
        async with self._changed:
            while True:
                wait_s = self._closed_until - time.monotonic()
                if wait_s <= 0 and self.under_way < self.allowed:
                    self.under_way += 1
                    return
                await self._wait(wait_s if wait_s > 0 else None)

    async def _wait(self, seconds: float | None) -> None:
        """Until something has changed, or so long."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    async def leave(self, *, failed: bool, throttled: bool = False, wait_s: float | None = None) -> None:
        """An episode has ended. failed: because its provider did; throttled: because that had too much to do."""
        async with self._changed:
            self.under_way -= 1
            if failed:
                pause_s = wait_s if wait_s is not None else BACKOFF_S * 2.0 ** min(self._failures, 10)
                self._failures += 1
                self._closed_until = max(self._closed_until, time.monotonic() + min(pause_s, LONGEST_S))
                if throttled:
                    self.allowed = max(1, self.allowed // 2)
            else:
                self._failures = 0
                self.allowed = min(self._most, self.allowed + 1)
            self._changed.notify_all()
