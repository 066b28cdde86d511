"""The types of views and previews of Not-Chess: what a client or bot receives."""

from typing import Annotated, Any, NotRequired, TypedDict

from endturn.games.notchess.state import Ending, Kind, Settings, Terrain
from endturn.mechanisms.weather import Compass


class PieceView(TypedDict):
    """A piece on the board."""

    kind: Annotated[
        str, Kind,
        "Its kind: king is a capital, pawn a peasant, rook a warrior, bishop an archer, knight a rider.",
    ]  # fmt: skip
    owner: Annotated[int, "The seat that owns it; 2 for nomads."]
    square: Annotated[int, "The square it stands on."]
    mp: Annotated[int, "Its movement points."]
    health: Annotated[int, "Its health."]
    deeds: Annotated[int, "What it did this turn, as bits: 1 moved, 2 struck, 4 raised."]
    goal: NotRequired[Annotated[int, "Only for nomads: the square it is heading for."]]


class SquareView(TypedDict):
    """A square with its terrain and weather."""

    terrain: Annotated[str, Terrain, "Its terrain; a marsh is the document's swamp."]
    dark: Annotated[bool, "Whether it is dark: war figures stand on dark squares."]
    snow: Annotated[bool, "Whether it has snow, or ice if it is water."]
    rain: Annotated[bool, "Whether it has rain."]
    storm: Annotated[int, "The months that its thunderstorm still lasts; 0 without one."]
    wind: Annotated[bool, "Whether wind blows over it."]
    flood: Annotated[int, "The months that its flood still lasts; 0 without one."]
    drought: Annotated[bool, "Whether it has a drought."]


class ChancesView(TypedDict):
    """How likely a kind of weather is to appear and disappear in a month."""

    appear: Annotated[
        float, "The chance in percent that snow or ice appears; for rain, how many rains appear."
    ]
    disappear: Annotated[
        float, "The chance in percent that snow or ice melts; for rain, how many rains disappear."
    ]


class MonthView(TypedDict):
    """The public forecast of a month."""

    month: Annotated[str, "The month's code, such as W1nter for the first month of Winter."]
    season: Annotated[str, "Winter, Spring, Summer or Autumn."]
    snow: Annotated[dict[str, ChancesView], "By terrain, `ice` and `edge_ice`: the chances of snow and ice."]
    rain: Annotated[ChancesView, "How many rains appear and disappear."]
    wind: Annotated[dict[str, float], "By direction: the chance in percent that the wind blows there."]
    flood: Annotated[int, "How many squares are flooded."]
    drought: Annotated[float, "The chance in percent that a dry plain has a drought."]


class BoardView(TypedDict):
    """A match of Not-Chess. Nothing but the dice is hidden, so every seat and every spectator gets the same view."""

    turn: Annotated[int, "The turn, from 0."]
    seat: Annotated[int, "The seat to act."]
    begun: Annotated[bool, "Whether the seat has raised or moved anything this turn."]
    ended: Annotated[str, Ending, "How the match ended; `going_on` until then."]
    winner: Annotated[int, "The seat that won; -1 until the match ends and after a draw."]
    width: Annotated[int, "The number of columns."]
    height: Annotated[int, "The number of rows."]
    capitals: Annotated[list[int], "For each seat, the square of its capital."]
    allowance: Annotated[list[int], "For each seat, how many war figures it may still raise (P4)."]
    pools: Annotated[
        list[dict[str, int]], "For each seat, how many pieces of each kind are left in its pool."
    ]
    pieces: Annotated[list[PieceView], "All pieces on the board."]
    squares: Annotated[list[SquareView], "All squares, row by row: square x + y * width, from the top left."]
    wind: Annotated[Annotated[str, Compass] | None, "Where the wind blows to; null on a board without wind."]
    forecast: Annotated[list[MonthView], "The forecast of this month and the next; empty on a classic board."]
    settings: Annotated[dict[str, Any], Settings, "The settings of the match."]


class WalkPreview(TypedDict):
    """The path of a war figure to a square."""

    figure: Annotated[int, "The square it starts from."]
    square: Annotated[int, "The square it goes to."]
    cost: Annotated[int, "The movement points of the cheapest path."]
    points: Annotated[int, "The movement points it has for this path."]
    wind: Annotated[bool, "Whether one of these points comes from the wind."]
    next: Annotated[int, "The movement points it has on its next turn."]


class BoardPreview(TypedDict):
    """What the server adds to a preview."""

    walks: NotRequired[
        Annotated[list[WalkPreview], "Without an action: every path of every war figure of the seat."]
    ]
    walk: NotRequired[Annotated[WalkPreview, "With a move: its path."]]
    chance: NotRequired[Annotated[float, "With a strike: the chance to hit, 0 to 1."]]
