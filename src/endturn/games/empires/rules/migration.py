"""Citizens that move to better cities (TURN_CHANGE N4)."""

from math import exp, sqrt

from endturn.games.empires.rules.cities import grow, is_capital, shrink
from endturn.games.empires.rules.effects import of_city
from endturn.games.empires.rules.granary import granary_size
from endturn.games.empires.rules.growth import illness, may_grow
from endturn.games.empires.rules.support import buildings_in
from endturn.games.empires.ruleset import FOOD, LUXURY, SCIENCE, TRADE
from endturn.games.empires.state import City, Player, World

STAYING = 3  # how much dearer the own city is


def score(world: World, city: City) -> float:
    """How attractive a city is."""
    value = city.size + city.happy - city.unhappy * 0.25 - city.angry * 0.5
    cost = sum(building.build_cost for building in buildings_in(world, city))
    value *= 1 + (1 - exp(-max(cost, 0) / 1000)) / 5
    for output in (TRADE, LUXURY, SCIENCE):
        value *= 1 + (1 - exp(-max(city.surplus[output], 0) / 100)) / 5
    value += city.history * world.rules.parameters.culture_migration_pml / 1000
    value *= 1 + max(-10, min(city.surplus[FOOD], 20)) / 10 if city.surplus[FOOD] else 1
    if world.rules.parameters.illness_on:
        value *= (100 - illness(world, city) / 25) / 100
    if any(building.is_great_wonder for building in buildings_in(world, city)):
        value *= 1.25
    if is_capital(world, city):
        value *= 1.25
    value *= (100 + of_city(world, city, "Migration_Pct")) / 100
    return value


def check(world: World) -> None:
    """N4: every few turns citizens look around."""
    if not world.settings["migration"]:
        return
    for player in world.players.values():
        for city in list(player.cities):
            if city.id in world.cities and _is_time(world, city):
                _look_around(world, player, city)


def _is_time(world: World, city: City) -> bool:
    if is_capital(world, city):
        return False
    age = world.turn - city.turn_founded
    return age > 0 and age % world.settings["mgr_turninterval"] == 0


def _look_around(world: World, player: Player, city: City) -> None:
    own = score(world, city) * STAYING
    best: dict[bool, tuple[float, City] | None] = {True: None, False: None}
    reach = int(sqrt(max(city.radius_sq, 0))) + world.settings["mgr_distance"]
    for other in world.cities.values():
        distance = world.geometry.distance(city.tile, other.tile)
        if other is city or distance > reach or not _has_room(world, other):
            continue
        worth = score(world, other) * (reach + 1 - distance) / (reach + 1)
        if other.owner is not player and city.citizens.get(other.owner.number, 0) > 0:
            worth *= 2
        same = other.owner is player
        if worth > own and (best[same] is None or worth > best[same][0]):  # type: ignore[index]
            best[same] = worth, other
    for same, chance in ((True, "mgr_nationchance"), (False, "mgr_worldchance")):
        found = best[same]
        if found and world.chance.below(100, "migration") < world.settings[chance]:
            move_citizen(world, city, found[1])
            return


def _has_room(world: World, city: City) -> bool:
    if world.settings["mgr_foodneeded"] and city.surplus[FOOD] < 0:
        return False
    return may_grow(world, city)


def move_citizen(world: World, city: City, target: City) -> None:
    """A citizen leaves one city for another."""
    world.tell("migration", city.owner.number, city.id, target.id)
    if shrink(world, city, 1, "migration"):
        grow(world, target)
        target.food_stock = min(target.food_stock, granary_size(world, target.size))
