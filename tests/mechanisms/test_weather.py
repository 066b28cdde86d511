"""Weather without a game: cover by chances, units that drift and merge, streams of wind; over any tables."""

from collections import Counter

import pytest

from endturn.mechanisms.grid import OFF_THE_MAP
from endturn.mechanisms.weather import (
    BLOCK,
    CERTAIN,
    Compass,
    age_storms,
    appear_units,
    beside,
    blow,
    chance,
    change_cover,
    changed,
    count_units,
    drift_units,
    fill,
    first_of,
    is_in,
    merge_units,
    move_heads,
    move_units,
    nth_of,
    opposite,
    put_in,
    size_of,
    spread_cover,
    turn_wind,
    upwind_edge,
    vanish_units,
)

ALL = (1 << BLOCK) - 1  # the squares of a block
EVERYWHERE = [ALL]


def layer(*squares, size=25):
    made = [0] * -(-size // BLOCK)
    for square in squares:
        put_in(made, square, True)
    return made


def members(squares):
    return [square for square in range(BLOCK * len(squares)) if is_in(squares, square)]


def test_the_eight_directions_and_the_edge_of_the_map():
    assert [beside(12, direction, 5, 5) for direction in Compass] == [7, 8, 13, 18, 17, 16, 11, 6]
    assert [beside(0, direction, 5, 5) for direction in Compass].count(OFF_THE_MAP) == 5
    assert [opposite(direction) for direction in Compass] == [4, 5, 6, 7, 0, 1, 2, 3]


# --- sets --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("square", [0, 1, 30, 31, 32, 63])
def test_squares_are_put_into_a_set_and_taken_out_again(square):
    cover = [0, 0]
    put_in(cover, square, True)
    assert [s for s in range(2 * BLOCK) if is_in(cover, s)] == [square]
    put_in(cover, square, False)
    assert cover == [0, 0]


@pytest.mark.parametrize("bits", [1, 1 << 31, 0b1011000, 0x80000001, 0xDEADBEEF, ALL])
def test_how_many_squares_a_block_has_and_which_is_the_first(bits):
    assert size_of(bits) == bits.bit_count() and size_of(0) == 0
    assert first_of(bits) == f"{bits:032b}"[::-1].index("1")


def test_the_nth_square_of_a_set():
    there = [0, 7, 31, 40, 95]
    squares = layer(*there, size=96)
    assert [nth_of(squares, nth) for nth in range(5)] == there and count_units(squares, 3) == 5


# --- cover --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("percent", [1, 8.75, 50, 99])
def test_cover_appears_as_often_as_the_chance_says(percent):
    chance = [int(percent * CERTAIN / 100)]
    won = 0
    for when in range(300):
        cover = [changed(0, [EVERYWHERE], 0, chance, [0], 1, 1, when)]
        won += sum(is_in(cover, square) for square in range(BLOCK))
    assert 100 * won / 300 / BLOCK == pytest.approx(percent, abs=1.3)


@pytest.mark.parametrize("appear, vanish", [(8.75, 40), (50, 50), (98, 99), (0, 12)])
def test_cover_is_lost_as_often_as_it_vanishes_and_does_not_come_back(appear, vanish):
    chances = [[int(percent * CERTAIN / 100)] for percent in (appear, vanish)]
    lost = 0
    for when in range(300):
        cover = [changed(ALL, [EVERYWHERE], 0, *chances, 1, 1, when)]
        lost += sum(is_in(cover, square) for square in range(BLOCK))
    assert 100 * lost / 300 / BLOCK == pytest.approx(vanish * (1 - appear / 100), abs=1.3)


def test_what_has_no_chance_never_changes_with_cover_or_without():
    bare = 0b1010
    assert changed(ALL - bare, [EVERYWHERE], 0, [0], [0], 1, 1, 1) == 0
    sure, never = [CERTAIN - 1], [0]
    assert all(changed(ALL - bare, [EVERYWHERE], 0, sure, never, 1, 1, when) == bare for when in range(20))
    assert all(changed(bare, [EVERYWHERE], 0, never, sure, 1, 1, when) == bare for when in range(20))


def test_what_is_certain_always_happens():
    bare, sure, never, even = 0b1010, [CERTAIN], [0], [CERTAIN // 2]
    for when in range(20):
        assert changed(ALL - bare, [EVERYWHERE], 0, sure, never, 1, 1, when) == bare
        assert changed(bare, [EVERYWHERE], 0, never, sure, 1, 1, when) == bare
        assert (
            changed(bare, [EVERYWHERE], 0, sure, sure, 1, 1, when) == ALL - bare
        )  # what goes is back at once
        assert 0 < changed(ALL, [EVERYWHERE], 0, even, sure, 1, 1, when) < ALL
    cover = [0]
    spread_cover(cover, [EVERYWHERE], sure, 1, 1, 1)
    assert cover == EVERYWHERE


def test_what_is_certain_in_one_climate_changes_no_roll_of_another():
    low, high = [0xFFFF], [ALL - 0xFFFF]
    for when in range(20):
        alone = changed(0, [[0], high], 0, [0, CERTAIN // 3], [0, 0], 1, 1, when)
        assert changed(0, [low, high], 0, [CERTAIN, CERTAIN // 3], [0, 0], 1, 1, when) == alone | 0xFFFF


def test_each_square_follows_the_chances_of_its_own_climate():
    low, high = [0xFFFF], [ALL - 0xFFFF]
    cover = [0]
    change_cover(cover, [low, high], [CERTAIN - 1, 0], [0, 0], 1, 1, 1, 1)
    assert cover == [0xFFFF]
    change_cover(cover, [low, high], [0, 0], [CERTAIN - 1, 0], 1, 1, 1, 2)
    assert cover == [0]


def test_what_vanishes_may_come_back_in_the_same_check():
    kept = 0
    for when in range(100):
        cover = [ALL]
        change_cover(cover, [EVERYWHERE], [CERTAIN // 2], [CERTAIN // 2], 1, 7, 1, when)
        kept += sum(is_in(cover, square) for square in range(BLOCK))
    assert kept / (100 * BLOCK) == pytest.approx(0.75, abs=0.03)


def test_the_first_cover_has_the_initial_chance_and_no_square_without_a_climate():
    cover = [0, 0]
    spread_cover(cover, [[ALL, 0b111]], [CERTAIN // 2], 2, 5, 1)
    assert 6 <= sum(is_in(cover, square) for square in range(BLOCK)) <= 26
    assert all(not is_in(cover, square) for square in range(BLOCK + 3, 2 * BLOCK))


# --- units --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gone, left", [(0, 4), (1, 3), (4, 0), (9, 0)])
def test_so_many_units_vanish(gone, left):
    units = layer(3, 7, 12, 24)
    vanish_units(units, 1, gone, 1, 1, 1)
    assert count_units(units, 1) == left


def test_every_unit_is_as_likely_to_vanish():
    found = Counter()
    for when in range(400):
        units = layer(3, 7, 12, 24)
        vanish_units(units, 1, 1, 1, 1, when)
        found.update({3, 7, 12, 24} - set(members(units)))
    assert len(found) == 4 and min(found.values()) > 70


def test_units_go_with_the_wind_and_leave_the_map_or_stay_at_its_edge():
    for stays, expected in ((False, layer(8)), (True, layer(8, 2))):
        units, arriving = layer(13, 2), layer()
        drift_units(units, arriving, [0], 1, [ALL], Compass.NORTH, 5, 5, stays, 1, 1, 1)
        assert arriving == expected and not any(units)


def test_a_unit_in_a_calm_goes_anywhere_beside_but_against_the_wind():
    found = set()
    for when in range(100):
        arriving = layer()
        drift_units(layer(12), arriving, [0], 1, layer(11, 7), Compass.EAST, 5, 5, False, 1, 1, when)
        found.update(members(arriving))
    assert found == {6, 7, 8, 13, 16, 17, 18}


def test_a_unit_with_no_way_open_stays():
    arriving = [0]
    drift_units([1], arriving, [0], 1, [0], Compass.EAST, 1, 1, False, 1, 1, 1)
    assert arriving == [1]


def test_where_several_arrive_is_noted():
    arriving, crowded = [0], [0]
    drift_units(layer(10, 14, 12), arriving, crowded, 1, [ALL], Compass.NORTH, 5, 5, False, 1, 1, 1)
    assert members(arriving) == [5, 7, 9] and members(crowded) == []
    drift_units(layer(10, 12), arriving, crowded, 1, [ALL], Compass.NORTH, 5, 5, False, 1, 1, 1)
    assert members(arriving) == [5, 7, 9] and members(crowded) == [5, 7]


def test_several_on_a_square_are_a_storm_and_a_storm_takes_in_who_comes():
    units, storms, months = layer(), layer(4, 5, 6), [0, 0, 0, 0, 1, 1, 1, *[0] * 18]
    arriving, crowded = layer(1, 2, 3, 4, 5), layer(2, 3, 5)
    assert merge_units(units, storms, months, arriving, crowded, 1, 2) == 2
    assert members(units) == [1] and members(storms) == [2, 3, 4, 5, 6]
    assert months == [0, 0, 2, 2, 2, 2, 1, *[0] * 18]
    assert members(crowded) == [2, 3] and members(arriving) == []


def test_a_storm_whose_time_is_over_is_a_unit():
    units, storms, months = layer(), layer(1, 2), [0, 1, 2, *[0] * 22]
    age_storms(units, storms, months, 1)
    assert members(units) == [1] and members(storms) == [2] and months[:3] == [0, 0, 1]


def test_new_units_appear_on_free_squares():
    units, storms, ground = layer(1), layer(5), layer(1, 3, 5, 7, 9, 11)
    assert appear_units(units, storms, ground, 1, 3, 1, 1, 0, 1) == 0
    assert count_units(units, 1) == 4 and set(members(units)) < {1, 3, 7, 9, 11}
    assert ground == [0] and members(storms) == [5]
    assert appear_units(units, storms, layer(1, 3, 5, 7, 9, 11), 1, 20, 1, 1, 0, 2) == 19
    assert members(units) == [1, 3, 7, 9, 11]


@pytest.mark.parametrize("many", [0, 1, 31, 32, 33, 64])
def test_so_many_squares_are_put_into_a_set(many):
    squares = [ALL, 0b101]
    fill(squares, many)
    assert members(squares) == list(range(many))


def test_units_drift_and_merge_in_one_go():
    units, storms, months, arriving, crowded = layer(11, 12, 13), layer(), [0] * 25, layer(), layer(10)
    windy = layer(11, 13)
    sets = units, storms, months, arriving, crowded
    put_in(arriving, 10, True)  # one that comes from elsewhere meets the one that the wind carries
    formed = move_units(*sets, 1, windy, Compass.WEST, 5, 5, False, 2, 1, 1, 1)
    assert is_in(storms, 10) and months[10] == 2 and formed == count_units(crowded, 1) >= 1
    assert arriving == [0] and not is_in(units, 10)


@pytest.mark.parametrize("percent, rarer, parts", [(0, 1, 0), (100, 1, CERTAIN), (50, 1, CERTAIN // 2)])
def test_chances_in_percent(percent, rarer, parts):
    assert chance(percent, rarer) == parts
    assert chance(70, 8) == 70 * CERTAIN // 800


# --- wind ---------------------------------------------------------------------------------------------------


def test_the_wind_turns_by_at_most_45_degrees_unless_it_begins_anew():
    turned = Counter(turn_wind(Compass.NORTH, False, 1, 1, when) for when in range(400))
    assert set(turned) == {0, 1, 7} and 160 < turned[0] < 240
    assert len({turn_wind(Compass.NORTH, True, 1, 1, when) for when in range(100)}) == 8


@pytest.mark.parametrize("wind", Compass, ids=lambda wind: wind.name)
def test_streams_begin_anywhere_on_the_edge_that_the_wind_comes_from(wind):
    edge = {square for square in range(30) if beside(square, opposite(wind), 6, 5) == OFF_THE_MAP}
    assert {upwind_edge(0, wind, 6, 5, 1, 1, when) for when in range(300)} == edge


def test_heads_go_downwind_and_the_squares_upwind_of_them_have_wind():
    heads = [12, 4]
    move_heads(heads, 2, Compass.EAST, 5, 5, 1, 1, 1)
    assert heads[0] == 13 and heads[1] % 5 == 0
    windy = [ALL]
    blow(windy, 1, [13], 1, 3, Compass.EAST, 5, 5)
    assert windy == layer(11, 12, 13)
    blow(windy, 1, [1], 1, 3, Compass.SOUTH_EAST, 5, 5)
    assert windy == layer(1)
