"""Tests the three profiles of Catastrophe, and that each row of *Deviations* is one setting."""

import re
from pathlib import Path

import pytest

from endturn.engine.settings import SettingsError, settings_to_json
from endturn.games import catastrophe
from endturn.games.catastrophe import game
from endturn.games.catastrophe.actions import (
    Attack,
    ChangeJob,
    Construct,
    Convert,
    Deconstruct,
    EndTurn,
    Harvest,
    Move,
    Pickup,
)
from endturn.games.catastrophe.state import NOBODY, NONE, Decision, Ending, Job, Resource, Squad, Structure
from endturn.games.catastrophe.view import squad_of
from games.catastrophe.position import (
    HEIGHT,
    WIDTH,
    act,
    at,
    begin,
    draw,
    end_turns,
    energies,
    refused,
    start,
)

rule = pytest.mark.rule

DEVIATIONS = {  # official, 2017, 2022
    "moves_far": (False, False, True),
    "attacks_far": (False, False, True),
    "starting_food": (100, 50, 50),
    "neutral_job": ("fresh_human", "fresh_human", "builder"),
    "upkeep_first": (True, False, False),
    "gatherers_only": (True, False, False),
    "construct_acts": (True, False, False),
    "cost_after_construct": (False, True, True),
    "constructs_all": (False, False, True),
    "deconstructs_underfoot": (False, True, False),
    "back_to_fresh_human": (True, True, False),
    "pickup_amount": ("what_lies_there", "by_materials", "as_asked"),
    "early_decline": (False, True, True),
    "humans_together": (True, False, False),
    "stale_squads": (False, True, True),
    "squads_north_south": (False, False, True),
    "overlord_first": (False, False, True),
    "primary_on_last_turn": (True, True, False),
}
SHARED = {
    "max_turns": 720,
    "map_width": 26,
    "map_height": 18,
    "turns_between_harvests": 10,
    "turns_to_create_human": 30,
    "turns_to_lower_harvest": 60,
    "lower_harvest_amount": 10,
    "min_harvest_rate": 30,
    "max_harvest_rate": 150,
    "wall_materials": 75,
    "shelter_materials": 50,
    "monument_materials": 100,
    "neutral_materials": 200,
    "overlord_rest_percent": 200,
    "starving_rest_percent": 25,
    "monument_cost_percent": 50,
}


@pytest.mark.parametrize("number, profile", [(0, "official"), (1, "2017"), (2, "2022")])
def test_profile_has_exactly_these_values(number, profile):
    chosen = {name: values[number] for name, values in DEVIATIONS.items()}
    assert settings_to_json(game.configure(profile)) == {**SHARED, **chosen}


def test_there_are_three_profiles_and_official_is_the_default():
    assert list(game.profiles) == ["official", "2017", "2022"]
    assert game.configure() == game.configure("official")


def test_each_row_of_deviations_is_one_setting_and_no_difference_is_left_out():
    readme = Path(catastrophe.__file__).with_name("README.md").read_text()
    rows = re.findall(r"^\|.*\| `(\w+)` \|$", readme.split("## Deviations")[1], re.MULTILINE)
    assert sorted(rows) == sorted(DEVIATIONS)


def test_contradictory_settings_are_refused():
    with pytest.raises(SettingsError, match="max_harvest_rate must be at least min_harvest_rate, 30"):
        game.configure(values={"max_harvest_rate": 20})


# --- one setting, one difference ----------------------------------------------------------------------------


@rule("A5")
def test_moves_far():
    match = begin("g0 . .", moves_far=True)
    assert refused(match, Move(0, at(1, 0))) == "A5"
    act(match, Move(0, at(7, 5)), Move(0, at(0, 0)))
    assert refused(match, Attack(0, at(5, 5))) == "A4"
    assert match.state.moves[0] == 2


@rule("A5")
def test_attacks_far():
    match = begin("s0 W1 W1 .\n. g1", attacks_far=True)
    assert refused(match, Attack(0, at(1, 0))) == "A5"
    act(match, Attack(0, at(2, 0)))
    assert match.state.structure_materials[at(2, 0)] == 50


def test_starting_food():
    for food in (50, 100):
        world = game.rules.setup(game.configure(values={"starting_food": food}), 3)
        assert list(world.store) == [food - 3, food]


@rule("C6")
@rule("W1")
def test_neutral_job():
    match = begin("s0 s1*25", turn=0, neutral_job="builder")
    act(match, Attack(0, at(1, 0)), EndTurn())
    walker = match.state.unit_on[at(0, HEIGHT // 2 - 1)]
    assert match.state.job[1] == match.state.job[walker] == Job.BUILDER


@rule("U1")
@rule("U2")
def test_upkeep_first():
    world = draw("s0 s1", upkeep_first=False)
    world.store[1] = 2
    match = start(world)
    end_turns(match)
    assert list(match.state.store) == [1000 - 3 - 1, 2]
    assert not match.state.starving[1]
    end_turns(match)
    assert list(match.state.store) == [996, 2]
    assert match.state.starving[1]
    end_turns(match)
    assert match.state.starving[1]


@rule("H1")
def test_gatherers_only():
    match = begin(". . .\nf40 s0 .\n. h0 f40", gatherers_only=False)
    act(match, Harvest(0, at(0, 1)), Harvest(1, at(2, 2)))
    assert energies(match, 0, 1) == [75, 100]
    assert (match.state.food[0], match.state.food[1]) == (10, 10)


@rule("B4")
def test_construct_acts():
    world = draw("b0 %75\n%75 .", construct_acts=False)
    world.energy[0] = 150
    match = start(world)
    act(match, Construct(0, at(1, 0), Structure.WALL), Construct(0, at(0, 1), Structure.WALL))
    assert (energies(match, 0), bool(match.state.acted[0])) == ([0], False)


@rule("B4")
def test_cost_after_construct():
    match = begin("b0 %100", cost_after_construct=True)
    act(match, Construct(0, at(1, 0), Structure.MONUMENT))
    assert energies(match, 0) == [62.5]
    assert (
        refused(begin("b0*74 %100", cost_after_construct=True), Construct(0, at(1, 0), Structure.MONUMENT))
        == "A3"
    )


@rule("B1")
@pytest.mark.parametrize("structure, cost", [(Structure.NEUTRAL, 200), (Structure.ROAD, 0)])
def test_constructs_all(structure, cost):
    match = begin("b0 %210", constructs_all=True)
    act(match, Construct(0, at(1, 0), structure))
    assert (match.state.structure[1], match.state.structure_owner[1]) == (structure, 0)
    assert (match.state.ground_materials[1], match.state.structure_materials[1]) == (210 - cost, cost)
    assert refused(begin("b0 %210", constructs_all=True), Construct(0, at(1, 0), Structure.NOTHING)) == "B1"


@rule("B6")
def test_deconstructs_underfoot():
    match = begin("S1+b0", deconstructs_underfoot=True)
    act(match, Deconstruct(0, at(0, 0)))
    assert match.state.materials[0] == 50


@rule("K1")
def test_back_to_fresh_human():
    match = begin("c0 g0", back_to_fresh_human=False)
    assert refused(match, ChangeJob(1, Job.FRESH_HUMAN)) == "K1"
    act(match, ChangeJob(1, Job.SOLDIER))


@rule("G4")
@pytest.mark.parametrize("amount, got", [(0, 7), (-2, 7), (20, 20), (90, 60)])
def test_pickup_amount_by_materials(amount, got):
    match = begin("g0 ,60+%7", pickup_amount="by_materials")
    act(match, Pickup(0, at(1, 0), Resource.FOOD, amount))
    assert match.state.food[0] == got


@rule("G4")
@pytest.mark.parametrize("amount, got", [(0, 0), (-4, -4), (20, 20), (90, 90), (200, 100)])
def test_pickup_amount_as_asked(amount, got):
    match = begin("g0 ,60", pickup_amount="as_asked")
    act(match, Pickup(0, at(1, 0), Resource.FOOD, amount))
    assert (match.state.food[0], match.state.ground_food[1]) == (got, 60 - got)
    assert energies(match, 0) == [100 - got]


@rule("G5")
def test_negative_pickup_has_an_upper_limit():
    world = draw("g0 ,60", pickup_amount="as_asked")
    world.ground_food[1] = 999_500_000
    match = start(world)
    act(match, Pickup(0, at(1, 0), Resource.FOOD, -400_000))
    assert refused(match, Pickup(0, at(1, 0), Resource.FOOD, -400_000)) == "G5"
    act(match, Pickup(0, at(1, 0), Resource.FOOD, 5))


@rule("H7")
def test_early_decline():
    match = begin("f40", turn=59, early_decline=True)
    end_turns(match)
    assert match.state.harvest_rate[0] == 40
    end_turns(match)
    assert match.state.harvest_rate[0] == 30
    first = begin("f40", turn=0, early_decline=True)
    end_turns(first)
    assert first.state.harvest_rate[0] == 30


@rule("W1")
def test_humans_together():
    match = begin("", turn=30, humans_together=False)
    end_turns(match)
    lanes = at(0, HEIGHT // 2 - 1), at(WIDTH - 1, HEIGHT // 2)
    assert [match.state.unit_on[tile] for tile in lanes] == [4, NONE]
    end_turns(match)
    assert match.state.unit_on[lanes[1]] == 5


@rule("S4")
def test_stale_squad_of_a_beaten_unit_is_empty():
    match = begin("s0 s1*25 s0 .\n. . m0", stale_squads=True)
    act(match, Attack(0, at(1, 0)))
    assert squad_of(match.state, 1) == []
    act(match, Attack(2, at(1, 0)))
    assert (match.state.owner[1], match.state.energy[1]) == (NOBODY, 100)


@rule("S4")
def test_stale_squad_of_a_converted_unit_lasts_until_regrouping():
    match = begin("h- m0 . .\ns0 . . .", stale_squads=True)
    match.state.squad[0] = Squad.ALONE
    act(match, Convert(1, at(0, 0)), Move(2, at(1, 1)), Move(2, at(0, 1)))
    assert squad_of(match.state, 0) == [0]  # its squad is not updated yet
    end_turns(match, 2)
    assert squad_of(match.state, 0) == [0]  # still not updated: no unit has moved
    act(match, Move(1, at(2, 0)))
    assert squad_of(match.state, 0) == [0, 2]


@rule("S4")
@pytest.mark.parametrize("stale, squad", [(True, Squad.ALONE), (False, Squad.PRESENT)])
def test_stale_squad_of_a_walking_human_is_itself(stale, squad):
    match = begin("", turn=0, stale_squads=stale)
    end_turns(match)
    assert match.state.squad[4] == squad
    assert squad_of(match.state, 4) == [4]


@rule("S4")
def test_attack_updates_stale_squads_of_both_seats():
    match = begin("h- m0 s1 W0\ns0 c0 . .\n. h0", stale_squads=True)
    match.state.squad[0] = Squad.ALONE
    act(match, Convert(1, at(0, 0)), EndTurn())
    assert squad_of(match.state, 0) == [0]
    act(match, Attack(2, at(3, 0)))
    assert squad_of(match.state, 0) == [0, 3]
    match = begin("h- m0 . .\ns0 c0 . .\n. h0", stale_squads=True)
    match.state.squad[0] = Squad.ALONE
    act(match, Convert(1, at(0, 0)), EndTurn(), EndTurn(), ChangeJob(4, Job.SOLDIER))
    assert squad_of(match.state, 0) == [0, 2]


@rule("S5")
def test_squads_north_south():
    world = draw(". s0 .\ns0 s0 s0\n. s0 .", squads_north_south=True)
    assert squad_of(world, 2) == [2, 0, 4, 3, 1]


@rule("V3")
@pytest.mark.parametrize(
    "overlord_first, ending, decided, winner",
    [(True, Ending.OVERLORD_FELL, Decision.PRIMARY, 1), (False, Ending.BOTH_DEFEATED, Decision.UNITS, 0)],
)
def test_overlord_first(overlord_first, ending, decided, winner):
    world = draw("g0 g0 .", humans=False, overlord_first=overlord_first)
    world.energy[world.overlord[0]] = 0
    match = start(world)
    end_turns(match)
    assert (match.state.ended, match.state.decided, match.state.winner) == (ending, decided, winner)


@rule("V3")
def test_primary_on_last_turn():
    world = draw("g0 g0 g1", turn=3, max_turns=4, primary_on_last_turn=False)
    world.energy[world.overlord[0]] = 0
    match = start(world)
    end_turns(match)
    assert (match.state.ended, match.state.decided, match.state.winner) == (
        Ending.TURN_LIMIT,
        Decision.UNITS,
        0,
    )
