"""What units do to the land at the start of a phase (TURN_CHANGE P3 to P8)."""

from endturn.games.empires.rules.effects import Target, holds
from endturn.games.empires.rules.terrain import extras_on
from endturn.games.empires.rules.units import (
    ACTIVITY_FACTOR,
    COUNTED,
    WORK,
    moves_of,
    work_rate,
)
from endturn.games.empires.ruleset import Extra, Terrain
from endturn.games.empires.state import Unit, World
from endturn.games.empires.vocabulary import Range, RequirementType

TERRAIN_TIMES = {
    "Pollution": "clean_pollution", "Fallout": "clean_fallout", "Mine": "mining", "Irrigate": "irrigation",
    "Transform": "transform", "Pillage": "pillage", "Base": "base", "Road": "road",
}  # fmt: skip
REMOVING = "Pollution", "Fallout", "Pillage"
OF_LAND = {
    RequirementType.TERRAIN, RequirementType.TERRAIN_CLASS, RequirementType.TERRAIN_FLAG, RequirementType.EXTRA,
}  # fmt: skip
RESULTS = {"Mine": "mining", "Irrigate": "irrigation", "Transform": "transform"}


def count_work(world: World, unit: Unit) -> None:
    """P3: an activity makes progress while its unit has moves."""
    if unit.activity in COUNTED:
        unit.activity_count += work_rate(world, unit)


def restore_moves(world: World, unit: Unit) -> None:
    """P5: the unit gets its moves for the turn."""
    unit.moves = moves_of(world, unit)
    unit.done_moving = False


def finish_work(world: World, unit: Unit) -> None:
    """P7: change the tile once the units on it have worked on the same thing long enough."""
    if unit.activity not in WORK or _total(world, unit) < needed(world, unit):
        return
    extra = target_extra(world, unit)
    if extra is None:
        _change_terrain(world, unit)
    elif unit.activity in REMOVING:
        world.extras[unit.tile] &= ~extra.bit
    else:
        _create_extra(world, unit.tile, extra)
    unit.has_finished = True
    world.tell("tile_changed", unit.owner.number, unit.id, unit.tile, unit.activity)


def rest_companions(world: World, unit: Unit) -> None:
    """P7a: all units that did the same become idle, even if there is more to do."""
    if unit.has_finished:
        for worker in _companions(world, unit):
            set_activity(worker, "Idle")


def rest_hindered(world: World, unit: Unit) -> None:
    """P7b: units here and on adjacent tiles whose work is no longer possible become idle."""
    if not unit.has_finished:
        return
    unit.has_finished = False
    for near in (unit.tile, *world.geometry.adjacent(unit.tile)):
        for other in world.units_at.get(near, ()):
            if other.activity in WORK and not may_go_on(world, other):
                set_activity(other, "Idle")


def settle_down(world: World, unit: Unit) -> None:
    """P7c: fortifying units are fortified, and converting units are converted."""
    if unit.activity == "Fortifying" and unit.activity_count >= 1:
        set_activity(unit, "Fortified")
    elif unit.activity == "Convert":
        _convert(world, unit)


def set_activity(unit: Unit, activity: str) -> None:
    """Start another activity from zero."""
    unit.activity, unit.activity_count, unit.activity_target = activity, 0, -1


def _convert(world: World, unit: Unit) -> None:
    if unit.type.convert_to and unit.activity_count >= unit.type.convert_time * ACTIVITY_FACTOR:
        unit.type = world.rules.unit_types[unit.type.convert_to.lower()]
        set_activity(unit, "Idle")


def _companions(world: World, unit: Unit) -> list[Unit]:
    here = world.units_at.get(unit.tile, ())
    return [u for u in here if u.activity == unit.activity and u.activity_target == unit.activity_target]


def _total(world: World, unit: Unit) -> int:
    return sum(each.activity_count for each in _companions(world, unit))


def target_extra(world: World, unit: Unit) -> Extra | None:
    """The extra that the unit makes or removes; None if it changes the terrain."""
    return world.rules.extras[unit.activity_target] if unit.activity_target >= 0 else None


def needed(world: World, unit: Unit) -> int:
    """The count at which the activity is done."""
    terrain, extra = world.terrain[unit.tile], target_extra(world, unit)
    turns = terrain.times[TERRAIN_TIMES[unit.activity]]
    if extra is not None:
        turns = (extra.removal_time if unit.activity in REMOVING else extra.build_time) or turns
    return turns * ACTIVITY_FACTOR


def _create_extra(world: World, tile: int, extra: Extra) -> None:
    for other in extras_on(world, tile):
        if other.name.lower() in extra.conflicts:
            world.extras[tile] &= ~other.bit
    world.extras[tile] |= extra.bit


def _change_terrain(world: World, unit: Unit) -> None:
    terrain = world.terrain[unit.tile]
    name = terrain.results[RESULTS[unit.activity]]
    if name is None or name.lower() == "yes":
        return
    become(world, unit.tile, world.rules.terrain_by_name[name.lower()])


def become(world: World, tile: int, terrain: Terrain) -> None:
    """Change the terrain: extras that do not fit go, and the continents may change."""
    was_ocean = world.terrain[tile].is_ocean
    world.terrain[tile] = terrain
    for extra in extras_on(world, tile):
        if not _fits(world, tile, extra):
            world.extras[tile] &= ~extra.bit
    if was_ocean != terrain.is_ocean:
        world.continents = []
        world.stamp += 1


def _fits(world: World, tile: int, extra: Extra) -> bool:
    if "Resource" in extra.causes:
        return True
    requirements = [r for r in extra.requirements if r.kind in OF_LAND and r.range == Range.LOCAL]
    result = {"Irrigation": "irrigation", "Mine": "mining"}
    for cause, kind in result.items():
        if cause in extra.causes:
            kept = world.terrain[tile].results[kind]
            if kept is None or kept.lower() not in ("yes", world.terrain[tile].name.lower()):
                return False
    return "TerrChangeRemoves" not in extra.flags and holds(world, requirements, Target(tile=tile))


def may_go_on(world: World, unit: Unit) -> bool:
    """Whether the unit can continue its activity."""
    extra, extras = target_extra(world, unit), world.extras[unit.tile]
    if extra is None:
        if unit.activity not in RESULTS:
            return False
        return world.terrain[unit.tile].results[RESULTS[unit.activity]] is not None
    if unit.activity in REMOVING:
        return bool(extras & extra.bit)
    target = Target(player=unit.owner, tile=unit.tile, unit=unit, unit_type=unit.type)
    return not extras & extra.bit and holds(world, extra.requirements, target)


def remember_activity(world: World, unit: Unit) -> None:
    """P8a: a player may change what a unit does, and change back, without losing progress."""
    unit.changed_from = unit.activity
    unit.changed_from_count = unit.activity_count
    unit.changed_from_target = unit.activity_target
