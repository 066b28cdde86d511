"""Bots play by what they are shown; one that errs or crashes loses its match and is told why."""

import pytest

import toy_game
from endturn.bots import RandomBot, Seen, bots_of, play
from endturn.engine.game import Outcome
from endturn.engine.match import Match
from endturn.games import find

ANARCHY = find("anarchy")


class Refused:
    def act(self, seen):
        return {"do": "ignite", "warehouse": 9999, "building": 0}


class Nonsense:
    def act(self, seen):
        return "hello"


class Crashing:
    def act(self, seen):
        raise ZeroDivisionError("one divided by none")


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        (Refused(), "There is no building #9999"),
        (Nonsense(), "100 answers in a row were refused"),
        (Crashing(), "one divided by none"),
    ],
    ids=["refused", "nonsense", "crashing"],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_that_only_errs_forfeits_and_is_told_why(bot, told, seat, caplog):
    bots = [RandomBot(1), RandomBot(2)]
    bots[seat] = bot
    outcome = play(Match(ANARCHY, seed=1, players=["ann", "bob"]), bots)
    assert outcome.winner == 1 - seat and "disconnected" in outcome.reasons[seat]
    assert told in caplog.text and f"{['ann', 'bob'][seat]} forfeits" in caplog.text


def test_in_a_game_without_leaving_the_default_action_is_played_for_it():
    assert isinstance(play(Match(toy_game.game, seed=1), [Crashing(), RandomBot(1)]), Outcome)


def test_what_a_bot_is_given_is_its_own_to_change():
    match = Match(ANARCHY, seed=1)
    before, seen = match.dump(), Seen(match, 0, seed=5)
    seen.state.health[0] = 1
    seen.view["bribes"][0] = 99
    seen.imagine().submit(0, {"do": "end_turn"})
    assert match.dump() == before


def test_an_imagined_match_has_other_dice():
    match = Match(toy_game.game, seed=1)
    assert Seen(match, 0, seed=5).imagine().seed != match.seed


def test_every_game_has_a_bot_that_plays_by_chance():
    assert set(bots_of(ANARCHY)) == {"random", "arsonist", "warden"}
    assert set(bots_of(toy_game.game)) == {"random"}


def test_legal_actions_are_those_of_the_match():
    match = Match(toy_game.game, seed=1)
    assert [type(action).__name__ for action in Seen(match, 0, seed=5).legal()] == ["Roll"]
