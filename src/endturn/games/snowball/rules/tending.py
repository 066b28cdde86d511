"""Rearming, defending, standing up and helping others (chapter D)."""

from endturn.engine.rule import rule
from endturn.games.snowball.refusals import (
    BARE_GROUND,
    FULLY_ARMED,
    HAS_MOVED,
    NO_ALLY_TO_HELP,
    NO_REVIVES,
    NO_SUCH_UNIT,
    NOT_NOW,
    NOT_ON_SNOW,
    NOT_PRONE,
)
from endturn.games.snowball.rules.acting import are_neighbours, has_perk, is_ice, refuse_deed, seat_of
from endturn.games.snowball.rules.turns import QUICK, SLOW, WAITED, conclude, end_turn, has_snow, ticks
from endturn.games.snowball.state import FULL_ARMS, HEALTH, Battle, Kind, Phase, Posture


@rule
def refuse_rearm(game: Battle, seat: int) -> int:
    """A standing unit on snow with room for snowballs (D6, Y5)."""
    broken = refuse_deed(game)
    if broken != 0:
        return broken
    if is_ice(game, game.tile[game.active]):
        return NOT_ON_SNOW
    if not has_snow(game, game.tile[game.active]):
        return BARE_GROUND
    return FULLY_ARMED if game.snowballs[game.active] == FULL_ARMS else 0


@rule
def rearm(game: Battle, seat: int) -> None:
    """The unit carries as many snowballs as it can (D6)."""
    game.snowballs[game.active] = FULL_ARMS
    conclude(game, SLOW)


@rule
def refuse_defend(game: Battle, seat: int) -> int:
    """A standing unit; depending on the setting, only one that has not moved (D4)."""
    broken = refuse_deed(game)
    if broken != 0:
        return broken
    return HAS_MOVED if game.spent > 0 and not game.settings.defend_after_move else 0


@rule
def defend(game: Battle, seat: int) -> None:
    """Until its next turn the unit dodges better (D4)."""
    game.defending[game.active] = True
    end_turn(game, SLOW)


@rule
def refuse_stand(game: Battle, seat: int) -> int:
    """Only a prone unit stands up (D7)."""
    if game.phase != Phase.BATTLE:
        return NOT_NOW
    return 0 if game.posture[game.active] == Posture.PRONE else NOT_PRONE


@rule
def stand(game: Battle, seat: int) -> None:
    """The unit stands, which ends its turn (D7)."""
    game.posture[game.active] = Posture.STANDING
    end_turn(game, SLOW)


@rule
def is_helpless(game: Battle, unit: int) -> bool:
    """Whether a unit needs help: it is prone or downed (D8, D9)."""
    return game.posture[unit] == Posture.PRONE or game.posture[unit] == Posture.DOWNED


@rule
def refuse_help_ally(game: Battle, seat: int, unit: int) -> int:
    """A standing unit helps a prone or downed friend on one of the eight tiles around it (D8, D9)."""
    broken = refuse_deed(game)
    if broken != 0:
        return broken
    if unit >= len(game.kind) or game.posture[unit] == Posture.ABSENT:
        return NO_SUCH_UNIT
    near = are_neighbours(game.tile[unit], game.tile[game.active])
    if seat_of(unit) != seat or not is_helpless(game, unit) or not near:
        return NO_ALLY_TO_HELP
    limit = game.settings.max_revives
    revives = game.posture[unit] == Posture.DOWNED
    return NO_REVIVES if revives and 0 <= limit <= game.revives[seat] else 0


@rule
def help_ally(game: Battle, seat: int, unit: int) -> None:
    """The friend stands up. A prone one waits half a recovery more, a downed one one and a half (D8, D9)."""
    if game.posture[unit] == Posture.PRONE:
        game.ready[unit] += ticks(game, unit, WAITED)
    else:
        game.revives[seat] = min(game.revives[seat] + 1, 100)
        game.health[unit] = revived_health(game, unit)
        game.ready[unit] = game.now + ticks(game, unit, SLOW)
    game.posture[unit] = Posture.STANDING
    conclude(game, QUICK)


@rule
def revived_health(game: Battle, unit: int) -> int:
    """A share of the unit's full health, rounded up; at least half if Nurse Nonna helps (D9, U9)."""
    percent = game.settings.revive_percent
    if has_perk(game, game.active, Kind.NURSE_NONNA):
        percent = max(percent, 50)
    return (HEALTH[game.kind[unit]] * percent + 99) // 100
