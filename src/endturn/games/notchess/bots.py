"""Players of Not-Chess: one by chance, and one that knows the year. They see what a player sees."""

from endturn.engine.dice import philox
from endturn.engine.game import Row
from endturn.engine.rule import rule
from endturn.games.notchess.actions import ATTACK, END_TURN, MOVE, RAISE, SETTLE
from endturn.games.notchess.rules.board import allowance, in_pool, offset
from endturn.games.notchess.rules.combat import refuse_attack
from endturn.games.notchess.rules.moving import refuse_figure, refuse_move
from endturn.games.notchess.rules.placing import is_beside_settlement, refuse_place
from endturn.games.notchess.state import MOVEMENT, NOBODY, NONE, RAISED, REACH, Board, Kind
from endturn.mechanisms.grid import OFF_THE_MAP
from endturn.mechanisms.weather import STEP_X, STEP_Y

RANDOM_PLAY = 101  # purpose of a random player's rolls
TRIES = 3

# --- choices by number --------------------------------------------------------------------------------------
# A piece is a square. Its options: where the figure there can go, whom it can strike, a peasant settling
# there, a war figure raised there. One piece more stands for the turn itself.

#            1 step          2 steps                              3 steps with the wind
MOVES_X = 1, 1, -1, -1, 2, 2, -2, -2, 2, -2, 0, 0, 3, 3, -3, -3
MOVES_Y = -1, 1, 1, -1, -2, 2, 2, -2, 0, 0, 2, -2, -3, 3, 3, -3
MOVE_OPTIONS = 16
NEAR_MOVES = 4
REACHED = 5  # a square of 5 x 5 around an archer
ATTACK_OPTIONS = 25
SETTLE_OPTION = MOVE_OPTIONS + ATTACK_OPTIONS
OPTIONS = SETTLE_OPTION + 1 + 4


@rule
def pieces(game: Board) -> int:
    """Every square, and one piece more that stands for the turn itself."""
    return game.squares + 1


@rule
def options(game: Board) -> int:
    """Moves, attacks, a peasant, four kinds of war figures."""
    return OPTIONS


@rule
def action_of(game: Board, piece: int, option: int) -> Row:
    """What a number stands for."""
    if piece == game.squares:
        return END_TURN if option == 0 else NONE, 0, 0, 0, 0
    if option < MOVE_OPTIONS:
        to = offset(game, piece, MOVES_X[option], MOVES_Y[option])
        return MOVE if to != OFF_THE_MAP else NONE, piece, to, 0, 0
    if option < SETTLE_OPTION:
        aim = option - MOVE_OPTIONS
        target = offset(game, piece, aim % REACHED - 2, aim // REACHED - 2)
        return ATTACK if target not in (OFF_THE_MAP, piece) else NONE, piece, target, 0, 0
    if option == SETTLE_OPTION:
        return SETTLE, piece, 0, 0, 0
    return RAISE, option - SETTLE_OPTION - 1, piece, 0, 0


@rule
def is_idle(game: Board, seat: int, piece: int) -> bool:
    """A square with no own war figure on it, and not beside a settlement."""
    if piece == game.squares:
        return False
    if game.on[piece] != NOBODY:
        return refuse_figure(game, seat, piece) != 0
    return game.begun or not is_beside_settlement(game, seat, piece)


# --- by chance ----------------------------------------------------------------------------------------------


@rule
def random_action(game: Board, seat: int, luck: int, when: int) -> Row:
    """A peasant or a war figure now and then at the beginning of a turn; else the army moves and strikes by chance."""
    what, who, which, where = philox(luck, RANDOM_PLAY, seat, when, 0)
    if not game.begun:
        verb, a, b = random_placing(game, seat, what & 3, who, which)
        if verb != NONE:
            return verb, a, b, 0, 0
    return random_deed(game, seat, who, which, where)


@rule
def random_placing(game: Board, seat: int, what: int, who: int, which: int) -> tuple[int, int, int]:
    """In one of four turns a peasant, in two a war figure, beside a settlement by chance."""
    if what == 3:
        return NONE, 0, 0
    kind = Kind.PAWN if what == 0 else Kind.ROOK + ((which >> 16) * (4 if game.settings.ships else 3) >> 16)
    if in_pool(game, seat, kind) == NOBODY or (what != 0 and allowance(game, seat) <= 0):
        return NONE, 0, 0
    for tries in range(TRIES):
        settlement = seat * game.per_seat + (
            (who >> 8 * tries & 255) * (1 + game.standing[seat][Kind.PAWN]) >> 8
        )
        home = game.at[settlement]
        if home >= 0:
            # The colours leave four sides: orthogonal or diagonal ones.
            straight = (game.kind[settlement] == Kind.PAWN) != (what == 0)
            direction = 2 * (which >> 2 * tries & 3) + (0 if straight else 1)
            square = offset(game, home, STEP_X[direction], STEP_Y[direction])
            if square != OFF_THE_MAP and refuse_place(game, seat, kind, square) == 0:
                return (SETTLE, square, 0) if what == 0 else (RAISE, kind - Kind.ROOK, square)
    return NONE, 0, 0


@rule
def random_deed(game: Board, seat: int, who: int, which: int, where: int) -> Row:
    """A war figure that can act, from a random one on, and a deed for it; the turn's end if nothing comes up."""
    first, last = seat * game.per_seat + game.first[Kind.ROOK], (seat + 1) * game.per_seat
    piece = first + (who * (last - first) >> 32)
    for _ in range(last - first):
        if game.mp[piece] > 0 and game.deeds[piece] < RAISED:
            verb, a, b = random_act(game, seat, piece, which, where)
            if verb != NONE:
                return verb, a, b, 0, 0
        piece = piece + 1 if piece + 1 < last else first
    return END_TURN, 0, 0, 0, 0


@rule
def random_act(game: Board, seat: int, piece: int, which: int, where: int) -> tuple[int, int, int]:
    """A move or a strike of one figure, by random bits; NONE where they picked nothing that is allowed."""
    at, kind = game.at[piece], game.kind[piece]
    reach = REACH[kind]
    for tries in range(TRIES):
        bits = where >> 8 * tries
        dx, dy = (bits & 15) * (2 * reach + 1) >> 4, (bits >> 4 & 15) * (2 * reach + 1) >> 4
        target = offset(game, at, dx - reach, dy - reach)
        if target != OFF_THE_MAP and game.on[target] != NOBODY and refuse_attack(game, seat, at, target) == 0:
            return ATTACK, at, target
    if game.deeds[piece] == 0:
        ways = (NEAR_MOVES if MOVEMENT[kind] == 1 else MOVE_OPTIONS) - 1
        for tries in range(TRIES):
            option = which >> 4 * tries & ways
            to = offset(game, at, MOVES_X[option], MOVES_Y[option])
            if to != OFF_THE_MAP and refuse_move(game, seat, at, to) == 0:
                return MOVE, at, to
    return NONE, 0, 0
