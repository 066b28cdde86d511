"""Tests the setup of Catastrophe: symmetry, food, structures, road and first units."""

from collections import Counter
from functools import cache
from math import ceil, hypot

import pytest

from endturn.engine import record
from endturn.games.catastrophe import game
from endturn.games.catastrophe.state import NOBODY, NONE, Job, Structure
from endturn.mechanisms.grid import chebyshev

rule = pytest.mark.rule
WIDTH, HEIGHT, TILES = 26, 18, 468
SEEDS = range(60)


@cache
def world(seed):
    return game.rules.setup(game.configure(), seed)


def western(seed, wanted):
    return [t for t in range(TILES) if t % WIDTH < WIDTH // 2 and wanted(world(seed), t)]


@rule("M2")
@pytest.mark.parametrize("seed", range(10))
def test_map_is_symmetric_with_owners_exchanged(seed):
    w = world(seed)
    for tile in range(TILES):
        there = TILES - 1 - tile
        assert w.harvest_rate[tile] == w.harvest_rate[there]
        assert w.structure[tile] == w.structure[there]
        assert w.structure_materials[tile] == w.structure_materials[there]
        assert w.structure_owner[tile] == {0: 1, 1: 0, NOBODY: NOBODY}[w.structure_owner[there]]
        one, other = w.unit_on[tile], w.unit_on[there]
        assert (one == NONE) == (other == NONE)
        if one != NONE:
            assert w.job[one] == w.job[other] and w.owner[one] == 1 - w.owner[other]


@rule("M3")
def test_food_is_denser_toward_the_centre():
    counts = Counter()
    for seed in SEEDS:
        for tile in western(seed, lambda w, t: w.harvest_rate[t] > 0):
            counts[tile % WIDTH // 4, "middle" if 4 <= tile // WIDTH <= 13 else "edge"] += 1
    inner, outer = counts[2, "middle"], counts[0, "edge"]
    assert inner > 3 * outer > 0


@rule("M3")
def test_harvest_rate_follows_the_distance_to_the_centre():
    rates = set()
    for seed in SEEDS:
        for tile in western(seed, lambda w, t: w.harvest_rate[t] > 0):
            away = hypot(tile % WIDTH - WIDTH / 2, tile // WIDTH - HEIGHT / 2) / hypot(WIDTH / 2, HEIGHT / 2)
            assert world(seed).harvest_rate[tile] == 30 + ceil(120 * (1 - away))
            rates.add(world(seed).harvest_rate[tile])
    assert min(rates) < 45 and max(rates) > 125


@rule("M3")
def test_share_of_tiles_with_food_is_as_expected():
    expected = sum(
        0.01 + 0.09 * ((13 - abs(x - 13)) ** 2 + (9 - abs(y - 9)) ** 2) / (13**2 + 9**2)
        for x in range(13)
        for y in range(HEIGHT)
        if y not in (8, 9)
    )
    found = sum(len(western(seed, lambda w, t: w.harvest_rate[t] > 0)) for seed in SEEDS) / len(SEEDS)
    assert abs(found - expected) < 1


@rule("M4")
def test_one_remaining_tile_in_forty_has_a_neutral_structure():
    neutral = sum(len(western(seed, lambda w, t: w.structure[t] == Structure.NEUTRAL)) for seed in SEEDS)
    food = sum(len(western(seed, lambda w, t: w.harvest_rate[t] > 0)) for seed in SEEDS)
    left = len(SEEDS) * 13 * 16 - food
    assert 0.02 < neutral / left < 0.03
    assert all(
        world(seed).structure_owner[t] == NOBODY and world(seed).harvest_rate[t] == 0
        for seed in SEEDS
        for t in western(seed, lambda w, t: w.structure[t] == Structure.NEUTRAL)
    )


@rule("M5")
@pytest.mark.parametrize("seed", SEEDS)
def test_overlord_in_its_shelter_starts_with_three_humans_around(seed):
    w = world(seed)
    own = [u for u in range(w.unit_count) if w.owner[u] == 0]
    home = w.tile[w.overlord[0]]
    assert sorted(w.job[u] for u in own) == [Job.FRESH_HUMAN] * 3 + [Job.CAT_OVERLORD]
    assert (w.structure[home], w.structure_owner[home]) == (Structure.SHELTER, 0)
    assert home % WIDTH <= 6 and not 7 <= home // WIDTH <= 11
    assert all(w.tile[u] % WIDTH < 13 and w.harvest_rate[w.tile[u]] == 0 for u in own)
    free_around = sum(
        w.structure[t] == Structure.NOTHING and w.harvest_rate[t] == 0
        for t in range(TILES)
        if chebyshev(t, home, WIDTH) == 1
    )
    beside = sum(chebyshev(w.tile[u], home, WIDTH) == 1 for u in own)
    assert beside == min(3, free_around)
    assert w.unit_count == 8


@rule("M5")
def test_overlords_start_in_many_rows():
    assert len({world(seed).tile[0] // WIDTH for seed in SEEDS}) > 6


@rule("M5")
@rule("U1")
def test_stores_start_with_100_food_before_upkeep():
    assert list(world(1).store) == [97, 100]
    late = game.rules.setup(game.configure(values={"upkeep_first": False}), 1)
    assert list(late.store) == [100, 100]


@rule("M6")
@pytest.mark.parametrize(
    "structure, materials", [(Structure.NEUTRAL, 200), (Structure.SHELTER, 50), (Structure.ROAD, 0)]
)
def test_structures_on_the_map_have_their_materials(structure, materials):
    w = world(3)
    found = {w.structure_materials[t] for t in range(TILES) if w.structure[t] == structure}
    assert found == {materials}


@rule("M8")
def test_road_is_exactly_the_two_middle_rows():
    for seed in range(5):
        road = {t for t in range(TILES) if world(seed).structure[t] == Structure.ROAD}
        assert road == {t for t in range(TILES) if t // WIDTH in (8, 9)}


@pytest.mark.parametrize("width, height", [(6, 6), (7, 9), (6, 18), (40, 12)])
def test_maps_of_other_sizes_have_room_for_all_units(width, height):
    settings = game.configure(values={"map_width": width, "map_height": height})
    for seed in range(10):
        w = game.rules.setup(settings, seed)
        assert (w.unit_count, w.tile_count) == (8, width * height)


def test_seed_determines_the_map():
    again = game.rules.setup(game.configure(), 7)
    assert record.dump(again) == record.dump(world(7)) != record.dump(world(8))


def test_state_takes_at_most_sixteen_kilobytes():
    assert record.layout(type(world(0))).size <= 16 * 1024


@pytest.mark.parametrize("profile", game.profiles)
def test_state_has_room_for_every_human_on_the_road(profile):
    for values in ({}, {"turns_to_create_human": 1, "max_turns": 90}, {"turns_to_create_human": 7}):
        settings = game.configure(profile, values)
        w = game.rules.setup(settings, 1)
        turns = range(settings.max_turns)
        both = sum(turn % settings.turns_to_create_human == 0 for turn in turns)
        assert len(w.energy) >= 8 + 2 * both
