"""Random maps of terrain: how many squares of each kind, in blocks of which sizes, and where the blocks lie.

The module knows no game: kinds of terrain are numbers, and weights and block sizes are data. A map is made once, before
a match, in plain Python. Decimals give the same results on every computer; floating-point logarithms do not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import NamedTuple

from endturn.engine.dice import Stream

EXACT = Context(prec=28)
TRIES = 20  # to draw a valid number of blocks
FINE = (1 << 30) - 1  # resolution of random numbers between 0 and 2
FREE = -1


class Span(NamedTuple):
    """The range for the number of blocks of a kind: from ln(size) - log_less to size / share."""

    log_less: int
    share: int


class Shape(NamedTuple):
    """A board: its width and height."""

    width: int
    height: int

    @property
    def size(self) -> int:
        """The number of squares."""
        return self.width * self.height

    def sides(self, square: int) -> Iterator[int]:
        """Return the squares that share a side with a square: north, west, east, south."""
        x, y = square % self.width, square // self.width
        if y > 0:
            yield square - self.width
        if x > 0:
            yield square - 1
        if x < self.width - 1:
            yield square + 1
        if y < self.height - 1:
            yield square + self.width

    def around(self, square: int) -> Iterator[int]:
        """Return the up to eight squares around a square."""
        x, y = square % self.width, square // self.width
        for ny in range(max(0, y - 1), min(self.height, y + 2)):
            for nx in range(max(0, x - 1), min(self.width, x + 2)):
                if (nx, ny) != (x, y):
                    yield nx + ny * self.width


def generate(
    shape: Shape, weights: Sequence[int], spans: Sequence[Span], dice: Stream, splits: bool = True
) -> list[int]:
    """Return a map: the kind of terrain of every square, as an index into `weights`."""
    counts = quantities(shape.size, weights, dice)
    blocks = {
        kind: block_sizes(count, shape.size, spans[kind], dice) for kind, count in enumerate(counts) if count
    }
    return flipped(shape, lay_out(shape, blocks, dice, splits), dice)


def quantities(size: int, weights: Sequence[int], dice: Stream) -> list[int]:
    """Draw the number of squares of each kind: one weighted draw per square."""
    counts = [0] * len(weights)
    for _ in range(size):
        counts[dice.weighted(weights)] += 1
    return counts


# --- sizes of blocks ----------------------------------------------------------------------------------------


def block_sizes(count: int, size: int, span: Span, dice: Stream) -> list[int]:
    """Split the squares of one kind into block sizes; the last block takes the rest."""
    with localcontext(EXACT):
        low, high = Decimal(size).ln() - span.log_less, Decimal(size) / span.share
        middle = (low + high) / 2
        spread = abs((high - middle) / 3)
        sizes: list[int] = []
        left = count
        while left > 0:
            share = min(Decimal(left), count / number_of_blocks(middle, spread, dice))
            sizes.append(max(1, int(share.to_integral_value(ROUND_HALF_EVEN))))
            left -= sizes[-1]
        return sizes


def number_of_blocks(middle: Decimal, spread: Decimal, dice: Stream) -> Decimal:
    """Draw a positive number around the middle, or 1 if TRIES draws give none."""
    for _ in range(TRIES):
        drawn = middle + spread * normal(dice)
        if drawn > 0:
            return drawn
    return Decimal(1)


def normal(dice: Stream) -> Decimal:
    """Draw a normally distributed number with mean 0 and deviation 1 (Marsaglia's polar method)."""
    while True:
        x, y = (Decimal(2 * dice.below(FINE) - FINE) / FINE for _ in range(2))
        square = x * x + y * y
        if 0 < square < 1:
            return x * (-2 * square.ln() / square).sqrt()


# --- placing blocks -----------------------------------------------------------------------------------------


def lay_out(shape: Shape, blocks: dict[int, list[int]], dice: Stream, splits: bool) -> list[int]:
    """Place blocks of random kinds, each from the first free square with room for it.

    If no room is large enough, the block is split: a part fills the largest room and the rest comes later. If blocks
    may not be split, every remaining room gets one random kind and the map is finished.
    """
    made = [FREE] * shape.size
    waiting = {kind: list(sizes) for kind, sizes in blocks.items()}
    while waiting:
        kind = dice.choice(sorted(waiting))
        size = waiting[kind].pop(0)
        rooms = components(shape, made)
        room = room_for(size, rooms)
        if len(room) < size:
            if not splits:
                return paint_the_rest(made, rooms, sorted(blocks), dice)
            waiting[kind].insert(0, size - len(room))
            size = len(room)
        grow(shape, made, room[0], size, kind, dice)
        if not waiting[kind]:
            del waiting[kind]
    return made


def room_for(size: int, rooms: list[list[int]]) -> list[int]:
    """Return the first room that fits a block, or the largest room if none does."""
    return next((room for room in rooms if len(room) >= size), max(rooms, key=len))


def paint_the_rest(made: list[int], rooms: list[list[int]], kinds: list[int], dice: Stream) -> list[int]:
    """Fill every remaining room with one random kind."""
    for room in rooms:
        kind = dice.choice(kinds)
        for square in room:
            made[square] = kind
    return made


def components(shape: Shape, made: Sequence[int]) -> list[list[int]]:
    """Return the groups of free squares connected by sides, each in reading order."""
    seen: set[int] = set()
    found = []
    for square in range(shape.size):
        if made[square] == FREE and square not in seen:
            group = reachable(shape.sides, square, lambda to: made[to] == FREE)
            seen |= group
            found.append(sorted(group))
    return found


def reachable(steps: Callable[[int], Iterable[int]], start: int, is_open: Callable[[int], bool]) -> set[int]:
    """Return all open squares that can be reached from a start."""
    seen, edge = {start}, [start]
    while edge:
        for to in steps(edge.pop()):
            if to not in seen and is_open(to):
                seen.add(to)
                edge.append(to)
    return seen


def grow(shape: Shape, made: list[int], start: int, size: int, kind: int, dice: Stream) -> None:
    """Grow a block square by square, each time where it splits the free squares the least."""
    made[start] = kind
    frontier = {to for to in shape.sides(start) if made[to] == FREE}
    for _ in range(size - 1):
        torn = {square: pieces_left(shape, made, square) for square in sorted(frontier)}
        least = min(torn.values())
        chosen = dice.choice([square for square, pieces in torn.items() if pieces == least])
        made[chosen] = kind
        frontier.discard(chosen)
        frontier |= {to for to in shape.sides(chosen) if made[to] == FREE}


def pieces_left(shape: Shape, made: Sequence[int], square: int) -> int:
    """Return the number of groups of free neighbours that remain when a square is taken."""
    beside = [to for to in shape.sides(square) if made[to] == FREE]
    if len(beside) < 2:
        return len(beside)
    near = {to for to in shape.around(square) if made[to] == FREE}
    if len(groups(shape, beside, near.__contains__)) == 1:
        return 1  # connected nearby, so no need to search further
    return len(groups(shape, beside, lambda to: to != square and made[to] == FREE))


def groups(shape: Shape, squares: Iterable[int], is_open: Callable[[int], bool]) -> list[set[int]]:
    """Return the groups of connected open squares that contain one of these squares."""
    found: list[set[int]] = []
    for square in squares:
        if not any(square in group for group in found):
            found.append(reachable(shape.sides, square, is_open))
    return found


# --- the map as a whole -------------------------------------------------------------------------------------


def flipped(shape: Shape, made: list[int], dice: Stream) -> list[int]:
    """Mirror the map at random, vertically, horizontally or both, since blocks start in one corner."""
    rows = [made[y * shape.width : (y + 1) * shape.width] for y in range(shape.height)]
    if dice.below(2):
        rows = [row[::-1] for row in rows]
    if dice.below(2):
        rows = rows[::-1]
    return [kind for row in rows for kind in row]


def half_turned(made: Sequence[int]) -> list[int]:
    """Return the first half of the map followed by its rotation by 180 degrees."""
    half = (len(made) + 1) // 2
    return list(made[:half]) + list(made[: len(made) - half])[::-1]


def shortest_path(
    steps: Callable[[int], Iterable[int]], start: int, goal: int, is_open: Callable[[int], bool]
) -> list[int] | None:
    """Return a shortest path over open squares with both ends, or None."""
    came: dict[int, int] = {start: start}
    line = [start]
    for square in line:
        if square == goal:
            path = [goal]
            while path[-1] != start:
                path.append(came[path[-1]])
            return path[::-1]
        for to in steps(square):
            if to not in came and is_open(to):
                came[to] = square
                line.append(to)
    return None
