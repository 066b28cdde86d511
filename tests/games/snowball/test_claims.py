"""What the design document claims in numbers holds: tables of hit rates, cover by angle, friendly fire, tempo, odds.

Where throwers would have to stand between tiles, a second computation (`reference.py`) gives the tables, and the
rules agree with it wherever they can be compared.
"""

from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin

import pytest

from endturn.engine.dice import Stream
from endturn.engine.rule import Table
from endturn.games.snowball.rules import throwing
from endturn.games.snowball.rules.acting import dodge_percent
from endturn.games.snowball.rules.throwing import (
    chance_to_stray,
    chance_to_strike,
    in_reach,
    open_chance,
    sees,
    throwing_point,
    throwing_tile,
    throwing_tiles,
)
from endturn.games.snowball.state import ACCURACY, HEALTH, MOVEMENT, NONE, RANGE, SPEED, Kind
from endturn.mechanisms.normal import CERTAIN
from endturn.mechanisms.turns import first_in_line, upcoming
from games.snowball.position import Unit, at, draw, foe, rookie
from games.snowball.reference import chances

WHO = {80: Kind.SCOUT, 81: Kind.ROOKIE, 82: Kind.PITCHER, 87: Kind.RUNNER, 88: Kind.CAPTAIN, 89: Kind.SLUGGER}
WHO[90] = Kind.BIG_BOOTS_BORIS


def percent(battle, target=1, unit=0):
    """The chance to strike from the own tile, before dodging."""
    return chance_to_strike(battle, unit, battle.tile[unit], target) / CERTAIN


# --- hit rates ----------------------------------------------------------------------------------------------


@pytest.fixture
def accuracy_85(monkeypatch):
    """Nobody in the roster has this accuracy: everybody gets it."""
    monkeypatch.setattr(throwing, "ACCURACY", Table((85,) * len(Kind)))


@pytest.mark.parametrize(
    "accuracy, rates",
    [
        (80, [79.8, 79.8, 79.8, 79.8, 64.1, 51.3, 41.5, 34.1, 28.4, 24.0, 20.6, 17.8]),
        (82, [81.8, 81.8, 81.8, 81.8, 66.6, 53.8, 43.8, 36.2, 30.3, 25.7, 22.0, 19.1]),
        (87, [86.9, 86.9, 86.9, 86.9, 73.4, 61.0, 50.7, 42.6, 36.1, 31.0, 26.8, 23.5]),
        (90, [89.9, 89.9, 89.9, 89.9, 77.9, 66.1, 55.9, 47.6, 40.8, 35.3, 30.9, 27.2]),
    ],
)
def test_hit_rates_in_the_open_are_those_of_the_table(accuracy, rates):
    for distance, rate in enumerate(rates, 1):
        battle = draw([Unit(WHO[accuracy], 10, 10), foe(rookie(10 + distance, 10))])
        share = 100 * open_chance(battle, 0, at(10, 10), 1) / CERTAIN
        assert share == pytest.approx(rate, abs=0.06)
        if distance <= RANGE[WHO[accuracy]]:
            assert percent(battle) == pytest.approx(share, abs=1e-6)


def test_hit_rates_of_unused_accuracies_match_the_table(accuracy_85):
    rates = [84.9, 84.9, 84.9, 84.9, 70.6, 57.9, 47.7, 39.8, 33.5, 28.6, 24.7, 21.5]
    for distance, rate in enumerate(rates, 1):
        assert percent(draw([rookie(10, 10), foe(rookie(10 + distance, 10))])) == pytest.approx(
            rate, abs=0.06
        )


def test_close_up_the_hit_rate_is_the_accuracy():
    for accuracy, kind in WHO.items():
        assert percent(draw([Unit(kind, 10, 10), foe(rookie(12, 11))])) == pytest.approx(accuracy, abs=0.6)


def test_the_worked_examples_hold():
    free = draw([rookie(10, 10), foe(rookie(16, 10))])
    assert percent(free) == pytest.approx(52.5, abs=0.05)
    assert percent(free) * (100 - dodge_percent(free, 1)) / 100 == pytest.approx(48.8, abs=0.05)
    assert percent(draw([rookie(10, 10), foe(rookie(16, 10))], {"m": [(15, 10)]})) == pytest.approx(
        26.3, abs=0.06
    )


# --- cover --------------------------------------------------------------------------------------------------


def test_full_cover_head_on_stops_everything():
    """Chances know of no Range: the throws are computed although most would be refused."""
    for accuracy in (80, 90):
        for distance in range(2, 13):
            units = [Unit(WHO[accuracy], 10, 10), foe(rookie(10 + distance, 10))]
            battle = draw(units, {"T": [(9 + distance, 10)]})
            assert percent(battle) == 0 and not sees(battle, at(10, 10), at(10 + distance, 10))


def from_angle(angle, tile, **cover):
    """How much of the hits a cover tile beside the target at (0, 0) stops, thrown from six tiles away."""
    thrower = 6 * cos(radians(angle)), 6 * sin(radians(angle))
    free = chances(thrower, (0, 0), 80)[0]
    return 100 * (1 - chances(thrower, (0, 0), 80, **{name: [tile] for name in cover})[0] / free)


ORTHOGONAL = {0: 100, 10: 100, 20: 93, 30: 77, 40: 59, 45: 50, 50: 41, 60: 23, 70: 7, 80: 0, 90: 0}
DIAGONAL = {0: 0, 10: 10, 20: 58, 30: 100, 40: 100, 45: 100, 50: 100, 60: 100, 70: 58, 80: 10, 90: 0}


COVERS = [((1, 0), ORTHOGONAL), ((1, 1), DIAGONAL)]  # a tile beside the target, and what it stops by angle


@pytest.mark.parametrize("tile, table", COVERS)
@pytest.mark.parametrize("angle", ORTHOGONAL)
def test_cover_by_angle_is_that_of_the_table(angle, tile, table):
    assert from_angle(angle, tile, full=True) == pytest.approx(table[angle], abs=1.2)
    assert from_angle(angle, tile, half=True) == pytest.approx(table[angle] / 2, abs=0.7)


def stopped(offset, tile, letter, accuracy):
    """The same by the rules, for a thrower on a tile: how many of a hundred hits the cover stops."""
    units = [Unit(WHO[accuracy], 20 + offset[0], 8 + offset[1]), foe(rookie(20, 8))]
    covered = draw(units, {letter: [(20 + tile[0], 8 + tile[1])]})
    return 100 * (1 - percent(covered) / percent(draw(units)))


def between(table, angle):
    """What a table says of an angle between two of its columns."""
    left, right = next(pair for pair in pairwise(table) if pair[0] <= angle <= pair[1])
    return table[left] + (table[right] - table[left]) * (angle - left) / (right - left)


QUARTER = [(x, y) for x in range(10) for y in range(10)]
SIX_TILES = [(x, y) for x, y in QUARTER if 5.5 <= hypot(x, y) <= 6.5]


@pytest.mark.parametrize("tile, table", COVERS)
def test_cover_by_angle_is_that_of_the_table_by_the_rules_too(tile, table):
    for offset in SIX_TILES:
        rate = between(table, degrees(atan2(offset[1], offset[0])))
        assert stopped(offset, tile, "T", 80) == pytest.approx(rate, abs=2)
        assert stopped(offset, tile, "m", 80) == pytest.approx(rate / 2, abs=1)
    for offset, angle in (((6, 0), 0), ((4, 4), 45), ((0, 6), 90)):  # columns that a thrower can stand in
        assert stopped(offset, tile, "T", 80) == pytest.approx(table[angle], abs=0.5)
        assert stopped(offset, tile, "m", 80) == pytest.approx(table[angle] / 2, abs=0.5)


@pytest.mark.parametrize("tile, table", COVERS)
def test_cover_is_worth_the_same_against_accuracy_90_within_two_points(tile, table):
    for offset in SIX_TILES:
        for letter in "Tm":
            less = stopped(offset, tile, letter, 80)
            assert stopped(offset, tile, letter, 90) == pytest.approx(less, abs=2)


@pytest.mark.parametrize("accuracy", [80, 90])
@pytest.mark.parametrize("tile, table", COVERS)
def test_what_cover_stops_by_the_rules_is_what_it_stops_by_the_reference(tile, table, accuracy):
    for offset in [place for place in QUARTER if 5 <= hypot(*place) <= 9][::4]:
        free = chances(offset, (0, 0), accuracy)[0]
        covered = chances(offset, (0, 0), accuracy, full=[tile])[0]
        assert stopped(offset, tile, "T", accuracy) == pytest.approx(100 * (1 - covered / free), abs=0.5)


OFFSETS = [
    (6, 0),
    (6, 1),
    (6, 2),
    (5, 3),
    (4, 4),
    (3, 5),
    (2, 6),
    (1, 6),
    (0, 6),
    (-3, 5),
    (-6, 1),
    (5, -3),
    (2, 0),
]


@pytest.mark.parametrize("offset", OFFSETS)
def test_the_rules_agree_with_the_reference_wherever_they_can_be_compared(offset):
    """Cover of both sorts and bodies around the target, seen from all sides."""
    x, y = 20 + offset[0], 12 + offset[1]
    trees, mounds, others = [(21, 11), (24, 14)], [(21, 13), (19, 12)], [(22, 12), (20, 15)]
    battle = draw(
        [rookie(x, y), foe(rookie(20, 12)), *(foe(rookie(*place)) for place in others if place != (x, y))],
        {"T": trees, "m": mounds},
    )
    near = [m for m in mounds if max(abs(m[0] - x), abs(m[1] - y)) == 1]
    if near and max(abs(offset[0]), abs(offset[1])) > 2:
        mounds = [m for m in mounds if m not in near]
    bodies = [place for place in others if place != (x, y)]
    struck, strays = chances((x, y), (20, 12), 81, full=trees, half=mounds, bodies=bodies)
    assert percent(battle) == pytest.approx(100 * struck, abs=0.1)
    for number, stray in enumerate(strays):
        found = chance_to_stray(battle, 0, at(x, y), 1, 3 + 2 * number) / CERTAIN
        assert found == pytest.approx(100 * stray, abs=0.1)


@pytest.mark.parametrize("accuracy", [81, 90])
def test_half_cover_is_half_as_effective_as_full_and_never_stops_more_than_half(accuracy):
    worst = 0.0
    for dx, dy in [(x, y) for x in range(-9, 10) for y in range(-9, 10) if 25 <= x * x + y * y <= 81]:
        units = [Unit(WHO[accuracy], 20 + dx, 12 + dy), foe(rookie(20, 12))]
        free = percent(draw(units))
        for cover in ([(21, 12)], [(21, 13)], [(21, 11), (21, 12), (21, 13), (20, 13), (22, 12)]):
            half, full = percent(draw(units, {"m": cover})), percent(draw(units, {"T": cover}))
            assert free - half == pytest.approx((free - full) / 2, abs=1e-5)
            worst = max(worst, 1 - half / free)
    assert worst == pytest.approx(0.5, abs=1e-6)


# --- friendly fire ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "friend, target, hit",
    [
        ((11, 10), 51.3, 0),
        ((11, 11), 51.3, 0),
        ((12, 10), 25.7, 48),
        ((13, 10), 25.7, 42),
        ((16, 11), 51.3, 7),
    ],
)
def test_friends_in_the_way_are_at_risk_unless_they_are_beside_the_thrower(friend, target, hit):
    battle = draw([Unit(Kind.SCOUT, 10, 10), foe(rookie(16, 10)), rookie(*friend)])
    assert percent(battle) == pytest.approx(target, abs=0.06)
    assert chance_to_stray(battle, 0, at(10, 10), 1, 2) / CERTAIN == pytest.approx(hit, abs=0.5)


def test_a_body_in_front_halves_the_chance():
    free = percent(draw([rookie(10, 10), foe(rookie(16, 10))]))
    screened = percent(draw([rookie(10, 10), foe(rookie(16, 10)), foe(rookie(15, 10))]))
    assert screened == pytest.approx(free / 2, abs=1e-5)


# --- the best distance --------------------------------------------------------------------------------------


def exchange(mine, theirs, movement, cover, distance, enemy_leans=False, diagonal=False):
    """Throw from behind cover and stay unhurt by the best return throw: H (1 - R)."""
    battle = draw(
        [Unit(mine, 10, 12), foe(Unit(theirs, 10 + distance, 12))],
        {cover: [(11, 12)]} if cover else None,
        hero_perks=False,
    )
    hit, returned = own_throw(battle), 0
    taken = [(10, 12), (11, 12)] if cover else [(10, 12)]
    for dx, dy in steps(movement, diagonal):
        place = 10 + distance + dx, 12 + dy
        if place not in taken:
            battle.tile[1] = at(*place)
            returned = max(returned, returned_throw(battle, enemy_leans))
    return hit * (1 - returned)


def steps(movement, diagonal):
    """Where a standard move leads, over open snow."""
    square = [(x, y) for x in range(-movement, movement + 1) for y in range(-movement, movement + 1)]
    return [(x, y) for x, y in square if diagonal or abs(x) + abs(y) <= movement]


def own_throw(battle):
    """The best chance to strike, leaning out too. The table knows no Range for the first throw."""
    points = [throwing_tile(battle, 0, number) for number in range(throwing_tiles(battle, 0))]
    seeing = [point for point in points if point != NONE and sees(battle, point, battle.tile[1])]
    return max((chance_to_strike(battle, 0, point, 1) for point in seeing), default=0) / CERTAIN / 100


def returned_throw(battle, leans):
    point = throwing_point(battle, 1, 0) if leans else battle.tile[1]
    seen = point != NONE and in_reach(battle, 1, point, 0) and sees(battle, point, battle.tile[0])
    return chance_to_strike(battle, 1, point, 0) / CERTAIN / 100 if seen else 0


MIX = {3: 1, 4: 4, 5: 3}  # units of the roster by their Movement, heroes left out


@pytest.mark.parametrize(
    "movements, cover, expected",
    [
        ({4: 1}, "T", [0.08, 0.44, 0.50, 0.45, 0.39, 0.33, 0.29]),
        ({5: 1}, "T", [0.08, 0.14, 0.38, 0.40, 0.37, 0.32, 0.28]),
        ({4: 1}, "m", [0.16, 0.32, 0.33, 0.31, 0.25, 0.21, 0.20]),
        ({5: 1}, "m", [0.16, 0.16, 0.26, 0.26, 0.25, 0.21, 0.18]),
        (MIX, "T", [0.10, 0.34, 0.46, 0.43, 0.38, 0.33, 0.28]),
        (MIX, "m", [0.18, 0.27, 0.31, 0.29, 0.25, 0.21, 0.19]),
        (MIX, None, [0.16, 0.16, 0.13, 0.10, 0.08]),
    ],
)
def test_the_value_of_an_exchange_is_that_of_the_table(movements, cover, expected):
    for distance, value in enumerate(expected, 3):
        found = sum(
            many * exchange(Kind.ROOKIE, Kind.ROOKIE, movement, cover, distance)
            for movement, many in movements.items()
        )
        assert found / sum(movements.values()) == pytest.approx(value, abs=0.006)


def test_a_rookie_behind_a_tree_cannot_make_the_tables_throw_at_8_tiles():
    """Our deviation from it (L2): Range counts from the point leaned out to, which is 8.06 tiles away."""
    for cover, refused in (("T", True), ("m", False)):
        battle = draw([rookie(10, 12), foe(rookie(18, 12))], {cover: [(11, 12)]})
        assert (throwing_point(battle, 0, 1) == NONE) == refused and own_throw(battle) > 0.3


def best_distance(*who, distances=range(3, 10), **how):
    values = {distance: exchange(*who, distance, **how) for distance in distances}
    return max(values, key=values.get)


@pytest.mark.parametrize("leans", [True, False])
@pytest.mark.parametrize("cover", "Tm")
@pytest.mark.parametrize("movement, best", [(4, 5), (5, 6)])
def test_the_best_distance_is_5_against_movement_4_and_6_against_movement_5(movement, best, cover, leans):
    kinds = list(WHO.values()) if not leans else [Kind.SCOUT, Kind.RUNNER, Kind.BIG_BOOTS_BORIS]
    for mine in kinds:
        for theirs in kinds:
            assert best_distance(mine, theirs, movement, cover, enemy_leans=leans) == best, (mine, theirs)


@pytest.mark.parametrize("cover", "Tm")
@pytest.mark.parametrize("movement, best", [(3, 4), (6, 7)])
def test_slow_bundles_invite_nearer_and_heroes_keep_farther_away(movement, best, cover):
    assert best_distance(Kind.ROOKIE, Kind.ROOKIE, movement, cover) == best


@pytest.mark.parametrize("cover", "Tm")
@pytest.mark.parametrize("movement, best", [(4, 8), (5, 9)])
def test_with_eight_ways_the_best_distance_is_8_to_9(movement, best, cover):
    who = Kind.ROOKIE, Kind.ROOKIE, movement, cover
    assert best_distance(*who, distances=range(3, 12), diagonal=True) == best


def stay_unhit(kind, distance):
    """Hit, and stay unhit by two return throws through one's own mound: H (1 - H/2)²."""
    battle = draw([Unit(kind, 10, 12), foe(Unit(kind, 10 + distance, 12))], {"m": [(11, 12)]})
    back = percent(battle, target=0, unit=1) / 100
    return percent(battle) / 100 * (1 - back) ** 2


def test_the_best_distance_to_stand_still_at_is_5_to_6_too():
    for accuracy, best in ((80, 5), (90, 6)):
        assert max(range(3, 13), key=lambda d: stay_unhit(WHO[accuracy], d)) == best


def test_best_distance_holds_at_an_unused_accuracy(accuracy_85):
    assert max(range(3, 13), key=lambda d: stay_unhit(Kind.ROOKIE, d)) == 5


# --- tempo --------------------------------------------------------------------------------------------------


def recovery(speed):
    return 132 - 12 * speed


def test_the_opening_order_is_that_of_the_rules():
    speeds = [6, 5, 4, 3, 2, 1]
    ready = [recovery(speed) for speed in speeds]
    turns = upcoming(ready, [0, 1, 2, 3, 4, 5], ready, 11)
    assert [speeds[who] for who, _ in turns] == [6, 5, 4, 3, 2, 6, 1, 5, 4, 6, 3]


def test_speed_6_has_twice_as_many_turns_as_speed_1():
    ready = [recovery(speed) for speed in range(1, 7)]
    turns = upcoming(ready, [5, 4, 3, 2, 1, 0], ready, 6000)
    counts = [sum(who == each for who, _ in turns) for each in range(6)]
    assert counts == pytest.approx([709, 788, 887, 1014, 1183, 1419], abs=1)
    assert counts[5] / counts[0] == pytest.approx(2.00, abs=0.005)


def test_it_stays_so_when_a_quarter_of_the_actions_is_slow():
    dice, counts = Stream(5, 1), [0] * 6
    ready = [recovery(speed) for speed in range(1, 7)]
    for _ in range(6000):
        who = first_in_line(ready, [5, 4, 3, 2, 1, 0], 6)
        counts[who] += 1
        ready[who] += recovery(who + 1) * (6 if dice.below(4) == 0 else 4) // 4
    assert counts[5] / counts[0] == pytest.approx(2.00, abs=0.08)


# --- an armful ----------------------------------------------------------------------------------------------


def test_one_armful_does_not_down_a_regular_and_several_do():
    battle = draw([rookie(10, 10), foe(rookie(15, 10))])
    hurt = percent(battle) / 100 * (100 - dodge_percent(battle, 1)) / 100
    odds = [at_least(4, 3 * throwers, hurt) for throwers in (1, 2, 3, 4)]
    assert odds == pytest.approx([0, 0.56, 0.91, 0.99], abs=0.01)
    assert min(HEALTH) == 4


def at_least(hits, throws, chance):
    """The probability of so many hits or more."""
    exact = [1.0]
    for _ in range(throws):
        exact = [
            (exact[i] if i < len(exact) else 0) * (1 - chance) + (exact[i - 1] * chance if i else 0)
            for i in range(len(exact) + 1)
        ]
    return sum(exact[hits:])


def test_ranges_of_the_document_hold():
    assert {RANGE[kind] for kind in Kind} <= set(range(8, 13))
    assert {MOVEMENT[kind] for kind in Kind} == {3, 4, 5, 6}
    assert max(SPEED[kind] + MOVEMENT[kind] for kind in Kind) == 12
    assert all(80 <= ACCURACY[kind] <= 90 for kind in Kind)
