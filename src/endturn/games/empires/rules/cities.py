"""A city as a whole: its size, citizens, buildings, border and end."""

from endturn.games.empires.rules.borders import calculate, claim_border, release_far, unclaim
from endturn.games.empires.rules.effects import of_city
from endturn.games.empires.rules.refresh import refresh
from endturn.games.empires.rules.spaceship import lose_ship
from endturn.games.empires.rules.units import remove
from endturn.games.empires.rules.workers import arrange
from endturn.games.empires.ruleset import Building
from endturn.games.empires.state import City, Player, World
from endturn.games.empires.vocabulary import EffectType

RUINS = "ruins", "rubble"  # the names in installed rulesets and in ours


def refresh_and_arrange(world: World, city: City) -> None:
    """Refresh a city, and rearrange its citizens if its radius changed."""
    refresh(world, city)
    arrange_if_needed(world, city)


def arrange_if_needed(world: World, city: City) -> None:
    """E10c: rearrange the citizens if the land they can work changed."""
    if city.needs_arranging:
        arrange(world, city)


def count_waiting(world: World, _player: Player | None = None) -> None:
    """E26a: refresh the cities whose units stand on land that changed hands."""
    for city in list(world.cities.values()):
        if city.needs_counting:
            refresh_and_arrange(world, city)


def add_building(world: World, city: City, building: Building) -> None:
    """Add a building. Wonders count at once, for everybody."""
    city.buildings |= building.bit
    touched(world, city, building)


def remove_building(world: World, city: City, building: Building) -> None:
    """Remove a building."""
    city.buildings &= ~building.bit
    touched(world, city, building)


def touched(world: World, city: City, building: Building) -> None:
    """Clear cached effects as far as the building reaches: for the city, its owner, or the world."""
    city.stamp += 1
    city.owner.stamp += bool(world.rules.far_reaching["owner"] & building.bit)
    world.stamp += bool(world.rules.far_reaching["world"] & building.bit)


def found(world: World, player: Player, tile: int, name: str, number: int) -> City:
    """Found a city of one citizen, who works the best tile around, and claim the land near it."""
    coinage = next(building for building in world.rules.buildings if building.is_coinage)
    city = City(
        id=number, name=name, owner=player, tile=tile, founder=player.number, size=1,
        specialists=[1] + [0] * (len(world.rules.specialists) - 1), food_stock=0, shield_stock=0, history=0, airlift=0,
        was_happy=False, turn_plague=-1, anarchy=0, rapture=0, turn_founded=world.turn, did_buy=False, did_sell=False,
        turn_last_built=world.turn, production=coinage, changed_from=coinage, before_change_shields=0,
        caravan_shields=0, disbanded_shields=0, last_turns_shield_surplus=0,
        radius_sq=world.rules.parameters.init_city_radius_sq, buildings=0, worklist=[], options={}, routes=[],
        citizens={player.number: 1}, worked={tile},
    )  # fmt: skip
    player.cities.append(city)
    world.cities[city.id] = world.city_at[tile] = city
    world.worked[tile] = city.id
    player.stamp += 1
    claim_border(world, tile)
    refresh(world, city)
    arrange(world, city)
    world.tell("city_founded", player.number, city.id)
    return city


def resize(world: World, city: City, size: int) -> None:
    """Change the number of citizens, before anybody is placed."""
    city.size = size
    city.stamp += 1


def grow(world: World, city: City, nation: int | None = None) -> None:
    """Add a citizen, by default of the owner's nation, and rearrange the citizens (E16)."""
    nation = city.owner.number if nation is None else nation
    resize(world, city, city.size + 1)
    city.has_grown = True
    city.specialists[0] += 1
    if world.rules.parameters.nationality:
        city.citizens[nation] = city.citizens.get(nation, 0) + 1
    refresh(world, city)
    arrange(world, city)


def shrink(world: World, city: City, loss: int = 1, cause: str = "shrinks") -> bool:
    """Remove citizens, specialists first. Returns whether the city still exists."""
    if city.size <= loss:
        destroy(world, city, cause)
        return False
    resize(world, city, city.size - loss)
    for place, count in enumerate(city.specialists):
        gone = min(count, loss)
        city.specialists[place] -= gone
        loss -= gone
    _leave_tiles(world, city, loss)
    lose_citizens(world, city)
    release_far(world, city.tile)
    refresh(world, city)
    arrange(world, city)
    return True


def _leave_tiles(world: World, city: City, loss: int) -> None:
    for tile, _ in world.geometry.circle(city.tile, city.radius_sq):
        if loss and tile in city.worked and tile != city.tile:
            city.worked.remove(tile)
            world.worked[tile] = 0
            loss -= 1


def lose_citizens(world: World, city: City) -> None:
    """Reduce the citizens by nationality to the size: random foreigners go first."""
    if not world.rules.parameters.nationality:
        return
    while sum(city.citizens.values()) > city.size:
        foreign = [
            nation for nation, count in sorted(city.citizens.items()) if nation != city.owner.number and count
        ]
        if foreign:
            nation = foreign[world.chance.below(len(foreign), "nation that loses a citizen")]
        else:
            nation = city.owner.number
        city.citizens[nation] -= 1


def nearest_own(world: World, city: City) -> City | None:
    """The owner's nearest other city; None if there is no other."""
    others = (other for other in city.owner.cities if other is not city)
    return min(others, key=lambda other: world.geometry.distance(other.tile, city.tile), default=None)


def hand_over_units(city: City, near: City) -> None:
    """Make another city the home of a city's units."""
    for unit in city.units:
        unit.home = near
        near.units.append(unit)
    city.units.clear()


def destroy(world: World, city: City, cause: str) -> None:
    """Destroy a city: the units it supports are lost, and its land is free."""
    owner = city.owner
    if is_capital(world, city):
        lose_ship(world, owner)
    for route_end in world.cities.values():
        route_end.routes = [route for route in route_end.routes if route.partner != city.id]
    for building in world.rules.buildings:
        if building.is_great_wonder and city.has(building):
            world.destroyed_wonders |= building.bit
    for unit in list(city.units):
        remove(world, unit)
    owner.cities.remove(city)
    del world.cities[city.id], world.city_at[city.tile]
    for tile in city.worked:
        world.worked[tile] = 0
    unclaim(world, city.tile)
    _leave_ruins(world, city.tile)
    owner.stamp += 1
    world.stamp += 1
    world.tell("city_destroyed", None, city.id, city.name, cause)


def _leave_ruins(world: World, tile: int) -> None:
    """Leave ruins, as the rulesets' scripts do, if the ruleset has such an extra."""
    for name in RUINS:
        if name in world.rules.extra_by_name:
            world.extras[tile] |= world.rules.extra_by_name[name].bit


def assimilate(world: World, city: City) -> None:
    """E9a: a random foreign citizen may take the owner's nationality, if the ruleset has nationalities."""
    if not world.rules.parameters.nationality:
        return
    speed = world.rules.parameters.convert_speed
    drawn = world.chance.below(1000, "assimilation") + 1
    foreign = [
        nation for nation, count in sorted(city.citizens.items()) if nation != city.owner.number and count
    ]
    if drawn > speed or not foreign:
        return
    nation = foreign[world.chance.below(len(foreign), "nation that assimilates")]
    city.citizens[nation] -= 1
    city.citizens[city.owner.number] = city.citizens.get(city.owner.number, 0) + 1
    world.tell("city_nationality", city.owner.number, city.id)


def update_border(world: World, city: City) -> None:
    """E17: claim more land after the city has grown."""
    if city.has_grown:
        city.has_grown = False
        claim_border(world, city.tile)


def update_borders(world: World) -> None:
    """N2: claim land, then rearrange the citizens of cities that lost a tile."""
    calculate(world)
    for city in list(world.cities.values()):
        if city.needs_arranging:
            arrange(world, city)
    count_waiting(world)


def clear_counters(world: World, city: City) -> None:
    """E19: the city may buy, sell and airlift again."""
    city.did_sell = city.did_buy = False
    city.airlift = of_city(world, city, EffectType.AIRLIFT)


def is_capital(world: World, city: City) -> bool:
    """Whether the city is its owner's capital."""
    return of_city(world, city, EffectType.CAPITAL_CITY) > 0
