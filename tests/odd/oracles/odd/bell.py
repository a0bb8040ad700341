"""Ring it, in the level's way. A file named by ODD_DEATHS has the process die as often as it has lines."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from oracles import Ahead, Look, Wish


def solve(look: Look, ahead: Ahead) -> Iterator[Wish | None]:
    deaths = os.environ.get("ODD_DEATHS")
    if deaths and (lines := Path(deaths).read_text().split()):
        Path(deaths).write_text("\n".join(lines[1:]))
        os._exit(3)
    while True:
        way = look().level.way
        if way == "slow":
            time.sleep(0.25)
        elif way == "crash":
            raise LookupError("a lost oracle")
        elif way == "hang":
            time.sleep(1000)
        yield ("ring",)
