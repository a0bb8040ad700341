"""Live changes that announce themselves: chance decides when, a sign stands before it comes."""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.dice import Dice

QUIET = 0.4  # share of the mean interval in which no new change is announced


@dataclass
class Omen:
    """A stream of changes. `age`: ticks since the last one; `lead`: ticks until the announced one, 0 if none is.

    When the next change comes is not in the state before its sign shows, so no copy of a world can foretell it.
    """

    age: int = 0
    lead: int = 0

    def tick(self, fate: Dice, interval: float, warning: int) -> bool:
        """One tick; true when the change comes. interval: mean ticks between changes; warning: ticks of the sign."""
        self.age += 1
        if self.lead:
            self.lead -= 1
            if not self.lead:
                self.age = 0
                return True
        elif self.age > QUIET * interval and fate.unit() * max(1.0, (1 - QUIET) * interval - warning) < 1:
            self.lead = warning
        return False
