"""Pictures on the screen: the only part that knows OpenGL (`gl`), what it is fed with, and what leaves it as bytes."""
