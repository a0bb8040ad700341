"""Draws the solids of pictures: lit, with the sun's shadows."""

from functools import partial
from typing import Any

import moderngl
import numpy as np

from games.kit.picture import Picture
from harness.painter import shaders
from harness.painter.canvas import SMALL, Fit, channels, clip
from harness.painter.joined import join
from harness.painter.kept import Keeper
from harness.painter.scene import MESH, MESH_WORD, Scene, Solids, scene, solids_of
from harness.painter.store import Store

_SHADOW_MAPS = (256, 1024)  # texels a side, on small canvases and others
_FEW = 4  # solids of a part that are not worth joining


class Stage:
    """Draws the solids of pictures."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._shaded = context.program(shaders.SOLID_VERTEX, shaders.SOLID_FRAGMENT)
        self._sunlit = context.program(shaders.SOLID_VERTEX, shaders.SUNLIT_FRAGMENT)  # where nothing throws shadows
        self._shadows = context.program(shaders.SHADOW_VERTEX, shaders.SHADOW_FRAGMENT)
        self._store = Store(context, (self._shaded, self._sunlit), self._shadows)
        self._maps = [context.depth_texture((size, size)) for size in _SHADOW_MAPS]
        for one in self._maps:
            one.compare_func = "<="
            one.filter = (moderngl.NEAREST, moderngl.NEAREST)  # four taps would cost half of all a scene takes
            one.repeat_x = one.repeat_y = False
        self._map_frames = {one.width: context.framebuffer(depth_attachment=one) for one in self._maps}
        self._parts: Keeper[Solids] = Keeper(32)
        self._shown: tuple[Any, ...] = ()  # what the shadow map last drawn shows

    def draw(self, picture: Picture, place: Fit, frame: moderngl.Framebuffer) -> None:
        """Draw into a frame with a depth buffer, whose sky is there already."""
        width, height = frame.size
        stretch = (picture.width * place.scale / width, picture.height * place.scale / height)
        small = width * height <= SMALL
        shadow_map = self._maps[not small]
        solids = self._joined(picture) if small else solids_of(picture)
        view = scene(picture, solids, stretch, place.scale, shadow_map.width, coarse=small)
        context = self._context
        context.disable(moderngl.BLEND)
        context.enable(moderngl.DEPTH_TEST)
        if view.casts.groups:
            self._cast(view, shadow_map)
        frame.use()
        context.scissor = clip(picture, place)
        program = self._shaded if view.casts.groups else self._sunlit
        self._set_light(program, picture, view)
        shadow_map.use(1)
        context.front_face = "cw"  # because y is down
        thin = sum(not group.thin for group in view.seen.groups)
        self._store.load(view.seen)
        context.enable(moderngl.CULL_FACE)
        program["thin"] = 0
        self._store.draw(program, 0, thin)
        context.disable(moderngl.CULL_FACE)
        program["thin"] = 1
        self._store.draw(program, thin, len(view.seen.groups))
        context.scissor = None
        context.disable(moderngl.DEPTH_TEST)
        context.enable(moderngl.BLEND)

    def _joined(self, picture: Picture) -> Solids:
        """The solids of a picture, with few large ones in place of those of its parts."""
        solids, known = solids_of(picture), 0
        pieces, meshes = [], list(solids.meshes)
        for start, end, part in picture.parts:
            if end.solids - start.solids < _FEW:
                continue
            joined = self._parts.made(part, partial(join, part))
            if joined is not None:
                records = joined.records.copy()
                records[:, MESH_WORD] += np.where(records[:, 0] == MESH, len(meshes), 0).astype(np.uint32)
                pieces += [solids.records[known : start.solids], records]
                meshes += joined.meshes
                known = end.solids
        return Solids(np.concatenate((*pieces, solids.records[known:])), meshes) if pieces else solids

    def _cast(self, view: Scene, shadow_map: moderngl.Texture) -> None:
        """Draw the shadow map, if it does not show the same shadows already."""
        shadows = (
            shadow_map.size,
            view.sunward.tobytes(),
            [(group.key, group.solids) for group in view.casts.groups],
            view.casts.instances.tobytes(),
        )
        if shadows == self._shown:
            return
        self._shown = shadows
        frame = self._map_frames[shadow_map.width]
        frame.use()
        frame.clear()
        self._shadows["sunward"] = tuple(view.sunward.flat)
        self._store.load(view.casts)
        self._store.draw(self._shadows, 0, len(view.casts.groups))

    def _set_light(self, program: moderngl.Program, picture: Picture, view: Scene) -> None:
        assert picture.view is not None
        sun, haze = picture.sun, picture.haze
        program["view"] = tuple(view.view.flat)
        if program is self._shaded:
            program["sunward"], program["texel"] = tuple(view.sunward.flat), view.texel
            program["shadows"] = 1
        program["eye"] = picture.view.eye
        program["sun"] = tuple(-x for x in sun.direction)
        program["sunlight"], program["ambient"] = channels(sun.colour)[:3], channels(sun.ambient)[:3]
        program["haze"] = channels(haze.colour)[:3] if haze else (0, 0, 0)
        program["hazy"] = (haze.near, 1 / max(haze.far - haze.near, 1e-6)) if haze else (0, 0)
