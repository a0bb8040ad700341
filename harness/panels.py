"""What a person reads before and after playing, drawn over the picture."""

from __future__ import annotations

from games.kit.picture import Picture
from games.kit.world import FIELD_TOP, HEIGHT, PASS_KEY, TICKS_PER_SECOND, WIDTH
from harness.controls import gestures
from harness.film import DIM, INK, LOST, WON, draw_cap
from harness.painter.fonts import measure, wrap
from harness.session import Session

BODY, HEAD = 16.0, 30.0
PANEL = 0x10151E
ACCENT = 0xFFB547
LEFT, WIDE = 90.0, 620.0  # px: left edge and width of the text


def draw_ready(picture: Picture, session: Session, tempo: str) -> None:
    """Goal, controls, rules, and how to begin."""
    height = _ready_text(Picture(), 0, session, tempo) + 24
    top = FIELD_TOP + (HEIGHT - FIELD_TOP - height) / 2
    _panel(picture, top, height)
    _ready_text(picture, top, session, tempo)


def _ready_text(picture: Picture, top: float, session: Session, tempo: str) -> float:
    """Write it from `top` downwards; returns where it ends."""
    world = session.world
    _, timing, level, mode = session.configuration
    told = f"level {level} · {mode} · {tempo if timing == 'rt' else 'twin: it waits for you'}"
    picture.text(LEFT, top + 36, world.title, HEAD, INK, align="left", bold=True)
    picture.text(LEFT, top + 66, told, 14, DIM, align="left")
    y = _text(picture, top + 98, world.goal, BODY, INK)
    y = _controls(picture, y + 14, session)
    for text in filter(None, (world.controls.get(mode), world.rulebook)):
        y = _text(picture, y + 10, text, 14, 0xC3CAD6)
    y += 22
    hints = {"Enter": "or a click begins", "Tab": "shows the world", "Esc": "leaves"}
    _hints(picture, y, hints, ACCENT)
    return y


def draw_end(picture: Picture, session: Session) -> None:
    """The verdict, and what can be done now."""
    world = session.world
    won = world.verdict == "won"
    y = 214.0
    _panel(picture, 190, 220)
    told = "Won" if won else "Lost"
    picture.text(WIDTH / 2, y + 20, told, 40, WON if won else LOST, bold=True)
    if not won:
        picture.text(WIDTH / 2, y + 58, world.reason, 17, INK)
    facts = f"{world.tick / TICKS_PER_SECOND:.1f} s of game time · progress {world.progress():.0%}"
    picture.text(WIDTH / 2, y + 88, facts, 15, DIM)
    _hints(picture, y + 138, {"R": "again", "N": "another world", "Esc": "leave"}, INK)


def _panel(picture: Picture, top: float, height: float) -> None:
    """Dim the picture and lay a panel on it."""
    picture.box(WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT, 0x05070B, alpha=0.55)
    picture.shadow(WIDTH / 2, top + height / 2 + 6, 690, height, radius=18, blur=30, alpha=0.6)
    box = (WIDTH / 2, top + height / 2, 690, height, PANEL)
    picture.box(*box, radius=18, edge=0x2B3442, edge_width=1.5, alpha=0.94)


def _text(picture: Picture, y: float, text: str, size: float, colour: int) -> float:
    for line in wrap(text, size, WIDE):
        picture.text(LEFT, y, line, size, colour, align="left")
        y += size * 1.45
    return y


def _hints(picture: Picture, y: float, hints: dict[str, str], colour: int) -> None:
    """Keys with what they do, in a centred row."""
    x = 0.0
    for scratch, start in ((Picture(), 0.0), (picture, WIDTH / 2)):
        x = start - x / 2
        for cap, meaning in hints.items():
            x = draw_cap(scratch, x, y, cap) + 8
            scratch.text(x, y, meaning, 15, colour, align="left")
            x += measure(meaning, 15) + 24


def _controls(picture: Picture, y: float, session: Session) -> float:
    """Keys as caps with what they do, in rows."""
    world = session.world
    controls = [*(world.verbs.items() if session.mode == "simple" else _full_controls(session))]
    if not session.realtime:
        controls.append((PASS_KEY, "let time go on" if world.twin.kind != "still" else "pass"))
    x = LEFT
    for code, meaning in controls:
        width = measure(meaning, 14) + 70
        if x > LEFT and x + width > LEFT + WIDE:
            x, y = LEFT, y + 34
        x = draw_cap(picture, x, y + 8, code) + 6
        picture.text(x, y + 8, meaning, 14, INK, align="left")
        x += measure(meaning, 14) + 20
    return y + 38


def _full_controls(session: Session) -> list[tuple[str, str]]:
    """The mouse, unless the game has no use for it, and the keys."""
    uses = [gesture for gesture in gestures(session.world.id) if "key" not in gesture]
    mouse = [("Mouse", ", ".join(uses))] if uses else []
    return mouse + [(code, what) for code, what in session.hello()["keys"].items() if code != PASS_KEY]
