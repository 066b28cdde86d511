"""The rules of the turn change, on a small island with rules of our own."""

import pytest

from endturn.games.empires.rules import (
    borders,
    calendar,
    growth,
    production,
    research,
    sequence,
    treasury,
    unrest,
)
from endturn.games.empires.rules.effects import Target, holds, of_city, of_player, of_unit
from endturn.games.empires.rules.granary import granary_size
from endturn.games.empires.rules.mood import Feelings
from endturn.games.empires.rules.numbers import over
from endturn.games.empires.rules.output import split, tile_yields
from endturn.games.empires.rules.refresh import refresh
from endturn.games.empires.rules.workers import arrange
from endturn.games.empires.ruleset import FOOD, GOLD, SCIENCE, SHIELD, TRADE, Requirement
from endturn.games.empires.vocabulary import EffectType, Range, RequirementType
from games.empires.island import island

rule = pytest.mark.rule

MEADOW, CRAG, WATER = 32, 17, 0


def reed(world):
    return world.cities[10]


def building(world, name):
    return world.rules.building_by_name[name]


# --- numbers and effects


@pytest.mark.parametrize("number, divisor, quotient", [(7, 2, 3), (-7, 2, -3), (0, 5, 0), (-4, 2, -2)])
def test_division_truncates_toward_zero(number, divisor, quotient):
    assert over(number, divisor) == quotient


@pytest.mark.parametrize("present", [True, False])
def test_tile_requirement_fails_without_a_tile_even_if_negated(present):
    world = island()
    about_land = Requirement(RequirementType.TERRAIN_CLASS, "Land", Range.LOCAL, present, False, "land")
    assert not holds(world, [about_land], Target(player=world.players[0]))
    assert holds(world, [about_land], Target(tile=MEADOW)) is present


def test_effect_counts_while_its_building_exists():
    world = island()
    assert of_city(world, reed(world), EffectType.GROWTH_FOOD) == 0
    production.add_building(world, reed(world), building(world, "store"))
    assert of_city(world, reed(world), EffectType.GROWTH_FOOD) == 50
    production.remove_building(world, reed(world), building(world, "store"))
    assert of_city(world, reed(world), EffectType.GROWTH_FOOD) == 0


def test_unit_effect_depends_on_player_and_tile():
    world = island(units=[{}])
    assert of_unit(world, world.units[20], EffectType.MOVE_BONUS) == 0
    production.add_building(world, reed(world), building(world, "tower"))
    assert of_unit(world, world.units[20], EffectType.MOVE_BONUS) == 1


def test_player_effects_change_with_the_government():
    world = island()
    assert of_player(world, world.players[0], EffectType.OUTPUT_WASTE, TRADE) == 0
    unrest.change_government(world, world.players[0], "council")
    assert world.players[0].government == "turmoil"
    assert of_player(world, world.players[0], EffectType.OUTPUT_WASTE, TRADE) == 50


# --- output and mood


def test_terrain_extras_and_resources_yield_output():
    world = island()
    ditch, pit, path, herd = (
        world.rules.extra_by_name[name].bit for name in ("ditch", "pit", "path", "herd")
    )
    assert tile_yields(world, reed(world), MEADOW) == (2, 0, 1, 0, 0, 0)
    world.extras[MEADOW] = ditch | path | herd
    assert tile_yields(world, reed(world), MEADOW) == (5, 0, 2, 0, 0, 0)
    world.extras[CRAG] = pit | herd  # a herd gives nothing on a crag
    assert tile_yields(world, reed(world), CRAG) == (0, 5, 0, 0, 0, 0)


@pytest.mark.parametrize(
    "trade, rates, shares",
    [
        (7, (50, 50, 0), [4, 3, 0]),
        (1, (40, 60, 0), [0, 1, 0]),
        (10, (30, 30, 40), [3, 3, 4]),
        (0, (50, 50, 0), [0, 0, 0]),
    ],
)
def test_taxes_are_split_by_largest_remainder(trade, rates, shares):
    assert split(trade, rates) == shares


def test_revolution_turns_trade_into_luxury():
    world = island(government="Turmoil", worked=[25, 31])
    city = reed(world)
    assert city.made[SCIENCE] == city.made[GOLD] == 0


def test_rest_of_luxury_makes_one_citizen_content():
    mood = Feelings(content=1, unhappy=2, angry=0)
    mood.spend_luxury(5, cost=2)
    assert (mood.happy, mood.content, mood.unhappy) == (1, 1, 1)


def test_angry_citizens_are_calmed_first():
    mood = Feelings(content=0, unhappy=1, angry=1)
    assert mood.soothe(5) == 2
    assert (mood.content, mood.unhappy, mood.angry) == (2, 0, 0)


def test_unit_abroad_makes_a_citizen_unhappy():
    assert reed(island(units=[{"x": 0, "y": 0}])).unhappy == 1
    assert reed(island(units=[{}])).unhappy == 0


def test_disorder_stops_gold_and_science():
    world = island({"size": 4}, worked=[25, 31], units=[{"id": 20 + i, "x": 0, "y": 0} for i in range(3)])
    city = reed(world)
    assert city.unhappy > city.happy
    assert (city.made[GOLD], city.made[SCIENCE], city.surplus[SHIELD]) == (0, 0, 0)


# --- production


@rule("E10f.1")
def test_e10f_coinage_turns_shields_into_gold():
    world = island({"shield_stock": 7, "before_change_shields": 7})
    assert production.mint(world, reed(world)) is production.DONE
    assert (world.players[0].gold, reed(world).shield_stock) == (27, 0)


@rule("E10f.6")
def test_e10f_shields_beyond_the_cost_carry_over():
    world = island({"currently_building_name": "Tower", "shield_stock": 59})
    sequence.turn_change(world)
    city = reed(world)
    assert city.has(building(world, "tower"))
    assert (city.shield_stock, city.turn_last_built) == (5, 5)


@rule("E10f.3")
def test_e10f_impossible_target_keeps_its_shields():
    world = island({"currently_building_name": "Store", "shield_stock": 90})
    sequence.turn_change(world)
    assert not reed(world).has(building(world, "store"))
    assert reed(world).shield_stock == 96
    assert any(event.kind == "building_cant_be_built" for event in world.events)


@rule("E11.6")
def test_e11_new_unit_is_first_in_all_lists():
    world = island(
        {"currently_building_kind": "UnitType", "currently_building_name": "Guard", "shield_stock": 9}
    )
    sequence.turn_change(world)
    unit = world.players[0].units[0]
    assert (unit.type.name, unit.home, unit.id) == ("Guard", reed(world), 51)
    assert reed(world).production is unit.type


def test_e11_settler_costs_a_citizen():
    world = island(
        {"currently_building_kind": "UnitType", "currently_building_name": "Digger", "shield_stock": 20}
    )
    production.complete_units(world, reed(world))
    assert reed(world).size == 1


@rule("E11.4")
def test_e11_last_citizen_does_not_leave():
    world = island(
        {
            "size": 1,
            "currently_building_kind": "UnitType",
            "currently_building_name": "Digger",
            "shield_stock": 20,
        }
    )
    assert production.require_citizens(world, reed(world)) is production.DONE
    assert world.players[0].units == []


@rule("E10d")
def test_e10d_unpaid_units_are_disbanded_in_list_order():
    units = [{"id": 20 + i, "ord_city": i, "ord_map": i} for i in range(8)]
    world = island({"size": 1}, units=units)
    city = reed(world)
    assert city.surplus[SHIELD] == -2
    production.distribute_surplus(world, city)
    assert [unit.id for unit in city.units] == [22, 23, 24, 25, 26, 27]
    assert city.shield_stock == 0


# --- growth and placement


@pytest.mark.parametrize("size, food", [(1, 10), (2, 12), (3, 16), (5, 24)])
def test_granary_grows_with_the_city(size, food):
    assert granary_size(island(), size) == food


@rule("E16")
def test_e16_full_granary_grows_the_city_and_a_store_keeps_food():
    world = island({"food_stock": 12, "improvements": "1100"})
    growth.grow_if_fed(world, reed(world))
    assert (reed(world).size, reed(world).food_stock) == (3, 8)


@rule("E18")
def test_e18_famine_takes_a_unit_before_a_citizen():
    world = island({"food_stock": -1}, units=[{"type_by_name": "Digger"}])
    growth.starve(world, reed(world))
    assert (reed(world).size, world.units) == (2, {})
    reed(world).food_stock = -1
    growth.starve(world, reed(world))
    assert reed(world).size == 1


def test_citizens_avoid_famine_and_idle_production():
    world = island()
    world.extras[25] = world.rules.extra_by_name["herd"].bit
    arrange(world, reed(world))
    city = reed(world)
    assert 25 in city.worked and city.surplus[FOOD] >= 1 and city.surplus[SHIELD] >= 1
    assert len(city.worked) + sum(city.specialists) == city.size + 1


def test_placement_is_the_best_of_all():
    world = island({"size": 3})
    city = reed(world)
    arrange(world, city)
    best = (
        10 * city.surplus[FOOD]
        + 5 * city.surplus[SHIELD]
        + 2 * city.surplus[GOLD]
        + 2 * city.surplus[SCIENCE]
    )
    tiles = [tile for tile, _ in world.geometry.circle(city.tile, 2) if tile != city.tile]
    for a in tiles:
        for b in tiles:
            for c in tiles:
                if a < b < c:
                    city.worked, city.specialists = {city.tile, a, b, c}, [0, 0, 0]
                    refresh(world, city)
                    food, shield, _, gold, _, science = city.surplus
                    if food >= 1 and shield >= 1:
                        assert 10 * food + 5 * shield + 2 * gold + 2 * science <= best


# --- treasury, research, unrest


@rule("E21")
def test_e21_debt_sells_a_random_building_for_its_cost():
    world = island({"improvements": "1100"}, gold=0, tax=0, science=100)
    treasury.collect(world, reed(world))
    assert not reed(world).has(building(world, "store"))
    assert world.players[0].gold == 20


@rule("E28")
def test_e28_bulbs_beyond_the_cost_carry_over():
    world = island()
    player = world.players[0]
    player.research.researching = world.rules.tech_by_name["clay"].index
    research.update_bulbs(world, player, 12, may_learn=True)
    assert player.research.known == 0b11 and player.research.bulbs == 2
    assert player.research.researching == research.UNSET


def test_obsolete_building_is_sold():
    world = island({"improvements": "1100"})
    research.learn(world, world.players[0], world.rules.tech_by_name["kiln"].index)
    assert not reed(world).has(building(world, "store"))
    assert world.players[0].gold == 40


@rule("E28a")
def test_e28_lost_tech_replaces_impossible_targets():
    world = island({"currently_building_name": "Store", "shield_stock": 9, "before_change_shields": 9})
    player, clay = world.players[0], world.rules.tech_by_name["clay"].index
    world.settings["techlossforgiveness"] = 0
    player.research.known, player.research.techs, player.research.bulbs = 0b11, 2, -1
    world.advisor = lambda world, city: world.rules.unit_types["guard"]
    research.update_bulbs(world, player, 0, may_learn=True)
    assert not research.knows(player.research, clay) and player.research.bulbs == 4
    production.replan(world, player)
    assert (reed(world).production.name, reed(world).shield_stock) == ("Guard", 4)


@rule("E2a")
def test_e2_idle_research_takes_the_step_to_the_goal():
    world = island()
    player, kiln = world.players[0], world.rules.tech_by_name["kiln"].index
    player.research.researching, player.research.goal = research.UNSET, kiln
    research.choose_research(world, player)
    assert player.research.researching == world.rules.tech_by_name["clay"].index


@rule("E24")
def test_e24_long_disorder_overthrows_the_government():
    world = island({"anarchy": 3})
    unrest.overthrow(world, reed(world))
    player = world.players[0]
    assert (player.government, player.target_government) == ("turmoil", "council")
    world.turn = player.revolution_finishes
    unrest.end_revolution(world, player)
    assert player.government == "council"


# --- turn end


@rule("N2")
def test_n2_city_claims_nearby_land_but_not_distant_water():
    world = island()
    borders.calculate(world)
    assert world.owner[24 - 2] == 0 and world.owner[WATER] == -1


def test_shrinking_city_gives_up_distant_land():
    world = island({"size": 4})
    borders.calculate(world)
    far = 24 - 2 * 7 - 2  # two steps diagonally: a squared distance of 8
    assert world.owner[far] == 0
    reed(world).size = 2
    borders.release_far(world, 24)
    assert world.owner[far] == -1


@rule("N12")
def test_n12_there_is_no_year_0():
    world = island()
    world.year = -10
    calendar.advance(world)
    assert (world.year, world.year_zero_hidden) == (1, True)
    calendar.advance(world)
    assert (world.year, world.turn) == (10, 7)


@rule("P7")
def test_p7_work_is_done_after_enough_turns():
    world = island(units=[{"type_by_name": "Digger", "activity": 2, "activity_tgt": 0, "y": 4}])
    unit = world.units[20]
    for turns in (1, 2):
        assert not world.extras[unit.tile]
        sequence.run(world, sequence.PHASE_START)
        assert unit.activity_count == (10 if turns == 1 else 0)
    assert world.extras[unit.tile] == world.rules.extra_by_name["ditch"].bit
    assert unit.activity == "Idle"


@rule("E6a")
def test_e6_unit_resting_in_a_city_regains_a_third():
    world = island(units=[{"hp": 2, "activity": 3}])
    sequence.run(world, sequence.PHASE_END)
    assert world.units[20].hp == 2 + 3 + 1 + 1
