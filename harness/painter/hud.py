"""What the engine draws over a game: the strip in rows 0 to 47, and the pointer."""

from games.kit.maths import clamp
from games.kit.picture import Picture, kept, mix_colour
from harness.painter.fonts import measure, wrap

POINTER_TIP = 0xFF2E63  # the pixel at the pointer's hot spot has exactly this colour

_STRIP = 48  # rows
_INK, _DIM, _BACK = 0xF2F4F8, 0x8C96A6, 0x0A0D13
_GROOVE = 0x3A4352
_GOAL, _RESERVE, _TIME, _LATE, _LAMP = 0x5FE0B0, 0xFF8F7E, 0xF4C95D, 0xFF5A4F, 0xFFB547
_GOAL_WIDTH = 540  # pixels
_GOAL_SIZES = (15, 14, 13, 12, 11)
_LEFT, _RIGHT = 584, 696  # the two columns beside the goal
_UPPER, _LOWER = 15, 34  # the two rows
_NOTE_WIDTH = 86
_BAR = 84  # pixels of the full time
_ARROW = ((0, 0), (0, 17.5), (4.1, 13.7), (7, 20.2), (9.9, 18.9), (7.1, 12.6), (12.4, 12.2))


def draw_hud(
    picture: Picture,
    *,
    goal: str,
    progress: float,
    reserve: float,
    time_left: float | None,
    lifted: bool,
    note: str = "",
    verdict: str = "",
) -> None:
    """The strip: the goal at the left; progress, reserve, time, and verdict, lamp or a short note at the right.

    progress, reserve and time_left are shares 0 to 1; time_left None: there is no limit. verdict: "won" or "lost".
    """
    # as finely as it is drawn, since it seldom changes then
    left = time_left if time_left is None else _pixels(time_left)
    shares = round(clamp(progress, 0, 1), 3), round(clamp(reserve, 0, 1), 3)
    _draw_strip(picture, goal, *shares, left, time_left is None or time_left > 0.2, lifted, note, verdict)


@kept
def _draw_strip(
    picture: Picture,
    goal: str,
    progress: float,
    reserve: float,
    left: int | None,
    calm: bool,
    lifted: bool,
    note: str,
    verdict: str,
) -> None:
    """left: pixels of the time that is left; calm: there still is much of it."""
    picture.box(400, _STRIP / 2, 800, _STRIP, _BACK, alpha=0.8)
    picture.box(400, _STRIP - 0.5, 800, 1, 0xFFFFFF, alpha=0.12)
    _draw_goal(picture, goal)
    picture.box(_LEFT - 22, _STRIP / 2, 1, 30, 0xFFFFFF, alpha=0.14)
    picture.text(_LEFT, _UPPER, "⚑", 13, _GOAL)
    _draw_pips(picture, _UPPER, progress, _GOAL)
    picture.text(_LEFT, _LOWER, "♥", 13, _RESERVE)
    _draw_pips(picture, _LOWER, reserve, _RESERVE)
    _draw_clock(picture, left, calm)
    if verdict:
        ink = _GOAL if verdict == "won" else _RESERVE
        picture.box(_RIGHT + 46, _LOWER, 96, 19, ink, radius=5)
        picture.text(_RIGHT + 46, _LOWER, verdict, 13, _BACK, bold=True)
    elif lifted:
        picture.glow(_RIGHT, _LOWER, 13, _LAMP, alpha=0.7)
        picture.disc(_RIGHT, _LOWER, 4.5, _LAMP, edge=0xFFE9C4, edge_width=1)
        picture.text(_RIGHT + 12, _LOWER, "hand lifted", 12, _LAMP, align="left", bold=True)
    elif note:
        picture.text(_RIGHT + 12, _LOWER, _cut(note, 12, _NOTE_WIDTH), 12, _DIM, align="left")


def draw_pointer(picture: Picture, x: float, y: float, *, crosshair: bool = False, pressed: bool = False) -> None:
    """The pointer at a pixel: an arrow, or a crosshair; POINTER_TIP marks its hot spot."""
    x, y = x + 0.5, y + 0.5  # the middle of the pixel
    if pressed:
        picture.ring(x, y, 11, 2, 0xFFFFFF, alpha=0.75)
    if crosshair:
        for width, colour, alpha in ((4.5, 0x000000, 0.45), (2.0, 0xFFFFFF, 1.0)):
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                picture.line(x + 6 * dx, y + 6 * dy, x + 14 * dx, y + 14 * dy, width, colour, alpha=alpha)
    else:
        picture.shadow(x + 6.5, y + 13, 7, 15, radius=3, blur=5, alpha=0.45, turn=-0.45)
        size = 0.9 if pressed else 1.0
        outline = [(x + size * dx, y + size * dy) for dx, dy in _ARROW]
        picture.path(outline, 2.4, 0x10131A, closed=True)
        picture.polygon(outline, 0xFFFFFF)
    picture.disc(x, y, 3.1, 0x10131A)
    picture.disc(x, y, 2.2, POINTER_TIP)


def _draw_goal(picture: Picture, goal: str) -> None:
    for size in _GOAL_SIZES:
        lines = wrap(goal, size, _GOAL_WIDTH)
        if len(lines) <= 2:
            break
    else:
        lines = [lines[0], " ".join(lines[1:])]
    rows = (_STRIP / 2,) if len(lines) == 1 else (_STRIP / 2 - 0.66 * size, _STRIP / 2 + 0.66 * size)
    for line, y in zip(lines, rows, strict=False):
        picture.text(14, y, _cut(line, size, _GOAL_WIDTH), size, _INK, align="left")


def _draw_pips(picture: Picture, y: float, share: float, colour: int) -> None:
    """Ten pips, each as bright as its tenth of the share is full."""
    full = clamp(share, 0, 1) * 10
    for i in range(10):
        part = clamp(full - i, 0, 1)
        picture.box(_LEFT + 14 + 8 * i, y, 6, 9, mix_colour(_GROOVE, colour, part), radius=2)


def _pixels(share: float) -> int:
    """How long the bar of the time is: whole pixels, none when time is up."""
    return max(6, round(_BAR * clamp(share, 0, 1))) if share > 0 else 0


def _draw_clock(picture: Picture, left: int | None, calm: bool) -> None:
    colour = _DIM if left is None else _TIME if calm else _LATE
    picture.ring(_RIGHT, _UPPER, 5, 1.5, colour)
    picture.line(_RIGHT, _UPPER - 2.8, _RIGHT, _UPPER, 1.4, colour)
    picture.line(_RIGHT, _UPPER, _RIGHT + 2.2, _UPPER + 1, 1.4, colour)
    start = _RIGHT + 12
    if left is None:
        picture.text(start, _UPPER, "no limit", 12, _DIM, align="left")
        return
    picture.box(start + _BAR / 2, _UPPER, _BAR, 6, _GROOVE, radius=3)
    if left:
        picture.box(start + left / 2, _UPPER, left, 6, colour, radius=3)


def _cut(line: str, size: float, width: float) -> str:
    """The line, or its beginning and an ellipsis where it is wider than width pixels."""
    if measure(line, size) <= width:
        return line
    while line and measure(line + "…", size) > width:
        line = line[:-1]
    return line.rstrip() + "…"
