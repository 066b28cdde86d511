"""Players who die, the end of the game, and its winners (TURN_CHANGE P14, E12, E30, N16)."""

from endturn.games.empires.rules.borders import unclaim
from endturn.games.empires.rules.movement import ALLIED
from endturn.games.empires.rules.spaceship import ARRIVED, has_arrived
from endturn.games.empires.rules.units import remove
from endturn.games.empires.state import City, Player, World


def stop_if_over(world: World, city: City) -> bool:
    """E12: skip the city's remaining steps once the game is over."""
    return world.is_over


def kill_dying(world: World) -> None:
    """P14, E30: players without cities and units, and dying players, leave."""
    for player in world.players.values():
        if player.is_alive and (player.is_dying or (not player.cities and not player.units)):
            kill(world, player)


def kill(world: World, player: Player) -> None:
    """Remove a player: their units are gone, and their land is free."""
    player.is_alive = player.is_dying = False
    for unit in list(player.units):
        if unit.id in world.units:
            remove(world, unit)
    for city in list(player.cities):
        unclaim(world, city.tile)
    world.tell("player_died", None, 0, player.number)


def contenders(world: World) -> list[Player]:
    """The living players who can win."""
    return [player for player in world.players.values() if player.is_alive and not player.barbarian]


def check(world: World) -> None:
    """N16: an arrived spaceship, one side or nobody left, an alliance of all, or the last turn ends the game."""
    living, allowed = contenders(world), str(world.settings["victories"])
    arrived = [player for player in living if has_arrived(world, player)] if "SPACERACE" in allowed else []
    for player in arrived:
        player.spaceship["state"] = ARRIVED
    if arrived:
        _end(
            world, "spaceship", [each for each in living if each.team in {player.team for player in arrived}]
        )
    elif check_sides(world):
        return
    elif "ALLIED" in allowed and len(living) > 1 and _are_allied(living):
        _end(world, "allied", living)
    elif world.turn > world.settings["endturn"]:
        _end(world, "the last turn", _leaders(living))


def check_sides(world: World) -> bool:
    """End the game if at most one side is left. Returns whether the game is over."""
    living = contenders(world)
    if not living:
        _end(world, "nobody is left", [])
    elif len({player.team for player in living}) == 1 and len(world.players) > 1:
        _end(world, "the last", living)
    return world.is_over


def _are_allied(players: list[Player]) -> bool:
    pairs = ((one, other) for one in players for other in players if one is not other)
    return all(one.relations[other.number].state in ALLIED for one, other in pairs)


def _leaders(players: list[Player]) -> list[Player]:
    best = max(player.score.get("total", 0) for player in players)
    return [player for player in players if player.score.get("total", 0) == best]


def _end(world: World, how: str, winners: list[Player]) -> None:
    world.is_over = True
    world.winners = [player.number for player in winners]
    world.tell("game_ended", None, 0, how, *world.winners)


def ranking(world: World) -> dict[int, int]:
    """The place of each player: winners first, then the living by score, then the dead. Equals share a place."""
    worth = {
        player.number: (player.number in world.winners, player.is_alive, player.score.get("total", 0))
        for player in world.players.values()
        if not player.barbarian
    }
    return {number: 1 + sum(other > mine for other in worth.values()) for number, mine in worth.items()}
