"""Choices in Catastrophe: actions numbered as options of pieces, and random play."""

from endturn.engine.actions import Row
from endturn.engine.dice import MASK, philox
from endturn.engine.rule import rule
from endturn.games.catastrophe.actions import (
    ACTIONS,
    Attack,
    ChangeJob,
    Construct,
    Convert,
    Deconstruct,
    Drop,
    EndTurn,
    Harvest,
    Move,
    Pickup,
    Rest,
)
from endturn.games.catastrophe.rules.acting import refuse_unit
from endturn.games.catastrophe.rules.combat import refuse_attack
from endturn.games.catastrophe.rules.labour import (
    refuse_change_job,
    refuse_construct,
    refuse_convert,
    refuse_deconstruct,
    refuse_move,
)
from endturn.games.catastrophe.rules.supply import refuse_drop, refuse_harvest, refuse_pickup, refuse_rest
from endturn.games.catastrophe.state import (
    NONE,
    Resource,
    Structure,
    World,
)
from endturn.mechanisms.grid import neighbour

MOVE = ACTIONS.index(Move)
ATTACK = ACTIONS.index(Attack)
CHANGE_JOB = ACTIONS.index(ChangeJob)
CONSTRUCT = ACTIONS.index(Construct)
CONVERT = ACTIONS.index(Convert)
DECONSTRUCT = ACTIONS.index(Deconstruct)
HARVEST = ACTIONS.index(Harvest)
DROP = ACTIONS.index(Drop)
PICKUP = ACTIONS.index(Pickup)
REST = ACTIONS.index(Rest)
END_TURN = ACTIONS.index(EndTurn)

ACTOR = 101  # purpose of a random player's rolls
ACTIONS_PER_TURN = 12  # of a random player, on average
TRIES = 4  # with two attempts each
LOOKS = 4  # at units, to find an own one
AFTER_ACTING = MOVE, MOVE, DROP, PICKUP


VERBS = (  # by job: the verbs a random player tries
    (MOVE, MOVE, CHANGE_JOB, CHANGE_JOB, HARVEST, DROP, PICKUP, REST),  # fresh human
    (MOVE, MOVE, MOVE, MOVE, HARVEST, DROP, PICKUP, REST),  # cat overlord
    (MOVE, MOVE, ATTACK, ATTACK, CHANGE_JOB, HARVEST, PICKUP, REST),  # soldier
    (MOVE, MOVE, HARVEST, HARVEST, CHANGE_JOB, DROP, PICKUP, REST),  # gatherer
    (MOVE, MOVE, CONSTRUCT, DECONSTRUCT, CHANGE_JOB, DROP, PICKUP, REST),  # builder
    (MOVE, MOVE, CONVERT, CONVERT, CHANGE_JOB, DROP, PICKUP, REST),  # missionary
)


# A unit's options by verb: the first number and the count. Sides are north, east, south, west and its own tile.
# With far moves or attacks, one option per tile follows for each.
#
#              move attack job construct convert deconstruct harvest drop pickup rest
FIRST_OPTION = 0, 4, 8, 14, 34, 38, 43, 48, 88, 128
OPTION_COUNT = 4, 4, 6, 20, 4, 5, 5, 40, 40, 1
NEAR_OPTIONS = 129
AMOUNTS = 0, 1, 5, 25  # for drops and pickups; repeating them makes any amount


@rule
def pieces(game: World) -> int:
    """Return the number of pieces: all units there can be, and one for the turn itself."""
    return len(game.energy) + 1


@rule
def options(game: World) -> int:
    """Return the number of options: nearby ones, and two per tile with far moves or attacks."""
    far = game.settings.moves_far or game.settings.attacks_far
    return NEAR_OPTIONS + (2 * game.tile_count if far else 0)


@rule
def action_of(game: World, piece: int, option: int) -> Row:
    """Return the action of a piece's option; the last piece ends the turn."""
    if piece == len(game.energy):
        return END_TURN if option == 0 else NONE, 0, 0, 0, 0
    if piece >= game.unit_count or game.tile[piece] == NONE:
        return NONE, 0, 0, 0, 0
    if option >= NEAR_OPTIONS:
        return far_action(game, piece, option - NEAR_OPTIONS)
    verb = REST
    while option < FIRST_OPTION[verb]:
        verb -= 1
    return near_action(game, piece, verb, option - FIRST_OPTION[verb])


@rule
def far_action(game: World, unit: int, number: int) -> Row:
    """Return a move to any tile or an attack on any tile."""
    if number < game.tile_count:
        return MOVE if game.settings.moves_far else NONE, unit, number, 0, 0
    return ATTACK if game.settings.attacks_far else NONE, unit, number - game.tile_count, 0, 0


@rule
def near_action(game: World, unit: int, verb: int, number: int) -> Row:
    """Return an action of a verb by number, on the unit's own or an adjacent tile."""
    if verb == REST:
        return verb, unit, 0, 0, 0
    if verb == CHANGE_JOB:
        return verb, unit, number, 0, 0
    if (verb == MOVE and game.settings.moves_far) or (verb == ATTACK and game.settings.attacks_far):
        return NONE, 0, 0, 0, 0
    tile = beside(game, unit, number % (5 if verb >= DECONSTRUCT else 4))
    if tile == NONE:
        return NONE, 0, 0, 0, 0
    if verb == CONSTRUCT:
        return verb, unit, tile, Structure.WALL + number // 4, 0
    if verb in (DROP, PICKUP):
        return verb, unit, tile, number // 5 % 2, AMOUNTS[number // 10]
    return verb, unit, tile, 0, 0


@rule
def beside(game: World, unit: int, side: int) -> int:
    """Return the adjacent tile on a side, or the unit's own tile for side 4."""
    if side == 4:
        return game.tile[unit]
    return neighbour(game.tile[unit], side, game.settings.map_width, game.settings.map_height)


@rule
def is_idle(game: World, seat: int, piece: int) -> bool:
    """Return whether a piece has no legal action: it is gone or belongs to another seat."""
    return piece < len(game.energy) and refuse_unit(game, seat, piece) != 0


# --- random play --------------------------------------------------------------------------------------------


@rule
def random_action(game: World, seat: int, luck: int, when: int) -> Row:
    """Return a random legal action of one of the seat's units, or sometimes the end of the turn."""
    for tries in range(TRIES):
        who, what, other, more = philox(luck, ACTOR, seat, when, tries)
        if tries == 0 and (who * game.unit_count & MASK) * ACTIONS_PER_TURN >> 32 == 0:
            break  # choosing the unit leaves 26 random bits for this
        verb, a, b, c, d = random_option(game, own_unit(game, seat, who * game.unit_count >> 32), what)
        if verb != NONE and refuse_option(game, seat, verb, a, b, c, d) == 0:
            return verb, a, b, c, d
        verb, a, b, c, d = random_option(game, own_unit(game, seat, other * game.unit_count >> 32), more)
        if verb != NONE and refuse_option(game, seat, verb, a, b, c, d) == 0:
            return verb, a, b, c, d
    return END_TURN, 0, 0, 0, 0


@rule
def own_unit(game: World, seat: int, first: int) -> int:
    """Return the seat's first unit among a few from a number, else its overlord.

    Searching all units would be fairer, but takes half of the time on a GPU.
    """
    for unit in range(first, min(first + LOOKS, game.unit_count)):
        if game.owner[unit] == seat:
            return unit
    return game.overlord[seat]


@rule
def random_option(game: World, unit: int, word: int) -> Row:
    """Return one of a unit's options from 32 random bits, with a verb of its job."""
    if game.acted[unit]:
        verb, bits = AFTER_ACTING[word * len(AFTER_ACTING) >> 32], word * len(AFTER_ACTING) & MASK
    else:
        verb, bits = VERBS[game.job[unit]][word * len(VERBS[0]) >> 32], word * len(VERBS[0]) & MASK
    if verb == MOVE and game.moves[unit] < 1:
        return NONE, 0, 0, 0, 0
    if (verb == MOVE and game.settings.moves_far) or (verb == ATTACK and game.settings.attacks_far):
        return far_action(game, unit, verb * game.tile_count + (bits * game.tile_count >> 32))
    verb, a, b, c, d = near_action(game, unit, verb, bits * OPTION_COUNT[verb] >> 32)
    if verb == DROP and (game.food[unit] if c == Resource.FOOD else game.materials[unit]) == 0:
        return NONE, 0, 0, 0, 0  # legal but pointless
    return verb, a, b, c, d


@rule
def refuse_option(game: World, seat: int, verb: int, a: int, b: int, c: int, d: int) -> int:
    """Return the number of the rule that a unit's action breaks."""
    if verb == MOVE:
        return refuse_move(game, seat, a, b)
    if verb == ATTACK:
        return refuse_attack(game, seat, a, b)
    if verb == CHANGE_JOB:
        return refuse_change_job(game, seat, a, b)
    if verb == CONSTRUCT:
        return refuse_construct(game, seat, a, b, c)
    if verb == CONVERT:
        return refuse_convert(game, seat, a, b)
    if verb == DECONSTRUCT:
        return refuse_deconstruct(game, seat, a, b)
    if verb == HARVEST:
        return refuse_harvest(game, seat, a, b)
    if verb == DROP:
        return refuse_drop(game, seat, a, b, c, d)
    if verb == PICKUP:
        return refuse_pickup(game, seat, a, b, c, d)
    return refuse_rest(game, seat, a)
