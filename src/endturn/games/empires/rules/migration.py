"""Citizens who move to better cities (TURN_CHANGE N4)."""

from math import exp, sqrt

from endturn.games.empires.rules.cities import (
    destroy,
    hand_over_units,
    is_capital,
    nearest_own,
    shrink,
    update_border,
)
from endturn.games.empires.rules.effects import of_city
from endturn.games.empires.rules.growth import grow_by_one, grows_by_rapture, illness, may_grow
from endturn.games.empires.rules.numbers import over, percent
from endturn.games.empires.rules.output import tile_yields
from endturn.games.empires.rules.support import buildings_in
from endturn.games.empires.rules.workers import is_workable
from endturn.games.empires.ruleset import FOOD, LUXURY, SCIENCE, TRADE
from endturn.games.empires.state import City, Player, World
from endturn.games.empires.vocabulary import EffectType

STAYING = 3  # how many times more attractive the own city seems
Scores = dict[int, float]  # of each city, as computed first this turn


def score(world: World, city: City) -> float:
    """How attractive a city is."""
    value = city.size + city.happy - city.unhappy * 0.25 - city.angry * 0.5
    buildings = buildings_in(world, city)
    cost = sum(max(percent(each.build_cost, world.settings["shieldbox"]), 1) for each in buildings)
    value *= 1 + (1 - exp(-max(cost, 0) / 1000)) / 5
    for output in (TRADE, LUXURY, SCIENCE):
        value *= 1 + (1 - exp(-max(city.surplus[output], 0) / 100)) / 5
    culture = city.history + of_city(world, city, EffectType.PERFORMANCE)
    value += over(culture * world.rules.parameters.culture_migration_pml, 1000)
    value *= 1 + max(-10, min(city.surplus[FOOD], 20)) / 10
    if world.rules.parameters.illness_on:
        value *= (100 - illness(world, city) / 25) / 100
    if any(building.is_wonder for building in buildings):
        value *= 1.25
    if is_capital(world, city):
        value *= 1.25
    return value * (100 + of_city(world, city, EffectType.MIGRATION_PCT)) / 100


def check(world: World) -> None:
    """N4: every few turns citizens compare cities."""
    if not world.settings["migration"]:
        return
    scores: Scores = {}
    for player in world.players.values():
        for city in list(player.cities):
            if city.id in world.cities and _is_time(world, city):
                _look_around(world, player, city, scores)


def _is_time(world: World, city: City) -> bool:
    if is_capital(world, city):
        return False
    age = world.turn - city.turn_founded
    return age > 0 and age % world.settings["mgr_turninterval"] == 0


def _look_around(world: World, player: Player, city: City, scores: Scores) -> None:
    """Move to the best city of the nation, or else to the best foreign one."""
    best: dict[bool, tuple[float, City | None]] = {True: (0, None), False: (0, None)}
    own = _noted(world, city, scores) * STAYING
    for other in world.cities.values():
        worth, same = _worth(world, city, other, scores), other.owner is player
        if worth > own and worth > best[same][0]:
            best[same] = worth, other
    for same, chance in ((True, "mgr_nationchance"), (False, "mgr_worldchance")):
        target = best[same][1]
        if target is not None and world.settings[chance] > 0:
            if world.chance.below(100, "migration") < world.settings[chance]:
                move_citizen(world, city, target)
            return


def _noted(world: World, city: City, scores: Scores) -> float:
    if city.id not in scores:
        scores[city.id] = score(world, city)
    return scores[city.id]


def _worth(world: World, city: City, other: City, scores: Scores) -> float:
    """What another city is worth to the citizens: less with its distance, more if their own nation rules it."""
    reach = int(sqrt(max(other.radius_sq, 0))) + int(world.settings["mgr_distance"])
    distance = world.geometry.distance(city.tile, other.tile)
    if other is city or distance > reach:
        return 0
    worth = _noted(world, other, scores) * (reach + 1 - distance) / (reach + 1)
    kin = other.owner is not city.owner and city.citizens.get(other.owner.number, 0) > 0
    return worth * 2 if kin else worth


def _feeds_one_more(world: World, city: City) -> bool:
    """Whether a city has food for another citizen, perhaps from the best free tile."""
    wanted = world.rules.parameters.food_cost
    if not world.settings["mgr_foodneeded"] or city.surplus[FOOD] >= wanted:
        return True
    free = [
        tile
        for tile, _ in world.geometry.circle(city.tile, city.radius_sq)
        if tile not in city.worked and is_workable(world, city, tile)
    ]
    best = max((tile_yields(world, city, tile)[FOOD] for tile in free), default=-1)
    return best >= 0 and city.surplus[FOOD] + best >= wanted


def move_citizen(world: World, city: City, target: City) -> None:
    """Move a citizen to another city, if that city can feed and house another."""
    if not _feeds_one_more(world, target) or not may_grow(world, target):
        return
    nation = _who_leaves(world, city, target)
    if city.size > 1:
        city.food_stock //= 2
        if world.rules.parameters.nationality:
            city.citizens[nation] -= 1
        shrink(world, city, 1, "migration")
    elif not _abandon(world, city):
        return
    world.tell("migration", city.owner.number, city.id, target.id)
    grow_by_one(world, target, grows_by_rapture(world, target), nation)
    update_border(world, target)


def _who_leaves(world: World, city: City, target: City) -> int:
    """The migrant's nation: the target's if a citizen is of it, else the owner's, else drawn."""
    own = city.owner.number
    if not world.rules.parameters.nationality:
        return own
    if city.size > 1:
        if city.citizens.get(target.owner.number, 0) > 0:
            return target.owner.number
        if city.citizens.get(own, 0) > 0:
            return own
    everybody = [nation for nation, count in sorted(city.citizens.items()) for _ in range(count)]
    return everybody[world.chance.below(len(everybody), "migrant")]


def _abandon(world: World, city: City) -> bool:
    """Abandon a city with its last citizen, unless it has wonders or is the only one. Returns whether it is gone."""
    near = nearest_own(world, city)
    if near is None or any(building.is_wonder for building in buildings_in(world, city)):
        return False
    hand_over_units(city, near)
    destroy(world, city, "migration")
    return True
