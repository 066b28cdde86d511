"""Settling peasants and raising war figures (chapter S)."""

from endturn.engine.rule import rule
from endturn.games.notchess.refusals import (
    ALLOWANCE_EXHAUSTED,
    ALREADY_BEGUN,
    IMPASSABLE,
    NO_PIECE_LEFT,
    NO_SHIPS,
    NO_SUCH_SQUARE,
    NOT_ADJACENT,
    SITE_TAKEN,
    THUNDERSTORM,
    WAR_NOT_ADJACENT,
    WAR_SITE_TAKEN,
    WAR_WRONG_COLOUR,
    WRONG_COLOUR,
)
from endturn.games.notchess.rules.board import (
    allowance,
    in_pool,
    is_closed,
    is_dark,
    is_in_pool,
    put,
)
from endturn.games.notchess.rules.turns import finish_turn
from endturn.games.notchess.state import NOBODY, RAISED, Board, Kind, War
from endturn.mechanisms.weather import is_in


@rule
def refuse_settle(game: Board, seat: int, square: int) -> int:
    """Whether a peasant may settle on a square: light, next to a settlement, on any terrain (S1, S3)."""
    return refuse_place(game, seat, Kind.PAWN, square)


@rule
def settle(game: Board, seat: int, square: int, dice: int) -> None:
    """Settle a peasant and end the turn (S1, T2)."""
    put(game, in_pool(game, seat, Kind.PAWN), square)
    finish_turn(game, seat, dice)


@rule
def refuse_raise(game: Board, seat: int, kind: int, square: int) -> int:
    """Whether a war figure may be raised on a square: dark, open to it, with an allowance (S2, S3, P4)."""
    if kind == War.SHIP and not game.settings.ships:
        return NO_SHIPS
    return refuse_place(game, seat, Kind.ROOK + kind, square)


@rule
def raise_figure(game: Board, seat: int, kind: int, square: int) -> None:
    """Raise a war figure. It acts from the next turn; the others may act now (S2, S4, T2)."""
    piece = in_pool(game, seat, Kind.ROOK + kind)
    put(game, piece, square)
    game.deeds[piece] = RAISED
    game.begun = True


@rule
def refuse_place(game: Board, seat: int, kind: int, square: int) -> int:
    """The first rule that forbids placing a piece on a square (S1, S2, S3, S5)."""
    if square >= game.squares:
        return NO_SUCH_SQUARE
    if game.begun:
        return ALREADY_BEGUN
    if not is_in_pool(game, seat, kind):
        return NO_PIECE_LEFT
    if kind != Kind.PAWN and allowance(game, seat) <= 0:
        return ALLOWANCE_EXHAUSTED
    peasant = kind == Kind.PAWN
    if is_dark(game, square) == peasant:
        return WRONG_COLOUR if peasant else WAR_WRONG_COLOUR
    if not is_beside_settlement(game, seat, square):
        return NOT_ADJACENT if peasant else WAR_NOT_ADJACENT
    if game.on[square] != NOBODY:
        return SITE_TAKEN if peasant else WAR_SITE_TAKEN
    if not peasant and is_closed(game, kind, square):
        return IMPASSABLE
    return THUNDERSTORM if is_in(game.storm, square) else 0


@rule
def is_beside_settlement(game: Board, seat: int, square: int) -> bool:
    """Whether the seat's capital or one of its peasants stands next to a square (S1, S2)."""
    x, y = game.x[square], game.y[square]
    for near_y in range(max(0, y - 1), min(y + 2, game.height)):
        for near_x in range(max(0, x - 1), min(x + 2, game.width)):
            near = near_x + near_y * game.width
            if near != square and is_settlement(game, seat, game.on[near]):
                return True
    return False


@rule
def is_settlement(game: Board, seat: int, piece: int) -> bool:
    """Whether a piece is the seat's capital or one of its peasants, which come first in the numbering."""
    return 0 <= piece - seat * game.per_seat < game.first[Kind.ROOK]
