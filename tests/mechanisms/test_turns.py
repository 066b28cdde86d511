"""Seats in turn, and conditions that decide in order."""

import pytest

from endturn.mechanisms.turns import ALIKE, first_difference, leader, waiting_for


@pytest.mark.parametrize("seat", [0, 1])
def test_the_seat_at_turn_is_to_act_until_the_match_is_over(seat):
    assert (waiting_for(seat, False), waiting_for(seat, True)) == (1 << seat, 0)


def test_who_has_more_leads():
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


def test_seats_that_are_alike_are_not_told_apart():
    assert first_difference(0, 0, 0)[0] == ALIKE
