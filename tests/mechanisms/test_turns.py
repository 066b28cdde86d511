"""Seats in turn, and conditions that decide in order."""

import pytest

from endturn.mechanisms.turns import (
    ALIKE,
    NEVER,
    NOBODY,
    first_difference,
    first_in_line,
    leader,
    upcoming,
    waiting_for,
)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_seat_at_turn_is_to_act_until_the_match_is_over(seat):
    assert (waiting_for(seat, False), waiting_for(seat, True)) == (1 << seat, 0)


def test_seat_with_more_leads():
    assert (leader(3), leader(-1)) == (0, 1)


@pytest.mark.parametrize(
    "leads, decided",
    [
        ((2, -9, -9), (1, 0)),
        ((-2, 9, 9), (1, 1)),
        ((0, 1, -9), (2, 0)),
        ((0, -1, 9), (2, 1)),
        ((0, 0, 5), (3, 0)),
        ((0, 0, -5), (3, 1)),
    ],
)
def test_the_first_condition_in_which_the_seats_differ_decides(leads, decided):
    assert first_difference(*leads) == decided


def test_equal_seats_are_alike():
    assert first_difference(0, 0, 0)[0] == ALIKE


# --- the queue ---


def test_the_first_in_line_is_who_is_ready_soonest_then_who_has_the_least_rank():
    assert first_in_line([30, 10, 20], [0, 1, 2], 3) == 1
    assert first_in_line([10, 10, 10], [2, 0, 1], 3) == 1
    assert first_in_line([10, NEVER, 10], [2, 0, 1], 3) == 2


def test_member_that_is_never_ready_is_not_in_line():
    assert first_in_line([NEVER, NEVER], [0, 1], 2) == NOBODY == first_in_line([5], [0], 0)
    assert upcoming([NEVER, 5], [0, 1], [1, 1], 3) == [(1, 5), (1, 6), (1, 7)]
    assert upcoming([NEVER], [0], [1], 3) == []


def test_the_turns_to_come_follow_from_the_time_to_recover():
    assert upcoming([10, 15], [0, 1], [10, 20], 5) == [(0, 10), (1, 15), (0, 20), (0, 30), (1, 35)]


def test_looking_ahead_changes_nothing():
    ready = [10, 15]
    upcoming(ready, [0, 1], [10, 20], 5)
    assert ready == [10, 15]
