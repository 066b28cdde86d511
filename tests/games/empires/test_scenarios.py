"""Worlds of our own for what no golden save contains: errands, spaceships, achievements, pollution, fuel, the end."""

import pytest

from endturn.games.empires import setup
from endturn.games.empires.rules import (
    achievements,
    barbarians,
    cities,
    environment,
    errands,
    movement,
    sequence,
    sight,
    spaceship,
    treasury,
    units,
    unrest,
    victory,
)
from endturn.games.empires.rules.research import give_immediate_techs, leaked, researchable
from endturn.games.empires.rules.research import knows as knows_tech
from endturn.games.empires.ruleset import GOLD, SHIELD, Disaster

rule = pytest.mark.rule


@pytest.fixture
def world():
    return setup.new_world(setup.Settings(peoples=4), 7)


def first(world):
    return world.players[0]


def unit(world, name, player=0, tile=None):
    owner = world.players[player]
    kind = world.rules.unit_types[name]
    return units.create(
        world, owner, kind, owner.cities[0].tile if tile is None else tile, 0, owner.cities[0]
    )


def knows(world, player=0):
    return sum(known >> player & 1 for known in world.known)


def beside(world, tile, wanted):
    return next(near for near in world.geometry.adjacent(tile) if wanted(near))


def open_land(world, tile):
    return next(near for near in world.geometry.adjacent(tile) if not world.terrain[near].is_ocean)


# --- P6, P8, E5a: errands


@rule("P6")
def test_p6_explorer_goes_to_the_nearest_unknown_until_out_of_moves(world):
    scout, before = unit(world, "scout"), knows(world)
    scout.activity = "Explore"
    for _ in range(3):
        scout.moves = units.moves_of(world, scout)
        errands.explore(world, scout)
        assert scout.moves == 0
    assert knows(world) > before and scout.tile != first(world).cities[0].tile


def test_p6_explorer_without_a_goal_becomes_idle(world):
    scout = unit(world, "scout")
    scout.activity, world.known = "Explore", [1] * world.geometry.tiles
    errands.explore(world, scout)
    assert scout.activity == "Idle" and scout.tile == first(world).cities[0].tile


def test_p6_other_units_do_not_explore(world):
    scout = unit(world, "scout")
    errands.explore(world, scout)
    assert not scout.moved


@rule("P8")
def test_p8_orders_continue_until_out_of_moves(world):
    spear = unit(world, "spear")
    home, there = spear.tile, open_land(world, spear.tile)
    spear.orders = [{"do": "go", "tile": there}, {"do": "go", "tile": home}, {"do": "Fortifying"}]
    errands.execute_orders(world, first(world))
    assert spear.tile == there and len(spear.orders) == 2
    spear.moves = 3
    errands.execute_orders(world, first(world))
    assert spear.tile == home and spear.activity == "Fortifying" and spear.orders == []


def test_p8_blocked_unit_drops_its_orders(world):
    spear = unit(world, "spear")
    there = open_land(world, spear.tile)
    unit(world, "spear", player=1, tile=there)
    spear.orders = [{"do": "go", "tile": there}, {"do": "Sentry"}]
    errands.execute_orders(world, first(world))
    assert spear.orders == [] and not spear.moved and spear.activity == "Idle"


@pytest.mark.parametrize("vigilant", [True, False])
def test_p8_vigilant_unit_stops_if_it_sees_an_enemy(world, vigilant):
    rider = unit(world, "rider")
    first(world).relations[1].state = "War"
    there = open_land(world, rider.tile)
    unit(world, "spear", player=1, tile=there)
    back = beside(world, rider.tile, lambda tile: tile != there and movement.may_enter(world, rider, tile))
    rider.orders = [{"do": "go", "tile": back, "vigilant": vigilant}]
    errands.execute_orders(world, first(world))
    assert rider.moved is not vigilant and rider.orders == []


def test_p8_order_to_wait_ends_with_the_turn(world):
    spear = unit(world, "spear")
    spear.orders = [{"do": "wait"}, {"do": "Sentry"}]
    errands.execute_orders(world, first(world))
    assert spear.activity == "Idle"
    errands.execute_orders(world, first(world))
    assert spear.activity == "Sentry"


def test_boat_carries_cargo_and_reveals_tiles(world):
    sea = next(t for t, land in enumerate(world.terrain) if land.name == "Deep")
    boat, spear = unit(world, "cog", tile=sea), unit(world, "spear", tile=sea)
    spear.transport = boat.id
    there = beside(world, sea, lambda tile: world.terrain[tile].is_ocean)
    assert movement.go(world, boat, there)
    assert (boat.tile, spear.tile) == (there, there) and world.known[there] & 1
    assert not movement.may_enter(world, spear, sea)


@rule("E5a")
def test_e5a_auto_worker_improves_a_worked_tile(world):
    mason = next(each for each in first(world).units if each.type.name == "Mason")
    mason.is_auto, mason.moves = True, 30
    errands.auto_workers(world, first(world))
    assert mason.activity in ("Irrigate", "Mine", "Road") and mason.tile in first(world).cities[0].worked
    extra = world.rules.extras[mason.activity_target]
    for _ in range(10):
        sequence.turn_change(world)
    assert any(each & extra.bit for each in world.extras)


def test_e5a_auto_worker_cleans_first_and_other_workers_rest(world):
    grime = world.rules.extra_by_name["grime"].bit
    worked = next(iter(first(world).cities[0].worked - {first(world).cities[0].tile}))
    world.extras[worked] |= grime
    mason = next(each for each in first(world).units if each.type.name == "Mason")
    errands.auto_workers(world, first(world))
    assert mason.activity == "Idle"
    mason.is_auto, mason.moves = True, 30
    for tile in first(world).cities[0].worked - {worked}:
        world.worked[tile] = 0
    errands.auto_workers(world, first(world))
    assert (mason.activity, mason.tile) == ("Pollution", worked)


# --- T3 and ruins


@rule("T3")
def test_t3_changed_fog_setting_applies_from_the_next_turn(world):
    world.settings["fogofwar"] = False
    assert world.has_fog
    sight.apply_fog(world)
    assert not world.has_fog and world.events[-1].kind == "fog_changed"
    world.events.clear()
    sight.apply_fog(world)
    assert world.events == []


def test_destroyed_city_leaves_ruins(world):
    city = first(world).cities[0]
    cities.destroy(world, city, "disaster")
    assert world.extras[city.tile] & world.rules.extra_by_name["rubble"].bit


# --- E8: spaceships


def ready_ship(world):
    first(world).spaceship = {"structurals": 1, "components": 2, "modules": 3}
    spaceship.place_parts(world, first(world))
    return first(world).spaceship


@rule("E8")
def test_e8_parts_are_placed_where_fewest_are(world):
    ship = ready_ship(world)
    assert (ship["fuel"], ship["propulsion"]) == (1, 1)
    assert ship["habitation"] == ship["life_support"] == ship["solar_panels"] == 1
    ship["components"] = 3
    spaceship.place_parts(world, first(world))
    assert ship["fuel"] + ship["propulsion"] == 3


def test_incomplete_spaceship_cannot_be_launched(world):
    first(world).spaceship = {"structurals": 1, "components": 1, "modules": 3}
    spaceship.place_parts(world, first(world))
    assert not spaceship.may_launch(first(world))
    ready_ship(world)
    assert spaceship.may_launch(first(world))


@rule("N16")
def test_n16_arrived_spaceship_wins(world):
    ready_ship(world)
    spaceship.launch(world, first(world))
    victory.check(world)
    assert not world.is_over
    world.year = first(world).spaceship["arrival_year"]
    victory.check(world)
    assert world.is_over and world.winners == [0]


def test_losing_the_capital_loses_the_spaceship(world):
    ready_ship(world)
    cities.destroy(world, first(world).cities[0], "disaster")
    assert first(world).spaceship == {}


# --- achievements


@rule("N11a")
def test_achievement_is_noted_for_first_and_later_players(world):
    first(world).spaceship = {"state": spaceship.LAUNCHED}
    achievements.note(world)
    world.players[1].spaceship = {"state": spaceship.LAUNCHED}
    history = first(world).history
    achievements.note(world)
    assert first(world).achievements["Starfarers"] and not world.players[1].achievements["Starfarers"]
    assert first(world).history == history == 200


def test_unique_achievement_goes_to_one_player(world):
    for player in (0, 1):
        world.players[player].cities[0].size = 9
    achievements.note(world)
    achievements.note(world)
    assert sum("Great Town" in player.achievements for player in world.players.values()) == 1


@pytest.mark.parametrize(
    "name, change",
    [
        ("Cartographers", lambda world: setattr(world, "known", [1] * world.geometry.tiles)),
        ("Seafarers", lambda world: setattr(world, "known", [1] * world.geometry.tiles)),
        ("Many Tongues", lambda world: first(world).cities[0].citizens.update({1: 1})),
        ("Readers", lambda world: first(world).score.update(literacy=60, population=100)),
    ],
)
def test_achievements_are_measured(world, name, change):
    achievements.note(world)
    assert name not in first(world).achievements
    change(world)
    achievements.note(world)
    assert name in first(world).achievements


# --- pollution, climate, fuel, hit points, upkeep


@rule("E23")
def test_e23_pollution_appears_on_clean_tiles_near_the_city(world):
    city, grime = first(world).cities[0], world.rules.extra_by_name["grime"].bit
    near = {tile for tile, _ in world.geometry.circle(city.tile, city.radius_sq)}
    city.pollution = 100
    for count in range(1, 4):
        unrest.pollute(world, city)
        fouled = {tile for tile, extras in enumerate(world.extras) if extras & grime}
        assert len(fouled) == count and fouled <= near
        assert not any(world.terrain[tile].is_ocean for tile in fouled)
    city.pollution = 0
    unrest.pollute(world, city)
    assert sum(bool(extras & grime) for extras in world.extras) == 3


@rule("N6")
@rule("N7")
@pytest.mark.parametrize("name, upset, step", [("grime", "warming", "warm"), ("ash", "winter", "cool")])
def test_n6_n7_climate_changes_with_enough_pollution(world, name, upset, step):
    getattr(environment, step)(world)
    assert getattr(world, upset).accumulated == 0
    before = list(world.terrain)
    land = [tile for tile, terrain in enumerate(world.terrain) if not terrain.is_ocean]
    for tile in land:
        world.extras[tile] |= world.rules.extra_by_name[name].bit
    getattr(environment, step)(world)
    changed = [tile for tile in land if world.terrain[tile] is not before[tile]]
    assert changed and getattr(world, upset).level > setup.SPREAD_LEVEL
    results = ("warmer_wetter", "warmer_drier") if upset == "warming" else ("cooler_wetter", "cooler_drier")
    for tile in changed[:5]:
        assert world.terrain[tile].name in [w.results[r] for w in world.rules.terrains for r in results]


@rule("N7a")
def test_n7a_extras_appear_and_disappear(world):
    mist = world.rules.extra_by_name["mist"].bit
    for _ in range(60):
        environment.change_extras(world)
        misty = [tile for tile, extras in enumerate(world.extras) if extras & mist]
        assert all(world.terrain[tile].name == "Fen" for tile in misty)
        if misty:
            break
    assert misty
    for tile in misty:
        world.terrain[tile] = world.rules.terrain_by_name["meadow"]
    world.rules.extra_by_name["mist"].appearance_chance, kept = (
        0,
        world.rules.extra_by_name["mist"].appearance_chance,
    )
    for _ in range(40):
        environment.change_extras(world)
    world.rules.extra_by_name["mist"].appearance_chance = kept
    assert not any(extras & mist for extras in world.extras)


def far_from_home(world):
    home = first(world).cities[0].tile
    return max(range(world.geometry.tiles), key=lambda tile: world.geometry.distance(home, tile))


@rule("E7")
def test_e7_aircraft_crashes_without_fuel_and_refuels_in_a_city(world):
    away, home = unit(world, "kite", tile=far_from_home(world)), unit(world, "kite")
    away.fuel = home.fuel = 1
    units.use_fuel(world, first(world))
    assert away.id not in world.units and home.fuel == home.type.fuel
    assert first(world).units_lost == 1


def test_e7_airstrip_refuels(world):
    kite = unit(world, "kite", tile=far_from_home(world))
    world.extras[kite.tile] |= world.rules.extra_by_name["airstrip"].bit
    kite.fuel = 1
    units.use_fuel(world, first(world))
    assert kite.fuel == kite.type.fuel


@rule("E6c")
def test_e6c_aircraft_low_on_fuel_flies_to_a_city_within_reach(world):
    near = world.geometry.square(first(world).cities[0].tile, 2)[-1]
    kite, far = unit(world, "kite", tile=near), unit(world, "kite", tile=far_from_home(world))
    for each in kite, far:
        each.fuel, each.moves = 1, 9
        units.seek_refuge(world, each)
    assert kite.tile == first(world).cities[0].tile and far.tile == far_from_home(world)


@rule("E6b")
def test_e6a_some_classes_lose_hit_points_outside_cities_and_die(world):
    away, home = unit(world, "kite", tile=far_from_home(world)), unit(world, "kite")
    for each in away, home:
        each.moved = True
        units.restore_hitpoints(world, each)
    assert (away.hp, home.hp) == (9, 10)
    away.hp, away.moved = 1, True
    units.restore_hitpoints(world, away)
    units.die_without_hitpoints(world, away)
    assert away.id not in world.units


@rule("E26")
def test_e26_style_nation_alternates_selling_units_and_buildings():
    world = setup.new_world(setup.Settings(upkeep=setup.Upkeep.NATION), 7)
    player, city = first(world), first(world).cities[0]
    kites = [unit(world, "kite") for _ in range(2)]
    for name in ("loft", "shrine"):
        cities.add_building(world, city, world.rules.building_by_name[name])
    for kite in kites:
        kite.upkeep[3] = kite.paid_gold = 2
    player.gold = -3
    treasury.collect(world, city)
    assert len(player.units) == 6 and player.gold < 0  # the city itself sells nothing
    player.gold = -3
    treasury.balance(world, player)
    assert sum(kite.id in world.units for kite in kites) == 1
    assert sum(city.has(world.rules.building_by_name[name]) for name in ("loft", "shrine")) == 1
    assert player.gold > 0


def test_e10d_unpaid_units_are_disbanded(world):
    city = first(world).cities[0]
    for _ in range(9):
        unit(world, "spear")
    before = len(first(world).units)
    sequence.turn_change(world)
    assert len(first(world).units) < before and city.surplus[SHIELD] >= 0


# --- the end


@rule("P14")
def test_p14_player_without_city_and_unit_dies(world):
    for each in list(first(world).units):
        units.remove(world, each)
    cities.destroy(world, first(world).cities[0], "disaster")
    victory.kill_dying(world)
    assert not first(world).is_alive
    assert world.events[-1].kind == "player_died"


def test_n16_last_side_wins_and_dead_players_rank_last(world):
    for number in (0, 1, 2):
        victory.kill(world, world.players[number])
    victory.check(world)
    assert world.is_over and world.winners == [3]
    assert victory.ranking(world) == {0: 2, 1: 2, 2: 2, 3: 1}


def test_n16_allies_win_together_if_the_setting_allows(world):
    for one in world.players.values():
        for relation in one.relations.values():
            relation.state = "Alliance"
    world.settings["victories"] = ""
    victory.check(world)
    assert not world.is_over
    world.settings["victories"] = "ALLIED"
    victory.check(world)
    assert world.winners == [0, 1, 2, 3]


def test_n16_best_score_wins_after_the_last_turn(world):
    for number, total in enumerate((5, 9, 9, 2)):
        world.players[number].score["total"] = total
    world.turn = world.settings["endturn"] + 1
    victory.check(world)
    assert world.winners == [1, 2]
    assert victory.ranking(world) == {0: 3, 1: 1, 2: 1, 3: 4}


# --- E28, N3, N5: what fresh sequences of the real server have shown


def test_e28_dead_players_do_not_affect_tech_leakage(world, monkeypatch):
    research, tech = first(world).research, 3
    monkeypatch.setattr(world.rules.parameters, "tech_leakage", "Players")
    world.players[1].research.known |= 1 << tech
    before = leaked(world, research, tech, 100.0)
    world.players[2].is_alive = False
    assert leaked(world, research, tech, 100.0) == pytest.approx(before * 4 / 3)
    world.players[1].is_alive = False
    assert leaked(world, research, tech, 100.0) == 0


def test_e10f_single_cheapest_tech_is_not_drawn(world, monkeypatch):
    cheap, *others = researchable(world, first(world).research)
    monkeypatch.setattr(world.rules.parameters, "free_tech_method", "Cheapest")
    monkeypatch.setattr(world.rules.parameters, "tech_cost_style", "Classic+ Preset")
    monkeypatch.setattr(cheap, "cost", 10)
    for tech in others:
        monkeypatch.setattr(tech, "cost", 90)
    world.chance.draws.clear()
    give_immediate_techs(world, first(world), 1)
    assert knows_tech(first(world).research, cheap.index)
    assert [draw for draw in world.chance.draws if draw.purpose == "cheapest tech"] == []


def test_n3_returning_barbarians_are_poor_and_draw_a_name(world):
    pirates = world.players[3]
    pirates.barbarian, pirates.is_alive, pirates.gold = "Land", False, 700
    spot = open_land(world, first(world).cities[0].tile)
    barbarians.land(world, spot, first(world).cities[0], 2)
    assert pirates.is_alive and pirates.gold == barbarians.BOOTY
    assert world.chance.draws[0].purpose == "barbarian leader's name"


def test_n5_losing_a_building_refreshes_the_city(world):
    city = first(world).cities[0]
    building = next(each for each in world.rules.buildings if each.is_improvement and each.upkeep)
    cities.add_building(world, city, building)
    cities.refresh_and_arrange(world, city)
    paid = city.usage[GOLD]
    environment.strike(world, city, Disaster("Flood", (), 1, frozenset({"DestroyBuilding"})))
    assert not city.has(building) and city.usage[GOLD] < paid


def test_t2a_valuable_cargo_of_a_lost_boat_is_rescued(world, monkeypatch):
    sea = next(t for t, kind in enumerate(world.terrain) if kind.is_ocean and t not in world.units_at)
    boat = unit(world, "cog", tile=sea)
    scout, spear = unit(world, "scout", tile=sea), unit(world, "spear", tile=sea)
    scout.transport = spear.transport = boat.id
    monkeypatch.setattr(scout.type, "flags", scout.type.flags | {"EvacuateFirst"})
    units.remove(world, boat)
    assert scout.tile == first(world).cities[0].tile and scout.moved and scout.transport == -1
    assert spear.id not in world.units
