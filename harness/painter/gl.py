"""Renders pictures off screen with OpenGL, which only this package knows.

A painter makes its context when it first renders, and then belongs to that thread and process: make it in the
child, never before a fork. Many painters may live in one thread.
"""

import threading
from collections import OrderedDict
from functools import partial
from typing import Any, NamedTuple

import moderngl
import numpy as np
from cv2 import COLOR_RGBA2RGB, cvtColor

from games.kit.picture import Extent, Picture
from games.kit.records import ARC, DISC, SHAPE, TEXT
from harness.painter import shaders
from harness.painter.buffers import Batch, Target
from harness.painter.canvas import SMALL, Fit, channels, clip, fit
from harness.painter.egl import make_finish, make_flush, software_threads, spread_threads
from harness.painter.kept import ASKS, Keeper, Reach, drop_oldest, grounds, reach
from harness.painter.lettering import ATLAS, GLYPH, Lettering
from harness.painter.order import Run, greeked, placeholder, records_of, runs, unfolded
from harness.painter.smooth import Smoother
from harness.painter.stage import Stage

_WORLDS = 4  # pictures without their pointers that are kept


class NoRenderer(RuntimeError):
    """No OpenGL context could be made; the message names the mend."""


class Painter:
    """Renders pictures; see the module for which thread may use it.

    device: index of the EGL device (graphics card), None for the default. threads: of a software renderer, beside
    the caller's (0 is quickest for small pictures); only a process's first painter decides, None: as many as there are
    cores. moving: each picture will show a world that has moved on, so none is kept for when only the pointer moves.
    Raises NoRenderer at the first render, and RuntimeError when used in a second thread.
    """

    def __init__(self, device: int | None = None, threads: int | None = None, *, moving: bool = False) -> None:
        self._device, self._threads, self._moving = device, threads, moving
        self._studio: _Studio | None = None

    def render(self, picture: Picture, width: int = 800, height: int = 600) -> np.ndarray:
        """The picture as pixels (rows, columns, 3; uint8), on a canvas of any size; see canvas.fit."""
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
            with software_threads(self._threads):
                self._studio = _Studio(self._device, self._moving)
        self._studio.enter()
        return self._studio


_current = threading.local()  # .studio: whose context this thread has current


def _make_context(device: int | None) -> moderngl.Context:
    options: dict[str, Any] = {"backend": "egl"}
    if device is not None:
        options["device_index"] = device
    try:
        return moderngl.create_context(standalone=True, require=430, **options)
    except Exception as error:
        where = "" if device is None else f" on device {device}"
        raise NoRenderer(
            f"no OpenGL context could be made{where} ({error}). On Debian or Ubuntu: "
            "apt-get install libegl1 libgl1-mesa-dri (software), or install the graphics card's driver with EGL."
        ) from error


class _Studio:
    """A context and all that lives in it."""

    def __init__(self, device: int | None, moving: bool) -> None:
        self._thread, self._moving = threading.get_ident(), moving
        self.context = context = _make_context(device)
        context.gc_mode = "context_gc"  # "auto" would free what is dropped in whichever context is current
        context.enable(moderngl.BLEND)
        context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        self._finish, self._flush = make_finish(), make_flush()
        spread_threads()
        self._sky = context.program(shaders.SKY_VERTEX, shaders.SKY_FRAGMENT)
        self._sky_array = context.vertex_array(self._sky, [])
        self._shapes = [
            context.program(shaders.SHAPE_VERTEX, f"#version 330\n#define FULL {full}\n{shaders.SHAPE_FRAGMENT}")
            for full in (0, 1)
        ]
        names = ["kind", "place", "form", "rest", "ink"]
        self._shape_batch = Batch(context, self._shapes, "1u4 4f4 4f4 3f4 4u4", names)
        self._glyphs = context.program(shaders.GLYPH_VERTEX, shaders.GLYPH_FRAGMENT)
        self._glyph_batch = Batch(context, [self._glyphs], "4f4 4f4 1f4 1u4", ["place", "cell", "alpha", "ink"])
        self._atlas = context.texture((ATLAS, ATLAS), 1, alignment=1)
        self._lettering = Lettering(self._atlas.write)
        self._stage = Stage(context)
        self._targets: OrderedDict[tuple[int, int], Target] = OrderedDict()
        self._skies: OrderedDict[tuple[Any, ...], moderngl.Framebuffer] = OrderedDict()
        self._scenes: OrderedDict[tuple[Any, ...], np.ndarray] = OrderedDict()
        self._grounds: Keeper[moderngl.Framebuffer] = Keeper(12)
        self._layers: Keeper[_Layer] = Keeper(256)
        self._worlds: OrderedDict[tuple[Any, ...], moderngl.Framebuffer] = OrderedDict()
        self._over = context.program(shaders.OVER_VERTEX, shaders.OVER_FRAGMENT)
        self._over_array = context.vertex_array(self._over, [])

    def enter(self) -> None:
        """Make the context the thread's current one."""
        if threading.get_ident() != self._thread:
            raise RuntimeError("a painter belongs to the thread that first rendered with it: make one per thread")
        if getattr(_current, "studio", None) is not self:
            self.context.__enter__()
            _current.studio = self

    def close(self) -> None:
        _current.studio = None
        self.context.release()

    def render(self, picture: Picture, width: int, height: int) -> np.ndarray:
        self.context.gc()
        target = self._target(width, height)
        place = fit(picture.width, picture.height, width, height)
        keeps = not (self._moving or picture.solids or width * height <= SMALL)  # of solids, the scene is kept
        if picture.parts and keeps:
            end = picture.parts[-1].end
            self._draw_kept(target, picture, place, end)
            self._draw_shapes(target.frame, picture, place, self._prepare(picture, place, end.shapes))
        else:
            self._draw(target, picture, place, None)
        self._finish()
        target.frame.read_into(target.pixels, components=4)
        return cvtColor(target.pixels, COLOR_RGBA2RGB, dst=target.free())

    def _draw_kept(self, target: Target, picture: Picture, place: Fit, end: Extent) -> None:
        """Draw up to the end of the last layer. It is kept: where acts share a tick, often only the pointer moves."""
        texts, points = tuple(picture.texts[: end.texts]), bytes(picture.points[: 8 * end.points])
        key = (target.frame.size, place, picture.sky, bytes(picture.shapes[: SHAPE.size * end.shapes]), texts, points)
        world = self._worlds.get(key)
        if world is not None:
            self.context.copy_framebuffer(target.frame, world)
        else:
            self._draw(target, picture, place, end.shapes)
            # the buffer of the one that goes is used again
            world = self._worlds.popitem(last=False)[1] if len(self._worlds) >= _WORLDS else None
            if world is None or world.size != target.frame.size:
                world = self.context.framebuffer([self.context.renderbuffer(target.frame.size, 4)])
            self._finish()  # a copy would wait for it, and with Python's lock
            self.context.copy_framebuffer(world, target.frame)
            self._worlds[key] = world
        self._worlds.move_to_end(key)

    def _draw(self, target: Target, picture: Picture, place: Fit, end: int | None) -> None:
        """Draw solids, or what is behind the shapes, and the shape records up to one; still parts from what is kept."""
        frame, work = target.frame, None
        small = frame.width * frame.height <= SMALL
        if picture.solids:
            layers = self._layers_over(picture, place, frame.size, 0)
            if small:
                frame = target.deep  # all in one go: it is the same canvas
                frame.clear(0, 0, 0, 1)
                self._paint_sky(frame, picture, place)
                self._stage.draw(picture, place, frame)
            else:
                work = self._lay_scene(target, picture, place, layers)
            known = 0
        else:
            options = grounds(picture)
            known = self._lay_ground(frame, picture, place, options)
            layers = self._layers_over(picture, place, frame.size, options[-1][1] if options else 0)
        self._draw_shapes(frame, picture, place, work or self._prepare(picture, place, known, end, layers))

    def _target(self, width: int, height: int) -> Target:
        size = (width, height)
        target = self._targets.get(size)
        if target is None:
            canvas, depths = self.context.texture(size, 4), self.context.depth_renderbuffer(size)
            below = canvas if width * height <= SMALL else self.context.renderbuffer(size, 4)
            target = self._targets[size] = Target(
                canvas,
                self.context.framebuffer([canvas]),
                self.context.framebuffer([below], depths),
                self.context.framebuffer([self.context.renderbuffer(size, 4)]),
                np.empty((height, width, 4), np.uint8),
                Smoother(width, height),
                [],
            )
            drop_oldest(self._targets, 4)
        self._targets.move_to_end(size)
        return target

    def _lay_scene(self, target: Target, picture: Picture, place: Fit, layers: "_Layers") -> "_Work | None":
        """Put the solids before the sky, smoothed, on the canvas; kept, because often only shapes change.

        While the renderer draws them the shape records are prepared, and then returned.
        """
        work = None
        key = (target.deep.size, place, _scene_key(picture))
        pixels = self._scenes.get(key)
        if pixels is None:
            target.deep.clear(0, 0, 0, 1)
            self._paint_sky(target.deep, picture, place)
            self._stage.draw(picture, place, target.deep)
            self._flush()
            work = self._prepare(picture, place, 0, None, layers)
            self._finish()
            # the array of the scene that goes is used again
            pixels = self._scenes.popitem(last=False)[1] if len(self._scenes) >= 4 else None
            if pixels is None or pixels.shape != target.pixels.shape:
                pixels = np.empty_like(target.pixels)
            target.deep.read_into(pixels, components=4)
            target.smoother.smooth(pixels)
            self._scenes[key] = pixels
        self._scenes.move_to_end(key)
        target.canvas.write(pixels)
        return work

    def _lay_ground(
        self, frame: moderngl.Framebuffer, picture: Picture, place: Fit, options: list[tuple[tuple[Picture, ...], int]]
    ) -> int:
        """Lay out what a picture without solids begins with, its sky at least; returns the number of records in it."""
        keys = [((frame.size, place, picture.sky, *parts), end) for parts, end in reversed(options)]
        known, longer = 0, keys
        for i, (key, end) in enumerate(keys):
            ground = self._grounds.get(key)
            if ground is not None:
                self.context.copy_framebuffer(frame, ground)
                known, longer = end, keys[:i]
                break
        else:
            self._lay_sky(frame, picture, place)
        asks = ASKS[frame.width * frame.height > SMALL]
        for key, end in longer:
            if self._grounds.made(key, lambda: self._draw_ground(frame, picture, place, known, end), asks):  # noqa: B023
                return end
        return known

    def _draw_ground(
        self, frame: moderngl.Framebuffer, picture: Picture, place: Fit, start: int, end: int
    ) -> moderngl.Framebuffer:
        """Draw some more of a ground on the frame, and return a copy."""
        self._draw_shapes(frame, picture, place, self._prepare(picture, place, start, end))
        copy = self.context.framebuffer([self.context.renderbuffer(frame.size, 4)])
        self._finish()  # a copy would wait for it, and with Python's lock
        self.context.copy_framebuffer(copy, frame)
        return copy

    def _lay_sky(self, frame: moderngl.Framebuffer, picture: Picture, place: Fit) -> None:
        if picture.sky[0] == picture.sky[1] and not (place.left or place.top):
            frame.clear(*channels(picture.sky[0]))
            return
        key = (frame.size, place, picture.sky)
        sky = self._skies.get(key)
        if sky is None:
            sky = self._skies[key] = self.context.framebuffer([self.context.renderbuffer(frame.size, 4)])
            drop_oldest(self._skies, 8)
            sky.clear(0, 0, 0, 1)
            self._paint_sky(sky, picture, place)
        self._skies.move_to_end(key)
        self.context.copy_framebuffer(frame, sky)

    def _paint_sky(self, frame: moderngl.Framebuffer, picture: Picture, place: Fit) -> None:
        frame.use()
        self.context.disable(moderngl.BLEND)
        self._sky["size"], self._sky["ink"] = frame.size, picture.sky
        self._sky["box"] = (place.left, place.top, picture.width * place.scale, picture.height * place.scale)
        self._sky_array.render(moderngl.TRIANGLE_STRIP, vertices=4)
        self.context.enable(moderngl.BLEND)

    def _layers_over(self, picture: Picture, place: Fit, size: tuple[int, int], known: int) -> "_Layers":
        """What is kept of the parts after so many records, with where their records begin and end."""
        out: _Layers = []
        for start, end, part in picture.parts if size[0] * size[1] > SMALL else ():
            if known <= start.shapes < end.shapes:
                layer = self._layers.made((size, place, part), partial(self._draw_layer, size, part, place))
                if layer is not None and layer.texture is not None:
                    out.append((start.shapes, end.shapes, layer))
        return out

    def _draw_layer(self, size: tuple[int, int], part: Picture, place: Fit) -> "_Layer":
        """The shapes of a part on nothing."""
        where = reach(part, place, *size)
        if where is None:
            return _Layer(None, Reach(0, 0, 0, 0))
        frame = self._target(*size).scratch
        frame.clear()
        self._draw_shapes(frame, part, place, self._prepare(part, place, 0))
        # a copy, since llvmpipe draws all that waits before it samples what has been drawn on
        return _Layer(self.context.texture(where[2:], 4, frame.read(where, components=4)), where)

    def _lay_over(self, frame: moderngl.Framebuffer, layer: "_Layer") -> None:
        assert layer.texture is not None
        layer.texture.use(1)
        self._over["size"], self._over["box"] = frame.size, layer.where
        self._over["layer"] = 1
        self._over_array.render(moderngl.TRIANGLE_STRIP, vertices=4)

    def _draw_shapes(self, frame: moderngl.Framebuffer, picture: Picture, place: Fit, work: "_Work") -> None:
        """Draw shape records that are prepared."""
        if not work.runs:
            return
        frame.use()
        self._atlas.use(0)
        if work.glyphs:
            self._glyphs["size"] = frame.size
            self._glyph_batch.load(np.frombuffer(work.glyphs, np.uint32).reshape(-1, GLYPH.size // 4))
        program = self._shapes[work.full]
        program["size"], program["fit"] = frame.size, (place.scale, place.left, place.top)
        if len(work.drawn):
            self._shape_batch.load(work.drawn)
        self.context.scissor = clip(picture, place)
        shape = glyph = 0
        layers = list(work.layers)
        for run in work.runs:
            while layers and layers[0][0] < run.shapes:
                until, layer = layers.pop(0)
                self._shape_batch.draw(shape, until, work.full)
                self._lay_over(frame, layer)
                shape = until + 1
            self._shape_batch.draw(shape, run.shapes, work.full)
            self._glyph_batch.draw(glyph, run.glyphs)
            shape, glyph = run
        self.context.scissor = None

    def _prepare(
        self, picture: Picture, place: Fit, start: int, end: int | None = None, layers: "_Layers | tuple" = ()
    ) -> "_Work":
        """Reckon what there is to draw of a part of the shape records, with layers instead of theirs."""
        records = records_of(picture)[:end]
        pieces, spots, at, count = [], [], start, 0
        for first, after, layer in layers:
            pieces += [records[at:first], placeholder(layer.where, place)]
            count += first - at
            spots.append(count)
            at, count = after, count + 1
        records = np.concatenate((*pieces, records[at:])) if pieces else records[at:]
        if not len(records):
            return _Work(records, b"", 0, [], [])
        records = greeked(records, picture, place.scale)
        kinds = records[:, 0]
        drawn, starts = unfolded(records, picture, 1 / place.scale)
        texts = np.flatnonzero(kinds == TEXT)
        lines = self._lettering.lay_out(records[texts], picture.texts, place)
        counts = np.cumsum([len(line) // GLYPH.size for line in lines], dtype=np.int64)
        radii = records.view(np.float32)[:, 3:5]
        full = int(((kinds == ARC) | ((kinds == DISC) & (radii[:, 0] != radii[:, 1]))).any())
        laid = [(int(starts[spot]), layer) for spot, (_, _, layer) in zip(spots, layers, strict=True)]
        order = runs(records, texts, counts, starts, len(drawn), picture)
        return _Work(drawn, b"".join(lines), full, order, laid)


class _Layer(NamedTuple):
    """How a still part looks. texture: None where drawing it costs less."""

    texture: moderngl.Texture | None
    where: Reach


_Layers = list[tuple[int, int, _Layer]]  # with the first of the records that each shows, and the one after the last


class _Work(NamedTuple):
    """What draws some shape records. full: whether the program for all kinds is needed.

    layers: each with the index of the unfolded record in its stead.
    """

    drawn: np.ndarray
    glyphs: bytes
    full: int
    runs: list[Run]
    layers: list[tuple[int, _Layer]]


def _scene_key(picture: Picture) -> tuple[Any, ...]:
    """All that the look of a picture's solids and sky depends on."""
    meshes = tuple((mesh.triangles, mesh.colours) for mesh in picture.meshes)
    return picture.view, picture.sky, picture.sun, picture.haze, bytes(picture.solids), meshes
