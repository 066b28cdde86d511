"""A state that grows works like a record in matches, copies and gamelogs, but only on the plain backend."""

import pytest

import growing_game
from endturn.engine import gamelog
from endturn.engine.answers import Accepted
from endturn.engine.batch import Batch
from endturn.engine.match import Match
from endturn.engine.rule import BackendMissing
from endturn.games import find
from endturn.testing.contract import CHECKS

game = growing_game.game
SENTENCE = "Pile runs only on the plain backend, because its state grows."


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_game_whose_state_grows_keeps_the_contract(check):
    check(game)


def test_a_restarted_match_begins_as_it_began():
    match = Match(game, seed=3)
    assert isinstance(match.submit(1, growing_game.Put(2)), Accepted)
    again = match.restarted()
    assert again.dump() == match.first != match.dump()


def test_the_gamelog_of_a_match_from_a_position_has_the_position():
    match = Match(game, seed=3, start=growing_game.Pile([20]))
    match.submit(1, growing_game.Put(2))
    lines = list(gamelog.write(match))
    assert '"start":"[20]"' in lines[0]
    assert gamelog.verify(lines, lambda name: game).match.dump() == match.dump()


def test_the_quick_way_to_verify_is_the_slow_one_where_nothing_compiles():
    match = Match(game, seed=3)
    while match.to_act():
        match.submit(match.to_act()[0], growing_game.Put(3))
    assert gamelog.verify_fast(gamelog.write(match), lambda name: game).turns == match.turn


@pytest.mark.parametrize("backend", ["plain", "compiled", "gpu"])
def test_batch_of_a_growing_state_is_one_clear_error(backend):
    with pytest.raises(BackendMissing) as told:
        Batch(game, 4, backend=backend)
    assert str(told.value) == SENTENCE


def test_compiled_match_of_a_growing_state_is_one_clear_error():
    with pytest.raises(BackendMissing) as told:
        Match(game, backend="compiled")
    assert str(told.value) == SENTENCE


def test_setting_can_determine_the_number_of_seats():
    empires = find("empires")
    match = Match(empires, {"seats": 3, "last_turn": 5, "width": 24}, seed=1)
    assert match.players == ("Woodfolk", "Stonefolk", "Birdfolk") and match.to_act() == (0, 1, 2)
    assert empires.seat_count == 2 and match.game is empires.seated(match.settings)
    for _ in range(15):
        match.submit(match.to_act()[-1], match.game.rules.default_action)
    assert len(match.outcome.places) == 3
    assert gamelog.verify(gamelog.write(match), find).match.dump() == match.dump()
    with pytest.raises(ValueError, match="Empires has 3 seats, not 2 players"):
        Match(empires, {"seats": 3}, players=["a", "b"])
