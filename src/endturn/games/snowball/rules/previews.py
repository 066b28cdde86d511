"""Previews of actions: chances of throws, tiles in reach, the changed order of turns.

Chances are computed, not sampled: they add up the chances that `throwing.py` gives the throw itself. Bots and clients
use `preview`. A rule (`foresee`) computes its numbers, so they are identical and fast on every backend.
"""

from collections.abc import MutableSequence
from typing import Any, NamedTuple

from endturn.engine import record
from endturn.engine.actions import Action, Leave, Why
from endturn.engine.rule import rule
from endturn.games.snowball import actions
from endturn.games.snowball.refusals import DOUBLE_MOVED
from endturn.games.snowball.rules import moving, tending
from endturn.games.snowball.rules.acting import (
    dodge_percent,
    is_ice,
    is_up,
    seat_at_turn,
    seat_of,
    unit_on,
    x_of,
    y_of,
)
from endturn.games.snowball.rules.moving import budget, clear_free, mark_free, movement
from endturn.games.snowball.rules.throwing import (
    chance_to_stray,
    chance_to_strike,
    open_chance,
    refuse_attack,
    throwing_point,
)
from endturn.games.snowball.rules.turns import QUICK, conclude, delay, leave, quarters_so_far, recovery, ticks
from endturn.games.snowball.state import NONE, ROW, Battle, MoveMetric, Phase, Posture
from endturn.mechanisms.normal import CERTAIN
from endturn.mechanisms.paths import clear, spread
from endturn.mechanisms.turns import upcoming

# The numbers for each target. A share for each unit that the throw may strike instead follows from STRAY on.
REASON, POINT, OPEN, STRUCK, DODGE, STRAY = range(6)
TURNS_SHOWN = 12  # turns of the queue in a preview; the rules ask for at least ten (T6)


# --- as numbers ---------------------------------------------------------------------------------------------


def preview_size(game: Battle) -> int:
    """The length of a preview: numbers for each unit as a target, then for each tile."""
    return len(game.kind) * (STRAY + len(game.kind)) + game.width * game.height


@rule
def foresee(game: Battle, seat: int, out: MutableSequence[int]) -> None:
    """The unit's chances against each enemy, and its cost to walk to each tile (Q1, Q2, Q3)."""
    units = len(game.kind)
    for place in range(len(out)):
        out[place] = 0
    for target in range(units):
        foresee_throw(game, seat, target, out, target * (STRAY + units))
    if game.phase == Phase.BATTLE and seat_of(game.active) == seat:
        foresee_walks(game, out, units * (STRAY + units))


@rule
def foresee_throw(game: Battle, seat: int, target: int, out: MutableSequence[int], start: int) -> None:
    """The refusal of a throw; or its point, and the shares that strike the target and others (Q1, Q2)."""
    reason = refuse_attack(game, seat, target) if game.phase == Phase.BATTLE else NONE
    if game.phase == Phase.BATTLE and seat_of(game.active) != seat:
        reason = NONE
    out[start + REASON] = reason
    out[start + POINT] = NONE
    if reason != 0:
        return
    unit = game.active
    point = throwing_point(game, unit, target)
    out[start + POINT] = point
    out[start + OPEN] = open_chance(game, unit, point, target)
    out[start + STRUCK] = chance_to_strike(game, unit, point, target) // 100
    out[start + DODGE] = dodge_percent(game, target)
    for other in range(len(game.kind)):
        if other != target and is_up(game, other):
            out[start + STRAY + other] = chance_to_stray(game, unit, point, target, other) // 100


@rule
def foresee_walks(game: Battle, out: MutableSequence[int], start: int) -> None:
    """The unit's cost to walk to each tile; 0 if it cannot stop there (Q3, W2)."""
    if game.posture[game.active] != Posture.STANDING:
        return
    x, y = x_of(game.tile[game.active]), y_of(game.tile[game.active])
    diagonal = game.settings.move_metric == MoveMetric.EIGHT_WAY
    mark_free(game, 0, game.height)
    game.reach[y] = 1 << x
    for cost in range(1, budget(game) + 1):
        top, bottom = max(0, y - cost), min(game.height, y + cost + 1)
        spread(game.free, game.ice, game.reach, game.before, top, bottom, diagonal)
        for row in range(top, bottom):
            fresh = game.reach[row] & ~game.before[row]
            for column in range(max(0, x - cost), min(game.width, x + cost + 1) if fresh != 0 else 0):
                if (fresh >> column) & 1 and unit_on(game, column + row * ROW) == NONE:
                    out[start + column + row * game.width] = cost
    clear(game.reach, game.before, 0, game.height)
    clear_free(game, 0, game.height)


# --- for bots and clients -----------------------------------------------------------------------------------


class Stray(NamedTuple):
    """The chance that a throw strikes a unit other than its target."""

    unit: int
    struck: float
    hurt: float  # after it may have dodged


class Throw(NamedTuple):
    """The preview of a throw at a target; chances from 0 to 1."""

    target: int
    reason: int  # the number of the rule that forbids it; 0 if none, -1 if it is not the seat's turn
    point: tuple[int, int] | None  # the tile it is thrown from
    open: float  # chance to strike if nothing were in the way
    cover: float  # of that, what cover and other units take away
    dodge: float  # of what is left, what the target dodges
    hurt: float  # what remains: open - cover - dodge
    friends: tuple[Stray, ...]
    enemies: tuple[Stray, ...]  # other than the target


class Walk(NamedTuple):
    """A tile that the unit can walk to."""

    x: int
    y: int
    cost: int
    double: bool  # it takes a double move
    ice: bool  # it would end its move on ice


class TurnPreview(NamedTuple):
    """The preview of the unit's next action."""

    unit: int
    throws: tuple[Throw, ...]
    walks: tuple[Walk, ...]


def preview(battle: Battle, seat: int, tile: int | None = None) -> TurnPreview:
    """The preview of the unit's next action, as if it had walked to `tile` if given (Q1)."""
    considered = record.copy(battle)
    if tile is not None and tile != battle.tile[battle.active] and seat_at_turn(battle) == seat:
        broken = walk_first(considered, seat, tile)
        if broken != 0:
            return TurnPreview(
                battle.active, tuple(_forbidden(u, broken) for u in enemies_of(battle, seat)), ()
            )
    numbers = [0] * preview_size(considered)
    foresee(considered, seat, numbers)
    return explain(considered, seat, numbers)


def walk_first(considered: Battle, seat: int, tile: int) -> int:
    """Walk to a tile. Returns the refusal of the walk, or of a throw after a double move (Q1, W2, W3, W4)."""
    broken = moving.refuse_move(considered, seat, tile)
    if broken != 0:
        return broken
    considered.spent += moving.cost_of_way(considered, tile)
    considered.tile[considered.active] = tile
    return DOUBLE_MOVED if considered.spent > movement(considered) else 0


def throws(battle: Battle, seat: int) -> tuple[Throw, ...]:
    """Only the throws of a preview (Q1, Q2)."""
    found = []
    for target in enemies_of(battle, seat):
        row = [0] * (STRAY + len(battle.kind))
        foresee_throw(battle, seat, target, row, 0)
        found.append(_throw(battle, seat, target, row))
    return tuple(found)


def enemies_of(battle: Battle, seat: int) -> list[int]:
    """The enemy units that are not downed."""
    return [unit for unit in range(1 - seat, len(battle.kind), 2) if is_up(battle, unit)]


def explain(battle: Battle, seat: int, numbers: list[int]) -> TurnPreview:
    """A preview from its numbers, which `Match.preview` returns too."""
    units = len(battle.kind)
    width = STRAY + units
    rows = [numbers[target * width : (target + 1) * width] for target in range(units)]
    aimed = tuple(_throw(battle, seat, target, rows[target]) for target in enemies_of(battle, seat))
    return TurnPreview(battle.active, aimed, tuple(_walks(battle, numbers[units * width :])))


def _forbidden(target: int, reason: int) -> Throw:
    return Throw(target, reason, None, 0.0, 0.0, 0.0, 0.0, (), ())


def _throw(battle: Battle, seat: int, target: int, row: list[int]) -> Throw:
    if row[REASON] != 0:
        return _forbidden(target, row[REASON])
    wide, struck = row[OPEN] / CERTAIN, row[STRUCK] / CERTAIN
    dodge = struck * row[DODGE] / 100
    others = [
        Stray(u, share / CERTAIN, share / CERTAIN * (100 - dodge_percent(battle, u)) / 100)
        for u, share in enumerate(row[STRAY:])
        if share > 0
    ]
    return Throw(
        target, 0, (x_of(row[POINT]), y_of(row[POINT])), wide, wide - struck, dodge, struck - dodge,
        tuple(each for each in others if seat_of(each.unit) == seat),
        tuple(each for each in others if seat_of(each.unit) != seat),
    )  # fmt: skip


def _walks(battle: Battle, costs: list[int]) -> list[Walk]:
    found = []
    for number, cost in enumerate(costs):
        if cost > 0:
            x, y = number % battle.width, number // battle.width
            double = battle.spent + cost > movement(battle)
            found.append(Walk(x, y, cost, double, is_ice(battle, x + y * ROW)))
    return found


def order(battle: Battle, turns: int = TURNS_SHOWN) -> list[tuple[int, int]]:
    """The next turns as (unit, tick), starting with the current one, if all take their usual time (T6)."""
    if battle.phase != Phase.BATTLE:
        return []
    ready = list(battle.ready)
    # A unit that has acted and may still move has already paid for its action (C5).
    quarters = quarters_so_far(battle) if battle.acted > 0 else QUICK
    ready[battle.active] = battle.now + ticks(battle, battle.active, quarters)
    recoveries = [recovery(battle, unit) for unit in range(len(battle.kind))]
    return [(battle.active, battle.now), *upcoming(ready, list(battle.rank), recoveries, turns - 1)]


def order_after(battle: Battle, action: Action, turns: int = TURNS_SHOWN) -> list[tuple[int, int]]:
    """The next turns after an action of the unit; for a throw, whatever its result (Q4)."""
    considered, seat = record.copy(battle), seat_of(battle.active)
    deeds: dict[type[Action], Any] = {
        actions.Attack: lambda: conclude(considered, QUICK),
        actions.Rearm: lambda: tending.rearm(considered, seat),
        actions.Defend: lambda: tending.defend(considered, seat),
        actions.Delay: lambda: delay(considered),
        actions.Stand: lambda: tending.stand(considered, seat),
        actions.HelpAlly: lambda: tending.help_ally(considered, seat, getattr(action, "unit", 0)),
        actions.Move: lambda: moving.move(considered, seat, getattr(action, "tile", 0)),
        Leave: lambda: leave(considered, seat, Why.RESIGNED),
    }
    deeds[type(action)]()
    return order(considered, turns)
