"""What a ruleset holds: terrain, units, buildings, techs, governments and effects, as plain records.

The `index` of a record is also its bit in the sets that states keep as integers (extras of a tile, buildings of a city,
techs of a player).
"""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from endturn.games.empires.vocabulary import EffectType, Range, RequirementType


class Output(IntEnum):
    """What tiles and cities produce."""

    FOOD = 0
    SHIELD = 1
    TRADE = 2
    GOLD = 3
    LUXURY = 4
    SCIENCE = 5


FOOD, SHIELD, TRADE, GOLD, LUXURY, SCIENCE = Output
OUTPUTS = tuple(Output)
NOTHING = (0,) * len(OUTPUTS)
PART_GENUS = "Special"
Yields = tuple[int, ...]  # an integer for each output


@dataclass(slots=True, eq=False)
class Requirement:
    """A condition that must hold (`present`) or must not, within a range."""

    kind: RequirementType
    name: str
    range: Range
    present: bool
    survives: bool
    value: Any = None  # what `name` stands for: an index, a number, or the name in lower case
    asks: tuple[RequirementType, Range] = field(init=False)

    def __post_init__(self) -> None:
        """Note the key under which rules find how to answer it."""
        self.asks = self.kind, self.range


@dataclass(slots=True, eq=False)
class Effect:
    """A value that counts while all requirements hold."""

    value: int
    requirements: tuple[Requirement, ...]


@dataclass(slots=True, eq=False)
class Terrain:
    """A kind of land or water."""

    index: int
    name: str
    is_ocean: bool
    flags: frozenset[str]
    yields: Yields
    resources: int  # the extras that yield something here, as bits
    road_percent: Yields
    irrigation_food: int
    mining_shield: int
    results: dict[str, str | None]  # the terrain after irrigating, mining, transforming or a climate change
    times: dict[str, int]
    native_to: frozenset[str]
    movement_cost: int = 1


@dataclass(slots=True, eq=False)
class Extra:
    """Something on a tile: a road, mine, resource, pollution, base."""

    index: int
    name: str
    causes: frozenset[str]
    removal_causes: frozenset[str]
    build_time: int
    removal_time: int
    requirements: tuple[Requirement, ...]
    flags: frozenset[str]
    conflicts: frozenset[str]
    hidden_by: frozenset[str]
    native_to: frozenset[str]
    buildable: bool
    appearance_chance: int
    disappearance_chance: int
    resource: Yields = NOTHING
    road_const: Yields = NOTHING
    road_increase: Yields = NOTHING
    road_bonus: Yields = NOTHING
    road_flags: frozenset[str] = frozenset()
    is_base: bool = False
    base_flags: frozenset[str] = frozenset()
    border_sq: int = -1
    vision_main_sq: int = -1
    bit: int = 0


@dataclass(slots=True, eq=False)
class UnitClass:
    """How a class of units moves."""

    name: str
    min_speed: int
    hp_loss_pct: int
    flags: frozenset[str]


@dataclass(slots=True, eq=False)
class Veteran:
    """What a veteran level gives."""

    work_raise_chance: int
    power_fact: int
    move_bonus: int


@dataclass(slots=True, eq=False)
class UnitType:
    """A type of unit."""

    index: int
    name: str
    unit_class: UnitClass
    tech: int | None
    government: str | None
    building: str | None
    obsolete_by: str | None
    convert_to: str | None
    convert_time: int
    build_cost: int
    pop_cost: int
    attack: int
    hitpoints: int
    move_rate: int
    fuel: int
    upkeep: Yields
    unhappiness: int
    flags: frozenset[str]
    roles: frozenset[str]
    veterans: tuple[Veteran, ...]
    transport_capacity: int
    cargo: frozenset[str]

    @property
    def native(self) -> str:
        """The name under which terrain and extras list the unit's class."""
        return self.unit_class.name.lower()


@dataclass(slots=True, eq=False)
class Building:
    """An improvement, wonder, space part or coinage."""

    index: int
    name: str
    genus: str
    requirements: tuple[Requirement, ...]
    obsolete_by: tuple[Requirement, ...]
    replaced_by: str | None
    build_cost: int
    upkeep: int
    flags: frozenset[str]
    bit: int = 0

    @property
    def is_great_wonder(self) -> bool:
        """Whether only one can exist in the world."""
        return self.genus == "GreatWonder"

    @property
    def is_small_wonder(self) -> bool:
        """Whether each nation can have one."""
        return self.genus == "SmallWonder"

    @property
    def is_wonder(self) -> bool:
        """Whether it is a great or small wonder."""
        return self.genus in ("GreatWonder", "SmallWonder")

    @property
    def is_improvement(self) -> bool:
        """Whether it is an ordinary building, which can be sold."""
        return self.genus == "Improvement"

    @property
    def is_coinage(self) -> bool:
        """Whether it turns shields into gold."""
        return "Gold" in self.flags

    @property
    def is_part(self) -> bool:
        """Whether it is part of a spaceship."""
        return self.genus == PART_GENUS and not self.is_coinage


@dataclass(slots=True, eq=False)
class Tech:
    """A tech. Index 0 is no tech at all and known to everybody."""

    index: int
    name: str
    needs: tuple[int, int]  # indexes of techs, 0 for none; -1 for never
    flags: frozenset[str]
    cost: int
    root: int = 0  # the tech without which it cannot be acquired at all, 0 for none; -1 for never
    all_needs: int = 0  # bits of all techs it requires, itself included


@dataclass(slots=True, eq=False)
class Disaster:
    """A disaster that may strike a city."""

    name: str
    requirements: tuple[Requirement, ...]
    frequency: int
    effects: frozenset[str]


@dataclass(slots=True, eq=False)
class Achievement:
    """An achievement, earned once by each player or only once at all."""

    name: str
    kind: str
    value: int
    is_unique: bool
    culture: int


@dataclass(slots=True)
class Parameters:
    """The single values of a ruleset."""

    base_pollution: int
    happy_cost: int
    food_cost: int
    granary_first: tuple[int, ...]
    granary_increase: int
    min_city_center: Yields
    init_city_radius_sq: int
    gold_upkeep_style: str
    tech_loss_allow_holes: bool
    tech_parasite_allow_holes: bool
    autoupgrade_veteran_loss: int
    illness_on: bool
    illness_base_factor: int
    illness_min_size: int
    illness_trade_infection: int
    illness_pollution_factor: int
    border_radius_sq_city: int
    border_size_effect: int
    border_radius_sq_permanent: int
    tech_cost_style: str
    base_tech_cost: int
    tech_leakage: str
    tech_upkeep_style: str
    tech_upkeep_divider: int
    free_tech_method: str
    start_year: int
    skip_year_0: bool
    move_fragments: int
    celebrate_size_limit: int
    angry_citizens: bool
    nationality: bool
    convert_speed: int
    culture_migration_pml: int
    upkeep_protected: dict[str, frozenset[str]]
    upkeep_actions: dict[str, tuple[str, ...]]
    upkeep_wipe: dict[str, bool]
    trade_routes: dict[str, tuple[int, str]]  # percent, and what happens to an impossible route
    during_revolution: str
    goods_on_leaving: bool  # whether a new unit carries goods


CENTRE = EffectType.GOV_CENTER  # an effect of one city on which waste in all others depends


@dataclass(slots=True)
class Ruleset:
    """All rules that are data."""

    name: str
    parameters: Parameters
    terrains: list[Terrain]
    extras: list[Extra]
    unit_classes: dict[str, UnitClass]
    unit_types: dict[str, UnitType]
    buildings: list[Building]
    techs: list[Tech]
    governments: dict[str, tuple[Requirement, ...]]
    specialists: list[str]
    disasters: list[Disaster]
    goods: list[str]
    achievements: list[Achievement]
    effects: dict[EffectType, list[Effect]]
    unused_effects: dict[str, list[Effect]]  # those that Freeciv has and no rule of ours asks for
    action_flags: dict[str, frozenset[str]]  # the unit flags that an action requires
    settings: dict[str, Any]
    terrain_by_name: dict[str, Terrain] = field(default_factory=dict)
    extra_by_name: dict[str, Extra] = field(default_factory=dict)
    building_by_name: dict[str, Building] = field(default_factory=dict)
    tech_by_name: dict[str, Tech] = field(default_factory=dict)
    far_reaching: dict[str, int] = field(default_factory=dict)  # buildings and techs, as bits, by range

    def __post_init__(self) -> None:
        """Note which buildings and techs effects need beyond a city, and beyond an owner."""
        owner, world, techs = 0, 0, 0
        for kind, effects in self.effects.items():
            for requirement in (each for effect in effects for each in effect.requirements):
                if requirement.kind == RequirementType.BUILDING:
                    world |= (requirement.range == Range.WORLD) << requirement.value
                    far = requirement.range not in (Range.CITY, Range.LOCAL) or kind == CENTRE
                    owner |= far << requirement.value
        everything = [req for building in self.buildings for req in building.obsolete_by]
        everything += [
            req for effects in self.effects.values() for each in effects for req in each.requirements
        ]
        for requirement in everything:
            if requirement.asks == (RequirementType.TECH, Range.WORLD):
                techs |= 1 << requirement.value
        self.far_reaching = {"owner": owner, "world": world, "techs": techs}
