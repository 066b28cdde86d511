"""Settings, jobs and state of Catastrophe; the state has columns with one entry per unit or tile."""

from enum import IntEnum
from typing import Annotated

from endturn.engine.record import f64, flag, i8, i16, i32, record
from endturn.engine.settings import Settings as AnySettings
from endturn.engine.settings import choice, number

NOBODY = -1  # owner of neutral units and structures
NONE = -1  # no unit, or no tile
FULL_ENERGY = 100
TURNS_AFTER_DEFEAT = 10  # until a beaten unit disappears (C6)


class Job(IntEnum):
    """The job of a unit."""

    FRESH_HUMAN = 0
    CAT_OVERLORD = 1
    SOLDIER = 2
    GATHERER = 3
    BUILDER = 4
    MISSIONARY = 5


# By job, in the order above (J1).
MOVES = 4, 2, 3, 4, 4, 4
ACTION_COST = 0, 75, 25, 75, 75, 75
REGENERATION = 50, 10, 25, 50, 50, 50
CARRY_LIMIT = 10, 10, 10, 100, 75, 10
UPKEEP = 1, 0, 3, 1, 2, 2


class Structure(IntEnum):
    """The structure on a tile."""

    NOTHING = 0
    WALL = 1
    SHELTER = 2
    MONUMENT = 3
    NEUTRAL = 4
    ROAD = 5


EFFECT_RADIUS = 0, 0, 1, 3, 0, 0  # by structure


class Resource(IntEnum):
    """What units carry and what lies on tiles."""

    FOOD = 0
    MATERIALS = 1


class Squad(IntEnum):
    """Which squad a unit has; only PRESENT unless `stale_squads` is on (S4)."""

    PRESENT = 0  # the squad of the current position
    ALONE = 1  # only itself, whatever units are adjacent
    EMPTY = 2  # nothing, not even itself


class PickupAmount(IntEnum):
    """How much a pickup without an amount takes, and whether the supply limits it (G3, G4)."""

    WHAT_LIES_THERE = 0
    BY_MATERIALS = 1  # the amount of materials there, even for food
    AS_ASKED = 2  # nothing; otherwise any amount, even negative or more than lies there


class Ending(IntEnum):
    """Why the match ended."""

    GOING_ON = 0
    OVERLORD_FELL = 1
    HUMANS_GONE = 2
    BOTH_OVERLORDS_FELL = 3
    BOTH_HUMANS_GONE = 4
    BOTH_DEFEATED = 5  # one lost its overlord, the other its humans
    TURN_LIMIT = 6
    RESIGNED = 7
    TIMED_OUT = 8
    DISCONNECTED = 9


class Decision(IntEnum):
    """Which condition decided between the seats."""

    OPEN = 0
    PRIMARY = 1
    UNITS = 2
    FOOD = 3
    STRUCTURES = 4
    COIN = 5
    OPPONENT_LEFT = 6


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of Catastrophe."""

    max_turns: Annotated[int, number(1, 5000, "turns in a match, counting each seat's turn")] = 720
    map_width: Annotated[int, number(6, 100, "tiles from west to east")] = 26
    map_height: Annotated[int, number(6, 100, "tiles from north to south")] = 18
    starting_food: Annotated[int, number(0, 10000, "food in each store at the start")] = 100
    turns_between_harvests: Annotated[int, number(0, 100, "turns until a harvested tile has food again")] = 10
    turns_to_create_human: Annotated[int, number(1, 1000, "turns between humans on the road")] = 30
    turns_to_lower_harvest: Annotated[int, number(1, 5000, "turns between two falls of the harvest")] = 60
    lower_harvest_amount: Annotated[int, number(0, 1000, "amount by which the harvest of a tile falls")] = 10
    min_harvest_rate: Annotated[int, number(0, 1000, "harvest rate in the farthest corner")] = 30
    max_harvest_rate: Annotated[int, number(0, 1000, "harvest rate in the centre")] = 150
    wall_materials: Annotated[int, number(1, 10000, "materials of a wall")] = 75
    shelter_materials: Annotated[int, number(1, 10000, "materials of a shelter")] = 50
    monument_materials: Annotated[int, number(1, 10000, "materials of a monument")] = 100
    neutral_materials: Annotated[int, number(1, 10000, "materials of a neutral structure")] = 200
    overlord_rest_percent: Annotated[
        int, number(0, 1000, "percent of the usual energy from a rest near the overlord")
    ] = 200
    starving_rest_percent: Annotated[
        int, number(0, 1000, "percent of the usual energy from a rest while starving")
    ] = 25
    monument_cost_percent: Annotated[
        int, number(1, 1000, "percent of the usual energy cost near a monument")
    ] = 50
    neutral_job: Annotated[Job, choice("job of beaten units and of humans on the road")] = Job.FRESH_HUMAN
    moves_far: Annotated[bool, choice("moves reach all tiles except the adjacent ones")] = False
    attacks_far: Annotated[bool, choice("attacks reach all tiles except the adjacent ones")] = False
    upkeep_first: Annotated[bool, choice("upkeep is paid when a turn begins instead of when it ends")] = True
    gatherers_only: Annotated[bool, choice("only gatherers harvest and steal")] = True
    construct_acts: Annotated[bool, choice("constructing uses up the unit's action")] = True
    cost_after_construct: Annotated[bool, choice("a monument lowers the cost of its own construction")] = (
        False
    )
    constructs_all: Annotated[bool, choice("roads and neutral structures can be constructed")] = False
    deconstructs_underfoot: Annotated[
        bool, choice("builders may deconstruct the structure they stand in")
    ] = False
    back_to_fresh_human: Annotated[bool, choice("a unit can become a fresh human again")] = True
    pickup_amount: Annotated[PickupAmount, choice("how much a pickup without an amount takes")] = (
        PickupAmount.WHAT_LIES_THERE
    )
    early_decline: Annotated[bool, choice("the harvest falls at the start of each period")] = False
    humans_together: Annotated[bool, choice("humans enter both lanes in the same turn")] = True
    stale_squads: Annotated[bool, choice("squads change only after moves, attacks and changes of job")] = (
        False
    )
    squads_north_south: Annotated[bool, choice("squads act in the order north, south, east, west")] = False
    overlord_first: Annotated[bool, choice("losing the overlord counts before losing the humans")] = False
    primary_on_last_turn: Annotated[
        bool, choice("losing the overlord or the humans counts on the last turn")
    ] = True

    def __post_init__(self) -> None:
        if self.max_harvest_rate < self.min_harvest_rate:
            raise ValueError(
                f"max_harvest_rate must be at least min_harvest_rate, {self.min_harvest_rate}; "
                f"it is {self.max_harvest_rate}."
            )


@record
class World:
    """The state of a match. A unit keeps its number; there is room for every unit that can appear."""

    store: Annotated[list[i32], 2]  # by seat: food
    turn: i16
    seat: i16  # the seat whose turn it is
    unit_count: i16  # units so far; units that are gone have no tile
    tile_count: i16
    overlord: Annotated[list[i16], 2]  # by seat: a unit
    upkeep: Annotated[list[i16], 2]  # by seat: total upkeep of its units (U1)
    ended: Ending
    decided: Decision
    winner: i8  # NOBODY while the match goes on
    spare: Annotated[list[i8], 5]  # aligns the next field to eight bytes
    settings: Settings

    energy: Annotated[list[f64], "units"]
    food: Annotated[list[i32], "units"]
    materials: Annotated[list[i32], "units"]
    joined: Annotated[list[i32], "units"]  # 0 for first units, else the number of its conversion
    tile: Annotated[list[i16], "units"]  # NONE if the unit is gone
    bound_for: Annotated[list[i16], "units"]  # the end of the road for walking humans, else NONE
    turns_to_die: Annotated[list[i8], "units"]  # -1 for units with an owner
    job: Annotated[list[Job], "units"]
    owner: Annotated[list[i8], "units"]
    moves: Annotated[list[i8], "units"]
    acted: Annotated[list[flag], "units"]
    starving: Annotated[list[flag], "units"]
    squad: Annotated[list[Squad], "units"]
    roster: Annotated[list[i8], "units"]  # its owner when the last turn ended
    called: Annotated[list[flag], "units"]  # in the squad that `muster` collects; all off between actions
    mustered: Annotated[list[i16], "units"]  # that squad in order; all 0 between actions

    ground_food: Annotated[list[i32], "tiles"]
    ground_materials: Annotated[list[i32], "tiles"]
    unit_on: Annotated[list[i16], "tiles"]
    structure_materials: Annotated[list[i16], "tiles"]  # without a structure, the rest of the last one
    harvest_rate: Annotated[list[i16], "tiles"]
    turns_to_harvest: Annotated[list[i8], "tiles"]
    structure: Annotated[list[Structure], "tiles"]
    structure_owner: Annotated[list[i8], "tiles"]
