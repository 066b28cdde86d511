"""Ways over a map of tiles, some slow to enter, some closed; maps are rows of bits, as wide as 62 tiles.

Bit x of `free[y]` is set where one may walk, of `slow[y]` where a step costs two instead of one. `reach` and
`before` are room to work in, and empty again afterwards: where one can be at a cost, and at one less. A row of
tiles is one number, so one more point of cost is a few shifts for each row.
"""

from collections.abc import MutableSequence, Sequence

from endturn.engine.rule import rule

WIDEST = 62  # a bit more would be the sign
NO_WAY = -1


@rule
def around(above: int, here: int, below: int, diagonal: bool) -> int:
    """The tiles beside those of a row and of the two next to it; corners count where steps are diagonal too."""
    middle = here | above | below if diagonal else here
    return middle << 1 | middle >> 1 | above | below


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
        reach[y] = here | (((quick & ~slow[y]) | (late & slow[y])) & free[y])
        before[y] = here
        above, above_before = here, here_before


@rule
def band(
    height: int, start: tuple[int, int], goal: tuple[int, int], budget: int, diagonal: bool
) -> tuple[int, int]:
    """The rows that a way from start to goal can touch within the budget: the first, and the one past the last."""
    spare = budget - abs(start[1] - goal[1]) - (0 if diagonal else abs(start[0] - goal[0]))
    aside = max(0, spare) // 2
    return max(0, min(start[1], goal[1]) - aside), min(height, max(start[1], goal[1]) + aside + 1)


@rule
def goes_straight(
    free: Sequence[int], slow: Sequence[int], start: tuple[int, int], goal: tuple[int, int]
) -> bool:
    """Whether a way without detours or slow tiles leads from start to goal, east, west, north and south.

    Such a way is the cheapest there can be, and found in one pass: row by row, from the western end to the eastern.
    `free` matters only in the rows between them.
    """
    west, east = (start, goal) if start[0] <= goal[0] else (goal, start)
    columns = (2 << east[0]) - (1 << west[0])
    step = 1 if east[1] >= west[1] else -1
    here = 1 << west[0]
    for y in range(west[1], east[1] + step, step):
        quick = free[y] & ~slow[y] & columns
        if y == start[1]:
            quick |= 1 << start[0]  # it is there already, whatever the tile is
        seeds = here & quick
        here = (
            quick & ~(quick + seeds)
        ) | seeds  # adding lets a bit run eastward to the end of the free tiles
    return here >> east[0] & 1 != 0


@rule
def cheapest(
    free: Sequence[int],
    slow: Sequence[int],
    reach: MutableSequence[int],
    before: MutableSequence[int],
    height: int,
    start: tuple[int, int],
    goal: tuple[int, int],
    budget: int,
    diagonal: bool,
) -> int:
    """The least cost of a way from start to goal, as (x, y), or NO_WAY within the budget; `free` only in its band."""
    top, bottom = band(height, start, goal, budget, diagonal)
    found, cost = NO_WAY, 0
    reach[start[1]] = 1 << start[0]
    while found == NO_WAY and cost < budget:
        cost += 1
        spread(
            free, slow, reach, before, max(top, start[1] - cost), min(bottom, start[1] + cost + 1), diagonal
        )
        if (reach[goal[1]] >> goal[0]) & 1:
            found = cost
    clear(reach, before, top, bottom)
    return found


@rule
def clear(reach: MutableSequence[int], before: MutableSequence[int], top: int, bottom: int) -> None:
    """Leave no trace of a search."""
    for y in range(top, bottom):
        reach[y] = 0
        before[y] = 0
