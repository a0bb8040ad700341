"""Twin: the same world as in real time, which waits. Twins only."""

from __future__ import annotations

from collections.abc import Iterator

from audit.aims import aim, at_once, moved
from audit.kit import Evidence, Result
from audit.moments import Moment, Watched, some, state
from audit.play import Taped, show, think
from audit.players import Act, Spot, picture_of
from clock.tempo import Tempo
from games.kit.dice import Dice
from games.kit.maths import TAU, cos, sin
from games.kit.world import TICKS_PER_SECOND, Hold, World
from harness.actions import to_plain
from harness.episode import Episode
from harness.errors import BadInput
from harness.session import Configuration, copy_world

SEEDS = 12
SHARE = 0.85  # of the seeds, won within the twin's own cap on acts
CLOSELY = 3  # of the seeds, whose plays are looked at rest by rest
RESTS = 8  # of such a play
REST_S = 60
DELAYS = (0.25, 2.5, 60.0)  # s of thinking
MOVED = (7, 20, 37)  # ticks by which real time moves a rest on
MISSES = (10.0, 20.0, 30.0, 45.0)  # px
WAYS = 3  # in which an aim misses by so much
TOLERANCE = 0.15  # by which the shares of near misses that still do it may differ
FEW = 12  # aims that prove nothing
AFTER = TICKS_PER_SECOND // 2  # ticks after an act in real time


def applies(configuration: Configuration) -> bool:
    return configuration.timing == "twin"


def measure(configuration: Configuration, seeds: list[int], evidence: Evidence) -> Result:
    result = Result("twin", str(configuration))
    unlike = [[seed, what] for seed in seeds for what in _unlike(configuration, seed)]
    path = evidence.log("unlike", unlike)
    result.must("unlike", unlike[:6], "nothing by which its birth differs from real time's", not unlike, path)
    plays = [Watched(configuration, seed) for seed in seeds]
    for play in plays:
        think(play, 0)
    lost: list[Taped] = [play for play in plays if not play.won]
    result.at_least("won_in_cap", 1 - len(lost) / len(plays), SHARE, show(evidence, "lost", lost), of=len(plays))
    result.note("cap", plays[0].cap)
    result.note("most_acts", max(play.acts for play in plays))
    felt = [[play.seed, delay] for play in plays[:CLOSELY] for delay in DELAYS if _feels(play, delay)]
    result.must("felt", felt[:6], "no delay of thinking by which a play differs", not felt, evidence.log("felt", felt))
    rests = [rest for play in plays[:CLOSELY] for rest in some(play.moments, RESTS)]
    changed = [rest for rest in rests if _changes(configuration, rest)]
    path = evidence.frames("changed", [picture_of(rest.world) for rest in changed[:3]])
    result.must("changed", len(changed), f"0 of {len(rests)} rests within {REST_S} s", not changed, path)
    heard = [[what, to_plain(rest.act)] for rest in rests for what in _hears(configuration, rest)]
    path = evidence.log("heard", heard)
    result.must("heard", sorted({what for what, _ in heard}), "nothing while the twin moves", not heard, path)
    _judge_tolerance(result, configuration, rests, evidence)
    return result


# -------------------------------------------------------------------------------- birth


def _unlike(configuration: Configuration, seed: int) -> Iterator[str]:
    """In what the twin's beginning differs from its sibling's in real time."""
    sibling, twin = Taped(configuration._replace(timing="rt"), seed), Taped(configuration, seed)
    told, other = sibling.hello(), twin.hello()
    yield from (key for key in told.keys() | other.keys() if key != "timing" and told.get(key) != other.get(key))
    for _ in range(twin.world.tick):
        sibling.step()  # a twin of occasions opens at the first of them
    if twin.world.tick:
        while sibling.world.respond():
            pass
    if state(sibling.world) != state(twin.world):
        yield "digest"
    if picture_of(sibling.world).digest() != picture_of(twin.world).digest():
        yield "picture"
    if picture_of(sibling.world).actions() != picture_of(twin.world).actions():
        yield "what can be pressed"


# -------------------------------------------------------------------------------- rest


def _feels(play: Watched, delay: float) -> bool:
    """Whether the same oracle's play goes otherwise when it thinks so long."""
    slow = think(Taped(play.configuration, play.seed), delay)
    return (slow.digest(), slow.acts) != (play.digest(), play.acts)


def _changes(configuration: Configuration, rest: Moment) -> bool:
    """Whether a minute of looking, by the clock on the wall, changes the world or its picture."""
    session = Taped(configuration, 0, world=copy_world(rest.world))
    before = session.digest(), session.picture().digest()
    episode = Episode(session, Tempo.parse("live"), "wall")
    episode.begin(0)
    for second in range(0, REST_S + 1, 5):
        episode.receive(second * 1_000_000)
        if (session.digest(), session.picture().digest()) != before:
            return True
        episode.replied(second * 1_000_000)
    return False


# -------------------------------------------------------------------------------- motion


def _hears(configuration: Configuration, rest: Moment) -> Iterator[str]:
    """What a twin in motion takes notice of: acts that come then, and grips that were kept."""
    plain = Taped(configuration, 0, world=copy_world(rest.world))
    disturbed = Taped(configuration, 0, world=copy_world(rest.world))
    for session in (plain, disturbed):
        session.submit(rest.act)
    if plain.over or not plain.busy:
        return
    lifted = plain.world.hand.lifted
    if lifted:
        for session in (plain, disturbed):
            session.world.hand.plan.clear()
        _grip_all(disturbed)
    while plain.busy:
        if disturbed.busy and _accepts(disturbed, rest.act):
            yield "an act"
            return
        plain.step()
        disturbed.step()
    if lifted and state(plain.world) != state(disturbed.world):
        yield "a grip"


def _accepts(session: Taped, act: Act) -> bool:
    """Whether an act is taken, or leaves a trace although it is refused."""
    before = session.digest()
    try:
        session.submit(act)
    except BadInput:
        return session.digest() != before
    return True


def _grip_all(session: Taped) -> None:
    """Whatever can be held is held by now: keys, buttons and verbs that the player has not let go."""
    world = session.world
    verbs = [world.simple(verb) for verb in world.verbs.values()]
    found = [*world.keys.values(), *picture_of(world).actions(), *verbs]
    for number, what in enumerate(found):
        if isinstance(what, Hold):
            world.hand.down[f"key {number}"] = what.grip
            world.hand.held[what.grip] = (world.hand.x, world.hand.y)


# -------------------------------------------------------------------------------- tolerance


def _judge_tolerance(result: Result, configuration: Configuration, rests: list[Moment], evidence: Evidence) -> None:
    """Presses that miss their aim a little do as much as in real time. Only the pointer misses."""
    pairs = [pair for rest in rests for ticks in MOVED if (pair := _tolerance(configuration, rest, ticks))]
    result.note("aims", len(pairs))
    if len(pairs) < FEW:
        return
    twin, real = (sum(shares) / len(pairs) for shares in zip(*pairs, strict=True))
    result.note("tolerance_rt", real)
    bound = f"within {TOLERANCE:g} of real time's {real:.3g}: near misses that do it"
    path = evidence.log("tolerance", pairs)
    result.must("tolerance", twin, bound, abs(twin - real) <= TOLERANCE, path)


def _tolerance(configuration: Configuration, rest: Moment, ticks: int) -> tuple[float, float] | None:
    """The share of near misses that do just what the aimed act does: at a rest, and when real time has moved it on."""
    act = [at_once(action) for action in rest.act]
    first = next(((action, place) for action in act if (place := aim(action))), None)
    if first is None:
        return None
    button = getattr(first[0], "button", "left")
    command = picture_of(rest.world).hit(*first[1], button)
    live = Taped(configuration._replace(timing="rt"), 0, limit=False, world=copy_world(rest.world))
    for _ in range(ticks):
        live.step()
    live.world.hand.tick = live.world.tick  # in real time the hand's clock is the world's
    places = picture_of(live.world).find(command) if command and not live.over else []
    if not places:
        return None
    by = places[0][0] - first[1][0], places[0][1] - first[1][1]
    dice = Dice.named("misses", rest.world.hand.tick, ticks)
    angles = [dice.between(0, TAU) for _ in range(WAYS)]
    misses = [(miss * cos(angle), miss * sin(angle)) for miss in MISSES for angle in angles]
    twin = _share(configuration, rest.world, act, (0.0, 0.0), misses)
    real = _share(live.configuration, live.world, act, by, misses)
    return None if twin is None or real is None else (twin, real)


def _share(configuration: Configuration, world: World, act: Act, by: Spot, misses: list[Spot]) -> float | None:
    """None when the aimed act does nothing."""
    done = _outcome(configuration, world, [moved(action, by) for action in act])
    if done == _outcome(configuration, world, []):
        return None
    missed = [[moved(action, (by[0] + dx, by[1] + dy)) for action in act] for dx, dy in misses]
    return sum(_outcome(configuration, world, each) == done for each in missed) / len(missed)


def _outcome(configuration: Configuration, world: World, act: Act) -> str:
    session = Taped(configuration, 0, limit=False, world=copy_world(world))
    if act:
        session.submit(act)
    session.settle()
    for _ in range(AFTER if session.realtime else 0):
        session.step()
    return state(session.world)
