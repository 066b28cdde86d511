"""Moving, changing jobs, constructing, deconstructing and converting (chapters P, K, B, N)."""

from endturn.engine.rule import rule
from endturn.games.catastrophe.refusals import (
    BUILT_UP,
    CANNOT_BE_BUILT,
    FULL_HANDS,
    HAS_ACTED,
    HAS_OWNER,
    IN_THE_WAY,
    JOB_NOT_OPEN,
    NO_MOVES_LEFT,
    NO_STRUCTURE,
    NOBODY_THERE,
    NOT_RESTED,
    OCCUPIED,
    OUT_OF_REACH,
    OVERLORD_FAR,
    OVERLORD_STAYS,
    OWN_STRUCTURE,
    ROAD_STAYS,
    SAME_JOB,
    TOO_FEW_MATERIALS,
    WRONG_JOB,
)
from endturn.games.catastrophe.rules.acting import (
    act,
    act_and_stay,
    cost_share,
    distance,
    put_down,
    refuse_command,
    refuse_effort,
    refuse_reach,
    refuse_unit,
    room,
)
from endturn.games.catastrophe.rules.combat import regroup, wear_down
from endturn.games.catastrophe.state import ACTION_COST, FULL_ENERGY, NOBODY, NONE, Job, Structure, World
from endturn.mechanisms.grid import chebyshev

# --- moving -------------------------------------------------------------------------------------------------


@rule
def refuse_move(game: World, seat: int, unit: int, tile: int) -> int:
    """A unit moves to an adjacent free tile, open or with a shelter or road (P1, P2, P3, P4)."""
    broken = refuse_command(game, seat, unit, tile)
    if broken != 0:
        return broken
    if game.unit_on[tile] != NONE:
        return OCCUPIED
    if game.moves[unit] < 1:
        return NO_MOVES_LEFT
    broken = refuse_reach(game, unit, tile, game.settings.moves_far)
    if broken != 0:
        return broken
    return 0 if is_passable(game.structure[tile]) else IN_THE_WAY


@rule
def is_passable(structure: int) -> bool:
    """Return whether units can enter a tile with this structure (P3)."""
    return structure in (Structure.NOTHING, Structure.SHELTER, Structure.ROAD)


@rule
def move(game: World, seat: int, unit: int, tile: int) -> None:
    """Spend one move and no energy (P4)."""
    game.moves[unit] -= 1
    place(game, unit, tile)
    regroup(game, seat)


@rule
def place(game: World, unit: int, tile: int) -> None:
    """Move a unit from its tile to another."""
    game.unit_on[game.tile[unit]] = NONE
    game.unit_on[tile] = unit
    game.tile[unit] = tile


# --- changing jobs ------------------------------------------------------------------------------------------


@rule
def refuse_change_job(game: World, seat: int, unit: int, job: int) -> int:
    """A unit with full energy next to its overlord changes to another job (K1, K2, K3)."""
    broken = refuse_unit(game, seat, unit)
    if broken != 0:
        return broken
    if game.acted[unit]:
        return HAS_ACTED
    if game.job[unit] == Job.CAT_OVERLORD:
        return OVERLORD_STAYS
    if job == Job.CAT_OVERLORD:
        return OVERLORD_STAYS
    if game.job[unit] == job:
        return SAME_JOB
    if job == Job.FRESH_HUMAN and not game.settings.back_to_fresh_human:
        return JOB_NOT_OPEN
    if game.energy[unit] < FULL_ENERGY:
        return NOT_RESTED
    overlord = game.tile[game.overlord[seat]]
    return 0 if chebyshev(game.tile[unit], overlord, game.settings.map_width) <= 1 else OVERLORD_FAR


@rule
def change_job(game: World, seat: int, unit: int, job: Job) -> None:
    """Change the job, drop everything, and end the unit's turn (K4, P5)."""
    game.job[unit] = job
    act_and_stay(game, unit)
    put_down(game, unit)
    regroup(game, seat)


# --- constructing and deconstructing ------------------------------------------------------------------------


@rule
def refuse_construct(game: World, seat: int, unit: int, tile: int, structure: int) -> int:
    """A builder constructs on an adjacent tile without structure, from the materials there (B1, B2, B3)."""
    broken = refuse_effort(game, seat, unit, tile)
    if broken != 0:
        return broken
    if game.job[unit] != Job.BUILDER:
        return WRONG_JOB
    if game.structure[tile] != Structure.NOTHING:
        return BUILT_UP
    if not can_be_built(game, structure):
        return CANNOT_BE_BUILT
    if game.unit_on[tile] != NONE and structure != Structure.SHELTER:
        return OCCUPIED
    if distance(game, unit, tile) != 1:
        return OUT_OF_REACH
    return 0 if game.ground_materials[tile] >= materials_of(game, structure) else TOO_FEW_MATERIALS


@rule
def can_be_built(game: World, structure: int) -> bool:
    """Return whether a structure can be built: walls, shelters and monuments, or all with a setting (B1)."""
    ordinary = Structure.WALL <= structure <= Structure.MONUMENT
    return ordinary or (game.settings.constructs_all and Structure.NEUTRAL <= structure <= Structure.ROAD)


@rule
def materials_of(game: World, structure: int) -> int:
    """Return the materials that a new structure costs and has (M6)."""
    if structure == Structure.WALL:
        return game.settings.wall_materials
    if structure == Structure.SHELTER:
        return game.settings.shelter_materials
    if structure == Structure.MONUMENT:
        return game.settings.monument_materials
    return game.settings.neutral_materials if structure == Structure.NEUTRAL else 0


@rule
def construct(game: World, seat: int, unit: int, tile: int, structure: Structure) -> None:
    """Turn materials into a structure; nothing grows there afterwards (B3, B4, B5)."""
    share = cost_share(game, unit)
    game.ground_materials[tile] -= materials_of(game, structure)
    game.harvest_rate[tile] = 0
    game.structure[tile] = structure
    game.structure_owner[tile] = seat
    game.structure_materials[tile] = materials_of(game, structure)
    if game.settings.cost_after_construct:
        share = cost_share(game, unit)
    game.energy[unit] -= ACTION_COST[game.job[unit]] * share
    game.acted[unit] = game.settings.construct_acts


@rule
def refuse_deconstruct(game: World, seat: int, unit: int, tile: int) -> int:
    """A builder deconstructs an adjacent structure, but no road and none of its own side (B6)."""
    broken = refuse_effort(game, seat, unit, tile)
    if broken != 0:
        return broken
    if game.structure[tile] == Structure.NOTHING:
        return NO_STRUCTURE
    if game.structure[tile] == Structure.ROAD:
        return ROAD_STAYS
    if game.job[unit] != Job.BUILDER:
        return WRONG_JOB
    if game.structure_owner[tile] == seat:
        return OWN_STRUCTURE
    if room(game, unit) <= 0:
        return FULL_HANDS
    nearest = 0 if game.settings.deconstructs_underfoot else 1
    return 0 if nearest <= distance(game, unit, tile) <= 1 else OUT_OF_REACH


@rule
def deconstruct(game: World, seat: int, unit: int, tile: int) -> None:
    """Take as many materials as the builder can carry (B7)."""
    taken = min(room(game, unit), game.structure_materials[tile])
    game.materials[unit] += taken
    wear_down(game, tile, game.structure_materials[tile] - taken)
    act(game, unit)


# --- converting ---------------------------------------------------------------------------------------------


@rule
def refuse_convert(game: World, seat: int, unit: int, tile: int) -> int:
    """A missionary converts a neutral unit on an adjacent tile (N1)."""
    broken = refuse_effort(game, seat, unit, tile)
    if broken != 0:
        return broken
    if game.job[unit] != Job.MISSIONARY:
        return WRONG_JOB
    if distance(game, unit, tile) != 1:
        return OUT_OF_REACH
    if game.unit_on[tile] == NONE:
        return NOBODY_THERE
    return 0 if game.owner[game.unit_on[tile]] == NOBODY else HAS_OWNER


@rule
def convert(game: World, seat: int, unit: int, tile: int) -> None:
    """The neutral unit joins the seat with full energy and can act from its next turn (N2)."""
    won = game.unit_on[tile]
    game.owner[won] = seat
    game.joined[won] = 1 + last_joined(game)
    game.energy[won] = FULL_ENERGY
    game.turns_to_die[won] = NONE
    game.bound_for[won] = NONE
    act_and_stay(game, won)
    act(game, unit)


@rule
def last_joined(game: World) -> int:
    """Return the number of conversions so far."""
    last = 0
    for unit in range(game.unit_count):
        last = max(last, game.joined[unit])
    return last
