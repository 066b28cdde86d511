"""Scores and history (TURN_CHANGE 7.1)."""

from endturn.games.empires.rules.effects import of_city, of_player
from endturn.games.empires.rules.numbers import clip
from endturn.games.empires.rules.output import bonuses
from endturn.games.empires.rules.support import buildings_in
from endturn.games.empires.ruleset import SCIENCE, SHIELD, TRADE
from endturn.games.empires.state import City, Player, Unit, World
from endturn.games.empires.vocabulary import EffectType


def population(city: City) -> int:
    """The people of a city, in thousands."""
    return city.size * (city.size + 1) * 5


def culture(world: World, player: Player) -> int:
    """History and performance of all cities and the nation."""
    cities = sum(city.history + of_city(world, city, EffectType.PERFORMANCE) for city in player.cities)
    return player.history + of_player(world, player, EffectType.NATIONAL_PERFORMANCE) + cities


def add_history(world: World, city: City) -> None:
    """E12a: a city's history grows with its buildings."""
    city.history = max(0, city.history + of_city(world, city, EffectType.HISTORY))


def add_national_history(world: World, player: Player) -> None:
    """E27a: the nation's history grows too."""
    player.history += of_player(world, player, EffectType.NATIONAL_HISTORY)


def settled_tiles(world: World, player: Player) -> int:
    """Land tiles that a player's cities work, or where its units stand within reach of its cities."""
    tiles = {tile for city in player.cities for tile in city.worked}
    for unit in player.units:
        if not world.worked[unit.tile] and world.units_at[unit.tile][0] is unit and _in_reach(world, unit):
            tiles.add(unit.tile)
    return sum(not world.terrain[tile].is_ocean for tile in tiles)


def _in_reach(world: World, unit: Unit) -> bool:
    vectors = ((city, world.geometry.vector(city.tile, unit.tile)) for city in unit.owner.cities)
    return any(world.geometry.squared(*vector) <= city.radius_sq for city, vector in vectors)


def calculate(world: World, player: Player) -> None:
    """T2: update all scores of a player."""
    cities, count = player.cities, player.score
    count.update(
        units_built=player.units_built,
        units_killed=player.units_killed,
        units_lost=player.units_lost,
        culture=culture(world, player),
    )
    if player.barbarian:
        return  # barbarians are not ranked
    count.update(
        happy=sum(city.happy for city in cities),
        content=sum(city.content for city in cities),
        unhappy=sum(city.unhappy for city in cities),
        angry=sum(city.angry for city in cities),
        wonders=sum(
            building.is_wonder and building.is_great_wonder
            for city in cities
            for building in buildings_in(world, city)
        ),
        techs=player.research.techs - 1,
        techout=sum(city.made[SCIENCE] for city in cities),
        landarea=1000 * world.owner.count(player.number),
        settledarea=1000 * settled_tiles(world, player),
        population=sum(population(city) for city in cities),
        cities=len(cities),
        units=sum("NonMil" not in unit.type.flags for unit in player.units),
        pollution=sum(city.pollution for city in cities),
        literacy=sum(
            population(city) * clip(0, bonuses(world, city)[SCIENCE] - 100, 100) // 100 for city in cities
        ),
        bnp=sum(city.surplus[TRADE] for city in cities),
        mfg=sum(city.surplus[SHIELD] for city in cities),
    )
    for place in range(len(world.rules.specialists)):
        count[f"specialists{place}"] = sum(city.specialists[place] for city in cities)
    count["total"] = total(count, player)


def total(count: dict[str, int], player: Player) -> int:
    """The score that ranks players."""
    citizens = sum(city.size for city in player.cities)
    techs = 2 * count["techs"] + player.research.future_techs * 5 // 2
    deeds = count["units_built"] // 10 + count["units_killed"] // 3
    return (
        citizens + techs + 5 * count["wonders"] + deeds + count["culture"] // 50 + count.get("spaceship", 0)
    )
