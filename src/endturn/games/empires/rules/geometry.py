"""The shape of the map: neighbours, distances and circles; square or hexagonal, flat or isometric, wrapping or not.

Tiles are numbered row by row in native coordinates. Distances are measured in map coordinates: those are the same on
a flat map, and turned by an eighth on an isometric one.
"""

from dataclasses import dataclass, field

#   0 1 2
#   3 . 4
#   5 6 7
DIRECTIONS = (-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)
STRAIGHT = (0, -1), (-1, 0), (1, 0), (0, 1)


def _wrapped(step: int, size: int) -> int:
    return (step + size // 2) % size - size // 2


@dataclass(slots=True)
class Geometry:
    """A map's size and topology, with a cache of answers."""

    width: int
    height: int
    wraps_x: bool
    wraps_y: bool
    is_iso: bool
    is_hex: bool
    directions: tuple[tuple[int, int], ...] = ()
    circles: dict[tuple[int, int], list[tuple[int, int]]] = field(default_factory=dict)
    squares: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    straights: dict[int, list[int]] = field(default_factory=dict)
    spans: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Find the directions that exist, of the eight."""
        missing = {((1, -1), (-1, 1)), ((1, 1), (-1, -1))}
        gone = () if not self.is_hex else ((1, -1), (-1, 1)) if self.is_iso else ((1, 1), (-1, -1))
        assert not gone or gone in missing
        self.directions = tuple(each for each in DIRECTIONS if each not in gone)

    @property
    def tiles(self) -> int:
        """The number of tiles."""
        return self.width * self.height

    def to_map(self, x: int, y: int) -> tuple[int, int]:
        """Native coordinates as map coordinates."""
        if not (self.is_iso or self.is_hex):
            return x, y
        across = (y + (y & 1)) // 2 + x
        return across, y - across + self.width

    def to_native(self, x: int, y: int) -> tuple[int, int]:
        """Map coordinates as native coordinates."""
        if not (self.is_iso or self.is_hex):
            return x, y
        down = x + y - self.width
        return (2 * x - down - (down & 1)) // 2, down

    def tile(self, x: int, y: int) -> int | None:
        """The tile at map coordinates, wrapped around if the map wraps; None if it is off the map."""
        across, down = self.to_native(x, y)
        if self.wraps_x:
            across %= self.width
        if self.wraps_y:
            down %= self.height
        if 0 <= across < self.width and 0 <= down < self.height:
            return down * self.width + across
        return None

    def vector(self, start: int, end: int) -> tuple[int, int]:
        """The shortest vector between two tiles, in map coordinates."""
        y0, x0 = divmod(start, self.width)
        y1, x1 = divmod(end, self.width)
        if self.wraps_x:
            x1 = x0 + _wrapped(x1 - x0, self.width)
        if self.wraps_y:
            y1 = y0 + _wrapped(y1 - y0, self.height)
        mx0, my0 = self.to_map(x0, y0)
        mx1, my1 = self.to_map(x1, y1)
        return mx1 - mx0, my1 - my0

    def steps(self, dx: int, dy: int) -> int:
        """How many steps a vector takes; a diagonal that exists counts as one."""
        apart = self.is_hex and (dx * dy < 0 if self.is_iso else dx * dy > 0)
        return abs(dx) + abs(dy) if apart else max(abs(dx), abs(dy))

    def distance(self, start: int, end: int) -> int:
        """The steps between two tiles."""
        return self.steps(*self.vector(start, end))

    def squared(self, dx: int, dy: int) -> int:
        """The squared length of a vector."""
        return self.steps(dx, dy) ** 2 if self.is_hex else dx * dx + dy * dy

    def span(self, start: int, end: int) -> int:
        """The squared distance between two tiles, cached."""
        key = start, end
        found = self.spans.get(key)
        if found is None:
            found = self.spans[key] = self.squared(*self.vector(start, end))
        return found

    def circle(self, center: int, radius_sq: int) -> list[tuple[int, int]]:
        """The tiles within a squared distance, each with its squared distance, nearest first."""
        key = center, radius_sq
        if key not in self.circles:
            reach = int(radius_sq**0.5) + 1
            steps = [(x, y) for x in range(-reach, reach + 1) for y in range(-reach, reach + 1)]
            steps = [step for step in steps if self.squared(*step) <= radius_sq]
            steps.sort(key=lambda step: (self.squared(*step), step))
            mx, my = self.to_map(center % self.width, center // self.width)
            found = ((self.tile(mx + dx, my + dy), self.squared(dx, dy)) for dx, dy in steps)
            self.circles[key] = [(tile, sq) for tile, sq in found if tile is not None]
        return self.circles[key]

    def square(self, center: int, reach: int) -> list[int]:
        """The tiles within a number of steps, the center first."""
        key = center, reach
        if key not in self.squares:
            mx, my = self.to_map(center % self.width, center // self.width)
            span = range(-reach, reach + 1)
            steps = [(x, y) for y in span for x in span if self.steps(x, y) <= reach]
            found = (self.tile(mx + dx, my + dy) for dx, dy in sorted(steps, key=lambda s: self.steps(*s)))
            self.squares[key] = [tile for tile in found if tile is not None]
        return self.squares[key]

    def adjacent(self, center: int) -> list[int]:
        """The neighbours of a tile."""
        return self.square(center, 1)[1:]

    def straight(self, center: int) -> list[int]:
        """The neighbours that share an edge with a tile."""
        if center not in self.straights:
            mx, my = self.to_map(center % self.width, center // self.width)
            steps = self.directions if self.is_hex else STRAIGHT
            found = (self.tile(mx + dx, my + dy) for dx, dy in steps)
            self.straights[center] = [tile for tile in found if tile is not None]
        return self.straights[center]
