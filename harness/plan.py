"""From actions to a plan: what the hand does at which tick of its clock, checked whole before anything happens.

Events are plain tuples: ("at", x, y), ("press", button), ("lift", button), ("key", code), ("unkey", code),
("notch", +1 up or -1 down), ("rest",) which only marks the end of a duration.
"""

from __future__ import annotations

from games.kit.world import HEIGHT, PASS_KEY, TICKS_PER_SECOND, WIDTH, World
from harness import actions as a
from harness.errors import BadInput
from harness.keys import key_code

Event = tuple[object, ...]
Plan = list[tuple[int, Event]]  # (ticks after the act's application, event), in order

_SPACES = {"px": (1.0, 1.0), "norm1000": (WIDTH / 1000, HEIGHT / 1000), "unit": (WIDTH, HEIGHT)}
_POINTER = (a.Move, a.Click, a.MouseDown, a.MouseUp, a.Drag, a.Scroll)
MAX_EVENTS = 2000  # of an act: each tick carries all that is still to come
_MAX_TICKS = int(a.DEFAULTS.max_act_ms * TICKS_PER_SECOND / 1000)


def ticks(ms: float) -> int:
    """Milliseconds of game time in whole ticks, halves up."""
    return int(ms * TICKS_PER_SECOND / 1000 + 0.5)


def used_keys(world: World | type[World], mode: str) -> list[str]:
    """The keys that do something in this game and mode, as DOM codes."""
    codes = world.verbs if mode == "simple" else world.keys
    return [*(code for code in codes if not code.startswith("Wheel")), PASS_KEY]


def plan_act(
    actions: list[a.AnyAction],
    *,
    mode: str,
    space: str,
    hand: tuple[float, float],
    used: list[str] | None = None,
) -> Plan:
    """The events of an act. hand: where the pointer is now (pixels). used: the only keys that are taken; None: all.

    Raises BadInput that names the field; nothing has happened then.
    """
    if space not in _SPACES:
        raise BadInput("coord_space", f"unknown space {space!r}", f"use one of {', '.join(_SPACES)}")
    if len(actions) > a.MAX_ACTIONS:
        raise BadInput("actions", f"holds {len(actions)} actions", f"send at most {a.MAX_ACTIONS}")
    planner = _Planner(mode, space, hand, used)
    for index, action in enumerate(actions):
        planner.add(action, f"actions[{index}]")
    if planner.end > _MAX_TICKS:
        raise BadInput(
            "actions",
            f"last {planner.end * 1000 // TICKS_PER_SECOND} ms",
            f"at most {a.DEFAULTS.max_act_ms:g} ms",
        )
    if len(planner.plan) > MAX_EVENTS:
        raise BadInput("actions", f"move the hand {len(planner.plan)} times", f"at most {MAX_EVENTS} times in an act")
    return sorted(planner.plan, key=lambda item: item[0])  # stable: equal ticks keep their order


class _Planner:
    def __init__(self, mode: str, space: str, hand: tuple[float, float], used: list[str] | None) -> None:
        self.simple = mode == "simple"
        self.scale = _SPACES[space]
        self.hand = hand
        self.used = used
        self.plan: Plan = []
        self.now = 0  # ticks after application
        self.end = 0

    def add(self, action: a.AnyAction, field: str) -> None:
        if self.simple and isinstance(action, _POINTER):
            raise BadInput(f"{field}.type", "simple mode has no pointer", "send the keys that `hello` lists")
        if action.at_ms is not None:
            self.now = ticks(action.at_ms)
        getattr(self, f"_{type(action).__struct_config__.tag}")(action, field)
        self.end = max(self.end, self.now)

    def _put(self, *event: object, after: int = 0) -> None:
        self.plan.append((self.now + after, event))

    def _pass(self, duration: int) -> None:
        self.now += duration
        if duration:
            self._put("rest")

    def _point(self, x: float, y: float, field: str) -> tuple[float, float]:
        place = x * self.scale[0], y * self.scale[1]
        for name, value, size, given in (("x", place[0], WIDTH, x), ("y", place[1], HEIGHT, y)):
            if not 0 <= value <= size:
                raise BadInput(f"{field}.{name}", f"{given:g} is off the screen", f"the screen is {WIDTH}x{HEIGHT}")
        return place

    def _go(self, action: a.Click | a.MouseDown | a.MouseUp | a.Scroll, field: str) -> None:
        if (action.x is None) != (action.y is None):
            raise BadInput(f"{field}.{'x' if action.x is None else 'y'}", "is missing", "give both x and y, or neither")
        if action.x is not None and action.y is not None:
            self.hand = self._point(action.x, action.y, field)
            self._put("at", *self.hand)

    def _travel(self, goal: tuple[float, float], duration: int, start: int = 0) -> None:
        """A straight line from the hand to the goal, one place a tick."""
        (x, y), steps = self.hand, max(duration, 1)
        for step in range(1, steps + 1):
            share = step / steps
            place = (x + (goal[0] - x) * share, y + (goal[1] - y) * share) if step < steps else goal
            self._put("at", *place, after=start + (step if duration else 0))
        self.hand = goal

    def _codes(self, names: list[str], field: str) -> list[str]:
        return [self._code(name, f"{field}[{index}]") for index, name in enumerate(names)]

    def _code(self, name: str, field: str) -> str:
        code = key_code(name)
        if code is None:
            raise BadInput(field, f"unknown key {name!r}", "use a DOM code such as ArrowLeft, KeyA, Space")
        if self.used is not None and code not in self.used:
            known = ", ".join(self.used).replace(PASS_KEY, f"{PASS_KEY} (pass)")
            raise BadInput(field, f"{name!r} does nothing in this game", f"its keys are {known}")
        return code

    def _move(self, action: a.Move, field: str) -> None:
        duration = ticks(action.ms)
        self._travel(self._point(action.x, action.y, field), duration)
        self._pass(duration)

    def _click(self, action: a.Click, field: str) -> None:
        self._go(action, field)
        codes = self._codes(action.modifiers, f"{field}.modifiers")
        for code in codes:
            self._put("key", code)
        for _ in range(action.count):
            self._put("press", action.button)
            self._pass(ticks(action.ms))
            self._put("lift", action.button)
        for code in reversed(codes):
            self._put("unkey", code)

    def _mouse_down(self, action: a.MouseDown, field: str) -> None:
        self._go(action, field)
        self._put("press", action.button)

    def _mouse_up(self, action: a.MouseUp, field: str) -> None:
        self._go(action, field)
        self._put("lift", action.button)

    def _drag(self, action: a.Drag, field: str) -> None:
        points = [self._point(p.x, p.y, f"{field}.path[{i}]") for i, p in enumerate(action.path)]
        times = self._path_ticks(action, field)
        codes = self._codes(action.modifiers, f"{field}.modifiers")
        self.hand = points[0]
        self._put("at", *self.hand)
        for code in codes:
            self._put("key", code)
        self._put("press", action.button)
        for goal, start, end in zip(points[1:], times, times[1:], strict=False):
            self._travel(goal, end - start, start)
        self.now += times[-1]
        self._put("lift", action.button)
        for code in reversed(codes):
            self._put("unkey", code)

    def _path_ticks(self, action: a.Drag, field: str) -> list[int]:
        """When each corner is reached: as given, or evenly over the drag's duration."""
        given = [point.ms for point in action.path[1:]]
        if all(ms is None for ms in given):
            return [ticks(action.ms * index / len(given)) for index in range(len(given) + 1)]
        times = [0]
        for index, ms in enumerate(given):
            if ms is None or ticks(ms) < times[-1]:
                problem = "is missing" if ms is None else "is earlier than the point before"
                raise BadInput(f"{field}.path[{index + 1}].ms", problem, "give rising ms to all points or to none")
            times.append(ticks(ms))
        return times

    def _scroll(self, action: a.Scroll, field: str) -> None:
        self._go(action, field)
        for _ in range(abs(action.dy)):
            self._put("notch", -1 if action.dy > 0 else 1)

    def _tap(self, codes: list[str], duration: int) -> None:
        for code in codes:
            self._put("key", code)
        self._pass(max(duration, 1))  # a press shorter than a tick would move a polled control by nothing
        for code in reversed(codes):
            self._put("unkey", code)

    def _key(self, action: a.Key | a.KeyHold, field: str) -> None:
        self._tap(self._codes(action.keys, f"{field}.keys"), ticks(action.ms))

    _key_hold = _key

    def _key_down(self, action: a.KeyDown, field: str) -> None:
        self._put("key", self._code(action.key, f"{field}.key"))

    def _key_up(self, action: a.KeyUp, field: str) -> None:
        self._put("unkey", self._code(action.key, f"{field}.key"))

    def _type(self, action: a.Type, field: str) -> None:
        for index, letter in enumerate(action.text):
            self._tap([self._code(letter, f"{field}.text[{index}]")], ticks(a.DEFAULTS.key_ms))

    def _wait(self, action: a.Wait, field: str) -> None:
        self._pass(ticks(action.ms))
