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


Agents = Annotated[str, typer.Option(help="oracle, oracle@2s, openai:MODEL, command:./agent…; with commas")]
Games = Annotated[str, typer.Option(help="Names or families, * allowed")]
Levels = Annotated[str, typer.Option(help="For example 1-3,5")]
Modes = Annotated[str, typer.Option(help="simple, full")]
Timings = Annotated[str, typer.Option(help="rt, twin")]
Tempos = Annotated[str, typer.Option(help="live, paused, or slowdowns such as 16x")]
Seeds = Annotated[str, typer.Option(help="For example 1-10; or @FILE, a JSON object of each game's list")]
DriveOption = Annotated[str, typer.Option(help="metered: only thinking is charged; wall: all in real time")]
Efforts = Annotated[str, typer.Option(help="Of models: low,medium,high")]
Frames = Annotated[str, typer.Option(help="Pictures of an observation: 1,3")]
Rulebook = Annotated[str, typer.Option(help="yes, no: the rules beside the goal; or both, yes,no")]
Code = Annotated[str, typer.Option(help="yes, no: agents may run code in a sandbox; or both")]
Jobs = Annotated[int, typer.Option(min=0, help="Processes that play; 0: one a core")]
AtOnce = Annotated[int, typer.Option(min=1, help="Episodes at a time of each provider's models")]
MaxCost = Annotated[float | None, typer.Option(min=0, help="USD for models; then the run stops")]
MaxCalls = Annotated[int | None, typer.Option(min=1, help="Calls of models; then the run stops")]
MaxHours = Annotated[float | None, typer.Option(min=0, help="Of wall time; then the run stops")]
Transcripts = Annotated[bool, typer.Option(help="Keep what models were shown and said, and what programs print")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object at the end")]


def chosen(
    *,
    agents: str,
    games: str,
    levels: str,
    modes: str,
    timings: str,
    tempos: str,
    seeds: str,
    drive: str,
    efforts: str,
    frames: str,
    rulebook: str,
    code: str,
) -> dict[str, Any]:
    """The fields of a grid that options replace; None where they say nothing. Raises BadInput."""
    private = seeds.startswith("@")
    return {
        "agents": _words(agents),
        "games": _words(games),
        "levels": parse_numbers(levels, "levels") or None,
        "modes": _words(modes),
        "timings": _words(timings),
        "tempos": _words(tempos),
        "seeds": None if private else parse_numbers(seeds, "seeds") or None,
        "private": seeds[1:] if private else None,
        "drive": drive or None,
        "efforts": _words(efforts),
        "frames": parse_numbers(frames, "frames") or None,
        "rulebook": _switches("rulebook", rulebook),
        "code": _switches("code", code),
    }


def limits(max_cost: float | None, max_calls: int | None, max_hours: float | None) -> Limits:
    """What ends a run."""
    return Limits(max_cost, max_calls, None if max_hours is None else max_hours * 3600)


def _words(text: str) -> list[str] | None:
    return [word.strip() for word in text.split(",") if word.strip()] or None


def _switches(field: str, text: str) -> list[bool] | None:
    known = {"yes": True, "no": False}
    words = _words(text) or []
    for word in words:
        if word not in known:
            raise BadInput(field, f"{word!r} is unknown", "write yes, no, or yes,no")
    return [known[word] for word in words] or None
