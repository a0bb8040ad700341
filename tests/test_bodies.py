"""Rigid discs: momentum is kept, ropes pull but do not push, and nothing comes from a library's own maths."""

from copy import deepcopy

import pytest

from games.kit.bodies import Disc, Rope, away, ends, fence, gap, glide, jostle, linked, pull, tie

TIME = 1 / 60


def test_a_bump_keeps_momentum_and_parts_the_two() -> None:
    discs = [Disc(0, 0, 10, 2.0, vx=60, spin=1.0), Disc(19, 3, 10, 1.0, vx=-30)]
    before = sum(disc.mass * disc.vx for disc in discs), sum(disc.mass * disc.vy for disc in discs)
    jostle(discs, 0.5, 0.3)
    assert sum(disc.mass * disc.vx for disc in discs) == pytest.approx(before[0])
    assert sum(disc.mass * disc.vy for disc in discs) == pytest.approx(before[1])
    assert discs[1].vx > discs[0].vx, "they part"
    for _ in range(60):
        jostle(discs, 0.5, 0.3)
    assert gap(*discs) == pytest.approx(0, abs=1e-6)


def test_a_disc_without_mass_stays() -> None:
    discs = [Disc(0, 0, 10, 1.0, vx=50), Disc(15, 0, 10, 0)]
    jostle(discs, 0.2, 0.3)
    glide(discs, TIME, 0.0)
    assert (discs[1].x, discs[1].y, discs[1].vx) == (15, 0, 0)
    assert discs[0].vx == pytest.approx(-10)


def test_rubbing_turns_discs_and_never_gains_energy() -> None:
    discs = [Disc(0, 0, 10, 1.0, vx=20, vy=40), Disc(19.5, 0, 10, 1.0, spin=-2)]

    def energy() -> float:
        return sum(d.mass * (d.vx**2 + d.vy**2 + d.spin**2 * d.r**2 / 2) for d in discs)

    before = energy()
    jostle(discs, 0.5, 0.5)
    assert discs[0].spin != 0
    assert energy() < before


def test_all_pairs_meet_whatever_their_order() -> None:
    discs = [Disc(x, y, 10, 1.0) for x, y in ((40, 0), (0, 0), (15, 5), (100, 0), (52, 8), (-80, 0))]
    for _ in range(200):
        jostle(discs, 0.0, 0.0)
    pairs = [(a, b) for i, a in enumerate(discs) for b in discs[i + 1 :]]
    assert all(gap(a, b) > -0.01 for a, b in pairs)
    assert (discs[3].x, discs[5].x) == (100, -80), "who touches nobody stays"


def test_a_rope_pulls_but_does_not_push() -> None:
    for span, pulls in ((25.0, False), (35.0, True)):
        discs = [Disc(0, 0, 5, 1.0), Disc(span, 0, 5, 2.0)]
        rope = Rope(0, 1, (0, 0, 0, 0), 30)
        pull(discs, rope, 40, 5, TIME)
        assert (rope.pull > 0) == (discs[0].vx > 0) == (discs[1].vx < 0) == pulls
        assert discs[0].vx + 2 * discs[1].vx == pytest.approx(0)


def test_a_rope_to_the_ground_holds_against_a_drive_and_turns_the_disc_into_line() -> None:
    discs = [Disc(0, 0, 20, 1.0, s=1.0, c=0.0)]
    rope = Rope(0, -1, (18, 0, -40, 0), 10)
    for _ in range(1200):
        discs[0].vx += 30 * TIME
        pull(discs, rope, 40, 5, TIME)
        glide(discs, TIME, 1.0)
    x1, y1, x2, _ = ends(discs, rope)
    assert rope.pull == pytest.approx(30, rel=0.05)
    assert x1 - x2 == pytest.approx(10 + 30 / 40, abs=0.2)
    assert y1 == pytest.approx(0, abs=1), "the end that is tied has turned towards the ground"


def test_turning_keeps_the_length_of_the_heading() -> None:
    disc = Disc(0, 0, 10, 1.0, spin=9.0)
    for _ in range(6000):
        glide([disc], TIME, 0.0)
    assert disc.c * disc.c + disc.s * disc.s == pytest.approx(1, abs=1e-3)
    assert disc.own(*disc.place(3, 4)) == pytest.approx((3, 4), abs=0.01)


def test_gliding_tells_the_greatest_speed_and_loses_it_to_drag() -> None:
    discs = [Disc(0, 0, 10, 1.0, vx=3, vy=4), Disc(50, 0, 10, 1.0)]
    assert glide(discs, TIME, 0.0) == 25
    for _ in range(600):
        most = glide(discs, TIME, 1.2)
    assert most < 0.001


def test_equal_starts_go_equal_ways() -> None:
    discs = [Disc(20.0 * i, 7.0 * (i % 3), 12, 1.0 + i, vx=5.0 * i, spin=0.1 * i) for i in range(8)]
    other = deepcopy(discs)
    for each in (discs, other):
        rope = Rope(0, 5, (1, 2, 3, 4), 60)
        for _ in range(200):
            pull(each, rope, 40, 5, TIME)
            glide(each, TIME, 0.5)
            jostle(each, 0.2, 0.3)
    assert discs == other


def test_a_rope_is_tied_where_two_rims_face_each_other() -> None:
    discs = [Disc(0, 0, 10, 1.0, c=0.6, s=0.8), Disc(0, 50, 20, 1.0)]
    rope = tie(discs, 0, 1, (0, 0), 20)
    assert ends(discs, rope) == pytest.approx((0, 10, 0, 30))
    assert away(discs, rope, 7, 20) == pytest.approx(7)
    assert ends(discs, tie(discs, 0, -1, (-40, 0), 30)) == pytest.approx((-10, 0, -40, 0))


def test_linked_finds_the_shortest_way_from_bank_to_bank() -> None:
    def rope(a: int, b: int) -> Rope:
        return Rope(a, b, (0, 0, 0, 0), 1)

    ropes = [rope(2, -1), rope(1, 2), rope(0, 1), rope(0, 3), rope(2, 3)]
    assert linked(ropes, -1, -2) == []
    assert linked([*ropes, rope(0, -2)], -1, -2) in ([2, 1, 0], [2, 3, 0])
    assert linked([*ropes, rope(0, -2), rope(2, -2)], -1, -2) == [2]


def test_a_fence_throws_back_what_runs_into_it() -> None:
    discs = [Disc(0, 5, 10, 1.0, vy=-30), Disc(0, 95, 10, 1.0, vy=-30), Disc(0, 50, 10, 1.0, vy=9)]
    fence(discs, 0, 100, 0.5)
    assert [(disc.y, disc.vy) for disc in discs] == [(10, 15), (90, -30), (50, 9)]
