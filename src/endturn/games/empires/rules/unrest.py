"""Disorder, pollution near a city, and governments that fall and change (TURN_CHANGE E22 to E24, P11)."""

from endturn.games.empires.rules.cities import refresh_and_arrange
from endturn.games.empires.rules.effects import Target, holds, of_city, of_player
from endturn.games.empires.rules.mood import is_unhappy
from endturn.games.empires.ruleset import Extra
from endturn.games.empires.state import City, Player, World
from endturn.games.empires.vocabulary import EffectType

POLLUTION_TRIES = 100
QUICKENING = "QUICKENING", "RANDQUICK"  # revolutions that get shorter each time


def count_disorder(world: World, city: City) -> None:
    """E22: count turns of disorder."""
    if is_unhappy(city):
        city.anarchy += 1
        world.tell("city_disorder", city.owner.number, city.id)
    else:
        city.anarchy = 0


def pollute(world: World, city: City) -> None:
    """E23: a tile may be polluted."""
    if world.chance.below(100, "pollution") >= city.pollution:
        return
    place_extra(world, city, "Pollution")


def place_extra(world: World, city: City, cause: str) -> bool:
    """Pollute a random tile near a city. Returns whether a tile was found."""
    tiles = world.geometry.circle(city.tile, city.radius_sq)
    for _ in range(POLLUTION_TRIES):
        tile = tiles[world.chance.below(len(tiles), "polluted tile")][0]
        extra = _fouling(world, tile, cause)
        if extra is not None:
            world.extras[tile] |= extra.bit
            world.tell("pollution", city.owner.number, city.id, tile)
            return True
    return False


def _fouling(world: World, tile: int, cause: str) -> Extra | None:
    found = [
        extra
        for extra in world.rules.extras
        if cause in extra.causes
        and not extra.bit & world.extras[tile]
        and holds(world, extra.requirements, Target(tile=tile))
    ]
    return found[world.chance.below(len(found), "kind of pollution")] if found else None


def overthrow(world: World, city: City) -> None:
    """E24: the government falls after enough turns of disorder."""
    player, patience = city.owner, of_city(world, city, EffectType.REVOLUTION_UNHAPPINESS)
    if patience > 0 and city.anarchy > patience:
        world.tell("anarchy", player.number, city.id)
        change_government(world, player, player.government)


def revolution_length(world: World, government: str) -> int:
    """How many turns of revolution come before the new government."""
    longest, style = int(world.settings["revolen"]), world.settings["revolentype"]
    changes = world.government_changes.get(government, 0)
    if style == "FIXED":
        return longest
    if style == "QUICKENING":
        return max(longest - changes, 1)
    if style == "RANDQUICK":
        longest = max(longest - changes, 1)
    return world.chance.below(longest, "revolution") + 1


def change_government(world: World, player: Player, target: str) -> None:
    """Start a revolution; one that has started already keeps its end."""
    if player.revolution_finishes >= 0:
        turns = player.revolution_finishes - world.turn
    elif of_player(world, player, EffectType.NO_ANARCHY) > 0:
        turns = 0
    else:
        turns = revolution_length(world, target)
    _set_government(world, player, world.rules.parameters.during_revolution)
    player.target_government = target
    player.revolution_finishes = world.turn + turns
    if turns <= 0:
        settle_government(world, player, target, counts=world.settings["revolentype"] not in QUICKENING)


def settle_government(world: World, player: Player, government: str, counts: bool = True) -> None:
    """The new government takes office."""
    world.government_changes[government] = world.government_changes.get(government, 0) + counts
    player.target_government = None
    _set_government(world, player, government)
    world.tell("government_changed", player.number, 0, government)


def _set_government(world: World, player: Player, government: str) -> None:
    player.government = government
    for city in player.cities:
        refresh_and_arrange(world, city)


def end_revolution(world: World, player: Player) -> None:
    """P11: end a revolution whose time has come."""
    if player.government == world.rules.parameters.during_revolution:
        if player.revolution_finishes <= world.turn:
            if player.target_government not in (None, world.rules.parameters.during_revolution):
                settle_government(world, player, str(player.target_government))
            else:
                world.tell("choose_government", player.number)
    elif player.revolution_finishes < world.turn:
        player.revolution_finishes = -1
