"""What a seat sees: the whole board and the forecast, also as numbers."""

from collections.abc import MutableSequence

from endturn.engine.record import to_json
from endturn.engine.rule import rule
from endturn.games.notchess.rules.board import allowance, is_dark, owner
from endturn.games.notchess.rules.weather import APPEAR, DRIES, EIGHTH, VANISH, floods_to_come, rains_to_go
from endturn.games.notchess.state import (
    DROUGHT,
    MONTHS,
    MONTHS_A_SEASON,
    NOBODY,
    TURNS_A_MONTH,
    Board,
    Climate,
    Ending,
    Kind,
    Mode,
    Month,
    Terrain,
)
from endturn.games.notchess.view_types import BoardView, ChancesView, MonthView, PieceView, SquareView
from endturn.mechanisms.calendar import begins_season, month_of
from endturn.mechanisms.weather import Compass, is_in

SEASONS = "Winter", "Spring", "Summer", "Autumn"
SHARED, PER_SQUARE = 10, 9  # numbers of an observation: shared ones, and those of each square


def view(board: Board, seat: int | None) -> BoardView:
    """The whole state; only the dice are hidden."""
    return {
        "turn": board.turn,
        "seat": board.seat,
        "begun": bool(board.begun),
        "ended": Ending(board.ended).name.lower(),
        "winner": board.winner,
        "width": board.width,
        "height": board.height,
        "capitals": list(board.capital),
        "allowance": [allowance(board, seat) for seat in (0, 1)],
        "pools": [pool_left(board, seat) for seat in (0, 1)],
        "pieces": [piece_of(board, p) for p in range(2 * board.per_seat + board.nomads) if board.at[p] >= 0],
        "squares": [square_of(board, square) for square in range(board.squares)],
        "wind": Compass(board.wind).name.lower() if board.streams else None,
        "forecast": forecast(board),
        "settings": to_json(board.settings),
    }


def pool_left(board: Board, seat: int) -> dict[str, int]:
    """The pieces in a seat's pool, by kind (P1)."""
    return {
        kind.name.lower(): board.first[kind + 1] - board.first[kind] - board.standing[seat][kind]
        for kind in Kind
        if kind not in (Kind.KING, Kind.NOMAD)
    }


def piece_of(board: Board, piece: int) -> PieceView:
    """One piece on the board; for a nomad, also its goal."""
    seen: PieceView = {
        "kind": Kind(board.kind[piece]).name.lower(),
        "owner": owner(board, piece),
        "square": board.at[piece],
        "mp": board.mp[piece],
        "health": board.health[piece],
        "deeds": board.deeds[piece],
    }
    if board.kind[piece] == Kind.NOMAD:
        seen["goal"] = board.goal[piece - 2 * board.per_seat]
    return seen


def square_of(board: Board, square: int) -> SquareView:
    """One square: its terrain and colour, and the weather on it (W4, W6)."""
    return {
        "terrain": Terrain(board.terrain[square]).name.lower(),
        "dark": is_dark(board, square),
        "snow": is_in(board.cover, square),
        "rain": is_in(board.rain, square),
        "storm": board.storm_months[square],
        "wind": is_in(board.windy, square),
        "flood": max(0, board.plight[square]),
        "drought": board.plight[square] == DROUGHT,
    }


# --- the forecast -------------------------------------------------------------------------------------------


def forecast(board: Board) -> list[MonthView]:
    """The forecast for this month and the next, map-wide weather first (W5, W8)."""
    if board.settings.mode == Mode.CLASSIC:
        return []
    month = month_of(board.turn, TURNS_A_MONTH, MONTHS)
    return [month_ahead(board, month, 0), month_ahead(board, (month + 1) % MONTHS, 1)]


def month_ahead(board: Board, month: int, ahead: int) -> MonthView:
    """One month's forecast: chances in percent, and numbers of rains and floods."""
    settings = board.settings
    return {
        "month": month_name(month),
        "season": SEASONS[month // MONTHS_A_SEASON],
        "snow": {name: chances(climate, month) for name, climate in LAYERS.items()},
        "rain": {"appear": board.rain_appear[month], "disappear": rains_to_go(board, month)},
        "wind": wind_chances(board, month, ahead),
        "flood": floods_to_come(board, month) if settings.flood else 0,
        "drought": float(DRIES[month]) if settings.drought else 0.0,
    }


LAYERS = {  # map-wide weather, by name (W7, W9)
    "mountain": Climate.MOUNTAIN_SNOW,
    "ice": Climate.ICE,
    "edge_ice": Climate.EDGE_ICE,
    "forest": Climate.FOREST_SNOW,
    "marsh": Climate.FOREST_SNOW,
    "plain": Climate.PLAIN_SNOW,
    "desert": Climate.DESERT_SNOW,
}


def chances(climate: Climate, month: int) -> ChancesView:
    """The month's chances of one layer, in percent (W9, W20)."""
    row = Climate.ICE if climate == Climate.EDGE_ICE else climate
    appear = APPEAR[row][month] / (EIGHTH if climate == Climate.EDGE_ICE else 1)
    return {"appear": appear, "disappear": float(VANISH[row][month])}


def wind_chances(board: Board, month: int, ahead: int) -> dict[str, float]:
    """The chance of each wind direction this month or next, in percent (X2)."""
    if not board.streams:
        return {}
    if ahead == 0:
        return {Compass(board.wind).name.lower(): 100.0}
    if begins_season(month, MONTHS_A_SEASON):
        return {direction.name.lower(): 100 / len(Compass) for direction in Compass}
    turns = ((-1, 25.0), (0, 50.0), (1, 25.0))
    return {Compass((board.wind + turn) % 8).name.lower(): percent for turn, percent in turns}


def month_name(month: int) -> str:
    """The document's code for a month: W1nter, Spr2ng, Summe3, Aut4mn (W2)."""
    return Month(month).name.capitalize()


def month_title(month: int) -> str:
    """A month as people read it: Winter, month 1 (W2)."""
    return f"{SEASONS[month // MONTHS_A_SEASON]}, month {month % MONTHS_A_SEASON + 1}"


# --- as numbers ---------------------------------------------------------------------------------------------


def observation_size(board: Board) -> int:
    """The length of an observation."""
    return SHARED + PER_SQUARE * len(board.on)


@rule
def observe(board: Board, seat: int, out: MutableSequence[int]) -> None:
    """Shared numbers, then nine per square: terrain, cover, rain, wind, flood or drought, and four of its piece."""
    out[0], out[1] = board.turn, month_of(board.turn, TURNS_A_MONTH, MONTHS)
    out[2], out[3], out[4] = board.width, board.height, board.wind
    out[5], out[6] = board.seat == seat, board.begun
    out[7], out[8] = allowance(board, seat), allowance(board, 1 - seat)
    out[9] = board.settings.max_months
    for square in range(board.squares):
        at = SHARED + PER_SQUARE * square
        out[at], out[at + 1] = board.terrain[square], is_in(board.cover, square)
        out[at + 2] = 2 if is_in(board.storm, square) else is_in(board.rain, square)
        out[at + 3], out[at + 4] = is_in(board.windy, square), board.plight[square]
        piece = board.on[square]
        if piece == NOBODY:
            out[at + 5], out[at + 6], out[at + 7], out[at + 8] = NOBODY, 0, 0, 0
        else:
            out[at + 5], out[at + 6] = board.kind[piece], 1 if owner(board, piece) == seat else 0
            out[at + 7], out[at + 8] = board.mp[piece], board.health[piece]
