"""What is said before an action is what comes of it: the order of turns, throws from another tile, areas to walk to."""

import pytest

from endturn.engine.actions import Leave
from endturn.engine.match import Match
from endturn.games.snowball import game
from endturn.games.snowball.actions import Attack, Defend, Delay, HelpAlly, Move, Rearm, Stand
from endturn.games.snowball.rules.previews import order, order_after, preview
from endturn.games.snowball.state import Kind, Phase, Posture
from endturn.testing.contract import random_play
from games.snowball.position import Unit, act, at, begin, draw, foe, rookie, start

rule = pytest.mark.rule
DOWNED, PRONE = Posture.DOWNED, Posture.PRONE


# --- the order of turns -------------------------------------------------------------------------------------


def one_of_each_kind(battle):
    """Legal actions of the unit at turn, of each kind one; of moves the nearest and the farthest."""
    match = start(battle)
    seat = match.to_act()[0]
    tiles = [battle.tile[battle.active] + step for step in (1, 64, -1, -64, 5, -5, 3 * 64, -3 * 64, 8, -8)]
    asked = [Rearm(), Defend(), Delay(), Stand(), *(Move(tile) for tile in tiles if tile >= 0)]
    asked += [kind(unit) for unit in range(len(battle.kind)) for kind in (Attack, HelpAlly)]
    return [action for action in asked if match.refuse(seat, action) is None]


def downed(battle):
    return [posture == DOWNED for posture in battle.posture]


def foretold(battle):
    """The kinds of actions whose order of turns came as it was foretold."""
    told = set()
    for action in one_of_each_kind(battle):
        expected, match = order_after(battle, action), start(battle)
        act(match, action)
        # Whom a throw downs has no turn any more: that is chance, and not foretold.
        if not isinstance(action, Attack) or downed(match.state) == downed(battle):
            assert order(match.state) == expected, (action, game.text.write(battle))
            told.add(type(action))
    return told


@rule("Q4")
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"act_then_move": True},
        {"act_then_move": True, "move_metric": "eight_way", "seasons": True},
        {"max_ticks": 2000, "defend_after_move": False},
    ],
    ids=str,
)
def test_previewed_order_is_the_order_after_the_action(settings):
    told = set()
    for seed in range(3):
        match = Match(game, {"army_points": 6, "map": "frozen_ring", **settings}, seed=seed)
        for step, _ in enumerate(random_play(match, 260)):
            if match.state.phase == Phase.BATTLE and step % 6 == seed:
                told |= foretold(match.state)
    assert told >= {Move, Attack, Rearm, Defend, Delay}
    friends = [rookie(6, 5, posture=PRONE), rookie(5, 6, posture=DOWNED)]
    assert HelpAlly in foretold(draw([rookie(5, 5), *friends, foe(rookie(9, 5))], **settings))
    assert Stand in foretold(draw([rookie(5, 5, posture=PRONE), foe(rookie(9, 5))], **settings))


@rule("Q4")
@pytest.mark.parametrize(
    "actions, after",
    [([Rearm()], 144), ([Rearm(), Move(at(5, 6))], 168), ([HelpAlly(2)], 96), ([Attack(1)], 96)],
)
def test_an_action_that_a_move_may_follow_shows_in_the_order_at_once(actions, after):
    units = [rookie(5, 5, snowballs=2), rookie(6, 5, posture=PRONE), foe(rookie(11, 5))]
    match = begin(units, act_then_move=True)
    act(match, *actions[:-1])
    expected = order_after(match.state, actions[-1])
    act(match, actions[-1])
    assert order(match.state)[:2] == expected[:2] == [(0, 1000), (0, 1000 + after)]
    act(match, Delay())
    assert match.state.ready[0] == 1000 + after


@rule("Q4")
def test_no_turns_follow_after_leaving():
    assert game.knowledge.foresee(draw([rookie(5, 5), foe(rookie(11, 5))]), 0, Leave()) == {"order": []}


# --- throws from another tile -------------------------------------------------------------------------------


def forbidden(battle, tile):
    """The rules that forbid the throws of Blue's unit at turn from a tile; None is a legal throw."""
    seen = preview(battle, 0, tile)
    return [game.text.refusals[throw.reason].rule if throw.reason else None for throw in seen.throws]


@rule("Q1")
def test_no_throw_is_previewed_after_a_double_move():
    battle = draw([rookie(10, 10), foe(rookie(16, 12)), foe(rookie(18, 12))])
    assert forbidden(battle, at(13, 11)) == [None, None]  # costs 4, all of the rookie's Movement
    assert forbidden(battle, at(13, 12)) == forbidden(battle, at(15, 12)) == ["W4", "W4"]
    assert not preview(battle, 0, at(15, 12)).walks
    told = game.knowledge.foresee(battle, 0, Move(at(15, 12)))
    assert told["throws"] == [] and told["walk"]["double"] and told["walk"]["cost"] == 7


@rule("Q1")
def test_what_was_walked_before_counts_for_a_double_move():
    match = begin([rookie(10, 10), foe(rookie(16, 12))])
    act(match, Move(at(12, 10)))
    assert forbidden(match.state, at(14, 10)) == [None] and forbidden(match.state, at(15, 10)) == ["W4"]


@rule("Q1")
def test_no_throw_is_previewed_from_an_unreachable_tile():
    battle = draw([rookie(10, 10), rookie(11, 10), foe(rookie(16, 12))], {"T": [(10, 11)]})
    for tile, broken in ((at(10, 20), "W3"), (at(10, 11), "W2"), (at(11, 10), "W2"), (at(50, 3), "M1")):
        assert forbidden(battle, tile) == [broken] and not preview(battle, 0, tile).walks
    lying = draw([rookie(10, 10, posture=PRONE), foe(rookie(16, 12))])
    assert forbidden(lying, at(11, 10)) == ["C3"]


@rule("Q1")
@pytest.mark.parametrize("seed", range(3))
def test_preview_from_a_tile_matches_the_actions_there(seed):
    match = Match(game, {"army_points": 6, "map": "frozen_ring", "act_then_move": seed == 2}, seed=seed)
    compared = 0
    for step, _ in enumerate(random_play(match, 200)):
        battle = match.state
        if battle.phase != Phase.BATTLE or step % 9:
            continue
        seat, walks = battle.active % 2, preview(battle, battle.active % 2).walks
        for walk in walks[:: max(1, len(walks) // 4)]:
            tile, there = at(walk.x, walk.y), start(battle)
            promised = preview(battle, seat, tile)
            act(there, Move(tile))
            if walk.double:
                assert not any(throw.reason == 0 for throw in promised.throws)
            else:
                assert promised == preview(there.state, seat)
                compared += 1
    assert compared > 10


@rule("Q3")
def test_the_areas_to_walk_to_are_the_legal_moves_with_eight_ways_too():
    ground = {"~": [(6, y) for y in range(24)], "T": [(3, 5), (4, 7)], "m": [(5, 3)]}
    match = begin(
        [Unit(Kind.BUNDLE, 4, 5), foe(rookie(4, 4)), foe(rookie(30, 5))], ground, move_metric="eight_way"
    )
    walks = {at(walk.x, walk.y): walk.cost for walk in preview(match.state, 0).walks}
    assert set(walks) == {action.tile for action in match.legal(0) if isinstance(action, Move)}
    assert walks[at(5, 6)] == 1 and walks[at(8, 9)] == 5  # over one tile of ice
