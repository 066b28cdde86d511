"""The world of Empires: players, cities, units and the map, as plain records that point at one another."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from endturn.games.empires.rules.chance import Generator
from endturn.games.empires.rules.geometry import Geometry
from endturn.games.empires.ruleset import Building, Ruleset, Terrain, UnitType
from endturn.games.empires.vocabulary import DiplomaticState

NOBODY = -1
UNSET = -1  # a tech not chosen
EVERYBODY = None
Production = Building | UnitType


class Event(NamedTuple):
    """Something that happened, for one player or for everybody."""

    kind: str
    audience: int | None
    subject: int = 0  # the id of a city or unit, where it is about one
    facts: tuple[object, ...] = ()


class Glimpse(NamedTuple):
    """A tile as a player saw it last."""

    terrain: int
    extras: int
    owner: int
    city: tuple[int, str, int, int] | None = None  # id, name, owner, size


@dataclass(slots=True)
class Motion:
    """What the seats vote on: a subject, who moved it, and who is for and against it, as bits."""

    subject: int
    mover: int
    turns_left: int
    yes: int = 0
    no: int = 0


@dataclass(slots=True)
class Relation:
    """How one player stands to another."""

    state: DiplomaticState
    turns_left: int
    reason_to_cancel: int
    contact_turns_left: int
    embassy: bool
    first_contact_turn: int
    gives_vision: bool = False
    closest: DiplomaticState = DiplomaticState.WAR


@dataclass(slots=True)
class Research:
    """What a team knows and studies; techs are indexes of the ruleset."""

    number: int
    known: int
    bulbs: int
    researching: int
    goal: int
    saved: int
    bulbs_before: int
    got_tech: bool
    got_tech_multi: bool
    future_techs: int
    techs: int  # how many were learnt, the one nobody needs to learn included
    players: list["Player"] = field(default_factory=list, repr=False)


@dataclass(slots=True)
class Player:
    """An empire."""

    number: int
    name: str
    government: str
    target_government: str | None
    revolution_finishes: int
    is_alive: bool
    is_ai: bool
    barbarian: str | None
    skill: str
    gold: int
    tax: int
    science: int
    luxury: int
    bulbs_last_turn: int
    history: int
    turns_alive: int
    research: Research
    relations: dict[int, Relation]
    cities: list["City"] = field(default_factory=list, repr=False)
    units: list["Unit"] = field(default_factory=list, repr=False)
    lost_wonders: int = 0
    team: int = 0
    nation: str = ""
    style: str = ""  # what its cities look like
    achievements: dict[str, bool] = field(default_factory=dict)  # by name, whether it was the first
    spaceship: dict[str, int] = field(default_factory=dict)
    score: dict[str, int] = field(default_factory=dict)
    units_built: int = 0
    units_killed: int = 0
    units_lost: int = 0
    is_dying: bool = False
    phase_done: bool = False
    gold_before: int = 0
    has_lost_tech: bool = False  # and its cities have not yet planned anew
    chose_tech: bool = False  # this turn, for want of a choice
    stamp: int = 0  # moves on when something changes that effects may ask about
    filtered: dict[Any, Any] = field(default_factory=dict, repr=False)
    filtered_at: tuple[int, int] = (-1, -1)


@dataclass(slots=True)
class City:
    """A city; what the savegame does not hold is computed by a refresh."""

    id: int
    name: str
    owner: Player = field(repr=False)
    tile: int
    founder: int
    size: int
    specialists: list[int]
    food_stock: int
    shield_stock: int
    history: int
    airlift: int
    was_happy: bool
    turn_plague: int
    anarchy: int
    rapture: int
    turn_founded: int
    did_buy: bool
    did_sell: bool
    turn_last_built: int
    production: Production
    changed_from: Production
    before_change_shields: int
    caravan_shields: int
    disbanded_shields: int
    last_turns_shield_surplus: int
    radius_sq: int
    buildings: int
    worklist: list[Production]
    options: dict[str, bool]
    routes: list["TradeRoute"]
    citizens: dict[int, int]  # by nationality
    style: str = ""
    units: list["Unit"] = field(default_factory=list, repr=False)  # those it supports
    worked: set[int] = field(default_factory=set)  # tiles, the centre included
    tile_yields: dict[tuple[int, int, bool], tuple[int, ...]] = field(default_factory=dict, repr=False)
    stamp: int = 0
    known: dict[Any, Any] = field(default_factory=dict, repr=False)  # answers of effects
    known_at: tuple[int, int, int] = (-1, -1, -1)
    tile_base: list[int] = field(default_factory=lambda: [0] * 6)
    made: list[int] = field(default_factory=lambda: [0] * 6)  # production
    waste: list[int] = field(default_factory=lambda: [0] * 6)
    usage: list[int] = field(default_factory=lambda: [0] * 6)
    surplus: list[int] = field(default_factory=lambda: [0] * 6)
    bonus: list[int] = field(default_factory=lambda: [100] * 6)
    happy: int = 0
    content: int = 0
    unhappy: int = 0
    angry: int = 0
    pollution: int = 0
    illness: int = 0
    counted_from: tuple[object, ...] | None = None  # what it depended on when it was counted last
    needs_arranging: bool = False
    needs_counting: bool = False  # something far away has changed that matters here
    has_grown: bool = False  # since its borders were claimed last
    has_built: bool = False  # an improvement this turn: what is planned next waits
    mood_before: tuple[bool, bool] = (False, False)  # happy and celebrating before its turn

    @property
    def workers(self) -> int:
        """Citizens that are no specialists."""
        return self.size - sum(self.specialists)

    def has(self, building: Building) -> bool:
        """Whether the building stands here."""
        return bool(self.buildings & building.bit)


@dataclass(slots=True)
class TradeRoute:
    """Goods that go to another city, come from it, or both."""

    partner: int
    direction: str
    good: str


@dataclass(slots=True)
class Unit:
    """A unit; `upkeep` is what its city pays for it since the last refresh."""

    id: int
    owner: Player = field(repr=False)
    type: UnitType = field(repr=False)
    tile: int
    veteran: int
    hp: int
    home: City | None = field(repr=False)
    activity: str
    activity_count: int
    activity_target: int  # index of an extra, or -1
    changed_from: str
    changed_from_count: int
    changed_from_target: int
    done_moving: bool
    moves: int
    fuel: int
    moved: bool
    paradropped: bool
    transport: int  # the id of what carries it, or -1
    born: int
    facing: str
    nationality: int
    carrying: str = ""
    is_auto: bool = False
    stays: bool = False
    orders: list[dict[str, Any]] = field(default_factory=list)
    upkeep: list[int] = field(default_factory=lambda: [0] * 6)
    paid_gold: int = 0
    has_finished: bool = False  # its work, at this moment


@dataclass(slots=True)
class Upset:
    """How far the climate is from turning."""

    accumulated: int
    current: int
    level: int


Advisor = Callable[["World", City], Production | None]


@dataclass(slots=True)
class World:
    """The whole truth of a match."""

    rules: Ruleset
    settings: dict[str, Any]
    geometry: Geometry
    chance: Generator
    turn: int
    year: int
    year_zero_hidden: bool  # the year is written as 1, and counted as 0
    score_turn: int
    warming: Upset
    winter: Upset
    terrain: list[Terrain]
    extras: list[int]
    owner: list[int]
    source: list[int]
    worked: list[int]  # the id of the city that works the tile, or 0
    extra_owner: list[int]
    known: list[int]  # players that know the tile, as bits
    global_techs: int = 0
    destroyed_wonders: int = 0
    last_identity: int = 0
    draws_identities: bool = False  # in matches; worlds from savegames count them
    phase_mode: str = "Concurrent"
    phase: int = 0  # of this turn, where players or teams act in a queue
    players: dict[int, Player] = field(default_factory=dict)
    order: list[Player] = field(default_factory=list)
    cities: dict[int, City] = field(default_factory=dict)
    units: dict[int, Unit] = field(default_factory=dict)
    city_at: dict[int, City] = field(default_factory=dict)
    units_at: dict[int, list[Unit]] = field(default_factory=dict)
    research: dict[int, Research] = field(default_factory=dict)
    government_changes: dict[str, int] = field(default_factory=dict)
    player_slots: int = 160
    seats: int = 2  # of the match: the players numbered below; further peoples have none
    script: str = ""  # what the ruleset's script has noted, kept for the server
    continents: list[int] = field(default_factory=list)
    lakes: dict[int, int | None] = field(default_factory=dict)  # a water's only shore, once asked
    waters: dict[tuple[int, int], bool] = field(
        default_factory=dict
    )  # whether a source's land reaches a water
    events: list[Event] = field(default_factory=list)
    stamp: int = 0
    is_over: bool = False
    winners: list[int] = field(default_factory=list)
    seen: dict[int, dict[int, Glimpse]] = field(default_factory=dict)  # by player: what it saw, by tile
    motion: Motion | None = None
    has_fog: bool = True  # whether units out of sight are hidden, as the setting said when the turn began
    advisor: Advisor | None = None  # what a city builds when its worklist ends; ours if None

    def tell(self, kind: str, audience: int | None, subject: int = 0, *facts: object) -> None:
        """Note what happened."""
        self.events.append(Event(kind, audience, subject, facts))
