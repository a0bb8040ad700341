"""Palettes: what must be told apart differs in lightness or form too, so that no colour-blind viewer is shut out.

The deficiencies are simulated on light (linear RGB) with the matrices of Machado, Oliveira and Fernandes (2009), "A
physiologically-based model for simulation of color vision deficiency", IEEE TVCG 15(6), at full severity.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from math import cos, pi, sin
from typing import Any, NamedTuple

import numpy as np

from audit import looks
from audit.kit import Evidence, Result
from audit.play import Taped, follow, lag, think
from audit.players import at_random, picture_of
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.records import ARC, BOX, DISC, LINE, POLYGON, RING, SHAPE, SOLID
from games.kit.world import FIELD_TOP, HEIGHT, TICKS_PER_SECOND, WIDTH
from harness.session import Configuration, copy_world

SEEDS = 2
MODELS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
EVERY = 90  # ticks between the moments looked at
SECONDS = 24  # of a play
CLEAR = 20.0  # of CIELAB (ΔE*ab): colours that were chosen to be told apart
APART = 10.0  # of CIELAB: what is left for the colour-blind that suffices
KEPT = 0.4  # of the difference: what suffices as well, as between near steps of a long scale
TAIL = 90  # percentile of a thing's places by which two things differ
INKS, EACH = 8, 6  # colours of a form, and instances of each, that are compared
OFTEN = 3  # moments in which a text stands before it is judged
READABLE = 2.0  # contrast ratio of texts for the colour-blind

Points = list[tuple[float, float]]
Ink = tuple[int, ...]
View = np.ndarray  # places of a thing, CIELAB


class Thing(NamedTuple):
    """A shape or solid of a frame. form: what it is apart from its place and colour. light: linear RGB at its places.

    slot: what stays the same while its colour changes: the command that it carries, or its number among its like.
    marks: the texts that stand on it.
    """

    form: tuple[Any, ...]
    slot: tuple[Any, ...]
    ink: Ink
    marks: tuple[str, ...]
    light: np.ndarray
    picture: Picture


class Pair(NamedTuple):
    """The two most alike things of two colours. left: how far apart they are for a deficiency, of how far for all."""

    deficiency: str
    left: float
    of: float
    one: Thing
    other: Thing

    @property
    def margin(self) -> float:
        """How often the distance that suffices is left: from 1 on they can be told apart."""
        return self.left / min(APART, KEPT * self.of)


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("palettes", str(configuration))
    forms: dict[Any, list[Thing]] = defaultdict(list)
    ratios: dict[tuple[str, str], list[float]] = defaultdict(list)
    frames = 0
    for picture in (picture for seed in seeds for picture in _pictures(configuration, seed)):
        frame = looks.render(picture)
        frames += 1
        for thing in _things(picture, frame):
            forms[thing.form].append(thing)
        _read(picture, frame, ratios)
    speaking = [things for each in forms.values() if (things := _speaking(each))]
    result.note("frames", frames)
    result.note("forms", len(speaking))
    pairs = [pair for things in speaking for pair in _pairs(things)]
    for name in MODELS:
        mine = sorted((pair for pair in pairs if pair.deficiency == name), key=lambda pair: pair.margin)
        alike = [pair for pair in mine if pair.margin < 1]
        log = evidence.log(name, [_told(pair) for pair in alike])
        evidence.frames(name, [each.picture for pair in alike[:2] for each in (pair.one, pair.other)])
        result.at_least(name, mine[0].margin if mine else 10.0, 1.0, log)
    for name, (worst, text) in _dimmest(ratios).items():
        log = evidence.log(f"text_{name}", [[text, worst]]) if worst < READABLE else ""
        result.at_least(f"text_{name}", worst, READABLE, log)
    return result


def _told(pair: Pair) -> list[Any]:
    inks = [" ".join(f"{colour:06x}" for colour in each.ink) for each in (pair.one, pair.other)]
    return [*inks, pair.left, pair.of, repr(pair.one.form), repr(pair.one.slot), repr(pair.other.slot)]


def _pictures(configuration: Configuration, seed: int) -> Iterator[Picture]:
    """Moments of an oracle's play and of one by chance."""
    for player in ("oracle", "random"):
        session = _Watched(configuration, seed)
        if player == "random":
            follow(session, at_random(session, Dice.named("palettes", seed)), SECONDS * TICKS_PER_SECOND)
        elif session.realtime:
            lag(session, until=SECONDS * TICKS_PER_SECOND)
        else:
            think(session, 0, until=SECONDS * TICKS_PER_SECOND)
        yield from (picture_of(world) for world in session.worlds)


class _Watched(Taped):
    """A session that keeps copies of its world."""

    def __init__(self, configuration: Configuration, seed: int) -> None:
        super().__init__(configuration, seed)
        self.worlds = [copy_world(self.world)]

    def step(self) -> None:
        super().step()
        if self.steps % EVERY == 0:
            self.worlds.append(copy_world(self.world))


# -------------------------------------------------------------------------------- eyes


def seen(light: np.ndarray, deficiency: str = "") -> np.ndarray:
    """Light (linear RGB) as somebody with this deficiency sees it; without one, unchanged."""
    return np.clip(light @ np.array(MODELS[deficiency]).T, 0, 1) if deficiency else light


def lab(light: np.ndarray) -> View:
    """CIELAB (D65) of linear RGB."""
    xyz = (
        light
        @ np.array(
            ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
        ).T
    )
    share = xyz / np.array((0.95047, 1.0, 1.08883))
    f = np.where(share > 216 / 24389, np.cbrt(share), (share * 24389 / 27 + 16) / 116)
    return np.stack((116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])), axis=-1)


def difference(one: View, other: View) -> float:
    """How far two things are apart: the colour difference of the most different tenth of their places (ΔE*ab)."""
    return float(np.percentile(np.linalg.norm(one - other, axis=-1), TAIL))


# -------------------------------------------------------------------------------- things


def _things(picture: Picture, frame: np.ndarray) -> Iterator[Thing]:
    """Shapes and solids that are large enough and wholly in the field, with the light at their places."""
    found = [*_shapes(picture), *_solids(picture)]
    texts = looks.texts(picture)
    counts: dict[Any, int] = defaultdict(int)
    totals: dict[Any, int] = defaultdict(int)
    for form, _, _ in found:
        totals[form] += 1
    for form, ink, points in found:
        counts[form] += 1
        if all(2 <= x < WIDTH - 2 and FIELD_TOP <= y < HEIGHT - 2 for x, y in points):
            action = next((act for x, y in points[:1] if (act := picture.hit(x, y)) is not None), None)
            slot = ("command", action) if action is not None else ("number", totals[form], counts[form])
            columns, rows = np.array(points).astype(int).T
            near = [looks.linear(frame[rows + dy, columns + dx]) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
            box = (min(columns), min(rows), max(columns), max(rows))
            marks = tuple(text.string for text in texts if looks.meet(box, (text.x, text.y, text.x, text.y)))
            yield Thing(form, slot, ink, marks, np.mean(near, axis=0), picture)


def _shapes(picture: Picture) -> Iterator[tuple[tuple[Any, ...], Ink, Points]]:
    corners = np.frombuffer(picture.points, np.float32).reshape(-1, 2)
    for record in SHAPE.iter_unpack(picture.shapes):
        kind, edge_width, alpha, colour, bottom, edge, first = record[0], record[8], *record[11:16]
        if alpha < 0.1 or (kind not in _PLACES and kind != POLYGON):
            continue
        if kind == POLYGON:
            form, points = _polygon(corners[first : first + bottom])
        else:
            form, points = _PLACES[kind](*record[1:10])
        if points:
            yield (kind, *form), (colour, edge) if edge_width else (colour,), points


def _grid(x: float, y: float, wide: float, high: float, turn: float, round_it: bool) -> Points:
    """Places in an ellipse or box, the middle first."""
    c, s = cos(turn), sin(turn)
    own = sorted(product((-0.8, -0.48, -0.16, 0.16, 0.48, 0.8), repeat=2), key=lambda uv: uv[0] ** 2 + uv[1] ** 2)
    return [
        (x + u * wide * c - v * high * s, y + u * wide * s + v * high * c)
        for u, v in own
        if not round_it or u * u + v * v < 0.8
    ]


def _disc(x: float, y: float, wide: float, high: float, _: float, turn: float, *__: float) -> tuple[Any, Points]:
    return _sizes(wide, high), _grid(x, y, wide, high, turn, True) if min(wide, high) >= 3 else []


def _box(x: float, y: float, wide: float, high: float, _: float, turn: float, *__: float) -> tuple[Any, Points]:
    return _sizes(wide, high), _grid(x, y, wide, high, turn, False) if min(wide, high) >= 3 else []


def _line(x: float, y: float, x2: float, y2: float, half: float, *_: float) -> tuple[Any, Points]:
    long = float(np.hypot(x2 - x, y2 - y))
    points = [(x + (x2 - x) * share, y + (y2 - y) * share) for share in np.linspace(0, 1, 12)]
    return _sizes(long, half), points if half >= 1.5 else []


def _band(x: float, y: float, r: float, _: float, half: float, turn: float, *rest: float) -> tuple[Any, Points]:
    sweep = rest[2] or pi
    if half < 1.5 or sweep * r < 2 * half:  # nor one that has hardly begun
        return (), []
    radii = (r - half / 2, r, r + half / 2) if half >= 3 else (r,)
    ways = [turn + sweep * at for at in np.linspace(-0.95, 0.95, 20)]
    return _sizes(r, half), [(x + u * cos(w), y + u * sin(w)) for u in radii for w in ways]


_PLACES: dict[int, Callable[..., tuple[Any, Points]]] = {DISC: _disc, BOX: _box, LINE: _line, RING: _band, ARC: _band}


def _polygon(corners: np.ndarray) -> tuple[tuple[Any, ...], Points]:
    """Places between the corners and their middle."""
    middle = corners.mean(0)
    wide, high = np.ptp(corners, axis=0)
    points = [middle, *(middle + (corner - middle) * share for share in (0.3, 0.6) for corner in corners)]
    return (len(corners), *_sizes(wide, high)), [(float(x), float(y)) for x, y in points] if min(wide, high) > 6 else []


def _sizes(*sizes: float) -> tuple[int, ...]:
    return tuple(round(size / 2) for size in sizes)


def _solids(picture: Picture) -> Iterator[tuple[tuple[Any, ...], Ink, Points]]:
    for record in SOLID.iter_unpack(picture.solids):
        assert picture.view is not None
        kind, position, size, colour = record[0], record[1:4], record[4:7], record[10]
        x, y, depth = picture.project(position)
        if depth > 0:
            wide = min(size) / 2 * picture.view.focal / depth
            if 4 <= wide < WIDTH / 4:
                yield ("solid", kind, *(round(each, 1) for each in size)), (colour,), _grid(x, y, wide, wide, 0, True)


# -------------------------------------------------------------------------------- what must be told apart


def _speaking(things: list[Thing]) -> list[Thing]:
    """Things of one form whose colour says something: it changes while they stay, or it goes with the command."""
    inks: dict[Any, set[Ink]] = defaultdict(set)
    for thing in things:
        inks[thing.slot].add(thing.ink)
    commands = {ink for slot, its in inks.items() if slot[0] == "command" for ink in its}
    return [
        thing for thing in things if len(inks[thing.slot]) > 1 or (thing.slot[0] == "command" and len(commands) > 1)
    ]


def _pairs(things: list[Thing]) -> Iterator[Pair]:
    """For any two colours of one form, and each deficiency, the two things that are most alike."""
    by_ink: dict[Ink, list[Thing]] = defaultdict(list)
    for thing in things:
        by_ink[thing.ink].append(thing)
    views = {
        ink: [
            (thing, {name: lab(seen(thing.light, name)) for name in ("", *MODELS)})
            for thing in its[:: max(1, len(its) // EACH)]
        ]
        for ink, its in ((ink, by_ink[ink]) for ink in _distinct(list(by_ink)))
    }
    for one, other in combinations(views, 2):
        if _apart(one, other) < CLEAR:  # what differs between them is not the colour
            continue
        for name in MODELS:
            pairs = [
                Pair(name, difference(mine[name], its[name]), difference(mine[""], its[""]), a, b)
                for (a, mine), (b, its) in product(views[one], views[other])
                if a.marks == b.marks
            ]
            clear = [pair for pair in pairs if pair.of >= CLEAR]
            if clear:
                yield min(clear, key=lambda pair: pair.margin)


def _apart(one: Ink, other: Ink) -> float:
    """How far two things' colours are apart, by the more different of fill and edge."""
    width = max(len(one), len(other))
    pairs = zip(one * width, other * width, strict=False)
    return max(float(np.linalg.norm(_colour(a) - _colour(b))) for a, b in list(pairs)[:width])


@cache
def _colour(colour: int) -> View:
    return lab(looks.linear(np.array((colour >> 16, colour >> 8 & 255, colour & 255))))


def _distinct(inks: list[Ink]) -> list[Ink]:
    """At most so many colours, each as far as may be from those before it."""
    chosen = inks[:1]
    while len(chosen) < min(INKS, len(inks)):
        chosen.append(max(inks, key=lambda ink: min(_apart(ink, other) for other in chosen)))
    return list(dict.fromkeys(chosen))


# -------------------------------------------------------------------------------- texts


def _read(picture: Picture, frame: np.ndarray, ratios: dict[tuple[str, str], list[float]]) -> None:
    """Add the contrast of each text of a frame, for each deficiency."""
    found = looks.texts(picture)
    below = looks.render(looks.without(picture, [text.place for text in found])) if found else frame
    for text in found:
        crops = [looks.linear(looks.crop(pixels, text.box)) for pixels in (frame, below)]
        for name in MODELS:
            ratio = looks.contrast(*(seen(light, name) for light in crops))
            if ratio is not None:
                ratios[name, looks.name(text.string)].append(ratio)


def _dimmest(ratios: dict[tuple[str, str], list[float]]) -> dict[str, tuple[float, str]]:
    """The least contrast of a text in most of its moments, for each deficiency, and which it is."""
    worst = {name: (21.0, "") for name in MODELS}
    for (name, string), its in ratios.items():
        if len(its) >= OFTEN:
            worst[name] = min(worst[name], (sorted(its)[3 * len(its) // 4], string))
    return worst
