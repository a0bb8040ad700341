"""Drive two mixed flocks, cream and black, with one dog into their own open folds.

Sheep bolt, balk and follow new leaders on live draws: a dog placed for the flock as it was splits or mixes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import PI, TAU, atan2, clamp, cos, hypot, mix, sin, sqrt, turn_between
from games.kit.omen import Omen
from games.kit.world import TICKS_PER_SECOND, Command, Hand, Hold, World, acting

LEFT, RIGHT, TOP, BOTTOM = 24.0, 776.0, 84.0, 572.0  # px: the meadow between its hedges
DEEP, HALF, GAP, MARGIN = 168.0, 80.0, 76.0, 12.0  # px: fold, gap in a hedge, room beside a fence
MOST, ESCAPES, PERIOD = 8, 4, 6  # sheep; escapes that lose; ticks from one thought of a sheep to its next
GRAZE, STROLL, FLEE, BOLT = 0.26, 0.8, 2.3, 4.8  # px a tick
TOP_SPEED, STEP, CREEP, SWAY, EASE = 9.0, 5.2, 1.3, 0.6, 0.4  # dog, px a tick: led, stepped, creeping, at rest; share
CALM, ALARM, BARK = 74.0, 10.0, 30  # px at which a dog at rest is feared; more for its speed; ticks of a bark
CLOSE, MATES, PULL = 30.0, 190.0, 0.65  # px: nearer sheep are shunned, farther mates forgotten; of a flight to mates
LASTS = {"bolt": 52, "balk": 110, "lead": 150, "away": 240}  # ticks; who has escaped is away
PLANS, SPREAD = ("bolt", "bolt", "bolt", "balk", "lead"), 0.1  # radians by which a bolt misses the nearest way out
LEADS, STILL = ("dog", "lead"), 8  # grips at the dog, or anywhere; px: a press that moves less is a click


class Level(NamedTuple):
    sheep: int
    interval: float  # s, mean time between announcements
    minority: float  # percent that are black
    gaps: int  # in the hedges
    gate: float  # px, width
    panic: float  # px around a bolting sheep in which its colour scatters
    warning: int  # ticks for which a head is up


@dataclass
class Animal:
    x: float = 400.0
    y: float = 520.0
    vx: float = 0.0  # px a tick
    vy: float = 0.0


@dataclass
class Sheep(Animal):
    black: int = 0
    size: float = 1.0  # a big sheep is a bold one
    whim: float = 0.0  # heading of its grazing, radians
    mood: str = ""  # of LASTS
    left: int = 0  # ticks of it
    aim: float = 0.0  # heading of it, radians
    fold: int = -1  # that it is in: 0 the cream one, 1 the black one

    def scare(self, x: float, y: float, reach: float) -> None:
        """It bolts from a place, if that is nearer than so many pixels."""
        if self.mood != "away" and hypot(self.x - x, self.y - y) < reach:
            self.mood, self.left, self.aim = "bolt", LASTS["bolt"], atan2(self.y - y, self.x - x)


@dataclass
class DuskFold(World):
    title = "Two Flocks at Dusk"
    goal = "With the dog, drive the cream sheep and the black sheep into their own folds."
    rulebook = (
        "All sheep must be in their own folds at once; one is in as a stride takes its middle over the striped sill. "
        "Sheep, small ones most, shun the dog in its ring, wider as it runs. While its rim lasts, a yellow badge "
        "tells what a sheep will do: bolt along the arrow; balk, moved by no dog (square); or lead (bell): while its "
        "bell swings, its colour follow it. A bark, heard anywhere, takes a badge off or ends a balk; a bolt or leader "
        "under way heeds only the dog's ring. Barked for nothing, it scatters the sheep in that ring. Who leaves by a "
        "gap in the hedge has escaped, and comes back there after 4 s; the fourth escape loses. Folds stay open."
    )
    controls = {
        "full": "Hold the mouse button to lead the dog, Shift to creep. Space barks; so does a press that never moves.",
        "simple": "An arrow steps 104 px in 1/3 s, two at once aslant; pressed again sooner, it is lost. Space barks.",
    }
    seconds = 85
    twin = acting(20)  # TIMING
    keys = {"ShiftLeft": Hold("creep"), "ShiftRight": Hold("creep"), "Space": ("bark",)}
    verbs = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down", "Space": "bark"}
    crosshair = False
    abilities, twin_abilities = ("temporal", "planning"), ("planning",)
    levels = (
        Level(6, 2.6, 30, 1, 110, 30, 60),
        Level(6, 2.2, 33, 1, 95, 55, 54),
        Level(7, 1.8, 36, 2, 80, 80, 48),
        Level(7, 1.4, 40, 3, 70, 100, 42),
        Level(8, 1.15, 50, 4, 60, 120, 36),
    )

    pens: list[tuple[int, float]]  # of cream and black: 0 at the left, 1 at the right; y of the gate
    gaps: list[tuple[float, float]]  # x, y of each gap in a hedge
    flock: list[Sheep]
    dog: Animal = field(default_factory=Animal)
    facing: float = -PI / 2  # where the dog looks, radians; swaying to rest does not turn it
    omen: Omen = field(default_factory=Omen)
    who: int = -1  # the sheep whose head is up
    plan: str = ""  # what it announces
    loud: int = 0  # ticks of the bark still to come
    escapes: int = 0
    best: int = 0  # most sheep in their own folds so far

    @classmethod
    def new(cls, level: Level, dice: Dice) -> DuskFold:
        pens = [(side, dice.between(190, 466)) for side in dice.pick(((0, 1), (1, 0)))]
        gaps = [(x + dice.between(-50, 50), y) for y in (TOP, BOTTOM) for x in (290.0, 510.0)]
        dice.shuffle(gaps)
        blacks = max(1, round(level.sheep * level.minority / 100))
        flock = []
        for number in range(MOST):
            turn, far = dice.between(0, TAU), sqrt(dice.unit())
            x, y = 400 + 150 * far * cos(turn), 310 + 120 * far * sin(turn)
            flock.append(Sheep(x, y, 0, 0, int(number < blacks), dice.between(0.85, 1.2), dice.between(0, TAU)))
        return cls(level=level, pens=pens, gaps=gaps[: level.gaps], flock=flock[: level.sheep], hand=Hand(x=400, y=400))

    def act(self, command: Command) -> None:
        if command[0] == "bark" and not self.loud:
            self.bark()

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        return ("bark" if hypot(end[0] - start[0], end[1] - start[1]) < STILL else "loose",) if grip in LEADS else None

    def simple(self, verb: str) -> object:
        return Hold(verb, self.twin.ticks)

    def drift(self) -> None:
        fate, flock, omen = self.fate, self.flock, self.omen
        if self.tick % PERIOD == 1:
            flock[self.tick // PERIOD % len(flock)].whim = fate.between(0, TAU)
        if omen.tick(fate, self.level.interval * TICKS_PER_SECOND, self.level.warning):
            self.begin()
        elif omen.lead == self.level.warning:
            self.announce([fate.whole(0, 839) % len(flock) for _ in range(2)], fate.pick(PLANS), fate.between(-1, 1))
        self.lead()
        for sheep in flock:
            sheep.x, sheep.y = sheep.x + sheep.vx, sheep.y + sheep.vy
        for number in range(self.tick % PERIOD, len(flock), PERIOD):
            self.think(flock[number])
        if self.tick % PERIOD == 0:
            self.best = max(self.best, sum(sheep.fold == sheep.black for sheep in flock))
            if self.best == len(flock):
                self.win()

    def announce(self, some: list[int], plan: str, turn: float) -> None:
        """A head goes up, towards the nearest gap or out of the fold. turn: chance, -1..1."""
        who = min(some, key=lambda one: hypot(self.flock[one].x - self.dog.x, self.flock[one].y - self.dog.y))
        sheep = self.flock[who]
        if sheep.mood != "away":
            self.who, self.plan = who, plan
            outs = self.gaps if sheep.fold < 0 else [(400.0, self.pens[sheep.fold][1])]
            x, y = min(outs, key=lambda out: hypot(out[0] - sheep.x, out[1] - sheep.y))
            sheep.aim = atan2(y - sheep.y, x - sheep.x) + turn * SPREAD

    def begin(self) -> None:
        """What the raised head has announced."""
        first = self.flock[self.who]
        for sheep in self.flock if self.who >= 0 and first.mood != "away" else []:
            if sheep is first:
                sheep.mood, sheep.left = self.plan, LASTS[self.plan]
            elif self.plan == "bolt" and sheep.black == first.black:
                sheep.scare(first.x, first.y, self.level.panic)
        self.who = -1

    def bark(self) -> None:
        """Bring a raised head down and rouse those that balk; barked for nothing, it scatters the sheep around."""
        self.loud, idle, self.who = BARK, self.who < 0, -1
        for sheep in self.flock:
            if sheep.mood == "balk":
                sheep.mood, idle = "", False
        for sheep in self.flock if idle else []:
            sheep.scare(self.dog.x, self.dog.y, self.reach())

    def lead(self) -> None:
        hand, dog, self.loud = self.hand, self.dog, max(0, self.loud - 1)
        vx, vy = STEP * (hand.holds("right") - hand.holds("left")), STEP * (hand.holds("down") - hand.holds("up"))
        share = 0.7071 if vx and vy else 1.0
        if any(hand.holds(grip) for grip in LEADS):
            vx, vy, speed = hand.x - dog.x, hand.y - dog.y, CREEP if hand.holds("creep") else TOP_SPEED
            share = speed / max(hypot(vx, vy), 4 * speed)
        elif hand.holds("bark") and not self.loud:
            self.bark()
        dog.vx, dog.vy = mix(dog.vx, vx * share, EASE), mix(dog.vy, vy * share, EASE)
        self.facing += clamp(hypot(dog.vx, dog.vy) - SWAY, 0, EASE) * turn_between(self.facing, atan2(dog.vy, dog.vx))
        dog.x, dog.y = clamp(dog.x + dog.vx, LEFT, RIGHT), clamp(dog.y + dog.vy, TOP, BOTTOM)

    def reach(self) -> float:
        """Distance at which a middling sheep fears the dog, px."""
        return CALM + ALARM * hypot(self.dog.vx, self.dog.vy)

    def think(self, sheep: Sheep) -> None:
        x, y, mood, way, pace, sheep.left = sheep.x, sheep.y, sheep.mood, sheep.whim, GRAZE, sheep.left - PERIOD
        if sheep.left <= 0:  # who has escaped runs back into the meadow
            sheep.mood, sheep.left = "bolt" if mood == "away" else "", LASTS["bolt"]
        if mood == "away":
            return
        px = py = mx = my = vx = vy = 0.0
        for other in self.flock:
            ox, oy = other.x - x, other.y - y
            square = ox * ox + oy * oy
            if 0 < square < CLOSE * CLOSE:
                much = (CLOSE / sqrt(square) - 1) * 0.05
                px, py = px - ox * much, py - oy * much
            elif other.black == sheep.black and square < MATES * MATES:
                mx, my = mx + ox, my + oy
                if other.mood == "lead":
                    way, pace = atan2(oy, ox), STROLL
        way, pace = {"bolt": (sheep.aim, BOLT), "lead": (sheep.aim, STROLL)}.get(mood, (way, pace))
        dx, dy = x - self.dog.x, y - self.dog.y
        far = hypot(dx, dy) or 1.0
        fear = 1 - far * sheep.size / self.reach()
        if fear > 0 and mood != "balk":
            flight, pull = FLEE * (0.4 + fear) / far, PULL * FLEE / (hypot(mx, my) or 1.0)
            vx, vy = dx * flight + mx * pull, dy * flight + my * pull
        if mood == "bolt" or (fear <= 0 and mood != "balk"):
            vx, vy = vx + cos(way) * pace, vy + sin(way) * pace
        vx, vy = mix(sheep.vx, vx + px, 0.6), mix(sheep.vy, vy + py, 0.6)
        self.fence(sheep, clamp(x + PERIOD * vx, LEFT + MARGIN, RIGHT - MARGIN), y + PERIOD * vy)

    def fence(self, sheep: Sheep, x: float, y: float) -> None:
        """Go on towards (x, y) as far as hedges and folds allow."""
        side = TOP if y < 300 else BOTTOM
        if not any(gy == side and abs(x - gx) < GAP / 2 - 4 for gx, gy in self.gaps):
            y = clamp(y, TOP + MARGIN, BOTTOM - MARGIN)
        elif not TOP - MARGIN < y < BOTTOM + MARGIN:
            sheep.mood, sheep.left, self.escapes = "away", LASTS["away"], self.escapes + 1
            sheep.y, sheep.vx, sheep.vy, sheep.aim = side, 0.0, 0.0, PI / 2 if side == TOP else -PI / 2
            if self.escapes == ESCAPES:
                self.lose("too many escapes")
            return
        pen = int(self.pens[1][0] == (x > 400))
        (right, middle), mouth = self.pens[pen], self.level.gate / 2 - 8
        u, was = (RIGHT - x, RIGHT - sheep.x) if right else (x - LEFT, sheep.x - LEFT)
        v, before = y - middle, sheep.y - middle
        if abs(was - DEEP) < MARGIN and abs(before) <= mouth:
            v = clamp(v, -mouth, mouth)
        elif abs(v) > mouth and sheep.fold >= 0:
            u, v = min(u, DEEP - MARGIN), clamp(v, MARGIN - HALF, HALF - MARGIN)
        elif mouth < abs(v) < HALF + MARGIN and u < DEEP + MARGIN:
            aside = HALF + MARGIN if before > 0 else -HALF - MARGIN
            u, v = (DEEP + MARGIN, v - clamp(v, -6, 6)) if was >= DEEP else (u, aside)  # towards the gate; or around
        x, y = RIGHT - u if right else LEFT + u, middle + v
        sheep.fold = pen if u < DEEP and abs(v) < HALF else -1
        sheep.vx, sheep.vy = (x - sheep.x) / PERIOD, (y - sheep.y) / PERIOD

    def progress(self) -> float:
        return self.best / len(self.flock)

    def reserve(self) -> float:
        return 1 - self.escapes / ESCAPES
