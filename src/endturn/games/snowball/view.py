"""The view of a seat in Snowball Fight: everything except the other army before the battle (chapter P)."""

from collections.abc import MutableSequence

from endturn.engine import record
from endturn.engine.actions import Action
from endturn.engine.dice import Stream
from endturn.engine.rule import rule
from endturn.games.snowball.actions import Attack, Move
from endturn.games.snowball.refusals import REFUSALS
from endturn.games.snowball.rules import acting
from endturn.games.snowball.rules.acting import dodge_percent, ground_at, is_hero, seat_of, x_of, y_of
from endturn.games.snowball.rules.moving import budget
from endturn.games.snowball.rules.muster import dismiss, enlist, is_in_zone, to_act
from endturn.games.snowball.rules.previews import Stray, Throw, Walk, order, order_after, preview, throws
from endturn.games.snowball.state import (
    ACCURACY,
    COST,
    HEALTH,
    MONTHS,
    MOVEMENT,
    NONE,
    RANGE,
    ROW,
    SPEED,
    TICKS_A_MONTH,
    Battle,
    Ending,
    Flight,
    HeroScope,
    Kind,
    Phase,
    Posture,
)
from endturn.games.snowball.text import ground_rows, name_of, words
from endturn.games.snowball.view_types import (
    BattlePreview,
    BattleView,
    SeasonView,
    StrayPreview,
    ThrowPreview,
    ThrowView,
    UnitView,
    WalkPreview,
)
from endturn.mechanisms.calendar import month_of
from endturn.mechanisms.turns import NEVER

CONCEALED = 102  # purpose of rolls
SHARED, PER_UNIT = 12, 10  # numbers in an observation


# --- what a seat may know -----------------------------------------------------------------------------------


def is_secret(battle: Battle, seat: int | None, owner: int) -> bool:
    """Whether an army is hidden from a seat or from spectators (P6)."""
    hidden = battle.settings.hidden_placement and battle.phase == Phase.MUSTER
    return bool(hidden and seat != owner)


def knows(battle: Battle, seat: int | None, unit: int) -> bool:
    """Whether a seat may know that a unit exists: drafted heroes, and everything that is not hidden (P6)."""
    drafted = is_hero(battle.kind[unit]) and battle.settings.hero_scope == HeroScope.MAP
    there = battle.posture[unit] != Posture.ABSENT
    return there and (drafted or not is_secret(battle, seat, seat_of(unit)))


def view(battle: Battle, seat: int | None) -> BattleView:
    """What a seat may know, as plain values; None stands for spectators (P6)."""
    seen: BattleView = {
        "phase": Phase(battle.phase).name.lower(),
        "turn": battle.turn,
        "now": battle.now,
        "first": battle.first,
        "to_act": to_act(battle),
        "active": battle.active,
        "spent": battle.spent,
        "acted": battle.acted > 0,
        "ended": Ending(battle.ended).name.lower(),
        "winner": battle.winner,
        "points": [None if is_secret(battle, seat, owner) else battle.points[owner] for owner in (0, 1)],
        "revives": list(battle.revives),
        "ready": [bool(each) for each in battle.ready_to_play],
        "map": ground_rows(battle),
        "starts": [[x_of(tile), y_of(tile)] for tile in battle.start],
        "order": [list(each) for each in order(battle)],
        "throw": throw(battle),
        "units": [unit_view(battle, u, seat) if knows(battle, seat, u) else None for u in _all(battle)],
        "settings": record.to_json(battle.settings),
    }
    return {"season": season(battle), **seen} if battle.settings.seasons else seen


def season(battle: Battle) -> SeasonView:
    """The month, and the tiles with snow or ice in each month of the year, which everyone knows (Y2)."""
    months = [
        ["".join(".*"[row >> x & 1] for x in range(battle.width)) for row in page[: battle.height]]
        for page in battle.almanac
    ]
    return {"month": month_of(battle.now, TICKS_A_MONTH, MONTHS), "months": months}


def _all(battle: Battle) -> range:
    return range(len(battle.kind))


def unit_view(battle: Battle, u: int, seat: int | None) -> UnitView:
    """One unit, for people and programs; its tile only if that is not hidden (P6)."""
    secret = is_secret(battle, seat, seat_of(u))
    kind = Kind(battle.kind[u])
    return {
        "name": name_of(kind),
        "kind": kind.name.lower(),
        "seat": seat_of(u),
        "x": None if secret else x_of(battle.tile[u]),
        "y": None if secret else y_of(battle.tile[u]),
        "health": battle.health[u],
        "most_health": HEALTH[kind],
        "snowballs": battle.snowballs[u],
        "posture": Posture(battle.posture[u]).name.lower(),
        "defending": bool(battle.defending[u]),
        "ready": None if battle.ready[u] == NEVER else battle.ready[u],
        "speed": SPEED[kind],
        "movement": MOVEMENT[kind],
        "range": RANGE[kind],
        "accuracy": ACCURACY[kind],
        "dodge": SPEED[kind] + MOVEMENT[kind] if secret else dodge_percent(battle, u),
        "cost": COST[kind],
    }


def throw(battle: Battle) -> ThrowView | None:
    """The result of the last throw; None before the first (H1)."""
    if battle.flight == Flight.NONE:
        return None
    return {
        "thrower": battle.thrower,
        "target": battle.aimed_at,
        "x": x_of(battle.throw_point),
        "y": y_of(battle.throw_point),
        "flown": battle.flown,
        "struck": battle.struck,
        "flight": Flight(battle.flight).name.lower(),
    }


def conceal(battle: Battle, seat: int | None, seed: int) -> Battle:
    """The same state with random armies in place of those hidden from a seat (P6)."""
    dice = Stream(seed, CONCEALED)
    for owner in (0, 1):
        if is_secret(battle, seat, owner):
            _exchange(battle, owner, dice)
    return battle


def _exchange(battle: Battle, owner: int, dice: Stream) -> None:
    """Remove the true army except its drafted heroes, and their tiles."""
    army = range(owner, len(battle.kind), 2)
    for unit in army:
        if battle.posture[unit] != Posture.ABSENT and not knows(battle, None, unit):
            dismiss(battle, owner, unit)
        battle.tile[unit] = NONE
    while battle.points[owner] > 0:
        affordable = [k for k in Kind if COST[k] <= battle.points[owner] and not is_hero(k)]
        enlist(battle, owner, dice.choice(affordable))
    zone = dice.shuffled([tile for tile in range(battle.height * ROW) if is_in_zone(battle, owner, tile)])
    for unit in army:
        if battle.posture[unit] != Posture.ABSENT:
            battle.tile[unit] = zone.pop()


# --- as numbers ---------------------------------------------------------------------------------------------


def observation_size(battle: Battle) -> int:
    """The length of an observation."""
    return SHARED + PER_UNIT * len(battle.kind) + battle.width * battle.height


@rule
def observe(battle: Battle, seat: int, out: MutableSequence[int]) -> None:
    """Shared numbers, ten per unit (own is 1), then the ground; hidden facts are 0 (P6)."""
    out[0], out[1], out[2] = battle.phase, battle.turn % 32768, battle.points[seat]
    out[3], out[4], out[5] = battle.active, battle.spent, battle.acted
    out[6] = acting.seat_at_turn(battle) == seat
    out[7] = budget(battle) if battle.phase == Phase.BATTLE else 0
    out[8], out[9] = battle.revives[seat], battle.revives[1 - seat]
    out[10], out[11] = battle.width, battle.height
    hidden = battle.settings.hidden_placement and battle.phase == Phase.MUSTER
    for unit in range(len(battle.kind)):
        if battle.posture[unit] != Posture.ABSENT and not (hidden and seat_of(unit) != seat):
            observe_unit(battle, seat, unit, out, SHARED + PER_UNIT * unit)
    ground = SHARED + PER_UNIT * len(battle.kind)
    for number in range(battle.width * battle.height):
        out[ground + number] = ground_at(battle, number % battle.width + number // battle.width * ROW)


@rule
def observe_unit(battle: Battle, seat: int, unit: int, out: MutableSequence[int], at: int) -> None:
    """Ten numbers for one unit: owner, kind, tile, condition, and time to its turn."""
    out[at], out[at + 1] = seat_of(unit) == seat, battle.kind[unit]
    out[at + 2], out[at + 3] = x_of(battle.tile[unit]), y_of(battle.tile[unit])
    out[at + 4], out[at + 5] = battle.health[unit], battle.snowballs[unit]
    out[at + 6], out[at + 7] = battle.posture[unit], battle.defending[unit]
    out[at + 8] = min(battle.ready[unit] - battle.now, 32767)
    out[at + 9] = dodge_percent(battle, unit)


def foresee(battle: Battle, seat: int, action: Action | None) -> BattlePreview:
    """The preview of an action of the unit with the turn, or of all its actions, for clients (Q1, Q2, Q3, Q4)."""
    if battle.phase != Phase.BATTLE or seat_of(battle.active) != seat:
        return {}
    if action is None:
        seen = preview(battle, seat)
        walks = [_walked(walk) for walk in seen.walks]
        return {"unit": seen.unit, "throws": [_aimed(battle, seat, t) for t in seen.throws], "walks": walks}
    told: BattlePreview = {"order": [list(each) for each in order_after(battle, action)]}
    if isinstance(action, Attack):
        told["throws"] = [_aimed(battle, seat, t) for t in throws(battle, seat) if t.target == action.target]
        told["throw"] = told["throws"][0] if told["throws"] else None
    if isinstance(action, Move):
        there = preview(battle, seat, action.tile)
        told["throws"] = [_aimed(battle, seat, throw) for throw in there.throws if throw.reason == 0]
        x, y = acting.x_of(action.tile), acting.y_of(action.tile)
        ways = preview(battle, seat).walks
        told["walk"] = next((_walked(way) for way in ways if (way.x, way.y) == (x, y)), None)
        told["ice"] = bool(acting.is_ice(battle, action.tile))
    return told


def _aimed(battle: Battle, seat: int, throw: Throw) -> ThrowPreview:
    """The chances of a throw as plain values, or the sentence that forbids it."""
    refusal = REFUSALS.get(throw.reason)
    return {
        "target": throw.target,
        "reason": refusal.reason.format_map(words(battle, seat, Attack(throw.target))) if refusal else None,
        "point": None if throw.point is None else list(throw.point),
        "open": throw.open,
        "cover": throw.cover,
        "dodge": throw.dodge,
        "hurt": throw.hurt,
        "friends": [_strayed(each) for each in throw.friends],
        "enemies": [_strayed(each) for each in throw.enemies],
    }


def _strayed(stray: Stray) -> StrayPreview:
    return {"unit": stray.unit, "struck": stray.struck, "hurt": stray.hurt}


def _walked(walk: Walk) -> WalkPreview:
    return {"x": walk.x, "y": walk.y, "cost": walk.cost, "double": walk.double, "ice": walk.ice}
