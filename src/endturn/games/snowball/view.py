"""What a seat may know of a match of Snowball Fight: all but the other's army before the battle (chapter P)."""

from collections.abc import MutableSequence
from typing import Any

from endturn.engine import record
from endturn.engine.actions import Action
from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Refusal
from endturn.engine.dice import Stream
from endturn.engine.game import Outcome
from endturn.engine.rule import rule
from endturn.games.snowball.actions import Attack, Move
from endturn.games.snowball.rules import acting
from endturn.games.snowball.rules.acting import dodge_percent, is_hero, seat_of, x_of, y_of
from endturn.games.snowball.rules.moving import budget
from endturn.games.snowball.rules.muster import dismiss, enlist, is_in_zone, to_act
from endturn.games.snowball.rules.previews import Throw, order, order_after, preview, throws
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
    Decision,
    Ending,
    Flight,
    Ground,
    HeroScope,
    Kind,
    Phase,
    Posture,
)
from endturn.mechanisms.calendar import month_of
from endturn.mechanisms.turns import NEVER

SEATS = "Blue", "Orange"
CONCEALED = 102  # purpose of rolls
SHARED, PER_UNIT = 12, 10  # numbers in an observation


# --- what a seat may know -----------------------------------------------------------------------------------


def is_secret(battle: Battle, seat: int | None, owner: int) -> bool:
    """Whether a seat, or a spectator, may not know an army yet (P6)."""
    hidden = battle.settings.hidden_placement and battle.phase == Phase.MUSTER
    return bool(hidden and seat != owner)


def knows(battle: Battle, seat: int | None, unit: int) -> bool:
    """Whether a seat may know that a unit is there: drafted heroes, and all that is not secret (P6)."""
    drafted = is_hero(battle.kind[unit]) and battle.settings.hero_scope == HeroScope.MAP
    there = battle.posture[unit] != Posture.ABSENT
    return there and (drafted or not is_secret(battle, seat, seat_of(unit)))


def view(battle: Battle, seat: int | None) -> dict[str, Any]:
    """All that a seat may know, as plain values; None is a spectator (P6)."""
    seasons = {"season": season(battle)} if battle.settings.seasons else {}
    return {
        **seasons,
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


def season(battle: Battle) -> dict[str, Any]:
    """The month, and the tiles with snow or ice in it and in each of the year's months: no secret (Y2)."""
    months = [
        ["".join(".*"[row >> x & 1] for x in range(battle.width)) for row in page[: battle.height]]
        for page in battle.almanac
    ]
    return {"month": month_of(battle.now, TICKS_A_MONTH, MONTHS), "months": months}


def _all(battle: Battle) -> range:
    return range(len(battle.kind))


def unit_view(battle: Battle, u: int, seat: int | None) -> dict[str, Any]:
    """One unit, for people and programs; where it is only if that is no secret (P6)."""
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


def name_of(kind: Kind) -> str:
    """A kind as people write it: Big Boots Boris."""
    return kind.name.replace("_", " ").title()


def ground_rows(battle: Battle) -> list[str]:
    """The map, a text a row: . snow, ~ ice, T full cover, m half cover, o hole (M2)."""
    rows = []
    for y in range(battle.height):
        tiles = range(y * ROW, y * ROW + battle.width)
        rows.append("".join(".~Tmo"[ground_at(battle, tile)] for tile in tiles))
    return rows


@rule
def ground_at(battle: Battle, tile: int) -> int:
    """What a tile is (M2)."""
    if acting.is_open(battle, tile):
        return Ground.ICE if acting.is_ice(battle, tile) else Ground.SNOW
    if acting.is_full_cover(battle, tile):
        return Ground.FULL_COVER
    return Ground.HALF_COVER if acting.is_half_cover(battle, tile) else Ground.HOLE


def throw(battle: Battle) -> dict[str, Any] | None:
    """What came of the last throw; None before the first (H1)."""
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
    """The same with another army, by chance, wherever a seat may not know it (P6)."""
    dice = Stream(seed, CONCEALED)
    for owner in (0, 1):
        if is_secret(battle, seat, owner):
            _exchange(battle, owner, dice)
    return battle


def _exchange(battle: Battle, owner: int, dice: Stream) -> None:
    """Nothing of the true army is left but its drafted heroes; where they are is not."""
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
    """How many numbers an observation has."""
    return SHARED + PER_UNIT * len(battle.kind) + battle.width * battle.height


@rule
def observe(battle: Battle, seat: int, out: MutableSequence[int]) -> None:
    """Shared numbers, ten a unit (own is 1), then the ground; what is secret is left at 0 (P6)."""
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
    """Ten numbers for one unit: owner, who, where, how, and how soon."""
    out[at], out[at + 1] = seat_of(unit) == seat, battle.kind[unit]
    out[at + 2], out[at + 3] = x_of(battle.tile[unit]), y_of(battle.tile[unit])
    out[at + 4], out[at + 5] = battle.health[unit], battle.snowballs[unit]
    out[at + 6], out[at + 7] = battle.posture[unit], battle.defending[unit]
    out[at + 8] = min(battle.ready[unit] - battle.now, 32767)
    out[at + 9] = dodge_percent(battle, unit)


# --- in words -----------------------------------------------------------------------------------------------

REFUSALS = {
    MATCH_OVER: Refusal("V4", "The match is over."),
    NOT_YOUR_TURN: Refusal("T1", "It is not {me}'s turn: wait until one of its units is ready."),
    acting.NOT_NOW: Refusal(
        "C1", "Not in this part of the match: {verb} belongs to another than the {phase}."
    ),
    acting.NO_SUCH_UNIT: Refusal("C4", "There is no unit #{unit} that you know of."),
    acting.NOT_YOURS: Refusal("C4", "Unit #{unit} is not yours; {me} has the units with {parity} numbers."),
    acting.NO_SUCH_TILE: Refusal("M1", "There is no tile {tile}; the last one is {last_tile}."),
    acting.PRONE: Refusal("C3", "{actor} is prone: it can only stand up or delay."),
    acting.ALREADY_ACTED: Refusal(
        "C5", "{actor} has acted in this turn: it can still move, or delay to end it."
    ),
    acting.NO_HERO: Refusal("A4", "Only heroes are drafted; all others are recruited afterwards."),
    acting.HERO_TAKEN: Refusal("A3", "{hero} is taken: there is one of each hero."),
    acting.TOO_DEAR: Refusal("A1", "That costs {cost} points, and {me} has {points} left."),
    acting.HERO_STAYS: Refusal("A5", "Unit #{unit} was drafted: heroes that were picked stay."),
    acting.ARMY_FULL: Refusal("A2", "There is no room for another unit: dismiss one first."),
    acting.HEROES_ARE_DRAFTED: Refusal("A3", "Heroes are drafted here: one of each on the whole map."),
    acting.NO_ARMY: Refusal("P4", "An army has at least one unit: recruit one first."),
    acting.OUTSIDE_ZONE: Refusal("P2", "{place} is not within 8 tiles of {me}'s start at {start}."),
    acting.BLOCKED: Refusal("W2", "Nobody can walk on {place}: choose snow or ice."),
    acting.OCCUPIED: Refusal("W2", "There is somebody at {place}: a unit stops only where nobody is."),
    acting.TOO_FAR: Refusal(
        "W3", "{actor} cannot get to {place} with the {budget} points it can still spend."
    ),
    acting.NOT_READY: Refusal("P4", "{me} has not said that it is ready: there is nothing to reconsider."),
    acting.NO_SNOWBALL: Refusal("H1", "{actor} has no snowball left: rearm on snow."),
    acting.NOT_AN_ENEMY: Refusal("H1", "Unit #{unit} is no enemy that is still up: choose one of those."),
    acting.OUT_OF_RANGE: Refusal(
        "H2", "{target} is {distance} tiles away, and {actor} throws {range} tiles."
    ),
    acting.NO_LINE_OF_SIGHT: Refusal("L3", "{actor} does not see {target}: full cover is in between."),
    acting.NOT_ON_SNOW: Refusal("D6", "{actor} stands on ice: snowballs are made of snow."),
    acting.BARE_GROUND: Refusal(
        "Y5", "There is no snow where {actor} stands: walk to some, or wait for the winter."
    ),
    acting.FULLY_ARMED: Refusal("D6", "{actor} carries three snowballs already."),
    acting.HAS_MOVED: Refusal("D4", "{actor} has moved in this turn: it can defend only before that."),
    acting.NOT_PRONE: Refusal("D7", "{actor} stands already."),
    acting.NO_ALLY_TO_HELP: Refusal("D8", "Unit #{unit} is no prone or downed friend beside {actor}."),
    acting.NO_REVIVES: Refusal("D9", "{me} has revived {revives} times, and no more is allowed."),
    acting.DOUBLE_MOVED: Refusal("W4", "{actor} makes a double move to get there: nothing can follow it."),
}


def named(battle: Battle, unit: int) -> str:
    """A unit in a sentence: Rookie #4."""
    if not 0 <= unit < len(battle.kind):
        return f"unit #{unit}"
    return f"{name_of(Kind(battle.kind[unit]))} #{unit}"


def words(battle: Battle, seat: int, action: Action) -> dict[str, object]:
    """What the {words} in refusals are, for an action; nothing of it is secret (P6)."""
    unit = int(getattr(action, "unit", getattr(action, "target", battle.active)))
    kind = Kind(getattr(action, "hero", getattr(action, "kind", 0)))
    tile = int(getattr(action, "tile", 0))
    fighting = battle.phase == Phase.BATTLE
    return {
        "verb": type(action).__name__,
        "phase": Phase(battle.phase).name.lower(),
        "me": SEATS[seat],
        "parity": ("even", "odd")[seat],
        "unit": unit,
        "actor": named(battle, battle.active),
        "target": named(battle, unit) if fighting else f"unit #{unit}",
        "hero": name_of(kind),
        "cost": COST[kind],
        "points": battle.points[seat],
        "place": f"({x_of(tile)}, {y_of(tile)})",
        "start": f"({x_of(battle.start[seat])}, {y_of(battle.start[seat])})",
        "tile": tile,
        "last_tile": battle.width - 1 + (battle.height - 1) * ROW,
        "budget": budget(battle) if fighting else 0,
        "range": RANGE[battle.kind[battle.active]],
        "distance": _distance(battle, unit) if fighting else "?",
        "revives": battle.revives[seat],
    }


def _distance(battle: Battle, unit: int) -> str:
    if not 0 <= unit < len(battle.kind) or battle.tile[unit] == NONE:
        return "?"
    return f"{acting.distance_squared(battle.tile[battle.active], battle.tile[unit]) ** 0.5:.1f}"


def foresee(battle: Battle, seat: int, action: Action | None) -> dict[str, Any]:
    """What would come of an action of the unit at turn, or of all it could do, for clients (Q1, Q2, Q3, Q4)."""
    if battle.phase != Phase.BATTLE or seat_of(battle.active) != seat:
        return {}
    if action is None:
        seen = preview(battle, seat)
        walks = [walk._asdict() for walk in seen.walks]
        return {"unit": seen.unit, "throws": [_aimed(battle, seat, t) for t in seen.throws], "walks": walks}
    told: dict[str, Any] = {"order": [list(each) for each in order_after(battle, action)]}
    if isinstance(action, Attack):
        told["throws"] = [_aimed(battle, seat, t) for t in throws(battle, seat) if t.target == action.target]
        told["throw"] = told["throws"][0] if told["throws"] else None
    if isinstance(action, Move):
        there = preview(battle, seat, action.tile)
        told["throws"] = [_aimed(battle, seat, throw) for throw in there.throws if throw.reason == 0]
        x, y = acting.x_of(action.tile), acting.y_of(action.tile)
        ways = preview(battle, seat).walks
        told["walk"] = next((way._asdict() for way in ways if (way.x, way.y) == (x, y)), None)
        told["ice"] = bool(acting.is_ice(battle, action.tile))
    return told


def _aimed(battle: Battle, seat: int, throw: Throw) -> dict[str, Any]:
    """What may come of a throw, as plain values; the sentence why not where it is forbidden."""
    others = {"friends": throw.friends, "enemies": throw.enemies}
    told = {**throw._asdict(), **{name: [each._asdict() for each in many] for name, many in others.items()}}
    told["point"] = throw.point and list(throw.point)
    said = REFUSALS.get(throw.reason)
    told["reason"] = said and said.reason.format_map(words(battle, seat, Attack(throw.target)))
    return told


REASONS = {
    Decision.KNOCKED_OUT: ("knocked out all enemies", "has no unit left that is up"),
    Decision.STANDING: ("has more units left that are up", "has fewer units left that are up"),
    Decision.HEALTH: ("has more health left", "has less health left"),
    Decision.DRAW: ("has as many units and as much health left as the other",) * 2,
}
LEFT = {
    Ending.RESIGNED: "resigned",
    Ending.TIMED_OUT: "ran out of time",
    Ending.DISCONNECTED: "disconnected",
}


def outcome(battle: Battle) -> Outcome | None:
    """How the match ended, with a reason for each seat (V1, V2, V3)."""
    if battle.ended == Ending.GOING_ON:
        return None
    places = (1, 1) if battle.decided == Decision.DRAW else (1, 2) if battle.winner == 0 else (2, 1)
    how = f"{Ending(battle.ended).name.lower()}: {Decision(battle.decided).name.lower()}"
    return Outcome(how, places, (_reason(battle, 0), _reason(battle, 1)))


def _reason(battle: Battle, seat: int) -> str:
    lost = battle.winner != seat
    if battle.decided == Decision.OPPONENT_LEFT:
        why = LEFT[Ending(battle.ended)]
        return f"{SEATS[seat]} {why}." if lost else f"{SEATS[seat]} wins, for its opponent {why}."
    before = "Time is over: " if battle.ended == Ending.TIME_LIMIT else ""
    return f"{before}{SEATS[seat]} {REASONS[Decision(battle.decided)][lost]}."


# --- as a picture -------------------------------------------------------------------------------------------

COLOURS = "cyan", "yellow"
LETTERS = "RSPBGNWCapbndk"  # by kind; none is a letter of the ground
GROUND_COLOURS = {".": "dim", "~": "blue", "T": "bold green", "m": "white", "o": "dim"}
ZONE_MARKS = "'·"  # behind the tiles that a seat may place units on
MARKS = {Posture.STANDING: " ", Posture.PRONE: "_", Posture.DOWNED: "x"}


def show(battle: Battle) -> str:
    """The map with cover, ice and units, the strip of turns to come, and every unit's standing (T6)."""
    units = {battle.tile[u]: u for u in _all(battle) if battle.posture[u] != Posture.ABSENT}
    rows = []
    for y, row in enumerate(ground_rows(battle)):
        cells = [_cell(battle, units.get(y * ROW + x), y * ROW + x, row[x]) for x in range(battle.width)]
        rows.append("".join(cells))
    return "\n".join([_title(battle), *rows, _strip(battle), *_roll(battle), _legend(battle)])


def _title(battle: Battle) -> str:
    if battle.phase == Phase.OVER:
        won = "a draw" if battle.winner < 0 else f"{SEATS[battle.winner]} has won"
        return f"Turn {battle.turn}, tick {battle.now}: {won}"
    if battle.phase != Phase.BATTLE:
        return f"{Phase(battle.phase).name.title()}: {battle.points[0]} and {battle.points[1]} points left"
    seat = acting.seat_at_turn(battle)
    return f"Turn {battle.turn}, tick {battle.now}: {SEATS[seat]}'s {named(battle, battle.active)}"


def _cell(battle: Battle, unit: int | None, tile: int, letter: str) -> str:
    if unit is None:
        return _ground(letter, _owner(battle, tile))
    sign = LETTERS[battle.kind[unit]]
    mark = "!" if battle.defending[unit] else MARKS[Posture(battle.posture[unit])]
    strong = "reverse " if unit == battle.active else "bold "
    ice = "underline " if letter == "~" else ""
    number = "·" if mark == " " and seat_of(unit) else mark  # whose it is must show without colours too
    return f"[{strong}{ice}{COLOURS[seat_of(unit)]}]{sign}{number}[/]"


def _ground(letter: str, owner: int | None) -> str:
    if owner is None:
        return f"[{GROUND_COLOURS[letter]}]{letter} [/]"
    return f"[{GROUND_COLOURS[letter]}]{letter}[/][{COLOURS[owner]}]{ZONE_MARKS[owner]}[/]"


def _owner(battle: Battle, tile: int) -> int | None:
    """Whose units may be placed on a tile; nobody's once the battle has begun (P2)."""
    if battle.phase not in (Phase.DRAFT, Phase.MUSTER):
        return None
    return next((seat for seat in (0, 1) if is_in_zone(battle, seat, tile)), None)


def _strip(battle: Battle) -> str:
    coming = [f"[{COLOURS[seat_of(u)]}]{LETTERS[battle.kind[u]]}{u}@{tick}[/]" for u, tick in order(battle)]
    return "Next: " + (" ".join(coming) if coming else "–")


def _roll(battle: Battle) -> list[str]:
    """Two units of each seat side by side, a line each."""
    there = [
        [u for u in _all(battle) if seat_of(u) == s and battle.posture[u] != Posture.ABSENT] for s in (0, 1)
    ]
    lines = []
    for i in range(max(map(len, there))):
        cells = [_standing(battle, each[i]) if i < len(each) else " " * 54 for each in there]
        lines.append("  ".join(cells))
    return lines


def _standing(battle: Battle, u: int) -> str:
    kind = Kind(battle.kind[u])
    stats = (
        f"S{SPEED[kind]} M{MOVEMENT[kind]} R{RANGE[kind]:<2} A{ACCURACY[kind]} D{dodge_percent(battle, u):<2}"
    )
    health = f"{battle.health[u]:>2}/{HEALTH[kind]:<2} {'o' * battle.snowballs[u]:<3}"
    ice = "~" if acting.is_ice(battle, battle.tile[u]) else " "
    text = f"{LETTERS[kind]} #{u:<2} {name_of(kind):<18} {health} {stats} {ice}"
    return f"[{'dim ' if battle.posture[u] == Posture.DOWNED else ''}{COLOURS[seat_of(u)]}]{text}[/]"


def _legend(battle: Battle) -> str:
    before = battle.phase in (Phase.DRAFT, Phase.MUSTER)
    zones = "behind a tile ' Blue's to place units on, · Orange's;\n" if before else ""
    return (
        "[dim]. snow ~ ice T full cover m half cover o hole; behind a unit · Orange's, ! defends, _ prone, x downed;"
        f"\n{zones}underlined: on ice; health, snowballs, Speed, Movement, Range, Accuracy, Dodge, ~ on ice[/]"
    )
