"""A position of Snowball Fight as one line of text, both ways.

    snowball 12 now 276 phase battle first 0 active 3 spent 2 ... set max_ticks=12000
    | R0,166,4,3,1,0,372,75 ... | 40x24 246,473 ......m..~~.. / ........

Units: letter of the kind and number, then tile, health, snowballs, posture, defending, ready (-1: never), rank.
The map is drawn as in a file of its own, its rows joined by /, empty rows of snow as their width.
"""

import re
from typing import Any

from endturn.engine.settings import settings_from, settings_to_json
from endturn.games.snowball.rules.acting import is_on_map, is_open
from endturn.games.snowball.rules.turns import count_mustered
from endturn.games.snowball.setup import empty_battle
from endturn.games.snowball.setup.maps import LETTERS as GROUND_LETTERS
from endturn.games.snowball.setup.maps import MapPlan
from endturn.games.snowball.state import (
    MEADOW,
    MONTHS,
    POND,
    ROW,
    Battle,
    Ending,
    Flight,
    Kind,
    Phase,
    Posture,
    Settings,
)
from endturn.games.snowball.text import LETTERS, ground_rows
from endturn.mechanisms.turns import NEVER

HEAD = (
    "now", "first", "picks", "active", "spent", "acted", "decided", "winner", "thrower", "aimed_at", "struck",
    "throw_point", "flown",
)  # fmt: skip
PAIRS = "points", "ready_to_play", "revives"
NAMED = {"phase": Phase, "ended": Ending, "flight": Flight}
KINDS = {letter: Kind(kind) for kind, letter in enumerate(LETTERS)}
UNIT = re.compile(r"([A-Za-z])(\d+)((?:,-?\d+){7})")
MAP = re.compile(r"(\d+),(\d+) ([.~Tmo/]+)")


def write(battle: Battle) -> str:
    """The position as text."""
    head = [f"snowball {battle.turn}"]
    head += [f"{name} {kind(getattr(battle, name)).name.lower()}" for name, kind in NAMED.items()]
    head += [f"{name} {getattr(battle, name) + 0}" for name in HEAD]
    head += [f"{name} {getattr(battle, name)[0]},{getattr(battle, name)[1]}" for name in PAIRS]
    defaults, said = settings_to_json(Settings()), settings_to_json(settings_of(battle))
    head += ["set", *(f"{name}={value}" for name, value in said.items() if value != defaults[name])]
    units = [_unit(battle, u) for u in range(len(battle.kind)) if battle.posture[u] != Posture.ABSENT]
    rows = "/".join(ground_rows(battle))
    almanac = f" | {_pages(battle)}" if battle.settings.seasons else ""
    return f"{' '.join(head)} | {' '.join(units)} | {battle.start[0]},{battle.start[1]} {rows}{almanac}"


def _pages(battle: Battle) -> str:
    """The tiles of ponds, then the tiles with ice or snow in each month: hexadecimal rows, where bit x is column x."""
    pages = [battle.ground[POND], *battle.almanac]
    return " ".join(",".join(f"{row:x}" for row in page[: battle.height]) for page in pages)


def settings_of(battle: Battle) -> Settings:
    """The settings in a state; instead of the text of a map, the state has the map."""
    defaults = Settings()
    kept = [name for name in Settings.__struct_fields__ if hasattr(battle.settings, name)]
    values = {name: getattr(battle.settings, name) for name in kept}
    return Settings(**{name: type(getattr(defaults, name))(value) for name, value in values.items()})


def _unit(battle: Battle, u: int) -> str:
    values = [
        battle.tile[u],
        battle.health[u],
        battle.snowballs[u],
        battle.posture[u] + 0,
        battle.defending[u],
    ]
    values += [-1 if battle.ready[u] == NEVER else battle.ready[u], battle.rank[u]]
    return f"{LETTERS[battle.kind[u]]}{u}," + ",".join(str(int(value)) for value in values)


def read(text: str) -> Battle:
    """The position in a line of text. Raises ValueError."""
    try:
        return _read(text)
    except (LookupError, TypeError, OverflowError, ValueError) as error:
        raise ValueError(f"not a position of Snowball Fight: {error}") from None


def _read(text: str) -> Battle:
    parts = text.strip().split(" | ")
    if len(parts) not in (3, 4) or not parts[0].startswith("snowball ") or " set" not in parts[0]:
        raise ValueError("expected 'snowball' and three parts separated by |, or four with seasons")
    head, chosen = parts[0].split(" set", 1)
    values = dict(each.split("=", 1) for each in chosen.split())
    settings: Any = settings_from(Settings, values, "Snowball Fight")
    battle = empty_battle(_plan(parts[2]), settings)
    _fill_almanac(battle, parts[3:])
    words = head.split()
    battle.turn = int(words[1])
    _fill_head(battle, dict(zip(words[2::2], words[3::2], strict=True)))
    for said in parts[1].split():
        _fill_unit(battle, said)
    if battle.turn > 0:
        count_mustered(battle)
    _check(battle)
    return battle


def _plan(text: str) -> MapPlan:
    found = MAP.fullmatch(text)
    if not found:
        raise ValueError("the map must be two start tiles, then rows of . ~ T m o separated by /")
    rows = found[3].split("/")
    width = len(rows[0])
    if not width or any(len(row) != width for row in rows) or width > 62 or len(rows) > 60:
        raise ValueError("the map must have at most 60 rows of the same length, at most 62 tiles each")
    starts = [(int(tile) % ROW, int(tile) // ROW) for tile in (found[1], found[2])]
    if any(x >= width or y >= len(rows) for x, y in starts):
        raise ValueError("a start is not on the map")
    ground = tuple(tuple(GROUND_LETTERS[letter] for letter in row) for row in rows)
    return MapPlan(ground, (starts[0], starts[1]))


def _fill_head(battle: Battle, values: dict[str, str]) -> None:
    if set(values) != {*HEAD, *PAIRS, *NAMED}:
        raise ValueError(f"the head must have the fields {', '.join([*NAMED, *HEAD, *PAIRS])}")
    for name in HEAD:
        setattr(battle, name, int(values[name]))
    for name, kind in NAMED.items():
        member: Any = kind[values[name].upper()]
        setattr(battle, name, member.value)
    for name in PAIRS:
        pair = getattr(battle, name)
        pair[0], pair[1] = (int(value) for value in values[name].split(","))


def _fill_almanac(battle: Battle, said: list[str]) -> None:
    if len(said) != (1 if battle.settings.seasons else 0):
        raise ValueError("the almanac is required with the setting seasons, and only then")
    for text in said:
        ponds, *pages = ([int(row, 16) for row in page.split(",")] for page in text.split())
        if [len(page) for page in (ponds, *pages)] != [battle.height] * (1 + MONTHS):
            raise ValueError(
                f"the almanac must have the ponds and {MONTHS} months, with a number for each row of the map"
            )
        for y in range(battle.height):
            battle.ground[POND][y] = ponds[y]
            battle.ground[MEADOW][y] = battle.open[y] & ~ponds[y]
            for month in range(MONTHS):
                battle.almanac[month][y] = pages[month][y]


def _fill_unit(battle: Battle, said: str) -> None:
    found = UNIT.fullmatch(said)
    if not found:
        raise ValueError(f"{said[:40]!r} is not a unit")
    u, values = int(found[2]), [int(value) for value in found[3][1:].split(",")]
    battle.kind[u] = KINDS[found[1]]
    battle.tile[u], battle.health[u], battle.snowballs[u] = values[:3]
    battle.posture[u], battle.defending[u] = Posture(values[3]), bool(values[4])
    battle.ready[u] = NEVER if values[5] < 0 else values[5]
    battle.rank[u] = values[6]


def _check(battle: Battle) -> None:
    """Check what rules rely on: units are on the map, one per tile, and one of them is active in a battle."""
    there = [u for u in range(len(battle.kind)) if battle.posture[u] != Posture.ABSENT]
    tiles = [battle.tile[u] for u in there]
    if not all(is_on_map(battle, tile) for tile in tiles) or len(set(tiles)) != len(tiles):
        raise ValueError("each unit must have its own tile on the map")
    if not all(is_open(battle, tile) for tile in tiles):
        raise ValueError("units must be on snow or ice")
    if battle.phase == Phase.BATTLE and battle.active not in there:
        raise ValueError("in a battle, the active unit must be on the map")
