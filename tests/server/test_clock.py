"""Clocks: each kind of time control, and properties that hold for all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from endturn.server.clock import Clock, Timing, Uptime

KINDS = ["bank", "move", "turn", "deadline"]
# What can happen to a clock: so many milliseconds pass, then one of these, with the seats that think afterwards.
STEPS = st.lists(
    st.tuples(
        st.integers(0, 40_000),
        st.sampled_from(["go", "moved", "halt", "new turn"]),
        st.sets(st.integers(0, 1)),
    ),
    max_size=30,
)


def clock(kind, seconds=60.0, increment=0.0):
    return Clock.new(Timing(kind, seconds, increment), 2)


def played(made, steps, now=0.0):
    """Play these events and return the time afterwards."""
    turn = 0
    for passed, what, seats in steps:
        now += passed
        turn += what == "new turn"
        if what == "halt":
            made.halt(now)
        else:
            for seat in made.since if what == "moved" else []:
                made.moved(seat, now)
                break
            made.go(seats, now, turn)
    return now


# --- each kind ---


def test_without_a_clock_nobody_runs_out_of_time():
    made = clock("none")
    made.go([0], 0)
    assert (made.due(), made.over(1e12), made.remaining(0, 1e12)) == (None, [], None)


def test_bank_shrinks_only_while_its_seat_thinks():
    made = clock("bank")
    made.go([0], 0, 0)
    made.moved(0, 10_000)
    made.go([1], 10_000, 1)
    made.moved(1, 40_000)
    assert (made.remaining(0, 99_000), made.remaining(1, 99_000)) == (50_000, 30_000)


def test_bank_gets_an_increment_each_turn_except_the_first():
    made = clock("bank", 60, 5)
    made.go([0], 0, 0)
    assert made.remaining(0, 0) == 60_000
    made.go([1], 0, 1)
    made.go([0], 0, 2)
    assert (made.remaining(0, 0), made.remaining(1, 0)) == (65_000, 65_000)


def test_actions_of_one_turn_earn_one_increment():
    made = clock("bank", 60, 5)
    made.go([0], 0, 0)
    for _ in range(3):
        made.moved(0, 0)
        made.go([0], 0, 0)
    assert made.remaining(0, 0) == 60_000


def test_move_clock_restarts_with_every_action():
    made = clock("move")
    made.go([0], 0, 0)
    made.moved(0, 59_000)
    made.go([0], 59_000, 0)
    assert made.due() == 119_000


def test_move_clock_restarts_when_a_seat_is_to_act_again():
    made = clock("move")
    made.go([0, 1], 0, 0)
    made.go([0], 50_000, 0)
    made.go([0, 1], 55_000, 0)
    assert made.remaining(1, 55_000) == 60_000


@pytest.mark.parametrize("kind", ["turn", "deadline"])
def test_actions_of_a_turn_share_its_time(kind):
    made = clock(kind)
    made.go([0], 0, 0)
    made.moved(0, 20_000)
    made.go([0], 30_000, 0)
    assert made.due() == 70_000


@pytest.mark.parametrize("kind", ["move", "turn", "deadline"])
def test_new_turn_restarts_the_clock_of_a_thinking_seat(kind):
    made = clock(kind)
    made.go([0, 1], 0, 0)
    made.moved(0, 50_000)
    made.go([0, 1], 50_000, 1)
    assert made.remaining(1, 50_000) == 60_000


def test_pause_does_not_change_the_time_left():
    made = clock("move")
    made.go([0], 0, 0)
    made.halt(25_000)
    assert made.due() is None
    made.go([0], 900_000, 0)
    assert made.remaining(0, 900_000) == 35_000


@pytest.mark.parametrize(("left", "order"), [([20, 10], [1, 0]), ([10, 20], [0, 1]), ([10, 10], [0, 1])])
def test_seats_out_of_time_are_ordered_by_time_then_number(left, order):
    made = clock("bank")
    made.left = [seconds * 1000.0 for seconds in left]
    made.go([1, 0], 0)
    assert made.over(30_000) == order and made.over(min(left) * 1000) == order[: 1 + (left[0] == left[1])]


# --- whatever is played ---


@given(st.sampled_from(KINDS), STEPS, st.integers(0, 100_000))
def test_restored_clock_equals_the_original(kind, steps, later):
    made = clock(kind, 60, 2)
    now = played(made, steps)
    again = Clock.read(made.timing, made.written(now))
    assert [again.remaining(seat, now + later) for seat in (0, 1)] == [
        made.remaining(seat, now + later) for seat in (0, 1)
    ]
    assert sorted(again.over(now + later)) == sorted(made.over(now + later))


@given(st.sampled_from(KINDS), STEPS, st.integers(0, 100_000))
def test_only_a_thinking_seat_without_time_left_is_out_of_time(kind, steps, later):
    made = clock(kind)
    now = played(made, steps) + later
    assert sorted(made.over(now)) == [seat for seat in sorted(made.since) if made.remaining(seat, now) == 0]


@given(st.sampled_from(KINDS), STEPS)
def test_first_timeout_happens_exactly_when_due(kind, steps):
    made = clock(kind)
    now = played(made, steps)
    due = made.due()
    if due is None:
        assert made.over(now + 1e9) == []
    else:
        assert made.over(due) and (due <= now or not made.over(due - 0.5))


@given(STEPS)
def test_bank_loses_exactly_the_thinking_time(steps):
    made = clock("bank", 10_000, 0)
    now, thought = 0.0, [0.0, 0.0]
    for step in steps:
        for seat in made.since:
            thought[seat] += step[0]
        now += step[0]
        played(made, [(0, *step[1:])], now)
    assert [made.remaining(seat, now) for seat in (0, 1)] == [10_000_000 - each for each in thought]


@given(st.sampled_from(KINDS), STEPS)
def test_copy_is_independent(kind, steps):
    made = clock(kind)
    before = made.written(0)
    played(made.copy(), steps)
    assert made.written(0) == before


# --- the time of service ---


class Hand:
    """Seconds that the test lets pass."""

    def __init__(self):
        self.seconds = 100.0

    def __call__(self):
        return self.seconds


def test_service_time_continues_from_the_last_run():
    hand = Hand()
    up = Uptime(5_000, hand)
    hand.seconds += 2
    assert up.now() == 7_000


def test_service_time_stops_without_service():
    hand = Hand()
    up = Uptime(0, hand)
    up.stop()
    hand.seconds += 60
    up.stop()
    assert up.now() == 0
    up.go()
    hand.seconds += 1
    up.go()
    assert up.now() == 1_000


def test_service_time_stops_as_of_the_failed_write():
    hand = Hand()
    up = Uptime(5_000, hand)
    hand.seconds += 3
    up.stop(ago=2)
    up.stop(ago=2)
    assert up.now() == 6_000
    up.go()
    up.stop(ago=10)
    assert up.now() == 6_000  # not before the last time it was known to be there


def test_clock_starts_when_the_action_is_saved():
    made = clock("bank", 60)
    made.go([0, 1], 1000)
    made.moved(0, 3000)
    made.go([0, 1], 3000)
    made.wait(3000, 3500)  # so long it took to write
    assert (made.remaining(0, 3500), made.remaining(1, 3500)) == (58000, 57500)


def test_deadline_starts_with_the_action():
    made = clock("deadline", 60)
    made.go([0], 1000)
    made.wait(1000, 2000)
    assert made.remaining(0, 2000) == 59000
