"""The oracle of the sound game."""

from oracles.mutants.cords import solve

__all__ = ["solve"]
