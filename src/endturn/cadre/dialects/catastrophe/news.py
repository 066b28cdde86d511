"""What changes on the Cadre wire when a world of Catastrophe changes."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from endturn.cadre.dialects.catastrophe.ids import JOBS, PLAYERS, Known, job_id, tile_references
from endturn.cadre.wire import Era, News, Since, Wire, id_of, reference
from endturn.games.catastrophe.notation import short
from endturn.games.catastrophe.state import EFFECT_RADIUS, NONE, Ending, Job, Squad, Structure, World
from endturn.games.catastrophe.view import squad_of

SETTINGS = {
    "lowerHarvestAmount": "lower_harvest_amount",
    "mapHeight": "map_height",
    "mapWidth": "map_width",
    "maxTurns": "max_turns",
    "monumentMaterials": "monument_materials",
    "neutralMaterials": "neutral_materials",
    "shelterMaterials": "shelter_materials",
    "turnsBetweenHarvests": "turns_between_harvests",
    "turnsToCreateHuman": "turns_to_create_human",
    "turnsToLowerHarvest": "turns_to_lower_harvest",
    "wallMaterials": "wall_materials",
}
PERCENTS = {  # fractions on the wire
    "catEnergyMult": "overlord_rest_percent",
    "monumentCostMult": "monument_cost_percent",
    "starvingEnergyMult": "starving_rest_percent",
}

# --- which columns are shown where --------------------------------------------------------------------------


class Shown(NamedTuple):
    """A column of units or tiles on the wire."""

    column: str
    name: str  # of the attribute that shows it
    show: Callable[[Known, Any], Any] | None = None  # how; None: as the number that it is


TILE_COLUMNS = (  # in the order of the wire
    Shown("ground_food", "food"),
    Shown("harvest_rate", "harvestRate"),
    Shown("ground_materials", "materials"),
    Shown("structure", "structure"),
    Shown("turns_to_harvest", "turnsToHarvest"),
    Shown("unit_on", "unit", Known.unit),
)
UNIT_COLUMNS = (
    Shown("acted", "acted", lambda known, value: bool(value)),
    Shown("energy", "energy", lambda known, value: short(value)),
    Shown("food", "food"),
    Shown("job", "job", Known.job),
    Shown("materials", "materials"),
    Shown("bound_for", "movementTarget", Known.tile),
    Shown("moves", "moves"),
    Shown("owner", "owner", Known.owner),
    Shown("starving", "starving", lambda known, value: bool(value)),
    Shown("tile", "tile", Known.tile),
    Shown("turns_to_die", "turnsToDie"),
)
STRUCTURE_COLUMNS = "structure", "structure_materials", "structure_owner"
SQUAD_COLUMNS = "job", "owner", "squad", "tile"  # these decide on who is in whose squad
PLAYER_COLUMNS = "overlord", "store", "upkeep"
OTHER_COLUMNS = "turn", "seat", "unit_count", "ended", "settings"


class Changed(NamedTuple):
    """Those of the columns above that have changed, and their names."""

    structures: tuple[str, ...]
    tiles: tuple[Shown, ...]
    units: tuple[Shown, ...]
    squads: tuple[str, ...]
    players: tuple[str, ...]
    others: tuple[str, ...]
    of_tiles: tuple[str, ...]
    of_units: tuple[str, ...]


@lru_cache(1 << 12)
def _changed(columns: tuple[str, ...]) -> Changed:
    """What is to be told when these columns differ. There are few such sets: kept, they save a third of the time."""
    structures, squads, players, others = (
        tuple(column for column in group if column in columns)
        for group in (STRUCTURE_COLUMNS, SQUAD_COLUMNS, PLAYER_COLUMNS, OTHER_COLUMNS)
    )
    tiles, units = (
        tuple(shown for shown in group if shown.column in columns) for group in (TILE_COLUMNS, UNIT_COLUMNS)
    )
    of_tiles, of_units = (tuple(shown.column for shown in group) for group in (tiles, units))
    return Changed(structures, tiles, units, squads, players, others, of_tiles, of_units)


Dirty = Mapping[str, Sequence[int]]


def _everything(world: World) -> Dirty:
    """Every entry of every column that is shown."""
    tiles = [*STRUCTURE_COLUMNS, *(shown.column for shown in TILE_COLUMNS)]
    units = [*SQUAD_COLUMNS, *(shown.column for shown in UNIT_COLUMNS)]
    return {
        **dict.fromkeys(tiles, range(world.tile_count)),
        **dict.fromkeys(units, range(world.unit_count)),
        **dict.fromkeys((*PLAYER_COLUMNS, *OTHER_COLUMNS), range(1)),
    }


def _touched(dirty: Dirty, columns: Sequence[str]) -> Sequence[int]:
    """The units or tiles of which any of these columns has changed, in order."""
    first = dirty[columns[0]]
    for column in columns:
        if dirty[column] != first:
            return sorted({index for column in columns for index in dirty[column]})
    return first


# --- telling it ---------------------------------------------------------------------------------------------


def news(world: World, era: Era, shown: Wire, since: Since) -> list[News]:
    """What may differ from what is shown."""
    objects, known = shown["gameObjects"], since.kept.get("known")
    if known is None:
        known = since.kept["known"] = Known(world, era, objects)
    dirty = _everything(world) if since.dirty is None else since.dirty
    changed = _changed(tuple(dirty))
    made: list[News] = []
    if changed.structures:
        _tell_structures(made, world, _touched(dirty, changed.structures), known)
    if "unit_count" in changed.others:
        known.units += [known.another() for _ in range(len(known.units), world.unit_count)]
    if changed.tiles:
        _tell_tiles(made, world, _touched(dirty, changed.of_tiles), changed.tiles, known)
    if changed.units:
        _tell_units(made, world, _touched(dirty, changed.of_units), changed.units, objects, known)
    if changed.squads:
        _tell_squads(made, world, _touched(dirty, changed.squads), objects, known)
    if since.settled or changed.structures or changed.players or changed.others:
        _tell_lists(made, world, shown, changed, since.settled, known)
    if "settings" in changed.others:
        made += _of(None, _wire_settings(world, era))
    if "turn" in changed.others or "seat" in changed.others:
        made += [(None, "currentPlayer", reference(world.seat)), (None, "currentTurn", world.turn)]
    return made


def _of(said: str | None, values: Wire) -> list[News]:
    return [(said, name, value) for name, value in values.items()]


def _wire_settings(world: World, era: Era) -> Wire:
    shown = {name: getattr(world.settings, ours) for name, ours in SETTINGS.items()}
    fractions = {n: short(getattr(world.settings, ours) / 100) for n, ours in PERCENTS.items()}
    jobs = [reference(job_id(world, era, job)) for job in JOBS[era]]
    tiles = tile_references(era, world.settings.map_width, world.settings.map_height)
    return {**shown, **fractions, "jobs": jobs, "tiles": list(tiles)}


def _tell_structures(made: list[News], world: World, rebuilt: Sequence[int], known: Known) -> None:
    """The structures of these tiles. One that is gone has no tile, and is otherwise as it was."""
    for tile in rebuilt:
        here, stands = known.structure_on[tile], world.structure[tile] != Structure.NOTHING
        if stands:
            here = here or known.built(tile)
            known.owner_of[here["id"]] = known.owner(world.structure_owner[tile])
            made += _of(here["id"], _wire_structure(world, tile, here["id"], known))
        elif here is not None:
            known.fell(tile)
            made += _of(here["id"], {"materials": world.structure_materials[tile], "tile": None})


def _wire_structure(world: World, tile: int, said: str, known: Known) -> Wire:
    structure = Structure(world.structure[tile])
    return {
        "effectRadius": EFFECT_RADIUS[structure],
        "materials": world.structure_materials[tile],
        "owner": known.owner_of[said],
        "tile": known.tiles[tile],
        "type": structure.name.lower(),
        "gameObjectName": "Structure",
        "id": said,
    }


def _tell_tiles(
    made: list[News], world: World, tiles: Sequence[int], changed: tuple[Shown, ...], known: Known
) -> None:
    for tile in tiles:
        said = known.tiles[tile]["id"]
        for column, name, show in changed:
            value = known.structure_on[tile] if column == "structure" else getattr(world, column)[tile]
            made.append((said, name, value if show is None else show(known, value)))


def _tell_units(
    made: list[News],
    world: World,
    units: Sequence[int],
    changed: tuple[Shown, ...],
    objects: Mapping[str, Wire],
    known: Known,
) -> None:
    """What has changed of units; all of those that have appeared."""
    for unit in units:
        said = known.units[unit]["id"]
        is_new = said not in objects
        for column, name, show in UNIT_COLUMNS if is_new else changed:
            value = getattr(world, column)[unit]
            made.append((said, name, value if show is None else show(known, value)))
        if is_new:
            made += [(said, "gameObjectName", "Unit"), (said, "id", said)]


# --- squads -------------------------------------------------------------------------------------------------

SOLDIER, EMPTY = int(Job.SOLDIER), int(Squad.EMPTY)  # plain numbers are compared in a third of the time


def _tell_squads(
    made: list[News], world: World, units: Sequence[int], objects: Mapping[str, Wire], known: Known
) -> None:
    """The squads of units that have changed; of all, if one of these is or was a soldier."""
    soldier = known.jobs[SOLDIER]
    for unit in units:
        before = objects.get(known.units[unit]["id"])
        if world.job[unit] == SOLDIER or (before is not None and before["job"] == soldier):
            units = range(world.unit_count)
            break
    for unit in units:
        made.append((known.units[unit]["id"], "squad", _wire_squad(world, unit, known)))


def _wire_squad(world: World, unit: int, known: Known) -> list[Wire]:
    if world.squad[unit] == EMPTY:
        return []
    if not _has_soldier_beside(world, world.tile[unit], known):
        return [known.units[unit]]  # most are alone, and this is quicker
    return [known.units[member] for member in squad_of(world, unit)]


def _has_soldier_beside(world: World, tile: int, known: Known) -> bool:
    if tile == NONE:
        return False
    unit_on, job, count = world.unit_on, world.job, len(known.tiles)
    for beside in (tile - known.width, tile + 1, tile + known.width, tile - 1):
        if 0 <= beside < count and unit_on[beside] != NONE and job[unit_on[beside]] == SOLDIER:
            return True
    return False


# --- what players have, and what there is -------------------------------------------------------------------

LEFT = Ending.GOING_ON, Ending.RESIGNED, Ending.TIMED_OUT, Ending.DISCONNECTED


def _tell_lists(
    made: list[News], world: World, shown: Wire, changed: Changed, settled: bool, known: Known
) -> None:
    """Players, and the lists of units and structures, which are not made anew with every action."""
    turn_over = _is_turn_over(world, changed, shown)
    structures: list[Wire] = shown["structures"]
    if settled:
        structures = list(known.standing.values())
        alive = [unit for unit, tile in zip(known.units, world.tile, strict=False) if tile != NONE]
        made += [(None, "structures", structures), (None, "units", alive)]
    for seat in range(PLAYERS):
        said = id_of(seat)
        made += [(said, "cat", known.units[world.overlord[seat]]), (said, "food", world.store[seat])]
        if turn_over:
            made.append((said, "units", _own_units(world, seat, known)))
        made.append((said, "upkeep", world.upkeep[seat]))
        if changed.structures or settled or turn_over:
            owner = reference(seat)
            own = [each for each in structures if known.owner_of[each["id"]] == owner]
            made.append((said, "structures", own))


def _is_turn_over(world: World, changed: Changed, shown: Wire) -> bool:
    """Whether a turn, be it the last, has ended since something was last told."""
    ended = "ended" in changed.others and world.ended not in LEFT
    return ended or ("turn" in changed.others and world.turn != shown["currentTurn"])


def _own_units(world: World, seat: int, known: Known) -> list[Wire]:
    """The units of a player: first those that it has always had, then as they joined."""
    own = [u for u in range(world.unit_count) if world.tile[u] != NONE and world.owner[u] == seat]
    return [known.units[unit] for unit in sorted(own, key=lambda unit: world.joined[unit])]
