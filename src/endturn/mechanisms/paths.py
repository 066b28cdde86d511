"""Paths over a map with slow and closed tiles; maps are rows of bits, up to 62 tiles wide.

Bit x of `free[y]` marks tiles that can be entered, bit x of `slow[y]` tiles that cost two instead of one. A row of
tiles is one number, so extending a search by one point of cost takes a few shifts per row. A single path that costs at
most `LONGEST` stays in a window of 13 x 13 tiles around its ends. The window is four numbers (stripes) of four rows
with 14 bits each; the last bit of a row stays empty, so rows do not join at the edges.
"""

from collections.abc import MutableSequence, Sequence

from endturn.engine.rule import rule

WIDEST = 62  # the next bit is the sign
NO_WAY = -1
LONGEST = 12  # maximum cost of a single path
ACROSS = (2 << LONGEST) - 1  # all tiles of a window's row
STRIPE, STRIDE = 4, LONGEST + 2  # rows of a stripe, and bits from a row to the next
LAST_ROW = (STRIPE - 1) * STRIDE

Window = tuple[int, int, int, int]


@rule
def around(above: int, here: int, below: int, diagonal: bool) -> int:
    """Return the tiles adjacent to those of three rows, including corners if steps may be diagonal."""
    middle = here | above | below if diagonal else here
    return middle << 1 | middle >> 1 | above | below


@rule
def onward(free: int, slow: int, here: int, quick: int, late: int) -> int:
    """Return the reached tiles: the old ones, quick tiles next to them, and slow tiles next to those of a point ago."""
    return here | ((quick & ~slow) | (late & slow)) & free


# --- a single path ------------------------------------------------------------------------------------------


@rule
def corner(one: int, other: int) -> int:
    """Return the first column (or row) of a window that contains two columns (or rows)."""
    return max(0, min(one, other) - (LONGEST - abs(one - other)) // 2)


@rule
def stripe(rows: Sequence[int], left: int, top: int) -> int:
    """Return four rows of a map from a column and row as a stripe of a window."""
    made = 0
    for row in range(STRIPE):
        if top + row < len(rows):
            made |= (rows[top + row] >> left & ACROSS) << row * STRIDE
    return made


@rule
def window(rows: Sequence[int], left: int, top: int) -> Window:
    """Return the part of a map inside a window."""
    return (
        stripe(rows, left, top),
        stripe(rows, left, top + STRIPE),
        stripe(rows, left, top + 2 * STRIPE),
        stripe(rows, left, top + 3 * STRIPE),
    )


@rule
def is_in_window(x: int, y: int) -> bool:
    """Return whether a window contains a tile, counted from the window's corner."""
    return 0 <= x <= LONGEST and 0 <= y <= LONGEST


@rule
def spot(x: int, y: int) -> Window:
    """Return a window with a single tile, counted from its corner; empty if the tile is outside."""
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
    """Return the tiles of a window that are not in another."""
    return one[0] & ~other[0], one[1] & ~other[1], one[2] & ~other[2], one[3] & ~other[3]


@rule
def meets(one: Window, other: Window) -> bool:
    """Return whether two windows share a tile."""
    return (one[0] & other[0] | one[1] & other[1] | one[2] & other[2] | one[3] & other[3]) != 0


@rule
def beside(above: int, here: int, below: int, diagonal: bool) -> int:
    """Return the tiles adjacent to a stripe and to the adjacent rows of its neighbours; some may be outside."""
    north, south = here << STRIDE | above >> LAST_ROW, here >> STRIDE | (below & ACROSS) << LAST_ROW
    return around(north, here, south, diagonal)


@rule
def one_step(reach: Window, diagonal: bool) -> Window:
    """Return the tiles adjacent to those of a window; some may be outside."""
    a, b, c, d = reach
    return (
        beside(0, a, b, diagonal),
        beside(a, b, c, diagonal),
        beside(b, c, d, diagonal),
        beside(c, d, 0, diagonal),
    )


@rule
def cheapest(free: Window, slow: Window, start: Window, goal: Window, budget: int, diagonal: bool) -> int:
    """Return the lowest cost of a path from start to goal, at most LONGEST, or NO_WAY if over budget."""
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


# --- all paths ----------------------------------------------------------------------------------------------
# `reach` and `before` are scratch space, empty between searches: tiles reached at a cost, and at one less.


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
    """Extend the search by one point of cost; slow tiles continue from one point earlier."""
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
    """Clear the scratch space of a search."""
    for y in range(top, bottom):
        reach[y] = 0
        before[y] = 0
