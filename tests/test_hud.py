"""The HUD keeps to its strip, its parts never meet, and the pointer can be found."""

from collections.abc import Iterator

import numpy as np
import pytest

from games.kit.picture import Picture
from harness.painter.gl import Painter
from harness.painter.hud import POINTER_TIP, draw_hud, draw_pointer

LONG = (
    "Press the keys that show the glyph code at the top, in order, on the turning keypad before the fuse burns "
    "out; three wrong presses lock it for good."
)
TIP = (POINTER_TIP >> 16, POINTER_TIP >> 8 & 255, POINTER_TIP & 255)


@pytest.fixture(scope="module")
def painter() -> Iterator[Painter]:
    painter = Painter()
    yield painter
    painter.close()


def strip(painter: Painter, goal: str = "", **more: object) -> np.ndarray:
    picture = Picture()
    picture.background(0x305070)
    facts: dict[str, object] = {"progress": 0.5, "reserve": 0.5, "time_left": 0.5, "lifted": False} | more
    draw_hud(picture, goal=goal, **facts)  # type: ignore[arg-type]
    return painter.render(picture)


def changed(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns where two frames differ."""
    differ = np.abs(a.astype(int) - b).max(axis=2) > 4
    return np.flatnonzero(differ.any(axis=1)), np.flatnonzero(differ.any(axis=0))


@pytest.mark.parametrize("goal", ["Catch it.", LONG, LONG[:150].upper(), "W" * 150, "word " * 30, "слово " * 25])
def test_goals_of_150_characters_keep_to_their_place(painter: Painter, goal: str) -> None:
    rows, columns = changed(strip(painter, goal), strip(painter))
    assert rows.min() >= 1 and rows.max() <= 46
    assert columns.min() >= 12 and columns.max() <= 556
    if len(goal) > 100:
        assert columns.max() - columns.min() > 300


def test_the_strip_is_48_rows(painter: Painter) -> None:
    frame = strip(painter, LONG, lifted=True)
    assert (frame[48:] == (0x30, 0x50, 0x70)).all()
    assert frame[:48].mean() < 60


@pytest.mark.parametrize(
    ("fact", "low", "high"), [("progress", 0.0, 1.0), ("reserve", 0.1, 0.15), ("time_left", 0.9, 0.1), ("lifted", 0, 1)]
)
def test_each_fact_has_its_own_place(painter: Painter, fact: str, low: float, high: float) -> None:
    rows, columns = changed(strip(painter, LONG, **{fact: low}), strip(painter, LONG, **{fact: high}))
    assert columns.min() > 570 and columns.max() < 800
    assert (rows.max() < 24) == (fact in ("progress", "time_left"))


def test_shares_beyond_0_to_1_and_no_limit_are_drawn(painter: Painter) -> None:
    wild = strip(painter, LONG, progress=1.7, reserve=-2.0, time_left=-0.1)
    assert np.array_equal(wild, strip(painter, LONG, progress=1.0, reserve=0.0, time_left=0.0))
    rows, columns = changed(strip(painter, time_left=None), strip(painter, time_left=1.0))
    assert columns.min() > 680 and rows.max() < 26


def test_the_verdict_shows(painter: Painter) -> None:
    won, lost = (strip(painter, verdict=verdict) for verdict in ("won", "lost"))
    for one, other in ((won, lost), (won, strip(painter)), (lost, strip(painter))):
        rows, columns = changed(one, other)
        assert rows.min() > 20 and rows.max() < 48 and columns.min() > 640 and len(columns) > 60


def test_a_note_of_any_length_stays_on_the_strip(painter: Painter) -> None:
    rows, columns = changed(strip(painter, note="a very long note that cannot fit there"), strip(painter))
    assert columns.min() > 690 and columns.max() < 798 and rows.min() > 24


@pytest.mark.parametrize("crosshair", [False, True])
@pytest.mark.parametrize("pressed", [False, True])
def test_the_pointers_tip_is_found_at_its_pixel(painter: Painter, crosshair: bool, pressed: bool) -> None:
    for x, y in ((400, 300), (0, 48), (799, 599), (123.4, 456.7)):
        picture = Picture()
        picture.background(0xF0F0F0)
        picture.text(x, y, "some text below", 20, 0x000000)
        draw_pointer(picture, x, y, crosshair=crosshair, pressed=pressed)
        frame = painter.render(picture)
        assert tuple(frame[int(y), int(x)]) == TIP
        rows, columns = np.nonzero((frame == TIP).all(axis=2))
        assert abs(rows - int(y)).max() <= 2 and abs(columns - int(x)).max() <= 2
