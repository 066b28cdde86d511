"""Nomads, which belong to nobody and stand in everybody's way (chapter N)."""

from endturn.engine.dice import MASK, below
from endturn.engine.rule import rule
from endturn.games.notchess.rules.board import (
    is_closed,
    is_dark,
    offset,
    put,
    remove,
    skip,
    stand,
    vacate,
    waters,
)
from endturn.games.notchess.state import HEADS_FOR, NOBODY, NOWHERE, SPAWNS, Board, Climate, Kind, Terrain
from endturn.mechanisms.grid import OFF_THE_MAP
from endturn.mechanisms.weather import is_in

SPAWN_TRIES = 64
A_STEP = 1  # a nomad's movement points per turn (B4)
WORD = 32  # squares per word of a set
WAVE, LATE, FRESH, UNSEEN, OPEN = range(5)  # sets of a search
SETS = 5


@rule
def move_nomads(game: Board, dice: int) -> None:
    """Let each nomad rest or take one step, and replace those that arrive (N4, N5)."""
    if game.nomads == 0:
        return
    for nomad in range(game.nomads):
        piece = 2 * game.per_seat + nomad
        if game.at[piece] != NOWHERE:
            walk_or_rest(game, nomad, piece)
        if game.at[piece] == NOWHERE:
            spawn(game, nomad, dice, 0)
    for kind in range(SETS):
        for word in range(1, game.blocks + 1):
            game.search[kind][word] = 0


@rule
def walk_or_rest(game: Board, nomad: int, piece: int) -> None:
    """Take one step on a cheapest path, or rest without movement points; on arrival, leave the board (N4, N5)."""
    if game.mp[piece] <= 0:
        game.mp[piece] += A_STEP
        return
    here = game.at[piece]
    to = next_step(game, here, game.goal[nomad])
    if to == NOWHERE:
        return
    vacate(game, here)
    stand(game, piece, to)
    game.mp[piece] = A_STEP - skip(game, Kind.NOMAD, to)
    if to == game.goal[nomad]:
        remove(game, piece)


# --- the search for a cheapest path -------------------------------------------------------------------------
# The search handles a whole wave of squares at once. A wave is a set: one bit per square, row by row, 32 per word. An
# empty word before the first and one after the last spare the check for the edge of the board.


@rule
def next_step(game: Board, start: int, goal: int) -> int:
    """The first square of a cheapest path over the open ground, or NOWHERE (N4).

    The search goes backwards from the goal, one wave per movement point. Entering a square costs one point. Leaving a
    mountain costs one more, so mountains join one wave later.
    """
    if not lets_through(game, goal):
        return NOWHERE
    open_ground(game)
    words = game.blocks
    for word in range(1, words + 1):
        game.search[WAVE][word] = game.search[LATE][word] = 0
        game.search[UNSEEN][word] = game.search[OPEN][word]
    game.search[WAVE][goal // WORD + 1] = 1 << goal % WORD
    while True:
        found = in_wave_beside(game, start)
        if found != NOWHERE or not next_wave(game, words):
            return found


@rule
def open_ground(game: Board) -> None:
    """Fill the set of squares that a nomad can enter: land and ice without pieces and storms (N4, W50)."""
    ground = game.search[OPEN]
    for word in range(game.blocks):
        barred = waters(game, word) & ~game.cover[word] | game.taken[word] | game.storm[word]
        ground[word + 1] = ~barred & MASK


@rule
def in_wave_beside(game: Board, start: int) -> int:
    """A square of the wave diagonally next to the start, or NOWHERE."""
    for corner in range(4):
        near = offset(game, start, 1 if corner < 2 else -1, 1 if corner % 2 else -1)
        if near != OFF_THE_MAP and game.search[WAVE][near // WORD + 1] >> near % WORD & 1:
            return near
    return NOWHERE


@rule
def next_wave(game: Board, words: int) -> bool:
    """Advance the wave to open diagonal neighbours, mountains one wave later; whether any squares are left."""
    wave, late, fresh, ground = game.search[WAVE], game.search[LATE], game.search[FRESH], game.search[UNSEEN]
    far, near = game.width + 1, game.width - 1  # the differences between the numbers of diagonal neighbours
    any_left = 0
    for word in range(1, words + 1):
        before, here, after = wave[word - 1], wave[word], wave[word + 1]
        rightwards = here << far | before >> WORD - far | here >> near | after << WORD - near
        leftwards = here << near | before >> WORD - near | here >> far | after << WORD - far
        reached = rightwards & game.columns[0][word] | leftwards & game.columns[1][word]
        fresh[word] = reached & ground[word]
        any_left |= fresh[word] | late[word]
    for word in range(1, words + 1):
        mountains = game.climates[Climate.MOUNTAIN_SNOW][word - 1] & fresh[word]
        ground[word] &= ~fresh[word]
        wave[word] = late[word] | fresh[word] & ~mountains
        late[word] = mountains
    return any_left != 0


@rule
def lets_through(game: Board, square: int) -> bool:
    """Whether a nomad can enter a square: pieces, water and storms block it (N4, W50)."""
    return (
        game.on[square] == NOBODY
        and not is_closed(game, Kind.NOMAD, square)
        and not is_in(game.storm, square)
    )


# --- coming and going ---------------------------------------------------------------------------------------


@rule
def replace(game: Board, nomad: int, dice: int, count: int) -> None:
    """Remove a nomad; a new one appears at once (N5)."""
    remove(game, 2 * game.per_seat + nomad)
    spawn(game, nomad, dice, count)


@rule
def spawn(game: Board, nomad: int, dice: int, count: int) -> None:
    """Place a nomad on a random free square of the quarters without capitals, or later if none is free (N2)."""
    corner = (game.width // 2) * (game.height // 2)
    for tries in range(SPAWN_TRIES):
        # Drawing again after an unsuitable square keeps all others equally likely.
        number = below(dice, 2 * corner, SPAWNS, nomad, game.turn, SPAWN_TRIES * count + tries)
        square = corner_square(game, number, corner)
        if is_dark(game, square) and lets_through(game, square):
            put(game, 2 * game.per_seat + nomad, square)
            game.goal[nomad] = destination(game, nomad, square, dice, count)
            return


@rule
def corner_square(game: Board, number: int, corner: int) -> int:
    """A square of the top left or bottom right quarter, by number (N2)."""
    half = game.width // 2
    within = number if number < corner else number - corner
    square = within % half + within // half * game.width
    return square if number < corner else game.squares - 1 - square


@rule
def destination(game: Board, nomad: int, square: int, dice: int, count: int) -> int:
    """The goal of a nomad that starts on a square: dark land on one of two opposite edges (N3)."""
    level = below(dice, 2, HEADS_FOR, nomad, game.turn, 4 * count)
    from_left = game.x[square] < game.width // 2
    goal = NOWHERE
    for edge in range(2):
        if goal == NOWHERE:
            goal = on_edge(game, from_left, level ^ edge, nomad, dice, 4 * count + 1 + edge)
    return goal if goal != NOWHERE else anywhere(game, nomad, dice, 4 * count + 3)


@rule
def on_edge(game: Board, from_left: bool, level: int, nomad: int, dice: int, count: int) -> int:
    """Random dark land on an edge: right or left if `level` is 0, bottom or top if it is 1 (N3)."""
    length = game.width if level else game.height
    land = 0
    for along in range(1, length):
        land += is_land(game, edge_square(game, from_left, level, along))
    if land == 0:
        return NOWHERE
    chosen = below(dice, land, HEADS_FOR, nomad, game.turn, count)
    for along in range(1, length):
        square = edge_square(game, from_left, level, along)
        if is_land(game, square):
            if chosen == 0:
                return square
            chosen -= 1
    return NOWHERE


@rule
def edge_square(game: Board, from_left: bool, level: int, along: int) -> int:
    """A square of an edge, counted from the corner without a capital (N3)."""
    last = game.squares - 1
    bottom, right = last - game.width + 1 + along, along * game.width + game.width - 1
    square = bottom if level else right
    return (
        square if from_left else last - square
    )  # the edges of the right half, by turning the board by 180 degrees


@rule
def anywhere(game: Board, nomad: int, dice: int, count: int) -> int:
    """Random free dark land on the whole board, for a nomad whose edges are all water (N3)."""
    land = 0
    for square in range(game.squares):
        land += is_land(game, square) and game.on[square] == NOBODY
    if land == 0:
        return game.capital[0]
    chosen = below(dice, land, HEADS_FOR, nomad, game.turn, count)
    for square in range(game.squares):
        if is_land(game, square) and game.on[square] == NOBODY:
            if chosen == 0:
                return square
            chosen -= 1
    return game.capital[0]


@rule
def is_land(game: Board, square: int) -> bool:
    """Whether a square is dark and not water (N3)."""
    return is_dark(game, square) and game.terrain[square] != Terrain.WATER
