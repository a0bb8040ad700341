"""The contract of a game: one dataclass that is the whole state, changed in place by acts and by time.

A game subclasses World, fills the class constants and writes new, act, drift, draw, simple and progress (let,
respond and reserve as needed). The engine owns all else: input, time, twins, HUD, records. See docs/games.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from games.kit.dice import Dice

if TYPE_CHECKING:
    from games.kit.picture import Picture

TICKS_PER_SECOND = 60
WIDTH, HEIGHT = 800, 600
FIELD_TOP = 48  # rows above it belong to the HUD

Command = tuple[Any, ...]  # ("press", 3): plain values, a word first


class _Mark:
    """A value that is only itself, also after pickling."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> str:
        return self.name


FREE = _Mark("FREE")  # act() returns it: something was only prepared, nothing committed
TAP = _Mark("TAP")  # simple() returns it: do what a press at the hand's place would do
PASS: Command = ("pass",)  # the engine's own command: nothing, or let time go on
PASS_KEY = "Period"


class Hold(NamedTuple):
    """A grip that is kept for as long as the key or button is down, or for some ticks of the hand's clock."""

    grip: str
    ticks: int = 0


class Twin(NamedTuple):
    """How the non-real-time twin lets time pass. ticks: a turn's length, or an `acting` verb's."""

    kind: str
    ticks: int = 0
    occasion: str = ""


def still() -> Twin:
    """Drift never runs; only what follows from the player's own acts moves."""
    return Twin("still")


def turn(ticks: int) -> Twin:
    """Each commit grants so many ticks."""
    return Twin("turn", ticks)


def until(occasion: str) -> Twin:
    """Each commit runs the world until this method returns true; once before the first frame, too."""
    return Twin("until", 0, occasion)


def acting(ticks: int) -> Twin:
    """Time passes exactly by the durations inside an act; a simple verb or pass lasts so many ticks."""
    return Twin("acting", ticks)


@cache
def _look_of(module: str) -> Callable[[World, Picture], None]:
    return import_module(f"{module}_look").draw


@dataclass(kw_only=True)
class Hand:
    """The player's hand, moved by the engine and read by rules. Times are ticks of its own clock."""

    x: float = WIDTH / 2
    y: float = HEIGHT / 2
    lifted: bool = False  # true while a twin's time runs: what was held holds nothing
    held: dict[str, tuple[float, float]] = field(default_factory=dict)  # grip -> where it was taken
    down: dict[str, str] = field(default_factory=dict)  # button or key that is down -> its grip, or ""
    plan: list[tuple[int, int, Any]] = field(default_factory=list)  # (tick, order, event) still to come
    tick: int = 0
    granted: int = 0  # ticks of a twin's time still to run
    run: int = 0  # ticks that have run since the hand was lifted

    def holds(self, grip: str) -> bool:
        """Whether this grip is kept and has effect now."""
        return grip in self.held and not self.lifted


@dataclass(kw_only=True)
class World:
    """Base of every game: the fields and the ends that all worlds share."""

    id: ClassVar[str] = ""
    family: ClassVar[str] = ""
    title: ClassVar[str]
    goal: ClassVar[str]
    rulebook: ClassVar[str]  # what holds in both modes
    controls: ClassVar[dict[str, str]] = {}  # mode -> what its keys, verbs or gestures do, in words
    seconds: ClassVar[float]
    twin: ClassVar[Twin]
    keys: ClassVar[dict[str, Command | Hold]] = {}  # full mode: DOM code -> what it stands for
    verbs: ClassVar[dict[str, str]]  # simple mode: DOM code -> verb
    crosshair: ClassVar[bool] = True  # simple mode shows where the hand is
    abilities: ClassVar[tuple[str, ...]]
    twin_abilities: ClassVar[tuple[str, ...]]
    levels: ClassVar[tuple[Any, ...]]
    outlast: ClassVar[bool] = False  # reaching `seconds` wins

    level: Any
    tick: int = 0
    spent: int = 0  # ticks of the time budget that acts have burnt
    verdict: str = ""  # "", "won" or "lost"
    reason: str = ""
    fate: Dice = field(default_factory=Dice)
    hand: Hand = field(default_factory=Hand)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        *_, cls.family, cls.id = ("", *cls.__module__.split("."))

    def win(self) -> None:
        """End the world as won, unless it has ended."""
        if not self.verdict:
            self.verdict, self.reason = "won", ""

    def lose(self, reason: str) -> None:
        """End the world as lost for a reason of a word or two, unless it has ended."""
        if not self.verdict:
            self.verdict, self.reason = "lost", reason

    @classmethod
    def new(cls, level: Any, dice: Dice) -> Self:
        """Build the world: the only place where the seed's dice is spent. Draw before scaling by level."""
        raise NotImplementedError

    def act(self, command: Command) -> object:
        """Apply a command at once. Returns FREE when it only prepared something."""
        raise NotImplementedError

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        """What letting go of a grip means, taken and released at these places (pixels)."""
        return None

    def simple(self, verb: str) -> object:
        """What a verb of simple mode means now: a command, a Hold, TAP or None."""
        raise NotImplementedError

    def drift(self) -> None:
        """One tick of what the world does by itself."""

    def respond(self) -> bool:
        """One tick of what follows from the player's own act; true while under way."""
        return False

    def draw(self, picture: Picture) -> None:
        """Draw the world. Must change nothing.

        Where a game does not say, `draw` of the file beside it does: `<game>_look.py`.
        """
        _look_of(type(self).__module__)(self, picture)

    def progress(self) -> float:
        """Share of the goal achieved, 0 to 1."""
        raise NotImplementedError

    def reserve(self) -> float:
        """Share of the allowed losses still left, 0 to 1."""
        return 1.0
