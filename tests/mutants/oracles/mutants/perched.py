"""The oracle of the sound game."""

from oracles.mutants.firefly import solve

__all__ = ["solve"]
