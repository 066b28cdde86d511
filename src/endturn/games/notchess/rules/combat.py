"""Striking, striking back and missing (chapter A)."""

from endturn.engine.dice import below
from endturn.engine.rule import rule
from endturn.games.notchess.refusals import (
    ALREADY_ACTED,
    ARCHER_IN_FOREST,
    CAPITAL_STANDS,
    EXHAUSTED,
    LINE_BLOCKED,
    NEUTRAL,
    NO_SUCH_SQUARE,
    NOT_AGAIN,
    NOT_AN_ENEMY,
    OUT_OF_RANGE,
    RESTING,
)
from endturn.games.notchess.rules.board import distance, is_dark, is_wet, offset, owner, remove
from endturn.games.notchess.rules.moving import refuse_figure
from endturn.games.notchess.state import DAMAGE, MOVED, NOBODY, REACH, SHOT, STRUCK, Board, Kind, Terrain
from endturn.mechanisms.weather import is_in

RAIN_MISSES, HEAVY_RAIN_MISSES, WIND_MISSES = 30, 40, 10  # percent (W33, X9)
NEVER = -1  # nomads block every way


@rule
def refuse_attack(game: Board, seat: int, figure: int, target: int) -> int:
    """Whether a figure may still strike, and the target is an enemy in its reach (A1, A2, A3)."""
    broken = refuse_striking(game, seat, figure)
    if broken != 0:
        return broken
    broken = refuse_target(game, seat, target)
    if broken != 0:
        return broken
    piece = game.on[figure]
    far = distance(game, figure, target)
    if far > REACH[game.kind[piece]]:
        return OUT_OF_RANGE
    if game.kind[piece] == Kind.BISHOP and game.terrain[figure] == Terrain.FOREST:
        return ARCHER_IN_FOREST
    if game.deeds[piece] & STRUCK and (game.last[piece] == game.on[target] + 1 or not is_dark(game, target)):
        return NOT_AGAIN
    return LINE_BLOCKED if far == 2 and best_way(game, figure, target) == NEVER else 0


@rule
def refuse_striking(game: Board, seat: int, figure: int) -> int:
    """Whether a figure may strike: once, or again for a warrior; not while it rests or is exhausted (A5, A6, T3)."""
    broken = refuse_figure(game, seat, figure)
    if broken != 0:
        return broken
    piece = game.on[figure]
    if game.deeds[piece] & STRUCK and game.kind[piece] != Kind.ROOK:
        return ALREADY_ACTED
    if game.mp[piece] > 0:
        return 0
    if not game.deeds[piece] & MOVED:
        return RESTING
    return 0 if game.settings.attack_after_exhausting_step else EXHAUSTED


@rule
def refuse_target(game: Board, seat: int, target: int) -> int:
    """Whether a piece can be struck: enemy peasants and war figures can, capitals and nomads cannot (A1)."""
    if target >= game.squares:
        return NO_SUCH_SQUARE
    piece = game.on[target]
    if piece == NOBODY or owner(game, piece) == seat:
        return NOT_AN_ENEMY
    if game.kind[piece] == Kind.NOMAD:
        return NEUTRAL
    return CAPITAL_STANDS if game.kind[piece] == Kind.KING else 0


@rule
def way(game: Board, figure: int, target: int, other: bool) -> int:
    """The square that a shot at distance 2 flies over; `other` is the second one of a knight's leap (A2)."""
    dx, dy = game.x[target] - game.x[figure], game.y[target] - game.y[figure]
    more = 1 if other else 0
    half_x, half_y = (abs(dx) + more) // 2, (abs(dy) + more) // 2
    return offset(game, figure, half_x if dx > 0 else -half_x, half_y if dy > 0 else -half_y)


@rule
def best_way(game: Board, figure: int, target: int) -> int:
    """The square to shoot over: without nomads, and with the better chance to hit; or NEVER (A2)."""
    one, other = way(game, figure, target, False), way(game, figure, target, True)
    if holds_nomad(game, one):
        return NEVER if holds_nomad(game, other) else other
    if holds_nomad(game, other) or hits(game, figure, one, target) >= hits(game, figure, other, target):
        return one
    return other


@rule
def holds_nomad(game: Board, square: int) -> bool:
    """Whether a nomad is on a square."""
    return game.on[square] != NOBODY and game.kind[game.on[square]] == Kind.NOMAD


@rule
def hits(game: Board, figure: int, over: int, target: int) -> int:
    """The chance that a shot hits, out of 10,000, given rain and wind on the squares it touches (W33, X9)."""
    at_archer, beyond = is_wet(game, figure), is_wet(game, over) or is_wet(game, target)
    misses = RAIN_MISSES if at_archer or beyond else 0
    if at_archer and beyond and game.settings.heavy_rain_misses:
        misses = HEAVY_RAIN_MISSES
    windy = is_in(game.windy, figure) or is_in(game.windy, over) or is_in(game.windy, target)
    return (100 - misses) * (100 - (WIND_MISSES if windy else 0))


@rule
def chance_to_hit(game: Board, figure: int, target: int) -> int:
    """The chance that an attack hits, out of 10,000; only archers miss (W33)."""
    if game.kind[game.on[figure]] != Kind.BISHOP:
        return 10_000
    far = distance(game, figure, target) == 2
    return hits(game, figure, best_way(game, figure, target) if far else figure, target)


@rule
def attack(game: Board, seat: int, figure: int, target: int, dice: int) -> None:
    """Strike: the target loses health unless missed, and at distance 1 it strikes back in any case (A3, A4)."""
    piece, struck = game.on[figure], game.on[target]
    chance = chance_to_hit(game, figure, target)
    near = distance(game, figure, target) == 1
    game.deeds[piece] |= STRUCK
    game.last[piece] = struck + 1
    game.begun = True
    if chance == 10_000 or below(dice, 10_000, SHOT, piece, game.turn) < chance:
        hurt(game, struck, 1)
    if near:
        hurt(game, piece, DAMAGE[game.kind[struck]])


@rule
def hurt(game: Board, piece: int, damage: int) -> None:
    """Take health from a piece; at 0 it is removed (A3, P3)."""
    game.health[piece] -= damage
    if game.health[piece] <= 0:
        remove(game, piece)
