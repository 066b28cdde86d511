"""Gold (TURN_CHANGE E21, E26, E27): income, upkeep, and sales that settle a debt."""

from endturn.games.empires.rules.cities import refresh_and_arrange, remove_building
from endturn.games.empires.rules.numbers import percent
from endturn.games.empires.rules.support import building_upkeep, buildings_in, buildings_upkeep
from endturn.games.empires.rules.units import lose
from endturn.games.empires.ruleset import GOLD, Building
from endturn.games.empires.state import City, Player, Unit, World


def collect(world: World, city: City) -> None:
    """E21: take in the city's gold and pay for buildings and units; settle a debt if the style says so."""
    player, style = city.owner, world.rules.parameters.gold_upkeep_style
    player.gold += city.made[GOLD] - buildings_upkeep(world, city)
    for unit in city.units:
        unit.paid_gold = unit.upkeep[GOLD]
        player.gold -= unit.paid_gold
    if player.gold < 0 and style in ("City", "Mixed"):
        sell_buildings(world, player, [(city, b) for b in sellable(world, city)])
        if style == "City":
            sell_units(world, player, gold_units(city))


def sellable(world: World, city: City) -> list[Building]:
    """The buildings of a city that can be sold."""
    return [building for building in buildings_in(world, city) if building.is_improvement]


def gold_units(city: City) -> list[Unit]:
    """The units of a city that cost gold."""
    return [unit for unit in city.units if unit.upkeep[GOLD] > 0]


def sell_buildings(world: World, player: Player, offers: list[tuple[City, Building]]) -> None:
    """Sell random buildings until there is no debt."""
    while player.gold < 0 and offers:
        _sell_building(world, player, offers)


def _sell_building(world: World, player: Player, offers: list[tuple[City, Building]]) -> None:
    city, building = offers.pop(world.chance.below(len(offers), "building sold"))
    player.gold += percent(building.build_cost, world.settings["shieldbox"]) + building_upkeep(
        world, city, building
    )
    remove_building(world, city, building)
    refresh_and_arrange(world, city)
    world.tell("building_sold", player.number, city.id, building.name, "cannot upkeep")


def sell_units(world: World, player: Player, offers: list[Unit]) -> None:
    """Sell random units until there is no debt; transports go after their cargo."""
    while player.gold < 0 and offers:
        _sell_unit(world, player, offers)


def _sell_unit(world: World, player: Player, offers: list[Unit]) -> None:
    drawn = offers[world.chance.below(len(offers), "unit sold")]
    cargo = [unit for unit in offers if unit.transport == drawn.id]
    unit = cargo[0] if cargo else drawn
    offers.remove(unit)
    player.gold += unit.paid_gold
    lose(world, unit, "cannot upkeep")


def balance(world: World, player: Player) -> None:
    """E26: settle the nation's debt."""
    style = world.rules.parameters.gold_upkeep_style
    if player.gold >= 0 or style == "City":
        return
    units = [unit for city in player.cities for unit in gold_units(city)]
    if style == "Mixed":
        sell_units(world, player, units)
        return
    buildings = [(city, building) for city in player.cities for building in sellable(world, city)]
    unit_next = True
    while player.gold < 0 and (units or buildings):
        if units and (unit_next or not buildings):
            _sell_unit(world, player, units)
        else:
            _sell_building(world, player, buildings)
        unit_next = not unit_next


def open_books(world: World, player: Player) -> None:
    """E9: remember the treasury before the cities' turn."""
    player.bulbs_last_turn = 0
    player.gold_before = player.gold


def warn(world: World, player: Player) -> None:
    """E27: warn a player who lost more than a third of the treasury this turn."""
    before = player.gold_before
    if before - 3 * (before - player.gold) < 0:
        world.tell("low_on_funds", player.number)
