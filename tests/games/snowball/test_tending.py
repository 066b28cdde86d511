"""Rearming, defending, getting up and helping, the roster and the heroes' gifts, sentence by sentence."""

import pytest

from endturn.games.snowball.actions import Attack, Defend, Delay, HelpAlly, Move, Rearm, Stand
from endturn.games.snowball.rules.acting import dodge_percent, ground_at
from endturn.games.snowball.rules.previews import order, order_after, preview
from endturn.games.snowball.rules.throwing import chance_to_strike, first_met, spread_of, strike
from endturn.games.snowball.state import (
    ACCURACY,
    COST,
    HEALTH,
    MOVEMENT,
    RANGE,
    SPEED,
    Ground,
    Kind,
    Posture,
)
from endturn.mechanisms.normal import CERTAIN
from games.snowball.position import Unit, act, at, begin, draw, foe, refused, rookie, start

rule = pytest.mark.rule
FAR = foe(rookie(30, 20))
DOWNED, PRONE, STANDING = Posture.DOWNED, Posture.PRONE, Posture.STANDING


# --- deeds --------------------------------------------------------------------------------------------------


@rule("D4")
def test_defender_dodges_better_until_its_next_turn():
    battle = draw([rookie(5, 5), FAR])
    battle.ready[1] = 1050
    match = start(battle)
    act(match, Defend())
    assert dodge_percent(match.state, 0) == 37
    while match.state.active != 0:
        act(match, Delay())
    assert dodge_percent(match.state, 0) == 7


@rule("D4")
def test_defending_after_a_move_is_allowed_unless_the_setting_says_otherwise():
    match = begin([rookie(5, 5), FAR])
    act(match, Move(at(6, 5)), Defend())
    match = begin([rookie(5, 5), FAR], defend_after_move=False)
    act(match, Move(at(6, 5)))
    assert refused(match, Defend()) == "D4"
    act(begin([rookie(5, 5), FAR], defend_after_move=False), Defend())


@rule("D5")
def test_delaying_does_nothing():
    match = begin([rookie(5, 5, snowballs=1), foe(rookie(8, 5))])
    before = match.state
    act(match, Delay())
    after = match.state
    for column in ("tile", "health", "snowballs", "posture", "defending"):
        assert list(getattr(before, column)) == list(getattr(after, column))


@rule("D6")
def test_rearming_fills_the_arms_on_snow():
    for snowballs in (0, 1, 2):
        match = begin([rookie(5, 5, snowballs=snowballs), FAR])
        act(match, Rearm())
        assert match.state.snowballs[0] == 3
    assert refused(begin([rookie(5, 5), FAR]), Rearm()) == "D6"
    assert refused(begin([rookie(5, 5, snowballs=0), FAR], {"~": [(5, 5)]}), Rearm()) == "D6"


@rule("D7")
def test_a_prone_unit_stands_up():
    match = begin([rookie(5, 5, posture=PRONE), FAR])
    act(match, Stand())
    assert match.state.posture[0] == STANDING and match.turn == 11
    assert refused(begin([rookie(5, 5), FAR]), Stand()) == "D7"


@rule("D8")
def test_a_prone_friend_is_helped_up_and_waits_half_its_recovery_more():
    match = begin([rookie(5, 5), Unit(Kind.BUNDLE, 6, 6, posture=PRONE, health=3), FAR])
    act(match, HelpAlly(2))
    state = match.state
    assert (state.posture[2], state.health[2], state.ready[2]) == (STANDING, 3, 2000 + 60)
    assert state.ready[0] == 1000 + 96


@rule("D8")
def test_only_a_helpless_friend_beside_is_helped():
    for other in (
        rookie(6, 5),  # stands
        rookie(7, 5, posture=PRONE),  # two tiles away
        foe(rookie(6, 5, posture=PRONE)),
    ):
        match = begin([rookie(5, 5), other, FAR])
        assert refused(match, HelpAlly(2 if other.seat == 0 else 1)) == "D8"
    assert refused(begin([rookie(5, 5, health=1), FAR]), HelpAlly(0)) == "D8"


@rule("D9")
@pytest.mark.parametrize(
    "kind, health", [(Kind.ROOKIE, 1), (Kind.BUNDLE, 2), (Kind.SLUGGER, 3), (Kind.BIG_BOOTS_BORIS, 4)]
)
def test_a_downed_friend_is_revived_with_a_quarter_of_its_health_and_the_snowballs_it_had(kind, health):
    match = begin([rookie(5, 5), Unit(kind, 6, 6, posture=DOWNED, snowballs=1), FAR])
    act(match, HelpAlly(2))
    state = match.state
    assert (state.posture[2], state.health[2], state.snowballs[2]) == (STANDING, health, 1)
    assert state.ready[2] == 1000 + (132 - 12 * SPEED[kind]) * 3 // 2


@rule("D9")
def test_reviving_can_be_limited_and_can_give_more_health():
    units = [rookie(5, 5), rookie(6, 6, posture=DOWNED), rookie(5, 6, posture=PRONE), FAR]
    match = begin(units, max_revives=0)
    assert refused(match, HelpAlly(2)) == "D9"
    act(match, HelpAlly(4))
    match = begin(units, max_revives=1, revive_percent=75)
    act(match, HelpAlly(2))
    assert match.state.health[2] == 3 and match.state.revives[0] == 1


@rule("D9")
@pytest.mark.parametrize("limit", [1, 2])
def test_army_revives_only_as_often_as_allowed(limit):
    fallen = [rookie(6, 6, posture=DOWNED), rookie(5, 6, posture=DOWNED), rookie(4, 6, posture=DOWNED)]
    battle = draw([rookie(5, 5), *fallen, FAR], max_revives=limit)
    battle.ready[1] = 9000
    match = start(battle)
    for friend in (2, 4)[:limit]:
        act(match, HelpAlly(friend))
        while match.state.active != 0:
            act(match, Delay())
    assert match.state.revives[0] == limit
    assert refused(match, HelpAlly(6)) == "D9"
    assert "already revived" in match.refuse(0, HelpAlly(6)).reason


# --- units --------------------------------------------------------------------------------------------------


@rule("U2")
def test_speed_is_from_1_to_6_mostly_3_and_movement_from_3_to_6():
    ordinary = [SPEED[kind] for kind in Kind if kind < Kind.AUNT_AVALANCHE]
    assert (min(SPEED), max(SPEED), max(set(ordinary), key=ordinary.count)) == (1, 6, 3)
    assert sum(ordinary) / len(ordinary) == 3.25
    assert (min(MOVEMENT), max(MOVEMENT)) == (3, 6)


@rule("U5")
def test_a_unit_carries_three_snowballs_at_most():
    match = begin([rookie(5, 5), foe(rookie(8, 5)), foe(rookie(30, 20))])
    for left in (2, 1, 0):
        while match.state.active != 0:
            act(match, Delay())
        act(match, Attack(1))
        assert match.state.snowballs[0] == left


@rule("U6")
def test_a_unit_stands_falls_and_is_downed():
    match = begin([rookie(5, 5), foe(rookie(8, 5, health=2))], {"~": [(8, 5)]})
    battle = match.state
    assert battle.posture[1] == STANDING
    strike(battle, 1, 99)
    assert battle.posture[1] == PRONE
    strike(battle, 1, 0)  # it does not even dodge
    assert battle.posture[1] == DOWNED


@rule("U7")
def test_a_prone_unit_is_defenceless():
    battle = draw([rookie(5, 5), foe(rookie(8, 5, posture=PRONE)), foe(rookie(10, 5))])
    assert dodge_percent(battle, 1) == 0
    assert first_met(battle, 0, at(5, 5), 3, CERTAIN // 2, True) == 3


@rule("U7")
def test_a_downed_unit_is_out_of_the_queue_and_no_target():
    battle = draw([rookie(5, 5), foe(rookie(8, 5, posture=DOWNED)), foe(rookie(10, 5))])
    assert 1 not in [unit for unit, _ in order(battle, 20)]
    assert [throw.target for throw in preview(battle, 0).throws] == [3]
    match = start(battle)
    act(match, Move(at(8, 6)))
    assert refused(match, Move(at(8, 5))) == "W2"


@rule("U8")
def test_the_roster():
    rows = [(COST[k], HEALTH[k], SPEED[k], MOVEMENT[k], RANGE[k], ACCURACY[k]) for k in Kind]
    assert rows == [
        (1, 4, 3, 4, 8, 81),
        (1, 4, 4, 5, 8, 80),
        (1, 4, 3, 4, 9, 82),
        (1, 6, 1, 3, 8, 80),
        (2, 9, 3, 4, 11, 89),
        (2, 8, 5, 5, 10, 87),
        (2, 10, 3, 4, 10, 87),
        (2, 9, 4, 5, 11, 88),
        *[(3, 15 if kind == Kind.BIG_BOOTS_BORIS else 12, 6, 6, 12, 90) for kind in list(Kind)[8:]],
    ]


# --- gifts --------------------------------------------------------------------------------------------------


@rule("U9")
@pytest.mark.parametrize("perks", [True, False])
def test_aunt_avalanche_throws_straighter_if_she_has_not_moved(perks):
    battle = draw([Unit(Kind.AUNT_AVALANCHE, 5, 5), foe(rookie(11, 5))], hero_perks=perks)
    still = spread_of(battle, 0, 6, 0)
    battle.spent = 1
    assert still == (spread_of(battle, 0, 6, 0) * 85 // 100 if perks else spread_of(battle, 0, 6, 0))


@rule("U9")
@pytest.mark.parametrize("perks, share", [(True, 0.7), (False, 0.5)])
def test_half_cover_stops_professor_parabola_less(perks, share):
    hero, target = Unit(Kind.PROFESSOR_PARABOLA, 5, 5), foe(rookie(11, 5))
    free = chance_to_strike(draw([hero, target], hero_perks=perks), 0, at(5, 5), 1)
    behind = chance_to_strike(draw([hero, target], {"m": [(10, 5)]}, hero_perks=perks), 0, at(5, 5), 1)
    assert behind / free == pytest.approx(share, abs=1e-6)


@rule("U9")
@pytest.mark.parametrize("perks, health", [(True, 5), (False, 3)])
def test_nurse_nonna_revives_to_half_of_the_health(perks, health):
    units = [Unit(Kind.NURSE_NONNA, 5, 5), Unit(Kind.SLUGGER, 6, 5, posture=DOWNED), FAR]
    match = begin(units, hero_perks=perks)
    act(match, HelpAlly(2))
    assert match.state.health[2] == health


@rule("U9")
def test_nurse_nonna_revives_to_more_than_half_where_others_do():
    units = [Unit(Kind.NURSE_NONNA, 5, 5), Unit(Kind.DODGY_DOT, 6, 5, posture=DOWNED), FAR]
    match = begin(units, revive_percent=75)
    act(match, HelpAlly(2))
    assert match.state.health[2] == 9


@rule("U9")
@pytest.mark.parametrize("perks, dodge", [(True, 57), (False, 42)])
def test_dodgy_dot_defends_better(perks, dodge):
    battle = draw([Unit(Kind.DODGY_DOT, 5, 5, defending=True), FAR], hero_perks=perks)
    battle.defending[0] = True
    assert dodge_percent(battle, 0) == dodge


@rule("U9")
def test_captain_kettle_cheers_friends_within_two_tiles():
    kettle = Unit(Kind.CAPTAIN_KETTLE, 5, 5)
    friends = [rookie(7, 5), rookie(6, 6), rookie(7, 6), foe(rookie(4, 5))]
    battle = draw([kettle, *friends])
    assert [dodge_percent(battle, unit) for unit in (0, 2, 4, 6, 1)] == [12, 12, 12, 7, 7]
    for change in ({"hero_perks": False},):
        assert dodge_percent(draw([kettle, *friends], **change), 2) == 7
    fallen = draw([kettle._replace(posture=PRONE), *friends])
    assert dodge_percent(fallen, 2) == 7


@rule("U9")
def test_big_boots_boris_has_fifteen_health():
    assert HEALTH[Kind.BIG_BOOTS_BORIS] == 15


# --- where things are ---------------------------------------------------------------------------------------


@rule("M2")
def test_snow_ice_and_three_sorts_of_what_is_impassable():
    battle = draw([rookie(5, 5), FAR], {"~": [(1, 1)], "T": [(2, 1)], "m": [(3, 1)], "o": [(4, 1)]})
    found = [ground_at(battle, at(x, 1)) for x in range(5)]
    assert found == [Ground.SNOW, Ground.ICE, Ground.FULL_COVER, Ground.HALF_COVER, Ground.HOLE]


@rule("M4")
def test_neighbours_are_the_eight_tiles_around():
    for x in (4, 5, 6):
        for y in (4, 5, 6):
            if (x, y) != (5, 5):
                act(begin([rookie(5, 5), rookie(x, y, posture=PRONE), FAR]), HelpAlly(2))


@rule("Q4")
def test_the_order_after_an_action_is_what_it_will_be():
    units = [rookie(5, 5, snowballs=2), rookie(6, 5, posture=PRONE), foe(rookie(11, 5)), foe(rookie(30, 20))]
    for action in (Delay(), Attack(1), Rearm(), Defend(), HelpAlly(2), Move(at(5, 12))):
        match = begin(units, seed=3)
        expected = order_after(match.state, action)
        before = match.dump()
        assert match.dump() == before
        act(match, action)
        assert order(match.state) == expected, action
    assert order_after(draw([rookie(5, 5, posture=PRONE), FAR]), Stand())[0] == (0, 1144)
