"""Follow the pearls under a dealer's cups and lift the right cup while he shuffles on.

He never stops, so a lift chosen from an old look lands on a cup that flies off or holds nothing, and wasps sting.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.kit.dice import Dice
from games.kit.maths import TAU, clamp, cos, hypot, mix, sin
from games.kit.omen import Omen
from games.kit.world import FREE, TICKS_PER_SECOND, Command, World, until

PURSE, FAULTS = 5, 4  # pearls to be lifted; the last empty lift, or the last sting, loses
LAND, LIFE, PAIN = 18, 400, 24  # ticks from a lift to its landing; from a wasp's coming to its sting; that it hurts
HOP, SHOW, GAPE = 36, 60, 30  # ticks: a pearl goes to its next cup; lies there in view; an empty cup stays up
SEEN, SINK, RISE = 40, 45, 10  # ticks left of a show when the twin rests; in which the shawl comes down; and goes up
CUNNING = 0.68  # share of hoverings that are over the called pearl
WAY, SLEW = 350, 0.02  # px from the middle, that the shawl slides in; px a tick, each tick


class Level(NamedTuple):
    cups: int
    pearls: int
    pause: float  # s, mean time that the dealer's hands are away
    poise: int  # ticks that they hover over two cups before they swap them, or feint
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
        way, angle = 1 - clamp(self.age / 90, 0, 1), self.phase + self.age * 0.08
        x, y = mix(self.x, 400 + 440 * self.side, way * way), mix(self.y, 300, min(1, 2 * way))  # in under the signs
        return x + 24 * cos(angle), y + 20 * sin(angle)


@dataclass
class BazaarCups(World):
    title = "Bazaar Cups"
    goal = "Follow the pearl on the sign as the cups are shuffled, and lift its cup, five times; mind wasps and shawl."
    rulebook = (
        "A light pearl, or a light and a dark one, lie open; then their cups close and swap. Once all lamps are lit, "
        "one a swap, lift the cup over the pearl on the sign. Found, it hops in view to another cup, and the sign may "
        "call the other. A lift lands 0.3 s later at its place: without that pearl it is empty, amid a swap too, and "
        "the lamps go out; if the shawl is over the cup's middle, it does nothing. A wave takes the shawl off at once, "
        "until the next swap ends and up to 0.6 s more. Hands hover over two cups, whose red and cream bands tell them "
        "apart, and swap them or only feint. A wasp stings when its ring has run out. Four empty lifts or stings lose."
    )
    controls = {
        "full": "Click a bare part of a cup to lift it, a wasp to swat it; drag the shawl, or press W, to wave it off.",
        "simple": "A number lifts the cup at the place with that number; Q and E swat in the left and right half.",
    }
    seconds = 65
    twin = until("rests")  # TIMING
    keys = {"KeyW": ("wave",)}
    verbs = {f"Digit{number}": f"lift at {number}" for number in range(1, 10)}
    verbs |= {"KeyQ": "swat left", "KeyE": "swat right", "KeyW": "wave"}
    crosshair = False
    abilities = twin_abilities = ("temporal", "planning")
    levels = (
        Level(6, 1, 1.0, 60, 36, 2, 0.1, 0.10, 4),
        Level(6, 1, 0.75, 52, 30, 2, 0.12, 0.18, 7),
        Level(7, 1, 0.5, 43, 25, 3, 0.14, 0.26, 10),
        Level(8, 2, 0.28, 33, 19, 3, 0.16, 0.34, 13),
        Level(9, 2, 0.12, 25, 14, 4, 0.18, 0.42, 16),
    )

    pearls: list[int]  # where each is, by the number of the place
    called: int = 0
    found: int = 0
    empty: int = 0
    stings: int = 0
    pair: list[int] = field(default_factory=lambda: [0, 1])  # places under his hands, now or last
    pause: Omen = field(default_factory=Omen)  # until his hands come again
    poise: int = 0  # ticks until they swap or feint
    turning: int = 0  # ticks until a swap is finished
    finished: bool = False  # a swap, in this tick
    feinted: bool = False
    shuffles: int = 0  # finished swaps since the last hiding
    tracks: list[int] = field(default_factory=list)  # the two places of the last swap, until a cup is lifted
    near: float = 0.0  # 1: his hands are at the pair
    raised: list[int] = field(default_factory=list)  # places whose cup is up
    dealing: int = SHOW  # ticks that it stays up
    hop: list[int] = field(default_factory=list)  # [pearl, the place that it hops from]
    target: int = 0  # place of the lift under way
    reach: int = 0  # ticks until it lands
    told: str = "none yet"  # how the last lift went
    hurt: int = 0  # ticks that the last sting still shows
    wasps: list[Wasp] = field(default_factory=list)  # oldest first
    hit: tuple[float, float, int] = (0.0, 0.0, -TICKS_PER_SECOND)  # px, px, tick: of the last swat
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
        pearls = [place for place in order if place < level.cups][: level.pearls]
        shawl = 400 + (2 * dice.unit() - 1) * (1 - level.shawl) * WAY
        return cls(level=level, pearls=pearls, raised=list(pearls), shawl=shawl, pull=0.5 * dice.sign())

    def act(self, command: Command) -> object:
        word, *rest = command
        if self.reach or (word == "lift" and not self.ripe()):
            return FREE
        if word == "lift":
            self.target, self.reach = rest[0], LAND
        elif word == "swat":
            self.hit = (*self.wasps.pop(rest[0]).place(), self.tick)
        else:
            self.waved = True
        return None

    def ripe(self) -> bool:
        """Whether cups may be lifted."""
        return not self.dealing and self.shuffles >= self.level.shuffles

    def drift(self) -> None:
        chance = Dice(self.fate.bits())  # one draw a tick, whatever the player does
        self.finished, self.hurt = False, max(0, self.hurt - 1)
        self.near = clamp(self.near + (1 / 12 if self.poise or self.turning else -1 / 14), 0, 1)
        self.slide(chance)
        self.fly(chance)
        landing, self.reach = self.reach == 1, max(0, self.reach - 1)
        if landing:
            self.land(chance)
        if self.turning:
            self.turning -= 1
            if not self.turning:
                self.pearls = [sum(self.pair) - place if place in self.pair else place for place in self.pearls]
                self.tracks, self.finished, self.waved = list(self.pair), True, False
                self.shuffles += 1
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
            self.poise = self.level.poise

    def land(self, chance: Dice) -> None:
        place, away = self.target, self.turning > 0 and self.target in self.pair
        found = not away and self.pearls[self.called] == place
        if away:
            self.told, self.shuffles = "amid a swap", 0
        elif self.covered(place):
            self.told = "under shawl"
            return
        else:
            self.told, self.raised, self.dealing = "found" if found else "wrong cup", [place], GAPE
            self.tracks = []
        if not found:
            self.empty += 1
            if self.empty == FAULTS:
                self.lose("four empty lifts")
            return
        self.found += 1
        if self.found == PURSE:
            self.win()
            return
        taken = self.pearls + (self.pair if self.turning else [])
        self.pearls[self.called] = chance.pick([each for each in range(self.level.cups) if each not in taken])
        self.hop, self.dealing, self.shuffles = [self.called, place], HOP + SHOW, 0
        self.raised.append(self.pearls[self.called])
        self.called = chance.whole(0, self.level.pearls - 1)

    def fly(self, chance: Dice) -> None:
        for wasp in self.wasps:
            wasp.age += 1
        if self.wasps and self.wasps[0].age >= LIFE:
            self.wasps.pop(0)
            self.stings, self.hurt = self.stings + 1, PAIN
            if self.stings == FAULTS:
                self.lose("four stings")
        if self.swarm.tick(chance, 60 * TICKS_PER_SECOND / self.level.wasps, 1):
            place = chance.between(230, 570), chance.between(150, 290)
            self.wasps.append(Wasp(chance.sign(), *place, chance.between(0, TAU)))

    def slide(self, chance: Dice) -> None:
        self.aloft = clamp(self.aloft + (1 / RISE if self.waved else -1 / SINK), 0, 1)
        if self.gust.tick(chance, 2.5 * TICKS_PER_SECOND, 1):
            self.pull = chance.between(0.3, 1.3) * chance.sign()
        if abs(self.shawl - 400) > (1 - self.level.shawl) * WAY and (self.shawl > 400) == (self.pull > 0):
            self.pull = -self.pull
        self.speed += clamp(self.pull - self.speed, -SLEW, SLEW)
        self.shawl += self.speed

    def covered(self, place: int, margin: float = 0) -> bool:
        """Whether the shawl lies on the middle of the cup there, or within a margin (px) of it."""
        return self.aloft < 0.2 and abs(self.spot(place)[0] - self.shawl) < self.level.shawl * WAY + margin

    def rests(self) -> bool:
        """The dealer has finished a swap, or a pearl lies in view where it is being hidden."""
        return (self.finished and not self.dealing) or self.dealing == SEEN

    def let(self, grip: str, start: tuple[float, float], end: tuple[float, float]) -> Command | None:
        return ("wave",) if hypot(end[0] - start[0], end[1] - start[1]) > 50 else None

    def simple(self, verb: str) -> object:
        if verb == "wave":
            return ("wave",)
        if verb.startswith("swat"):
            there = [i for i, wasp in enumerate(self.wasps) if (wasp.place()[0] < 400) == (verb == "swat left")]
            return ("swat", there[0]) if there else None
        place = int(verb.split()[2]) - 1
        return ("lift", place) if place < self.level.cups else None

    def progress(self) -> float:
        return self.found / PURSE

    def reserve(self) -> float:
        return (1 - self.empty / FAULTS) * (1 - self.stings / FAULTS)

    def spot(self, place: int) -> tuple[float, float]:
        """Where the cup of a place stands (the middle of its foot)."""
        back = self.level.cups // 2
        front, shift = self.level.cups - back, 0 if self.level.cups % 2 else 36
        if place < back:
            return 400 + (place - (back - 1) / 2) * 144 - shift, 388
        return 400 + (place - back - (front - 1) / 2) * 144 + shift, 520
