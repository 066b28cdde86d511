"""The end of a turn, and the outcome (chapters T, V)."""

from endturn.engine.rule import apart, rule
from endturn.games.notchess.rules.board import distance
from endturn.games.notchess.rules.nomads import move_nomads
from endturn.games.notchess.rules.weather import before_turn
from endturn.games.notchess.state import (
    MOVED,
    MOVEMENT,
    NOBODY,
    TURNS_A_MONTH,
    Board,
    Decision,
    Ending,
    Kind,
    Mode,
)
from endturn.mechanisms.endings import end_match
from endturn.mechanisms.turns import ALIKE, first_difference, waiting_for

FAR_AWAY = 99  # the distance of a seat without war figures


@rule
def end_turn(game: Board, seat: int, dice: int) -> None:
    """End the turn, or pass (T4)."""
    finish_turn(game, seat, dice)


@apart
def finish_turn(game: Board, seat: int, dice: int) -> None:
    """Let figures recover and nomads walk, then make the weather for the next turn (T5, M5, W1)."""
    recover(game, seat)
    natural = game.settings.mode == Mode.NATURAL
    if natural:
        move_nomads(game, dice)
    game.turn += 1
    game.seat = 1 - seat
    game.begun = False
    if game.settings.max_months > 0 and game.turn >= TURNS_A_MONTH * game.settings.max_months:
        decide(game)
    elif natural:
        before_turn(game, dice)


@rule
def recover(game: Board, seat: int) -> None:
    """Give movement points to figures that did not move, and let all act on the next turn (M5)."""
    for piece in range(seat * game.per_seat + game.first[Kind.ROOK], (seat + 1) * game.per_seat):
        if not game.deeds[piece] & MOVED and game.at[piece] >= 0:
            most = MOVEMENT[game.kind[piece]]
            game.mp[piece] = min(game.mp[piece] + most, most)
        game.deeds[piece] = game.last[piece] = 0


@rule
def leave(game: Board, seat: int, why: int) -> None:
    """End the match: the seat that leaves loses (V5)."""
    end_match(game, Ending.RESIGNED + why, Decision.OPPONENT_LEFT, 1 - seat)


# --- the outcome --------------------------------------------------------------------------------------------


@rule
def decide(game: Board) -> None:
    """Decide after the last month: war figures, then peasants, then distance to the enemy capital (V2, V3)."""
    peasants = game.standing[0][Kind.PAWN] - game.standing[1][Kind.PAWN]
    nearer = nearest(game, 1) - nearest(game, 0)
    decisive, winner = first_difference(army(game, 0) - army(game, 1), peasants, nearer)
    if decisive == ALIKE:
        end_match(game, Ending.MONTHS_OVER, Decision.DRAW, NOBODY)
    else:
        end_match(game, Ending.MONTHS_OVER, Decision.CAPITAL + decisive, winner)


@rule
def army(game: Board, seat: int) -> int:
    """The war figures of a seat on the board (V3)."""
    own = game.standing[seat]
    return own[Kind.ROOK] + own[Kind.BISHOP] + own[Kind.KNIGHT] + own[Kind.SHIP]


@rule
def nearest(game: Board, seat: int) -> int:
    """Diagonal steps from a seat's nearest war figure, ships excluded, to the enemy capital (V3, G5)."""
    least, start = FAR_AWAY, seat * game.per_seat
    for piece in range(start + game.first[Kind.ROOK], start + game.first[Kind.SHIP]):
        if game.at[piece] >= 0:
            least = min(least, distance(game, game.at[piece], game.capital[1 - seat]))
    return least


@rule
def to_act(game: Board) -> int:
    """The seat to act, as a bit; 0 after the match (T1, V4)."""
    return waiting_for(game.seat, game.ended != Ending.GOING_ON)


@rule
def turn(game: Board) -> int:
    """The number of the turn, from 0."""
    return game.turn
