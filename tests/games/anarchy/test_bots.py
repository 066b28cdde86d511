"""Tests that the bots of Anarchy play well and break no rule."""

import pytest

from endturn.bots import RandomBot, play
from endturn.engine.match import Match, Refusal
from endturn.games import find

ANARCHY = find("anarchy")
PAIRS = 50  # of matches with the same seed and exchanged seats


def wins(name, opponent, seeds, profile="official"):
    """Return how many of the paired matches the bot wins."""
    won = 0
    for seed in seeds:
        for seat in (0, 1):
            bots = [opponent(2 * seed), opponent(2 * seed + 1)]
            bots[seat] = ANARCHY.bots[name](seed)
            match = Match(ANARCHY, ANARCHY.configure(profile), seed=seed)
            won += play(match, bots).winner == seat
    return won


@pytest.mark.parametrize("half", [range(PAIRS // 2), range(PAIRS // 2, PAIRS)])
def test_arsonist_beats_random_in_95_of_100(half):
    assert wins("arsonist", RandomBot, half) >= 48


def test_warden_beats_random_in_most_matches():
    assert wins("warden", RandomBot, range(10)) >= 16


@pytest.mark.parametrize("profile", ANARCHY.profiles)
@pytest.mark.parametrize("name", ANARCHY.bots)
def test_bots_break_no_rule_in_any_profile(name, profile, monkeypatch):
    refused = []
    submit = Match.submit

    def watched(match, seat, said):
        answer = submit(match, seat, said)
        refused.extend([(said, answer)] if isinstance(answer, Refusal) else [])
        return answer

    monkeypatch.setattr(Match, "submit", watched)
    for seed in (1, 2):
        match = Match(ANARCHY, ANARCHY.configure(profile), seed=seed)
        play(match, [ANARCHY.bots[name](1), ANARCHY.bots[name](2)])
    assert refused == []


def test_same_seed_gives_the_same_match_between_bots():
    ends = []
    for _ in range(2):
        match = Match(ANARCHY, seed=3)
        play(match, [ANARCHY.bots["arsonist"](1), ANARCHY.bots["warden"](1)])
        ends.append(match.dump())
    assert ends[0] == ends[1]
