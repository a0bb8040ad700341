"""Follow the pearls under a dealer's cups and lift the right cup while he shuffles on.

He never stops, so a lift chosen from an old look lands on a cup that has taken the pearl's place, and wasps sting.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import TAU, clamp, cos, hypot, mix, sin
from games.kit.omen import Omen
from games.kit.picture import Picture, mix_colour
from games.kit.world import FREE, TICKS_PER_SECOND, Command, Hold, World, until

PURSE = 5  # pearls to be lifted
FAULTS = 4  # the last empty lift, or the last sting, loses
LAND = 12  # ticks from a lift's beginning to its landing
POISE = 36  # ticks that the hands hover over two cups before they swap them, or feint
HOP, SHOW, GAPE = 36, 60, 30  # ticks: a pearl goes to its next cup; lies there in view; an empty cup stays up
SEEN = 40  # ticks left of a show when the twin rests in it
SWING = 15  # ticks that a swat or a wave takes the hand
PAIN = 24  # ticks that a sting shows
LIFE = 400  # ticks from a wasp's coming to its sting
CUNNING = 0.6  # share of hoverings that are over the called pearl
SINK, RISE = 45, 10  # ticks in which the shawl comes down, and goes up
LEFT, RIGHT = 50, 750  # px, between which the shawl slides
SLEW = 0.02  # px a tick, each tick

SAFFRON, GOLD, CREAM, LAPIS, INK, RED = 0xF2A324, 0xFFD271, 0xFFF1D0, 0x24449A, 0x101B45, 0xE8452E
PEARLS = ((0xF7F2EA, 0xFFFFFF), (0x2C2A3C, 0x9C97C4))  # light and dark: face and shine


class Level(NamedTuple):
    cups: int
    pearls: int
    pause: float  # s, mean time that the dealer's hands are away
    swap: int  # ticks that a swap takes
    shuffles: int  # swaps after a hiding until cups may be lifted
    feints: float  # share of the hands' hoverings
    shawl: float  # share of the table that it covers
    wasps: float  # a minute


@dataclass
class Wasp:
    side: int  # -1 comes from the left, 1 from the right
    x: float  # px, where it hovers
    y: float
    phase: float
    age: int = 0

    def place(self) -> tuple[float, float]:
        way = 1 - clamp(self.age / 90, 0, 1)
        angle = self.phase + self.age * 0.08
        return mix(self.x, 400 + 440 * self.side, way * way) + 24 * cos(angle), self.y + 20 * sin(angle)


@dataclass
class BazaarCups(World):
    title = "Bazaar Cups"
    goal = "Lift the cups that hide pearls while the dealer shuffles; mind the wasps and the shawl."
    rulebook = (
        "Five pearls win. The sign shows which pearl is called; a lift that does not find it is empty, and the fourth "
        "empty lift loses. After each hiding the cups stay down until all lamps are lit, one for each finished swap. "
        "A lift lands 0.2 s later on whatever cup is then at that place; on a cup that is being swapped it puts the "
        "lamps out, under the shawl it does nothing. The dealer's hands hover over two cups, then swap them or only "
        "feint; the last swap leaves its tracks. A waved shawl comes back after the next swap. A wasp that nobody "
        "swats stings; the fourth sting loses."
    )
    seconds = 65
    twin = until("rests")  # TIMING
    keys = {"KeyW": ("wave",)}
    verbs = {f"Digit{number}": f"lift at {number}" for number in range(1, 10)} | {
        "KeyQ": "swat left",
        "KeyE": "swat right",
        "KeyW": "wave",
    }
    abilities = ("temporal", "planning")
    twin_abilities = ("temporal", "planning")
    levels = (
        Level(5, 1, 1.0, 36, 2, 0.1, 0.10, 4),
        Level(6, 1, 0.8, 30, 2, 0.15, 0.18, 7),
        Level(7, 1, 0.62, 25, 3, 0.2, 0.26, 10),
        Level(8, 2, 0.45, 19, 3, 0.24, 0.34, 13),
        Level(9, 2, 0.32, 14, 4, 0.28, 0.42, 16),
    )

    pearls: list[int]  # where each is, by the number of the place
    called: int = 0
    found: int = 0
    empty: int = 0
    stings: int = 0
    # the dealer
    pair: list[int] = field(default_factory=lambda: [0, 1])  # places under his hands, now or last
    pause: Omen = field(default_factory=Omen)  # until his hands come again
    poise: int = 0  # ticks until they swap or feint
    turning: int = 0  # ticks until a swap is finished
    finished: bool = False  # a swap, in this tick
    feinted: bool = False
    shuffles: int = 0  # finished swaps since the last hiding
    tracks: list[int] = field(default_factory=list)  # the two places of the last swap
    raised: list[int] = field(default_factory=list)  # places whose cup is up
    dealing: int = SHOW  # ticks that it stays up
    hop: list[int] = field(default_factory=list)  # [pearl, the place that it hops from]
    # the player's hand
    target: int = 0  # place of the lift under way
    reach: int = 0  # ticks until it lands
    numb: int = 0  # ticks until the hand can act again
    hurt: int = 0  # ticks that the last sting still shows
    # what else comes
    wasps: list[Wasp] = field(default_factory=list)  # oldest first
    swarm: Omen = field(default_factory=Omen)  # of the next wasp
    shawl: float = 400.0  # px, its middle
    speed: float = 0.0  # px a tick, of the shawl
    pull: float = 0.5  # px a tick, the speed that it comes to
    gust: Omen = field(default_factory=Omen)  # of the next pull
    waved: bool = False
    aloft: float = 0.0  # 1: the shawl is away

    @classmethod
    def new(cls, level: Level, dice: Dice) -> BazaarCups:
        order = list(range(9))
        dice.shuffle(order)
        where, sign = dice.unit(), dice.sign()

        pearls = [place for place in order if place < level.cups][: level.pearls]
        half = level.shawl * (RIGHT - LEFT) / 2
        shawl = mix(LEFT + half, RIGHT - half, where)
        return cls(level=level, pearls=pearls, raised=list(pearls), shawl=shawl, pull=0.5 * sign)

    def act(self, command: Command) -> object:
        if self.numb or self.reach:
            return FREE
        match command:
            case ("lift", place):
                if not self.ripe():
                    return FREE
                self.target, self.reach = place, LAND
                return None
            case ("swat", index):
                if index >= 0:
                    self.wasps.pop(index)
            case ("wave",):
                self.waved = True
        self.numb = SWING
        return None

    def ripe(self) -> bool:
        """Whether cups may be lifted."""
        return not self.dealing and self.shuffles >= self.level.shuffles

    def drift(self) -> None:
        chance = Dice(self.fate.bits())  # one draw a tick, whatever the player does
        self.finished = False
        self.numb, self.hurt = max(0, self.numb - 1), max(0, self.hurt - 1)
        self.slide(chance)
        self.fly(chance)
        if self.reach:
            self.reach -= 1
            if not self.reach:
                self.land(chance)
        if self.turning:
            self.turning -= 1
            if not self.turning:
                self.finish()
        elif self.dealing:
            self.dealing -= 1
            if self.dealing == SHOW:
                self.raised = [self.pearls[self.hop[0]]]
            elif not self.dealing:
                self.raised, self.hop = [], []
        else:
            self.shuffle(chance)

    def shuffle(self, chance: Dice) -> None:
        if self.poise:
            self.poise -= 1
            if not self.poise:
                self.feinted = chance.unit() < self.level.feints
                self.turning = 0 if self.feinted else self.level.swap
        elif self.pause.tick(chance, self.level.pause * TICKS_PER_SECOND, 1):
            first = self.pearls[self.called] if chance.unit() < CUNNING else chance.whole(0, self.level.cups - 1)
            self.pair = [first, (first + chance.whole(1, self.level.cups - 1)) % self.level.cups]
            self.poise = POISE

    def finish(self) -> None:
        first, second = self.pair
        self.pearls = [second if place == first else first if place == second else place for place in self.pearls]
        self.tracks = [first, second]
        self.shuffles += 1
        self.finished, self.waved = True, False

    def land(self, chance: Dice) -> None:
        place = self.target
        if self.turning and place in self.pair:
            self.shuffles = 0
            return
        if self.covered(place):
            return
        self.raised, self.dealing = [place], GAPE
        if self.pearls[self.called] != place:
            self.empty += 1
            if self.empty == FAULTS:
                self.lose("four empty lifts")
            return
        self.found += 1
        if self.found == PURSE:
            self.win()
            return
        moving = self.pair if self.turning else []
        free = [each for each in range(self.level.cups) if each not in self.pearls and each not in moving]
        self.pearls[self.called] = chance.pick(free)
        self.hop, self.dealing, self.shuffles = [self.called, place], HOP + SHOW, 0
        self.raised.append(self.pearls[self.called])
        self.called = chance.whole(0, self.level.pearls - 1)

    def fly(self, chance: Dice) -> None:
        for wasp in self.wasps:
            wasp.age += 1
        if self.wasps and self.wasps[0].age >= LIFE:
            self.wasps.pop(0)
            self.stings += 1
            self.hurt = PAIN
            if self.stings == FAULTS:
                self.lose("four stings")
        if self.swarm.tick(chance, 60 * TICKS_PER_SECOND / self.level.wasps, 1):
            x, y = chance.between(90, 710), chance.between(150, 290)
            self.wasps.append(Wasp(chance.sign(), x, y, chance.between(0, TAU)))

    def slide(self, chance: Dice) -> None:
        self.aloft = clamp(self.aloft + (1 / RISE if self.waved else -1 / SINK), 0, 1)
        if self.gust.tick(chance, 2.5 * TICKS_PER_SECOND, 1):
            self.pull = chance.between(0.3, 1.3) * chance.sign()
        half = self.level.shawl * (RIGHT - LEFT) / 2
        if (self.shawl - half < LEFT and self.pull < 0) or (self.shawl + half > RIGHT and self.pull > 0):
            self.pull = -self.pull
        self.speed += clamp(self.pull - self.speed, -SLEW, SLEW)
        self.shawl += self.speed

    def covered(self, place: int, margin: float = 0) -> bool:
        """Whether the shawl lies on the middle of the cup there, or within a margin (px) of it."""
        reach = self.level.shawl * (RIGHT - LEFT) / 2 + margin
        return self.aloft < 0.2 and abs(self.spot(place)[0] - self.shawl) < reach

    def rests(self) -> bool:
        """The dealer has finished a swap, or a pearl lies in view where it is being hidden."""
        return (self.finished and not self.dealing) or self.dealing == SEEN

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        if grip == "shawl":
            return ("wave",) if hypot(end[0] - start[0], end[1] - start[1]) > 50 else None
        return ("lift", int(grip.split()[1])) if start[1] - end[1] > 20 else None

    def simple(self, verb: str) -> object:
        if self.numb or self.reach:
            return None
        if verb == "wave":
            return ("wave",)
        if verb.startswith("swat"):
            there = [i for i, wasp in enumerate(self.wasps) if (wasp.place()[0] < 400) == (verb == "swat left")]
            return ("swat", there[0] if there else -1)
        place = int(verb.split()[2]) - 1
        return ("lift", place) if place < self.level.cups and self.ripe() else None

    def progress(self) -> float:
        return self.found / PURSE

    def reserve(self) -> float:
        return (1 - self.empty / FAULTS) * (1 - self.stings / FAULTS)

    # ---------------------------------------------------------------- picture

    def spot(self, place: int) -> tuple[float, float]:
        """Where the cup of a place stands (the middle of its foot)."""
        cups = self.level.cups
        back = 0 if cups < 6 else cups // 2
        if place < back:
            return 400 + (place - (back - 1) / 2) * 144 - (36 if cups == 2 * back else 0), 388
        front = cups - back
        return 400 + (place - back - (front - 1) / 2) * 144 + (36 if cups == 2 * back else 0), 520 if back else 470

    def foot(self, place: int) -> tuple[float, float]:
        """The same, also while the cup is on its way to the other place."""
        x, y = self.spot(place)
        if place not in self.pair:
            return x, y
        if not self.turning:
            shake = 5 * sin(self.tick * 0.9) if self.feinted and not self.poise and self.pause.age < 16 else 0
            return x + shake, y
        return self.orbit(place, sum(self.pair) - place, 1 - self.turning / self.level.swap)

    def orbit(self, place: int, other: int, share: float) -> tuple[float, float]:
        """A point of the way from a place to another one; of two cups, one goes before and one behind."""
        (x, y), (other_x, other_y) = self.spot(place), self.spot(other)
        along, across = (1 - cos(share * TAU / 2)) / 2, 40 * sin(share * TAU / 2)
        dx, dy = other_x - x, other_y - y
        length = hypot(dx, dy)
        return x + dx * along - across * dy / length, y + dy * along + across * dx / length

    def hands(self) -> list[tuple[float, float]]:
        """Where the dealer's hands are, left one first."""
        near = 1.0 if self.turning else clamp((POISE - self.poise) / 12, 0, 1) if self.poise else 0.0
        if not self.turning and not self.poise and (self.tracks or self.feinted):
            near = clamp(1 - self.pause.age / 14, 0, 1)
        above = 104 if self.poise else 94
        places = sorted(self.foot(place) for place in self.pair)
        return [(mix(x0, x, near), mix(286, y - above, near)) for x0, (x, y) in zip((322, 478), places, strict=True)]

    def draw(self, picture: Picture) -> None:
        self.draw_bazaar(picture)
        self.draw_dealer(picture)
        self.draw_table(picture)
        hands = self.hands()
        order = sorted((self.foot(place)[1], place) for place in range(self.level.cups))
        for _, place in order:
            self.draw_cup(picture, place)
        self.draw_hop(picture)
        for side, (x, y) in zip((-1, 1), hands, strict=True):
            self.draw_arm(picture, side, x, y)
        self.draw_shawl(picture)
        if self.reach:
            x, y = self.spot(self.target)
            picture.ring(x, y - 40, 46 + 3 * self.reach, 4, CREAM)
        self.draw_signs(picture)
        for index, wasp in enumerate(self.wasps):
            self.draw_wasp(picture, index, wasp)
        if self.hurt:
            picture.box(400, 324, 790, 542, RED, radius=20, alpha=0.4 * self.hurt / PAIN)

    def draw_bazaar(self, picture: Picture) -> None:
        picture.background(0x16225C, 0x0A1030)
        for number in range(9):  # awning
            x = 44 + 89 * number
            cloth = SAFFRON if number % 2 else CREAM
            picture.disc(x, 84, 44.5, mix_colour(cloth, 0x3A2440, 0.25))
            picture.box(x, 62, 89, 48, cloth, bottom=mix_colour(cloth, 0x3A2440, 0.25))
        picture.shadow(400, 44, 820, 36, blur=24, alpha=0.5)
        for number, x in enumerate((215, 585)):
            sway = 5 * sin(self.tick * 0.03 + number * 2)
            picture.line(x, 100, x + sway, 158, 2, GOLD)
            picture.glow(x + sway, 178, 120, 0xE08A20, alpha=0.45 + 0.04 * sin(self.tick * 0.13 + number))
            picture.ellipse(x + sway, 178, 17, 22, 0xFFC65A, edge=0xA8601A, edge_width=3)

    def draw_dealer(self, picture: Picture) -> None:
        x = 400 + 4 * sin(self.tick * 0.02)
        picture.glow(x, 190, 190, 0x4A63C8, alpha=0.35)
        picture.box(x, 268, 176, 130, 0x2F57B8, radius=56, bottom=0x182C72)
        picture.polygon([(x - 26, 206), (x + 26, 206), (x, 262)], CREAM)
        picture.disc(x, 172, 34, 0xB9764A)
        picture.ellipse(x, 191, 19, 14, 0x3A2420)
        picture.ellipse(x, 144, 43, 25, SAFFRON, edge=0xC0761A, edge_width=2)
        picture.ellipse(x - 6, 136, 34, 13, GOLD, turn=-0.25, alpha=0.8)
        picture.disc(x, 140, 7, 0x3E6AE0, edge=CREAM, edge_width=2)
        look = 5 * (self.spot(self.pair[0])[0] + self.spot(self.pair[1])[0] - 800) / 500
        for side in (-1, 1):
            picture.ellipse(x + 12 * side, 170, 6, 4.5, 0xFFFFFF)
            picture.disc(x + 12 * side + clamp(look, -3, 3), 171, 3, INK)

    def draw_table(self, picture: Picture) -> None:
        picture.shadow(400, 300, 760, 90, blur=30, alpha=0.6)
        picture.polygon([(66, 274), (734, 274), (796, 600), (4, 600)], LAPIS)
        picture.polygon([(78, 282), (722, 282), (778, 594), (22, 594)], GOLD)
        picture.polygon([(82, 286), (718, 286), (772, 590), (28, 590)], 0xD99A3C)
        picture.ellipse(400, 445, 330, 128, 0xEBB55A, soft=90)
        if self.tracks:
            first, second = self.tracks
            there = [self.orbit(first, second, step / 8) for step in range(9)]
            back = [self.orbit(second, first, step / 8) for step in range(1, 8)]
            picture.path(there + back, 15, 0xA8661F, closed=True, alpha=0.8)
            picture.path(there + back, 5, 0xFBE3A8, closed=True, alpha=0.9)
        for place in range(self.level.cups):
            x, y = self.spot(place)
            picture.text(x, y + 27, str(place + 1), 17, 0x6A3A10, bold=True)

    def draw_cup(self, picture: Picture, place: int) -> None:
        x, y = self.foot(place)
        up = place in self.raised
        away = self.turning and place in self.pair
        picture.shadow(x + 5, y + 2, 88, 30, radius=15, blur=14, alpha=0.3 if up else 0.5)
        if up:
            for index, where in enumerate(self.pearls):
                if where == place and not (self.dealing > SHOW and self.hop[:1] == [index]):
                    self.draw_pearl(picture, index, x, y - 10, 15)
            y -= 66
        body = [(x - 27, y - 78), (x + 27, y - 78), (x + 41, y + 2), (x - 41, y + 2)]
        picture.ellipse(x, y + 2, 41, 11, 0x16307E)
        picture.polygon(body, LAPIS, does=None if away else Hold(f"place {place}"))
        picture.polygon([(x - 21, y - 78), (x - 8, y - 78), (x - 13, y + 8), (x - 32, y + 5)], 0x4B74DA, alpha=0.75)
        picture.ellipse(x, y - 78, 27, 8, 0x5B83E6, edge=GOLD, edge_width=2)
        picture.line(x - 36, y - 21, x + 36, y - 21, 7, SAFFRON)

    def draw_pearl(self, picture: Picture, index: int, x: float, y: float, r: float) -> None:
        face, shine = PEARLS[index]
        picture.glow(x, y, 3 * r, 0xFFE9A8, alpha=0.5)
        picture.disc(x, y, r, face, edge=0x7A5A3A, edge_width=1.5)
        picture.disc(x - 0.3 * r, y - 0.35 * r, 0.4 * r, shine, soft=0.4 * r)

    def draw_hop(self, picture: Picture) -> None:
        if self.hop and self.dealing > SHOW:
            index, origin = self.hop
            (x, y), (to_x, to_y) = self.spot(origin), self.spot(self.pearls[index])
            share = clamp(1.3 * (HOP + SHOW - self.dealing) / HOP - 0.3, 0, 1)
            self.draw_pearl(
                picture, index, mix(x, to_x, share), mix(y, to_y, share) - 10 - 90 * share * (1 - share), 15
            )

    def draw_arm(self, picture: Picture, side: int, x: float, y: float) -> None:
        shoulder, elbow = (400 + 66 * side, 236), ((400 + 110 * side + x) / 2, 250 + (y - 250) * 0.25)
        picture.path([shoulder, elbow, (mix(elbow[0], x, 0.8), mix(elbow[1], y, 0.8))], 30, 0x2F57B8)
        picture.line(mix(elbow[0], x, 0.78), mix(elbow[1], y, 0.78), x, y, 17, 0xB9764A)
        picture.line(
            mix(elbow[0], x, 0.76), mix(elbow[1], y, 0.76), mix(elbow[0], x, 0.8), mix(elbow[1], y, 0.8), 32, GOLD
        )
        for finger in (-1, 0, 1):
            picture.line(x + 5 * finger, y, x + 12 * finger, y + 15, 8, 0xB9764A)
        picture.disc(x, y, 14, 0xC58456)

    def draw_shawl(self, picture: Picture) -> None:
        width = self.level.shawl * (RIGHT - LEFT)
        up = self.aloft * self.aloft * (3 - 2 * self.aloft)
        top, bottom, strips = mix(282, 60, up), mix(578, 236, up), 3 + int(width / 48)
        does = None if self.waved else Hold("shawl")
        edges = []
        for number in range(strips + 1):
            wave = self.tick * (0.07 + 0.1 * up) + number * 0.9
            x = self.shawl + width * (number / strips - 0.5) + 3 * sin(wave * 0.7)
            edges.append((x, top + 5 * sin(wave), bottom + 8 * sin(wave + 0.8), cos(wave)))
        veil = 0.62 - 0.32 * up
        for number in range(strips):
            (x, high, low, slope), (next_x, next_high, next_low, _) = edges[number : number + 2]
            cloth = mix_colour(0xB01E5A, 0xF0588C, 0.5 + 0.5 * slope)
            corners = [(x, high), (next_x, next_high), (next_x, next_low), (x, low)]
            picture.polygon(corners, cloth, alpha=veil, does=does)
            middle = (x + next_x) / 2
            for row in range(4):
                y = mix(high, low, (row + 0.4 + 0.5 * (number % 2)) / 4.3)
                picture.box(middle, y, 8, 8, GOLD, turn=TAU / 8, alpha=0.9)
            picture.line(middle, low, middle + 3 * slope, low + 10, 3, GOLD)
        for line in (1, 2):
            picture.path([(edge[0], edge[line]) for edge in edges], 6, GOLD)

    def draw_signs(self, picture: Picture) -> None:
        for x in (98, 702):
            picture.shadow(x, 186, 150, 112, radius=14, blur=16, alpha=0.5)
            picture.box(x, 182, 150, 112, 0x5A3318, radius=14, bottom=0x3C200E, edge=GOLD, edge_width=2)
        picture.text(98, 144, "CALLED", 14, GOLD, bold=True)
        self.draw_pearl(picture, self.called, 98, 176, 17)
        lift = self.ripe()
        picture.text(702, 144, "LIFT" if lift else "SHUFFLING", 14, CREAM if lift else GOLD, bold=True)
        for number in range(self.level.shuffles):
            x, lit = 702 + 38 * (number - (self.level.shuffles - 1) / 2), number < self.shuffles
            if lit:
                picture.glow(x, 170, 30, 0xFFB030, alpha=0.8)
                picture.ellipse(x, 168, 5, 10, 0xFFF0B0)
            picture.ellipse(x, 183, 13, 7, 0xC98A2A if lit else 0x2A170A, edge=GOLD, edge_width=1.5)
        for number in range(FAULTS):
            x = 54 + 29 * number
            wrong, stung = number < self.empty, number < self.stings
            face = RED if wrong else 0x2A170A
            picture.polygon([(x - 6, 212), (x + 6, 212), (x + 9, 228), (x - 9, 228)], face, edge=GOLD, edge_width=1.5)
            x += 604
            picture.ellipse(x, 220, 10, 7, RED if stung else 0x2A170A, edge=GOLD, edge_width=1.5)
            picture.line(x - 2, 214, x - 2, 226, 2, GOLD)
            picture.line(x + 3, 214, x + 3, 226, 2, GOLD)

    def draw_wasp(self, picture: Picture, index: int, wasp: Wasp) -> None:
        x, y = wasp.place()
        left = 1 - wasp.age / LIFE
        colour = RED if left < 0.3 else CREAM
        picture.disc(x, y, 29, INK, alpha=0.45, does=("swat", index))
        picture.arc(x, y, 26, -TAU / 4, TAU * left, 4, colour)
        beat = 0.5 + 0.25 * sin(wasp.age * 1.9)
        for side in (-1, 1):
            picture.ellipse(x + 7 * side, y - 9, 6, 13, 0xE8F2FF, turn=side * beat, alpha=0.75)
        picture.polygon([(x + 14, y + 1), (x + 23, y + 5), (x + 14, y + 8)], 0x1A1206)
        picture.ellipse(x + 3, y + 4, 15, 9, 0xFFC21F, edge=0x1A1206, edge_width=2)
        for stripe in (-1, 5, 11):
            picture.line(x + stripe, y - 2, x + stripe, y + 10, 3.5, 0x1A1206)
        picture.disc(x - 13, y + 2, 7, 0x2A1C08)
