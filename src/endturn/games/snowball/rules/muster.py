"""Before the battle: the draft of heroes, buying an army, placing it (chapters A and P)."""

from endturn.engine.rule import apart, rule
from endturn.games.snowball.refusals import (
    ARMY_FULL,
    BLOCKED,
    HERO_STAYS,
    HERO_TAKEN,
    HEROES_ARE_DRAFTED,
    NO_ARMY,
    NO_HERO,
    NO_SUCH_TILE,
    NOT_NOW,
    NOT_READY,
    OUTSIDE_ZONE,
    TOO_DEAR,
)
from endturn.games.snowball.rules.acting import (
    distance_squared,
    is_hero,
    is_ice,
    is_on_map,
    is_open,
    refuse_unit,
    unit_on,
    x_of,
    y_of,
)
from endturn.games.snowball.rules.turns import delay, in_battle, line_up
from endturn.games.snowball.state import (
    COST,
    FIRST_HERO,
    FULL_ARMS,
    HEALTH,
    NONE,
    ROW,
    Battle,
    Class,
    HeroScope,
    Kind,
    Phase,
    Posture,
)

KINDS = len(COST)
ZONE = 8  # tiles around the start (P2)
PROPOSED = Kind.CAPTAIN, Kind.SLUGGER, Kind.RUNNER, Kind.BULWARK  # bought for a seat, in turn (P3)
PROPOSED_LAST = Kind.PITCHER


# --- whose turn it is ---------------------------------------------------------------------------------------


@rule
def to_act(game: Battle) -> int:
    """The seats to act: the picker in the draft, unready seats in the muster, then the unit's seat (A4, P4, T1)."""
    if game.phase == Phase.DRAFT:
        return 1 << drafter(game)
    if game.phase == Phase.MUSTER:
        return (0 if game.ready_to_play[0] else 1) + (0 if game.ready_to_play[1] else 2)
    return in_battle(game)


@rule
def drafter(game: Battle) -> int:
    """The seat to pick: first, second, second, first, first and so on (A4)."""
    return game.first ^ ((game.picks + 1) // 2 % 2)


# --- the draft ----------------------------------------------------------------------------------------------


@rule
def owner_of_hero(game: Battle, kind: int) -> int:
    """The unit that is this hero, in either army, or NONE (A3)."""
    for unit in range(len(game.kind)):
        if game.posture[unit] != Posture.ABSENT and game.kind[unit] == kind:
            return unit
    return NONE


@apart
def refuse_pick(game: Battle, seat: int, hero: int) -> int:
    """A free hero that the seat can pay (A1, A3, A4)."""
    if game.phase != Phase.DRAFT:
        return NOT_NOW
    if not is_hero(hero):
        return NO_HERO
    if owner_of_hero(game, hero) != NONE:
        return HERO_TAKEN
    return TOO_DEAR if COST[hero] > game.points[seat] else 0


@apart
def pick(game: Battle, seat: int, hero: Kind) -> None:
    """The hero joins the seat's army (A4)."""
    enlist(game, seat, hero)
    next_pick(game)


@rule
def next_pick(game: Battle) -> None:
    """Pass the draft to the next seat that can pick; if none can, begin the muster (A4)."""
    for seat in range(2):
        if game.points[seat] < Class.HERO or heroes_left(game) == 0:
            game.ready_to_play[seat] = True
    game.picks += 1
    if game.ready_to_play[drafter(game)]:
        game.picks += 1
        if game.ready_to_play[drafter(game)]:
            game.picks += 1  # the order gives each seat two in a row
    if game.ready_to_play[0] and game.ready_to_play[1]:
        begin_muster(game)


@rule
def heroes_left(game: Battle) -> int:
    """The number of free heroes (A3)."""
    count = 0
    for hero in range(FIRST_HERO, KINDS):
        count += 1 if owner_of_hero(game, hero) == NONE else 0
    return count


# --- buying -------------------------------------------------------------------------------------------------


@apart
def enlist(game: Battle, seat: int, kind: Kind) -> int:
    """Add a new unit with full health and snowballs, on its proposed tile (A1, U5, P3)."""
    unit = vacancy(game, seat)
    game.tile[unit] = proposed_tile(game, seat)
    game.kind[unit] = kind
    game.health[unit] = HEALTH[kind]
    game.snowballs[unit] = FULL_ARMS
    game.posture[unit] = Posture.STANDING
    game.points[seat] -= COST[kind]
    return unit


@rule
def vacancy(game: Battle, seat: int) -> int:
    """The first free number for a new unit of the seat, or NONE."""
    for unit in range(seat, len(game.kind), 2):
        if game.posture[unit] == Posture.ABSENT:
            return unit
    return NONE


@apart
def proposed_tile(game: Battle, seat: int) -> int:
    """The free snow nearest to the seat's start in its zone, or ice if no snow is left (P2, P3)."""
    best, least = NONE, 1 << 20
    x, y = x_of(game.start[seat]), y_of(game.start[seat])
    for row in range(max(0, y - ZONE), min(game.height, y + ZONE + 1)):
        for column in range(max(0, x - ZONE), min(game.width, x + ZONE + 1)):
            tile = row * ROW + column
            far = (column - x) * (column - x) + (row - y) * (row - y) + (1000 if is_ice(game, tile) else 0)
            if far < least and is_in_zone(game, seat, tile) and unit_on(game, tile) == NONE:
                best, least = tile, far
    return best


@rule
def is_in_zone(game: Battle, seat: int, tile: int) -> bool:
    """Whether units of the seat may be placed on a tile (P2)."""
    return is_open(game, tile) and distance_squared(tile, game.start[seat]) <= ZONE * ZONE


@apart
def begin_muster(game: Battle) -> None:
    """Propose an army to each seat for its remaining points (P3)."""
    game.phase = Phase.MUSTER
    for seat in range(2):
        game.ready_to_play[seat] = False
        bought = 0
        while game.points[seat] >= Class.STRONG:
            enlist(game, seat, PROPOSED[bought % 4])
            bought += 1
        if game.points[seat] >= Class.NORMAL:
            enlist(game, seat, PROPOSED_LAST)


@rule
def refuse_recruit(game: Battle, seat: int, kind: int) -> int:
    """A kind that the seat can pay; heroes only if they are not drafted, and one of each (A1, A2, A3)."""
    if game.phase != Phase.MUSTER:
        return NOT_NOW
    if is_hero(kind):
        if game.settings.hero_scope == HeroScope.MAP:
            return HEROES_ARE_DRAFTED
        for unit in range(seat, len(game.kind), 2):
            if game.posture[unit] != Posture.ABSENT and game.kind[unit] == kind:
                return HERO_TAKEN
    if COST[kind] > game.points[seat]:
        return TOO_DEAR
    return ARMY_FULL if vacancy(game, seat) == NONE or proposed_tile(game, seat) == NONE else 0


@rule
def recruit(game: Battle, seat: int, kind: Kind) -> None:
    """Add a unit to the army (A1, A2)."""
    enlist(game, seat, kind)


@rule
def refuse_dismiss(game: Battle, seat: int, unit: int) -> int:
    """An own unit that is not a drafted hero (A5)."""
    if game.phase != Phase.MUSTER:
        return NOT_NOW
    broken = refuse_unit(game, seat, unit)
    if broken != 0:
        return broken
    drafted = is_hero(game.kind[unit]) and game.settings.hero_scope == HeroScope.MAP
    return HERO_STAYS if drafted else 0


@rule
def dismiss(game: Battle, seat: int, unit: int) -> None:
    """Return the unit's points to the seat (A5)."""
    game.points[seat] += COST[game.kind[unit]]
    game.posture[unit] = Posture.ABSENT
    game.kind[unit] = Kind.ROOKIE
    game.health[unit] = game.snowballs[unit] = 0
    game.tile[unit] = NONE


# --- placing ------------------------------------------------------------------------------------------------


@rule
def refuse_place(game: Battle, seat: int, unit: int, tile: int) -> int:
    """An own unit, to snow or ice within eight tiles of the seat's start (P2)."""
    if game.phase != Phase.MUSTER:
        return NOT_NOW
    broken = refuse_unit(game, seat, unit)
    if broken != 0:
        return broken
    if not is_on_map(game, tile):
        return NO_SUCH_TILE
    if distance_squared(tile, game.start[seat]) > ZONE * ZONE:
        return OUTSIDE_ZONE
    return 0 if is_open(game, tile) else BLOCKED


@rule
def place(game: Battle, seat: int, unit: int, tile: int) -> None:
    """Place the unit; a friend on that tile takes its old tile (P2)."""
    other = unit_on(game, tile)
    if other != NONE:
        game.tile[other] = game.tile[unit]
    game.tile[unit] = tile


@rule
def refuse_ready(game: Battle, seat: int) -> int:
    """In the draft at any time; in the muster with at least one unit (A4, P4)."""
    if game.phase == Phase.DRAFT:
        return 0
    if game.phase != Phase.MUSTER:
        return NOT_NOW
    for unit in range(seat, len(game.kind), 2):
        if game.posture[unit] != Posture.ABSENT:
            return 0
    return NO_ARMY


@apart
def make_ready(game: Battle, seat: int) -> None:
    """The seat picks no more heroes, or is ready; the battle begins when both are (A4, P4)."""
    game.ready_to_play[seat] = True
    if game.phase == Phase.DRAFT:
        next_pick(game)
    elif game.ready_to_play[0] and game.ready_to_play[1]:
        line_up(game)


@rule
def refuse_delay(game: Battle, seat: int) -> int:
    """A unit may always wait; before the battle, waiting means being ready (D5, P5)."""
    return 0 if game.phase == Phase.BATTLE else refuse_ready(game, seat)


@rule
def delay_or_ready(game: Battle, seat: int) -> None:
    """The unit waits, or the seat is ready (D5, P5)."""
    if game.phase == Phase.BATTLE:
        delay(game)
    else:
        make_ready(game, seat)


@rule
def refuse_reconsider(game: Battle, seat: int) -> int:
    """Only while the other seat is not ready (P4)."""
    if game.phase != Phase.MUSTER:
        return NOT_NOW
    return 0 if game.ready_to_play[seat] else NOT_READY


@rule
def reconsider(game: Battle, seat: int) -> None:
    """The seat can change its army and placement again (P4)."""
    game.ready_to_play[seat] = False
