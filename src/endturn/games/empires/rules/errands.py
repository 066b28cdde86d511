"""What units do automatically: explorers (P6), orders (P8) and auto workers (E5a)."""

from endturn.games.empires.rules.activities import may_go_on, set_activity
from endturn.games.empires.rules.movement import go, paths, sees_enemy
from endturn.games.empires.rules.terrain import extras_on
from endturn.games.empires.ruleset import Extra
from endturn.games.empires.state import Player, Unit, World

IMPROVING = {"Irrigation": "Irrigate", "Mine": "Mine", "Road": "Road"}  # cause of an extra -> activity
CLEANING = {"CleanPollution": "Pollution", "CleanFallout": "Fallout"}


def explore(world: World, unit: Unit) -> None:
    """P6: go towards the nearest unknown tile while there are moves; become idle if nothing is left to explore."""
    if unit.activity != "Explore":
        return
    while unit.moves > 0:
        way = next(
            (way for tile, way in paths(world, unit).items() if way and _is_edge(world, unit, tile)), None
        )
        if way is None:
            set_activity(unit, "Idle")
            world.tell("explored", unit.owner.number, unit.id)
            return
        if not go(world, unit, way[0]):
            return


def _is_edge(world: World, unit: Unit, tile: int) -> bool:
    """Whether an adjacent tile is unknown."""
    return any(not world.known[near] >> unit.owner.number & 1 for near in world.geometry.adjacent(tile))


def execute_orders(world: World, player: Player) -> None:
    """P8: carry out each unit's orders until they are done, no moves are left, or something is in the way."""
    for unit in list(player.units):
        if unit.id in world.units:
            obey(world, unit)


def obey(world: World, unit: Unit) -> None:
    """P8: carry out orders, one after the other."""
    while unit.orders and _obey(world, unit):
        pass


def _obey(world: World, unit: Unit) -> bool:
    """Carry out the first order. Returns whether the next one may follow."""
    order = unit.orders[0]
    if order["do"] == "wait":  # until the next turn, with all moves
        unit.orders.pop(0)
        return False
    if order.get("vigilant") and sees_enemy(world, unit):
        return _give_up(world, unit, "enemy")
    if order["do"] == "go":
        if unit.moves <= 0:
            return False
        if not go(world, unit, order["tile"]):
            return _give_up(world, unit, "blocked")
    else:
        set_activity(unit, order["do"])
        unit.activity_target = order.get("target", -1)
    unit.orders.pop(0)
    return True


def _give_up(world: World, unit: Unit, why: str) -> bool:
    unit.orders.clear()
    world.tell("orders_cancelled", unit.owner.number, unit.id, why)
    return False


def auto_workers(world: World, player: Player) -> None:
    """E5a: auto workers improve the nearest land that a city of their owner works, or go there."""
    taken = {unit.tile for unit in player.units if unit.is_auto and unit.activity != "Idle"}
    for unit in list(player.units):
        if unit.is_auto and "Settlers" in unit.type.flags and unit.activity == "Idle":
            _seek_work(world, unit, taken)


def _seek_work(world: World, unit: Unit, taken: set[int]) -> None:
    for tile, way in paths(world, unit).items():
        if tile in taken or not _is_worked_by(world, unit.owner, tile):
            continue
        work = _work_at(world, unit, tile)
        if work is None:
            continue
        taken.add(tile)
        for step in way:
            if not go(world, unit, step):
                return
        _begin(unit, *work)
        return


def _is_worked_by(world: World, player: Player, tile: int) -> bool:
    city = world.cities.get(world.worked[tile])
    return city is not None and city.owner is player


def _begin(unit: Unit, activity: str, extra: Extra) -> None:
    set_activity(unit, activity)
    unit.activity_target = extra.index


def _work_at(world: World, unit: Unit, tile: int) -> tuple[str, Extra] | None:
    """What can be done on a tile: pollution goes first, then what suits the terrain, in the ruleset's order."""
    for extra in extras_on(world, tile):
        for cause, activity in CLEANING.items():
            if cause in extra.removal_causes:
                return activity, extra
    for extra in world.rules.extras:
        for cause, activity in IMPROVING.items():
            if cause in extra.causes and extra.buildable and _could_make(world, unit, tile, activity, extra):
                return activity, extra
    return None


def _could_make(world: World, unit: Unit, tile: int, activity: str, extra: Extra) -> bool:
    if tile in world.city_at or not _takes(world, tile, activity):
        return False
    if any(_excludes(extra, other) for other in extras_on(world, tile)):
        return False
    kept = unit.tile, unit.activity, unit.activity_target
    unit.tile, unit.activity, unit.activity_target = tile, activity, extra.index
    possible = may_go_on(world, unit)
    unit.tile, unit.activity, unit.activity_target = kept
    return possible


def _excludes(extra: Extra, other: Extra) -> bool:
    return other.name.lower() in extra.conflicts or extra.name.lower() in other.conflicts


def _takes(world: World, tile: int, activity: str) -> bool:
    """Whether the activity leaves the terrain as it is."""
    terrain = world.terrain[tile]
    if activity == "Road":
        return terrain.times["road"] > 0
    result = terrain.results["irrigation" if activity == "Irrigate" else "mining"]
    return result is not None and result.lower() in ("yes", terrain.name.lower())
