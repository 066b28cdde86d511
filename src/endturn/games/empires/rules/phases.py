"""The small steps of a turn change that belong to no other chapter."""

from endturn.games.empires.rules import borders, cities, environment, research, treasury
from endturn.games.empires.rules.diplomacy import contact_everybody
from endturn.games.empires.rules.effects import of_city, of_player
from endturn.games.empires.rules.output import route_kind
from endturn.games.empires.rules.workers import arrange
from endturn.games.empires.ruleset import SCIENCE
from endturn.games.empires.state import City, Player, World
from endturn.games.empires.vocabulary import EffectType

CONCURRENT, BY_PLAYER, BY_TEAM = "Concurrent", "Players Alternate", "Teams Alternate"


def queue(world: World) -> list[int]:
    """Who acts one after the other: players, or teams, by number."""
    if world.phase_mode == BY_TEAM:
        return sorted({player.team for player in world.players.values()})
    return sorted(world.players) if world.phase_mode == BY_PLAYER else []


def count(world: World) -> int:
    """How many phases a turn has: one where all act at once."""
    return len(queue(world)) or 1


def takes_part(world: World, player: Player) -> bool:
    """Whether a player acts in the phase it is now."""
    if world.phase_mode == CONCURRENT:
        return True
    number = player.team if world.phase_mode == BY_TEAM else player.number
    return number == queue(world)[world.phase]


def stop_if_over(world: World, city: City) -> bool:
    """E12: nothing more happens to a city in a game that is over."""
    return world.is_over


def add_history(world: World, city: City) -> None:
    """A city's past grows with what it has built."""
    city.history = max(0, city.history + of_city(world, city, EffectType.HISTORY))


def add_national_history(world: World, player: Player) -> None:
    """So does the nation's."""
    player.history += of_player(world, player, EffectType.NATIONAL_HISTORY)


def clear_counters(world: World, city: City) -> None:
    """E19: a new turn to buy, sell and airlift."""
    city.did_sell = city.did_buy = False
    city.airlift = of_city(world, city, EffectType.AIRLIFT)


def harvest_bulbs(world: World, city: City) -> None:
    """E20: a city's science is its owner's."""
    research.update_bulbs(world, city.owner, city.made[SCIENCE], may_learn=False)


def open_books(world: World, player: Player) -> None:
    """What a player had before the cities' turn."""
    player.bulbs_last_turn = 0
    player.gold_before = player.gold


def warn_of_debt(world: World, player: Player) -> None:
    """E27: compared with before."""
    treasury.warn(world, player, player.gold_before)


def assimilate(world: World, city: City) -> None:
    """E9a: only where nations are counted."""
    if world.rules.parameters.nationality:
        cities.assimilate(world, city)


def cancel_routes(world: World, city: City) -> None:
    """E9b: routes that the rules allow no more end, where the ruleset says so."""
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


def reset_got_tech(world: World, player: Player) -> None:
    """A tech was learnt this turn, no more."""
    player.research.got_tech = player.research.got_tech_multi = False


def apply_fog(world: World) -> None:
    """T3: whether units out of sight are hidden follows the setting from this turn on."""
    wanted = bool(world.settings.get("fogofwar", True))
    if wanted != world.has_fog:
        world.has_fog = wanted
        world.tell("fog_changed", None, 0, wanted)


def shuffle_players(world: World) -> None:
    """T4: a new order, drawn over all places at the table, taken or not."""
    if world.phase_mode != CONCURRENT:
        world.order = list(world.players.values())
        return
    slots = list(range(world.player_slots))
    for i in range(len(slots) - 1):
        j = i + world.chance.below(len(slots) - i, "order of players")
        slots[i], slots[j] = slots[j], slots[i]
    world.order = [world.players[slot] for slot in slots if slot in world.players]


def greet(world: World, player: Player) -> None:
    """P1: a new phase for everybody."""
    player.phase_done = False


def advise_on_wonders(world: World, player: Player) -> None:
    """P9: our advisor needs no luck; the original's draws once for each player without a city for wonders."""


def bots_negotiate(world: World, player: Player) -> None:
    """P12: bots act through their seats, not here."""


def bots_move(world: World, player: Player) -> None:
    """P13: bots act through their seats, not here."""


def bots_end_units(world: World, player: Player) -> None:
    """E4: bots act through their seats, not here."""


def bots_govern(world: World, player: Player) -> None:
    """E5b: bots act through their seats, not here."""


def bots_finish(world: World, player: Player) -> None:
    """E33: bots act through their seats, not here."""


def start_timer(world: World) -> None:
    """P15: the server's clock."""
    world.tell("timer_started", None)


def update_timeout(world: World) -> None:
    """N13: the server's clock."""
    world.tell("timeout", None, 0, world.settings["timeout"])


def age_motion(world: World) -> None:
    """N11: what is voted on for too long has failed."""
    if world.motion is not None:
        world.motion.turns_left -= 1
        if world.motion.turns_left <= 0:
            drop_motion(world)


def drop_motion(world: World) -> None:
    """What was voted on is not to be."""
    world.motion = None
    world.tell("vote_failed", None)


def refresh_vision(world: World, player: Player) -> None:
    """E29: cities see as far as their effects let them."""
    for city in player.cities:
        for tile, _ in world.geometry.circle(
            city.tile, of_city(world, city, EffectType.CITY_VISION_RADIUS_SQ)
        ):
            world.known[tile] |= 1 << player.number


def reveal(world: World, player: Player) -> None:
    """E31: some effects show cities, or the whole map."""
    bit = 1 << player.number
    if of_player(world, player, EffectType.REVEAL_MAP) > 0:
        world.known = [known | bit for known in world.known]
    elif of_player(world, player, EffectType.REVEAL_CITIES) > 0:
        for city in world.cities.values():
            world.known[city.tile] |= bit


def give_contact(world: World, player: Player) -> None:
    """E32: some effects keep everybody in contact."""
    if player.is_alive and of_player(world, player, EffectType.HAVE_CONTACTS) > 0:
        contact_everybody(world, player)


def update_borders(world: World) -> None:
    """N2: and whoever lost a tile to somebody else is placed anew."""
    borders.calculate(world)
    for city in list(world.cities.values()):
        if city.needs_arranging:
            arrange(world, city)
    cities.count_waiting(world)


def count_waiting(world: World, player: Player) -> None:
    """What the turn of a player's cities meant for others is settled before the next player's."""
    cities.count_waiting(world)


def warm(world: World) -> None:
    """N6: if the setting lets it."""
    if world.settings["globalwarming"]:
        share = world.settings["globalwarming_percent"]
        environment.upset_climate(world, world.warming, "GlobalWarming", share, warmer=True)


def cool(world: World) -> None:
    """N7: if the setting lets it."""
    if world.settings["nuclearwinter"]:
        share = world.settings["nuclearwinter_percent"]
        environment.upset_climate(world, world.winter, "NuclearWinter", share, warmer=False)


def show_map(world: World) -> None:
    """G3: nothing is hidden any more."""
    everybody = sum(1 << number for number in world.players)
    world.known = [everybody] * world.geometry.tiles
