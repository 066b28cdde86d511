"""Bots play from their own view; a bot that fails forfeits, and the log says why."""

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
        raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        (Refused(), "There is no building #9999"),
        (Nonsense(), "100 answers in a row were refused"),
        (Crashing(), "division by zero"),
    ],
    ids=["refused", "nonsense", "crashing"],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_failing_bot_forfeits_and_the_log_says_why(bot, told, seat, caplog):
    bots = [RandomBot(1), RandomBot(2)]
    bots[seat] = bot
    outcome = play(Match(ANARCHY, seed=1, players=["ann", "bob"]), bots)
    assert outcome.winner == 1 - seat and "disconnected" in outcome.reasons[seat]
    assert told in caplog.text and f"{['ann', 'bob'][seat]} forfeits" in caplog.text


def test_failing_bot_plays_the_default_action_in_a_game_without_forfeit():
    assert isinstance(play(Match(toy_game.game, seed=1), [Crashing(), RandomBot(1)]), Outcome)


def test_bots_cannot_change_the_match_through_seen():
    match = Match(ANARCHY, seed=1)
    before, seen = match.dump(), Seen(match, 0, seed=5)
    seen.state.health[0] = 1
    seen.view["bribes"][0] = 99
    seen.imagine().submit(0, {"do": "end_turn"})
    assert match.dump() == before


def test_imagined_match_has_other_dice():
    match = Match(toy_game.game, seed=1)
    assert Seen(match, 0, seed=5).imagine().seed != match.seed


def test_every_game_has_a_random_bot():
    assert set(bots_of(ANARCHY)) == {"random", "arsonist", "warden"}
    assert set(bots_of(toy_game.game)) == {"random"}


def test_legal_actions_are_those_of_the_match():
    match = Match(toy_game.game, seed=1)
    assert [type(action).__name__ for action in Seen(match, 0, seed=5).legal()] == ["Roll"]
