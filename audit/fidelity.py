"""Fidelity: a play can be repeated bit by bit, a frame shows what is there, and input does what it looks like."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from audit import gestures, looks, presses
from audit.gestures import Start
from audit.kit import Evidence, Result
from audit.play import follow, lag, think
from audit.players import at_random, keys_of, picture_of
from audit.sameness import Sealed, Seals, elsewhere, fma, repeat
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.records import SHAPE, SOLID
from games.kit.world import FIELD_TOP, HEIGHT, TICKS_PER_SECOND, WIDTH, World
from harness.painter.order import boxes, records_of
from harness.session import Configuration, copy_world

SEEDS = 2
HONEST, RANDOM = 16 * TICKS_PER_SECOND, 8 * TICKS_PER_SECOND  # steps of an oracle's play, and of one by chance
FRAMES = 5  # looked at, of each play
SPREAD, SHADES, MOST = 8.0, 12, 0.97  # of a first frame: deviation (of 255), colours, share of the commonest
SMALL = 11.0  # px, the smallest type
CONTRAST = 3.0  # WCAG 2's least for large type and for what must be seen of controls
OFTEN = 3  # frames in which a text stands before it is judged
CUT = 0.5  # share of its frames in which a text may reach over the field's edge, as it moves in
BORDER = 0.8  # share of a pressable thing's border that shows
OUTSIDE = 0.25  # share of shapes that may lie off the canvas
STRIDE = 3  # of the frames, one in so many has its borders followed
BUTTONS = ("left", "right", "wheel")
COARSE = 0.6  # of a held drag's effect: what steps instead of a smooth way may change


class Shot(NamedTuple):
    """A moment of a play, with its picture and pixels."""

    world: World
    picture: Picture
    frame: np.ndarray


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("fidelity", str(configuration))
    plays = [play for seed in seeds for play in _plays(configuration, seed)]
    _judge_sameness(result, configuration, plays, evidence)
    worlds = [copy_world(world) for play in plays for world in _some(play.worlds)]
    shots = [Shot(world, picture, looks.render(picture)) for world in worlds for picture in [picture_of(world)]]
    _judge_shapes(result, shots, evidence)
    _judge_texts(result, shots, evidence)
    if configuration.mode == "full":
        _judge_borders(result, shots, evidence)
        _judge_presses(result, configuration, shots[0], evidence)
    living = [Start(configuration, shot.world) for shot in shots if not shot.world.verdict]
    _judge_gestures(result, living[:: max(1, len(living) // 4)], evidence)
    return result


# -------------------------------------------------------------------------------- the same again


class _Play(NamedTuple):
    """A play that is repeated."""

    seed: int
    player: str
    session: Sealed

    @property
    def worlds(self) -> list[World]:
        return self.session.worlds


PLAYERS: dict[str, Callable[[Sealed], Any]] = {
    "oracle": lambda session: lag(session, until=HONEST) if session.realtime else think(session, 0, until=HONEST),
    "random": lambda session: follow(session, at_random(session, Dice.named("fidelity", session.seed)), RANDOM),
}


def _play(configuration: Configuration, seed: int, player: str) -> Sealed:
    session = Sealed(configuration, seed)
    PLAYERS[player](session)
    return session


def _plays(configuration: Configuration, seed: int) -> list[_Play]:
    return [_Play(seed, player, _play(configuration, seed, player)) for player in PLAYERS]


def _judge_sameness(result: Result, configuration: Configuration, plays: list[_Play], evidence: Evidence) -> None:
    """Compare the seals of each play with those of its repetitions."""
    tapes = [(play.seed, play.session.tape, play.session.steps) for play in plays]
    ways: dict[str, list[Seals]] = {
        "run_twice": [_play(configuration, play.seed, play.player).seals for play in plays],
        "replayed": [repeat(configuration, *tape) for tape in tapes],
        "copied": [repeat(configuration, *tape, copied=True) for tape in tapes],
        "drawn": [repeat(configuration, *tape, drawn=True) for tape in tapes],
        "elsewhere": elsewhere(configuration, tapes),
    }
    result.note("seconds", sum(len(play.session.seals) for play in plays))
    result.note("without_fma", fma())
    for name, again in ways.items():
        pairs = list(zip((play.session.seals for play in plays), again, strict=True))
        wrong = [index for index, (one, other) in enumerate(pairs) if one != other]
        log = evidence.log(name, [[*plays[index][:2], *pairs[index]] for index in wrong])
        result.must(name, len(wrong), "0: the same digests at every second", not wrong, log)


def _some(worlds: list[World]) -> list[World]:
    """The first and some others, evenly spread, the last one left out: it may be the end."""
    places = sorted({round(i * (len(worlds) - 2) / FRAMES) for i in range(FRAMES)}) if len(worlds) > 2 else [0]
    return [worlds[place] for place in places]


# -------------------------------------------------------------------------------- frames


def _judge_shapes(result: Result, shots: list[Shot], evidence: Evidence) -> None:
    field = shots[0].frame[FIELD_TOP:]
    red, green, blue = np.moveaxis(field >> 3, 2, 0)
    counts = np.bincount((red << 10 | green << 5 | blue).ravel())
    blank = field.std() <= SPREAD or (counts > 0).sum() <= SHADES or counts.max() >= MOST * counts.sum()
    result.must("blank", bool(blank), "false: there is something on the first frame", not blank)
    broken = [shot.picture for shot in shots if not _finite(shot.picture)]
    result.must("not_finite", len(broken), "0 frames", not broken)
    outside = max(_outside(shot.picture) for shot in shots)
    worst = [shot.picture for shot in shots if _outside(shot.picture) == outside][:1]
    path = evidence.frames("outside", worst) if outside > OUTSIDE else ""
    result.at_most("outside", outside, OUTSIDE, path)


def _finite(picture: Picture) -> bool:
    records = [*SHAPE.iter_unpack(picture.shapes), *SOLID.iter_unpack(picture.solids)]
    return all(isfinite(value) for record in records for value in record)


def _outside(picture: Picture) -> float:
    """The share of shapes that lie wholly off the canvas."""
    if not picture.shapes:
        return 0.0
    left, top, right, bottom = boxes(records_of(picture), picture).T
    return float(((right < 0) | (left > WIDTH) | (bottom < 0) | (top > HEIGHT)).mean())


def _judge_texts(result: Result, shots: list[Shot], evidence: Evidence) -> None:
    """Size, contrast, collisions and completeness of texts; numbers that change count as one text."""
    seen: dict[tuple[str, int], list[tuple[float | None, bool, Shot]]] = defaultdict(list)
    pairs: dict[tuple[str, str], list[Shot]] = defaultdict(list)
    for shot in shots:
        found = looks.texts(shot.picture)
        below = looks.render(looks.without(shot.picture, [text.place for text in found])) if found else shot.frame
        for text in found:
            ratio = looks.contrast(*(looks.linear(looks.crop(pixels, text.box)) for pixels in (shot.frame, below)))
            seen[looks.name(text.string), round(text.size)].append((ratio, _leaves(text), shot))
        for one, other in looks.touching(shot.picture, shot.frame, found):
            pairs[looks.name(one.string), looks.name(other.string)].append(shot)
    result.at_least("type_px", min((size for _, size in seen), default=99), SMALL)
    dim, cut, worst = {}, {}, 21.0
    for (string, size), all_of_it in seen.items():
        ratios = sorted(ratio for ratio, _, _ in all_of_it if ratio is not None)
        if len(ratios) >= OFTEN:
            ratio = ratios[3 * len(ratios) // 4]
            worst = min(worst, ratio)
            if ratio < CONTRAST:
                dim[string, size] = ratio
        if sum(leaves for _, leaves, _ in all_of_it) > CUT * len(all_of_it):
            cut[string, size] = all_of_it[0][2]
    dim_log = evidence.log("dim", [[*name, ratio] for name, ratio in dim.items()])
    evidence.frames("dim", [seen[name][0][2].picture for name in list(dim)[:2]])
    result.must("contrast", worst, f"≥ {CONTRAST:g} of each text, most of the time ({len(dim)} dim)", not dim, dim_log)
    path = evidence.frames("cut", [shot.picture for shot in list(cut.values())[:2]])
    result.must("cut_off", [string for string, _ in list(cut)[:6]], "none", not cut, path)
    often = {pair: where for pair, where in pairs.items() if len(where) > 1}
    path = evidence.frames("touching", [where[0].picture for where in list(often.values())[:2]])
    result.must("touching", [" ".join(pair) for pair in list(often)[:6]], "none", not often, path)


def _leaves(text: looks.Text) -> bool:
    left, top, right, bottom = text.box
    return left < -1 or right > WIDTH + 1 or top < FIELD_TOP - 1 or bottom > HEIGHT + 1


# -------------------------------------------------------------------------------- presses


def _judge_borders(result: Result, shots: list[Shot], evidence: Evidence) -> None:
    """What can be pressed has a border that shows: the median over the frames, of each thing."""
    shares: dict[Any, list[float]] = defaultdict(list)
    for shot in shots[::STRIDE]:
        for button in BUTTONS:
            if shot.picture.actions(button):
                found = looks.crossings(shot.picture, shot.frame, button)
                for what, share in looks.border_shares(found).items():
                    shares[what].append(share)
    medians = {what: float(np.median(each)) for what, each in shares.items()}
    hidden = sorted((share, repr(what)) for what, share in medians.items() if share < BORDER)
    log = evidence.log("borders", hidden)
    if hidden:
        evidence.frames("borders", [_marked(shot) for shot in shots[: 2 * STRIDE : STRIDE]])
    worst = min(medians.values(), default=1.0)
    result.must("border", worst, f"≥ {BORDER:g} of each thing's border shows ({len(hidden)} hide)", not hidden, log)


def _marked(shot: Shot) -> Picture:
    """The picture with a dot wherever a border does not show."""
    picture = picture_of(shot.world)
    for each in looks.crossings(shot.picture, shot.frame):
        if each.central and not each.shows:
            picture.disc(each.x, each.y, 2, 0xFF00FF)
    return picture


def _judge_presses(result: Result, configuration: Configuration, shot: Shot, evidence: Evidence) -> None:
    """Where a shape's one command does several things, the borders between them show as well."""
    begin = Start(configuration, shot.world)
    edges = presses.inner_edges(begin, shot.frame, Dice.named("presses", configuration.level))
    shares = {what: sum(edge.shows for edge in each) / len(each) for what, each in edges.items() if len(each) >= 4}
    worst = min(shares.values(), default=1.0)
    lines = [[repr(what), *edge] for what, each in edges.items() for edge in each]
    result.at_least("inner_border", worst, BORDER, evidence.log("inner", lines) if worst < BORDER else "")


# -------------------------------------------------------------------------------- gestures


def _judge_gestures(result: Result, starts: list[Start], evidence: Evidence) -> None:
    dice = Dice.named("gestures", result.subject)
    full = result.subject.endswith("full")
    carried = [gestures.carry(begin, drag) for begin in starts for drag in gestures.drags(begin.world, dice) if full]
    kept = [gestures.keep(begin, key) for begin in starts for key in keys_of(begin.play([]))]
    result.note("gestures", len(carried) + len(kept))
    unlike = [each for each in carried if not each.same]
    slow = [each for each in carried if not each.quick]
    steered = [each.coarse for each in carried if not each.transfer]
    coarse = float(np.median(steered)) if steered else 0.0
    log = evidence.log("drags", [list(each) for each in carried]) if unlike or slow or coarse > COARSE else ""
    result.must("drags_differ", len(unlike), "0: the same by one message or many", not unlike, log)
    result.at_most("coarse", coarse, COARSE, log)
    result.must("quick_drags", len(slow), "0: letting go does as much after a quick drag", not slow, log)
    split = sorted({each.key for each in kept if not each.same})
    stuck = sorted({each.key for each in kept if not each.freed})
    log = evidence.log("keys", [list(each) for each in kept]) if split or stuck else ""
    result.must("holds_differ", split, "none: the same by one message or many", not split, log)
    result.must("stuck", stuck, "none: keys let go when they go up", not stuck, log)
