"""Rows of views: as if each were made anew, and the same object where nothing has changed."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from endturn.engine.delta import diff, patch
from endturn.engine.match import Match
from endturn.engine.record import to_json
from endturn.games import find
from endturn.mechanisms import rows as module
from endturn.mechanisms.rows import facts, rows
from endturn.testing.contract import random_play


def pair(left: int, right: int) -> dict[str, int]:
    return {"left": left, "right": right}


NUMBERS = st.lists(st.tuples(st.integers(0, 3), st.integers(-300, 300)), max_size=100)


@given(NUMBERS, NUMBERS)
def test_rows_are_those_that_the_columns_give(first, second):
    for values in first, second, first:
        left, right = array("b", [v[0] for v in values] + [0]), array("h", [v[1] for v in values] + [0])
        assert rows(len(values), pair, left, right) == [pair(*each) for each in values]


def test_unchanged_rows_are_the_same_objects():
    left, right = array("b", [1] * 100), array("h", range(100))
    before = rows(100, pair, left, right)
    assert rows(100, pair, left, right) is before
    right[40] = -300
    after = rows(100, pair, left, right)
    assert [i for i in range(100) if before[i] is not after[i]] == [40]
    assert before[40]["right"] == 40 and after[40]["right"] == -300


def test_two_matches_with_the_same_first_column_do_not_mix():
    left, ours, theirs = array("b", [1] * 50), array("h", range(50)), array("h", range(100, 150))
    for column in ours, theirs, ours, theirs:
        assert [row["right"] for row in rows(50, pair, left, column)] == list(column)


def test_only_so_much_is_remembered():
    for number in range(2 * module.KEPT):
        rows(1, pair, array("h", [number % 30000]), array("h", [number // 30000]))
    assert len(module._tables) <= module.KEPT


def test_settings_are_the_same_dictionary_for_the_same_values():
    game = find("anarchy")
    small, large = (Match(game, {"map_width": width}).state.settings for width in (30, 40))
    assert facts(small) is facts(small) and facts(small) == to_json(small) != facts(large)


@pytest.mark.parametrize("name", ["anarchy", "catastrophe"])
def test_a_view_that_was_taken_stays_as_it_was(name):
    match = Match(find(name), seed=3)
    before = match.view()
    kept = patch({}, diff({}, before))  # deep enough: every part is new
    text = repr(before)
    for _ in random_play(match, 60):
        match.view()
    assert repr(before) == text and before == kept


def test_a_table_of_other_numbers_with_the_same_bytes_is_another_table():
    seen = [
        rows(2, pair, array("b", [2, 0]), array("b", [5, 1])),
        rows(1, pair, array("h", [2]), array("h", [261])),
        rows(2, pair, array("b", [2, 0]), array("h", [261, 0])),
    ]
    values = [[list(row.values()) for row in table] for table in seen]
    assert values == [[[2, 5], [0, 1]], [[2, 261]], [[2, 261], [0, 0]]]


def test_a_match_is_compared_with_itself_and_not_with_another_that_began_the_same(monkeypatch):
    looked = []
    changed = module._changed
    monkeypatch.setattr(module, "_changed", lambda *said: looked.append(changed(*said)) or looked[-1])
    ours, theirs = ([array("b", [7] * 50), array("h", range(50))] for _ in range(2))
    for left, right in ours, theirs:
        rows(50, pair, left, right)
    for step in range(3):
        for each, (left, right) in enumerate((ours, theirs)):
            right[10 * each + step] = -1
            made = rows(50, pair, left, right)
            assert [row["right"] for row in made] == list(right)
    assert looked == [[0], [10], [1], [11], [2], [12]]


def test_a_first_column_that_changes_is_still_known():
    left, right = array("b", [1] * 100), array("h", range(100))
    before = rows(100, pair, left, right)
    left[3] = 2
    after = rows(100, pair, left, right)
    assert [i for i in range(100) if before[i] is not after[i]] == [3] and after[3] == {"left": 2, "right": 3}
