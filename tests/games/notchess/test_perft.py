"""Counts of action sequences from named positions: any change to the legal actions changes a count."""

from itertools import product

import pytest

from endturn.engine.match import Match
from endturn.engine.rule import kernels
from endturn.games.notchess import game
from endturn.games.notchess.notation import settings_of
from endturn.games.notchess.state import Board
from games.notchess.position import notation

KERNELS = kernels(game, "plain")
SEED = 1  # decides misses, nomads and weather on the way

POSITIONS = {
    "classic start": notation(mode="classic"),
    "first peasant": notation("P1.7", mode="classic", turn=2),
    "melee": notation("R4.5 B3.6", "N5.4 P5.5", mode="classic", turn=40),
    "rider in the wind": notation("N2.7", "R5.4", wind="1 4.5,8.8", ground="5.6 h, 3.4 f", turn=20).replace(
        "wind=false", "wind=true"
    ),
    "frozen lake": notation("R4.7 B2.5", "N6.3", ground="4.5 W, 5.4 W, 5.6 W, 3.4 w, 3.6 F, 6.5 D", turn=6),
    "nomads and a storm": notation(
        "B4.5", "P6.4 R6.5", nomads="5.4>5.4:0 1.2>8.5:1", weather="storm 5.6:1 rain 4.5", turn=24
    ),
}
COUNTS = {  # for depths 1 to 4; the first two of the start can be counted by hand: 6, and 2 x 6 + 3 + 6
    "classic start": [6, 21, 99, 405],
    "first peasant": [9, 24, 159, 651],
    "melee": [12, 135, 886, 6558],
    "rider in the wind": [9, 28, 154, 815],
    "frozen lake": [10, 50, 182, 1127],
    "nomads and a storm": [7, 58, 408, 2919],
}


def legal_rows(state: Board) -> list[tuple[int, ...]]:
    seat = state.seat
    return [game.actions.pack(action) for action in game.legal(state, seat, KERNELS.refuse)]


def perft(state: Board, depth: int) -> int:
    """The number of action sequences of this length; matches that end earlier do not count."""
    if state.ended:
        return 0
    rows = legal_rows(state)
    if depth == 1:
        return len(rows)
    total = 0
    for row in rows:
        after = game.storage.copy(state)
        KERNELS.submit(after, state.seat, row, SEED)
        total += perft(after, depth - 1)
    return total


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("name", POSITIONS)
def test_perft(name, depth):
    assert perft(game.parse_position(POSITIONS[name]), depth) == COUNTS[name][depth - 1]


@pytest.mark.parametrize("name", POSITIONS)
def test_choices_are_exactly_the_legal_actions(name):
    state = game.parse_position(POSITIONS[name])
    match = Match(game, settings_of(state), start=state)
    squares = range(state.squares)
    said = [(0, square, 0, 0, 0) for square in squares] + [(4, 0, 0, 0, 0)]
    said += [(1, kind, square, 0, 0) for kind, square in product(range(4), squares)]
    said += [(verb, here, there, 0, 0) for verb in (2, 3) for here, there in product(squares, squares)]
    everything = {row for row in said if KERNELS.refuse(state, state.seat, row) == 0}
    assert {game.actions.pack(action) for action in match.legal(state.seat)} == everything
