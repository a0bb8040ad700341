"""The only way out of a sandbox: a process that carries messages from its socket to the worker of its one session.

The ticket's host, port and token come as a line of JSON on standard input, the socket's path leaves on standard
output; when the input ends, so does it, and its folder with it. It adds the token, which never enters the sandbox, and
the number of each act; it lets through what a player may ask, and no more at once than leaves the session's own agent
its part. Standard library only, so it starts at once, and in a process of its own, so that nobody's thinking delays it.

A message is a line of JSON with its `type`; the answer is 4 bytes of length (big-endian) and the binary message of
docs/protocol.md.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socketserver
import struct
import sys
import tempfile
import threading
import time
from typing import Any

KINDS = ("hello", "look", "act", "ping")  # not begin and end, which are the agent's own
MESSAGE_CAP = 200_000  # bytes; the worker takes a little more
AT_ONCE = 32  # messages under way; the worker takes 64 of a session
RATE = 150.0  # messages a second; the worker takes 200
BURST = 20  # messages that may come at once
IDLE_S = 30.0  # the worker hangs up on a connection that is silent for longer
BINARY = "application/octet-stream"


class Relay(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """The socket, and what all its connections share."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, path: str, host: str, port: int, token: str) -> None:
        super().__init__(path, Connection)
        os.chmod(path, 0o666)  # the sandbox may be another user's; the folder is for this one
        self.host, self.port, self.token = host, port, token
        self.under_way = threading.BoundedSemaphore(AT_ONCE)
        self._turn = threading.Lock()
        self._next_s = 0.0
        self.seq = 0

    def pace(self) -> None:
        """Wait until one more message may go."""
        with self._turn:
            now = time.monotonic()
            self._next_s = max(self._next_s, now - BURST / RATE) + 1 / RATE
            wait_s = self._next_s - now
        if wait_s > 0:
            time.sleep(wait_s)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that broke: whoever broke it knows."""


class Connection(socketserver.StreamRequestHandler):
    """One connection from the sandbox, and one to the worker for it."""

    server: Relay

    def handle(self) -> None:
        """Carry one message after another."""
        self.worker = http.client.HTTPConnection(self.server.host, self.server.port)
        self.used_s = time.monotonic()
        try:
            while (line := self.rfile.readline(MESSAGE_CAP)).endswith(b"\n"):
                answer = self._answer(line)
                self.wfile.write(struct.pack(">I", len(answer)) + answer)
        finally:
            self.worker.close()

    def _answer(self, line: bytes) -> bytes:
        try:
            message = json.loads(line)
            kind = message.pop("type")
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
            return _refused("message", "is no JSON object with a type", "send one")
        if kind not in KINDS:
            return _refused("type", f"{kind!r} is not for code", f"use {', '.join(KINDS)}")
        with self.server.under_way:
            return self._act(message) if kind == "act" else self._send(kind, message)

    def _act(self, message: dict[str, Any]) -> bytes:
        """Send an act under the next number. The agent acts, too: where it was faster, the number after its."""
        while True:
            self.server.seq += 1
            answer = self._send("act", message | {"seq": self.server.seq})
            if _header(answer).get("error", {}).get("field") != "seq":
                return answer
            self.server.seq = _header(self._send("ping", {})).get("seq") or 0

    def _send(self, kind: str, message: dict[str, Any]) -> bytes:
        self.server.pace()
        if time.monotonic() - self.used_s > IDLE_S:
            self.worker.close()  # the request opens it again
        headers = {"Authorization": f"Bearer {self.server.token}", "Accept": BINARY}
        self.worker.request("POST", f"/{kind}", json.dumps(message), headers)
        answer = self.worker.getresponse()
        body = answer.read()
        self.used_s = time.monotonic()
        return body if answer.headers.get_content_type() == BINARY else _pack(body)


def _pack(header: bytes) -> bytes:
    return struct.pack(">I", len(header)) + header


def _header(answer: bytes) -> dict[str, Any]:
    (length,) = struct.unpack_from(">I", answer)
    return json.loads(answer[4 : 4 + length])


def _refused(field: str, problem: str, mend: str) -> bytes:
    return _pack(json.dumps({"error": {"field": field, "problem": problem, "mend": mend}}).encode())


def main() -> None:
    """Serve until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: our input will end
    with tempfile.TemporaryDirectory(prefix="bullettime-") as folder:
        path = f"{folder}/socket"
        relay = Relay(path, **json.loads(sys.stdin.readline()))
        threading.Thread(target=relay.serve_forever, daemon=True).start()
        print(path, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
