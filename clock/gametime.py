"""Game time in whole microseconds and in ticks, and how wall time becomes game time without drift."""

from fractions import Fraction

TICKS_PER_SECOND = 60
SECOND_US = 1_000_000


def edge_us(tick: int) -> int:
    """Game time of a tick's edge in µs: the first whole microsecond at which `tick` ticks have passed."""
    return -(-tick * SECOND_US // TICKS_PER_SECOND)


def ticks_at(game_us: int) -> int:
    """How many ticks have passed at a game time in µs."""
    return game_us * TICKS_PER_SECOND // SECOND_US


class GameClock:
    """Game time that moves when it is told how much wall time has passed, `slowdown` times slower.

    It counts in fractions of a microsecond of which every wall microsecond is a whole number, so nothing is
    ever rounded away: however the wall time is cut into pieces, the game time is the same.
    """

    def __init__(self, slowdown: Fraction = Fraction(1)) -> None:
        self._parts_per_game_us = slowdown.numerator
        self._parts_per_wall_us = slowdown.denominator
        self._parts = 0

    @property
    def game_us(self) -> int:
        """Game time in µs since the clock was made."""
        return self.after(0)

    def after(self, wall_us: int) -> int:
        """Game time in µs that the clock will show when `wall_us` more have passed."""
        return (self._parts + wall_us * self._parts_per_wall_us) // self._parts_per_game_us

    def wall_until(self, game_us: int) -> int:
        """Wall time in µs from now until the clock shows `game_us`; 0 where it already does."""
        parts = game_us * self._parts_per_game_us - self._parts
        return max(0, -(-parts // self._parts_per_wall_us))

    def pass_wall(self, wall_us: int) -> None:
        """Let `wall_us` of wall time pass; raise ValueError if it is negative."""
        if wall_us < 0:
            raise ValueError(f"time does not run backwards: {wall_us} µs")
        self._parts += wall_us * self._parts_per_wall_us
