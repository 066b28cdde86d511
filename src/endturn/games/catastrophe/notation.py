"""A position of Catastrophe as one line of text, both ways.

    catastrophe 12 seat 0 store 97,100 upkeep 3,3 overlord 0,4 end 0,0,-1 set max_turns=40
    | C0,78,100,2 h0,53,100,4 ... s-,-1,0 | 78S0,50 120.-,0,49,3 208=- ...

Units: letter of the job and owner (- for nobody), then tile, energy, moves, acted, starving, food, materials,
turns to die + 1, tile bound for + 1, squad, roster - owner, joined. Tiles with something on them: number,
letter of the structure and its owner, then its materials, harvest rate, turns to harvest, food and materials
on the ground. Values at the end are left out where they are 0, and so are settings that are the default.

At the end: the same position as the original servers and their clients write it, the Cadre wire.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from endturn.engine.game import Action, Malformed, settings_from, settings_to_json
from endturn.games.catastrophe import actions
from endturn.games.catastrophe.setup import arrive, empty_world
from endturn.games.catastrophe.state import (
    ACTION_COST,
    CARRY_LIMIT,
    EFFECT_RADIUS,
    MOVES,
    NOBODY,
    NONE,
    REGENERATION,
    UPKEEP,
    Decision,
    Ending,
    Job,
    Resource,
    Settings,
    Squad,
    Structure,
    World,
)
from endturn.games.catastrophe.view import STRUCTURE_LETTERS, UNIT_LETTERS, squad_of
from endturn.mechanisms.cadre import Argument, Cadre, Era, Function, Verdict, Wire, left, reference
from endturn.mechanisms.grid import Direction, neighbour

JOBS_BY_LETTER = {letter: job for job, letter in UNIT_LETTERS.items()}
STRUCTURES_BY_LETTER = {".": Structure.NOTHING} | {letter: s for s, letter in STRUCTURE_LETTERS.items()}
OWNERS = "01-"  # by seat; NOBODY is the last
A_TILE = re.compile(r"(\d+)(\D)([01-])(?:,(.*))?")


def write(world: World) -> str:
    """The position as text."""
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
    """The settings that a state carries."""
    defaults = Settings()
    values = {name: getattr(world.settings, name) for name in Settings.__struct_fields__}
    return Settings(**{name: type(getattr(defaults, name))(value) for name, value in values.items()})


def _unit(world: World, u: int) -> str:
    values = [world.tile[u], _short(world.energy[u]), world.moves[u], world.acted[u], world.starving[u]]
    values += [world.food[u], world.materials[u], world.turns_to_die[u] + 1, world.bound_for[u] + 1]
    values += [world.squad[u], world.roster[u] - world.owner[u], world.joined[u]]
    return f"{UNIT_LETTERS[Job(world.job[u])]}{OWNERS[world.owner[u]]},{_without_zeros(values)}"


def _short(energy: float) -> float:
    """A whole number of energy without its point."""
    return int(energy) if energy == int(energy) else energy


def _without_zeros(values: list[Any]) -> str:
    """Values up to the last that is not 0; a flag is a number."""
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
    """The position that a text describes; ValueError says what cannot be read."""
    try:
        head, units, tiles = (part.split() for part in text.split("|"))
        return _read(head, units, tiles)
    except (ValueError, KeyError, IndexError, OverflowError) as error:
        raise ValueError(f"not a position of Catastrophe: {error}") from None


def _read(head: list[str], units: list[str], tiles: list[str]) -> World:
    name, turn, _, seat, _, store, _, upkeep, _, overlord, _, end, _, *chosen = head
    if name != "catastrophe":
        raise ValueError(f"it begins with {name!r}, not with 'catastrophe'")
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
    _check(world)
    return world


def _check(world: World) -> None:
    if world.seat not in (0, 1) or world.winner not in (NOBODY, 0, 1):
        raise ValueError("seats are 0 and 1")
    for seat, unit in enumerate(world.overlord):
        if not 0 <= unit < world.unit_count or world.owner[unit] != seat or world.tile[unit] == NONE:
            raise ValueError(f"unit #{unit} is no overlord of seat {seat}")


def _read_unit(world: World, said: str) -> None:
    values = said[2:].strip(",").split(",")
    tile, energy, *rest = values + ["0"] * (12 - len(values))
    moves, acted, starving, food, materials, to_die, bound_for, squad, roster, joined = map(int, rest)
    owner = (0, 1, NOBODY)[OWNERS.index(said[1])]
    if not NONE <= int(tile) < world.tile_count or (int(tile) != NONE and world.unit_on[int(tile)] != NONE):
        raise ValueError(f"{said!r} stands on no free tile of the map")
    unit = arrive(world, int(tile), JOBS_BY_LETTER[said[0]], owner)
    world.energy[unit], world.moves[unit] = float(energy), moves
    world.acted[unit], world.starving[unit] = bool(acted), bool(starving)
    world.food[unit], world.materials[unit] = food, materials
    world.turns_to_die[unit], world.bound_for[unit] = to_die - 1, bound_for - 1
    world.squad[unit], world.roster[unit], world.joined[unit] = Squad(squad), owner + roster, joined


def _read_tile(world: World, said: str) -> None:
    found = A_TILE.fullmatch(said)
    if found is None or int(found[1]) >= world.tile_count:
        raise ValueError(f"{said!r} is no tile of the map")
    tile, values = int(found[1]), [int(value) for value in (found[4] or "0").split(",")]
    materials, rate, turns, food, ground_materials = values + [0] * (5 - len(values))
    world.structure[tile] = STRUCTURES_BY_LETTER[found[2]]
    world.structure_owner[tile] = (0, 1, NOBODY)[OWNERS.index(found[3])]
    world.structure_materials[tile], world.harvest_rate[tile] = materials, rate
    world.turns_to_harvest[tile] = turns
    world.ground_food[tile], world.ground_materials[tile] = food, ground_materials


# --- on the Cadre wire --------------------------------------------------------------------------------------
# Objects are numbered: the players; then jobs and tiles, in 2022 tiles and jobs, tiles column by column; then
# structures and units in the order in which they appear. None is ever taken away: those gone have no tile.

PLAYERS = 2
JOBS: Mapping[Era, tuple[Job, ...]] = {
    "2017": tuple(Job),
    "2022": (Job.BUILDER, Job.CAT_OVERLORD, Job.FRESH_HUMAN, Job.GATHERER, Job.MISSIONARY, Job.SOLDIER),
}
CADRE_SETTINGS = {
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
PERCENT_SETTINGS = {  # fractions on the wire
    "catEnergyMult": "overlord_rest_percent",
    "monumentCostMult": "monument_cost_percent",
    "starvingEnergyMult": "starving_rest_percent",
}


def job_title(job: int) -> str:
    """What the servers call a job."""
    return Job(job).name.lower().replace("_", " ")


def job_id(world: World, era: Era, job: int) -> int:
    """The id of a job."""
    return PLAYERS + JOBS[era].index(Job(job)) + (world.tile_count if era == "2022" else 0)


@cache
def tile_ids(era: Era, width: int, height: int) -> tuple[str, ...]:
    """The ids of all tiles."""
    first = PLAYERS + (len(Job) if era == "2017" else 0)
    return tuple(str(first + tile % width * height + tile // width) for tile in range(width * height))


def tile_id(world: World, era: Era, tile: int) -> str:
    """The id of a tile."""
    return tile_ids(era, world.settings.map_width, world.settings.map_height)[tile]


def number(world: World, objects: Mapping[str, Wire], said: str) -> int:
    """Our number of a unit or a tile on the wire."""
    found = objects[said]
    if found["gameObjectName"] == "Tile":
        return int(found["x"] + found["y"] * world.settings.map_width)
    return unit_ids(objects).index(int(said))


def unit_ids(objects: Mapping[str, Wire]) -> list[int]:
    """The ids of all units there have been, in the order of our numbers."""
    return sorted(int(said) for said, each in objects.items() if each["gameObjectName"] == "Unit")


# --- reading it ---------------------------------------------------------------------------------------------


def read_wire(first: Wire, settings: Settings) -> World:
    """The state that a complete first state of the original server describes."""
    objects, ids = first["gameObjects"], unit_ids(first["gameObjects"])
    world = empty_world(settings, len(ids), first["currentTurn"])
    for name, ours in PERCENT_SETTINGS.items():
        setattr(world.settings, ours, round(100 * first[name]))
    world.seat = int(first["currentPlayer"]["id"])
    for each in first["tiles"]:
        _read_wire_tile(world, objects, objects[each["id"]])
    for said in ids:
        _read_wire_unit(world, objects, objects[str(said)])
    for seat in range(PLAYERS):
        player = objects[str(seat)]
        world.store[seat], world.upkeep[seat] = player["food"], player["upkeep"]
        world.overlord[seat] = ids.index(int(player["cat"]["id"]))
    _check(world)
    return world


def _read_wire_tile(world: World, objects: Mapping[str, Wire], said: Wire) -> None:
    tile = _tile_number(world, said)
    world.ground_food[tile], world.ground_materials[tile] = said["food"], said["materials"]
    world.harvest_rate[tile], world.turns_to_harvest[tile] = said["harvestRate"], said["turnsToHarvest"]
    if said["structure"] is not None:
        structure = objects[said["structure"]["id"]]
        world.structure[tile] = Structure[structure["type"].upper()]
        world.structure_owner[tile] = _seat(structure["owner"])
        world.structure_materials[tile] = structure["materials"]


def _tile_number(world: World, said: Wire) -> int:
    width, height = world.settings.map_width, world.settings.map_height
    x, y = said["x"], said["y"]
    if not (0 <= x < width and 0 <= y < height):
        raise ValueError(f"tile ({x}, {y}) is not on a map of {width} x {height}")
    return int(x + y * width)


def _read_wire_unit(world: World, objects: Mapping[str, Wire], said: Wire) -> None:
    tile = _tile_number(world, objects[said["tile"]["id"]])
    job = Job[objects[said["job"]["id"]]["title"].upper().replace(" ", "_")]
    unit = arrive(world, tile, job, _seat(said["owner"]))
    world.energy[unit], world.moves[unit] = said["energy"], said["moves"]
    world.food[unit], world.materials[unit] = said["food"], said["materials"]
    world.acted[unit], world.starving[unit] = said["acted"], said["starving"]
    world.turns_to_die[unit] = said["turnsToDie"]
    if said["movementTarget"] is not None:
        world.bound_for[unit] = _tile_number(world, objects[said["movementTarget"]["id"]])
    if not said["squad"]:
        world.squad[unit] = Squad.EMPTY


def _seat(owner: Wire | None) -> int:
    seat = NOBODY if owner is None else int(owner["id"])
    if seat not in (NOBODY, 0, 1):
        raise ValueError(f"{owner} is no player")
    return seat


# --- writing it ---------------------------------------------------------------------------------------------


def write_wire(world: World, era: Era) -> Wire:
    """The state as the original server would show it first."""
    objects: dict[str, Wire] = {str(seat): {"gameObjectName": "Player"} for seat in range(PLAYERS)}
    fixed = [_wire_job(world, era, job) for job in Job]
    fixed += [_wire_tile(world, era, tile) for tile in range(world.tile_count)]
    objects |= {each["id"]: each for each in sorted(fixed, key=lambda each: int(each["id"]))}
    blank: Wire = {"currentTurn": NONE, "gameObjects": objects, "harvestCooldown": 10}
    return carry_on(world, era, blank | ({"startingFood": 0} if era == "2022" else {}), True)


def _wire_job(world: World, era: Era, job: Job) -> Wire:
    return {
        "actionCost": ACTION_COST[job],
        "carryLimit": CARRY_LIMIT[job],
        "moves": MOVES[job],
        "regenRate": REGENERATION[job],
        "title": job_title(job),
        "upkeep": UPKEEP[job],
        "gameObjectName": "Job",
        "id": str(job_id(world, era, job)),
    }


def _wire_tile(world: World, era: Era, tile: int) -> Wire:
    width, height = world.settings.map_width, world.settings.map_height
    sides = {side: neighbour(tile, side, width, height) for side in Direction}
    beside = {f"tile{side.name.capitalize()}": _tile_reference(world, era, t) for side, t in sides.items()}
    return {
        "food": 0,
        "harvestRate": 0,
        "materials": 0,
        "structure": None,
        **beside,
        "turnsToHarvest": 0,
        "unit": None,
        "x": tile % width,
        "y": tile // width,
        "gameObjectName": "Tile",
        "id": tile_id(world, era, tile),
    }


def _tile_reference(world: World, era: Era, tile: int) -> Wire | None:
    return None if tile == NONE else {"id": tile_id(world, era, tile)}


def _owner_reference(owner: int) -> Wire | None:
    return None if owner == NOBODY else reference(owner)


def carry_on(world: World, era: Era, before: Wire, settled: bool) -> Wire:
    """The state as the original server showed it after what it had shown before."""
    objects: dict[str, Wire] = dict(before["gameObjects"])
    tiles = tile_ids(era, world.settings.map_width, world.settings.map_height)
    structures = _structures(world, objects, tiles)
    ids = unit_ids(objects)
    ids += range(len(objects), len(objects) + world.unit_count - len(ids))
    _tiles(world, objects, tiles, structures, ids)
    for unit, said in enumerate(ids):
        objects[str(said)] = _wire_unit(world, era, unit, ids)
    listed = _standing(objects) if settled else before["structures"]
    alive = [reference(said) for unit, said in enumerate(ids) if world.tile[unit] != NONE]
    turn_over = world.turn != before["currentTurn"] or world.ended not in LEFT
    for seat in range(PLAYERS):
        objects[str(seat)] = _wire_player(world, seat, objects, ids, listed, turn_over)
    shown = {name: getattr(world.settings, ours) for name, ours in CADRE_SETTINGS.items()}
    fractions = {name: getattr(world.settings, ours) / 100 for name, ours in PERCENT_SETTINGS.items()}
    return {
        **before,
        **shown,
        **fractions,
        "currentPlayer": reference(world.seat),
        "currentTurn": world.turn,
        "gameObjects": objects,
        "jobs": [reference(job_id(world, era, job)) for job in JOBS[era]],
        "structures": listed,
        "tiles": [{"id": said} for said in tiles],
        "units": alive if settled else before["units"],
    }


LEFT = Ending.GOING_ON, Ending.RESIGNED, Ending.TIMED_OUT, Ending.DISCONNECTED


def _structures(world: World, objects: dict[str, Wire], ids: tuple[str, ...]) -> list[Wire | None]:
    """By tile: the structure on it as others mention it. Among the objects new ones are added, and those gone
    have no tile any more."""
    made: list[Wire | None] = []
    for tile, said in enumerate(ids):
        old: Wire | None = objects[said]["structure"]
        stands = world.structure[tile] != Structure.NOTHING
        now = reference(len(objects)) if stands and old is None else old
        if now is not None:
            known = objects.get(now["id"])
            if known is None or known["materials"] != world.structure_materials[tile] or not stands:
                objects[now["id"]] = _wire_structure(world, tile, said, now["id"], known)
        made.append(now if stands else None)
    return made


def _wire_structure(world: World, tile: int, place: str, said: str, known: Wire | None) -> Wire:
    if world.structure[tile] == Structure.NOTHING and known is not None:
        return {**known, "materials": world.structure_materials[tile], "tile": None}
    structure = Structure(world.structure[tile])
    return {
        "effectRadius": EFFECT_RADIUS[structure],
        "materials": world.structure_materials[tile],
        "owner": _owner_reference(world.structure_owner[tile]),
        "tile": {"id": place},
        "type": structure.name.lower(),
        "gameObjectName": "Structure",
        "id": said,
    }


def _standing(objects: Mapping[str, Wire]) -> list[Wire]:
    """The structures there are, oldest first."""
    found = [each for each in objects.values() if each["gameObjectName"] == "Structure" and each["tile"]]
    return [reference(said) for said in sorted(int(each["id"]) for each in found)]


def _tiles(
    world: World,
    objects: dict[str, Wire],
    ids: tuple[str, ...],
    structures: list[Wire | None],
    units: list[int],
) -> None:
    """Write anew the tiles on which something has changed."""
    grown = zip(world.harvest_rate, world.turns_to_harvest, strict=True)
    lying = zip(world.ground_food, world.ground_materials, strict=True)
    rows = zip(ids, structures, world.unit_on, grown, lying, strict=False)
    for said, structure, unit, (rate, turns), (food, materials) in rows:
        old, here = objects[said], None if unit == NONE else reference(units[unit])
        same = old["food"] == food and old["materials"] == materials and old["unit"] == here
        if not same or (old["harvestRate"], old["turnsToHarvest"], old["structure"]) != (
            rate,
            turns,
            structure,
        ):
            objects[said] = {**old, "food": food, "harvestRate": rate, "materials": materials}
            objects[said] |= {"structure": structure, "turnsToHarvest": turns, "unit": here}


def _wire_unit(world: World, era: Era, unit: int, ids: list[int]) -> Wire:
    return {
        "acted": bool(world.acted[unit]),
        "energy": world.energy[unit],
        "food": world.food[unit],
        "job": reference(job_id(world, era, world.job[unit])),
        "materials": world.materials[unit],
        "movementTarget": _tile_reference(world, era, world.bound_for[unit]),
        "moves": world.moves[unit],
        "owner": _owner_reference(world.owner[unit]),
        "squad": _wire_squad(world, unit, ids),
        "starving": bool(world.starving[unit]),
        "tile": _tile_reference(world, era, world.tile[unit]),
        "turnsToDie": world.turns_to_die[unit],
        "gameObjectName": "Unit",
        "id": str(ids[unit]),
    }


def _wire_squad(world: World, unit: int, ids: list[int]) -> list[Wire]:
    """The ids of a unit's squad."""
    if world.squad[unit] == Squad.EMPTY or not _has_soldier_beside(world, unit):
        return (
            [] if world.squad[unit] == Squad.EMPTY else [reference(ids[unit])]
        )  # most are, and it is quicker
    return [reference(ids[member]) for member in squad_of(world, unit)]


def _has_soldier_beside(world: World, unit: int) -> bool:
    width, here = world.settings.map_width, world.tile[unit]
    beside = (here - width, here + 1, here + width, here - 1)
    others = [world.unit_on[tile] for tile in beside if 0 <= tile < world.tile_count]
    return here != NONE and any(other != NONE and world.job[other] == Job.SOLDIER for other in others)


def _wire_player(
    world: World, seat: int, objects: Mapping[str, Wire], ids: list[int], listed: list[Wire], turn_over: bool
) -> Wire:
    known = objects[str(seat)]
    units = known.get("units", [])
    if turn_over:
        own = [u for u in range(world.unit_count) if world.tile[u] != NONE and world.owner[u] == seat]
        units = [reference(ids[u]) for u in sorted(own, key=lambda u: world.joined[u])]
    return {
        **known,
        "cat": reference(ids[world.overlord[seat]]),
        "food": world.store[seat],
        "structures": [each for each in listed if objects[each["id"]]["owner"] == reference(seat)],
        "units": units,
        "upkeep": world.upkeep[seat],
    }


# --- verdict and functions ----------------------------------------------------------------------------------

DECIDED = {Decision.UNITS: "units", Decision.FOOD: "food", Decision.STRUCTURES: "structures"}
BOTH_2022 = {
    Ending.BOTH_OVERLORDS_FELL: "Both players' cats defeated at the same time.",
    Ending.BOTH_HUMANS_GONE: "All units died for both players.",
}


def verdict(world: World, era: Era) -> Verdict | None:
    """Who won and why, in the words of the original server."""
    if world.ended == Ending.GOING_ON:
        return None
    if world.decided == Decision.OPPONENT_LEFT:
        return left(era, world.winner, world.ended == Ending.TIMED_OUT)
    if world.decided == Decision.PRIMARY:
        cat = world.ended == Ending.OVERLORD_FELL
        lost = "Cat died" if cat else "Humans died"
        won = "Defeated opponent's cat!" if cat else "Defeated all enemy humans!"
        return Verdict(world.winner, f"Opponent lost: {lost}" if era == "2017" else won, lost)
    prefix = _prefix(world, era)
    if world.decided == Decision.COIN:
        prefix = prefix if era == "2017" else f"{prefix}, Identical AIs played the game"
        won, lost = f"{prefix} - Won via coin flip.", f"{prefix} - Lost via coin flip."
        return Verdict(world.winner, won, lost, coin=True)
    what = DECIDED[Decision(world.decided)]
    return Verdict(world.winner, f"{prefix}: Had the most {what}", f"{prefix}: Had the least {what}")


def _prefix(world: World, era: Era) -> str:
    if world.ended == Ending.TURN_LIMIT:
        return "Max turns reached" if era == "2017" else f"Max turns reached ({world.settings.max_turns})"
    return "Both players met a primary win condition" if era == "2017" else BOTH_2022[Ending(world.ended)]


TILE = Argument("tile", "Tile")
JOB = Argument("job", "string", "", ("soldier", "gatherer", "builder", "missionary"))
TYPE = Argument("type", "string", "", ("neutral", "shelter", "monument", "wall", "road"))
RESOURCE = Argument("resource", "string", "", ("materials", "food"))
AMOUNT = Argument("amount", "int", 0)
FARTHEST = 1_000_000  # the amounts that our actions can have


def _function(action: Callable[..., Action | Malformed], *arguments: Argument) -> Function:
    """A function of a unit: it returns whether it was done."""

    def made(world: World, unit: int, *values: Any) -> Action | Malformed:
        return action(unit, *values)

    return Function(arguments, made, lambda world, action, era: True, False)


def _change_job(unit: int, said: str) -> Action | Malformed:
    job = next((job for job in Job if job_title(job) == said.lower()), None)
    return Malformed(f"There is no job {said!r:.50}.") if job is None else actions.ChangeJob(unit, job)


def _construct(unit: int, tile: int, said: str) -> Action | Malformed:
    structure = next((s for s in STRUCTURE_LETTERS if s.name == said.upper()), None)
    if structure is None:
        return Malformed(f"There is no structure {said!r:.50}.")
    return actions.Construct(unit, tile, structure)


def _resource(said: str) -> Resource | None:  # 2017 looked at the first letter only
    return {"f": Resource.FOOD, "m": Resource.MATERIALS}.get(said[:1].lower())


def _carrying(action: type[actions.Drop] | type[actions.Pickup]) -> Callable[..., Action | Malformed]:
    def made(unit: int, tile: int, said: str, amount: int) -> Action | Malformed:
        resource = _resource(said)
        if resource is None:
            return Malformed(f"There is food and there are materials, but no {said!r:.50}.")
        return action(unit, tile, resource, max(-FARTHEST, min(amount, FARTHEST)))

    return made


CADRE = Cadre(
    name="Catastrophe",
    aliases=("MegaMinerAI-20-Catastrophe",),
    version="ede84ab86376b00287c09558f05e8f2a61b92109d93aad9ebd3379ff4215fb53",
    settings=CADRE_SETTINGS,
    parents={},
    functions={
        ("Unit", "attack"): _function(actions.Attack, TILE),
        ("Unit", "changeJob"): _function(_change_job, JOB),
        ("Unit", "construct"): _function(_construct, TILE, TYPE),
        ("Unit", "convert"): _function(actions.Convert, TILE),
        ("Unit", "deconstruct"): _function(actions.Deconstruct, TILE),
        ("Unit", "drop"): _function(_carrying(actions.Drop), TILE, RESOURCE, AMOUNT),
        ("Unit", "harvest"): _function(actions.Harvest, TILE),
        ("Unit", "move"): _function(actions.Move, TILE),
        ("Unit", "pickup"): _function(_carrying(actions.Pickup), TILE, RESOURCE, AMOUNT),
        ("Unit", "rest"): _function(actions.Rest),
    },
    read=read_wire,
    write=write_wire,
    verdict=verdict,
    end_turn=actions.EndTurn(),
    again={},
    carry_on=carry_on,
    number=number,
)
