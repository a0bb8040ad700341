"""Rules of Fox Film that no property of all games shows."""

from __future__ import annotations

import pytest

from games.kit.dice import Dice
from games.kit.maths import floor, hypot
from games.kit.picture import Picture
from games.vehicles.drone_follow import BUMPS, CLOSE, EARS, GRIPS, LOST, REEL, THUMB, DroneFollow


def flown(world: DroneFollow, held: dict[str, tuple[float, float]], ticks: int = 20) -> tuple[float, ...]:
    """How the drone moves in its own frame after some ticks in still air: ahead, turn, sideways, rise."""
    world.hand.held = held
    for _ in range(ticks):
        world.tick += 1
        world.drift()
        world.wind, world.veer = [0.0] * 3, [0.0] * 3
    drone = world.drone
    ahead, aside = drone.vx * drone.fx + drone.vz * drone.fz, drone.vz * drone.fx - drone.vx * drone.fz
    return ahead, drone.spin, aside, drone.vy


def born(level: int, seed: int) -> DroneFollow:
    world = DroneFollow.new(DroneFollow.levels[level - 1], Dice.named("a test", seed))
    world.fate = Dice.named("its fate", seed)
    return world


def still(level: int, seed: int) -> DroneFollow:
    world = born(level, seed)
    world.tick = 1  # past the first gust
    return world


@pytest.mark.parametrize("level", [1, 3, 5])
def test_each_stick_moves_one_axis_or_none(level: int) -> None:
    axes = DroneFollow.levels[level - 1].axes
    deals = set()
    for seed in range(6):
        moved = []
        for down, up in zip(GRIPS[::2], GRIPS[1::2], strict=True):
            ways = [flown(still(level, seed), {grip: (0.0, 0.0)}, 6) for grip in (down, up)]
            strong = [axis for axis in range(4) if abs(ways[0][axis]) > 0.1]
            assert len(strong) <= 1 or strong == [0, 1] or strong == [1, 2], "a turn carries speed round, no more"
            moved.append(tuple(strong))
            assert all(ways[0][axis] * ways[1][axis] < 0 for axis in strong[:1])
        assert sum(bool(one) for one in moved) == axes
        deals.add(tuple(moved))
    assert len(deals) > 1, "the seed deals the sticks"


def test_a_thumb_drives_two_axes_in_part() -> None:
    world = still(5, 1)
    world.hand.held = {"left stick": (100.0, 500.0)}
    world.hand.x, world.hand.y = 100 + THUMB / 2, 500 + THUMB / 4
    assert world.pushed() == pytest.approx([0.5, -0.25, 0, 0])
    world.hand.held = {}
    assert world.pushed() == [0, 0, 0, 0], "the pointer steers only while it holds a stick"


def in_the_ring() -> DroneFollow:
    """The fox before the camera, at the height's own distance, and no wood."""
    world = still(3, 1)
    drone = world.drone
    world.fox.x, world.fox.z = drone.x + 6.4 * drone.fx, drone.z + 6.4 * drone.fz
    world.near = []
    return world


def test_the_reel_fills_only_in_the_ring_near_and_unhidden() -> None:
    world = in_the_ring()
    for _ in range(5):
        world.film()
    assert world.filmed
    filled, drone = world.progress(), world.drone
    world.near = [(drone.x + 3 * drone.fx, drone.z + 3 * drone.fz)]
    world.film()
    assert not world.filmed
    assert not world.seen
    assert world.progress() < filled, "it runs back, and the progress with it"
    world.near = []
    world.fox.x, world.fox.z = drone.x + (CLOSE + 2) * drone.fx, drone.z + (CLOSE + 2) * drone.fz
    world.film()
    assert world.seen
    assert not world.filmed


def test_a_full_reel_wins_and_long_blindness_loses() -> None:
    world = in_the_ring()
    for _ in range(REEL):
        world.film()
    assert world.verdict == "won"
    world = in_the_ring()
    world.fox.x = world.drone.x - 20 * world.drone.fx
    world.fox.z = world.drone.z - 20 * world.drone.fz
    for _ in range(LOST):
        assert not world.verdict
        world.film()
    assert (world.verdict, world.reason) == ("lost", "out of sight")


def test_the_fifth_bump_loses() -> None:
    world = still(3, 1)
    for bump in range(1, BUMPS + 1):
        world.dazed = 0
        for _ in range(2):
            world.near = [(world.drone.x + 0.1, world.drone.z)]
            world.tick += 1
            world.drift()
        assert world.bumps == bump, "a daze counts no second bump"
        assert bool(world.verdict) == (bump == BUMPS)


def test_ears_turn_before_every_change() -> None:
    world = born(5, 3)
    signed, changes = 0, 0
    for _ in range(1200):
        world.tick += 1
        goal, urge, plan = world.fox.goal, world.fox.urge, world.fox.plan
        signed = signed + 1 if plan else 0
        world.drift()
        if plan and not world.fox.plan:
            changes += 1
            assert signed == EARS
        elif world.fox.goal != goal or world.fox.urge > urge:
            pytest.fail("a change without a sign")
    assert changes > 8


@pytest.mark.parametrize(
    ("x", "z", "trunk", "told"),
    [
        (8.0, 0.0, None, "filming"),
        (14.0, 0.0, None, "too far"),
        (9.8, 0.0, None, "filming"),
        (10.01, 0.0, None, "too far"),
        (38.0, 0.0, None, "much too far"),
        (8.0, 5.0, None, "right of the ring"),
        (8.0, -5.0, None, "left of the ring"),
        (3.0, 9.0, None, "out of the picture, right"),
        (3.0, -9.0, None, "out of the picture, left"),
        (7.0, 6.5, None, "partly out, right"),
        (1.0, 0.0, None, "partly out, below"),
        (0.2, 0.0, None, "out of the picture, below"),
        (-8.0, 0.0, None, "behind you"),
        (8.0, 0.0, (4.0, 0.0), "trunk in the way"),
        (14.0, 0.0, (4.0, 0.0), "trunk in the way"),
        (3.0, 9.0, (1.5, 4.5), "out of the picture, right"),
        (-8.0, 0.0, (-4.0, 0.0), "behind you"),
    ],
)
def test_the_plate_tells_how_the_fox_stands_to_the_camera(
    x: float, z: float, trunk: tuple[float, float] | None, told: str
) -> None:
    world = born(1, 1)
    world.drone.heading, world.drone.fx, world.drone.fz = 0.0, 1.0, 0.0
    world.fox.x, world.fox.z, world.fox.heading, world.near = x, z, 0.0, [trunk] if trunk else []
    world.film()
    picture = Picture()
    world.draw(picture)
    depth, right, up = world.drone.sees(world.fox)
    away = depth if world.seen else hypot(hypot(depth, right), up)
    assert f"{floor(10 * away) / 10:.1f} m: {told}" in picture.texts, "tenths are cut off: what reads 10.0 is too far"
    assert world.filmed == (told == "filming")
