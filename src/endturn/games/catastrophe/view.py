"""What a seat may know of a match of Catastrophe: everything. Also as numbers, in words, and as a picture."""

from collections.abc import Callable, MutableSequence
from functools import cache, lru_cache
from typing import Any

from endturn.engine.actions import Action
from endturn.engine.answers import MATCH_OVER, NOT_YOUR_TURN, Refusal
from endturn.engine.game import Outcome
from endturn.engine.rule import rule
from endturn.engine.words import Names, Words
from endturn.games.catastrophe.rules import acting
from endturn.games.catastrophe.rules.acting import cost_share, distance
from endturn.games.catastrophe.rules.combat import dismiss, muster
from endturn.games.catastrophe.rules.labour import can_be_built, materials_of
from endturn.games.catastrophe.rules.supply import MOST, lying
from endturn.games.catastrophe.rules.turns import count_structures, count_units
from endturn.games.catastrophe.state import (
    ACTION_COST,
    FULL_ENERGY,
    MOVES,
    NOBODY,
    NONE,
    Decision,
    Ending,
    Job,
    Resource,
    Structure,
    World,
)
from endturn.mechanisms.rows import facts, rows

SEATS = "Red", "Blue"
SHARED, PER_UNIT, PER_TILE = 8, 12, 7  # numbers in an observation


def view(world: World, seat: int | None) -> dict[str, Any]:
    """All there is; nothing is hidden in this game."""
    return {
        "turn": world.turn,
        "seat": world.seat,
        "store": list(world.store),
        "upkeep": list(world.upkeep),
        "overlord": list(world.overlord),
        "ended": Ending(world.ended).name.lower(),
        "winner": world.winner,
        "settings": facts(world.settings),
        "units": [unit_seen(world, unit) for unit in range(world.unit_count)],
        "tiles": tiles_seen(world),
    }


def unit_seen(world: World, unit: int) -> dict[str, Any] | None:
    """One unit, for people and programs; nothing of one that is gone."""
    if world.tile[unit] == NONE:
        return None
    return {
        "job": Job(world.job[unit]).name.lower(),
        "owner": world.owner[unit],
        "tile": world.tile[unit],
        "energy": world.energy[unit],
        "moves": world.moves[unit],
        "acted": bool(world.acted[unit]),
        "starving": bool(world.starving[unit]),
        "food": world.food[unit],
        "materials": world.materials[unit],
        "turns_to_die": world.turns_to_die[unit],
        "bound_for": world.bound_for[unit],
        "squad": squad_of(world, unit),
    }


def squad_of(world: World, unit: int) -> list[int]:
    """The members of a unit's squad, in the order in which they gather."""
    size = muster(world, unit)
    members = list(world.mustered[:size])
    dismiss(world, size)
    return members


def tiles_seen(world: World) -> list[dict[str, Any]]:
    """All tiles."""
    built = world.structure, world.structure_materials, world.structure_owner
    grown = world.harvest_rate, world.turns_to_harvest, world.ground_food, world.ground_materials
    return rows(world.tile_count, tile_seen, *built, *grown)


@lru_cache(1 << 14)
def tile_seen(
    structure: int, built: int, owner: int, harvest: int, turns: int, food: int, materials: int
) -> dict[str, Any]:
    """One tile; what is 0 there is left out."""
    shown = {
        "structure": Structure(structure).name.lower() if structure else 0,
        "structure_materials": built if structure else 0,
        "harvest_rate": harvest,
        "turns_to_harvest": turns,
        "food": food,
        "materials": materials,
    }
    made: dict[str, Any] = {name: value for name, value in shown.items() if value}
    return made | ({"structure_owner": owner} if "structure" in made else {})


# --- as numbers ---------------------------------------------------------------------------------------------


def observation_size(world: World) -> int:
    """How many numbers an observation has."""
    return SHARED + PER_UNIT * len(world.energy) + PER_TILE * len(world.structure)


@rule
def observe(world: World, seat: int, out: MutableSequence[int]) -> None:
    """Shared numbers, then twelve a unit, then seven a tile; sides are 1 own, -1 the other's, 0 nobody's."""
    out[0], out[1] = world.turn, world.settings.max_turns - world.turn
    out[2], out[3] = at_most(world.store[seat]), at_most(world.store[1 - seat])
    out[4], out[5] = world.upkeep[seat], world.upkeep[1 - seat]
    out[6], out[7] = world.unit_count, world.seat == seat
    for unit in range(world.unit_count):
        observe_unit(world, seat, unit, out, SHARED + PER_UNIT * unit)
    for tile in range(world.tile_count):
        observe_tile(world, seat, tile, out, SHARED + PER_UNIT * len(world.energy) + PER_TILE * tile)


@rule
def observe_unit(world: World, seat: int, unit: int, out: MutableSequence[int], at: int) -> None:
    """Whether it is there, whose, where, what, how well, and what it carries."""
    if world.tile[unit] == NONE:
        return
    width = world.settings.map_width
    out[at], out[at + 1] = 1, side_of(world.owner[unit], seat)
    out[at + 2], out[at + 3] = world.tile[unit] % width, world.tile[unit] // width
    out[at + 4], out[at + 5] = world.job[unit], int(min(world.energy[unit], 30000.0))
    out[at + 6], out[at + 7] = world.moves[unit], world.acted[unit]
    out[at + 8], out[at + 9] = world.starving[unit], world.turns_to_die[unit]
    out[at + 10], out[at + 11] = at_most(world.food[unit]), at_most(world.materials[unit])


@rule
def observe_tile(world: World, seat: int, tile: int, out: MutableSequence[int], at: int) -> None:
    """What stands there, whose and how much of it; what grows and what lies there."""
    out[at] = world.structure[tile]
    if world.structure[tile] != Structure.NOTHING:
        out[at + 1] = side_of(world.structure_owner[tile], seat)
        out[at + 2] = world.structure_materials[tile]
    out[at + 3], out[at + 4] = world.harvest_rate[tile], world.turns_to_harvest[tile]
    out[at + 5], out[at + 6] = at_most(world.ground_food[tile]), at_most(world.ground_materials[tile])


@rule
def side_of(owner: int, seat: int) -> int:
    """1 for the seat's own, -1 for the other's, 0 for nobody's."""
    return 0 if owner == NOBODY else 1 if owner == seat else -1


@rule
def at_most(amount: int) -> int:
    """An amount as far as the numbers of an observation reach."""
    return max(-30000, min(amount, 30000))


# --- in words -----------------------------------------------------------------------------------------------

REFUSALS = {
    MATCH_OVER: Refusal("T4", "The match is over; {verb} comes too late."),
    NOT_YOUR_TURN: Refusal(
        "T1", "It is {other}'s turn, not {me}'s; {verb} has to wait until {other} ends it."
    ),
    acting.NO_SUCH_UNIT: Refusal(
        "A1", "There is no unit #{number} on the map; choose one of {me}'s: {mine}."
    ),
    acting.NOT_YOURS: Refusal("A1", "{unit} {belongs}; {me} commands only units of its own."),
    acting.NO_SUCH_TILE: Refusal(
        "M1", "There is no tile #{tile_number}; the tiles of this map are #0 to #{last_tile}."
    ),
    acting.HAS_ACTED: Refusal("A2", "{unit} has acted this turn; it can act again on {me}'s next one."),
    acting.TOO_TIRED: Refusal(
        "A3", "{unit} has {energy} energy, and this takes {cost}; let it rest near a shelter."
    ),
    acting.WRONG_JOB: Refusal("A4", "{unit} cannot {verb}; that takes a {wanted}."),
    acting.OCCUPIED: Refusal("P2", "{occupant} stands on {tile}; a unit moves to a tile without one."),
    acting.NO_MOVES_LEFT: Refusal(
        "P4", "{unit} has no moves left this turn; it has {job_moves} on {me}'s next one."
    ),
    acting.OUT_OF_REACH: Refusal(
        "A5", "{unit} at {here} is {distance} steps from {tile}; {verb} reaches {reach}."
    ),
    acting.TOO_NEAR: Refusal(
        "A5", "{unit} at {here} is beside {tile}; in this match {verb} reaches all tiles but those."
    ),
    acting.IN_THE_WAY: Refusal(
        "P3", "There is a {structure} on {tile}; units walk only through shelters and on roads."
    ),
    acting.NOTHING_TO_ATTACK: Refusal("C1", "There is neither a structure nor an enemy on {tile} to attack."),
    acting.OWN_UNIT: Refusal(
        "C1", "{occupant} on {tile} is {me}'s own; attack structures and units of others."
    ),
    acting.OVERLORD_STAYS: Refusal(
        "K1", "The cat overlord is what it is; nobody else can become it, and it nothing else."
    ),
    acting.SAME_JOB: Refusal("K1", "{unit} has that job already; choose another."),
    acting.JOB_NOT_OPEN: Refusal("K1", "Nobody becomes a {job} again in this match; choose another job."),
    acting.NOT_RESTED: Refusal(
        "K2", "{unit} has {energy} energy and changes jobs only with {full}; let it rest."
    ),
    acting.OVERLORD_FAR: Refusal(
        "K3", "{unit} at {here} is not beside {me}'s overlord at {overlord}; bring them together."
    ),
    acting.BUILT_UP: Refusal(
        "B2", "There is a {structure} on {tile} already; construct on a tile without one."
    ),
    acting.CANNOT_BE_BUILT: Refusal("B1", "A {wanted_structure} cannot be constructed; choose {buildable}."),
    acting.TOO_FEW_MATERIALS: Refusal(
        "B3", "There are {ground} materials on {tile}, and a {wanted_structure} takes {needed}."
    ),
    acting.NOBODY_THERE: Refusal("N1", "There is no unit on {tile} to convert."),
    acting.HAS_OWNER: Refusal("N1", "{occupant} on {tile} has an owner; only neutral units are converted."),
    acting.NO_STRUCTURE: Refusal("B6", "There is no structure on {tile} to deconstruct."),
    acting.ROAD_STAYS: Refusal(
        "B6", "Roads cannot be deconstructed; choose a structure with materials in it."
    ),
    acting.OWN_STRUCTURE: Refusal(
        "B6", "The {structure} on {tile} is {me}'s own; only soldiers can take it down."
    ),
    acting.FULL_HANDS: Refusal("A6", "{unit} carries {carried}, as much as it can; drop some of it first."),
    acting.NOT_ENEMY_SHELTER: Refusal(
        "H6", "There is a {structure} on {tile}; of structures only enemy shelters have food."
    ),
    acting.NO_FOOD_HERE: Refusal("H3", "Nothing grows on {tile}; harvest where the rate is above 0."),
    acting.NOT_READY: Refusal("H5", "Food is growing again on {tile}; it is ready in {ready} turns."),
    acting.NO_DROP_IN_ENEMY_SHELTER: Refusal(
        "D2", "The shelter on {tile} is not {me}'s; drop things elsewhere."
    ),
    acting.ONLY_FOOD_IN_SHELTER: Refusal("D2", "A shelter stores food only; drop materials beside it."),
    acting.NO_DROP_ON_STRUCTURE: Refusal(
        "D2", "There is a {structure} on {tile}; drop things on open ground or a road."
    ),
    acting.EXHAUSTED: Refusal(
        "G2", "{unit} has {energy} energy, and each thing it picks up costs 1; let it rest."
    ),
    acting.NOTHING_THERE: Refusal("G3", "There is no {resource} on {tile} to pick up."),
    acting.TOO_MUCH: Refusal("G5", "That is more than {most} in one place; choose a smaller amount."),
    acting.WELL_RESTED: Refusal("R1", "{unit} has all of its energy; it needs no rest."),
    acting.NO_SHELTER: Refusal("R2", "{unit} at {here} is not within a tile of a shelter of {me}'s."),
}


def said(value: int) -> str:
    """A value of an enumeration in a sentence: cat overlord."""
    return getattr(value, "name", str(value)).lower().replace("_", " ")


def place(world: World, tile: int) -> str:
    """A tile in a sentence: (3, 4)."""
    return f"({tile % world.settings.map_width}, {tile // world.settings.map_width})"


JOBS = {job.value: said(job) for job in Job}


def named(world: World, unit: int, names: Names | None = None) -> str:
    """A unit in a sentence: soldier #12."""
    if not 0 <= unit < world.unit_count:
        return f"unit #{unit}"
    return f"{JOBS[world.job[unit]]} #{unit if names is None else names.number(unit)}"


WANTED = {
    "Attack": "soldier",
    "Construct": "builder",
    "Deconstruct": "builder",
    "Convert": "missionary",
    "Harvest": "gatherer",
}
REACH = {
    "Move": "the adjacent tiles",
    "Attack": "the adjacent tiles",
    "Construct": "the adjacent tiles",
    "Convert": "the adjacent tiles",
    "Deconstruct": "the adjacent tiles",
}


class About(Words, gc=False):
    """What a refusal is about."""

    @property
    def unit(self) -> int:
        """The unit that was to do it."""
        return getattr(self.action, "unit", NONE)

    @property
    def tile(self) -> int:
        """Where it was to be done."""
        return getattr(self.action, "tile", NONE)

    def unit_named(self, unit: int) -> str:
        """A unit at the beginning of a sentence."""
        return named(self.state, unit, self.names).capitalize()


def _belongs(about: About) -> str:
    owner = about.state.owner[about.unit]
    return "is neutral" if owner == NOBODY else f"belongs to {about.who(owner)}"


def _cost(about: About) -> str:
    world, unit = about.state, about.unit
    return f"{ACTION_COST[world.job[unit]] * cost_share(world, unit):g}"


def _carried(about: About) -> str:
    world, unit = about.state, about.unit
    return f"{world.food[unit]} food and {world.materials[unit]} materials"


def _occupant(about: About) -> str:
    occupant = about.state.unit_on[about.tile]
    return "nobody" if occupant == NONE else about.unit_named(occupant)


def _buildable(about: About) -> str:
    return " or ".join(said(s) for s in Structure if can_be_built(about.state, s))


@cache
def _verb(kind: str) -> str:
    words_of = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in kind)
    return words_of.strip()


WORDS: dict[str, Callable[[About], object]] = {
    "verb": lambda about: _verb(about.kind),
    "me": lambda about: about.who(about.seat),
    "other": lambda about: about.who(1 - about.seat),
    "wanted": lambda about: WANTED.get(about.kind, "unit"),
    "reach": lambda about: REACH.get(about.kind, "its own tile and the adjacent ones"),
    "full": lambda about: FULL_ENERGY,
    "most": lambda about: MOST,
    "last_tile": lambda about: about.state.tile_count - 1,
    "mine": lambda about: ", ".join(f"#{about.number_of(u)}" for u in _own(about.state, about.seat)),
    "overlord": lambda about: place(about.state, about.state.tile[about.state.overlord[about.seat]]),
    "buildable": _buildable,
    "unit": lambda about: about.unit_named(about.unit),
    "number": lambda about: about.number_of(about.unit),
    "tile_number": lambda about: about.tile,
    "belongs": _belongs,
    "here": lambda about: place(about.state, about.state.tile[about.unit]),
    "energy": lambda about: f"{about.state.energy[about.unit]:g}",
    "cost": _cost,
    "job_moves": lambda about: MOVES[about.state.job[about.unit]],
    "carried": _carried,
    "tile": lambda about: f"tile {place(about.state, about.tile)}",
    "distance": lambda about: distance(about.state, about.unit, about.tile),
    "structure": lambda about: said(Structure(about.state.structure[about.tile])),
    "occupant": _occupant,
    "ground": lambda about: lying(about.state, about.tile, Resource.MATERIALS),
    "ready": lambda about: about.state.turns_to_harvest[about.tile],
    "job": lambda about: said(about.action.job),
    "wanted_structure": lambda about: said(about.action.structure),
    "needed": lambda about: materials_of(about.state, about.action.structure),
    "resource": lambda about: said(about.action.resource),
}
About.table, About.seats = WORDS, SEATS


def _own(world: World, seat: int) -> list[int]:
    return [u for u in range(world.unit_count) if world.tile[u] != NONE and world.owner[u] == seat]


ENDINGS = {
    Ending.TURN_LIMIT: "The turn limit was reached: ",
    Ending.BOTH_OVERLORDS_FELL: "Both overlords fell: ",
    Ending.BOTH_HUMANS_GONE: "Both sides lost all humans: ",
    Ending.BOTH_DEFEATED: "One side lost its overlord and the other its humans: ",
    Ending.RESIGNED: "resigned",
    Ending.TIMED_OUT: "ran out of time",
    Ending.DISCONNECTED: "disconnected",
}
DECISIONS = {
    Decision.UNITS: ("has more units", "has fewer units"),
    Decision.FOOD: ("has more food", "has less food"),
    Decision.STRUCTURES: ("has more structures", "has fewer structures"),
    Decision.COIN: ("won the toss of a coin", "lost the toss of a coin"),
}


def outcome(world: World) -> Outcome | None:
    """How the match ended, with a reason for each seat."""
    if world.ended == Ending.GOING_ON:
        return None
    names = SEATS[world.winner], SEATS[1 - world.winner]
    won, lost = (f"{name} {reason}." for name, reason in zip(names, _reasons(world), strict=True))
    prefix = ENDINGS[Ending(world.ended)] if world.decided in DECISIONS else ""
    reasons = (prefix + won, prefix + lost) if world.winner == 0 else (prefix + lost, prefix + won)
    places = (1, 2) if world.winner == 0 else (2, 1)
    how = f"{Ending(world.ended).name.lower()}: {Decision(world.decided).name.lower()}"
    return Outcome(how, places, reasons)


def _reasons(world: World) -> tuple[str, str]:
    if world.ended == Ending.OVERLORD_FELL:
        return "defeated the enemy overlord", "lost its overlord"
    if world.ended == Ending.HUMANS_GONE:
        return "defeated all enemy humans", "lost all of its humans"
    if world.decided == Decision.OPPONENT_LEFT:
        return f"wins, for its opponent {ENDINGS[Ending(world.ended)]}", ENDINGS[Ending(world.ended)]
    return DECISIONS[Decision(world.decided)]


# --- as a picture -------------------------------------------------------------------------------------------

UNIT_LETTERS = {
    Job.FRESH_HUMAN: "h",
    Job.CAT_OVERLORD: "C",
    Job.SOLDIER: "s",
    Job.GATHERER: "g",
    Job.BUILDER: "b",
    Job.MISSIONARY: "m",
}
STRUCTURE_LETTERS = {
    Structure.WALL: "W",
    Structure.SHELTER: "S",
    Structure.MONUMENT: "M",
    Structure.NEUTRAL: "N",
    Structure.ROAD: "=",
}
COLOURS = "red", "blue"
NEUTRAL_COLOUR = "white"


def show(world: World) -> str:
    """The map, three characters a tile; both seats' standing; what the characters mean."""
    width = world.settings.map_width
    ruler = "  " + "".join(f"{x:>2} " for x in range(width)).rstrip()
    rows = [
        f"{y:>2}" + "".join(_cell(world, x + y * width) for x in range(width))
        for y in range(world.settings.map_height)
    ]
    return "\n".join([_title(world), ruler, *rows, *(_standing(world, seat) for seat in (0, 1)), *LEGEND])


def _title(world: World) -> str:
    state = f"{SEATS[world.seat]} to act"
    if world.ended != Ending.GOING_ON:
        state = f"{SEATS[world.winner]} has won"
    return f"Turn {world.turn} of {world.settings.max_turns}   {state}"


def _colour(owner: int) -> str:
    return NEUTRAL_COLOUR if owner == NOBODY else COLOURS[owner]


def _cell(world: World, tile: int) -> str:
    """What a unit stands in, then the unit and its energy; without a unit what there is instead."""
    structure, unit = Structure(world.structure[tile]), world.unit_on[tile]
    letter = STRUCTURE_LETTERS.get(structure, " ")
    colour = _colour(world.structure_owner[tile])
    if unit != NONE:
        who = UNIT_LETTERS[Job(world.job[unit])] + tenths(world.energy[unit])
        return f"[{colour}]{letter}[/][bold {_colour(world.owner[unit])}]{who}[/]"
    if structure == Structure.ROAD:
        return f" {_on_the_ground(world, tile) or '[dim]==[/]'}"
    if structure != Structure.NOTHING:
        return f" [{colour}]{letter}{_amount(world.structure_materials[tile])}[/]"
    return f" {_on_the_ground(world, tile) or _harvest(world, tile)}"


def tenths(energy: float) -> str:
    """Energy in one character: 0 to 9 tenths, * for all of it."""
    return "*" if energy >= FULL_ENERGY else str(max(0, int(energy / 10)))


def _amount(amount: int) -> str:
    return "+" if amount >= 100 else str(max(0, amount) // 10)


def _on_the_ground(world: World, tile: int) -> str:
    if world.ground_materials[tile] > 0:
        return f"[yellow]%{_amount(world.ground_materials[tile])}[/]"
    return f"[green],{_amount(world.ground_food[tile])}[/]" if world.ground_food[tile] > 0 else ""


def _harvest(world: World, tile: int) -> str:
    if world.harvest_rate[tile] == 0:
        return "[dim]· [/]"
    style = "green" if world.turns_to_harvest[tile] == 0 else "dim green"
    return f"[{style}]f{_amount(world.harvest_rate[tile])}[/]"


def _standing(world: World, seat: int) -> str:
    jobs = " ".join(
        f"{UNIT_LETTERS[job]}{sum(world.job[u] == job for u in _own(world, seat))}"
        for job in Job
        if job != Job.CAT_OVERLORD
    )
    return (
        f"[{COLOURS[seat]}]{SEATS[seat]:<4}[/] overlord {world.energy[world.overlord[seat]]:g}  "
        f"units {count_units(world, seat)} ({jobs})  food {world.store[seat]} - {world.upkeep[seat]}  "
        f"structures {count_structures(world, seat)}"
    )


LEGEND = (
    "[dim]C overlord s soldier g gatherer b builder m missionary h human; tenths of energy[/]",
    "[dim]S shelter W wall M monument N neutral = road; f growing , food % materials, tens[/]",
)


def describe(world: World, seat: int, action: Action) -> str:
    """An action in words, for people who watch."""
    parts = [f"{SEATS[seat]}:", _verb(type(action).__name__)]
    if hasattr(action, "unit"):
        parts.append(named(world, action.unit))
    if hasattr(action, "tile"):
        parts.append(f"at {place(world, action.tile)}")
    chosen = [getattr(action, name, None) for name in ("job", "structure", "resource")]
    return " ".join([*parts, *(said(value) for value in chosen if value is not None)])
