"""Chance as one integer of state, so that a seed means the same world for ever and copying a world is cheap.

The generator is SplitMix64 (Steele, Lea, Flood 2014: "Fast splittable pseudorandom number generators").
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")
_MASK = 0xFFFFFFFFFFFFFFFF


@dataclass
class Dice:
    """A stream of chance. Equal states give equal streams on every machine."""

    state: int = 0

    @classmethod
    def named(cls, *words: object) -> Dice:
        """The stream that belongs to these words: FNV-1a over their text, then stirred."""
        value = 0xCBF29CE484222325
        for byte in "\x1f".join(str(word) for word in words).encode():
            value = ((value ^ byte) * 0x100000001B3) & _MASK
        dice = cls(value)
        dice.bits()
        return dice

    def bits(self) -> int:
        """The next 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def unit(self) -> float:
        """A number in [0, 1)."""
        return (self.bits() >> 11) * (1.0 / (1 << 53))

    def between(self, low: float, high: float) -> float:
        """A number in [low, high)."""
        return low + (high - low) * self.unit()

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + self.bits() % (high - low + 1)

    def sign(self) -> int:
        """-1 or 1."""
        return 1 if self.bits() & 1 else -1

    def bell(self) -> float:
        """About normal, mean 0 and deviation 1: the sum of twelve units less six, so never beyond 6."""
        return sum(self.unit() for _ in range(12)) - 6.0

    def pick(self, items: Sequence[T]) -> T:
        """One of the items. Raises IndexError when there are none."""
        return items[self.whole(0, len(items) - 1)] if items else items[0]

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Put the items into a chance order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.whole(0, last)
            items[last], items[other] = items[other], items[last]

    def fork(self, word: str) -> Dice:
        """A stream of its own, fixed by this stream's state and the word; this stream does not move."""
        return Dice.named(self.state, word)
