"""Tempo and game time: wall µs -> game µs -> ticks. Whole numbers; nothing here sleeps or knows a game."""
