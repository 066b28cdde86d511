"""Writes and reads a position of Catastrophe as one line of text.

    catastrophe 12 seat 0 store 97,100 upkeep 3,3 overlord 0,4 end 0,0,-1 set max_turns=40
    | C0,78,100,2 h0,53,100,4 ... s-,-1,0 | 78S0,50 120.-,0,49,3 208=- ...

Units: letter of the job and owner (- if neutral), then tile, energy, moves, acted, starving, food, materials, turns
to die + 1, target tile + 1, squad, roster - owner, and joined. Tiles that are not empty: number, letter of the
structure and its owner, then its materials, harvest rate, turns to harvest, and food and materials on the ground. Zeros
at the end and default settings are omitted.
"""

import re
from typing import Any

from endturn.engine.settings import settings_from, settings_to_json
from endturn.games.catastrophe.setup import arrive, empty_world
from endturn.games.catastrophe.state import (
    NOBODY,
    NONE,
    Decision,
    Ending,
    Job,
    Settings,
    Squad,
    Structure,
    World,
)
from endturn.games.catastrophe.text import STRUCTURE_LETTERS, UNIT_LETTERS

JOBS_BY_LETTER = {letter: job for job, letter in UNIT_LETTERS.items()}
STRUCTURES_BY_LETTER = {".": Structure.NOTHING} | {letter: s for s, letter in STRUCTURE_LETTERS.items()}
OWNERS = "01-"  # by seat; the last one is NOBODY
A_TILE = re.compile(r"(\d+)(\D)([01-])(?:,(.*))?")


def write(world: World) -> str:
    """Write a position as text."""
    head = (
        f"catastrophe {world.turn} seat {world.seat} store {_pair(world.store)} upkeep {_pair(world.upkeep)} "
        f"overlord {_pair(world.overlord)} end {world.ended + 0},{world.decided + 0},{world.winner}"
    )
    defaults = settings_to_json(Settings())
    said = settings_to_json(settings_of(world))
    chosen = " ".join(f"{name}={value}" for name, value in said.items() if value != defaults[name])
    units = " ".join(_unit(world, unit) for unit in range(world.unit_count))
    tiles = " ".join(filter(None, (_tile(world, tile) for tile in range(world.tile_count))))
    return f"{head} set {chosen} | {units} | {tiles}".replace("set  |", "set |")


def _pair(values: Any) -> str:
    return f"{values[0]},{values[1]}"


def settings_of(world: World) -> Settings:
    """Return the settings stored in a state."""
    defaults = Settings()
    values = {name: getattr(world.settings, name) for name in Settings.__struct_fields__}
    return Settings(**{name: type(getattr(defaults, name))(value) for name, value in values.items()})


def _unit(world: World, u: int) -> str:
    values = [world.tile[u], short(world.energy[u]), world.moves[u], world.acted[u], world.starving[u]]
    values += [world.food[u], world.materials[u], world.turns_to_die[u] + 1, world.bound_for[u] + 1]
    values += [world.squad[u], world.roster[u] - world.owner[u], world.joined[u]]
    return f"{UNIT_LETTERS[Job(world.job[u])]}{OWNERS[world.owner[u]]},{_without_zeros(values)}"


def short(number: float) -> float:
    """Return a whole number without decimal point."""
    return int(number) if number == int(number) else number


def _without_zeros(values: list[Any]) -> str:
    """Join values without zeros at the end; a flag becomes a number."""
    while values and not values[-1]:
        values.pop()
    return ",".join(repr(value if isinstance(value, float) else int(value)) for value in values)


def _tile(world: World, t: int) -> str:
    values: list[Any] = [world.structure_materials[t], world.harvest_rate[t], world.turns_to_harvest[t]]
    values += [world.ground_food[t], world.ground_materials[t]]
    said = _without_zeros(values)
    if world.structure[t] == Structure.NOTHING and not said:
        return ""
    letter = STRUCTURE_LETTERS.get(Structure(world.structure[t]), ".")
    return f"{t}{letter}{OWNERS[world.structure_owner[t]]},{said}".rstrip(",")


def read(text: str) -> World:
    """Read a position; raise ValueError with the reason if the text is invalid."""
    try:
        parts = [part.split() for part in text.split("|")]
        if len(parts) != 3:
            raise ValueError("expected three parts separated by |")
        head, units, tiles = parts
        return _read(head, units, tiles)
    except (ValueError, KeyError, IndexError, OverflowError) as error:
        raise ValueError(f"not a position of Catastrophe: {error}") from None


def _read(head: list[str], units: list[str], tiles: list[str]) -> World:
    name, turn, _, seat, _, store, _, upkeep, _, overlord, _, end, _, *chosen = head
    if name != "catastrophe":
        raise ValueError(f"it must begin with 'catastrophe', not {name!r}")
    settings = settings_from(Settings, dict(part.split("=", 1) for part in chosen), "Catastrophe")
    assert isinstance(settings, Settings)
    world = empty_world(settings, len(units), int(turn))
    world.seat = int(seat)
    for said in units:
        _read_unit(world, said)
    for said in tiles:
        _read_tile(world, said)
    for column, said in ((world.store, store), (world.upkeep, upkeep), (world.overlord, overlord)):
        column[0], column[1] = (int(value) for value in said.split(","))
    ended, decided, world.winner = (int(value) for value in end.split(","))
    world.ended, world.decided = Ending(ended), Decision(decided)
    check(world)
    return world


def check(world: World) -> None:
    """Raise ValueError if seats or overlords are invalid, since rules use them as indices."""
    if world.seat not in (0, 1) or world.winner not in (NOBODY, 0, 1):
        raise ValueError("a seat must be 0 or 1")
    for seat, unit in enumerate(world.overlord):
        if not 0 <= unit < world.unit_count or world.owner[unit] != seat or world.tile[unit] == NONE:
            raise ValueError(f"unit #{unit} is not an overlord of seat {seat}")


def _read_unit(world: World, said: str) -> None:
    values = said[2:].strip(",").split(",")
    tile, energy, *rest = values + ["0"] * (12 - len(values))
    moves, acted, starving, food, materials, to_die, bound_for, squad, roster, joined = map(int, rest)
    owner = (0, 1, NOBODY)[OWNERS.index(said[1])]
    if not NONE <= int(tile) < world.tile_count or (int(tile) != NONE and world.unit_on[int(tile)] != NONE):
        raise ValueError(f"{said!r} is not on a free tile of the map")
    unit = arrive(world, int(tile), JOBS_BY_LETTER[said[0]], owner)
    world.energy[unit], world.moves[unit] = float(energy), moves
    world.acted[unit], world.starving[unit] = bool(acted), bool(starving)
    world.food[unit], world.materials[unit] = food, materials
    world.turns_to_die[unit], world.bound_for[unit] = to_die - 1, bound_for - 1
    world.squad[unit], world.roster[unit], world.joined[unit] = Squad(squad), owner + roster, joined


def _read_tile(world: World, said: str) -> None:
    found = A_TILE.fullmatch(said)
    if found is None or int(found[1]) >= world.tile_count:
        raise ValueError(f"{said!r} is not a tile of the map")
    tile, values = int(found[1]), [int(value) for value in (found[4] or "0").split(",")]
    materials, rate, turns, food, ground_materials = values + [0] * (5 - len(values))
    world.structure[tile] = STRUCTURES_BY_LETTER[found[2]]
    world.structure_owner[tile] = (0, 1, NOBODY)[OWNERS.index(found[3])]
    world.structure_materials[tile], world.harvest_rate[tile] = materials, rate
    world.turns_to_harvest[tile] = turns
    world.ground_food[tile], world.ground_materials[tile] = food, ground_materials
