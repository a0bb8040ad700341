"""The stall of Bazaar Cups: what stands still behind the cups."""

from __future__ import annotations

from games.kit.picture import Picture, kept, mix_colour

SAFFRON, GOLD, CREAM, LAPIS, COAT, SKIN = 0xF2A324, 0xFFD271, 0xFFF1D0, 0x24449A, 0x2F57B8, 0xB9764A
INK, RED = 0x101B45, 0xE8452E


@kept
def draw_bazaar(picture: Picture) -> None:
    """Awning, lanterns' light, the dealer and the table."""
    for number in range(9):
        cloth = SAFFRON if number % 2 else CREAM
        picture.box(44 + 89 * number, 64, 89, 128, cloth, radius=44, bottom=mix_colour(cloth, 0x3A2440, 0.4))
    picture.shadow(400, 44, 820, 36, blur=24, alpha=0.5)
    for x in (215, 585):
        picture.glow(x, 178, 120, 0xE08A20, alpha=0.45)
    picture.glow(400, 190, 190, 0x4A63C8, alpha=0.35)
    picture.box(400, 268, 176, 130, COAT, radius=56, bottom=0x182C72)
    picture.polygon([(374, 206), (426, 206), (400, 262)], CREAM)
    picture.disc(400, 172, 34, SKIN)
    picture.ellipse(400, 191, 19, 14, 0x3A2420)
    picture.ellipse(400, 144, 43, 25, SAFFRON, edge=0xC0761A, edge_width=2)
    picture.ellipse(394, 136, 34, 13, GOLD, turn=-0.25, alpha=0.8)
    picture.disc(400, 140, 7, 0x3E6AE0, edge=CREAM, edge_width=2)
    for x in (388, 412):
        picture.ellipse(x, 170, 6, 4.5, 0xFFFFFF)
    picture.shadow(400, 300, 760, 90, blur=30, alpha=0.6)
    picture.polygon([(66, 274), (734, 274), (796, 600), (4, 600)], LAPIS)
    picture.polygon([(78, 282), (722, 282), (778, 594), (22, 594)], 0xD99A3C, edge=GOLD, edge_width=4)
    picture.ellipse(400, 445, 330, 128, 0xEBB55A, soft=90)
