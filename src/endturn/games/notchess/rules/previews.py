"""Previews of Not-Chess for clients: the cost of paths, and the chance that a shot hits."""

from collections.abc import Iterator

from endturn.engine.actions import Action
from endturn.games.notchess.actions import Attack, Move
from endturn.games.notchess.rules.board import offset
from endturn.games.notchess.rules.combat import chance_to_hit
from endturn.games.notchess.rules.moving import FARTHEST, has_wind_bonus, path_cost, points_after, refuse_move
from endturn.games.notchess.state import Board
from endturn.games.notchess.view_types import BoardPreview, WalkPreview

CERTAIN = 10_000  # chances in the rules of combat are parts of this


def foresee(board: Board, seat: int, action: Action | None) -> BoardPreview:
    """The cost of a move or the chance of a strike; without an action, every move of the seat (M3, X9)."""
    if action is None:
        return {"walks": list(walks(board, seat))}
    if isinstance(action, Move):
        return {"walk": walk(board, seat, action.figure, action.to)}
    if isinstance(action, Attack):
        return {"chance": chance_to_hit(board, action.figure, action.target) / CERTAIN}
    return {}


def walks(board: Board, seat: int) -> Iterator[WalkPreview]:
    """Every move that a seat's figures can make now."""
    span = range(-FARTHEST, FARTHEST + 1)
    for figure in board.at:
        near = (offset(board, figure, dx, dy) for dx in span for dy in span) if figure >= 0 else ()
        for to in near:
            if to >= 0 and refuse_move(board, seat, figure, to) == 0:
                yield walk(board, seat, figure, to)


def walk(board: Board, seat: int, figure: int, to: int) -> WalkPreview:
    """The cost of a figure's path, its points including the wind's, and its points for the next turn (M4)."""
    piece = board.on[figure]
    dx, dy = board.x[to] - board.x[figure], board.y[to] - board.y[figure]
    wind = has_wind_bonus(board, piece, dx, dy)
    cost = path_cost(board, seat, piece, dx, dy)
    return {
        "figure": figure,
        "square": to,
        "cost": cost,
        "points": board.mp[piece] + wind,
        "wind": bool(wind),
        "next": points_after(board, piece, cost, to),
    }
