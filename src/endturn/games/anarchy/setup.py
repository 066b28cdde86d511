"""Sets up a match of Anarchy: a map mirrored from west to east, and a forecast for every turn (chapters M, C)."""

from typing import NamedTuple

from endturn.engine import record
from endturn.engine.dice import Stream
from endturn.games.anarchy.state import NOBODY, NONE, City, Generator, Kind, Settings
from endturn.mechanisms.grid import Direction
from endturn.mechanisms.weather import BLOCK

POINTS, TYPES, WEATHER = 2, 3, 4  # purposes of rolls; 1 is the coin toss
KIND_WEIGHTS = 4, 3, 2, 1  # M3
AT_LEAST = 2  # of each kind on a half (M3)

Cell = tuple[int, int]


class Plot(NamedTuple):
    """A planned building on the western half."""

    x: int
    y: int
    kind: int
    owner: int
    is_headquarters: bool


def new_city(settings: Settings, seed: int) -> City:
    """Return the first state of a match."""
    stacked = settings.generator == Generator.STACKED
    cells = (stacked_cells if stacked else spaced_cells)(settings, Stream(seed, POINTS))
    plots = (stacked_plots if stacked else spaced_plots)(cells, Stream(seed, TYPES))
    city = empty_city(settings, 2 * len(plots))
    for index, plot in enumerate(plots):
        build(city, index, plot)
        build(city, len(plots) + index, mirrored(plot, settings))
    join_neighbours(city)
    forecast(city, Stream(seed, WEATHER))
    return city


def empty_city(settings: Settings, buildings: int) -> City:
    """Return a city with room for this many buildings, in the smallest layout that fits."""
    forecasts = settings.max_turns + settings.max_turns % 2  # C1: in pairs
    cells = _room(settings.map_width * settings.map_height, 800) if settings.rain else 0  # Y1
    room = {"buildings": _room(buildings, 512), "forecasts": _room(forecasts, 304)}
    city: City = record.new(record.sized(City, **room, cells=cells, blocks=-(-cells // BLOCK)))
    for name in settings.__struct_fields__:
        setattr(city.settings, name, getattr(settings, name))
    city.building_count, city.forecast_count = buildings, forecasts
    city.current_forecast = 0
    city.next_forecast = 1 if settings.max_turns > 1 or settings.late_forecasts else NONE  # C2
    city.bribes[0] = city.bribes[1] = settings.base_bribes
    city.winner = NOBODY
    return city


def _room(needed: int, usual: int) -> int:
    """Return the usual size, doubled until it is enough.

    Matches of the usual size share a layout, and rules are compiled once per layout.
    """
    while usual < needed:
        usual *= 2
    return usual


# --- where buildings stand ----------------------------------------------------------------------------------


def spaced_cells(settings: Settings, dice: Stream) -> list[Cell]:
    """Return the cells of random points and of random walks between them, each once (M2)."""
    edge = settings.map_width // 2 - 1
    inner, outer = dice.between(8, 15), dice.between(1, 5)
    drawn = [(dice.between(0, edge), dice.between(0, settings.map_height - 1)) for _ in range(inner)]
    drawn += [(edge, dice.between(0, settings.map_height - 1)) for _ in range(outer)]
    points = dice.shuffled(list(dict.fromkeys(drawn)))
    cells = dict.fromkeys(points)
    for here, there in zip(points, points[1:], strict=False):
        cells |= dict.fromkeys(walk(here, there, dice))
    if len(cells) > len(points):
        cells |= dict.fromkeys(walk(points[-1], list(cells)[len(points)], dice))
    return list(cells)


def stacked_cells(settings: Settings, dice: Stream) -> list[Cell]:
    """Return the same with repetitions: every step of a walk adds a building (M2)."""
    edge = settings.map_width // 2 - 1
    inner, outer = dice.between(8, 14), dice.between(1, 4)
    rows = max(1, settings.map_height - 1)
    drawn = [(dice.below(max(1, edge)), dice.below(rows)) for _ in range(inner)]
    drawn += [(edge, dice.below(rows)) for _ in range(outer)]
    points = dice.shuffled(list(dict.fromkeys(drawn)))
    cells = list(points)
    for here, there in zip(points, points[1:], strict=False):
        cells += walk(here, there, dice)
    if len(cells) > len(points):
        cells += walk(points[-1], cells[len(points)], dice)
    return dice.shuffled(cells)


def walk(here: Cell, there: Cell, dice: Stream) -> list[Cell]:
    """Return a random walk to a cell; every step comes nearer, in x or in y."""
    made: list[Cell] = []
    x, y = here
    while (x, y) != there:
        steps = []
        if x != there[0]:
            steps.append((x + (1 if there[0] > x else -1), y))
        if y != there[1]:
            steps.append((x, y + (1 if there[1] > y else -1)))
        x, y = dice.choice(steps)
        made.append((x, y))
    return made


# --- what they are ------------------------------------------------------------------------------------------


def spaced_plots(cells: list[Cell], dice: Stream) -> list[Plot]:
    """Draw kinds by weight with at least two of each, and random owners; place seat 0's headquarters (M3, M4)."""
    plots: list[Plot] = []
    for index, (x, y) in enumerate(cells):
        kind = dice.weighted(KIND_WEIGHTS)
        if len(cells) - index <= AT_LEAST * len(Kind):
            lacking = [k for k in Kind if sum(plot.kind == k for plot in plots) < AT_LEAST]
            kind = lacking[0] if lacking else kind
        plots.append(Plot(x, y, kind, dice.below(2), False))
    return with_headquarters(plots, dice)


def with_headquarters(plots: list[Plot], dice: Stream) -> list[Plot]:
    """Make one of seat 0's warehouses its headquarters; without any, the first warehouse becomes seat 0's (M4)."""
    warehouses = [i for i, plot in enumerate(plots) if plot.kind == Kind.WAREHOUSE]
    own = [i for i in warehouses if plots[i].owner == 0]
    chosen = dice.choice(own or warehouses[:1])
    plots[chosen] = plots[chosen]._replace(owner=0, is_headquarters=True)
    return plots


def stacked_plots(cells: list[Cell], dice: Stream) -> list[Plot]:
    """Two of each kind come first, the rest by weight; the first building is a headquarters (M3, M4)."""
    plots = []
    for index, (x, y) in enumerate(cells):
        kind = index % len(Kind) if index < AT_LEAST * len(Kind) else dice.weighted(KIND_WEIGHTS)
        plots.append(Plot(x, y, kind, dice.below(2), index == 0))
    return plots


def mirrored(plot: Plot, settings: Settings) -> Plot:
    """Return the mirror image of a building, owned by the other seat (M5)."""
    return plot._replace(x=settings.map_width - plot.x - 1, owner=1 - plot.owner)


def build(city: City, index: int, plot: Plot) -> None:
    """Put a building on the map with its initial health (M1, M4)."""
    city.x[index], city.y[index] = plot.x, plot.y
    city.kind[index] = Kind(plot.kind)
    city.owner[index] = plot.owner
    city.health[index] = city.settings.building_health
    if plot.is_headquarters:
        city.health[index] *= city.settings.headquarters_factor
        city.headquarters[plot.owner] = index


def join_neighbours(city: City) -> None:
    """Store each building's neighbours; on a shared cell the building built last counts (M6)."""
    at = {(city.x[b], city.y[b]): b for b in range(city.building_count)}
    for b in range(city.building_count):
        x, y = city.x[b], city.y[b]
        city.neighbour[Direction.NORTH][b] = at.get((x, y - 1), NONE)
        city.neighbour[Direction.EAST][b] = at.get((x + 1, y), NONE)
        city.neighbour[Direction.SOUTH][b] = at.get((x, y + 1), NONE)
        city.neighbour[Direction.WEST][b] = at.get((x - 1, y), NONE)


def forecast(city: City, dice: Stream) -> None:
    """Draw the forecasts in pairs; the second mirrors the first (C1)."""
    strongest = city.settings.max_intensity - (1 if city.settings.weak_forecasts else 0)
    for first in range(0, city.forecast_count, 2):
        direction, intensity = dice.choice(tuple(Direction)), dice.between(0, strongest)
        city.direction[first], city.intensity[first] = direction, intensity
        city.direction[first + 1], city.intensity[first + 1] = mirrored_direction(direction), intensity


def mirrored_direction(direction: Direction) -> Direction:
    """Return the direction with east and west exchanged."""
    swapped = {Direction.EAST: Direction.WEST, Direction.WEST: Direction.EAST}
    return swapped.get(direction, direction)
