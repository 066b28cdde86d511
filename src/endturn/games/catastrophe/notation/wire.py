"""A position of Catastrophe as the original servers and their clients write it, the Cadre wire.

Objects are numbered: the players; then jobs and tiles, in 2022 tiles and jobs, tiles column by column; then
structures and units in the order in which they appear. None is ever taken away: those gone have no tile.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from endturn.engine.game import Action, Malformed
from endturn.games.catastrophe import actions
from endturn.games.catastrophe.notation.text import check, short
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
from endturn.games.catastrophe.view import STRUCTURE_LETTERS, squad_of
from endturn.mechanisms.cadre import (
    Argument,
    Cadre,
    Era,
    Function,
    News,
    Run,
    Since,
    Verdict,
    Wire,
    left,
    reference,
    tell,
)
from endturn.mechanisms.grid import Direction, neighbour

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
    if found["tile"] is not None:
        return int(world.unit_on[number(world, objects, found["tile"]["id"])])
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
    check(world)
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
    blank: Wire = {"currentTurn": NONE, "gameObjects": objects, "harvestCooldown": 10, "structures": []}
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
    objects = {said: dict(each) for said, each in before["gameObjects"].items()}
    shown = {**before, "gameObjects": objects}
    tell(shown, news(world, era, shown, Since(None, settled, {})))
    return shown


TILE_COLUMNS = "ground_food", "ground_materials", "harvest_rate", "structure", "turns_to_harvest", "unit_on"
STRUCTURE_COLUMNS = "structure", "structure_materials", "structure_owner"
UNIT_COLUMNS = (
    *("acted", "energy", "food", "job", "materials", "bound_for", "moves", "owner"),
    *("starving", "tile", "turns_to_die", "squad"),
)
TURN_COLUMNS = "turn", "seat"


def news(world: World, era: Era, shown: Wire, since: Since) -> Iterator[News]:
    """What may differ from what is shown."""
    objects = shown["gameObjects"]
    if "units" not in since.kept:
        since.kept["units"] = unit_ids(objects)
    ids: list[int] = since.kept["units"]
    free = len(objects)  # the next id
    structures: dict[int, Wire | None] = {}
    rebuilt = _touched(since, STRUCTURE_COLUMNS, world.tile_count)
    for tile in rebuilt:
        old: Wire | None = objects[tile_id(world, era, tile)]["structure"]
        stands = world.structure[tile] != Structure.NOTHING
        if stands and old is None:
            old, free = reference(free), free + 1
        structures[tile] = old if stands else None
        if old is not None:
            yield from _of(old["id"], _wire_structure(world, era, tile, old["id"]))
    ids.extend(range(free, free + world.unit_count - len(ids)))
    for tile in _touched(since, TILE_COLUMNS, world.tile_count):
        said = tile_id(world, era, tile)
        structure = structures.get(tile, objects[said]["structure"])
        yield from _of(said, _tile_now(world, tile, structure, ids))
    units = _touched(since, UNIT_COLUMNS, world.unit_count)
    regrouped = _regrouped(world, era, objects, units, ids)
    for unit in units:
        yield from _of(str(ids[unit]), _wire_unit(world, era, unit, ids))
    yield from ((str(ids[unit]), "squad", _wire_squad(world, unit, ids)) for unit in regrouped)
    turn_over = world.turn != shown["currentTurn"] or world.ended not in LEFT
    if since.settled:
        alive = [reference(said) for unit, said in enumerate(ids) if world.tile[unit] != NONE]
        yield from _of(None, {"structures": _standing(objects), "units": alive})
    for seat in range(PLAYERS):
        yield from _of(str(seat), _wire_player(world, seat, objects, ids, turn_over))
        if rebuilt or since.settled or turn_over:
            yield str(seat), "structures", _own_structures(seat, objects, shown["structures"])
    if since.dirty is None:
        yield from _of(None, _wire_settings(world, era))
    yield from _of(None, {"currentPlayer": reference(world.seat), "currentTurn": world.turn})


LEFT = Ending.GOING_ON, Ending.RESIGNED, Ending.TIMED_OUT, Ending.DISCONNECTED


def _of(said: str | None, values: Wire) -> Iterator[News]:
    return ((said, name, value) for name, value in values.items())


def _touched(since: Since, columns: tuple[str, ...], count: int) -> Sequence[int]:
    """The units or tiles of which any of these columns has changed, in order."""
    dirty = since.dirty
    if dirty is None:
        return range(count)
    return sorted({index for column in columns for index in dirty.get(column, ())})


def _wire_settings(world: World, era: Era) -> Wire:
    shown = {name: getattr(world.settings, ours) for name, ours in CADRE_SETTINGS.items()}
    fractions = {name: getattr(world.settings, ours) / 100 for name, ours in PERCENT_SETTINGS.items()}
    jobs = [reference(job_id(world, era, job)) for job in JOBS[era]]
    tiles = [{"id": said} for said in tile_ids(era, world.settings.map_width, world.settings.map_height)]
    return {**shown, **fractions, "jobs": jobs, "tiles": tiles}


def _wire_structure(world: World, era: Era, tile: int, said: str) -> Wire:
    """A structure; one that is gone has no tile, and is otherwise as it was."""
    structure = Structure(world.structure[tile])
    if structure == Structure.NOTHING:
        return {"materials": world.structure_materials[tile], "tile": None}
    return {
        "effectRadius": EFFECT_RADIUS[structure],
        "materials": world.structure_materials[tile],
        "owner": _owner_reference(world.structure_owner[tile]),
        "tile": {"id": tile_id(world, era, tile)},
        "type": structure.name.lower(),
        "gameObjectName": "Structure",
        "id": said,
    }


def _standing(objects: Mapping[str, Wire]) -> list[Wire]:
    """The structures there are, oldest first."""
    found = [each for each in objects.values() if each["gameObjectName"] == "Structure" and each["tile"]]
    return [reference(said) for said in sorted(int(each["id"]) for each in found)]


def _tile_now(world: World, tile: int, structure: Wire | None, units: list[int]) -> Wire:
    here = world.unit_on[tile]
    return {
        "food": world.ground_food[tile],
        "harvestRate": world.harvest_rate[tile],
        "materials": world.ground_materials[tile],
        "structure": structure,
        "turnsToHarvest": world.turns_to_harvest[tile],
        "unit": None if here == NONE else reference(units[here]),
    }


def _wire_unit(world: World, era: Era, unit: int, ids: list[int]) -> Wire:
    """A unit, but for its squad."""
    return {
        "acted": bool(world.acted[unit]),
        "energy": short(world.energy[unit]),
        "food": world.food[unit],
        "job": reference(job_id(world, era, world.job[unit])),
        "materials": world.materials[unit],
        "movementTarget": _tile_reference(world, era, world.bound_for[unit]),
        "moves": world.moves[unit],
        "owner": _owner_reference(world.owner[unit]),
        "starving": bool(world.starving[unit]),
        "tile": _tile_reference(world, era, world.tile[unit]),
        "turnsToDie": world.turns_to_die[unit],
        "gameObjectName": "Unit",
        "id": str(ids[unit]),
    }


def _regrouped(
    world: World, era: Era, objects: Mapping[str, Wire], units: Sequence[int], ids: list[int]
) -> Sequence[int]:
    """The units whose squads may be others now: those that changed, and if one is or was a soldier, all."""
    soldier = reference(job_id(world, era, Job.SOLDIER))
    for unit in units:
        known = objects.get(str(ids[unit]))
        if world.job[unit] == Job.SOLDIER or (known is not None and known["job"] == soldier):
            return range(world.unit_count)
    return units


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


def _own_structures(seat: int, objects: Mapping[str, Wire], listed: list[Wire]) -> list[Wire]:
    owner = reference(seat)
    return [each for each in listed if objects[each["id"]]["owner"] == owner]


def _wire_player(
    world: World, seat: int, objects: Mapping[str, Wire], ids: list[int], turn_over: bool
) -> Wire:
    known = objects[str(seat)]
    units = known.get("units", [])
    if turn_over:
        own = [u for u in range(world.unit_count) if world.tile[u] != NONE and world.owner[u] == seat]
        units = [reference(ids[u]) for u in sorted(own, key=lambda u: world.joined[u])]
    return {
        "cat": reference(ids[world.overlord[seat]]),
        "food": world.store[seat],
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


def run_of(world: World, objects: Mapping[str, Wire], action: Action) -> Run:
    """An action as a client would run it."""
    name = _camel(type(action).__name__)
    arguments = CADRE.functions["Unit", name].arguments
    unit, *values = msgspec.structs.astuple(action)
    said = [_said(world, objects, argument, value) for argument, value in zip(arguments, values, strict=True)]
    names = [argument.name for argument in arguments]
    return Run(name, reference(unit_ids(objects)[unit]), dict(zip(names, said, strict=True)))


def _camel(name: str) -> str:
    return name[0].lower() + name[1:]


def _era_tile(world: World, objects: Mapping[str, Wire], tile: int) -> str:
    """The id of a tile, whichever server's ids these are: the first tile comes after the players or the jobs."""
    return tile_id(world, "2022" if objects["2"]["gameObjectName"] == "Tile" else "2017", tile)


def _said(world: World, objects: Mapping[str, Wire], argument: Argument, value: Any) -> Any:
    if argument.kind == "Tile":
        return {"id": _era_tile(world, objects, value)}
    if isinstance(value, Job):
        return job_title(value)
    return value.name.lower() if isinstance(value, Structure | Resource) else value


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
    news=news,
    run_of=run_of,
)
