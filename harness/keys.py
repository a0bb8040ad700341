"""One table of key names: DOM codes, and the spellings of X11, pyautogui and vendors that mean them."""

from __future__ import annotations

from functools import cache

_ALIASES = {  # DOM code: other spellings, lower case
    "ArrowLeft": "left kp_left",
    "ArrowRight": "right kp_right",
    "ArrowUp": "up kp_up",
    "ArrowDown": "down kp_down",
    "Space": "spacebar",
    "Enter": "return kp_enter numpadenter",
    "Escape": "esc",
    "Tab": "iso_left_tab",
    "Backspace": "back_space",
    "Delete": "del",
    "Insert": "ins",
    "Home": "",
    "End": "",
    "PageUp": "page_up prior pgup",
    "PageDown": "page_down next pgdn pgdown",
    "ShiftLeft": "shift shift_l",
    "ShiftRight": "shift_r",
    "ControlLeft": "ctrl control ctrl_l control_l ctrlleft",
    "ControlRight": "ctrl_r control_r ctrlright",
    "AltLeft": "alt alt_l option menu",
    "AltRight": "alt_r altgr iso_level3_shift",
    "MetaLeft": "meta super super_l cmd command win winleft",
    "MetaRight": "super_r winright",
    "CapsLock": "caps_lock capslock",
    "Period": ". dot",
    "Comma": ",",
    "Slash": "/",
    "Semicolon": ";",
    "Quote": "' apostrophe",
    "BracketLeft": "[",
    "BracketRight": "]",
    "Backslash": "\\",
    "Backquote": "` grave",
    "Minus": "- hyphen",
    "Equal": "= equals",
}


@cache
def _table() -> dict[str, str]:
    table = {" ": "Space", "\n": "Enter", "\t": "Tab"}
    for code, spellings in _ALIASES.items():
        for spelling in (code.lower(), *spellings.split()):
            table[spelling] = code
    for letter in "abcdefghijklmnopqrstuvwxyz":
        table[letter] = table[f"key{letter}"] = f"Key{letter.upper()}"
    for digit in "0123456789":
        table[digit] = table[f"digit{digit}"] = table[f"kp_{digit}"] = f"Digit{digit}"
    for number in range(1, 13):
        table[f"f{number}"] = f"F{number}"
    return table


def key_code(name: str) -> str | None:
    """The DOM code that a key's name means, in any of the known spellings; None when unknown."""
    return _table().get(name if name in (" ", "\n", "\t") else name.strip().lower())


def key_name(code: str) -> str:
    """The shortest spelling of a DOM code that a person would choose and `key_code` reads: W, 1, Space, `.`."""
    short = code.removeprefix("Key").removeprefix("Digit")
    marks = (spelling for spelling in _ALIASES.get(code, "").split() if len(spelling) == 1)
    return next(marks, short)
