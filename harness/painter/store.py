"""The forms of solids on the graphics card: one buffer holds them all, so that one call draws solids of many."""

from typing import NamedTuple

import moderngl
import numpy as np

from harness.painter.forms import Form
from harness.painter.scene import INSTANCE, Group, Lot

_FORMS = 128  # kept
_COMMAND = 20  # bytes; see GL_ARB_multi_draw_indirect
_OWN = ("axis_x", "axis_y", "axis_z", "extent", "position")


class _Place(NamedTuple):
    """Where a form lies among the others."""

    first: int  # of its indices
    indices: int  # how many
    vertex: int  # its first


class Store:
    """The forms and the solids that are to be drawn, for programs that show them and the one for shadows."""

    def __init__(
        self, context: moderngl.Context, solids: tuple[moderngl.Program, ...], shadows: moderngl.Program
    ) -> None:
        self._context, self._solids, self._shadows = context, solids, shadows
        self._forms: dict[tuple, Form] = {}
        self._places: dict[tuple, _Place] = {}
        self._rooms = [0, 0]  # for instances, for commands
        self._arrays: dict[moderngl.Program, moderngl.VertexArray] = {}

    def load(self, lot: Lot) -> None:
        """Take solids, to draw what one wants of them."""
        if not lot.groups:
            return
        changed = self._make_room(len(lot.instances), len(lot.groups))
        if any(group.key not in self._places for group in lot.groups):
            self._take_forms(lot.groups)
            changed = True
        if changed:
            self._link()
        for buffer, data in ((self._instances, lot.instances), (self._commands, self._commands_of(lot.groups))):
            buffer.orphan()  # or writing would wait until what is drawn from it is done
            buffer.write(data)

    def draw(self, program: moderngl.Program, start: int, end: int) -> None:
        """Draw a part of the groups that were taken last."""
        if end > start:
            self._arrays[program].render_indirect(self._commands, moderngl.TRIANGLES, end - start, start)

    def _make_room(self, instances: int, groups: int) -> bool:
        """Whether there were not enough room."""
        if instances <= self._rooms[0] and groups <= self._rooms[1]:
            return False
        self._rooms = [max(64, 2 * instances, self._rooms[0]), max(32, 2 * groups, self._rooms[1])]
        self._instances = self._context.buffer(reserve=self._rooms[0] * INSTANCE.itemsize, dynamic=True)
        self._commands = self._context.buffer(reserve=self._rooms[1] * _COMMAND, dynamic=True)
        return True

    def _take_forms(self, groups: list[Group]) -> None:
        """Add those of some groups; when there are too many, all others go."""
        if len(self._forms) > _FORMS:
            self._forms.clear()
        self._forms |= {group.key: group.form() for group in groups if group.key not in self._forms}
        forms = list(self._forms.values())
        self._places, first, vertex = {}, 0, 0
        for key, form in self._forms.items():
            self._places[key] = _Place(first, form.triangles.size, vertex)
            first, vertex = first + form.triangles.size, vertex + len(form.vertices)
        self._vertices = self._context.buffer(np.concatenate([form.vertices for form in forms]).tobytes())
        self._triangles = self._context.buffer(np.concatenate([form.triangles for form in forms]).tobytes())

    def _link(self) -> None:
        seen = [
            (self._vertices, "4f 3f 1u4", "corner", "normal", "tint"),
            (self._instances, "3f 3f 3f 4f 3f 1u4 2f/i", *_OWN, "ink", "finish"),
        ]
        cast = [(self._vertices, "4f 16x", "corner"), (self._instances, "3f 3f 3f 4f 3f 12x/i", *_OWN)]
        arrays = [(program, seen) for program in self._solids] + [(self._shadows, cast)]
        self._arrays = {
            program: self._context.vertex_array(program, content, self._triangles) for program, content in arrays
        }

    def _commands_of(self, groups: list[Group]) -> np.ndarray:
        """A row a group: indices, instances, first index, first vertex, first instance."""
        out, instance = np.empty((len(groups), _COMMAND // 4), np.uint32), 0
        for row, group in enumerate(groups):
            first, indices, vertex = self._places[group.key]
            out[row] = indices, group.solids, first, vertex, instance
            instance += group.solids
        return out
