"""Tests the rules of Anarchy, rule by rule; `test_setup.py` tests setup and forecasts."""

import re
from pathlib import Path

import pytest

from endturn.engine.actions import Action, Leave, Why
from endturn.engine.answers import NO_SUCH_ACTION, Accepted, Malformed
from endturn.engine.match import Match
from endturn.games import anarchy
from endturn.games.anarchy import game
from endturn.games.anarchy.actions import (
    EndTurn,
    Extinguish,
    Ignite,
    Intensify,
    KeepTurn,
    Raid,
    Rotate,
)
from endturn.games.anarchy.notation import settings_of
from endturn.games.anarchy.state import NOBODY, NONE, Decision, Direction, Ending
from endturn.testing.play import act, refused
from games.anarchy.drawing import begin, draw, fires, healths

rule = pytest.mark.rule

ONE_OF_EACH = "w f p s W F P S"  # Red's are 0 to 3, Blue's 4 to 7
EVERY_BRIBE = [Ignite(0, 4), Extinguish(1, 4), Raid(2, 4), Rotate(3), Intensify(3)]
ANY_ACTION = [*EVERY_BRIBE, EndTurn(), KeepTurn()]
TARGETS = [0, 1, 2, 3, 4, 5, 6, 7]  # of ONE_OF_EACH; 8 and 9 are the headquarters
SEATS = [0, 1]


def named(action: Action) -> str:
    return type(action).__name__


def verdict(match: Match) -> tuple[Ending, Decision, int]:
    state = match.state
    return Ending(state.ended), Decision(state.decided), state.winner


def rest_of_the_turns(match: Match) -> None:
    while match.to_act():
        act(match, EndTurn())


# --- Board and pieces ---------------------------------------------------------------------------------------


@rule("M1")
@pytest.mark.parametrize("wind, reached", [("N2", 0), ("E2", 3), ("S2", 4), ("W2", 1)])
def test_x_grows_to_the_east_and_y_to_the_south(wind, reached):
    match = begin(". w .\nw w*9 w\n. w .", wind)
    act(match, EndTurn())
    assert [b for b in (0, 1, 3, 4) if match.state.fire[b]] == [reached]


NOT_THERE = [
    *(Ignite(6, 0), Ignite(0, 6), Extinguish(6, 0), Extinguish(1, 6), Raid(6, 0), Raid(2, 6), Raid(2, 32767)),
    *(Rotate(6), Rotate(6, True), Intensify(6), Intensify(6, True)),
]


@rule("M1")
@pytest.mark.parametrize("action", NOT_THERE, ids=str)
def test_missing_building_is_refused_with_the_valid_numbers(action):
    refusal = refused(begin("w f p s h H", "N3 N3"), action)
    assert refusal.rule == "M1"
    assert "#0 to #5" in refusal.reason
    assert f"#{max(getattr(action, name) for name in action.__struct_fields__)}" in refusal.reason


@rule("M1")
@pytest.mark.parametrize("number", [-1, 32768, 1 << 40, 0.5, "0", None])
def test_invalid_building_number_is_malformed(number):
    match = begin(ONE_OF_EACH)
    before = match.dump()
    answer = match.submit(0, {"do": "ignite", "warehouse": number, "building": 1})
    assert isinstance(answer, Malformed) and "warehouse" in answer.reason
    assert match.dump() == before


@rule("M6")
def test_neighbours_are_on_adjacent_cells_only():
    neighbour = draw("w w .\nw w w\n. . w\nw . .").neighbour
    north, east, south, west = (list(neighbour[direction][:6]) for direction in Direction)
    assert north == [NONE, NONE, 0, 1, NONE, 4]
    assert east == [1, NONE, 3, 4, NONE, NONE]
    assert south == [2, 3, NONE, NONE, 5, NONE]
    assert west == [NONE, 0, NONE, 2, 3, NONE]


@rule("M6")
def test_map_does_not_wrap_around():
    match = begin("w*9 . . w*9\nw . . .\nh . . H", "E9 W9 N9", map_width=4, map_height=3)
    act(match, EndTurn(), EndTurn(), EndTurn())
    assert fires(match, 5) == [6, 6, 0, 0, 0]


@rule("M6")
@pytest.mark.parametrize("crosses, after", [(True, [4, 0, 0, 2, 2]), (False, [4, 0, 0, 2, 0])])
def test_last_built_on_a_cell_is_the_neighbour(crosses, after):
    match = begin("w*5 f+p+s f", "E2", wind_crosses_buildings=crosses)
    act(match, EndTurn())
    assert fires(match, 5) == after


@rule("M6")
def test_hidden_building_on_a_cell_has_neighbours():
    match = begin("f w*5+p f", "E2")
    act(match, EndTurn())
    assert fires(match, 4) == [0, 4, 0, 2]


# --- A turn -------------------------------------------------------------------------------------------------


@rule("T1")
def test_seats_take_turns_and_red_is_first():
    match = begin(ONE_OF_EACH)
    seats = []
    for turn in range(4):
        assert match.turn == match.state.turn == turn
        seats += match.to_act()
        act(match, EndTurn())
    assert seats == [0, 1, 0, 1]


@rule("T1")
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("action", ANY_ACTION, ids=named)
def test_only_the_seat_whose_turn_it_is_acts(action, seat):
    match = begin(ONE_OF_EACH, turn=1 - seat, refills=True)
    refusal = refused(match, action, seat)
    assert refusal.rule == "T1"
    assert f"{game.seats[1 - seat]}'s turn" in refusal.reason and game.seats[seat] in refusal.reason


@rule("T2")
def test_fires_do_their_damage_before_the_wind_carries_them():
    match = begin("w*4 f", "E9")
    act(match, EndTurn())
    assert (healths(match, 2), fires(match, 2)) == ([96, 100], [3, 9])


@rule("T2")
def test_wind_carries_fires_before_they_die_down():
    match = begin("w*1 f", "E2")
    act(match, EndTurn())
    assert fires(match, 2) == [0, 2]


@rule("T2")
def test_forecast_advances_after_the_wind_blows():
    match = begin("f w*5 f", "E2 W3 N4")
    act(match, EndTurn())
    assert fires(match, 3) == [0, 4, 2]
    assert (match.state.current_forecast, match.state.next_forecast) == (1, 2)
    act(match, EndTurn())
    assert fires(match, 3) == [3, 3, 1]


@rule("T2")
def test_bribes_are_paid_before_the_outcome():
    match = begin("w f W F", bribes="3,0", max_turns=1)
    act(match, EndTurn())
    assert match.to_act() == ()
    assert list(match.state.bribes) == [10, 10]


@rule("T2")
def test_outcome_counts_damage_of_the_ending_turn():
    match = begin("h H:3*3")
    act(match, EndTurn())
    assert verdict(match) == (Ending.HEADQUARTERS_BURNED, Decision.HEADQUARTERS_FALL, 0)


@rule("T2")
def test_other_seat_acts_if_the_match_continues():
    match = begin("h H:4*3")
    act(match, EndTurn())
    assert match.to_act() == (1,)
    assert verdict(match) == (Ending.GOING_ON, Decision.OPEN, NOBODY)


@rule("T3")
@pytest.mark.parametrize("seat", SEATS)
def test_keeping_the_turn_is_refused_without_the_setting(seat):
    refusal = refused(begin(ONE_OF_EACH, turn=seat), KeepTurn())
    assert refusal.rule == "T3"
    assert "end the turn" in refusal.reason


@rule("T3")
@pytest.mark.parametrize("seat", SEATS)
def test_keeping_the_turn_refills_the_bribes_of_both_seats(seat):
    match = begin(ONE_OF_EACH, turn=seat, bribes="0,3", base_bribes=7, refills=True)
    act(match, KeepTurn())
    assert list(match.state.bribes) == [7, 7]


@rule("T3")
def test_keeping_the_turn_removes_extra_bribes():
    match = begin(ONE_OF_EACH, bribes="12,11", refills=True)
    act(match, KeepTurn())
    assert list(match.state.bribes) == [10, 10]


@rule("T3")
def test_keeping_the_turn_changes_nothing_else():
    match = begin("w*5@30 f s! W@20", "E3", refills=True)
    before = match.dump()
    act(match, KeepTurn())
    assert match.dump() == before
    assert match.to_act() == (0,)


@rule("T4")
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("action", [*ANY_ACTION, Leave(), Leave(Why.TIMED_OUT)], ids=str)
def test_nobody_acts_after_the_match_is_over(action, seat):
    match = begin(ONE_OF_EACH, refills=True)
    act(match, Leave())
    refusal = refused(match, action, seat)
    assert refusal.rule == "T4"
    assert "over" in refusal.reason


# --- Bribes -------------------------------------------------------------------------------------------------


@rule("B1")
@pytest.mark.parametrize("action", EVERY_BRIBE, ids=named)
def test_action_costs_one_bribe_and_marks_the_building(action):
    match = begin(ONE_OF_EACH, "N3 N3")
    act(match, action)
    assert list(match.state.bribes) == [9, 10]
    actor = getattr(action, action.__struct_fields__[0])
    assert [b for b in range(10) if match.state.bribed[b]] == [actor]


@rule("B1")
def test_blue_pays_with_its_own_bribes():
    match = begin(ONE_OF_EACH, turn=1)
    act(match, Ignite(4, 0))
    assert list(match.state.bribes) == [10, 9]


WRONG_KINDS = [
    *((Ignite(b, 4), "warehouse") for b in (1, 2, 3)),
    *((Extinguish(b, 4), "fire department") for b in (0, 2, 3)),
    *((Raid(b, 4), "police department") for b in (0, 1, 3)),
    *((Rotate(b), "weather station") for b in (0, 1, 2)),
    *((Intensify(b), "weather station") for b in (0, 1, 2)),
]


@rule("B1")
@pytest.mark.parametrize("action, wanted", WRONG_KINDS, ids=str)
def test_action_needs_a_building_of_the_right_kind(action, wanted):
    refusal = refused(begin(ONE_OF_EACH, "N3 N3"), action)
    assert refusal.rule == "B1"
    assert f"a {wanted}" in refusal.reason
    assert f"#{getattr(action, action.__struct_fields__[0])} at" in refusal.reason


@rule("B1")
def test_headquarters_is_a_warehouse_and_nothing_else():
    match = begin("h f H", "N3 N3")
    for action in Extinguish(0, 1), Raid(0, 2), Rotate(0), Intensify(0):
        assert refused(match, action).rule == "B1"
    act(match, Ignite(0, 1))


@rule("B2")
@pytest.mark.parametrize(
    "action", [Ignite(4, 0), Extinguish(5, 0), Raid(6, 0), Rotate(7), Intensify(7)], ids=named
)
def test_seat_bribes_only_buildings_of_its_own(action):
    refusal = refused(begin(ONE_OF_EACH, "N3 N3"), action)
    assert refusal.rule == "B2"
    assert "belongs to Blue" in refusal.reason


@rule("B2")
@pytest.mark.parametrize("action", EVERY_BRIBE, ids=named)
def test_blue_does_not_bribe_reds_buildings(action):
    refusal = refused(begin(ONE_OF_EACH, "N3 N3 N3", turn=1), action)
    assert refusal.rule == "B2"
    assert "belongs to Red" in refusal.reason


@rule("B3")
@pytest.mark.parametrize("seat", SEATS)
def test_action_needs_a_bribe(seat):
    match = begin("w w w W W W", turn=seat, base_bribes=2, bribes="2,2")
    first = 3 * seat
    act(match, Ignite(first, 0), Ignite(first + 1, 0))
    refusal = refused(match, Ignite(first + 2, 0))
    assert refusal.rule == "B3"
    assert game.seats[seat] in refusal.reason and "It gets 2" in refusal.reason


@rule("B3")
@pytest.mark.parametrize("base", [1, 10, 1000])
def test_both_seats_start_with_base_bribes(base):
    match = Match(game, game.configure(values={"base_bribes": base}), seed=4)
    for _ in range(4):
        assert match.state.bribes[match.to_act()[0]] == base
        act(match, EndTurn())


@rule("B3")
def test_unspent_bribes_are_lost():
    match = begin(ONE_OF_EACH)
    act(match, Ignite(0, 1), EndTurn(), EndTurn())
    assert list(match.state.bribes) == [10, 10]


@rule("B4")
@pytest.mark.parametrize("action", EVERY_BRIBE, ids=named)
def test_burned_down_building_cannot_be_bribed(action):
    refusal = refused(begin("w:0 f:0 p:0 s:0 W F P S", "N3 N3"), action)
    assert refusal.rule == "B4"
    assert f"#{getattr(action, action.__struct_fields__[0])} at" in refusal.reason
    assert "health left" in refusal.reason


@rule("B4")
@pytest.mark.parametrize("action", EVERY_BRIBE, ids=named)
def test_building_with_1_health_can_be_bribed(action):
    act(begin("w:1 f:1 p:1 s:1 W F P S", "N3 N3"), action)


@rule("B4")
def test_burned_down_headquarters_cannot_be_bribed():
    match = begin("h:0 w H", one_headquarters_ends=False)
    assert refused(match, Ignite(0, 1)).rule == "B4"


@rule("B4")
def test_burned_down_building_spreads_fire():
    match = begin("w:0*3 f:0 f", "E2")
    act(match, EndTurn())
    assert fires(match, 3) == [2, 2, 2]


@rule("B4")
def test_burned_down_warehouse_loses_exposure():
    match = begin("W:0@25")
    act(match, EndTurn())
    assert match.state.exposure[0] == 15


@rule("B5")
@pytest.mark.parametrize("action", EVERY_BRIBE, ids=named)
def test_building_is_bribed_once_per_turn(action):
    match = begin(ONE_OF_EACH, "N3 N3")
    act(match, action)
    refusal = refused(match, action)
    assert refusal.rule == "B5"
    assert "on its next turn" in refusal.reason


@rule("B5")
@pytest.mark.parametrize("action", EVERY_BRIBE, ids=named)
def test_building_can_be_bribed_again_next_turn(action):
    match = begin(ONE_OF_EACH, "N3 N3 N3 N3")
    act(match, action, EndTurn(), EndTurn(), action)


@rule("B5")
def test_end_of_a_turn_frees_all_buildings():
    match = begin("w! f! W! F!")
    act(match, EndTurn())
    assert not any(match.state.bribed)


@rule("B5")
def test_keeping_the_turn_does_not_free_buildings():
    match = begin(ONE_OF_EACH, refills=True)
    act(match, Ignite(0, 4), KeepTurn())
    assert refused(match, Ignite(0, 4)).rule == "B5"


@rule("B6")
@pytest.mark.parametrize(
    "drawing, at_blues_turn, at_reds_turn",
    [
        ("w W:3*3", 11, 10),  # Blue's building, at the end of Red's turn
        ("w:3*3 W", 10, 11),  # Red's building, at the end of Red's turn
        ("w W:5*3", 10, 10),  # Blue's building, at the end of Blue's turn: paid a turn later
        ("w:5*3 W", 10, 11),  # Red's building, at the end of Blue's turn
        ("w:1*9 w:1*9 W:1*9 W:1*9 W:1*9", 13, 12),
        ("w:0*9 W:0*9", 10, 10),  # burning ruins fell earlier
        ("w:1*1 W:1*1", 11, 11),
        ("w:1 W:1", 10, 10),
    ],
)
def test_building_that_burns_down_earns_a_bribe_for_its_owners_next_turn(
    drawing, at_blues_turn, at_reds_turn
):
    match = begin(drawing)
    act(match, EndTurn())
    assert match.state.bribes[1] == at_blues_turn
    act(match, EndTurn())
    assert match.state.bribes[0] == at_reds_turn


@rule("B6")
def test_building_falling_on_its_owners_turn_pays_two_turns_later():
    match = begin("w W:3*3", turn=1)
    act(match, EndTurn(), EndTurn())
    assert match.state.bribes[1] == 11


@rule("B6")
def test_extra_bribe_is_earned_once_and_lost_if_unspent():
    match = begin("w W:3*9")
    act(match, EndTurn())
    assert match.state.bribes[1] == 11
    for _ in range(2):
        act(match, EndTurn(), EndTurn())
        assert match.state.bribes[1] == 10


@rule("B6")
def test_buildings_that_fall_on_two_turns_pay_on_two_turns():
    match = begin("w W:3*3 W:5*3")  # the second falls at the end of Blue's turn
    act(match, EndTurn())
    assert match.state.bribes[1] == 11
    act(match, EndTurn(), EndTurn())
    assert match.state.bribes[1] == 11
    act(match, EndTurn(), EndTurn())
    assert match.state.bribes[1] == 10


@rule("B6")
@pytest.mark.parametrize("target, at_blues_turn, at_reds_turn", [(1, 10, 11), (2, 11, 10), (3, 11, 10)])
def test_raid_to_0_health_earns_the_owner_a_bribe(target, at_blues_turn, at_reds_turn):
    match = begin("p w:9@9 W:9@40 W:1@1")
    act(match, Raid(0, target))
    assert list(match.state.bribes) == [9, 10]
    act(match, EndTurn())
    assert match.state.bribes[1] == at_blues_turn
    act(match, EndTurn())
    assert match.state.bribes[0] == at_reds_turn


@rule("B6")
@pytest.mark.parametrize("drawing", ["p W:0@40", "p W:9@8", "p W:0*5@40"])
def test_raid_on_a_ruin_or_leaving_health_earns_nothing(drawing):
    match = begin(drawing)
    act(match, Raid(0, 1), EndTurn())
    assert match.state.bribes[1] == 10


@rule("B6")
def test_raid_and_a_fire_on_the_same_building_earn_one_bribe():
    match = begin("p W:9*5@9")
    act(match, Raid(0, 1), EndTurn())
    assert match.state.bribes[1] == 11


@rule("B6")
def test_burning_ruin_earns_a_bribe_every_turn():
    match = begin("w:0*2 W:0*1 W:3*3 W:4*3 w:0", bonus_bribes="while_burning")
    act(match, EndTurn())
    assert list(match.state.bribes) == [11, 12]
    act(match, EndTurn())
    assert list(match.state.bribes) == [11, 12]  # the second ruin stopped burning, the fourth building fell
    act(match, EndTurn())
    assert list(match.state.bribes) == [10, 12]


@rule("B6")
def test_raid_earns_nothing_with_while_burning():
    match = begin("p W:9@9", bonus_bribes="while_burning")
    act(match, Raid(0, 1), EndTurn())
    assert list(match.state.bribes) == [10, 10]


@rule("B6")
def test_nothing_is_earned_with_never():
    match = begin("p w:3*9 W:9@9 W:2*2", bonus_bribes="never")
    act(match, Raid(0, 2))
    for _ in range(3):
        act(match, EndTurn())
        assert list(match.state.bribes) == [10, 10]


# --- Warehouses ---------------------------------------------------------------------------------------------


@rule("I1")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("health", ["", ":0"])
def test_warehouse_ignites_any_building_including_itself_and_ruins(target, health):
    match = begin(f"w f{health} p{health} s{health} W{health} F{health} P{health} S{health}")
    act(match, Ignite(0, target))
    assert fires(match, 8) == [3 if b == target else 0 for b in range(8)]


@rule("I1")
@pytest.mark.parametrize("warehouse", [0, 1])
@pytest.mark.parametrize("headquarters", [1, 2])
def test_headquarters_cannot_be_ignited(warehouse, headquarters):
    refusal = refused(begin("w h H"), Ignite(warehouse, headquarters))
    assert refusal.rule == "I1"
    assert f"#{headquarters} at" in refusal.reason and "wind" in refusal.reason


@rule("I2")
@pytest.mark.parametrize("before, after", [(0, 3), (1, 4), (16, 19), (17, 20), (18, 20), (20, 20)])
def test_fire_grows_up_to_max_fire(before, after):
    match = begin(f"w F*{before}")
    act(match, Ignite(0, 1))
    assert fires(match, 2) == [0, after]


@rule("I2")
@pytest.mark.parametrize("adds, most, after", [(0, 20, 5), (7, 20, 12), (7, 9, 9), (100, 100, 100)])
def test_added_fire_and_max_fire_are_settings(adds, most, after):
    match = begin("w F*5", warehouse_fire=adds, max_fire=most)
    act(match, Ignite(0, 1))
    assert fires(match, 2) == [0, after]


@rule("I2")
def test_igniting_does_no_damage_before_the_turn_ends():
    match = begin("w F")
    act(match, Ignite(0, 1))
    assert healths(match, 2) == [100, 100]
    act(match, EndTurn())
    assert healths(match, 2) == [100, 97]


@rule("I3")
@pytest.mark.parametrize("most", [20, 7])
@pytest.mark.parametrize("before", [0, 5])
def test_headquarters_adds_max_fire(before, most):
    match = begin(f"h F*{before} H", max_fire=most)
    act(match, Ignite(0, 1))
    assert fires(match, 3) == [0, most, 0]


FAR_AND_NEAR = """
    w . f .
    p . . S
    . . F .
    . . . W
"""


@rule("I4")
@pytest.mark.parametrize(
    "seat, warehouse, target, steps",
    [(0, 0, 0, 0), (0, 0, 1, 2), (0, 0, 2, 1), (0, 0, 3, 4), (0, 0, 4, 4), (0, 0, 5, 6)]
    + [(1, 5, 5, 0), (1, 5, 4, 2), (1, 5, 3, 2), (1, 5, 2, 5), (1, 5, 1, 4), (1, 5, 0, 6)],
)
def test_exposure_grows_by_the_steps_between_the_two(seat, warehouse, target, steps):
    match = begin(FAR_AND_NEAR, turn=seat)
    act(match, Ignite(warehouse, target))
    assert list(match.state.exposure[:6]) == [steps if b == warehouse else 0 for b in range(6)]


@rule("I4")
def test_exposure_adds_up_and_is_symmetric():
    match = begin("w@100 H . . . . . . .\n" + ". " * 39 + "F")
    act(match, Ignite(0, 2))
    assert match.state.exposure[0] == 100 + 39 + 1


@rule("I4")
def test_headquarters_gains_exposure_like_any_warehouse():
    match = begin("h@4 . . F H")
    act(match, Ignite(0, 1))
    assert match.state.exposure[0] == 7


@rule("I4")
def test_extinguishing_and_raiding_add_no_exposure():
    match = begin("w p f . W@5")
    act(match, Raid(1, 3), Extinguish(2, 3))
    assert not any(match.state.exposure)


EDGES = """
    h f f f
    w w f f
    f f f w
    f f f H
"""
WITH_EDGES = {"map_width": 4, "map_height": 4, "fire_at_the_edge": False}


@rule("I5")
@pytest.mark.parametrize(
    "warehouse, target", [(4, 6), (4, 4), (5, 1), (5, 3), (5, 4), (5, 8), (5, 12), (0, 6), (11, 3), (11, 12)]
)
def test_first_row_and_column_do_not_burn_with_the_setting_off(warehouse, target):
    refusal = refused(begin(EDGES, **WITH_EDGES), Ignite(warehouse, target))
    assert refusal.rule == "I5"
    assert "first row or column" in refusal.reason
    assert f"#{warehouse} at" in refusal.reason and f"#{target} at" in refusal.reason


@rule("I5")
@pytest.mark.parametrize("warehouse, target", [(5, 5), (5, 6), (5, 9), (5, 11), (5, 14), (11, 5), (11, 13)])
def test_last_row_and_column_are_ordinary(warehouse, target):
    act(begin(EDGES, **WITH_EDGES), Ignite(warehouse, target))


@rule("I5")
@pytest.mark.parametrize("warehouse, target", [(4, 6), (5, 1), (5, 8), (0, 6), (0, 1)])
def test_first_row_and_column_are_ordinary_with_the_setting_on(warehouse, target):
    act(begin(EDGES, **{**WITH_EDGES, "fire_at_the_edge": True}), Ignite(warehouse, target))


@rule("I5")
def test_edge_allows_extinguishing_raids_and_wind():
    match = begin("f p w@7 f*5 W", "E3", fire_at_the_edge=False)
    act(match, Extinguish(0, 3), Raid(1, 2), EndTurn())
    assert fires(match, 5) == [0, 0, 0, 2, 3]
    assert healths(match, 3) == [100, 100, 93]


# --- Fire departments ---------------------------------------------------------------------------------------


@rule("X1")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("health", ["", ":0"])
def test_fire_department_extinguishes_buildings_of_either_seat(target, health):
    drawing = " ".join(f"{letter}{health}*9" for letter in "wfpsWFPS").replace("f:0", "f")
    match = begin(drawing)
    act(match, Extinguish(1, target))
    assert fires(match, 8) == [7 if b == target else 9 for b in range(8)]


@rule("X1")
@pytest.mark.parametrize("headquarters", [1, 2])
def test_fire_department_cannot_extinguish_a_headquarters(headquarters):
    refusal = refused(begin("f h*9 H*9"), Extinguish(0, headquarters))
    assert refusal.rule == "X1"
    assert f"headquarters #{headquarters} at" in refusal.reason and "another building" in refusal.reason


@rule("X2")
@pytest.mark.parametrize(
    "removes, before, after", [(2, 20, 18), (2, 3, 1), (2, 2, 0), (2, 1, 0), (2, 0, 0), (7, 9, 2), (7, 6, 0)]
)
def test_fire_shrinks_to_at_least_0(removes, before, after):
    match = begin(f"f W*{before}", extinguish_removes=removes)
    act(match, Extinguish(0, 1))
    assert fires(match, 2) == [0, after]
    assert match.state.bribes[0] == 9


# --- Police departments -------------------------------------------------------------------------------------


@rule("R1")
@pytest.mark.parametrize("warehouse", [1, 2, 3, 4, 5, 6])
def test_police_raid_any_warehouse_including_headquarters_and_ruins(warehouse):
    match = begin("p w@9 W@9 h@9 H@9 w:0@9 W:0@9")
    before = healths(match, 7)
    act(match, Raid(0, warehouse))
    lost = [old - new for old, new in zip(before, healths(match, 7), strict=True)]
    assert lost == [9 if b == warehouse < 5 else 0 for b in range(7)]
    assert match.state.exposure[warehouse] == 0


@rule("R1")
@pytest.mark.parametrize("target", [1, 2, 3, 5, 6, 7])
def test_only_warehouses_can_be_raided(target):
    refusal = refused(begin(ONE_OF_EACH), Raid(2, target))
    assert refusal.rule == "R1"
    assert f"#{target} at" in refusal.reason and "is not a warehouse" in refusal.reason


@rule("R2")
@pytest.mark.parametrize(
    "health, exposure, left",
    [(100, 0, 100), (100, 30, 70), (100, 99, 1), (100, 100, 0), (40, 900, 0), (0, 50, 0)],
)
def test_raid_damages_by_exposure_and_resets_it(health, exposure, left):
    match = begin(f"p W:{health}@{exposure} W@33")
    act(match, Raid(0, 1))
    assert healths(match, 3) == [100, left, 100]
    assert list(match.state.exposure[:3]) == [0, 0, 33]


@rule("R2")
def test_second_raid_does_no_damage():
    match = begin("p p W@30")
    act(match, Raid(0, 2), Raid(1, 2))
    assert healths(match, 3) == [100, 100, 70]


@rule("R2")
def test_raid_does_not_change_the_fire():
    match = begin("p W*7@30")
    act(match, Raid(0, 1))
    assert fires(match, 2) == [0, 7]


# --- Weather stations ---------------------------------------------------------------------------------------


@rule("W1")
@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_seat_to_act_changes_the_next_forecast_only(turn):
    match = begin("s s S S", "N1 N1 N1 N1 N1 N1", turn=turn)
    first = 2 * (turn % 2)
    act(match, Rotate(first), Intensify(first + 1))
    assert [d for d in match.state.direction[:6]] == [int(f == turn + 1) for f in range(6)]
    assert [i for i in match.state.intensity[:6]] == [1 + (f == turn + 1) for f in range(6)]


@rule("W1")
@pytest.mark.parametrize("action", [Rotate(0), Rotate(0, True), Intensify(0), Intensify(0, True)], ids=str)
def test_changing_a_missing_forecast_is_refused(action):
    match = begin("s S", "N3 N3 N3 N3", turn=2, max_turns=3)
    refusal = refused(match, action)
    assert refusal.rule == "W1"
    assert "#0 at" in refusal.reason and "no next forecast" in refusal.reason


@rule("W2")
@pytest.mark.parametrize("before, clockwise, counterclockwise", ["NEW", "ESN", "SWE", "WNS"])
def test_station_turns_the_wind_by_a_quarter(before, clockwise, counterclockwise):
    for action, after in (Rotate(0), clockwise), (Rotate(0, counterclockwise=True), counterclockwise):
        match = begin("s", f"N0 {before}4")
        act(match, action)
        assert Direction(match.state.direction[1]).name[0] == after
        assert match.state.intensity[1] == 4


@rule("W2")
def test_calm_wind_can_be_turned():
    match = begin("s", "N0 W0")
    act(match, Rotate(0))
    assert (match.state.direction[1], match.state.intensity[1]) == (Direction.NORTH, 0)


@rule("W3")
@pytest.mark.parametrize(
    "before, negative, after", [(0, False, 1), (9, False, 10), (10, True, 9), (1, True, 0)]
)
def test_station_makes_the_wind_stronger_or_weaker_by_one(before, negative, after):
    match = begin("s", f"N0 W{before}")
    act(match, Intensify(0, negative))
    assert (match.state.direction[1], match.state.intensity[1]) == (Direction.WEST, after)


@rule("W3")
@pytest.mark.parametrize("strongest", [10, 4])
def test_strongest_wind_is_not_made_stronger(strongest):
    match = begin("s s", f"N0 E{strongest - 1}", max_intensity=strongest)
    act(match, Intensify(0))
    refusal = refused(match, Intensify(1))
    assert refusal.rule == "W3"
    assert str(strongest) in refusal.reason and "weakened" in refusal.reason


@rule("W3")
def test_calm_wind_is_not_made_weaker():
    refusal = refused(begin("s", "N3 E0"), Intensify(0, negative=True))
    assert refusal.rule == "W3"
    assert "calm" in refusal.reason and "strengthened" in refusal.reason


# --- Fire ---------------------------------------------------------------------------------------------------


@rule("F1")
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(
    "health, fire, left", [(100, 0, 100), (100, 1, 99), (100, 20, 80), (20, 20, 0), (19, 20, 0), (0, 5, 0)]
)
def test_fire_takes_its_strength_from_the_health_of_every_building_at_every_end_of_a_turn(
    seat, health, fire, left
):
    match = begin(f"w:{health}*{fire} F:{health}*{fire}", turn=seat)
    act(match, EndTurn())
    assert healths(match, 2) == [left, left]


@rule("F1")
def test_headquarters_are_hurt_like_others_of_both_seats_on_both_turns():
    match = begin("h*5 H*7")
    act(match, EndTurn())
    assert healths(match, 2) == [295, 293]
    act(match, EndTurn())
    assert healths(match, 2) == [291, 287]


@rule("F1")
def test_burned_down_buildings_keep_burning():
    match = begin("w:2*5")
    act(match, EndTurn(), EndTurn())
    assert (healths(match, 1), fires(match, 1)) == ([0], [3])


@rule("F2")
@pytest.mark.parametrize(
    "fade, before, after", [(1, 20, 19), (1, 1, 0), (1, 0, 0), (4, 9, 5), (4, 3, 0), (0, 9, 9), (100, 20, 0)]
)
def test_every_fire_dies_down_to_at_least_0(fade, before, after):
    match = begin(f"w*{before} H*{before} F:0*{before}", fire_fade=fade)
    act(match, EndTurn())
    assert fires(match, 3) == [after] * 3


ROW = [
    ("w*5 f f f f", "E3", [4, 3, 3, 3, 0]),  # as many buildings as the intensity
    ("w*5 f f f f", "E1", [4, 1, 0, 0, 0]),
    ("w*5 f f f f", "E0", [4, 0, 0, 0, 0]),  # a calm wind
    ("w*5 f f f f", "W3", [4, 0, 0, 0, 0]),  # no building downwind
    ("f f f f w*5", "W3", [0, 3, 3, 3, 4]),
    ("w*5 f . f f", "E9", [4, 9, 0, 0]),  # the row is broken
    ("w*5 . f f f", "E9", [4, 0, 0, 0]),
    ("w*5 F f:0 P f", "E4", [4, 4, 4, 4, 4]),  # any owner, ruins included
    ("f w*5 f f w*5 f f", "E2", [0, 4, 2, 2, 4, 2, 2]),
    ("w*5 w*5 f f f", "E2", [4, 4, 2, 2, 0]),  # across burning buildings
    ("f f f w*5 w*5", "W2", [0, 2, 2, 4, 4]),
    ("w*5 f w*5 f f f f", "E3", [4, 3, 4, 3, 3, 3, 0]),  # two rows that overlap
    ("f f f f w*5 f w*5", "W3", [0, 3, 3, 3, 4, 3, 4]),
    ("w*1 w*1 w*1 f", "E1", [0, 1, 1, 1]),
]


@rule("F3")
@pytest.mark.parametrize("drawing, wind, after", ROW)
def test_wind_carries_fire_along_an_unbroken_row(drawing, wind, after):
    match = begin(drawing, wind)
    act(match, EndTurn())
    assert fires(match, len(after)) == after


@rule("F3")
@pytest.mark.parametrize(
    "wind, after", [("N2", [2, 2, 4, 0, 0]), ("S2", [0, 0, 4, 2, 2]), ("E2", [0, 0, 4, 0, 0])]
)
def test_wind_carries_fire_along_a_column(wind, after):
    match = begin("f\nf\nw*5\nf\nf", wind)
    act(match, EndTurn())
    assert fires(match, 5) == after


@rule("F3")
@pytest.mark.parametrize(
    "drawing, wind, after",
    [
        ("w*5 f f", "E1", [4, 1, 0]),
        ("w*5 f f", "E9", [4, 5, 0]),  # only to the neighbour
        ("w*5 f f", "E0", [4, 0, 0]),
        ("w*5 . f", "E9", [4, 0]),
    ],
)
def test_wind_without_crossing_reaches_only_the_neighbour(drawing, wind, after):
    match = begin(drawing, wind, wind_crosses_buildings=False)
    act(match, EndTurn())
    assert fires(match, len(after)) == after


@rule("F4")
@pytest.mark.parametrize(
    "drawing, wind, after",
    [
        ("w*1 f", "E10", [0, 10]),  # the wind's strength, even from a small fire
        ("w*20 f", "E2", [19, 2]),
        ("w*5 f*3", "E3", [4, 3]),  # its own fire died down to 2
        ("w*5 f*4", "E3", [4, 3]),
        ("w*5 f*5", "E3", [4, 4]),  # its own fire is stronger
        ("w*5 f*20", "E3", [4, 19]),
        ("w*5 f*2 f*9 f*1", "E3", [4, 3, 8, 3]),
    ],
)
def test_stronger_of_arriving_and_own_fire_remains(drawing, wind, after):
    match = begin(drawing, wind)
    act(match, EndTurn())
    assert fires(match, len(after)) == after


@rule("F4")
@pytest.mark.parametrize("crosses, after", [(True, [5, 6]), (False, [5, 6])])
def test_arriving_fire_is_at_most_max_fire(crosses, after):
    match = begin("w*6 f", "E10", max_fire=6, wind_crosses_buildings=crosses)
    act(match, EndTurn())
    assert fires(match, 2) == after


@rule("F4")
@pytest.mark.parametrize(
    "drawing, wind, after",
    [
        ("w*5 f", "E9", [4, 5]),  # the original strength
        ("w*5 f", "E5", [4, 5]),
        ("w*5 f", "E3", [4, 3]),
        ("w*1 f", "E9", [0, 1]),
        ("w*5 f*6", "E9", [4, 5]),
        ("w*5 f*7", "E9", [4, 6]),
        ("f w*9 f*2 w*9", "E9", [0, 8, 9, 8]),
    ],
)
def test_wind_without_crossing_brings_the_smaller_strength(drawing, wind, after):
    match = begin(drawing, wind, wind_crosses_buildings=False)
    act(match, EndTurn())
    assert fires(match, len(after)) == after


@rule("F5")
@pytest.mark.parametrize("crosses", [True, False])
@pytest.mark.parametrize("drawing, wind, order", [("w*5 f f f f", "E1", 1), ("f f f f w*5", "W1", -1)])
def test_arriving_fire_neither_damages_nor_travels_further(drawing, wind, order, crosses):
    match = begin(drawing, f"{wind} {wind}", wind_crosses_buildings=crosses)
    act(match, EndTurn())
    assert fires(match, 5)[::order] == [4, 1, 0, 0, 0]
    assert healths(match, 5)[::order] == [95, 100, 100, 100, 100]
    act(match, EndTurn())
    assert fires(match, 5)[::order] == [3, 1, 1, 0, 0]
    assert healths(match, 5)[::order] == [91, 99, 100, 100, 100]


@rule("F5")
@pytest.mark.parametrize("crosses, arrives", [(True, 4), (False, 3)])
@pytest.mark.parametrize("drawing", ["w*3 h H . .", "w*3 H h . ."])
def test_headquarters_catch_fire_from_the_wind(drawing, crosses, arrives):
    match = begin(drawing, "E4", wind_crosses_buildings=crosses)
    act(match, EndTurn())
    assert fires(match, 3) == [2, arrives, 4 if crosses else 0]


# --- Exposure -----------------------------------------------------------------------------------------------


@rule("E1")
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(
    "fade, before, after", [(10, 25, 15), (10, 10, 0), (10, 9, 0), (10, 0, 0), (3, 25, 22), (0, 9, 9)]
)
def test_every_warehouse_loses_exposure_every_turn(seat, fade, before, after):
    match = begin(f"w@{before} W@{before} h@{before} H@{before}", turn=seat, exposure_fade=fade)
    act(match, EndTurn())
    assert list(match.state.exposure[:4]) == [after] * 4


@rule("E1")
def test_bribed_warehouse_keeps_its_exposure_that_turn():
    match = begin("w@25 w@25 f")
    act(match, Ignite(0, 2), EndTurn())
    assert list(match.state.exposure[:2]) == [27, 15]
    act(match, EndTurn())
    assert list(match.state.exposure[:2]) == [17, 5]


# --- Forecasts ----------------------------------------------------------------------------------------------


@rule("C2")
def test_turn_t_ends_with_forecast_t_and_changes_the_next():
    match = begin("w", max_turns=6)
    for turn in range(6):
        assert match.state.current_forecast == turn
        assert match.state.next_forecast == (turn + 1 if turn < 5 else NONE)
        act(match, EndTurn())
    assert (match.state.current_forecast, match.state.next_forecast) == (NONE, NONE)


@rule("C2")
def test_changed_forecast_blows_at_the_end_of_the_next_turn():
    match = begin("f s\nf w*9 f\n. f", "N0 N1")
    act(match, Rotate(1), EndTurn())
    assert fires(match, 6) == [0, 0, 0, 8, 0, 0]
    act(match, EndTurn())
    assert fires(match, 6) == [0, 0, 0, 7, 1, 0]


@rule("C2")
@pytest.mark.parametrize("max_turns", [2, 3, 300])
def test_last_turn_has_no_forecast_to_change(max_turns):
    match = begin("s S", turn=max_turns - 2, max_turns=max_turns)
    seat = match.to_act()[0]
    act(match, Rotate(seat), EndTurn())
    assert refused(match, Rotate(1 - seat)).rule == "W1"


@rule("C3")
def test_late_forecasts_are_a_turn_behind_from_turn_1():
    match = begin("w s S", "N0 N0 N0 N0 N0 N0", late_forecasts=True, max_turns=6)
    seen = []
    while match.to_act():
        seen.append((match.state.current_forecast, match.state.next_forecast))
        act(match, EndTurn())
    assert seen == [(0, 1), (1, 1), (1, 2), (2, 3), (3, 4), (4, 5)]


@rule("C3")
def test_late_forecasts_blow_a_turn_late():
    match = begin(". f\nf w*9 f\n. f", "N1 E1 S1 W1", late_forecasts=True)
    burning = []
    for _ in range(4):
        act(match, EndTurn())
        burning.append([b for b in (0, 1, 3, 4) if match.state.fire[b] == 1])
    assert burning == [[0], [3], [3], [4]]


@rule("C3")
def test_on_turn_1_a_station_changes_the_forecast_that_ends_it():
    match = begin("f S\nf w*9 f\n. f", "N0 N1 N0", late_forecasts=True)
    act(match, EndTurn(), Rotate(1), EndTurn())
    assert fires(match, 6) == [0, 0, 0, 7, 1, 0]


@rule("C3")
def test_late_forecasts_leave_one_to_change_on_the_last_turn():
    match = begin("s S", "N2 N2 N2", max_turns=3, late_forecasts=True)
    act(match, EndTurn(), EndTurn(), Rotate(0))
    assert list(match.state.direction[:3]) == [Direction.NORTH, Direction.NORTH, Direction.EAST]


# --- End and scoring ----------------------------------------------------------------------------------------


@rule("V1")
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("drawing, winner", [("h:5*5 w w w H", 1), ("h H:5*5 W W W", 0)])
def test_owner_of_a_fallen_headquarters_loses(seat, drawing, winner):
    match = begin(drawing, turn=seat)
    act(match, EndTurn())
    assert verdict(match) == (Ending.HEADQUARTERS_BURNED, Decision.HEADQUARTERS_FALL, winner)
    assert match.to_act() == ()
    assert match.outcome is not None and match.outcome.winner == winner


@rule("V1")
def test_raided_headquarters_falls_at_the_end_of_the_turn():
    match = begin("h p H:30@30")
    act(match, Raid(1, 2))
    assert match.to_act() == (0,)
    act(match, EndTurn())
    assert verdict(match) == (Ending.HEADQUARTERS_BURNED, Decision.HEADQUARTERS_FALL, 0)


@rule("V1")
def test_seat_loses_by_raiding_its_own_headquarters():
    match = begin("h:30@30 p H")
    act(match, Raid(1, 0), EndTurn())
    assert verdict(match) == (Ending.HEADQUARTERS_BURNED, Decision.HEADQUARTERS_FALL, 1)


@rule("V1")
@pytest.mark.parametrize("drawing", ["w w w:0 h H", "h:1 w H:1"])
def test_other_ruins_do_not_end_the_match(drawing):
    match = begin(drawing)
    act(match, EndTurn())
    assert match.to_act() == (1,)


@rule("V1")
@pytest.mark.parametrize("one_ends", [True, False])
@pytest.mark.parametrize("drawing, winner", [("h:5*5 w H:3*5", 0), ("h:5*5 W H:3*5", 1)])
def test_both_fallen_headquarters_are_decided_by_conditions(drawing, winner, one_ends):
    match = begin(drawing, one_headquarters_ends=one_ends)
    act(match, EndTurn())
    assert verdict(match) == (Ending.BOTH_HEADQUARTERS_BURNED, Decision.BUILDINGS_STANDING, winner)


@rule("V1")
def test_one_headquarters_does_not_end_the_match_with_the_setting_off():
    match = begin("h:5*5 H", one_headquarters_ends=False)
    for turn in range(6):
        assert match.to_act() == (turn % 2,)
        act(match, EndTurn())


@rule("V1")
def test_headquarters_falling_on_different_turns_end_the_match():
    match = begin("h:5*5 w H:8*5", one_headquarters_ends=False)
    act(match, EndTurn())
    assert healths(match, 3) == [0, 100, 3]
    act(match, EndTurn())
    assert verdict(match) == (Ending.BOTH_HEADQUARTERS_BURNED, Decision.BUILDINGS_STANDING, 0)


@rule("V2")
@pytest.mark.parametrize("max_turns", [1, 2, 3, 7])
def test_after_the_last_turn_the_further_conditions_decide(max_turns):
    match = begin("h w H", max_turns=max_turns)
    for _ in range(max_turns):
        assert match.to_act() != ()
        act(match, EndTurn())
    assert verdict(match) == (Ending.TURN_LIMIT, Decision.BUILDINGS_STANDING, 0)


@rule("V2")
def test_default_match_has_300_turns():
    match = begin("h w H", turn=298)
    act(match, EndTurn())
    assert match.to_act() == (1,)
    act(match, EndTurn())
    assert verdict(match)[0] == Ending.TURN_LIMIT


@rule("V2")
@pytest.mark.parametrize("drawing, winner", [("h:5*5 w w H", 1), ("h W W H:5*5", 0)])
def test_headquarters_falling_on_the_last_turn_counts_by_setting(drawing, winner):
    told = begin(drawing, max_turns=1)
    act(told, EndTurn())
    assert verdict(told) == (Ending.HEADQUARTERS_BURNED, Decision.HEADQUARTERS_FALL, winner)
    untold = begin(drawing, max_turns=1, headquarters_on_last_turn=False)
    act(untold, EndTurn())
    assert verdict(untold) == (Ending.TURN_LIMIT, Decision.HEADQUARTERS_DAMAGE, winner)


@rule("V2")
@pytest.mark.parametrize(
    "told, ending", [(True, Ending.BOTH_HEADQUARTERS_BURNED), (False, Ending.TURN_LIMIT)]
)
def test_both_headquarters_on_the_last_turn(told, ending):
    match = begin("h:5*5 w H:5*5", max_turns=1, headquarters_on_last_turn=told)
    act(match, EndTurn())
    assert verdict(match) == (ending, Decision.BUILDINGS_STANDING, 0)


@rule("V2")
def test_before_the_last_turn_a_fallen_headquarters_ends_the_match_either_way():
    match = begin("h H:5*5", max_turns=2, headquarters_on_last_turn=False)
    act(match, EndTurn())
    assert verdict(match) == (Ending.HEADQUARTERS_BURNED, Decision.HEADQUARTERS_FALL, 0)


@rule("V2")
def test_one_headquarters_decides_the_last_turn_by_damage():
    match = begin("h:5*5 w H:299", max_turns=2, one_headquarters_ends=False)
    rest_of_the_turns(match)
    assert verdict(match) == (Ending.TURN_LIMIT, Decision.HEADQUARTERS_DAMAGE, 1)


@rule("V3")
@pytest.mark.parametrize("drawing, winner", [("h:299 w w w H", 1), ("h H:299 W W W", 0), ("h:9 w H:10", 1)])
def test_damage_to_the_enemy_headquarters_decides_first(drawing, winner):
    match = begin(drawing, max_turns=1)
    act(match, EndTurn())
    assert verdict(match) == (Ending.TURN_LIMIT, Decision.HEADQUARTERS_DAMAGE, winner)


@rule("V4")
@pytest.mark.parametrize(
    "drawing, winner",
    [
        ("h:50 w:1 f:1 H:50 W", 0),  # with any health left
        ("h:50 w H:50 W:1 S:1", 1),
        ("h w w:0 w:0 H W W:1", 1),  # ruins do not count
    ],
)
def test_standing_buildings_decide_next(drawing, winner):
    match = begin(drawing, max_turns=1)
    act(match, EndTurn())
    assert verdict(match) == (Ending.TURN_LIMIT, Decision.BUILDINGS_STANDING, winner)


@rule("V5")
@pytest.mark.parametrize("drawing, winner", [("h w f:41 H W F:40", 0), ("h w:10 f:10 H W:1 F:20", 1)])
def test_total_health_decides_next(drawing, winner):
    match = begin(drawing, max_turns=1)
    act(match, EndTurn())
    assert verdict(match) == (Ending.TURN_LIMIT, Decision.HEALTH_SUM, winner)


def tossed(seed: int) -> int:
    match = begin("h w:30 f:70 H W:60 F:40", seed=seed, max_turns=1)
    act(match, EndTurn())
    assert verdict(match)[:2] == (Ending.TURN_LIMIT, Decision.COIN)
    return verdict(match)[2]


@rule("V6")
def test_coin_decides_between_equals_and_is_fair():
    assert 65 < sum(tossed(seed) for seed in range(200)) < 135  # five standard deviations


@rule("V6")
def test_same_seed_tosses_the_same_coin():
    assert [tossed(seed) for seed in range(20)] == [tossed(seed) for seed in range(20)]


@rule("V6")
def test_two_fallen_headquarters_alone_are_decided_by_a_coin():
    match = begin("h:5*5 H:5*5")
    act(match, EndTurn())
    assert verdict(match)[:2] == (Ending.BOTH_HEADQUARTERS_BURNED, Decision.COIN)
    assert verdict(match)[2] in (0, 1)


@rule("V7")
@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(
    "why, ending",
    [
        (Why.RESIGNED, Ending.RESIGNED),
        (Why.TIMED_OUT, Ending.TIMED_OUT),
        (Why.DISCONNECTED, Ending.DISCONNECTED),
    ],
)
def test_seat_that_leaves_loses_on_any_turn(turn, seat, why, ending):
    match = begin("h w w w H:1 W:0" if seat == 0 else "h:1 w:0 H W W", turn=turn)
    assert isinstance(match.submit(seat, Leave(why)), Accepted)
    assert verdict(match) == (ending, Decision.OPPONENT_LEFT, 1 - seat)
    assert match.to_act() == ()


@rule("V7")
@pytest.mark.parametrize("why", ["resigned", "timed out", "disconnected"])
def test_each_way_to_leave_has_an_action(why):
    match = begin(ONE_OF_EACH)
    assert game.rules.forfeit is not None
    assert isinstance(match.submit(1, game.rules.forfeit(why)), Accepted)
    assert Ending(match.state.ended).name.lower().replace("_", " ") == why


# --- Refusals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", sorted(game.text.refusals))
@pytest.mark.parametrize("action", [*ANY_ACTION, Leave()], ids=named)
@pytest.mark.parametrize("seat", SEATS)
def test_every_refusal_can_be_formatted_for_every_action(number, action, seat):
    refusal = game.text.refusals[number]
    sentence = refusal.reason.format_map(game.text.words(draw(ONE_OF_EACH), seat, action))
    assert sentence.endswith(".") and not set("{}") & set(sentence)


def test_every_refusal_names_a_rule_of_the_readme():
    readme = Path(anarchy.__file__).with_name("README.md").read_text()
    written = set(re.findall(r"^- \*\*(\w+)\*\*", readme, re.MULTILINE))
    assert {
        game.text.refusals[number].rule for number in game.text.refusals if number != NO_SUCH_ACTION
    } <= written


def test_position_has_the_settings_it_was_drawn_with():
    assert settings_of(draw("h H", max_turns=7, generator="stacked")) == game.configure(
        values={"max_turns": 7, "generator": "stacked"}
    )
