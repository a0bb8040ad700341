"""Actions: what is understood, what is refused, and that a refusal names the field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import actions as a
from harness.errors import BadInput
from harness.keys import key_code
from harness.plan import plan_act, ticks

HERE = (400.0, 300.0)


def plan(line: str, mode: str = "full", space: str = "px") -> list[tuple[int, tuple[object, ...]]]:
    return plan_act(a.parse_line(line), mode=mode, space=space, hand=HERE)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("click 400 300", [{"type": "click", "x": 400.0, "y": 300.0}]),
        ("hold ArrowLeft 500; wait 200", [{"type": "key_hold", "keys": ["ArrowLeft"], "ms": 500.0}, None]),
        ("hold w+d 300 @50", [{"type": "key_hold", "keys": ["w", "d"], "ms": 300.0, "at_ms": 50.0}]),
        ("scroll 10 20 -3", [{"type": "scroll", "x": 10.0, "y": 20.0, "dy": -3}]),
        ("key +", [{"type": "key", "keys": ["+"]}]),
        ("right 1 2", [{"type": "click", "x": 1.0, "y": 2.0, "button": "right"}]),
        ("drag 1 2 3 4 5 6 900", None),
        ("type 'hi there'", [{"type": "type", "text": "hi there"}]),
        ("pass", [{"type": "key", "keys": ["Period"]}]),
    ],
)
def test_the_action_language_spells_canonical_actions(line: str, plain: list[dict[str, object] | None] | None) -> None:
    actions = a.parse_line(line)
    assert a.from_plain(a.to_plain(actions)) == actions
    for got, wanted in zip(a.to_plain(actions), plain or [], strict=bool(plain)):
        assert wanted is None or got == wanted


@pytest.mark.parametrize("line", ["", " ; ", "clik 1 2", "click 1", "wait x", "hold a", "drag 1 2", "click nan 1"])
def test_a_line_that_is_not_understood_is_refused_with_the_mend(line: str) -> None:
    with pytest.raises(BadInput) as caught:
        a.parse_line(line)
    assert caught.value.field.startswith("line") and caught.value.mend


@pytest.mark.parametrize(
    ("line", "space", "field"),
    [
        ("click 801 10", "px", "actions[0].x"),
        ("move 10 10; click 10 -1", "px", "actions[1].y"),
        ("click 10 1001", "norm1000", "actions[0].y"),
        ("click 1.01 0", "unit", "actions[0].x"),
        ("key NoSuchKey", "px", "actions[0].keys[0]"),
        ("keydown bogus", "px", "actions[0].key"),
        ("drag 1 2 3 900", "px", "actions[0].path[1].y"),
        ("wait 9000; wait 9000", "px", "actions"),
        ("click 1 1", "inches", "coord_space"),
    ],
)
def test_a_bad_value_is_refused_by_the_name_of_its_field(line: str, space: str, field: str) -> None:
    with pytest.raises(BadInput) as caught:
        plan(line, space=space)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("wait 99999", "ms must be at most 10000"),
        ("scroll 1 2 -99", "dy must be at least -50"),
        ("hold A+B+C+D+E+F+G+H+I 10", "keys must hold at most 8 values"),
        ("type " + "a" * 200, "text must hold at most 100 characters"),
    ],
)
def test_bounds_are_told_in_plain_words(line: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        a.parse_line(line)
    assert caught.value.problem == words


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("hold Q 500", "actions[0].keys[0]"),
        ("key Space; key Space+Q", "actions[1].keys[1]"),
        ("keydown q", "actions[0].key"),
        ("type .q", "actions[0].text[1]"),
    ],
)
def test_a_key_that_does_nothing_is_refused_where_the_keys_are_known(line: str, field: str) -> None:
    assert plan(line)
    with pytest.raises(BadInput, match="does nothing") as caught:
        plan_act(a.parse_line(line), mode="full", space="px", hand=HERE, used=["Space", "Period"])
    assert (caught.value.field, caught.value.mend) == (field, "its keys are Space, Period (pass)")


def test_pointer_actions_are_errors_in_simple_mode() -> None:
    with pytest.raises(BadInput, match="no pointer"):
        plan("key Space; click 1 1", mode="simple")


@given(st.lists(st.floats(0, 1600), min_size=1, max_size=6))
def test_actions_follow_one_another_unless_they_say_when(waits: list[float]) -> None:
    line = "; ".join(f"wait {ms}" for ms in waits)
    total = sum(ticks(ms) for ms in waits)
    assert max((after for after, _ in plan(f"{line}; click")), default=0) == total


def test_a_drag_is_one_place_a_tick_however_its_path_is_cut() -> None:
    straight = plan("drag 100 100 400 100 500")
    cut = plan("drag 100 100 200 100 300 100 400 100 500")
    ends = [[event for _, event in each if event[0] in ("press", "lift")] for each in (straight, cut)]
    assert ends[0] == ends[1] == [("press", "left"), ("lift", "left")]
    for (tick, event), (other_tick, other) in zip(straight, cut, strict=True):
        assert (tick, event[0]) == (other_tick, other[0])
        assert event[1:] == (pytest.approx(other[1:]) if event[0] == "at" else other[1:])


def test_a_tap_lasts_a_tick_at_least() -> None:
    assert plan("key a 1")[-1] == (1, ("unkey", "KeyA"))


def test_spaces_name_the_same_places() -> None:
    assert plan("click 200 150") == plan("click 250 250", space="norm1000") == plan("click 0.25 0.25", space="unit")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Left", "ArrowLeft"),
        ("KP_Enter", "Enter"),
        ("ctrlleft", "ControlLeft"),
        ("Page_Up", "PageUp"),
        ("A", "KeyA"),
        (" ", "Space"),
        (".", "Period"),
        ("f12", "F12"),
        ("7", "Digit7"),
        ("cmd", "MetaLeft"),
        ("nonsense", None),
        ("", None),
    ],
)
def test_vendors_spellings_mean_dom_codes(name: str, code: str | None) -> None:
    assert key_code(name) == code


@pytest.mark.parametrize(
    ("plain", "field", "mend"),
    [
        ([{"type": "klick"}], "actions[0].type", "click"),
        ([{"type": "wait", "ms": 1}, {"x": 1}], "actions[1].type", "wait"),
        ([{"type": "wait", "sm": 1}], "actions[0].sm", "wait takes ms"),
        ([{"type": "drag", "path": [{"x": 1}, {}]}], "actions[0].path[0].y", "drag takes path"),
        ([3], "actions[0]", "has a type"),
        (3, "actions", "a list"),
    ],
)
def test_what_is_refused_is_told_without_a_book(plain: object, field: str, mend: str) -> None:
    with pytest.raises(BadInput) as refused:
        a.from_plain(plain)
    assert refused.value.field == field and mend in refused.value.mend
