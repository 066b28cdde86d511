"""Deltas: what was changed in a view comes out the same on the other side, and nothing else is touched."""

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from endturn.engine.delta import diff, patch

# Numbers that equal no flag and no other kind of number: a field of a view does not change its type.
SCALARS = (
    st.none() | st.booleans() | st.integers(2, 6) | st.sampled_from([0.5, -1.5]) | st.text("ab1", max_size=2)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc1", max_size=2), inner, max_size=4)
    ),
    max_leaves=25,
)


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[Any, Any]:
    """A value and one like it, changed in a few places: what two views in a row are."""
    before = draw(VALUES)
    return before, draw(changed(before))


@st.composite
def changed(draw: st.DrawFn, value: Any) -> Any:
    if draw(st.integers(0, 4)) == 0:
        return draw(VALUES)
    if isinstance(value, dict):
        kept = {key: draw(changed(part)) for key, part in value.items() if draw(st.integers(0, 4))}
        return {**kept, **draw(st.dictionaries(st.text("abc1", max_size=2), SCALARS, max_size=1))}
    if isinstance(value, list):
        kept = [draw(changed(part)) for part in value]
        return (
            kept[: draw(st.integers(0, len(kept)))]
            if draw(st.booleans())
            else kept + draw(st.lists(SCALARS, max_size=2))
        )
    return value


def exactly(value: Any) -> bytes:
    """JSON text: what a client has."""
    return msgspec.json.encode(value, order="deterministic")


@given(VALUES, VALUES)
def test_a_patch_turns_any_value_into_any_other(before, after):
    assert exactly(patch(before, diff(before, after))) == exactly(after)


@given(neighbours())
def test_a_patch_turns_a_view_into_the_next(pair):
    before, after = pair
    assert exactly(patch(before, diff(before, after))) == exactly(after)


@given(neighbours())
def test_a_delta_survives_being_sent_as_json(pair):
    before, after = pair
    sent = msgspec.json.decode(msgspec.json.encode(diff(before, after)))
    assert exactly(patch(before, sent)) == exactly(after)


@given(neighbours())
def test_diff_and_patch_do_not_change_their_arguments(pair):
    before, after = copy.deepcopy(pair)
    delta = diff(before, after)
    kept = copy.deepcopy(delta)
    patch(before, delta)
    assert (exactly(before), exactly(after)) == (exactly(pair[0]), exactly(pair[1]))
    assert exactly(delta) == exactly(kept)


@given(VALUES)
def test_no_change_is_an_empty_delta(value):
    assert diff(value, copy.deepcopy(value)) == []


@given(VALUES, VALUES)
def test_only_no_change_is_an_empty_delta(before, after):
    assert (diff(before, after) == []) == (exactly(before) == exactly(after))


@pytest.mark.parametrize(
    ("before", "after", "delta"),
    [
        (1, 1, []),
        (1, True, [True]),
        ({"a": 1}, {"a": 2}, [{"a": [2]}, []]),
        ({"a": 1, "b": 2}, {"b": 2}, [{}, ["a"]]),
        ({}, {"a": {"b": 1}}, [{"a": [{"b": 1}]}, []]),
        ([0, 3], [0, 2, 9], [{"1": [2], "2": [9]}, 3]),
        ([1, 2, 3], [1], [{}, 1]),
        ([[1, 2], [3]], [[1, 5], [3]], [{"0": [{"1": [5]}, 2]}, 2]),
        ({"a": [1]}, {"a": {"0": 1}}, [{"a": [{"0": 1}]}, []]),
        ([], {}, [{}]),
        ({"a": None}, {}, [{}, ["a"]]),
        ({"a": None, "b": 2}, {"a": None, "b": 3}, [{"b": [3]}, []]),
    ],
)
def test_delta_contains_only_changes(before, after, delta):
    assert diff(before, after) == delta
    assert patch(before, delta) == after


def test_a_small_change_in_a_large_view_is_a_small_delta():
    view = {"cells": [{"fire": 0, "owner": n % 2} for n in range(1000)]}
    after = copy.deepcopy(view)
    after["cells"][500]["fire"] = 3
    assert diff(view, after) == [{"cells": [{"500": [{"fire": [3]}, []]}, 1000]}, []]


def test_consecutive_deltas_follow_a_view():
    views: list[Any] = [{"turn": t, "seen": list(range(t % 3)), "who": {"a": t // 2}} for t in range(8)]
    seen = views[0]
    for before, after in zip(views, views[1:], strict=False):
        seen = patch(seen, diff(before, after))
    assert seen == views[-1]
