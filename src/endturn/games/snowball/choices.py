"""Choices in Snowball Fight: actions numbered as options of pieces, and random play."""

from endturn.engine.actions import Row
from endturn.engine.dice import MASK, philox
from endturn.engine.rule import apart, rule
from endturn.games.snowball.actions import (
    ACTIONS,
    Attack,
    Defend,
    Delay,
    Dismiss,
    HelpAlly,
    Move,
    Pick,
    Place,
    Ready,
    Rearm,
    Recruit,
    Stand,
)
from endturn.games.snowball.rules.acting import is_open, is_up, seat_of, x_of, y_of
from endturn.games.snowball.rules.moving import budget, movement, refuse_move
from endturn.games.snowball.rules.muster import KINDS, refuse_pick, refuse_place, refuse_recruit
from endturn.games.snowball.rules.tending import is_helpless, refuse_defend, refuse_help_ally, refuse_rearm
from endturn.games.snowball.rules.throwing import (
    in_reach,
    refuse_attack,
)
from endturn.games.snowball.state import FIRST_HERO, NONE, ROW, Battle, Phase, Posture

PICK = ACTIONS.index(Pick)
RECRUIT = ACTIONS.index(Recruit)
DISMISS = ACTIONS.index(Dismiss)
PLACE = ACTIONS.index(Place)
READY = ACTIONS.index(Ready)
MOVE = ACTIONS.index(Move)
ATTACK = ACTIONS.index(Attack)
REARM = ACTIONS.index(Rearm)
DEFEND = ACTIONS.index(Defend)
DELAY = ACTIONS.index(Delay)
STAND = ACTIONS.index(Stand)
HELP_ALLY = ACTIONS.index(HelpAlly)

RANDOM_PLAY = 101  # purpose of a random player's rolls
AIMS = 4  # enemies that a random player tries to throw at
WALKS = 3  # tiles that it tries to walk to


# A unit's options: first every tile (to walk to in battle, to be placed on before), then every unit to attack,
# every unit to help, and four more. The last piece stands for the seat itself.
OTHERS = 4


@rule
def pieces(game: Battle) -> int:
    """One piece for each possible unit, and one for the seat."""
    return len(game.kind) + 1


@rule
def options(game: Battle) -> int:
    """One option for each tile, two for each unit, and four others."""
    return game.width * game.height + 2 * len(game.kind) + OTHERS


@rule
def numbered_tile(game: Battle, number: int) -> int:
    """The tile with a number, counting row by row."""
    return number % game.width + number // game.width * ROW


@rule
def action_of(game: Battle, piece: int, option: int) -> Row:
    """The action for an option of a unit or of the seat."""
    if piece == len(game.kind):
        return seat_action(game, option)
    if game.phase == Phase.MUSTER:
        return muster_action(game, piece, option)
    if game.phase != Phase.BATTLE or piece != game.active:
        return NONE, 0, 0, 0, 0
    tiles, units = game.width * game.height, len(game.kind)
    if option < tiles:
        return MOVE, numbered_tile(game, option), 0, 0, 0
    if option < tiles + units:
        return ATTACK, option - tiles, 0, 0, 0
    if option < tiles + 2 * units:
        return HELP_ALLY, option - tiles - units, 0, 0, 0
    number = option - tiles - 2 * units
    verb = REARM if number == 0 else DEFEND if number == 1 else STAND if number == 2 else DELAY
    return verb, 0, 0, 0, 0


@rule
def muster_action(game: Battle, piece: int, option: int) -> Row:
    """A unit's option before the battle: a tile, or dismissal."""
    tiles = game.width * game.height
    if option < tiles:
        return PLACE, piece, numbered_tile(game, option), 0, 0
    return DISMISS if option == tiles else NONE, piece, 0, 0, 0


@rule
def seat_action(game: Battle, option: int) -> Row:
    """The seat's option before the battle: a hero, a kind of unit, or being ready."""
    if game.phase in (Phase.DRAFT, Phase.MUSTER):
        if option < KINDS:
            return PICK if game.phase == Phase.DRAFT else RECRUIT, option, 0, 0, 0
        if option == KINDS:
            return READY, 0, 0, 0, 0
        if option == KINDS + 1:
            return DELAY, 0, 0, 0, 0
    return NONE, 0, 0, 0, 0


@rule
def is_idle(game: Battle, seat: int, piece: int) -> bool:
    """In battle, all units except the one with the turn; before it, the other seat's units."""
    if piece == len(game.kind):
        return game.phase not in (Phase.DRAFT, Phase.MUSTER)
    if game.phase == Phase.BATTLE:
        return piece != game.active
    return game.phase != Phase.MUSTER or seat_of(piece) != seat


# --- random play --------------------------------------------------------------------------------------------


@rule
def random_action(game: Battle, seat: int, luck: int, when: int) -> Row:
    """A random legal action."""
    what, first, second, third = philox(luck, RANDOM_PLAY, seat, when, 0)
    if game.phase == Phase.DRAFT:
        hero = FIRST_HERO + (first * (KINDS - FIRST_HERO) >> 32)
        good = what & 3 != 0 and refuse_pick(game, seat, hero) == 0
        return PICK if good else READY, hero if good else 0, 0, 0, 0
    if game.phase == Phase.MUSTER:
        return random_muster(game, seat, what, first, second)
    if game.posture[game.active] == Posture.PRONE:
        return STAND if what & 3 != 0 else DELAY, 0, 0, 0, 0
    return random_deed(game, seat, what, first, second, third)


@apart
def random_muster(game: Battle, seat: int, what: int, first: int, second: int) -> Row:
    """Recruit, place, or declare the seat ready."""
    units = len(game.kind)
    kind, unit = first * KINDS >> 32, seat + 2 * (first * (units // 2) >> 32)
    tile = numbered_tile(game, second * (game.width * game.height) >> 32)
    if what & 3 == 0 and refuse_recruit(game, seat, kind) == 0:
        return RECRUIT, kind, 0, 0, 0
    if what & 3 == 1 and refuse_place(game, seat, unit, tile) == 0:
        return PLACE, unit, tile, 0, 0
    return READY, 0, 0, 0, 0


@rule
def random_deed(game: Battle, seat: int, what: int, first: int, second: int, third: int) -> Row:
    """Throw, walk or do something else; each of the first two half of the time, if possible."""
    if what & 1:
        target = random_target(game, seat, first)
        if target != NONE:
            return ATTACK, target, 0, 0, 0
    if what & 6:
        tile = random_walk(game, seat, second)
        if tile != NONE:
            return MOVE, tile, 0, 0, 0
    if refuse_rearm(game, seat) == 0:
        return REARM, 0, 0, 0, 0
    friend = random_friend(game, seat, third)
    if friend != NONE:
        return HELP_ALLY, friend, 0, 0, 0
    defends = what & 24 == 0 and refuse_defend(game, seat) == 0
    return DEFEND if defends else DELAY, 0, 0, 0, 0


@rule
def random_target(game: Battle, seat: int, bits: int) -> int:
    """A random enemy in range that the unit may throw at; NONE if the bits pick none."""
    units = game.mustered // 2
    chosen = NONE
    for tries in range(AIMS if game.snowballs[game.active] > 0 else 0):
        target = 1 - seat + 2 * (((bits * units >> 32) + tries) % units)
        if (
            chosen == NONE
            and is_up(game, target)
            and in_reach(game, game.active, game.tile[game.active], target)
        ):
            chosen = target
    return chosen if chosen != NONE and refuse_attack(game, seat, chosen) == 0 else NONE


@rule
def random_walk(game: Battle, seat: int, bits: int) -> int:
    """A random tile near the unit that it can walk to; NONE if the bits pick none."""
    standard = movement(game) - game.spent
    reach = standard if standard > 0 and bits & 3 != 0 else budget(game)
    wide = 2 * reach + 1
    here, chosen = game.tile[game.active], NONE
    for _ in range(WALKS):
        dx, bits = (bits * wide >> 32) - reach, bits * wide & MASK
        dy, bits = (bits * wide >> 32) - reach, bits * wide & MASK
        x, y = x_of(here) + dx, y_of(here) + dy
        near = abs(dx) + abs(dy) <= reach and 0 <= x < game.width and 0 <= y < game.height
        if chosen == NONE and near and is_open(game, x + y * ROW):
            chosen = x + y * ROW
    return chosen if chosen != NONE and refuse_move(game, seat, chosen) == 0 else NONE


@rule
def random_friend(game: Battle, seat: int, bits: int) -> int:
    """The first friend, counting from a number, that the unit may help; NONE if there is none."""
    units = game.mustered // 2
    for tries in range(units):
        friend = seat + 2 * (((bits * units >> 32) + tries) % units)
        if is_helpless(game, friend) and refuse_help_ally(game, seat, friend) == 0:
            return friend
    return NONE
