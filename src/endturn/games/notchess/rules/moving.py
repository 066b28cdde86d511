"""Paths over dark squares and their costs (chapter M)."""

from endturn.engine.rule import rule
from endturn.games.notchess.refusals import (
    ALREADY_ACTED,
    BLOCKED,
    FROZEN_IN,
    IMPASSABLE,
    JUST_RAISED,
    NO_FIGURE,
    NO_SUCH_SQUARE,
    NOT_DARK,
    NOT_YOUR_FIGURE,
    OCCUPIED,
    RESTING,
    THUNDERSTORM,
    TOO_FAR,
)
from endturn.games.notchess.rules.board import (
    drag,
    is_closed,
    is_dark,
    offset,
    owner,
    skip,
    stand,
    toll,
    vacate,
)
from endturn.games.notchess.state import (
    MOVED,
    MOVEMENT,
    NOBODY,
    RAISED,
    Board,
    Decision,
    Ending,
    Kind,
)
from endturn.mechanisms.endings import end_match
from endturn.mechanisms.weather import STEP_X, STEP_Y, is_in

FARTHEST = 3  # steps: a rider's two, plus one with the wind
NO_WAY = 99  # more than any figure can pay


@rule
def refuse_figure(game: Board, seat: int, figure: int) -> int:
    """Whether one of the seat's war figures is on a square, and was not raised this turn (S4, T3)."""
    if figure >= game.squares:
        return NO_SUCH_SQUARE
    piece = game.on[figure]
    if piece == NOBODY or MOVEMENT[game.kind[piece]] == 0 or game.kind[piece] == Kind.NOMAD:
        return NO_FIGURE
    if owner(game, piece) != seat:
        return NOT_YOUR_FIGURE
    return JUST_RAISED if game.deeds[piece] & RAISED else 0


@rule
def refuse_move(game: Board, seat: int, figure: int, to: int) -> int:
    """Whether a figure may move to a square (M1, M2, M3, T3)."""
    broken = refuse_figure(game, seat, figure)
    if broken != 0:
        return broken
    piece = game.on[figure]
    broken = refuse_mover(game, piece)
    return refuse_way(game, seat, piece, to) if broken == 0 else broken


@rule
def refuse_mover(game: Board, piece: int) -> int:
    """Whether a figure may move: it has not acted, has movement points and is not frozen in (M1, M5, T3, G5)."""
    if game.deeds[piece] != 0:
        return ALREADY_ACTED
    if game.mp[piece] <= 0:
        return RESTING
    if game.kind[piece] == Kind.SHIP and is_in(game.cover, game.at[piece]):
        return FROZEN_IN
    return 0


@rule
def refuse_way(game: Board, seat: int, piece: int, to: int) -> int:
    """Whether a figure's move may end on a square, and a path leads there (M2, M3)."""
    broken = refuse_landing(game, seat, game.kind[piece], to)
    return refuse_path(game, seat, piece, to) if broken == 0 else broken


@rule
def refuse_landing(game: Board, seat: int, kind: int, to: int) -> int:
    """Whether a move may end on a square: free and open to the figure, or the enemy capital (M2, V1, W50)."""
    if to >= game.squares:
        return NO_SUCH_SQUARE
    if not is_dark(game, to):
        return NOT_DARK
    if game.on[to] != NOBODY and to != game.capital[1 - seat]:
        return OCCUPIED
    if is_closed(game, kind, to):
        return IMPASSABLE
    return THUNDERSTORM if is_in(game.storm, to) else 0


@rule
def refuse_path(game: Board, seat: int, piece: int, to: int) -> int:
    """Whether a figure has the points for the cheapest path, counting the wind's (M2, M3, X3)."""
    dx, dy = game.x[to] - game.x[game.at[piece]], game.y[to] - game.y[game.at[piece]]
    points = game.mp[piece] + (1 if has_wind_bonus(game, piece, dx, dy) else 0)
    if max(abs(dx), abs(dy)) > points:
        return TOO_FAR
    cost = path_cost(game, seat, piece, dx, dy)
    if cost >= NO_WAY:
        return BLOCKED
    return TOO_FAR if cost > points else 0


@rule
def path_cost(game: Board, seat: int, piece: int, dx: int, dy: int) -> int:
    """The cost of the cheapest path: one per step, plus the toll of every square in between (M3)."""
    steps = max(abs(dx), abs(dy))
    if steps == 1:
        return 1
    at, kind = game.at[piece], game.kind[piece]
    if steps == 2 and dx == 0:
        return 2 + min(
            passing(game, seat, kind, offset(game, at, 1, dy // 2)),
            passing(game, seat, kind, offset(game, at, -1, dy // 2)),
        )
    if steps == 2 and dy == 0:
        return 2 + min(
            passing(game, seat, kind, offset(game, at, dx // 2, 1)),
            passing(game, seat, kind, offset(game, at, dx // 2, -1)),
        )
    if abs(dx) != abs(dy) or steps > FARTHEST:
        return NO_WAY
    cost, step_x, step_y = steps, 1 if dx > 0 else -1, 1 if dy > 0 else -1
    for step in range(1, steps):
        cost += passing(game, seat, kind, offset(game, at, step_x * step, step_y * step))
    return cost


@rule
def passing(game: Board, seat: int, kind: int, square: int) -> int:
    """The toll of a square on the way, or NO_WAY if the figure cannot pass it (M2)."""
    if square < 0 or is_closed(game, kind, square) or is_in(game.storm, square):
        return NO_WAY
    if game.on[square] != NOBODY and owner(game, game.on[square]) != seat:
        return NO_WAY
    return toll(game, kind, square)


@rule
def has_wind_bonus(game: Board, piece: int, dx: int, dy: int) -> bool:
    """Whether a rider has an extra point: the wind blows its way on every square that it leaves (X3)."""
    if game.kind[piece] != Kind.KNIGHT or abs(dx) != abs(dy) or abs(dx) > FARTHEST:
        return False
    steps = abs(dx)
    step_x, step_y = 1 if dx > 0 else -1, 1 if dy > 0 else -1
    if STEP_X[game.wind] != step_x or STEP_Y[game.wind] != step_y:
        return False
    windy = 0
    for step in range(steps):
        windy += is_in(game.windy, offset(game, game.at[piece], step_x * step, step_y * step))
    return windy == steps


@rule
def points_after(game: Board, piece: int, cost: int, to: int) -> int:
    """The points for the next turn of a figure that moves to a square at this cost (M4)."""
    kind, left = game.kind[piece], max(0, game.mp[piece] - cost)
    return MOVEMENT[kind] - skip(game, kind, to) - max(0, drag(game, kind, to) - left)


@rule
def move(game: Board, seat: int, figure: int, to: int) -> None:
    """Move a figure and set its points for the next turn; entering the enemy capital ends the match (M4, V1)."""
    piece = game.on[figure]
    cost = path_cost(game, seat, piece, game.x[to] - game.x[figure], game.y[to] - game.y[figure])
    game.mp[piece] = points_after(game, piece, cost, to)
    game.deeds[piece] |= MOVED
    game.begun = True
    if to == game.capital[1 - seat]:
        end_match(game, Ending.CAPITAL_TAKEN, Decision.CAPITAL, seat)
        return
    vacate(game, figure)
    stand(game, piece, to)
