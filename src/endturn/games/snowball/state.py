"""The state of Snowball Fight: settings, the roster, and columns by unit and by row."""

from enum import IntEnum
from typing import Annotated

from endturn.engine.record import flag, i8, i16, i32, i64, record
from endturn.engine.rule import Table
from endturn.engine.settings import Settings as AnySettings
from endturn.engine.settings import choice, number, text
from endturn.mechanisms.paths import WIDEST

NONE = -1  # a unit or a tile that is not there
NOBODY = -1  # a seat
FULL_ARMS = 3  # snowballs (U5)
ROW_BITS = 6
# Numbers of tiles from a row to the next, whatever the width of the map: quick to divide by (M1).
ROW = 1 << ROW_BITS


class Kind(IntEnum):
    """The kinds of units (U8)."""

    ROOKIE = 0
    SCOUT = 1
    PITCHER = 2
    BUNDLE = 3
    SLUGGER = 4
    RUNNER = 5
    BULWARK = 6
    CAPTAIN = 7
    AUNT_AVALANCHE = 8
    PROFESSOR_PARABOLA = 9
    BIG_BOOTS_BORIS = 10
    NURSE_NONNA = 11
    DODGY_DOT = 12
    CAPTAIN_KETTLE = 13


class Class(IntEnum):
    """The class of a kind of unit; its number is its cost (A1)."""

    NORMAL = 1
    STRONG = 2
    HERO = 3


FIRST_HERO = Kind.AUNT_AVALANCHE

# By kind, in this order (U8): four normal, four strong, six heroes.
COST = Table((1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3))
HEALTH = Table((4, 4, 4, 6, 9, 8, 10, 9, 12, 12, 15, 12, 12, 12))  # U1
SPEED = Table((3, 4, 3, 1, 3, 5, 3, 4, 6, 6, 6, 6, 6, 6))  # U2
MOVEMENT = Table((4, 5, 4, 3, 4, 5, 4, 5, 6, 6, 6, 6, 6, 6))
RANGE = Table((8, 8, 9, 8, 11, 10, 10, 11, 12, 12, 12, 12, 12, 12))  # U3
ACCURACY = Table((81, 80, 82, 80, 89, 87, 87, 88, 90, 90, 90, 90, 90, 90))


class Posture(IntEnum):
    """The posture of a unit (U6)."""

    ABSENT = 0  # a number that no unit has
    STANDING = 1
    PRONE = 2
    DOWNED = 3


class Phase(IntEnum):
    """The phase of a match."""

    DRAFT = 0  # heroes are picked (A4)
    MUSTER = 1  # armies are bought and placed (P1)
    BATTLE = 2
    OVER = 3


class Ground(IntEnum):
    """The ground of a tile (M2)."""

    SNOW = 0
    ICE = 1
    FULL_COVER = 2
    HALF_COVER = 3
    HOLE = 4


class Flight(IntEnum):
    """The result of a throw (H1)."""

    NONE = 0  # nobody has thrown yet
    HIT = 1  # a unit was hurt
    DODGED = 2
    STOPPED = 3  # by cover
    WIDE = 4  # it landed in the snow


class Ending(IntEnum):
    """The reason for the end of a match."""

    GOING_ON = 0
    ALL_DOWNED = 1
    TIME_LIMIT = 2
    RESIGNED = 3
    TIMED_OUT = 4
    DISCONNECTED = 5


class Decision(IntEnum):
    """The condition that decided the match."""

    OPEN = 0
    KNOCKED_OUT = 1
    STANDING = 2
    HEALTH = 3
    DRAW = 4
    OPPONENT_LEFT = 5


class HeroScope(IntEnum):
    """How many of each hero there can be."""

    MAP = 0  # once on the map: heroes are drafted
    ARMY = 1  # once in each army


class MoveMetric(IntEnum):
    """The tiles one step away."""

    FOUR_WAY = 0
    EIGHT_WAY = 1  # diagonal ones too, at the same cost


class Map(IntEnum):
    """The map of a match."""

    GENERATED = 0
    FROZEN_RING = 1


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a match of Snowball Fight."""

    act_then_move: Annotated[bool, choice("a unit that has not moved may act first and then move")] = False
    defend_after_move: Annotated[bool, choice("a unit that has moved may still defend")] = True
    lean_out: Annotated[bool, choice("units beside full cover may throw from the tile next to it")] = True
    friendly_fire: Annotated[bool, choice("snowballs strike friends that are in their way")] = True
    hero_perks: Annotated[bool, choice("each hero has a perk")] = True
    hidden_placement: Annotated[bool, choice("armies are hidden until both seats are ready")] = True
    hero_scope: Annotated[HeroScope, choice("each hero once on the map, or once in each army")] = (
        HeroScope.MAP
    )
    move_metric: Annotated[MoveMetric, choice("steps in four directions, or in all eight")] = (
        MoveMetric.FOUR_WAY
    )
    map: Annotated[Map, choice("a map generated from the seed, or the map that the rules describe")] = (
        Map.GENERATED
    )
    map_text: Annotated[str, text(4096, "the rows of a custom map, which replaces `map`")] = ""
    map_width: Annotated[int, number(32, WIDEST, "tiles from west to east on a generated map")] = 40
    map_height: Annotated[int, number(18, 60, "tiles from north to south on a generated map")] = 24
    army_points: Annotated[int, number(1, 24, "points to buy units with")] = 12
    max_ticks: Annotated[int, number(0, 1000000, "ticks until the match is decided; 0 means no limit")] = 0
    max_revives: Annotated[int, number(-1, 100, "units that each seat may revive; -1 means no limit")] = -1
    revive_percent: Annotated[int, number(1, 100, "percent of full health that a revived unit has")] = 25
    scripted_first: Annotated[
        int, number(-1, 47, "number of the unit that acts first; -1 for the fastest")
    ] = -1
    seasons: Annotated[bool, choice("ponds freeze and thaw, and snow comes and goes with the months")] = False

    def __post_init__(self) -> None:
        """Refuse an invalid map before the match (M9)."""
        from endturn.games.snowball.setup.maps import read_map  # noqa: PLC0415  (maps are of grounds, see above)

        if self.map_text:
            read_map(self.map_text)


# Seasonal Snowball: what the shared mechanisms of calendar and weather mean on this battlefield (chapter Y).
TICKS_A_MONTH, MONTHS = 480, 16
POND, MEADOW = 0, 1  # climates (Y2); in percent, by month from the first of winter on:
APPEARS = (
    (70, 88, 96, 96, 40, 30, 5, 1, 1, 0, 0, 0, 1, 8, 24, 50),  # ice on ponds
    (80, 93, 98, 98, 50, 32, 7, 2, 1, 0, 0, 0, 3, 14, 46, 70),  # snow on meadows
)
VANISHES = (
    (6, 0, 0, 0, 15, 25, 60, 80, 99, 99, 99, 99, 75, 50, 30, 15),
    (3, 0, 0, 0, 8, 17, 50, 80, 99, 99, 99, 99, 75, 40, 25, 12),
)
CHECKS_A_MONTH = 2


@record
class Battle:
    """The whole state of a match. Unit 2n belongs to seat 0, unit 2n + 1 to seat 1; tile = x + 64 y."""

    open: Annotated[list[i64], "rows"]  # bit x is set where one may walk
    ice: Annotated[list[i64], "rows"]
    full: Annotated[list[i64], "rows"]  # where there is full cover, and half
    half: Annotated[list[i64], "rows"]
    # room to look for ways in; all 0 between actions
    free: Annotated[list[i64], "rows"]
    reach: Annotated[list[i64], "rows"]
    before: Annotated[list[i64], "rows"]
    # Only where there are seasons (Y1): tiles of ponds and of meadows, and which have ice or snow in each month.
    ground: Annotated[list[list[i64]], ("grounds", "rows")]
    almanac: Annotated[list[list[i64]], ("months", "rows")]

    now: i32  # tick
    turn: i32  # units' turns begun; 0 before the battle
    flown: i32  # of the last throw: the share of all throws that fly farther to the left
    start: Annotated[list[i16], 2]  # by seat: the tile around which its units are placed
    throw_point: i16  # the tile from which the last throw was made
    width: i8
    height: i8
    phase: Phase
    ended: Ending
    decided: Decision
    winner: i8  # NOBODY while the match goes on, and after a draw
    first: i8  # the seat that won the toss
    picks: i8  # places of the draft's order that are used up
    active: i8  # whose turn it is: a unit
    spent: i8  # movement, this turn
    acted: i8  # quarters of its recovery that the unit's action costs; 0 if it has not acted
    thrower: i8  # of the last throw
    aimed_at: i8
    struck: i8  # the unit that the last throw struck; NONE if none
    flight: Flight
    points: Annotated[list[i8], 2]  # left to buy units with
    ready_to_play: Annotated[list[flag], 2]  # by seat: done with this phase
    revives: Annotated[list[i8], 2]
    mustered: i8  # all units in battle have lesser numbers; before it, all units there can be
    spare: Annotated[list[i8], 4]  # the whole is a multiple of eight
    settings: Settings

    ready: Annotated[list[i32], "units"]  # tick of the next turn
    tile: Annotated[list[i16], "units"]
    rank: Annotated[list[i16], "units"]  # of two that are ready together the lower one goes first (T3)
    kind: Annotated[list[Kind], "units"]
    health: Annotated[list[i8], "units"]
    snowballs: Annotated[list[i8], "units"]
    posture: Annotated[list[Posture], "units"]
    defending: Annotated[list[flag], "units"]
