"""Views and observations of Catastrophe. Nothing is hidden."""

from collections.abc import MutableSequence
from functools import lru_cache

from endturn.engine.rule import rule
from endturn.games.catastrophe.rules.combat import dismiss, muster
from endturn.games.catastrophe.state import (
    NOBODY,
    NONE,
    Ending,
    Job,
    Structure,
    World,
)
from endturn.games.catastrophe.view_types import TileView, UnitView, WorldView
from endturn.mechanisms.rows import facts, rows

SHARED, PER_UNIT, PER_TILE = 8, 12, 7  # sizes in an observation


def view(world: World, seat: int | None) -> WorldView:
    """Return everything."""
    return {
        "turn": world.turn,
        "seat": world.seat,
        "store": list(world.store),
        "upkeep": list(world.upkeep),
        "overlord": list(world.overlord),
        "ended": Ending(world.ended).name.lower(),
        "winner": world.winner,
        "settings": facts(world.settings),
        "units": [unit_seen(world, unit) for unit in range(world.unit_count)],
        "tiles": tiles_seen(world),
    }


def unit_seen(world: World, unit: int) -> UnitView | None:
    """Return one unit as a dictionary, or None if it is gone."""
    if world.tile[unit] == NONE:
        return None
    return {
        "job": Job(world.job[unit]).name.lower(),
        "owner": world.owner[unit],
        "tile": world.tile[unit],
        "energy": world.energy[unit],
        "moves": world.moves[unit],
        "acted": bool(world.acted[unit]),
        "starving": bool(world.starving[unit]),
        "food": world.food[unit],
        "materials": world.materials[unit],
        "turns_to_die": world.turns_to_die[unit],
        "bound_for": world.bound_for[unit],
        "squad": squad_of(world, unit),
    }


def squad_of(world: World, unit: int) -> list[int]:
    """Return the members of a unit's squad in order."""
    size = muster(world, unit)
    members = list(world.mustered[:size])
    dismiss(world, size)
    return members


def tiles_seen(world: World) -> list[TileView]:
    """Return all tiles."""
    built = world.structure, world.structure_materials, world.structure_owner
    grown = world.harvest_rate, world.turns_to_harvest, world.ground_food, world.ground_materials
    return rows(world.tile_count, tile_seen, *built, *grown)


@lru_cache(1 << 14)
def tile_seen(
    structure: int, built: int, owner: int, harvest: int, turns: int, food: int, materials: int
) -> TileView:
    """Return one tile as a dictionary without zeros."""
    seen: TileView = {}
    if structure:
        seen["structure"] = Structure(structure).name.lower()
    if structure and built:
        seen["structure_materials"] = built
    if harvest:
        seen["harvest_rate"] = harvest
    if turns:
        seen["turns_to_harvest"] = turns
    if food:
        seen["food"] = food
    if materials:
        seen["materials"] = materials
    if structure:
        seen["structure_owner"] = owner
    return seen


# --- as numbers ---------------------------------------------------------------------------------------------


def observation_size(world: World) -> int:
    """Return the length of an observation."""
    return SHARED + PER_UNIT * len(world.energy) + PER_TILE * len(world.structure)


@rule
def observe(world: World, seat: int, out: MutableSequence[int]) -> None:
    """Write shared numbers, then twelve per unit, then seven per tile."""
    out[0], out[1] = world.turn, world.settings.max_turns - world.turn
    out[2], out[3] = at_most(world.store[seat]), at_most(world.store[1 - seat])
    out[4], out[5] = world.upkeep[seat], world.upkeep[1 - seat]
    out[6], out[7] = world.unit_count, world.seat == seat
    for unit in range(world.unit_count):
        observe_unit(world, seat, unit, out, SHARED + PER_UNIT * unit)
    for tile in range(world.tile_count):
        observe_tile(world, seat, tile, out, SHARED + PER_UNIT * len(world.energy) + PER_TILE * tile)


@rule
def observe_unit(world: World, seat: int, unit: int, out: MutableSequence[int], at: int) -> None:
    """Write a unit's presence, side, position, job, condition and load."""
    if world.tile[unit] == NONE:
        return
    width = world.settings.map_width
    out[at], out[at + 1] = 1, side_of(world.owner[unit], seat)
    out[at + 2], out[at + 3] = world.tile[unit] % width, world.tile[unit] // width
    out[at + 4], out[at + 5] = world.job[unit], int(min(world.energy[unit], 30000.0))
    out[at + 6], out[at + 7] = world.moves[unit], world.acted[unit]
    out[at + 8], out[at + 9] = world.starving[unit], world.turns_to_die[unit]
    out[at + 10], out[at + 11] = at_most(world.food[unit]), at_most(world.materials[unit])


@rule
def observe_tile(world: World, seat: int, tile: int, out: MutableSequence[int], at: int) -> None:
    """Write a tile's structure with side and materials, its harvest, and what lies there."""
    out[at] = world.structure[tile]
    if world.structure[tile] != Structure.NOTHING:
        out[at + 1] = side_of(world.structure_owner[tile], seat)
        out[at + 2] = world.structure_materials[tile]
    out[at + 3], out[at + 4] = world.harvest_rate[tile], world.turns_to_harvest[tile]
    out[at + 5], out[at + 6] = at_most(world.ground_food[tile]), at_most(world.ground_materials[tile])


@rule
def side_of(owner: int, seat: int) -> int:
    """Return 1 for the seat itself, -1 for the other seat, 0 for no owner."""
    return 0 if owner == NOBODY else 1 if owner == seat else -1


@rule
def at_most(amount: int) -> int:
    """Limit an amount to the range of an observation."""
    return max(-30000, min(amount, 30000))
