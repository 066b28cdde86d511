"""Draws a position for a test, and plays in it: every change goes through `Match.submit`.

    begin([rookie(2, 3), foe(rookie(9, 3))], {"T": [(3, 3)]})       Blue's, Orange's, and a tree between them

Units are numbered in the order of the list, Blue's 0, 2, 4 and Orange's 1, 3, 5. The map is 40 x 24 tiles of snow
but for what is said; the unit named by `active` is at turn, at tick 1000, and all others are ready at tick 2000.
"""

from typing import Any, NamedTuple

from endturn.engine.actions import Action
from endturn.engine.match import Match
from endturn.games.snowball import game
from endturn.games.snowball.notation import settings_of
from endturn.games.snowball.rules.acting import seat_of
from endturn.games.snowball.rules.turns import line_up
from endturn.games.snowball.setup import empty_battle
from endturn.games.snowball.setup.maps import LETTERS, MapPlan
from endturn.games.snowball.state import FULL_ARMS, HEALTH, ROW, Battle, Ground, Kind, Phase, Posture
from endturn.testing import play

WIDTH, HEIGHT = 40, 24
STARTS = (6, 12), (33, 11)


class Unit(NamedTuple):
    """A unit to be put on the map."""

    kind: Kind
    x: int
    y: int
    seat: int = 0
    health: int = 0  # 0: all it can have
    snowballs: int = FULL_ARMS
    posture: Posture = Posture.STANDING
    defending: bool = False


def foe(unit: Unit) -> Unit:
    """The same unit on Orange's side."""
    return unit._replace(seat=1)


def rookie(x: int, y: int, **facts: Any) -> Unit:
    """Blue's rookie."""
    return Unit(Kind.ROOKIE, x, y, **facts)


def at(x: int, y: int) -> int:
    """The number of a tile."""
    return x + y * ROW


def draw(
    units: list[Unit],
    ground: dict[str, list[tuple[int, int]]] | None = None,
    active: int = 0,
    **settings: Any,
):
    """The position, for changes by hand."""
    rows = [[Ground.SNOW] * WIDTH for _ in range(HEIGHT)]
    for letter, places in (ground or {}).items():
        for x, y in places:
            rows[y][x] = LETTERS[letter]
    battle = empty_battle(MapPlan(tuple(map(tuple, rows)), STARTS), game.configure(values=settings))
    counts = [0, 1]
    for unit in units:
        _put(battle, counts[unit.seat], unit)
        counts[unit.seat] += 2
    line_up(battle)
    for number in range(len(battle.kind)):
        if battle.posture[number] in (Posture.STANDING, Posture.PRONE):
            battle.ready[number] = 2000
    battle.active, battle.now, battle.turn = active, 1000, 10
    battle.ready[active] = 1000
    for number, unit in zip(_numbers(units), units, strict=True):
        battle.defending[number] = unit.defending
    return battle


def _numbers(units: list[Unit]) -> list[int]:
    counts, numbers = [0, 1], []
    for unit in units:
        numbers.append(counts[unit.seat])
        counts[unit.seat] += 2
    return numbers


def _put(battle: Battle, number: int, unit: Unit) -> None:
    battle.kind[number], battle.tile[number] = unit.kind, at(unit.x, unit.y)
    battle.posture[number], battle.snowballs[number] = unit.posture, unit.snowballs
    battle.health[number] = 0 if unit.posture == Posture.DOWNED else unit.health or HEALTH[unit.kind]


def start(battle: Battle, seed: int = 0) -> Match:
    """A match from a position."""
    return Match(game, settings_of(battle), seed=seed, start=battle)


def begin(units: list[Unit], ground: Any = None, active: int = 0, seed: int = 0, **settings: Any) -> Match:
    """A match from units and ground."""
    return start(draw(units, ground, active, **settings), seed)


def act(match: Match, *actions: Action) -> None:
    """Play actions of whoever is to act; each must be accepted, and leaves no trace in the room for searching."""
    for action in actions:
        play.act(match, action)
        state = match.state
        assert not any(state.free) and not any(state.reach) and not any(state.before), (
            f"{action} left a trace"
        )


def refused(match: Match, action: Action, seat: int | None = None) -> str:
    """The rule that an action of whoever is to act breaks; it changes nothing."""
    return play.refused(match, action, seat).rule


def seat_to_act(match: Match) -> int:
    """The seat of the unit at turn."""
    assert match.state.phase == Phase.BATTLE
    return seat_of(match.state.active)
