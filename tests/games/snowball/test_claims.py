"""What the design document claims in numbers holds: tables of hit rates, cover by angle, friendly fire, tempo, odds.

Where throwers would have to stand between tiles, a second computation (`reference.py`) gives the tables, and the
rules agree with it wherever they can be compared.
"""

from math import cos, radians, sin

import pytest

from endturn.engine.dice import Stream
from endturn.games.snowball.rules.acting import dodge_percent
from endturn.games.snowball.rules.throwing import (
    chance_to_stray,
    chance_to_strike,
    open_chance,
    sees,
    throwing_point,
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
    for accuracy in (80, 90):
        for distance in range(2, RANGE[WHO[accuracy]] + 1):
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


@pytest.mark.parametrize("angle", ORTHOGONAL)
def test_cover_by_angle_is_that_of_the_table(angle):
    assert from_angle(angle, (1, 0), full=True) == pytest.approx(ORTHOGONAL[angle], abs=1.2)
    assert from_angle(angle, (1, 0), half=True) == pytest.approx(ORTHOGONAL[angle] / 2, abs=0.7)
    assert from_angle(angle, (1, 1), full=True) == pytest.approx(DIAGONAL[angle], abs=1.2)


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


def test_half_cover_is_half_as_effective_as_full_and_never_stops_more_than_half():
    worst = 0.0
    for dx, dy in [(x, y) for x in range(-8, 9) for y in range(-8, 9) if 25 <= x * x + y * y <= 64]:
        units = [rookie(20 + dx, 12 + dy), foe(rookie(20, 12))]
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


def exchange(mine, theirs, movement, cover, distance, enemy_leans):
    """Throw from behind cover and stay unhurt by the best return throw: H (1 - R)."""
    battle = draw(
        [Unit(mine, 10, 12), foe(Unit(theirs, 10 + distance, 12))], {cover: [(11, 12)]}, hero_perks=False
    )
    point = throwing_point(battle, 0, 1)
    if point == NONE:
        return 0.0
    hit, returned = chance_to_strike(battle, 0, point, 1), 0
    for dx in range(-movement, movement + 1):
        for dy in range(abs(dx) - movement, movement - abs(dx) + 1):
            place = 10 + distance + dx, 12 + dy
            if place not in ((10, 12), (11, 12)):
                battle.tile[1] = at(*place)
                returned = max(returned, returned_throw(battle, enemy_leans))
    return hit / CERTAIN / 100 * (1 - returned / CERTAIN / 100)


def returned_throw(battle, leans):
    point = throwing_point(battle, 1, 0) if leans else battle.tile[1]
    seen = point != NONE and sees(battle, point, battle.tile[0])
    return chance_to_strike(battle, 1, point, 0) if seen else 0


@pytest.mark.parametrize(
    "movement, cover, expected",
    [
        (4, "T", [0.08, 0.44, 0.50, 0.45, 0.39]),
        (5, "T", [0.08, 0.14, 0.38, 0.40, 0.37]),
        (4, "m", [0.16, 0.32, 0.33, 0.31, 0.25]),
        (5, "m", [0.16, 0.16, 0.26, 0.26, 0.25]),
    ],
)
def test_the_value_of_an_exchange_is_that_of_the_table(movement, cover, expected):
    for distance, value in enumerate(expected, 3):
        found = exchange(Kind.ROOKIE, Kind.ROOKIE, movement, cover, distance, enemy_leans=False)
        assert found == pytest.approx(value, abs=0.01)


@pytest.mark.parametrize("leans", [True, False])
@pytest.mark.parametrize("cover", "Tm")
@pytest.mark.parametrize("movement, best", [(4, 5), (5, 6)])
def test_the_best_distance_is_5_against_movement_4_and_6_against_movement_5(movement, best, cover, leans):
    kinds = list(WHO.values()) if not leans else [Kind.SCOUT, Kind.RUNNER, Kind.BIG_BOOTS_BORIS]
    for mine in kinds:
        for theirs in kinds:
            values = {d: exchange(mine, theirs, movement, cover, d, leans) for d in range(3, 9)}
            assert max(values, key=values.get) == best, (mine, theirs, values)


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
