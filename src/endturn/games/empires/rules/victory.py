"""Who is out and when it is over (TURN_CHANGE P14, E30, N16)."""

from endturn.games.empires.rules.borders import unclaim
from endturn.games.empires.rules.units import remove
from endturn.games.empires.state import Player, World


def kill_dying(world: World) -> None:
    """P14, E30: players without cities and units, or whose leader died, leave."""
    for player in world.players.values():
        if player.is_alive and (player.is_dying or (not player.cities and not player.units)):
            kill(world, player)


def kill(world: World, player: Player) -> None:
    """A player leaves: units go, land is free."""
    player.is_alive = player.is_dying = False
    for unit in list(player.units):
        if unit.id in world.units:
            remove(world, unit)
    for city in list(player.cities):
        unclaim(world, city.tile)
    world.tell("player_died", None, 0, player.number)


def check(world: World) -> None:
    """N16: the last turn, or nobody or one side left, ends the game."""
    living = [player for player in world.players.values() if player.is_alive and not player.barbarian]
    if world.turn > world.settings["endturn"] or not living:
        world.is_over = True
    if len({player.team for player in living}) == 1 and len(world.players) > 1:
        world.is_over = True
    if world.is_over:
        world.tell("game_ended", None)
