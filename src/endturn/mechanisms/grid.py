"""A grid of tiles, numbered row by row: neighbours and distances.

  x 0 1 2        north is up: y - 1
y 0 0 1 2        tile = x + y * width
  1 3 4 5
"""

from enum import IntEnum

from endturn.engine.rule import rule

OFF_THE_MAP = -1


class Direction(IntEnum):
    """The four sides of a tile, clockwise."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3


@rule
def neighbour(tile: int, direction: int, width: int, height: int) -> int:
    """Return the tile on a side of a tile, or OFF_THE_MAP."""
    x, y = tile % width, tile // width
    if direction == Direction.NORTH:
        return tile - width if y > 0 else OFF_THE_MAP
    if direction == Direction.EAST:
        return tile + 1 if x < width - 1 else OFF_THE_MAP
    if direction == Direction.SOUTH:
        return tile + width if y < height - 1 else OFF_THE_MAP
    return tile - 1 if x > 0 else OFF_THE_MAP


@rule
def steps_between(x: int, y: int, other_x: int, other_y: int) -> int:
    """Return the steps east or west plus the steps north or south between two points."""
    return abs(x - other_x) + abs(y - other_y)


@rule
def manhattan(one: int, other: int, width: int) -> int:
    """Return the steps between two tiles without diagonal steps."""
    return steps_between(one % width, one // width, other % width, other // width)


@rule
def chebyshev(one: int, other: int, width: int) -> int:
    """Return the steps between two tiles with diagonal steps; distance n covers a square of side 2n + 1."""
    return max(abs(one % width - other % width), abs(one // width - other // width))
