"""Other people's frameworks, an adapter each. None is a part of BulletTime: each comes by an extra of its own."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from harness.errors import UserError


def need(module: str, extra: str) -> ModuleType:
    """A module that an extra brings. Raises UserError without it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != module.partition(".")[0]:
            raise
        raise UserError(f"{missing.name} is not installed", f"pip install 'bullettime[{extra}]'") from None
