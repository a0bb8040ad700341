"""What certifies a game: plays of its oracle, each proven twice, and the seeds that it has won everywhere."""

from __future__ import annotations

from hashlib import blake2b
from statistics import median
from typing import Any, NamedTuple

import msgspec

import games
from audit.journal import sources_digest
from audit.kit import LEVELS, Result, draw_seeds
from audit.play import Taped, lag, replay, think
from configs import DEFAULTS
from games.kit.dice import Dice
from games.kit.world import TICKS_PER_SECOND
from harness.results.records import rules_digest
from harness.session import MODES, TIMINGS, Configuration, build, digest

SPLITS = ("test", "train")
CAP = 3  # times the most acts of an oracle's win: what a twin allows
FIGURES = ("tau50", "tau50_as_played")


class Play(msgspec.Struct, array_like=True, frozen=True):
    """An oracle's play: lagging by 250 ms in real time, without delay in a twin."""

    seed: int
    won: bool
    ticks: int  # of game time
    acts: int
    digest: str  # of the worlds of every second


class Page(msgspec.Struct):
    """A configuration's part of a certificate. audits: whether each was passed."""

    plays: list[Play]
    seconds: float  # median of wins, in game time
    acts: float  # median of wins
    audits: dict[str, bool] = {}
    figures: dict[str, Any] = {}


class Certificate(msgspec.Struct):
    """A game's: which seeds its oracle has won in every configuration, by split, and the plays that prove it."""

    game: str
    version: str
    rules: str  # digest
    sources: str  # digest of all that decides the plays, the oracle too
    seeds: dict[str, list[int]]
    audits: dict[str, bool]  # those of the game as a whole
    pages: dict[str, Page]  # by "rt/5/full"


class Turn(NamedTuple):
    """A play to be made. sources: the digest of all that decides it."""

    configuration: Configuration
    seed: int
    sources: str

    @property
    def key(self) -> str:
        return f"{self.sources} {self.configuration} {self.seed}"


class NotTheSame(Exception):
    """A play and its replay differ: something in the game is not decided by its state."""


class _Sealed(Taped):
    """A session that hashes its world at every second."""

    def __init__(self, turn: Turn) -> None:
        self._seal = blake2b(digest_size=8)
        super().__init__(turn.configuration, turn.seed, cap=DEFAULTS.max_acts)
        self._stamp()

    def step(self) -> None:
        moved = not self.over  # a player may go on for a step after a win by an act
        super().step()
        if moved and self.steps % TICKS_PER_SECOND == 0:
            self._stamp()

    def _stamp(self) -> None:
        self._seal.update(self.digest().encode())

    def play(self) -> Play:
        self._stamp()
        world = self.world
        return Play(self.seed, self.won, world.tick, self.acts, self._seal.hexdigest())


def prove(turn: Turn) -> Play:
    """Have the oracle play, and its tape replayed. Raises NotTheSame."""
    first = _Sealed(turn)
    if turn.configuration.timing == "rt":
        lag(first)
    else:
        think(first, 0)
    play, again = first.play(), replay(_Sealed(turn), first.tape).play()
    if play != again:
        raise NotTheSame(f"{turn.configuration}, seed {turn.seed}: {play} is not {again}")
    return play


def configurations(game: str) -> list[Configuration]:
    """All of a game's."""
    return [Configuration(game, timing, level, mode) for timing in TIMINGS for level in LEVELS for mode in MODES]


def candidates(game: str, count: int) -> dict[str, list[int]]:
    """Seeds to be tried, by split: in turn one for each. Raises NotTheSame when two splits share a world."""
    drawn = draw_seeds(game, count, "certify")
    splits = {split: drawn[index :: len(SPLITS)] for index, split in enumerate(SPLITS)}
    births = {split: {birth for seed in seeds for birth in _births(game, seed)} for split, seeds in splits.items()}
    if set.intersection(*births.values()):
        raise NotTheSame(f"{game}: the splits {' and '.join(SPLITS)} share a world")
    return splits


def _births(game: str, seed: int) -> list[str]:
    """Digests of a seed's worlds at birth, one a level, their fates apart."""
    worlds = [build(games.load(game), level, seed) for level in LEVELS]
    for world in worlds:
        world.fate = Dice()
    return [digest(world) for world in worlds]


def certify(
    game: str, version: str, splits: dict[str, list[int]], plays: dict[Configuration, list[Play]]
) -> Certificate:
    """The certificate that follows from plays of all configurations."""
    won = [{play.seed for play in each if play.won} for each in plays.values()]
    everywhere = set.intersection(*won)
    return Certificate(
        game=game,
        version=version,
        rules=rules_digest(game),
        sources=sources_digest(game),
        seeds={split: [seed for seed in seeds if seed in everywhere] for split, seeds in splits.items()},
        audits={},
        pages={short(each): _page(its) for each, its in plays.items()},
    )


def _page(plays: list[Play]) -> Page:
    wins = [play for play in plays if play.won] or [Play(0, False, 0, 0, "")]
    seconds = median(play.ticks for play in wins) / TICKS_PER_SECOND
    return Page(plays, round(seconds, 2), median(play.acts for play in wins))


def enter(certificate: Certificate, results: list[Result]) -> None:
    """Enter what audits have found, where they measured the same rules."""
    for result in results:
        if result.rules != certificate.rules:
            continue
        if result.subject == certificate.game:
            certificate.audits[result.audit] = not result.findings
            continue
        game, _, rest = result.subject.partition("/")
        if game == certificate.game:
            page = certificate.pages[rest]
            page.audits[result.audit] = not result.findings
            page.figures |= {name: result.figures[name] for name in FIGURES if name in result.figures}


def caps(certificate: Certificate) -> dict[str, int]:
    """Acts that each twin allows, by "level/mode"; none where it was never won."""
    found = {}
    for name, page in certificate.pages.items():
        timing, _, rest = name.partition("/")
        acts = [play.acts for play in page.plays if play.won]
        if timing == "twin" and acts:
            found[rest] = CAP * max(acts)
    return found


def short(configuration: Configuration) -> str:
    """Its name without the game's."""
    return str(configuration).partition("/")[2]
