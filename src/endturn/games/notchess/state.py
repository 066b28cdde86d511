"""The state of Not-Chess: settings, and the board as columns with one entry per square or piece."""

from enum import IntEnum
from typing import Annotated

from endturn.engine.record import flag, i8, i16, i32, i64, record
from endturn.engine.rule import Table
from endturn.engine.settings import Settings as AnySettings
from endturn.engine.settings import choice, number
from endturn.mechanisms.weather import Compass

NOBODY = -1  # no winner, or nobody on a square
NOWHERE = -1  # a figure that is not on the board
NONE = -1

TURNS_A_MONTH = 2  # one of each player (W1)
MONTHS_A_SEASON = 4
MONTHS = 16  # of a year (W2)
STREAMS = 24  # room for streams of wind, and for nomads: a board of 540 squares has 21 of each


# Purposes of rolls, each a stream of its own.
SHOT, FIRST_COVER, COVER, RAIN, WIND, STREAM, FLOOD, DRY, SPAWNS, HEADS_FOR, GROUND, FIRST_WIND = range(1, 13)


class Month(IntEnum):
    """The sixteen months, with the document's codes (W2, W3)."""

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

    CLASSIC = 0  # just the two armies
    NATURAL = 1  # terrain, seasons, weather, nomads


class Terrain(IntEnum):
    """The terrain of a square (G1)."""

    PLAIN = 0
    FOREST = 1
    WATER = 2
    DESERT = 3
    MARSH = 4  # or swamp
    MOUNTAIN = 5


class Climate(IntEnum):
    """The table for a square's snow or ice (W9)."""

    MOUNTAIN_SNOW = 0
    ICE = 1
    FOREST_SNOW = 2  # and swamp
    PLAIN_SNOW = 3
    DESERT_SNOW = 4
    EDGE_ICE = 5  # ice on the edge of the map (W20)


CLIMATES = 6


class Kind(IntEnum):
    """The kinds of pieces, with the document's codes (B4)."""

    KING = 0  # the capital
    PAWN = 1  # a peasant
    ROOK = 2  # a warrior
    BISHOP = 3  # an archer
    KNIGHT = 4  # a rider
    SHIP = 5
    NOMAD = 6  # nobody's


KINDS = 7
#                king pawn rook bishop knight ship nomad
MOVEMENT = Table((0, 0, 1, 1, 2, 2, 1))  # points a turn (B4)
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
    """When rain takes its steps (X10)."""

    MONTH = 0
    MONTH_MOVE_EACH_TURN = 1  # it drifts and merges before every turn
    TURN = 2  # all steps before every turn


class WindEdge(IntEnum):
    """What happens to rain that the wind carries off the board (X4)."""

    VANISH = 0
    STAY = 1


class Fallback(IntEnum):
    """What happens to a block of terrain that fits nowhere (G7)."""

    SPLIT = 0
    STOP = 1  # as the source does: paint what is left with random kinds


class Ending(IntEnum):
    """The reason for the end of a match."""

    GOING_ON = 0
    CAPITAL_TAKEN = 1
    MONTHS_OVER = 2
    RESIGNED = 3
    TIMED_OUT = 4
    DISCONNECTED = 5


class Decision(IntEnum):
    """The condition that decided the match, in order."""

    OPEN = 0
    CAPITAL = 1
    WAR_FIGURES = 2
    PEASANTS = 3
    DISTANCE = 4
    DRAW = 5
    OPPONENT_LEFT = 6


# What a figure has done this turn, as bits (T3).
MOVED, STRUCK, RAISED = 1, 2, 4


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a match of Not-Chess."""

    mode: Annotated[Mode, choice("classic: two armies; natural: terrain, seasons, weather, nomads")] = (
        Mode.NATURAL
    )
    width: Annotated[int, number(1, 99, "squares from left to right; brought to the nearest legal size")] = 8
    height: Annotated[int, number(1, 99, "squares from top to bottom, even or odd as the width")] = 8
    max_months: Annotated[
        int, number(0, 9999, "months until the match is decided; 0 for no limit, and it may never end")
    ] = 160
    pawn_limit: Annotated[Size, choice("how many peasants a player has")] = Size.AVERAGE
    army_limit: Annotated[Size, choice("how many war figures of each kind a player has")] = Size.AVERAGE
    rain_tick: Annotated[RainTick, choice("when rain takes its steps")] = RainTick.MONTH
    edge_divides_initial: Annotated[bool, choice("the edge makes the first ice rarer too")] = False
    check_before_first_turn: Annotated[bool, choice("snow and ice are checked before turn 0")] = True
    wind_edge: Annotated[WindEdge, choice("what becomes of rain that wind carries off the board")] = (
        WindEdge.VANISH
    )
    storm_months: Annotated[int, number(1, 16, "months that a thunderstorm lasts")] = 1
    storm_damage: Annotated[int, number(0, 2, "health that a forming storm takes from a war figure")] = 0
    rain_melts_snow: Annotated[bool, choice("rain takes snow away, but on mountains")] = False
    flood: Annotated[bool, choice("plains are flooded in spring and autumn")] = False
    drought: Annotated[bool, choice("plains dry out in summer")] = False
    summer_rain: Annotated[bool, choice("new rain in Summe2, as the formula has it")] = True
    heavy_rain_misses: Annotated[bool, choice("rain at both ends of a shot makes it worse")] = False
    winter_clears_rain: Annotated[bool, choice("no rain outlasts the autumn")] = False
    wind: Annotated[bool, choice("there is wind")] = True
    nomads: Annotated[bool, choice("there are nomads")] = True
    ships: Annotated[bool, choice("ships can be raised on open water")] = False
    attack_after_exhausting_step: Annotated[
        bool, choice("a figure strikes even from a square that has used it up")
    ] = False
    terrain_fallback: Annotated[Fallback, choice("what to do with a block of terrain that has no room")] = (
        Fallback.SPLIT
    )
    fair_mirror: Annotated[bool, choice("both halves of the map are alike, turned by 180 degrees")] = False
    land_route: Annotated[bool, choice("the capitals are joined by dark land")] = True

    def __post_init__(self) -> None:
        if (self.width - self.height) % 2:
            raise ValueError(
                "bad_board_size: width and height must both be even or both be odd, for both capitals stand on dark "
                f"squares, and {self.width} x {self.height} are not."
            )


@record
class Board:
    """The whole state of a match. A piece keeps its number; a piece in the pool is NOWHERE.

    Seat 0 has the pieces 0 to per_seat - 1: its king, then pawns, rooks, bishops, knights, ships; then come
    seat 1's in the same order, then nomads. Columns "squares" long have one entry for each square, row by row.
    """

    # Sets of squares: blocks of 32, a bit each.
    cover: Annotated[list[i64], "blocks"]  # with snow or ice: one layer (W13)
    rain: Annotated[list[i64], "blocks"]  # with rain (W32)
    storm: Annotated[list[i64], "blocks"]  # with a thunderstorm (W48)
    windy: Annotated[list[i64], "blocks"]  # with wind (X1)
    taken: Annotated[list[i64], "blocks"]  # with a piece
    arriving: Annotated[list[i64], "blocks"]  # where rain is to be; empty between turns
    crowded: Annotated[list[i64], "blocks"]  # where a storm is to form; empty between turns
    climates: Annotated[list[list[i64]], (CLIMATES, "blocks")]  # by climate: its squares (W9)
    search: Annotated[
        list[list[i64]], (5, "words")
    ]  # sets of a nomad's search, 32 squares a word; 0 between turns
    columns: Annotated[
        list[list[i64]], (2, "words")
    ]  # all squares but those at the left side, at the right side
    turn: i32  # player turns so far
    appear: Annotated[list[i32], CLIMATES]  # by climate: this month's chance of snow or ice (W9)
    vanish: Annotated[list[i32], CLIMATES]  # by climate: this month's chance to melt
    settings: Settings
    squares: i16
    blocks: i16  # of 32 squares
    per_seat: i16
    nomads: i16
    streams: i16  # of wind
    capital: Annotated[list[i16], 2]  # by seat: which square
    first: Annotated[
        list[i16], 8
    ]  # by kind: the first of a seat's pieces of that kind, less the seat's first
    standing: Annotated[list[list[i16]], (2, 6)]  # by seat and kind: how many are on the board
    rain_appear: Annotated[list[i16], MONTHS]  # A of each month (W36)
    rain_vanish: Annotated[list[i16], MONTHS]  # D of each month
    head: Annotated[list[i16], STREAMS]  # by stream of wind: the square of its head (X1)
    goal: Annotated[list[i16], STREAMS]  # by nomad: the square it is bound for (N3)
    width: i8
    height: i8
    seat: i8  # whose turn it is
    begun: flag  # whether the seat has raised or moved anything this turn (T2)
    wind: Annotated[int, Compass]  # where the wind blows to (X1)
    ended: Annotated[int, Ending]
    decided: Annotated[int, Decision]
    winner: i8  # NOBODY while the match goes on, and after a draw
    spare: Annotated[list[i8], 4]  # so that the whole is a multiple of eight bytes

    at: Annotated[list[i16], "figures"]  # by piece: its square
    last: Annotated[list[i16], "figures"]  # whom it struck this turn, plus 1 (A6)
    mp: Annotated[list[i8], "figures"]  # movement points
    health: Annotated[list[i8], "figures"]
    deeds: Annotated[list[i8], "figures"]  # MOVED, STRUCK, RAISED
    kind: Annotated[list[Annotated[int, Kind]], "figures"]

    on: Annotated[list[i16], "squares"]  # which piece stands here
    terrain: Annotated[list[Annotated[int, Terrain]], "squares"]
    storm_months: Annotated[list[i8], "squares"]  # months that a thunderstorm still has
    plight: Annotated[list[i8], "squares"]  # months that a flood still has, or DROUGHT (X7, X8)
    damp: Annotated[list[i8], "squares"]  # months until the rain that fell is forgotten (X8)
    x: Annotated[list[i8], "squares"]  # column, from 0
    y: Annotated[list[i8], "squares"]  # row, from 0 at the top


DROUGHT = -1  # in `plight`
