"""Agents as users write them, for the tests of guests."""

from __future__ import annotations

import os
from typing import Any


class Winner:
    """Looks once, then wins."""

    def __init__(self, hello: dict[str, Any]) -> None:
        assert hello["goal"] == "Hit the puck."
        self.looked = False

    def act(self, seen: Any) -> Any:
        assert seen.frame.image.shape == (600, 800, 3)
        if not self.looked:
            self.looked = True
            return None
        return [{"type": "key", "keys": ["w"]}]


class Crasher(Winner):
    def act(self, seen: Any) -> Any:
        raise RuntimeError("no idea")


class Numb(Winner):
    def act(self, seen: Any) -> Any:
        return 42


class Actless:
    """Has no method to play by."""


class Curious(Winner):
    """Wins unless it finds the admin token."""

    def act(self, seen: Any) -> Any:
        return "key l" if "BULLETTIME_TOKEN" in os.environ else "key w"
