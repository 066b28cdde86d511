"""The rules of Not-Chess, one by one: board, pools, turns, placing, moving, striking, the end."""

import re

import pytest

from endturn.engine.actions import Leave, Why
from endturn.engine.game import Outcome
from endturn.engine.match import Match
from endturn.engine.settings import SettingsError
from endturn.games.notchess import game
from endturn.games.notchess.actions import EndTurn, Move, Settle
from endturn.games.notchess.rules.board import distance, is_dark
from endturn.games.notchess.rules.combat import best_way, chance_to_hit
from endturn.games.notchess.setup import pool
from endturn.games.notchess.state import DAMAGE, HEALTH, MOVEMENT, REACH, Kind
from endturn.games.notchess.view import pool_left
from endturn.testing.play import act, refused
from games.notchess.position import (
    at,
    attack,
    health,
    may,
    move,
    mp,
    pass_turns,
    piece,
    place,
    raise_,
    settle,
)

rule = pytest.mark.rule


def classic(**settings):
    return Match(game, {"mode": "classic", **settings})


# --- Board and pieces ---------------------------------------------------------------------------------------


@rule("B1")
def test_squares_are_numbered_row_by_row_from_the_top_left():
    match = place()
    assert [at(match, where) for where in ("1.1", "2.1", "1.2", "8.8")] == [0, 1, 8, 63]
    assert (match.state.x[9], match.state.y[9]) == (1, 1)
    refusal = refused(match, Settle(64))
    assert refusal.rule == "B1" and "#64" in refusal.reason and "#0 to #63" in refusal.reason


@rule("B2")
@pytest.mark.parametrize("width, height", [(8, 8), (5, 5), (6, 10), (7, 17), (30, 18)])
def test_dark_squares_alternate_and_both_capitals_are_dark(width, height):
    board = place(width=width, height=height).state
    dark = {square for square in range(board.squares) if is_dark(board, square)}
    assert set(board.capital) <= dark
    for square in range(board.squares):
        if board.x[square] < width - 1:
            assert (square in dark) != (square + 1 in dark)
        if board.y[square] < height - 1:
            assert (square in dark) != (square + width in dark)


@rule("B3")
@pytest.mark.parametrize("there, steps", [("4.4", 0), ("5.5", 1), ("4.6", 2), ("6.5", 2), ("1.8", 4)])
def test_a_diagonal_step_counts_as_one(there, steps):
    match = place()
    assert distance(match.state, at(match, "4.4"), at(match, there)) == steps


@rule("B4")
def test_abilities_of_every_kind_of_piece():
    table = {kind: (MOVEMENT[kind], REACH[kind], DAMAGE[kind], HEALTH[kind]) for kind in Kind}
    assert table == {
        Kind.KING: (0, 0, 0, 0),
        Kind.PAWN: (0, 0, 0, 1),
        Kind.ROOK: (1, 1, 1, 2),
        Kind.BISHOP: (1, 2, 1, 1),
        Kind.KNIGHT: (2, 1, 1, 1),
        Kind.SHIP: (2, 1, 1, 1),
        Kind.NOMAD: (1, 0, 0, 0),
    }


@rule("B4")
@pytest.mark.parametrize("where", ["1.8", "1.7"])
def test_capitals_and_peasants_never_move(where):
    match = place("P1.7")
    assert refused(match, move(match, where, "2.7")).rule == "M1"


@rule("B5")
def test_capitals_stand_in_their_corners_and_white_begins():
    match = classic()
    assert [int(square) for square in match.state.capital] == [at(match, "1.8"), at(match, "8.1")]
    assert sorted(square for square in range(64) if match.state.on[square] >= 0) == [7, 56]
    assert match.to_act() == (0,)


@rule("B6")
@pytest.mark.parametrize(
    "mode, asked, made",
    [
        ("classic", (8, 8), (8, 8)),
        ("classic", (30, 30), (24, 16)),
        ("classic", (13, 11), (16, 8)),
        ("natural", (30, 18), (30, 18)),
        ("natural", (40, 40), (30, 18)),
        ("natural", (2, 4), (6, 6)),
        ("natural", (3, 1), (5, 5)),
        ("natural", (99, 99), (29, 17)),
    ],
)
def test_invalid_size_becomes_the_nearest_allowed(mode, asked, made):
    settings = game.configure(values={"mode": mode, "width": asked[0], "height": asked[1]})
    board = game.rules.setup(settings, 1)
    assert (board.width, board.height, board.squares) == (*made, made[0] * made[1])


@rule("B6")
def test_even_width_with_odd_height_is_refused():
    with pytest.raises(SettingsError, match="bad_board_size.*8 x 9"):
        game.configure(values={"width": 8, "height": 9})


# --- Pools --------------------------------------------------------------------------------------------------


@rule("P1")
def test_placing_takes_pieces_from_the_pool_until_it_is_empty():
    match = place("P1.7 P2.6 P1.5 P3.7", width=8, height=8, army_limit="small")
    assert pool_left(match.state, 0)["rook"] == 1
    act(match, raise_(match, "rook", "2.7"), EndTurn(), EndTurn())
    assert pool_left(match.state, 0)["rook"] == 0
    refusal = refused(match, raise_(match, "rook", "1.6"))
    assert refusal.rule == "P1" and "no warrior left" in refusal.reason


LIMITS = [
    ({"mode": "classic"}, [8, 2, 2, 2]),
    ({"mode": "classic", "width": 24, "height": 16}, [48, 12, 12, 12]),
    ({}, [8, 2, 2, 2]),
    ({"pawn_limit": "small", "army_limit": "small"}, [6, 1, 1, 1]),
    ({"pawn_limit": "large", "army_limit": "large"}, [10, 3, 3, 3]),
    ({"width": 5, "height": 5, "army_limit": "small"}, [5, 1, 1, 1]),
    ({"width": 30, "height": 18, "pawn_limit": "large", "army_limit": "large"}, [30, 9, 9, 9]),
    ({"width": 10, "height": 7 + 1}, [9, 2, 2, 2]),
]


@rule("P2")
@pytest.mark.parametrize("settings, limits", LIMITS, ids=str)
def test_sizes_of_pools(settings, limits):
    assert pool(game.configure(values=settings)) == [1, *limits, 0]


@rule("P3")
def test_dead_piece_returns_to_the_pool_and_regains_health():
    match = place("P1.7 R4.5:1:1", "R5.4")
    act(match, attack(match, "4.5", "5.4"))
    assert piece(match, "4.5") == -1 and health(match, "5.4") == 1
    assert pool_left(match.state, 0)["rook"] == 2
    act(match, EndTurn(), EndTurn(), raise_(match, "rook", "2.7"))
    assert health(match, "2.7") == 2


@rule("P4")
def test_allowance_is_one_plus_peasants_minus_war_figures():
    match = place("P1.7 R2.7")
    assert match.view(0)["allowance"] == [1, 1]
    act(match, raise_(match, "bishop", "1.6"))
    assert match.view(0)["allowance"] == [0, 1]
    act(match, EndTurn(), EndTurn())
    refusal = refused(match, raise_(match, "knight", "2.8"))
    assert refusal.rule == "P4" and "Settle a peasant first" in refusal.reason


@rule("P4")
def test_war_figures_stay_when_their_peasants_die():
    match = place("R4.5", "P4.4 R7.2 N6.3")
    act(match, attack(match, "4.5", "4.4"))
    assert match.view(0)["allowance"] == [0, -1]
    assert piece(match, "7.2") >= 0 and piece(match, "6.3") >= 0


# --- A turn -------------------------------------------------------------------------------------------------


@rule("T1")
def test_only_the_seat_to_act_acts_with_its_own_pieces():
    match = place("R4.5", "R5.2")
    assert refused(match, EndTurn(), seat=1).rule == "T1"
    refusal = refused(match, move(match, "5.2", "4.3"))
    assert refusal.rule == "T1" and "belongs to Black" in refusal.reason
    act(match, EndTurn())
    assert match.to_act() == (1,)
    act(match, EndTurn())
    assert match.to_act() == (0,)


@rule("T2")
def test_settling_ends_the_turn():
    match = place("R4.5")
    act(match, settle(match, "1.7"))
    assert match.to_act() == (1,) and match.turn == 1


@rule("T2")
def test_after_raising_the_others_may_act():
    match = place("P1.7 R4.5")
    act(match, raise_(match, "rook", "2.7"), move(match, "4.5", "5.4"))
    assert match.to_act() == (0,)


@rule("T2")
@pytest.mark.parametrize("first", ["move", "attack", "raise"])
def test_settling_and_raising_come_first(first):
    match = place("P1.7 P2.6 R4.5", "P4.4")
    begin = {
        "move": move(match, "4.5", "5.6"),
        "attack": attack(match, "4.5", "4.4"),
        "raise": raise_(match, "bishop", "1.6"),
    }
    act(match, begin[first])
    assert refused(match, settle(match, "2.8")).rule == "T2"
    assert refused(match, raise_(match, "knight", "2.7")).rule == "T2"


@rule("T3")
def test_a_figure_moves_and_then_strikes():
    match = place("R4.5", "P5.3")
    act(match, move(match, "4.5", "5.4"), attack(match, "5.4", "5.3"))
    assert piece(match, "5.3") == -1
    assert refused(match, move(match, "5.4", "6.5")).rule == "T3"


@rule("T3")
@pytest.mark.parametrize("figure", ["R4.5", "B4.5", "N4.5"])
def test_no_figure_moves_after_it_has_struck_or_moved(figure):
    match = place(figure, "P4.4")
    act(match, attack(match, "4.5", "4.4"))
    assert refused(match, move(match, "4.5", "5.6")).rule == "T3"
    match = place(figure)
    act(match, move(match, "4.5", "5.6"))
    assert refused(match, move(match, "5.6", "4.5")).rule == "T3"


@rule("T3")
@pytest.mark.parametrize("figure", ["B4.5", "N4.5"])
def test_only_warriors_strike_twice(figure):
    match = place(figure, "P4.4 P5.5 R5.4")
    act(match, attack(match, "4.5", "4.4"))
    assert refused(match, attack(match, "4.5", "5.4")).rule == "T3"


@rule("T3")
def test_figures_act_in_any_order():
    match = place("R4.5 N2.5", "P4.4 P3.3 R5.4")
    act(match, move(match, "2.5", "3.4"), attack(match, "4.5", "4.4"))
    act(match, attack(match, "3.4", "3.3"), attack(match, "4.5", "5.4"))
    assert match.to_act() == (0,)


@rule("T4")
def test_passing_is_always_allowed():
    match = place()
    act(match, EndTurn())
    assert match.to_act() == (1,) and match.turn == 1


@rule("T4")
def test_only_ending_the_turn_is_legal_when_no_figure_can_act():
    match = place("R4.5 N2.5:0", "P7.3")
    act(match, move(match, "4.5", "5.4"))
    assert list(match.legal(0)) == [EndTurn()]
    match.undo(0)
    assert len(list(match.legal(0))) > 1


NOMADS = "2.3>8.3:1 3.2>8.5:1"


@rule("T5")
def test_after_a_turn_figures_recover_nomads_move_and_weather_comes():
    match = place("R4.5:0 R6.5", ground="6.5 W", turn=15, nomads=NOMADS)  # ice melts in Summe1
    nomads = [at(match, "2.3"), at(match, "3.2")]
    assert [int(square) for square in match.state.at if square in nomads] == nomads
    act(match, EndTurn())
    assert [square for square in match.state.at if square in nomads] == []
    pass_turns(match, 8)
    assert mp(match, "4.5") == 1 and piece(match, "6.5") == -1


# --- Settling and raising -----------------------------------------------------------------------------------


@rule("S1")
def test_first_turn_has_two_peasant_squares_one_war_square_and_a_pass():
    match = classic()
    legal = list(match.legal(0))
    assert len(legal) == 6
    assert {action.square for action in legal if isinstance(action, Settle)} == {
        at(match, "1.7"),
        at(match, "2.8"),
    }
    raised = {(action.kind.name, action.square) for action in legal if hasattr(action, "kind")}
    assert raised == {(kind, at(match, "2.7")) for kind in ("ROOK", "BISHOP", "KNIGHT")}


@rule("S1")
def test_peasant_adds_squares_and_allowance():
    match = classic()
    act(match, settle(match, "1.7"), EndTurn())
    legal = list(match.legal(0))
    assert {a.square for a in legal if isinstance(a, Settle)} == {at(match, "2.6"), at(match, "2.8")}
    assert {a.square for a in legal if hasattr(a, "kind")} == {at(match, "1.6"), at(match, "2.7")}
    assert match.view(0)["allowance"][0] == 2


@rule("S1")
@pytest.mark.parametrize(
    "where, rule_id", [("2.7", "S1"), ("1.5", "S1"), ("3.5", "S1"), ("7.1", "S1"), ("1.7", "S1")]
)
def test_peasant_needs_an_empty_light_square_next_to_a_settlement(where, rule_id):
    match = place("P1.7")
    assert refused(match, settle(match, where)).rule == rule_id


@rule("S2")
@pytest.mark.parametrize("where, rule_id", [("2.8", "S2"), ("3.6", "S2"), ("2.7", "S2"), ("7.2", "S2")])
def test_war_figure_needs_an_empty_dark_square_next_to_a_settlement(where, rule_id):
    match = place("P1.7 R2.7", "P7.1")
    assert refused(match, raise_(match, "knight", where)).rule == rule_id
    assert may(match, raise_(match, "knight", "1.6"))


@rule("S3")
@pytest.mark.parametrize(
    "ground, allowed",
    [
        ("p", "rook bishop knight pawn"),
        ("f", "rook bishop pawn"),
        ("w", "pawn"),
        ("W", "rook bishop knight pawn"),
        ("d", "rook bishop knight pawn"),
        ("m", "rook bishop knight pawn"),
        ("h", "rook bishop knight pawn"),
    ],
)
def test_ground_on_which_pieces_can_be_placed(ground, allowed):
    match = place(ground=f"2.7 {ground}, 1.7 {ground}")
    found = [kind for kind in ("rook", "bishop", "knight") if may(match, raise_(match, kind, "2.7"))]
    found += ["pawn"] if may(match, settle(match, "1.7")) else []
    assert " ".join(found) == allowed


@rule("S4")
def test_raised_figure_waits_a_turn_and_then_has_all_its_points():
    match = place("P1.7", ground="2.7 H")
    act(match, raise_(match, "rook", "2.7"))
    assert refused(match, move(match, "2.7", "3.6")).rule == "S4"
    act(match, EndTurn(), EndTurn())
    assert mp(match, "2.7") == 1
    act(match, move(match, "2.7", "3.6"))


@rule("S5")
def test_refusals_of_placing_come_in_order():
    def told(white, where, **situation):
        match = place(white, **situation)
        return refused(match, raise_(match, "knight", where)).rule

    full = "N4.5 N6.5"
    storm = {"ground": "2.7 f", "weather": "storm 2.7:1"}
    assert told(f"P1.7 {full}", "1.7", **storm) == "P1"
    assert told("N4.5", "1.7", **storm) == "P4"
    assert told("P1.7 N4.5", "1.7", **storm) == "S2"
    assert told("P1.7 P2.8 R2.7", "2.7", **storm) == "S2"
    assert told("P1.7", "2.7", **storm) == "G2"
    assert told("P1.7", "2.7", weather="storm 2.7:1") == "W50"


# --- Moving -------------------------------------------------------------------------------------------------


def reach(match, here):
    """The squares to which the figure on a square can move, as column.row."""
    found = [
        action.to
        for action in match.legal(0)
        if isinstance(action, Move) and action.figure == at(match, here)
    ]
    return sorted(f"{match.state.x[square] + 1}.{match.state.y[square] + 1}" for square in found)


@rule("M1")
def test_figures_move_diagonally_over_dark_squares():
    assert reach(place("R4.5"), "4.5") == ["3.4", "3.6", "5.4", "5.6"]
    two = ["2.3", "2.5", "2.7", "3.4", "3.6", "4.3", "4.7", "5.4", "5.6", "6.3", "6.5", "6.7"]
    assert reach(place("N4.5"), "4.5") == two
    match = place("N4.5")
    assert refused(match, move(match, "4.5", "4.4")).rule == "M1"


@rule("M2")
def test_own_pieces_can_be_passed_and_enemies_block():
    assert "6.3" in reach(place("N4.5 R5.4"), "4.5") and "5.4" not in reach(place("N4.5 R5.4"), "4.5")
    assert "6.3" not in reach(place("N4.5", "R5.4"), "4.5")
    match = place("N4.5", "R5.4")
    assert refused(match, move(match, "4.5", "6.3")).rule == "M2"
    assert refused(match, move(match, "4.5", "5.4")).rule == "M2"


@rule("M2")
def test_one_open_path_of_two_is_enough():
    assert "6.5" in reach(place("N4.5", "R5.4"), "4.5")
    assert "6.5" not in reach(place("N4.5", "R5.4 R5.6"), "4.5")


@rule("M2")
@pytest.mark.parametrize("what", [{"ground": "5.4 w"}, {"ground": "5.4 f"}, {"weather": "storm 5.4:1"}])
def test_closed_ground_and_storms_block(what):
    found = reach(place("N4.5", **what), "4.5")
    assert "5.4" not in found and "6.3" not in found and "6.5" in found


@rule("M2")
def test_nomads_block():
    found = reach(place("N4.5", nomads="5.4>5.4:0 2.1>2.1:0"), "4.5")
    assert "5.4" not in found and "6.3" not in found


@rule("M3")
@pytest.mark.parametrize(
    "letter, passes", [("p", True), ("d", True), ("P", False), ("m", False), ("h", False)]
)
def test_rider_pays_the_toll_of_the_square_on_its_way(letter, passes):
    match = place("N4.5", ground=f"5.4 {letter}")
    assert ("6.3" in reach(match, "4.5")) == passes
    if not passes:
        refusal = refused(match, move(match, "4.5", "6.3"))
        assert refusal.rule == "M3" and "2 movement points" in refusal.reason


@rule("M3")
def test_first_square_is_free_and_the_cheapest_path_counts():
    assert "6.3" in reach(place("N4.5", ground="4.5 H"), "4.5")
    match = place("N4.5", ground="5.4 P")
    act(match, move(match, "4.5", "6.5"))
    assert mp(match, "6.5") == 2


RHYTHM = {  # by ground: points on the next turns of a rook, a bishop, a knight after one step and after two
    "p": ([1], [1], [2], [2]),
    "P": ([0, 1], [1], [2], [1]),
    "W": ([0, 1], [1], [2], [1]),
    "m": ([1], [1], [2], [1]),
    "M": ([0, 1], [1], [1], [0, 2]),
    "d": ([0, 1], [0, 1], [2], [2]),
    "D": ([-1, 0, 1], [0, 1], [2], [1]),
    "h": ([0, 1], [0, 1], [0, 2], [0, 2]),
    "H": ([-1, 0, 1], [0, 1], [0, 2], [-1, 1]),
    "f": ([1], [1], None, None),
    "F": ([0, 1], [1], None, None),
}
MOVERS = [("R", "4.5"), ("B", "4.5"), ("N", "4.5"), ("N", "3.6")]


@rule("M4")
@pytest.mark.parametrize("mover", range(4))
@pytest.mark.parametrize("letter", RHYTHM)
def test_points_on_the_turns_after_a_move(letter, mover):
    figure, start = MOVERS[mover]
    expected = RHYTHM[letter][mover]
    frozen = {"turn": 4}  # W3nter: snow and ice stay
    match = place(f"{figure}{start}", ground=f"5.4 {letter}", **frozen)
    if expected is None:
        assert refused(match, move(match, start, "5.4")).rule == "G2"
        return
    act(match, move(match, start, "5.4"))
    found = []
    while not found or found[-1] <= 0:
        act(match, EndTurn(), EndTurn())
        found.append(mp(match, "5.4"))
    assert found == expected


@rule("M5")
def test_figure_without_points_rests_and_recovers():
    match = place("R4.5:0", "P4.4")
    assert refused(match, move(match, "4.5", "5.6")).rule == "M5"
    assert refused(match, attack(match, "4.5", "4.4")).rule == "M5"
    pass_turns(match, 2)
    act(match, attack(match, "4.5", "4.4"))


@rule("M5")
@pytest.mark.parametrize("deed", ["settle", "pass", "raise", "strike"])
def test_unmoved_figures_recover_however_the_turn_was_spent(deed):
    match = place("P1.7 P1.5 N4.5:1 R7.8", "P4.4")
    deeds = {
        "settle": [settle(match, "2.8")],
        "pass": [EndTurn()],
        "raise": [raise_(match, "rook", "2.7"), EndTurn()],
        "strike": [attack(match, "4.5", "4.4"), EndTurn()],
    }
    act(match, *deeds[deed])
    assert mp(match, "4.5") == 2


@rule("M5")
def test_figure_pays_its_debt_before_it_acts_again():
    match = place("N4.5:-1")
    act(match, EndTurn())
    assert mp(match, "4.5") == 1


# --- Striking -----------------------------------------------------------------------------------------------


@rule("A1")
@pytest.mark.parametrize(
    "figure, hits",
    [("R4.5", {"5.4", "4.4"}), ("N4.5", {"5.4", "4.4"}), ("B4.5", {"5.4", "4.4", "6.5", "6.4", "2.4"})],
)
def test_figures_strike_enemies_in_reach_on_either_colour(figure, hits):
    match = place(figure, "R5.4 P4.4 R6.5 P6.4 P2.4 P7.5")
    assert {
        where
        for where in ("5.4", "4.4", "6.5", "6.4", "2.4", "7.5")
        if may(match, attack(match, "4.5", where))
    } == hits
    assert refused(match, attack(match, "4.5", "7.5")).rule == "A1"


@rule("A1")
def test_only_enemy_peasants_and_war_figures_can_be_struck():
    match = place("B7.2 B6.3", nomads="8.3>8.3:0 2.1>2.1:0")
    assert "cannot be struck" in refused(match, attack(match, "7.2", "8.1")).reason
    assert "are neutral" in refused(match, attack(match, "7.2", "8.3")).reason
    assert refused(match, attack(match, "7.2", "6.3")).rule == "A1"
    assert refused(match, attack(match, "7.2", "7.3")).rule == "A1"


@rule("A1")
def test_archers_shoot_over_other_pieces():
    match = place("B4.5 P5.5", "R6.5")
    assert may(match, attack(match, "4.5", "6.5"))


@rule("A2")
@pytest.mark.parametrize(
    "target, nomad, allowed",
    [
        ("R6.7", "5.6", False),
        ("R6.3", "5.4", False),
        ("P6.4", "5.4", True),
        ("P5.7", "5.6", True),
        ("R6.3", "5.6", True),
    ],
)
def test_nobody_shoots_over_nomads(target, nomad, allowed):
    nomads = f"{nomad}>{nomad}:0 2.1>2.1:0"
    match = place("B4.5", target, nomads=nomads)
    assert may(match, attack(match, "4.5", target[1:])) == allowed
    if not allowed:
        assert refused(match, attack(match, "4.5", target[1:])).rule == "A2"


@rule("A2")
def test_shot_like_a_riders_leap_flies_over_the_drier_square():
    match = place("B4.5", "P6.4", weather="rain 5.5")
    here, there = at(match, "4.5"), at(match, "6.4")
    assert best_way(match.state, here, there) == at(match, "5.4")
    assert chance_to_hit(match.state, here, there) == 10_000
    match = place("B4.5", "P6.4", weather="rain 5.4,5.5")
    assert chance_to_hit(match.state, here, there) == 7_000


@rule("A3")
def test_strike_takes_one_health_and_kills_at_zero():
    match = place("B4.5", "R6.5")
    act(match, attack(match, "4.5", "6.5"))
    assert health(match, "6.5") == 1
    pass_turns(match, 2)
    act(match, attack(match, "4.5", "6.5"))
    assert piece(match, "6.5") == -1


@rule("A4")
@pytest.mark.parametrize(
    "attacker, target, left, left_there",
    [
        ("N4.5", "N5.4", None, None),
        ("R4.5", "N5.4", 1, None),
        ("R4.5", "R5.4", 1, 1),
        ("B4.5", "R5.4", None, 1),
        ("R4.5", "P4.4", 2, None),
        ("B4.5", "R6.5", 1, 1),
        ("B4.5", "B6.5", 1, None),
    ],
)
def test_struck_neighbour_strikes_back_even_when_dying(attacker, target, left, left_there):
    match = place(attacker, target)
    act(match, attack(match, "4.5", target[1:]))
    assert (health(match, "4.5") if piece(match, "4.5") >= 0 else None) == left
    assert (health(match, target[1:]) if piece(match, target[1:]) >= 0 else None) == left_there


@rule("A4")
def test_archer_that_misses_a_neighbour_is_struck_back():
    found = set()
    for seed in range(30):
        match = place("B4.5", "R5.4", weather="rain 4.5", seed=seed)
        act(match, attack(match, "4.5", "5.4"))
        assert piece(match, "4.5") == -1
        found.add(health(match, "5.4"))
    assert found == {1, 2}


@rule("A5")
@pytest.mark.parametrize(
    "letter, strikes", [("p", True), ("P", False), ("h", False), ("d", False), ("f", True)]
)
def test_exhausted_figure_cannot_strike(letter, strikes):
    match = place("R4.5", "P5.3", ground=f"5.4 {letter}")
    act(match, move(match, "4.5", "5.4"))
    assert may(match, attack(match, "5.4", "5.3")) == strikes
    if not strikes:
        assert refused(match, attack(match, "5.4", "5.3")).rule == "A5"
    match = place("R4.5", "P5.3", ground=f"5.4 {letter}", attack_after_exhausting_step=True)
    act(match, move(match, "4.5", "5.4"), attack(match, "5.4", "5.3"))


@rule("A6")
def test_warrior_strikes_again_at_other_enemies_on_dark_squares():
    match = place("R4.5", "P4.4 P3.5 R5.4 N3.4")
    act(match, attack(match, "4.5", "4.4"))
    assert refused(match, attack(match, "4.5", "3.5")).rule == "A6"
    act(match, attack(match, "4.5", "5.4"))
    assert refused(match, attack(match, "4.5", "5.4")).rule == "A6"
    act(match, attack(match, "4.5", "3.4"))
    assert piece(match, "4.5") == -1 and piece(match, "3.4") == -1


@rule("A6")
def test_warrior_forgets_its_last_target_at_the_end_of_the_turn():
    match = place("R4.5", "R5.4")
    act(match, attack(match, "4.5", "5.4"), EndTurn(), EndTurn(), attack(match, "4.5", "5.4"))
    assert piece(match, "4.5") == piece(match, "5.4") == -1


@rule("A7")
def test_archer_in_a_forest_cannot_strike():
    match = place("B4.5 R3.6", "R5.4 N4.7", ground="4.5 f, 3.6 f")
    assert refused(match, attack(match, "4.5", "5.4")).rule == "A7"
    act(match, attack(match, "3.6", "4.7"))


# --- The end ------------------------------------------------------------------------------------------------


@rule("V1")
@pytest.mark.parametrize("figure", ["R7.2", "B7.2", "N7.2", "N6.3"])
def test_entering_the_enemy_capital_wins(figure):
    match = place(figure, "R6.1 R8.3")
    act(match, move(match, figure[1:], "8.1"))
    outcome = match.outcome
    assert (
        isinstance(outcome, Outcome) and outcome.places == (1, 2) and outcome.how == "capital_taken: capital"
    )
    assert not match.to_act()


@rule("V1")
def test_storm_shields_a_capital_and_own_capital_is_closed():
    match = place("R7.2 R2.7", weather="storm 8.1:1")
    assert refused(match, move(match, "7.2", "8.1")).rule == "W50"
    assert refused(match, move(match, "2.7", "1.8")).rule == "M2"


@rule("V2")
def test_match_ends_after_max_months():
    match = place("R4.5", max_months=1)
    pass_turns(match, 2)
    assert match.outcome.how == "months_over: war_figures" and match.outcome.winner == 0
    assert "White has more war figures" in match.outcome.reasons[1]
    match = place("R4.5", max_months=0, turn=1000)
    pass_turns(match, 4)
    assert match.to_act() == (0,)


@rule("V3")
@pytest.mark.parametrize(
    "white, black, how, winner",
    [
        ("R4.5", "P7.1 P8.2", "war_figures", 0),
        ("R4.5 P1.7", "N5.4 P7.1 P8.2", "peasants", 1),
        ("R4.5", "N5.2", "distance", 0),
        ("R4.5", "N5.4", "draw", None),
        ("", "", "draw", None),
    ],
)
def test_decision_when_the_months_are_over(white, black, how, winner):
    match = place(white, black, max_months=1)
    pass_turns(match, 2)
    assert match.outcome.how == f"months_over: {how}" and match.outcome.winner == winner
    assert match.outcome.places == ((1, 1) if winner is None else (1, 2) if winner == 0 else (2, 1))


@rule("V3")
@rule("G5")
def test_ships_do_not_count_for_distance():
    situation = {"ships": True, "ground": "7.2 w, 2.7 w", "max_months": 11, "turn": 20}
    match = place("R4.5 S7.2", "N4.3 N5.2", **situation)
    pass_turns(match, 2)
    assert match.outcome.how == "months_over: distance" and match.outcome.winner == 0
    match = place("R3.6 S7.2", "N4.5 N5.2", **situation)
    pass_turns(match, 2)
    assert match.outcome.how == "months_over: distance" and match.outcome.winner == 1


@rule("V3")
def test_distance_to_the_capital_ignores_everything_in_between():
    match = place("R6.3", "N4.5", ground="7.2 w, 8.2 w, 7.4 h", weather="storm 6.1:1", max_months=11, turn=20)
    pass_turns(match, 2)
    assert match.outcome.how == "months_over: distance" and match.outcome.winner == 0


@rule("V4")
def test_actions_after_the_end_are_refused():
    match = place("R7.2")
    act(match, move(match, "7.2", "8.1"))
    for seat in (0, 1):
        assert refused(match, EndTurn(), seat).rule == "V4"


@rule("V5")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("why, said", [(Why.RESIGNED, "resigned"), (Why.TIMED_OUT, "ran out of time")])
def test_leaving_loses(seat, why, said):
    match = place()
    match.submit(seat, Leave(why))
    assert match.outcome.winner == 1 - seat and said in match.outcome.reasons[seat]


def test_refusals_for_missing_squares_have_no_placeholders():
    match = place("R4.5")
    for action in (Settle(539), Move(539, 0), Move(0, 539)):
        assert not re.search(r"[{}]", refused(match, action).reason)
