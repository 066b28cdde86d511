"""Food, growth, plague and famine (TURN_CHANGE E13 to E18)."""

from math import exp, sqrt

from endturn.games.empires.rules.cities import grow, shrink
from endturn.games.empires.rules.effects import of_city
from endturn.games.empires.rules.granary import granary_size, savings
from endturn.games.empires.rules.mood import is_celebrating, is_happy
from endturn.games.empires.rules.numbers import clip, over, percent
from endturn.games.empires.rules.units import lose
from endturn.games.empires.ruleset import FOOD
from endturn.games.empires.state import City, World
from endturn.games.empires.vocabulary import EffectType

INFECTIOUS = 5  # turns after a plague in which it may spread to trade partners


def illness(world: World, city: City) -> int:
    """E14: the chance of plague, per thousand."""
    rules = world.rules.parameters
    by_size = 0
    if city.size > rules.illness_min_size:
        by_size = int(
            (1.0 - exp(-(city.size - rules.illness_min_size) / 10.0)) * 10.0 * rules.illness_base_factor
        )
    by_trade = 0
    for route in city.routes:
        partner = world.cities.get(route.partner)
        if partner and partner.turn_plague != -1 and world.turn - partner.turn_plague < INFECTIOUS:
            by_trade += int(rules.illness_trade_infection * sqrt(city.size * partner.size) / 100.0)
    by_pollution = percent(city.pollution, rules.illness_pollution_factor)
    healthy = 100 - of_city(world, city, EffectType.HEALTH_PCT)
    return clip(0, percent(by_size + by_trade + by_pollution, healthy), 999)


def plague(world: World, city: City) -> None:
    """E14: plague may take a citizen."""
    if not world.rules.parameters.illness_on:
        return
    if world.chance.below(1000, "plague") < illness(world, city):
        world.tell("city_plague", city.owner.number, city.id)
        city.turn_plague = world.turn
        shrink(world, city, 1, "plague")


def store_food(world: World, city: City) -> None:
    """E15: the surplus goes to the granary."""
    city.food_stock += city.surplus[FOOD]


def grow_if_fed(world: World, city: City) -> None:
    """E16: the city grows if its granary is full, or in rapture."""
    rapture = grows_by_rapture(world, city)
    full = granary_size(world, city.size)
    if city.food_stock < full and not rapture:
        return
    if city.turn_plague == world.turn:
        city.food_stock = min(city.food_stock, full)
        return
    if not may_grow(world, city):
        spared = 10000 - world.settings["aqueductloss"] * (100 - savings(world, city))
        city.food_stock = min(city.food_stock, over(full * spared, 10000))
        world.tell("city_needs_aqueduct", city.owner.number, city.id)
        return
    grow_by_one(world, city, rapture)


def grows_by_rapture(world: World, city: City) -> bool:
    """Whether the city grows because it celebrates."""
    often = city.rapture > 0 and city.rapture % world.settings["rapturedelay"] == 0
    return often and city.surplus[FOOD] > 0 and of_city(world, city, EffectType.RAPTURE_GROW) > 0


def may_grow(world: World, city: City) -> bool:
    """Whether the city's buildings allow another citizen."""
    largest = of_city(world, city, EffectType.SIZE_ADJ)
    return city.size + 1 <= largest or of_city(world, city, EffectType.SIZE_UNLIMIT) > 0


def grow_by_one(world: World, city: City, rapture: bool, nation: int | None = None) -> None:
    """Add a citizen, and set what remains in the granary."""
    kept = savings(world, city)
    larger = granary_size(world, city.size + 1)
    city.food_stock = min(city.food_stock, larger if rapture else percent(larger, kept))
    grow(world, city, nation)
    world.tell("city_grew", city.owner.number, city.id, city.size)


def starve(world: World, city: City) -> None:
    """E18: a city without food loses a unit that eats, or else a citizen."""
    if city.food_stock >= 0:
        return
    kept, protected = savings(world, city), world.rules.parameters.upkeep_protected["food"]
    for unit in city.units:
        if unit.upkeep[FOOD] > 0 and not protected & unit.type.flags:
            lose(world, unit, "famine")
            city.food_stock = percent(granary_size(world, city.size), kept)
            return
    city.food_stock = percent(granary_size(world, city.size - 1), kept)
    world.tell("city_famine", city.owner.number, city.id)
    shrink(world, city, 1, "famine")


def celebrate(world: World, city: City) -> None:
    """E13: a city that is happy, now or before it was refreshed, celebrates."""
    was_happy, was_celebrating = city.mood_before
    happy = was_happy or is_happy(world, city)
    if was_celebrating or is_celebrating(world, city):
        city.rapture += 1
        if city.rapture == 1:
            world.tell("city_celebrates", city.owner.number, city.id)
    else:
        city.rapture = 0
    city.was_happy = happy
