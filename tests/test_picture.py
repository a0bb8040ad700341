"""Pictures: what a press hits, where to press, digests, and the cost of building."""

import subprocess
import sys
from collections.abc import Callable
from math import pi
from time import perf_counter

import pytest

from games.kit.picture import Picture, kept, mix_colour


def test_picture_loads_neither_gl_nor_numpy() -> None:
    code = "import sys, games.kit.picture; sys.exit(bool({'moderngl', 'numpy', 'PIL'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_later_shapes_cover_earlier_ones() -> None:
    picture = Picture()
    picture.box(400, 300, 200, 100, 0x335577, does=("press", 1))
    picture.disc(440, 300, 20, 0xFFAA33, does=("press", 2))
    assert picture.hit(350, 300) == ("press", 1)
    assert picture.hit(440, 300) == ("press", 2)
    assert picture.hit(501, 300) is None
    assert picture.find(("press", 2))[0] == (440, 300)
    x, y = picture.find(("press", 1))[0]
    assert picture.hit(x, y) == ("press", 1)
    assert abs(x - 440) > 40  # deep inside what is left, not at the covered centre


def test_shapes_without_a_command_let_presses_through_and_invisible_ones_are_not_there() -> None:
    picture = Picture()
    picture.disc(100, 100, 30, 0xFFFFFF, does=("take",))
    picture.box(100, 100, 90, 90, 0x000000)
    picture.disc(100, 100, 30, 0xFFFFFF, alpha=0, does=("never",))
    assert picture.hit(100, 100) == ("take",)
    assert picture.find(("never",)) == []


def test_the_topmost_shape_alone_answers_for_every_button() -> None:
    picture = Picture()
    picture.disc(100, 100, 30, 0xFFFFFF, does=("left",), wheel=("turn", 4))
    picture.disc(100, 100, 10, 0xFF0000, right=("right",))
    assert picture.hit(100, 100, "right") == ("right",)
    assert picture.hit(100, 100, "left") is None
    assert picture.hit(120, 100, "wheel") == ("turn", 4)


@pytest.mark.parametrize("turn", [0.0, 0.6])
def test_rounded_turned_boxes_are_hit_by_their_own_outline(turn: float) -> None:
    picture = Picture()
    picture.box(0, 0, 100, 60, 0xFFFFFF, radius=20, turn=turn, does=("box",))
    from_corner = 20 * (1 - 1 / 2**0.5)  # a rounded corner's distance from the sharp one, on each axis
    for inset, inside in ((from_corner + 0.5, True), (from_corner - 0.5, False)):
        u, v = 50 - inset, 30 - inset
        c, s = cosine_sine(turn)
        assert (picture.hit(u * c - v * s, u * s + v * c) == ("box",)) is inside


def cosine_sine(angle: float) -> tuple[float, float]:
    return {0.0: (1.0, 0.0), 0.6: (0.8253356149096783, 0.5646424733950354)}[angle]


def test_lines_rings_ellipses_and_polygons() -> None:
    picture = Picture()
    picture.line(100, 100, 200, 100, 10, 0xFFFFFF, does=("line",))
    picture.ring(400, 100, 40, 8, 0xFFFFFF, does=("ring",))
    picture.ellipse(600, 100, 60, 20, 0xFFFFFF, turn=pi / 2, does=("ellipse",))
    picture.polygon([(100, 300), (200, 300), (150, 340), (200, 380), (100, 380)], 0xFFFFFF, does=("polygon",))
    assert picture.hit(204.9, 100) == ("line",) and picture.hit(205.1, 100) is None
    assert picture.hit(436.5, 100) == ("ring",) and picture.hit(400, 100) is None
    assert picture.hit(600, 159) == ("ellipse",) and picture.hit(630, 100) is None
    assert picture.hit(145, 340) == ("polygon",) and picture.hit(190, 340) is None
    for command in (("line",), ("ring",), ("ellipse",), ("polygon",)):
        points = picture.find(command)
        assert points
        assert all(picture.hit(x, y) == command for x, y in points)


def test_what_lies_off_the_canvas_is_not_found() -> None:
    picture = Picture()
    picture.disc(-5, 300, 20, 0xFFFFFF, does=("edge",))
    picture.disc(900, 300, 20, 0xFFFFFF, does=("outside",))
    assert all(0 <= x <= 800 for x, _ in picture.find(("edge",)))
    assert picture.find(("edge",))
    assert picture.find(("outside",)) == []


def room() -> Picture:
    picture = Picture()
    picture.camera((0, 1, 8), (0, 1, 0), fov=50)
    picture.solid("ball", (0, 1, 0), (1, 1, 1), 0xFF8800, does=("ball",))
    return picture


def test_solids_are_hit_by_their_projection_and_hide_each_other() -> None:
    picture = room()
    x, y, depth = picture.project((0, 1, 0))
    assert (x, y, depth) == pytest.approx((400, 300, 8))
    assert picture.hit(400, 300) == ("ball",)
    edge = 400 + 0.5 / (8**2 - 0.5**2) ** 0.5 * 300 / 0.46630765815  # the silhouette of a ball is seen from its tangent
    assert picture.hit(edge - 0.1, 300) == ("ball",) and picture.hit(edge + 0.1, 300) is None
    picture.solid("box", (0.2, 1, 2), (0.6, 0.6, 0.1), 0x333333)
    assert picture.hit(400, 300) is None  # a wall hides what is behind it, though it cannot be pressed itself
    x, y = picture.find(("ball",))[0]
    assert picture.hit(x, y) == ("ball",) and x < 390
    picture.disc(x, y, 9, 0xFFFFFF, does=("disc",))
    assert picture.hit(x, y) == ("disc",)


@pytest.mark.parametrize("kind", ["box", "ball", "cylinder", "cone", "capsule", "plane"])
def test_every_kind_of_solid_can_be_found(kind: str) -> None:
    picture = Picture()
    picture.camera((0, 3, 8), (0, 0, 0))
    picture.solid(kind, (1, 0, 0), (1, 2, 0.8), 0xFFFFFF, turn=(0.4, 0.3, 0.2), does=(kind,))
    points = picture.find((kind,))
    assert points and all(picture.hit(x, y) == (kind,) for x, y in points)


def test_meshes_follow_their_content_not_only_their_key() -> None:
    def drawn(height: float) -> Picture:
        picture = Picture()
        picture.camera((0, 0, 8), (0, 0, 0))
        picture.mesh("sail", ((-1, 0, 0), (1, 0, 0), (0, height, 0)), ((0, 1, 2),), (0, 0, 0), 0xFFFFFF, does=("sail",))
        return picture

    low, high = drawn(1), drawn(3)
    _, y, _ = high.project((0, 2, 0))
    assert low.hit(400, y) is None and high.hit(400, y) == ("sail",)
    assert low.digest() != high.digest() and low.digest() == drawn(1).digest()


def test_solids_need_a_camera_that_comes_first() -> None:
    picture = Picture()
    with pytest.raises(ValueError, match="camera"):
        picture.solid("ball", (0, 0, 0), (1, 1, 1), 0)
    with pytest.raises(ValueError, match="up direction"):
        picture.camera((0, 5, 0), (0, 0, 0))
    picture = room()
    with pytest.raises(ValueError, match="before"):
        picture.camera((0, 1, 9), (0, 1, 0))
    with pytest.raises(ValueError, match="no such solid"):
        picture.solid("torus", (0, 0, 0), (1, 1, 1), 0)


def everything() -> Picture:
    picture = Picture()
    picture.background(0x102030, 0x203040)
    picture.shadow(400, 300, 100, 100, radius=10)
    picture.box(400, 300, 100, 100, 0xFF8800, bottom=0x884400, radius=10, turn=0.1, edge=0xFFFFFF, edge_width=2)
    picture.arc(200, 200, 50, 0, 2, 8, 0x88FF88)
    picture.path([(0, 0), (10, 20), (30, 10)], 3, 0xFFFFFF, closed=True)
    picture.text(100, 500, "ξ ★ Ж", 20, 0xFFFFFF, bold=True)
    picture.camera((0, 1.25, 8), (0, 1, 0), fov=51)
    picture.light((-1, -2, -1), 0xFFEECC)
    picture.fog(0x8899AA, 5, 50)
    picture.solid("cone", (0, 1, 0), (1, 2, 1), 0x33AA55, turn=(0.1, 0.2, 0.3), shine=0.5)
    return picture


def test_the_digest_is_of_what_is_drawn_and_always_the_same() -> None:
    assert everything().digest() == "c4ed3aa9d2a700c3d6f402d63b8a33f5"
    picture, pressable = Picture(), Picture()
    picture.disc(5, 5, 5, 0xFFFFFF)
    pressable.disc(5, 5, 5, 0xFFFFFF, does=("press",))
    assert picture.digest() == pressable.digest()
    picture.text(5, 5, "a", 12, 0xFFFFFF)
    pressable.text(5, 5, "b", 12, 0xFFFFFF)
    assert picture.digest() != pressable.digest()


def test_pressing_leaves_the_picture_alone() -> None:
    picture = everything()
    before = picture.digest()
    picture.hit(400, 300)
    picture.find(("press",))
    assert picture.digest() == before


def draw_still(picture: Picture, x: float, words: tuple[str, ...]) -> None:
    picture.disc(x, 100, 20, 0xFFFFFF, does=("disc",))
    for i, word in enumerate(words):
        picture.text(x, 50 + 20 * i, word, 15, 0xFFFFFF)
    picture.polygon([(x, 300), (x + 50, 300), (x, 350)], 0xFF0000, does=("polygon",))
    picture.path([(x, 0), (x, 90)], 3, 0x00FF00)
    picture.mesh("roof", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)], (x, 0, 0), 0xFF0000)
    picture.solid("ball", (x / 100, 0, 0), (1, 1, 1), 0xFF0000, does=("ball",))


def filled(draw: Callable[[Picture, float, tuple[str, ...]], None]) -> Picture:
    picture = Picture()
    picture.camera((0, 0, -9), (0, 0, 0))
    picture.mesh("floor", [(0, 0, 0), (1, 0, 0), (0, 0, 1)], [(0, 1, 2)], (0, -1, 0), 0xFF0000)
    picture.text(9, 9, "first", 15, 0xFFFFFF)
    picture.polygon([(0, 0), (9, 0), (0, 9)], 0xFF0000)
    for x in (-0.0, 0.0, 200.0, 200, 0.0):
        draw(picture, x, ("still", "water"))
    draw(picture, 300, ())
    return picture


def test_what_is_kept_is_the_same_as_what_is_drawn() -> None:
    calls: list[float] = []

    def counted(picture: Picture, x: float, words: tuple[str, ...]) -> None:
        calls.append(x)
        draw_still(picture, x, words)

    drawn, added, again = filled(draw_still), filled(adding := kept(counted)), filled(adding)
    assert len(calls) == 5  # 0.0, 200 and 200.0 draw other bytes than -0.0: equal values are not enough
    assert drawn.digest() == added.digest() == again.digest()
    assert len(added.parts) == 6 and all(piece.end > piece.start for piece in added.parts)
    assert drawn.texts == added.texts and len(drawn.meshes) == len(added.meshes)
    assert drawn.actions() == added.actions()
    for action in (("disc",), ("polygon",), ("ball",)):
        assert drawn.find(action) == added.find(action) != []


def test_kept_solids_need_a_camera_where_they_are_added() -> None:
    with pytest.raises(ValueError, match="camera"):
        kept(draw_still)(Picture(), 0, ())


def test_colours_mix_by_channel() -> None:
    assert mix_colour(0x000000, 0xFF8040, 0.5) == 0x804020
    assert mix_colour(0x123456, 0xFFFFFF, -1) == 0x123456
    assert mix_colour(0x123456, 0xFFFFFF, 2) == 0xFFFFFF


def test_building_is_cheap() -> None:
    def build() -> None:
        picture = Picture()
        for i in range(30):
            picture.disc(10 * i, 100, 20, 0xFF8800, does=("press", i))
            picture.box(10 * i, 200, 40, 30, 0x224466, radius=8, edge=0xFFFFFF, edge_width=2)
        for i in range(5):
            picture.text(100, 20 * i, "label", 14, 0xFFFFFF)

    best = 1.0
    for _ in range(50):
        start = perf_counter()
        build()
        best = min(best, perf_counter() - start)
    assert best < 300e-6  # about 50 µs on an idle core
