"""`bullettime new-game`: the files of a new game, small but whole: it can be played, solved and tested at once."""

from __future__ import annotations

import keyword
import os
import re
from pathlib import Path
from string import Template
from typing import Annotated

import typer

import games
from harness.errors import BadInput, UserError

TEMPLATES = Path(__file__).parent / "templates" / "new_game"
HOME = Path(__file__).resolve().parents[1]


def new_game(
    name: Annotated[str, typer.Argument(help="FAMILY/NAME, in small letters, digits and _")],
    games_dir: Annotated[
        Path | None, typer.Option(help="Folder that gets games/FAMILY/NAME.py and oracles/FAMILY/NAME.py")
    ] = None,
) -> None:
    """Start the files of a new game: rules, picture and oracle of a small one that works, to be changed."""
    family, game = parse(name)
    root = games_dir or _root()
    written = write(root, family, game)
    outside = root.resolve() != HOME
    call = f"bullettime --games-dir {root}" if outside else "bullettime"
    env = f"{games.OUTSIDE}={root} " if outside else ""
    print(f"wrote {written[0]}\nwrote {written[1]}\n\nIt is a whole game already. Now:")
    for line, why in (
        (f"{call} play {game}/rt/1/full", "play it"),
        (f"{call} games --games {game} --levels 1,3,5 --sheet sheet.png", "see its oracle play"),
        (f"{env}python -m tests.make_goldens {game}", "in a clone: keep what it does as its golden"),
        (f"{env}pytest tests/test_games.py -k {game}", "in a clone: the contract, property by property"),
        (f"{call} audit --games {game}", "is it real-time, winnable, and not to be cheated?"),
    ):
        print(f"  {line}\n      {why}")
    print("docs/games.md has the contract in two pages.")


def parse(name: str) -> tuple[str, str]:
    """Family and name of a new game. Raises BadInput."""
    family, _, game = name.partition("/")
    for part, word in (("family", family), ("name", game)):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", word) or keyword.iskeyword(word):
            raise BadInput(part, f"{word!r} does not do", "write FAMILY/NAME, each a word such as night_watch")
    if family == "kit":
        raise BadInput("family", "the kit is no family", "choose another word")
    if game in games.names():
        raise BadInput("name", f"{game} exists, in {games.family(game)}", "choose another name")
    return family, game


def write(root: Path, family: str, game: str) -> list[Path]:
    """Write the two files. Raises UserError when one is there already or cannot be written."""
    words = {"class_name": "".join(map(str.capitalize, game.split("_"))), "title": game.replace("_", " ").title()}
    paths = [root / kind / family / f"{game}.py" for kind in ("games", "oracles")]
    for path, source in zip(paths, ("game.py.txt", "oracle.py.txt"), strict=True):
        text = Template((TEMPLATES / source).read_text()).substitute(words)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x") as file:
                file.write(text)
        except FileExistsError:
            raise UserError(f"{path} is there already", "remove it, or choose another name") from None
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}", "choose another folder with --games-dir") from None
    return paths


def _root() -> Path:
    """The folder of the user's own games, or the clone that this runs from. Raises UserError."""
    if os.environ.get(games.OUTSIDE):
        return Path(os.environ[games.OUTSIDE])
    if (HOME / "tests").is_dir():
        return HOME
    raise UserError("this is no clone of the project", "name a folder of your own: --games-dir DIR")
