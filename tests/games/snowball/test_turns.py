"""The queue of turns, what a unit may do in one, and the verdict, sentence by sentence."""

import pytest

from endturn.engine.actions import Leave, Why
from endturn.engine.answers import Accepted
from endturn.games.snowball import game
from endturn.games.snowball.actions import Attack, Defend, Delay, HelpAlly, Move, Rearm, Stand
from endturn.games.snowball.rules.previews import order
from endturn.games.snowball.rules.turns import line_up
from endturn.games.snowball.state import Kind, Phase, Posture
from games.snowball.position import Unit, act, at, begin, draw, foe, refused, rookie, start

rule = pytest.mark.rule
BY_SPEED = {1: Kind.BUNDLE, 3: Kind.ROOKIE, 4: Kind.SCOUT, 5: Kind.RUNNER, 6: Kind.DODGY_DOT}


def opening(units, first=0, **settings):
    """A match at the very beginning of its battle."""
    battle = draw(units, **settings)
    battle.first, battle.now, battle.turn = first, 0, 0
    line_up(battle)
    return start(battle)


def next_turn_of(match, unit=0):
    return match.state.ready[unit] - 1000


# --- the queue ----------------------------------------------------------------------------------------------


@rule("T1")
def test_the_unit_that_is_ready_first_is_at_turn_and_its_seat_acts():
    battle = draw([rookie(2, 2), rookie(4, 2), foe(rookie(30, 2))])
    battle.ready[2], battle.ready[1] = 1100, 1050
    match = start(battle)
    act(match, Delay())
    assert (match.state.active, match.state.now, match.to_act()) == (0, 1048, (0,))
    act(match, Defend())
    assert (match.state.active, match.state.now, match.to_act()) == (1, 1050, (1,))
    assert refused(match, Delay(), 0) == "T1"


@rule("T2")
@pytest.mark.parametrize("speed", BY_SPEED)
def test_a_unit_recovers_in_132_ticks_less_12_for_each_point_of_speed(speed):
    match = opening([Unit(BY_SPEED[speed], 2, 2), foe(Unit(Kind.BUNDLE, 30, 2))])
    assert match.state.ready[0] == match.state.now == 132 - 12 * speed


@rule("T2")
def test_the_fastest_begin_the_slowest_come_last_and_may_wait_for_a_second_turn_of_the_fastest():
    units = [Unit(kind, 2 + speed, 2) for speed, kind in BY_SPEED.items()]
    match = opening([*units, foe(Unit(Kind.BUNDLE, 30, 2))])
    speeds = list(BY_SPEED)
    turns = [speeds[unit // 2] for unit, _ in order(match.state, 14) if unit % 2 == 0]
    assert turns[:5] == [6, 5, 4, 3, 6] and 1 in turns[5:7]


@rule("T3")
@pytest.mark.parametrize("first", [0, 1])
def test_of_units_ready_together_the_faster_goes_first_then_they_alternate(first):
    units = [rookie(2, 2), rookie(4, 2), Unit(Kind.SCOUT, 6, 2), foe(rookie(30, 2)), foe(rookie(32, 2))]
    battle = draw(units)
    battle.first, battle.turn = first, 0
    line_up(battle)
    for unit in (0, 2, 4, 1, 3):
        battle.ready[unit] = 96
    coming = [unit for unit, _ in order(battle, 5)]
    assert coming == [4, *([0, 1, 2, 3] if first == 0 else [1, 0, 3, 2])]


@rule("T4")
def test_the_scripted_unit_has_the_first_turn_however_slow():
    units = [Unit(Kind.DODGY_DOT, 2, 2), Unit(Kind.BUNDLE, 4, 2), foe(rookie(30, 2))]
    assert opening(units).state.active == 0
    assert opening(units, scripted_first=2).state.active == 2
    assert opening(units, scripted_first=17).state.active == 0


@rule("T5")
def test_each_action_costs_its_part_of_the_recovery():
    recovery = 96
    friend = rookie(3, 3, posture=Posture.PRONE)
    for actions, part in (
        ([Delay()], 0.5),
        ([Move(at(2, 4)), Delay()], 0.75),
        ([Attack(1)], 1),
        ([Move(at(2, 4)), Attack(1)], 1),
        ([HelpAlly(2)], 1),
        ([Rearm()], 1.5),
        ([Move(at(2, 4)), Rearm()], 1.5),
        ([Defend()], 1.5),
        ([Move(at(2, 8))], 1.5),
    ):
        match = begin([rookie(2, 3, snowballs=2), friend, foe(rookie(8, 3))])
        act(match, *actions)
        assert next_turn_of(match) == recovery * part, actions


@rule("T5")
def test_standing_up_is_slow_and_waiting_on_the_ground_is_not():
    for action, part in ((Stand(), 1.5), (Delay(), 0.5)):
        match = begin([rookie(2, 3, posture=Posture.PRONE), foe(rookie(30, 3))])
        act(match, action)
        assert next_turn_of(match) == 96 * part


@rule("T6")
def test_the_turns_to_come_are_shown_to_all_at_least_ten():
    match = begin([rookie(2, 3), foe(rookie(8, 3))])
    for seat in (0, 1, None):
        assert len(match.view(seat)["order"]) >= 10
    assert match.view(1)["order"][:3] == [[0, 1000], [0, 1096], [0, 1192]]
    assert "Next: R0@1000 R0@1096" in _plain(game.text.show(match.state))


def _plain(text):
    from rich.text import Text  # noqa: PLC0415

    return Text.from_markup(text).plain


# --- what a unit may do -------------------------------------------------------------------------------------


@rule("C2")
@pytest.mark.parametrize(
    "action", [Attack(1), Rearm(), Defend(), Delay(), HelpAlly(2)], ids=lambda a: type(a).__name__
)
def test_a_unit_moves_then_acts_and_that_ends_its_turn(action):
    friend = rookie(3, 3, posture=Posture.PRONE)
    match = begin([rookie(2, 3, snowballs=2), friend, foe(rookie(8, 3))])
    turn = match.turn
    act(match, Move(at(2, 5)), Move(at(2, 4)))
    assert match.turn == turn and match.state.active == 0
    act(match, action)
    assert match.turn == turn + 1


@rule("C3")
def test_a_prone_unit_can_only_stand_up_or_delay():
    match = begin(
        [
            rookie(2, 3, snowballs=2, posture=Posture.PRONE),
            rookie(3, 3, posture=Posture.PRONE),
            foe(rookie(8, 3)),
        ]
    )
    for action in (Move(at(2, 4)), Attack(1), Rearm(), Defend(), HelpAlly(2)):
        assert refused(match, action) == "C3"
    assert {type(action) for action in match.legal(0)} == {Stand, Delay}


@rule("C5")
def test_acting_before_moving_is_not_allowed_unless_the_setting_says_so():
    match = begin([rookie(2, 3), foe(rookie(8, 3))])
    act(match, Attack(1))
    assert match.turn == 11
    match = begin([rookie(2, 3), foe(rookie(8, 3))], act_then_move=True)
    act(match, Attack(1))
    assert match.turn == 10 and match.state.active == 0


@rule("C5")
@pytest.mark.parametrize(
    "actions, quarters",
    [
        ([Attack(1), Delay()], 4),
        ([Attack(1), Move(at(2, 7)), Delay()], 5),
        ([Rearm(), Move(at(2, 4)), Move(at(2, 3)), Delay()], 7),
        ([HelpAlly(2), Move(at(2, 5)), Delay()], 5),
        ([Move(at(2, 4)), Attack(1)], 4),  # who moved first is done after its action
        ([Defend()], 6),
    ],
)
def test_a_move_after_the_action_costs_a_quarter_more(actions, quarters):
    friend = rookie(3, 3, posture=Posture.PRONE)
    match = begin([rookie(2, 3, snowballs=2), friend, foe(rookie(8, 3))], act_then_move=True)
    act(match, *actions)
    assert match.turn == 11 and next_turn_of(match) == 96 * quarters // 4


@rule("C5")
def test_after_its_action_a_unit_only_moves_and_no_more_than_its_movement():
    match = begin([rookie(2, 3, snowballs=2), foe(rookie(8, 3))], act_then_move=True)
    act(match, Attack(1))
    for action in (Attack(1), Rearm(), Defend(), HelpAlly(2)):
        assert refused(match, action) == "C5"
    assert refused(match, Move(at(2, 8))) == "W3"
    act(match, Move(at(2, 7)))
    assert match.state.spent == 4 and refused(match, Move(at(2, 8))) == "W3"


# --- the end ------------------------------------------------------------------------------------------------


def last_stand(seed, **settings):
    """Blue throws at Orange's only unit, which has one health left."""
    match = begin([rookie(5, 5), foe(rookie(6, 5, health=1))], seed=seed, **settings)
    act(match, Attack(1))
    return match


@rule("V1")
def test_a_seat_wins_as_soon_as_all_enemies_are_downed():
    won = next(m for m in map(last_stand, range(20)) if m.state.posture[1] == Posture.DOWNED)
    assert not won.to_act() and won.outcome.winner == 0
    assert won.outcome.reasons[0] == "Blue knocked out all enemies."


@rule("V1")
def test_downed_units_win_again_when_they_are_revived_in_time():
    units = [rookie(5, 5), foe(rookie(6, 5, health=1)), foe(rookie(20, 5))]
    for seed in range(20):
        match = begin(units, seed=seed)
        act(match, Attack(1))
        assert match.to_act()


@rule("V2")
@pytest.mark.parametrize(
    "blue, orange, winner",
    [
        ([rookie(2, 2), rookie(4, 2)], [rookie(30, 2)], 0),
        ([rookie(2, 2)], [rookie(30, 2), rookie(32, 2, posture=Posture.DOWNED)], None),
        ([rookie(2, 2, health=3)], [rookie(30, 2)], 1),
        ([rookie(2, 2, posture=Posture.PRONE)], [rookie(30, 2, health=3)], 0),
        ([rookie(2, 2)], [rookie(30, 2)], None),
    ],
)
def test_after_the_last_tick_more_units_win_then_more_health_or_it_is_a_draw(blue, orange, winner):
    battle = draw([*blue, *map(foe, orange)], max_ticks=1999)
    battle.ready[0] = 1900
    match = start(battle)
    while match.to_act():
        act(match, Delay())
    assert match.outcome.winner == winner and match.outcome.how.startswith("time_limit")
    assert match.state.now <= 1999


@rule("V2")
@pytest.mark.parametrize("limit, goes_on", [(1999, False), (2000, True), (2001, True)])
def test_the_last_tick_is_still_played(limit, goes_on):
    match = begin([rookie(2, 2), foe(rookie(30, 2))], max_ticks=limit)
    while match.to_act() and match.state.active == 0:
        act(match, Defend())
    assert (match.to_act() == (1,)) == goes_on
    assert match.state.now == (2000 if goes_on else 1864)


@rule("V2")
def test_match_without_a_limit_continues():
    battle = draw([rookie(2, 2), foe(rookie(30, 2))])
    battle.now = battle.ready[0] = 900000
    battle.ready[1] = 900100
    match = start(battle)
    act(match, Delay(), Delay(), Delay())
    assert match.to_act()


@rule("V3")
@pytest.mark.parametrize("why", list(Why))
@pytest.mark.parametrize("seat", [0, 1])
def test_leaving_loses_on_anyones_turn(seat, why):
    match = begin([rookie(2, 2), foe(rookie(30, 2))])
    assert isinstance(match.submit(seat, Leave(why)), Accepted)
    assert match.outcome.winner == 1 - seat and not match.to_act()


@rule("V4")
def test_actions_after_the_end_are_refused():
    match = begin([rookie(2, 2), foe(rookie(30, 2))])
    match.submit(0, Leave())
    assert match.state.phase == Phase.OVER
    for seat in (0, 1):
        assert refused(match, Delay(), seat) == "V4" and not list(match.legal(seat))
