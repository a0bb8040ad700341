"""Options that `run` and `sweep` share: what is played, under which conditions, how many at once, and when to stop."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from harness.crew import Limits
from harness.errors import BadInput, UserError
from harness.suite import parse_numbers


def folder_named(text: str) -> Path:
    """A folder by its name, which the empty one is not: Path takes that for the one we are in."""
    if not text:
        raise UserError("--out: names no folder", "name one, or leave it out")
    return Path(text)


Agents = Annotated[str | None, typer.Option(help="oracle, oracle@2s, openai:MODEL, command:./agent…; with commas")]
Games = Annotated[str | None, typer.Option(help="Names or families, * allowed")]
Levels = Annotated[str | None, typer.Option(help="For example 1-3,5")]
Modes = Annotated[str | None, typer.Option(help="simple, full")]
Timings = Annotated[str | None, typer.Option(help="rt, twin")]
Tempos = Annotated[str | None, typer.Option(help="live, paused, or slowdowns such as 16x")]
Seeds = Annotated[str | None, typer.Option(help="For example 1-10; or @FILE, a JSON object of each game's list")]
DriveOption = Annotated[str | None, typer.Option(help="metered: only thinking is charged; wall: all in real time")]
Efforts = Annotated[str | None, typer.Option(help="Of models: low,medium,high")]
Frames = Annotated[str | None, typer.Option(help="Pictures of an observation: 1,3")]
Rulebook = Annotated[str | None, typer.Option(help="yes, no: the rules beside the goal; or both, yes,no")]
Code = Annotated[str | None, typer.Option(help="yes, no: agents may run code in a sandbox; or both")]
Jobs = Annotated[int, typer.Option(min=0, help="Processes that play; 0: one a core")]
AtOnce = Annotated[int, typer.Option(min=1, help="Episodes at a time of each provider's models")]
MaxCost = Annotated[float | None, typer.Option(min=0, help="USD for models; then the run stops")]
MaxCalls = Annotated[int | None, typer.Option(min=1, help="Calls of models; then the run stops")]
MaxHours = Annotated[float | None, typer.Option(min=0, help="Of wall time; then the run stops")]
Transcripts = Annotated[bool, typer.Option(help="Keep what models were shown and said, and what programs print")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object at the end")]


def chosen(
    *,
    agents: str | None,
    games: str | None,
    levels: str | None,
    modes: str | None,
    timings: str | None,
    tempos: str | None,
    seeds: str | None,
    drive: str | None,
    efforts: str | None,
    frames: str | None,
    rulebook: str | None,
    code: str | None,
) -> dict[str, Any]:
    """The fields of a grid that options replace; None where they are not given. Raises BadInput."""
    private = (seeds or "").startswith("@")
    return {
        "agents": _words("agents", agents),
        "games": _words("games", games),
        "levels": _numbers("levels", levels),
        "modes": _words("modes", modes, ("simple", "full")),
        "timings": _words("timings", timings, ("rt", "twin")),
        "tempos": _words("tempos", tempos),
        "seeds": None if private else _numbers("seeds", seeds),
        "private": seeds[1:] if seeds and private else None,
        "drive": None if drive is None else _word("drive", drive, ("metered", "wall")),
        "efforts": _words("efforts", efforts),
        "frames": _numbers("frames", frames),
        "rulebook": _switches("rulebook", rulebook),
        "code": _switches("code", code),
    }


def limits(max_cost: float | None, max_calls: int | None, max_hours: float | None) -> Limits:
    """What ends a run."""
    return Limits(max_cost, max_calls, None if max_hours is None else max_hours * 3600)


def _words(field: str, text: str | None, known: tuple[str, ...] = ()) -> list[str] | None:
    """Words between commas; None where the option is not given. Raises BadInput."""
    if text is None:
        return None
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise BadInput(field, "names none", f"name at least one, or leave --{field} out")
    return [_word(field, word, known) for word in words]


def _word(field: str, word: str, known: tuple[str, ...]) -> str:
    if known and word not in known:
        raise BadInput(field, f"{word!r} is unknown", f"there are {' and '.join(known)}")
    return word


def _numbers(field: str, text: str | None) -> list[int] | None:
    return None if _words(field, text) is None else parse_numbers(text or "", field)


def _switches(field: str, text: str | None) -> list[bool] | None:
    words = _words(field, text, ("yes", "no"))
    return None if words is None else [word == "yes" for word in words]
