"""Walking: the cost of steps, the tiles in reach, and double moves (chapter W)."""

from endturn.engine.rule import apart, rule
from endturn.games.snowball.refusals import BLOCKED, NO_SUCH_TILE, NOT_NOW, OCCUPIED, PRONE, TOO_FAR
from endturn.games.snowball.rules.acting import is_on_map, is_open, is_up, seat_of, unit_on, x_of, y_of
from endturn.games.snowball.rules.turns import SLOW, end_turn
from endturn.games.snowball.state import MOVEMENT, NONE, Battle, MoveMetric, Phase, Posture
from endturn.mechanisms.paths import NO_WAY, Window, cheapest, corner, is_in_window, spot, window, without


@rule
def movement(game: Battle) -> int:
    """The unit's points for a standard move (W3)."""
    return MOVEMENT[game.kind[game.active]]


@rule
def budget(game: Battle) -> int:
    """The points that the unit has left: twice its Movement, or once after an action (W3, W4, C5)."""
    return movement(game) * (1 if game.acted > 0 else 2) - game.spent


@rule
def fewest_steps(game: Battle, tile: int) -> int:
    """Steps from the unit to a tile if nothing were in the way (W1)."""
    here = game.tile[game.active]
    dx, dy = abs(x_of(tile) - x_of(here)), abs(y_of(tile) - y_of(here))
    return max(dx, dy) if game.settings.move_metric == MoveMetric.EIGHT_WAY else dx + dy


@rule
def mark_free(game: Battle, top: int, bottom: int) -> None:
    """Mark the tiles the unit may cross: snow, ice, friends and downed units, but not enemies (W2)."""
    for y in range(top, bottom):
        game.free[y] = game.open[y]
    for enemy in range(1 - seat_of(game.active), len(game.kind), 2):
        if is_up(game, enemy) and top <= y_of(game.tile[enemy]) < bottom:
            game.free[y_of(game.tile[enemy])] &= ~(1 << x_of(game.tile[enemy]))


@rule
def clear_free(game: Battle, top: int, bottom: int) -> None:
    """Empty the scratch space."""
    for y in range(top, bottom):
        game.free[y] = 0


@rule
def free_window(game: Battle, left: int, top: int) -> Window:
    """The same in a window of the map (W2)."""
    free = window(game.open, left, top)
    for enemy in range(1 - seat_of(game.active), game.mustered, 2):
        x, y = x_of(game.tile[enemy]) - left, y_of(game.tile[enemy]) - top
        if is_in_window(x, y) and is_up(game, enemy):
            free = without(free, spot(x, y))
    return free


@apart
def cost_of_way(game: Battle, tile: int) -> int:
    """The least cost for the unit to walk to a tile, or NO_WAY (W1, W2)."""
    points, here = budget(game), game.tile[game.active]
    if fewest_steps(game, tile) > points:
        return NO_WAY
    left, top = corner(x_of(here), x_of(tile)), corner(y_of(here), y_of(tile))
    start = spot(x_of(here) - left, y_of(here) - top)
    goal = spot(x_of(tile) - left, y_of(tile) - top)
    diagonal = game.settings.move_metric == MoveMetric.EIGHT_WAY
    slow = window(game.ice, left, top)
    return cheapest(free_window(game, left, top), slow, start, goal, points, diagonal)


@rule
def refuse_stop(game: Battle, tile: int) -> int:
    """A unit stops only on a free, passable tile (W2)."""
    if not is_on_map(game, tile):
        return NO_SUCH_TILE
    if not is_open(game, tile):
        return BLOCKED
    return 0 if unit_on(game, tile) == NONE else OCCUPIED


@rule
def refuse_move(game: Battle, seat: int, tile: int) -> int:
    """A standing unit walks to a free tile within the points it has left (C1, C3, W2, W3, W4)."""
    if game.phase != Phase.BATTLE:
        return NOT_NOW
    if game.posture[game.active] == Posture.PRONE:
        return PRONE
    broken = refuse_stop(game, tile)
    if broken != 0:
        return broken
    return TOO_FAR if cost_of_way(game, tile) == NO_WAY else 0


@rule
def move(game: Battle, seat: int, tile: int) -> None:
    """Move the unit. More than its Movement is a double move, which ends the turn (W3, W4)."""
    game.spent += cost_of_way(game, tile)
    game.tile[game.active] = tile
    if game.spent > movement(game):
        end_turn(game, SLOW)
