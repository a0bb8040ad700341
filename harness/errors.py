"""Errors that a person or an agent is meant to read."""

from __future__ import annotations

import re

_BOUND = re.compile(r"Expected `([a-z]+).*?`( of length)? ([<>]=?)?\s*([-+.e\d]+)")
_FIELD = re.compile(r"(?:unknown|missing required) field `(.+?)`")
_TYPES = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


class UserError(Exception):
    """Something that the user can mend. Shown as one line, without a traceback."""

    def __init__(self, message: str, mend: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend
        if mend:
            self.add_note(mend)  # for those who see it with a traceback


class Unusable(UserError):
    """An agent that cannot play anywhere, until the user mends it: no key, no such model, no such program."""


class BadInput(UserError):
    """Input that was refused and had no effect: which field, what is wrong with it, how to mend it."""

    def __init__(self, field: str, problem: str, mend: str) -> None:
        super().__init__(f"{field}: {problem}", mend)
        self.field = field
        self.problem = problem

    def __reduce__(self) -> tuple[type[BadInput], tuple[str, str, str]]:
        """Errors cross processes, of pools and of Ray."""
        return type(self), (self.field, self.problem, self.mend)


def told(error: Exception, root: str = "") -> tuple[str, str]:
    """The field that msgspec found wrong, from the message's root, and what is wrong with it."""
    problem, _, place = str(error).partition(" - at `$")
    field = (root + place.rstrip("`")).lstrip(".")
    named = _FIELD.search(problem)
    if named:
        field = f"{field}.{named[1]}" if field else named[1]
    return field or "message", plainly(problem)


def plainly(problem: str) -> str:
    """What msgspec says of a value that is not of its type, in words that need no knowledge of types."""
    bound = _BOUND.match(problem)
    if bound:
        kind, length, sign, number = bound.groups()
        much = {"<=": "at most ", ">=": "at least ", "<": "less than ", ">": "more than ", None: ""}[sign]
        what = number.removesuffix(".0")
        if not length:
            return f"must be {much}{what}"
        return f"must hold {much}{what} {'characters' if kind == 'str' else 'values'}"
    named = _FIELD.search(problem)
    if named:
        return "is unknown" if "unknown" in problem else "is missing"
    expected, _, got = problem.partition(", got ")
    if expected.startswith("Expected `"):
        kinds = " or ".join(_TYPES.get(kind, kind) for kind in expected[10:].rstrip("`").split(" | ") if kind != "null")
        return f"must be {kinds}" + (f", not {_TYPES.get(got.strip('`'), got.strip('`'))}" if got else "")
    invalid = re.fullmatch(r"Invalid (?:enum )?value (.+)", problem)
    return f"{invalid[1]} is unknown" if invalid else problem
