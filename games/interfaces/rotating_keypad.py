"""Press the glyphs of a code on a keypad whose rings turn.

A ring's rate is redrawn while it turns, so a press chosen from an old look lands on a neighbour and costs a strike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import TAU, cos, sin
from games.kit.omen import Omen
from games.kit.picture import Picture, kept
from games.kit.world import FREE, TAP, TICKS_PER_SECOND, Command, World, still

GLYPHS = "ΓΔΘΛΞΠΣΦΨΩБДЖЗИЛЦЧШЭЮЯQRKMW24579"
CENTRE = (400.0, 350.0)
TABLE = 240  # px, radius
STEP = 28  # px, of the crosshair: any key covers a place of its grid
STRIKES = 3
SHIVER = 21  # ticks from a ring's shiver to its new rate
LATCH = 70  # ticks that the bolt takes after a right press; the keys rest so long
PRESS_BURNS = TICKS_PER_SECOND  # ticks of the fuse
# for each number of keys the unit vectors to them
CIRCLES = [[(cos(key * TAU / keys), sin(key * TAU / keys)) for key in range(keys)] for keys in range(len(GLYPHS) + 1)]

NIGHT, DEEP, KEY, KEY_DIM, RIM = 0x0F3340, 0x06161E, 0x17505E, 0x103844, 0x3C8796
SODIUM, FADED, PALE, RED = 0xFFB03B, 0x937A3F, 0xFFE7BF, 0xFF5A3C


class Level(NamedTuple):
    characters: int  # in the code
    keys: int
    rings: int
    diameter: float  # px, of a key
    rate: float  # degrees a second, middle of what a ring turns
    interval: float  # s, mean time between a ring's new rates


@dataclass
class Ring:
    radius: float  # px
    angle: float  # of its first key
    glyphs: list[int]
    rate: float = 0.0  # radians a tick
    omen: Omen = field(default_factory=Omen)  # of its next rate; the ring shivers before


@dataclass
class RotatingKeypad(World):
    title = "Rotating Keypad"
    goal = (
        "Enter the glyph code shown at the top, in order, on the turning keypad before the fuse burns out; "
        "three wrong presses lock it."
    )
    rulebook = (
        "A right press lights the next glyph of the code, and a bolt slides before the keys work again. A wrong "
        "press is a strike and erases the last glyph. A press between the keys jolts the rings. Every press burns a "
        "second of the fuse. A ring's rim turns orange just before the ring turns otherwise than it did. "
        "The lamps at the upper right count the strikes."
    )
    controls = {
        "full": "Click a key to press it; what is under the pointer when the button goes down counts.",
        "simple": "The arrows step a crosshair by 28 pixels, Space presses what is under it then; the crosshair stays "
        "where it is while the keys turn.",
    }
    seconds = 60
    twin = still()  # TIMING
    verbs = {
        "ArrowLeft": "left",
        "ArrowRight": "right",
        "ArrowUp": "up",
        "ArrowDown": "down",
        "Space": "press",
    }
    abilities = ("temporal", "planning")
    twin_abilities = ("planning",)
    levels = (
        Level(4, 12, 1, 80, 15, 1.8),
        Level(4, 16, 2, 70, 21, 1.5),
        Level(5, 20, 2, 58, 28, 1.2),
        Level(6, 26, 3, 50, 38, 0.9),
        Level(8, 32, 3, 42, 53, 0.65),
    )

    code: list[int]
    rings: list[Ring]
    entered: int = 0
    strikes: int = 0
    latch: int = 0  # ticks until the keys work again
    flash: int = 0  # ticks that a wrong press still shows
    touched: list[int] = field(default_factory=list)  # [ring, key] pressed last

    @classmethod
    def new(cls, level: Level, dice: Dice) -> RotatingKeypad:
        glyphs = list(range(len(GLYPHS)))
        dice.shuffle(glyphs)
        order = [dice.unit() for _ in glyphs]
        angles = [dice.between(0, TAU) for _ in range(3)]
        picks = [dice.unit() for _ in range(8)]

        placed = sorted(range(level.keys), key=lambda key: order[key])
        rings, taken = [], 0
        radii = [TABLE - 5 - level.diameter / 2 - ring * (level.diameter + 22) for ring in range(level.rings)]
        for ring, radius in enumerate(radii):
            share = round(level.keys * sum(radii[: ring + 1]) / sum(radii))
            rings.append(Ring(radius, angles[ring], [glyphs[key] for key in placed[taken:share]]))
            taken = share
        code: list[int] = []
        for pick in picks[: level.characters]:
            choice = [glyph for glyph in glyphs[: level.keys] if glyph not in code[-1:]]
            code.append(choice[int(pick * len(choice))])
        return cls(level=level, code=code, rings=rings)

    def act(self, command: Command) -> object:
        match command:
            case ("step", dx, dy):
                x, y = self.hand.x + dx * STEP, self.hand.y + dy * STEP
                if abs(x - CENTRE[0]) <= TABLE and abs(y - CENTRE[1]) <= TABLE:
                    self.hand.x, self.hand.y = x, y
                return FREE
            case _ if self.latch:
                return FREE
            case ("gap",):
                for index, ring in enumerate(self.rings):
                    ring.angle += 0.3 if index % 2 else -0.3
            case ("press", ring, key):
                self.touched = [ring, key]
                if self.rings[ring].glyphs[key] == self.code[self.entered]:
                    self.entered += 1
                    self.latch = LATCH
                    if self.entered == len(self.code):
                        self.win()
                else:
                    self.strike()
        self.spent += PRESS_BURNS
        return None

    def strike(self) -> None:
        self.strikes += 1
        self.entered = max(0, self.entered - 1)
        self.flash = 20
        if self.strikes == STRIKES:
            self.lose("three wrong presses")

    def drift(self) -> None:
        for ring in self.rings:
            ring.angle += ring.rate
            comes = ring.omen.tick(self.fate, self.level.interval * TICKS_PER_SECOND, SHIVER)
            if comes or self.tick == 1:
                speed = self.level.rate * self.fate.between(0.65, 1.35) * TAU / 360 / TICKS_PER_SECOND
                ring.rate = speed * self.fate.sign()

    def respond(self) -> bool:
        self.flash = max(0, self.flash - 1)
        if self.latch:
            self.latch -= 1
        return self.latch > 0 or self.flash > 0

    def simple(self, verb: str) -> object:
        steps = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
        return TAP if verb == "press" else ("step", *steps[verb])

    def progress(self) -> float:
        return self.entered / len(self.code)

    def reserve(self) -> float:
        return 1 - self.strikes / STRIKES

    # ---------------------------------------------------------------- picture

    def places(self, ring: Ring) -> list[tuple[float, float]]:
        """Where a ring's keys are, px."""
        x, y = ring.radius * cos(ring.angle), ring.radius * sin(ring.angle)
        circle = CIRCLES[len(ring.glyphs)]
        return [(CENTRE[0] + x * c - y * s, CENTRE[1] + y * c + x * s) for c, s in circle]

    def draw(self, picture: Picture) -> None:
        lamp = (400 + 170 * sin(self.tick * 0.021), 300 + 60 * cos(self.tick * 0.017))
        picture.background(NIGHT, DEEP)
        draw_table(picture)
        draw_code(picture, self.code, self.entered, self.strikes)
        picture.glow(*lamp, 200, 0x2E6E78, alpha=0.6)
        for index, ring in enumerate(self.rings):
            self.draw_ring(picture, index, ring, lamp)
        self.draw_hub(picture)
        picture.glow(*lamp, 46, SODIUM, alpha=0.35)

    def draw_ring(self, picture: Picture, index: int, ring: Ring, lamp: tuple[float, float]) -> None:
        lead, size = ring.omen.lead, self.level.diameter
        shaken = (1.6 if lead & 2 else -1.6) if lead else 0.0
        picture.ring(*CENTRE, ring.radius, 3 if lead else 2, SODIUM if lead else 0x164756, alpha=0.9 if lead else 0.7)
        places = self.places(ring)
        for x, y in places:
            x, y = x + (x - lamp[0]) * 0.1, y + (y - lamp[1]) * 0.1
            picture.shadow(x, y, size, size, radius=size / 2, blur=14, alpha=0.45)
        face, glyph = (KEY_DIM, FADED) if self.latch else (KEY, SODIUM)
        rim = SODIUM if lead else RIM
        shows = self.latch > LATCH - 20 or self.flash > 0
        for key, (x, y) in enumerate(places):
            pressed = shows and self.touched == [index, key]
            edge = (RED if self.flash else SODIUM) if pressed else rim
            picture.disc(x + shaken, y, size / 2, face, edge=edge, edge_width=3, does=("press", index, key))
            picture.text(x + shaken, y, GLYPHS[ring.glyphs[key]], size * 0.52, glyph, bold=True)

    def draw_hub(self, picture: Picture) -> None:
        picture.disc(*CENTRE, 24, 0x0A222B, edge=0x2A6775, edge_width=2)
        if self.latch:
            share = 1 - self.latch / LATCH
            picture.arc(*CENTRE, 16, -TAU / 4, TAU * share, 5, SODIUM)
        else:
            picture.disc(*CENTRE, 9, RED if self.flash else 0x6FD3A0)


# Still parts come first in draw; `kept` draws them once for each choice of arguments, then only adds them.


@kept
def draw_table(picture: Picture) -> None:
    picture.shadow(*CENTRE, 2 * TABLE, 2 * TABLE, radius=TABLE, blur=40, alpha=0.6)
    picture.disc(*CENTRE, TABLE, 0x0B2A35, edge=0x1B5665, edge_width=3, does=("gap",))


@kept
def draw_code(picture: Picture, code: list[int], entered: int, strikes: int) -> None:
    left = 400 - 21 * (len(code) - 1)
    for index, glyph in enumerate(code):
        lit, now, x = index < entered, index == entered, left + 42 * index
        face, edge, wide = SODIUM if lit else 0x0C2C37, PALE if now else 0x2A6775, 3 if now else 1.5
        picture.box(x, 78, 36, 38, face, radius=7, edge=edge, edge_width=wide)
        picture.text(x, 78, GLYPHS[glyph], 23, DEEP if lit else PALE if now else 0x8FBCC4, bold=True)
    for index in range(STRIKES):
        face = RED if index < strikes else 0x14404D
        picture.disc(726 + 24 * index, 78, 8, face, edge=0x2A6775, edge_width=1.5)
