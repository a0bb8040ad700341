"""The picture of a game: a list of shapes and solids, packed as bytes, that also answers what a press hits.

Colours are ints 0xRRGGBB and alphas 0 to 1. Positions are screen pixels, origin top left, y down; screen
angles are radians, clockwise. Later shapes cover earlier ones, and all shapes cover all solids.
A shape takes `does` (left press), `right` (right press) and `wheel` (a notch): each a Command or a Hold.
A shape without any of them lets presses through. A solid without any of them still hides what is behind it.
What is invisible (alpha 0) cannot be pressed.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from hashlib import blake2b
from itertools import chain
from marshal import dumps
from math import sqrt
from struct import Struct, pack
from typing import Any, Concatenate, NamedTuple, ParamSpec

from games.kit.areas import Action, Area, Body, area_of, overlap
from games.kit.maths import TAU, clamp, hypot, mix
from games.kit.records import (
    ARC,
    BOX,
    DISC,
    GLOW,
    LINE,
    PATH,
    POLYGON,
    RING,
    SHADOW,
    SHAPE,
    SOLID,
    SOLIDS,
    TEXT,
    WORDS,
    Mesh,
)
from games.kit.records import Point as Point
from games.kit.space import (
    STRAIGHT,
    Camera,
    Vector,
    add,
    camera,
    dot,
    rotation,
    subtract,
    turned,
    unit,
)

_SOLID_KIND = {kind: i for i, kind in enumerate(SOLIDS)}
_ALIGN = {"centre": 0, "left": 1, "right": 2}
_BUTTON = {"left": 0, "right": 1, "wheel": 2}

_shape = SHAPE.pack
_solid = SOLID.pack

_Arguments = ParamSpec("_Arguments")


class Sun(NamedTuple):
    """Where the sun shines to (a unit vector), its colour, and the colour of light from all sides."""

    direction: Vector
    colour: int
    ambient: int


class Fog(NamedTuple):
    """Solids fade to colour from near to far, metres of depth."""

    colour: int
    near: float
    far: float


class Extent(NamedTuple):
    """How many shape records, texts, points and solids."""

    shapes: int
    texts: int
    points: int
    solids: int


class Piece(NamedTuple):
    """A part that was added: what had been drawn before and after, and the part."""

    start: Extent
    end: Extent
    part: "Picture"


def mix_colour(a: int, b: int, t: float) -> int:
    """The colour a at t 0, b at t 1, channel by channel; t outside 0..1 is clamped."""
    t = clamp(t, 0, 1)
    red = int(mix(a >> 16, b >> 16, t) + 0.5)
    green = int(mix(a >> 8 & 255, b >> 8 & 255, t) + 0.5)
    return red << 16 | green << 8 | int(mix(a & 255, b & 255, t) + 0.5)


class Picture:
    """A canvas of width × height pixels to which a game adds shapes and solids, in painter's order.

    The public attributes are for the painter: packed records (see SHAPE and SOLID) and what they refer to.
    """

    __slots__ = (
        "_areas",
        "_bodies",
        "_marks",
        "_mesh_index",
        "_partial",
        "_solid_marks",
        "haze",
        "height",
        "meshes",
        "parts",
        "points",
        "shapes",
        "sky",
        "solids",
        "sun",
        "texts",
        "view",
        "width",
    )

    def __init__(self, width: int = 800, height: int = 600) -> None:
        self.width, self.height = width, height
        self.sky: tuple[int, int] = (0x101418, 0x101418)
        self.shapes = bytearray()
        self.points = bytearray()  # pairs of float32
        self.texts: list[str] = []
        self.solids = bytearray()
        self.meshes: list[Mesh] = []
        self._mesh_index: dict[int, int] = {}  # id of a mesh -> its index
        self.view: Camera | None = None
        self._partial = False  # will be added to pictures with cameras of their own: solids need none here
        self.sun = Sun((-0.40824829, -0.81649658, -0.40824829), 0xFFFFFF, 0x8090A0)
        self.haze: Fog | None = None
        self.parts: list[Piece] = []  # in the order in which they were added
        self._marks: list[tuple[int, tuple[Action | None, ...]]] = []  # offset in shapes, (does, right, wheel)
        self._solid_marks: dict[int, tuple[Action | None, ...]] = {}
        self._areas: list[tuple[Area, tuple[Action | None, ...]]] = []
        self._bodies: list[Body] = []

    # Shapes

    def add(self, part: "Picture") -> None:
        """Add what another picture shows, but its sky, over what is there; see `kept`. The part must not change later.

        Raises ValueError where the part has solids and this picture no camera.
        """
        if part.solids and self.view is None and not self._partial:
            raise ValueError("the camera must come before the solids")
        before, shapes, solids = self.extent(), len(self.shapes), len(self.solids)
        self._marks += [(shapes + offset, actions) for offset, actions in part._marks]
        for offset, actions in part._solid_marks.items():
            self._solid_marks[solids + offset] = actions
        self.shapes += part.shapes
        self.solids += part.solids
        if (part.texts or part.points) and (self.texts or self.points):
            self._renumber(shapes, before)
        if part.meshes:
            self._renumber_meshes(solids, [self._number_of(mesh) for mesh in part.meshes])
        self.texts += part.texts
        self.points += part.points
        self.parts.append(Piece(before, self.extent(), part))

    def extent(self) -> Extent:
        """How much has been drawn."""
        return Extent(
            len(self.shapes) // SHAPE.size, len(self.texts), len(self.points) // 8, len(self.solids) // SOLID.size
        )

    def background(self, top: int, bottom: int | None = None) -> None:
        """Fill the whole canvas, behind everything, with a colour or a vertical gradient."""
        self.sky = (top, top if bottom is None else bottom)

    def disc(
        self,
        x: float,
        y: float,
        r: float,
        colour: int,
        *,
        edge: int | None = None,
        edge_width: float = 0,
        alpha: float = 1,
        soft: float = 0,
        does: Action | None = None,
        right: Action | None = None,
        wheel: Action | None = None,
    ) -> None:
        """A disc of radius r. The edge lies inside it; soft is the width in pixels over which it fades."""
        if does is not None or right is not None or wheel is not None:
            self._mark(alpha, does, right, wheel)
        if edge is None:
            edge_width = edge = 0
        self.shapes += _shape(DISC, x, y, r, r, 0, 0, soft, edge_width, 0, 0, alpha, colour, colour, edge, 0)

    def ellipse(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        colour: int,
        *,
        turn: float = 0,
        edge: int | None = None,
        edge_width: float = 0,
        alpha: float = 1,
        soft: float = 0,
        does: Action | None = None,
        right: Action | None = None,
        wheel: Action | None = None,
    ) -> None:
        """An ellipse of radii rx and ry, turned; else like a disc."""
        if does is not None or right is not None or wheel is not None:
            self._mark(alpha, does, right, wheel)
        if edge is None:
            edge_width = edge = 0
        self.shapes += _shape(DISC, x, y, rx, ry, 0, turn, soft, edge_width, 0, 0, alpha, colour, colour, edge, 0)

    def box(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        colour: int,
        *,
        radius: float = 0,
        turn: float = 0,
        bottom: int | None = None,
        edge: int | None = None,
        edge_width: float = 0,
        alpha: float = 1,
        soft: float = 0,
        does: Action | None = None,
        right: Action | None = None,
        wheel: Action | None = None,
    ) -> None:
        """A box of w × h pixels around its centre, with rounded corners, turned about its centre.

        bottom: colour of its lower side, for a gradient. The edge lies inside. A soft box is rounded.
        """
        if does is not None or right is not None or wheel is not None:
            self._mark(alpha, does, right, wheel)
        if edge is None:
            edge_width = edge = 0
        if bottom is None:
            bottom = colour
        w *= 0.5
        h *= 0.5
        if radius < soft / 2:
            radius = soft / 2
        if radius > w or radius > h:
            radius = w if w < h else h
        self.shapes += _shape(BOX, x, y, w, h, radius, turn, soft, edge_width, 0, 0, alpha, colour, bottom, edge, 0)

    def line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        width: float,
        colour: int,
        *,
        alpha: float = 1,
        does: Action | None = None,
        right: Action | None = None,
        wheel: Action | None = None,
    ) -> None:
        """A line with round caps, which reach half a width beyond its ends."""
        if does is not None or right is not None or wheel is not None:
            self._mark(alpha, does, right, wheel)
        self.shapes += _shape(LINE, x1, y1, x2, y2, width / 2, 0, 0, 0, 0, 0, alpha, colour, colour, 0, 0)

    def path(
        self, points: Sequence[Point], width: float, colour: int, *, closed: bool = False, alpha: float = 1
    ) -> None:
        """A run of lines through points, round at joints and ends. Not pressable."""
        first, count = self._put_points(points)
        self.shapes += _shape(PATH, 0, 0, 0, 0, width / 2, 0, 0, 0, closed, 0, alpha, colour, count, 0, first)

    def polygon(
        self,
        points: Sequence[Point],
        colour: int,
        *,
        edge: int | None = None,
        edge_width: float = 0,
        alpha: float = 1,
        does: Action | None = None,
        right: Action | None = None,
        wheel: Action | None = None,
    ) -> None:
        """A simple polygon, convex or not, in either sense of turning. The edge lies inside."""
        if does is not None or right is not None or wheel is not None:
            self._mark(alpha, does, right, wheel)
        if edge is None:
            edge_width = edge = 0
        first, count = self._put_points(points)
        self.shapes += _shape(POLYGON, 0, 0, 0, 0, 0, 0, 0, edge_width, 0, 0, alpha, colour, count, edge, first)

    def ring(
        self,
        x: float,
        y: float,
        r: float,
        width: float,
        colour: int,
        *,
        alpha: float = 1,
        does: Action | None = None,
        right: Action | None = None,
        wheel: Action | None = None,
    ) -> None:
        """A band of some width around the circle of radius r."""
        if does is not None or right is not None or wheel is not None:
            self._mark(alpha, does, right, wheel)
        self.shapes += _shape(RING, x, y, r, r, width / 2, 0, 0, 0, 0, 0, alpha, colour, colour, 0, 0)

    def arc(
        self,
        x: float,
        y: float,
        r: float,
        start: float,
        sweep: float,
        width: float,
        colour: int,
        *,
        alpha: float = 1,
    ) -> None:
        """A part of a ring from angle start over sweep (0: to the right, clockwise), with straight ends."""
        if sweep < 0:
            start, sweep = start + sweep, -sweep
        if sweep >= TAU:
            self.ring(x, y, r, width, colour, alpha=alpha)
            return
        half = sweep / 2
        self.shapes += _shape(ARC, x, y, r, r, width / 2, start + half, 0, 0, half, 0, alpha, colour, colour, 0, 0)

    def glow(self, x: float, y: float, r: float, colour: int, *, alpha: float = 1) -> None:
        """Light that is added to what lies below, brightest at the centre and gone at r."""
        self.shapes += _shape(GLOW, x, y, r, r, 0, 0, 0, 0, 0, 0, alpha, colour, colour, 0, 0)

    def shadow(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        *,
        radius: float = 0,
        blur: float = 12,
        alpha: float = 0.4,
        turn: float = 0,
    ) -> None:
        """The soft shadow of a box, blurred over blur pixels each way. Of a disc: w = h = 2 r, radius = r."""
        self.shapes += _shape(SHADOW, x, y, w / 2, h / 2, radius, turn, blur, 0, 0, 0, alpha, 0, 0, 0, 0)

    def text(
        self,
        x: float,
        y: float,
        string: str,
        size: float,
        colour: int,
        *,
        align: str = "centre",
        bold: bool = False,
        alpha: float = 1,
        turn: float = 0,
    ) -> None:
        """One line of text; size in pixels. y is the middle of its capitals.

        align: which part of it is at x, "centre", "left" or "right"; raises KeyError for another.
        """
        self.shapes += _shape(
            TEXT, x, y, size, 0, 0, turn, 0, 0, 0, 0, alpha, colour, _ALIGN[align], bold, len(self.texts)
        )
        self.texts.append(string)

    # Solids

    def camera(self, eye: Vector, target: Vector, *, fov: float = 60, up: Vector = (0, 1, 0)) -> None:
        """See the solids from eye towards target (metres, y up); fov: vertical, in degrees.

        Raises ValueError after the first solid, or when the camera looks along up or nowhere.
        """
        if self.solids:
            raise ValueError("the camera must come before the solids")
        try:
            self.view = camera(eye, target, fov, up, self.width, self.height)
        except ZeroDivisionError:
            raise ValueError("the camera looks along its up direction, or its target is its eye") from None

    def light(self, direction: Vector, colour: int = 0xFFFFFF, *, ambient: int = 0x8090A0) -> None:
        """The sun: the direction in which it shines, its colour, and the colour of light from all sides."""
        self.sun = Sun(unit(direction), colour, ambient)

    def fog(self, colour: int, near: float, far: float) -> None:
        """Let solids fade into a colour between two depths in metres."""
        self.haze = Fog(colour, near, far)

    def solid(
        self,
        kind: str,
        position: Vector,
        size: Vector,
        colour: int,
        *,
        turn: Vector = (0, 0, 0),
        shine: float = 0,
        glow: float = 0,
        casts: bool = True,
        does: Action | None = None,
        right: Action | None = None,
        wheel: Action | None = None,
    ) -> None:
        """A box, ball, cylinder, cone, capsule or plane around its centre.

        size: full extents in metres along its own axes; cylinder, cone (tip up) and capsule stand along y, a
        plane lies flat and ignores y. turn: (yaw, pitch, roll). shine 0..1: highlight; glow 0..1: own light;
        casts: throws a shadow. Raises ValueError for another kind or without a camera.
        """
        if kind not in _SOLID_KIND or kind == "mesh":
            raise ValueError(f"no such solid: {kind!r}")
        self._put_solid(_SOLID_KIND[kind], position, size, colour, turn, shine, glow, casts, 0, does, right, wheel)

    def mesh(
        self,
        key: str,
        vertices: Sequence[Vector],
        faces: Sequence[Sequence[int]],
        position: Vector,
        colour: int | Sequence[int],
        *,
        turn: Vector = (0, 0, 0),
        shine: float = 0,
        glow: float = 0,
        casts: bool = True,
        does: Action | None = None,
        right: Action | None = None,
        wheel: Action | None = None,
    ) -> None:
        """Flat shaded triangles; faces are triples of vertex indices, counter-clockwise from outside.

        colour: one for all, or one a face. key names the mesh: packing and upload are kept for it, and done
        anew when its vertices, faces or colours change. Tuples are compared faster than lists.
        Raises ValueError without a camera.
        """
        packed = _packed(key, vertices, faces, None if isinstance(colour, int) else colour)
        index = self._number_of(packed)
        own = colour if isinstance(colour, int) else 0xFFFFFF
        self._put_solid(6, position, (1, 1, 1), own, turn, shine, glow, casts, index, does, right, wheel)

    def project(self, point: Vector) -> Vector:
        """Screen x and y in pixels and depth in metres of a point in space; depth <= 0: behind the camera.

        Raises ValueError without a camera.
        """
        if self.view is None:
            raise ValueError("the picture has no camera")
        return self.view.project(point)

    # Presses

    def hit(self, x: float, y: float, button: str = "left") -> Action | None:
        """What a press there does: the command or Hold of the topmost shape or nearest solid.

        It alone answers: None where it has nothing for this button ("left", "right", "wheel").
        """
        actions = self._top(x, y)
        return None if actions is None else actions[_BUTTON[button]]

    def actions(self, button: str = "left") -> list[Action]:
        """What there is to press with this button: each command or Hold once, lowest shape first, solids last."""
        marks = [*(marks for _, marks in self._marks), *self._solid_marks.values()]
        return list(dict.fromkeys(found for each in marks if (found := each[_BUTTON[button]]) is not None))

    def find(self, action: Action) -> list[Point]:
        """Points where a press reaches what carries this command or Hold, deepest inside first.

        A point counts only where it is on the canvas and nothing pressable covers it. For oracles.
        """
        return self._places(action, deepest=False)

    def deepest(self, action: Action) -> Point | None:
        """The first point that `find` would give; sooner, as others are not looked at once they cannot be it."""
        return next(iter(self._places(action, deepest=True)), None)

    def lies(self, x: float, y: float, action: Action) -> bool:
        """Whether a shape that carries this lies there, even if something covers it. Not for solids."""
        return any(action in actions and area.distance(x, y) <= 0 for area, actions in self._shape_areas())

    def digest(self) -> str:
        """Hash of all that is drawn; the same on every machine. Commands are not part of it."""
        meshes = b"".join(chain.from_iterable((m.triangles, m.colours) for m in self.meshes))
        frame = repr((self.width, self.height, self.sky, self.texts, self.view, self.sun, self.haze))
        parts = (frame.encode(), self.shapes, self.points, self.solids, meshes)
        total = blake2b(digest_size=16)
        for part in parts:
            total.update(len(part).to_bytes(8, "little"))
            total.update(part)
        return total.hexdigest()

    # Inside

    def _places(self, action: Action, deepest: bool) -> list[Point]:
        """What `find` gives; deepest: of each shape only the deepest."""
        found: list[tuple[float, Point]] = []
        areas = self._shape_areas()
        for i, (area, actions) in enumerate(areas):
            if action in actions:
                above = [a for a, _ in areas[i + 1 :] if overlap(a.bounds, area.bounds)]
                found += self._inside(area, above, deepest)
        for body in self._solid_bodies() if self._solid_marks else ():
            if body.actions is not None and action in body.actions:
                found += self._inside_solid(body)
        found.sort(key=lambda one: -one[0])
        return [point for _, point in found]

    def _mark(self, alpha: float, does: Action | None, right: Action | None, wheel: Action | None) -> None:
        if alpha > 0:
            self._marks.append((len(self.shapes), (does, right, wheel)))

    def _put_points(self, points: Iterable[Point]) -> tuple[int, int]:
        flat = list(chain.from_iterable(points))
        first = len(self.points) // 8
        self.points += pack(f"<{len(flat)}f", *flat)
        return first, len(flat) // 2

    def _number_of(self, mesh: Mesh) -> int:
        """The index of a mesh among the picture's; it is added when it is new."""
        index = self._mesh_index.get(id(mesh))
        if index is None:
            index = self._mesh_index[id(mesh)] = len(self.meshes)
            self.meshes.append(mesh)
        return index

    def _renumber(self, offset: int, before: Extent) -> None:
        """Have the shapes from an offset on refer to their texts and points, which follow those from before."""
        words = memoryview(self.shapes)[offset:].cast("I")
        for extra in range(WORDS - 1, len(words), WORDS):
            kind = words[extra - WORDS + 1]
            if kind == TEXT:
                words[extra] += before.texts
            elif kind >= POLYGON:
                words[extra] += before.points

    def _renumber_meshes(self, offset: int, numbers: list[int]) -> None:
        words = memoryview(self.solids)[offset:].cast("I")
        for mesh in range(WORDS - 2, len(words), WORDS):
            if words[mesh - WORDS + 2] == _SOLID_KIND["mesh"]:
                words[mesh] = numbers[words[mesh]]

    def _put_solid(
        self,
        kind: int,
        position: Vector,
        size: Vector,
        colour: int,
        turn: Vector,
        shine: float,
        glow: float,
        casts: bool,
        mesh: int,
        does: Action | None,
        right: Action | None,
        wheel: Action | None,
    ) -> None:
        if self.view is None and not self._partial:
            raise ValueError("the camera must come before the solids")
        if does is not None or right is not None or wheel is not None:
            self._solid_marks[len(self.solids)] = (does, right, wheel)
        self.solids += _solid(kind, *position, *size, *turn, colour, shine, glow, casts, mesh, 0)

    def _shape_areas(self) -> list[tuple[Area, tuple[Action | None, ...]]]:
        for offset, actions in self._marks[len(self._areas) :]:
            self._areas.append((area_of(SHAPE.unpack_from(self.shapes, offset), self.points), actions))
        return self._areas

    def _solid_bodies(self) -> list[Body]:
        for offset in range(len(self._bodies) * SOLID.size, len(self.solids), SOLID.size):
            assert self.view is not None
            kind, px, py, pz, sx, sy, sz, yaw, pitch, roll, *rest = SOLID.unpack_from(self.solids, offset)
            triangles = _triangles(self.meshes[rest[4]]) if SOLIDS[kind] == "mesh" else []
            position, size = (px, py, pz), (sx, sy, sz)
            reach = sqrt(max((dot(c, c) for c in chain.from_iterable(triangles)), default=dot(size, size) / 4))
            away = subtract(position, self.view.eye)
            matrix = rotation((yaw, pitch, roll)) if yaw or pitch or roll else STRAIGHT
            actions = self._solid_marks.get(offset)
            far = sqrt(dot(away, away))
            self._bodies.append(Body(SOLIDS[kind], position, size, matrix, triangles, actions, away, far, reach))
        return self._bodies

    def _top(self, x: float, y: float) -> tuple[Action | None, ...] | None:
        for area, actions in reversed(self._shape_areas()):
            left, top, right, bottom = area.bounds
            if left <= x <= right and top <= y <= bottom and area.distance(x, y) <= 0:
                return actions
        body = self._nearest(x, y) if self._solid_marks else None
        return None if body is None else body.actions

    def _nearest(self, x: float, y: float) -> Body | None:
        assert self.view is not None
        ray = self.view.ray(x, y)
        best: Body | None = None
        nearest = 1e30
        for body in self._solid_bodies():
            depth = body.depth(self.view.eye, ray)
            if depth is not None and depth < nearest:
                best, nearest = body, depth
        return best

    def _inside(self, area: Area, above: list[Area], deepest: bool) -> list[tuple[float, Point]]:
        """Points of the area that nothing above covers, each with its depth inside in pixels; deepest: only that."""
        found: list[tuple[float, Point]] = []
        floor = 0.0  # what a depth must exceed to count

        def depth(x: float, y: float) -> float:
            """How deep a point lies, or something no greater than the floor; it is found if it counts."""
            nonlocal floor
            inside = min(x, y, self.width - x, self.height - y, -area.distance(x, y))
            for other in above:
                if inside <= floor:
                    return inside
                inside = min(inside, other.distance(x, y))
            if inside > floor:
                if deepest:
                    found.clear()
                    floor = inside
                found.append((inside, (x, y)))
            return inside

        left, top, right, bottom = area.bounds
        if area.heart is None or depth(*area.heart) < -area.distance(*area.heart):
            for n in (9, 25):
                for i in range(n):
                    for k in range(n):
                        depth(left + (right - left) * (i + 0.5) / n, top + (bottom - top) * (k + 0.5) / n)
                if found:
                    break
        return found

    def _inside_solid(self, body: Body) -> list[tuple[float, Point]]:
        """Points where the solid is the nearest and uncovered, each with its depth inside in pixels."""
        bounds = self._solid_bounds(body)
        if bounds is None:
            return []
        left, top, right, bottom = bounds
        others = [other for other in self._solid_bodies() if other is not body and body.may_meet(other)]
        for n in (7, 21):
            dx, dy = (right - left) / n, (bottom - top) / n
            spots = {(i, k): (left + (i + 0.5) * dx, top + (k + 0.5) * dy) for i in range(n) for k in range(n)}
            own = {at for at, (x, y) in spots.items() if self._is_seen(body, others, x, y)}
            if own:
                break
        found: list[tuple[float, Point]] = []
        layer = 0
        while own:
            inner = {
                (i, k)
                for i, k in own
                if (i - 1, k) in own and (i + 1, k) in own and (i, k - 1) in own and (i, k + 1) in own
            }
            found += [((layer + 0.5) * min(dx, dy), spots[at]) for at in sorted(own - inner)]
            own, layer = inner, layer + 1
        middle = ((left + right) / 2, (top + bottom) / 2)
        found.sort(key=lambda one: (-one[0], hypot(one[1][0] - middle[0], one[1][1] - middle[1])))
        return found

    def _is_seen(self, body: Body, others: list[Body], x: float, y: float) -> bool:
        assert self.view is not None
        eye, ray = self.view.eye, self.view.ray(x, y)
        depth = body.depth(eye, ray)
        if depth is None or any(area.distance(x, y) <= 0 for area, _ in self._shape_areas()):
            return False
        depths = (other.depth(eye, ray) for other in others)
        return all(other is None or other > depth for other in depths)

    def _solid_bounds(self, body: Body) -> tuple[float, float, float, float] | None:
        """The screen rectangle around a solid, cut to the canvas; None when outside or behind."""
        assert self.view is not None
        if body.kind == "mesh":
            corners = list(chain.from_iterable(body.triangles))
        else:
            sx, sy, sz = body.size
            corners = [(i * sx / 2, k * sy / 2, m * sz / 2) for i in (-1, 1) for k in (-1, 1) for m in (-1, 1)]
        seen = [self.view.project(add(body.position, turned(body.matrix, c))) for c in corners]
        if all(depth <= 0 for _, _, depth in seen):
            return None
        if any(depth <= 0.01 for _, _, depth in seen):  # partly behind the eye: it may reach anywhere
            return (0, 0, self.width, self.height)
        left, right = max(0, min(s[0] for s in seen)), min(self.width, max(s[0] for s in seen))
        top, bottom = max(0, min(s[1] for s in seen)), min(self.height, max(s[1] for s in seen))
        return (left, top, right, bottom) if left < right and top < bottom else None


def kept(draw: Callable[Concatenate[Picture, _Arguments], None]) -> Callable[Concatenate[Picture, _Arguments], None]:
    """A function that draws a still part, so that it only draws what it has not drawn yet.

    Beside the picture it takes plain values (numbers, strings, tuples and lists of them), on which alone what it draws
    depends: not the camera, whose solids it may draw. Raises ValueError for other arguments.
    """
    parts: dict[bytes, Picture] = {}

    def add_kept(picture: Picture, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> None:
        # exact, since equal values may draw different bytes: 0.0 and -0.0
        given: Any = (picture.width, picture.height, args, kwargs)
        key = dumps(given, 2)
        part = parts.get(key)
        if part is None:
            part = Picture(picture.width, picture.height)
            part._partial = True
            draw(part, *args, **kwargs)
            if len(parts) >= 128:
                parts.pop(next(iter(parts)))
            parts[key] = part
        picture.add(part)

    return wraps(draw)(add_kept)


def _triangles(mesh: Mesh) -> list[tuple[Vector, Vector, Vector]]:
    return [(t[0:3], t[3:6], t[6:9]) for t in Struct("<9f").iter_unpack(mesh.triangles)]


_kept: dict[str, tuple[Any, Any, Any, Mesh]] = {}  # packed meshes of recent keys


def _packed(
    key: str, vertices: Sequence[Vector], faces: Sequence[Sequence[int]], colours: Sequence[int] | None
) -> Mesh:
    given = (vertices, faces, colours)
    kept = _kept.get(key)
    if kept is not None and all(one is other or one == other for one, other in zip(kept, given, strict=False)):
        return kept[3]
    flat = [x for face in faces for corner in face for x in vertices[corner]]
    mesh = Mesh(
        key,
        pack(f"<{len(flat)}f", *flat),
        b"" if colours is None else pack(f"<{len(colours)}I", *colours),
    )
    if len(_kept) >= 256:
        _kept.pop(next(iter(_kept)))
    # copies, so that a list changed in place later is not equal to what was packed
    _kept[key] = (
        vertices if isinstance(vertices, tuple) else [tuple(v) for v in vertices],
        faces if isinstance(faces, tuple) else [tuple(f) for f in faces],
        colours if colours is None or isinstance(colours, tuple) else list(colours),
        mesh,
    )
    return mesh
