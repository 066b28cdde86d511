"""What changes on the wire when a world of Catastrophe changes."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from endturn.cadre.dialects.catastrophe.ids import JOBS, PLAYERS, ObjectIds, job_id, tile_references
from endturn.cadre.state import id_of, reference
from endturn.cadre.table import Era, News, Since, Wire
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

# --- columns and attributes ---------------------------------------------------------------------------------


class ShownColumn(NamedTuple):
    """A column of units or tiles, and the attribute that shows it."""

    column: str
    name: str  # the attribute
    show: Callable[[ObjectIds, Any], Any] | None = None  # None: show the number


TILE_COLUMNS = (  # in the order of the wire
    ShownColumn("ground_food", "food"),
    ShownColumn("harvest_rate", "harvestRate"),
    ShownColumn("ground_materials", "materials"),
    ShownColumn("structure", "structure"),
    ShownColumn("turns_to_harvest", "turnsToHarvest"),
    ShownColumn("unit_on", "unit", ObjectIds.unit),
)
UNIT_COLUMNS = (
    ShownColumn("acted", "acted", lambda ids, value: bool(value)),
    ShownColumn("energy", "energy", lambda ids, value: short(value)),
    ShownColumn("food", "food"),
    ShownColumn("job", "job", ObjectIds.job),
    ShownColumn("materials", "materials"),
    ShownColumn("bound_for", "movementTarget", ObjectIds.tile),
    ShownColumn("moves", "moves"),
    ShownColumn("owner", "owner", ObjectIds.owner),
    ShownColumn("starving", "starving", lambda ids, value: bool(value)),
    ShownColumn("tile", "tile", ObjectIds.tile),
    ShownColumn("turns_to_die", "turnsToDie"),
)
STRUCTURE_COLUMNS = "structure", "structure_materials", "structure_owner"
SQUAD_COLUMNS = "job", "owner", "squad", "tile"  # these decide who is in which squad
PLAYER_COLUMNS = "overlord", "store", "upkeep"
OTHER_COLUMNS = "turn", "seat", "unit_count", "ended", "settings"


class ChangedColumns(NamedTuple):
    """The columns above that have changed, by group."""

    structures: tuple[str, ...]
    tiles: tuple[ShownColumn, ...]
    units: tuple[ShownColumn, ...]
    squads: tuple[str, ...]
    players: tuple[str, ...]
    others: tuple[str, ...]
    of_tiles: tuple[str, ...]
    of_units: tuple[str, ...]


@lru_cache(1 << 12)
def _changed(columns: tuple[str, ...]) -> ChangedColumns:
    """Group changed columns. There are few different sets, and the cache saves a third of the time."""
    structures, squads, players, others = (
        tuple(column for column in group if column in columns)
        for group in (STRUCTURE_COLUMNS, SQUAD_COLUMNS, PLAYER_COLUMNS, OTHER_COLUMNS)
    )
    tiles, units = (
        tuple(shown for shown in group if shown.column in columns) for group in (TILE_COLUMNS, UNIT_COLUMNS)
    )
    of_tiles, of_units = (tuple(shown.column for shown in group) for group in (tiles, units))
    return ChangedColumns(structures, tiles, units, squads, players, others, of_tiles, of_units)


Dirty = Mapping[str, Sequence[int]]


def _everything(world: World) -> Dirty:
    """Every entry of every shown column."""
    tiles = [*STRUCTURE_COLUMNS, *(shown.column for shown in TILE_COLUMNS)]
    units = [*SQUAD_COLUMNS, *(shown.column for shown in UNIT_COLUMNS)]
    return {
        **dict.fromkeys(tiles, range(world.tile_count)),
        **dict.fromkeys(units, range(world.unit_count)),
        **dict.fromkeys((*PLAYER_COLUMNS, *OTHER_COLUMNS), range(1)),
    }


def _touched(dirty: Dirty, columns: Sequence[str]) -> Sequence[int]:
    """The units or tiles with a change in any of these columns, in order."""
    first = dirty[columns[0]]
    for column in columns:
        if dirty[column] != first:
            return sorted({index for column in columns for index in dirty[column]})
    return first


# --- news ---------------------------------------------------------------------------------------------------


def news(world: World, era: Era, shown: Wire, since: Since) -> list[News]:
    """What may differ from what clients see."""
    objects, ids = shown["gameObjects"], since.kept.get("ids")
    if ids is None:
        ids = since.kept["ids"] = ObjectIds(world, era, objects)
    dirty = _everything(world) if since.dirty is None else since.dirty
    changed = _changed(tuple(dirty))
    made: list[News] = []
    if changed.structures:
        _add_structures(made, world, _touched(dirty, changed.structures), ids)
    if "unit_count" in changed.others:
        ids.units += [ids.another() for _ in range(len(ids.units), world.unit_count)]
    if changed.tiles:
        _add_tiles(made, world, _touched(dirty, changed.of_tiles), changed.tiles, ids)
    if changed.units:
        _add_units(made, world, _touched(dirty, changed.of_units), changed.units, objects, ids)
    if changed.squads:
        _add_squads(made, world, _touched(dirty, changed.squads), objects, ids)
    if since.settled or changed.structures or changed.players or changed.others:
        _add_lists(made, world, shown, changed, since.settled, ids)
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


def _add_structures(made: list[News], world: World, rebuilt: Sequence[int], ids: ObjectIds) -> None:
    """The structures on these tiles. A structure that is gone has no tile and otherwise stays the same."""
    for tile in rebuilt:
        here, stands = ids.structure_on[tile], world.structure[tile] != Structure.NOTHING
        if stands:
            here = here or ids.built(tile)
            ids.owner_of[here["id"]] = ids.owner(world.structure_owner[tile])
            made += _of(here["id"], _wire_structure(world, tile, here["id"], ids))
        elif here is not None:
            ids.fell(tile)
            made += _of(here["id"], {"materials": world.structure_materials[tile], "tile": None})


def _wire_structure(world: World, tile: int, said: str, ids: ObjectIds) -> Wire:
    structure = Structure(world.structure[tile])
    return {
        "effectRadius": EFFECT_RADIUS[structure],
        "materials": world.structure_materials[tile],
        "owner": ids.owner_of[said],
        "tile": ids.tiles[tile],
        "type": structure.name.lower(),
        "gameObjectName": "Structure",
        "id": said,
    }


def _add_tiles(
    made: list[News], world: World, tiles: Sequence[int], changed: tuple[ShownColumn, ...], ids: ObjectIds
) -> None:
    for tile in tiles:
        said = ids.tiles[tile]["id"]
        for column, name, show in changed:
            value = ids.structure_on[tile] if column == "structure" else getattr(world, column)[tile]
            made.append((said, name, value if show is None else show(ids, value)))


def _add_units(
    made: list[News],
    world: World,
    units: Sequence[int],
    changed: tuple[ShownColumn, ...],
    objects: Mapping[str, Wire],
    ids: ObjectIds,
) -> None:
    """The changed attributes of units; every attribute of a new one."""
    for unit in units:
        said = ids.units[unit]["id"]
        is_new = said not in objects
        for column, name, show in UNIT_COLUMNS if is_new else changed:
            value = getattr(world, column)[unit]
            made.append((said, name, value if show is None else show(ids, value)))
        if is_new:
            made += [(said, "gameObjectName", "Unit"), (said, "id", said)]


# --- squads -------------------------------------------------------------------------------------------------

SOLDIER, EMPTY = int(Job.SOLDIER), int(Squad.EMPTY)  # plain integers compare three times as fast


def _add_squads(
    made: list[News], world: World, units: Sequence[int], objects: Mapping[str, Wire], ids: ObjectIds
) -> None:
    """The squads of changed units, or of all units if one of them is or was a soldier."""
    soldier = ids.jobs[SOLDIER]
    for unit in units:
        before = objects.get(ids.units[unit]["id"])
        if world.job[unit] == SOLDIER or (before is not None and before["job"] == soldier):
            units = range(world.unit_count)
            break
    for unit in units:
        made.append((ids.units[unit]["id"], "squad", _wire_squad(world, unit, ids)))


def _wire_squad(world: World, unit: int, ids: ObjectIds) -> list[Wire]:
    if world.squad[unit] == EMPTY:
        return []
    if not _has_soldier_beside(world, world.tile[unit], ids):
        return [ids.units[unit]]  # most units are alone; this is faster
    return [ids.units[member] for member in squad_of(world, unit)]


def _has_soldier_beside(world: World, tile: int, ids: ObjectIds) -> bool:
    if tile == NONE:
        return False
    unit_on, job, count = world.unit_on, world.job, len(ids.tiles)
    for beside in (tile - ids.width, tile + 1, tile + ids.width, tile - 1):
        if 0 <= beside < count and unit_on[beside] != NONE and job[unit_on[beside]] == SOLDIER:
            return True
    return False


# --- players and lists --------------------------------------------------------------------------------------

LEFT = Ending.GOING_ON, Ending.RESIGNED, Ending.TIMED_OUT, Ending.DISCONNECTED


def _add_lists(
    made: list[News], world: World, shown: Wire, changed: ChangedColumns, settled: bool, ids: ObjectIds
) -> None:
    """Players, and the lists of units and structures, which the originals rebuilt only at certain times."""
    turn_over = _is_turn_over(world, changed, shown)
    structures: list[Wire] = shown["structures"]
    if settled:
        structures = list(ids.standing.values())
        alive = [unit for unit, tile in zip(ids.units, world.tile, strict=False) if tile != NONE]
        made += [(None, "structures", structures), (None, "units", alive)]
    for seat in range(PLAYERS):
        said = id_of(seat)
        made += [(said, "cat", ids.units[world.overlord[seat]]), (said, "food", world.store[seat])]
        if turn_over:
            made.append((said, "units", _own_units(world, seat, ids)))
        made.append((said, "upkeep", world.upkeep[seat]))
        if changed.structures or settled or turn_over:
            owner = reference(seat)
            own = [each for each in structures if ids.owner_of[each["id"]] == owner]
            made.append((said, "structures", own))


def _is_turn_over(world: World, changed: ChangedColumns, shown: Wire) -> bool:
    """Whether a turn has ended since the last news; the last turn counts."""
    ended = "ended" in changed.others and world.ended not in LEFT
    return ended or ("turn" in changed.others and world.turn != shown["currentTurn"])


def _own_units(world: World, seat: int, ids: ObjectIds) -> list[Wire]:
    """The units of a player: first its original ones, then others in the order in which they joined."""
    own = [u for u in range(world.unit_count) if world.tile[u] != NONE and world.owner[u] == seat]
    return [ids.units[unit] for unit in sorted(own, key=lambda unit: world.joined[unit])]
