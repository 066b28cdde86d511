"""Tests turns, upkeep, the road and the outcome of Catastrophe, rule by rule."""

import pytest

from endturn.engine.actions import Leave, Why
from endturn.engine.match import Match
from endturn.games.catastrophe import game
from endturn.games.catastrophe.actions import Attack, EndTurn, Harvest, Move, Rest
from endturn.games.catastrophe.state import NOBODY, NONE, Decision, Ending, Job
from games.catastrophe.position import HEIGHT, WIDTH, act, at, begin, draw, end_turns, refused, start

rule = pytest.mark.rule
NORTHERN, SOUTHERN = HEIGHT // 2 - 1, HEIGHT // 2  # lanes


def verdict(match) -> tuple[Ending, Decision, int]:
    state = match.state
    return Ending(state.ended), Decision(state.decided), state.winner


# --- A turn -------------------------------------------------------------------------------------------------


@rule("T1")
@pytest.mark.parametrize("turn", [2, 3])
def test_seats_take_turns_and_only_one_acts(turn):
    match = begin("g0 . g1", turn=turn)
    seat = turn % 2
    own, other = (0, 1) if seat == 0 else (1, 0)
    assert match.to_act() == (seat,)
    assert refused(match, Move(other, at(1, 0)), 1 - seat) == "T1"
    act(match, Move(own, at(1, 0)), EndTurn())
    assert match.to_act() == (1 - seat,)
    assert match.turn == turn + 1


@rule("T2")
def test_new_human_does_not_walk_in_its_first_turn():
    match = begin("", turn=0)
    end_turns(match)
    assert match.state.unit_on[at(0, NORTHERN)] == 4
    end_turns(match)
    assert match.state.unit_on[at(1, NORTHERN)] == 4


@rule("T2")
def test_harvest_falls_and_tiles_recover_before_the_outcome():
    world = draw("f40", turn=59, max_turns=60)
    world.turns_to_harvest[0] = 3
    match = start(world)
    end_turns(match)
    assert match.outcome is not None
    assert (match.state.turns_to_harvest[0], match.state.harvest_rate[0]) == (2, 30)


@rule("T2")
def test_upkeep_is_paid_after_the_outcome():
    world = draw("g0 s1 .", turn=58, max_turns=60)
    match = start(world)
    end_turns(match, 2)
    assert match.state.store[1] == 1000 - 4  # when turn 59 began
    assert match.state.store[0] == 1000


@rule("T3")
def test_own_and_neutral_units_are_ready_again_at_the_end_of_a_turn():
    world = draw("g0 s1 h-")
    for unit in range(3):
        world.acted[unit], world.moves[unit] = True, 0
    match = start(world)
    end_turns(match)
    assert [bool(match.state.acted[unit]) for unit in range(3)] == [False, True, False]
    assert list(match.state.moves[:3]) == [4, 0, 4]


@rule("T4")
def test_nobody_acts_after_the_match_is_over():
    match = begin("g0 . g1", turn=4, max_turns=5)
    end_turns(match)
    assert match.to_act() == ()
    for seat in (0, 1):
        assert refused(match, EndTurn(), seat) == refused(match, Move(seat, 1), seat) == "T4"


# --- Upkeep -------------------------------------------------------------------------------------------------


@rule("U1")
def test_upkeep_is_paid_when_a_turn_begins():
    match = begin("s0 b0 m1 g1 g1")  # plus a fresh human per seat
    end_turns(match)
    assert list(match.state.store) == [1000, 1000 - 2 - 1 - 1 - 1]
    end_turns(match)
    assert list(match.state.store) == [1000 - 3 - 2 - 1, 995]


@rule("U1")
def test_converted_units_need_upkeep_and_beaten_ones_do_not():
    match = begin("s0 s1*25")
    act(match, Attack(0, at(1, 0)))
    end_turns(match)
    assert match.state.store[1] == 999


@rule("U2")
@pytest.mark.parametrize("store, left, starving", [(5, 1, False), (4, 0, False), (3, 3, True)])
def test_units_starve_when_there_is_not_enough_for_all(store, left, starving):
    world = draw("s1 . g0")
    world.store[1] = store
    match = start(world)
    end_turns(match)
    own = [unit for unit in range(match.state.unit_count) if match.state.owner[unit] == 1]
    assert match.state.store[1] == left
    assert {bool(match.state.starving[unit]) for unit in own} == {starving}
    assert not match.state.starving[1]


@rule("U2")
def test_units_starve_for_one_turn():
    world = draw("S1 s1*50", turn=2)
    world.store[1] = 3
    match = start(world)
    end_turns(match)
    act(match, Rest(0), EndTurn())
    assert (match.state.energy[0], bool(match.state.starving[0])) == (56.25, False)


# --- The road -----------------------------------------------------------------------------------------------


@rule("W1")
@pytest.mark.parametrize(
    "turn, comes", [(0, True), (30, True), (29, False), (31, False), (1, False), (60, True)]
)
def test_human_enters_each_lane_every_thirty_turns(turn, comes):
    match = begin("", turn=turn)
    end_turns(match)
    state = match.state
    lanes = state.unit_on[at(0, NORTHERN)], state.unit_on[at(WIDTH - 1, SOUTHERN)]
    assert lanes == ((4, 5) if comes else (NONE, NONE))
    if comes:
        who = [(state.owner[u], state.job[u], state.energy[u], state.moves[u]) for u in (4, 5)]
        assert who == [(NOBODY, Job.FRESH_HUMAN, 100, 4)] * 2


@rule("W2")
def test_humans_walk_every_turn_through_structures():
    match = begin(".\n.\n.\n. . W1 N-", turn=0)
    end_turns(match)
    places = []
    for _ in range(9):
        end_turns(match)
        places.append((match.state.tile[4], match.state.tile[5]))
    assert places == [(at(x, NORTHERN), at(WIDTH - 1 - x, SOUTHERN)) for x in range(1, 10)]


@rule("W3")
def test_unit_ahead_blocks_a_human():
    world = draw("", turn=0)
    place = at(2, NORTHERN)
    world.unit_on[world.tile[0]], world.tile[0], world.unit_on[place] = NONE, place, 0
    match = start(world)
    end_turns(match, 5)
    assert match.state.tile[4] == at(1, NORTHERN)


@rule("W4")
@pytest.mark.parametrize("blocked", [False, True])
def test_humans_disappear_after_the_time_to_cross(blocked):
    world = draw("", turn=0)
    if blocked:
        place = at(3, NORTHERN)
        world.unit_on[world.tile[0]], world.tile[0], world.unit_on[place] = NONE, place, 0
    match = start(world)
    end_turns(match)
    assert match.state.turns_to_die[4] == WIDTH
    end_turns(match, WIDTH - 1)
    assert match.state.tile[4] == at(2 if blocked else WIDTH - 1, NORTHERN)
    end_turns(match)
    assert (match.state.tile[4], match.state.turns_to_die[4]) == (NONE, 0)


@rule("W5")
def test_humans_enter_on_the_first_free_tile():
    world = draw("g0 g0 s1 .", turn=0)
    for unit, x, y in ((0, 0, NORTHERN), (1, 1, NORTHERN), (2, WIDTH - 1, SOUTHERN)):
        world.unit_on[world.tile[unit]], world.tile[unit], world.unit_on[at(x, y)] = NONE, at(x, y), unit
    match = start(world)
    end_turns(match)
    state = match.state
    assert (state.tile[7], state.turns_to_die[7], state.bound_for[7]) == (
        at(2, NORTHERN),
        WIDTH - 2,
        at(WIDTH - 1, NORTHERN),
    )
    assert (state.tile[8], state.turns_to_die[8], state.bound_for[8]) == (
        at(WIDTH - 2, SOUTHERN),
        WIDTH - 1,
        at(0, SOUTHERN),
    )


@rule("W5")
def test_no_human_enters_a_full_lane():
    rows = ["."] * NORTHERN + [" ".join(["g0"] * WIDTH)]
    match = begin("\n".join(rows), turn=0)
    end_turns(match)
    assert match.state.unit_count == WIDTH + 4 + 1  # includes the human on the other lane


# --- The verdict --------------------------------------------------------------------------------------------


@rule("V1")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("energy, over", [(0, True), (-3, True), (0.5, False)])
def test_seat_without_its_overlord_has_lost(seat, energy, over):
    world = draw("g0 g1")
    world.energy[world.overlord[seat]] = energy
    match = start(world)
    end_turns(match)
    if over:
        assert verdict(match) == (Ending.OVERLORD_FELL, Decision.PRIMARY, 1 - seat)
    else:
        assert match.outcome is None


@rule("V2")
@pytest.mark.parametrize("seat", [0, 1])
def test_seat_with_only_its_overlord_has_lost(seat):
    match = begin(f"g{1 - seat} .", humans=False)
    end_turns(match)
    assert verdict(match) == (Ending.HUMANS_GONE, Decision.PRIMARY, 1 - seat)


@rule("V2")
def test_seat_with_one_human_plays_on():
    match = begin("g0 g1", humans=False)
    end_turns(match)
    assert match.outcome is None


@rule("V3")
@pytest.mark.parametrize(
    "drawing, fallen, ending",
    [
        ("g0 g0 g1", (0, 1), Ending.BOTH_OVERLORDS_FELL),
        (". .", (), Ending.BOTH_HUMANS_GONE),
        ("g0 .", (0,), Ending.BOTH_DEFEATED),
    ],
)
def test_both_lost_is_decided_by_conditions(drawing, fallen, ending):
    world = draw(drawing, humans=False)
    for seat in fallen:
        world.energy[world.overlord[seat]] = 0
    world.store[1] = 900 if ending == Ending.BOTH_HUMANS_GONE else 1000
    match = start(world)
    end_turns(match)
    decided = Decision.FOOD if ending == Ending.BOTH_HUMANS_GONE else Decision.UNITS
    assert verdict(match) == (ending, decided, 0)


@rule("V3")
def test_conditions_decide_after_the_last_turn():
    match = begin("g0 g0 g1", turn=2, max_turns=4)
    end_turns(match)
    assert match.outcome is None
    end_turns(match)
    assert verdict(match) == (Ending.TURN_LIMIT, Decision.UNITS, 0)


@rule("V3")
def test_last_turn_is_like_any_other():
    world = draw("g0 g0 g1", turn=3, max_turns=4)
    world.energy[world.overlord[0]] = 0
    match = start(world)
    end_turns(match)
    assert verdict(match) == (Ending.OVERLORD_FELL, Decision.PRIMARY, 1)


@rule("V4")
@pytest.mark.parametrize(
    "drawing, food, winner, decided",
    [
        ("g0 g1 g1", 500, 1, Decision.UNITS),
        ("g0 g0 g1", -5, 0, Decision.UNITS),
        ("g0 g1", 5, 0, Decision.FOOD),
        ("g0 g1 S1", 5, 0, Decision.FOOD),
        ("g0 g1 S0", -5, 1, Decision.FOOD),
    ],
)
def test_more_units_then_more_food_win(drawing, food, winner, decided):
    world = draw(drawing, turn=3, max_turns=4)
    world.store[0] += food
    match = start(world)
    end_turns(match)
    assert verdict(match) == (Ending.TURN_LIMIT, decided, winner)


@rule("V4")
def test_carried_food_does_not_count():
    world = draw("g0 g1 S1", turn=3, max_turns=4)
    world.food[0] = 50
    match = start(world)
    end_turns(match)
    assert verdict(match) == (Ending.TURN_LIMIT, Decision.STRUCTURES, 1)


@rule("V5")
@pytest.mark.parametrize(
    "drawing, winner", [("g0 g1 W1", 1), ("g0 g1 W0", 0), ("g0 g1 W0 M0 S1 S1 W1", 1), ("g0 g1 M0 N- N-", 0)]
)
def test_more_structures_win_next(drawing, winner):
    match = begin(drawing, turn=3, max_turns=4)
    end_turns(match)
    assert verdict(match) == (Ending.TURN_LIMIT, Decision.STRUCTURES, winner)


@rule("V6")
def test_coin_decides_last():
    winners = set()
    for seed in range(40):
        match = Match(
            game,
            game.configure(values={"max_turns": 1, "upkeep_first": False, "starting_food": 0}),
            seed=seed,
        )
        match.submit(0, EndTurn())
        ending, decided, winner = verdict(match)
        assert (ending, decided) == (Ending.TURN_LIMIT, Decision.COIN)
        winners.add(winner)
    assert winners == {0, 1}


@rule("V7")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("why", Why)
def test_seat_that_leaves_loses_on_any_turn(seat, why):
    match = begin("g0 g1")
    match.submit(seat, Leave(why))
    assert verdict(match) == (Ending[why.name], Decision.OPPONENT_LEFT, 1 - seat)


def test_harvest_recovery_counts_turns_of_both_seats():
    match = begin("g0 f40")
    act(match, Harvest(0, at(1, 0)))
    end_turns(match)
    assert match.state.turns_to_harvest[at(1, 0)] == 9
