"""Films: a recorded episode as images, with what the player does made visible, and the encoder that they go to."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, Self

import av
import numpy as np

from games.kit.picture import Picture
from games.kit.world import HEIGHT, TICKS_PER_SECOND, WIDTH, World
from harness.episode import Entry
from harness.errors import UserError
from harness.painter.fonts import measure
from harness.painter.gl import Painter
from harness.plan import plan_act
from harness.results.records import Verdict
from harness.session import Session
from harness.tape import open_again, walk

CAPTION = 40  # rows below the picture
SIZE = (WIDTH, HEIGHT + CAPTION)
OPENING_S, REST_S, ENDING_S = 0.6, 0.5, 1.5  # still frames: before the first act, before each act of a twin, at the end
RIPPLE_S, CAP_S = 0.45, 0.3  # how long a press is seen, and a tap of a key at least
BACK, INK, DIM = 0x0A0D13, 0xF2F4F8, 0x8C96A6
WON, LOST, TOUCH = 0x5FE0B0, 0xFF5A4F, {"left": 0xFFFFFF, "right": 0xFFB547, "middle": 0x7FB7FF}
CAPS = {
    "ArrowLeft": "←",
    "ArrowRight": "→",
    "ArrowUp": "↑",
    "ArrowDown": "↓",
    "Period": ".",
    "Comma": ",",
    "Slash": "/",
    "Semicolon": ";",
    "Quote": "'",
    "BracketLeft": "[",
    "BracketRight": "]",
    "Minus": "-",
    "Equal": "=",
}


class Probe(NamedTuple):
    """What a film turns out to be."""

    codec: str
    pixels: str
    width: int
    height: int
    frames: int
    seconds: float
    faststart: bool  # a browser can begin before it has all of it


# -------------------------------------------------------------------------------- from moments to images


class Traces:
    """What the player's hand does, for as long as a viewer needs to see it."""

    def __init__(self, session: Session, fps: int) -> None:
        self._session, self._fps = session, fps
        self._coming: list[tuple[int, int, Any]] = []  # (tick of the hand, order, event)
        self._place = (session.world.hand.x, session.world.hand.y)
        self.ripples: list[tuple[float, float, str, int]] = []  # x, y, button, age in frames
        self.keys: dict[str, int] = {}  # key that is down, or was until just now -> frames it is still shown at least
        self._up: set[str] = set()

    def expect(self, act: Entry) -> None:
        """An act is about to be applied."""
        hand = self._session.world.hand
        plan = plan_act(act.actions or [], mode=self._session.mode, space=act.coord_space, hand=(hand.x, hand.y))
        order = len(self._coming)
        self._coming += [(hand.tick + after, order + i, event) for i, (after, event) in enumerate(plan)]
        self._coming.sort(key=lambda item: item[:2])

    def advance(self) -> None:
        """A frame passes."""
        life = round(RIPPLE_S * self._fps)
        self.ripples = [(x, y, button, age + 1) for x, y, button, age in self.ripples if age < life]
        self.keys = {key: left - 1 for key, left in self.keys.items() if left > 1 or key not in self._up}
        while self._coming and self._coming[0][0] <= self._session.world.hand.tick:
            _, _, (kind, *what) = self._coming.pop(0)
            if kind == "at":
                self._place = what[0], what[1]
            elif kind in ("press", "notch"):
                self.ripples.append((*self._place, what[0] if kind == "press" else "middle", 0))
            elif kind == "key":
                self.keys[what[0]] = round(CAP_S * self._fps)
                self._up.discard(what[0])
            elif kind == "unkey":
                self._up.add(what[0])

    def draw(self, picture: Picture) -> None:
        """Ripples where the buttons went down."""
        for x, y, button, age in self.ripples:
            share = age / (RIPPLE_S * self._fps)
            picture.ring(x, y, 6 + 24 * share, 3.5 - 2 * share, TOUCH[button], alpha=0.9 * (1 - share))


class Reel:
    """A recorded episode as images of SIZE, at `fps` of film time, which is game time but for the rests of a twin."""

    def __init__(self, verdict: Verdict, painter: Painter, fps: int) -> None:
        self.verdict, self._painter, self._fps = verdict, painter, fps
        self.session = open_again(verdict)
        self._traces = Traces(self.session, fps)
        self._caption: tuple[Any, np.ndarray] | None = None

    def images(self) -> Iterator[np.ndarray]:
        """All of it, one after another: uint8, rows × columns × rgb."""
        owed = Fraction(0)  # frames
        yield from self._hold(OPENING_S)
        for act in walk(self.session, self.verdict):
            if act is None:
                owed += Fraction(self._fps, TICKS_PER_SECOND)
                for _ in range(int(owed)):
                    yield self._image()
                owed -= int(owed)
            else:
                if not self.session.realtime and not self.session.busy:
                    yield from self._hold(REST_S)
                self._traces.expect(act)
        yield from self._hold(ENDING_S)

    def _hold(self, seconds: float) -> Iterator[np.ndarray]:
        for _ in range(round(seconds * self._fps)):
            yield self._image()

    def _image(self) -> np.ndarray:
        self._traces.advance()
        picture = self.session.picture()
        self._traces.draw(picture)
        return np.vstack((self._painter.render(picture), self._strip()))

    def _strip(self) -> np.ndarray:
        """The caption, drawn anew only when it changes."""
        shown = (tuple(self._traces.keys), self._clock(), self.session.world.verdict)
        if self._caption is None or self._caption[0] != shown:
            picture = Picture(WIDTH, CAPTION)
            self._draw_caption(picture)
            self._caption = shown, self._painter.render(picture, WIDTH, CAPTION).copy()
        return self._caption[1]

    def _clock(self) -> str:
        seconds = f"{self.session.world.tick / TICKS_PER_SECOND:.1f} s"
        return seconds if self.session.realtime else f"{self.session.acts} acts, {seconds}"

    def _draw_caption(self, picture: Picture) -> None:
        world, job = self.session.world, self.verdict.job
        y = CAPTION / 2
        picture.background(BACK)
        picture.box(WIDTH / 2, 0.5, WIDTH, 1, 0xFFFFFF, alpha=0.12)
        picture.text(14, y, world.title, 15, INK, align="left", bold=True)
        x = 14 + measure(world.title, 15, bold=True) + 12
        tempo = job.tempo if self.session.realtime else "twin, waits for the player"
        told = f"level {job.level} · {job.mode} · {tempo}" + ("" if job.agent == "oracle" else f" · {job.agent}")
        picture.text(x, y, told, 13, DIM, align="left")
        draw_caps(picture, x + measure(told, 13) + 18, y, list(self._traces.keys), world, self.session.mode)
        clock = self._clock()
        picture.text(WIDTH - 14, y, clock, 14, INK, align="right")
        if world.verdict:
            told = "won" if world.verdict == "won" else f"lost: {world.reason}"
            x = WIDTH - 14 - measure(clock, 14) - 12
            picture.text(x, y, told, 14, WON if world.verdict == "won" else LOST, align="right", bold=True)


def draw_caps(picture: Picture, x: float, y: float, keys: list[str], world: World, mode: str) -> None:
    """Keys as caps in a row, beginning at x; in simple mode with the verbs that they stand for."""
    for key in keys:
        x = draw_cap(picture, x, y, key) + 6
        verb = world.verbs.get(key, "") if mode == "simple" else ""
        if verb:
            picture.text(x, y, verb, 12, DIM, align="left")
            x += measure(verb, 12) + 10


def draw_cap(picture: Picture, x: float, y: float, code: str) -> float:
    """A key, beginning at x; returns where it ends."""
    label = CAPS.get(code, code.removeprefix("Key").removeprefix("Digit"))
    width = max(24.0, measure(label, 14, bold=True) + 14)
    picture.box(x + width / 2, y + 1.5, width, 24, 0x000000, radius=5)
    picture.box(x + width / 2, y - 0.5, width, 24, 0xE8ECF4, radius=5, bottom=0xC4CCDA)
    picture.text(x + width / 2, y - 0.5, label, 14, 0x161B24, bold=True)
    return x + width


# -------------------------------------------------------------------------------- from images to a file


class Film:
    """An H.264 file that every browser plays. Frames go to the encoder one by one; leaving the block ends the file.

    It is written beside its goal and takes that name once it is whole; an exception within the block leaves nothing.
    Raises UserError when the file cannot be written.
    """

    def __init__(self, path: str | Path, width: int, height: int, fps: int) -> None:
        self.path = Path(path)
        self._part = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        try:
            if self.path.exists() and not (self.path.is_file() and os.access(self.path, os.W_OK)):
                raise UserError(f"{path}: is no file that can be written", "name a file that can be written")
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._part.touch()  # the film library opens it late, and says less
            self._file = av.open(str(self._part), "w", format="mp4", options={"movflags": "+faststart"})
            self._stream = self._file.add_stream("libx264", rate=fps, options={"crf": "20", "preset": "veryfast"})
            self._stream.width, self._stream.height, self._stream.pix_fmt = width, height, "yuv420p"
        except OSError as error:
            raise self._unwritable(error) from None
        except BaseException:  # ended while opening
            self._part.unlink(missing_ok=True)
            raise

    def add(self, image: np.ndarray) -> None:
        """One more frame: uint8, rows × columns × rgb."""
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image), format="rgb24")
        try:
            self._file.mux(self._stream.encode(frame))
        except (OSError, av.FFmpegError) as error:
            raise self._unwritable(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            try:
                if kind is None:
                    self._file.mux(self._stream.encode(None))
            finally:
                self._file.close()
            if kind is None:
                self._part.replace(self.path)
        except (OSError, av.FFmpegError) as error:
            if kind is None:
                raise self._unwritable(error) from None
        finally:
            self._part.unlink(missing_ok=True)

    def _unwritable(self, error: Exception) -> UserError:
        why = getattr(error, "strerror", None) or error
        return UserError(f"{self.path}: {why}", "name a file that can be written")


@contextlib.contextmanager
def ending_cleanly() -> Iterator[None]:
    """Have SIGTERM leave the block as Ctrl-C does, with status 143, so that nothing half made stays behind."""

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
        sys.exit(128 + signal.SIGTERM)

    if threading.current_thread() is not threading.main_thread():  # which alone hears of signals
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def probe(path: str | Path) -> Probe:
    """Read a film back, frame by frame. Raises UserError when it is none."""
    try:
        with av.open(str(path)) as file:
            stream = file.streams.video[0]
            frames = sum(1 for _ in file.decode(stream))
            codec = stream.codec_context
            rate = stream.average_rate or Fraction(1)
            return Probe(
                codec.name,
                str(codec.pix_fmt),
                codec.width,
                codec.height,
                frames,
                float(frames / rate),
                _index_comes_first(Path(path)),
            )
    except (av.FFmpegError, IndexError) as error:
        raise UserError(f"{path}: is no film that can be read ({error})") from None


def check(path: str | Path) -> Probe:
    """Probe a film that has just been written. Raises UserError when a browser could not play it."""
    found = probe(path)
    if (found.codec, found.pixels) != ("h264", "yuv420p") or not found.faststart or not found.frames:
        raise UserError(f"{path}: came out as {found}", "`bullettime doctor` checks the film library")
    return found


def _index_comes_first(path: Path) -> bool:
    """Whether the index (moov) lies before the pictures (mdat)."""
    with path.open("rb") as file:
        while head := file.read(8):
            size, kind = int.from_bytes(head[:4]), head[4:]
            if kind in (b"moov", b"mdat"):
                return kind == b"moov"
            if size < 8:
                return False
            file.seek(size - 8, 1)
    return False
