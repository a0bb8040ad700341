"""Tempo: how much game time passes while the agent thinks."""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import total_ordering


@total_ordering
@dataclass(frozen=True)
class Tempo:
    """`slowdown` wall seconds of thinking cost one second of game time; None: they cost nothing (paused).

    Tempos are ordered from the most pressing to the most lenient: live < 4x < 16x < paused.
    """

    slowdown: Fraction | None

    @classmethod
    def parse(cls, text: str) -> "Tempo":
        """Read "live", "paused" or a slowdown such as "7.5x"; raise ValueError for anything else."""
        word = text.strip().lower()
        if word in ("live", "paused"):
            return cls(Fraction(1) if word == "live" else None)
        number = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)x", word, re.ASCII)
        if not number:
            raise ValueError(f'"{text}" is no tempo: write "live", "paused" or a slowdown such as "7.5x"')
        slowdown = Fraction(number[1])
        if slowdown < 1:
            raise ValueError(
                f'"{text}" would make the world faster than live: a slowdown is at least 1 ("2x": half speed)'
            )
        return cls(slowdown)

    @property
    def name(self) -> str:
        """The text that `parse` reads as this tempo, always the same for the same tempo."""
        if self.slowdown is None:
            return "paused"
        if self.slowdown == 1:
            return "live"
        factor = Decimal(self.slowdown.numerator) / Decimal(self.slowdown.denominator)
        return f"{factor.normalize():f}x"

    @property
    def paused(self) -> bool:
        return self.slowdown is None

    def __str__(self) -> str:
        return self.name

    def __lt__(self, other: "Tempo") -> bool:
        if self.slowdown is None or other.slowdown is None:
            return self.slowdown is not None
        return self.slowdown < other.slowdown
