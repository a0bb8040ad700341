"""Drive two mixed flocks, cream and black, with one dog into their own open folds.

Sheep bolt, balk and follow new leaders on live draws: a dog placed for the flock as it was splits or mixes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import PI, TAU, atan2, clamp, cos, hypot, sin, sqrt
from games.kit.omen import Omen
from games.kit.world import TICKS_PER_SECOND, Command, Hand, Hold, World, acting

LEFT, RIGHT, TOP, BOTTOM = 24.0, 776.0, 84.0, 572.0  # px: the meadow between its hedges
DEEP, HALF, GAP, MARGIN = 168.0, 80.0, 76.0, 12.0  # px: fold, gap in a hedge, room beside a fence
MOST, PERIOD, WHIM = 12, 6, 8  # sheep; ticks from thought to thought; ticks from one sheep's new way to another's
GRAZE, STROLL, FLEE, BOLT = 0.26, 0.8, 2.3, 3.0  # px a tick
TOP_SPEED, STEP, CREEP = 9.0, 4.9, 1.3  # px a tick, of the dog: led, stepped, creeping
CALM, ALARM, BARK = 74.0, 10.0, 30  # px at which a dog at rest is feared; more for its speed; ticks of a bark
CLOSE, MATES, PULL = 30.0, 190.0, 0.65  # px: nearer sheep are shunned, farther mates forgotten; of a flight to mates
HEADS_UP, AWAY = 34, 240  # ticks for which a raised head announces; after which an escaped sheep is sent back
SCARED = 110.0  # px around the dog in which an idle bark scatters the sheep
LASTS = {"bolt": 52, "balk": 110, "lead": 150}  # ticks
PLANS = ("bolt", "bolt", "bolt", "balk", "lead")
LEADS = ("dog", "lead")  # grips: taken at the dog, or anywhere


class Level(NamedTuple):
    sheep: int
    interval: float  # s, mean time between announcements
    minority: float  # percent that are black
    gaps: int  # in the hedges
    gate: float  # px, width
    panic: float  # px around a bolting sheep in which its colour scatters


@dataclass
class Sheep:
    black: int
    x: float
    y: float
    size: float  # a big sheep is a bold one
    whim: float  # heading of its grazing, radians
    vx: float = 0.0  # px a tick
    vy: float = 0.0
    fx: float = 1.0  # where it faces
    fy: float = 0.0
    mood: str = ""  # one of PLANS
    left: int = 0  # ticks of it
    aim: float = 0.0  # heading of it, radians
    fold: int = -1  # that it is in: 0 the cream one, 1 the black one
    away: int = 0  # ticks until it comes back

    def bolt(self, aim: float) -> None:
        self.mood, self.left, self.aim = "bolt", LASTS["bolt"], aim


@dataclass
class Dog:
    x: float = 400.0
    y: float = 520.0
    vx: float = 0.0  # px a tick
    vy: float = 0.0

    def run(self, vx: float, vy: float, ticks: int = 1) -> None:
        """Some ticks in a stride, at the speed that is asked for."""
        ease = 0.4 if ticks == 1 else 0.9
        self.vx += (vx - self.vx) * ease
        self.vy += (vy - self.vy) * ease
        self.x = clamp(self.x + self.vx * ticks, LEFT, RIGHT)
        self.y = clamp(self.y + self.vy * ticks, TOP, BOTTOM)


@dataclass
class DuskFold(World):
    title = "Two Flocks at Dusk"
    goal = "With the dog, drive the cream sheep and the black sheep into their own folds."
    rulebook = (
        "All sheep must be in their own folds at once; folds stay open. Sheep shun the dog, small ones and a fast dog "
        "most. A raised head tells what comes: a bolt (wedge), a balk (square), or a leader (bell) whom its colour "
        "follows. A bark brings a head down or ends a balk; barked for nothing it scatters sheep nearby. An escaped "
        "sheep comes back by its gap in the hedge, but the third escape loses, of twelve sheep the fourth. Hold the "
        "mouse button to lead the dog, with Shift to creep; a click or Space barks. Or step with arrows."
    )
    seconds = 85
    twin = acting(22)  # TIMING
    keys = {"ShiftLeft": Hold("creep"), "ShiftRight": Hold("creep"), "Space": ("bark",)}
    verbs = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down", "Space": "bark"}
    abilities = twin_abilities = ("temporal", "planning")
    levels = (
        Level(4, 3.0, 20, 1, 110, 0),
        Level(6, 2.5, 25, 1, 95, 40),
        Level(8, 2.0, 33, 2, 80, 65),
        Level(10, 1.8, 40, 3, 70, 75),
        Level(12, 1.7, 50, 4, 60, 80),
    )

    pens: list[tuple[int, float]]  # of cream and black: 0 at the left, 1 at the right; y of the gate
    gaps: list[tuple[float, float]]  # x, y of each gap in a hedge
    flock: list[Sheep]
    dog: Dog = field(default_factory=Dog)
    omen: Omen = field(default_factory=Omen)
    who: int = -1  # the sheep whose head is up
    plan: str = ""  # what it announces
    loud: int = 0  # ticks of the bark still to come
    led: int = 0  # ticks for which the button has been down
    escapes: int = 0
    best: int = 0  # most sheep in their own folds so far

    @classmethod
    def new(cls, level: Level, dice: Dice) -> DuskFold:
        side = dice.whole(0, 1)
        pens = [(side, dice.between(190, 466)), (1 - side, dice.between(190, 466))]
        gaps = [(x + dice.between(-50, 50), y) for y in (TOP, BOTTOM) for x in (290.0, 510.0)]
        dice.shuffle(gaps)
        blacks = max(1, round(level.sheep * level.minority / 100))
        flock = []
        for number in range(MOST):
            turn, far = dice.between(0, TAU), sqrt(dice.unit())
            x, y = 400 + 150 * far * cos(turn), 310 + 120 * far * sin(turn)
            flock.append(Sheep(int(number < blacks), x, y, dice.between(0.85, 1.2), dice.between(0, TAU)))
        return cls(level=level, pens=pens, gaps=gaps[: level.gaps], flock=flock[: level.sheep], hand=Hand(x=400, y=400))

    def act(self, command: Command) -> None:
        self.led = 0
        if command[0] == "bark":
            self.bark()

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        """A short press that does not move is a click."""
        still = hypot(end[0] - start[0], end[1] - start[1]) < 8
        return ("bark" if still and self.led < 12 else "loose",) if grip in LEADS else None

    def simple(self, verb: str) -> object:
        return Hold(verb, self.twin.ticks)

    def drift(self) -> None:
        fate, flock, omen = self.fate, self.flock, self.omen
        if self.tick % WHIM == 1:
            flock[self.tick // WHIM % len(flock)].whim = fate.between(0, TAU)
        if omen.tick(fate, self.level.interval * TICKS_PER_SECOND, HEADS_UP):
            self.begin()
        elif omen.lead == HEADS_UP:
            self.announce([fate.whole(0, 719) % len(flock) for _ in range(2)], fate.pick(PLANS), fate.between(-1, 1))
        self.lead()
        for sheep in flock:
            sheep.x += sheep.vx
            sheep.y += sheep.vy
        for number in range(self.tick % PERIOD, len(flock), PERIOD):
            self.think(flock[number])
        if self.tick % PERIOD == 0:
            home = sum(sheep.fold == sheep.black for sheep in flock)
            self.best = max(self.best, home)
            if home == len(flock):
                self.win()

    def announce(self, some: list[int], plan: str, turn: float) -> None:
        """A head goes up; one in the open bolts more or less towards a gap. turn: chance, -1..1."""
        who = min(some, key=lambda one: hypot(self.flock[one].x - self.dog.x, self.flock[one].y - self.dog.y))
        sheep = self.flock[who]
        if not sheep.away:
            self.who, self.plan = who, plan
            x, y = min(self.gaps, key=lambda gap: hypot(gap[0] - sheep.x, gap[1] - sheep.y))
            sheep.aim = atan2(y - sheep.y, x - sheep.x) + turn if sheep.fold < 0 else turn * PI

    def begin(self) -> None:
        """What the raised head has announced."""
        first = self.flock[self.who]
        for sheep in self.flock if self.who >= 0 else []:
            dx, dy = sheep.x - first.x, sheep.y - first.y
            if sheep is first:
                sheep.mood, sheep.left = self.plan, LASTS[self.plan]
            elif self.plan == "bolt" and sheep.black == first.black and hypot(dx, dy) < self.level.panic:
                sheep.bolt(atan2(dy, dx))
        self.who = -1

    def bark(self) -> None:
        """Bring a raised head down and rouse those that balk; barked for nothing, it scatters the sheep nearby."""
        if self.loud:
            return
        self.loud, idle, self.who = BARK, self.who < 0, -1
        for sheep in self.flock:
            if sheep.mood == "balk":
                sheep.mood, idle = "", False
        for sheep in self.flock if idle else []:
            dx, dy = sheep.x - self.dog.x, sheep.y - self.dog.y
            if hypot(dx, dy) < SCARED:
                sheep.bolt(atan2(dy, dx))

    def lead(self) -> None:
        """The dog goes as the hand says."""
        hand, dog, vx, vy, share = self.hand, self.dog, 0.0, 0.0, 1.0
        self.loud = max(0, self.loud - 1)
        if any(hand.holds(grip) for grip in LEADS):
            self.led += 1
            vx, vy, speed = hand.x - dog.x, hand.y - dog.y, CREEP if hand.holds("creep") else TOP_SPEED
            share = speed / max(hypot(vx, vy), 4 * speed)
        elif hand.held:
            vx, vy = STEP * (hand.holds("right") - hand.holds("left")), STEP * (hand.holds("down") - hand.holds("up"))
            share = 0.7071 if vx and vy else 1.0
            if hand.holds("bark"):
                self.bark()
        dog.run(vx * share, vy * share)

    def reach(self) -> float:
        """Distance at which a middling sheep fears the dog, px."""
        return CALM + ALARM * hypot(self.dog.vx, self.dog.vy)

    def think(self, sheep: Sheep) -> None:
        """Choose the velocity of the next ticks."""
        if sheep.away:  # it stands in its gap until it is sent back into the meadow
            sheep.away -= PERIOD
            if not sheep.away:
                sheep.bolt(PI / 2 if sheep.y < 300 else -PI / 2)
            return
        x, y, black = sheep.x, sheep.y, sheep.black
        px = py = mx = my = lx = ly = 0.0
        for other in self.flock:
            ox, oy = other.x - x, other.y - y
            square = ox * ox + oy * oy
            if 0 < square < CLOSE * CLOSE:
                much = (CLOSE / sqrt(square) - 1) * 0.05
                px, py = px - ox * much, py - oy * much
            elif other.black == black and square < MATES * MATES:
                mx, my = mx + ox, my + oy
                if other.mood == "lead":
                    lx, ly = ox, oy
        dx, dy = x - self.dog.x, y - self.dog.y
        far = sqrt(dx * dx + dy * dy) or 1.0
        fear = 1 - far * sheep.size / self.reach()
        mood, sheep.left = sheep.mood, sheep.left - PERIOD
        if sheep.left <= 0:
            sheep.mood = ""
        vx = vy = 0.0
        if fear > 0 and mood != "balk":
            speed = FLEE * (0.4 + fear) / far
            vx, vy = dx * speed, dy * speed
            if mx or my:
                pull = PULL * FLEE / sqrt(mx * mx + my * my)
                vx, vy = vx + mx * pull, vy + my * pull
        if mood == "bolt" or (mood == "lead" and fear <= 0):
            speed = BOLT if mood == "bolt" else STROLL
            vx, vy = vx + cos(sheep.aim) * speed, vy + sin(sheep.aim) * speed
        elif fear <= 0 and lx:
            pull = STROLL / sqrt(lx * lx + ly * ly)
            vx, vy = lx * pull, ly * pull
        elif fear <= 0 and mood != "balk":
            vx, vy = cos(sheep.whim) * GRAZE, sin(sheep.whim) * GRAZE
        vx = sheep.vx + (vx + px - sheep.vx) * 0.6
        vy = sheep.vy + (vy + py - sheep.vy) * 0.6
        self.fence(sheep, x + PERIOD * vx, y + PERIOD * vy)
        sheep.fx, sheep.fy = sheep.fx * 0.7 + sheep.vx, sheep.fy * 0.7 + sheep.vy

    def fence(self, sheep: Sheep, x: float, y: float) -> None:
        """Go on towards (x, y) as far as hedges and fences allow."""
        x = clamp(x, LEFT + MARGIN, RIGHT - MARGIN)
        if not TOP + MARGIN < y < BOTTOM - MARGIN:
            side = TOP if y < 300 else BOTTOM
            if not any(gy == side and abs(x - gx) < GAP / 2 - 4 for gx, gy in self.gaps):
                y = clamp(y, TOP + MARGIN, BOTTOM - MARGIN)
            elif not TOP - MARGIN < y < BOTTOM + MARGIN:
                sheep.away, sheep.mood, sheep.y, sheep.vx, sheep.vy = AWAY, "", side, 0.0, 0.0
                self.escapes += 1
                if self.escapes == self.most():
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
            if was >= DEEP:  # along the fence, towards its opening
                u, v = DEEP + MARGIN, v - clamp(v, -6, 6)
            else:
                v = HALF + MARGIN if before > 0 else -HALF - MARGIN
        x, y = RIGHT - u if right else LEFT + u, middle + v
        sheep.fold = pen if u < DEEP and abs(v) < HALF else -1
        sheep.vx, sheep.vy = (x - sheep.x) / PERIOD, (y - sheep.y) / PERIOD

    def progress(self) -> float:
        return self.best / len(self.flock)

    def reserve(self) -> float:
        return 1 - self.escapes / self.most()

    def most(self) -> int:
        """Escapes that end the evening: over a quarter of the flock, but at least three."""
        return max(3, len(self.flock) // 4 + 1)
