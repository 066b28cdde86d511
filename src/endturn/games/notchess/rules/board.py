"""Squares and pieces: colours, owners, pools, and what terrain and weather do to a figure (chapters B, P, G)."""

from endturn.engine.rule import Table, rule
from endturn.games.notchess.state import (
    DROUGHT,
    HEALTH,
    KINDS,
    MOVEMENT,
    NOBODY,
    NOWHERE,
    Board,
    Climate,
    Kind,
    Terrain,
)
from endturn.mechanisms.grid import OFF_THE_MAP
from endturn.mechanisms.weather import is_in, put_in

DESERT = int(Terrain.DESERT)

# What terrain does to each kind of piece, one row per terrain (G2, G3, W35). Kings and pawns never walk.
#        king pawn rook bishop knight ship nomad
CLOSED = Table((
    0, 0, 0, 0, 0, 1, 0,  # plain
    0, 0, 0, 0, 1, 1, 0,  # forest
    0, 0, 1, 1, 1, 0, 1,  # water without ice
    0, 0, 0, 0, 0, 1, 0,  # desert
    0, 0, 0, 0, 0, 1, 0,  # marsh
    0, 0, 0, 0, 0, 1, 0,  # mountain
    0, 0, 0, 0, 0, 1, 0,  # water with ice (W16)
))  # fmt: skip
ICE_ROW = 6
SKIPS = Table((  # 1: takes all movement points of the next turn
    0, 0, 0, 0, 0, 0, 0,  # plain
    0, 0, 0, 0, 0, 0, 0,  # forest
    0, 0, 0, 0, 0, 0, 0,  # water
    0, 0, 1, 1, 0, 0, 0,  # desert
    0, 0, 0, 0, 0, 0, 0,  # marsh
    0, 0, 1, 1, 1, 0, 1,  # mountain
))  # fmt: skip
DRAGS = Table((  # points to pay, first from what is left of this turn
    0, 0, 0, 0, 0, 0, 0,  # plain
    0, 0, 0, 0, 0, 0, 0,  # forest
    0, 0, 0, 0, 0, 0, 0,  # water
    0, 0, 0, 0, 0, 0, 0,  # desert
    0, 0, 0, 0, 1, 0, 0,  # marsh
    0, 0, 0, 0, 0, 0, 0,  # mountain
))  # fmt: skip
SNOW_DRAGS = Table((0, 0, 1, 0, 1, 0, 0))


@rule
def is_dark(game: Board, square: int) -> bool:
    """Whether a square is dark: it has the colour of the capitals' squares (B2)."""
    return (game.x[square] + game.y[square] + game.height) & 1 == 1


@rule
def offset(game: Board, square: int, dx: int, dy: int) -> int:
    """The square `dx` columns to the right and `dy` rows down, or OFF_THE_MAP (B1)."""
    x, y = game.x[square] + dx, game.y[square] + dy
    if 0 <= x < game.width and 0 <= y < game.height:
        return square + dx + dy * game.width
    return OFF_THE_MAP


@rule
def distance(game: Board, one: int, other: int) -> int:
    """The number of steps between two squares; a diagonal step counts as one (B3)."""
    return max(abs(game.x[one] - game.x[other]), abs(game.y[one] - game.y[other]))


@rule
def owner(game: Board, piece: int) -> int:
    """The owner of a piece: 0, 1, or 2 for nomads, which belong to nobody (N1)."""
    return 0 if piece < game.per_seat else 1 if piece < 2 * game.per_seat else 2


@rule
def allowance(game: Board, seat: int) -> int:
    """How many war figures a seat may still raise: one, plus its peasants, minus its war figures (P4)."""
    own = game.standing[seat]
    return 1 + own[Kind.PAWN] - own[Kind.ROOK] - own[Kind.BISHOP] - own[Kind.KNIGHT] - own[Kind.SHIP]


@rule
def in_pool(game: Board, seat: int, kind: int) -> int:
    """The first piece of a kind in a seat's pool, or NOBODY (P1)."""
    for piece in range(seat * game.per_seat + game.first[kind], seat * game.per_seat + game.first[kind + 1]):
        if game.at[piece] == NOWHERE:
            return piece
    return NOBODY


@rule
def is_in_pool(game: Board, seat: int, kind: int) -> bool:
    """Whether a seat has a piece of a kind in its pool (P1)."""
    return game.standing[seat][kind] < game.first[kind + 1] - game.first[kind]


@rule
def stand(game: Board, piece: int, square: int) -> None:
    """Put a piece on a square."""
    game.at[piece] = square
    game.on[square] = piece
    put_in(game.taken, square, True)


@rule
def vacate(game: Board, square: int) -> None:
    """Take the piece off a square."""
    game.on[square] = NOBODY
    put_in(game.taken, square, False)


@rule
def put(game: Board, piece: int, square: int) -> None:
    """Place a piece from the pool with full health and movement points (P1, S4)."""
    kind = game.kind[piece]
    stand(game, piece, square)
    game.health[piece] = HEALTH[kind]
    game.mp[piece] = MOVEMENT[kind]
    if kind != Kind.NOMAD:
        game.standing[owner(game, piece)][kind] += 1


@rule
def remove(game: Board, piece: int) -> None:
    """Take a dead piece off the board and return it to its owner's pool (P3)."""
    vacate(game, game.at[piece])
    game.at[piece] = NOWHERE
    game.health[piece] = game.mp[piece] = game.deeds[piece] = game.last[piece] = 0
    if game.kind[piece] != Kind.NOMAD:
        game.standing[owner(game, piece)][game.kind[piece]] -= 1


# --- what terrain and weather do ----------------------------------------------------------------------------


@rule
def is_closed(game: Board, kind: int, square: int) -> bool:
    """Whether terrain closes a square to a kind of figure; ice opens water, except to ships (G2, W16)."""
    terrain = game.terrain[square]
    row = ICE_ROW if terrain == Terrain.WATER and is_in(game.cover, square) else terrain
    return CLOSED[row * KINDS + kind] != 0


@rule
def skip(game: Board, kind: int, square: int) -> int:
    """The movement points that a square always takes from the next turn: all or none (G3, X8)."""
    terrain = DESERT if game.plight[square] == DROUGHT else game.terrain[square]
    return MOVEMENT[kind] if SKIPS[terrain * KINDS + kind] else 0


@rule
def drag(game: Board, kind: int, square: int) -> int:
    """The movement points that a square takes, first from those left of this turn (G3, G4, W4).

    Terrain and weather add up: snow on a mountain (W10), in a forest or marsh (W22), on a plain (W25), in a desert
    (W28), and ice (W16).
    """
    owed = DRAGS[game.terrain[square] * KINDS + kind]
    if is_in(game.cover, square):
        owed += SNOW_DRAGS[kind]
    if game.plight[square] > 0:
        owed += DRAGS[Terrain.MARSH * KINDS + kind]  # X7
    return owed


@rule
def toll(game: Board, kind: int, square: int) -> int:
    """The extra cost of leaving a square on the way (M3)."""
    return skip(game, kind, square) + drag(game, kind, square)


@rule
def waters(game: Board, block: int) -> int:
    """The squares of a block that are water, with or without ice (W17, W20)."""
    return game.climates[Climate.ICE][block] | game.climates[Climate.EDGE_ICE][block]


@rule
def is_wet(game: Board, square: int) -> bool:
    """Whether rain or a thunderstorm is on a square (W33, X6)."""
    return is_in(game.rain, square) or is_in(game.storm, square)
