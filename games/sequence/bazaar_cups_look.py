"""How Bazaar Cups looks."""

from __future__ import annotations

from games.kit.maths import TAU, clamp, cos, hypot, mix, sin
from games.kit.picture import Picture, kept, mix_colour
from games.kit.world import Hold
from games.sequence.bazaar_cups import FAULTS, HOP, PAIN, PURSE, SHOW, WAY, BazaarCups
from games.sequence.bazaar_cups_stall_look import COAT, CREAM, GOLD, INK, LAPIS, RED, SAFFRON, SKIN, draw_bazaar
from games.sequence.bazaar_cups_wasps_look import draw_hit, draw_wasp

WOOD = 0x2A170A
KINDS = ("light", "dark")
PEARLS = ((0xF7F2EA, 0xFFFFFF), (0x2C2A3C, 0x9C97C4))  # light and dark: face and shine
BANDS = (CREAM, RED)  # of the two cups under his hands, so that they can be told apart when they pass each other
OUTLINE = ((-27, -78), (27, -78), (41, 1), (34, 8), (16, 13), (-16, 13), (-34, 8), (-41, 1))  # of a cup, from its foot

Spot = tuple[float, float]


def shaking(world: BazaarCups) -> bool:
    """Whether the cups of a feint still shake."""
    return world.feinted and not (world.poise or world.turning or world.dealing) and world.pause.age < 16


def foot(world: BazaarCups, place: int) -> Spot:
    """Where the cup of a place stands, also while it is on its way to the other place."""
    if place in world.pair and world.turning:
        return orbit(world.spot(place), world.spot(sum(world.pair) - place), 1 - world.turning / world.level.swap)
    x, y = world.spot(place)
    return x + (5 * sin(world.tick * 0.9) if place in world.pair and shaking(world) else 0), y


def orbit(start: Spot, end: Spot, share: float) -> Spot:
    """A point of the way from a spot to another one; of two cups, one goes before and one behind."""
    (x, y), (other_x, other_y) = start, end
    along, across = (1 - cos(share * TAU / 2)) / 2, 44 * sin(share * TAU / 2)
    dx, dy = other_x - x, other_y - y
    length = hypot(dx, dy)
    return x + dx * along - across * dy / length, y + dy * along + across * dx / length


def hands(world: BazaarCups, feet: list[Spot]) -> list[Spot]:
    """Where the dealer's hands are, left one first."""
    near, above = world.near, 104 if world.poise else 94
    return [(mix(x0, x, near), mix(286, y - above, near)) for x0, (x, y) in zip((322, 478), sorted(feet), strict=True)]


def draw(world: BazaarCups, picture: Picture) -> None:
    picture.background(0x16225C, 0x0A1030)
    draw_bazaar(picture)
    if world.tracks and not world.dealing:
        draw_tracks(picture, *map(world.spot, world.tracks))
    draw_dealer(world, picture)
    busy = world.turning or (world.poise and not world.dealing) or shaking(world)
    spots = [(place, *world.spot(place)) for place in range(world.level.cups)]
    veiled = [spot for spot in spots if bare_in_shawl(world, *spot[1:])]
    draw_numbers(picture, [spot for spot in spots if spot not in veiled])
    draw_cups(picture, [(*spot, spot[0] in world.raised) for spot in spots if not busy or spot[0] not in world.pair])
    feet = [foot(world, place) for place in world.pair]
    if busy:
        for (x, y), place, band in sorted(zip(feet, world.pair, BANDS, strict=True), key=lambda cup: cup[0][1]):
            draw_cup(picture, x, y, None if world.turning else ("lift", place), place in world.raised, band)
    for side, (x, y) in zip((-1, 1), hands(world, feet), strict=True):
        draw_arm(picture, side, x, y)
    draw_shawl(world, picture)
    draw_numbers(picture, veiled)
    draw_boards(picture)
    draw_call(picture, world.called, world.level.pearls, world.told, world.empty)
    done = world.found == PURSE
    word = "ALL FOUND" if done else "LIFT" if world.ripe() else "LOOK" if world.dealing else "SHUFFLING"
    draw_lamps(picture, word, world.stings, 0 if done else world.shuffles, world.level.shuffles)
    draw_open(world, picture)
    if world.reach:
        x, y = world.spot(world.target)
        picture.ring(x, y - 40, 46 + 3 * world.reach, 4, CREAM)
    for index, wasp in enumerate(world.wasps):
        draw_wasp(picture, index, wasp)
    draw_hit(picture, *world.hit[:2], world.tick - world.hit[2])
    if world.hurt:
        picture.box(400, 324, 790, 542, RED, radius=20, alpha=0.4 * world.hurt / PAIN)


@kept
def draw_tracks(picture: Picture, one: Spot, other: Spot) -> None:
    """The ways on which the cups of the last swap have changed places."""
    way = [orbit(one, other, step / 12) for step in range(13)] + [orbit(other, one, step / 12) for step in range(1, 12)]
    picture.path(way, 15, 0xA8661F, closed=True, alpha=0.8)
    picture.path(way, 5, 0xFBE3A8, closed=True, alpha=0.9)


def draw_dealer(world: BazaarCups, picture: Picture) -> None:
    """What moves behind the table: lanterns, and eyes that look where his hands go."""
    for number, x in enumerate((215, 585)):
        sway = 5 * sin(world.tick * 0.03 + number * 2)
        picture.line(x, 100, x + sway, 158, 2, GOLD)
        picture.ellipse(x + sway, 178, 17, 22, 0xFFC65A, edge=0xA8601A, edge_width=3)
    look = clamp((world.spot(world.pair[0])[0] + world.spot(world.pair[1])[0] - 800) / 100, -3, 3)
    for x in (388, 412):
        picture.disc(x + look, 171, 3, INK)


@kept
def draw_cups(picture: Picture, cups: list[tuple[int, float, float, bool]]) -> None:
    """Cups that stand still: place, x, y, and whether it is up."""
    for place, x, y, up in cups:
        draw_cup(picture, x, y, ("lift", place), up)


def draw_cup(picture: Picture, x: float, y: float, does: tuple[str, int] | None, up: bool, band: int = SAFFRON) -> None:
    """A cup on its foot, or up, where it cannot be lifted."""
    picture.shadow(x + 5, y + 2, 88, 30, radius=15, blur=14, alpha=0.3 if up else 0.5)
    y -= 66 * up
    held, does = band != SAFFRON, None if up else does
    outline = [(x + dx, y + dy) for dx, dy in OUTLINE]
    picture.polygon(outline, LAPIS, edge=CREAM if held else 0x16307E, edge_width=3, does=does)
    picture.line(x - 17, y - 66, x - 23, y - 4, 12, 0x4B74DA, alpha=0.75)
    picture.ellipse(x, y - 78, 27, 8, 0x5B83E6, edge=CREAM if held else GOLD, edge_width=2, does=does)
    picture.line(x - 33, y - 21, x + 33, y - 21, 13 if held else 7, band)


def draw_pearl(picture: Picture, index: int, x: float, y: float, r: float) -> None:
    face, shine = PEARLS[index]
    picture.glow(x, y, 3 * r, 0xFFE9A8, alpha=0.5)
    picture.disc(x, y, r, face, edge=0x7A5A3A, edge_width=1.5)
    picture.disc(x - 0.3 * r, y - 0.35 * r, 0.4 * r, shine, soft=0.4 * r)


def hops(world: BazaarCups) -> bool:
    """Whether a pearl is on its way to its next cup."""
    return bool(world.hop) and world.dealing > SHOW


def draw_open(world: BazaarCups, picture: Picture) -> None:
    """What lies under the cups that are up, and its name; over the shawl, which would change its colour."""
    hopping = world.hop[0] if hops(world) else -1
    for place in world.raised:
        x, y = world.spot(place)
        under = [index for index, where in enumerate(world.pearls) if where == place and index != hopping]
        for index in under:
            draw_pearl(picture, index, x, y - 10, 15)
        if under or hopping < 0:
            kind = KINDS[under[0]] if under and world.level.pearls > 1 else "pearl" if under else "empty"
            picture.box(x, y - 40, 54, 20, WOOD, radius=10, edge=GOLD, edge_width=1.5)
            picture.text(x, y - 40, kind, 13, CREAM, bold=True)
    if hopping >= 0:
        draw_hop(world, picture)


def draw_hop(world: BazaarCups, picture: Picture) -> None:
    index, origin = world.hop
    (x, y), (to_x, to_y) = world.spot(origin), world.spot(world.pearls[index])
    share = clamp(1.3 * (HOP + SHOW - world.dealing) / HOP - 0.3, 0, 1)
    draw_pearl(picture, index, mix(x, to_x, share), mix(y, to_y, share) - 10 - 90 * share * (1 - share), 15)


def draw_arm(picture: Picture, side: int, x: float, y: float) -> None:
    elbow_x, elbow_y = (400 + 110 * side + x) / 2, 250 + (y - 250) * 0.25
    picture.line(400 + 66 * side, 236, elbow_x, elbow_y, 30, COAT)
    picture.line(elbow_x, elbow_y, mix(elbow_x, x, 0.8), mix(elbow_y, y, 0.8), 30, COAT)
    picture.line(mix(elbow_x, x, 0.85), mix(elbow_y, y, 0.85), x, y, 18, SKIN)
    picture.disc(mix(elbow_x, x, 0.8), mix(elbow_y, y, 0.8), 16, GOLD)
    for finger in (-1, 0, 1):
        picture.line(x + 5 * finger, y, x + 12 * finger, y + 15, 8, SKIN)
    picture.disc(x, y, 14, 0xC58456)


def draw_shawl(world: BazaarCups, picture: Picture) -> None:
    """Strips of cloth side by side, their lower ends waving."""
    width = 2 * world.level.shawl * WAY
    up = world.aloft * world.aloft * (3 - 2 * world.aloft)
    top, bottom, strips = mix(282, 60, up), mix(578, 236, up), 2 + int(width / 56)
    left, step, veil = world.shawl - width / 2, width / strips, 0.62 - 0.32 * up
    does = None if world.waved else Hold("shawl")
    slope = world.tick * (0.07 + 0.1 * up)
    lows = [bottom + 8 * sin(slope + 0.9 * number) for number in range(strips + 1)]
    for number in range(strips):
        low, next_low = lows[number : number + 2]
        x, end = left + step * (number + 0.5), (low + next_low) / 2
        cloth = mix_colour(0xB01E5A, 0xF0588C, 0.5 + 0.5 * cos(slope + 0.9 * number))
        picture.box(x, (top + end) / 2, step, end - top, cloth, alpha=veil, does=does)
        for row in (0.2, 0.68) if number % 2 else (0.4, 0.85):
            picture.box(x, mix(top, end, row), 11, 11, GOLD, turn=TAU / 8, alpha=0.9)
        picture.line(x - step / 2, low, x + step / 2, next_low, 7, GOLD)
    picture.line(left, top, left + width, top, 7, GOLD)


def bare_in_shawl(world: BazaarCups, x: float, y: float) -> bool:
    """Whether the number of a spot is to be painted over the shawl: in its reach, and under no cup on the move."""
    if abs(x - world.shawl) > world.level.shawl * WAY + 12:
        return False
    for place in range(world.level.cups):
        foot_x, foot_y = foot(world, place)
        foot_y -= 66 * (place in world.raised)
        if abs(foot_x - x) < 50 and foot_y - 96 < y + 27 < foot_y + 23:
            return False
    return True


@kept
def draw_numbers(picture: Picture, spots: list[tuple[int, float, float]]) -> None:
    """The numbers of places."""
    for place, x, y in spots:
        picture.text(x, y + 27, str(place + 1), 17, 0x3A1A08, bold=True)


@kept
def draw_boards(picture: Picture) -> None:
    """The boards of the signs."""
    for x in (98, 702):
        picture.shadow(x, 186, 150, 112, radius=14, blur=16, alpha=0.5)
        picture.box(x, 182, 150, 112, 0x5A3318, radius=14, bottom=0x3C200E, edge=GOLD, edge_width=2)
    picture.text(98, 143, "FIND THIS PEARL", 14, CREAM, bold=True)
    for x, word in ((34, "empty"), (638, "stings")):
        picture.text(x, 221, word, 13, GOLD, align="left")


@kept
def draw_call(picture: Picture, called: int, pearls: int, told: str, empty: int) -> None:
    """The pearl to find, how the last lift went, the empty lifts."""
    draw_pearl(picture, called, 58, 172, 15)
    picture.text(82, 172, KINDS[called] if pearls > 1 else "only one", 15, CREAM, align="left", bold=True)
    picture.text(98, 200, f"last lift: {told}", 12, CREAM)
    for number in range(FAULTS):
        x, face = 92 + 21 * number, RED if number < empty else WOOD
        picture.polygon([(x - 6, 212), (x + 6, 212), (x + 9, 228), (x - 9, 228)], face, edge=GOLD, edge_width=1.5)


@kept
def draw_lamps(picture: Picture, word: str, stings: int, lit: int, lamps: int) -> None:
    """What there is to do, the lamps of finished swaps, the stings."""
    picture.text(702, 144, word, 14, GOLD if word == "SHUFFLING" else CREAM, bold=True)
    for number in range(lamps):
        x = 702 + 33 * (number - (lamps - 1) / 2)
        if number < lit:
            picture.glow(x, 170, 30, 0xFFB030, alpha=0.8)
            picture.ellipse(x, 168, 5, 10, 0xFFF0B0)
        picture.ellipse(x, 183, 13, 7, 0xC98A2A if number < lit else WOOD, edge=GOLD, edge_width=1.5)
    for number in range(FAULTS):
        x = 696 + 21 * number
        picture.ellipse(x, 220, 9, 7, RED if number < stings else WOOD, edge=GOLD, edge_width=1.5)
        for stripe in (-2, 3):
            picture.line(x + stripe, 214, x + stripe, 226, 2, GOLD)
