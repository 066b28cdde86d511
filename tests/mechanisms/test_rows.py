"""Rows of views: as if each were made anew, and the same object where nothing has changed."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from endturn.engine.delta import diff, patch
from endturn.engine.match import Match
from endturn.games import find
from endturn.mechanisms import rows as module
from endturn.mechanisms.rows import PIECE, rows
from endturn.testing.contract import random_play


def pair(left: int, right: int) -> dict[str, int]:
    return {"left": left, "right": right}


NUMBERS = st.lists(st.tuples(st.integers(0, 3), st.integers(-300, 300)), max_size=3 * PIECE)


@given(NUMBERS, NUMBERS)
def test_rows_are_those_that_the_columns_give(first, second):
    for values in first, second, first:
        left, right = array("b", [v[0] for v in values] + [0]), array("h", [v[1] for v in values] + [0])
        assert rows(len(values), pair, left, right) == [pair(*each) for each in values]


def test_what_has_not_changed_is_the_same_object():
    left, right = array("b", [1] * 3 * PIECE), array("h", range(3 * PIECE))
    before = rows(3 * PIECE, pair, left, right)
    left[PIECE] = 2
    after = rows(3 * PIECE, pair, left, right)
    same = [a is b for a, b in zip(before, after, strict=True)]
    assert same[:PIECE] == [True] * PIECE and same[2 * PIECE :] == [True] * PIECE
    assert before[PIECE]["left"] == 1 and after[PIECE]["left"] == 2


def test_only_so_much_is_remembered():
    for number in range(2 * module.KEPT):
        rows(1, pair, array("h", [number % 30000]), array("h", [number // 30000]))
    assert len(module._kept) <= module.KEPT


@pytest.mark.parametrize("name", ["anarchy", "catastrophe"])
def test_a_view_that_was_taken_stays_as_it_was(name):
    match = Match(find(name), seed=3)
    before = match.view()
    kept = patch({}, diff({}, before))  # deep enough: every part is new
    text = repr(before)
    for _ in random_play(match, 60):
        match.view()
    assert repr(before) == text and before == kept
