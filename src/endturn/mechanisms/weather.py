"""Weather over a grid of squares: cover that comes and goes by chance, units that drift, streams of wind.

It knows neither the game nor its year. Tables are data: whoever calls hands in this month's row of each
climate, and how many units appear and disappear. Layers are sets of squares: blocks of 32, a bit each, so that
a whole block is looked at at once. `purpose` is the game's name for a roll, `when` the turn: no two rolls share
an address.

    cover      map-wide: every square by itself, by the chances of its climate
    units      each on a square of its own; they vanish, drift, merge into storms, appear
    streams    a head and the squares straight upwind of it, all with the prevailing direction
"""

from collections.abc import MutableSequence, Sequence
from enum import IntEnum

from endturn.engine.dice import MASK, below, philox
from endturn.engine.rule import Table, rule
from endturn.mechanisms.grid import OFF_THE_MAP

Layer = MutableSequence[int]

BLOCK = 32  # squares that are looked at together: as many as a random word has bits
CHANCE_BITS = 28  # a multiple of the four words of a roll
CERTAIN = 1 << CHANCE_BITS  # a chance is so many parts of this
PERCENT = 100

VANISHES, DRIFTS, APPEARS = 0, 1, 2  # what a unit's roll is for: the last part of its address


def chance(percent: int, rarer: int = 1) -> int:
    """A chance in percent, or so many times less, as tables have it."""
    return percent * CERTAIN // (PERCENT * rarer)


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
STEP_X = Table((0, 1, 1, 1, 0, -1, -1, -1))  # by direction
STEP_Y = Table((-1, -1, 0, 1, 1, 1, 0, -1))
ANY_WAY = 0b11111111  # a bit a direction
NORTHWARDS, EASTWARDS, SOUTHWARDS, WESTWARDS = 0b10000011, 0b00001110, 0b00111000, 0b11100000


@rule
def beside(square: int, direction: int, width: int, height: int) -> int:
    """The square next to one in a direction, or OFF_THE_MAP."""
    x, to = square % width + STEP_X[direction], square + STEP_X[direction] + STEP_Y[direction] * width
    return to if 0 <= x < width and 0 <= to < width * height else OFF_THE_MAP


@rule
def opposite(direction: int) -> int:
    """The direction exactly against another."""
    return (direction + DIRECTIONS // 2) % DIRECTIONS


# --- sets of squares ----------------------------------------------------------------------------------------


@rule
def is_in(squares: Sequence[int], square: int) -> bool:
    """Whether a square is in a set."""
    return squares[square >> 5] >> (square & 31) & 1 != 0


@rule
def put_in(squares: Layer, square: int, inside: bool) -> None:
    """Put a square into a set, or take it out."""
    bit = 1 << (square & 31)
    squares[square >> 5] = squares[square >> 5] | bit if inside else squares[square >> 5] & ~bit


@rule
def size_of(bits: int) -> int:
    """How many squares of a block are in a set: sums of two bits, of four, of eight, then all."""
    pairs = bits - (bits >> 1 & 0x55555555)
    fours = (pairs & 0x33333333) + (pairs >> 2 & 0x33333333)
    return ((fours + (fours >> 4) & 0x0F0F0F0F) * 0x01010101 & MASK) >> 24


@rule
def first_of(bits: int) -> int:
    """The place of the first square of a block that is in a set; there must be one."""
    return size_of((bits & -bits) - 1)


@rule
def count_units(units: Sequence[int], blocks: int) -> int:
    """How many squares are in a set."""
    count = 0
    for block in range(blocks):
        count += size_of(units[block])
    return count


@rule
def nth_of(units: Sequence[int], nth: int) -> int:
    """The nth square of a set, from 0 on; it must have that many."""
    block = 0
    while nth >= size_of(units[block]):
        nth -= size_of(units[block])
        block += 1
    bits = units[block]
    for _ in range(nth):
        bits &= bits - 1
    return block * BLOCK + first_of(bits)


# --- cover: map-wide, by chance -----------------------------------------------------------------------------


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
        cover[block] = changed(0, climates, block, initial, initial, dice, purpose, 0)


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
    """Check every square once: cover may disappear and come back at once, and elsewhere appear."""
    for block in range(blocks):
        cover[block] ^= changed(cover[block], climates, block, appear, vanish, dice, purpose, when)


@rule
def changed(
    covered: int,
    climates: Sequence[Sequence[int]],
    block: int,
    appear: Sequence[int],
    vanish: Sequence[int],
    dice: int,
    purpose: int,
    when: int,
) -> int:
    """The squares of a block whose cover is another after a check, by a roll for each and its climate's chances.

    Where there is cover it is lost if it disappears and does not come back: one roll for both, of their product.
    Rolls and chances are binary fractions, and the first bit in which they differ decides. So the dice throw the
    first bit of all rolls, then the second of those that are still open, and so on: they are soon all decided.
    CERTAIN is no such fraction, and is not rolled for.
    """
    undecided, won, bit = 0, 0, CHANCE_BITS
    for climate in range(len(climates)):
        able = (covered if vanish[climate] > 0 else 0) | (~covered if appear[climate] > 0 else 0)
        undecided |= climates[climate][block] & able
        if (appear[climate] | vanish[climate]) >= CERTAIN:
            won |= climates[climate][block] & surely_changed(covered, appear[climate], vanish[climate])
    while undecided != 0 and bit > 0:
        words = philox(dice, purpose, block, when, bit)
        bit -= len(words)
        for climate in range(len(climates)):
            there = undecided & climates[climate][block]
            if there != 0:
                undecided &= ~there
                lost = vanish[climate] * (CERTAIN - appear[climate]) >> CHANCE_BITS + bit
                found = appear[climate] >> bit
                for rolled in words:  # the next bit of the chances, for all squares with cover or without
                    one = -(lost >> 3 & 1) & covered | -(found >> 3 & 1) & ~covered
                    lost <<= 1
                    found <<= 1
                    won |= there & one & ~rolled
                    there &= ~(one ^ rolled)
                undecided |= there
    return won


@rule
def surely_changed(covered: int, appear: int, vanish: int) -> int:
    """The squares without cover where it is CERTAIN to appear, and those with cover that is sure to be lost."""
    lost = vanish == CERTAIN and appear == 0
    return (~covered if appear == CERTAIN else 0) | (covered if lost else 0)


# --- units: they vanish, drift, merge, appear ---------------------------------------------------------------


@rule
def vanish_units(units: Layer, blocks: int, gone: int, dice: int, purpose: int, when: int) -> None:
    """So many units chosen by chance disappear, or all where there are fewer."""
    left = count_units(units, blocks)
    for _ in range(min(gone, left)):
        put_in(units, nth_of(units, below(dice, left, purpose, left, when, VANISHES)), False)
        left -= 1


@rule
def move_units(
    units: Layer,
    storms: Layer,
    months: Layer,
    arriving: Layer,
    crowded: Layer,
    blocks: int,
    windy: Sequence[int],
    wind: int,
    width: int,
    height: int,
    stays_at_the_edge: bool,
    lasts: int,
    dice: int,
    purpose: int,
    when: int,
) -> int:
    """All units drift and merge; how many storms have formed, on the squares that are left in `crowded`."""
    drift_units(
        units, arriving, crowded, blocks, windy, wind, width, height, stays_at_the_edge, dice, purpose, when
    )
    return merge_units(units, storms, months, arriving, crowded, blocks, lasts)


@rule
def drift_units(
    units: Layer,
    arriving: Layer,
    crowded: Layer,
    blocks: int,
    windy: Sequence[int],
    wind: int,
    width: int,
    height: int,
    stays_at_the_edge: bool,
    dice: int,
    purpose: int,
    when: int,
) -> None:
    """All units move at once: where one arrives and where several do is noted, and the layer is left empty."""
    for block in range(blocks):
        while units[block] != 0:
            square = block * BLOCK + first_of(units[block])
            units[block] &= units[block] - 1
            to = drift(square, windy, wind, width, height, dice, purpose, when)
            if to == OFF_THE_MAP and stays_at_the_edge:
                to = square
            if to != OFF_THE_MAP:
                put_in(crowded, to, is_in(arriving, to) or is_in(crowded, to))
                put_in(arriving, to, True)


@rule
def drift(
    square: int, windy: Sequence[int], wind: int, width: int, height: int, dice: int, purpose: int, when: int
) -> int:
    """Where a unit goes: with the wind on its square, or to a neighbour by chance; if none will do it stays."""
    if is_in(windy, square):
        return beside(square, wind, width, height)
    x = square % width
    off_the_map = (NORTHWARDS if square < width else 0) | (
        SOUTHWARDS if square >= width * (height - 1) else 0
    )
    off_the_map |= (WESTWARDS if x == 0 else 0) | (EASTWARDS if x == width - 1 else 0)
    ways, against = ANY_WAY & ~off_the_map, opposite(wind)
    if ways >> against & 1 and is_in(windy, square + STEP_X[against] + STEP_Y[against] * width):
        ways &= ~(1 << against)
    if ways == 0:
        return square
    for _ in range(below(dice, size_of(ways), purpose, square, when, DRIFTS)):
        ways &= ways - 1
    direction = first_of(ways)
    return square + STEP_X[direction] + STEP_Y[direction] * width


@rule
def merge_units(
    units: Layer,
    storms: Layer,
    months: Layer,
    arriving: Layer,
    crowded: Layer,
    blocks: int,
    lasts: int,
) -> int:
    """One that arrives is a unit, several are a storm, and a storm takes in whoever comes and lasts anew.

    Gives how many storms have formed, and leaves their squares in `crowded`, none in `arriving`.
    """
    formed = 0
    for block in range(blocks):
        come = arriving[block]
        crowded[block] &= ~storms[block]
        storms[block] |= crowded[block]
        units[block] = come & ~storms[block]
        arriving[block] = 0
        formed += size_of(crowded[block])
        renewed = come & storms[block]
        while renewed != 0:
            months[block * BLOCK + first_of(renewed)] = lasts
            renewed &= renewed - 1
    return formed


@rule
def age_storms(units: Layer, storms: Layer, months: Layer, blocks: int) -> None:
    """A month has passed: a storm whose time is over is one unit again. `months` has one entry a square."""
    for block in range(blocks):
        left = storms[block]
        while left != 0:
            square = block * BLOCK + first_of(left)
            left &= left - 1
            months[square] -= 1
            if months[square] == 0:
                put_in(storms, square, False)
                put_in(units, square, True)


@rule
def appear_units(
    units: Layer,
    storms: Sequence[int],
    ground: Layer,
    blocks: int,
    wanted: int,
    dice: int,
    purpose: int,
    where: int,
    when: int,
) -> int:
    """New units by chance on a ground, where there is neither unit nor storm; how many found no room.

    The ground is used up: no square is left in it.
    """
    for block in range(blocks):
        ground[block] &= ~(units[block] | storms[block])
    room = count_units(ground, blocks)
    for left in range(room, max(0, room - wanted), -1):
        square = nth_of(ground, below(dice, left, purpose, where + left, when, APPEARS))
        put_in(ground, square, False)
        put_in(units, square, True)
    for block in range(blocks):
        ground[block] = 0
    return max(0, wanted - room)


@rule
def fill(squares: Layer, many: int) -> None:
    """Put so many squares into a set, from the first on."""
    for block in range(len(squares)):
        inside = min(max(0, many - block * BLOCK), BLOCK)
        squares[block] = (1 << inside) - 1


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
    windy: Layer,
    blocks: int,
    heads: Sequence[int],
    count: int,
    length: int,
    wind: int,
    width: int,
    height: int,
) -> None:
    """Mark the squares that have wind: each stream's head and what lies straight upwind of it."""
    for block in range(blocks):
        windy[block] = 0
    step_x, step_y = STEP_X[wind], STEP_Y[wind]
    for stream in range(count):
        square = heads[stream]
        x = square % width
        for _ in range(length):
            if 0 <= x < width and 0 <= square < width * height:
                put_in(windy, square, True)
            x, square = x - step_x, square - step_x - step_y * width
