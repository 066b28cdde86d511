"""Ways over a map of tiles, some slow to enter, some closed; maps are rows of bits, as wide as 62 tiles.

Bit x of `free[y]` is set where one may walk, of `slow[y]` where a step costs two instead of one. A row of tiles is
one number, so one more point of cost is a few shifts for each row. For a single way even less is enough: one that
costs at most `LONGEST` never leaves a window of 13 x 13 tiles around its ends, and that is four numbers
(stripes) of four rows each, 14 bits a row: the last one is always empty, so that rows do not join at the edges.
"""

from collections.abc import MutableSequence, Sequence

from endturn.engine.rule import rule

WIDEST = 62  # a bit more would be the sign
NO_WAY = -1
LONGEST = 12  # the most that a single way may cost
ACROSS = (2 << LONGEST) - 1  # the tiles of a window's row
STRIPE, STRIDE = 4, LONGEST + 2  # rows of a stripe, and bits from a row to the next
LAST_ROW = (STRIPE - 1) * STRIDE

Window = tuple[int, int, int, int]


@rule
def around(above: int, here: int, below: int, diagonal: bool) -> int:
    """The tiles beside those of a row and of the two next to it; corners count where steps are diagonal too."""
    middle = here | above | below if diagonal else here
    return middle << 1 | middle >> 1 | above | below


@rule
def onward(free: int, slow: int, here: int, quick: int, late: int) -> int:
    """Where one can be: here still, on quick tiles one step from here, on slow ones one step from a point ago."""
    return here | ((quick & ~slow) | (late & slow)) & free


# --- a single way -------------------------------------------------------------------------------------------


@rule
def corner(one: int, other: int) -> int:
    """The first column of a window that two columns are in, or the first row of one that two rows are in."""
    return max(0, min(one, other) - (LONGEST - abs(one - other)) // 2)


@rule
def stripe(rows: Sequence[int], left: int, top: int) -> int:
    """Four rows of a map, from a column and a row on, as a stripe of a window."""
    made = 0
    for row in range(STRIPE):
        if top + row < len(rows):
            made |= (rows[top + row] >> left & ACROSS) << row * STRIDE
    return made


@rule
def window(rows: Sequence[int], left: int, top: int) -> Window:
    """What a map has in a window."""
    return (
        stripe(rows, left, top),
        stripe(rows, left, top + STRIPE),
        stripe(rows, left, top + 2 * STRIPE),
        stripe(rows, left, top + 3 * STRIPE),
    )


@rule
def is_in_window(x: int, y: int) -> bool:
    """Whether a tile is in a window, counted from its corner."""
    return 0 <= x <= LONGEST and 0 <= y <= LONGEST


@rule
def spot(x: int, y: int) -> Window:
    """A window with a single tile in it, counted from its corner; with none where the tile is outside."""
    bit = 1 << y % STRIPE * STRIDE + x if is_in_window(x, y) else 0
    which = y // STRIPE
    return (
        bit if which == 0 else 0,
        bit if which == 1 else 0,
        bit if which == 2 else 0,
        bit if which == 3 else 0,
    )


@rule
def without(one: Window, other: Window) -> Window:
    """The tiles of a window that are not in another one."""
    return one[0] & ~other[0], one[1] & ~other[1], one[2] & ~other[2], one[3] & ~other[3]


@rule
def meets(one: Window, other: Window) -> bool:
    """Whether two windows have a tile in common."""
    return (one[0] & other[0] | one[1] & other[1] | one[2] & other[2] | one[3] & other[3]) != 0


@rule
def beside(above: int, here: int, below: int, diagonal: bool) -> int:
    """The tiles beside those of a stripe, and beside the rows of the two stripes next to it; and some outside."""
    north, south = here << STRIDE | above >> LAST_ROW, here >> STRIDE | (below & ACROSS) << LAST_ROW
    return around(north, here, south, diagonal)


@rule
def one_step(reach: Window, diagonal: bool) -> Window:
    """The tiles beside those of a window; and some outside."""
    a, b, c, d = reach
    return (
        beside(0, a, b, diagonal),
        beside(a, b, c, diagonal),
        beside(b, c, d, diagonal),
        beside(c, d, 0, diagonal),
    )


@rule
def cheapest(free: Window, slow: Window, start: Window, goal: Window, budget: int, diagonal: bool) -> int:
    """The least cost of a way from start to goal, at most LONGEST, or NO_WAY within the budget."""
    reach, late = start, (0, 0, 0, 0)
    for cost in range(1, budget + 1):
        quick = one_step(reach, diagonal)
        reach = (
            onward(free[0], slow[0], reach[0], quick[0], late[0]),
            onward(free[1], slow[1], reach[1], quick[1], late[1]),
            onward(free[2], slow[2], reach[2], quick[2], late[2]),
            onward(free[3], slow[3], reach[3], quick[3], late[3]),
        )
        late = quick
        if meets(reach, goal):
            return cost
    return NO_WAY


# --- all ways -----------------------------------------------------------------------------------------------
# `reach` and `before` are room to work in, and empty again afterwards: where one can be at a cost, and at one less.


@rule
def spread(
    free: Sequence[int],
    slow: Sequence[int],
    reach: MutableSequence[int],
    before: MutableSequence[int],
    top: int,
    bottom: int,
    diagonal: bool,
) -> None:
    """One more point of cost: a step from where one is, onto a slow tile from where one was a point ago."""
    above, above_before = 0, 0
    for y in range(top, bottom):
        here, here_before = reach[y], before[y]
        last = y + 1 == bottom
        quick = around(above, here, 0 if last else reach[y + 1], diagonal)
        late = around(above_before, here_before, 0 if last else before[y + 1], diagonal)
        reach[y] = onward(free[y], slow[y], here, quick, late)
        before[y] = here
        above, above_before = here, here_before


@rule
def clear(reach: MutableSequence[int], before: MutableSequence[int], top: int, bottom: int) -> None:
    """Leave no trace of a search."""
    for y in range(top, bottom):
        reach[y] = 0
        before[y] = 0
