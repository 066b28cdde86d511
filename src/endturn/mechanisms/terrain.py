"""A map of terrain by chance: how much there is of each kind, in blocks of which sizes, and where they lie.

It knows no game: kinds of terrain are numbers, their weights and the spans of their blocks are data. A map is
made once, before a match, and in plain Python. Decimals are the same on every machine, which logarithms in
floating point are not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import NamedTuple

from endturn.engine.dice import Stream

EXACT = Context(prec=28)
TRIES = 20  # for a number of blocks that makes sense
FINE = (1 << 30) - 1  # how finely numbers between 0 and 2 are drawn
FREE = -1


class Span(NamedTuple):
    """Into how many blocks a kind of terrain falls: between ln(size) - log_less and size / share."""

    log_less: int
    share: int


class Shape(NamedTuple):
    """A board: its width and height."""

    width: int
    height: int

    @property
    def size(self) -> int:
        """How many squares there are."""
        return self.width * self.height

    def sides(self, square: int) -> Iterator[int]:
        """The squares that share a side with one: north, west, east, south."""
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
        """The up to eight squares next to one."""
        x, y = square % self.width, square // self.width
        for ny in range(max(0, y - 1), min(self.height, y + 2)):
            for nx in range(max(0, x - 1), min(self.width, x + 2)):
                if (nx, ny) != (x, y):
                    yield nx + ny * self.width


def generate(
    shape: Shape, weights: Sequence[int], spans: Sequence[Span], dice: Stream, splits: bool = True
) -> list[int]:
    """A map: a kind of terrain for every square, kinds numbered as in `weights`."""
    counts = quantities(shape.size, weights, dice)
    blocks = {
        kind: block_sizes(count, shape.size, spans[kind], dice) for kind, count in enumerate(counts) if count
    }
    return flipped(shape, lay_out(shape, blocks, dice, splits), dice)


def quantities(size: int, weights: Sequence[int], dice: Stream) -> list[int]:
    """How many squares of each kind: every square draws one by the weights, and only the totals are kept."""
    counts = [0] * len(weights)
    for _ in range(size):
        counts[dice.weighted(weights)] += 1
    return counts


# --- sizes of blocks ----------------------------------------------------------------------------------------


def block_sizes(count: int, size: int, span: Span, dice: Stream) -> list[int]:
    """Into which blocks so many squares of one kind fall; the last one takes the rest."""
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
    """A positive number around the middle; 1 when none came up in TRIES draws."""
    for _ in range(TRIES):
        drawn = middle + spread * normal(dice)
        if drawn > 0:
            return drawn
    return Decimal(1)


def normal(dice: Stream) -> Decimal:
    """A normally distributed number with mean 0 and deviation 1 (Marsaglia's polar method)."""
    while True:
        x, y = (Decimal(2 * dice.below(FINE) - FINE) / FINE for _ in range(2))
        square = x * x + y * y
        if 0 < square < 1:
            return x * (-2 * square.ln() / square).sqrt()


# --- placing blocks -----------------------------------------------------------------------------------------


def lay_out(shape: Shape, blocks: dict[int, list[int]], dice: Stream, splits: bool) -> list[int]:
    """Place block after block, of a kind by chance, from the first free square that has room for it.

    Where no room is large enough a block is split: it fills the largest, and the rest of it comes later. If it may
    not be split the map is finished at once, each room that is left with one kind by chance.
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
    """The first room in which a block has room, or the largest where there is none."""
    return next((room for room in rooms if len(room) >= size), max(rooms, key=len))


def paint_the_rest(made: list[int], rooms: list[list[int]], kinds: list[int], dice: Stream) -> list[int]:
    """Every room that is left gets one kind by chance."""
    for room in rooms:
        kind = dice.choice(kinds)
        for square in room:
            made[square] = kind
    return made


def components(shape: Shape, made: Sequence[int]) -> list[list[int]]:
    """The free squares in groups that hang together by sides, each in the order of reading."""
    seen: set[int] = set()
    found = []
    for square in range(shape.size):
        if made[square] == FREE and square not in seen:
            group = reachable(shape.sides, square, lambda to: made[to] == FREE)
            seen |= group
            found.append(sorted(group))
    return found


def reachable(steps: Callable[[int], Iterable[int]], start: int, is_open: Callable[[int], bool]) -> set[int]:
    """Every square that can be reached from a start over open ones."""
    seen, edge = {start}, [start]
    while edge:
        for to in steps(edge.pop()):
            if to not in seen and is_open(to):
                seen.add(to)
                edge.append(to)
    return seen


def grow(shape: Shape, made: list[int], start: int, size: int, kind: int, dice: Stream) -> None:
    """Grow a block square by square, each time where it tears the free squares apart the least."""
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
    """Into how many groups the free neighbours of a square fall when it is taken away."""
    beside = [to for to in shape.sides(square) if made[to] == FREE]
    if len(beside) < 2:
        return len(beside)
    near = {to for to in shape.around(square) if made[to] == FREE}
    if len(groups(shape, beside, near.__contains__)) == 1:
        return 1  # they touch each other near by: no need to look farther
    return len(groups(shape, beside, lambda to: to != square and made[to] == FREE))


def groups(shape: Shape, squares: Iterable[int], is_open: Callable[[int], bool]) -> list[set[int]]:
    """The groups of open squares that hang together by sides and hold one of these squares."""
    found: list[set[int]] = []
    for square in squares:
        if not any(square in group for group in found):
            found.append(reachable(shape.sides, square, is_open))
    return found


# --- the map as a whole -------------------------------------------------------------------------------------


def flipped(shape: Shape, made: list[int], dice: Stream) -> list[int]:
    """The map seen in a mirror, upright or level or both by chance: blocks are packed from one corner."""
    rows = [made[y * shape.width : (y + 1) * shape.width] for y in range(shape.height)]
    if dice.below(2):
        rows = [row[::-1] for row in rows]
    if dice.below(2):
        rows = rows[::-1]
    return [kind for row in rows for kind in row]


def half_turned(made: Sequence[int]) -> list[int]:
    """The first half of the map, and the same turned by 180 degrees."""
    half = (len(made) + 1) // 2
    return list(made[:half]) + list(made[: len(made) - half])[::-1]


def shortest_path(
    steps: Callable[[int], Iterable[int]], start: int, goal: int, is_open: Callable[[int], bool]
) -> list[int] | None:
    """The squares of a shortest path over open ones, both ends included; None where there is none."""
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
