"""What one sees from the middle of a tile: bearings, and how much of the horizon tiles and discs take up.

Angles are counted in parts of a full turn (`FULL_TURN` of them, 0.00002 degrees each), from east towards south, as
x and y grow. Everything stands on whole tiles, so a table of the angles of all offsets up to `FARTHEST` tiles
is enough; it is computed with whole numbers alone, and each entry is the true angle rounded to a part.

A straight line from the middle of a tile meets other tiles in the order of their steps (`steps_away`): from one tile
to the next either x or y moves on by one, and neither ever turns back.
"""

from fractions import Fraction
from math import isqrt

from endturn.engine.rule import Table, rule
from endturn.mechanisms.normal import BITS, ONE, PI

FULL_TURN = 1 << 24
HALF_TURN, QUARTER_TURN = FULL_TURN >> 1, FULL_TURN >> 2
FARTHEST = 14  # tiles east or west, and as many north or south
SIDE = FARTHEST + 1  # of a table by offset
TILE = 1 << 16  # parts of a tile, in distances


def _arctangent(y: int, x: int) -> int:
    """The angle of the point (x, y) above the x axis, in parts of a full turn; for x and y that are not negative."""
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
    """The square root of a number, in parts of ONE."""
    return isqrt((number.numerator << 2 * BITS) // number.denominator)


def _by_offset() -> list[tuple[int, int]]:
    return [(x, y) for y in range(SIDE) for x in range(SIDE)]


def discs(radius: Fraction) -> Table:
    """By offset: half the angle that a disc in the middle of a tile takes up."""
    wide = [_root(max(x * x + y * y - radius * radius, Fraction(0))) for x, y in _by_offset()]
    return Table(_arctangent(int(radius * ONE), far) for far in wide)


def sideways(step: Fraction) -> Table:
    """By offset: the angle between the middle of a tile and a point a step beside it, seen from afar."""
    far = [_root(Fraction(x * x + y * y)) for x, y in _by_offset()]
    return Table(_arctangent(int(step * ONE), each) for each in far)


BEARINGS = Table(_arctangent(y, x) for x, y in _by_offset())
DISTANCES = Table(_root(Fraction(x * x + y * y)) * TILE // ONE for x, y in _by_offset())
# The two edges of a tile, as seen; of the own tile there are none.
FIRST_EDGES = Table(
    -_arctangent(1, 2 * x - 1) if y == 0 < x else _arctangent(max(0, 2 * y - 1), 2 * x + 1)
    for x, y in _by_offset()
)
LAST_EDGES = Table(
    HALF_TURN - _arctangent(max(0, 2 * y - 1), 1) if x == 0 else _arctangent(2 * y + 1, 2 * x - 1)
    for x, y in _by_offset()
)
# The corner of a tile that is farthest away.
CORNERS = Table(_arctangent(2 * y + 1, 2 * x + 1) for x, y in _by_offset())


@rule
def by_offset(dx: int, dy: int) -> int:
    """Where in a table an offset is, whatever its signs."""
    return abs(dx) + SIDE * abs(dy)


@rule
def steps_away(dx: int, dy: int) -> int:
    """Steps to the tile at an offset; of two tiles on a line of sight the one with fewer is met first."""
    return abs(dx) + abs(dy)


@rule
def bearing(dx: int, dy: int) -> int:
    """The direction of the tile at an offset."""
    angle = BEARINGS[by_offset(dx, dy)]
    if dx < 0:
        angle = HALF_TURN - angle
    return -angle if dy < 0 else angle


@rule
def edges(dx: int, dy: int) -> tuple[int, int]:
    """The directions between which the tile at an offset is seen."""
    first, last = FIRST_EDGES[by_offset(dx, dy)], LAST_EDGES[by_offset(dx, dy)]
    if dx < 0:
        first, last = HALF_TURN - last, HALF_TURN - first
    return (-last, -first) if dy < 0 else (first, last)


@rule
def turned(angle: int, from_angle: int) -> int:
    """By how much one direction is turned from another, at most half a turn either way."""
    by = (angle - from_angle) & (FULL_TURN - 1)
    return by - FULL_TURN if by > HALF_TURN else by


@rule
def touches(direction: int, dx: int, dy: int) -> bool:
    """Whether a line in that direction touches the tile at an offset."""
    first, last = edges(dx, dy)
    return 0 <= turned(direction, first) <= last - first


@rule
def heading(direction: int) -> tuple[int, int, int]:
    """Which way x and y go along a line, 1 or -1, and how far from the x axis: `next_tile` wants that.

    The line is a hair beyond the direction, half a part of a turn, so it goes through no corner of a tile.
    """
    halves = (2 * direction + 1) & (2 * FULL_TURN - 1)
    south = 1 if halves < FULL_TURN else -1
    halves = min(halves, 2 * FULL_TURN - halves)
    east = 1 if halves < HALF_TURN else -1
    return east, south, min(halves, FULL_TURN - halves)


@rule
def next_tile(x: int, y: int, slope: int) -> tuple[int, int]:
    """Where a line goes on from the tile at an offset, without signs: it leaves it on one side of its far corner."""
    return (x + 1, y) if slope < 2 * CORNERS[by_offset(x, y)] else (x, y + 1)
