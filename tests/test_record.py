"""Films, contact sheets, replays and `verify`."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import av
import cv2
import msgspec
import numpy as np
import psutil
import pytest

import bullettime
import games
from harness.agents import HUMAN
from harness.errors import UserError
from harness.film import CAPTION, Film, Traces, probe
from harness.gallery import THUMB, moments_of
from harness.painter.gl import Painter
from harness.record import GAP, film, film_verdicts
from harness.results.records import Act, Shard, Verdict
from harness.session import Session
from harness.tape import open_again, oracle_verdict, walk

ROOT = Path(__file__).resolve().parents[1]
GAME = games.names()[0]
CONFIG = f"{GAME}/rt/1/full"
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def won() -> Verdict:
    return oracle_verdict(CONFIG, 1)


class Done(NamedTuple):
    exit_code: int
    stdout: str


Invoke = Callable[..., Done]


@pytest.fixture
def invoke(capsys: pytest.CaptureFixture[str]) -> Invoke:
    """Calls a command of the command line; what a user could mend is raised."""

    def call(name: str, *arguments: str) -> Done:
        code = bullettime.command(name)(args=list(arguments), standalone_mode=False)
        return Done(code or 0, capsys.readouterr().out)

    return call


# -------------------------------------------------------------------------------- films


def test_film_is_what_browsers_play(tmp_path: Path) -> None:
    path = tmp_path / "new" / "film.mp4"
    filmed = film(CONFIG, 1, path, seconds=2)
    assert probe(path) == ("h264", "yuv420p", 800, 600 + CAPTION, 60, 2.0, True)
    assert filmed.seconds == 2.0 and filmed.config == CONFIG
    with av.open(str(path)) as file:
        first = next(file.decode(video=0)).to_ndarray(format="rgb24")
    assert first[60:600].std() > 8


def test_film_beside_the_twin(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    filmed = film(f"{GAME}/rt/1/simple", 1, path, beside_twin=True, seconds=1, fps=20)
    assert probe(path)[2:6] == (1600 + GAP, 600 + CAPTION, 20, 1.0)
    assert filmed.config.split("/")[1] == "rt"


def test_film_lasts_as_long_as_the_episode(won: Verdict, tmp_path: Path) -> None:
    filmed = film_verdicts([won], tmp_path / "film.mp4", fps=5)
    assert abs(filmed.seconds - (won.ticks / 60 + 2.1)) < 0.5


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_film_that_fails_midway_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    for frames in (0, 10):
        with pytest.raises(error), Film(tmp_path / "film.mp4", 64, 48, 30) as file:
            for _ in range(frames):
                file.add(np.zeros((48, 64, 3), np.uint8))
            assert not file.path.exists()
            raise error
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("many", [False, True])
def test_a_film_that_is_ended_midway_leaves_nothing(tmp_path: Path, many: bool) -> None:
    suite = tmp_path / "one.toml"
    suite.write_text(
        f'[[grids]]\nagents = ["oracle"]\ngames = ["{GAME}"]\nlevels = [1]\ntimings = ["rt"]\nseeds = [1]\n'
    )
    folder = tmp_path / "films"
    what = ["--suite", str(suite), "--out", str(folder)] if many else [CONFIG, "--out", str(folder / "film.mp4")]
    command = [sys.executable, "-m", "bullettime", "record", *what, "--fps", "60"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while not (folder.exists() and list(folder.glob(".*.part"))):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        started = psutil.Process(process.pid).children(recursive=True)
        for each in [*started, process] if many else [process]:
            each.terminate()
        _, err = process.communicate(timeout=60)
    assert process.returncode == 143 and b"Traceback" not in err
    assert not psutil.wait_procs(started, timeout=10)[1]
    assert not list(folder.iterdir())


def test_film_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="file"):
        Film(tmp_path / "file" / "film.mp4", 64, 48, 30)
    with pytest.raises(UserError, match="no file that can be written"):
        Film(tmp_path, 64, 48, 30)
    with pytest.raises(UserError, match="no film"):
        probe(tmp_path / "file")


def test_presses_and_keys_are_visible(won: Verdict) -> None:
    session = open_again(won)
    traces = Traces(session, 30)
    pressed = keys = 0
    for act in walk(session, won):
        if act is not None:
            traces.expect(act)
        traces.advance()
        pressed += bool(traces.ripples)
        keys += bool(traces.keys)
    assert pressed + keys > 10


class Listener(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, takes what the page has to say, and can send a part of a file."""

    said: dict[str, Any] = {}

    def do_POST(self) -> None:
        Listener.said |= json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


PAGE = """<video id=v src=film.mp4 muted></video><script>
const video = document.getElementById("v");
const tell = (what) => fetch("/", {method: "POST", body: JSON.stringify(what)});
video.onerror = () => tell({done: true, error: video.error.message});
video.onended = () => {
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth; canvas.height = video.videoHeight;
  const pen = canvas.getContext("2d"); pen.drawImage(video, 0, 0);
  const data = pen.getImageData(0, 60, canvas.width, 500).data;
  tell({done: true, width: video.videoWidth, height: video.videoHeight, time: video.currentTime,
        brightest: data.reduce((a, b, i) => i % 4 == 3 ? a : Math.max(a, b), 0)});
};
video.play().catch(error => tell({done: true, error: String(error)}));
</script>"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    handler = functools.partial(Listener, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield tmp_path, f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
def test_film_plays_in_a_real_browser(served: tuple[Path, str]) -> None:
    folder, address = served
    film(CONFIG, 1, folder / "film.mp4", seconds=1)
    (folder / "index.html").write_text(PAGE)
    Listener.said = {}
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"]
    command = [str(BROWSER), *options, f"--user-data-dir={folder / 'profile'}", address]
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            if "done" in Listener.said:
                break
            threading.Event().wait(0.1)
    finally:
        browser.terminate()
        browser.wait(20)
    assert Listener.said.get("error") is None and Listener.said["done"]
    assert (Listener.said["width"], Listener.said["height"]) == (800, 600 + CAPTION)
    assert 0.9 < Listener.said["time"] < 1.2 and Listener.said["brightest"] > 60


def test_record_command(invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("record", CONFIG, "--out", str(tmp_path / "a.mp4"), "--seconds", "0.5", "--json")
    assert done.exit_code == 0, done.stdout
    told = json.loads(done.stdout)
    assert told["path"] == str(tmp_path / "a.mp4") and told["seconds"] == 0.5 and told["verdict"] in ("won", "lost")
    with pytest.raises(UserError, match="configuration or a suite"):
        invoke("record")


@pytest.mark.slow
def test_record_a_suite_in_several_processes(invoke: Invoke, tmp_path: Path) -> None:
    suite = tmp_path / "two.toml"
    suite.write_text(
        f'[[grids]]\nagents = ["oracle"]\ngames = ["{GAME}"]\nlevels = [1]\n'
        'modes = ["full", "simple"]\ntimings = ["rt"]\ntempos = ["live"]\nseeds = [4, 5]\n'
    )
    done = invoke("record", "--suite", str(suite), "--jobs", "2", "--out", str(tmp_path / "films"), "--seconds", "0.5")
    assert done.exit_code == 0, done.stdout
    assert sorted(path.name for path in (tmp_path / "films").iterdir()) == [
        f"{GAME}-rt-1-full-4.mp4",
        f"{GAME}-rt-1-simple-4.mp4",
    ]


# -------------------------------------------------------------------------------- lists and sheets


def test_games_are_listed(invoke: Invoke) -> None:
    done = invoke("games", "--json")
    listed = json.loads(done.stdout)
    assert [entry["name"] for entry in listed] == games.names()
    assert {"title", "family", "twin", "abilities", "twin_abilities", "goal"} <= listed[0].keys()
    plain = invoke("games")
    assert plain.exit_code == 0 and games.load(GAME).title in plain.stdout


@pytest.mark.parametrize("columns", ["40", "80"])
def test_the_list_cuts_nothing(invoke: Invoke, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    told = invoke("games").stdout
    assert told.splitlines()[0].split() == ["game", "title", "twin", "time", "plan", "explore", "3d"]
    assert "…" not in told and all(game in told and games.load(game).title in told for game in games.names())
    assert columns == "40" or max(map(len, told.splitlines())) <= 80


def test_contact_sheet(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "new" / "sheet.png"
    done = invoke("games", "--sheet", str(path), "--games", GAME, "--levels", "1", "--moments", "3")
    assert done.exit_code == 0, done.stdout
    image = cv2.imread(str(path))
    assert image is not None and image.shape[1] > 3 * THUMB[0] and image.shape[0] > THUMB[1]
    assert image.std() > 10


def test_contact_sheet_across(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "sheet.png"
    wanted = ("--games", GAME, "--levels", "1,2", "--timings", "rt,twin", "--across")
    done = invoke("games", "--sheet", str(path), *wanted)
    assert "4 configurations" in done.stdout
    image = cv2.imread(str(path))
    assert image is not None
    height, width, _ = image.shape
    assert 4 * THUMB[0] < width < 6 * THUMB[0] and height < 2 * THUMB[1]


def test_contact_sheet_knows_its_limits(invoke: Invoke, tmp_path: Path) -> None:
    for wrong in (["--games", "nothing"], ["--levels", "x"], ["--modes", "half"]):
        with pytest.raises(UserError):
            invoke("games", "--sheet", str(tmp_path / "s.png"), *wrong)


# -------------------------------------------------------------------------------- replay and verify


def run_folder(folder: Path, *verdicts: Verdict) -> Path:
    """Records of what oracles have played, as late as a person in real time."""
    with Shard(folder) as shard:
        for verdict in verdicts:
            late_us = 250_000 if verdict.job.timing == "rt" else 0
            for seq, line in enumerate((line for line in verdict.journal if line["kind"] == "act"), 1):
                shard.write(
                    Act(
                        episode=verdict.episode,
                        attempt=verdict.attempt,
                        seq=seq,
                        game_us=line["game_us"],
                        stale_us=late_us,
                        thinking_us=late_us,
                    )
                )
            shard.write(verdict)
    return folder


def test_verify_confirms_a_run(invoke: Invoke, won: Verdict, tmp_path: Path) -> None:
    twin = oracle_verdict(f"{GAME}/twin/1/simple", 2)
    folder = run_folder(tmp_path, won, twin)
    done = invoke("verify", str(folder), "--json")
    assert done.exit_code == 0, done.stdout
    told = json.loads(done.stdout)
    assert told["confirmed"] == 2 and told["refuted"] == 0
    assert invoke("verify", str(folder)).exit_code == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"verdict": "lost"}, "verdict"),
        ({"digest_last": "0" * 32}, "last state"),
        ({"digest_first": "0" * 32}, "first state"),
        ({"ticks": 7}, "ticks"),
    ],
)
def test_verify_finds_what_was_changed(
    invoke: Invoke, won: Verdict, tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    folder = run_folder(tmp_path, msgspec.structs.replace(won, **change))
    done = invoke("verify", str(folder))
    assert done.exit_code == 1 and said in done.stdout


def test_verify_finds_an_act_that_was_never_allowed(invoke: Invoke, won: Verdict, tmp_path: Path) -> None:
    journal = [dict(line) for line in won.journal]
    acts = [line for line in journal if line.get("actions")]
    acts[0]["actions"] = [{"type": "click", "x": 5000, "y": 1}]
    done = invoke("verify", str(run_folder(tmp_path / "a", msgspec.structs.replace(won, journal=journal))))
    assert done.exit_code == 1 and "act 1" in done.stdout
    late = [*won.journal, {"kind": "act", "game_us": 0, "tick": 10**9, "actions": []}]
    done = invoke("verify", str(run_folder(tmp_path / "b", msgspec.structs.replace(won, journal=late))))
    assert done.exit_code == 1


def test_verify_finds_times_that_no_clock_shows(invoke: Invoke, won: Verdict, tmp_path: Path) -> None:
    first, *rest = won.journal
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"episode": "another"}, "name of the episode"),
        ({"journal": [first | {"tick": -1}, *rest]}, "tick of journal entry 1"),
        ({"journal": [first | {"tick": "x"}, *rest]}, "journal"),
        ({"journal": [first | {"what": 1}, *rest]}, "journal"),
        ({"journal": [*rest, first]}, f"entry {len(won.journal)}"),
        ({"journal": [first | {"game_us": first["game_us"] + 20_000}, *rest]}, "journal entry"),
        ({"game_us": won.game_us + 1}, "game time"),
    )
    for number, (change, said) in enumerate(cases):
        folder = run_folder(tmp_path / str(number), msgspec.structs.replace(won, **change))
        done = invoke("verify", str(folder))
        assert done.exit_code == 1 and said in done.stdout, change
    done = invoke("verify", str(run_folder(tmp_path / "twice", won, won)))
    assert done.exit_code == 1 and "verdicts of this episode" in done.stdout


def test_win_by_an_act_is_replayed_to_its_end(won: Verdict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLETTIME_GAMES_DIR", str(Path(__file__).parent / "tiny"))
    press = {"kind": "act", "game_us": 50_000, "tick": 3, "actions": [{"type": "key", "keys": ["KeyW"]}]}
    played = msgspec.structs.replace(
        won,
        job=msgspec.structs.replace(won.job, config="puck/rt/1/full"),
        journal=[press, {"kind": "over", "game_us": 66_667, "tick": 4}],
    )
    session = open_again(played)
    assert [entry is None for entry in walk(session, played)] == [True, True, True, False]
    assert session.world.verdict == "won"
    last = moments_of(played, 2, Painter())[-1]
    assert last.std() > 5


def test_people_may_act_more_often(won: Verdict) -> None:
    job = msgspec.structs.replace(won.job, agent=HUMAN)
    assert open_again(msgspec.structs.replace(won, job=job)).cap > Session(GAME, "rt", 1, "full", 1).cap


def test_replay_tells_and_films(invoke: Invoke, won: Verdict, tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", won)
    done = invoke("replay", str(folder))
    assert done.exit_code == 0 and won.verdict in done.stdout
    path = tmp_path / "film.mp4"
    done = invoke("replay", str(folder), "--film", str(path), "--seconds", "0.5")
    assert done.exit_code == 0, done.stdout
    assert probe(path).seconds == 0.5
