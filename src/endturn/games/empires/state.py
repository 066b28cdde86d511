"""The world of Empires: players, cities, units and the map, as plain records that refer to each other."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from endturn.games.empires.rules.chance import RandomGenerator
from endturn.games.empires.rules.geometry import Geometry
from endturn.games.empires.ruleset import Building, Ruleset, Terrain, UnitType
from endturn.games.empires.vocabulary import DiplomaticState

NOBODY = -1
UNSET = -1  # no tech chosen
Production = Building | UnitType


class WorldEvent(NamedTuple):
    """Something that happened, for one player or for everybody."""

    kind: str
    audience: int | None
    subject: int = 0  # the id of a city or unit, or 0
    facts: tuple[object, ...] = ()


class Glimpse(NamedTuple):
    """A tile as a player last saw it."""

    terrain: int
    extras: int
    owner: int
    city: tuple[int, str, int, int] | None = None  # id, name, owner, size


@dataclass(slots=True)
class Motion:
    """A vote: its subject, who called it, and who is for and against it, as bits."""

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
    techs: int  # how many are known, including tech 0, which everybody knows
    players: list["Player"] = field(default_factory=list, repr=False)


@dataclass(slots=True)
class Player:
    """A player and their nation."""

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
    style: str = ""  # the city style
    achievements: dict[str, bool] = field(default_factory=dict)  # by name: whether this player was the first
    spaceship: dict[str, int] = field(default_factory=dict)
    score: dict[str, int] = field(default_factory=dict)
    units_built: int = 0
    units_killed: int = 0
    units_lost: int = 0
    is_dying: bool = False
    phase_done: bool = False
    gold_before: int = 0
    has_lost_tech: bool = False  # and its cities have not replaced their targets yet
    chose_tech: bool = False  # got a tech to study this turn, having chosen none
    stamp: int = 0  # increases when something changes that effects may depend on
    filtered: dict[Any, Any] = field(default_factory=dict, repr=False)
    filtered_at: tuple[int, int] = (-1, -1)


@dataclass(slots=True)
class City:
    """A city; what savegames do not hold is computed by a refresh."""

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
    units: list["Unit"] = field(default_factory=list, repr=False)  # the units it supports
    worked: set[int] = field(default_factory=set)  # tiles, the center included
    tile_yields: dict[tuple[int, int, bool], tuple[int, ...]] = field(default_factory=dict, repr=False)
    stamp: int = 0
    known: dict[Any, Any] = field(default_factory=dict, repr=False)  # cached answers of effects
    known_at: tuple[int, int, int] = (-1, -1, -1)
    tile_base: list[int] = field(default_factory=lambda: [0] * 6)
    made: list[int] = field(default_factory=lambda: [0] * 6)  # output
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
    counted_from: tuple[object, ...] | None = None  # what the last refresh depended on
    needs_arranging: bool = False
    needs_counting: bool = False  # a unit of it stands on land that changed hands
    has_grown: bool = False  # since it last claimed its border
    has_built: bool = False  # an improvement this turn, so that its next target waits
    mood_before: tuple[bool, bool] = (False, False)  # happy, and celebrating, before its turn

    @property
    def workers(self) -> int:
        """The citizens who are not specialists."""
        return self.size - sum(self.specialists)

    def has(self, building: Building) -> bool:
        """Whether the city has the building."""
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
    transport: int  # the id of the unit that carries it, or -1
    born: int
    facing: str
    nationality: int
    carrying: str = ""
    is_auto: bool = False
    stays: bool = False
    orders: list[dict[str, Any]] = field(default_factory=list)
    upkeep: list[int] = field(default_factory=lambda: [0] * 6)
    paid_gold: int = 0
    has_finished: bool = False  # its work, in the current step


@dataclass(slots=True)
class Upset:
    """How close the climate is to a change."""

    accumulated: int
    current: int
    level: int


Advisor = Callable[["World", City], Production | None]


@dataclass(slots=True)
class World:
    """The complete state of a match."""

    rules: Ruleset
    settings: dict[str, Any]
    geometry: Geometry
    chance: RandomGenerator
    turn: int
    year: int
    year_zero_hidden: bool  # the year shows as 1 and counts as 0
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
    draws_identities: bool = False  # in matches; worlds from savegames use consecutive ids
    phase_mode: str = "Concurrent"
    phase: int = 0  # of this turn, if players or teams act one after the other
    players: dict[int, Player] = field(default_factory=dict)
    order: list[Player] = field(default_factory=list)
    cities: dict[int, City] = field(default_factory=dict)
    units: dict[int, Unit] = field(default_factory=dict)
    city_at: dict[int, City] = field(default_factory=dict)
    units_at: dict[int, list[Unit]] = field(default_factory=dict)
    research: dict[int, Research] = field(default_factory=dict)
    government_changes: dict[str, int] = field(default_factory=dict)
    player_slots: int = 160
    seats: int = 2  # in the match: players with lower numbers have one
    script: str = ""  # variables of the ruleset's script, kept for the server
    continents: list[int] = field(default_factory=list)
    lakes: dict[int, int | None] = field(default_factory=dict)  # the only continent around a water, cached
    waters: dict[tuple[int, int], bool] = field(
        default_factory=dict
    )  # whether the claim of a source reaches a water tile, cached
    events: list[WorldEvent] = field(default_factory=list)
    stamp: int = 0
    is_over: bool = False
    winners: list[int] = field(default_factory=list)
    seen: dict[int, dict[int, Glimpse]] = field(default_factory=dict)  # by player and tile
    motion: Motion | None = None
    has_fog: bool = True  # whether units out of sight are hidden, by the setting at the start of the turn
    advisor: Advisor | None = None  # picks what a city builds when its worklist ends; None for ours

    def tell(self, kind: str, audience: int | None, subject: int = 0, *facts: object) -> None:
        """Record an event."""
        self.events.append(WorldEvent(kind, audience, subject, facts))
