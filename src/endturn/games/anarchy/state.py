"""Settings and state of Anarchy; the state has columns with one entry per building or forecast."""

from enum import IntEnum
from typing import Annotated

from endturn.engine.record import flag, i8, i16, i64, record
from endturn.engine.rule import Table
from endturn.engine.settings import Settings as AnySettings
from endturn.engine.settings import choice, number
from endturn.mechanisms.grid import Direction
from endturn.mechanisms.weather import Compass

NOBODY = -1
NONE = -1  # no building, or no forecast left


class Kind(IntEnum):
    """The kind of a building, which decides what a bribe buys."""

    WAREHOUSE = 0
    FIRE_DEPARTMENT = 1
    POLICE_DEPARTMENT = 2
    WEATHER_STATION = 3


class BonusBribes(IntEnum):
    """Which extra bribes burned-down buildings earn (B6)."""

    ONCE = 0  # one per building, on the owner's next turn
    WHILE_BURNING = 1  # at the end of every turn, one per building that burned at 0 health
    NEVER = 2


class Generator(IntEnum):
    """How the map is generated (M2)."""

    SPACED = 0  # one building per cell
    STACKED = 1  # several buildings per cell


class Ending(IntEnum):
    """Why the match ended."""

    GOING_ON = 0
    HEADQUARTERS_BURNED = 1
    BOTH_HEADQUARTERS_BURNED = 2
    TURN_LIMIT = 3
    RESIGNED = 4
    TIMED_OUT = 5
    DISCONNECTED = 6


class Decision(IntEnum):
    """Which condition decided between the seats, in order."""

    OPEN = 0
    HEADQUARTERS_FALL = 1
    HEADQUARTERS_DAMAGE = 2
    BUILDINGS_STANDING = 3
    HEALTH_SUM = 4
    COIN = 5
    OPPONENT_LEFT = 6


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of Anarchy."""

    max_turns: Annotated[int, number(1, 1000, "turns in a match, counting each seat's turn")] = 300
    map_width: Annotated[int, number(2, 100, "cells from west to east, an even number")] = 40
    map_height: Annotated[int, number(2, 100, "cells from north to south")] = 20
    base_bribes: Annotated[int, number(1, 1000, "bribes per turn")] = 10
    building_health: Annotated[int, number(1, 1000, "health of a building at the start")] = 100
    headquarters_factor: Annotated[
        int, number(1, 30, "health of a headquarters, as a multiple of building_health")
    ] = 3
    max_fire: Annotated[int, number(1, 100, "maximum fire of a building")] = 20
    warehouse_fire: Annotated[
        int, number(0, 100, "fire that a warehouse adds; a headquarters adds max_fire")
    ] = 3
    fire_fade: Annotated[int, number(0, 100, "fire that dies down at the end of a turn")] = 1
    extinguish_removes: Annotated[int, number(0, 100, "fire that a fire department removes")] = 2
    exposure_fade: Annotated[int, number(0, 1000, "exposure that an unbribed warehouse loses per turn")] = 10
    max_intensity: Annotated[int, number(1, 100, "maximum intensity of a forecast")] = 10
    generator: Annotated[Generator, choice("one building per cell, or several")] = Generator.SPACED
    weak_forecasts: Annotated[bool, choice("forecasts start at most one below max_intensity")] = False
    wind_crosses_buildings: Annotated[
        bool, choice("wind carries fire along a row instead of to one neighbour")
    ] = True
    bonus_bribes: Annotated[BonusBribes, choice("extra bribes for burned-down buildings")] = BonusBribes.ONCE
    one_headquarters_ends: Annotated[bool, choice("one burned headquarters ends the match")] = True
    headquarters_on_last_turn: Annotated[
        bool, choice("a headquarters burned on the last turn decides the match")
    ] = True
    late_forecasts: Annotated[bool, choice("from turn 1, each forecast blows a turn late")] = False
    refills: Annotated[bool, choice("keeping the turn refills both seats' bribes")] = False
    fire_at_the_edge: Annotated[bool, choice("warehouses ignite from and to the first row and column")] = True
    rain: Annotated[bool, choice("rain drifts over the city, dampens fires and forms thunderstorms")] = False

    def __post_init__(self) -> None:
        if self.map_width % 2:
            raise ValueError(f"map_width must be even, not {self.map_width}: the map is mirrored.")
        farthest = (self.map_width + self.map_height - 2) * (self.max_turns + 1) // 2
        if farthest > 32767:
            raise ValueError(
                f"A map of {self.map_width} x {self.map_height} with {self.max_turns} turns allows an exposure of "
                f"{farthest}, above the limit of 32767. Choose a smaller map or fewer turns."
            )


# Rain over Anarchy: the values for the mechanisms calendar and weather (chapter Y).
TURNS_A_MONTH, MONTHS = 2, 16
RAIN_APPEARS = Table((0, 0, 0, 0, 1, 1, 2, 10, 4, 1, 4, 2, 4, 15, 4, 0))  # by month, per hundred cells (Y2)
RAIN_VANISHES = Table((0, 0, 0, 0, 0, 1, 1, 2, 9, 5, 0, 4, 2, 0, 19, 4))
WIND_COMPASS = Table(
    (Compass.NORTH, Compass.EAST, Compass.SOUTH, Compass.WEST)
)  # by the direction of a forecast (Y3)
STORM_MONTHS = 1
RAIN_DAMPS = 2  # fire that rain removes per turn (Y4)
LIGHTNING = 3  # fire that a forming storm adds (Y5)


@record
class City:
    """The state of a match. Columns of length `buildings` have one entry per building."""

    settings: Settings
    turn: i16
    seat: i16  # the seat whose turn it is
    building_count: i16
    forecast_count: i16
    current_forecast: i16  # the one that blows at the end of this turn; NONE after the last
    next_forecast: i16  # the one that weather stations change, or NONE
    bribes: Annotated[list[i16], 2]  # by seat: left this turn
    bonus: Annotated[list[i16], 2]  # by seat: extra bribes for the next turn (B6)
    headquarters: Annotated[list[i16], 2]  # by seat: a building
    ended: Annotated[int, Ending]
    decided: Annotated[int, Decision]
    winner: i8  # NOBODY while the match goes on
    spare: Annotated[list[i8], 11]  # aligns the columns to byte 64

    health: Annotated[list[i16], "buildings"]
    exposure: Annotated[list[i16], "buildings"]
    neighbour: Annotated[list[list[i16]], (4, "buildings")]  # by direction: a building or NONE
    fire: Annotated[list[i8], "buildings"]
    arriving: Annotated[list[i8], "buildings"]  # fire in transit while a turn ends; 0 otherwise
    bribed: Annotated[list[flag], "buildings"]
    kind: Annotated[list[Annotated[int, Kind]], "buildings"]
    owner: Annotated[list[i8], "buildings"]
    x: Annotated[list[i8], "buildings"]
    y: Annotated[list[i8], "buildings"]

    direction: Annotated[list[Annotated[int, Direction]], "forecasts"]
    intensity: Annotated[list[i8], "forecasts"]

    # The sky, empty without rain (Y1): one entry per cell, then sets of cells with one bit per cell.
    storm_months: Annotated[list[i8], "cells"]  # months that a thunderstorm still lasts
    rain: Annotated[list[i64], "blocks"]
    storm: Annotated[list[i64], "blocks"]
    windy: Annotated[list[i64], "blocks"]
    arriving_rain: Annotated[list[i64], "blocks"]  # empty except while a turn ends
    crowded: Annotated[list[i64], "blocks"]  # where a storm forms; empty except while a turn ends
