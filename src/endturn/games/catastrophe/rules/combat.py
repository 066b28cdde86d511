"""Squads, and what happens when one attacks (chapters S and C)."""

from endturn.engine.rule import rule
from endturn.games.catastrophe.refusals import HAS_ACTED, NOTHING_TO_ATTACK, OWN_UNIT, WRONG_JOB
from endturn.games.catastrophe.rules.acting import (
    act_and_stay,
    cost_share,
    put_down,
    refuse_command,
    refuse_reach,
)
from endturn.games.catastrophe.state import (
    ACTION_COST,
    FULL_ENERGY,
    NOBODY,
    NONE,
    TURNS_AFTER_DEFEAT,
    Job,
    Squad,
    Structure,
    World,
)
from endturn.mechanisms.grid import Direction, neighbour

ATTACK_COST = ACTION_COST[Job.SOLDIER]
SOUTHWARD_FIRST = Direction.NORTH, Direction.SOUTH, Direction.EAST, Direction.WEST  # S5


# --- squads -------------------------------------------------------------------------------------------------


@rule
def muster(game: World, unit: int) -> int:
    """Collect a unit's squad in `mustered` and return its size; call `dismiss` afterwards (S1, S2, S3)."""
    if game.squad[unit] == Squad.EMPTY:
        return 0
    game.mustered[0] = unit
    game.called[unit] = True
    if game.squad[unit] == Squad.ALONE or game.owner[unit] == NOBODY:
        return 1
    size, asked = 1, 0
    while asked < size:
        size = call_neighbours(game, game.mustered[asked], size)
        asked += 1
    return size


@rule
def call_neighbours(game: World, unit: int, size: int) -> int:
    """Add soldiers of the same side next to a member, north first; return the new size (S1, S5)."""
    width, height = game.settings.map_width, game.settings.map_height
    for direction in range(4):
        side = SOUTHWARD_FIRST[direction] if game.settings.squads_north_south else direction
        there = neighbour(game.tile[unit], side, width, height)
        other = game.unit_on[there] if there != NONE else NONE
        if other != NONE and joins(game, other, game.owner[unit]):
            game.mustered[size] = other
            game.called[other] = True
            size += 1
    return size


@rule
def joins(game: World, unit: int, seat: int) -> bool:
    """Return whether a unit is a soldier of the seat that is not in the squad yet (S1, S2)."""
    return game.owner[unit] == seat and game.job[unit] == Job.SOLDIER and not game.called[unit]


@rule
def dismiss(game: World, size: int) -> None:
    """Clear the squad that `muster` collected."""
    for place_in_squad in range(size):
        game.called[game.mustered[place_in_squad]] = False
        game.mustered[place_in_squad] = 0


@rule
def regroup(game: World, seat: int) -> None:
    """With `stale_squads`, update the squads of the units that belonged to the seat when its turn began (S4)."""
    if game.settings.stale_squads:
        for unit in range(game.unit_count):
            if game.roster[unit] == seat and game.tile[unit] != NONE:
                game.squad[unit] = Squad.PRESENT if game.owner[unit] == seat else Squad.EMPTY


# --- attacking ----------------------------------------------------------------------------------------------


@rule
def refuse_attack(game: World, seat: int, unit: int, tile: int) -> int:
    """A soldier attacks a structure except a road, or a unit of another side (C1)."""
    broken = refuse_command(game, seat, unit, tile)
    if broken != 0:
        return broken
    if game.acted[unit]:
        return HAS_ACTED
    if game.job[unit] != Job.SOLDIER:
        return WRONG_JOB
    broken = refuse_reach(game, unit, tile, game.settings.attacks_far)
    if broken != 0:
        return broken
    if shields(game.structure[tile]):
        return 0
    if game.unit_on[tile] == NONE:
        return NOTHING_TO_ATTACK
    return OWN_UNIT if game.owner[game.unit_on[tile]] == seat else 0


@rule
def shields(structure: int) -> bool:
    """Return whether a structure takes the attack on its tile, as all except roads do (C4)."""
    return structure not in (Structure.NOTHING, Structure.ROAD)


@rule
def attack(game: World, seat: int, unit: int, tile: int) -> None:
    """Spend the squad's energy on a structure or on the defending squad (C2, C4, C5)."""
    pool = strike(game, unit)
    if shields(game.structure[tile]):
        wear_down(game, tile, int(game.structure_materials[tile] - pool))  # rounds the rest down
    else:
        defend(game, game.unit_on[tile], pool)
    regroup(game, 0)
    regroup(game, 1)


@rule
def strike(game: World, unit: int) -> float:
    """Let all members that have not acted attack; return the pool of their energy (C2, C3)."""
    size = muster(game, unit)
    pool = 0.0
    for place_in_squad in range(size):
        member = game.mustered[place_in_squad]
        if not game.acted[member]:
            pool += ATTACK_COST
            pool += spend(game, member)
            act_and_stay(game, member)
            if game.energy[member] <= 0:
                fall(game, member)
    dismiss(game, size)
    return pool


@rule
def spend(game: World, soldier: int) -> float:
    """Spend a soldier's 25 energy, or half near a monument; return the shortfall as a negative number (C2, C3)."""
    share = cost_share(game, soldier)
    game.energy[soldier] -= ATTACK_COST * share
    return game.energy[soldier] / share if game.energy[soldier] <= 0 else 0.0


@rule
def defend(game: World, unit: int, pool: float) -> None:
    """Divide the pool among the attacked unit's squad; near a monument a member loses half (C5)."""
    size = muster(game, unit)
    for place_in_squad in range(size):
        member = game.mustered[place_in_squad]
        game.energy[member] -= pool * cost_share(game, member) / size
        if game.energy[member] <= 0:
            fall(game, member)
    dismiss(game, size)


@rule
def fall(game: World, unit: int) -> None:
    """Beat a unit: it becomes neutral for ten turns; a neutral one disappears; an overlord stays (C6, C7, C8)."""
    put_down(game, unit)
    if game.owner[unit] == NOBODY:
        leave_map(game, unit)
    elif game.job[unit] != Job.CAT_OVERLORD:
        game.job[unit] = game.settings.neutral_job
        game.owner[unit] = NOBODY
        game.energy[unit] = FULL_ENERGY
        game.turns_to_die[unit] = TURNS_AFTER_DEFEAT


@rule
def leave_map(game: World, unit: int) -> None:
    """Remove a unit from the map for good (C8, W4)."""
    game.unit_on[game.tile[unit]] = NONE
    game.tile[unit] = NONE


@rule
def wear_down(game: World, tile: int, left: int) -> None:
    """Set a structure's remaining materials; without any, it disappears (C4, B7)."""
    game.structure_materials[tile] = left
    if left <= 0:
        game.structure[tile] = Structure.NOTHING
        game.structure_owner[tile] = NOBODY
