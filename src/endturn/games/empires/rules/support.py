"""Upkeep of units and buildings (TURN_CHANGE 5.4), and the unhappiness that units cause."""

from math import ceil

from endturn.games.empires.rules.effects import of_building, of_city, of_player, of_this_government
from endturn.games.empires.rules.terrain import extras_on
from endturn.games.empires.ruleset import FOOD, GOLD, OUTPUTS, SHIELD, Building, Output, UnitType
from endturn.games.empires.state import City, Player, Unit, World
from endturn.games.empires.vocabulary import EffectType

FORTRESS_REACH = 3  # within so many steps of an own city, a unit in a base is not aggressive


def upkeep_cost(world: World, player: Player, kind: UnitType, output: Output) -> int:
    """The upkeep of a unit type, before a city's free points."""
    cost = kind.upkeep[output]
    if "Fanatic" in kind.flags and of_player(world, player, EffectType.FANATICS) > 0:
        return 0
    if output in (GOLD, SHIELD) and "Shield2Gold" in kind.flags:
        factor = of_player(world, player, EffectType.SHIELD2GOLD_FACTOR)
        if factor > 0:
            cost = ceil(factor * kind.upkeep[SHIELD] / 100) if output == GOLD else 0
    return cost * of_player(world, player, EffectType.UPKEEP_FACTOR, output) if cost else 0


def upkeep_costs(world: World, player: Player, kind: UnitType) -> list[int]:
    """The upkeep of a unit type in all outputs, cached."""
    remembered, key = of_this_government(world, player), ("upkeep", kind.index)
    costs: list[int] | None = remembered.get(key)
    if costs is None:
        costs = remembered[key] = [upkeep_cost(world, player, kind, output) for output in OUTPUTS]
    return costs


def share_upkeep(world: World, city: City) -> None:
    """E10b: set what the city pays for each unit; free points go to its units in list order."""
    free = (
        [of_city(world, city, EffectType.UNIT_UPKEEP_FREE_PER_CITY, output) for output in OUTPUTS]
        if city.units
        else []
    )
    for unit in city.units:
        for output, cost in enumerate(upkeep_costs(world, city.owner, unit.type)):
            given = min(cost, max(free[output], 0)) if cost else 0
            free[output] -= given
            unit.upkeep[output] = cost - given


def building_upkeep(world: World, city: City, building: Building) -> int:
    """The upkeep of a building: wonders cost nothing, nor do buildings that an effect frees."""
    if building.is_wonder or not building.upkeep:
        return 0
    free = of_building(world, city, building, EffectType.UPKEEP_FREE)
    return 0 if building.upkeep <= free else building.upkeep


def buildings_in(world: World, city: City) -> list[Building]:
    """The buildings of a city, in the ruleset's order."""
    return [building for building in world.rules.buildings if city.buildings & building.bit]


def buildings_upkeep(world: World, city: City) -> int:
    """The upkeep of all buildings of a city."""
    return sum(building_upkeep(world, city, building) for building in buildings_in(world, city))


def use(world: World, city: City) -> None:
    """Compute what the city consumes; upkeep of units must be shared out."""
    units = [sum(unit.upkeep[output] for unit in city.units) for output in OUTPUTS]
    usage = [0] * len(OUTPUTS)
    usage[FOOD] = world.rules.parameters.food_cost * city.size + units[FOOD]
    usage[SHIELD] = units[SHIELD]
    style = world.rules.parameters.gold_upkeep_style
    if style != "Nation":
        usage[GOLD] = buildings_upkeep(world, city) + (units[GOLD] if style == "City" else 0)
    city.usage = usage


def military_unhappiness(world: World, city: City) -> int:
    """How many citizens the units abroad make unhappy."""
    factor = of_player(world, city.owner, EffectType.UNHAPPY_FACTOR)
    if factor <= 0:
        return 0
    free = of_city(world, city, EffectType.MAKE_CONTENT_MIL)
    mild = of_city(world, city, EffectType.MAKE_CONTENT_MIL_PER)
    anger = 0
    for unit in city.units:
        if unit.type.unhappiness and (is_aggressive(world, unit) or "FieldUnit" in unit.type.flags):
            caused = max(unit.type.unhappiness * factor - max(mild, 0), 0)
            spared = min(caused, max(free, 0))
            free -= spared
            anger += caused - spared
    return anger


def is_aggressive(world: World, unit: Unit) -> bool:
    """Whether a unit is aggressive abroad."""
    if unit.type.attack <= 0 or "NonMil" in unit.type.flags or unit.tile in world.city_at:
        return False
    if world.settings["happyborders"] == "NATIONAL" and world.owner[unit.tile] == unit.owner.number:
        return False
    if not any("NoAggressive" in extra.base_flags for extra in extras_on(world, unit.tile)):
        return True
    near = (world.city_at.get(tile) for tile in world.geometry.square(unit.tile, FORTRESS_REACH))
    return not any(city is not None and city.owner is unit.owner for city in near)


def is_military(unit: Unit) -> bool:
    """Whether a unit is military."""
    return "NonMil" not in unit.type.flags
