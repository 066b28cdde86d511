"""Nature at the end of a turn (TURN_CHANGE N5 to N7a): disasters, a changing climate, extras."""

from endturn.games.empires.rules.activities import become
from endturn.games.empires.rules.cities import refresh_and_arrange, remove_building, shrink
from endturn.games.empires.rules.effects import Target, holds
from endturn.games.empires.rules.numbers import percent
from endturn.games.empires.rules.support import buildings_in
from endturn.games.empires.rules.unrest import place_extra
from endturn.games.empires.ruleset import Disaster
from endturn.games.empires.state import City, Upset, World

MILLION = 1_000_000
WETTER, DRIER = 0, 1


def strike_disasters(world: World) -> None:
    """N5: draw for each city and each disaster."""
    often = world.settings["disasters"]
    if often <= 0:
        return
    for player in world.players.values():
        for city in list(player.cities):
            for disaster in world.rules.disasters:
                if city.id not in world.cities:
                    break
                drawn = world.chance.below(MILLION, "disaster")
                if drawn < often * disaster.frequency and _may_strike(world, city, disaster):
                    strike(world, city, disaster)


def _may_strike(world: World, city: City, disaster: Disaster) -> bool:
    return holds(world, disaster.requirements, Target(player=city.owner, city=city, tile=city.tile))


def strike(world: World, city: City, disaster: Disaster) -> None:
    """Apply the effects of a disaster to a city."""
    world.tell("disaster", city.owner.number, city.id, disaster.name)
    for cause in ("Pollution", "Fallout"):
        if cause in disaster.effects:
            place_extra(world, city, cause)
    if "ReducePopulation" in disaster.effects and city.size > 1:
        shrink(world, city, 1, "disaster")
    if "DestroyBuilding" in disaster.effects:
        _destroy_building(world, city)
    if "EmptyFoodStock" in disaster.effects:
        city.food_stock = 0
    if "EmptyProdStock" in disaster.effects:
        city.shield_stock = city.before_change_shields = 0


def _destroy_building(world: World, city: City) -> None:
    standing = [b for b in buildings_in(world, city) if b.is_improvement and "DisasterProof" not in b.flags]
    if standing:
        building = standing[world.chance.below(len(standing), "building destroyed")]
        remove_building(world, city, building)
        refresh_and_arrange(world, city)
        world.tell("building_lost", city.owner.number, city.id, building.name)


def warm(world: World) -> None:
    """N6: global warming, unless its setting is off."""
    if world.settings["globalwarming"]:
        share = world.settings["globalwarming_percent"]
        upset_climate(world, world.warming, "GlobalWarming", share, warmer=True)


def cool(world: World) -> None:
    """N7: nuclear winter, unless its setting is off."""
    if world.settings["nuclearwinter"]:
        share = world.settings["nuclearwinter_percent"]
        upset_climate(world, world.winter, "NuclearWinter", share, warmer=False)


def upset_climate(world: World, upset: Upset, flag: str, share: int, warmer: bool) -> None:
    """N6, N7: polluted tiles add up until the climate changes."""
    causing = sum(extra.bit for extra in world.rules.extras if flag in extra.flags)
    count = sum(bool(extras & causing) for extras in world.extras)
    upset.current = percent(count, share)
    upset.accumulated += count
    if upset.accumulated < upset.level:
        upset.accumulated = 0
        return
    upset.accumulated -= upset.level
    tiles = world.geometry.tiles
    if world.chance.below((tiles + 19) // 20, "climate") < upset.accumulated:
        effect = world.geometry.width // 10 + world.geometry.height // 10 + upset.accumulated * 5
        turn_climate(world, warmer, effect)
        upset.accumulated = 0
        upset.level += (tiles + 999) // 1000


def turn_climate(world: World, warmer: bool, effect: int) -> None:
    """Random tiles become wetter or drier, as their terrain does when it gets warmer or cooler."""
    tries = world.geometry.tiles
    while effect > 0 and tries > 0:
        tries -= 1
        tile = world.chance.below(world.geometry.tiles, "climate tile")
        kinds = ("warmer_wetter", "warmer_drier") if warmer else ("cooler_wetter", "cooler_drier")
        name = world.terrain[tile].results[kinds[WETTER if world.chance.below(2, "wetter") == 0 else DRIER]]
        if name is not None and name.lower() not in ("yes", world.terrain[tile].name.lower()):
            become(world, tile, world.rules.terrain_by_name[name.lower()])
            world.tell("climate", None, 0, tile, name)
            effect -= 1


def change_extras(world: World) -> None:
    """N7a: extras disappear and appear at random, as the ruleset says."""
    for extra in world.rules.extras:
        if "Disappear" in extra.removal_causes:
            for tile in range(world.geometry.tiles):
                if (
                    extra.bit & world.extras[tile]
                    and world.chance.below(10000, "vanish") < extra.disappearance_chance
                ):
                    world.extras[tile] &= ~extra.bit
        if "Appear" in extra.causes:
            for tile in range(world.geometry.tiles):
                if extra.bit & world.extras[tile]:
                    continue
                drawn = world.chance.below(10000, "appear")
                if drawn < extra.appearance_chance and holds(world, extra.requirements, Target(tile=tile)):
                    world.extras[tile] |= extra.bit
