"""Checks and costs that all actions share (chapters A and P).

Ids such as (A2) refer to README.md. Refusals are the numbers in `refusals.py`.
"""

from endturn.engine.rule import rule
from endturn.games.catastrophe.refusals import (
    HAS_ACTED,
    NO_SUCH_TILE,
    NO_SUCH_UNIT,
    NOT_YOURS,
    OUT_OF_REACH,
    TOO_NEAR,
    TOO_TIRED,
)
from endturn.games.catastrophe.state import ACTION_COST, CARRY_LIMIT, EFFECT_RADIUS, NONE, Structure, World
from endturn.mechanisms.grid import manhattan

MONUMENT_RADIUS = EFFECT_RADIUS[Structure.MONUMENT]


# --- who may act, where, and at what cost -------------------------------------------------------------------


@rule
def refuse_unit(game: World, seat: int, unit: int) -> int:
    """A seat commands only its own units on the map (A1)."""
    if unit < 0 or unit >= game.unit_count or game.tile[unit] == NONE:
        return NO_SUCH_UNIT
    return 0 if game.owner[unit] == seat else NOT_YOURS


@rule
def refuse_command(game: World, seat: int, unit: int, tile: int) -> int:
    """Check for an own unit and a tile on the map (A1, M1)."""
    broken = refuse_unit(game, seat, unit)
    if broken != 0:
        return broken
    return 0 if 0 <= tile < game.tile_count else NO_SUCH_TILE


@rule
def refuse_effort(game: World, seat: int, unit: int, tile: int) -> int:
    """Check a command that uses the unit's action and costs energy (A2, A3)."""
    broken = refuse_command(game, seat, unit, tile)
    if broken != 0:
        return broken
    if game.acted[unit]:
        return HAS_ACTED
    cost = ACTION_COST[game.job[unit]]
    if game.energy[unit] < cost and game.energy[unit] < cost * cost_share(game, unit):
        return TOO_TIRED
    return 0


@rule
def act(game: World, unit: int) -> None:
    """Spend the unit's action and its job's energy cost (A2, A3)."""
    game.energy[unit] -= ACTION_COST[game.job[unit]] * cost_share(game, unit)
    game.acted[unit] = True


@rule
def act_and_stay(game: World, unit: int) -> None:
    """Spend the unit's action and its remaining moves (A2, P5)."""
    game.acted[unit] = True
    game.moves[unit] = 0


@rule
def cost_share(game: World, unit: int) -> float:
    """Return the share of an energy cost that a unit pays: less in range of a monument of its side (A7)."""
    if is_near(game, game.tile[unit], game.owner[unit], Structure.MONUMENT, MONUMENT_RADIUS):
        return game.settings.monument_cost_percent / 100.0
    return 1.0


@rule
def is_near(game: World, tile: int, seat: int, structure: int, radius: int) -> bool:
    """Return whether a tile is in the square around a structure of this kind and seat (M7)."""
    width, height = game.settings.map_width, game.settings.map_height
    x, y = tile % width, tile // width
    for row in range(max(0, y - radius), min(height, y + radius + 1)):
        for there in range(row * width + max(0, x - radius), row * width + min(width, x + radius + 1)):
            if game.structure[there] == structure and game.structure_owner[there] == seat:
                return True
    return False


@rule
def distance(game: World, unit: int, tile: int) -> int:
    """Return the steps north, east, south or west from a unit to a tile (A5)."""
    return manhattan(game.tile[unit], tile, game.settings.map_width)


@rule
def refuse_reach(game: World, unit: int, tile: int, far: bool) -> int:
    """Moves and attacks reach adjacent tiles or, with a setting, all other tiles (A5)."""
    steps = distance(game, unit, tile)
    if far:
        return TOO_NEAR if steps == 1 else 0
    return 0 if steps == 1 else OUT_OF_REACH


@rule
def room(game: World, unit: int) -> int:
    """Return how much more food and materials a unit can carry (A6)."""
    return CARRY_LIMIT[game.job[unit]] - game.food[unit] - game.materials[unit]


@rule
def put_down(game: World, unit: int) -> None:
    """Drop everything a unit carries on its tile (K4, C6)."""
    tile = game.tile[unit]
    game.ground_food[tile] += game.food[unit]
    game.ground_materials[tile] += game.materials[unit]
    game.food[unit] = 0
    game.materials[unit] = 0
