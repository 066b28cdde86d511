"""Weather without a game, over tables of our own: cover, units that drift and merge, streams of wind."""

from collections import Counter

import pytest

from endturn.mechanisms.grid import OFF_THE_MAP
from endturn.mechanisms.weather import (
    BLOCK,
    CERTAIN,
    Compass,
    Rolls,
    Units,
    Wind,
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


def sky(units=(), storms=(), **layers):
    """Units and storms on a map of 5 x 5."""
    months = layers.pop("months", [0] * 25)
    arriving, crowded = (layer(*layers.get(name, ())) for name in ("arriving", "crowded"))
    return Units(layer(*units), layer(*storms), months, arriving, crowded, 1)


def blowing(direction, windy=EVERYWHERE, width=5, height=5):
    """Wind, over the whole map unless squares are given."""
    return Wind(list(windy), direction, width, height)


def rolls(when, dice=1):
    return Rolls(dice, 1, when)


def members(squares):
    return [square for square in range(BLOCK * len(squares)) if is_in(squares, square)]


def test_neighbours_in_eight_directions_and_at_the_edge():
    assert [beside(12, direction, 5, 5) for direction in Compass] == [7, 8, 13, 18, 17, 16, 11, 6]
    assert [beside(0, direction, 5, 5) for direction in Compass].count(OFF_THE_MAP) == 5
    assert [opposite(direction) for direction in Compass] == [4, 5, 6, 7, 0, 1, 2, 3]


# --- sets --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("square", [0, 1, 30, 31, 32, 63])
def test_put_in_adds_and_removes_a_square(square):
    cover = [0, 0]
    put_in(cover, square, True)
    assert [s for s in range(2 * BLOCK) if is_in(cover, s)] == [square]
    put_in(cover, square, False)
    assert cover == [0, 0]


@pytest.mark.parametrize("bits", [1, 1 << 31, 0b1011000, 0x80000001, 0xDEADBEEF, ALL])
def test_size_and_first_square_of_a_block(bits):
    assert size_of(bits) == bits.bit_count() and size_of(0) == 0
    assert first_of(bits) == f"{bits:032b}"[::-1].index("1")


def test_nth_square_of_a_set():
    there = [0, 7, 31, 40, 95]
    squares = layer(*there, size=96)
    assert [nth_of(squares, nth) for nth in range(5)] == there and count_units(squares, 3) == 5


# --- cover --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("percent", [1, 8.75, 50, 99])
def test_cover_appears_with_its_chance(percent):
    chance = [int(percent * CERTAIN / 100)]
    won = 0
    for when in range(300):
        cover = [changed(0, [EVERYWHERE], 0, chance, [0], rolls(when))]
        won += sum(is_in(cover, square) for square in range(BLOCK))
    assert 100 * won / 300 / BLOCK == pytest.approx(percent, abs=1.3)


@pytest.mark.parametrize("appear, vanish", [(8.75, 40), (50, 50), (98, 99), (0, 12)])
def test_cover_is_lost_if_it_vanishes_and_does_not_reappear(appear, vanish):
    chances = [[int(percent * CERTAIN / 100)] for percent in (appear, vanish)]
    lost = 0
    for when in range(300):
        cover = [changed(ALL, [EVERYWHERE], 0, *chances, rolls(when))]
        lost += sum(is_in(cover, square) for square in range(BLOCK))
    assert 100 * lost / 300 / BLOCK == pytest.approx(vanish * (1 - appear / 100), abs=1.3)


def test_cover_without_a_chance_never_changes():
    bare = 0b1010
    assert changed(ALL - bare, [EVERYWHERE], 0, [0], [0], rolls(1)) == 0
    sure, never = [CERTAIN - 1], [0]
    assert all(changed(ALL - bare, [EVERYWHERE], 0, sure, never, rolls(when)) == bare for when in range(20))
    assert all(changed(bare, [EVERYWHERE], 0, never, sure, rolls(when)) == bare for when in range(20))


def test_certain_changes_always_happen():
    bare, sure, never, even = 0b1010, [CERTAIN], [0], [CERTAIN // 2]
    for when in range(20):
        assert changed(ALL - bare, [EVERYWHERE], 0, sure, never, rolls(when)) == bare
        assert changed(bare, [EVERYWHERE], 0, never, sure, rolls(when)) == bare
        assert changed(bare, [EVERYWHERE], 0, sure, sure, rolls(when)) == ALL - bare  # lost cover reappears
        assert 0 < changed(ALL, [EVERYWHERE], 0, even, sure, rolls(when)) < ALL
    cover = [0]
    spread_cover(cover, [EVERYWHERE], sure, 1, rolls(0))
    assert cover == EVERYWHERE


def test_a_certain_climate_changes_no_roll_of_another():
    low, high = [0xFFFF], [ALL - 0xFFFF]
    for when in range(20):
        alone = changed(0, [[0], high], 0, [0, CERTAIN // 3], [0, 0], rolls(when))
        assert changed(0, [low, high], 0, [CERTAIN, CERTAIN // 3], [0, 0], rolls(when)) == alone | 0xFFFF


def test_each_square_follows_the_chances_of_its_climate():
    low, high = [0xFFFF], [ALL - 0xFFFF]
    cover = [0]
    change_cover(cover, [low, high], [CERTAIN - 1, 0], [0, 0], 1, rolls(1))
    assert cover == [0xFFFF]
    change_cover(cover, [low, high], [0, 0], [CERTAIN - 1, 0], 1, rolls(2))
    assert cover == [0]


def test_vanished_cover_may_reappear_in_the_same_check():
    kept = 0
    for when in range(100):
        cover = [ALL]
        change_cover(cover, [EVERYWHERE], [CERTAIN // 2], [CERTAIN // 2], 1, rolls(when, dice=7))
        kept += sum(is_in(cover, square) for square in range(BLOCK))
    assert kept / (100 * BLOCK) == pytest.approx(0.75, abs=0.03)


def test_first_cover_has_the_initial_chance_and_skips_squares_without_a_climate():
    cover = [0, 0]
    spread_cover(cover, [[ALL, 0b111]], [CERTAIN // 2], 2, rolls(0, dice=5))
    assert 6 <= sum(is_in(cover, square) for square in range(BLOCK)) <= 26
    assert all(not is_in(cover, square) for square in range(BLOCK + 3, 2 * BLOCK))


# --- units --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gone, left", [(0, 4), (1, 3), (4, 0), (9, 0)])
def test_the_given_number_of_units_vanishes(gone, left):
    units = layer(3, 7, 12, 24)
    vanish_units(units, 1, gone, rolls(1))
    assert count_units(units, 1) == left


def test_every_unit_is_equally_likely_to_vanish():
    found = Counter()
    for when in range(400):
        units = layer(3, 7, 12, 24)
        vanish_units(units, 1, 1, rolls(when))
        found.update({3, 7, 12, 24} - set(members(units)))
    assert len(found) == 4 and min(found.values()) > 70


def test_wind_carries_units_off_the_map_unless_they_stay_at_its_edge():
    for stays, expected in ((False, layer(8)), (True, layer(8, 2))):
        rain = sky([13, 2])
        drift_units(rain, blowing(Compass.NORTH), stays, rolls(1))
        assert rain.arriving == expected and not any(rain.units)


def test_a_unit_in_a_calm_goes_to_any_neighbour_except_against_the_wind():
    found = set()
    for when in range(100):
        rain = sky([12])
        drift_units(rain, blowing(Compass.EAST, layer(11, 7)), False, rolls(when))
        found.update(members(rain.arriving))
    assert found == {6, 7, 8, 13, 16, 17, 18}


def test_a_unit_with_no_way_out_stays():
    rain = sky([0])
    drift_units(rain, blowing(Compass.EAST, [0], 1, 1), False, rolls(1))
    assert rain.arriving == [1]


def test_squares_where_several_units_arrive_are_marked():
    rain = sky([10, 14, 12])
    drift_units(rain, blowing(Compass.NORTH), False, rolls(1))
    assert members(rain.arriving) == [5, 7, 9] and members(rain.crowded) == []
    rain.units[:] = layer(10, 12)
    drift_units(rain, blowing(Compass.NORTH), False, rolls(1))
    assert members(rain.arriving) == [5, 7, 9] and members(rain.crowded) == [5, 7]


def test_several_units_form_a_storm_and_a_storm_absorbs_arrivals():
    months = [0, 0, 0, 0, 1, 1, 1, *[0] * 18]
    rain = sky(storms=[4, 5, 6], months=months, arriving=[1, 2, 3, 4, 5], crowded=[2, 3, 5])
    assert merge_units(rain, 2) == 2
    assert members(rain.units) == [1] and members(rain.storms) == [2, 3, 4, 5, 6]
    assert months == [0, 0, 2, 2, 2, 2, 1, *[0] * 18]
    assert members(rain.crowded) == [2, 3] and members(rain.arriving) == []


def test_a_storm_that_ends_becomes_a_unit():
    rain = sky(storms=[1, 2], months=[0, 1, 2, *[0] * 22])
    age_storms(rain)
    assert members(rain.units) == [1] and members(rain.storms) == [2] and rain.months[:3] == [0, 0, 1]


def test_new_units_appear_on_free_squares():
    rain, ground = sky([1], [5]), layer(1, 3, 5, 7, 9, 11)
    assert appear_units(rain, ground, 3, 0, rolls(1)) == 0
    assert count_units(rain.units, 1) == 4 and set(members(rain.units)) < {1, 3, 7, 9, 11}
    assert ground == [0] and members(rain.storms) == [5]
    assert appear_units(rain, layer(1, 3, 5, 7, 9, 11), 20, 0, rolls(2)) == 19
    assert members(rain.units) == [1, 3, 7, 9, 11]


@pytest.mark.parametrize("many", [0, 1, 31, 32, 33, 64])
def test_fill_puts_the_first_squares_into_a_set(many):
    squares = [ALL, 0b101]
    fill(squares, many)
    assert members(squares) == list(range(many))


def test_units_drift_and_merge_in_one_step():
    rain = sky([11, 12, 13], crowded=[10])
    put_in(rain.arriving, 10, True)  # a unit from elsewhere meets the one that the wind carries
    formed = move_units(rain, blowing(Compass.WEST, layer(11, 13)), False, 2, rolls(1))
    assert is_in(rain.storms, 10) and rain.months[10] == 2 and formed == count_units(rain.crowded, 1) >= 1
    assert rain.arriving == [0] and not is_in(rain.units, 10)


@pytest.mark.parametrize("percent, rarer, parts", [(0, 1, 0), (100, 1, CERTAIN), (50, 1, CERTAIN // 2)])
def test_chances_in_percent(percent, rarer, parts):
    assert chance(percent, rarer) == parts
    assert chance(70, 8) == 70 * CERTAIN // 800


# --- wind ---------------------------------------------------------------------------------------------------


def test_wind_turns_by_at_most_45_degrees_unless_any_direction_is_allowed():
    turned = Counter(turn_wind(Compass.NORTH, False, rolls(when)) for when in range(400))
    assert set(turned) == {0, 1, 7} and 160 < turned[0] < 240
    assert len({turn_wind(Compass.NORTH, True, rolls(when)) for when in range(100)}) == 8


@pytest.mark.parametrize("wind", Compass, ids=lambda wind: wind.name)
def test_streams_restart_anywhere_on_the_edge_that_the_wind_comes_from(wind):
    edge = {square for square in range(30) if beside(square, opposite(wind), 6, 5) == OFF_THE_MAP}
    air = blowing(wind, width=6)
    assert {upwind_edge(0, air, rolls(when)) for when in range(300)} == edge


def test_heads_go_downwind_and_the_squares_upwind_of_them_have_wind():
    heads = [12, 4]
    move_heads(heads, 2, blowing(Compass.EAST), rolls(1))
    assert heads[0] == 13 and heads[1] % 5 == 0
    wind = blowing(Compass.EAST)
    blow(wind, 1, [13], 1, 3)
    assert wind.windy == layer(11, 12, 13)
    wind = blowing(Compass.SOUTH_EAST)
    blow(wind, 1, [1], 1, 3)
    assert wind.windy == layer(1)
