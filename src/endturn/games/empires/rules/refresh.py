"""A city counted anew (TURN_CHANGE 5): upkeep, yields, production, mood, pollution and what is left over."""

from endturn.games.empires.rules.effects import of_city
from endturn.games.empires.rules.mood import feel, is_unhappy
from endturn.games.empires.rules.numbers import percent
from endturn.games.empires.rules.output import produce, worked_yields
from endturn.games.empires.rules.support import share_upkeep, use
from endturn.games.empires.ruleset import FOOD, GOLD, OUTPUTS, SCIENCE, SHIELD
from endturn.games.empires.state import City, World


def refresh(world: World, city: City) -> None:
    """Count a city anew; `needs_arranging` where its radius has changed."""
    city.needs_counting = False
    radius_sq = world.rules.parameters.init_city_radius_sq + of_city(world, city, "City_Radius_Sq")
    if radius_sq != city.radius_sq:
        city.radius_sq, city.needs_arranging = radius_sq, True
    share_upkeep(world, city)
    count(world, city)


def count(world: World, city: City) -> None:
    """Everything that follows from its tiles, specialists, units and buildings."""
    use(world, city)
    city.tile_base = worked_yields(world, city)
    produce(world, city, city.tile_base)
    city.pollution = pollution(world, city)
    feel(world, city)
    fine_disorder(city)
    city.surplus = [city.made[o] - city.usage[o] for o in OUTPUTS]


def pollution(world: World, city: City) -> int:
    """The percentage by which the city fouls a tile."""
    from_shields = percent(city.made[SHIELD], max(100 + of_city(world, city, "Pollu_Prod_Pct"), 0))
    first, second = (100 + of_city(world, city, kind) for kind in ("Pollu_Pop_Pct", "Pollu_Pop_Pct_2"))
    from_people = percent(city.size, max(percent(first, second), 0))
    return max(from_shields + from_people + world.rules.parameters.base_pollution, 0)


def fine_disorder(city: City) -> None:
    """Where citizens riot, they are fined."""
    if is_unhappy(city):
        city.made = fined(city.made, city.usage)


def fined(made: list[int], usage: list[int]) -> list[int]:
    """In disorder nothing of food and shields is left over, and neither gold nor science is made."""
    left = list(made)
    for output in (FOOD, SHIELD):
        left[output] = min(made[output], usage[output])
    left[GOLD] = left[SCIENCE] = 0
    return left
