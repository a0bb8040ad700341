"""The interpreter inside the sandbox: runs one piece of code after another, in one namespace.

Each line on standard input is a JSON object: `code`, and the `mark` to print when it has been run. What code prints
goes to standard output as it comes, errors with it. Names and threads stay from one piece to the next.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import importlib
import itertools
import json
import linecache
import os
import resource
import signal
import sys
import time
import traceback
from typing import Any

MIB = 2**20
LIMITS = {  # of the one process that there is
    resource.RLIMIT_AS: 3072 * MIB,  # of address space: what interpreter and libraries only reserve counts as well
    resource.RLIMIT_CPU: 3600,  # s
    resource.RLIMIT_FSIZE: 64 * MIB,
    resource.RLIMIT_NOFILE: 128,
    resource.RLIMIT_NPROC: 64,  # threads
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_MEMLOCK: 0,
    resource.RLIMIT_MSGQUEUE: 0,
}
NICE = 10  # code that computes without end must not delay the worlds of this machine
PR_SET_PDEATHSIG = 1
count = itertools.count(1)  # of pieces


class TookTooLong(BaseException):
    """A piece of code has used its time up. No Exception, as code often goes on after any of these."""


def give_up(uid: int) -> None:
    """Become nobody, where we are root, and take on the limits. None of it can be taken back."""
    be_nice()
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # another user's request is forgotten
    for limit, value in LIMITS.items():
        most = resource.getrlimit(limit)[1]
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(limit, (value, value))


def be_nice() -> None:
    """Leave others their time: as a process, and as a group, where the kernel gives each terminal's one a share.

    Before we become somebody else, who may not say so.
    """
    os.nice(NICE)
    for _ in range(100):
        try:
            with open("/proc/self/autogroup", "w") as group:
                group.write(str(NICE))
            return
        except BlockingIOError:  # ten users' groups a second
            time.sleep(0.1)
        except OSError:  # there are no such groups
            return


def run(code: str, names: dict[str, Any]) -> None:
    """Run code; the value of a last expression is printed, and so is what went wrong."""
    name = f"<code {next(count)}>"
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)  # for its errors
    try:
        tree = ast.parse(code, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec", dont_inherit=True), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval", dont_inherit=True), names)
            if value is not None:
                print(repr(value))
    except BaseException as error:
        own = error.__traceback__.tb_next if error.__traceback__ else None  # the first frame is ours
        traceback.print_exception(error.with_traceback(own))


def main(uid: int, limit_s: float) -> None:
    """Obey until standard input ends. limit_s: of wall time, for one piece."""
    requests = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(1, 2)
    give_up(uid)
    sys.path += ["/inside", "/packages"]
    names: dict[str, Any] = {"__name__": "__main__"}
    for name, module in (("np", "numpy"), ("cv2", "cv2"), ("game", "game")):
        names[name] = importlib.import_module(module)
    names["cv2"].setNumThreads(1)
    names["game"] = names["game"].Game()

    def late(*_: object) -> None:
        raise TookTooLong(f"more than {limit_s:g} s; what takes long belongs in a thread")

    signal.signal(signal.SIGALRM, late)
    for line in requests:
        request = json.loads(line)
        with contextlib.suppress(TookTooLong):  # it may end just then
            signal.setitimer(signal.ITIMER_REAL, limit_s)
            run(request["code"], names)
            signal.setitimer(signal.ITIMER_REAL, 0)
        os.write(1, request["mark"].encode())


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
