"""The land itself: which tiles hang together, and what becomes of a tile when extras come and go."""

from endturn.games.empires.state import World


def continent_of(world: World, tile: int) -> int:
    """The continent or ocean a tile belongs to."""
    if not world.continents:
        world.continents = _continents(world)
        world.lakes.clear()
        world.waters.clear()
    return world.continents[tile]


def _continents(world: World) -> list[int]:
    """Numbers from 1 on: tiles of land, or of water, that touch one another share one."""
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
