"""The state of Not-Chess: settings, and the board as columns with one entry per square or piece."""

from enum import IntEnum
from typing import Annotated

from endturn.engine.record import flag, i8, i16, i32, i64, record
from endturn.engine.rule import Table
from endturn.engine.settings import Settings as AnySettings
from endturn.engine.settings import choice, number
from endturn.mechanisms.weather import Compass

NOBODY = -1  # no winner, or no piece on a square
NOWHERE = -1  # the square of a piece in the pool
NONE = -1

TURNS_A_MONTH = 2  # one for each player (W1)
MONTHS_A_SEASON = 4
MONTHS = 16  # in a year (W2)
STREAMS = 24  # the most streams of wind and the most nomads: a board of 540 squares has 21 of each


# Purposes of rolls. Rolls with different purposes are independent.
SHOT, FIRST_COVER, COVER, RAIN, WIND, STREAM, FLOOD, DRY, SPAWNS, HEADS_FOR, GROUND, FIRST_WIND = range(1, 13)


class Month(IntEnum):
    """The sixteen months, by the document's codes (W2, W3)."""

    W1NTER = 0
    W2NTER = 1
    W3NTER = 2
    W4NTER = 3
    SPR1NG = 4
    SPR2NG = 5
    SPR3NG = 6
    SPR4NG = 7
    SUMME1 = 8
    SUMME2 = 9
    SUMME3 = 10
    SUMME4 = 11
    AUT1MN = 12
    AUT2MN = 13
    AUT3MN = 14
    AUT4MN = 15


class Mode(IntEnum):
    """Whether the board has terrain and weather."""

    CLASSIC = 0  # only the two armies
    NATURAL = 1  # terrain, seasons, weather, nomads


class Terrain(IntEnum):
    """The terrain of a square (G1)."""

    PLAIN = 0
    FOREST = 1
    WATER = 2
    DESERT = 3
    MARSH = 4  # the document's swamp
    MOUNTAIN = 5


class Climate(IntEnum):
    """The table by which a square's snow or ice changes (W9)."""

    MOUNTAIN_SNOW = 0
    ICE = 1
    FOREST_SNOW = 2  # in forests and marshes
    PLAIN_SNOW = 3
    DESERT_SNOW = 4
    EDGE_ICE = 5  # ice on the edge of the map (W20)


CLIMATES = 6


class Kind(IntEnum):
    """The kinds of pieces, by their codes (B4)."""

    KING = 0  # the capital
    PAWN = 1  # a peasant
    ROOK = 2  # a warrior
    BISHOP = 3  # an archer
    KNIGHT = 4  # a rider
    SHIP = 5
    NOMAD = 6  # belongs to nobody


KINDS = 7
#                king pawn rook bishop knight ship nomad
MOVEMENT = Table((0, 0, 1, 1, 2, 2, 1))  # points per turn (B4)
REACH = Table((0, 0, 1, 2, 1, 1, 0))  # how far a piece strikes
DAMAGE = Table((0, 0, 1, 1, 1, 1, 0))
HEALTH = Table((0, 1, 2, 1, 1, 1, 0))


class War(IntEnum):
    """The pieces that can be raised, in the order of Kind."""

    ROOK = 0
    BISHOP = 1
    KNIGHT = 2
    SHIP = 3


class Size(IntEnum):
    """The size of a pool (P2)."""

    SMALL = 0
    AVERAGE = 1
    LARGE = 2


class RainTick(IntEnum):
    """How often rain takes its steps (X10)."""

    MONTH = 0
    MONTH_MOVE_EACH_TURN = 1  # rain also moves and merges before every turn
    TURN = 2  # all steps before every turn


class WindEdge(IntEnum):
    """What happens to rain that the wind carries off the board (X4)."""

    VANISH = 0
    STAY = 1


class Fallback(IntEnum):
    """What happens to a block of terrain that fits nowhere (G7)."""

    SPLIT = 0
    STOP = 1  # as the original program: fill each remaining room with one random terrain


class Ending(IntEnum):
    """The reason for the end of a match."""

    GOING_ON = 0
    CAPITAL_TAKEN = 1
    MONTHS_OVER = 2
    RESIGNED = 3
    TIMED_OUT = 4
    DISCONNECTED = 5


class Decision(IntEnum):
    """What decided the match, in the order of the rules."""

    OPEN = 0
    CAPITAL = 1
    WAR_FIGURES = 2
    PEASANTS = 3
    DISTANCE = 4
    DRAW = 5
    OPPONENT_LEFT = 6


# Bits for what a figure has done this turn (T3).
MOVED, STRUCK, RAISED = 1, 2, 4


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a match of Not-Chess."""

    mode: Annotated[Mode, choice("classic: two armies; natural: terrain, seasons, weather, nomads")] = (
        Mode.NATURAL
    )
    width: Annotated[int, number(1, 99, "squares from left to right; changed to the nearest legal size")] = 8
    height: Annotated[int, number(1, 99, "squares from top to bottom; even or odd like the width")] = 8
    max_months: Annotated[
        int, number(0, 9999, "months until the match is decided; 0 for no limit, so a match may never end")
    ] = 160
    pawn_limit: Annotated[Size, choice("how many peasants a player has")] = Size.AVERAGE
    army_limit: Annotated[Size, choice("how many war figures of each kind a player has")] = Size.AVERAGE
    rain_tick: Annotated[RainTick, choice("how often rain moves, appears and disappears")] = RainTick.MONTH
    edge_divides_initial: Annotated[bool, choice("the edge makes the initial ice rarer, too")] = False
    check_before_first_turn: Annotated[bool, choice("snow and ice change before turn 0, too")] = True
    wind_edge: Annotated[WindEdge, choice("what happens to rain that the wind carries off the board")] = (
        WindEdge.VANISH
    )
    storm_months: Annotated[int, number(1, 16, "months that a thunderstorm lasts")] = 1
    storm_damage: Annotated[int, number(0, 2, "health that a war figure loses if a storm forms on it")] = 0
    rain_melts_snow: Annotated[bool, choice("rain removes snow and ice, except on mountains")] = False
    flood: Annotated[bool, choice("plains are flooded in spring and autumn")] = False
    drought: Annotated[bool, choice("plains dry out in summer")] = False
    summer_rain: Annotated[bool, choice("new rain appears in Summer, month 2")] = True
    heavy_rain_misses: Annotated[bool, choice("rain at both ends of a shot makes a miss more likely")] = False
    winter_clears_rain: Annotated[bool, choice("all rain disappears in winter")] = False
    wind: Annotated[bool, choice("there is wind")] = True
    nomads: Annotated[bool, choice("there are nomads")] = True
    ships: Annotated[bool, choice("ships can be raised on open water")] = False
    attack_after_exhausting_step: Annotated[
        bool, choice("a figure may strike after a move that leaves it no points for the next turn")
    ] = False
    terrain_fallback: Annotated[Fallback, choice("what happens to a block of terrain that fits nowhere")] = (
        Fallback.SPLIT
    )
    fair_mirror: Annotated[bool, choice("one half of the map is the other, turned by 180 degrees")] = False
    land_route: Annotated[bool, choice("dark land connects the capitals")] = True

    def __post_init__(self) -> None:
        if (self.width - self.height) % 2:
            raise ValueError(
                "bad_board_size: width and height must both be even or both be odd, "
                f"not {self.width} x {self.height}."
            )


@record
class Board:
    """The whole state of a match. A piece keeps its number; a piece in the pool is NOWHERE.

    Seat 0 has the pieces from 0 to per_seat - 1: its king, then pawns, rooks, bishops, knights and ships. Seat 1's
    pieces follow in the same order, then the nomads. Columns of length "squares" list the squares row by row.
    """

    # Sets of squares: one bit per square, 32 squares per block.
    cover: Annotated[list[i64], "blocks"]  # with snow or ice: one layer (W13)
    rain: Annotated[list[i64], "blocks"]  # with rain (W32)
    storm: Annotated[list[i64], "blocks"]  # with a thunderstorm (W48)
    windy: Annotated[list[i64], "blocks"]  # with wind (X1)
    taken: Annotated[list[i64], "blocks"]  # with a piece
    arriving: Annotated[list[i64], "blocks"]  # where rain will be after its step; empty between turns
    crowded: Annotated[list[i64], "blocks"]  # where a storm will form; empty between turns
    climates: Annotated[list[list[i64]], (CLIMATES, "blocks")]  # by climate: its squares (W9)
    search: Annotated[
        list[list[i64]], (5, "words")
    ]  # sets of a nomad's search, 32 squares per word; 0 between turns
    columns: Annotated[
        list[list[i64]], (2, "words")
    ]  # all squares except the leftmost column, except the rightmost column
    turn: i32  # player turns so far
    appear: Annotated[list[i32], CLIMATES]  # by climate: this month's chance of snow or ice (W9)
    vanish: Annotated[list[i32], CLIMATES]  # by climate: this month's chance to disappear
    settings: Settings
    squares: i16
    blocks: i16  # the number of blocks of 32 squares
    per_seat: i16
    nomads: i16
    streams: i16  # the number of streams of wind
    capital: Annotated[list[i16], 2]  # by seat: its square
    first: Annotated[
        list[i16], 8
    ]  # by kind: the seat's first piece of that kind, counted from the seat's first piece
    standing: Annotated[list[list[i16]], (2, 6)]  # by seat and kind: the number on the board
    rain_appear: Annotated[list[i16], MONTHS]  # A of each month (W36)
    rain_vanish: Annotated[list[i16], MONTHS]  # D of each month
    head: Annotated[list[i16], STREAMS]  # by stream of wind: the square of its head (X1)
    goal: Annotated[list[i16], STREAMS]  # by nomad: the square it goes to (N3)
    width: i8
    height: i8
    seat: i8  # whose turn it is
    begun: flag  # whether the seat has raised or moved anything this turn (T2)
    wind: Annotated[int, Compass]  # the direction in which the wind blows (X1)
    ended: Annotated[int, Ending]
    decided: Annotated[int, Decision]
    winner: i8  # NOBODY until the match ends, and after a draw
    spare: Annotated[list[i8], 4]  # pads the record to a multiple of eight bytes

    at: Annotated[list[i16], "figures"]  # by piece: its square
    last: Annotated[list[i16], "figures"]  # the piece it last struck this turn, plus 1 (A6)
    mp: Annotated[list[i8], "figures"]  # movement points
    health: Annotated[list[i8], "figures"]
    deeds: Annotated[list[i8], "figures"]  # MOVED, STRUCK, RAISED
    kind: Annotated[list[Annotated[int, Kind]], "figures"]

    on: Annotated[list[i16], "squares"]  # its piece, or NOBODY
    terrain: Annotated[list[Annotated[int, Terrain]], "squares"]
    storm_months: Annotated[list[i8], "squares"]  # months left of a thunderstorm
    plight: Annotated[list[i8], "squares"]  # months left of a flood, or DROUGHT (X7, X8)
    damp: Annotated[list[i8], "squares"]  # months until its last rain no longer counts (X8)
    x: Annotated[list[i8], "squares"]  # column, from 0
    y: Annotated[list[i8], "squares"]  # row, from 0 at the top


DROUGHT = -1  # in `plight`
