"""Catastrophe's Cadre dialect.

Object numbers: the players; then jobs and tiles (in 2022 tiles and jobs), tiles column by column; then structures and
units in the order in which they appear. Objects are never removed: a dead unit or a fallen structure has no tile.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from endturn.cadre.deltas import apply_news
from endturn.cadre.dialects.catastrophe.ids import (
    PLAYERS,
    job_id,
    job_title,
    number,
    tile_reference,
    tile_references,
    unit_ids,
)
from endturn.cadre.dialects.catastrophe.news import PERCENTS, SETTINGS, news
from endturn.cadre.state import id_of, reference, verdict_on_leaving
from endturn.cadre.table import Argument, Dialect, Era, Run, Since, Unused, Verdict, Wire, WireFunction
from endturn.engine.actions import Action
from endturn.engine.answers import Malformed
from endturn.games.catastrophe import actions
from endturn.games.catastrophe.notation import check
from endturn.games.catastrophe.setup import arrive, empty_world
from endturn.games.catastrophe.state import (
    ACTION_COST,
    CARRY_LIMIT,
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
from endturn.games.catastrophe.text import STRUCTURE_LETTERS
from endturn.mechanisms.grid import Direction, neighbour

# --- reading ------------------------------------------------------------------------------------------------


def read_wire(first: Wire, settings: Settings) -> World:
    """Build our state from the complete first state of an original server."""
    objects, ids = first["gameObjects"], unit_ids(first["gameObjects"])
    world = empty_world(settings, len(ids), first["currentTurn"])
    for name, ours in PERCENTS.items():
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
        raise ValueError(f"{owner} is not a player")
    return seat


# --- writing ------------------------------------------------------------------------------------------------


def write_wire(world: World, era: Era) -> Wire:
    """The first state as the original server would show it."""
    objects: dict[str, Wire] = {id_of(seat): {"gameObjectName": "Player"} for seat in range(PLAYERS)}
    fixed = [_wire_job(world, era, job) for job in Job]
    fixed += [_wire_tile(world, era, tile) for tile in range(world.tile_count)]
    objects |= {each["id"]: each for each in sorted(fixed, key=lambda each: int(each["id"]))}
    blank: Wire = {"currentTurn": NONE, "gameObjects": objects, "structures": []}
    idle = {name: each.default for name, each in UNUSED.items() if (era, name) != ("2017", "startingFood")}
    return carry_on(world, era, blank | idle, True)


def _wire_job(world: World, era: Era, job: Job) -> Wire:
    return {
        "actionCost": ACTION_COST[job],
        "carryLimit": CARRY_LIMIT[job],
        "moves": MOVES[job],
        "regenRate": REGENERATION[job],
        "title": job_title(job),
        "upkeep": UPKEEP[job],
        "gameObjectName": "Job",
        "id": id_of(job_id(world, era, job)),
    }


def _wire_tile(world: World, era: Era, tile: int) -> Wire:
    width, height = world.settings.map_width, world.settings.map_height
    sides = {side: neighbour(tile, side, width, height) for side in Direction}
    beside = {
        f"tile{side.name.capitalize()}": None if there == NONE else tile_reference(world, era, there)
        for side, there in sides.items()
    }
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
        "id": tile_reference(world, era, tile)["id"],
    }


def carry_on(world: World, era: Era, before: Wire, settled: bool) -> Wire:
    """The state as the original server would show it after `before`."""
    objects = {said: dict(each) for said, each in before["gameObjects"].items()}
    shown = {**before, "gameObjects": objects}
    apply_news(shown, news(world, era, shown, Since(None, settled, {})))
    return shown


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
        return verdict_on_leaving(era, world.winner, world.ended == Ending.TIMED_OUT)
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
    arguments = DIALECT.functions["Unit", name].arguments
    unit, *values = msgspec.structs.astuple(action)
    said = [_said(world, objects, argument, value) for argument, value in zip(arguments, values, strict=True)]
    names = [argument.name for argument in arguments]
    return Run(reference(unit_ids(objects)[unit]), name, dict(zip(names, said, strict=True)))


def called(world: World, objects: Mapping[str, Wire]) -> Callable[[int], str]:
    """Gives the id of a unit. A unit on the map is found quickly through its tile."""
    tiles = tile_references(_era_of(objects), world.settings.map_width, world.settings.map_height)

    def said(unit: int) -> str:
        if not 0 <= unit < world.unit_count:
            return str(unit)
        tile = world.tile[unit]
        there = None if tile == NONE else objects[tiles[tile]["id"]]["unit"]
        return id_of(unit_ids(objects)[unit]) if there is None else str(there["id"])

    return said


def _camel(name: str) -> str:
    return name[0].lower() + name[1:]


def _era_of(objects: Mapping[str, Wire]) -> Era:
    """The server whose ids these are: its tiles come right after the players, or after the jobs."""
    return "2022" if objects["2"]["gameObjectName"] == "Tile" else "2017"


def _said(world: World, objects: Mapping[str, Wire], argument: Argument, value: Any) -> Any:
    if argument.kind == "Tile":
        return tile_reference(world, _era_of(objects), value)
    if isinstance(value, Job):
        return job_title(value)
    return value.name.lower() if isinstance(value, Structure | Resource) else value


TILE = Argument("tile", "Tile")
JOB = Argument("job", "string", "", ("soldier", "gatherer", "builder", "missionary"))
TYPE = Argument("type", "string", "", ("neutral", "shelter", "monument", "wall", "road"))
RESOURCE = Argument("resource", "string", "", ("materials", "food"))
AMOUNT = Argument("amount", "int", 0)
LARGEST_AMOUNT = 1_000_000  # in our actions


def _function(action: Callable[..., Action | Malformed], *arguments: Argument) -> WireFunction:
    """A function of a unit. It returns whether it was played."""

    def made(world: World, unit: int, *values: Any) -> Action | Malformed:
        return action(unit, *values)

    return WireFunction(arguments, made, lambda world, action, era: True, False)


TITLED = {job_title(job): job for job in Job}


def _change_job(unit: int, said: str) -> Action | Malformed:
    job = TITLED.get(said.lower())
    return Malformed(f"Unknown job {said!r:.50}.") if job is None else actions.ChangeJob(unit, job)


def _construct(unit: int, tile: int, said: str) -> Action | Malformed:
    structure = next((s for s in STRUCTURE_LETTERS if s.name == said.upper()), None)
    if structure is None:
        return Malformed(f"Unknown structure {said!r:.50}.")
    return actions.Construct(unit, tile, structure)


def _resource(said: str) -> Resource | None:  # 2017 read only the first letter
    return {"f": Resource.FOOD, "m": Resource.MATERIALS}.get(said[:1].lower())


def _carrying(action: type[actions.Drop] | type[actions.Pickup]) -> Callable[..., Action | Malformed]:
    def made(unit: int, tile: int, said: str, amount: int) -> Action | Malformed:
        resource = _resource(said)
        if resource is None:
            return Malformed(f"Unknown resource {said!r:.50}. Expected food or materials.")
        return action(unit, tile, resource, max(-LARGEST_AMOUNT, min(amount, LARGEST_AMOUNT)))

    return made


UNUSED = {"harvestCooldown": Unused(10), "startingFood": Unused(0, "starting_food")}

DIALECT = Dialect(
    name="Catastrophe",
    aliases=("MegaMinerAI-20-Catastrophe",),
    version="ede84ab86376b00287c09558f05e8f2a61b92109d93aad9ebd3379ff4215fb53",
    settings=SETTINGS,
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
    called=called,
    percents=PERCENTS,
    of_2017={"minHarvestRate": "min_harvest_rate", "maxHarvestRate": "max_harvest_rate"},
    unused=UNUSED,
)
