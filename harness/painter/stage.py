"""Draws the solids of pictures: lit, with the sun's shadows."""

from collections import OrderedDict
from typing import Any, NamedTuple

import moderngl

from games.kit.picture import Picture
from harness.painter import shaders
from harness.painter.canvas import SMALL, Fit, channels, clip
from harness.painter.forms import Form
from harness.painter.scene import INSTANCE, Group, Scene, scene

_SHADOW_MAPS = (128, 1024)  # texels a side, on small canvases and others
_FORMS = 128  # kept on the graphics card


class _Drawing(NamedTuple):
    """A form on the graphics card, with room for so many instances of it, for one program."""

    room: int
    instances: moderngl.Buffer
    array: moderngl.VertexArray


class Stage:
    """Draws the solids of pictures."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._solids = context.program(shaders.SOLID_VERTEX, shaders.SOLID_FRAGMENT)
        self._shadows = context.program(shaders.SHADOW_VERTEX, shaders.SHADOW_FRAGMENT)
        self._maps = [context.depth_texture((size, size)) for size in _SHADOW_MAPS]
        for one in self._maps:
            one.compare_func = "<="
            one.filter = (moderngl.NEAREST, moderngl.NEAREST)  # four taps would cost half of all a scene takes
            one.repeat_x = one.repeat_y = False
        self._map_frames = {one.width: context.framebuffer(depth_attachment=one) for one in self._maps}
        self._shown: tuple[Any, ...] = ()  # what the shadow map last drawn shows
        self._drawings: OrderedDict[tuple, _Drawing] = OrderedDict()

    def draw(self, picture: Picture, place: Fit, frame: moderngl.Framebuffer) -> None:
        """Draw into a frame with a depth buffer, whose sky is there already."""
        width, height = frame.size
        stretch = (picture.width * place.scale / width, picture.height * place.scale / height)
        shadow_map = self._maps[width * height > SMALL]
        view = scene(picture, stretch, place.scale, shadow_map.width)
        context = self._context
        context.disable(moderngl.BLEND)
        context.enable(moderngl.DEPTH_TEST)
        self._cast(view, shadow_map)
        frame.use()
        context.scissor = clip(picture, place)
        self._set_light(picture, view)
        shadow_map.use(1)
        context.front_face = "cw"  # because y is down
        for group in view.seen:
            (context.disable if group.thin else context.enable)(moderngl.CULL_FACE)
            self._solids["thin"] = group.thin
            self._draw_group(group, self._solids)
        context.scissor = None
        context.disable(moderngl.CULL_FACE | moderngl.DEPTH_TEST)
        context.enable(moderngl.BLEND)

    def _cast(self, view: Scene, shadow_map: moderngl.Texture) -> None:
        """Draw the shadow map, if it does not show the same shadows already."""
        shadows = (
            shadow_map.size,
            view.sunward.tobytes(),
            [(group.key, group.instances.tobytes()) for group in view.casts],
        )
        if shadows == self._shown:
            return
        self._shown = shadows
        frame = self._map_frames[shadow_map.width]
        frame.use()
        frame.clear()
        self._shadows["sunward"] = tuple(view.sunward.flat)
        for group in view.casts:
            self._draw_group(group, self._shadows)

    def _set_light(self, picture: Picture, view: Scene) -> None:
        assert picture.view is not None
        sun, haze = picture.sun, picture.haze
        program = self._solids
        program["view"] = tuple(view.view.flat)
        program["sunward"] = tuple(view.sunward.flat)
        program["texel"] = view.texel
        program["eye"] = picture.view.eye
        program["sun"] = tuple(-x for x in sun.direction)
        program["sunlight"], program["ambient"] = channels(sun.colour)[:3], channels(sun.ambient)[:3]
        program["haze"] = channels(haze.colour)[:3] if haze else (0, 0, 0)
        program["hazy"] = (haze.near, 1 / max(haze.far - haze.near, 1e-6)) if haze else (0, 0)
        program["shadows"] = 1

    def _draw_group(self, group: Group, program: moderngl.Program) -> None:
        key, count = (*group.key, program is self._shadows), len(group.instances)
        drawing = self._drawings.get(key)
        if drawing is None or drawing.room < count:
            drawing = self._drawings[key] = self._make(group.form(), program, 2 * count)
            if len(self._drawings) > _FORMS:
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
