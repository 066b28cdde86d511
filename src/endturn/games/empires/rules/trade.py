"""Trade routes: their income, and when they are cancelled (E9b)."""

from endturn.games.empires.rules.effects import of_city
from endturn.games.empires.rules.numbers import over, percent
from endturn.games.empires.rules.terrain import continent_of
from endturn.games.empires.ruleset import TRADE
from endturn.games.empires.state import City, TradeRoute, World
from endturn.games.empires.vocabulary import DiplomaticState, EffectType

CENTURY = 40  # the width of a map for the relative part of a distance


def route_income(world: World, city: City) -> int:
    """The trade from a city's routes."""
    if not city.routes:
        return 0
    income = sum(route_value(world, city, route) for route in city.routes if route.partner in world.cities)
    return percent(income, 100 + of_city(world, city, EffectType.TRADEROUTE_PCT))


ROUTE_KINDS = {
    DiplomaticState.TEAM: "Team", DiplomaticState.ALLIANCE: "Ally", DiplomaticState.WAR: "Enemy",
}  # fmt: skip


def route_kind(world: World, city: City, partner: City) -> str:
    """The type of a route, by the owners of both ends and whether they are on one continent."""
    apart = "IC" if continent_of(world, city.tile) != continent_of(world, partner.tile) else ""
    if city.owner is partner.owner:
        return f"National{apart}"
    state = city.owner.relations[partner.owner.number].state
    return ROUTE_KINDS.get(state, "IN") + apart


def route_value(world: World, city: City, route: TradeRoute) -> int:
    """The trade from one route, before the city's bonus."""
    partner = world.cities[route.partner]
    share = world.rules.parameters.trade_routes[route_kind(world, city, partner)][0]
    if world.settings["trade_revenue_style"] == "SIMPLE":
        return over((city.tile_base[TRADE] + partner.tile_base[TRADE] + 4) * 3 * share // 100, 12)
    distance = world.geometry.distance(city.tile, partner.tile)
    relative = world.settings["tradeworldrelpct"]
    across = over(distance * CENTURY, max(world.geometry.width, world.geometry.height))
    weighted = over((100 - relative) * distance + relative * across, 100)
    return over(percent(weighted + city.size + partner.size, share), 12)


def cancel_routes(world: World, city: City) -> None:
    """E9b: cancel the routes that the ruleset no longer allows."""
    for route in list(city.routes):
        partner = world.cities.get(route.partner)
        if partner is None or _is_impossible(world, city, partner):
            city.routes.remove(route)
            if partner is not None:
                partner.routes = [other for other in partner.routes if other.partner != city.id]
            world.tell("route_cancelled", city.owner.number, city.id, route.partner)


def _is_impossible(world: World, city: City, partner: City) -> bool:
    share, cancelling = world.rules.parameters.trade_routes[route_kind(world, city, partner)]
    dx, dy = world.geometry.vector(city.tile, partner.tile)
    near = city.owner is partner.owner and abs(dx) + abs(dy) < world.settings["trademindist"]
    return (share <= 0 or near) and cancelling == "Cancel"
