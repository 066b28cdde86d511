"""Catastrophe in words and pictures: names, outcomes and the board."""

from collections.abc import Callable
from functools import cache

from endturn.engine.game import Outcome
from endturn.engine.words import Names, Words
from endturn.games.catastrophe.rules.acting import cost_share, distance
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
from endturn.mechanisms.endings import decided

SEATS = "Red", "Blue"


def said(value: int) -> str:
    """Name a value of an enumeration in a sentence: cat overlord."""
    return getattr(value, "name", str(value)).lower().replace("_", " ")


def place(world: World, tile: int) -> str:
    """Name a tile in a sentence: (3, 4)."""
    return f"({tile % world.settings.map_width}, {tile // world.settings.map_width})"


JOBS = {job.value: said(job) for job in Job}


def named(world: World, unit: int, names: Names | None = None) -> str:
    """Name a unit in a sentence: soldier #12."""
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
    """The words of a refusal."""

    @property
    def unit(self) -> int:
        """The unit that should act."""
        return getattr(self.action, "unit", NONE)

    @property
    def tile(self) -> int:
        """The tile it should act on."""
        return getattr(self.action, "tile", NONE)

    def unit_named(self, unit: int) -> str:
        """Name a unit at the start of a sentence."""
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
    """Return the outcome with a reason for each seat, or None while the match goes on."""
    if world.ended == Ending.GOING_ON:
        return None
    names = SEATS[world.winner], SEATS[1 - world.winner]
    won, lost = (f"{name} {reason}." for name, reason in zip(names, _reasons(world), strict=True))
    prefix = ENDINGS[Ending(world.ended)] if world.decided in DECISIONS else ""
    return decided(world, Ending(world.ended), Decision(world.decided), prefix + won, prefix + lost)


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
    """Draw the map with three characters per tile, the standing of both seats, and a legend."""
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
    """Draw a unit with its energy and the structure around it, or what else is on the tile."""
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
    """Return energy as one character: 0 to 9 tenths, or * if full."""
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
