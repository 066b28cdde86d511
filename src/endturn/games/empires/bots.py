"""Players of Empires that show how, and how choices are numbered: by people, cities and units."""

from collections.abc import Callable
from typing import Any

from endturn.bots.player import Seen
from endturn.engine.actions import Action, Row
from endturn.engine.dice import below
from endturn.engine.rule import rule
from endturn.games.empires.actions import (
    Aim,
    Build,
    Found,
    Go,
    PhaseDone,
    Revolt,
    SetRates,
    Subject,
    Task,
    Work,
)
from endturn.games.empires.rules import commanding, governing, planning
from endturn.games.empires.rules.geometry import DIRECTIONS
from endturn.games.empires.rules.planning import LONGEST_WORKLIST
from endturn.games.empires.ruleset import Ruleset
from endturn.games.empires.state import City, Unit, World

# An action's verb is its place in the table of rules (`__init__.py`).
(
    PHASE_DONE, SET_RATES, STUDY, AIM, REVOLT, CANCEL_PACT, LAUNCH, CALL, BALLOT, BUILD, PLAN, UNPLAN, BUY, SELL,
    ARRANGE, RELEASE, EMPLOY, RETRAIN, MOVE, GO, WORK, FOUND, DISBAND, LEAVE,
) = range(24)  # fmt: skip
NOTHING: Row = (-1, 0, 0, 0, 0)
RANDOM_PLAY, TRIES = 201, 12  # purpose of rolls; draws before the phase is done
LOITERING = 6  # of a random player: one action in so many ends its phase
MOST_TILES = 48  # around a city, that its citizens can be told to work
RATES = (
    (40, 0, 60), (70, 0, 30), (100, 0, 0), (20, 0, 80), (0, 0, 100), (30, 20, 50), (60, 40, 0), (0, 100, 0),
)  # fmt: skip


# --- choices by number: piece 0 is the people, then all cities, then all units


@rule
def pieces(world: World) -> int:
    """The people, every city and every unit."""
    return 1 + len(world.cities) + len(world.units)


def _thing(world: World, piece: int) -> City | Unit | None:
    """The city or unit with a number; None for the people."""
    if piece == 0:
        return None
    cities = list(world.cities.values())
    return cities[piece - 1] if piece <= len(cities) else list(world.units.values())[piece - 1 - len(cities)]


@rule
def options(world: World) -> int:
    """The most that any piece can be told."""
    return max(len(_of_people(world.rules)), len(_of_cities(world.rules)), len(OF_UNITS))


@rule
def is_idle(world: World, seat: int, piece: int) -> bool:
    """A quick no: cities and units of others."""
    thing = _thing(world, piece)
    return thing is not None and thing.owner.number != seat


@rule
def action_of(world: World, piece: int, option: int) -> Row:
    """The numbered action; verb -1 where there is none."""
    thing = _thing(world, piece)
    if option >= _width(world, thing):
        return NOTHING
    if thing is None:
        return _of_people(world.rules)[option]
    if isinstance(thing, Unit):
        verb, value = OF_UNITS[option]
        return verb, thing.id, value, 0, 0
    return _of_city(world, thing, *_of_cities(world.rules)[option])


def _of_city(world: World, city: City, verb: int, a: int, b: int) -> Row:
    if verb in (RELEASE, EMPLOY):
        near = world.geometry.circle(city.tile, city.radius_sq)
        return (verb, city.id, near[a][0], 0, 0) if a < len(near) else NOTHING
    return verb, city.id, a, b, 0


OF_UNITS = [
    *((MOVE, heading) for heading in range(len(DIRECTIONS))),
    *((WORK, int(task)) for task in Task),
    (FOUND, 0),
    (DISBAND, 0),
]
_TABLES: dict[tuple[str, int], list[Any]] = {}


def _of_people(rules: Ruleset) -> list[Row]:
    """Everything that can be said for a whole people."""
    key = "people", id(rules.techs)
    if key not in _TABLES:
        techs, governments = range(len(rules.techs)), range(len(rules.governments))
        _TABLES[key] = [
            (PHASE_DONE, 0, 0, 0, 0),
            *((SET_RATES, *rates, 0) for rates in RATES),
            *((verb, tech, 0, 0, 0) for verb in (STUDY, AIM) for tech in techs),
            *((REVOLT, government, 0, 0, 0) for government in governments),
            *((CANCEL_PACT, people, 0, 0, 0) for people in range(16)),
            (LAUNCH, 0, 0, 0, 0),
            *((CALL, int(subject), 0, 0, 0) for subject in Subject),
            (BALLOT, 0, 0, 0, 0),
            (BALLOT, 1, 0, 0, 0),
        ]
    return _TABLES[key]


def _of_cities(rules: Ruleset) -> list[tuple[int, int, int]]:
    """Everything that can be said for a city: a verb, and two numbers."""
    key = "cities", id(rules.techs)
    if key not in _TABLES:
        things, kinds = range(len(rules.buildings) + len(rules.unit_types)), range(len(rules.specialists))
        _TABLES[key] = [
            *((verb, thing, 0) for verb in (BUILD, PLAN) for thing in things),
            *((UNPLAN, place, 0) for place in range(LONGEST_WORKLIST)),
            (BUY, 0, 0),
            *((SELL, building.index, 0) for building in rules.buildings if building.is_improvement),
            (ARRANGE, 0, 0),
            *((verb, tile, 0) for verb in (RELEASE, EMPLOY) for tile in range(MOST_TILES)),
            *((RETRAIN, old, new) for old in kinds for new in kinds if old != new),
        ]
    return _TABLES[key]


# --- by chance

REFUSE: dict[int, Callable[..., int]] = {
    SET_RATES: governing.refuse_set_rates, STUDY: governing.refuse_study, AIM: governing.refuse_aim,
    REVOLT: governing.refuse_revolt, CANCEL_PACT: governing.refuse_cancel_pact, LAUNCH: governing.refuse_launch,
    CALL: governing.refuse_call, BALLOT: governing.refuse_ballot, BUILD: planning.refuse_build,
    PLAN: planning.refuse_plan, UNPLAN: planning.refuse_unplan, BUY: planning.refuse_buy, SELL: planning.refuse_sell,
    ARRANGE: planning.refuse_arrange, RELEASE: planning.refuse_release, EMPLOY: planning.refuse_employ,
    RETRAIN: planning.refuse_retrain, MOVE: commanding.refuse_move, WORK: commanding.refuse_work,
    FOUND: commanding.refuse_found, DISBAND: commanding.refuse_disband,
}  # fmt: skip
NUMBERS = {SET_RATES: 3, LAUNCH: 0, BUY: 1, ARRANGE: 1, FOUND: 1, DISBAND: 1, RETRAIN: 3} | dict.fromkeys(
    (STUDY, AIM, REVOLT, CANCEL_PACT, CALL, BALLOT), 1
)


@rule
def random_action(world: World, seat: int, luck: int, when: int) -> Row:
    """Something that a random piece of the seat can do; now and then the phase is done."""
    mine = [place for place in range(pieces(world)) if not is_idle(world, seat, place)]
    if below(luck, LOITERING, RANDOM_PLAY, seat, when, 0) == 0:
        return PHASE_DONE, 0, 0, 0, 0
    for tries in range(TRIES):
        piece = mine[below(luck, len(mine), RANDOM_PLAY, seat, when, 2 * tries + 1)]
        width = _width(world, _thing(world, piece))
        row = action_of(world, piece, below(luck, width, RANDOM_PLAY, seat, when, 2 * tries + 2))
        if row[0] > PHASE_DONE and REFUSE[row[0]](world, seat, *row[1 : 1 + NUMBERS.get(row[0], 2)]) == 0:
            return row
    return PHASE_DONE, 0, 0, 0, 0


def _width(world: World, thing: City | Unit | None) -> int:
    """How many options a piece has."""
    if thing is None:
        return len(_of_people(world.rules))
    return len(OF_UNITS) if isinstance(thing, Unit) else len(_of_cities(world.rules))


# --- the steward

ROOM = 3  # steps that the steward leaves between cities
MOST_CITIES = 8
WORTH = {".": 6, "w": 4, "^": 2, "f": 2, ":": 1, "~": 4, "=": 1}  # of terrain near a new city
STUDIES = (
    "Reckoning", "Letters", "Fire", "Masonwork", "Healing", "Assembly", "Philosophy", "Ropework", "Seafaring",
    "Smelting", "Steam", "Flight", "Splitting", "Starlore",
)  # fmt: skip
GOVERNMENTS = "assembly", "crown"
POOR, RICH = 30, 120
FOUNDER = "Pioneer"
WONDERS = "Star Dial", "Great Stair", "Hall of Voices", "Far Glass"
TASKS = {"Mason": Task.AUTO, "Scout": Task.EXPLORE}


class Steward:
    """Founds cities where the land is good, leaves building to the advisor, studies, and keeps some gold."""

    def __init__(self, seed: int) -> None:
        self.turn = -1
        self.tried: set[tuple[Any, ...]] = set()  # this turn

    def act(self, seen: Seen) -> Action:
        """The first thing that is to be done and was not tried this turn."""
        view = seen.view
        if view["turn"] != self.turn:
            self.turn, self.tried = view["turn"], set()
        for action in (*self.policy(view), *self.orders(view), *self.works(view)):
            key = (type(action), *(getattr(action, name) for name in action.__struct_fields__))
            if key not in self.tried:
                self.tried.add(key)
                return action
        return PhaseDone()

    def policy(self, view: dict[str, Any]) -> list[Action]:
        """What is studied, how trade is shared, and who governs."""
        me, names = view["me"], view["rules"]["techs"]
        made: list[Action] = []
        unknown = [tech for tech in STUDIES if tech not in me["techs"] and tech in names]
        if unknown and me["goal"] != unknown[0]:
            made.append(Aim(names.index(unknown[0])))
        tax = 70 if me["gold"] < POOR else 20 if me["gold"] > RICH else 40
        luxury = 10 if any(city.get("disorder") for city in view["cities"]) else 0
        if (me["tax"], me["luxury"]) != (tax, luxury):
            made.append(SetRates(tax, luxury, 100 - tax - luxury))
        if not me["revolution"] and me["government"] == "chiefdom" and "Masonwork" in me["techs"]:
            made.append(Revolt(view["rules"]["governments"].index("crown")))
        return made

    def orders(self, view: dict[str, Any]) -> list[Action]:
        """What units without a task are told."""
        made: list[Action] = []
        for unit in own(view, "units"):
            is_free = unit["activity"] == "idle" and not unit["auto"] and unit["bound_for"] is None
            if unit["kind"] == FOUNDER:
                made += self.settle(view, unit) if unit["moves"] > 0 else []
            elif is_free:
                made.append(Work(unit["id"], TASKS.get(unit["kind"], Task.FORTIFY)))
        return made

    def settle(self, view: dict[str, Any], unit: dict[str, Any]) -> list[Action]:
        """Found a city here if there is no better place near by, else go to the best one."""
        sites = sorted(good_sites(view, unit), reverse=True)[:3]
        if not sites:
            return [Work(unit["id"], Task.SENTRY)] if unit["activity"] == "idle" else []
        if sites[0][1] == unit["tile"]:
            return [Found(unit["id"])]
        if unit["bound_for"] is not None:
            return []
        return [Found(unit["id"]) if tile == unit["tile"] else Go(unit["id"], tile) for _, tile in sites]

    def works(self, view: dict[str, Any]) -> list[Action]:
        """Founders while there is room for cities; wonders where nothing else is left to build."""
        items, mine = view["rules"]["items"], own(view, "cities")
        founders = sum(unit["kind"] == FOUNDER for unit in own(view, "units"))
        founders += sum(city["making"] == FOUNDER for city in mine)
        made: list[Action] = []
        for city in mine:
            offers = {items[number]: number for number in city["can_build"]}
            if len(mine) + founders < MOST_CITIES and city["size"] > 1 and city["making"] != FOUNDER:
                founders += 1
                made.append(Build(city["id"], offers.get(FOUNDER, 0)))
            elif city["making"] == "Coins":
                made += [Build(city["id"], offers[name]) for name in WONDERS if name in offers][:1]
        return made


def own(view: dict[str, Any], what: str) -> list[dict[str, Any]]:
    """One's own cities or units."""
    return [each for each in view[what] if each["owner"] == view["me"]["seat"]]


def good_sites(view: dict[str, Any], unit: dict[str, Any]) -> list[tuple[int, int]]:
    """Known land for a city within reach of a founder, each with what it is worth; nearer is better."""
    found = []
    for tile in range(view["width"] * view["height"]):
        y, x = divmod(tile, view["width"])
        away = apart(view, (x, y), (unit["x"], unit["y"]))
        if away > 8 or view["terrain"][y][x] not in ".w:" or not is_free_land(view, x, y):
            continue
        near = [(x + dx, y + dy) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2)]
        worth = sum(WORTH.get(sign(view, *place), 0) for place in near)
        found.append((worth + 6 * (view["terrain"][y][x] == ".") - 6 * away, tile))
    return found


def is_free_land(view: dict[str, Any], x: int, y: int) -> bool:
    """Whether no city is near and nobody else owns the land."""
    owner = view["borders"][y][x]
    if owner not in ("-", str(view["me"]["seat"])):
        return False
    return all(apart(view, (x, y), (city["x"], city["y"])) >= ROOM for city in view["cities"])


def apart(view: dict[str, Any], one: tuple[int, int], other: tuple[int, int]) -> int:
    """Steps between two places; hexagons may need a few more."""
    across = abs(one[0] - other[0])
    if view["round"]:
        across = min(across, view["width"] - across)
    return max(across, abs(one[1] - other[1]))


def sign(view: dict[str, Any], x: int, y: int) -> str:
    """The letter of the terrain at a place; a blank off the map."""
    if view["round"]:
        x %= view["width"]
    inside = 0 <= x < view["width"] and 0 <= y < view["height"]
    return str(view["terrain"][y][x]) if inside else " "
