"""The end of a turn: the road, upkeep and growth; and the outcome (chapters T, W, U, V)."""

from endturn.engine.dice import below
from endturn.engine.rule import rule
from endturn.games.catastrophe.rules.combat import leave_map
from endturn.games.catastrophe.rules.labour import place
from endturn.games.catastrophe.state import (
    FULL_ENERGY,
    MOVES,
    NOBODY,
    NONE,
    UPKEEP,
    Decision,
    Ending,
    Squad,
    Structure,
    World,
)
from endturn.mechanisms.endings import end_match
from endturn.mechanisms.turns import ALIKE, first_difference, waiting_for

COIN = 1  # purpose of a roll (V6)
IN_ORDER = Decision.COIN, Decision.UNITS, Decision.FOOD, Decision.STRUCTURES  # V4, V5, V6


# --- the end of a turn --------------------------------------------------------------------------------------


@rule
def end_turn(game: World, seat: int, dice: int) -> None:
    """Run the steps at the end of a turn, then pass the turn unless the match is over (T2)."""
    game.upkeep[0] = game.upkeep[1] = 0
    for unit in range(game.unit_count):
        if game.tile[unit] != NONE:
            ready(game, seat, unit)
    create_humans(game)
    if not game.settings.upkeep_first:
        eat(game, seat)
    grow(game)
    judge(game, dice)
    if game.ended == Ending.GOING_ON:
        game.turn += 1
        game.seat = 1 - seat
        bury(game)
        if game.settings.upkeep_first:
            eat(game, 1 - seat)


@rule
def ready(game: World, seat: int, unit: int) -> None:
    """Make the seat's and neutral units ready again; neutral ones age and walk (T3, W2, W4)."""
    owner = game.owner[unit]
    game.roster[unit] = owner
    if owner in (seat, NOBODY):
        game.acted[unit] = False
        game.moves[unit] = MOVES[game.job[unit]]
        game.starving[unit] = False
    if owner != NOBODY:
        game.upkeep[owner] += UPKEEP[game.job[unit]]
        return
    if game.turns_to_die[unit] > 0:
        game.turns_to_die[unit] -= 1
    if game.bound_for[unit] != NONE:
        walk(game, unit)


@rule
def walk(game: World, unit: int) -> None:
    """Walk one tile along the road unless a unit blocks it (W2, W3)."""
    here, end_of_road = game.tile[unit], game.bound_for[unit]
    ahead = here + (1 if end_of_road > here else -1)
    if here != end_of_road and game.unit_on[ahead] == NONE:
        place(game, unit, ahead)


@rule
def create_humans(game: World) -> None:
    """Let neutral humans enter the lanes of the road periodically (W1)."""
    phase = game.turn % game.settings.turns_to_create_human
    width, lane = game.settings.map_width, game.settings.map_height // 2
    if phase == 0:
        create_human(game, (lane - 1) * width, 1)
    if phase == (0 if game.settings.humans_together else 1):
        create_human(game, (lane + 1) * width - 1, -1)


@rule
def create_human(game: World, first: int, step: int) -> None:
    """Put a human on the first free tile of its lane, if there is one (W1, W4, W5)."""
    width = game.settings.map_width
    for passed in range(width):
        tile = first + passed * step
        if game.unit_on[tile] == NONE:
            unit = game.unit_count
            game.unit_count += 1
            game.job[unit] = game.settings.neutral_job
            game.owner[unit] = game.roster[unit] = NOBODY
            game.energy[unit] = FULL_ENERGY
            game.moves[unit] = MOVES[game.settings.neutral_job]
            game.turns_to_die[unit] = width - passed
            game.bound_for[unit] = first + (width - 1) * step
            game.squad[unit] = Squad.ALONE if game.settings.stale_squads else Squad.PRESENT
            game.tile[unit] = tile
            game.unit_on[tile] = unit
            return


@rule
def eat(game: World, seat: int) -> None:
    """Pay a seat's upkeep from its store; if the store is too low, its units starve (U1, U2)."""
    if game.store[seat] >= game.upkeep[seat]:
        game.store[seat] -= game.upkeep[seat]
        return
    for unit in range(game.unit_count):
        if game.tile[unit] != NONE and game.owner[unit] == seat:
            game.starving[unit] = True


@rule
def grow(game: World) -> None:
    """Let harvested tiles recover, and lower all harvest rates periodically (H5, H7)."""
    passed = game.turn if game.settings.early_decline else game.turn + 1
    declines = passed % game.settings.turns_to_lower_harvest == 0
    for tile in range(game.tile_count):
        game.turns_to_harvest[tile] = max(0, game.turns_to_harvest[tile] - 1)
    if declines:
        for tile in range(game.tile_count):
            game.harvest_rate[tile] = max(0, game.harvest_rate[tile] - game.settings.lower_harvest_amount)


@rule
def bury(game: World) -> None:
    """Remove neutral units whose time is up (W4, C6)."""
    for unit in range(game.unit_count):
        if game.turns_to_die[unit] == 0 and game.tile[unit] != NONE:
            leave_map(game, unit)


@rule
def leave(game: World, seat: int, why: int) -> None:
    """A seat that leaves loses (V7)."""
    end_match(game, Ending.RESIGNED + why, Decision.OPPONENT_LEFT, 1 - seat)


# --- the outcome --------------------------------------------------------------------------------------------


@rule
def judge(game: World, dice: int) -> None:
    """End the match if this turn ends it (V1, V2, V3)."""
    last_turn = game.turn + 1 >= game.settings.max_turns
    if not last_turn or game.settings.primary_on_last_turn:
        look_for_defeat(game, dice)
    if last_turn and game.ended == Ending.GOING_ON:
        decide(game, Ending.TURN_LIMIT, dice)


@rule
def look_for_defeat(game: World, dice: int) -> None:
    """End the match if a seat lost its overlord or its humans; if both did, compare them (V1, V2, V3)."""
    fell_0, fell_1 = overlord_fell(game, 0), overlord_fell(game, 1)
    alone_0, alone_1 = count_units(game, 0) == 1, count_units(game, 1) == 1
    lost_0, lost_1 = fell_0 or alone_0, fell_1 or alone_1
    if game.settings.overlord_first and (fell_0 or fell_1):
        lost_0, lost_1 = fell_0, fell_1
    if lost_0 and lost_1:
        both = Ending.BOTH_HUMANS_GONE if not (fell_0 or fell_1) else Ending.BOTH_DEFEATED
        decide(game, Ending.BOTH_OVERLORDS_FELL if fell_0 and fell_1 else both, dice)
    elif lost_0 or lost_1:
        loser = 0 if lost_0 else 1
        fell = fell_0 if lost_0 else fell_1
        end_match(game, Ending.OVERLORD_FELL if fell else Ending.HUMANS_GONE, Decision.PRIMARY, 1 - loser)


@rule
def overlord_fell(game: World, seat: int) -> bool:
    """Return whether the seat's overlord has no energy left (V1)."""
    return game.energy[game.overlord[seat]] <= 0


@rule
def decide(game: World, ending: Ending, dice: int) -> None:
    """Decide by the first condition in which the seats differ (V4, V5, V6)."""
    which, winner = first_difference(
        count_units(game, 0) - count_units(game, 1),
        game.store[0] - game.store[1],
        count_structures(game, 0) - count_structures(game, 1),
    )
    if which == ALIKE:
        winner = below(dice, 2, COIN, 0, game.turn)
    end_match(game, ending, IN_ORDER[which], winner)


@rule
def count_units(game: World, seat: int) -> int:
    """Return the number of the seat's units on the map, including its overlord (V2, V4)."""
    count = 0
    for unit in range(game.unit_count):
        count += 1 if game.owner[unit] == seat and game.tile[unit] != NONE else 0
    return count


@rule
def count_structures(game: World, seat: int) -> int:
    """Return the number of structures that the seat owns (V5)."""
    count = 0
    for tile in range(game.tile_count):
        count += 1 if game.structure[tile] != Structure.NOTHING and game.structure_owner[tile] == seat else 0
    return count


@rule
def to_act(game: World) -> int:
    """Return the bit of the seat to act, or 0 when the match is over (T1, T4)."""
    return waiting_for(game.seat, game.ended != Ending.GOING_ON)


@rule
def turn(game: World) -> int:
    """Return the number of the turn, from 0."""
    return game.turn
