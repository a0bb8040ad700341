"""A window on the screen: shows pictures at any scale, and tells what hand and mouse do in the picture's pixels."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Literal, NamedTuple

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would greet
os.environ["SDL_FRAMEBUFFER_ACCELERATION"] = "0"  # else SDL and the painter take each other's GL context

import cv2
import numpy as np
import pygame

from games.kit.picture import Picture
from harness.errors import UserError
from harness.painter.gl import Painter, fit

_BUTTONS = {1: "left", 2: "middle", 3: "right"}
_NAMED = {  # DOM code: name of SDL's scancode, which is the key's place whatever is printed on it
    "ArrowLeft": "LEFT",
    "ArrowRight": "RIGHT",
    "ArrowUp": "UP",
    "ArrowDown": "DOWN",
    "Enter": "RETURN",
    "Escape": "ESCAPE",
    "Backspace": "BACKSPACE",
    "Tab": "TAB",
    "Space": "SPACE",
    "Minus": "MINUS",
    "Equal": "EQUALS",
    "BracketLeft": "LEFTBRACKET",
    "BracketRight": "RIGHTBRACKET",
    "Backslash": "BACKSLASH",
    "Semicolon": "SEMICOLON",
    "Quote": "APOSTROPHE",
    "Backquote": "GRAVE",
    "Comma": "COMMA",
    "Period": "PERIOD",
    "Slash": "SLASH",
    "CapsLock": "CAPSLOCK",
    "Insert": "INSERT",
    "Home": "HOME",
    "PageUp": "PAGEUP",
    "Delete": "DELETE",
    "End": "END",
    "PageDown": "PAGEDOWN",
    "ControlLeft": "LCTRL",
    "ControlRight": "RCTRL",
    "ShiftLeft": "LSHIFT",
    "ShiftRight": "RSHIFT",
    "AltLeft": "LALT",
    "AltRight": "RALT",
    "MetaLeft": "LGUI",
    "MetaRight": "RGUI",
}
CODES: dict[int, str] = {  # SDL scancode -> DOM code
    **{getattr(pygame, f"KSCAN_{name}"): code for code, name in _NAMED.items()},
    **{getattr(pygame, f"KSCAN_{letter}"): f"Key{letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    **{getattr(pygame, f"KSCAN_{digit}"): f"Digit{digit}" for digit in "0123456789"},
    **{getattr(pygame, f"KSCAN_KP_{digit}"): f"Digit{digit}" for digit in "0123456789"},
    **{getattr(pygame, f"KSCAN_F{number}"): f"F{number}" for number in range(1, 13)},
    pygame.KSCAN_KP_ENTER: "Enter",
}


class Input(NamedTuple):
    """What a person has done. what: a DOM code, or left, right, middle. x, y: pixels of the picture."""

    kind: Literal["key", "unkey", "press", "lift", "move", "notch", "leave", "quit"]
    what: str = ""
    x: float = 0.0
    y: float = 0.0
    notches: int = 0  # positive is up


class Window:
    """The only window of this process, for pictures of a size. Close it, or use it in a `with` block.

    Raises UserError without a display.
    """

    def __init__(self, title: str, size: tuple[int, int], scale: float, painter: Painter) -> None:
        self._painter, self._size = painter, size
        try:
            pygame.display.init()
            if pygame.display.get_driver() == "offscreen" and not os.environ.get("SDL_VIDEODRIVER"):
                raise pygame.error("no display")
            wanted = (round(size[0] * scale), round(size[1] * scale))
            self._screen = pygame.display.set_mode(wanted, pygame.RESIZABLE)
        except pygame.error as error:
            pygame.display.quit()
            mend = "needs a desktop (DISPLAY or WAYLAND_DISPLAY); `bullettime record` and `replay --film` do not"
            raise UserError(f"no window can be opened: {error}", mend) from None
        pygame.display.set_caption(title)

    def show(self, picture: Picture) -> None:
        """Put a picture on the screen."""
        width, height = self._screen.get_size()
        image = self._painter.render(picture, width, height)
        self._screen.blit(pygame.image.frombuffer(image.data, (width, height), "RGB"), (0, 0))
        pygame.display.flip()

    def show_image(self, image: np.ndarray) -> None:
        """Put an image on the screen (uint8, rows × columns × rgb)."""
        scale, left, top = fit(*self._size, *self._screen.get_size())
        size = (round(self._size[0] * scale), round(self._size[1] * scale))
        scaled = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        self._screen.fill(0)
        self._screen.blit(pygame.image.frombuffer(scaled.data, size, "RGB"), (left, top))
        pygame.display.flip()

    def point_at(self, visible: bool) -> None:
        """Show or hide the desktop's own pointer."""
        if pygame.mouse.get_visible() != visible:
            pygame.mouse.set_visible(visible)

    def inputs(self, wait_ms: int) -> Iterator[Input]:
        """What has been done since the last call; waits so long for the first of it."""
        first = pygame.event.wait(max(1, wait_ms))
        for event in [first, *pygame.event.get()]:
            if event.type == pygame.QUIT:
                yield Input("quit")
            elif event.type in (pygame.KEYDOWN, pygame.KEYUP) and event.scancode in CODES:
                yield Input("key" if event.type == pygame.KEYDOWN else "unkey", CODES[event.scancode])
            elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP) and event.button in _BUTTONS:
                kind: Literal["press", "lift"] = "press" if event.type == pygame.MOUSEBUTTONDOWN else "lift"
                yield Input(kind, _BUTTONS[event.button], *self._place(event.pos))
            elif event.type == pygame.MOUSEMOTION:
                yield Input("move", "", *self._place(event.pos))
            elif event.type == pygame.MOUSEWHEEL and event.y:
                yield Input("notch", "", *self._place(pygame.mouse.get_pos()), event.y)
            elif event.type == pygame.WINDOWFOCUSLOST:
                yield Input("leave")

    def _place(self, pos: tuple[int, int]) -> tuple[float, float]:
        """A place of the window in pixels of the picture."""
        scale, left, top = fit(*self._size, *self._screen.get_size())
        x, y = (pos[0] - left) / scale, (pos[1] - top) / scale
        return min(max(x, 0.0), float(self._size[0])), min(max(y, 0.0), float(self._size[1]))

    def close(self) -> None:
        """Take the window off the screen."""
        pygame.display.quit()

    def __enter__(self) -> Window:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
