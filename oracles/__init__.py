"""Solvers, one a game, in the same folders and under the same names as the games."""
