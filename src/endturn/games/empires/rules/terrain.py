"""Continents and oceans, and the extras on a tile."""

from endturn.games.empires.ruleset import Extra
from endturn.games.empires.state import World


def extras_on(world: World, tile: int) -> list[Extra]:
    """The extras on a tile, in the ruleset's order."""
    bits = world.extras[tile]
    return [extra for extra in world.rules.extras if extra.bit & bits] if bits else []


def continent_of(world: World, tile: int) -> int:
    """The number of a tile's continent or ocean."""
    if not world.continents:
        world.continents = _continents(world)
        world.lakes.clear()
        world.waters.clear()
    return world.continents[tile]


def _continents(world: World) -> list[int]:
    """Number continents and oceans from 1: connected tiles of land, or of water, share a number."""
    numbers = [0] * world.geometry.tiles
    count = 0
    for start in range(world.geometry.tiles):
        if not numbers[start]:
            count += 1
            _flood(world, numbers, start, count)
    return numbers


def _flood(world: World, numbers: list[int], start: int, number: int) -> None:
    ocean, waiting = world.terrain[start].is_ocean, [start]
    numbers[start] = number
    while waiting:
        for tile in world.geometry.adjacent(waiting.pop()):
            if not numbers[tile] and world.terrain[tile].is_ocean == ocean:
                numbers[tile] = number
                waiting.append(tile)
