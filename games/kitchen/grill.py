"""Brown every piece evenly on both sides over coals that flare and roll.

A piece browns in parts, fast over the hot spots, so a flip or a serving decided from an old look finds an edge burnt.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import TAU, clamp, cos, hypot, sin
from games.kit.omen import Omen
from games.kit.world import FREE, TICKS_PER_SECOND, Command, Hand, World, turn

COLUMNS, ROWS = (90, 194, 298, 402, 506), (124, 228, 332, 500)  # px, of the tongs' cells; the last row is the tray's
LEFT, TOP, RIGHT, BOTTOM = 38, 72, 558, 384  # px, of the grate
HEARTH = (LEFT + 48, TOP + 48, RIGHT - 48, BOTTOM - 48)  # px, where hot spots roll
PLATE, WIDE, HIGH = (686, 232), 200, 336  # px
RADII, SLOWNESS = (46, 42, 38, 34), (0.88, 1.0, 1.12, 1.24)  # px, and what a side takes, thin to thick pieces
CORNERS = ((0.42, 0.42), (-0.42, 0.42), (-0.42, -0.42), (0.42, -0.42))  # radii, the middles of a side's four parts
EMBERS, POWER = 0.2, 0.8  # heat everywhere, and at the heart of a hot spot besides; 1 browns a side in brown_time
PERIOD = 6  # ticks from one browning of a piece to the next
FLAME, DRAG = 50, 0.965  # px, radius of a flare; what a tick leaves of the speed of coals that roll
AIR, RUINS, SPARE = 150, 7, 2  # ticks off the coals (each browning restores one); ruins that lose, and are forgiven


class Level(NamedTuple):
    pieces: int
    spots: int  # hot spots
    reach: float  # px, radius of a hot spot
    interval: float  # s, mean time between flares
    hiss: int  # ticks from the hiss to the flare
    scorch: float  # what a flare browns a part that it licks
    brown_time: float  # s, for a side at heat 1
    band: float  # width of the band of brown, around 1
    kinds: int  # thicknesses
    kick: float  # px a tick, the fastest that a flare rolls the coals at
    pick: float  # px, radius of the head of the pick that a piece is taken by


def heat(spots: tuple[tuple[float, float], ...], reach: float, x: float, y: float) -> float:
    """Of the coals at a place, if hot spots of some reach are there."""
    total, square = EMBERS, reach * reach
    for left, top in spots:
        near = 1 - ((left - x) * (left - x) + (top - y) * (top - y)) / square
        total += POWER * near * near if near > 0 else 0
    return total


@dataclass
class Spot:
    x: float
    y: float
    dx: float = 0.0  # px a tick
    dy: float = 0.0
    omen: Omen = field(default_factory=Omen)  # of its next flare; it hisses before


@dataclass
class Piece:
    kind: int  # 0 thin and wide, 3 thick and narrow
    x: float
    y: float
    place: str = "tray"  # "tray", "grate" or "plate"
    up: int = 0  # the side that is seen
    turned: int = 0  # quarter turns
    air: int = 0  # ticks off the coals
    sides: list[list[float]] = field(default_factory=lambda: [[0.0] * 4, [0.0] * 4])  # how brown the parts are

    def corner(self, part: int) -> int:
        """Which corner a part of either side is at; a flip mirrors the piece left to right."""
        return (self.turned - part if self.up else self.turned + part) % 4


@dataclass
class Grill(World):
    title = "Flare Grill"
    goal = "Grill every piece evenly brown on both sides and take it off before any part burns."
    rulebook = (
        "Each side browns in four parts, faster over hotter coals; the rim shows the side below. Thick, narrow pieces "
        "take longer. Gold arcs, inner above, outer below, mark parts within the band on the scale; red eats an arc "
        "until its part burns. Serve a piece once both its rings are closed. A piece is ruined, and comes back raw, "
        "when a part burns, when it is served too soon, or when the pale blue ring runs out that counts its time off "
        "the coals. Two ruined pieces are forgiven; the seventh loses. Coals hiss before they flare and roll away; a "
        "flare browns at once what its ring holds, by as much as the flame beside the scale is high."
    )
    controls = {
        "full": "At the head of its pick, drag a piece onto the grate or the plate, flip it with the right button, or "
        "turn it by wheel, a quarter a notch. A barred ring: it has no room there, and goes back.",
        "simple": "The arrows step the tongs from cell to cell. Grip takes the piece there, and lays it down; flip and "
        "serve act on the piece that is there or held. A barred ring: it has no room there, and goes back.",
    }
    seconds = 85
    twin = turn(40)  # TIMING
    verbs = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down"}
    verbs |= {"Space": "grip", "KeyF": "flip", "KeyT": "serve"}
    abilities = ("temporal", "planning")
    twin_abilities = ("planning",)
    levels = (
        Level(2, 1, 250, 3.2, 60, 0.1, 10.5, 0.36, 1, 7.0, 24),
        Level(3, 2, 215, 3.1, 57, 0.2, 9.4, 0.32, 2, 7.4, 21),
        Level(4, 3, 190, 3.0, 54, 0.3, 8.6, 0.29, 2, 7.8, 18),
        Level(4, 4, 170, 2.9, 51, 0.36, 7.8, 0.26, 3, 8.2, 16),
        Level(5, 5, 155, 1.9, 46, 1.0, 6.8, 0.21, 4, 8.6, 11.5),
    )

    pieces: list[Piece]
    spots: list[Spot]
    tongs: int = -1  # the piece that they hold, -1 for none
    ruined: int = 0
    ash: tuple[float, float, int] = (0, 0, -TICKS_PER_SECOND)  # where and when the last piece was ruined

    @classmethod
    def new(cls, level: Level, dice: Dice) -> Grill:
        kinds = list(range(5))
        dice.shuffle(kinds)
        cells = [(x, y) for y in ROWS[:3] for x in COLUMNS]
        dice.shuffle(cells)
        left, top, right, bottom = HEARTH
        hearts = [(dice.between(left, right), dice.between(top, bottom)) for _ in range(5)]
        pieces = [Piece(kinds[slot] % level.kinds, COLUMNS[slot], ROWS[3]) for slot in range(level.pieces)]
        for piece, cell in zip(pieces[: level.pieces // 2], cells, strict=False):
            (piece.x, piece.y), piece.place = cell, "grate"
        hand, spots = Hand(x=COLUMNS[2], y=ROWS[1]), [Spot(x, y) for x, y in hearts[: level.spots]]
        return cls(level=level, pieces=pieces, spots=spots, hand=hand)

    def act(self, command: Command) -> object:
        word, index, *rest = command
        if word == "step":
            self.hand.x = COLUMNS[int(clamp(COLUMNS.index(self.hand.x) + index, 0, 4))]
            self.hand.y = ROWS[int(clamp(ROWS.index(self.hand.y) + rest[0], 0, 3))]
            return FREE
        if word == "lift":
            self.tongs = index
            return FREE
        piece = self.pieces[index]
        if word in ("lay", "serve"):
            self.tongs = -1
        if word == "lay":
            if not self.room(index, *rest):
                return FREE
            (piece.x, piece.y), piece.place = rest, "grate"
        elif word == "flip":
            piece.up, piece.turned = 1 - piece.up, (1 - piece.turned) % 4
        elif word == "turn":
            piece.turned = (piece.turned + rest[0]) % 4
        elif not self.done(piece):
            self.ruin(index)
        else:
            piece.place = "plate"
            piece.x, piece.y = PLATE[0] + (46 if index % 2 else -46), PLATE[1] - 100 + 100 * (index // 2)
            if self.progress() == 1:
                self.win()
        return None

    def room(self, index: int, x: float, y: float) -> bool:
        others = [other for other in self.pieces if other.place == "grate" and other is not self.pieces[index]]
        size = RADII[self.pieces[index].kind] + 6
        return y <= BOTTOM and all(hypot(other.x - x, other.y - y) >= size + RADII[other.kind] for other in others)

    def done(self, piece: Piece) -> bool:
        return min(map(min, piece.sides)) >= 1 - self.level.band / 2

    def ruin(self, index: int) -> None:
        self.ash = (*self.where(index), self.tick)
        self.pieces[index] = Piece(self.pieces[index].kind, COLUMNS[index], ROWS[3])
        self.tongs = -1 if self.tongs == index else self.tongs
        self.ruined += 1
        if self.ruined == RUINS:
            self.lose("seven ruined pieces")

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        index, (x, y) = int(grip.split()[1]), end
        if abs(x - PLATE[0]) <= WIDE / 2 and abs(y - PLATE[1]) <= HIGH / 2:
            return ("serve", index) if self.pieces[index].place == "grate" else None
        if hypot(x - start[0], y - start[1]) < 8:
            return None
        return ("lay", index, clamp(x, LEFT + 44, RIGHT - 44), clamp(y, TOP + 44, BOTTOM - 44) if y <= BOTTOM else y)

    def simple(self, verb: str) -> object:
        steps = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
        if verb in steps:
            return ("step", *steps[verb])
        x, y = self.hand.x, self.hand.y
        if self.tongs >= 0 and verb == "grip":
            return ("lay", self.tongs, x, y)
        for index, piece in enumerate(self.pieces):
            if index == self.tongs or (self.tongs < 0 and hypot(piece.x - x, piece.y - y) < RADII[piece.kind]):
                return ("lift", index) if verb == "grip" else (verb, index) if piece.place == "grate" else None
        return None

    def lifted(self, index: int) -> bool:
        return self.tongs == index or self.hand.holds(f"piece {index}")

    def where(self, index: int) -> tuple[float, float]:
        return (self.hand.x, self.hand.y) if self.lifted(index) else (self.pieces[index].x, self.pieces[index].y)

    def drift(self) -> None:
        left, top, right, bottom = HEARTH
        for spot in self.spots:
            if spot.omen.tick(self.fate, self.level.interval * self.level.spots * TICKS_PER_SECOND, self.level.hiss):
                self.flare(spot)
            spot.x, spot.y = spot.x + spot.dx, spot.y + spot.dy
            spot.dx *= DRAG if left < spot.x < right or (spot.x < left) == (spot.dx > 0) else -DRAG
            spot.dy *= DRAG if top < spot.y < bottom or (spot.y < top) == (spot.dy > 0) else -DRAG
        for index, piece in enumerate(self.pieces):
            if piece.place == "grate" and self.lifted(index):
                piece.air += 1
                if piece.air > AIR:
                    self.ruin(index)
            elif piece.place == "grate" and (self.tick + index) % PERIOD == 0:
                piece.air = max(0, piece.air - 1)
                share = PERIOD / (TICKS_PER_SECOND * self.level.brown_time * SLOWNESS[piece.kind])
                self.brown(index, [share * self.heat(*part) for part in self.parts(piece, piece.x, piece.y)])

    def flare(self, spot: Spot) -> None:
        """Fat burns there, and the coals roll."""
        angle, speed = self.fate.between(0, TAU), self.level.kick * self.fate.between(0.5, 1)
        spot.dx, spot.dy = speed * cos(angle), speed * sin(angle)
        for index, piece in enumerate(self.pieces):
            if piece.place == "grate" and not self.lifted(index):
                self.brown(index, self.scorches(spot, piece, piece.x, piece.y))

    def brown(self, index: int, amounts: list[float]) -> None:
        """Brown the four parts of the side below."""
        piece = self.pieces[index]
        side = piece.sides[1 - piece.up]
        side[:] = [brown + amount for brown, amount in zip(side, amounts, strict=True)]
        if max(side) > 1 + self.level.band / 2:
            self.ruin(index)

    def scorches(self, spot: Spot, piece: Piece, x: float, y: float) -> list[float]:
        """What a flare of that spot would brown the parts of a piece that lies there."""
        scorch, parts = self.level.scorch, self.parts(piece, x, y)
        return [scorch * (hypot(left - spot.x, top - spot.y) < FLAME) for left, top in parts]

    def parts(self, piece: Piece, x: float, y: float) -> list[tuple[float, float]]:
        """Where the parts of a piece that lies there are."""
        corners, radius = [CORNERS[piece.corner(part)] for part in range(4)], RADII[piece.kind]
        return [(x + dx * radius, y + dy * radius) for dx, dy in corners]

    def heat(self, x: float, y: float) -> float:
        return heat(tuple((spot.x, spot.y) for spot in self.spots), self.level.reach, x, y)

    def progress(self) -> float:
        return sum(piece.place == "plate" for piece in self.pieces) / len(self.pieces)

    def reserve(self) -> float:
        return min(1, (RUINS - self.ruined) / (RUINS - SPARE))
