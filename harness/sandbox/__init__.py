"""Where agents run code: bubblewrap, limits, and no network but the way to their own session (docs/agents.md)."""
