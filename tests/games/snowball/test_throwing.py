"""Throwing and being struck, sentence by sentence."""

from collections import Counter
from itertools import pairwise
from math import asin, degrees, hypot, sqrt
from statistics import NormalDist

import pytest

from endturn.engine.dice import Stream
from endturn.games.snowball.actions import Attack, Move
from endturn.games.snowball.rules.acting import dodge_percent
from endturn.games.snowball.rules.previews import explain, order, preview
from endturn.games.snowball.rules.throwing import (
    COVER,
    body_angles,
    chance_to_stray,
    chance_to_strike,
    cover_angles,
    fineness,
    first_met,
    open_chance,
    refuse_target,
    sees,
    share_left_of,
    share_met,
    spread_of,
    strike,
    throwing_point,
)
from endturn.games.snowball.state import NONE, RANGE, Flight, Kind, Posture
from endturn.mechanisms.normal import CERTAIN
from endturn.mechanisms.sight import FULL_TURN, bearing
from games.snowball import reference
from games.snowball.position import Unit, act, at, begin, draw, foe, refused, rookie, start

rule = pytest.mark.rule
STRAIGHT = CERTAIN // 2  # half of all throws fly to the left of it
LOW, HIGH = True, False
TARGET, ANOTHER, FRIEND = 1, 3, 2


def percent(hundredths):
    """A share in hundredths of a part of CERTAIN, as percent."""
    return hundredths / CERTAIN


def met(battle, flown=STRAIGHT, low=LOW, unit=0, target=TARGET):
    """What a throw of Blue's first unit from its own tile meets."""
    return first_met(battle, unit, battle.tile[unit], target, flown, low)


def line(*between, ground=None, target=16, **settings):
    """Blue's rookie at (10, 10), Orange's six tiles to the east, and what is in between."""
    return draw([rookie(10, 10), foe(rookie(target, 10)), *between], ground, **settings)


def chance(battle, target=TARGET, unit=0):
    return percent(chance_to_strike(battle, unit, battle.tile[unit], target))


# --- what is seen -------------------------------------------------------------------------------------------


@rule("L1")
def test_a_body_is_a_disc_and_cover_a_whole_tile():
    edge = NormalDist().cdf(degrees(asin(0.4 / 6)) / (2.5 * (1 + 0.19 * 6))) * CERTAIN
    assert met(line(), int(edge) - 100_000) == TARGET and met(line(), int(edge) + 100_000) == NONE
    # a tile five to the east and one to the south is seen between 5.2 and 18.4 degrees
    tree = line(ground={"T": [(15, 11)]})
    sigma = 2.5 * (1 + 0.19 * 6)
    first, last = degrees(asin(0.5 / hypot(5.5, 0.5))), degrees(asin(1.5 / hypot(4.5, 1.5)))
    for angle, expected in (
        (first - 0.1, NONE),
        (first + 0.1, COVER),
        (last - 0.1, COVER),
        (last + 0.1, NONE),
    ):
        assert met(tree, int(NormalDist().cdf(angle / sigma) * CERTAIN)) == expected


@rule("L3")
def test_a_target_is_in_sight_if_one_of_three_lines_touches_no_full_cover():
    for trees, seen in (
        ([], True),
        ([(15, 10)], False),  # right in front
        ([(13, 10)], False),
        ([(13, 9)], True),  # beside the line
        ([(13, 9), (13, 11)], True),  # both sides, and the middle free
        ([(12, 10), (13, 9)], False),
    ):
        battle = line(ground={"T": trees})
        assert sees(battle, at(10, 10), at(16, 10)) == seen, trees


@rule("L3")
def test_a_corner_that_is_touched_hides_the_middle_but_not_the_sides():
    battle = draw([rookie(10, 10), foe(rookie(12, 12))], {"T": [(10, 11)]})
    assert sees(battle, at(10, 10), at(12, 12))
    battle = draw([rookie(10, 10), foe(rookie(12, 12))], {"T": [(10, 11), (11, 10)]})
    assert not sees(battle, at(10, 10), at(12, 12))


@rule("L3")
@pytest.mark.parametrize("seed", range(20))
def test_sight_is_that_of_the_reference(seed):
    dice, compared = Stream(seed, 1), 0
    for _ in range(40):
        places = dice.shuffled([(x, y) for x in range(10, 19) for y in range(6, 15)])
        origin, target, trees = places[0], places[1], places[2:8]
        expected = reference.sees(origin, target, trees)
        battle = draw([rookie(*origin), foe(rookie(*target))], {"T": trees})
        if expected is not None:
            assert sees(battle, at(*origin), at(*target)) == expected, (origin, target, trees)
            compared += 1
    assert compared > 10


@rule("L3")
def test_half_cover_and_units_hide_nobody():
    battle = line(rookie(12, 10), foe(rookie(13, 10)), ground={"m": [(11, 10), (15, 10)]})
    assert sees(battle, at(10, 10), at(16, 10))


@rule("L3")
def test_throw_at_a_unit_out_of_sight_is_refused():
    match = start(line(ground={"T": [(13, 10)]}))
    assert refused(match, Attack(TARGET)) == "L3"


@rule("L2")
def test_unit_behind_a_tree_leans_out():
    battle = line(ground={"T": [(11, 10)]})
    assert throwing_point(battle, 0, TARGET) == at(10, 9)  # the north has the lesser y; both are as good
    blocked = line(rookie(10, 9), ground={"T": [(11, 10)]})
    assert throwing_point(blocked, 0, TARGET) == at(10, 11)
    hole = line(ground={"T": [(11, 10)], "o": [(10, 9), (10, 11)]})
    assert throwing_point(hole, 0, TARGET) == NONE
    assert throwing_point(line(ground={"T": [(11, 10)]}, lean_out=False), 0, TARGET) == NONE


@rule("L2")
def test_leaning_out_needs_full_cover_along_its_face():
    battle = line(ground={"T": [(10, 9), (13, 10)]})  # the tree beside is to the north: east and west
    assert throwing_point(battle, 0, TARGET) == NONE
    battle = line(ground={"m": [(11, 10)], "T": [(13, 10)]})
    assert throwing_point(battle, 0, TARGET) == NONE


@rule("L2")
def test_the_own_tile_is_used_unless_another_is_better():
    aside = line(ground={"T": [(10, 9)]})
    assert throwing_point(aside, 0, TARGET) == at(11, 10)  # nearer by one
    assert throwing_point(line(ground={"T": [(10, 9)]}, target=13), 0, TARGET) == at(
        10, 10
    )  # flat within four


@rule("L2")
def test_the_point_with_the_best_chance_is_used_not_the_nearest():
    units = [Unit(Kind.NURSE_NONNA, 10, 10), foe(rookie(20, 11)), foe(rookie(14, 11))]
    battle = draw(units, {"T": [(11, 10)]})
    north, south = (open_chance(battle, 0, point, TARGET) for point in (at(10, 9), at(10, 11)))
    assert north < south and throwing_point(battle, 0, TARGET) == at(
        10, 9
    )  # in the south an enemy is in the way


@rule("L2")
@pytest.mark.parametrize(
    "trees, target, used",
    [
        ([(9, 10), (10, 11)], (15, 5), (10, 9)),  # north, not east
        ([(11, 10), (10, 11)], (5, 5), (9, 10)),  # west, not north
        ([(9, 10), (10, 9)], (15, 15), (10, 11)),  # south, not east
        ([(11, 10), (10, 9)], (5, 15), (9, 10)),  # west, not south
    ],
)
def test_equal_points_are_chosen_by_x_then_y(trees, target, used):
    battle = draw([rookie(10, 10), foe(rookie(*target))], {"T": trees})
    assert throwing_point(battle, 0, TARGET) == at(*used)


@rule("L2")
def test_of_west_and_east_the_west_is_used():
    battle = draw([rookie(10, 10), foe(rookie(10, 16)), foe(rookie(10, 11))], {"T": [(10, 9)]})
    west, east = (chance_to_strike(battle, 0, point, TARGET) for point in (at(9, 10), at(11, 10)))
    assert west == east and throwing_point(battle, 0, TARGET) == at(9, 10)


@rule("L2")
def test_leaning_out_is_not_moving():
    match = start(line(ground={"T": [(11, 10)]}))
    act(match, Attack(TARGET))
    assert match.state.tile[0] == at(10, 10) and match.state.throw_point == at(10, 9)


# --- what stops a ball --------------------------------------------------------------------------------------


@rule("B1")
def test_full_cover_stops_a_ball_high_or_low():
    battle = line(ground={"T": [(13, 10)]})
    assert met(battle, low=LOW) == met(battle, low=HIGH) == COVER
    assert chance(battle) == 0


@rule("B1")
def test_first_obstacle_counts():
    battle = line(foe(rookie(12, 10)), ground={"m": [(14, 10)]})
    assert met(battle) == ANOTHER
    battle = line(foe(rookie(14, 10)), ground={"m": [(12, 10)]})
    assert met(battle) == COVER
    assert met(line(foe(rookie(18, 10)), ground={"T": [(17, 10)]}), low=LOW) == TARGET


@rule("B2")
def test_half_cover_stops_low_balls_only():
    battle = line(ground={"m": [(13, 10)]})
    assert met(battle, low=LOW) == COVER and met(battle, low=HIGH) == TARGET
    assert chance(battle) == pytest.approx(chance(line()) / 2, abs=1e-3)


@rule("B2")
def test_several_mounds_in_a_row_stop_no_more_than_one():
    one, five = line(ground={"m": [(13, 10)]}), line(ground={"m": [(x, 10) for x in range(11, 16)]})
    assert chance(five) == chance(one)


@rule("B3")
def test_the_target_is_struck_high_or_low():
    assert met(line(), low=LOW) == met(line(), low=HIGH) == TARGET


@rule("B4")
def test_other_standing_units_are_struck_by_low_balls():
    for other in (rookie(13, 10), foe(rookie(13, 10))):
        battle = line(other)
        number = FRIEND if other.seat == 0 else ANOTHER
        assert met(battle, low=LOW) == number and met(battle, low=HIGH) == TARGET


@rule("B4")
def test_without_friendly_fire_friends_are_crossed():
    battle = line(rookie(13, 10), friendly_fire=False)
    assert met(battle) == TARGET and chance(battle) == chance(line())
    assert chance_to_stray(battle, 0, at(10, 10), TARGET, FRIEND) == 0


@rule("B4")
def test_a_throw_that_drifts_strikes_who_stands_beside():
    battle = line(rookie(16, 11))
    assert met(battle, flown=int(0.96 * CERTAIN)) == FRIEND


@rule("B5")
def test_the_own_mound_is_no_obstacle_unless_it_is_the_targets_too():
    assert chance(line(ground={"m": [(11, 10)]})) == chance(line())
    assert chance(line(ground={"m": [(11, 11)]})) == chance(line())
    near = line(ground={"m": [(11, 10)]}, target=12)
    assert met(near, low=LOW) == COVER and chance(near) == pytest.approx(
        chance(line(target=12)) / 2, abs=1e-3
    )


@rule("B6")
@pytest.mark.parametrize("place", [(11, 10), (11, 11), (11, 9)])
def test_a_friend_beside_the_thrower_is_crossed(place):
    battle = line(rookie(*place))
    assert chance(battle) == chance(line())
    assert chance_to_stray(battle, 0, at(10, 10), TARGET, FRIEND) == 0


@rule("B6")
def test_a_friend_beside_the_point_that_one_leans_out_to_is_at_risk():
    battle = draw([rookie(10, 10), foe(rookie(10, 5)), rookie(10, 8)], {"T": [(11, 10)]})
    point = throwing_point(battle, 0, TARGET)
    assert point == at(10, 9) and first_met(battle, 0, point, TARGET, STRAIGHT, LOW) == FRIEND
    assert percent(chance_to_stray(battle, 0, point, TARGET, FRIEND)) == pytest.approx(50, abs=0.1)
    assert [stray.unit for stray in preview(battle, 0).throws[0].friends] == [FRIEND]


@rule("B6")
def test_an_enemy_beside_the_thrower_is_not():
    assert met(line(foe(rookie(11, 10))), low=LOW) == ANOTHER


@rule("B6")
@pytest.mark.parametrize("posture", [Posture.PRONE, Posture.DOWNED])
def test_prone_and_downed_units_are_crossed(posture):
    for other in (rookie(13, 10, posture=posture), foe(rookie(13, 10, posture=posture))):
        assert met(line(other)) == TARGET


@rule("B6")
def test_a_prone_target_is_struck():
    battle = draw([rookie(10, 10), foe(rookie(16, 10, posture=Posture.PRONE))])
    assert met(battle) == TARGET


@rule("B7")
def test_a_ball_flies_half_a_tile_farther_than_the_range():
    for x, expected in ((18, ANOTHER), (19, NONE)):
        battle = line(foe(rookie(x, 10)), target=13)
        battle.posture[TARGET] = Posture.PRONE
        assert first_met(battle, 0, at(10, 10), ANOTHER, STRAIGHT, LOW) == expected
    battle = draw([rookie(10, 10), foe(rookie(10, 14)), foe(rookie(13, 18)), foe(rookie(12, 18))])
    assert chance_to_stray(battle, 0, at(10, 10), 1, 5) > 0 == chance_to_stray(battle, 0, at(10, 10), 1, 3)


# --- the throw ----------------------------------------------------------------------------------------------


@rule("H1")
def test_a_throw_takes_one_snowball():
    match = start(line())
    act(match, Attack(TARGET))
    assert match.state.snowballs[0] == 2
    match = begin([rookie(10, 10, snowballs=0), foe(rookie(16, 10))])
    assert refused(match, Attack(TARGET)) == "H1"


@rule("H1")
def test_only_enemies_that_are_up_are_targets():
    battle = line(rookie(13, 10), foe(rookie(14, 10, posture=Posture.DOWNED)), foe(rookie(15, 10)))
    match = start(battle)
    assert (
        refused(match, Attack(FRIEND)) == refused(match, Attack(0)) == refused(match, Attack(ANOTHER)) == "H1"
    )
    assert refused(match, Attack(23)) == refused(match, Attack(40)) == "C4"


@rule("H2")
@pytest.mark.parametrize("kind", [Kind.ROOKIE, Kind.PITCHER, Kind.RUNNER, Kind.SLUGGER, Kind.DODGY_DOT])
def test_the_target_is_within_range(kind):
    reach = RANGE[kind]
    for distance in (reach, reach + 1):
        battle = draw([Unit(kind, 10, 10), foe(rookie(10 + distance, 10))])
        assert (refuse_target(battle, 0, TARGET) == 0) == (distance <= reach)


@rule("H2")
def test_range_counts_from_the_point_that_one_leans_out_to():
    tree = {"T": [(10, 9)]}
    assert throwing_point(line(ground=tree, target=19), 0, TARGET) == at(11, 10)
    assert refused(start(line(ground=tree, target=20)), Attack(TARGET)) == "H2"
    assert throwing_point(line(ground={"T": [(11, 10)]}, target=18), 0, TARGET) == NONE  # farther by leaning


@rule("H3")
@pytest.mark.parametrize("offset", [(4, 0), (3, 4), (6, 0), (5, 5), (8, 0), (12, 0)])
@pytest.mark.parametrize("kind, accuracy", [(Kind.SCOUT, 80), (Kind.RUNNER, 87), (Kind.BIG_BOOTS_BORIS, 90)])
def test_the_deviation_grows_with_distance_and_inaccuracy(kind, accuracy, offset):
    battle = draw([Unit(kind, 10, 10), foe(rookie(20, 20))])
    expected = 2.5 * (1 + (100 - accuracy) / 100 * hypot(*offset))
    assert spread_of(battle, 0, *offset) * 360 / FULL_TURN == pytest.approx(expected, abs=1e-4)


@rule("H3")
def test_chances_are_those_of_a_normal_distribution():
    for dx in range(13):
        for dy in range(13):
            if 16 <= dx * dx + dy * dy <= 64:
                battle = draw([rookie(10, 5), foe(rookie(10 + dx, 5 + dy))])
                distance = hypot(dx, dy)
                sigma = 2.5 * (1 + 0.19 * distance)
                expected = 2 * NormalDist().cdf(degrees(asin(0.4 / distance)) / sigma) - 1
                assert open_chance(battle, 0, at(10, 5), 1) / CERTAIN == pytest.approx(expected, abs=3e-5)


@rule("H4")
def test_within_four_tiles_the_chance_to_strike_is_flat():
    for kind in (Kind.SCOUT, Kind.BIG_BOOTS_BORIS):
        chances = []
        for offset in ((1, 0), (1, 1), (2, 0), (2, 1), (2, 3), (3, 0), (4, 0)):
            battle = draw([Unit(kind, 10, 10), foe(rookie(10 + offset[0], 10 + offset[1]))])
            chances.append(chance(battle))
        assert max(chances) - min(chances) < 0.01
        farther = draw([Unit(kind, 10, 10), foe(rookie(14, 11))])
        assert chance(farther) < min(chances) - 1


# --- being struck -------------------------------------------------------------------------------------------


@rule("D1")
def test_whoever_is_struck_dodges_or_loses_one_health():
    for roll, health, flight in ((6, 4, Flight.DODGED), (7, 3, Flight.HIT)):
        battle = line()
        strike(battle, TARGET, roll)
        assert (battle.health[TARGET], battle.flight) == (health, flight)


@rule("D1")
def test_friends_are_hurt_like_enemies_and_cover_saves_from_all():
    battle = line(rookie(13, 10))
    strike(battle, FRIEND, 99)
    assert battle.health[FRIEND] == 3
    for seed in range(30):
        match = begin([rookie(10, 10), foe(rookie(16, 10))], {"m": [(13, 10)]}, seed=seed)
        act(match, Attack(TARGET))
        unhurt = match.state.health[TARGET] == 4
        assert unhurt == (match.state.flight != Flight.HIT)


@rule("D1")
def test_throws_have_the_chances_of_the_preview():
    ground, units = {"m": [(15, 11)]}, [rookie(10, 10), foe(rookie(16, 10)), rookie(13, 11)]
    seen = preview(draw(units, ground), 0).throws[0]
    throws, hurt, friend = 1500, 0, 0
    for seed in range(throws):
        match = begin(units, ground, seed=seed)
        act(match, Attack(TARGET))
        hurt += match.state.health[TARGET] < 4
        friend += match.state.health[FRIEND] < 4
    for count, expected in ((hurt, seen.hurt), (friend, seen.friends[0].hurt)):
        assert abs(count - throws * expected) < 4 * sqrt(throws * expected * (1 - expected))


@rule("D1")
@rule("U9")
@pytest.mark.parametrize("kind, stopped", [(Kind.PROFESSOR_PARABOLA, 30), (Kind.BIG_BOOTS_BORIS, 50)])
def test_height_and_dodge_are_rolled_apart_with_the_chances_of_the_preview(kind, stopped):
    """Through a mound at who defends: of throws that would strike some are stopped, of the rest some dodged."""
    units = [Unit(kind, 10, 10), foe(Unit(Kind.BIG_BOOTS_BORIS, 14, 10, defending=True))]
    ground, throws, flights = {"m": [(13, 10)]}, 400, Counter()
    seen = preview(draw(units, ground), 0).throws[0]
    assert seen.cover / seen.open == pytest.approx(stopped / 100, abs=1e-6)
    for seed in range(throws):
        match = begin(units, ground, seed=seed)
        act(match, Attack(TARGET))
        flights[match.state.flight] += 1
    for flight, expected in ((Flight.HIT, seen.hurt), (Flight.DODGED, seen.dodge)):
        assert abs(flights[flight] - throws * expected) < 3 * sqrt(throws * expected * (1 - expected))


@rule("Q1")
@pytest.mark.parametrize("seed", range(6))
def test_the_chances_of_a_preview_are_exactly_those_of_the_throw(seed):
    """Between two edges of obstacles all throws fare alike: one of each and all of them are added up."""
    dice = Stream(seed, 1)
    places = dice.shuffled(
        [(x, y) for x in range(8, 19) for y in range(7, 14) if (x, y) not in ((10, 10), (15, 11))]
    )
    units = [
        rookie(10, 10),
        foe(rookie(15, 11)),
        *(rookie(*p) for p in places[:4]),
        *(foe(rookie(*p)) for p in places[4:8]),
    ]
    battle = draw(units, {"T": places[8:11], "m": places[11:17]})
    aim, fine = bearing(5, 1), fineness(spread_of(battle, 0, 5, 1))
    edges = {0, CERTAIN}
    for number, (x, y) in enumerate([(15, 11), *places[:17]]):
        angles = (body_angles if number < 9 else cover_angles)(x - 10, y - 10, aim)
        edges |= {share_left_of(angle, fine) for angle in angles}
    for low in (LOW, HIGH):
        added = Counter()
        for left, right in pairwise(sorted(edges)):
            added[met(battle, left, low)] += right - left
        assert added[TARGET] == share_met(battle, 0, at(10, 10), TARGET, TARGET, low)
        if low:
            for other in range(2, 10):
                assert 50 * added[other] == chance_to_stray(battle, 0, at(10, 10), TARGET, other)


@rule("D2")
def test_unit_hurt_on_ice_falls_and_stops_defending():
    for ground, posture in (({"~": [(16, 10)]}, Posture.PRONE), ({}, Posture.STANDING)):
        battle = draw([rookie(10, 10), foe(rookie(16, 10, defending=True))], ground)
        strike(battle, TARGET, 99)
        assert battle.posture[TARGET] == posture and battle.defending[TARGET] == (not ground)
    battle = draw([rookie(10, 10), foe(rookie(16, 10))], {"~": [(16, 10)]})
    strike(battle, TARGET, 0)
    assert battle.posture[TARGET] == Posture.STANDING


@rule("D3")
def test_a_unit_without_health_is_downed_on_ice_too():
    battle = draw([rookie(10, 10), foe(rookie(16, 10, health=1)), foe(rookie(30, 10))], {"~": [(16, 10)]})
    strike(battle, TARGET, 99)
    assert (battle.posture[TARGET], battle.health[TARGET]) == (Posture.DOWNED, 0)
    assert TARGET not in [unit for unit, _ in order(battle, 20)]


@rule("U1")
@pytest.mark.parametrize("kind", [Kind.ROOKIE, Kind.BUNDLE, Kind.BIG_BOOTS_BORIS])
def test_health_is_the_number_of_hits_until_a_unit_is_downed(kind):
    battle = draw([rookie(10, 10), foe(Unit(kind, 16, 10)), foe(rookie(30, 10))])
    hits = 0
    while battle.posture[TARGET] != Posture.DOWNED:
        strike(battle, TARGET, 99)
        hits += 1
    assert hits == {Kind.ROOKIE: 4, Kind.BUNDLE: 6, Kind.BIG_BOOTS_BORIS: 15}[kind]


@rule("U3")
def test_more_accuracy_is_a_better_chance_everywhere():
    for x in range(1, 9):
        ordered = []
        for kind in (
            Kind.SCOUT,
            Kind.ROOKIE,
            Kind.PITCHER,
            Kind.RUNNER,
            Kind.CAPTAIN,
            Kind.SLUGGER,
            Kind.NURSE_NONNA,
        ):
            ordered.append(chance(draw([Unit(kind, 10, 10), foe(rookie(10 + x, 10))])))
        assert ordered == sorted(ordered) and len(set(ordered)) == len(ordered)


@rule("U4")
@pytest.mark.parametrize(
    "kind, dodge", [(Kind.BUNDLE, 4), (Kind.ROOKIE, 7), (Kind.RUNNER, 10), (Kind.BIG_BOOTS_BORIS, 12)]
)
def test_dodge_is_one_percent_for_each_point_of_speed_and_movement(kind, dodge):
    assert dodge_percent(draw([Unit(kind, 5, 5), foe(rookie(9, 9))]), 0) == dodge


# --- previews -----------------------------------------------------------------------------------------------


@rule("Q1")
def test_a_preview_splits_the_chance_into_open_cover_and_dodge():
    seen = preview(line(ground={"m": [(15, 10)]}), 0).throws[0]
    assert seen.open == pytest.approx(0.525, abs=5e-4)
    assert seen.cover == pytest.approx(0.2625, abs=5e-4)
    assert seen.dodge == pytest.approx(0.2625 * 0.07, abs=5e-4)
    assert seen.hurt == pytest.approx(seen.open - seen.cover - seen.dodge)


@rule("Q1")
def test_a_preview_says_why_a_throw_is_forbidden():
    battle = line(foe(rookie(30, 10)), ground={"T": [(13, 10)]})
    assert [start(battle).game.text.refusals[throw.reason].rule for throw in preview(battle, 0).throws] == [
        "L3",
        "H2",
    ]
    assert {throw.reason for throw in preview(battle, 1).throws} == {-1}  # it is not Orange's turn


@rule("Q1")
def test_a_preview_may_consider_another_tile_and_changes_nothing():
    battle = draw([Unit(Kind.AUNT_AVALANCHE, 10, 10), foe(rookie(19, 10))])
    match = start(battle)
    before = match.dump()
    near = preview(match.state, 0, at(13, 10)).throws[0]
    assert match.dump() == before
    act(match, Move(at(13, 10)))
    assert preview(match.state, 0).throws[0] == near


@rule("Q1")
@pytest.mark.parametrize("backend", ["plain", "compiled"])
def test_previews_are_the_same_on_every_backend(backend):
    from endturn.engine.match import Match  # noqa: PLC0415
    from endturn.games.snowball import game  # noqa: PLC0415

    ground = {"m": [(15, 10), (12, 12)], "T": [(11, 9), (9, 10)], "~": [(13, 13)]}
    units = [rookie(10, 10), foe(rookie(16, 10)), rookie(13, 11), foe(rookie(12, 15)), foe(rookie(15, 12))]
    match = Match(game, start=draw(units, ground), backend=backend)
    assert explain(match.state, 0, match.preview(0)) == preview(match.state, 0)


@rule("Q2")
def test_a_preview_names_every_friend_and_other_enemy_at_risk():
    seen = preview(line(rookie(13, 10), rookie(11, 10), foe(rookie(16, 11))), 0).throws[0]
    assert [stray.unit for stray in seen.friends] == [FRIEND] and [stray.unit for stray in seen.enemies] == [
        ANOTHER
    ]
    assert seen.friends[0].struck == pytest.approx(0.424, abs=5e-4)
    assert seen.friends[0].hurt == pytest.approx(seen.friends[0].struck * 0.93)
