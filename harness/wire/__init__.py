"""The wire: messages, control server, workers and their sessions, clients."""
