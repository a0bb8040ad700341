"""Renders pictures off screen with OpenGL. The only module that knows it.

A painter makes its context when it first renders, and then belongs to that thread and process: make it in the
child, never before a fork. Many painters may live in one thread.
"""

import ctypes
import threading
from collections import OrderedDict
from collections.abc import Callable
from math import cos, sin
from struct import Struct
from sys import getrefcount
from typing import Any, NamedTuple

import moderngl
import numpy as np
from cv2 import COLOR_RGBA2RGB, cvtColor

from games.kit.picture import ARC, DISC, LINE, POLYGON, SHAPE, TEXT, Picture
from harness import fonts, shaders
from harness.forms import Form
from harness.scene import INSTANCE, Group, Scene, scene
from harness.smooth import Smoother
from harness.strokes import strokes

_WORDS = SHAPE.size // 4
_SHADOW_MAP = 512  # texels a side
_LARGEST_GLYPH = 96.0  # pixels; larger type is stretched
_GLYPH = np.dtype([("place", "<f4", 4), ("cell", "<f4", 4), ("alpha", "<f4"), ("ink", "<u4")])
_glyph = Struct("<9fI")


class NoRenderer(RuntimeError):
    """No OpenGL context could be made; the message names the mend."""


class Fit(NamedTuple):
    """How a picture lies on a canvas: pixels of the canvas for one of the picture, and its left and top."""

    scale: float
    left: float
    top: float


def fit(picture_width: int, picture_height: int, width: int, height: int) -> Fit:
    """The largest uniform scale at which the picture fits on the canvas, centred; black bars fill the rest."""
    scale = min(width / picture_width, height / picture_height)
    return Fit(scale, (width - picture_width * scale) / 2, (height - picture_height * scale) / 2)


class Painter:
    """Renders pictures; see the module for which thread may use it.

    device: index of the EGL device (graphics card), None for the default. Raises NoRenderer at the first
    render, and RuntimeError when used in a second thread.
    """

    def __init__(self, device: int | None = None) -> None:
        self._device = device
        self._studio: _Studio | None = None

    def render(self, picture: Picture, width: int = 800, height: int = 600) -> np.ndarray:
        """The picture as pixels (rows, columns, 3; uint8), on a canvas of any size; see `fit`."""
        return self._open().render(picture, width, height)

    def info(self) -> dict[str, Any]:
        """The renderer's name, its version of OpenGL, and the device asked for."""
        facts = self._open().context.info
        return {"renderer": facts["GL_RENDERER"], "version": facts["GL_VERSION"], "device": self._device}

    def close(self) -> None:
        """Free the context. A later render makes another."""
        if self._studio is not None:
            self._studio.close()
            self._studio = None

    def _open(self) -> "_Studio":
        if self._studio is None:
            self._studio = _Studio(self._device)
        self._studio.enter()
        return self._studio


_current = threading.local()  # .studio: whose context this thread has current


def _make_context(device: int | None) -> moderngl.Context:
    options: dict[str, Any] = {"backend": "egl"}
    if device is not None:
        options["device_index"] = device
    try:
        return moderngl.create_context(standalone=True, require=330, **options)
    except Exception as error:
        where = "" if device is None else f" on device {device}"
        raise NoRenderer(
            f"no OpenGL context could be made{where} ({error}). On Debian or Ubuntu: "
            "apt-get install libegl1 libgl1-mesa-dri (software), or install the graphics card's driver with EGL."
        ) from error


def _make_finish() -> Callable[[], None]:
    """glFinish without Python's lock, so that other threads run while a software renderer draws.

    moderngl keeps the lock in whatever it calls; after this, its read has nothing left to wait for.
    """
    find = ctypes.CDLL("libEGL.so.1").eglGetProcAddress
    find.restype = ctypes.c_void_p
    return ctypes.CFUNCTYPE(None)(find(b"glFinish"))


class _Target(NamedTuple):
    """What one size of canvas needs."""

    canvas: moderngl.Texture
    frame: moderngl.Framebuffer  # that draws on the canvas
    pixels: np.ndarray  # rows, columns, RGBA
    smoother: Smoother
    given: list[np.ndarray]  # pictures given out, taken again when nobody holds them any more

    def free(self) -> np.ndarray:
        """An array for a picture that nobody else holds: new memory costs a page fault every 4 kB."""
        for array in self.given:
            if getrefcount(array) == 3:  # the list's, this loop's and the call's
                return array
        array = np.empty((*self.pixels.shape[:2], 3), np.uint8)
        if len(self.given) < 8:
            self.given.append(array)
        return array


class _Batch:
    """Quads for one or several programs: records, each repeated for the four corners that shaders tell apart."""

    def __init__(self, context: moderngl.Context, programs: list[moderngl.Program], layout: str, names: list[str]):
        self._context, self._programs, self._layout, self._names = context, programs, layout, names
        self._room = 0

    def load(self, records: np.ndarray) -> None:
        """Take the records to draw."""
        corners = np.repeat(records, 4, axis=0)
        if len(records) > self._room:
            self._room = max(256, 2 * len(records))
            self._buffer = self._context.buffer(reserve=self._room * (corners.nbytes // len(records)), dynamic=True)
            pattern = np.array([0, 1, 2, 2, 1, 3], np.uint32)
            index = self._context.buffer((np.arange(self._room, dtype=np.uint32)[:, None] * 4 + pattern).tobytes())
            content = [(self._buffer, self._layout, *self._names)]
            self._arrays = [self._context.vertex_array(program, content, index) for program in self._programs]
        self._buffer.write(corners)

    def draw(self, start: int, end: int, program: int = 0) -> None:
        """Draw a part of the records."""
        if end > start:
            self._arrays[program].render(moderngl.TRIANGLES, vertices=6 * (end - start), first=6 * start)


class _Cell(NamedTuple):
    """A glyph in the atlas: its place there, and where it stands from the pen; pixels."""

    x: int
    y: int
    width: int
    height: int
    left: int
    top: int


class _Type:
    """The atlas of glyphs, and lines of text laid out as records of them."""

    def __init__(self, context: moderngl.Context) -> None:
        self._texture = context.texture((shaders.ATLAS, shaders.ATLAS), 1, alignment=1)
        self._clear()

    def _clear(self) -> None:
        # zeros, because turned glyphs are drawn with a margin
        self._texture.write(bytes(shaders.ATLAS * shaders.ATLAS))
        self._cells: dict[tuple[str, float, bool, int], _Cell | None] = {}
        self._lines: OrderedDict[tuple, bytes] = OrderedDict()
        self._x = self._y = self._row = 1

    def lay_out(self, records: np.ndarray, texts: list[str], place: Fit) -> list[bytes]:
        """Glyph records for each TEXT record."""
        self._texture.use(0)
        try:
            return [self._line(record, texts[record[15]], place) for record in records]
        except _AtlasFull:
            self._clear()
        lines = []
        for record in records:
            try:
                lines.append(self._line(record, texts[record[15]], place))
            except _AtlasFull:  # more type in one picture than fits: leave out the rest
                lines.append(b"")
        return lines

    def _line(self, record: np.ndarray, string: str, place: Fit) -> bytes:
        key = (record[:15].tobytes(), string, place)
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = self._lay_out(record, string, place)
            if len(self._lines) > 1024:
                self._lines.popitem(last=False)
        return line

    def _lay_out(self, record: np.ndarray, string: str, place: Fit) -> bytes:
        _, x, y, size, _, _, turn, *_, alpha, ink, align, bold, _ = SHAPE.unpack(record.tobytes())
        wanted = size * place.scale
        pixels = min(_LARGEST_GLYPH, max(2.0, round(wanted * 2) / 2 if wanted < 24 else round(wanted)))
        stretch = wanted / pixels if wanted > _LARGEST_GLYPH else 1.0
        bold = bool(bold)
        pens, width = fonts.spread(string, bold)
        start = -(0.5, 0.0, 1.0)[align] * width * pixels * stretch
        base = fonts.CAPITAL / 2 * pixels * stretch
        x, y = place.left + x * place.scale, place.top + y * place.scale
        plain = turn == 0 and stretch == 1
        out = bytearray()
        for char, pen in zip(string, pens, strict=True):
            along, phase = start + pen * pixels * stretch, 0
            if plain:
                quarter = round((x + along) * fonts.PHASES)
                phase = quarter % fonts.PHASES
            cell = self._cell(char, pixels, bold, phase)
            if cell is None:
                continue
            area = (cell.x, cell.y, cell.width, cell.height)
            if plain:
                corner = (quarter // fonts.PHASES + cell.left, round(y + base) + cell.top)
                out += _glyph.pack(*corner, 1, 0, *area, alpha, ink)
                continue
            # drawn with a margin of one pixel, so that turned edges are smooth
            area = (cell.x - 1, cell.y - 1, cell.width + 2, cell.height + 2)
            cosine, sine = stretch * cos(turn), stretch * sin(turn)
            u, v = along / stretch + cell.left - 1, base / stretch + cell.top - 1
            out += _glyph.pack(x + u * cosine - v * sine, y + u * sine + v * cosine, cosine, sine, *area, alpha, ink)
        return bytes(out)

    def _cell(self, char: str, pixels: float, bold: bool, phase: int) -> _Cell | None:
        """The glyph's place in the atlas, drawn there at its first use; None when it is blank."""
        key = (char, pixels, bold, phase)
        if key not in self._cells:
            bitmap = fonts.raster(char, pixels, bold, phase)
            height, width = bitmap.pixels.shape
            self._cells[key] = self._put(bitmap) if width and height and char >= " " else None
        return self._cells[key]

    def _put(self, bitmap: fonts.Bitmap) -> _Cell:
        height, width = bitmap.pixels.shape
        if self._x + width + 1 > shaders.ATLAS:
            self._x, self._y, self._row = 1, self._row, self._row
        if self._y + height + 1 > shaders.ATLAS or width + 2 > shaders.ATLAS:
            raise _AtlasFull
        cell = _Cell(self._x, self._y, width, height, bitmap.left, bitmap.top)
        self._texture.write(bitmap.pixels.tobytes(), (cell.x, cell.y, width, height))
        # two pixels apart: both neighbours of a gap may be drawn with a margin
        self._x += width + 2
        self._row = max(self._row, self._y + height + 2)
        return cell


class _AtlasFull(Exception):
    pass


class _Drawing(NamedTuple):
    """A form on the graphics card, with room for so many instances of it, for one program."""

    room: int
    instances: moderngl.Buffer
    array: moderngl.VertexArray


class _Stage:
    """Draws the solids of pictures."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._solids = context.program(shaders.SOLID_VERTEX, shaders.SOLID_FRAGMENT)
        self._shadows = context.program(shaders.SHADOW_VERTEX, shaders.SHADOW_FRAGMENT)
        self._map = context.depth_texture((_SHADOW_MAP, _SHADOW_MAP))
        self._map.compare_func = "<="
        self._map.repeat_x = self._map.repeat_y = False
        self._map_frame = context.framebuffer(depth_attachment=self._map)
        self._drawings: OrderedDict[tuple, _Drawing] = OrderedDict()

    def draw(self, picture: Picture, place: Fit, frame: moderngl.Framebuffer) -> None:
        """Draw into a frame with a depth buffer, whose sky is there already."""
        width, height = frame.size
        stretch = (picture.width * place.scale / width, picture.height * place.scale / height)
        view = scene(picture, stretch, _SHADOW_MAP)
        context = self._context
        context.disable(moderngl.BLEND)
        context.enable(moderngl.DEPTH_TEST)
        self._map_frame.use()
        self._map_frame.clear()
        self._shadows["sunward"] = tuple(view.sunward.flat)
        for group in view.casts:
            self._draw_group(group, self._shadows)
        frame.use()
        self._set_light(picture, view)
        self._map.use(1)
        context.front_face = "cw"  # because y is down
        for group in view.seen:
            (context.disable if group.thin else context.enable)(moderngl.CULL_FACE)
            self._solids["thin"] = group.thin
            self._draw_group(group, self._solids)
        context.disable(moderngl.CULL_FACE | moderngl.DEPTH_TEST)
        context.enable(moderngl.BLEND)

    def _set_light(self, picture: Picture, view: Scene) -> None:
        assert picture.view is not None
        sun, haze = picture.sun, picture.haze
        program = self._solids
        program["view"] = tuple(view.view.flat)
        program["sunward"] = tuple(view.sunward.flat)
        program["texel"] = view.texel
        program["eye"] = picture.view.eye
        program["sun"] = tuple(-x for x in sun.direction)
        program["sunlight"], program["ambient"] = _channels(sun.colour)[:3], _channels(sun.ambient)[:3]
        program["haze"] = _channels(haze.colour)[:3] if haze else (0, 0, 0)
        program["hazy"] = (haze.near, 1 / max(haze.far - haze.near, 1e-6)) if haze else (0, 0)
        program["shadows"] = 1

    def _draw_group(self, group: Group, program: moderngl.Program) -> None:
        key, count = (*group.key, program is self._shadows), len(group.instances)
        drawing = self._drawings.get(key)
        if drawing is None or drawing.room < count:
            drawing = self._drawings[key] = self._make(group.form(), program, 2 * count)
            if len(self._drawings) > 128:
                self._drawings.popitem(last=False)
        self._drawings.move_to_end(key)
        drawing.instances.write(group.instances)
        drawing.array.render(instances=count)

    def _make(self, form: Form, program: moderngl.Program, room: int) -> _Drawing:
        context = self._context
        vertices = context.buffer(form.vertices.tobytes())
        instances = context.buffer(reserve=room * INSTANCE.itemsize, dynamic=True)
        own = ("axis_x", "axis_y", "axis_z", "extent", "position")
        content: list[tuple[Any, ...]] = [
            (vertices, "4f 3f 1u4", "corner", "normal", "tint"),
            (instances, "3f 3f 3f 4f 3f 1u4 2f/i", *own, "ink", "finish"),
        ]
        if program is self._shadows:
            content = [(vertices, "4f 16x", "corner"), (instances, "3f 3f 3f 4f 3f 12x/i", *own)]
        array = context.vertex_array(program, content, context.buffer(form.triangles.tobytes()))
        return _Drawing(room, instances, array)


class _Run(NamedTuple):
    """Shape records up to one index, then glyphs up to another."""

    shapes: int
    glyphs: int


class _Studio:
    """A context and all that lives in it."""

    def __init__(self, device: int | None) -> None:
        self._thread = threading.get_ident()
        self.context = context = _make_context(device)
        self._finish = _make_finish()
        context.gc_mode = "auto"
        context.enable(moderngl.BLEND)
        context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        self._sky = context.program(shaders.SKY_VERTEX, shaders.SKY_FRAGMENT)
        self._sky_array = context.vertex_array(self._sky, [])
        self._shapes = [
            context.program(shaders.SHAPE_VERTEX, f"#version 330\n#define FULL {full}\n{shaders.SHAPE_FRAGMENT}")
            for full in (0, 1)
        ]
        names = ["kind", "place", "form", "rest", "ink"]
        self._shape_batch = _Batch(context, self._shapes, "1u4 4f4 4f4 3f4 4u4", names)
        self._glyphs = context.program(shaders.GLYPH_VERTEX, shaders.GLYPH_FRAGMENT)
        names = ["place", "cell", "alpha", "ink"]
        self._glyph_batch = _Batch(context, [self._glyphs], "4f4 4f4 1f4 1u4", names)
        self._type = _Type(context)
        self._stage = _Stage(context)
        self._targets: OrderedDict[tuple[int, int], _Target] = OrderedDict()
        self._deep: dict[tuple[int, int], moderngl.Framebuffer] = {}
        self._skies: OrderedDict[tuple, moderngl.Framebuffer] = OrderedDict()

    def enter(self) -> None:
        """Make the context the thread's current one."""
        if threading.get_ident() != self._thread:
            raise RuntimeError("a painter belongs to the thread that first rendered with it: make one per thread")
        if getattr(_current, "studio", None) is not self:
            self.context.__enter__()
            _current.studio = self

    def close(self) -> None:
        if getattr(_current, "studio", None) is self:
            _current.studio = None
        self.context.release()

    def render(self, picture: Picture, width: int, height: int) -> np.ndarray:
        target = self._target(width, height)
        place = fit(picture.width, picture.height, width, height)
        if picture.solids:
            self._lay_scene(target, picture, place)
        else:
            self._lay_sky(target.frame, picture, place)
        if picture.shapes:
            self._draw_shapes(picture, place, (width, height))
        self._finish()
        target.frame.read_into(target.pixels, components=4)
        return cvtColor(target.pixels, COLOR_RGBA2RGB, dst=target.free())

    def _target(self, width: int, height: int) -> _Target:
        size = (width, height)
        if size not in self._targets:
            if len(self._targets) >= 4:
                self._targets.popitem(last=False)
            canvas = self.context.texture(size, 4)
            frame = self.context.framebuffer([canvas])
            self._targets[size] = _Target(canvas, frame, np.empty((height, width, 4), np.uint8), Smoother(*size), [])
        self._targets.move_to_end(size)
        return self._targets[size]

    def _lay_scene(self, target: _Target, picture: Picture, place: Fit) -> None:
        deep = self._deep.get(target.frame.size)
        if deep is None:
            context, size = self.context, target.frame.size
            if len(self._deep) >= 4:
                self._deep.pop(next(iter(self._deep)))
            deep = self._deep[size] = context.framebuffer(
                [context.renderbuffer(size, 4)], context.depth_renderbuffer(size)
            )
        deep.clear()
        self._lay_sky(deep, picture, place)
        self._stage.draw(picture, place, deep)
        self._finish()
        deep.read_into(target.pixels, components=4)
        target.smoother.smooth(target.pixels)
        target.canvas.write(target.pixels)
        target.frame.use()

    def _lay_sky(self, frame: moderngl.Framebuffer, picture: Picture, place: Fit) -> None:
        size = frame.size
        top, bottom = picture.sky
        if top == bottom and not (place.left or place.top):
            frame.use()
            frame.clear(*_channels(top))
            return
        key = (size, place, picture.sky)
        if key not in self._skies:
            if len(self._skies) >= 8:
                self._skies.popitem(last=False)
            sky = self._skies[key] = self.context.framebuffer([self.context.renderbuffer(size, 4)])
            sky.use()
            sky.clear()
            self._sky["size"], self._sky["ink"] = size, picture.sky
            left, up, scale = place.left, place.top, place.scale
            self._sky["box"] = (left, up, picture.width * scale, picture.height * scale)
            self._sky_array.render(moderngl.TRIANGLE_STRIP, vertices=4)
        self._skies.move_to_end(key)
        self.context.copy_framebuffer(frame, self._skies[key])
        frame.use()

    def _draw_shapes(self, picture: Picture, place: Fit, size: tuple[int, int]) -> None:
        records = np.frombuffer(picture.shapes, np.uint32).reshape(-1, _WORDS)
        kinds = records[:, 0]
        drawn, starts = _unfolded(records, kinds, picture, 1 / place.scale)
        is_text = kinds == TEXT
        lines: list[bytes] = []
        runs = []
        if is_text.any():
            lines = self._type.lay_out(records[is_text], picture.texts, place)
            glyphs = np.cumsum([len(line) // _glyph.size for line in lines])
            runs = _runs(records, np.flatnonzero(is_text), glyphs, starts, picture)
            self._glyphs["size"] = size
            self._glyph_batch.load(np.frombuffer(b"".join(lines), _GLYPH))
        runs.append(_Run(len(drawn), int(glyphs[-1]) if lines else 0))
        values = records.view(np.float32)
        full = int(((kinds == ARC) | ((kinds == DISC) & (values[:, 3] != values[:, 4]))).any())
        program = self._shapes[full]
        program["size"], program["fit"] = size, (place.scale, place.left, place.top)
        if len(drawn):
            self._shape_batch.load(drawn)
        shape = glyph = 0
        if place.left or place.top:
            self.context.scissor = (
                round(place.left),
                round(place.top),
                round(picture.width * place.scale),
                round(picture.height * place.scale),
            )
        for run in runs:
            self._shape_batch.draw(shape, run.shapes, full)
            self._glyph_batch.draw(glyph, run.glyphs)
            shape, glyph = run
        self.context.scissor = None


def _channels(colour: int) -> tuple[float, float, float, float]:
    return (colour >> 16) / 255, (colour >> 8 & 255) / 255, (colour & 255) / 255, 1.0


def _unfolded(records: np.ndarray, kinds: np.ndarray, picture: Picture, pixel: float) -> tuple[np.ndarray, np.ndarray]:
    """Records to draw, text left out and paths and polygons unfolded; and where each record's own ones begin."""
    folded = np.flatnonzero(kinds >= POLYGON)
    counts = (kinds != TEXT).astype(np.int64)
    if not len(folded):
        return records[kinds != TEXT], np.cumsum(counts) - counts
    points = np.frombuffer(picture.points, np.float32).reshape(-1, 2)
    parts = [strokes(records[i], _points(records[i], points), pixel) for i in folded]
    counts[folded] = [len(part) for part in parts]
    ends = np.cumsum(counts)
    starts = ends - counts
    drawn = np.empty((ends[-1], _WORDS), np.uint32)
    single = kinds < TEXT
    drawn[starts[single]] = records[single]
    for i, part in zip(folded, parts, strict=True):
        drawn[starts[i] : ends[i]] = part
    return drawn, starts


def _points(record: np.ndarray, points: np.ndarray) -> np.ndarray:
    return points[record[15] : record[15] + record[13]]


def _runs(
    records: np.ndarray, texts: np.ndarray, glyphs: np.ndarray, starts: np.ndarray, picture: Picture
) -> list[_Run]:
    """How to draw in as few runs as possible, with text held back until a later shape would cover it.

    texts: indices of TEXT records; glyphs: number of glyphs up to and with each of them.
    """
    boxes = _boxes(records, picture)
    mine = boxes[texts]
    meets = (
        (boxes[:, 0] < mine[:, 2, None])
        & (boxes[:, 2] > mine[:, 0, None])
        & (boxes[:, 1] < mine[:, 3, None])
        & (boxes[:, 3] > mine[:, 1, None])
        & (np.arange(len(records)) > texts[:, None])
        & (records[:, 0] != TEXT)
    )
    never = len(records)
    covers = np.where(meets.any(axis=1), meets.argmax(axis=1), never).tolist()
    runs, until, before = [], never, 0
    for text, cover, count in zip(texts.tolist(), covers, glyphs.tolist(), strict=True):
        if text > until:
            runs.append(_Run(int(starts[until]), before))
            until = never
        until, before = min(until, cover), count
    if until < never:
        runs.append(_Run(int(starts[until]), before))
    return runs


def _boxes(records: np.ndarray, picture: Picture) -> np.ndarray:
    """Left, top, right and bottom of each record, rather too large than too small."""
    values = records.view(np.float32)
    kinds, x, y, a, b = records[:, 0], *values[:, 1:5].T
    far = np.hypot(a, b) + values[:, 5] + values[:, 7] + 1
    boxes = np.stack((x - far, y - far, x + far, y + far), axis=1)
    for i in np.flatnonzero((kinds == TEXT) | (kinds == LINE) | (kinds >= POLYGON)):
        if kinds[i] == TEXT:
            boxes[i] = _text_box(values[i], records[i], picture.texts[records[i, 15]])
            continue
        if kinds[i] == LINE:
            corners = values[i, 1:5].reshape(2, 2)
        else:
            corners = _points(records[i], np.frombuffer(picture.points, np.float32).reshape(-1, 2))
        if len(corners):
            wide = values[i, 5] + 1
            boxes[i, :2], boxes[i, 2:] = corners.min(axis=0) - wide, corners.max(axis=0) + wide
    return boxes


def _text_box(values: np.ndarray, record: np.ndarray, string: str) -> tuple[float, float, float, float]:
    x, y, size, turn = float(values[1]), float(values[2]), float(values[3]), values[6]
    width = fonts.measure(string, size, bool(record[14])) + 2
    left = -(0.5, 0.0, 1.0)[record[13]] * width
    if turn:
        far = width + size
        return x - far, y - far, x + far, y + far
    return x + left - 1, y - 0.8 * size, x + left + width, y + 0.8 * size
