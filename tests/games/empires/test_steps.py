"""Each step of a turn change by itself: what it does, and when it does nothing."""

import pytest

from endturn.games.empires import setup
from endturn.games.empires.rules import calendar, cities, sequence, units
from endturn.games.empires.rules.chance import seeded
from endturn.games.empires.rules.granary import granary_size
from endturn.games.empires.ruleset import FOOD, LUXURY, SCIENCE, SHIELD
from endturn.games.empires.state import Motion, TradeRoute

rule = pytest.mark.rule


class Drawn:
    """A generator that always draws the same number, or the largest possible one."""

    def __init__(self, value):
        self.value, self.draws = value, []

    def below(self, size, purpose):
        return min(self.value, size - 1)

    def state(self):
        return 0, 0, 0, ()


@pytest.fixture
def world():
    made = setup.new_world(setup.Settings(peoples=4), 7)
    made.chance = Drawn(0)
    return made


def walk(steps):
    for step in steps:
        if isinstance(step, sequence.Each):
            yield from walk(step.steps)
        else:
            yield step


STEPS = {step.id: step for stage in sequence.STAGES for step in walk(stage.steps)}


def do(number, world, *subject):
    """Run the step with an id for one subject."""
    return STEPS[number].act(world, *subject)


def first(world):
    return world.players[0]


def town(world, player=0):
    return world.players[player].cities[0]


def building(world, name):
    return world.rules.building_by_name[name]


def stands(world, name, player=0):
    cities.add_building(world, town(world, player), building(world, name))


def unit(world, name, player=0, tile=None):
    owner = world.players[player]
    return units.create(
        world,
        owner,
        world.rules.unit_types[name],
        owner.cities[0].tile if tile is None else tile,
        0,
        owner.cities[0],
    )


def kinds(world):
    return [event.kind for event in world.events]


def learn(world, *names, player=0):
    for name in names:
        world.players[player].research.known |= 1 << world.rules.tech_by_name[name].index
        world.players[player].research.techs += 1
    world.players[player].stamp += 1


# --- events, and steps without a body


@pytest.mark.parametrize(
    "number, kind",
    [
        pytest.param("T1", "turn_started", marks=rule("T1")),
        pytest.param("P2", "start_phase", marks=rule("P2")),
        pytest.param("P15", "timer_started", marks=rule("P15")),
        pytest.param("P16", "game", marks=rule("P16")),
        pytest.param("P17", "autosave", marks=rule("P17")),
        pytest.param("R1", "running", marks=rule("R1")),
        pytest.param("E1", "end_phase", marks=rule("E1")),
        pytest.param("E3", "cities_silent", marks=rule("E3")),
        pytest.param("E34", "cities_speak", marks=rule("E34")),
        pytest.param("N1", "end_turn", marks=rule("N1")),
        pytest.param("N10", "settings_turn", marks=rule("N10")),
        pytest.param("N13", "timeout", marks=rule("N13")),
        pytest.param("N14", "game", marks=rule("N14")),
        pytest.param("N15", "year", marks=rule("N15")),
        pytest.param("G1", "game_over", marks=rule("G1")),
        pytest.param("G4", "metaserver", marks=rule("G4")),
        pytest.param("G5", "final_save", marks=rule("G5")),
    ],
)
def test_step_records_an_event_for_everybody(world, number, kind):
    do(number, world)
    assert kinds(world) == [kind] and world.events[0].audience is None


@rule("P10")
def test_cities_event_is_for_each_player(world):
    do("P10", world, world.players[2])
    assert [(event.kind, event.audience) for event in world.events] == [("cities", 2)]


@pytest.mark.parametrize(
    "number",
    [
        pytest.param("P9", marks=rule("P9")),
        pytest.param("P12", marks=rule("P12")),
        pytest.param("P13", marks=rule("P13")),
        pytest.param("E4", marks=rule("E4")),
        pytest.param("E5b", marks=rule("E5b")),
        pytest.param("E33", marks=rule("E33")),
    ],
)
def test_turn_change_does_nothing_for_bots(world, number):
    assert STEPS[number].act is None
    assert STEPS[number].note.startswith("Nothing to do: ")


# --- the start of a turn and of a phase


@rule("T2")
def test_score_counts_citizens_techs_and_wonders(world):
    do("T2", world, first(world))
    before = first(world).score["total"]
    town(world).size += 2
    learn(world, "fire")
    stands(world, "star dial")
    do("T2", world, first(world))
    assert first(world).score["total"] == before + 2 + 2 + 5


@rule("T2a")
def test_old_barbarians_retire_if_no_enemy_is_near(world):
    raider = world.players[4]
    raider.is_alive = True
    far = max(range(world.geometry.tiles), key=lambda tile: min(
        world.geometry.distance(tile, city.tile) for city in world.cities.values()))  # fmt: skip
    old = units.create(world, raider, world.rules.unit_types["spear"], far, 0, None)
    do("T2a", world, raider)
    assert old.id in world.units
    old.born = world.turn - 6
    do("T2a", world, raider)
    assert old.id not in world.units


@rule("T4")
def test_order_of_players_is_drawn(world):
    world.chance = seeded(3)
    orders = set()
    for _ in range(6):
        do("T4", world)
        orders.add(tuple(player.number for player in world.order))
    assert len(orders) > 1 and {len(order) for order in orders} == {6}


@rule("P1")
def test_players_may_act_again_in_a_new_phase(world):
    first(world).phase_done = True
    do("P1", world, first(world))
    assert not first(world).phase_done


@rule("P3")
def test_work_progresses_while_moves_are_left(world):
    mason = unit(world, "mason")
    mason.activity = "Road"
    do("P3", world, mason)
    assert mason.activity_count > 0
    done, mason.moves = mason.activity_count, 0
    do("P3", world, mason)
    assert mason.activity_count == done


@rule("P4")
def test_working_unit_may_become_veteran(world):
    mason = unit(world, "mason")
    do("P4", world, mason)
    assert mason.veteran == 0
    mason.activity = "Road"
    do("P4", world, mason)
    assert mason.veteran == 1


@rule("P5")
def test_moves_are_restored(world):
    scout = unit(world, "scout")
    scout.moves, scout.done_moving = 0, True
    do("P5", world, scout)
    assert scout.moves == 2 * world.rules.parameters.move_fragments and not scout.done_moving


def two_at_work(world):
    tile = next(
        near
        for near in world.geometry.adjacent(town(world).tile)
        if not world.terrain[near].is_ocean and not world.extras[near]
    )
    pair = [unit(world, "mason", tile=tile) for _ in range(2)]
    for each in pair:
        each.activity, each.activity_target = "Road", world.rules.extra_by_name["track"].index
        each.activity_count = 1000
    return pair


@rule("P7a")
def test_units_that_did_the_same_work_become_idle(world):
    one, two = two_at_work(world)
    do("P7", world, one)
    assert (one.activity, two.activity) == ("Road", "Road")
    do("P7a", world, one)
    assert (one.activity, two.activity) == ("Idle", "Idle")


@rule("P7b")
def test_units_with_impossible_work_become_idle(world):
    one, two = two_at_work(world)
    do("P7", world, one)
    do("P7b", world, one)
    assert two.activity == "Idle" and not one.has_finished


@rule("P7c")
def test_fortifying_unit_is_fortified(world):
    spear = unit(world, "spear")
    spear.activity = "Fortifying"
    do("P7c", world, spear)
    assert spear.activity == "Fortifying"
    spear.activity_count = 1
    do("P7c", world, spear)
    assert spear.activity == "Fortified"


@rule("P8a")
def test_activity_is_remembered(world):
    mason = unit(world, "mason")
    mason.activity, mason.activity_count, mason.activity_target = "Mine", 7, 2
    do("P8a", world, mason)
    assert (mason.changed_from, mason.changed_from_count, mason.changed_from_target) == ("Mine", 7, 2)


@rule("P11")
def test_revolution_ends_in_its_turn(world):
    player = first(world)
    player.government, player.target_government = "strife", "crown"
    player.revolution_finishes = world.turn + 1
    do("P11", world, player)
    assert player.government == "strife"
    world.turn += 1
    do("P11", world, player)
    assert player.government == "crown"


# --- the end of a phase: players


@rule("E2b")
def test_tech_is_lost_only_by_players_who_just_got_research(world):
    player = first(world)
    learn(world, "fire")
    player.research.researching, player.research.bulbs = 2, -10_000
    do("E2b", world, player)
    assert player.research.techs == 2
    player.chose_tech = True
    do("E2b", world, player)
    assert player.research.techs == 1 and not player.chose_tech


@rule("E5")
def test_got_tech_is_reset(world):
    research = first(world).research
    research.got_tech = research.got_tech_multi = True
    do("E5", world, first(world))
    assert not research.got_tech and not research.got_tech_multi


@rule("E5c")
def test_parasite_effect_gives_a_widely_known_tech(world):
    for player in (1, 2, 3):
        learn(world, "fire", player=player)
    do("E5c", world, first(world))
    assert first(world).research.techs == 1
    stands(world, "far glass")
    do("E5c", world, first(world))
    assert first(world).research.known >> world.rules.tech_by_name["fire"].index & 1


@rule("E5d")
def test_upgrade_effect_upgrades_units(world):
    spear = next(each for each in first(world).units if each.type.name == "Spear")
    learn(world, "fire", "reckoning", "ropework", "smelting", "seafaring", "steam")
    do("E5d", world, first(world))
    assert spear.type.name == "Spear"
    stands(world, "great stair")
    do("E5d", world, first(world))
    assert spear.type.name == "Musket"


@rule("E9")
def test_treasury_is_remembered_before_the_cities(world):
    player = first(world)
    player.gold, player.bulbs_last_turn = 33, 9
    do("E9", world, player)
    assert (player.gold_before, player.bulbs_last_turn) == (33, 0)


@rule("E27")
def test_losing_a_third_of_the_treasury_warns(world):
    player = first(world)
    player.gold_before, player.gold = 90, 60
    do("E27", world, player)
    assert kinds(world) == []
    player.gold = 59
    do("E27", world, player)
    assert kinds(world) == ["low_on_funds"]


@rule("E27a")
def test_national_history_grows_under_a_crown(world):
    do("E27a", world, first(world))
    assert first(world).history == 0
    first(world).government = "crown"
    first(world).stamp += 1
    do("E27a", world, first(world))
    assert first(world).history == 1


@rule("E29")
def test_city_vision_follows_effects(world):
    world.known = [0] * world.geometry.tiles
    do("E29", world, first(world))
    seen = {tile for tile, known in enumerate(world.known) if known & 1}
    assert seen == {tile for tile, _ in world.geometry.circle(town(world).tile, 5)}


@rule("E30")
def test_dying_player_leaves(world):
    world.players[3].is_dying = True
    do("E30", world)
    assert not world.players[3].is_alive and not world.players[3].units


@rule("E31")
def test_effects_reveal_cities_or_the_map(world):
    far = town(world, 2).tile
    world.known[far] &= ~1
    do("E31", world, first(world))
    assert not world.known[far] & 1
    stands(world, "far glass")
    do("E31", world, first(world))
    assert world.known[far] & 1 and not all(known & 1 for known in world.known)
    stands(world, "launchpad")
    do("E31", world, first(world))
    assert all(known & 1 for known in world.known)


@rule("E32")
def test_contact_effect_gives_contact_with_everybody(world):
    do("E32", world, first(world))
    assert first(world).relations[2].contact_turns_left == 0
    stands(world, "far glass")
    do("E32", world, first(world))
    assert (
        first(world).relations[2].contact_turns_left == world.players[2].relations[0].contact_turns_left > 0
    )


# --- the end of a phase: cities


@rule("E9a")
def test_foreign_citizen_may_assimilate(world):
    city = town(world)
    city.size, city.citizens = 2, {0: 1, 1: 1}
    world.chance = Drawn(999)
    do("E9a", world, city)
    assert city.citizens == {0: 1, 1: 1}
    world.chance = Drawn(0)
    do("E9a", world, city)
    assert city.citizens == {0: 2, 1: 0}


@rule("E9b")
def test_route_to_a_missing_city_is_cancelled(world):
    town(world).routes = [TradeRoute(town(world, 1).id, "From", "Salt"), TradeRoute(9999, "From", "Salt")]
    do("E9b", world, town(world))
    assert [route.partner for route in town(world).routes] == [town(world, 1).id]


@rule("E10a")
def test_city_is_refreshed_after_its_mood_is_remembered(world):
    city = town(world)
    city.made, city.mood_before, city.has_built, city.counted_from = [99] * 6, (True, True), True, None
    do("E10a", world, city)
    assert city.made[SHIELD] < 99 and city.mood_before == (False, False) and not city.has_built


@rule("E10b")
def test_unit_upkeep_is_recalculated(world):
    for each in town(world).units:
        each.upkeep = [9] * 6
    do("E10b", world, town(world))
    assert all(each.upkeep[SHIELD] < 9 for each in town(world).units)


@rule("E10c")
def test_citizens_are_rearranged_only_if_their_land_changed(world):
    city = town(world)
    tile = next(iter(city.worked - {city.tile}))
    city.worked.discard(tile)
    world.worked[tile] = 0
    city.specialists[0] += 1
    do("E10c", world, city)
    assert city.specialists[0] == 1
    city.needs_arranging = True
    do("E10c", world, city)
    assert sum(city.specialists) == 0 and not city.needs_arranging


@rule("E10e")
def test_target_is_remembered(world):
    city = town(world)
    city.production, city.caravan_shields, city.disbanded_shields = building(world, "loft"), 3, 4
    do("E10e", world, city)
    assert (city.changed_from, city.caravan_shields, city.disbanded_shields) == (
        building(world, "loft"),
        0,
        0,
    )


@rule("E10f.2")
def test_target_becomes_its_replacement(world):
    city = town(world)
    city.production = building(world, "yard")
    do("E10f.2", world, city)
    assert city.production is building(world, "yard")
    learn(world, "steam")
    do("E10f.2", world, city)
    assert city.production is building(world, "drillground")


@rule("E10f.4")
def test_building_waits_for_its_shields(world):
    city = town(world)
    city.production, city.shield_stock = building(world, "loft"), 35
    assert do("E10f.4", world, city)
    city.shield_stock = 36
    assert not do("E10f.4", world, city)


@rule("E10f.5")
def test_small_wonder_leaves_its_old_city(world):
    other = cities.found(world, first(world), town(world, 0).tile + 3, "New", 99)
    other.production = building(world, "hearth")
    do("E10f.5", world, other)
    assert not town(world).has(building(world, "hearth"))


@rule("E10f.7")
def test_some_buildings_give_a_tech(world):
    city = town(world)
    first(world).research.researching = world.rules.tech_by_name["fire"].index
    city.production = building(world, "star dial")
    stands(world, "star dial")
    do("E10f.7", world, city)
    assert first(world).research.techs == 2


@pytest.mark.parametrize(
    "number",
    [
        pytest.param("E10f.8", marks=rule("E10f.8")),
        pytest.param("P10a", marks=rule("P10a")),
        pytest.param("E30a", marks=rule("E30a")),
    ],
)
def test_city_is_refreshed_after_building_and_before_sending(world, number):
    town(world).made, town(world).counted_from = [99] * 6, None
    do(number, world, town(world))
    assert town(world).made[SHIELD] < 99


@pytest.mark.parametrize(
    "number", [pytest.param("E10f.9", marks=rule("E10f.9")), pytest.param("E11.8", marks=rule("E11.8"))]
)
def test_worklist_gives_the_next_target(world, number):
    city = town(world)
    city.worklist = [building(world, "mill"), building(world, "shrine"), building(world, "loft")]
    do(number, world, city)
    assert city.production is building(world, "shrine")
    assert city.worklist == [building(world, "mill"), building(world, "loft")]


@rule("E11.1")
def test_obsolete_unit_is_upgraded_unless_something_was_bought(world):
    city = town(world)
    learn(world, "steam")
    city.production, city.did_buy = world.rules.unit_types["spear"], True
    do("E11.1", world, city)
    assert city.production.name == "Spear"
    city.did_buy = False
    do("E11.1", world, city)
    assert city.production.name == "Musket"


@rule("E11.2")
def test_impossible_unit_is_reported(world):
    city = town(world)
    city.production = world.rules.unit_types["rider"]
    assert do("E11.2", world, city) and kinds(world) == ["unit_cant_be_built"]
    learn(world, "ropework")
    assert not do("E11.2", world, city)


@rule("E11.3")
def test_unit_waits_for_its_shields(world):
    city = town(world)
    city.production, city.shield_stock = world.rules.unit_types["spear"], 11
    assert do("E11.3", world, city)
    city.shield_stock = 12
    assert not do("E11.3", world, city)


@rule("E11.5")
def test_city_remembers_that_it_built(world):
    town(world).turn_last_built = -5
    do("E11.5", world, town(world))
    assert town(world).turn_last_built == world.turn


@rule("E12")
def test_city_turn_ends_if_the_game_is_over(world):
    assert not do("E12", world, town(world))
    world.is_over = True
    assert do("E12", world, town(world))


@rule("E12a")
def test_city_history_grows_with_wonders(world):
    town(world).history = 0
    do("E12a", world, town(world))
    assert town(world).history == 1  # from the Hearth


@rule("E13")
def test_turns_of_celebration_are_counted(world):
    city = town(world)
    city.mood_before = (True, True)
    do("E13", world, city)
    do("E13", world, city)
    assert city.rapture == 2 and city.was_happy and kinds(world) == ["city_celebrates"]
    city.mood_before = (False, False)
    do("E13", world, city)
    assert city.rapture == 0


@rule("E14")
def test_plague_strikes_large_cities(world):
    city = town(world)
    do("E14", world, city)
    assert city.size == 1 and city.turn_plague == -1
    for _ in range(5):
        cities.grow(world, city)
    do("E14", world, city)
    assert city.size == 5 and city.turn_plague == world.turn


@rule("E15")
def test_food_surplus_goes_to_the_granary(world):
    town(world).food_stock, town(world).surplus[FOOD] = 3, 4
    do("E15", world, town(world))
    assert town(world).food_stock == 7


@rule("E17")
def test_border_follows_growth(world):
    city = town(world)
    city.size = 5
    before = world.owner.count(0)
    do("E17", world, city)
    assert world.owner.count(0) == before
    for tile, _ in world.geometry.circle(city.tile, 20):
        world.known[tile] |= 1
    city.has_grown = True
    do("E17", world, city)
    assert world.owner.count(0) > before and not city.has_grown


@rule("E19")
def test_buy_sell_and_airlift_counters_are_cleared(world):
    city = town(world)
    city.did_buy = city.did_sell = True
    city.airlift = 5
    do("E19", world, city)
    assert (city.did_buy, city.did_sell, city.airlift) == (False, False, 0)


@rule("E20")
def test_bulbs_go_to_the_owner(world):
    town(world).made[SCIENCE] = 8
    before = first(world).research.bulbs
    do("E20", world, town(world))
    assert first(world).research.bulbs == before + 8


@rule("E22")
def test_turns_of_disorder_are_counted(world):
    city = town(world)
    city.happy, city.unhappy = 0, 1
    do("E22", world, city)
    do("E22", world, city)
    assert city.anarchy == 2
    city.unhappy = 0
    do("E22", world, city)
    assert city.anarchy == 0


@rule("E25")
def test_city_is_refreshed_a_last_time(world):
    town(world).surplus[LUXURY], town(world).counted_from = 77, None
    do("E25", world, town(world))
    assert town(world).surplus[LUXURY] != 77


@pytest.mark.parametrize(
    "number", [pytest.param("P10a", marks=rule("P10a")), pytest.param("E30a", marks=rule("E30a"))]
)
def test_cities_are_refreshed_before_sending(world, number):
    town(world).surplus[LUXURY], town(world).counted_from = 77, None
    do(number, world, town(world))
    assert town(world).surplus[LUXURY] != 77


@rule("E26a")
def test_homes_of_units_on_changed_land_are_refreshed(world):
    town(world).surplus[LUXURY], town(world).counted_from = 77, None
    do("E26a", world, first(world))
    assert town(world).surplus[LUXURY] == 77
    town(world).needs_counting = True
    do("E26a", world, first(world))
    assert town(world).surplus[LUXURY] != 77


# --- the end of a turn, and of the game


@rule("N3")
def test_barbarians_land_only_after_their_onset(world):
    def landed():
        return bool(world.players[4].units or world.players[5].units)

    world.chance = seeded(5)
    for _ in range(400):
        do("N3", world)
    assert not landed()
    world.turn = 40
    tries = iter(range(5000))
    while not landed() and next(tries, None) is not None:
        do("N3", world)
    assert landed() and "uprising" in kinds(world)


@rule("N4")
def test_citizen_migrates_to_a_much_better_city(world):
    capital = town(world)
    near = next(
        tile
        for tile in world.geometry.square(capital.tile, 2)[9:]
        if not world.terrain[tile].is_ocean and tile not in world.city_at
    )
    small = cities.found(world, first(world), near, "Small", 99)
    cities.grow(world, small)
    for _ in range(4):
        cities.grow(world, capital)
    small.turn_founded, capital.happy, capital.surplus[FOOD] = world.turn - 5, 20, 5
    do("N4", world)
    assert (small.size, capital.size) == (1, 6) and "migration" in kinds(world)


@rule("N5")
def test_disaster_strikes_if_its_requirements_hold(world):
    city = town(world)
    cities.grow(world, city)
    world.settings["disasters"] = 0
    do("N5", world)
    assert city.size == 2
    world.settings["disasters"] = 1000
    do("N5", world)
    assert city.size == 1 and "disaster" in kinds(world)


@rule("N8")
def test_armistice_becomes_peace_and_cease_fire_becomes_war(world):
    one, other = first(world), world.players[1]
    for mine, state, left in ((one.relations[1], "Armistice", 1), (one.relations[2], "Cease-fire", 1)):
        mine.state, mine.turns_left, mine.first_contact_turn = state, left, -1
    do("N8", world)
    assert (one.relations[1].state, one.relations[2].state) == ("Peace", "War")
    assert other.relations[0].state == "Never met"


@rule("N9")
def test_historians_report_from_time_to_time(world):
    world.score_turn = world.turn + 1
    do("N9", world)
    assert kinds(world) == []
    world.score_turn = world.turn
    do("N9", world)
    assert kinds(world) == ["history_report"] and world.score_turn >= world.turn + 20


@rule("N11")
def test_old_vote_fails(world):
    world.motion = Motion(0, 0, 2, yes=1)
    do("N11", world)
    assert world.motion.turns_left == 1 and kinds(world) == []
    do("N11", world)
    assert world.motion is None and kinds(world) == ["vote_failed"]


@rule("G2")
def test_final_scores_are_counted(world):
    first(world).score.clear()
    do("G2", world, first(world))
    assert first(world).score["total"] >= 1


@rule("G3")
def test_every_player_sees_the_map_when_the_game_is_over(world):
    do("G3", world)
    assert all(known >> player & 1 for known in world.known for player in world.players)


def test_phase_modes_have_the_servers_names():
    assert set(setup.PHASE_MODES.values()) == {calendar.CONCURRENT, calendar.BY_PLAYER, calendar.BY_TEAM}


def test_granary_of_our_ruleset_grows(world):
    assert granary_size(world, 1) < granary_size(world, 5)
