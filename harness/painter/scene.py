"""What the painter needs to know of a picture's solids: instances, view, and where the sun's shadows fall."""

from functools import lru_cache
from math import hypot
from typing import NamedTuple

import numpy as np

from games.kit.picture import Picture
from games.kit.records import SOLIDS, WORDS, Mesh
from games.kit.space import Camera, Vector, cross, unit
from harness.painter.forms import SEGMENTS, Form, form, form_of

NEAR, FAR = 0.05, 2000.0  # metres
INSTANCE = np.dtype(
    [
        ("axes", "<f4", (3, 3)),
        ("extent", "<f4", 4),
        ("position", "<f4", 3),
        ("ink", "<u4"),
        ("finish", "<f4", 2),
    ]
)
MESH, PLANE, CAPSULE, _BOX, _BALL = (SOLIDS.index(kind) for kind in ("mesh", "plane", "capsule", "box", "ball"))
MESH_WORD = 14  # of a record: where it names its mesh
_MESHES, _PLANES = 1000, 1_000_000  # families: those of solids come before, each mesh has its own
_SHADE = 1  # fineness of what throws shadows
_CLEAR = (7.0, 16.0, 60.0, 130.0)  # pixels of radius up to which each fineness is within half a pixel of round


class Group(NamedTuple):
    """Solids of one form: a key for what the painter keeps of it, and how to make it."""

    key: tuple[str, int, bool] | tuple[bytes, bytes, bool]  # kind and fineness, or a mesh's bytes; whether coarse
    mesh: Mesh | None
    solids: int  # how many

    @property
    def thin(self) -> bool:
        """Whether it is seen from both sides."""
        return self.mesh is not None or self.key[0] == "plane"

    def form(self) -> Form:
        """The group's triangles."""
        return form_of(self.mesh, self.key[2]) if self.mesh is not None else form(*self.key)


class Lot(NamedTuple):
    """Solids to draw, group after group: those that are thin last, planes after them."""

    groups: list[Group]
    instances: np.ndarray  # of INSTANCE


class Scene(NamedTuple):
    """Solids ready to draw. Matrices are laid out as OpenGL reads them (columns first)."""

    seen: Lot  # of each form the nearest first
    casts: Lot  # what throws shadows, also from outside the view
    view: np.ndarray  # 4 × 4, world to clip space
    sunward: np.ndarray  # 4 × 4, world to shadow map, each coordinate 0 to 1
    texel: float  # of the shadow map, in metres


class Solids(NamedTuple):
    """Records like SOLID's (n, 16; uint32), and the meshes that they refer to."""

    records: np.ndarray
    meshes: list[Mesh]


def solids_of(picture: Picture) -> Solids:
    """Those of a picture."""
    return Solids(np.frombuffer(picture.solids, np.uint32).reshape(-1, WORDS), picture.meshes)


def scene(
    picture: Picture, solids: Solids, stretch: tuple[float, float], scale: float, shadow_size: int, coarse: bool
) -> Scene:
    """The scene of a picture with a camera.

    solids: what there is to see. stretch: how much of the canvas the picture covers, by width and height. scale:
    pixels of the canvas for one of the picture. shadow_size: texels a side. coarse: with forms for small canvases.
    """
    camera = picture.view
    assert camera is not None
    records = solids.records
    values = records.view(np.float32)
    kinds, position, size = records[:, 0], values[:, 1:4], values[:, 4:7].copy()
    meshes = np.flatnonzero(kinds == MESH)
    if len(meshes):
        sizes = np.array([_mesh_size(mesh.triangles) for mesh in solids.meshes])
        size[meshes] = sizes[records[meshes, MESH_WORD]]
    planes = kinds == PLANE
    size[planes, 1] = 0
    reach = np.sqrt(np.einsum("ni,ni->n", size, size)) / 2
    axes = axes_of(values[:, 7:10])

    looking = np.array((camera.forward, camera.right, camera.up), np.float32)
    depth, sideways, upward = looking @ (position - np.array(camera.eye, np.float32)).T
    wide, high = camera.width / 2 / camera.focal, camera.height / 2 / camera.focal
    beside = np.abs(sideways) - wide * depth - reach * hypot(1, wide)  # metres from the view to the solid, if > 0
    above = np.abs(upward) - high * depth - reach * hypot(1, high)
    seen = (depth > NEAR - reach) & (beside < 0) & (above < 0)

    # what is too far outside the view to throw a shadow into it, or lost in the fog, throws none
    far = float(depth[seen].max(initial=NEAR))
    spread = 0.15 * far
    casts = (records[:, 13] != 0) & (depth > -reach - spread) & (beside < spread)
    if picture.haze:
        casts &= depth - reach < picture.haze.far
    # nor does the ground that all the others stand on
    slab = (planes | (kinds == _BOX)) & (size[:, 1] < 0.2 * np.minimum(size[:, 0], size[:, 2]))
    slab &= (values[:, 8] == 0) & (values[:, 9] == 0)
    top = position[:, 1] + size[:, 1] / 2
    ground = slab & (top < top[slab].min(initial=np.inf) + 0.01 * far)
    casts &= ~(ground & (top <= position[~slab, 1].min(initial=np.inf)))

    light = _light_axes(picture.sun.direction)
    spans = np.einsum("nk,nkl->nl", size[casts] / 2, np.abs(axes[casts] @ light.T))
    sunward, texel = _sunward(light, position[casts] @ light.T, spans, shadow_size)

    is_round = (kinds != _BOX) & (kinds < PLANE)
    radius = np.where(kinds == _BALL, size.max(axis=1), np.maximum(size[:, 0], size[:, 2])) / 2
    fineness = np.searchsorted(_CLEAR, radius * camera.focal * scale / np.maximum(depth - radius, NEAR))
    # vertices carry the light: a highlight needs more of them
    fineness = np.where(is_round, np.minimum(fineness + (values[:, 11] > 0), len(SEGMENTS) - 1), 0)
    family = kinds.astype(np.int64) * len(SEGMENTS)
    family[meshes] = _MESHES + records[meshes, MESH_WORD]
    family[planes] = _PLANES

    instances = np.empty(len(records), INSTANCE)
    instances["axes"], instances["position"] = axes, position
    instances["ink"], instances["finish"] = records[:, 10], values[:, 11:13]
    instances["extent"][:, 3] = 0
    capsules = np.flatnonzero(kinds == CAPSULE)
    if len(capsules):
        balls = size[capsules]
        instances["extent"][capsules, 3] = shorten(balls)
        size[capsules] = balls
    size[planes, 1] = 1
    size[meshes] = 1
    instances["extent"][:, :3] = np.maximum(size, 1e-4)

    near_first = np.argsort(depth, kind="stable")
    near_first = near_first[seen[near_first]]
    lot = _lot(solids.meshes, instances[near_first], (family + fineness)[near_first], coarse)
    # coarse forms must not stick out of the finer ones that they shade
    casting = instances[casts]
    casting["extent"][is_round[casts]] *= 0.96
    shade = (family + np.minimum(fineness, _SHADE))[casts]
    return Scene(lot, _lot(solids.meshes, casting, shade, coarse), _view(camera, stretch), sunward, texel)


@lru_cache(maxsize=256)
def _mesh_size(triangles: bytes) -> np.ndarray:
    """Full extents of the smallest box around the mesh's origin that holds it."""
    corners = np.frombuffer(triangles, np.float32).reshape(-1, 3)
    return 2 * np.abs(corners).max(axis=0, initial=0)


def _lot(meshes: list[Mesh], instances: np.ndarray, family: np.ndarray, coarse: bool) -> Lot:
    order = np.argsort(family, kind="stable")
    families, counts = np.unique(family, return_counts=True)
    groups = []
    for one, count in zip(families.tolist(), counts.tolist(), strict=True):
        if _MESHES <= one < _PLANES:
            mesh = meshes[one - _MESHES]
            groups.append(Group((mesh.triangles, mesh.colours, coarse), mesh, count))
        else:
            kind, fineness = ("plane", 0) if one == _PLANES else (SOLIDS[one // len(SEGMENTS)], one % len(SEGMENTS))
            groups.append(Group((kind, fineness, coarse), None, count))
    return Lot(groups, instances[order])


def shorten(capsules: np.ndarray) -> np.ndarray:
    """Make balls of capsules (n, 3; full extents), in place; returns how far each half is to be moved out again (n)."""
    cap = capsules.min(axis=1)
    stretch: np.ndarray = (capsules[:, 1] - cap) / 2
    capsules[:, 1] = cap
    return stretch


def axes_of(turn: np.ndarray) -> np.ndarray:
    """For each turn (yaw, pitch, roll) the solid's own axes in the world, one a row."""
    (sy, sx, sz), (cy, cx, cz) = np.sin(turn).T, np.cos(turn).T
    x = (cy * cz + sy * sx * sz, cx * sz, cy * sx * sz - sy * cz)
    y = (sy * sx * cz - cy * sz, cx * cz, sy * sz + cy * sx * cz)
    z = (sy * cx, -sx, cy * cx)
    return np.array((x, y, z), np.float32).transpose(2, 0, 1)


def _view(camera: Camera, stretch: tuple[float, float]) -> np.ndarray:
    """World to clip space, with y down because row 0 of memory is the picture's top."""
    scale_x = 2 * camera.focal / camera.width * stretch[0]
    scale_y = -2 * camera.focal / camera.height * stretch[1]
    eye = np.array(camera.eye)
    rows = np.zeros((4, 4))
    rows[0, :3] = np.array(camera.right) * scale_x
    rows[1, :3] = np.array(camera.up) * scale_y
    rows[2, :3] = np.array(camera.forward) * ((FAR + NEAR) / (FAR - NEAR))
    rows[3, :3] = camera.forward
    rows[:, 3] = -rows[:, :3] @ eye
    rows[2, 3] -= 2 * FAR * NEAR / (FAR - NEAR)
    return rows.T.astype(np.float32)


def _light_axes(direction: Vector) -> np.ndarray:
    """Three unit vectors, one a row: two across the light, and the one along it."""
    side = unit(cross(direction, (0.0, 0.0, 1.0) if abs(direction[1]) > 0.9 else (0.0, 1.0, 0.0)))
    return np.array((side, cross(side, direction), direction))


def _sunward(light: np.ndarray, centres: np.ndarray, spans: np.ndarray, shadow_size: int) -> tuple[np.ndarray, float]:
    """World to shadow map over solids (centres and half extents along the light's axes), and a texel's metres."""
    if not len(centres):
        return np.zeros((4, 4), np.float32), 0.0
    low, high = (centres - spans).min(axis=0), (centres + spans).max(axis=0)
    # rounded up in steps, so that the map's texels stay in place while things move a little
    span = float(max(high[0] - low[0], high[1] - low[1], 0.1))
    step = 2.0 ** np.ceil(np.log2(span)) / 16
    span = np.ceil(span * 1.04 / step) * step
    texel = span / shadow_size
    centre = np.round((low + high) / 2 / (8 * texel)) * (8 * texel)
    rows = np.zeros((4, 4))
    rows[0, :3], rows[1, :3] = light[0] / span, light[1] / span
    rows[0, 3], rows[1, 3] = 0.5 - centre[0] / span, 0.5 - centre[1] / span
    deep = float(high[2] - low[2]) * 1.1 + 1e-3
    rows[2, :3], rows[2, 3] = light[2] / deep, 0.02 - low[2] / deep
    rows[3, 3] = 1
    return rows.T.astype(np.float32), float(texel)
