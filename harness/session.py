"""The one door to a world: it builds it, checks and plans acts, fires what is due, lets time pass, shows it.

It knows ticks only. How many of them pass while somebody thinks is the business of `harness.episode`.
The whole state is in the world (the hand and its plan included), so its copy is a copy of everything.
"""

from __future__ import annotations

import hashlib
import json
import pickle
from collections import deque
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import games
from configs import act_cap
from games.kit.dice import Dice
from games.kit.picture import Picture
from games.kit.world import FREE, PASS, PASS_KEY, TAP, TICKS_PER_SECOND, Hold, World
from harness.actions import AnyAction
from harness.errors import BadInput
from harness.painter.hud import draw_hud, draw_pointer
from harness.plan import MAX_EVENTS, plan_act

TIMINGS = ("rt", "twin")
MODES = ("simple", "full")
_LONGEST_BURST = 60 * TICKS_PER_SECOND  # a twin's occasion or response that takes longer is a fault of the game


class Configuration(NamedTuple):
    """game × timing × level × mode, written `game/rt/5/full`."""

    game: str
    timing: str
    level: int
    mode: str

    def __str__(self) -> str:
        return f"{self.game}/{self.timing}/{self.level}/{self.mode}"

    @classmethod
    def parse(cls, text: str) -> Configuration:
        """Read `game/rt/5/full`. Raises BadInput that names the part."""
        parts = text.split("/")
        if len(parts) != 4:
            raise BadInput("config", f"{text!r} has {len(parts)} parts", "write game/rt|twin/1..5/simple|full")
        game, timing, level, mode = parts
        if game not in games.names():
            raise BadInput("config", f"no game is named {game!r}", "`bullettime games` lists them")
        for name, value, allowed in (
            ("timing", timing, TIMINGS),
            ("level", level, tuple("12345")),
            ("mode", mode, MODES),
        ):
            if value not in allowed:
                raise BadInput("config", f"{name} {value!r} is unknown", f"use one of {', '.join(allowed)}")
        return cls(game, timing, int(level), mode)


class Shot(NamedTuple):
    """A picture of the world at a tick of game time."""

    tick: int
    picture: Picture


def build(game: type[World], level: int, seed: int, future: str = "") -> World:
    """A new world. `future` picks another fate for the same present."""
    world = game.new(game.levels[level - 1], Dice.named(game.id, seed, "world"))
    world.fate = Dice.named(game.id, seed, "fate", future)
    return world


def copy_world(world: World) -> World:
    """An independent copy (plain values through pickle: the quickest deep copy there is)."""
    return pickle.loads(pickle.dumps(world, pickle.HIGHEST_PROTOCOL))


def digest(world: World) -> str:
    """A hash of the whole state, equal on every machine for equal states."""
    text = json.dumps(_plain(world), separators=(",", ":"), allow_nan=False)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return [_plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return [[_plain(key), _plain(item)] for key, item in value.items()]
    return value


class Session:
    """One world, one configuration, one seed.

    keep: ticks of history for the frames of an observation; 0 for players that look at none.
    limit: whether running out of `seconds` loses. cap: acts that are granted, instead of the usual number: the episode
    is lost when the last one has settled, or when another one comes.
    world: take over this world instead of building one.
    """

    def __init__(
        self,
        game: str | type[World],
        timing: str,
        level: int,
        mode: str,
        seed: int,
        *,
        limit: bool = True,
        cap: int | None = None,
        keep: int = 18,
        future: str = "",
        world: World | None = None,
    ) -> None:
        kind = games.load(game) if isinstance(game, str) else game
        self.configuration = Configuration(kind.id, timing, level, mode)
        self.world = world or build(kind, level, seed, future)
        self.realtime = timing == "rt"
        self.mode = mode
        self.limit = limit
        self.cap = act_cap(*self.configuration) if cap is None else cap
        self.acts = 0
        self._spread = False
        self.opens_window = False
        self._keep = keep
        self._past: deque[tuple[int, bytes]] = deque(maxlen=keep + 1)
        if not self.realtime:
            self.spread_frames()
        if world is None:
            self._open_twin()
        self._remember()

    # ---------------------------------------------------------------- state

    @property
    def over(self) -> bool:
        """Whether there is a verdict."""
        return bool(self.world.verdict)

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way, or a twin is not at rest."""
        hand = self.world.hand
        return not self.over and (bool(hand.plan) or hand.lifted)

    def digest(self) -> str:
        """A hash of the whole state."""
        return digest(self.world)

    def hello(self) -> dict[str, Any]:
        """What an agent is told: goal, rules, controls, screen."""
        world, _, level, mode = self.world, *self.configuration[1:]
        controls = dict(world.verbs) if mode == "simple" else {key: _name(what) for key, what in world.keys.items()}
        return {
            "title": world.title,
            "goal": world.goal,
            "rulebook": world.rulebook,
            "controls": world.controls.get(mode, ""),
            "timing": self.configuration.timing,
            "level": level,
            "mode": mode,
            "keys": {**controls, PASS_KEY: "pass"},
            "pointer": mode == "full",
            "seconds": world.seconds,
        }

    # ---------------------------------------------------------------- acts

    def submit(self, actions: list[AnyAction], coord_space: str = "px") -> None:
        """Take an act: check it whole, plan it, do at once what is due at once.

        Raises BadInput, without any effect, when it is malformed, a twin is moving or there is a verdict.
        """
        hand = self.world.hand
        if self.over:
            raise BadInput("act", f"the episode is over ({self.world.verdict})", "open a new session")
        if self.busy and not self.realtime:
            raise BadInput("act", "the world is moving", "wait for the reply to the act before")
        plan = plan_act(actions, mode=self.mode, space=coord_space, hand=(hand.x, hand.y))
        if len(hand.plan) + len(plan) > MAX_EVENTS:
            raise BadInput("act", "too much is still under way", "wait for the reply to the act before")
        self.acts += 1
        if self.acts > self.cap:  # it overlaps those that were to be the last
            self.world.lose("acts")
            return
        self.opens_window = False
        order = 1 + max((order for _, order, _ in hand.plan), default=0)
        hand.plan += [(hand.tick + after, order + i, event) for i, (after, event) in enumerate(plan)]
        hand.plan.sort()
        self._fire()
        self._count_out()

    def step(self) -> None:
        """One tick: of the world and the hand in real time; of whichever is due in a twin."""
        world = self.world
        if world.verdict:
            return
        if world.hand.lifted:
            self._grant()
        else:
            if self.realtime or world.twin.kind == "acting":
                self._drift()
            world.hand.tick += 1
        self._fire()
        self._count_out()
        self._remember()

    def settle(self) -> None:
        """Run the gesture under way, and what it grants, to its end."""
        while self.busy:
            self.step()

    def close(self) -> None:
        """Let go of everything that is still held; nothing follows from it."""
        self.world.hand.plan.clear()
        self.world.hand.held.clear()
        self.world.hand.down.clear()

    def _count_out(self) -> None:
        if self.acts >= self.cap and not self.busy:
            self.world.lose("acts")

    def _drift(self) -> None:
        world = self.world
        world.tick += 1
        world.drift()
        world.respond()
        if world.tick + world.spent >= world.seconds * TICKS_PER_SECOND:
            if world.outlast:
                world.win()
            elif self.realtime and self.limit:
                world.lose("time")

    # ---------------------------------------------------------------- the hand

    def _fire(self) -> None:
        """Do what the plan says is due, until a twin's time has to run first."""
        world, hand = self.world, self.world.hand
        while hand.plan and hand.plan[0][0] <= hand.tick and not hand.lifted and not world.verdict:
            _, _, (kind, *rest) = hand.plan.pop(0)
            getattr(self, f"_on_{kind}")(*rest)

    def _on_rest(self) -> None:
        pass

    def _on_at(self, x: float, y: float) -> None:
        self.world.hand.x, self.world.hand.y = x, y

    def _on_press(self, button: str) -> None:
        self._take(button, self._under(button))

    def _on_notch(self, sign: int) -> None:
        command = self._under("wheel")
        if isinstance(command, Hold) or command is None:
            command = self.world.keys.get("WheelUp" if sign > 0 else "WheelDown")
            self._commit(command)
        else:
            self._commit((*command, sign))

    def _on_key(self, code: str) -> None:
        world = self.world
        if code in world.hand.down:
            return
        if code == PASS_KEY:
            simple = self.mode == "simple"
            acting = not self.realtime and world.twin.kind == "acting"
            self._take(code, Hold("pass", world.twin.ticks if simple else 0) if acting else PASS)
        elif self.mode == "full":
            self._take(code, world.keys.get(code))
        elif code in world.verbs:
            what = world.simple(world.verbs[code])
            self._take(code, self._under("left") if what is TAP else what)

    def _on_lift(self, source: str) -> None:
        """Let go of a button or key; what it held is let go unless something else holds it too."""
        hand = self.world.hand
        grip = hand.down.pop(source, "")
        if grip in hand.held and grip not in hand.down.values():
            start = hand.held.pop(grip)
            if grip != "pass":
                self._commit(self.world.let(grip, start, (hand.x, hand.y)))

    def _on_unkey(self, code: str) -> None:
        if not code.endswith("…"):
            self._on_lift(code)

    def _take(self, source: str, what: Any) -> None:
        """A button, key or verb has been pressed on a command or a Hold."""
        hand = self.world.hand
        if not isinstance(what, Hold):
            hand.down[source] = ""
            self._commit(what)
            return
        if what.ticks:  # of a fixed length, whenever the key goes up
            source = f"{source}…"
            if source in hand.down:
                return
            hand.plan.append((hand.tick + what.ticks, 0, ("lift", source)))
            hand.plan.sort()
        hand.down[source] = what.grip
        hand.held.setdefault(what.grip, (hand.x, hand.y))
        self.opens_window = True

    def _under(self, button: str) -> Any:
        picture = Picture()
        self.world.draw(picture)
        return picture.hit(self.world.hand.x, self.world.hand.y, button)

    def _commit(self, command: Any) -> None:
        world = self.world
        if command is None or (command != PASS and world.act(command) is FREE):
            return
        self.opens_window = True
        if not self.realtime and world.twin.kind != "acting":
            world.hand.lifted = True
            world.hand.granted = world.twin.ticks if world.twin.kind == "turn" else 0

    # ---------------------------------------------------------------- a twin's time

    def _open_twin(self) -> None:
        if not self.realtime and self.world.twin.kind == "until":
            self.world.hand.lifted = True
            self.settle()

    def _grant(self) -> None:
        """One tick of the time that a commit grants; at its end the hand comes down again."""
        world, hand = self.world, self.world.hand
        hand.run += 1
        if world.twin.kind == "until" and hand.granted >= 0:
            self._drift()
            if getattr(world, world.twin.occasion)():
                hand.granted = -1  # what the player's act set off may still be under way
        elif hand.granted > 0:
            self._drift()
            hand.granted -= 1
        elif not world.respond():
            hand.lifted, hand.run, hand.granted = False, 0, 0
        if hand.run > _LONGEST_BURST:
            raise RuntimeError(f"{self.configuration}: the twin does not come to rest")

    # ---------------------------------------------------------------- pictures

    def spread_frames(self) -> None:
        """The world rests between replies: earlier frames are spread over the motion since the last one."""
        self._spread = True
        self._past = deque(self._past)

    def mark(self) -> None:
        """A reply leaves: what moves from now on is the motion that the next observation shows."""
        if self._spread:
            self._past.clear()
            self._remember()

    def picture(self) -> Picture:
        """The picture as an agent sees it now: the game's, the HUD and the pointer."""
        return self._show(self.world)

    def frames(self, k: int, spacing_ticks: int) -> list[Shot]:
        """k pictures, oldest first, the last one now."""
        past = list(self._past)
        if self._spread:
            places = [round(i * (len(past) - 1) / max(k - 1, 1)) for i in range(k - 1)] if past else []
            earlier = [past[place] for place in places]
        else:
            now, first = self.world.tick, past[0][0] if past else 0
            wanted = [max(now - i * spacing_ticks, first) for i in range(k - 1, 0, -1)]
            earlier = [past[tick - first] for tick in wanted if 0 <= tick - first < len(past)]
        shots = [Shot(tick, self._show(pickle.loads(data))) for tick, data in earlier]
        return [*shots, Shot(self.world.tick, self.picture())]

    def _remember(self) -> None:
        if self._keep:
            self._past.append((self.world.tick, pickle.dumps(self.world, pickle.HIGHEST_PROTOCOL)))

    def _show(self, world: World) -> Picture:
        picture = Picture()
        world.draw(picture)
        draw_hud(
            picture,
            goal=world.goal,
            progress=world.progress(),
            reserve=world.reserve(),
            time_left=max(0.0, 1 - (world.tick + world.spent) / (world.seconds * TICKS_PER_SECOND)),
            lifted=world.hand.lifted,
            verdict=world.verdict,
        )
        hand = world.hand
        if self.mode == "full" or world.crosshair:
            draw_pointer(picture, hand.x, hand.y, crosshair=self.mode == "simple", pressed=bool(hand.down))
        return picture


def _name(what: Any) -> str:
    return what.grip if isinstance(what, Hold) else " ".join(str(word) for word in what)
