"""What the painter needs to know of a picture's solids: instances, view, and where the sun's shadows fall."""

from typing import NamedTuple

import numpy as np

from games.kit.picture import SOLID, SOLIDS, Mesh, Picture
from games.kit.space import Camera, Vector
from harness.forms import SEGMENTS, Form, form, form_of

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
_WORDS = SOLID.size // 4
_MESH, _PLANE, _CAPSULE, _BOX = (SOLIDS.index(kind) for kind in ("mesh", "plane", "capsule", "box"))
_CLEAR = (16.0, 60.0)  # pixels of radius from which a round solid needs the next fineness


class Group(NamedTuple):
    """Solids of one form: a key for what the painter keeps of it, and how to make it."""

    key: tuple
    mesh: Mesh | None
    thin: bool
    instances: np.ndarray  # of INSTANCE, nearest first
    casts: np.ndarray  # of INSTANCE: those that throw shadows, also from outside the view

    def form(self) -> Form:
        """The group's triangles."""
        return form_of(self.mesh) if self.mesh is not None else form(self.key[0], self.key[1])


class Scene(NamedTuple):
    """Solids ready to draw. Matrices are laid out as OpenGL reads them (columns first)."""

    groups: list[Group]
    view: np.ndarray  # 4 × 4, world to clip space
    sunward: np.ndarray  # 4 × 4, world to shadow map, each coordinate 0 to 1
    texel: float  # of the shadow map, in metres


def scene(picture: Picture, stretch: tuple[float, float], shadow_size: int) -> Scene:
    """The scene of a picture with a camera.

    stretch: how much of the canvas the picture covers, by width and height. shadow_size: texels.
    """
    camera = picture.view
    assert camera is not None
    records = np.frombuffer(picture.solids, np.uint32).reshape(-1, _WORDS)
    values = records.view(np.float32)
    kinds, position, size = records[:, 0], values[:, 1:4], values[:, 4:7].copy()
    reach = np.linalg.norm(size, axis=1) / 2
    meshes = kinds == _MESH
    for i in np.flatnonzero(meshes):
        corners = np.frombuffer(picture.meshes[records[i, 14]].triangles, np.float32).reshape(-1, 3)
        reach[i] = np.sqrt((corners * corners).sum(axis=1).max(initial=0))
    size[kinds == _PLANE, 1] = 1

    away = position - np.array(camera.eye, np.float32)
    depth = away @ np.array(camera.forward, np.float32)
    sideways = np.abs(away @ np.array(camera.right, np.float32))
    upward = np.abs(away @ np.array(camera.up, np.float32))
    wide, high = camera.width / 2 / camera.focal, camera.height / 2 / camera.focal
    seen = (
        (depth > NEAR - reach)
        & (sideways - wide * depth < reach * np.hypot(1, wide))
        & (upward - high * depth < reach * np.hypot(1, high))
    )
    pixels = reach * 0.6 * camera.focal / np.maximum(depth, NEAR)
    fineness = np.searchsorted(_CLEAR, pixels)
    fineness[(kinds == _PLANE) | (kinds == _BOX)] = 0

    instances = np.empty(len(records), INSTANCE)
    instances["axes"] = _axes(values[:, 7:10])
    instances["position"] = position
    instances["ink"] = records[:, 10]
    instances["finish"] = values[:, 11:13]
    instances["extent"][:, 3] = 0
    capsules = np.flatnonzero(kinds == _CAPSULE)
    if len(capsules):
        cap = size[capsules].min(axis=1)
        instances["extent"][capsules, 3] = (size[capsules, 1] - cap) / 2
        size[capsules, 1] = cap
    instances["extent"][:, :3] = np.maximum(size, 1e-4)

    # what is too far outside the view to throw a shadow into it, or lost in the fog, throws none
    spread = 0.3 * float(np.median(depth[seen])) if seen.any() else 0.0
    near = (depth > -reach - spread) & (sideways - wide * depth < reach * np.hypot(1, wide) + spread)
    casts = (records[:, 13] != 0) & near & (depth < (picture.haze.far if picture.haze else FAR))
    groups = []
    order = np.argsort(depth, kind="stable")
    family = kinds.astype(np.int64) * len(SEGMENTS) + fineness
    family[meshes] = 1000 + records[meshes, 14]
    for one in np.unique(family):
        members = order[family[order] == one]
        mesh = picture.meshes[one - 1000] if one >= 1000 else None
        kind = "mesh" if mesh is not None else SOLIDS[one // len(SEGMENTS)]
        key = (mesh.triangles, mesh.colours) if mesh is not None else (kind, int(one) % len(SEGMENTS))
        groups.append(
            Group(
                key,
                mesh,
                kind in ("mesh", "plane"),
                instances[members[seen[members]]],
                instances[members[casts[members]]],
            )
        )
    groups.sort(key=lambda group: group.key[0] == "plane")  # the ground last: most of it is hidden by then

    view = _view(camera, stretch)
    sunward, texel = _sunward(picture.sun.direction, position[casts], reach[casts], shadow_size)
    return Scene(groups, view, sunward, texel)


def _axes(turn: np.ndarray) -> np.ndarray:
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


def _sunward(direction: Vector, position: np.ndarray, reach: np.ndarray, shadow_size: int) -> tuple[np.ndarray, float]:
    """World to shadow map over solids at these places with these radii, and the size of its texels in metres."""
    along = np.array(direction)
    side = np.cross(along, (0.0, 0.0, 1.0) if abs(along[1]) > 0.9 else (0.0, 1.0, 0.0))
    side /= np.linalg.norm(side)
    axes = np.stack((side, np.cross(side, along), along))
    if not len(position):
        return np.zeros((4, 4), np.float32), 0.0
    centres = position @ axes.T
    radii = reach[:, None]
    low, high = (centres - radii).min(axis=0), (centres + radii).max(axis=0)
    # rounded up in steps, so that the map's texels stay in place while things move a little
    span = float(max(high[0] - low[0], high[1] - low[1], 0.1))
    step = 2.0 ** np.ceil(np.log2(span)) / 16
    span = np.ceil(span * 1.04 / step) * step
    texel = span / shadow_size
    centre = np.round((low + high) / 2 / (8 * texel)) * (8 * texel)
    rows = np.zeros((4, 4))
    rows[0, :3], rows[1, :3] = axes[0] / span, axes[1] / span
    rows[0, 3], rows[1, 3] = 0.5 - centre[0] / span, 0.5 - centre[1] / span
    deep = float(high[2] - low[2]) + 1.0
    rows[2, :3], rows[2, 3] = axes[2] / deep, (0.5 - low[2]) / deep
    rows[3, 3] = 1
    return rows.T.astype(np.float32), float(texel)
