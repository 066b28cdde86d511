"""What players see and remember (chapter V)."""

from endturn.games.empires.rules.effects import of_city, of_player
from endturn.games.empires.rules.movement import SIGHT
from endturn.games.empires.state import Glimpse, Player, World
from endturn.games.empires.vocabulary import EffectType


def seen_by(world: World, player: Player) -> set[int]:
    """V1: tiles around a player's units and cities, and around those of players who share their vision."""
    if not world.has_fog:
        return {tile for tile, known in enumerate(world.known) if known >> player.number & 1}
    seen: set[int] = set()
    for other in world.players.values():
        if other is player or other.relations[player.number].gives_vision:
            for unit in other.units:
                seen.update(world.geometry.square(unit.tile, SIGHT))
            for city in other.cities:
                reach = max(of_city(world, city, EffectType.CITY_VISION_RADIUS_SQ), city.radius_sq)
                seen.update(tile for tile, _ in world.geometry.circle(city.tile, reach))
    return seen


def glimpse(world: World, tile: int) -> Glimpse:
    """A tile as it is now."""
    city = world.city_at.get(tile)
    told = None if city is None else (city.id, city.name, city.owner.number, city.size)
    return Glimpse(world.terrain[tile].index, world.extras[tile], world.owner[tile], told)


def look(world: World, player: Player) -> None:
    """V2: remember tiles in sight as they are now, and tiles that became known otherwise as they are once."""
    bit, memory = 1 << player.number, world.seen.setdefault(player.number, {})
    for tile in seen_by(world, player):
        world.known[tile] |= bit
        memory[tile] = glimpse(world, tile)
    for tile, known in enumerate(world.known):
        if known & bit and tile not in memory:
            memory[tile] = glimpse(world, tile)


def apply_fog(world: World) -> None:
    """T3: a changed fog setting applies from this turn on."""
    wanted = bool(world.settings.get("fogofwar", True))
    if wanted != world.has_fog:
        world.has_fog = wanted
        world.tell("fog_changed", None, 0, wanted)


def refresh_vision(world: World, player: Player) -> None:
    """E29: a player knows the tiles that its cities see."""
    for city in player.cities:
        for tile, _ in world.geometry.circle(
            city.tile, of_city(world, city, EffectType.CITY_VISION_RADIUS_SQ)
        ):
            world.known[tile] |= 1 << player.number


def reveal(world: World, player: Player) -> None:
    """E31: some effects show all cities, or the whole map."""
    bit = 1 << player.number
    if of_player(world, player, EffectType.REVEAL_MAP) > 0:
        world.known = [known | bit for known in world.known]
    elif of_player(world, player, EffectType.REVEAL_CITIES) > 0:
        for city in world.cities.values():
            world.known[city.tile] |= bit


def show_map(world: World) -> None:
    """G3: every player knows every tile."""
    everybody = sum(1 << number for number in world.players)
    world.known = [everybody] * world.geometry.tiles


def all_look(world: World) -> None:
    """Update what all players see."""
    for player in world.players.values():
        if not player.barbarian:
            look(world, player)
