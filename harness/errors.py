"""Errors that a person or an agent is meant to read."""

from __future__ import annotations


class UserError(Exception):
    """Something that the user can mend. Shown as one line, without a traceback."""

    def __init__(self, message: str, mend: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend


class BadInput(UserError):
    """Input that was refused and had no effect: which field, what is wrong with it, how to mend it."""

    def __init__(self, field: str, problem: str, mend: str) -> None:
        super().__init__(f"{field}: {problem}", mend)
        self.field = field
        self.problem = problem
