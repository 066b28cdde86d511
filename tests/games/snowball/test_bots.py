"""Bots of Snowball Fight: they win, they end, and they fight as one should."""

from collections import Counter

import pytest

from endturn.bots import RandomBot, play
from endturn.bots.player import Seen
from endturn.engine.match import Acted, Match
from endturn.games.snowball import game
from endturn.games.snowball.actions import Attack, Delay, HelpAlly, Move, Pick, Rearm, Stand
from endturn.games.snowball.rules.acting import is_ice
from endturn.games.snowball.state import Flight, Kind, Posture
from games.snowball.position import Unit, at, begin, foe, rookie

tactician = game.bots["tactician"]


def choice(match, seat=0):
    """What the tactician does now."""
    return tactician(1).act(Seen(match, seat, 5))


def wins(seeds):
    """How many of the paired matches, the same seed with seats exchanged, the tactician wins against chance."""
    won = 0
    for seed in seeds:
        for seat in (0, 1):
            bots = [RandomBot(2 * seed), RandomBot(2 * seed + 1)]
            bots[seat] = tactician(seed)
            won += play(Match(game, game.configure("automated"), seed=seed), bots).winner == seat
    return won


@pytest.mark.parametrize("half", [range(5), range(5, 10)], ids=str)
def test_tactician_beats_random_in_95_of_100(half):
    """The first 20 of the 100 matches that `bench/bots.py` plays; one of ten lost would be too many."""
    assert wins(half) == 10


def test_tacticians_end_their_match_and_throw_as_the_rules_expect():
    flights = Counter()

    def note(match):
        last = next(entry.action for entry in reversed(match.log) if isinstance(entry, Acted))
        if isinstance(last, Attack):
            at_friend = match.state.struck >= 0 and (match.state.struck ^ match.state.thrower) & 1 == 0
            flights[Flight(match.state.flight), at_friend] += 1

    match = Match(game, game.configure("automated", {"army_points": 6}), seed=1)
    play(match, [tactician(1), tactician(2)], note)
    throws = sum(flights.values())
    assert match.outcome.how.startswith("all_downed") and throws > 30
    assert flights[Flight.HIT, False] > 0.3 * throws
    assert flights[Flight.HIT, True] <= 0.05 * throws


@pytest.mark.parametrize("seed", [1, 7])  # there they waited for each other for ever
def test_tacticians_lose_patience_with_each_other(seed):
    match = Match(game, seed=seed)

    def note(match):
        assert len(match.log) < 3000

    assert play(match, [tactician(1), tactician(2)], note).how.startswith("all_downed")


def test_it_picks_heroes():
    assert isinstance(choice(Match(game, seed=1), Match(game, seed=1).to_act()[0]), Pick)


def test_it_finishes_the_weakest_of_two_alike():
    match = begin([rookie(10, 10), foe(rookie(14, 8)), foe(rookie(14, 12, health=1))])
    match.submit(0, Move(at(11, 10)))
    assert choice(match) == Attack(3)


def test_it_does_not_throw_through_a_friend():
    match = begin([rookie(10, 10), rookie(12, 10), foe(rookie(13, 10)), foe(rookie(10, 13))])
    match.submit(0, Move(at(10, 9)))
    assert choice(match) == Attack(3)


def test_it_rearms_when_it_has_no_snowball_left():
    match = begin([rookie(10, 10, snowballs=0), foe(rookie(16, 10))])
    match.submit(0, Move(at(10, 11)))
    assert choice(match) == Rearm()


def test_it_stands_up_and_helps_friends_up():
    assert choice(begin([rookie(10, 10, posture=Posture.PRONE), foe(rookie(16, 10))])) == Stand()
    match = begin([rookie(10, 10), rookie(11, 10, posture=Posture.DOWNED), foe(rookie(30, 10))])
    match.submit(0, Move(at(11, 11)))
    assert choice(match) == HelpAlly(2)


def test_it_avoids_ending_a_move_on_ice():
    ice = {"~": [(x, y) for x in range(12, 15) for y in range(24)]}
    match = begin([Unit(Kind.CAPTAIN, 11, 10), foe(rookie(26, 10))], ice)
    action = choice(match)
    assert isinstance(action, Move) and not is_ice(match.state, action.tile)


def test_it_seeks_cover_when_an_enemy_is_near():
    tree = {"T": [(11, 10)]}
    match = begin([rookie(10, 13), foe(rookie(17, 10)), foe(rookie(17, 11))], tree)
    action = choice(match)
    assert isinstance(action, Move) and action.tile in (at(10, 10), at(10, 9), at(10, 11))


def test_it_waits_if_nothing_can_be_done():
    wall = {"T": [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]}
    match = begin([rookie(1, 1), foe(rookie(30, 10))], wall)
    assert choice(match) == Delay()
