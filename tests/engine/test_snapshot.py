"""Snapshots: a match goes back to one, or is shown as it was, whatever was played since."""

from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treasure_game as treasure
from endturn.engine.answers import Accepted
from endturn.engine.match import SPARSE, Match
from endturn.games import find

BACKENDS = pytest.mark.parametrize("backend", ["plain", "compiled"])
STEPS = st.lists(st.integers(0, 2**32), max_size=12)
EMPIRES = find("empires")


def play(match: Match, steps: list[int]) -> None:
    """A random action for each number; for some of them an undo instead."""
    for step in steps:
        if match.to_act():
            seat = match.to_act()[0]
            if step % 5 == 0:
                match.undo(seat)
            else:
                assert isinstance(match.submit(seat, match.random_action(seat, step, 0)), Accepted)


def known(match: Match) -> tuple[object, ...]:
    return match.dump(), match.log, match.to_act(), match.turn, match.outcome


@BACKENDS
@given(before=STEPS, since=STEPS, after=STEPS)
@settings(max_examples=60, deadline=None)
def test_restored_match_continues_as_if_nothing_happened_since(backend, before, since, after):
    match, alone = (Match(treasure.game, seed=7, backend=backend) for _ in range(2))
    play(match, before)
    play(alone, before)
    snapshot = match.snapshot()
    play(match, since)
    match.restore(snapshot)
    assert known(match) == known(alone)
    play(match, after)
    play(alone, after)
    assert known(match) == known(alone)


@BACKENDS
@given(before=STEPS, since=STEPS)
@settings(max_examples=60, deadline=None)
def test_a_match_as_of_a_snapshot_is_independent(backend, before, since):
    match, alone = (Match(treasure.game, seed=7, backend=backend) for _ in range(2))
    play(match, before)
    play(alone, before)
    snapshot = match.snapshot()
    play(match, since)
    now, shown = known(match), match.as_of(snapshot)
    assert known(shown) == known(alone)
    play(shown, since)
    assert known(match) == known(shown) == now


def test_snapshots_of_a_growing_state_share_bytes_and_are_exact():
    match, numbers, dumps = Match(EMPIRES, {"width": 24, "last_turn": 9}, seed=5), count(), set()
    while match.turn < 4:
        snapshot, before = match.snapshot(), match.dump()
        dumps.add(id(snapshot.data))
        assert len(match.log) - snapshot.dumped_at < SPARSE
        seat = match.to_act()[0]
        match.submit(seat, match.random_action(seat, 3, next(numbers)))
        assert match.as_of(snapshot).dump() == before
        match.restore(snapshot)
        assert match.dump() == before
        match.submit(seat, match.random_action(seat, 3, next(numbers)))
    assert match.snapshot().dumped_at > 0


def test_an_undo_of_a_growing_state_can_be_restored():
    match = Match(EMPIRES, {"width": 24, "phases": "players"}, seed=5)
    for _ in range(3):
        assert isinstance(
            match.submit(match.to_act()[0], match.random_action(match.to_act()[0], 1, 1)), Accepted
        )
    snapshot, before = match.snapshot(), match.dump()
    match.undo(match.to_act()[0])
    match.restore(snapshot)
    assert match.dump() == before


@BACKENDS
@pytest.mark.parametrize("said", [{"do": "fly"}, {"do": "mark", "number": 99}, {"do": "dig"}])
def test_refused_action_for_now_takes_no_snapshot(backend, said):
    match, alone = (Match(treasure.game, seed=7, backend=backend) for _ in range(2))
    before = known(match)
    assert match.submit_for_now(1, said) == (alone.submit(1, said), None)
    assert known(match) == before


@BACKENDS
@given(before=STEPS, step=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_action_for_now_plays_as_submit_and_can_be_taken_back(backend, before, step):
    match, alone = (Match(treasure.game, seed=7, backend=backend) for _ in range(2))
    play(match, before)
    play(alone, before)
    if match.to_act():
        seat, start = match.to_act()[0], known(match)
        action = match.random_action(seat, step, 0)
        answer, snapshot = match.submit_for_now(seat, action)
        assert answer == alone.submit(seat, action)
        assert known(match) == known(alone)
        match.restore(snapshot)
        assert known(match) == start


def test_fault_in_the_rules_for_now_changes_nothing(monkeypatch):
    match = Match(treasure.game, seed=7)
    before, note_turn = known(match), Match._note_turn
    monkeypatch.setattr(Match, "_note_turn", lambda self: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        match.submit_for_now(0, match.random_action(0, 1, 0))
    monkeypatch.setattr(Match, "_note_turn", note_turn)
    assert known(match) == before
