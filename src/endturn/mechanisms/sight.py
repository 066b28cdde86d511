"""The view from the middle of a tile: directions, and the angles that tiles and discs cover.

Angles are integers, `FULL_TURN` parts for a full turn (0.00002 degrees each), from east towards south, as x and y grow.
Everything stands on whole tiles, so a table holds the angles of all offsets up to `FARTHEST` tiles. It is computed with
integers only, and each entry is the true angle rounded to a part.

A straight line from the middle of a tile meets other tiles in the order of their steps (`steps_away`): from one tile to
the next, either x or y changes by one, and neither ever turns back.
"""

from fractions import Fraction
from math import isqrt

from endturn.engine.rule import Table, rule
from endturn.mechanisms.normal import BITS, ONE, PI

FULL_TURN = 1 << 24
HALF_TURN, QUARTER_TURN = FULL_TURN >> 1, FULL_TURN >> 2
FARTHEST = 14  # tiles in x, and in y
SIDE = FARTHEST + 1  # of a table indexed by offset
TILE = 1 << 16  # parts of a tile, in distances


def _arctangent(y: int, x: int) -> int:
    """Return the angle of the point (x, y) above the x axis in parts of a full turn, for x, y >= 0."""
    if y > x:
        return QUARTER_TURN - _arctangent(x, y)
    if y == 0:
        return 0
    # Euler's series: each term is the one before times 2n / (2n + 1) times y^2 / (x^2 + y^2), at most a half
    square = x * x + y * y
    term = total = y * x * ONE // square
    n = 1
    while term:
        term = term * (2 * n * y * y) // ((2 * n + 1) * square)
        total, n = total + term, n + 1
    return (total * FULL_TURN + PI) // (2 * PI)


def _root(number: Fraction) -> int:
    """Return the square root of a number in parts of ONE."""
    return isqrt((number.numerator << 2 * BITS) // number.denominator)


def _by_offset() -> list[tuple[int, int]]:
    return [(x, y) for y in range(SIDE) for x in range(SIDE)]


def discs(radius: Fraction) -> Table:
    """Return, by offset, half the angle that a disc in the middle of a tile covers."""
    wide = [_root(max(x * x + y * y - radius * radius, Fraction(0))) for x, y in _by_offset()]
    return Table(_arctangent(int(radius * ONE), far) for far in wide)


def sideways(step: Fraction) -> Table:
    """Return, by offset, the angle between the middle of a tile and a point one step from it."""
    far = [_root(Fraction(x * x + y * y)) for x, y in _by_offset()]
    return Table(_arctangent(int(step * ONE), each) for each in far)


BEARINGS = Table(_arctangent(y, x) for x, y in _by_offset())
DISTANCES = Table(_root(Fraction(x * x + y * y)) * TILE // ONE for x, y in _by_offset())
# The two visible edges of a tile; the viewer's own tile has none.
FIRST_EDGES = Table(
    -_arctangent(1, 2 * x - 1) if y == 0 < x else _arctangent(max(0, 2 * y - 1), 2 * x + 1)
    for x, y in _by_offset()
)
LAST_EDGES = Table(
    HALF_TURN - _arctangent(max(0, 2 * y - 1), 1) if x == 0 else _arctangent(2 * y + 1, 2 * x - 1)
    for x, y in _by_offset()
)
# The farthest corner of a tile.
CORNERS = Table(_arctangent(2 * y + 1, 2 * x + 1) for x, y in _by_offset())


@rule
def by_offset(dx: int, dy: int) -> int:
    """Return the table index of an offset, ignoring signs."""
    return abs(dx) + SIDE * abs(dy)


@rule
def steps_away(dx: int, dy: int) -> int:
    """Return the steps to the tile at an offset; a line of sight meets tiles in order of steps."""
    return abs(dx) + abs(dy)


@rule
def bearing(dx: int, dy: int) -> int:
    """Return the direction of the tile at an offset."""
    angle = BEARINGS[by_offset(dx, dy)]
    if dx < 0:
        angle = HALF_TURN - angle
    return -angle if dy < 0 else angle


@rule
def edges(dx: int, dy: int) -> tuple[int, int]:
    """Return the two directions between which the tile at an offset is seen."""
    first, last = FIRST_EDGES[by_offset(dx, dy)], LAST_EDGES[by_offset(dx, dy)]
    if dx < 0:
        first, last = HALF_TURN - last, HALF_TURN - first
    return (-last, -first) if dy < 0 else (first, last)


@rule
def turned(angle: int, from_angle: int) -> int:
    """Return the angle from one direction to another, at most half a turn either way."""
    by = (angle - from_angle) & (FULL_TURN - 1)
    return by - FULL_TURN if by > HALF_TURN else by


@rule
def touches(direction: int, dx: int, dy: int) -> bool:
    """Return whether a line in a direction touches the tile at an offset."""
    first, last = edges(dx, dy)
    return 0 <= turned(direction, first) <= last - first


@rule
def heading(direction: int) -> tuple[int, int, int]:
    """Return the signs of x and y along a line, and its slope for `next_tile`.

    The line is half a part of a turn beyond the direction, so it never goes through the corner of a tile.
    """
    halves = (2 * direction + 1) & (2 * FULL_TURN - 1)
    south = 1 if halves < FULL_TURN else -1
    halves = min(halves, 2 * FULL_TURN - halves)
    east = 1 if halves < HALF_TURN else -1
    return east, south, min(halves, FULL_TURN - halves)


@rule
def next_tile(x: int, y: int, slope: int) -> tuple[int, int]:
    """Return the next tile on a line, without signs: the line passes the far corner on one side."""
    return (x + 1, y) if slope < 2 * CORNERS[by_offset(x, y)] else (x, y + 1)
