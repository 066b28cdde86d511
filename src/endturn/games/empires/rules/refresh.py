"""Refreshing a city (TURN_CHANGE 5): upkeep, yields, output, mood, pollution and surplus."""

from endturn.games.empires.rules.effects import of_city
from endturn.games.empires.rules.mood import feel, is_unhappy
from endturn.games.empires.rules.numbers import percent
from endturn.games.empires.rules.output import produce, worked_yields
from endturn.games.empires.rules.support import share_upkeep, use
from endturn.games.empires.ruleset import FOOD, GOLD, OUTPUTS, SCIENCE, SHIELD
from endturn.games.empires.state import City, Player, World
from endturn.games.empires.vocabulary import DiplomaticState, EffectType

Inputs = tuple[object, ...]


def refresh(world: World, city: City) -> None:
    """Recompute a city unless nothing it depends on has changed; set `needs_arranging` if its radius changed."""
    city.needs_counting = False
    seen = inputs(world, city)
    if seen is not None and seen == city.counted_from:
        return
    radius_sq = world.rules.parameters.init_city_radius_sq + of_city(world, city, EffectType.CITY_RADIUS_SQ)
    if radius_sq != city.radius_sq:
        city.radius_sq, city.needs_arranging = radius_sq, True
    share_upkeep(world, city)
    count(world, city)
    city.counted_from = seen


def inputs(world: World, city: City) -> Inputs | None:
    """Everything a refresh depends on, to skip it while nothing changed; None if that would be too much to compare.

    The stamps stand for all that effects depend on in the world, the owner and the city: techs, governments, buildings.
    """
    if city.routes:
        return None  # routes depend on the partner cities
    owner, terrain, extras = city.owner, world.terrain, world.extras
    return (
        (world.stamp, owner.stamp, city.stamp, world.turn, len(world.cities), len(owner.cities)),
        (owner.government, owner.tax, owner.science, owner.luxury, city.buildings, city.size, city.was_happy),
        tuple(city.specialists),
        [(tile, terrain[tile].index, extras[tile]) for tile in city.worked],
        [(unit.type.index, unit.tile, world.owner[unit.tile], extras[unit.tile]) for unit in city.units],
        [(unit.type.index, unit.owner.number) for unit in world.units_at.get(city.tile, ())],
        [(nation, number, _is_foe(owner, nation)) for nation, number in city.citizens.items()],
    )


def _is_foe(player: Player, nation: int) -> bool:
    return nation in player.relations and player.relations[nation].state == DiplomaticState.WAR


def count(world: World, city: City) -> None:
    """Compute everything that follows from tiles, specialists, units and buildings."""
    use(world, city)
    city.tile_base = worked_yields(world, city)
    produce(world, city, city.tile_base)
    city.pollution = pollution(world, city)
    feel(world, city)
    fine_disorder(city)
    city.surplus = [city.made[o] - city.usage[o] for o in OUTPUTS]


def pollution(world: World, city: City) -> int:
    """The chance of pollution, in percent."""
    from_shields = percent(city.made[SHIELD], max(100 + of_city(world, city, EffectType.POLLU_PROD_PCT), 0))
    first = 100 + of_city(world, city, EffectType.POLLU_POP_PCT)
    second = 100 + of_city(world, city, EffectType.POLLU_POP_PCT_2)
    from_people = percent(city.size, max(percent(first, second), 0))
    return max(from_shields + from_people + world.rules.parameters.base_pollution, 0)


def fine_disorder(city: City) -> None:
    """A city in disorder loses output."""
    if is_unhappy(city):
        city.made = fined(city.made, city.usage)


def fined(made: list[int], usage: list[int]) -> list[int]:
    """In disorder there is no surplus of food and shields, and neither gold nor science."""
    left = list(made)
    for output in (FOOD, SHIELD):
        left[output] = min(made[output], usage[output])
    left[GOLD] = left[SCIENCE] = 0
    return left
