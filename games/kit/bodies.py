"""Rigid discs on a plane, in pixels and seconds, over plain values: they glide, spin, bump and are tied with ropes.

A game calls, each tick: `pull` for every rope, then `glide`, then `jostle`. Made of + - * / and the square root alone.
Lists keep their order, so a disc's index is its name; a disc of mass 0 cannot be moved.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.kit.maths import clamp, hypot, sqrt

REST = 0.5  # of an overlap, undone a tick: softer than all at once, so a crowd comes to rest


@dataclass
class Disc:
    x: float
    y: float
    r: float
    mass: float = 1.0
    vx: float = 0.0  # px/s
    vy: float = 0.0
    spin: float = 0.0  # rad/s, clockwise on the screen
    c: float = 1.0  # cosine and sine of how far it has turned
    s: float = 0.0

    def off(self, x: float, y: float) -> float:
        """Pixels from its rim to a place; below 0 inside."""
        return hypot(x - self.x, y - self.y) - self.r

    def push(self, jx: float, jy: float) -> None:
        """An impulse (mass × px/s) through its middle."""
        if self.mass:
            self.vx += jx / self.mass
            self.vy += jy / self.mass

    def hit(self, x: float, y: float, jx: float, jy: float) -> None:
        """An impulse at a place on it, which also turns it."""
        if self.mass:
            self.vx += jx / self.mass
            self.vy += jy / self.mass
            self.spin += 2 * ((x - self.x) * jy - (y - self.y) * jx) / (self.mass * self.r * self.r)

    def place(self, u: float, v: float) -> tuple[float, float]:
        """Where a point of its own frame (from its middle, unturned) is."""
        return self.x + u * self.c - v * self.s, self.y + u * self.s + v * self.c

    def own(self, x: float, y: float) -> tuple[float, float]:
        """A place, in its own frame."""
        x, y = x - self.x, y - self.y
        return x * self.c + y * self.s, y * self.c - x * self.s


@dataclass
class Rope:
    """Ties disc `a` to disc `b`, or to the ground where b is below 0. It pulls, but does not push."""

    a: int
    b: int
    ends: tuple[float, float, float, float]  # px: on a and on b, each in the disc's own frame; ground: a place
    length: float  # px, at which it begins to pull
    pull: float = 0.0  # mass × px/s²: how hard it pulls now
    wear: float = 0.0  # share of its strength that is gone: the game's to count


def gap(one: Disc, other: Disc) -> float:
    """Pixels between two rims; below 0 they overlap."""
    dx, dy = other.x - one.x, other.y - one.y
    return sqrt(dx * dx + dy * dy) - one.r - other.r


def tie(discs: list[Disc], a: int, b: int, ground: tuple[float, float], length: float) -> Rope:
    """A rope between the rims of two discs that face each other, or from disc a to the ground (b below 0)."""
    one = discs[a]
    x, y = (discs[b].x, discs[b].y) if b >= 0 else ground
    far = sqrt((x - one.x) * (x - one.x) + (y - one.y) * (y - one.y)) or 1.0
    dx, dy = (x - one.x) / far, (y - one.y) / far
    near = one.own(one.x + dx * one.r, one.y + dy * one.r)
    there = discs[b].own(x - dx * discs[b].r, y - dy * discs[b].r) if b >= 0 else ground
    return Rope(a, b, (*near, *there), length)


def ends(discs: list[Disc], rope: Rope) -> tuple[float, float, float, float]:
    """Where the two ends of a rope are: x1, y1, x2, y2."""
    ax, ay, bx, by = rope.ends
    return (*discs[rope.a].place(ax, ay), *(discs[rope.b].place(bx, by) if rope.b >= 0 else (bx, by)))


def away(discs: list[Disc], rope: Rope, x: float, y: float) -> float:
    """Pixels from a place to a rope."""
    x1, y1, x2, y2 = ends(discs, rope)
    dx, dy = x2 - x1, y2 - y1
    share = clamp(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy or 1.0), 0, 1)
    return hypot(x - x1 - share * dx, y - y1 - share * dy)


def linked(ropes: list[Rope], start: int, goal: int) -> list[int]:
    """The discs on a shortest way along ropes from one ground to another (both below 0); empty where there is none."""
    ways = [[rope.a] for rope in ropes if rope.b == start]
    seen = [way[0] for way in ways]
    last = [rope.a for rope in ropes if rope.b == goal]
    for way in ways:  # it grows meanwhile
        if way[-1] in last:
            return way
        for rope in ropes:
            for here, there in ((rope.a, rope.b), (rope.b, rope.a)):
                if here == way[-1] and there >= 0 and there not in seen:
                    seen.append(there)
                    ways.append([*way, there])
    return []


def pull(discs: list[Disc], rope: Rope, stiffness: float, damping: float, time: float) -> None:
    """Let a rope pull for some time (s): stiffness a px of stretch, damping a px/s of stretching."""
    x1, y1, x2, y2 = ends(discs, rope)
    dx, dy = x2 - x1, y2 - y1
    far = sqrt(dx * dx + dy * dy)
    if far <= rope.length:
        rope.pull = 0.0
        return
    dx, dy = dx / far, dy / far
    one = discs[rope.a]
    speed = -(one.vx - one.spin * (y1 - one.y)) * dx - (one.vy + one.spin * (x1 - one.x)) * dy
    if rope.b >= 0:
        other = discs[rope.b]
        speed += (other.vx - other.spin * (y2 - other.y)) * dx + (other.vy + other.spin * (x2 - other.x)) * dy
    rope.pull = max(0.0, stiffness * (far - rope.length) + damping * speed)
    jx, jy = rope.pull * time * dx, rope.pull * time * dy
    one.hit(x1, y1, jx, jy)
    if rope.b >= 0:
        other.hit(x2, y2, -jx, -jy)


def glide(discs: list[Disc], time: float, drag: float) -> float:
    """Move and turn all discs; drag: share of speed lost a second. Returns the greatest square of a speed (px²/s²)."""
    most, keep = 0.0, 1 - drag * time
    for disc in discs:
        vx = disc.vx = disc.vx * keep
        vy = disc.vy = disc.vy * keep
        square = vx * vx + vy * vy
        if square > most:
            most = square
        disc.x += vx * time
        disc.y += vy * time
        turn = disc.spin * time
        if turn:
            disc.spin *= keep
            c, s = disc.c - disc.s * turn, disc.s + disc.c * turn
            norm = 1.5 - 0.5 * (c * c + s * s)  # one step towards length 1
            disc.c, disc.s = c * norm, s * norm
    return most


def fence(discs: list[Disc], top: float, bottom: float, bounce: float) -> None:
    """Keep discs between two lines across the picture. bounce: share of the approach given back."""
    for disc in discs:
        low, high = top + disc.r, bottom - disc.r
        if disc.y < low or disc.y > high:
            disc.y = clamp(disc.y, low, high)
            if (disc.vy < 0) == (disc.y == low):
                disc.vy *= -bounce


def jostle(discs: list[Disc], bounce: float, grip: float) -> None:
    """Part all pairs that overlap. bounce: share of the approach given back; grip: share of sliding lost."""
    order = sorted([(disc.x - disc.r, index) for index, disc in enumerate(discs)])
    live: list[Disc] = []
    for left, index in order:
        one = discs[index]
        x, y, r = one.x, one.y, one.r
        live = [other for other in live if other.x + other.r > left]
        for other in live:
            dx, dy, near = other.x - x, other.y - y, other.r + r
            square = dx * dx + dy * dy
            if 0 < square < near * near:
                _part(one, other, sqrt(square), dx, dy, bounce, grip)
        live.append(one)


def _part(one: Disc, other: Disc, far: float, dx: float, dy: float, bounce: float, grip: float) -> None:
    light, heavy = 1 / one.mass if one.mass else 0.0, 1 / other.mass if other.mass else 0.0
    both = light + heavy
    if not both:
        return
    dx, dy = dx / far, dy / far
    push = REST * (one.r + other.r - far) / both
    one.x, one.y = one.x - push * light * dx, one.y - push * light * dy
    other.x, other.y = other.x + push * heavy * dx, other.y + push * heavy * dy
    vx, vy = other.vx - one.vx, other.vy - one.vy
    speed = vx * dx + vy * dy
    if speed >= 0:
        return
    jump = -(1 + bounce) * speed / both
    slide = vy * dx - vx * dy - one.spin * one.r - other.spin * other.r  # of the rims, across
    rub = -grip * slide / (3 * both)  # a disc's rim gives way three times as easily as its middle
    jx, jy = jump * dx - rub * dy, jump * dy + rub * dx
    one.hit(one.x + dx * one.r, one.y + dy * one.r, -jx, -jy)
    other.hit(other.x - dx * other.r, other.y - dy * other.r, jx, jy)
