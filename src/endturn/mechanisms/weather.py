"""Weather over a grid of squares: cover that comes and goes by chance, units that drift, streams of wind.

It knows neither the game nor its year. Tables are data: whoever calls hands in this month's row of each
climate, and how many units appear and disappear. Layers are columns, one entry a square; a layer of flags
is 0 or 1, and cover is a set. `purpose` is the game's name for a roll, `when` the turn: no two rolls share
an address.

    cover      map-wide: every square by itself, by the chances of its climate; a set of squares
    units      each on a square of its own; they vanish, drift, merge into storms, appear
    streams    a head and the squares straight upwind of it, all with the prevailing direction
"""

from collections.abc import MutableSequence, Sequence
from enum import IntEnum

from endturn.engine.dice import below, philox
from endturn.engine.rule import rule
from endturn.mechanisms.grid import OFF_THE_MAP

Layer = MutableSequence[int]

BLOCK = 32  # squares of a layer of cover that are checked together: as many as a random word has bits
CHANCE_BITS = 28  # a multiple of the four words of a roll
CERTAIN = 1 << CHANCE_BITS  # a chance is so many parts of this

VANISHES, DRIFTS, APPEARS = 0, 1, 2  # what a unit's roll is for: the last part of its address


class Compass(IntEnum):
    """Eight directions, clockwise."""

    NORTH = 0
    NORTH_EAST = 1
    EAST = 2
    SOUTH_EAST = 3
    SOUTH = 4
    SOUTH_WEST = 5
    WEST = 6
    NORTH_WEST = 7


DIRECTIONS = 8
STEP_X = 0, 1, 1, 1, 0, -1, -1, -1  # by direction
STEP_Y = -1, -1, 0, 1, 1, 1, 0, -1


@rule
def beside(square: int, direction: int, width: int, height: int) -> int:
    """The square next to one in a direction, or OFF_THE_MAP."""
    x, y = square % width + STEP_X[direction], square // width + STEP_Y[direction]
    return x + y * width if 0 <= x < width and 0 <= y < height else OFF_THE_MAP


@rule
def opposite(direction: int) -> int:
    """The direction exactly against another."""
    return (direction + DIRECTIONS // 2) % DIRECTIONS


# --- cover: map-wide, by chance -----------------------------------------------------------------------------
# A layer of cover, and the squares of each climate, are sets: blocks of 32 squares, a bit each. A whole block is
# checked at once, which takes a tenth of the dice and of the time that one square after the other would.


@rule
def bit_of(square: int) -> int:
    """A square's bit in its block."""
    return 1 << square % BLOCK


@rule
def is_covered(cover: Sequence[int], square: int) -> bool:
    """Whether a square is in a set."""
    return cover[square // BLOCK] >> square % BLOCK & 1 != 0


@rule
def set_cover(cover: Layer, square: int, covered: bool) -> None:
    """Put a square into a set, or take it out."""
    bit = bit_of(square)
    cover[square // BLOCK] = cover[square // BLOCK] | bit if covered else cover[square // BLOCK] & ~bit


@rule
def spread_cover(
    cover: Layer,
    climates: Sequence[Sequence[int]],
    initial: Sequence[int],
    blocks: int,
    dice: int,
    purpose: int,
) -> None:
    """Before the first turn every square is covered with its climate's initial chance."""
    for block in range(blocks):
        cover[block] = lucky(-1, climates, block, initial, dice, purpose, 0, 0)


@rule
def change_cover(
    cover: Layer,
    climates: Sequence[Sequence[int]],
    appear: Sequence[int],
    vanish: Sequence[int],
    blocks: int,
    dice: int,
    purpose: int,
    when: int,
) -> None:
    """Check every square once, in this order."""
    for block in range(blocks):
        covered = cover[block]  # 1. where there is cover
        gone = lucky(covered, climates, block, vanish, dice, purpose, when, VANISHES)  # 2. it may disappear,
        bare = gone | ~covered  # 3. and there come back at once, 4. and elsewhere appear
        fresh = lucky(bare, climates, block, appear, dice, purpose, when, APPEARS)
        cover[block] = covered & ~gone | fresh


@rule
def lucky(
    candidates: int,
    climates: Sequence[Sequence[int]],
    block: int,
    chance: Sequence[int],
    dice: int,
    purpose: int,
    when: int,
    count: int,
) -> int:
    """Of the candidates in a block, those whose roll falls below the chance of their climate, in parts of CERTAIN.

    Rolls and chances are binary fractions, and the first bit in which they differ decides. So the dice throw the
    first bit of all rolls, then the second of those that are still open, and so on: they are soon all decided.
    """
    able = 0
    for climate in range(len(climates)):
        if chance[climate] > 0:
            able |= climates[climate][block]
    won, undecided, bit = 0, candidates & able, CHANCE_BITS
    while undecided != 0 and bit > 0:
        for rolled in philox(dice, purpose, block, when, count * CHANCE_BITS + bit):
            bit -= 1
            ones = 0  # the squares whose chance has a one in this place
            for climate in range(len(climates)):
                ones |= climates[climate][block] & -(chance[climate] >> bit & 1)
            won |= undecided & ones & ~rolled
            undecided &= ~(ones ^ rolled)
    return won


# --- units: they vanish, drift, merge, appear ---------------------------------------------------------------


@rule
def count_units(units: Sequence[int], squares: int) -> int:
    """How many units there are."""
    count = 0
    for square in range(squares):
        count += units[square]
    return count


@rule
def vanish_units(units: Layer, squares: int, gone: int, dice: int, purpose: int, when: int) -> None:
    """So many units chosen by chance disappear, or all where there are fewer."""
    left = count_units(units, squares)
    for _ in range(min(gone, left)):
        nth = below(dice, left, purpose, left, when, VANISHES)
        square = -1
        while nth >= 0:
            square += 1
            nth -= units[square]
        units[square] = 0
        left -= 1


@rule
def drift_units(
    units: Layer,
    arriving: Layer,
    windy: Sequence[int],
    wind: int,
    width: int,
    height: int,
    stays_at_the_edge: bool,
    dice: int,
    purpose: int,
    when: int,
) -> None:
    """All units move at once: how many arrive where is counted, and the layer is left empty."""
    for square in range(width * height):
        if units[square]:
            units[square] = 0
            to = drift(square, windy, wind, width, height, dice, purpose, when)
            if to == OFF_THE_MAP and stays_at_the_edge:
                to = square
            if to != OFF_THE_MAP:
                arriving[to] += 1


@rule
def drift(
    square: int, windy: Sequence[int], wind: int, width: int, height: int, dice: int, purpose: int, when: int
) -> int:
    """Where a unit goes: with the wind on its square, or to a neighbour by chance; if none will do it stays."""
    if windy[square]:
        return beside(square, wind, width, height)
    x, y = square % width, square // width
    ways, count, against = 0, 0, opposite(wind)
    for direction in range(DIRECTIONS):
        to_x, to_y = x + STEP_X[direction], y + STEP_Y[direction]
        on_the_map = 0 <= to_x < width and 0 <= to_y < height
        if on_the_map and not (windy[to_x + to_y * width] and direction == against):
            ways |= 1 << direction
            count += 1
    if count == 0:
        return square
    chosen = below(dice, count, purpose, square, when, DRIFTS)
    for direction in range(DIRECTIONS):
        if ways >> direction & 1:
            if chosen == 0:
                return square + STEP_X[direction] + STEP_Y[direction] * width
            chosen -= 1
    return square


@rule
def merge_units(units: Layer, storms: Layer, arriving: Layer, squares: int, lasts: int) -> int:
    """One that arrives is a unit, several are a storm, and a storm takes in whoever comes and lasts anew.

    Gives how many storms have formed, and leaves a 1 in `arriving` on their squares, 0 on all others.
    """
    formed = 0
    for square in range(squares):
        come = arriving[square]
        if come:
            fresh = come > 1 and storms[square] == 0
            if storms[square] or fresh:
                storms[square] = lasts
            else:
                units[square] = 1
            formed += fresh
            arriving[square] = fresh
    return formed


@rule
def age_storms(units: Layer, storms: Layer, squares: int) -> None:
    """A month has passed: a storm whose time is over is one unit again."""
    if count_units(storms, squares) == 0:
        return  # a quick look first: storms are rare
    for square in range(squares):
        if storms[square]:
            storms[square] -= 1
            if storms[square] == 0:
                units[square] = 1


@rule
def appear_units(
    units: Layer,
    storms: Sequence[int],
    ground: Sequence[int],
    kind: int,
    squares: int,
    wanted: int,
    dice: int,
    purpose: int,
    when: int,
) -> int:
    """New units on free squares of one kind of ground, by chance; how many found no room."""
    free = 0
    for square in range(squares):
        free += (ground[square] == kind) & (units[square] + storms[square] == 0)
    for room in range(free, max(0, free - wanted), -1):
        nth = below(dice, room, purpose, room + kind * squares, when, APPEARS)
        square = -1
        while nth >= 0:
            square += 1
            nth -= (ground[square] == kind) & (units[square] + storms[square] == 0)
        units[square] = 1
    return max(0, wanted - free)


# --- streams of wind ----------------------------------------------------------------------------------------


@rule
def turn_wind(wind: int, anew: bool, dice: int, purpose: int, when: int) -> int:
    """The prevailing direction of a month: any at all, or the last one kept (1/2) or turned by 45° (1/4 each)."""
    if anew:
        return below(dice, DIRECTIONS, purpose, 0, when)
    roll = below(dice, 4, purpose, 0, when)
    turned = 1 if roll == 0 else DIRECTIONS - 1 if roll == 1 else 0
    return (wind + turned) % DIRECTIONS


@rule
def move_heads(
    heads: Layer, count: int, wind: int, width: int, height: int, dice: int, purpose: int, when: int
) -> None:
    """Every head goes one square downwind; one that leaves the map begins anew at the edge the wind comes from."""
    for stream in range(count):
        to = beside(heads[stream], wind, width, height)
        if to == OFF_THE_MAP:
            to = upwind_edge(stream, wind, width, height, dice, purpose, when)
        heads[stream] = to


@rule
def upwind_edge(stream: int, wind: int, width: int, height: int, dice: int, purpose: int, when: int) -> int:
    """A square that the wind reaches from off the map, each as likely."""
    step_x, step_y = STEP_X[wind], STEP_Y[wind]
    inner = (width - abs(step_x)) * (height - abs(step_y))
    chosen = below(dice, width * height - inner, purpose, 1 + stream, when)
    side, row = 0 if step_x > 0 else width - 1, 0 if step_y > 0 else height - 1
    if step_x == 0:
        return chosen + row * width
    if chosen < height:
        return side + chosen * width
    along = chosen - height + (1 if side == 0 else 0)  # the corner belongs to the side already
    return along + row * width


@rule
def blow(
    windy: Layer, heads: Sequence[int], count: int, length: int, wind: int, width: int, height: int
) -> None:
    """Mark the squares that have wind: each stream's head and what lies straight upwind of it."""
    for square in range(width * height):
        windy[square] = 0
    step_x, step_y = STEP_X[wind], STEP_Y[wind]
    for stream in range(count):
        x, y = heads[stream] % width, heads[stream] // width
        for _ in range(length):
            if 0 <= x < width and 0 <= y < height:
                windy[x + y * width] = 1
            x, y = x - step_x, y - step_y
