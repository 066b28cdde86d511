"""Orders to units (chapter U): move, go to, activities, found a city, disband."""

from endturn.engine.rule import rule
from endturn.games.empires.actions import Task
from endturn.games.empires.refusals import (
    NO_ENTRY,
    NO_FOUNDER,
    NO_MOVES,
    NO_SITE,
    NO_TASK,
    NO_TILE,
    NO_UNIT,
    NO_WAY,
    SAME_TASK,
    TOO_NEAR,
)
from endturn.games.empires.rules import cities, errands, units
from endturn.games.empires.rules.activities import RESULTS, may_go_on, needed, set_activity
from endturn.games.empires.rules.diplomacy import renew_contact
from endturn.games.empires.rules.geometry import DIRECTIONS
from endturn.games.empires.rules.movement import go as step
from endturn.games.empires.rules.movement import may_enter
from endturn.games.empires.rules.names import TOWNS
from endturn.games.empires.rules.production import advise
from endturn.games.empires.rules.sight import all_look, look
from endturn.games.empires.rules.support import is_military
from endturn.games.empires.state import NOBODY, Player, Unit, World

APART = 2  # the least number of steps between cities
SIMPLE = {Task.REST: "Idle", Task.SENTRY: "Sentry", Task.FORTIFY: "Fortifying", Task.EXPLORE: "Explore"}
DIGGING = {Task.IRRIGATE: ("Irrigate", "Irrigation"), Task.MINE: ("Mine", "Mine")}
MAKING = {Task.ROAD: ("Road", "Road"), Task.BASE: ("Base", "Base")}
CLEANING = ("Pollution", "CleanPollution"), ("Fallout", "CleanFallout")
LAND_ONLY = "Settlers"  # the flag of units that can change the land
FOUNDERS = "Cities"


def unit_of(world: World, seat: int, number: int) -> Unit | None:
    """U1: a unit of the seat; None for other units, whether they exist or not."""
    unit = world.units.get(number)
    return unit if unit is not None and unit.owner.number == seat else None


# --- moving


def beside(world: World, unit: Unit, heading: int) -> int | None:
    """The adjacent tile in a direction; None at the edge of the map or if hexagons have no such neighbour."""
    if DIRECTIONS[heading] not in world.geometry.directions:
        return None
    east, south = DIRECTIONS[heading]
    x, y = world.geometry.to_map(unit.tile % world.geometry.width, unit.tile // world.geometry.width)
    return world.geometry.tile(x + east, y + south)


@rule
def refuse_move(world: World, seat: int, unit: int, heading: int) -> int:
    """U2: the unit needs moves left and an adjacent tile that it may enter."""
    own = unit_of(world, seat, unit)
    if own is None:
        return NO_UNIT
    tile = beside(world, own, heading)
    if tile is None:
        return NO_TILE
    if own.moves <= 0:
        return NO_MOVES
    return 0 if may_enter(world, own, tile) else NO_ENTRY


@rule
def move(world: World, seat: int, unit: int, heading: int) -> None:
    """U2: the step cancels the unit's orders."""
    own = world.units[unit]
    tile = beside(world, own, heading)
    assert tile is not None
    own.orders.clear()
    own.is_auto = False
    set_activity(own, "Idle")
    step(world, own, tile)
    look(world, own.owner)


def way(world: World, unit: Unit, target: int) -> list[int] | None:
    """U3: a shortest path over terrain and own cities that the owner remembers; None if no path is known."""
    memory, came = world.seen.get(unit.owner.number, {}), {unit.tile: unit.tile}
    native, waiting = unit.type.native, [unit.tile]
    for tile in waiting:
        if tile == target:
            break
        for near in world.geometry.adjacent(tile):
            if near in came or near not in memory:
                continue
            known = memory[near]
            if known.city is not None:
                open_way = known.city[2] == unit.owner.number
            else:
                open_way = native in world.rules.terrains[known.terrain].native_to
            if open_way:
                came[near] = tile
                waiting.append(near)
    return _steps(came, unit.tile, target) if target in came else None


def _steps(came: dict[int, int], start: int, target: int) -> list[int]:
    steps, tile = [], target
    while tile != start:
        steps.append(tile)
        tile = came[tile]
    return steps[::-1]


@rule
def refuse_go(world: World, seat: int, unit: int, tile: int) -> int:
    """U3: the target must be another tile that a known path leads to."""
    own = unit_of(world, seat, unit)
    if own is None:
        return NO_UNIT
    return 0 if tile != own.tile and way(world, own, tile) else NO_WAY


@rule
def go(world: World, seat: int, unit: int, tile: int) -> None:
    """U3: the unit goes as far as its moves take it, and continues in the next turns (P8)."""
    own = world.units[unit]
    own.is_auto = False
    set_activity(own, "Idle")
    own.orders = [{"do": "go", "tile": each} for each in way(world, own, tile) or ()]
    errands.obey(world, own)
    look(world, own.owner)


# --- activities


def work_of(world: World, unit: Unit, task: int) -> tuple[str, int] | None:
    """U4: the activity and the extra (-1 for none) that a task means on this tile; None if it is impossible."""
    if task in SIMPLE:
        return None if task == Task.FORTIFY and not is_military(unit) else (SIMPLE[Task(task)], -1)
    if task == Task.PILLAGE:
        return _to_remove(world, unit, (("Pillage", "Pillage"),)) if is_military(unit) else None
    if LAND_ONLY not in unit.type.flags:
        return None
    if task == Task.AUTO:
        return "Idle", -1
    if task == Task.CLEAN:
        return _to_remove(world, unit, CLEANING)
    if unit.tile in world.city_at:
        return None
    if task == Task.TRANSFORM:
        return _possible(world, unit, "Transform", -1)
    if task in DIGGING:
        return _to_dig(world, unit, *DIGGING[Task(task)])
    return _to_make(world, unit, *MAKING[Task(task)])


def _to_remove(world: World, unit: Unit, ways: tuple[tuple[str, str], ...]) -> tuple[str, int] | None:
    for extra in world.rules.extras:
        for activity, cause in ways:
            if cause in extra.removal_causes and extra.bit & world.extras[unit.tile]:
                return _possible(world, unit, activity, extra.index)
    return None


def _to_dig(world: World, unit: Unit, activity: str, cause: str) -> tuple[str, int] | None:
    terrain = world.terrain[unit.tile]
    result = terrain.results[RESULTS[activity]]
    if result is None:
        return None
    if result.lower() in ("yes", terrain.name.lower()):
        return _to_make(world, unit, activity, cause)
    return _possible(world, unit, activity, -1)


def _to_make(world: World, unit: Unit, activity: str, cause: str) -> tuple[str, int] | None:
    for extra in world.rules.extras:
        if cause in extra.causes and extra.buildable:
            found = _possible(world, unit, activity, extra.index)
            if found is not None:
                return found
    return None


def _possible(world: World, unit: Unit, activity: str, extra: int) -> tuple[str, int] | None:
    """The activity, if it is possible and takes time."""
    kept = unit.activity, unit.activity_target
    unit.activity, unit.activity_target = activity, extra
    can = may_go_on(world, unit) and needed(world, unit) > 0
    unit.activity, unit.activity_target = kept
    return (activity, extra) if can else None


@rule
def refuse_work(world: World, seat: int, unit: int, task: int) -> int:
    """U4, U5: the unit must be able to do the task here, and not be doing it already."""
    own = unit_of(world, seat, unit)
    if own is None:
        return NO_UNIT
    found = work_of(world, own, task)
    if found is None:
        return NO_TASK
    return SAME_TASK if _does(own, task, found) else 0


def _does(unit: Unit, task: int, found: tuple[str, int]) -> bool:
    """U5: whether a unit is already doing the task."""
    if unit.is_auto != (task == Task.AUTO) or unit.orders:
        return False
    same = (unit.activity, unit.activity_target) == found
    return same or task == Task.AUTO or (task == Task.FORTIFY and unit.activity == "Fortified")


@rule
def work(world: World, seat: int, unit: int, task: int) -> None:
    """U4: resuming the activity of the phase's start keeps its progress; explorers set out at once."""
    own = world.units[unit]
    found = work_of(world, own, task)
    assert found is not None
    own.orders.clear()
    own.is_auto = task == Task.AUTO
    set_activity(own, found[0])
    own.activity_target = found[1]
    if found == (own.changed_from, own.changed_from_target):
        own.activity_count = own.changed_from_count
    if task == Task.EXPLORE:
        errands.explore(world, own)
        look(world, own.owner)


# --- founding and disbanding


@rule
def refuse_found(world: World, seat: int, unit: int) -> int:
    """U6: the unit must be a founder with moves left, on land nobody else owns, far enough from cities."""
    own = unit_of(world, seat, unit)
    if own is None:
        return NO_UNIT
    if FOUNDERS not in own.type.flags:
        return NO_FOUNDER
    if own.moves <= 0:
        return NO_MOVES
    if world.terrain[own.tile].is_ocean or world.owner[own.tile] not in (NOBODY, seat):
        return NO_SITE
    near = world.geometry.square(own.tile, APART - 1)
    return TOO_NEAR if any(tile in world.city_at for tile in near) else 0


@rule
def found(world: World, seat: int, unit: int) -> None:
    """U6, V9: the unit becomes the first citizen, and the city gets its id. The advisor picks what to build."""
    own = world.units[unit]
    player, tile = own.owner, own.tile
    units.remove(world, own)
    city = cities.found(world, player, tile, next_name(world, player), unit)
    renew_contact(world, player, tile)
    if world.settings["advisor"]:
        city.production = city.changed_from = advise(world, city) or city.production
    all_look(world)


def next_name(world: World, player: Player) -> str:
    """A name that no city of the world has: one of the nation's, or else a numbered one."""
    taken = {city.name for city in world.cities.values()}
    free = (name for name in TOWNS[player.number % len(TOWNS)] if name not in taken)
    numbered = (f"{player.name} {number}" for number in range(1, len(taken) + 2))
    return next(free, None) or next(name for name in numbered if name not in taken)


@rule
def refuse_disband(world: World, seat: int, unit: int) -> int:
    """U7: the unit must belong to the seat."""
    return 0 if unit_of(world, seat, unit) else NO_UNIT


@rule
def disband(world: World, seat: int, unit: int) -> None:
    """U7: cargo of a unit on water drowns."""
    units.remove(world, world.units[unit])
    look(world, world.players[seat])
