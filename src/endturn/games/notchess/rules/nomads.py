"""Nomads: walkers that belong to nobody, and stand in everybody's way (chapter N)."""

from endturn.engine.dice import below
from endturn.engine.rule import rule
from endturn.games.notchess.rules.board import is_closed, is_dark, offset, put, remove, skip
from endturn.games.notchess.state import HEADS_FOR, NOBODY, NOWHERE, SPAWNS, Board, Kind, Terrain
from endturn.mechanisms.grid import OFF_THE_MAP

A_STEP = 1  # a nomad's movement in a turn (B4)
WAITS, VISITED = 1, 2  # marks of a search


@rule
def move_nomads(game: Board, dice: int) -> None:
    """After every player's turn each nomad rests, or takes one step; who arrives makes room for another (N4, N5)."""
    for nomad in range(game.nomads):
        piece = 2 * game.per_seat + nomad
        if game.at[piece] == NOWHERE:
            spawn(game, nomad, dice, 0)
        elif game.mp[piece] <= 0:
            game.mp[piece] += A_STEP
        else:
            walk(game, nomad, piece, dice)


@rule
def walk(game: Board, nomad: int, piece: int, dice: int) -> None:
    """One step on a cheapest path, if there is one (N4)."""
    to = straight_step(game, game.at[piece], game.goal[nomad])
    if to == NOWHERE:
        to = next_step(game, game.at[piece], game.goal[nomad])
    if to == NOWHERE:
        return
    game.on[game.at[piece]] = NOBODY
    game.on[to] = piece
    game.at[piece] = to
    game.mp[piece] = A_STEP - skip(game, Kind.NOMAD, to)
    if to == game.goal[nomad]:
        replace(game, nomad, dice, 0)


@rule
def straight_step(game: Board, start: int, goal: int) -> int:
    """The first square of a path that comes nearer with each step and pays no toll, for none is cheaper (N4).

    NOWHERE if it is not found at the first try: then the search below has to decide.
    """
    first, at = NOWHERE, start
    while at != goal:
        dx, dy = game.x[goal] - game.x[at], game.y[goal] - game.y[at]
        step_x, step_y = 1 if dx > 0 else -1, 1 if dy > 0 else -1
        to = free_step(game, at, step_x, step_y, goal)
        if to == NOWHERE and abs(dx) != abs(dy):
            turned = abs(dx) < abs(dy)
            to = free_step(game, at, -step_x if turned else step_x, step_y if turned else -step_y, goal)
        if to == NOWHERE:
            return NOWHERE
        first = to if first == NOWHERE else first
        at = to
    return first


@rule
def free_step(game: Board, at: int, step_x: int, step_y: int, goal: int) -> int:
    """The square one step away, if a nomad can go there and would owe nothing for going on (N4)."""
    to = offset(game, at, step_x, step_y)
    if to == OFF_THE_MAP or not lets_through(game, to):
        return NOWHERE
    return to if to == goal or skip(game, Kind.NOMAD, to) == 0 else NOWHERE


@rule
def next_step(game: Board, start: int, goal: int) -> int:
    """The first square of a cheapest path, or NOWHERE (N4).

    The search goes backwards from the goal. A square costs one step, and one whose toll is owed waits a round
    in line before it is left; so squares come up in the order of what is still to pay from there.
    """
    if not lets_through(game, goal):
        return NOWHERE
    game.line[0], game.mark[goal] = goal, VISITED
    ahead, waiting, found = 0, 1, NOWHERE
    while ahead < waiting and found == NOWHERE:
        square = game.line[ahead % game.squares]
        ahead += 1
        if game.mark[square] != VISITED:
            game.mark[square] = VISITED
            game.line[waiting % game.squares] = square
            waiting += 1
            continue
        for corner in range(4):
            near = offset(game, square, 1 if corner < 2 else -1, 1 if corner % 2 else -1)
            if near == start:
                found = square
            elif near != OFF_THE_MAP and game.mark[near] == 0 and lets_through(game, near):
                game.mark[near] = WAITS if skip(game, Kind.NOMAD, near) else VISITED
                game.line[waiting % game.squares] = near
                waiting += 1
    forget_search(game)
    return found


@rule
def forget_search(game: Board) -> None:
    """Leave no trace of a search in the state."""
    for square in range(game.squares):
        game.mark[square] = game.line[square] = 0


@rule
def lets_through(game: Board, square: int) -> bool:
    """Whether a nomad can step on a square: pieces, water and storms are in its way (N4, W50)."""
    return game.on[square] == NOBODY and not is_closed(game, Kind.NOMAD, square) and not game.storm[square]


# --- coming and going ---------------------------------------------------------------------------------------


@rule
def replace(game: Board, nomad: int, dice: int, count: int) -> None:
    """A nomad is gone, and a fresh one appears at once (N5)."""
    remove(game, 2 * game.per_seat + nomad)
    spawn(game, nomad, dice, count)


@rule
def spawn(game: Board, nomad: int, dice: int, count: int) -> None:
    """A nomad on a free square of the corners without capitals, by chance; if none is free it comes later (N2)."""
    free = 0
    for square in range(game.squares):
        free += can_spawn(game, square)
    if free == 0:
        return
    chosen = below(dice, free, SPAWNS, nomad, game.turn, count)
    for square in range(game.squares):
        if can_spawn(game, square):
            if chosen == 0:
                put(game, 2 * game.per_seat + nomad, square)
                game.goal[nomad] = destination(game, nomad, square, dice, count)
                return
            chosen -= 1


@rule
def can_spawn(game: Board, square: int) -> bool:
    """A dark square that a nomad could enter, in the quarter top left or bottom right (N2)."""
    x, y = game.x[square], game.y[square]
    half_x, half_y = game.width // 2, game.height // 2
    top_left = x < half_x and y < half_y
    bottom_right = x >= game.width - half_x and y >= game.height - half_y
    return (top_left or bottom_right) and is_dark(game, square) and lets_through(game, square)


@rule
def destination(game: Board, nomad: int, square: int, dice: int, count: int) -> int:
    """A dark square that is not water on one of the two edges across, by the toss of a coin (N3)."""
    level = below(dice, 2, HEADS_FOR, nomad, game.turn, 4 * count)
    from_left = game.x[square] < game.width // 2
    goal = on_edge(game, from_left, level, nomad, dice, 4 * count + 1)
    if goal == NOWHERE:
        goal = on_edge(game, from_left, 1 - level, nomad, dice, 4 * count + 2)
    return goal if goal != NOWHERE else anywhere(game, nomad, dice, 4 * count + 3)


@rule
def on_edge(game: Board, from_left: bool, level: int, nomad: int, dice: int, count: int) -> int:
    """A land square of an edge: right (or left) where `level` is 0, bottom (or top) where it is 1 (N3)."""
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
    """The square so far along an edge, counted from the end where no capital stands (N3)."""
    last = game.squares - 1
    bottom, right = last - game.width + 1 + along, along * game.width + game.width - 1
    square = bottom if level else right
    return square if from_left else last - square  # for the others the board is turned by 180 degrees


@rule
def anywhere(game: Board, nomad: int, dice: int, count: int) -> int:
    """Any dark land, where both edges are water; a capital is land, so there is some (N3)."""
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
    """Dark and not water (N3)."""
    return is_dark(game, square) and game.terrain[square] != Terrain.WATER
