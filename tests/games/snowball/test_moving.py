"""Walking, sentence by sentence."""

import pytest

from endturn.games.snowball.actions import Attack, Delay, Move
from endturn.games.snowball.rules.previews import preview
from endturn.games.snowball.state import Kind, Posture
from games.snowball.position import Unit, act, at, begin, draw, foe, refused, rookie

rule = pytest.mark.rule
FAR = foe(rookie(38, 22))


def spent(match, tile):
    act(match, Move(tile))
    return match.state.spent


@rule("W1")
def test_a_step_costs_one_and_onto_ice_two():
    ice = {"~": [(5, 5), (6, 5), (5, 4), (5, 6)]}
    assert spent(begin([rookie(4, 5), FAR]), at(6, 6)) == 3
    assert spent(begin([rookie(4, 5), FAR], ice), at(5, 5)) == 2
    assert spent(begin([rookie(4, 5), FAR], ice), at(6, 5)) == 4
    assert spent(begin([rookie(5, 5), FAR], ice), at(4, 5)) == 1  # off the ice


@rule("W1")
def test_the_cheapest_way_is_taken():
    river = {"~": [(5, y) for y in range(24) if y != 7]}
    assert spent(begin([Unit(Kind.DODGY_DOT, 4, 6), FAR], river), at(6, 6)) == 3
    assert spent(begin([Unit(Kind.DODGY_DOT, 4, 5), FAR], river), at(6, 5)) == 3
    assert spent(begin([Unit(Kind.DODGY_DOT, 4, 7), FAR], river), at(6, 7)) == 2


@rule("W1")
def test_with_eight_ways_a_diagonal_step_costs_the_same():
    match = begin([rookie(4, 5), FAR], move_metric="eight_way")
    assert spent(match, at(8, 9)) == 4
    match = begin([rookie(4, 5), FAR])
    assert refused(match, Move(at(9, 9))) == "W3"


@rule("W2")
@pytest.mark.parametrize("letter", "Tmo")
def test_impassable_tiles_block_walking(letter):
    wall = {letter: [(5, y) for y in range(24)]}
    match = begin([rookie(4, 5), FAR], wall)
    assert refused(match, Move(at(5, 5))) == "W2"
    assert refused(match, Move(at(6, 5))) == "W3"


@rule("W2")
def test_a_unit_walks_through_friends_and_the_downed_not_through_enemies():
    gap = {"T": [(5, y) for y in range(24) if y != 5]}
    for between in (rookie(5, 5), foe(rookie(5, 5, posture=Posture.DOWNED))):
        assert spent(begin([rookie(4, 5), between, FAR], gap), at(6, 5)) == 2
    for posture in (Posture.STANDING, Posture.PRONE):
        match = begin([rookie(4, 5), foe(rookie(5, 5, posture=posture)), FAR], gap)
        assert refused(match, Move(at(6, 5))) == "W3"


@rule("W2")
@pytest.mark.parametrize("there", [rookie(5, 5), foe(rookie(5, 5)), rookie(5, 5, posture=Posture.DOWNED)])
def test_unit_stops_only_on_a_free_tile(there):
    match = begin([rookie(4, 5), there, FAR])
    assert refused(match, Move(at(5, 5))) == refused(match, Move(at(4, 5))) == "W2"


@rule("W3")
def test_a_standard_move_may_be_made_in_several_parts():
    match = begin([rookie(4, 5), foe(rookie(9, 8))])
    act(match, Move(at(5, 5)), Move(at(5, 7)), Move(at(5, 8)))
    assert match.state.spent == 4 and match.turn == 10
    act(match, Attack(1))
    assert match.turn == 11


@rule("W4")
def test_a_double_move_goes_twice_as_far_and_ends_the_turn():
    match = begin([rookie(4, 5), foe(rookie(12, 6))])
    assert refused(match, Move(at(13, 5))) == "W3"
    act(match, Move(at(12, 5)))
    assert match.turn == 11


@rule("W4")
def test_earlier_steps_count():
    match = begin([rookie(4, 5), FAR])
    act(match, Move(at(7, 5)))
    assert refused(match, Move(at(13, 5))) == "W3"
    act(match, Move(at(12, 5)))
    assert match.turn == 11 and match.state.ready[0] == 1000 + 144


@rule("W4")
def test_three_tiles_of_ice_take_a_scout_a_double_move():
    ice = {"~": [(x, y) for x in (5, 6, 7) for y in range(24)]}
    match = begin([Unit(Kind.SCOUT, 4, 5), FAR], ice)
    seen = {(walk.x, walk.y): walk for walk in preview(match.state, 0).walks if walk.y == 5}
    assert not seen[6, 5].double and seen[6, 5].cost == 4
    assert seen[7, 5].double and seen[11, 5].cost == 10 and (12, 5) not in seen


@rule("M1")
def test_tiles_that_are_not_on_the_map_are_refused():
    match = begin([rookie(39, 5), FAR])
    assert refused(match, Move(at(40, 5))) == refused(match, Move(at(3, 24))) == "M1"
    assert (40, 5) not in {(walk.x, walk.y) for walk in preview(match.state, 0).walks}


@rule("Q3")
def test_the_areas_to_walk_to_are_exactly_the_legal_moves():
    ground = {"~": [(6, y) for y in range(24)], "T": [(3, 5), (4, 7)], "m": [(5, 3)]}
    match = begin([rookie(4, 5), rookie(5, 5), foe(rookie(4, 4)), foe(rookie(30, 5))], ground)
    walks = preview(match.state, 0).walks
    legal = {action.tile for action in match.legal(0) if isinstance(action, Move)}
    assert {at(walk.x, walk.y) for walk in walks} == legal
    for walk in walks[::7]:
        after = begin([rookie(4, 5), rookie(5, 5), foe(rookie(4, 4)), foe(rookie(30, 5))], ground)
        act(after, Move(at(walk.x, walk.y)))
        assert (after.turn == 11) == walk.double == (walk.cost > 4)
        assert walk.ice == (walk.x == 6)


@rule("Q3")
def test_a_prone_unit_has_no_area():
    assert preview(draw([rookie(4, 5, posture=Posture.PRONE), FAR]), 0).walks == ()


def test_delaying_ends_a_turn_in_which_a_unit_moved():
    match = begin([rookie(4, 5), FAR])
    act(match, Move(at(5, 5)), Delay())
    assert match.turn == 11
