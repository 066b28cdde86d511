"""Seats to act, and lookups of tiles and units (chapters M, U and C).

Ids like (U4) are those of README.md. Refusals are the numbers in `refusals.py`.
"""

from endturn.engine.rule import rule
from endturn.games.snowball.refusals import ALREADY_ACTED, NO_SUCH_UNIT, NOT_NOW, NOT_YOURS, PRONE
from endturn.games.snowball.state import (
    FIRST_HERO,
    MOVEMENT,
    NOBODY,
    NONE,
    ROW,
    ROW_BITS,
    SPEED,
    Battle,
    Ground,
    Kind,
    Phase,
    Posture,
)

FRIENDS_NEAR = 4  # square of the tiles within which Captain Kettle cheers (U9)


# --- what is where ------------------------------------------------------------------------------------------


@rule
def x_of(tile: int) -> int:
    """The column of a tile (M1)."""
    return tile & (ROW - 1)


@rule
def y_of(tile: int) -> int:
    """The row of a tile (M1)."""
    return tile >> ROW_BITS


@rule
def is_on_map(game: Battle, tile: int) -> bool:
    """Whether a tile has that number (M1)."""
    return x_of(tile) < game.width and 0 <= tile < game.height * ROW


@rule
def is_open(game: Battle, tile: int) -> bool:
    """Whether a tile is passable: snow or ice (M2)."""
    return (game.open[y_of(tile)] >> x_of(tile)) & 1 == 1


@rule
def is_ice(game: Battle, tile: int) -> bool:
    """Whether a tile is ice (M2)."""
    return (game.ice[y_of(tile)] >> x_of(tile)) & 1 == 1


@rule
def is_full_cover(game: Battle, tile: int) -> bool:
    """Whether a tile is full cover (M2)."""
    return (game.full[y_of(tile)] >> x_of(tile)) & 1 == 1


@rule
def is_half_cover(game: Battle, tile: int) -> bool:
    """Whether a tile is half cover (M2)."""
    return (game.half[y_of(tile)] >> x_of(tile)) & 1 == 1


@rule
def ground_at(game: Battle, tile: int) -> int:
    """The ground of a tile (M2)."""
    if is_open(game, tile):
        return Ground.ICE if is_ice(game, tile) else Ground.SNOW
    if is_full_cover(game, tile):
        return Ground.FULL_COVER
    return Ground.HALF_COVER if is_half_cover(game, tile) else Ground.HOLE


@rule
def unit_on(game: Battle, tile: int) -> int:
    """The unit on a tile, in any posture, or NONE."""
    found = NONE
    for unit in range(game.mustered):
        if game.tile[unit] == tile:
            found = unit
    return found


@rule
def distance_squared(one: int, other: int) -> int:
    """The square of the distance between the middles of two tiles (M4)."""
    dx, dy = x_of(one) - x_of(other), y_of(one) - y_of(other)
    return dx * dx + dy * dy


@rule
def are_neighbours(one: int, other: int) -> bool:
    """Whether a tile is one of the eight around another (M4)."""
    return 1 <= distance_squared(one, other) <= 2


# --- units --------------------------------------------------------------------------------------------------


@rule
def seat_of(unit: int) -> int:
    """The seat of a unit."""
    return unit & 1


@rule
def is_up(game: Battle, unit: int) -> bool:
    """Whether a unit exists and is not downed."""
    return game.posture[unit] == Posture.STANDING or game.posture[unit] == Posture.PRONE


@rule
def is_hero(kind: int) -> bool:
    """Whether a kind is one of the heroes (U8)."""
    return kind >= FIRST_HERO


@rule
def has_perk(game: Battle, unit: int, hero: int) -> bool:
    """Whether a unit has the perk of that hero (U9)."""
    return game.kind[unit] == hero and game.settings.hero_perks


@rule
def dodge_percent(game: Battle, unit: int) -> int:
    """The chance in percent that a unit dodges; 0 for a prone unit (U4, U7, D4, U9)."""
    if game.posture[unit] == Posture.PRONE:
        return 0
    percent = SPEED[game.kind[unit]] + MOVEMENT[game.kind[unit]]
    if game.defending[unit]:
        percent += 45 if has_perk(game, unit, Kind.DODGY_DOT) else 30
    return percent + (5 if is_cheered(game, unit) else 0)


@rule
def is_cheered(game: Battle, unit: int) -> bool:
    """Whether Captain Kettle stands within two tiles of a friend (U9)."""
    if game.settings.hero_perks:
        for other in range(seat_of(unit), game.mustered, 2):
            if (
                game.kind[other] == Kind.CAPTAIN_KETTLE
                and other != unit
                and game.posture[other] == Posture.STANDING
                and distance_squared(game.tile[unit], game.tile[other]) <= FRIENDS_NEAR
            ):
                return True
    return False


# --- who may act --------------------------------------------------------------------------------------------


@rule
def seat_at_turn(game: Battle) -> int:
    """The seat whose unit has the turn; NOBODY before and after the battle (T1)."""
    return seat_of(game.active) if game.phase == Phase.BATTLE else NOBODY


@rule
def refuse_deed(game: Battle) -> int:
    """In battle, a standing unit acts at most once per turn (C1, C2, C3)."""
    if game.phase != Phase.BATTLE:
        return NOT_NOW
    if game.posture[game.active] == Posture.PRONE:
        return PRONE
    return ALREADY_ACTED if game.acted > 0 else 0


@rule
def refuse_unit(game: Battle, seat: int, unit: int) -> int:
    """A seat commands its own units (C4)."""
    if unit >= len(game.kind) or game.posture[unit] == Posture.ABSENT:
        return NO_SUCH_UNIT if unit >= len(game.kind) or seat_of(unit) == seat else NOT_YOURS
    return 0 if seat_of(unit) == seat else NOT_YOURS
