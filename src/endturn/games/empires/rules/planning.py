"""Orders to cities (chapter C): build, buy, sell, and place citizens."""

from endturn.engine.rule import rule
from endturn.games.empires.refusals import (
    CANNOT_BUILD,
    DISORDER,
    HAS_SOLD,
    LIST_FULL,
    NEW_CITY,
    NO_CITY,
    NO_ITEM,
    NO_PLACE,
    NO_SPECIALIST,
    NOT_FOR_SALE,
    NOT_WORKABLE,
    NOT_WORKED,
    NOTHING_TO_BUY,
    SAME_ITEM,
    TOO_DEAR,
    WAS_BOUGHT,
)
from endturn.games.empires.rules.cities import remove_building
from endturn.games.empires.rules.numbers import percent
from endturn.games.empires.rules.production import CHANGED_CLASS, can_build, class_of, cost
from endturn.games.empires.rules.refresh import refresh
from endturn.games.empires.rules.workers import arrange as place_best
from endturn.games.empires.rules.workers import is_workable, place
from endturn.games.empires.ruleset import Building, Ruleset, UnitType
from endturn.games.empires.state import City, Production, World

LONGEST_WORKLIST = 16


def item_at(rules: Ruleset, number: int) -> Production | None:
    """The building or unit type with a number: buildings first, then unit types, in the ruleset's order."""
    if number < len(rules.buildings):
        return rules.buildings[number]
    kinds = list(rules.unit_types.values())
    place = number - len(rules.buildings)
    return kinds[place] if place < len(kinds) else None


def city_of(world: World, seat: int, number: int) -> City | None:
    """C1: a city of the seat; None for other cities, whether they exist or not."""
    city = world.cities.get(number)
    return city if city is not None and city.owner.number == seat else None


# --- production


@rule
def refuse_build(world: World, seat: int, city: int, item: int) -> int:
    """C2: the city must be able to build it, not be building it, and not have bought anything this turn."""
    own, thing = city_of(world, seat, city), item_at(world.rules, item)
    if own is None:
        return NO_CITY
    if thing is None:
        return NO_ITEM
    if own.production is thing:
        return SAME_ITEM
    if own.did_buy:
        return WAS_BOUGHT
    return 0 if can_build(world, own, thing) else CANNOT_BUILD


@rule
def build(world: World, seat: int, city: int, item: int) -> None:
    """C2, C3: the shields stay, or half of them for another class."""
    own, thing = world.cities[city], item_at(world.rules, item)
    assert thing is not None
    own.production = thing
    own.shield_stock = shields_for(world, own, thing)


def shields_for(world: World, city: City, thing: Production) -> int:
    """C3: what remains of the stock. Caravans keep their shields for wonders, disbanded units for everything."""
    kept, kind = city.before_change_shields, class_of(thing)
    same = kind == class_of(city.changed_from) or city.turn_last_built + 1 >= world.turn
    kept = kept if same else percent(kept, CHANGED_CLASS)
    kept += city.caravan_shields if kind == "wonder" else percent(city.caravan_shields, CHANGED_CLASS)
    return kept + city.disbanded_shields


@rule
def refuse_plan(world: World, seat: int, city: int, item: int) -> int:
    """C4: the city must be able to build it, and the worklist must have room."""
    own, thing = city_of(world, seat, city), item_at(world.rules, item)
    if own is None:
        return NO_CITY
    if thing is None:
        return NO_ITEM
    if len(own.worklist) >= LONGEST_WORKLIST:
        return LIST_FULL
    return 0 if can_build(world, own, thing) else CANNOT_BUILD


@rule
def plan(world: World, seat: int, city: int, item: int) -> None:
    """C4: append to the worklist."""
    thing = item_at(world.rules, item)
    assert thing is not None
    world.cities[city].worklist.append(thing)


@rule
def refuse_unplan(world: World, seat: int, city: int, position: int) -> int:
    """C5: the entry must exist."""
    own = city_of(world, seat, city)
    if own is None:
        return NO_CITY
    return 0 if position < len(own.worklist) else NO_PLACE


@rule
def unplan(world: World, seat: int, city: int, position: int) -> None:
    """C5: later entries move up."""
    del world.cities[city].worklist[position]


# --- buying and selling


def price_of(world: World, city: City) -> int:
    """C6: twice the missing shields and a twentieth of their square; doubled for units and for an empty stock."""
    missing = max(cost(world, city.production) - city.shield_stock, 0)
    price = 2 * missing + missing * missing // 20
    price *= 2 if isinstance(city.production, UnitType) else 1
    return price * (2 if city.shield_stock == 0 else 1)


@rule
def refuse_buy(world: World, seat: int, city: int) -> int:
    """C6: once a turn, not in a new city, and no units in disorder."""
    own = city_of(world, seat, city)
    if own is None:
        return NO_CITY
    thing = own.production
    if own.did_buy:
        return WAS_BOUGHT
    if (isinstance(thing, Building) and thing.is_coinage) or price_of(world, own) == 0:
        return NOTHING_TO_BUY
    if own.turn_founded == world.turn:
        return NEW_CITY
    if isinstance(thing, UnitType) and own.anarchy:
        return DISORDER
    return TOO_DEAR if price_of(world, own) > own.owner.gold else 0


@rule
def buy(world: World, seat: int, city: int) -> None:
    """C6: fill the stock; the phase's end completes it."""
    own = world.cities[city]
    own.owner.gold -= price_of(world, own)
    own.shield_stock, own.did_buy = cost(world, own.production), True


@rule
def refuse_sell(world: World, seat: int, city: int, item: int) -> int:
    """C7: the city must have the improvement, and have sold nothing this turn."""
    own, thing = city_of(world, seat, city), item_at(world.rules, item)
    if own is None:
        return NO_CITY
    if not isinstance(thing, Building) or not thing.is_improvement or not own.has(thing):
        return NOT_FOR_SALE
    return HAS_SOLD if own.did_sell else 0


@rule
def sell(world: World, seat: int, city: int, item: int) -> None:
    """C7: the nation gets the cost in gold."""
    own, thing = world.cities[city], world.rules.buildings[item]
    remove_building(world, own, thing)
    own.owner.gold += cost(world, thing)
    own.did_sell = True
    refresh(world, own)


# --- citizens


@rule
def refuse_arrange(world: World, seat: int, city: int) -> int:
    """C8: the city must belong to the seat."""
    return 0 if city_of(world, seat, city) else NO_CITY


@rule
def arrange(world: World, seat: int, city: int) -> None:
    """C8: arrange the citizens as when a city grows."""
    place_best(world, world.cities[city])


@rule
def refuse_release(world: World, seat: int, city: int, tile: int) -> int:
    """C9: a citizen must work the tile, and it must not be the city's own."""
    own = city_of(world, seat, city)
    if own is None:
        return NO_CITY
    return 0 if tile in own.worked and tile != own.tile else NOT_WORKED


@rule
def release(world: World, seat: int, city: int, tile: int) -> None:
    """C9: the citizen becomes a specialist of the first kind."""
    own = world.cities[city]
    specialists = [own.specialists[0] + 1, *own.specialists[1:]]
    place(world, own, own.worked - {tile}, specialists)
    refresh(world, own)


@rule
def refuse_employ(world: World, seat: int, city: int, tile: int) -> int:
    """C10: the city needs a specialist and a free tile within reach."""
    own = city_of(world, seat, city)
    if own is None:
        return NO_CITY
    if not any(own.specialists):
        return NO_SPECIALIST
    near = {each for each, _ in world.geometry.circle(own.tile, own.radius_sq)}
    free = tile in near and tile not in own.worked and is_workable(world, own, tile)
    return 0 if free else NOT_WORKABLE


@rule
def employ(world: World, seat: int, city: int, tile: int) -> None:
    """C10: a specialist of the first kind present goes to work."""
    own = world.cities[city]
    specialists = list(own.specialists)
    specialists[next(kind for kind, count in enumerate(specialists) if count)] -= 1
    place(world, own, own.worked | {tile}, specialists)
    refresh(world, own)


@rule
def refuse_retrain(world: World, seat: int, city: int, old: int, new: int) -> int:
    """C11: the city must have such a specialist, and both kinds must exist and differ."""
    own = city_of(world, seat, city)
    if own is None:
        return NO_CITY
    kinds = len(own.specialists)
    there = old < kinds and new < kinds and old != new and own.specialists[old] > 0
    return 0 if there else NO_SPECIALIST


@rule
def retrain(world: World, seat: int, city: int, old: int, new: int) -> None:
    """C11: change the specialist's kind."""
    own = world.cities[city]
    own.specialists[old] -= 1
    own.specialists[new] += 1
    refresh(world, own)
