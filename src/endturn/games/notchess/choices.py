"""The choices of Not-Chess: actions numbered as options of pieces, and random play."""

from endturn.engine.actions import Row
from endturn.engine.dice import philox
from endturn.engine.rule import Table, rule
from endturn.games.notchess.actions import ACTIONS, Attack, EndTurn, Move, Raise, Settle
from endturn.games.notchess.rules.board import (
    allowance,
    is_in_pool,
    offset,
    waters,
)
from endturn.games.notchess.rules.combat import refuse_attack
from endturn.games.notchess.rules.moving import refuse_figure, refuse_mover, refuse_way
from endturn.games.notchess.rules.placing import is_beside_settlement, refuse_place
from endturn.games.notchess.state import (
    MOVEMENT,
    NOBODY,
    NONE,
    RAISED,
    REACH,
    Board,
    Kind,
)
from endturn.mechanisms.grid import OFF_THE_MAP
from endturn.mechanisms.weather import BLOCK, STEP_X, STEP_Y, first_of

SETTLE = ACTIONS.index(Settle)
RAISE = ACTIONS.index(Raise)
MOVE = ACTIONS.index(Move)
ATTACK = ACTIONS.index(Attack)
END_TURN = ACTIONS.index(EndTurn)

RANDOM_PLAY = 101  # the purpose of a random player's rolls
TRIES, FAR_TRIES = 3, 2


# Each square is a piece of the choices. Its options: moves and strikes of the figure there, settling a peasant there,
# raising a war figure there. One more piece stands for the turn.
#                1 step          2 steps                              3 steps with the wind
MOVES_X = Table((1, 1, -1, -1, 2, 2, -2, -2, 2, -2, 0, 0, 3, 3, -3, -3))
MOVES_Y = Table((-1, 1, 1, -1, -2, 2, 2, -2, 0, 0, 2, -2, -3, 3, 3, -3))
MOVE_OPTIONS = 16
NEAR_MOVES = 4
REACHED = 5  # an archer reaches 5 x 5 squares
ATTACK_OPTIONS = 25
SETTLE_OPTION = MOVE_OPTIONS + ATTACK_OPTIONS
OPTIONS = SETTLE_OPTION + 1 + 4


@rule
def pieces(game: Board) -> int:
    """The number of pieces: one for each square, and one for the turn."""
    return game.squares + 1


@rule
def options(game: Board) -> int:
    """The number of options: moves, strikes, a peasant and four kinds of war figures."""
    return OPTIONS


@rule
def action_of(game: Board, piece: int, option: int) -> Row:
    """The action for an option of a piece."""
    if piece == game.squares:
        return END_TURN if option == 0 else NONE, 0, 0, 0, 0
    if option < MOVE_OPTIONS:
        to = offset(game, piece, MOVES_X[option], MOVES_Y[option])
        return MOVE if to != OFF_THE_MAP else NONE, piece, to, 0, 0
    if option < SETTLE_OPTION:
        aim = option - MOVE_OPTIONS
        target = offset(game, piece, aim % REACHED - 2, aim // REACHED - 2)
        return ATTACK if target != OFF_THE_MAP and target != piece else NONE, piece, target, 0, 0
    if option == SETTLE_OPTION:
        return SETTLE, piece, 0, 0, 0
    return RAISE, option - SETTLE_OPTION - 1, piece, 0, 0


@rule
def is_idle(game: Board, seat: int, piece: int) -> bool:
    """Whether a square has no options: no war figure of the seat, and not next to its settlements."""
    if piece == game.squares:
        return False
    if game.on[piece] != NOBODY:
        return refuse_figure(game, seat, piece) != 0
    return game.begun or not is_beside_settlement(game, seat, piece)


# --- random play --------------------------------------------------------------------------------------------


@rule
def random_action(game: Board, seat: int, luck: int, when: int) -> Row:
    """Sometimes settle or raise at the start of a turn; otherwise move and strike at random."""
    what, who, which, where = philox(luck, RANDOM_PLAY, seat, when, 0)
    if not game.begun:
        verb, a, b = random_placing(game, seat, what & 3, who, which)
        if verb != NONE:
            return verb, a, b, 0, 0
    return random_deed(game, seat, who, which, where)


@rule
def random_placing(game: Board, seat: int, what: int, who: int, which: int) -> tuple[int, int, int]:
    """A peasant in one of four turns, a war figure in two, next to a random settlement; or NONE."""
    if what == 3:
        return NONE, 0, 0
    kind = Kind.PAWN if what == 0 else Kind.ROOK + ((which >> 16) * (4 if game.settings.ships else 3) >> 16)
    if not is_in_pool(game, seat, kind) or (what != 0 and allowance(game, seat) <= 0):
        return NONE, 0, 0
    for tries in range(TRIES):
        settlement = seat * game.per_seat + (
            (who >> 8 * tries & 255) * (1 + game.standing[seat][Kind.PAWN]) >> 8
        )
        home = game.at[settlement]
        if home >= 0:
            # The right colour is on four sides: the orthogonal or the diagonal ones.
            straight = (game.kind[settlement] == Kind.PAWN) != (what == 0)
            direction = 2 * (which >> 2 * tries & 3) + (0 if straight else 1)
            square = offset(game, home, STEP_X[direction], STEP_Y[direction])
            # Most squares near home are taken, so this quick test comes first.
            free = square != OFF_THE_MAP and game.on[square] == NOBODY
            if free and refuse_place(game, seat, kind, square) == 0:
                return (SETTLE, square, 0) if what == 0 else (RAISE, kind - Kind.ROOK, square)
    return NONE, 0, 0


@rule
def random_deed(game: Board, seat: int, who: int, which: int, where: int) -> Row:
    """An action of the first war figure that has one, starting at a random figure; otherwise the end of the turn.

    Figures that have acted may sometimes strike. One in four actions considers them, because they seldom can.
    """
    first, many = seat * game.per_seat + game.first[Kind.ROOK], game.per_seat - game.first[Kind.ROOK]
    most = RAISED - 1 if who & 3 == 0 else 0
    start, ready = who * many >> 32, 0
    for nth in range(min(many, BLOCK)):
        piece = first + (start + nth if start + nth < many else start + nth - many)
        ready |= ((game.mp[piece] > 0) & (game.deeds[piece] <= most)) << nth
    while ready != 0:
        nth = start + first_of(ready)
        ready &= ready - 1
        piece = first + (nth if nth < many else nth - many)
        target = random_target(game, seat, piece, where)
        if target != OFF_THE_MAP:
            return ATTACK, game.at[piece], target, 0, 0
        to = random_way(game, seat, piece, which)
        if to != OFF_THE_MAP:
            return MOVE, game.at[piece], to, 0, 0
    return END_TURN, 0, 0, 0, 0


@rule
def random_target(game: Board, seat: int, piece: int, where: int) -> int:
    """The square of an enemy that a figure may strike, after a few random tries, or OFF_THE_MAP."""
    at, reach, enemies = game.at[piece], REACH[game.kind[piece]], (1 - seat) * game.per_seat
    for tries in range(TRIES):
        bits = where >> 8 * tries
        dx, dy = (bits & 15) * (2 * reach + 1) >> 4, (bits >> 4 & 15) * (2 * reach + 1) >> 4
        target = offset(game, at, dx - reach, dy - reach)
        hostile = target != OFF_THE_MAP and 0 < game.on[target] - enemies < game.per_seat
        if hostile and refuse_attack(game, seat, at, target) == 0:
            return target
    return OFF_THE_MAP


@rule
def random_way(game: Board, seat: int, piece: int, which: int) -> int:
    """A random square that a figure may move to, or OFF_THE_MAP if the random bits pick none.

    Three times in four, a figure with enough movement points tries a long move first; otherwise it takes a random step.
    """
    if refuse_mover(game, piece) != 0:
        return OFF_THE_MAP
    at = game.at[piece]
    if MOVEMENT[game.kind[piece]] > 1 and which & 3 != 0:
        for tries in range(FAR_TRIES):
            option = NEAR_MOVES + ((which >> 8 * tries + 4 & 15) * (MOVE_OPTIONS - NEAR_MOVES) >> 4)
            to = offset(game, at, MOVES_X[option], MOVES_Y[option])
            if to != OFF_THE_MAP and refuse_way(game, seat, piece, to) == 0:
                return to
    ways, turned = steps_from(game, seat, at), which >> 30
    ways = (ways | ways << NEAR_MOVES) >> turned & (1 << NEAR_MOVES) - 1
    while ways != 0:
        option = first_of(ways) + turned & NEAR_MOVES - 1
        to = at + MOVES_X[option] + MOVES_Y[option] * game.width
        if refuse_way(game, seat, piece, to) == 0:
            return to
        ways &= ways - 1
    return OFF_THE_MAP


@rule
def steps_from(game: Board, seat: int, at: int) -> int:
    """The steps, one bit each, to squares without a piece, a storm or open water."""
    x, y, ways = game.x[at], game.y[at], 0
    for option in range(NEAR_MOVES):
        to_x, to_y = x + MOVES_X[option], y + MOVES_Y[option]
        on_map = (to_x | to_y | game.width - 1 - to_x | game.height - 1 - to_y) >= 0
        to = to_x + to_y * game.width if on_map else at  # its own square, which is not free
        block = to >> 5
        barred = game.taken[block] | game.storm[block] | waters(game, block) & ~game.cover[block]
        ways |= (~barred >> (to & 31) & 1 | (to == game.capital[1 - seat])) << option
    return ways
