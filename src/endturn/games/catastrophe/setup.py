"""Sets up a match of Catastrophe: a map with rotational symmetry and four units per seat (chapter M)."""

from collections.abc import Iterator
from math import isqrt

from endturn.engine import record
from endturn.engine.dice import Stream
from endturn.games.catastrophe.rules.labour import materials_of
from endturn.games.catastrophe.rules.turns import eat
from endturn.games.catastrophe.state import (
    FULL_ENERGY,
    MOVES,
    NOBODY,
    NONE,
    UPKEEP,
    Job,
    Settings,
    Structure,
    World,
)
from endturn.mechanisms.grid import chebyshev

MAP = 2  # purpose of rolls; 1 is the coin toss
FIRST_HUMANS = 3  # per seat, in addition to its overlord (M5)
TRIES = 1000  # maps to draw until one has room for all units; nearly always one is enough


def new_world(settings: Settings, seed: int) -> World:
    """Return the first state of a match."""
    dice = Stream(seed, MAP)
    for _ in range(TRIES):
        world = empty_world(settings)
        draw_west(world, dice)
        if settle(world, dice):
            break
    else:
        raise ValueError(
            f"A {settings.map_width} x {settings.map_height} map has no room for the first units. Choose a larger map."
        )
    mirror(world)
    for seat in range(2):
        world.store[seat] = settings.starting_food
        world.upkeep[seat] = FIRST_HUMANS * UPKEEP[Job.FRESH_HUMAN]
    if settings.upkeep_first:
        eat(world, 0)  # U1: its first turn begins
    return world


def empty_world(settings: Settings, units: int = 2 * (1 + FIRST_HUMANS), turn: int = 0) -> World:
    """Return an empty map with room for this many units and all that can still appear."""
    tiles = settings.map_width * settings.map_height
    room = {"units": _room(units + still_to_come(settings, turn), 64), "tiles": _room(tiles, 480)}
    world: World = record.new(record.sized(World, **room))
    for name in settings.__struct_fields__:
        setattr(world.settings, name, getattr(settings, name))
    world.tile_count, world.turn, world.winner = tiles, turn, NOBODY
    for tile in range(tiles):
        world.unit_on[tile] = world.structure_owner[tile] = NONE
    return world


def still_to_come(settings: Settings, turn: int) -> int:
    """Return how many humans can still enter the road, which is the only source of units (W1)."""
    phases = (0, 0) if settings.humans_together else (0, 1)
    period = settings.turns_to_create_human
    return sum(len(range(turn + (phase - turn) % period, settings.max_turns, period)) for phase in phases)


def _room(needed: int, usual: int) -> int:
    """Return the usual size, doubled until it is enough.

    Matches of the usual size share a layout, and rules are compiled once per layout.
    """
    while usual < needed:
        usual *= 2
    return usual


# --- the western half ---------------------------------------------------------------------------------------


def draw_west(world: World, dice: Stream) -> None:
    """Place the road, then random food and neutral structures on the western half (M3, M4, M8)."""
    width, height = world.settings.map_width, world.settings.map_height
    for x in range(width):
        for y in (height // 2 - 1, height // 2):
            build(world, x + y * width, Structure.ROAD, NOBODY)
    for tile in western_tiles(world):
        if world.structure[tile] == Structure.NOTHING:
            if dice.below(100 * (width**2 + height**2)) < food_chance(world, tile):
                world.harvest_rate[tile] = food_rate(world, tile)
            elif dice.below(1000) < 25:
                build(world, tile, Structure.NEUTRAL, NOBODY)


def western_tiles(world: World) -> Iterator[int]:
    """Return the tiles of the western half, column by column."""
    width, height = world.settings.map_width, world.settings.map_height
    return (x + y * width for x in range(width // 2) for y in range(height))


def food_chance(world: World, tile: int) -> int:
    """Return the chance of food, from 1 % to 10 %, in units of 1 / (100 (width² + height²)) (M3)."""
    width, height = world.settings.map_width, world.settings.map_height
    x, y = width - abs(2 * (tile % width) - width), height - abs(2 * (tile // width) - height)  # inward
    return (width**2 + height**2) + 9 * (x**2 + y**2)


def food_rate(world: World, tile: int) -> int:
    """Return the harvest rate by the distance to the centre (M3)."""
    width, height = world.settings.map_width, world.settings.map_height
    least, most = world.settings.min_harvest_rate, world.settings.max_harvest_rate
    away = (2 * (tile % width) - width) ** 2 + (2 * (tile // width) - height) ** 2
    return most - isqrt((most - least) ** 2 * away // (width**2 + height**2))


def settle(world: World, dice: Stream) -> bool:
    """Place Red's overlord, shelter and humans; return False if there is no room (M5)."""
    home = [tile for tile in western_tiles(world) if is_free(world, tile) and is_homeland(world, tile)]
    if not home:
        return False
    overlord = dice.choice(sorted(home))
    build(world, overlord, Structure.SHELTER, 0)
    arrive(world, overlord, Job.CAT_OVERLORD, 0)
    for tile in sites(world, overlord, dice):
        arrive(world, tile, Job.FRESH_HUMAN, 0)
    return world.unit_count == 1 + FIRST_HUMANS


def is_homeland(world: World, tile: int) -> bool:
    """Return whether an overlord may start here: in the north-western or south-western corner (M5)."""
    width, height = world.settings.map_width, world.settings.map_height
    x, y, reach = tile % width, tile // width, width // 2
    return 2 * x < reach and (2 * y < reach or 2 * (height - y) < reach)


def is_free(world: World, tile: int) -> bool:
    """Return whether a tile has no structure, no unit and no food."""
    bare = world.structure[tile] == Structure.NOTHING and world.harvest_rate[tile] == 0
    return bare and world.unit_on[tile] == NONE


def sites(world: World, overlord: int, dice: Stream) -> Iterator[int]:
    """Draw free tiles around the overlord; use farther ones when the nearer are taken (M5)."""
    width, left = world.settings.map_width, FIRST_HUMANS
    for reach in range(1, width + world.settings.map_height, 2):
        around = [
            tile
            for tile in sorted(western_tiles(world))
            if is_free(world, tile) and chebyshev(tile, overlord, width) <= reach
        ]
        while around and left:
            left -= 1
            yield around.pop(dice.below(len(around)))


# --- the whole map ------------------------------------------------------------------------------------------


def mirror(world: World) -> None:
    """Copy the western half to the east, rotated by 180 degrees, for the other seat (M2)."""
    for tile in western_tiles(world):
        there = world.tile_count - 1 - tile
        if world.structure[there] == Structure.ROAD:
            continue
        world.harvest_rate[there] = world.harvest_rate[tile]
        if world.structure[tile] != Structure.NOTHING:
            build(world, there, Structure(world.structure[tile]), other_owner(world.structure_owner[tile]))
        if world.unit_on[tile] != NONE:
            arrive(world, there, Job(world.job[world.unit_on[tile]]), 1)


def other_owner(owner: int) -> int:
    """Return the other seat, or NOBODY for NOBODY."""
    return NOBODY if owner == NOBODY else 1 - owner


def build(world: World, tile: int, structure: Structure, owner: int) -> None:
    """Put a structure on a tile with its full materials (M6)."""
    world.structure[tile], world.structure_owner[tile] = structure, owner
    world.structure_materials[tile] = materials_of(world, structure)


def arrive(world: World, tile: int, job: Job, owner: int) -> int:
    """Add a rested unit, on a tile or gone (NONE); return its number."""
    unit = world.unit_count
    world.unit_count += 1
    world.job[unit], world.energy[unit], world.moves[unit] = job, FULL_ENERGY, MOVES[job]
    world.owner[unit] = world.roster[unit] = owner
    world.tile[unit] = tile
    if tile != NONE:
        world.unit_on[tile] = unit
    world.bound_for[unit] = world.turns_to_die[unit] = NONE
    if job == Job.CAT_OVERLORD:
        world.overlord[owner] = unit
    return unit
