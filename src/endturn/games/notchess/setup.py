"""The start of a match of Not-Chess: board, terrain, first snow, nomads and pools (chapters B, P, G)."""

from collections.abc import Iterator

from endturn.engine import record
from endturn.engine.dice import Stream, below
from endturn.games.notchess.rules.board import put
from endturn.games.notchess.rules.nomads import WORD, spawn
from endturn.games.notchess.rules.weather import EIGHTH, INITIAL, before_turn, rain_table
from endturn.games.notchess.state import (
    FIRST_COVER,
    FIRST_WIND,
    GROUND,
    MONTHS,
    NOBODY,
    NOWHERE,
    Board,
    Climate,
    Fallback,
    Kind,
    Mode,
    Settings,
    Size,
    Terrain,
)
from endturn.mechanisms.terrain import Shape, Span, generate, half_turned, shortest_path
from endturn.mechanisms.weather import BLOCK, Rolls, chance, put_in, spread_cover

WEIGHTS = 10, 7, 5, 3, 3, 2  # by terrain: the weight of drawing it for a square (G6)
SPANS = Span(2, 16), Span(3, 10), Span(3, 10), Span(4, 32), Span(4, 32), Span(4, 32)  # block sizes (G7)
MAPS = 200  # tries to make a map with a land route (G9)
ROOMS = 64, 128, 256, 544  # squares; few layouts, because rules are compiled once for each
CLIMATE_OF = {  # by terrain (W10, W17, W22, W25, W28)
    Terrain.PLAIN: Climate.PLAIN_SNOW,
    Terrain.FOREST: Climate.FOREST_SNOW,
    Terrain.WATER: Climate.ICE,
    Terrain.DESERT: Climate.DESERT_SNOW,
    Terrain.MARSH: Climate.FOREST_SNOW,
    Terrain.MOUNTAIN: Climate.MOUNTAIN_SNOW,
}


def new_board(settings: Settings, seed: int) -> Board:
    """The first state of a match (B5)."""
    board = empty_board(settings)
    for seat in (0, 1):
        put(board, seat * board.per_seat, board.capital[seat])
    if settings.mode == Mode.NATURAL:
        lay_terrain(board, natural_terrain(settings, shape_of(settings), Stream(seed, GROUND)))
        first_weather(board, seed)
        for nomad in range(board.nomads):
            spawn(board, nomad, seed, 2)  # N1
        before_turn(board, seed)
    return board


def shape_of(settings: Settings) -> Shape:
    """The size of the board: the nearest one allowed in this mode (B6)."""
    if settings.mode == Mode.CLASSIC:
        return Shape(nearest(settings.width, range(8, 25, 8)), nearest(settings.height, range(8, 17, 8)))
    least = 6 - settings.width % 2
    return Shape(nearest(settings.width, range(least, 31, 2)), nearest(settings.height, range(least, 19, 2)))


def nearest(wanted: int, legal: range) -> int:
    """The allowed size nearest to the given one."""
    return min(legal, key=lambda size: (abs(size - wanted), size))


def empty_board(settings: Settings) -> Board:
    """An empty board with full pools, in the smallest layout that fits."""
    shape, limits = shape_of(settings), pool(settings)
    per_seat = sum(limits)
    natural = settings.mode == Mode.NATURAL
    nomads = shape.size // 25 if natural and settings.nomads else 0
    room = next(room for room in ROOMS if room >= shape.size)
    figures = next(many for many in (48, 96, 192) if many >= 2 * per_seat + nomads)
    blocks = -(-room // BLOCK)
    board: Board = record.new(
        record.sized(Board, squares=room, figures=figures, blocks=blocks, words=blocks + 2)
    )
    for name in settings.__struct_fields__:
        setattr(board.settings, name, getattr(settings, name))
    board.width, board.height, board.squares = shape.width, shape.height, shape.size
    board.blocks = -(-shape.size // BLOCK)
    board.per_seat, board.nomads = per_seat, nomads
    board.streams = max(1, shape.size // 25) if natural and settings.wind else 0  # X1
    board.winner = NOBODY
    number_pieces(board, limits)
    number_squares(board)
    if natural:
        appear, vanish = rain_table(shape.size, settings.summer_rain)
        for month in range(MONTHS):
            board.rain_appear[month], board.rain_vanish[month] = appear[month], vanish[month]
    return board


def pool(settings: Settings) -> list[int]:
    """The pieces of a player by kind: capital, peasants, warriors, archers, riders, ships (P2)."""
    shape = shape_of(settings)
    if settings.mode == Mode.CLASSIC:
        boards = shape.size // 64
        return [1, 8 * boards, 2 * boards, 2 * boards, 2 * boards, 0]
    average = (shape.width + shape.height) // 2
    pawns = {Size.SMALL: 3 * average // 4, Size.AVERAGE: average, Size.LARGE: 5 * average // 4}
    figures = {Size.SMALL: average // 8, Size.AVERAGE: average // 4, Size.LARGE: 3 * average // 8}
    each = max(1, figures[settings.army_limit])
    return [1, pawns[settings.pawn_limit], each, each, each, each if settings.ships else 0]


def number_pieces(board: Board, limits: list[int]) -> None:
    """Give every piece its number and kind, and put it into its pool (P1)."""
    for kind in range(len(limits) + 1):
        board.first[kind] = sum(limits[:kind])
    pieces = 2 * [kind for kind, many in enumerate(limits) for _ in range(many)] + board.nomads * [Kind.NOMAD]
    for piece in range(len(board.kind)):
        board.kind[piece] = pieces[piece] if piece < len(pieces) else Kind.KING
        board.at[piece] = NOWHERE
    for square in range(len(board.on)):
        board.on[square] = NOBODY


def number_squares(board: Board) -> None:
    """Store every square's column and row, and the capitals at the bottom left and top right (B1, B5)."""
    for square in range(board.squares):
        board.x[square], board.y[square] = square % board.width, square // board.width
        for side, column in enumerate((0, board.width - 1)):
            if board.x[square] != column:
                board.columns[side][square // WORD + 1] |= 1 << square % WORD
    board.capital[0], board.capital[1] = board.squares - board.width, board.width - 1


# --- terrain ------------------------------------------------------------------------------------------------


def natural_terrain(settings: Settings, shape: Shape, dice: Stream) -> list[int]:
    """The terrain of every square; with `land_route`, dark land connects the capitals (G6 to G10)."""
    made: list[int] = []
    for _ in range(MAPS if settings.land_route else 1):
        splits = settings.terrain_fallback == Fallback.SPLIT
        made = generate(shape, WEIGHTS, SPANS, dice, splits)
        if settings.fair_mirror:
            made = half_turned(made)  # G10
        for capital in capitals(shape):
            made[capital] = Terrain.PLAIN  # G8
        if route(shape, made, Terrain.WATER) is not None:
            return made
    return with_ford(shape, made) if settings.land_route else made


def with_ford(shape: Shape, made: list[int]) -> list[int]:
    """The last map tried, with the water on its shortest dark path turned into marsh (G9)."""
    for square in route(shape, made, NOWHERE) or ():
        if made[square] == Terrain.WATER:
            made[square] = Terrain.MARSH
    return made


def route(shape: Shape, made: list[int], closed: int) -> list[int] | None:
    """A shortest diagonal path from capital to capital that avoids one kind of terrain (G9)."""
    start, goal = capitals(shape)
    return shortest_path(lambda square: corners(shape, square), start, goal, lambda to: made[to] != closed)


def capitals(shape: Shape) -> tuple[int, int]:
    """The squares of the capitals: bottom left and top right (B5)."""
    return shape.size - shape.width, shape.width - 1


def corners(shape: Shape, square: int) -> Iterator[int]:
    """The diagonal neighbours of a square."""
    return (
        to for to in shape.around(square) if to % shape.width != square % shape.width
        and to // shape.width != square // shape.width
    )  # fmt: skip


def lay_terrain(board: Board, made: list[int]) -> None:
    """Set the terrain and the climate of every square (G1, W9, W17, W20)."""
    for square, terrain in enumerate(made):
        board.terrain[square] = terrain
        climate = CLIMATE_OF[Terrain(terrain)]
        at_edge = board.x[square] in (0, board.width - 1) or board.y[square] in (0, board.height - 1)
        if climate == Climate.ICE and at_edge:
            climate = Climate.EDGE_ICE
        put_in(board.climates[climate], square, True)


def first_weather(board: Board, seed: int) -> None:
    """Make the first snow and ice, and place the heads of the streams (W11, W19, W23, W26, W29, X2)."""
    chances = initial_chances(board.settings)
    spread_cover(board.cover, board.climates, chances, len(board.cover), Rolls(seed, FIRST_COVER, 0))
    for stream in range(board.streams):
        board.head[stream] = below(seed, board.squares, FIRST_WIND, stream, 0)


def initial_chances(settings: Settings) -> list[int]:
    """The chances before the first turn, by climate; the setting decides whether the edge matters (W11, W20)."""
    chances = [chance(percent) for percent in INITIAL]
    if settings.edge_divides_initial:
        chances[Climate.EDGE_ICE] //= EIGHTH
    return chances
