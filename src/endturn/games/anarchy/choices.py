"""Choices in Anarchy: actions numbered as options of pieces, and random play."""

from endturn.engine.actions import Row
from endturn.engine.dice import MASK, philox
from endturn.engine.rule import rule
from endturn.games.anarchy.actions import (
    ACTIONS,
    EndTurn,
    Extinguish,
    Ignite,
    Intensify,
    KeepTurn,
    Raid,
    Rotate,
)
from endturn.games.anarchy.rules import is_headquarters, refuse_bribe
from endturn.games.anarchy.state import NONE, City, Kind

IGNITE = ACTIONS.index(Ignite)
EXTINGUISH = ACTIONS.index(Extinguish)
RAID = ACTIONS.index(Raid)
ROTATE = ACTIONS.index(Rotate)
INTENSIFY = ACTIONS.index(Intensify)
END_TURN = ACTIONS.index(EndTurn)
KEEP_TURN = ACTIONS.index(KeepTurn)

RANDOM_PLAY = 101  # purpose of a random player's rolls
TRIES = 12


@rule
def pieces(game: City) -> int:
    """Return the number of pieces: the buildings, and one for the turn itself."""
    return game.building_count + 1


@rule
def options(game: City) -> int:
    """Return the number of options: one per target, and at least four for weather stations."""
    return max(4, game.building_count)


@rule
def action_of(game: City, piece: int, option: int) -> Row:
    """Return the action of a piece's option: at a target, on the forecast, or ending the turn."""
    if piece == game.building_count:
        verb = END_TURN if option == 0 else KEEP_TURN if option == 1 else NONE
        return verb, 0, 0, 0, 0
    if game.kind[piece] == Kind.WEATHER_STATION:
        verb = ROTATE if option < 2 else INTENSIFY if option < 4 else NONE
        return verb, piece, option % 2, 0, 0
    if option >= game.building_count:
        return NONE, 0, 0, 0, 0
    if game.kind[piece] == Kind.WAREHOUSE:
        return IGNITE, piece, option, 0, 0
    if game.kind[piece] == Kind.FIRE_DEPARTMENT:
        return EXTINGUISH, piece, option, 0, 0
    return RAID, piece, option, 0, 0


@rule
def is_idle(game: City, seat: int, piece: int) -> bool:
    """Return whether a piece has no legal action because it cannot be bribed."""
    return piece < game.building_count and refuse_bribe(game, seat, piece, game.kind[piece]) != 0


@rule
def random_action(game: City, seat: int, luck: int, when: int) -> Row:
    """Return a random legal bribe, or the end of the turn if several tries find none."""
    if game.bribes[seat] > 0:
        for tries in range(TRIES):
            for word in philox(luck, RANDOM_PLAY, seat, when, tries):
                # Choosing the actor leaves 23 random bits for its action.
                actor, rest = word * game.building_count >> 32, word * game.building_count & MASK
                if refuse_bribe(game, seat, actor, game.kind[actor]) == 0:
                    verb, a, b = random_bribe(game, actor, rest)
                    if verb != NONE:
                        return verb, a, b, 0, 0
    return END_TURN, 0, 0, 0, 0


@rule
def random_bribe(game: City, actor: int, bits: int) -> tuple[int, int, int]:
    """Return an action for a building from 32 random bits, or NONE if the bits pick an illegal one."""
    kind = game.kind[actor]
    if kind == Kind.WEATHER_STATION:
        return random_weather(game, actor, bits * 4 >> 32)
    target = bits * game.building_count >> 32
    if kind == Kind.POLICE_DEPARTMENT:
        return RAID if game.kind[target] == Kind.WAREHOUSE else NONE, actor, target
    if is_headquarters(game, target) or not reaches(game, actor, target):
        return NONE, actor, target
    return IGNITE if kind == Kind.WAREHOUSE else EXTINGUISH, actor, target


@rule
def reaches(game: City, actor: int, target: int) -> bool:
    """Return whether the edge of the map allows the action (I5)."""
    free = game.settings.fire_at_the_edge or game.kind[actor] != Kind.WAREHOUSE
    return free or min(game.x[actor], game.y[actor], game.x[target], game.y[target]) > 0


@rule
def random_weather(game: City, station: int, change: int) -> tuple[int, int, int]:
    """Return one of the four changes of the next forecast, or NONE if it is illegal."""
    if game.next_forecast == NONE:
        return NONE, station, 0
    intensity = game.intensity[game.next_forecast]
    if change < 2:
        return ROTATE, station, change
    blocked = intensity >= game.settings.max_intensity if change == 2 else intensity <= 0
    return NONE if blocked else INTENSIFY, station, change - 2
