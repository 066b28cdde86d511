"""The queue of turns, what an action costs in it, and the verdict (chapters T and V)."""

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
from endturn.mechanisms.turns import ALIKE, first_difference, first_in_line, waiting_for

# What a turn costs, in quarters of the unit's recovery (T5).
WAITED, WALKED, QUICK, SLOW = 2, 3, 4, 6
MOVED_AFTER = 1  # more, for a move after the action (C5)
IN_ORDER = Decision.DRAW, Decision.STANDING, Decision.HEALTH, Decision.OPEN  # by condition (V2)
FAR_AWAY = 1 << 20  # farther than any two tiles
LEAVING = Ending.RESIGNED, Ending.TIMED_OUT, Ending.DISCONNECTED  # by why


# --- the queue ----------------------------------------------------------------------------------------------


@rule
def recovery(game: Battle, unit: int) -> int:
    """Ticks from a unit's turn to its next, after a quick action: fewer for the fast (T2)."""
    return 132 - 12 * SPEED[game.kind[unit]]


@rule
def ticks(game: Battle, unit: int, quarters: int) -> int:
    """Ticks that so many quarters of a unit's recovery are; always whole (T2, T5)."""
    return recovery(game, unit) * quarters // 4


@apart
def line_up(game: Battle) -> None:
    """The battle begins: all are ready after their recovery, whoever the script names at once (T2, T3, T4)."""
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
    """No unit joins a battle any more: who looks for units need not look at numbers beyond the last (C1)."""
    game.mustered = 0
    for unit in range(len(game.kind)):
        if game.posture[unit] != Posture.ABSENT:
            game.mustered = (unit | 1) + 1  # as many for each seat


@apart
def next_turn(game: Battle) -> None:
    """The first in the queue is at turn, and defends no more; after the last tick the verdict is due (T1, D4, V2)."""
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
    """The unit is ready again after so many quarters of its recovery (T5)."""
    game.ready[game.active] = game.now + ticks(game, game.active, quarters)
    next_turn(game)


@rule
def conclude(game: Battle, quarters: int) -> None:
    """The action ends the turn, unless a move may follow it (C2, C5)."""
    if game.settings.act_then_move and game.spent == 0:
        game.acted = quarters
    else:
        end_turn(game, quarters)


@rule
def quarters_so_far(game: Battle) -> int:
    """What the turn costs if it ends now: who has neither acted nor moved is soonest at turn again (T5, C5)."""
    if game.acted > 0:
        return game.acted + (MOVED_AFTER if game.spent > 0 else 0)
    return WAITED if game.spent == 0 else WALKED


@rule
def delay(game: Battle) -> None:
    """Nothing happens (D5)."""
    end_turn(game, quarters_so_far(game))


# --- seasons ------------------------------------------------------------------------------------------------


@apart
def turn_page(game: Battle, month: int) -> None:
    """A new month: ponds with ice are ice, ponds without are closed, and who stood there is ashore (Y3, Y4)."""
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
    """The nearest open tile that is free; of several the first (Y4)."""
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
    """Whether snowballs can be made on a tile: no ice, and with seasons snow in this month (D6, Y5)."""
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
    """The health of the seat's units together (V2)."""
    total = 0
    for unit in range(seat, game.mustered, 2):
        total += game.health[unit] if is_up(game, unit) else 0
    return total


@rule
def look_for_defeat(game: Battle) -> None:
    """Whoever has knocked all enemies out has won at once (V1)."""
    seat = seat_of(game.active)
    if count_up(game, 1 - seat) == 0:
        end(game, Ending.ALL_DOWNED, Decision.KNOCKED_OUT, seat)


@apart
def judge(game: Battle) -> None:
    """Time is over: who has more units up, then who has more health, or a draw (V2)."""
    which, winner = first_difference(
        count_up(game, 0) - count_up(game, 1), count_health(game, 0) - count_health(game, 1), 0
    )
    end(game, Ending.TIME_LIMIT, IN_ORDER[which], NOBODY if which == ALIKE else winner)


@rule
def leave(game: Battle, seat: int, why: int) -> None:
    """Who leaves loses (V3)."""
    end(game, LEAVING[why], Decision.OPPONENT_LEFT, 1 - seat)


@rule
def end(game: Battle, ending: Ending, decision: Decision, winner: int) -> None:
    """The match is over (V4)."""
    game.phase = Phase.OVER
    game.ended = ending
    game.decided = decision
    game.winner = winner


@rule
def turn(game: Battle) -> int:
    """How many turns of units have begun; 0 before the battle."""
    return game.turn


@rule
def in_battle(game: Battle) -> int:
    """Who is to act in battle: the seat of the unit at turn, as a bit; nobody when it is over (T1, V4)."""
    return waiting_for(seat_of(game.active), game.phase == Phase.OVER)
