"""Where citizens work and migrate, and when distant changes refresh a city."""

import pytest

from endturn.games.empires import setup
from endturn.games.empires.rules import borders, cities, migration, units
from endturn.games.empires.rules import refresh as refreshing
from endturn.games.empires.rules.refresh import refresh
from endturn.games.empires.rules.research import learn
from endturn.games.empires.rules.workers import (
    Goal,
    PlaceKind,
    Search,
    by_depth,
    by_estimate,
    goals,
    merge_sorted,
)
from endturn.games.empires.ruleset import FOOD, OUTPUTS
from games.empires.island import island


@pytest.fixture
def world():
    return setup.new_world(setup.Settings(), 7)


def best_of_all(search):
    """The most that any placement of two citizens is worth."""
    worths = []
    for one in range(len(search.kinds)):
        for other in range(one, len(search.kinds)):
            search._move(one, 1)
            search._move(other, 1)
            search.best = None
            if all(count <= room for count, room in zip(search.counts, search.rooms, strict=True)):
                search.judge()
                worths += [search.best.worth] if search.best.is_enough else []
            search._move(other, -1)
            search._move(one, -1)
    return max(worths, default=None)


@pytest.mark.parametrize("food", [0, 5, 10, 40])
def test_search_finds_the_best_placement_if_nobody_is_angry(food):
    world = island({"food_stock": food})
    search = Search(world, world.cities[10])
    for goal in goals(world, world.cities[10]):
        found = search.solve(goal)
        assert (found and found.worth) == best_of_all(search)


def test_riot_prunes_branches_without_more_luxury():
    world = island()
    search = Search(world, world.cities[10])
    search.pressed = search.pressed._replace(military=2, content_by_size=2)
    search.content = 2
    goal = Goal((-(10**9),) * len(OUTPUTS), (2, 1, 0, 2, 0, 2), 0, True)
    found = search.solve(goal)
    assert found.worth < best_of_all(search)  # specialists would do better, but are no longer tried
    assert search.solve(goal).counts == found.counts


def test_kinds_that_are_never_needed_are_not_tried():
    world = island()
    search = Search(world, world.cities[10])
    assert all(kind.depth < world.cities[10].size for kind in search.found)
    assert all(any(a > b for a, b in zip(better.yields, kind.yields, strict=True))
               for kind in search.found for better in kind.better)  # fmt: skip


def test_shallower_kind_comes_first_if_estimates_are_close():
    shallow, deep = PlaceKind((1, 0, 0), [], -1, 1, 0, 10.0), PlaceKind((2, 0, 0), [], -1, 1, 3, 10.4)
    high = PlaceKind((0, 0, 0), [], -1, 1, 9, 11.0)
    assert merge_sorted([deep, shallow, high], by_estimate) == [high, shallow, deep]
    assert by_depth(PlaceKind((1, 2), [], -1, 1), PlaceKind((1, 3), [], -1, 1)) > 0


def test_border_moving_over_a_unit_refreshes_its_home(world):
    player = world.players[0]
    home = player.cities[0]
    tile = next(t for t, _ in world.geometry.circle(home.tile, 4) if world.owner[t] == 0 and t != home.tile)
    units.create(world, player, world.rules.unit_types["spear"], tile, 0, home)
    world.owner[tile] = world.source[tile] = 1
    home.content = 99
    borders.claim_border(world, home.tile)
    assert home.needs_counting and world.owner[tile] == 0
    cities.update_borders(world)
    assert not home.needs_counting and home.content < 99


@pytest.fixture
def two(world):
    """Two cities of one player near each other, the second a small one."""
    player = world.players[0]
    large = player.cities[0]
    circle = world.geometry.circle(large.tile, 9)
    tile = next(
        t for t, squared in circle if squared > 2 and not world.terrain[t].is_ocean and t not in world.city_at
    )
    small = cities.found(world, player, tile, "Small", 99)
    for city, size in ((large, 3), (small, 2)):
        while city.size < size:
            cities.grow(world, city)
    return large, small


def test_n4_migrant_halves_the_granary_and_keeps_its_nationality(world, two):
    large, small = two
    small.food_stock, small.citizens = 9, {0: 1, 1: 1}
    large.surplus[FOOD] = 5
    small.owner, before = world.players[0], large.size
    migration.move_citizen(world, small, large)
    assert (small.size, small.food_stock, large.size) == (1, 4, before + 1)
    assert small.citizens[0] == 0 and small.citizens[1] == 1


def test_n4_nobody_moves_to_a_city_without_food(world, two):
    large, small = two
    large.surplus[FOOD] = -20
    migration.move_citizen(world, small, large)
    assert (small.size, large.size) == (2, 3)


def test_n4_abandoned_city_leaves_its_units_to_the_nearest(world, two):
    large, small = two
    cities.shrink(world, small)
    guard = units.create(world, small.owner, world.rules.unit_types["spear"], small.tile, 0, small)
    large.surplus[FOOD] = 5
    migration.move_citizen(world, small, large)
    assert small.id not in world.cities and guard.home is large and large.size == 4


def test_n4_attraction_of_a_city_is_computed_once_a_turn(world, two):
    large, small = two
    scores = {}
    first = migration._noted(world, large, scores)
    cities.grow(world, large)
    assert migration._noted(world, large, scores) == first != migration.score(world, large)


def test_n4_distance_counts_by_the_radius_of_the_target(world, two):
    large, small = two
    small.radius_sq = 0
    assert migration._worth(world, large, small, {}) == 0 < migration._worth(world, small, large, {})


def counted(city):
    return [
        city.made,
        city.waste,
        city.usage,
        city.surplus,
        city.happy,
        city.content,
        city.unhappy,
        city.pollution,
    ]


CHANGES = {
    "size": lambda world, city: cities.resize(world, city, city.size + 1),
    "specialists": lambda world, city: city.specialists.__setitem__(1, 2),
    "rates": lambda world, city: setattr(city.owner, "luxury", 100),
    "land": lambda world, city: world.extras.__setitem__(17, world.rules.extra_by_name["ditch"].bit),
    "worked": lambda world, city: city.worked.discard(17),
    "building": lambda world, city: cities.add_building(world, city, world.rules.building_by_name["tower"]),
    "units": lambda world, city: units.create(
        world, city.owner, world.rules.unit_types["digger"], 23, 0, city
    ),
    "government": lambda world, city: setattr(city.owner, "government", "tumult"),
    "tech": lambda world, city: learn(world, city.owner, world.rules.tech_by_name["song"].index),
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_relevant_change_refreshes_the_city(change):
    world = island({"size": 3, "nspe0": 1})
    city = world.cities[10]
    CHANGES[change](world, city)
    refresh(world, city)
    found = counted(city)
    city.counted_from = None
    city.known.clear()
    city.owner.filtered.clear()
    refresh(world, city)
    assert counted(city) == found


def test_unchanged_city_is_not_refreshed(monkeypatch):
    world = island()
    monkeypatch.setattr(refreshing, "count", lambda world, city: pytest.fail("counted again"))
    refresh(world, world.cities[10])


def test_building_clears_caches_only_as_far_as_effects_reach(world):
    city, reach = world.players[0].cities[0], world.rules.far_reaching
    for building in world.rules.buildings:
        before = city.owner.stamp, world.stamp
        cities.add_building(world, city, building)
        moved = city.owner.stamp - before[0], world.stamp - before[1]
        assert moved == (bool(reach["owner"] & building.bit), bool(reach["world"] & building.bit))
    assert 0 < reach["owner"].bit_count() < len(world.rules.buildings)
