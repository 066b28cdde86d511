"""A position of Not-Chess as one line of text, both ways.

    notchess 5 seat 1 begun 0 end 0,0,-1 wind 3 4.4,1.2 set width=6 height=6
    | pPw.. /... | K1.6 P1.5:1 R2.5:0:2:1 ... | K6.1 | z3.2>6.5:1 | rain 3.3 storm 2.2:1 flood 4.4:2 dry 1.1 damp 2.3:1

After the head come the terrain row by row (p plain, f forest, w water, d desert, m marsh, h mountain; a capital letter
has snow or ice), White's pieces, Black's pieces, the nomads, and the rest of the weather. A square is column.row, from
1.1 at the top left. A piece is its letter (K capital, P peasant, R warrior, B archer, N rider, S ship) and its square,
then movement points, health, deeds and last target; trailing values are omitted if they are the usual ones. A `-` keeps
the number of a piece in the pool. The wind has its direction and the heads of its streams. Settings with their default
values are omitted.
"""

from collections.abc import Iterator, Sequence

from endturn.engine.settings import settings_from, settings_to_json
from endturn.games.notchess.rules.board import is_dark, stand
from endturn.games.notchess.rules.weather import raise_wind, set_chances
from endturn.games.notchess.setup import empty_board, lay_terrain
from endturn.games.notchess.state import (
    DROUGHT,
    HEALTH,
    MONTHS,
    MOVED,
    MOVEMENT,
    NOBODY,
    NOWHERE,
    RAISED,
    STRUCK,
    TURNS_A_MONTH,
    Board,
    Decision,
    Ending,
    Kind,
    Mode,
    Settings,
    Terrain,
)
from endturn.mechanisms.calendar import month_of
from endturn.mechanisms.weather import Compass, is_in, put_in

GROUND = {
    "p": Terrain.PLAIN,
    "f": Terrain.FOREST,
    "w": Terrain.WATER,
    "d": Terrain.DESERT,
    "m": Terrain.MARSH,
}
GROUND |= {"h": Terrain.MOUNTAIN}
GROUND_LETTERS = {terrain: letter for letter, terrain in GROUND.items()}
PIECES = {"K": Kind.KING, "P": Kind.PAWN, "R": Kind.ROOK, "B": Kind.BISHOP, "N": Kind.KNIGHT, "S": Kind.SHIP}
PIECE_LETTERS = {kind: letter for letter, kind in PIECES.items()}
LAYERS = "rain", "storm", "flood", "dry", "damp"
MOST_TURNS = 1 << 30


def settings_of(board: Board) -> Settings:
    """The settings stored in a state."""
    defaults = Settings()
    names = Settings.__struct_fields__
    return Settings(**{name: type(getattr(defaults, name))(getattr(board.settings, name)) for name in names})


# --- writing ------------------------------------------------------------------------------------------------


def write(board: Board) -> str:
    """The position as text."""
    defaults = settings_to_json(Settings())
    chosen = [
        f"{name}={value}"
        for name, value in settings_to_json(settings_of(board)).items()
        if value != defaults[name]
    ]
    heads = ",".join(_named(board, board.head[stream]) for stream in range(board.streams))
    head = (
        f"notchess {board.turn} seat {board.seat} begun {int(board.begun)} "
        f"end {board.ended + 0},{board.decided + 0},{board.winner} wind {board.wind + 0} {heads or '-'}"
    )
    parts = [
        " ".join([head, "set", *chosen]),
        "/".join(_ground_row(board, y) for y in range(board.height)),
        " ".join(_army(board, 0)),
        " ".join(_army(board, 1)),
        " ".join(_nomad(board, nomad) for nomad in range(board.nomads)) or "-",
        " ".join(_weather(board)) or "-",
    ]
    return " | ".join(parts)


def _named(board: Board, square: int) -> str:
    return f"{board.x[square] + 1}.{board.y[square] + 1}"


def _ground_row(board: Board, y: int) -> str:
    squares = range(y * board.width, (y + 1) * board.width)
    letters = (GROUND_LETTERS[Terrain(board.terrain[square])] for square in squares)
    return "".join(
        letter.upper() if is_in(board.cover, square) else letter
        for square, letter in zip(squares, letters, strict=True)
    )


def _army(board: Board, seat: int) -> Iterator[str]:
    for kind, letter in PIECE_LETTERS.items():
        own = range(seat * board.per_seat + board.first[kind], seat * board.per_seat + board.first[kind + 1])
        standing = [piece for piece in own if board.at[piece] >= 0]
        for piece in own:
            if standing and piece <= standing[-1]:
                yield letter + (_piece(board, piece) if board.at[piece] >= 0 else "-")


def _piece(board: Board, piece: int) -> str:
    usual = _usual(Kind(board.kind[piece]))
    values = [board.mp[piece], board.health[piece], board.deeds[piece], board.last[piece]]
    while values and values[-1] == usual[len(values) - 1]:
        values.pop()
    return ":".join([_named(board, board.at[piece]), *map(str, values)])


def _usual(kind: Kind) -> list[int]:
    return [MOVEMENT[kind], HEALTH[kind], 0, 0]


def _nomad(board: Board, nomad: int) -> str:
    piece, goal = 2 * board.per_seat + nomad, _named(board, board.goal[nomad])
    if board.at[piece] == NOWHERE:
        return f"->{goal}"
    return f"{_named(board, board.at[piece])}>{goal}:{board.mp[piece]}"


def _weather(board: Board) -> Iterator[str]:
    flood = [max(0, plight) for plight in board.plight]
    dry = [plight == DROUGHT for plight in board.plight]
    rain = [is_in(board.rain, square) for square in range(board.squares)]
    layers: list[Sequence[int]] = [rain, board.storm_months, flood, dry, board.damp]
    for name, layer in zip(LAYERS, layers, strict=True):
        squares = [square for square in range(board.squares) if layer[square]]
        if squares:
            counted = name not in ("rain", "dry")
            yield name
            yield ",".join(_named(board, s) + (f":{layer[s]}" if counted else "") for s in squares)


# --- reading ------------------------------------------------------------------------------------------------


def read(text: str) -> Board:
    """The state that a position describes. Raises ValueError if the text is not a position."""
    try:
        parts = [part.split() for part in text.split("|")]
        if len(parts) != 6:
            raise ValueError(f"expected 6 parts separated by |, not {len(parts)}")
        head, ground, white, black, nomads, weather = parts
        board = _read_head(head)
        _read_ground(board, ground)
        for seat, army in enumerate((white, black)):
            _read_army(board, seat, army)
        _read_nomads(board, nomads)
        _read_weather(board, weather)
        for wrong in _errors(board):
            raise ValueError(wrong)
    except (ValueError, KeyError, IndexError, OverflowError, TypeError) as error:
        raise ValueError(f"not a position of Not-Chess: {error}") from None
    return board


def _read_head(head: list[str]) -> Board:
    name, turn, _, seat, _, begun, _, end, _, wind, heads, _, *chosen = head
    if name != "notchess":
        raise ValueError(f"expected it to begin with 'notchess', not {name!r}")
    settings = settings_from(Settings, dict(part.split("=", 1) for part in chosen), "Not-Chess")
    assert isinstance(settings, Settings)
    board = empty_board(settings)
    board.turn, board.seat, board.begun = int(turn), int(seat), bool(int(begun))
    ended, decided, board.winner = (int(value) for value in end.split(","))
    board.ended, board.decided, board.wind = Ending(ended), Decision(decided), Compass(int(wind))
    for stream, said in enumerate([] if heads == "-" else heads.split(",")):
        if stream >= board.streams:
            raise ValueError(f"more than {board.streams} streams of wind")
        board.head[stream] = _square(board, said)
    if settings.mode == Mode.NATURAL:
        # When the months are over, the chances are still those of the last month.
        last = board.turn - (board.ended == Ending.MONTHS_OVER)
        set_chances(board, month_of(last, TURNS_A_MONTH, MONTHS))
        if settings.wind:
            raise_wind(board)
    return board


def _square(board: Board, said: str) -> int:
    x, y = (int(value) - 1 for value in said.split("."))
    if not (0 <= x < board.width and 0 <= y < board.height):
        raise ValueError(f"{said} is not on a board of {board.width} x {board.height}")
    return x + y * board.width


def _read_ground(board: Board, parts: list[str]) -> None:
    letters = "".join(parts).split("/")
    if [len(row) for row in letters] != [board.width] * board.height:
        raise ValueError(f"expected {board.height} rows of {board.width} letters as terrain")
    joined = "".join(letters)
    made = [int(GROUND[letter.lower()]) for letter in joined]
    if board.settings.mode == Mode.NATURAL:
        lay_terrain(board, made)
        for square, letter in enumerate(joined):
            put_in(board.cover, square, letter.isupper())
    elif set(joined) != {"p"}:
        raise ValueError("a classic board has only plains without snow")


def _read_army(board: Board, seat: int, army: list[str]) -> None:
    taken: dict[Kind, int] = {}
    for said in army:
        kind = PIECES[said[0]]
        piece = seat * board.per_seat + board.first[kind] + taken.get(kind, 0)
        taken[kind] = taken.get(kind, 0) + 1
        if piece >= seat * board.per_seat + board.first[kind + 1]:
            raise ValueError(f"more pieces {said[0]} than a pool has")
        if said[1:] != "-":
            _read_piece(board, seat, piece, said[1:])


def _read_piece(board: Board, seat: int, piece: int, said: str) -> None:
    where, *values = said.split(":")
    kind = Kind(board.kind[piece])
    mp, health, deeds, last = [*map(int, values), *_usual(kind)[len(values) :]]
    _stand(board, piece, _square(board, where), mp)
    board.health[piece], board.deeds[piece], board.last[piece] = health, deeds, last
    board.standing[seat][kind] += 1


def _stand(board: Board, piece: int, square: int, mp: int) -> None:
    if board.on[square] != NOBODY:
        raise ValueError(f"two pieces stand on {_named(board, square)}")
    stand(board, piece, square)
    board.mp[piece] = mp


def _read_nomads(board: Board, nomads: list[str]) -> None:
    said = [] if nomads == ["-"] else nomads
    if len(said) != board.nomads:
        raise ValueError(f"expected {board.nomads} nomads on this board, not {len(said)}")
    for nomad, each in enumerate(said):
        where, _, rest = each.partition(">")
        goal, _, mp = rest.partition(":")
        board.goal[nomad] = _square(board, goal)
        if where != "-":
            _stand(board, 2 * board.per_seat + nomad, _square(board, where), int(mp))


def _read_weather(board: Board, parts: list[str]) -> None:
    said = [] if parts == ["-"] else parts
    for name, squares in zip(said[::2], said[1::2], strict=True):
        if name not in LAYERS or board.settings.mode == Mode.CLASSIC:
            raise ValueError(f"unknown weather {name!r} for this mode")
        for each in squares.split(","):
            where, _, value = each.partition(":")
            _put_weather(board, name, _square(board, where), int(value or 1))


def _put_weather(board: Board, name: str, square: int, value: int) -> None:
    if not 1 <= value <= 16:
        raise ValueError(f"{name} must last 1 to 16 months, not {value}")
    if name == "rain" and value != 1:
        raise ValueError("a square has at most one rain")
    if name in ("rain", "storm"):
        put_in(board.rain if name == "rain" else board.storm, square, True)
    if name in ("storm", "damp"):
        (board.storm_months if name == "storm" else board.damp)[square] = value
    elif name in ("flood", "dry"):
        board.plight[square] = value if name == "flood" else DROUGHT


def _errors(board: Board) -> Iterator[str]:
    """What is wrong with a position: values that would lead the rules to missing entries or overflows."""
    over = board.ended != Ending.GOING_ON
    months = board.settings.max_months
    limit = TURNS_A_MONTH * months - (0 if over else 1) if months else MOST_TURNS
    pairs: list[tuple[str, Sequence[int], int, int]] = [
        ("the seat", [board.seat], 0, 1),
        ("the turn", [board.turn], 0, limit),
        ("the winner", [board.winner], NOBODY, 1),
    ]
    for what, values, low, high in pairs:
        if not all(low <= value <= high for value in values):
            yield f"{what} must be from {low} to {high}"
    for seat in (0, 1):
        king = seat * board.per_seat
        if not over and board.at[king] != board.capital[seat]:
            yield "a capital is not in its corner"
    for piece in range(2 * board.per_seat + board.nomads):
        if board.at[piece] >= 0:
            yield from _errors_of_piece(board, piece)


def _errors_of_piece(board: Board, piece: int) -> Iterator[str]:
    kind, where = Kind(board.kind[piece]), _named(board, board.at[piece])
    if not -3 <= board.mp[piece] <= MOVEMENT[kind]:
        yield f"the piece on {where} cannot have {board.mp[piece]} movement points"
    if kind != Kind.NOMAD and not min(1, HEALTH[kind]) <= board.health[piece] <= HEALTH[kind]:
        yield f"the piece on {where} cannot have {board.health[piece]} health"
    if not 0 <= board.deeds[piece] <= MOVED | STRUCK | RAISED:
        yield f"the piece on {where} cannot have deeds {board.deeds[piece]}"
    if not 0 <= board.last[piece] <= 2 * board.per_seat:
        yield f"the piece on {where} struck piece {board.last[piece]}, which does not exist"
    if is_dark(board, board.at[piece]) == (kind == Kind.PAWN):
        yield f"the piece on {where} is on a square of the wrong colour"
