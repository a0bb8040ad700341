"""Write the goldens of the games named, or of all: `python -m tests.make_goldens [GAME…]`.

With --print they go to the standard output as JSON instead. A golden belongs to its game: beside ours in
tests/goldens/, or in that place under the outside folder that the game comes from.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import games
from tests.players import all_or, golden


def golden_path(name: str) -> Path:
    """Where a game's golden is."""
    module = games.module_of("games", name)
    assert module.__file__
    return Path(module.__file__).resolve().parents[2] / "tests" / "goldens" / f"{name}.json"


def main(arguments: list[str]) -> None:
    names = all_or([word for word in arguments if word != "--print"])
    for name in names:
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in golden(name).items()]
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        if "--print" in arguments:
            print(text)
            continue
        path = golden_path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(f"wrote {path}")


if __name__ == "__main__":
    main(sys.argv[1:])
