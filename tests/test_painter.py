"""The painter: what it draws is what is hit, at all sizes, in any order, for as long as one likes."""

import io
import multiprocessing
import random
import threading
from collections.abc import Iterator
from math import cos, pi, sin

import cv2
import numpy as np
import psutil
import pytest
from PIL import Image

from games.kit.picture import Picture, kept, mix_colour
from harness.painter.canvas import fit
from harness.painter.encode import encode_jpeg, encode_png
from harness.painter.gl import NoRenderer, Painter


@pytest.fixture(scope="module")
def painter() -> Iterator[Painter]:
    painter = Painter()
    yield painter
    painter.close()


def alike(one: np.ndarray, other: np.ndarray, levels: int = 1) -> bool:
    """Equal but for a rounding of a level: where in the atlas a glyph lies depends on what was drawn before."""
    return bool(np.abs(one.astype(int) - other).max() <= levels)


def keypad(turn: float) -> Picture:
    """A night scene: glowing keys on a turning plate under a lamp."""
    picture = Picture()
    picture.background(0x0A1620, 0x12303A)
    picture.glow(505, 90, 460, 0x7A3C10, alpha=0.55)
    picture.glow(505, 70, 90, 0xFFB060, alpha=0.8)
    picture.line(400, -20, 505, 70, 3, 0x050A0E)
    picture.disc(505, 70, 13, 0xFFE2A8, edge=0xFFB45A, edge_width=3)
    picture.shadow(400, 366, 330, 330, radius=40, blur=34, alpha=0.6, turn=turn)
    picture.box(400, 340, 330, 330, 0x1F4450, bottom=0x12303C, radius=36, turn=turn, edge=0x4F8F9C, edge_width=2)
    for i, glyph in enumerate("ΩϞЖ◆★☾♆⚙△"):
        u, v = (i % 3 - 1) * 94, (i // 3 - 1) * 94
        x, y = 400 + u * cos(turn) - v * sin(turn), 340 + u * sin(turn) + v * cos(turn)
        picture.shadow(x - 8, y + 12, 78, 78, radius=18, blur=12, alpha=0.55, turn=turn)
        top = mix_colour(0x8A7A58, 0x2B5B66, i / 8)
        picture.box(x, y, 80, 80, top, bottom=mix_colour(top, 0x0A1A20, 0.35), radius=18, turn=turn, does=("press", i))
        picture.glow(x, y, 46, 0xFF8A2A, alpha=0.4)
        picture.text(x, y, glyph, 34, 0xFFA64D, bold=True, turn=turn)
    return picture


def grill() -> Picture:
    """Charcoal, bars and six pieces of meat."""
    chance = random.Random(3)
    picture = Picture()
    picture.background(0x1A1614, 0x0E0B0A)
    picture.box(400, 325, 720, 500, 0x2A2320, bottom=0x171210, radius=44, edge=0x4A3C34, edge_width=3)
    for _ in range(60):
        x, y, heat = chance.uniform(80, 720), chance.uniform(115, 535), chance.random()
        picture.disc(x, y, 24, mix_colour(0x1C1412, 0x4A1C10, heat), edge=0x8A2C12, edge_width=2)
        if heat > 0.6:
            picture.glow(x, y, 50, 0xFF7A1E, alpha=0.5)
    for x in range(80, 740, 29):
        picture.line(x, 110, x, 540, 7, 0x0A0808)
        picture.line(x - 1.2, 112, x - 1.2, 538, 2.5, 0x5A5450)
    for i in range(6):
        x, y, turn = 185 + i % 3 * 215, 225 + i // 3 * 190, 0.2 * i - 0.4
        picture.shadow(x + 6, y + 12, 150, 104, radius=46, blur=16, alpha=0.6, turn=turn)
        base = mix_colour(0xD8746A, 0x6A3418, i / 5)
        picture.ellipse(x, y, 76, 52, base, turn=turn, edge=0xFFE0C0, edge_width=2, does=("flip", i))
        picture.arc(x, y, 92, -pi / 2, i + 0.5, 6, 0xFFA040)
    picture.polygon([(690, 90), (740, 70), (772, 96), (730, 110), (706, 150)], 0x3A2F2A, edge=0x7A6658, edge_width=3)
    picture.path([(100 + 10 * i, 80 + 8 * sin(i)) for i in range(30)], 5, 0xB8B0A8, alpha=0.3)
    picture.text(400, 560, "Turn each piece before its edge chars", 16, 0xCBB8A6)
    return picture


def wood(fox: float = 0.3) -> Picture:
    """Birches in autumn fog, and a fox."""
    chance = random.Random(4)
    picture = Picture()
    picture.background(0xF6D98A, 0xF3E6B8)
    picture.camera((0, 2.1, 9), (0, 1.5, 0), fov=52)
    picture.light((-0.55, -0.8, -0.45), 0xFFE9B8, ambient=0x8F8F78)
    picture.fog(0xF2DFA6, 9, 42)
    picture.solid("plane", (0, 0, -12), (90, 0, 70), 0xB9A04A)
    for i in range(26):
        x, z, high = chance.uniform(-11, 11), chance.uniform(-24, 0), chance.uniform(7, 10)
        picture.solid("cylinder", (x, high / 2, z), (0.4, high, 0.4), 0xF2ECE0, turn=(0, 0.03, -0.03))
        if i < 14:
            picture.solid("ball", (x, high * 0.8, z), (2.6, 2.2, 2.6), 0xF2C230)
    picture.solid("capsule", (fox, 0.62, 2), (0.5, 1.15, 0.5), 0xE8701C, turn=(0, 0, pi / 2), does=("fox",))
    picture.solid("ball", (fox + 0.72, 0.88, 2), (0.46, 0.42, 0.42), 0xE8701C, does=("fox",))
    picture.solid("cone", (fox + 0.66, 1.16, 2), (0.16, 0.28, 0.12), 0xE8701C)
    for dx in (-0.36, 0.36):
        picture.solid("cylinder", (fox + dx, 0.24, 2), (0.12, 0.5, 0.12), 0x3A2418)
    vertices = ((0, 0, 0), (0.8, 0, 0), (0.4, 0.6, 0.2), (0.4, 0, 0.6))
    picture.mesh("stone", vertices, ((0, 2, 1), (1, 2, 3), (3, 2, 0)), (-2, 0, 3), (0x888070, 0x777060, 0x666050))
    return picture


@pytest.mark.parametrize("picture", [keypad(0.2), grill(), wood()], ids=["keypad", "grill", "wood"])
def test_the_first_frame_is_not_blank(picture: Picture) -> None:
    painter = Painter()
    frame = painter.render(picture)
    painter.close()
    assert frame.shape == (600, 800, 3) and frame.dtype == np.uint8
    assert 10 < frame.mean() < 245
    assert frame.var() > 200


def test_drawing_leaves_the_picture_alone(painter: Painter) -> None:
    for picture in (keypad(0.1), wood()):
        before = picture.digest()
        painter.render(picture)
        assert picture.digest() == before


def shapes() -> dict[str, Picture]:
    """One pressable white shape on black in each picture."""
    white, does = 0xFFFFFF, ("press",)
    out = {}
    for name, kind, place, more in (
        ("disc", "disc", (400.3, 300.6, 37.4), {}),
        ("soft disc", "disc", (400, 300, 40), {"soft": 1.5}),
        ("ellipse", "ellipse", (400, 300, 90, 31), {"turn": 0.7}),
        ("flat ellipse", "ellipse", (400, 300, 120, 12), {"turn": -0.3}),
        ("box", "box", (400, 300, 121, 65), {}),
        ("turned box", "box", (400, 300, 121, 65), {"turn": 0.5, "edge": white, "edge_width": 5}),
        ("round box", "box", (400, 300, 121, 65), {"turn": -1.1, "radius": 24}),
        ("line", "line", (350, 260, 460, 330, 15), {}),
        ("ring", "ring", (400, 300, 60, 14), {}),
        ("triangle", "polygon", ([(350, 330), (460, 340), (400, 250)],), {}),
        ("star", "polygon", ([polar(i) for i in range(10)],), {}),
        ("edged star", "polygon", ([polar(-i) for i in range(10)],), {"edge": white, "edge_width": 4}),
    ):
        picture = out[name] = Picture()
        picture.background(0x000000)
        getattr(picture, kind)(*place, white, does=does, **more)
    return out


def polar(i: int) -> tuple[float, float]:
    r = (80, 35)[i % 2]
    return 400 + r * cos(i * pi / 5), 300 + r * sin(i * pi / 5)


def solids() -> dict[str, Picture]:
    """One pressable glowing solid on black in each picture."""
    out = {}
    for kind in ("box", "ball", "cylinder", "cone", "capsule", "plane", "mesh"):
        picture = out[kind] = Picture()
        picture.background(0x000000)
        picture.camera((0.4, 1.6, 6), (0, 0, 0), fov=40)
        place, turn = (0.2, 0.1, -0.3), (0.5, 0.4, 0.3)
        if kind == "mesh":
            corners = ((-1, -1, 0), (1, -1, 0.4), (0, 1, 0), (0, -0.2, 1))
            faces = ((0, 1, 2), (0, 1, 3), (1, 2, 3), (2, 0, 3))
            picture.mesh("spike", corners, faces, place, 0xFFFFFF, turn=turn, glow=1, does=("press",))
        else:
            picture.solid(kind, place, (1.2, 2.3, 0.8), 0xFFFFFF, turn=turn, glow=1, does=("press",))
    return out


@pytest.mark.parametrize(("picture"), [*(pytest.param(p, id=n) for n, p in (shapes() | solids()).items())])
def test_what_is_drawn_is_what_is_hit(painter: Painter, picture: Picture) -> None:
    drawn = painter.render(picture).max(axis=2) > 127
    rows, columns = np.nonzero(drawn)
    assert len(rows) > 1000
    left, right, top, bottom = columns.min(), columns.max(), rows.min(), rows.max()
    compared = 0
    for y in range(top - 6, bottom + 7, 3):
        for x in range(left - 6, right + 7, 3):
            around = [
                picture.hit(x + 0.5 + dx, y + 0.5 + dy) is not None
                for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
            ]
            if all(around) or not any(around):  # farther than a pixel from the outline
                assert drawn[y, x] == around[0], (x, y)
                compared += 1
    assert compared > 500


def test_edges_are_smooth(painter: Painter) -> None:
    for picture in (shapes()["disc"], shapes()["star"], solids()["ball"], solids()["box"]):
        grey = painter.render(picture).max(axis=2)
        between = np.count_nonzero((grey > 40) & (grey < 215))
        outline = np.count_nonzero(cv2.morphologyEx((grey > 127).astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3))))
        assert between > outline / 8


def test_order_is_the_painters(painter: Painter) -> None:
    picture = Picture()
    picture.background(0x000000)
    picture.text(400, 300, "█████", 40, 0xFFFFFF)
    picture.box(400, 300, 20, 80, 0x00FF00)
    picture.text(400, 300, "█", 30, 0x0000FF)
    picture.polygon([(395, 295), (405, 295), (405, 305), (395, 305)], 0xFF0000)
    frame = painter.render(picture)
    assert tuple(frame[300, 400]) == (255, 0, 0)
    assert tuple(frame[335, 400]) == (0, 255, 0)


def test_alpha_lies_evenly_along_a_path(painter: Painter) -> None:
    picture = Picture()
    picture.background(0x000000)
    picture.path([(100, 100), (200, 100), (300, 160), (320, 300)], 16, 0xFFFFFF, alpha=0.5)
    frame = painter.render(picture)
    assert frame.max() <= 129  # joints are not painted twice
    assert frame[100, 150, 0] >= 127 and frame[100, 200, 0] >= 125


def test_small_type_is_legible(painter: Painter) -> None:
    for size in (11, 12, 14, 20, 48):
        picture = Picture()
        picture.background(0x000000)
        picture.text(400, 300, "HHH", size, 0xFFFFFF)
        grey = painter.render(picture).max(axis=2)
        rows = np.flatnonzero(grey.max(axis=1) > 100)
        assert abs(len(rows) - 0.727 * size) < 1.6  # the height of capitals
        assert abs(rows.mean() + 0.5 - 300) <= 1
        assert grey.max() > 200


def test_words_differ(painter: Painter) -> None:
    frames = []
    for string in ("Kα→★", "Kβ→★", "Kα←★", "Kα→☆", "Жα→★"):
        picture = Picture()
        picture.text(400, 300, string, 16, 0xFFFFFF)
        frames.append(painter.render(picture).tobytes())
    assert len(set(frames)) == 5


@pytest.mark.parametrize("picture", [keypad(0.3), wood()], ids=["flat", "deep"])
def test_sizes_scale(painter: Painter, picture: Picture) -> None:
    frame = painter.render(picture)
    large = painter.render(picture, 1600, 1200)
    assert large.shape == (1200, 1600, 3)
    assert np.abs(cv2.resize(large, (800, 600), interpolation=cv2.INTER_AREA).astype(int) - frame).mean() < 3
    small = painter.render(picture, 160, 120)
    assert np.abs(cv2.resize(frame, (160, 120), interpolation=cv2.INTER_AREA).astype(int) - small).mean() < 6
    square = painter.render(picture, 84, 84)
    scale, left, top = fit(800, 600, 84, 84)
    assert (scale, left, top) == (0.105, 0, 10)
    assert not square[:10].any() and not square[73:].any() and square[12:70].any()


@kept
def draw_keypad(picture: Picture, turn: float) -> None:
    picture.add(keypad(turn))


@kept
def draw_lid(picture: Picture, x: float) -> None:
    picture.box(x, 330, 240, 130, 0x203040, radius=20, alpha=0.8)
    for i in range(12):
        picture.glow(x - 90 + 16 * i, 330, 40, 0x604020, alpha=0.3)
        picture.text(x - 90 + 16 * i, 300, "abcdefghijkl"[i], 20, 0xFFFFFF)
    picture.polygon([(x, 340), (x + 90, 380), (x - 90, 380)], 0x90A0B0, edge=0xFFFFFF, edge_width=2)


@pytest.mark.parametrize("size", [(800, 600), (300, 300), (84, 84)])
def test_what_is_kept_changes_nothing(painter: Painter, size: tuple[int, int]) -> None:
    """The same pictures by a painter that has seen others before, and by one that has not."""
    chance, moving = random.Random(5), Painter(moving=True)
    for turn in range(12):
        picture = Picture()
        picture.background(0x0A1620, 0x12303A)
        draw_keypad(picture, turn // 4 / 10)
        for _ in range(chance.randrange(20)):
            picture.disc(chance.uniform(0, 800), chance.uniform(50, 600), 30, chance.randrange(0xFFFFFF), alpha=0.7)
            picture.text(chance.uniform(0, 800), chance.uniform(50, 600), chance.choice("abc"), 44, 0xFFFFFF)
        draw_lid(picture, turn // 3 * 150)
        picture.text(turn // 3 * 150, 320, "over", 44, 0xFFFFFF)
        picture.polygon([(turn // 3 * 150, 320), (400, 50), (600, 300)], 0xFF0000, alpha=0.5)
        draw_lid(picture, 780 - turn // 3 * 10)
        picture.path([(chance.uniform(0, 800), 100), (200, 300), (turn // 4 * 100, 500)], 9, 0x80FF80, alpha=0.5)
        fresh = Painter()
        expected = fresh.render(picture, *size)
        fresh.close()
        frames = [one.render(picture, *size) for one in (*[moving] * 9, *[painter] * 9)]
        assert all(alike(frame, expected, levels=2) for frame in frames)
        assert all(np.array_equal(frame, frames[0]) for frame in frames[:9])
    moving.close()


def draw_solids(picture: Picture) -> None:
    """A little of everything that stands, among it what is turned, shines, glows, is stretched or throws no shadow."""
    picture.solid("plane", (0, 0, 0), (40, 0, 40), 0x60A060)
    for i, kind in enumerate(("box", "ball", "cylinder", "cone", "capsule")):
        turn, x, colour = (0.3 * i, 0.1, 0.2 * i), 2 * i - 4, mix_colour(0xC03020, 0x3060FF, i / 4)
        picture.solid(kind, (x, 1, 0), (1, 2, 1.2), colour, turn=turn, shine=0.5 * (i % 2), glow=0.3 * (i % 3))
    vertices = ((0, 0, 0), (0.8, 0, 0), (0.4, 1.6, 0.2), (0.4, 0, 0.6))
    for z in (-2, 2):
        colours = (0x888070, 0xFF7060, 0x666050)
        picture.mesh("stone", vertices, ((0, 2, 1), (1, 2, 3), (3, 2, 0)), (-2, 0, z), colours, casts=z > 0)


def test_what_throws_no_shadow_is_lit_the_same(painter: Painter) -> None:
    frames = []
    for far in (False, True):
        picture = Picture()
        picture.camera((0, 2, 6), (0, 1, 0))
        picture.light((0, -1, 0), 0xFFFFFF)
        picture.solid("ball", (0, 1, 0), (2, 2, 2), 0xC04020, casts=False)
        if far:
            picture.solid("box", (2, -30, 0), (1, 1, 1), 0x204080)  # only where its shadow is not seen
        frames.append(painter.render(picture, 200, 150))
    assert frames[0][60:90, 90:110].any() and alike(frames[0][:140], frames[1][:140])


def test_joined_solids_look_like_those_that_are_not(painter: Painter) -> None:
    """On small canvases, which join those of kept parts."""
    frames, draw_kept = [], kept(draw_solids)
    for draw in (draw_solids, draw_kept, draw_kept):
        picture = Picture()
        picture.camera((0, 4, 9), (0, 1, 0))
        picture.mesh("sign", ((0, 0, 0), (1, 0, 0), (0, 1, 0)), ((0, 1, 2),), (3, 2, 2), 0xFFFF00)
        draw(picture)
        picture.solid("ball", (0, 3, 1), (1, 1, 1), 0xFFFFFF)
        frames.append(painter.render(picture, 120, 90).astype(int))
    assert np.array_equal(frames[1], frames[2])
    apart = np.abs(frames[1] - frames[0]).max(axis=2)
    assert 0 < apart.mean() < 3 and (apart > 60).mean() < 0.01


def test_a_picture_is_the_callers_own(painter: Painter) -> None:
    first = painter.render(keypad(0.1))
    copy = first.copy()
    for i in range(20):
        painter.render(keypad(0.2 + i))
    assert alike(first, copy)


def test_painters_take_turns_in_one_thread(painter: Painter) -> None:
    other = Painter()
    for turn in (0.1, 0.2, 0.3):
        assert alike(painter.render(keypad(turn)), other.render(keypad(turn)))
    other.close()
    assert painter.render(keypad(0.4)).mean() > 10
    assert other.render(keypad(0.4)).mean() > 10  # closed painters start anew
    other.close()


def test_another_thread_needs_its_own_painter(painter: Painter) -> None:
    painter.render(keypad(0))
    caught: list[object] = []

    def use() -> None:
        try:
            painter.render(keypad(0))
        except RuntimeError as error:
            caught.append(str(error))
        own = Painter()
        caught.append(own.render(keypad(0)).mean())
        own.close()

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert "one per thread" in str(caught[0])
    assert isinstance(caught[1], float) and caught[1] > 10


def render_in_child(pipe) -> None:  # type: ignore[no-untyped-def]
    pipe.send(float(Painter().render(keypad(0.2)).mean()))


def test_a_spawned_child_renders_the_same(painter: Painter) -> None:
    expected = float(painter.render(keypad(0.2)).mean())
    here, there = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=render_in_child, args=(there,))
    child.start()
    assert here.poll(60)
    assert here.recv() == pytest.approx(expected, abs=1e-3)
    child.join(10)
    assert child.exitcode == 0


def test_nothing_leaks_over_2000_renders(painter: Painter) -> None:
    def render(i: int) -> None:
        picture = wood(i * 0.01) if i % 8 == 0 else keypad(i * 0.01)
        picture.text(400, 30, f"{i} renders", 12 + i % 30, 0xFFFFFF)
        picture.polygon([(10, 10), (90, 10 + i % 50), (50, 90), (40, 30)], 0xFF0000)
        if i % 8 == 0:
            top = (0.5, 1 + i % 40 * 0.1, 0)
            picture.mesh("roof", ((0, 0, 0), (1, 0, 0), top), ((0, 1, 2),), (0, 0, 0), 0xFF0000)
        painter.render(picture, *((84, 84), (100, 75))[i % 2])

    process = psutil.Process()
    for i in range(400):
        render(i)
    before = process.memory_info().rss
    for i in range(400, 2400):
        render(i)
    assert process.memory_info().rss - before < 24 << 20


def test_a_missing_device_is_named_with_the_mend() -> None:
    with pytest.raises(NoRenderer, match=r"device 99 .* apt-get install libegl1"):
        Painter(device=99).render(Picture())


def test_info_names_the_renderer(painter: Painter) -> None:
    info = painter.info()
    assert info["renderer"] and info["version"] and info["device"] is None


@pytest.mark.parametrize("picture", [keypad(0.2), wood()], ids=["flat", "deep"])
def test_png_is_lossless_and_jpeg_close(painter: Painter, picture: Picture) -> None:
    for size in ((800, 600), (85, 63)):
        frame = painter.render(picture, *size)
        assert np.array_equal(np.array(Image.open(io.BytesIO(encode_png(frame)))), frame)
        jpeg = np.array(Image.open(io.BytesIO(encode_jpeg(frame))))
        assert np.abs(jpeg.astype(int) - frame).mean() < 3


def test_text_too_small_to_read_is_a_bar_of_its_size(painter: Painter) -> None:
    picture = Picture()
    picture.background(0x000000)
    picture.text(100, 300, "HEATED", 30, 0xFFFFFF, align="left")
    picture.text(600, 300, "HEATED", 30, 0xFFFFFF, turn=pi / 2)
    frame = painter.render(picture, 80, 60).max(axis=2)
    large = painter.render(picture).max(axis=2)
    for part in (slice(0, 40), slice(40, 80)):
        rows, columns = np.nonzero(frame[:, part] > 40)
        assert len(np.unique(frame[:, part][rows, columns] // 40)) <= 3  # one grey, and softer edges
        high, wide = np.nonzero(large[:, part.start * 10 : part.stop * 10])
        assert np.abs(np.array([rows.min(), rows.max()]) - np.array([high.min(), high.max()]) / 10).max() < 1.6
        assert np.abs(np.array([columns.min(), columns.max()]) - np.array([wide.min(), wide.max()]) / 10).max() < 1.6
