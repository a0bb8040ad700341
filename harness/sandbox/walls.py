"""The walls of the sandbox: what bubblewrap shows of this machine, and which system calls it lets through.

Inside there are system libraries, the interpreter and its standard library, numpy, OpenCV, the files of `inside/` and
the socket of the own session: nothing else of any disk, no network, no foreign process. Packages of the interpreter
are covered up, the project itself with them.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.errors import UserError
from harness.wire.pipe import HOME

INSIDE = Path(__file__).parent / "inside"
LIBRARIES = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")
PACKAGES = ("numpy", "cv2")
SOCKET = "/game.sock"
DISK = 64 * 2**20  # bytes of /tmp, which is memory
MEND = "sudo apt-get install bubblewrap"
NAMESPACES = (
    "have bubblewrap 0.7 or newer, and allow user namespaces: sudo sysctl kernel.unprivileged_userns_clone=1, "
    "on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0"
)
PROBE_S = 20.0


@contextmanager
def command(socket: Path | None, *arguments: str) -> Iterator[tuple[list[str], list[int]]]:
    """The command that runs the interpreter with these arguments inside, and the open files that it needs.

    socket: of the session's relay. Start it with an empty environment: that of process 1 could be read inside. Its
    own arguments lie in a file, as those of a process can be read, too. Raises UserError.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise UserError("there is no bubblewrap", MEND)
    filters = _file(system_calls())
    listed = _file("\0".join([*_apart(), "--seccomp", str(filters), *_scene(socket)]).encode())
    try:
        python = (os.path.realpath(sys.executable), "-I", "-S", "-B", "-u", "-X", "utf8")
        yield [program, "--args", str(listed), *python, *arguments], [filters, listed]
    finally:
        os.close(filters)
        os.close(listed)


def _scene(socket: Path | None) -> list[str]:
    """What there is inside."""
    base, python = Path(sys.base_prefix), os.path.realpath(sys.executable)
    shown = dict.fromkeys(Path(path) for path in (*LIBRARIES, base / "lib", base / "lib64") if os.path.isdir(path))
    folders = [path for path in shown if not path.is_symlink()]
    masks = [mask for folder in folders for mask in folder.glob("python3*/*-packages")]
    masks += [HOME for folder in folders if HOME.is_relative_to(folder) and HOME not in masks]
    above = sorted({parent for path in (*shown, Path(python)) for parent in path.parents} - {Path("/")})
    return [
        *(step for path in (*above, "/packages") for step in ("--dir", str(path))),  # with bits for everybody
        *(step for path in shown for step in _shown(path)),
        *("--ro-bind", python, python),
        *(step for mask in masks for step in ("--tmpfs", str(mask))),
        *(step for path in _packages() for step in ("--ro-bind", str(path), f"/packages/{path.name}")),
        *("--ro-bind", str(INSIDE), "/inside"),
        *(("--bind", str(socket), SOCKET) if socket else ()),
        *("--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(DISK), "--tmpfs", "/tmp"),
        *(step for path in ("/", "/dev", *masks) for step in ("--remount-ro", str(path))),
        *("--chdir", "/tmp", "--hostname", "sandbox"),
        *("--clearenv", "--setenv", "HOME", "/tmp", "--setenv", "LANG", "C.UTF-8"),
        *("--setenv", "OPENBLAS_NUM_THREADS", "1"),
    ]


def _apart() -> list[str]:
    """Namespaces. Root needs none for users and gives itself up inside (`repl.give_up`): a stranger is less."""
    user = ["--unshare-user", "--cap-drop", "ALL"]
    if os.getuid() == 0:
        user = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    others = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
    return [*user, *others, "--die-with-parent", "--new-session"]


def _shown(path: Path) -> tuple[str, ...]:
    if path.is_symlink():
        return "--symlink", os.readlink(path), str(path)
    return "--ro-bind", str(path), str(path)


def _packages() -> Iterator[Path]:
    """The folders of the packages that code may use, and of the libraries that came with them."""
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None
        folder = Path(spec.origin).parent
        yield folder
        yield from folder.parent.glob("numpy.libs" if name == "numpy" else "opencv_*.libs")


# -------------------------------------------------------------------------------- system calls

# One process is all that code gets, so that limits of a process are limits of the sandbox: threads, but no child. No
# memory that these limits do not count; no namespaces, keys, tracing or other doors into the kernel that it does not
# need. Numbers on x86-64 (asm/unistd_64.h) and on 64-bit ARM (asm-generic/unistd.h).
MACHINES = {"x86_64": 0, "aarch64": 1}
ARCHITECTURE = (0xC000003E, 0xC00000B7)
CLONE, CLONE3 = (56, 220), 435
CLONE_THREAD = 0x00010000
DENIED = {
    **{"memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "mq_open": (240, 180)},
    **{"ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271)},
    **{"mount": (165, 40), "umount2": (166, 39), "unshare": (272, 97), "setns": (308, 268)},
    **{"bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425)},
    **{"add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "kexec_load": (246, 104)},
}
FORKS = (57, 58)  # fork and vfork, of x86-64 only
X32 = 0x40000000  # system calls of its 32-bit dialect
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # of classic BPF
ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026


def system_calls() -> bytes:
    """The filter as bubblewrap takes it. Raises UserError on a processor that it does not know."""
    machine = MACHINES.get(platform.machine())
    if machine is None:
        raise UserError(f"there is no sandbox on {platform.machine()}", f"use {' or '.join(MACHINES)}")
    denied = [numbers[machine] for numbers in DENIED.values()] + list(() if machine else FORKS)
    program = [
        (LOAD, 0, 0, 4),  # the architecture
        (EQUAL, 1, 0, ARCHITECTURE[machine]),
        (RETURN, 0, 0, EPERM),
        (LOAD, 0, 0, 0),  # the system call
        (AT_LEAST, 0, 1, X32),
        (RETURN, 0, 0, EPERM),
        (EQUAL, 0, 1, CLONE3),  # its flags lie in memory, where no filter looks: libraries then use clone
        (RETURN, 0, 0, ENOSYS),
        *(step for number in denied for step in ((EQUAL, 0, 1, number), (RETURN, 0, 0, EPERM))),
        (EQUAL, 0, 3, CLONE[machine]),
        (LOAD, 0, 0, 16),  # its flags
        (ANY_BIT, 1, 0, CLONE_THREAD),
        (RETURN, 0, 0, EPERM),
        (RETURN, 0, 0, ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in program)


def _file(data: bytes) -> int:
    """An open file that only exists in memory."""
    file = os.memfd_create("sandbox")
    os.write(file, data)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def trouble() -> tuple[str, str] | None:
    """Why code cannot be run here, and how to mend that; None where it can."""
    try:
        with command(None, "-c", "print('here')") as (words, files):
            done = subprocess.run(
                words, env={}, pass_fds=files, capture_output=True, text=True, timeout=PROBE_S, check=False
            )
    except UserError as error:
        return error.message, error.mend
    except subprocess.TimeoutExpired:
        return f"bubblewrap starts nothing within {PROBE_S:g} s", MEND
    if done.stdout.strip() == "here":
        return None
    return done.stderr.strip() or "bubblewrap fails", NAMESPACES


def require() -> None:
    """Raise UserError where code cannot be run."""
    if found := trouble():
        raise UserError(f"agents cannot run code here: {found[0]}", found[1])
