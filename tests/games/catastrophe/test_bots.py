"""Tests the bots of Catastrophe, numbered choices and random play."""

from collections import Counter
from functools import cache

import pytest

from endturn.bots.player import RandomBot, play
from endturn.engine.match import Match
from endturn.games.catastrophe import game
from endturn.games.catastrophe.bots import Warlord
from endturn.games.catastrophe.choices import FIRST_OPTION, NEAR_OPTIONS, OPTION_COUNT
from endturn.games.catastrophe.state import Ending, Job
from endturn.testing.contract import CHECKS


@cache
def against_random(seed, seat):
    match = Match(game, seed=seed)
    bots = [Warlord(1), RandomBot(2)]
    return match, play(match, bots if seat == 0 else bots[::-1])


@cache
def mirrored(seed):
    match = Match(game, seed=seed)
    return match, play(match, [Warlord(1), Warlord(2)])


@pytest.mark.parametrize("seat", [0, 1])
def test_warlord_beats_random_from_either_seat(seat):
    wins = [against_random(seed, seat)[1].winner == seat for seed in range(5)]
    assert sum(wins) == 5


def test_warlord_uses_every_action_and_every_job():
    used, jobs = Counter(), set()
    for seed in range(5):
        match, _ = against_random(seed, 0)
        used += Counter(type(entry.action) for entry in match.played() if entry.seat == 0)
        jobs |= {
            entry.action.job for entry in match.played() if hasattr(entry.action, "job") and entry.seat == 0
        }
    assert {kind for kind, rule in game.actions.items() if not rule.anytime} <= set(used)
    assert jobs == {Job.SOLDIER, Job.GATHERER, Job.BUILDER, Job.MISSIONARY}


def test_matches_between_warlords_mostly_end_before_the_limit():
    endings = [mirrored(seed)[0].state.ended for seed in (100, 101, 102, 105, 106)]
    assert sum(ending != Ending.TURN_LIMIT for ending in endings) >= 3


@pytest.mark.parametrize("profile", ["2017", "2022"])
def test_warlord_plays_by_the_rules_of_every_profile(profile):
    match = Match(game, game.configure(profile, {"max_turns": 60}), seed=3)
    refused = []
    submit = match.submit
    match.submit = lambda seat, said: (
        refused.append(answer) if hasattr(answer := submit(seat, said), "reason") else answer
    )
    play(match, [Warlord(1), Warlord(2)])
    assert refused == []


def test_options_by_verb_follow_one_another():
    assert [first + count for first, count in zip(FIRST_OPTION, OPTION_COUNT, strict=True)] == [
        *FIRST_OPTION[1:],
        NEAR_OPTIONS,
    ]


def test_random_play_ends_and_uses_many_actions():
    used = Counter()
    for seed in range(8):
        match = Match(game, game.configure(values={"max_turns": 200}), seed=seed)
        play(match, [RandomBot(1), RandomBot(2)])
        used += Counter(type(entry.action).__name__ for entry in match.played())
    assert {"Move", "ChangeJob", "Pickup", "Rest", "EndTurn", "Attack"} <= set(used)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("profile", game.profiles)
def test_game_keeps_the_contract_in_every_profile(profile, check):
    check(game, game.configure(profile, {"max_turns": 60}))
