"""Code that tries to get out of its sandbox, and models that play by code.

Each attempt is made inside a real sandbox; afterwards it still works, or has been started anew.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from harness import host
from harness.crew import Crew, Todo
from harness.errors import BadInput
from harness.host import Order, Said
from harness.results.records import Call, Results, Run, Shard
from harness.sandbox import box as boxes
from harness.sandbox.box import NEWLY, Box
from harness.sandbox.walls import DISK, trouble
from harness.suite import Conditions, Grid, Suite
from harness.wire.client import Client, run_sync
from harness.wire.protocol import Summary, Ticket
from harness.wire.server import Server
from tests import stubs
from tests.stubs import Stub
from tests.wire import TINY, opened, serving

ROOT = Path(__file__).resolve().parents[1]
SECRET = "hush-1f0c"


@pytest.fixture(scope="module")
def sandbox() -> None:
    if found := trouble():
        pytest.skip(f"no sandbox here: {found[0]}")


@pytest.fixture(scope="module")
def server(sandbox: None) -> Iterator[Server]:
    with serving(workers=2) as server:
        yield server


class Inside:
    """A sandbox of a session that has begun."""

    def __init__(self, server: Server, limit_s: float = boxes.LIMIT_S) -> None:
        self.server = server
        self.place = run_sync(opened(server, drive="wall", tempo="paused", frames=2))
        self.ticket = Ticket.parse(self.place.ticket)
        self.client = run_sync(Client.connect(self.place.ticket))
        run_sync(self.client.begin(frames=0))

        async def enter() -> Box:
            return await Box(self.place.ticket, limit_s).__aenter__()

        self.box = run_sync(enter())

    def run(self, code: str) -> str:
        return run_sync(self.box.run(code)).strip()

    def leave(self) -> None:
        run_sync(self.box.close())
        run_sync(self.client.close())
        run_sync(self.server.end(self.place.session))


@contextmanager
def inside_of(server: Server, limit_s: float = boxes.LIMIT_S) -> Iterator[Inside]:
    inside = Inside(server, limit_s)
    try:
        yield inside
    finally:
        inside.leave()


@pytest.fixture(scope="module")
def shared(server: Server) -> Iterator[Inside]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", SECRET)
        with inside_of(server) as inside:
            yield inside


@pytest.fixture
def inside(shared: Inside) -> Iterator[Inside]:
    """The sandbox that attempts share, each of which must leave it working, and its world running."""
    yield shared
    assert shared.run("before = game.look().ms; game.act('wait 50').ms > before") == "True"
    assert shared.client is not None and not run_sync(shared.client.look(frames=0)).over


# ---------------------------------------------------------------- an interpreter


def test_prints_values_and_errors_and_keeps_names(inside: Inside) -> None:
    assert inside.run("x = 41\nprint('so')\nx + 1") == "so\n42"
    assert inside.run("x = x + 1") == ""
    assert inside.run("def f():\n    return x / 0\n\nf()").splitlines()[-3:] == [
        "    return x / 0",
        "           ~~^~~",
        "ZeroDivisionError: division by zero",
    ]
    assert inside.run("1 +").endswith("SyntaxError: invalid syntax")
    assert inside.run("x") == "42"
    assert inside.run("np.zeros(3).sum(), cv2.__version__ > '4', game.look().picture.shape") == (
        "(np.float64(0.0), True, (600, 800, 3))"
    )


def test_long_output_is_cut_and_control_characters_are_not_passed_on(inside: Inside) -> None:
    said = inside.run("print('a' * 15_000 + 'b' * 15_000)")
    assert said.startswith("aaa") and said.endswith("bbb") and len(said) < 21_000
    assert "10,001 bytes left out" in said
    assert inside.run(r"import os; os.write(1, b'\x00\x1b[2J\xff done\n'); None").endswith("[2J\ufffd done")


def test_threads_act_between_calls(inside: Inside) -> None:
    inside.run(
        "import threading, time\n"
        "def work():\n"
        "    for n in range(5):\n"
        "        game.act('key ArrowLeft', frames=0)\n"
        "        print('act', n)\n"
        "thread = threading.Thread(target=work); thread.start()"
    )
    time.sleep(0.5)
    run_sync(inside.client.act("key ArrowRight"))  # under the same ticket: both have their turn
    assert inside.run("thread.join(); print('joined')").endswith("act 4\njoined")
    run_sync(inside.client.act("key ArrowRight"))


# ---------------------------------------------------------------- attempts: to see


def test_finds_no_file_of_the_project(inside: Inside) -> None:
    ours = {
        sha256(path.read_bytes()).hexdigest(): path.name
        for part in ("games", "oracles", "harness", "audit", "configs", "clock")
        for path in (ROOT / part).rglob("*")
        if path.suffix in (".py", ".toml", ".json") and path.stat().st_size and path.parent.name != "inside"
    }
    found = inside.run(
        "import hashlib, os, json\n"
        f"ours = json.loads({json.dumps(ours)!r})\n"
        "names, seen = set(ours.values()), 0\n"
        "for folder, folders, files in os.walk('/', followlinks=False):\n"
        "    if folder == '/': folders.remove('proc')\n"
        "    seen += len(files)\n"
        "    for name in names.intersection(files):\n"
        "        try: data = open(os.path.join(folder, name), 'rb').read()\n"
        "        except OSError: continue\n"
        "        if hashlib.sha256(data).hexdigest() in ours: print(os.path.join(folder, name))\n"
        "print(seen > 1000)"
    )
    assert found == "True"


@pytest.mark.parametrize(
    "module", ["harness", "games", "oracles", "audit", "configs", "clock", "bullettime", "aiohttp"]
)
def test_imports_nothing_of_the_project(inside: Inside, module: str) -> None:
    assert f"No module named {module!r}" in inside.run(f"import {module}")


@pytest.mark.parametrize(
    "path", [str(ROOT / "games"), str(ROOT / "bullettime.py"), "/etc/passwd", "/etc/shadow", "/sys", "/run", "/var/log"]
)
def test_sees_nothing_else_of_the_disk(inside: Inside, path: str) -> None:
    for way in (path, f"/proc/1/root{path}", f"/proc/self/root{path}", f"/proc/1/cwd/..{path}", f"/tmp/../..{path}"):
        said = inside.run(f"import os; os.listdir({way!r}) if os.path.isdir({way!r}) else open({way!r}).read(10)")
        assert "FileNotFoundError" in said or "PermissionError" in said


def test_reads_no_environment_and_no_token(inside: Inside) -> None:
    said = inside.run(
        "import glob, os\n"
        "print(dict(os.environ))\n"
        "for path in sorted(glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline')):\n"
        "    try: print(path, open(path, 'rb').read())\n"
        "    except OSError as error: print(path, error)\n"
        "try: print(open('/proc/self/mem', 'rb').read(10))\n"
        "except OSError as error: print(error)\n"
        "print(len(glob.glob('/proc/[0-9]*')), os.listdir('/proc/self/fd'))"
    )
    assert said.startswith("{'HOME': '/tmp', ")
    for secret in (SECRET, inside.ticket.token, str(ROOT), "OPENAI", inside.place.session):
        assert secret not in said
    assert "\n2 [" in said  # bubblewrap's own process and this one


# ---------------------------------------------------------------- attempts: to be heard


def test_reaches_no_network(inside: Inside) -> None:
    """Neither the control server nor a worker, its own one included, nor the world outside."""
    control = inside.server.address.rpartition(":")[2]
    ports = [int(control), *(worker["port"] for worker in inside.server.workers())]
    assert len(set(ports)) == 3
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind("\0bullettime-test")
    abstract.listen()
    said = inside.run(
        "import socket\n"
        f"places = [(socket.AF_INET, ('127.0.0.1', port)) for port in {ports}]\n"
        f"places += [(socket.AF_INET6, ('::1', port)) for port in {ports}]\n"
        "places += [(socket.AF_INET, ('192.0.2.1', 80)), (socket.AF_UNIX, '\\0bullettime-test')]\n"
        "for family, place in places:\n"
        "    try:\n"
        "        socket.socket(family).connect(place); print('connected', place)\n"
        "    except OSError as error: pass\n"
        "try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53)); print('sent')\n"
        "except OSError: pass\n"
        "try: socket.getaddrinfo('example.org', 80); print('resolved')\n"
        "except OSError: pass\n"
        "print([name for _, name in socket.if_nameindex()])"
    )
    abstract.close()
    assert said == "['lo']"


def test_asks_the_relay_for_its_own_session_only(inside: Inside) -> None:
    other = run_sync(opened(inside.server, drive="wall"))
    run_sync(begin(other.ticket))
    token = Ticket.parse(other.ticket).token
    messages = [
        {"type": f"act?token={token}", "line": "key w"},
        {"type": f"look HTTP/1.1\r\nAuthorization: Bearer {token}\r\n\r\n"},
        {"type": "../sessions"},
        {"type": "end"},
        {"type": "begin"},
        {"type": "stream", "fps": 60},
        {"type": "act", "line": "wait 1", "token": token},
        {"type": "act", "line": "wait 1", "session": other.session},
        {"type": ["look"]},
        {"type": "act", "line": "wait 1", "seq": -1, "look": {"frames": 99}},
        [],
        "look",
        None,
    ]
    said = inside.run(
        "import json\n"
        f"for message in json.loads({json.dumps(messages)!r}):\n"
        "    try: print('answered', game._ask(message).header.get('type'))\n"
        "    except Exception as error: print(type(error).__name__)"
    )
    assert "Refused" in said and set(said.split()) <= {"Refused", "answered", "look"}
    raw = inside.run(
        "import socket\n"
        "for raw in (b'GET / HTTP/1.1\\r\\n\\r\\n', b'\\n', b'{' * 150_000 + b'\\n', b'x' * 300_000, b'\\xff\\n'):\n"
        "    s = socket.socket(socket.AF_UNIX); s.connect('/game.sock')\n"
        "    try: s.sendall(raw); print(b'error' in s.recv(1000) or 'closed')\n"
        "    except OSError: print('closed')"
    )
    assert set(raw.split()) <= {"True", "closed"}
    summary = run_sync(inside.server.end(other.session))
    assert summary.acts == []


async def begin(ticket: str) -> None:
    async with await Client.connect(ticket) as client:
        await client.begin(frames=0)


def test_a_flood_of_messages_leaves_the_agent_its_part(inside: Inside) -> None:
    inside.run(
        "import threading\nflooding = True\n"
        "def flood():\n    while flooding: game.act('wait 0', frames=0)\n"
        "for _ in range(20): threading.Thread(target=flood).start()"
    )
    for _ in range(20):
        run_sync(inside.client.act("wait 0", frames=0))
        run_sync(inside.client.look(frames=0))
    inside.run("flooding = False")


# ---------------------------------------------------------------- attempts: to change, to fill, to spread


@pytest.mark.parametrize(
    "path", ["/x", "/inside/game.py", "/inside/x", "/packages/numpy/x.py", "/usr/lib/x", "/dev/x", "/dev/shm/x"]
)
def test_writes_nowhere_but_in_tmp(inside: Inside, path: str) -> None:
    assert "Error: [Errno" in inside.run(f"open({path!r}, 'w').write('x')")
    library = inside.run("import os; os.path.dirname(os.__file__)").strip("'")
    assert "Error: [Errno" in inside.run(f"open({library!r} + '/site-packages/x.py', 'w')")
    assert inside.run("open('/tmp/mine', 'w').write('x')") == "1"


def test_links_lead_nowhere(inside: Inside) -> None:
    for target in ("/etc/passwd", str(ROOT), "/proc/1/cwd/../etc/passwd", f"/proc/self/root{ROOT}"):
        said = inside.run(
            "import os\n"
            "if os.path.lexists('/tmp/link'): os.unlink('/tmp/link')\n"
            f"os.symlink({target!r}, '/tmp/link')\n"
            "try: os.link('/inside/game.py', '/tmp/hard'); print('linked')\n"
            "except OSError: pass\n"
            "try: print('read', os.listdir('/tmp/link') if os.path.isdir('/tmp/link') else open('/tmp/link').read())\n"
            "except OSError as error: print(type(error).__name__)"
        )
        assert said in ("FileNotFoundError", "PermissionError")
    assert (ROOT / "harness/sandbox/inside/game.py").stat().st_nlink == 1


def test_fills_no_disk(inside: Inside) -> None:
    said = inside.run(
        "import os, errno\n"
        "written, n = 0, 0\n"
        "try:\n"
        "    while True:\n"
        "        with open(f'/tmp/fill{n}', 'wb') as file: written += file.write(bytes(1 << 20))\n"
        "        n += 1\n"
        "except OSError as error: print(errno.errorcode[error.errno], written >> 20)\n"
        "for m in range(n + 1): os.unlink(f'/tmp/fill{m}')"
    )
    assert said.split()[0] == "ENOSPC" and int(said.split()[1]) <= DISK >> 20


def test_fills_no_memory(inside: Inside) -> None:
    assert inside.run("ballast = []\nwhile True: ballast.append(bytearray(1 << 26))").endswith("MemoryError")
    inside.run("ballast = None")
    assert "MemoryError" in inside.run("np.ones(10**10)")
    assert "Errno 1" in inside.run("import os; os.memfd_create('x')")
    assert "OSError" in inside.run("from multiprocessing.shared_memory import SharedMemory; SharedMemory('x', True, 9)")


def test_has_no_children(inside: Inside) -> None:
    for code in (
        "import os; os.fork()",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.posix_spawn('/proc/self/exe', ['python'], {})",
        "import multiprocessing; multiprocessing.Process(target=print).start()",
        "import os; os.system('true') or None",
    ):
        assert "Errno" in inside.run(code) or inside.run(code) in ("-1", "32512")
    assert inside.run("import glob; len(glob.glob('/proc/[0-9]*'))") == "2"


def test_computes_only_when_others_do_not(inside: Inside) -> None:
    """Or it could make a world's ticks late on purpose, and its loss a tainted episode."""
    assert int(inside.run("import os; os.nice(0)")) == min(os.nice(0) + 10, 19)
    group = inside.run("path = '/proc/self/autogroup'; open(path).read() if os.path.exists(path) else 'nice 10'")
    assert "nice 10" in group


def test_a_bomb_of_threads_is_bounded(inside: Inside) -> None:
    said = inside.run(
        "import threading\n"
        "end, bombs = threading.Event(), []\n"
        "try:\n"
        "    while len(bombs) < 1000:\n"
        "        bombs.append(threading.Thread(target=end.wait, daemon=True)); bombs[-1].start()\n"
        "except RuntimeError as error: print(error, len(bombs))\n"
        "end.set()"
    )
    assert said.startswith("can't start new thread") and int(said.split()[-1]) <= 64


def test_becomes_nobody_else(inside: Inside) -> None:
    assert inside.run("import os; os.getuid()") != "0"
    said = inside.run(
        "import ctypes, os, resource\n"
        "libc = ctypes.CDLL(None)\n"
        "print([libc.unshare(0x10000000), libc.mount(b'x', b'/tmp', b'tmpfs', 0, None), libc.umount2(b'/tmp', 2)])\n"
        "for limit in (resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE):\n"
        "    try: resource.setrlimit(limit, (-1, -1)); print('raised')\n"
        "    except (ValueError, OSError): pass\n"
        "for call, *of in ((os.setuid, 0), (os.chroot, '/tmp'), (os.nice, -5), (os.chown, '/', 1, 1)):\n"
        "    try: call(*of); print('done')\n"
        "    except OSError: pass\n"
        "print([line.split()[1] for line in open('/proc/self/status') if line.startswith(('CapEff', 'NoNewPrivs'))])"
    )
    assert said == "[-1, -1, -1]\n['0000000000000000', '1']"


def test_kills_nobody_but_itself(inside: Inside) -> None:
    victims = [psutil.Process(), *psutil.Process().children(recursive=True)]
    pids = [process.pid for process in victims]
    inside.run("import os\nfor pid in {os.getppid(), 1} - {0}:\n    try: os.kill(pid, 9)\n    except OSError: pass")
    inside.run(f"import os\nfor pid in {pids}:\n    try: os.kill(pid, 9)\n    except OSError: pass")
    said = inside.run("import os; os.kill(os.getpid(), 9)")
    assert NEWLY in said
    assert "NameError" in inside.run("before")
    gone = [process for process in victims if not process.is_running()]
    assert len(gone) <= 3  # bubblewrap's two processes and the interpreter, which have new ones
    inside.run("import os; os.kill(-1, 9); os.kill(0, 9)")


def test_ends_and_breaks_only_itself(inside: Inside) -> None:
    assert "SystemExit" in inside.run("import sys; sys.exit(3)")
    assert NEWLY in inside.run("import os; os._exit(3)")
    assert NEWLY in inside.run("import ctypes; ctypes.string_at(0)")
    assert NEWLY in inside.run("import os; os.closerange(0, 100)")
    assert "EOFError" in inside.run("input()")


# ---------------------------------------------------------------- attempts: not to end


@pytest.mark.slow
def test_code_that_takes_too_long_is_stopped_and_keeps_its_names(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxes, "GRACE_S", 3.0)
    with inside_of(server, limit_s=1.0) as inside:
        assert inside.run("x = 5\nwhile True: pass").endswith("what takes long belongs in a thread")
        careless = "while True:\n    try:\n        x = x + 0\n    except Exception: pass"
        assert inside.run(careless).endswith("what takes long belongs in a thread")
        assert inside.run("x") == "5"
        assert "what takes long" in inside.run("while True: game.act('wait 300')")  # in the middle of a reply
        assert inside.run("game.look(frames=0).header['type'], game.hello()['title']") == "('look', 'Puck')"
        stubborn = "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass"
        assert f"it did not stop; {NEWLY}" in inside.run(stubborn)
        assert "NameError" in inside.run("x")
        assert f"it printed too much; {NEWLY}" in inside.run("while True: print('x' * 1000)")
        assert inside.run("game.look().over") == "False"


def test_nothing_is_left_behind(server: Server) -> None:
    before = set(psutil.Process().children(recursive=True))
    with inside_of(server) as inside:
        inside.run("import threading, time; threading.Thread(target=time.sleep, args=(100,)).start()")
        own = set(psutil.Process().children(recursive=True)) - before
        folder = inside.box._socket.parent
        assert len(own) >= 3 and folder.exists()
    psutil.wait_procs(own, timeout=5)
    assert not any(process.is_running() for process in own) and not folder.exists()


HOLDER = """
import asyncio, sys
from harness.sandbox.box import Box
async def main():
    async with Box(sys.argv[1]) as box:
        await box.run("1")
        print("in", flush=True)
        await asyncio.sleep(60)
asyncio.run(main())
"""


def test_it_dies_with_its_host(server: Server) -> None:
    place = run_sync(opened(server, drive="wall"))
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, place.ticket], cwd=ROOT, stdout=subprocess.PIPE)
    assert holder.stdout is not None and holder.stdout.readline() == b"in\n"
    own = psutil.Process(holder.pid).children(recursive=True)
    assert len(own) >= 3
    (folder,) = {Path(unix.laddr).parent for process in own for unix in process.net_connections("unix") if unix.laddr}
    assert folder.name.startswith("bullettime-")
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert not psutil.wait_procs(own, timeout=10)[1] and not folder.exists()
    run_sync(server.end(place.session))


# ---------------------------------------------------------------- who may


def test_only_models_run_code_and_only_under_the_wall() -> None:
    grid = Grid(agents=["openai:m"], games=["grill"], levels=[1], timings=["rt"], tempos=["live"], seeds=[1])
    grid.code = [True, False]
    with pytest.raises(BadInput, match="code") as refused:
        grid.jobs(Conditions())
    assert refused.value.mend == "--drive wall"
    grid.drive = "wall"
    assert sorted(job.conditions.code for job in grid.jobs(Conditions())) == [False, True]
    grid.agents = ["oracle", "tracker", "command:./mine"]
    assert [job.conditions.code for job in grid.jobs(Conditions(code=True))] == [False] * 3


def test_without_bubblewrap_nothing_is_played(tmp_path: Path) -> None:
    words = (
        "run --agents openai:m --games grill --levels 1 --timings rt --tempos live --seeds 1 --code yes --drive wall"
    )
    done = subprocess.run(
        [sys.executable, ROOT / "bullettime.py", *words.split(), "--out", tmp_path / "run"],
        env={**os.environ, "PATH": str(tmp_path), "OPENAI_API_KEY": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0 and "bubblewrap" in done.stderr and "apt-get install bubblewrap" in done.stderr
    assert not (tmp_path / "run/records").exists()


# ---------------------------------------------------------------- models


class Played(NamedTuple):
    """An episode of the puck: what its worker says, what its host says, the model's calls."""

    summary: Summary
    said: Said
    calls: list[Call]


def agent(stub: Stub, vendor: str, surface: str) -> str:
    target = f"{stub.url}/v1#stub" if vendor == "chat" else "stub"
    return f"{vendor}:{target}?surface={surface}"


def play(server: Server, stub: Stub, name: str, code: bool = True) -> Played:
    async def episode() -> Played:
        place = await opened(server, frames=2, drive="wall")
        calls: list[Call] = []
        said = await host.play(Order(1, name, place.ticket, metered=False, code=code), calls.append)
        return Played(await server.end(place.session, said.lost or "given up"), said, calls)

    with pytest.MonkeyPatch.context() as patch:
        for key, value in stub.environment.items():
            patch.setenv(key, value)
        return run_sync(episode())


def says(surface: str, code: str) -> stubs.Said:
    """An answer that runs this code."""
    if surface == "text":
        return {"text": f"Let me see.\n```python\n{code}\n```\n"}
    return {"name": "python", "arguments": json.dumps({"code": code})}


SURFACES = [
    *((vendor, surface) for vendor in ("openai", "anthropic", "google") for surface in ("native", "function", "text")),
    *(("chat", surface) for surface in ("function", "text")),
]


@pytest.mark.parametrize(("vendor", "surface"), SURFACES)
def test_a_model_runs_code_in_each_surface(server: Server, vendor: str, surface: str) -> None:
    codes = iter(["seen = game.act('wait 10')\nprint('so', 6 * 7, seen.over)", "1 / 0", "game.act('key w').won"])
    with Stub(lambda *_: says(surface, next(codes))) as stub:
        played = play(server, stub, agent(stub, vendor, surface))
    assert played.summary.verdict == "won" and not played.said.taint and not played.said.lost
    assert len(played.summary.acts) == 2 and not any(call.problem for call in played.calls)
    bodies = [json.dumps(body) for _, body in stub.calls]
    assert "game.frames(fps=20)" in bodies[0]
    assert ('"python"' in bodies[0]) == (surface != "text")
    assert "so 42 False" in bodies[1] and "The last of 2 pictures is now." in bodies[1]
    assert "ZeroDivisionError" in bodies[2]


def test_a_model_without_code_has_no_such_tool(server: Server) -> None:
    answers = iter(
        [says("function", "print(1)"), says("text", "print(1)"), {"actions": [{"type": "key", "keys": ["w"]}]}]
    )
    with Stub(lambda *_: next(answers)) as stub:
        played = play(server, stub, agent(stub, "anthropic", "function"), code=False)
    assert played.summary.verdict == "won" and len(played.calls) == 3
    assert "'python' is unknown" in played.calls[0].problem and "game.frames" not in json.dumps(stub.calls[0][1])


FAST_MIND = """
import threading
def hit():
    hits = 0
    for seen in game.frames(fps=30):
        orange = np.argwhere((seen.picture == (255, 136, 0)).all(axis=2))
        y, x = orange.mean(axis=0)
        game.act(f"click {x:.0f} {y:.0f}", frames=0)
        hits += 1
        if hits == 12:
            return game.act("key w")
threading.Thread(target=hit).start()
"""


def once(first: stubs.Said, later: stubs.Said) -> stubs.Brain:
    """Answers for one episode after another: `later` wherever the model has said something before."""

    def say(vendor: str, body: stubs.Said) -> stubs.Said:
        return later if len(body["input"]) > 1 else first

    return say


@pytest.mark.slow
def test_a_fast_mind_hits_while_the_slow_one_thinks(server: Server) -> None:
    """The model's second call takes seconds, in which its thread hits the moving puck and wins."""
    with Stub(once(says("function", FAST_MIND), {"actions": [], "after": 5})) as stub:
        played = play(server, stub, agent(stub, "openai", "function"))
    summary, slow = played.summary, played.calls[1]
    assert summary.verdict == "won" and summary.progress == 1.0 and not played.said.lost
    assert slow.done_us - slow.sent_us >= 5e6
    while_it_thought = [act for act in summary.acts if slow.sent_us < act.game_us < slow.done_us]
    assert len(while_it_thought) >= 10


def test_a_run_records_the_sandbox(sandbox: None, tmp_path: Path) -> None:
    with (
        Stub(lambda *_: says("function", "print(game.act('key w'))")) as stub,
        pytest.MonkeyPatch.context() as patch,
        Shard(tmp_path) as shard,
    ):
        for key, value in {**stub.environment, "BULLETTIME_GAMES_DIR": str(TINY)}.items():
            patch.setenv(key, value)
        grid = Grid(agents=[agent(stub, "openai", "function")], games=["puck"], levels=[1], timings=["rt"])
        grid.tempos, grid.seeds, grid.drive, grid.code = ["paused"], [3], "wall", [True]
        plan = Suite(grids=[grid])
        shard.write(Run(name="stub", suite=plan, version="", machine={}, rules={}, at=""))
        todo = [Todo(job, 0, 0) for job in plan.jobs()]
        crew = Crew(tmp_path, plan, shard, 1, lambda job: None, transcripts=tmp_path / "transcripts")
        asyncio.run(crew.work(todo))
    (outcome,) = Results.load(tmp_path).outcomes.values()
    assert outcome.won and outcome.verdict is not None and outcome.verdict.isolation == "sandbox"
    (turns,) = (tmp_path / "transcripts").glob("*/turns.jsonl")
    assert json.loads(turns.read_text().splitlines()[-1])["code"] == "print(game.act('key w'))"
