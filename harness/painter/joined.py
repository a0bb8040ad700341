"""Solids joined into few large ones, for small canvases: there each solid costs more than what it shows."""

import numpy as np

from games.kit.picture import Picture
from games.kit.records import SOLIDS, WORDS, Mesh
from harness.painter.forms import form, form_of
from harness.painter.scene import CAPSULE, MESH, MESH_WORD, PLANE, Solids, axes_of, shorten, solids_of

_FINENESS = 0  # of what is round


def join(part: Picture) -> Solids:
    """A part's solids, those of the same shine, glow and shadow as one mesh; planes as they are, for their fog."""
    records, meshes = solids_of(part)
    joined = records[:, 0] != PLANE
    finish = records[:, 11:14]
    out = [records[~joined]]
    forms: list[Mesh] = []
    for one in np.unique(finish[joined], axis=0):
        alike = np.flatnonzero(joined & (finish == one).all(axis=1))
        pieces = [_placed(records[i], meshes) for i in alike.tolist()]
        triangles, colours = (np.concatenate(each) for each in zip(*pieces, strict=True))
        record = np.zeros((1, WORDS), np.uint32)
        record[0, 0], record[0, 10], record[0, 11:14], record[0, MESH_WORD] = MESH, 0xFFFFFF, one, len(forms)
        record.view(np.float32)[0, 4:7] = 1
        out.append(record)
        forms.append(Mesh("", triangles.tobytes(), colours.tobytes()))
    return Solids(np.concatenate(out), forms)


def _placed(record: np.ndarray, meshes: list[Mesh]) -> tuple[np.ndarray, np.ndarray]:
    """A solid's triangles in the world (n, 3, 3; float32), and their colours (n; uint32)."""
    kind, values = int(record[0]), record.view(np.float32)
    own = form_of(meshes[record[MESH_WORD]], coarse=False) if kind == MESH else form(SOLIDS[kind], _FINENESS, False)
    size, stretch = values[4:7].copy(), 0.0
    if kind == MESH:
        size[:] = 1
    elif kind == CAPSULE:
        stretch = shorten(size[None])[0]
    corners = own.vertices[:, :3] * size
    corners[:, 1] += own.vertices[:, 3] * np.float32(stretch)
    world = values[1:4] + corners @ axes_of(values[None, 7:10])[0]
    tints = own.vertices.view(np.uint32)[own.triangles[:, 0], 7]
    channels = [(tints >> shift & 255) * (int(record[10]) >> shift & 255) // 255 << shift for shift in (16, 8, 0)]
    return world[own.triangles].astype(np.float32), (channels[0] | channels[1] | channels[2]).astype(np.uint32)
