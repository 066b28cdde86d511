"""What is decided for a city (chapter C): what it builds, buys and sells, and what its citizens do."""

from endturn.engine.rule import rule
from endturn.games.empires.rules.cities import remove_building
from endturn.games.empires.rules.numbers import percent
from endturn.games.empires.rules.production import CHANGED_CLASS, can_build, class_of, cost
from endturn.games.empires.rules.refresh import refresh
from endturn.games.empires.rules.refusals import (
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
from endturn.games.empires.rules.workers import arrange as place_best
from endturn.games.empires.rules.workers import is_workable, place
from endturn.games.empires.ruleset import Building, Ruleset, UnitType
from endturn.games.empires.state import City, Production, World

LONGEST_WORKLIST = 16


def item_at(rules: Ruleset, number: int) -> Production | None:
    """What a number stands for: buildings first, then units, in the ruleset's order."""
    if number < len(rules.buildings):
        return rules.buildings[number]
    kinds = list(rules.unit_types.values())
    place = number - len(rules.buildings)
    return kinds[place] if place < len(kinds) else None


def city_of(world: World, seat: int, number: int) -> City | None:
    """C1: a city of the seat's own; of others not even that they are there is told."""
    city = world.cities.get(number)
    return city if city is not None and city.owner.number == seat else None


# --- what is built


@rule
def refuse_build(world: World, seat: int, city: int, item: int) -> int:
    """C2: something that the city can build now and does not yet, and nothing was bought this turn."""
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
    """C2, C3: the shields stay; half of them for another class of things, unless something was just built."""
    own, thing = world.cities[city], item_at(world.rules, item)
    assert thing is not None
    own.production = thing
    own.shield_stock = shields_for(world, own, thing)


def shields_for(world: World, city: City, thing: Production) -> int:
    """C3: what is left of the stock; caravans lose nothing for wonders, and disbanded units nothing for units."""
    kept, kind = city.before_change_shields, class_of(thing)
    same = kind == class_of(city.changed_from) or city.turn_last_built + 1 >= world.turn
    kept = kept if same else percent(kept, CHANGED_CLASS)
    kept += city.caravan_shields if kind == "wonder" else percent(city.caravan_shields, CHANGED_CLASS)
    return kept + city.disbanded_shields


@rule
def refuse_plan(world: World, seat: int, city: int, item: int) -> int:
    """C4: something that the city can build now, while the list has room."""
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
    """C4: at its end."""
    thing = item_at(world.rules, item)
    assert thing is not None
    world.cities[city].worklist.append(thing)


@rule
def refuse_unplan(world: World, seat: int, city: int, position: int) -> int:
    """C5: an entry that is there."""
    own = city_of(world, seat, city)
    if own is None:
        return NO_CITY
    return 0 if position < len(own.worklist) else NO_PLACE


@rule
def unplan(world: World, seat: int, city: int, position: int) -> None:
    """C5: the others move up."""
    del world.cities[city].worklist[position]


# --- buying and selling


def price_of(world: World, city: City) -> int:
    """C6: twice what is missing and its square by twenty; double for units, and double from nothing."""
    missing = max(cost(world, city.production) - city.shield_stock, 0)
    price = 2 * missing + missing * missing // 20
    price *= 2 if isinstance(city.production, UnitType) else 1
    return price * (2 if city.shield_stock == 0 else 1)


@rule
def refuse_buy(world: World, seat: int, city: int) -> int:
    """C6: once a turn, not where the city is new, nor units in disorder."""
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
    """C6: the shields are there; it is built as the phase ends."""
    own = world.cities[city]
    own.owner.gold -= price_of(world, own)
    own.shield_stock, own.did_buy = cost(world, own.production), True


@rule
def refuse_sell(world: World, seat: int, city: int, item: int) -> int:
    """C7: an improvement that stands there, one a turn."""
    own, thing = city_of(world, seat, city), item_at(world.rules, item)
    if own is None:
        return NO_CITY
    if not isinstance(thing, Building) or not thing.is_improvement or not own.has(thing):
        return NOT_FOR_SALE
    return HAS_SOLD if own.did_sell else 0


@rule
def sell(world: World, seat: int, city: int, item: int) -> None:
    """C7: for as much gold as it took shields."""
    own, thing = world.cities[city], world.rules.buildings[item]
    remove_building(world, own, thing)
    own.owner.gold += cost(world, thing)
    own.did_sell = True
    refresh(world, own)


# --- citizens


@rule
def refuse_arrange(world: World, seat: int, city: int) -> int:
    """C8: a city of one's own."""
    return 0 if city_of(world, seat, city) else NO_CITY


@rule
def arrange(world: World, seat: int, city: int) -> None:
    """C8: as it happens by itself when a city grows."""
    place_best(world, world.cities[city])


@rule
def refuse_release(world: World, seat: int, city: int, tile: int) -> int:
    """C9: a tile that a citizen works, other than the city's own."""
    own = city_of(world, seat, city)
    if own is None:
        return NO_CITY
    return 0 if tile in own.worked and tile != own.tile else NOT_WORKED


@rule
def release(world: World, seat: int, city: int, tile: int) -> None:
    """C9: it becomes a specialist of the first kind."""
    own = world.cities[city]
    specialists = [own.specialists[0] + 1, *own.specialists[1:]]
    place(world, own, own.worked - {tile}, specialists)
    refresh(world, own)


@rule
def refuse_employ(world: World, seat: int, city: int, tile: int) -> int:
    """C10: a specialist, and a free tile within reach."""
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
    """C10: one of the first kind of which there is any."""
    own = world.cities[city]
    specialists = list(own.specialists)
    specialists[next(kind for kind, count in enumerate(specialists) if count)] -= 1
    place(world, own, own.worked | {tile}, specialists)
    refresh(world, own)


@rule
def refuse_retrain(world: World, seat: int, city: int, old: int, new: int) -> int:
    """C11: one who is there, to another kind that there is."""
    own = city_of(world, seat, city)
    if own is None:
        return NO_CITY
    kinds = len(own.specialists)
    there = old < kinds and new < kinds and old != new and own.specialists[old] > 0
    return 0 if there else NO_SPECIALIST


@rule
def retrain(world: World, seat: int, city: int, old: int, new: int) -> None:
    """C11: at once."""
    own = world.cities[city]
    own.specialists[old] -= 1
    own.specialists[new] += 1
    refresh(world, own)
