"""Weather over a grid of squares: cover that appears and disappears, units that drift, streams of wind.

This module knows neither the game nor its calendar. The caller passes this month's row of each climate table, and
how many units appear and disappear. A layer is a set of squares in blocks of 32, one bit per square, so that rules
process a whole block at once.

    cover      covers the whole map; each square changes independently, with the chances of its climate
    units      each on its own square; they vanish, drift, merge into storms and appear
    streams    a head and the squares straight upwind of it; all streams share the prevailing direction

Rules take what belongs together as one named tuple, built by the caller from the columns of its state. Compiled
rules pass the columns by reference, so a tuple copies no squares.
"""

from collections.abc import MutableSequence, Sequence
from enum import IntEnum
from typing import NamedTuple

from endturn.engine.dice import MASK, below, philox
from endturn.engine.rule import Table, rule
from endturn.mechanisms.grid import OFF_THE_MAP

Layer = MutableSequence[int]

BLOCK = 32  # squares processed together: one for each bit of a random word
CHANCE_BITS = 28  # a multiple of the four words of a roll
CERTAIN = 1 << CHANCE_BITS  # the chance of something that always happens
PERCENT = 100

VANISHES, DRIFTS, APPEARS = 0, 1, 2  # what a roll for a unit decides: the last part of its address


class Rolls(NamedTuple):
    """The address of a step's rolls, except for the place. No two rolls of a match share an address."""

    dice: int
    purpose: int  # the game's number for this kind of roll
    when: int  # the turn


class Units(NamedTuple):
    """The layers of drifting units, such as rain, and of the storms they merge into."""

    units: Layer
    storms: Layer
    months: Layer  # one number per square: the months its storm still lasts
    arriving: Layer  # where units arrive; empty between steps
    crowded: Layer  # where several units arrive
    blocks: int  # how many blocks of each layer lie on the map


class Wind(NamedTuple):
    """The squares with wind, the direction it blows to, and the size of the map."""

    windy: Layer
    direction: int
    width: int
    height: int


def chance(percent: int, rarer: int = 1) -> int:
    """A chance in percent, divided by `rarer`, in the unit that tables use."""
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
ANY_WAY = 0b11111111  # one bit per direction
NORTHWARDS, EASTWARDS, SOUTHWARDS, WESTWARDS = 0b10000011, 0b00001110, 0b00111000, 0b11100000


@rule
def beside(square: int, direction: int, width: int, height: int) -> int:
    """The neighbour of a square in a direction, or OFF_THE_MAP."""
    x, to = square % width + STEP_X[direction], square + STEP_X[direction] + STEP_Y[direction] * width
    return to if 0 <= x < width and 0 <= to < width * height else OFF_THE_MAP


@rule
def opposite(direction: int) -> int:
    """The opposite direction."""
    return (direction + DIRECTIONS // 2) % DIRECTIONS


# --- sets of squares ----------------------------------------------------------------------------------------


@rule
def is_in(squares: Sequence[int], square: int) -> bool:
    """Whether a square is in a set."""
    return squares[square >> 5] >> (square & 31) & 1 != 0


@rule
def put_in(squares: Layer, square: int, inside: bool) -> None:
    """Put a square into a set, or remove it."""
    bit = 1 << (square & 31)
    squares[square >> 5] = squares[square >> 5] | bit if inside else squares[square >> 5] & ~bit


@rule
def size_of(bits: int) -> int:
    """How many squares of a block are in a set, by adding bits in pairs, fours, eights, then all."""
    pairs = bits - (bits >> 1 & 0x55555555)
    fours = (pairs & 0x33333333) + (pairs >> 2 & 0x33333333)
    return ((fours + (fours >> 4) & 0x0F0F0F0F) * 0x01010101 & MASK) >> 24


@rule
def first_of(bits: int) -> int:
    """The place of a set's first square in a block; there must be one."""
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
    """Square n of a set, counting from 0; the set must have that many."""
    block = 0
    while nth >= size_of(units[block]):
        nth -= size_of(units[block])
        block += 1
    bits = units[block]
    for _ in range(nth):
        bits &= bits - 1
    return block * BLOCK + first_of(bits)


# --- cover --------------------------------------------------------------------------------------------------


@rule
def spread_cover(
    cover: Layer, climates: Sequence[Sequence[int]], initial: Sequence[int], blocks: int, rolls: Rolls
) -> None:
    """Before the first turn, cover each square with the initial chance of its climate."""
    for block in range(blocks):
        cover[block] = changed(0, climates, block, initial, initial, rolls)


@rule
def change_cover(
    cover: Layer,
    climates: Sequence[Sequence[int]],
    appear: Sequence[int],
    vanish: Sequence[int],
    blocks: int,
    rolls: Rolls,
) -> None:
    """Check every square once: cover may vanish and reappear in the same check, and may appear elsewhere."""
    for block in range(blocks):
        cover[block] ^= changed(cover[block], climates, block, appear, vanish, rolls)


@rule
def changed(
    covered: int,
    climates: Sequence[Sequence[int]],
    block: int,
    appear: Sequence[int],
    vanish: Sequence[int],
    rolls: Rolls,
) -> int:
    """The squares of a block whose cover changes in a check: one roll per square, with the chances of its climate.

    Cover is lost if it vanishes and does not reappear: one roll decides both, with the product of their chances.
    Rolls and chances are binary fractions, so the first bit in which they differ decides. The dice throw the first
    bit of all rolls, then the second bit of the undecided ones, and so on; few bits are needed. CERTAIN is not such a
    fraction, so it needs no roll.
    """
    undecided, won, bit = 0, 0, CHANCE_BITS
    for climate in range(len(climates)):
        able = (covered if vanish[climate] > 0 else 0) | (~covered if appear[climate] > 0 else 0)
        undecided |= climates[climate][block] & able
        if (appear[climate] | vanish[climate]) >= CERTAIN:
            won |= climates[climate][block] & surely_changed(covered, appear[climate], vanish[climate])
    while undecided != 0 and bit > 0:
        words = philox(rolls.dice, rolls.purpose, block, rolls.when, bit)
        bit -= len(words)
        for climate in range(len(climates)):
            there = undecided & climates[climate][block]
            if there != 0:
                undecided &= ~there
                lost = vanish[climate] * (CERTAIN - appear[climate]) >> CHANCE_BITS + bit
                found = appear[climate] >> bit
                for rolled in words:  # the next bit of the chances, for squares with cover and without
                    one = -(lost >> 3 & 1) & covered | -(found >> 3 & 1) & ~covered
                    lost <<= 1
                    found <<= 1
                    won |= there & one & ~rolled
                    there &= ~(one ^ rolled)
                undecided |= there
    return won


@rule
def surely_changed(covered: int, appear: int, vanish: int) -> int:
    """The squares without cover where it is CERTAIN to appear, and those certain to lose theirs."""
    lost = vanish == CERTAIN and appear == 0
    return (~covered if appear == CERTAIN else 0) | (covered if lost else 0)


# --- units --------------------------------------------------------------------------------------------------


@rule
def vanish_units(units: Layer, blocks: int, gone: int, rolls: Rolls) -> None:
    """Remove `gone` random units, or all if there are fewer."""
    left = count_units(units, blocks)
    for _ in range(min(gone, left)):
        nth = below(rolls.dice, left, rolls.purpose, left, rolls.when, VANISHES)
        put_in(units, nth_of(units, nth), False)
        left -= 1


@rule
def move_units(sky: Units, wind: Wind, stays_at_the_edge: bool, lasts: int, rolls: Rolls) -> int:
    """All units drift and merge. Returns the number of new storms, and leaves their squares in `crowded`."""
    drift_units(sky, wind, stays_at_the_edge, rolls)
    return merge_units(sky, lasts)


@rule
def drift_units(sky: Units, wind: Wind, stays_at_the_edge: bool, rolls: Rolls) -> None:
    """Move all units at once: mark where one arrives and where several do, and empty their layer."""
    for block in range(sky.blocks):
        while sky.units[block] != 0:
            square = block * BLOCK + first_of(sky.units[block])
            sky.units[block] &= sky.units[block] - 1
            to = drift(square, wind, rolls)
            if to == OFF_THE_MAP and stays_at_the_edge:
                to = square
            if to != OFF_THE_MAP:
                put_in(sky.crowded, to, is_in(sky.arriving, to) or is_in(sky.crowded, to))
                put_in(sky.arriving, to, True)


@rule
def drift(square: int, wind: Wind, rolls: Rolls) -> int:
    """Where a unit goes: with the wind on its square, else to a random neighbour; it stays if none is possible."""
    width, height = wind.width, wind.height
    if is_in(wind.windy, square):
        return beside(square, wind.direction, width, height)
    x = square % width
    off_the_map = (NORTHWARDS if square < width else 0) | (
        SOUTHWARDS if square >= width * (height - 1) else 0
    )
    off_the_map |= (WESTWARDS if x == 0 else 0) | (EASTWARDS if x == width - 1 else 0)
    ways, against = ANY_WAY & ~off_the_map, opposite(wind.direction)
    if ways >> against & 1 and is_in(wind.windy, square + STEP_X[against] + STEP_Y[against] * width):
        ways &= ~(1 << against)
    if ways == 0:
        return square
    for _ in range(below(rolls.dice, size_of(ways), rolls.purpose, square, rolls.when, DRIFTS)):
        ways &= ways - 1
    direction = first_of(ways)
    return square + STEP_X[direction] + STEP_Y[direction] * width


@rule
def merge_units(sky: Units, lasts: int) -> int:
    """One arrival is a unit, several form a storm, and a storm absorbs arrivals and lasts `lasts` months again.

    Returns the number of new storms, leaves their squares in `crowded`, and empties `arriving`.
    """
    formed = 0
    for block in range(sky.blocks):
        come = sky.arriving[block]
        sky.crowded[block] &= ~sky.storms[block]
        sky.storms[block] |= sky.crowded[block]
        sky.units[block] = come & ~sky.storms[block]
        sky.arriving[block] = 0
        formed += size_of(sky.crowded[block])
        renewed = come & sky.storms[block]
        while renewed != 0:
            sky.months[block * BLOCK + first_of(renewed)] = lasts
            renewed &= renewed - 1
    return formed


@rule
def age_storms(sky: Units) -> None:
    """A month has passed: a storm that ends becomes one unit again."""
    for block in range(sky.blocks):
        left = sky.storms[block]
        while left != 0:
            square = block * BLOCK + first_of(left)
            left &= left - 1
            sky.months[square] -= 1
            if sky.months[square] == 0:
                put_in(sky.storms, square, False)
                put_in(sky.units, square, True)


@rule
def appear_units(sky: Units, ground: Layer, wanted: int, where: int, rolls: Rolls) -> int:
    """Add `wanted` units on random squares of `ground` without unit or storm. Returns how many found no room.

    Empties `ground`. `where` is added to the place of the rolls, so that several grounds share no roll.
    """
    for block in range(sky.blocks):
        ground[block] &= ~(sky.units[block] | sky.storms[block])
    room = count_units(ground, sky.blocks)
    for left in range(room, max(0, room - wanted), -1):
        nth = below(rolls.dice, left, rolls.purpose, where + left, rolls.when, APPEARS)
        square = nth_of(ground, nth)
        put_in(ground, square, False)
        put_in(sky.units, square, True)
    for block in range(sky.blocks):
        ground[block] = 0
    return max(0, wanted - room)


@rule
def fill(squares: Layer, many: int) -> None:
    """Put the first `many` squares into a set, and no others."""
    for block in range(len(squares)):
        inside = min(max(0, many - block * BLOCK), BLOCK)
        squares[block] = (1 << inside) - 1


# --- streams of wind ----------------------------------------------------------------------------------------


@rule
def turn_wind(direction: int, any_direction: bool, rolls: Rolls) -> int:
    """The month's prevailing direction: any, or the last one kept (1/2) or turned by 45° either way (1/4 each)."""
    if any_direction:
        return below(rolls.dice, DIRECTIONS, rolls.purpose, 0, rolls.when)
    roll = below(rolls.dice, 4, rolls.purpose, 0, rolls.when)
    turned = 1 if roll == 0 else DIRECTIONS - 1 if roll == 1 else 0
    return (direction + turned) % DIRECTIONS


@rule
def move_heads(heads: Layer, count: int, wind: Wind, rolls: Rolls) -> None:
    """Move every head one square downwind; one that leaves the map restarts at the edge the wind comes from."""
    for stream in range(count):
        to = beside(heads[stream], wind.direction, wind.width, wind.height)
        if to == OFF_THE_MAP:
            to = upwind_edge(stream, wind, rolls)
        heads[stream] = to


@rule
def upwind_edge(stream: int, wind: Wind, rolls: Rolls) -> int:
    """A random square that the wind reaches from off the map, all equally likely."""
    step_x, step_y = STEP_X[wind.direction], STEP_Y[wind.direction]
    width, height = wind.width, wind.height
    inner = (width - abs(step_x)) * (height - abs(step_y))
    chosen = below(rolls.dice, width * height - inner, rolls.purpose, 1 + stream, rolls.when)
    side, row = 0 if step_x > 0 else width - 1, 0 if step_y > 0 else height - 1
    if step_x == 0:
        return chosen + row * width
    if chosen < height:
        return side + chosen * width
    along = chosen - height + (1 if side == 0 else 0)  # the side above already has the corner
    return along + row * width


@rule
def blow(wind: Wind, blocks: int, heads: Sequence[int], count: int, length: int) -> None:
    """Mark the squares with wind: each stream's head and the squares straight upwind of it, `length` in all."""
    for block in range(blocks):
        wind.windy[block] = 0
    step_x, step_y = STEP_X[wind.direction], STEP_Y[wind.direction]
    for stream in range(count):
        square = heads[stream]
        x = square % wind.width
        for _ in range(length):
            if 0 <= x < wind.width and 0 <= square < wind.width * wind.height:
                put_in(wind.windy, square, True)
            x, square = x - step_x, square - step_x - step_y * wind.width
