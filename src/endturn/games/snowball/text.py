"""Snowball Fight in words and pictures: names, outcomes and the board."""

from endturn.engine.actions import Action
from endturn.engine.game import Outcome
from endturn.games.snowball.rules import acting
from endturn.games.snowball.rules.acting import dodge_percent, ground_at, seat_of, x_of, y_of
from endturn.games.snowball.rules.moving import budget
from endturn.games.snowball.rules.muster import is_in_zone
from endturn.games.snowball.rules.previews import order
from endturn.games.snowball.state import (
    ACCURACY,
    COST,
    HEALTH,
    MOVEMENT,
    NONE,
    RANGE,
    ROW,
    SPEED,
    Battle,
    Decision,
    Ending,
    Kind,
    Phase,
    Posture,
)

SEATS = "Blue", "Orange"


def name_of(kind: Kind) -> str:
    """The name of a kind for people: Big Boots Boris."""
    return kind.name.replace("_", " ").title()


def ground_rows(battle: Battle) -> list[str]:
    """The map, one text per row: . snow, ~ ice, T full cover, m half cover, o hole (M2)."""
    rows = []
    for y in range(battle.height):
        tiles = range(y * ROW, y * ROW + battle.width)
        rows.append("".join(".~Tmo"[ground_at(battle, tile)] for tile in tiles))
    return rows


def named(battle: Battle, unit: int) -> str:
    """A unit in a sentence: Rookie #4."""
    if not 0 <= unit < len(battle.kind):
        return f"unit #{unit}"
    return f"{name_of(Kind(battle.kind[unit]))} #{unit}"


def words(battle: Battle, seat: int, action: Action) -> dict[str, object]:
    """Values for the {placeholders} in refusals of an action. They reveal no hidden fact (P6)."""
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
LETTERS = "RSPBGNWCapbndk"  # by kind; no letter also stands for ground
GROUND_COLOURS = {".": "dim", "~": "blue", "T": "bold green", "m": "white", "o": "dim"}
ZONE_MARKS = "'·"  # behind the tiles that a seat may place units on
MARKS = {Posture.STANDING: " ", Posture.PRONE: "_", Posture.DOWNED: "x"}


def show(battle: Battle) -> str:
    """The map with cover, ice and units, the next turns, and the condition of every unit (T6)."""
    units = {battle.tile[u]: u for u in range(len(battle.kind)) if battle.posture[u] != Posture.ABSENT}
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
    """The seat whose zone a tile is in, before the battle (P2)."""
    if battle.phase not in (Phase.DRAFT, Phase.MUSTER):
        return None
    return next((seat for seat in (0, 1) if is_in_zone(battle, seat, tile)), None)


def _strip(battle: Battle) -> str:
    coming = [f"[{COLOURS[seat_of(u)]}]{LETTERS[battle.kind[u]]}{u}@{tick}[/]" for u, tick in order(battle)]
    return "Next: " + (" ".join(coming) if coming else "–")


def _roll(battle: Battle) -> list[str]:
    """Two units per seat side by side, one line each."""
    there = [
        [u for u in range(len(battle.kind)) if seat_of(u) == s and battle.posture[u] != Posture.ABSENT]
        for s in (0, 1)
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
