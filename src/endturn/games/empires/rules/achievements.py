"""Achievements, noted at the end of a turn for the first player who earns them and for those who follow."""

from endturn.games.empires.rules.score import culture
from endturn.games.empires.rules.spaceship import LAUNCHED
from endturn.games.empires.rules.terrain import continent_of
from endturn.games.empires.ruleset import Achievement
from endturn.games.empires.state import Player, World


def note(world: World) -> None:
    """N11a: give each achievement to all players who just earned it; a unique one to only one player ever."""
    for achievement in world.rules.achievements:
        is_taken = any(achievement.name in player.achievements for player in world.players.values())
        if is_taken and achievement.is_unique:
            continue
        earned = [p for p in world.players.values() if _has_newly_earned(world, p, achievement)]
        if achievement.is_unique and earned:
            earned = [earned[world.chance.below(len(earned), "who was first")]]
        for player in earned:
            player.achievements[achievement.name] = not is_taken
            player.history += achievement.culture
            world.tell("achievement", None, 0, achievement.name, player.number)


def _has_newly_earned(world: World, player: Player, achievement: Achievement) -> bool:
    if not player.is_alive or achievement.name in player.achievements:
        return False
    return _measure(world, player, achievement.kind) >= achievement.value


def _measure(world: World, player: Player, kind: str) -> int:
    """How far a player has come, in the unit of the achievement's value."""
    if kind == "Map_Known":
        return 100 * sum(known >> player.number & 1 for known in world.known) // world.geometry.tiles
    if kind == "Metropolis":
        return max((city.size for city in player.cities), default=0)
    if kind == "Multicultural":
        return len({nation for city in player.cities for nation, count in city.citizens.items() if count})
    if kind == "Literate":
        score = player.score
        return 100 * score.get("literacy", 0) // max(score.get("population", 0), 1)
    if kind == "Land_Ahoy":
        return _shores(world, player)
    if kind == "Cultured_City":
        return max((city.history for city in player.cities), default=0)
    if kind == "Cultured_Nation":
        return culture(world, player)
    return int(kind == "Spaceship" and player.spaceship.get("state", 0) >= LAUNCHED)


def _shores(world: World, player: Player) -> int:
    """How many continents a player has seen."""
    seen = (tile for tile, known in enumerate(world.known) if known >> player.number & 1)
    return len({continent_of(world, tile) for tile in seen if not world.terrain[tile].is_ocean})
