"""How Bazaar Cups looks."""

from __future__ import annotations

from games.kit.maths import TAU, clamp, cos, hypot, mix, sin
from games.kit.picture import Picture, mix_colour
from games.kit.world import Hold
from games.sequence.bazaar_cups import FAULTS, HOP, LIFE, PAIN, SHOW, WAY, BazaarCups, Wasp

SAFFRON, GOLD, CREAM, LAPIS, INK, RED = 0xF2A324, 0xFFD271, 0xFFF1D0, 0x24449A, 0x101B45, 0xE8452E
PEARLS = ((0xF7F2EA, 0xFFFFFF), (0x2C2A3C, 0x9C97C4))  # light and dark: face and shine


def foot(world: BazaarCups, place: int) -> tuple[float, float]:
    """The same, also while the cup is on its way to the other place."""
    x, y = world.spot(place)
    if place not in world.pair:
        return x, y
    if not world.turning:
        shake = 5 * sin(world.tick * 0.9) if world.feinted and not world.poise and world.pause.age < 16 else 0
        return x + shake, y
    return orbit(world, place, sum(world.pair) - place, 1 - world.turning / world.level.swap)


def orbit(world: BazaarCups, place: int, other: int, share: float) -> tuple[float, float]:
    """A point of the way from a place to another one; of two cups, one goes before and one behind."""
    (x, y), (other_x, other_y) = world.spot(place), world.spot(other)
    along, across = (1 - cos(share * TAU / 2)) / 2, 40 * sin(share * TAU / 2)
    dx, dy = other_x - x, other_y - y
    length = hypot(dx, dy)
    return x + dx * along - across * dy / length, y + dy * along + across * dx / length


def hands(world: BazaarCups) -> list[tuple[float, float]]:
    """Where the dealer's hands are, left one first."""
    near = 1.0 if world.turning else clamp((world.level.poise - world.poise) / 12, 0, 1) if world.poise else 0.0
    if not world.turning and not world.poise and (world.tracks or world.feinted):
        near = clamp(1 - world.pause.age / 14, 0, 1)
    above = 104 if world.poise else 94
    places = sorted(foot(world, place) for place in world.pair)
    return [(mix(x0, x, near), mix(286, y - above, near)) for x0, (x, y) in zip((322, 478), places, strict=True)]


def draw(world: BazaarCups, picture: Picture) -> None:
    draw_bazaar(world, picture)
    draw_dealer(world, picture)
    draw_table(world, picture)
    reaching = hands(world)
    order = sorted((foot(world, place)[1], place) for place in range(world.level.cups))
    for _, place in order:
        draw_cup(world, picture, place)
    draw_hop(world, picture)
    for side, (x, y) in zip((-1, 1), reaching, strict=True):
        draw_arm(world, picture, side, x, y)
    draw_shawl(world, picture)
    for place in range(world.level.cups):
        x, y = world.spot(place)
        picture.text(x, y + 27, str(place + 1), 17, 0x3A1A08, bold=True)
    if world.reach:
        x, y = world.spot(world.target)
        picture.ring(x, y - 40, 46 + 3 * world.reach, 4, CREAM)
    draw_signs(world, picture)
    for index, wasp in enumerate(world.wasps):
        draw_wasp(world, picture, index, wasp)
    if world.hurt:
        picture.box(400, 324, 790, 542, RED, radius=20, alpha=0.4 * world.hurt / PAIN)


def draw_bazaar(world: BazaarCups, picture: Picture) -> None:
    picture.background(0x16225C, 0x0A1030)
    for number in range(9):  # awning
        x = 44 + 89 * number
        cloth = SAFFRON if number % 2 else CREAM
        picture.disc(x, 84, 44.5, mix_colour(cloth, 0x3A2440, 0.25))
        picture.box(x, 62, 89, 48, cloth, bottom=mix_colour(cloth, 0x3A2440, 0.25))
    picture.shadow(400, 44, 820, 36, blur=24, alpha=0.5)
    for number, x in enumerate((215, 585)):
        sway = 5 * sin(world.tick * 0.03 + number * 2)
        picture.line(x, 100, x + sway, 158, 2, GOLD)
        picture.glow(x + sway, 178, 120, 0xE08A20, alpha=0.45 + 0.04 * sin(world.tick * 0.13 + number))
        picture.ellipse(x + sway, 178, 17, 22, 0xFFC65A, edge=0xA8601A, edge_width=3)


def draw_dealer(world: BazaarCups, picture: Picture) -> None:
    x = 400 + 4 * sin(world.tick * 0.02)
    picture.glow(x, 190, 190, 0x4A63C8, alpha=0.35)
    picture.box(x, 268, 176, 130, 0x2F57B8, radius=56, bottom=0x182C72)
    picture.polygon([(x - 26, 206), (x + 26, 206), (x, 262)], CREAM)
    picture.disc(x, 172, 34, 0xB9764A)
    picture.ellipse(x, 191, 19, 14, 0x3A2420)
    picture.ellipse(x, 144, 43, 25, SAFFRON, edge=0xC0761A, edge_width=2)
    picture.ellipse(x - 6, 136, 34, 13, GOLD, turn=-0.25, alpha=0.8)
    picture.disc(x, 140, 7, 0x3E6AE0, edge=CREAM, edge_width=2)
    look = 5 * (world.spot(world.pair[0])[0] + world.spot(world.pair[1])[0] - 800) / 500
    for side in (-1, 1):
        picture.ellipse(x + 12 * side, 170, 6, 4.5, 0xFFFFFF)
        picture.disc(x + 12 * side + clamp(look, -3, 3), 171, 3, INK)


def draw_table(world: BazaarCups, picture: Picture) -> None:
    picture.shadow(400, 300, 760, 90, blur=30, alpha=0.6)
    picture.polygon([(66, 274), (734, 274), (796, 600), (4, 600)], LAPIS)
    picture.polygon([(78, 282), (722, 282), (778, 594), (22, 594)], GOLD)
    picture.polygon([(82, 286), (718, 286), (772, 590), (28, 590)], 0xD99A3C)
    picture.ellipse(400, 445, 330, 128, 0xEBB55A, soft=90)
    if world.tracks:
        first, second = world.tracks
        there = [orbit(world, first, second, step / 8) for step in range(9)]
        back = [orbit(world, second, first, step / 8) for step in range(1, 8)]
        picture.path(there + back, 15, 0xA8661F, closed=True, alpha=0.8)
        picture.path(there + back, 5, 0xFBE3A8, closed=True, alpha=0.9)


def draw_cup(world: BazaarCups, picture: Picture, place: int) -> None:
    x, y = foot(world, place)
    up = place in world.raised
    away = world.turning and place in world.pair
    picture.shadow(x + 5, y + 2, 88, 30, radius=15, blur=14, alpha=0.3 if up else 0.5)
    if up:
        for index, where in enumerate(world.pearls):
            if where == place and not (world.dealing > SHOW and world.hop[:1] == [index]):
                draw_pearl(world, picture, index, x, y - 10, 15)
        y -= 66
    body = [(x - 27, y - 78), (x + 27, y - 78), (x + 41, y + 2), (x - 41, y + 2)]
    does = None if away else ("lift", place)
    picture.ellipse(x, y + 2, 41, 11, 0x16307E, does=does)
    picture.polygon(body, LAPIS, does=does)
    picture.polygon([(x - 21, y - 78), (x - 8, y - 78), (x - 13, y + 8), (x - 32, y + 5)], 0x4B74DA, alpha=0.75)
    picture.ellipse(x, y - 78, 27, 8, 0x5B83E6, edge=GOLD, edge_width=2, does=does)
    picture.line(x - 36, y - 21, x + 36, y - 21, 7, SAFFRON)


def draw_pearl(world: BazaarCups, picture: Picture, index: int, x: float, y: float, r: float) -> None:
    face, shine = PEARLS[index]
    picture.glow(x, y, 3 * r, 0xFFE9A8, alpha=0.5)
    picture.disc(x, y, r, face, edge=0x7A5A3A, edge_width=1.5)
    picture.disc(x - 0.3 * r, y - 0.35 * r, 0.4 * r, shine, soft=0.4 * r)


def draw_hop(world: BazaarCups, picture: Picture) -> None:
    if world.hop and world.dealing > SHOW:
        index, origin = world.hop
        (x, y), (to_x, to_y) = world.spot(origin), world.spot(world.pearls[index])
        share = clamp(1.3 * (HOP + SHOW - world.dealing) / HOP - 0.3, 0, 1)
        draw_pearl(world, picture, index, mix(x, to_x, share), mix(y, to_y, share) - 10 - 90 * share * (1 - share), 15)


def draw_arm(world: BazaarCups, picture: Picture, side: int, x: float, y: float) -> None:
    shoulder, elbow = (400 + 66 * side, 236), ((400 + 110 * side + x) / 2, 250 + (y - 250) * 0.25)
    picture.path([shoulder, elbow, (mix(elbow[0], x, 0.8), mix(elbow[1], y, 0.8))], 30, 0x2F57B8)
    picture.line(mix(elbow[0], x, 0.78), mix(elbow[1], y, 0.78), x, y, 17, 0xB9764A)
    picture.line(mix(elbow[0], x, 0.76), mix(elbow[1], y, 0.76), mix(elbow[0], x, 0.8), mix(elbow[1], y, 0.8), 32, GOLD)
    for finger in (-1, 0, 1):
        picture.line(x + 5 * finger, y, x + 12 * finger, y + 15, 8, 0xB9764A)
    picture.disc(x, y, 14, 0xC58456)


def draw_shawl(world: BazaarCups, picture: Picture) -> None:
    width = 2 * world.level.shawl * WAY
    up = world.aloft * world.aloft * (3 - 2 * world.aloft)
    top, bottom, strips = mix(282, 60, up), mix(578, 236, up), 3 + int(width / 48)
    does = None if world.waved else Hold("shawl")
    edges = []
    for number in range(strips + 1):
        wave = world.tick * (0.07 + 0.1 * up) + number * 0.9
        x = world.shawl + width * (number / strips - 0.5) + 3 * sin(wave * 0.7)
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


def draw_signs(world: BazaarCups, picture: Picture) -> None:
    for x in (98, 702):
        picture.shadow(x, 186, 150, 112, radius=14, blur=16, alpha=0.5)
        picture.box(x, 182, 150, 112, 0x5A3318, radius=14, bottom=0x3C200E, edge=GOLD, edge_width=2)
    picture.text(98, 143, "FIND THIS PEARL", 14, CREAM, bold=True)
    draw_pearl(world, picture, world.called, 72, 178, 15)
    picture.text(98, 178, ("light", "dark")[world.called], 17, CREAM, align="left")
    for x, word in ((34, "empty"), (638, "stings")):
        picture.text(x, 221, word, 13, GOLD, align="left")
    lift = world.ripe()
    picture.text(702, 144, "LIFT" if lift else "SHUFFLING", 14, CREAM if lift else GOLD, bold=True)
    for number in range(world.level.shuffles):
        x, lit = 702 + 38 * (number - (world.level.shuffles - 1) / 2), number < world.shuffles
        if lit:
            picture.glow(x, 170, 30, 0xFFB030, alpha=0.8)
            picture.ellipse(x, 168, 5, 10, 0xFFF0B0)
        picture.ellipse(x, 183, 13, 7, 0xC98A2A if lit else 0x2A170A, edge=GOLD, edge_width=1.5)
    for number in range(FAULTS):
        x = 92 + 21 * number
        wrong, stung = number < world.empty, number < world.stings
        face = RED if wrong else 0x2A170A
        picture.polygon([(x - 6, 212), (x + 6, 212), (x + 9, 228), (x - 9, 228)], face, edge=GOLD, edge_width=1.5)
        x += 604
        picture.ellipse(x, 220, 9, 7, RED if stung else 0x2A170A, edge=GOLD, edge_width=1.5)
        picture.line(x - 2, 214, x - 2, 226, 2, GOLD)
        picture.line(x + 3, 214, x + 3, 226, 2, GOLD)


def draw_wasp(world: BazaarCups, picture: Picture, index: int, wasp: Wasp) -> None:
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
