"""Choices in Empires: actions numbered as options of pieces, and random play."""

from collections.abc import Callable
from typing import Any

from endturn.engine.actions import Row
from endturn.engine.dice import below
from endturn.engine.rule import rule
from endturn.games.empires.actions import (
    ACTIONS,
    Aim,
    Arrange,
    Ballot,
    Build,
    Buy,
    Call,
    CancelPact,
    Disband,
    Employ,
    Found,
    Launch,
    Move,
    PhaseDone,
    Plan,
    Release,
    Retrain,
    Revolt,
    Sell,
    SetRates,
    Study,
    Subject,
    Task,
    Unplan,
    Work,
)
from endturn.games.empires.rules import commanding, governing, planning
from endturn.games.empires.rules.geometry import DIRECTIONS
from endturn.games.empires.rules.planning import LONGEST_WORKLIST
from endturn.games.empires.ruleset import Ruleset
from endturn.games.empires.state import City, Unit, World

PHASE_DONE = ACTIONS.index(PhaseDone)
SET_RATES = ACTIONS.index(SetRates)
STUDY = ACTIONS.index(Study)
AIM = ACTIONS.index(Aim)
REVOLT = ACTIONS.index(Revolt)
CANCEL_PACT = ACTIONS.index(CancelPact)
LAUNCH = ACTIONS.index(Launch)
CALL = ACTIONS.index(Call)
BALLOT = ACTIONS.index(Ballot)
BUILD = ACTIONS.index(Build)
PLAN = ACTIONS.index(Plan)
UNPLAN = ACTIONS.index(Unplan)
BUY = ACTIONS.index(Buy)
SELL = ACTIONS.index(Sell)
ARRANGE = ACTIONS.index(Arrange)
RELEASE = ACTIONS.index(Release)
EMPLOY = ACTIONS.index(Employ)
RETRAIN = ACTIONS.index(Retrain)
MOVE = ACTIONS.index(Move)
WORK = ACTIONS.index(Work)
FOUND = ACTIONS.index(Found)
DISBAND = ACTIONS.index(Disband)

NOTHING: Row = (-1, 0, 0, 0, 0)
RANDOM_PLAY, TRIES = 201, 12  # what dice are rolled for; tries before the phase is ended
LOITERING = 6  # one random action in so many ends the phase
MOST_TILES = 48  # tiles around a city that citizens may work


RATES = (
    (40, 0, 60), (70, 0, 30), (100, 0, 0), (20, 0, 80), (0, 0, 100), (30, 20, 50), (60, 40, 0), (0, 100, 0),
)  # fmt: skip


# Piece 0 is the nation, then come all cities, then all units.
@rule
def pieces(world: World) -> int:
    """The nation, every city and every unit."""
    return 1 + len(world.cities) + len(world.units)


def _thing(world: World, piece: int) -> City | Unit | None:
    """The city or unit with a number; None for the nation."""
    if piece == 0:
        return None
    cities = list(world.cities.values())
    return cities[piece - 1] if piece <= len(cities) else list(world.units.values())[piece - 1 - len(cities)]


@rule
def options(world: World) -> int:
    """The most options that a piece has."""
    return max(len(_of_people(world.rules)), len(_of_cities(world.rules)), len(OF_UNITS))


@rule
def is_idle(world: World, seat: int, piece: int) -> bool:
    """Whether the piece is a city or unit of another player, which has no actions for the seat."""
    thing = _thing(world, piece)
    return thing is not None and thing.owner.number != seat


@rule
def action_of(world: World, piece: int, option: int) -> Row:
    """The numbered action; its verb is -1 if the piece has no such option."""
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
    """All options of a nation."""
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
    """All options of a city: a verb and two numbers."""
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


# --- random play


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
    """A random legal action of a random piece of the seat; sometimes it ends the phase."""
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
