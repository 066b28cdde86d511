"""What there is in a match of Anarchy: settings, and the state as columns, one entry a building or forecast."""

from enum import IntEnum
from typing import Annotated

from endturn.engine.record import flag, i8, i16, i64, record
from endturn.engine.rule import Table
from endturn.engine.settings import Settings as AnySettings
from endturn.engine.settings import choice, number
from endturn.mechanisms.grid import Direction
from endturn.mechanisms.weather import Compass

NOBODY = -1
NONE = -1  # no building there, or no forecast any more


class Kind(IntEnum):
    """What a building is; it decides what its bribe buys."""

    WAREHOUSE = 0
    FIRE_DEPARTMENT = 1
    POLICE_DEPARTMENT = 2
    WEATHER_STATION = 3


class BonusBribes(IntEnum):
    """What burned-down buildings earn their owner."""

    ONCE = 0  # one bribe for each, on the owner's next turn
    WHILE_BURNING = 1  # one bribe for each that is burned down and still in flames, at every end of a turn
    NEVER = 2


class Generator(IntEnum):
    """How the map is drawn."""

    SPACED = 0  # one building a cell
    STACKED = 1  # several buildings on a cell


class Ending(IntEnum):
    """What brought the match to its end."""

    GOING_ON = 0
    HEADQUARTERS_BURNED = 1
    BOTH_HEADQUARTERS_BURNED = 2
    TURN_LIMIT = 3
    RESIGNED = 4
    TIMED_OUT = 5
    DISCONNECTED = 6


class Decision(IntEnum):
    """Which of the conditions decided between the seats, in their order."""

    OPEN = 0
    HEADQUARTERS_FALL = 1
    HEADQUARTERS_DAMAGE = 2
    BUILDINGS_STANDING = 3
    HEALTH_SUM = 4
    COIN = 5
    OPPONENT_LEFT = 6


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match of Anarchy."""

    max_turns: Annotated[
        int, number(1, 1000, "turns until the match is decided; each seat's turn counts")
    ] = 300
    map_width: Annotated[int, number(2, 100, "cells from west to east, an even number")] = 40
    map_height: Annotated[int, number(2, 100, "cells from north to south")] = 20
    base_bribes: Annotated[int, number(1, 1000, "bribes a seat has each turn")] = 10
    building_health: Annotated[int, number(1, 1000, "health of a building at the start")] = 100
    headquarters_factor: Annotated[int, number(1, 30, "how many times that a headquarters has")] = 3
    max_fire: Annotated[int, number(1, 100, "the fiercest a fire can be")] = 20
    warehouse_fire: Annotated[
        int, number(0, 100, "fire that a warehouse adds; a headquarters adds max_fire")
    ] = 3
    fire_fade: Annotated[int, number(0, 100, "how much every fire dies down at the end of a turn")] = 1
    extinguish_removes: Annotated[int, number(0, 100, "fire that a fire department takes away")] = 2
    exposure_fade: Annotated[int, number(0, 1000, "exposure that an unbribed warehouse loses a turn")] = 10
    max_intensity: Annotated[int, number(1, 100, "the strongest a forecast can be")] = 10
    generator: Annotated[Generator, choice("one building a cell, or several")] = Generator.SPACED
    weak_forecasts: Annotated[bool, choice("forecasts are drawn weaker than max_intensity")] = False
    wind_crosses_buildings: Annotated[
        bool, choice("wind carries fire over a whole row, not to one neighbour")
    ] = True
    bonus_bribes: Annotated[BonusBribes, choice("what burned-down buildings earn")] = BonusBribes.ONCE
    one_headquarters_ends: Annotated[bool, choice("one burned headquarters ends the match")] = True
    headquarters_on_last_turn: Annotated[
        bool, choice("a headquarters burned on the last turn is told as such")
    ] = True
    late_forecasts: Annotated[bool, choice("from turn 1 on each forecast blows a turn late")] = False
    refills: Annotated[bool, choice("a seat that keeps its turn has both seats' bribes refilled")] = False
    fire_at_the_edge: Annotated[bool, choice("warehouses ignite from and to the first row and column")] = True
    rain: Annotated[bool, choice("rain drifts over the city, dampens fires and brings thunderstorms")] = False

    def __post_init__(self) -> None:
        if self.map_width % 2:
            raise ValueError(f"map_width must be even, for the map is mirrored, and {self.map_width} is not.")
        farthest = (self.map_width + self.map_height - 2) * (self.max_turns + 1) // 2
        if farthest > 32767:
            raise ValueError(
                f"a map of {self.map_width} x {self.map_height} for {self.max_turns} turns allows an exposure of "
                f"{farthest}, and 32767 is the most there is room for: choose a smaller map or fewer turns."
            )


# Rain over Anarchy: what the shared mechanisms of calendar and weather mean in this city (chapter Y).
TURNS_A_MONTH, MONTHS = 2, 16
RAIN_APPEARS = Table(
    (0, 0, 0, 0, 1, 1, 2, 10, 4, 1, 4, 2, 4, 15, 4, 0)
)  # by month, for each hundred cells (Y2)
RAIN_VANISHES = Table((0, 0, 0, 0, 0, 1, 1, 2, 9, 5, 0, 4, 2, 0, 19, 4))
WIND_COMPASS = Table(
    (Compass.NORTH, Compass.EAST, Compass.SOUTH, Compass.WEST)
)  # by direction of a forecast (Y3)
STORM_MONTHS = 1
RAIN_DAMPS = 2  # fire that a turn of rain takes (Y4)
LIGHTNING = 3  # fire that a forming storm brings (Y5)


@record
class City:
    """The whole truth of a match. Columns `building` entries long hold one value for each building."""

    settings: Settings
    turn: i16
    seat: i16  # whose turn it is
    building_count: i16
    forecast_count: i16
    current_forecast: i16  # the one that blows at the end of this turn; NONE after the last
    next_forecast: i16  # the one that weather stations change; NONE when there is none
    bribes: Annotated[list[i16], 2]  # by seat: left this turn
    bonus: Annotated[list[i16], 2]  # by seat: earned for the next turn (B6)
    headquarters: Annotated[list[i16], 2]  # by seat: which building
    ended: Annotated[int, Ending]
    decided: Annotated[int, Decision]
    winner: i8  # NOBODY while the match goes on
    spare: Annotated[list[i8], 11]  # so that the columns begin at byte 64

    health: Annotated[list[i16], "buildings"]
    exposure: Annotated[list[i16], "buildings"]
    neighbour: Annotated[list[list[i16]], (4, "buildings")]  # by direction: the next building there, or NONE
    fire: Annotated[list[i8], "buildings"]
    arriving: Annotated[list[i8], "buildings"]  # fire on its way while a turn ends; 0 otherwise
    bribed: Annotated[list[flag], "buildings"]
    kind: Annotated[list[Annotated[int, Kind]], "buildings"]
    owner: Annotated[list[i8], "buildings"]
    x: Annotated[list[i8], "buildings"]
    y: Annotated[list[i8], "buildings"]

    direction: Annotated[list[Annotated[int, Direction]], "forecasts"]
    intensity: Annotated[list[i8], "forecasts"]

    # The sky, or nothing at all where there is no rain (Y1): months, one entry a cell, then sets of cells, a bit each.
    storm_months: Annotated[list[i8], "cells"]  # months that a thunderstorm still has
    rain: Annotated[list[i64], "blocks"]
    storm: Annotated[list[i64], "blocks"]
    windy: Annotated[list[i64], "blocks"]
    arriving_rain: Annotated[list[i64], "blocks"]  # empty but while a turn ends
    crowded: Annotated[list[i64], "blocks"]  # where a storm is to form; empty but while a turn ends
