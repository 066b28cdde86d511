"""Not-Chess in words and pictures: names, outcomes and the board."""

from collections.abc import Iterable

from endturn.engine.actions import Action
from endturn.engine.game import Outcome
from endturn.games.notchess.actions import Raise
from endturn.games.notchess.rules.board import allowance, distance, is_dark, owner
from endturn.games.notchess.state import (
    MONTHS,
    NOBODY,
    NOWHERE,
    REACH,
    TURNS_A_MONTH,
    Board,
    Decision,
    Ending,
    Kind,
    Mode,
    Month,
    Terrain,
)
from endturn.games.notchess.view import forecast, month_title, pool_left
from endturn.games.notchess.view_types import MonthView
from endturn.mechanisms.calendar import month_of
from endturn.mechanisms.endings import decided
from endturn.mechanisms.weather import Compass, is_in

SEATS = "White", "Black"
NAMES = {
    Kind.KING: "capital",
    Kind.PAWN: "peasant",
    Kind.ROOK: "warrior",
    Kind.BISHOP: "archer",
    Kind.KNIGHT: "rider",
    Kind.SHIP: "ship",
    Kind.NOMAD: "nomads",
}


# --- in words -----------------------------------------------------------------------------------------------


def named(board: Board, square: int) -> str:
    """A square in a sentence: (3, 4), counted from 1 at the top left (B1)."""
    if not 0 <= square < board.squares:
        return f"square #{square}"
    return f"({board.x[square] + 1}, {board.y[square] + 1})"


VERBS = {
    "Settle": "settling",
    "Raise": "raising a figure",
    "Move": "moving",
    "Attack": "striking",
    "EndTurn": "ending the turn",
    "Leave": "leaving",
}


def words(board: Board, seat: int, action: Action) -> dict[str, object]:
    """The values of the {words} in a refusal of an action."""
    figure = int(getattr(action, "figure", NOWHERE))
    square = int(next((getattr(action, n) for n in ("square", "to", "target") if hasattr(action, n)), figure))
    missing = next((n for n in (figure, square) if n >= board.squares), square)
    return {
        "verb": VERBS[type(action).__name__],
        "me": SEATS[seat],
        "other": SEATS[1 - seat],
        "width": board.width,
        "height": board.height,
        "last": board.squares - 1,
        "missing": missing,
        "from_square": named(board, figure),
        "square": named(board, square),
        "peasants": board.standing[seat][Kind.PAWN],
        **_about_square(board, square),
        **_about_figure(board, figure, square, action),
    }


def _about_square(board: Board, square: int) -> dict[str, object]:
    if not 0 <= square < board.squares:
        return {"colour": "off the board", "ground": "off the board", "there": "nobody"}
    piece = board.on[square]
    ice = board.terrain[square] == Terrain.WATER and is_in(board.cover, square)
    whose = "" if piece == NOBODY else (*(f"{name}'s" for name in SEATS), "A band of")[owner(board, piece)]
    return {
        "colour": "dark" if is_dark(board, square) else "light",
        "ground": "ice" if ice else Terrain(board.terrain[square]).name.lower(),
        "there": "nobody" if piece == NOBODY else f"{whose} {NAMES[Kind(board.kind[piece])]}",
    }


def _about_figure(board: Board, figure: int, square: int, action: Action) -> dict[str, object]:
    piece = board.on[figure] if 0 <= figure < board.squares else NOBODY
    placed = Kind(Kind.ROOK + action.kind) if isinstance(action, Raise) else Kind.PAWN
    kind = placed if piece == NOBODY else Kind(board.kind[piece])
    on_board = 0 <= figure < board.squares and 0 <= square < board.squares
    return {
        "kind": NAMES[kind],
        "mp": 0 if piece == NOBODY else board.mp[piece],
        "reach": REACH[kind],
        "far": distance(board, figure, square) if on_board else 0,
    }


LEAVING = {
    Ending.RESIGNED: "resigned",
    Ending.TIMED_OUT: "ran out of time",
    Ending.DISCONNECTED: "disconnected",
}


DECISIONS = {
    Decision.CAPITAL: ("{won} entered the enemy capital.", "{lost} lost its capital."),
    Decision.WAR_FIGURES: ("The months are over: {won} has more war figures.",) * 2,
    Decision.PEASANTS: ("The months are over: {won} has more peasants.",) * 2,
    Decision.DISTANCE: ("The months are over: {won} is nearer to the enemy capital.",) * 2,
    Decision.OPPONENT_LEFT: ("{won} wins, for its opponent {left}.", "{lost} {left}."),
}


def outcome(board: Board) -> Outcome | None:
    """How the match ended, with a reason for each seat (V1, V2, V3, V5)."""
    if board.ended == Ending.GOING_ON:
        return None
    ending, decision = Ending(board.ended), Decision(board.decided)
    if decision == Decision.DRAW:
        how = f"{ending.name.lower()}: {decision.name.lower()}"
        return Outcome(how, (1, 1), ("The months are over, and nothing tells the seats apart: a draw.",) * 2)
    left = LEAVING.get(ending, "")
    named_seats = {"won": SEATS[board.winner], "lost": SEATS[1 - board.winner], "left": left}
    won, lost = (said.format_map(named_seats) for said in DECISIONS[decision])
    return decided(board, ending, decision, won, lost)


# --- as a picture -------------------------------------------------------------------------------------------


LETTERS = {
    Kind.KING: "k",
    Kind.PAWN: "p",
    Kind.ROOK: "r",
    Kind.BISHOP: "b",
    Kind.KNIGHT: "n",
    Kind.SHIP: "s",
    Kind.NOMAD: "z",
}


GROUND = {
    Terrain.PLAIN: "·",
    Terrain.FOREST: "♠",
    Terrain.WATER: "~",
    Terrain.DESERT: ":",
    Terrain.MARSH: "≈",
    Terrain.MOUNTAIN: "^",
}


GROUND_COLOURS = {
    Terrain.PLAIN: "green",
    Terrain.FOREST: "bright_green",
    Terrain.WATER: "blue",
    Terrain.DESERT: "yellow",
    Terrain.MARSH: "cyan",
    Terrain.MOUNTAIN: "white",
}


COLOURS = "bold bright_white", "bold bright_red", "magenta"
ARROWS = "↑↗→↘↓↙←↖"


def show(board: Board) -> str:
    """The board with terrain, pieces and the weather on every square, both seats' standing, the forecast (W34)."""
    rows = [
        f"{y + 1:>2} " + "".join(_cell(board, x + y * board.width) for x in range(board.width))
        for y in range(board.height)
    ]
    head = "   " + "".join(f"{x + 1:<4}" for x in range(board.width))
    standing = [_standing(board, seat) for seat in (0, 1)]
    return "\n".join([_title(board), head, *rows, *standing, *_forecast_lines(board), *_legend(board)])


def _title(board: Board) -> str:
    month = month_title(month_of(board.turn, TURNS_A_MONTH, MONTHS))
    year = 1 + board.turn // (TURNS_A_MONTH * MONTHS)
    when = "" if board.settings.mode == Mode.CLASSIC else f"   {month}, year {year}   wind {_wind(board)}"
    if board.ended == Ending.GOING_ON:
        who = f"{SEATS[board.seat]} to act"
    else:
        who = "a draw" if board.winner == NOBODY else f"{SEATS[board.winner]} has won"
    return f"Turn {board.turn}{when}   {who}"


def _wind(board: Board) -> str:
    return ARROWS[board.wind] if board.streams else "–"


def _cell(board: Board, square: int) -> str:
    terrain = Terrain(board.terrain[square])
    classic = board.settings.mode == Mode.CLASSIC
    ground = ("▒" if is_dark(board, square) else " ") if classic else GROUND[terrain]
    piece = board.on[square]
    if piece == NOBODY:
        figure = "▪" if not classic and is_dark(board, square) else " "
        figure = f"[dim]{figure}[/]"
    else:
        letter = LETTERS[Kind(board.kind[piece])]
        whose = owner(board, piece)
        figure = f"[{COLOURS[whose]}]{letter.upper() if whose == 0 else letter}[/]"
    return f"[{GROUND_COLOURS[terrain]}]{ground}[/]{figure}{_weather(board, square)}{_breeze(board, square)}"


def _weather(board: Board, square: int) -> str:
    if is_in(board.storm, square):
        return "[bold yellow]↯[/]"
    if is_in(board.rain, square):
        return "[bright_blue]☂[/]" if not is_in(board.cover, square) else "[bright_blue]❅[/]"
    if board.plight[square]:
        return "[blue]≋[/]" if board.plight[square] > 0 else "[yellow]☼[/]"
    return "[bright_white]*[/]" if is_in(board.cover, square) else " "


def _breeze(board: Board, square: int) -> str:
    return f"[dim]{ARROWS[board.wind]}[/]" if is_in(board.windy, square) else " "


def _standing(board: Board, seat: int) -> str:
    parts = [
        f"{LETTERS[kind]} {board.standing[seat][kind]}+{left}"
        for kind, left in zip(_placeable(), pool_left(board, seat).values(), strict=True)
        if left or board.standing[seat][kind]
    ]
    return (
        f"[{COLOURS[seat]}]{SEATS[seat]:<5}[/] on board+pool  {'  '.join(parts)}  "
        f"allowance {allowance(board, seat)}"
    )


def _placeable() -> Iterable[Kind]:
    return (Kind.PAWN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT, Kind.SHIP)


def _forecast_lines(board: Board) -> list[str]:
    """Two lines per month that fit a narrow terminal, map-wide weather first (W8)."""
    lines = []
    for month in forecast(board):
        snow = {name: f"{row['appear']:g}/{row['disappear']:g}" for name, row in month["snow"].items()}
        lines.append(
            f"[dim]{month_title(Month[month['month'].upper()])}[/]: mountain {snow['mountain']}  "
            f"forest, marsh {snow['forest']}  "
            f"plain {snow['plain']}  desert {snow['desert']}"
        )
        lines.append(f"       ice {snow['ice']}, edge {snow['edge_ice']}  {_moving(board, month)}")
    return lines


def _moving(board: Board, month: MonthView) -> str:
    """A month's rain, wind, floods and droughts in a few words; equally likely directions are grouped."""
    gone = month["rain"]["disappear"]
    said = [f"rain +{month['rain']['appear']} -{'all' if gone >= board.squares else gone}"]
    directions: dict[float, str] = {}
    for name, percent in month["wind"].items():
        directions[percent] = directions.get(percent, "") + ARROWS[Compass[name.upper()]]
    winds = " ".join(f"{arrows} {each:g}%" for each, arrows in directions.items())
    said += [f"wind {winds}"] if winds else []
    said += [f"flood +{month['flood']}"] if month["flood"] else []
    said += [f"drought {month['drought']:g}%"] if month["drought"] else []
    return "  ".join(said)


def _legend(board: Board) -> list[str]:
    lines = ["WHITE, black: k capital p peasant r warrior b archer n rider s ship z nomads"]
    if board.settings.mode != Mode.CLASSIC:
        lines += [
            "· plain ♠ forest ~ water : desert ≈ marsh ^ mountain ▪ dark square",
            "* snow or ice ☂ rain ❅ rain on snow ↯ storm ≋ flood ☼ drought ↑↗→↘↓↙←↖ wind",
            "forecast: chances in percent that snow and ice appear/disappear; rains that",
            "appear + and disappear -; chances in percent of each wind direction",
        ]
    return [f"[dim]{line}[/]" for line in lines]
