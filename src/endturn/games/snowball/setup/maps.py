"""Maps as text that a designer can write, and checks of their quality (chapter M).

......m..~~..T..     one character per tile, one line per row: . snow, ~ ice, T full cover, m half cover, o hole,
.A...o...~~...B.     A and B the snow around which the first and the second seat place their units

Rows may also be separated by / instead of line breaks, so that a setting can be a single line.
"""

from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from pathlib import Path
from typing import NamedTuple

from endturn.engine.parts import BadMap, MapReport
from endturn.games.snowball.state import Ground
from endturn.mechanisms.paths import WIDEST

LETTERS = {
    ".": Ground.SNOW,
    "~": Ground.ICE,
    "T": Ground.FULL_COVER,
    "m": Ground.HALF_COVER,
    "o": Ground.HOLE,
    "A": Ground.SNOW,
    "B": Ground.SNOW,
}
STARTS = "AB"
HIGHEST = 60
ZONE = 8  # tiles around a start (P2)
APART = 2 * ZONE + 1  # minimum distance between starts, so that their zones share no tile (M6)
SNOW_IN_ZONE = 60  # minimum number of tiles (M6)
COVER_SHARE = 5, 8  # percent of the tiles: about 6 to 7 (M7)
HALF_SHARE = 60  # minimum percent of the cover (M7)
ICE_COSTS, DETOUR_COSTS = 3, 6  # minimum extra cost (M8)
UNREACHABLE = 1 << 20

Place = tuple[int, int]


class MapPlan(NamedTuple):
    """A map: the ground by row and column, and where the seats start."""

    ground: tuple[tuple[Ground, ...], ...]
    starts: tuple[Place, Place]

    @property
    def width(self) -> int:
        """Tiles from west to east."""
        return len(self.ground[0])

    @property
    def height(self) -> int:
        """Tiles from north to south."""
        return len(self.ground)

    def places(self) -> Iterator[tuple[Place, Ground]]:
        """Every tile, row by row, with its ground."""
        for y, row in enumerate(self.ground):
            for x, ground in enumerate(row):
                yield (x, y), ground

    def at(self, place: Place) -> Ground:
        """The ground of a tile."""
        return self.ground[place[1]][place[0]]

    def opposite(self, place: Place) -> Place:
        """The tile opposite a tile after half a turn of the map."""
        return self.width - 1 - place[0], self.height - 1 - place[1]


# --- reading and writing ------------------------------------------------------------------------------------


def frozen_ring() -> MapPlan:
    """The map that the rules describe."""
    return read_map((Path(__file__).parent / "frozen_ring.txt").read_text())


def read_map(text: str) -> MapPlan:
    """Read a map from its text. Raises BadMap."""
    rows = text.rstrip().replace("/", "\n").splitlines()
    if not rows:
        raise BadMap("Line 1, column 1: the map is empty. Draw at least one row of tiles.")
    starts: dict[str, Place] = {}
    # Most rows have the right width. A row that differs is wrong, even if it is the first.
    width = Counter(map(len, rows)).most_common(1)[0][0]
    for y, row in enumerate(rows):
        for x, letter in enumerate(row[:WIDEST]):
            _check_letter(letter, x, y, starts)
        _check_width(y + 1, len(row), width)
    if len(rows) > HIGHEST:
        raise BadMap(f"Line {HIGHEST + 1}, column 1: a map has at most {HIGHEST} rows, not {len(rows)}.")
    for letter in STARTS:
        if letter not in starts:
            raise BadMap(f"Line {len(rows)}, column 1: the map has no start {letter}.")
    plan = MapPlan(
        tuple(tuple(LETTERS[letter] for letter in row) for row in rows), (starts["A"], starts["B"])
    )
    _check_zones(plan)
    return plan


def _check_width(line: int, tiles: int, width: int) -> None:
    if tiles > WIDEST:
        raise BadMap(f"Line {line}, column {WIDEST + 1}: a row has at most {WIDEST} tiles, not {tiles}.")
    if tiles != width:
        at = min(tiles, width) + 1
        raise BadMap(f"Line {line}, column {at}: this row has {tiles} tiles, but most rows have {width}.")


def _check_letter(letter: str, x: int, y: int, starts: dict[str, Place]) -> None:
    where = f"Line {y + 1}, column {x + 1}"
    if letter not in LETTERS:
        raise BadMap(f"{where}: {letter!r} is not a tile. Tiles are {' '.join(LETTERS)}.")
    if letter in STARTS:
        if letter in starts:
            before = starts[letter]
            raise BadMap(
                f"{where}: the map already has a start {letter} at line {before[1] + 1}, column {before[0] + 1}."
            )
        starts[letter] = x, y


def _check_zones(plan: MapPlan) -> None:
    """Check what every match needs: zones that share no tile and have enough snow (M6)."""
    (ax, ay), (bx, by) = plan.starts
    if (ax - bx) ** 2 + (ay - by) ** 2 < APART**2:
        raise BadMap(f"Line {by + 1}, column {bx + 1}: the starts must be at least {APART} tiles apart.")
    for letter, (x, y) in zip(STARTS, plan.starts, strict=True):
        if (count := snow_in_zone(plan, (x, y))) < SNOW_IN_ZONE:
            raise BadMap(
                f"Line {y + 1}, column {x + 1}: start {letter} needs at least {SNOW_IN_ZONE} tiles of snow "
                f"within {ZONE} tiles, but has {count}."
            )


def write_map(plan: MapPlan) -> str:
    """Write a map as text."""
    letters = {ground: letter for letter, ground in reversed(LETTERS.items())}
    rows = [[letters[ground] for ground in row] for row in plan.ground]
    for letter, (x, y) in zip(STARTS, plan.starts, strict=True):
        rows[y][x] = letter
    return "\n".join("".join(row) for row in rows) + "\n"


# --- is it a good map? --------------------------------------------------------------------------------------


def snow_in_zone(plan: MapPlan, start: Place) -> int:
    """Tiles of snow near a start (M6)."""
    return sum(
        ground == Ground.SNOW and (x - start[0]) ** 2 + (y - start[1]) ** 2 <= ZONE**2
        for (x, y), ground in plan.places()
    )


class Figures(NamedTuple):
    """The numbers of a map."""

    width: int
    height: int
    tiles: dict[str, int]  # how many, by kind of ground
    cover_percent: float  # of the tiles
    half_percent: float  # of the cover
    symmetric: bool  # the same after half a turn
    starts: tuple[Place, Place]
    snow_in_zones: tuple[int, int]
    prizes: int


def figures(plan: MapPlan) -> Figures:
    """Count everything on a map, for its designer (M5, M6, M7, M8)."""
    counts = Counter(ground for _, ground in plan.places())
    half = counts[Ground.HALF_COVER]
    cover = half + counts[Ground.FULL_COVER]
    return Figures(
        plan.width,
        plan.height,
        {ground.name.lower(): counts[ground] for ground in Ground},
        100 * cover / (plan.width * plan.height),
        100 * half / max(1, cover),
        not list(_symmetry_faults(plan)),
        plan.starts,
        (snow_in_zone(plan, plan.starts[0]), snow_in_zone(plan, plan.starts[1])),
        len(prizes(plan)),
    )


def faults(plan: MapPlan) -> list[str]:
    """What this map lacks to be a good one, one sentence each. Generated maps lack nothing (M5, M7, M8)."""
    return [*_symmetry_faults(plan), *_cover_faults(plan), *_prize_faults(plan)]


def _symmetry_faults(plan: MapPlan) -> Iterator[str]:
    for place, ground in plan.places():
        if plan.at(plan.opposite(place)) != ground:
            yield f"{_named(place)} differs from {_named(plan.opposite(place))}, opposite it."
            return
    if plan.opposite(plan.starts[0]) != plan.starts[1]:
        yield f"Start B must be opposite start A, at {_named(plan.opposite(plan.starts[0]))}."


def _cover_faults(plan: MapPlan) -> Iterator[str]:
    cover = [g for _, g in plan.places() if g in (Ground.FULL_COVER, Ground.HALF_COVER)]
    percent = 100 * len(cover) / (plan.width * plan.height)
    if not COVER_SHARE[0] <= percent <= COVER_SHARE[1]:
        yield f"{percent:.1f} % of the tiles are cover; about 6 to 7 % should be."
    if cover and 100 * cover.count(Ground.HALF_COVER) < HALF_SHARE * len(cover):
        yield f"At least {HALF_SHARE} % of the cover should be half cover."


def prizes(plan: MapPlan) -> list[Place]:
    """The snow beside full cover in the middle third of the map (M8)."""
    found = []
    for (x, y), ground in plan.places():
        beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        middle = plan.width <= 3 * x < 2 * plan.width and plan.height <= 3 * y < 2 * plan.height
        if middle and ground == Ground.SNOW and any(plan.at(place) == Ground.FULL_COVER for place in beside):
            found.append((x, y))
    return found


class Ways(NamedTuple):
    """The costs of walking from a start to a tile: if ice were snow, as it is, and avoiding ice."""

    as_snow: dict[Place, int]
    over_ice: dict[Place, int]
    dry: dict[Place, int]


def ways_from(plan: MapPlan, start: Place) -> Ways:
    """All three costs to every tile."""
    return Ways(costs(plan, start, 1), costs(plan, start, 2), costs(plan, start, UNREACHABLE))


def _prize_faults(plan: MapPlan) -> Iterator[str]:
    found = prizes(plan)
    if not found:
        yield "The middle third of the map needs full cover with snow beside it."
    both = [ways_from(plan, start) for start in plan.starts]
    for place in found:
        # from the nearer start; if both are equally near, the one with the longer path that avoids ice
        ways = min(
            both, key=lambda each: (each.over_ice.get(place, UNREACHABLE), -each.dry.get(place, UNREACHABLE))
        )
        as_snow, over_ice, dry = (each.get(place, UNREACHABLE) for each in ways)
        if over_ice == UNREACHABLE:
            yield f"Neither start has a path to the cover at {_named(place)}."
        elif over_ice - as_snow < ICE_COSTS:
            yield f"Ice should add at least {ICE_COSTS} to the cost of the path to the cover at {_named(place)}."
        elif dry - over_ice < DETOUR_COSTS:
            yield f"Avoiding ice on the way to the cover at {_named(place)} should cost at least {DETOUR_COSTS} more."


def costs(plan: MapPlan, start: Place, ice: int) -> dict[Place, int]:
    """The lowest cost of walking from a tile to every other tile. `ice` is the cost of a step onto ice."""
    cost, queue = {start: 0}, [(0, start)]
    while queue:
        spent, here = heappop(queue)
        for there in _beside(plan, here):
            step = {Ground.SNOW: 1, Ground.ICE: ice}.get(plan.at(there), UNREACHABLE)
            if step < UNREACHABLE and spent + step < cost.get(there, UNREACHABLE):
                cost[there] = spent + step
                heappush(queue, (spent + step, there))
    return cost


def _beside(plan: MapPlan, place: Place) -> Iterator[Place]:
    for x, y in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if 0 <= place[0] + x < plan.width and 0 <= place[1] + y < plan.height:
            yield place[0] + x, place[1] + y


def _named(place: Place) -> str:
    return f"line {place[1] + 1}, column {place[0] + 1}"


# --- for designers ------------------------------------------------------------------------------------------


def example() -> str:
    """A map to start with."""
    return write_map(frozen_ring())


def settings(text: str) -> dict[str, str]:
    """The setting of a match on this map."""
    return {"map_text": "/".join(write_map(read_map(text)).split())}


def check(text: str) -> MapReport:
    """A report on a map, and what it lacks compared with a generated one."""
    plan = read_map(text)
    numbers, lacks = figures(plan), faults(plan)
    return MapReport(_rows(numbers), {**numbers._asdict(), "faults": lacks}, lacks)


def _rows(numbers: Figures) -> list[tuple[str, str]]:
    tiles = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in numbers.tiles.items())
    starts = [
        f"{letter} at line {y + 1}, column {x + 1}, with {snow} tiles of snow in its zone"
        for letter, (x, y), snow in zip(STARTS, numbers.starts, numbers.snow_in_zones, strict=True)
    ]
    return [
        ("size", f"{numbers.width} x {numbers.height}"),
        ("tiles", tiles),
        (
            "cover",
            f"{numbers.cover_percent:.1f} % of the tiles; {numbers.half_percent:.0f} % of it is half cover",
        ),
        ("rotated by 180°", "the same" if numbers.symmetric else "not the same"),
        *(("start", each) for each in starts),
        ("prizes", f"{numbers.prizes} tiles of snow next to full cover in the middle"),
    ]
