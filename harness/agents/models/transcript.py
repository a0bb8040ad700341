"""Transcripts: what was said in an episode, with its pictures, in a folder of its own beside the records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec


class Transcript:
    """Writes one episode's transcript: `turns.jsonl`, and pictures that its lines name. Without a folder, nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._pictures = 0
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "turns.jsonl").unlink(missing_ok=True)

    def write(self, turn: dict[str, Any], pictures: list[bytes] | None = None, form: str = "png") -> None:
        """Append a turn. Raises OSError, as on a full disk."""
        if self._folder is None:
            return
        names = []
        for picture in pictures or ():
            self._pictures += 1
            names.append(f"{self._pictures:04d}.{form}")
            (self._folder / names[-1]).write_bytes(picture)
        line = turn | ({"pictures": names} if names else {})
        with (self._folder / "turns.jsonl").open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
