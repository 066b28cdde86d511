"""The queue of turns, the cost of actions in it, and the outcome (chapters T and V)."""

from endturn.engine.rule import apart, rule
from endturn.games.snowball.rules.acting import distance_squared, is_ice, is_open, is_up, seat_of, unit_on
from endturn.games.snowball.state import (
    MEADOW,
    MONTHS,
    NOBODY,
    NONE,
    POND,
    ROW,
    SPEED,
    TICKS_A_MONTH,
    Battle,
    Decision,
    Ending,
    Phase,
    Posture,
)
from endturn.mechanisms.calendar import month_of
from endturn.mechanisms.endings import end_match
from endturn.mechanisms.turns import ALIKE, first_difference, first_in_line, waiting_for

# What a turn costs, in quarters of the unit's recovery (T5).
WAITED, WALKED, QUICK, SLOW = 2, 3, 4, 6
MOVED_AFTER = 1  # more, for a move after the action (C5)
IN_ORDER = Decision.DRAW, Decision.STANDING, Decision.HEALTH, Decision.OPEN  # by condition (V2)
FAR_AWAY = 1 << 20  # farther than any two tiles


# --- the queue ----------------------------------------------------------------------------------------------


@rule
def recovery(game: Battle, unit: int) -> int:
    """A unit's recovery in ticks (T2)."""
    return 132 - 12 * SPEED[game.kind[unit]]


@rule
def ticks(game: Battle, unit: int, quarters: int) -> int:
    """Ticks in some quarters of a unit's recovery; always an integer (T2, T5)."""
    return recovery(game, unit) * quarters // 4


@apart
def line_up(game: Battle) -> None:
    """Begin the battle: all units are ready after their recovery, the scripted unit at once (T2, T3, T4)."""
    count_mustered(game)
    for unit in range(game.mustered):
        if is_up(game, unit):
            alternating = unit if game.first == 0 else unit ^ 1
            game.rank[unit] = (6 - SPEED[game.kind[unit]]) * len(game.kind) + alternating
            game.ready[unit] = recovery(game, unit)
    scripted = game.settings.scripted_first
    if 0 <= scripted < len(game.kind) and is_up(game, scripted):
        game.ready[scripted] = 0
    game.phase = Phase.BATTLE
    next_turn(game)


@rule
def count_mustered(game: Battle) -> None:
    """Note the last unit's number, because no units join during a battle (C1)."""
    game.mustered = 0
    for unit in range(len(game.kind)):
        if game.posture[unit] != Posture.ABSENT:
            game.mustered = (unit | 1) + 1  # as many for each seat


@apart
def next_turn(game: Battle) -> None:
    """The first unit in the queue gets the turn and stops defending; decide after the last tick (T1, D4, V2)."""
    unit = first_in_line(game.ready, game.rank, game.mustered)
    limit = game.settings.max_ticks
    if limit > 0 and game.ready[unit] > limit:
        judge(game)
        return
    if game.settings.seasons and month_of(game.ready[unit], TICKS_A_MONTH, MONTHS) != month_of(
        game.now, TICKS_A_MONTH, MONTHS
    ):
        turn_page(game, month_of(game.ready[unit], TICKS_A_MONTH, MONTHS))
    game.now = game.ready[unit]
    game.active = unit
    game.defending[unit] = False
    game.spent = 0
    game.acted = 0
    game.turn += 1


@rule
def end_turn(game: Battle, quarters: int) -> None:
    """The unit is ready again after some quarters of its recovery (T5)."""
    game.ready[game.active] = game.now + ticks(game, game.active, quarters)
    next_turn(game)


@rule
def conclude(game: Battle, quarters: int) -> None:
    """End the turn, unless a move may follow the action (C2, C5)."""
    if game.settings.act_then_move and game.spent == 0:
        game.acted = quarters
    else:
        end_turn(game, quarters)


@rule
def quarters_so_far(game: Battle) -> int:
    """The cost of the turn if it ends now; lowest without action and move (T5, C5)."""
    if game.acted > 0:
        return game.acted + (MOVED_AFTER if game.spent > 0 else 0)
    return WAITED if game.spent == 0 else WALKED


@rule
def delay(game: Battle) -> None:
    """Do nothing (D5)."""
    end_turn(game, quarters_so_far(game))


# --- seasons ------------------------------------------------------------------------------------------------


@apart
def turn_page(game: Battle, month: int) -> None:
    """Begin a month: ponds have ice or are closed, and units on closed ponds move ashore (Y3, Y4)."""
    for row in range(game.height):
        game.ice[row] = game.ground[POND][row] & game.almanac[month][row]
        game.open[row] = game.ground[MEADOW][row] | game.ice[row]
    for unit in range(len(game.kind)):
        if game.posture[unit] != Posture.ABSENT and not is_open(game, game.tile[unit]):
            game.tile[unit] = nearest_shore(game, game.tile[unit])
            game.defending[unit] = False
            if game.posture[unit] == Posture.STANDING:
                game.posture[unit] = Posture.PRONE


@rule
def nearest_shore(game: Battle, tile: int) -> int:
    """The nearest free passable tile; of several, the first (Y4)."""
    best, nearest = tile, FAR_AWAY
    for y in range(game.height):
        for x in range(game.width):
            there = x + y * ROW
            far = distance_squared(tile, there)
            if far < nearest and is_open(game, there) and unit_on(game, there) == NONE:
                best, nearest = there, far
    return best


@rule
def has_snow(game: Battle, tile: int) -> bool:
    """Whether units can rearm on a tile: it is not ice and, with seasons, has snow this month (D6, Y5)."""
    if is_ice(game, tile):
        return False
    if not game.settings.seasons:
        return True
    page = game.almanac[month_of(game.now, TICKS_A_MONTH, MONTHS)]
    return page[tile // ROW] >> tile % ROW & 1 != 0


# --- the verdict --------------------------------------------------------------------------------------------


@rule
def count_up(game: Battle, seat: int) -> int:
    """The seat's units that are not downed (V1, V2)."""
    count = 0
    for unit in range(seat, game.mustered, 2):
        count += 1 if is_up(game, unit) else 0
    return count


@rule
def count_health(game: Battle, seat: int) -> int:
    """The total health of the seat's units (V2)."""
    total = 0
    for unit in range(seat, game.mustered, 2):
        total += game.health[unit] if is_up(game, unit) else 0
    return total


@rule
def look_for_defeat(game: Battle) -> None:
    """A seat that has downed all enemies wins at once (V1)."""
    seat = seat_of(game.active)
    if count_up(game, 1 - seat) == 0:
        end(game, Ending.ALL_DOWNED, Decision.KNOCKED_OUT, seat)


@apart
def judge(game: Battle) -> None:
    """Decide after the last tick: more units up, then more health, or a draw (V2)."""
    which, winner = first_difference(
        count_up(game, 0) - count_up(game, 1), count_health(game, 0) - count_health(game, 1), 0
    )
    end(game, Ending.TIME_LIMIT, IN_ORDER[which], NOBODY if which == ALIKE else winner)


@rule
def leave(game: Battle, seat: int, why: int) -> None:
    """A seat that leaves loses (V3)."""
    end(game, Ending.RESIGNED + why, Decision.OPPONENT_LEFT, 1 - seat)


@rule
def end(game: Battle, ending: int, decision: int, winner: int) -> None:
    """End the match (V4)."""
    game.phase = Phase.OVER
    end_match(game, ending, decision, winner)


@rule
def turn(game: Battle) -> int:
    """The number of turns begun; 0 before the battle."""
    return game.turn


@rule
def in_battle(game: Battle) -> int:
    """The seat to act in battle as a bit; none after the match (T1, V4)."""
    return waiting_for(seat_of(game.active), game.phase == Phase.OVER)
