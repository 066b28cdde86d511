"""The type of a view of Anarchy: what a client or bot receives."""

from typing import Annotated, Any, NotRequired, TypedDict

from endturn.games.anarchy.state import Ending, Kind, Settings
from endturn.mechanisms.grid import Direction


class BuildingView(TypedDict):
    """A building. Its number in actions is its index in the list of buildings."""

    kind: Annotated[str, Kind, "Its kind; a headquarters is a warehouse."]
    owner: Annotated[int, "The seat that owns it."]
    x: Annotated[int, "Its column, from 0 in the west."]
    y: Annotated[int, "Its row, from 0 in the north."]
    health: Annotated[int, "Its health; 0 means burned down."]
    fire: Annotated[int, "The strength of its fire; 0 means that it does not burn."]
    exposure: Annotated[int, "The exposure of a warehouse: the damage that a raid does to it."]
    bribed: Annotated[bool, "Whether it was bribed this turn."]


class ForecastView(TypedDict):
    """The wind of one turn."""

    direction: Annotated[str, Direction, "Where the wind blows to."]
    intensity: Annotated[int, "Its strength; 0 is calm."]
    controlled_by: Annotated[int, "The seat whose turn comes first before this wind blows."]


class SkyView(TypedDict):
    """Rain and thunderstorms. Cells are numbered row by row: x + y * map_width."""

    month: Annotated[int, "The month, 0 to 15."]
    rain: Annotated[list[int], "The cells with rain."]
    storms: Annotated[list[int], "The cells with a thunderstorm."]
    appear: Annotated[int, "How many rains appear when this month begins."]
    disappear: Annotated[int, "How many rains disappear when this month begins."]


class CityView(TypedDict):
    """A match of Anarchy. Nothing is hidden, so every seat and every spectator gets the same view."""

    sky: NotRequired[Annotated[SkyView, "Rain and thunderstorms; only with the setting `rain`."]]
    turn: Annotated[int, "The turn, from 0."]
    seat: Annotated[int, "The seat to act."]
    bribes: Annotated[list[int], "For each seat, the bribes left this turn."]
    bonus: Annotated[list[int], "For each seat, extra bribes earned for its next turn."]
    headquarters: Annotated[list[int], "For each seat, the number of its headquarters."]
    ended: Annotated[str, Ending, "How the match ended; `going_on` until then."]
    winner: Annotated[int, "The seat that won; -1 until the match ends."]
    current_forecast: Annotated[
        int, "The index of the wind that blows at the end of this turn; -1 if none is left."
    ]
    next_forecast: Annotated[
        int, "The index of the wind that weather stations can change; -1 if there is none."
    ]
    settings: Annotated[dict[str, Any], Settings, "The settings of the match."]
    buildings: Annotated[list[BuildingView], "All buildings; the index is a building's number."]
    forecasts: Annotated[list[ForecastView], "The winds of all turns, in order."]
