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
DEEDS_A_TURN = 12  # a random player's, on average
TRIES = 4  # with two chances each
LOOKS = 4  # for a unit of one's own
AFTER_ACTING = MOVE, MOVE, DROP, PICKUP


VERBS = (  # by job, what a random player tries with it
    (MOVE, MOVE, CHANGE_JOB, CHANGE_JOB, HARVEST, DROP, PICKUP, REST),  # fresh human
    (MOVE, MOVE, MOVE, MOVE, HARVEST, DROP, PICKUP, REST),  # cat overlord
    (MOVE, MOVE, ATTACK, ATTACK, CHANGE_JOB, HARVEST, PICKUP, REST),  # soldier
    (MOVE, MOVE, HARVEST, HARVEST, CHANGE_JOB, DROP, PICKUP, REST),  # gatherer
    (MOVE, MOVE, CONSTRUCT, DECONSTRUCT, CHANGE_JOB, DROP, PICKUP, REST),  # builder
    (MOVE, MOVE, CONVERT, CONVERT, CHANGE_JOB, DROP, PICKUP, REST),  # missionary
)


# A unit's options, by verb: where they begin, and how many there are. Sides are north, east, south, west, and
# fifth its own tile. Where moves or attacks go far, an option for every tile follows for each.
#
#              move attack job construct convert deconstruct harvest drop pickup rest
FIRST_OPTION = 0, 4, 8, 14, 34, 38, 43, 48, 88, 128
OPTION_COUNT = 4, 4, 6, 20, 4, 5, 5, 40, 40, 1
NEAR_OPTIONS = 129
AMOUNTS = 0, 1, 5, 25  # of drops and pickups; repeated they make any amount


@rule
def pieces(game: World) -> int:
    """Every unit there can be, and one piece more that stands for the turn itself."""
    return len(game.energy) + 1


@rule
def options(game: World) -> int:
    """A unit's options nearby, and every tile twice where moves or attacks go far."""
    far = game.settings.moves_far or game.settings.attacks_far
    return NEAR_OPTIONS + (2 * game.tile_count if far else 0)


@rule
def action_of(game: World, piece: int, option: int) -> Row:
    """What option a unit has under a number; the last piece ends the turn."""
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
    """A move or an attack to any tile."""
    if number < game.tile_count:
        return MOVE if game.settings.moves_far else NONE, unit, number, 0, 0
    return ATTACK if game.settings.attacks_far else NONE, unit, number - game.tile_count, 0, 0


@rule
def near_action(game: World, unit: int, verb: int, number: int) -> Row:
    """The number-th thing of its kind that a unit can do on its tile or beside it."""
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
    """The tile on a unit's side, or its own for the fifth side."""
    if side == 4:
        return game.tile[unit]
    return neighbour(game.tile[unit], side, game.settings.map_width, game.settings.map_height)


@rule
def is_idle(game: World, seat: int, piece: int) -> bool:
    """A unit that is gone, or not the seat's, has nothing to do."""
    return piece < len(game.energy) and refuse_unit(game, seat, piece) != 0


# --- by chance ----------------------------------------------------------------------------------------------


@rule
def random_action(game: World, seat: int, luck: int, when: int) -> Row:
    """Something that one of the seat's units may do, by chance; now and then the turn's end."""
    for tries in range(TRIES):
        who, what, other, more = philox(luck, ACTOR, seat, when, tries)
        if tries == 0 and (who * game.unit_count & MASK) * DEEDS_A_TURN >> 32 == 0:
            break  # what chooses the unit leaves 26 bits of chance for this
        verb, a, b, c, d = random_deed(game, own_unit(game, seat, who * game.unit_count >> 32), what)
        if verb != NONE and refuse_deed(game, seat, verb, a, b, c, d) == 0:
            return verb, a, b, c, d
        verb, a, b, c, d = random_deed(game, own_unit(game, seat, other * game.unit_count >> 32), more)
        if verb != NONE and refuse_deed(game, seat, verb, a, b, c, d) == 0:
            return verb, a, b, c, d
    return END_TURN, 0, 0, 0, 0


@rule
def own_unit(game: World, seat: int, first: int) -> int:
    """The first unit of the seat's among a few from a number on, else its overlord.

    A search to the end would be fairer to units behind a long row of others, and takes a GPU half of its time.
    """
    for unit in range(first, min(first + LOOKS, game.unit_count)):
        if game.owner[unit] == seat:
            return unit
    return game.overlord[seat]


@rule
def random_deed(game: World, unit: int, word: int) -> Row:
    """One of a unit's options with a verb that its job knows, by 32 random bits."""
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
        return NONE, 0, 0, 0, 0  # allowed, and pointless
    return verb, a, b, c, d


@rule
def refuse_deed(game: World, seat: int, verb: int, a: int, b: int, c: int, d: int) -> int:
    """Which rule an action of a unit breaks."""
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
