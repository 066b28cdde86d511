"""The bots of Not-Chess play well and legally, and the chieftain knows when ice breaks."""

from collections import Counter

import pytest

from endturn.bots import RandomBot, play
from endturn.bots.player import Seen
from endturn.engine.match import Match, Refusal
from endturn.games.notchess import game
from endturn.games.notchess.actions import EndTurn, Move, Raise
from endturn.games.notchess.bots import RISK, Camp, Chieftain
from endturn.games.notchess.rules.board import allowance
from endturn.games.notchess.state import Kind, Terrain
from endturn.testing.play import act
from games.notchess.position import at, place

PAIRS = 50  # pairs of matches with the same seed and exchanged seats


def wins(seeds, **settings):
    """How many of the paired matches the chieftain wins against random play."""
    won = 0
    for seed in seeds:
        for seat in (0, 1):
            bots = [RandomBot(2 * seed), RandomBot(2 * seed + 1)]
            bots[seat] = Chieftain(seed)
            won += play(Match(game, settings, seed=seed), bots).winner == seat
    return won


def test_chieftain_beats_random_in_95_of_100():
    assert wins(range(PAIRS)) >= 95


@pytest.mark.parametrize(
    "settings",
    [{"mode": "classic"}, {"width": 13, "height": 9}, {"ships": True, "rain_tick": "turn"}],
    ids=str,
)
def test_chieftain_wins_on_other_boards(settings):
    assert wins(range(3), **settings) >= 5


@pytest.mark.parametrize("profile", game.profiles)
def test_chieftain_is_never_refused(profile, monkeypatch):
    refused = []
    submit = Match.submit

    def watched(match, seat, said):
        answer = submit(match, seat, said)
        refused.extend([(said, answer)] if isinstance(answer, Refusal) else [])
        return answer

    monkeypatch.setattr(Match, "submit", watched)
    for seed in range(4):
        play(Match(game, game.configure(profile), seed=seed), [Chieftain(1), Chieftain(2)])
    assert refused == []


def test_chieftains_finish_matches_and_use_every_action():
    used, endings = Counter(), Counter()
    for seed in range(8):
        match = Match(game, seed=seed)
        endings[play(match, [Chieftain(1), Chieftain(2)]).how] += 1
        used += Counter(type(entry.action).__name__ for entry in match.played())
    assert set(used) == {"Settle", "Raise", "Move", "Attack", "EndTurn"}
    assert endings["capital_taken: capital"] >= 6


RIVER = ", ".join(f"{x}.{y} W" for x in range(1, 9) for y in (4, 5))  # from side to side


def choice(match):
    return Chieftain(1).act(Seen(match, match.to_act()[0], 1))


@pytest.mark.parametrize("figure, turn", [("R3.6", 2), ("B3.6", 4)])
def test_chieftain_crosses_ice_in_winter(figure, turn):
    match = place(figure, ground=RIVER, turn=turn, begun=1)
    action = choice(match)
    assert isinstance(action, Move) and action.to in (at(match, "2.5"), at(match, "4.5"))


def test_chieftain_avoids_ice_in_spring():
    match = place("R3.6", ground=RIVER, turn=10, begun=1)
    action = choice(match)
    assert action == EndTurn() or action.to not in (at(match, "2.5"), at(match, "4.5"))


def test_chieftain_leaves_ice_before_it_breaks():
    for turn in (10, 12, 14):
        match = place("R4.5", ground="4.5 W, 5.4 W", turn=turn, begun=1)
        action = choice(match)
        assert isinstance(action, Move) and action.to != at(match, "5.4")


def test_chance_that_ice_breaks_before_the_next_turn():
    winter = place(ground=RIVER, turn=4)
    assert Camp(winter.state, 0).thaw(at(winter, "4.5")) == 0
    spring = place(
        ground="4.5 W, 1.2 W", turn=12
    )  # Spr3ng: melts with 60 percent, back with 5; then 80 and 1
    risk = Camp(spring.state, 0).thaw(at(spring, "4.5"))
    assert risk == pytest.approx(1 - (1 - 0.6 * 0.95) * (1 - 0.8 * 0.99))
    assert Camp(spring.state, 0).thaw(at(spring, "1.2")) > risk
    assert Camp(spring.state, 0).thaw(at(spring, "5.5")) == 0


def test_resting_warrior_needs_the_ice_for_two_more_turns():
    match = place(ground=RIVER, turn=5)  # ice holds until Spr1ng, three checks from now
    camp, square = Camp(match.state, 0), at(match, "4.5")
    assert camp.risk(Kind.BISHOP, square) == camp.thaw(square, 2) == 0
    assert camp.risk(Kind.ROOK, square) == camp.thaw(square, 4) > RISK
    assert camp.risk(Kind.ROOK, square, 0) == camp.thaw(square, 2)  # it has already rested


def test_figure_far_out_needs_the_ice_longer():
    sea = ", ".join(f"{x}.{y} W" for x in range(1, 9) for y in range(2, 8))
    camp = Camp(place(ground=sea, turn=1).state, 0)
    ashore = [camp.ashore(Kind.BISHOP)[at(place(), where)] for where in ("3.2", "4.3", "5.4", "6.7")]
    assert ashore == [1, 2, 3, 1]
    assert camp.ashore(Kind.ROOK)[at(place(), "5.4")] == 5  # it rests on two more squares
    assert camp.risk(Kind.BISHOP, at(place(), "5.4")) == 0 < camp.risk(Kind.ROOK, at(place(), "5.4"))


def test_chieftain_leaves_thin_ice_before_striking_or_settling():
    match = place("B4.5", "P4.4", ground="4.5 W, 5.4 W", turn=10, begun=1)
    assert choice(match) in [Move(at(match, "4.5"), at(match, to)) for to in ("3.4", "3.6", "5.6")]
    alone = place("B4.5", ground="4.5 W", turn=10)
    assert allowance(alone.state, 0) == 0 and choice(alone).figure == at(alone, "4.5")


def test_chieftain_raises_no_figure_on_thin_ice():
    match = place("P1.7", ground="2.7 W, 1.6 W", turn=12)
    action = choice(match)
    assert not isinstance(action, Raise) or action.square not in (at(match, "2.7"), at(match, "1.6"))
    winter = place(ground="2.7 W", turn=4)
    assert choice(winter).square == at(winter, "2.7")


def on_ice(board):
    """The war figures that stand on ice."""
    figures = (p for p in range(2 * board.per_seat) if board.at[p] >= 0 and board.kind[p] >= Kind.ROOK)
    return {p for p in figures if board.terrain[board.at[p]] == Terrain.WATER}


def arrivals_and_drowned(seeds):
    """How many figures step on ice and how many drown in matches of chieftains."""
    arrived = drowned = 0
    for seed in seeds:
        match = Match(game, seed=seed)
        bots = Chieftain(1), Chieftain(2)
        while match.to_act():
            before, turn = on_ice(match.state), match.turn
            seat = match.to_act()[0]
            act(match, bots[seat].act(Seen(match, seat, match.turn)))
            arrived += len(on_ice(match.state) - before)
            drowned += sum(match.state.at[p] < 0 for p in before) if match.turn != turn else 0
    return arrived, drowned


def test_chieftains_use_ice_and_rarely_drown():
    arrived, drowned = arrivals_and_drowned(range(25))
    assert arrived >= 80 and drowned <= arrived // 40


def test_random_play_ends_and_uses_many_actions():
    used = Counter()
    for seed in range(6):
        match = Match(game, seed=seed)
        play(match, [RandomBot(1), RandomBot(2)])
        used += Counter(type(entry.action).__name__ for entry in match.played())
    assert {"Settle", "Raise", "Move", "Attack", "EndTurn"} <= set(used)


def test_random_play_uses_every_kind_of_move_and_strike():
    match = place("N4.5", "P4.4 R5.6", begun=1)
    drawn = {game.actions.pack(match.random_action(0, luck, 0)) for luck in range(600)}
    assert {row for row in map(game.actions.pack, match.legal(0)) if row[0] != 4} <= drawn


def test_same_seed_gives_the_same_match():
    ends = []
    for _ in range(2):
        match = Match(game, seed=3)
        play(match, [Chieftain(1), Chieftain(2)])
        ends.append(match.dump())
    assert ends[0] == ends[1]
