"""Installed rulesets of Freeciv 3.0, read into our records."""

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar

from endturn.games.empires.freeciv import names
from endturn.games.empires.freeciv.names import Named
from endturn.games.empires.freeciv.secfile import BadSecfile, Secfile, Section, Value, read, unqualified
from endturn.games.empires.ruleset import (
    NOTHING,
    Achievement,
    Building,
    Disaster,
    Effect,
    Extra,
    Parameters,
    Requirement,
    Ruleset,
    Tech,
    Terrain,
    UnitClass,
    UnitType,
    Veteran,
    Yields,
)
from endturn.games.empires.vocabulary import EffectType, Range, RequirementType

INSTALLED = Path("/usr/share/games/freeciv")
CAPABILITY = "+Freeciv-3.0-ruleset"
CHAPTERS = "game", "terrain", "units", "buildings", "techs", "governments", "cities", "effects"
YIELDING = "food", "shield", "trade", "gold", "luxury", "science"
RESULTS = "irrigation", "mining", "transform"
CLIMATES = "warmer_wetter", "warmer_drier", "cooler_wetter", "cooler_drier"
TIMES = "base", "road", "irrigation", "mining", "transform", "pillage", "clean_pollution", "clean_fallout"
# Added by the rulesets' scripts: a tech that gives a free tech to every player who researches it.
SCRIPTED = {"multiplayer": {"Philosophy": "Bonus_Tech_Each"}}
WORDED = {"barbarians", "borders", "diplomacy"}
NUMBERED = {
    RequirementType.MIN_SIZE, RequirementType.MIN_YEAR, RequirementType.AGE, RequirementType.MAX_UNITS_ON_TILE,
}  # fmt: skip


def data_folder() -> Path:
    """Where Freeciv's data is: the variable ENDTURN_FREECIV_DATA, or else the installed folder."""
    return Path(os.environ.get("ENDTURN_FREECIV_DATA", INSTALLED))


@cache
def load(name: str, data: Path) -> Ruleset:
    """The installed ruleset with this name."""
    folder = data / name
    if not folder.is_dir():
        raise BadSecfile(
            f"{folder}: ruleset {name!r} is not installed here. On Debian, install freeciv-data."
        )
    rules = RulesetLoader({chapter: _chapter(folder, chapter, data) for chapter in CHAPTERS}).ruleset(name)
    for tech, flag in SCRIPTED.get(name, {}).items():
        if tech.lower() in rules.tech_by_name:
            rules.tech_by_name[tech.lower()].flags |= {flag}
    return rules


def _chapter(folder: Path, chapter: str, data: Path) -> Secfile:
    path = folder / f"{chapter}.ruleset"
    if not path.is_file():
        raise BadSecfile(f"{path}: the ruleset lacks this file.")
    file = read(path, data)
    head = file.need("datafile")
    if CAPABILITY not in head.text("options", "").split():
        raise head.wrong(f"not a ruleset of Freeciv 3.0. Its options must contain {CAPABILITY}.", "options")
    return file


def _key(section: Section) -> str:
    return unqualified(section.text("rule_name", section.text("name")))


def _flags(section: Section, key: str = "flags") -> frozenset[str]:
    return frozenset(section.texts(key))


def _lower(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)


def _name(section: Section, key: str) -> str | None:
    text = section.text(key, "None")
    return None if text.lower() in ("none", "-", "") else text


def _yields(section: Section, pattern: str) -> Yields:
    return tuple(section.integer(pattern.format(name), 0) for name in YIELDING)


def _setting(name: str, value: Value) -> Value:
    """ENABLED and DISABLED are yes and no, except for settings with more than these two words."""
    if name in WORDED or not isinstance(value, str):
        return value
    return {"ENABLED": True, "DISABLED": False}.get(value, value)


Made = TypeVar("Made")


def blaming(read: Callable[..., Made]) -> Callable[..., Made]:
    """Report any error while reading from a section as a problem of that section."""

    @wraps(read)
    def reader(*arguments: Any) -> Made:
        section = next(each for each in arguments if isinstance(each, Section))
        with section.blamed():
            return read(*arguments)

    return reader


class RulesetLoader:
    """Reads the chapters of a ruleset, names first, so that requirements can be resolved."""

    def __init__(self, files: dict[str, Secfile]) -> None:
        """Take the chapters by name."""
        self.files = files
        self.techs = self.read_techs()
        self.tech_index = {tech.name.lower(): tech.index for tech in self.techs}
        self.names: dict[RequirementType, Mapping[str, int | str]] = {
            RequirementType.BUILDING: self.indexes("buildings", "building_"),
            RequirementType.EXTRA: self.indexes("terrain", "extra_"),
            RequirementType.TERRAIN: self.indexes("terrain", "terrain_"),
            RequirementType.TECH: self.tech_index,
            RequirementType.GOV: self.keys("governments", "government_"),
            RequirementType.SPECIALIST: self.keys("cities", "specialist_"),
            RequirementType.UNIT_TYPE: self.keys("units", "unit_"),
            RequirementType.UNIT_CLASS: self.keys("units", "unitclass_"),
        }

    def indexes(self, chapter: str, prefix: str) -> dict[str, int]:
        sections = self.files[chapter].starting(prefix)
        return {_key(section).lower(): index for index, section in enumerate(sections)}

    def keys(self, chapter: str, prefix: str) -> dict[str, str]:
        """Names that requirements keep, in lower case."""
        return {name: name for name in self.indexes(chapter, prefix)}

    def ruleset(self, name: str) -> Ruleset:
        """The whole ruleset."""
        extras = self.read_extras()
        extra_bits = {extra.name.lower(): extra.bit for extra in extras}
        terrains = [self.terrain(i, s, extra_bits) for i, s in self.numbered("terrain", "terrain_")]
        buildings = [self.building(i, s) for i, s in self.numbered("buildings", "building_")]
        classes = {_key(s).lower(): self.unit_class(s) for s in self.files["units"].starting("unitclass_")}
        units = [self.unit_type(i, s, classes) for i, s in self.numbered("units", "unit_")]
        effects, unused_effects = self.effects()
        return Ruleset(
            name=name,
            parameters=self.parameters(),
            terrains=terrains,
            extras=extras,
            unit_classes=classes,
            unit_types={unit.name.lower(): unit for unit in units},
            buildings=buildings,
            techs=self.techs,
            governments={
                _key(s).lower(): self.requirements(s)
                for s in self.files["governments"].starting("government_")
            },
            specialists=[_key(s).lower() for s in self.files["cities"].starting("specialist_")],
            disasters=[self.disaster(s) for s in self.files["game"].starting("disaster_")],
            goods=[_key(s) for s in self.files["game"].starting("goods_")],
            achievements=[self.achievement(s) for s in self.files["game"].starting("achievement_")],
            effects=effects,
            unused_effects=unused_effects,
            action_flags=self.action_flags(),
            settings=self.settings(),
            terrain_by_name={terrain.name.lower(): terrain for terrain in terrains},
            extra_by_name={extra.name.lower(): extra for extra in extras},
            building_by_name={building.name.lower(): building for building in buildings},
            tech_by_name={tech.name.lower(): tech for tech in self.techs},
        )

    def effects(self) -> tuple[dict[EffectType, list[Effect]], dict[str, list[Effect]]]:
        """Effects by type: first those that rules ask for, then the others that Freeciv has."""
        used: dict[EffectType, list[Effect]] = {}
        unused: dict[str, list[Effect]] = {}
        for section in self.files["effects"].starting("effect_"):
            name = section.text("type")
            effect = Effect(section.integer("value", 1), self.requirements(section))
            if name.lower() in names.OURS:
                used.setdefault(names.OURS[name.lower()], []).append(effect)
            elif name.lower() in names.OTHERS:
                unused.setdefault(names.OTHERS[name.lower()], []).append(effect)
            else:
                known = [*names.OURS.values(), *names.OTHERS.values()]
                raise section.wrong(f"unknown effect type {name!r}.{names.hint(name, known)}", "type")
        return used, unused

    def numbered(self, chapter: str, prefix: str) -> Iterable[tuple[int, Section]]:
        return enumerate(self.files[chapter].starting(prefix))

    def requirements(self, section: Section, key: str = "reqs") -> tuple[Requirement, ...]:
        return tuple(self.requirement(section, key, row) for row in section.records(key))

    @blaming
    def requirement(self, section: Section, key: str, row: Mapping[str, object]) -> Requirement:
        kind = self.word(RequirementType, "requirement type", section, key, str(row["type"]))
        return Requirement(
            kind,
            str(row["name"]),
            self.word(Range, "range", section, key, str(row["range"])),
            bool(row.get("present", True)),
            bool(row.get("survives", False)),
            self.value(section, key, kind, str(row["name"])),
        )

    @staticmethod
    def word(kind: type[Named], title: str, section: Section, key: str, word: str) -> Named:
        """The member of an enum that an entry names."""
        found = names.member(kind, word)
        if found is None:
            raise section.wrong(f"unknown {title} {word!r}.{names.hint(word, list(kind))}", key)
        return found

    def value(self, section: Section, key: str, kind: RequirementType, name: str) -> int | str:
        """What the name in a requirement stands for: an index, a number, or the name in lower case."""
        if kind in self.names:
            known = self.names[kind]
            if name.lower() not in known:
                guess = names.hint(name, list(known))
                raise section.wrong(f"it requires an unknown {kind} {name!r}.{guess}", key)
            return known[name.lower()]
        if kind in NUMBERED:
            return int(name)
        return YIELDING.index(name.lower()) if kind == RequirementType.OUTPUT_TYPE else name.lower()

    def read_techs(self) -> list[Tech]:
        sections = list(self.files["techs"].starting("advance_"))
        index = {_key(s).lower(): i + 1 for i, s in enumerate(sections)}
        techs = [Tech(0, "None", (0, 0), frozenset(), 0)]
        techs += [self.tech(i + 1, section, index) for i, section in enumerate(sections)]
        for tech in techs[1:]:
            tech.all_needs = self.closure(techs, tech.index)
        for tech in techs[1:]:
            roots = {techs[i].root for i in range(1, len(techs)) if tech.all_needs >> i & 1} - {0}
            tech.root = min(roots, default=0)
        return techs

    @blaming
    def tech(self, number: int, section: Section, index: dict[str, int]) -> Tech:
        needs = []
        for key in ("req1", "req2", "root_req"):
            needed = section.text(key, "None").lower()
            if needed not in index and needed not in ("none", "never"):
                raise section.wrong(f"{key!r} names an unknown tech {needed!r}.", key)
            needs.append(-1 if needed == "never" else index.get(needed, 0))
        return Tech(
            number,
            _key(section),
            (needs[0], needs[1]),
            _flags(section),
            section.integer("cost", -1),
            needs[2],
        )

    @staticmethod
    def closure(techs: list[Tech], start: int) -> int:
        found, waiting = 0, [start]
        while waiting:
            index = waiting.pop()
            if index > 0 and not found >> index & 1:
                found |= 1 << index
                waiting.extend(techs[index].needs)
        return found

    @blaming
    def terrain(self, index: int, section: Section, extra_bits: dict[str, int]) -> Terrain:
        results = {kind: section.text(f"{kind}_result", "no") for kind in (*RESULTS, *CLIMATES)}
        return Terrain(
            index=index,
            name=_key(section),
            is_ocean=section.text("class", "Land") == "Oceanic",
            flags=_flags(section),
            yields=_yields(section, "{}"),
            resources=sum(extra_bits[name.lower()] for name in section.texts("resources")),
            road_percent=_yields(section, "road_{}_incr_pct"),
            irrigation_food=section.integer("irrigation_food_incr", 0),
            mining_shield=section.integer("mining_shield_incr", 0),
            results={
                kind: None if name.lower() in ("no", "none") else name for kind, name in results.items()
            },
            times={kind: section.integer(f"{kind}_time", 0) for kind in TIMES},
            native_to=_lower(section.texts("native_to")),
            movement_cost=section.integer("movement_cost", 1),
        )

    def read_extras(self) -> list[Extra]:
        extras = [self.extra(i, s) for i, s in self.numbered("terrain", "extra_")]
        named = {extra.name.lower(): extra for extra in extras}
        for section in self.files["terrain"].starting("resource_"):
            self.described(section, named).resource = _yields(section, "{}")
        for section in self.files["terrain"].starting("road_"):
            extra = self.described(section, named)
            extra.road_flags = _flags(section)
            extra.road_const = _yields(section, "{}_incr_const")
            extra.road_increase = _yields(section, "{}_incr")
            extra.road_bonus = _yields(section, "{}_bonus")
        for section in self.files["terrain"].starting("base_"):
            extra = self.described(section, named)
            extra.is_base, extra.base_flags = True, _flags(section)
            extra.border_sq = section.integer("border_sq", -1)
            extra.vision_main_sq = section.integer("vision_main_sq", -1)
        return extras

    @staticmethod
    def described(section: Section, named: dict[str, Extra]) -> Extra:
        name = section.text("extra")
        if name.lower() not in named:
            raise section.wrong(f"unknown extra {name!r}.", "extra")
        return named[name.lower()]

    @blaming
    def extra(self, index: int, section: Section) -> Extra:
        return Extra(
            index=index,
            name=_key(section),
            causes=_flags(section, "causes"),
            removal_causes=_flags(section, "rmcauses"),
            build_time=section.integer("build_time", 0),
            removal_time=section.integer("removal_time", 0),
            requirements=self.requirements(section),
            flags=_flags(section),
            conflicts=_lower(section.texts("conflicts")),
            hidden_by=_lower(section.texts("hidden_by")),
            native_to=_lower(section.texts("native_to")),
            buildable=section.flag("buildable", True),
            appearance_chance=section.integer("appearance_chance", 0),
            disappearance_chance=section.integer("disappearance_chance", 0),
            bit=1 << index,
        )

    @blaming
    def unit_class(self, section: Section) -> UnitClass:
        return UnitClass(
            _key(section), section.integer("min_speed"), section.integer("hp_loss_pct"), _flags(section)
        )

    def veterans(self, section: Section) -> tuple[Veteran, ...]:
        owner = section if "veteran_names" in section.entries else self.files["units"].need("veteran_system")
        columns = (
            owner.vector(f"veteran_{part}") for part in ("work_raise_chance", "power_fact", "move_bonus")
        )
        return tuple(Veteran(*map(int, level)) for level in zip(*columns, strict=True))

    @blaming
    def unit_type(self, index: int, section: Section, classes: dict[str, UnitClass]) -> UnitType:
        unit_class = section.text("class").lower()
        if unit_class not in classes:
            raise section.wrong(f"unknown unit class {unit_class!r}.", "class")
        tech = _name(section, "tech_req")
        if tech is not None and tech.lower() not in self.tech_index:
            raise section.wrong(f"unknown tech {tech!r}.", "tech_req")
        return UnitType(
            index=index,
            name=_key(section),
            unit_class=classes[unit_class],
            tech=None if tech is None else self.tech_index[tech.lower()],
            government=_name(section, "gov_req"),
            building=_name(section, "impr_req"),
            obsolete_by=_name(section, "obsolete_by"),
            convert_to=_name(section, "convert_to"),
            convert_time=section.integer("convert_time", 1),
            build_cost=section.integer("build_cost"),
            pop_cost=section.integer("pop_cost"),
            attack=section.integer("attack"),
            hitpoints=section.integer("hitpoints"),
            move_rate=section.integer("move_rate"),
            fuel=section.integer("fuel"),
            upkeep=_yields(section, "uk_{}"),
            unhappiness=section.integer("uk_happy", 0),
            flags=_flags(section),
            roles=_flags(section, "roles"),
            veterans=self.veterans(section),
            transport_capacity=section.integer("transport_cap"),
            cargo=_lower(section.texts("cargo")),
        )

    @blaming
    def building(self, index: int, section: Section) -> Building:
        return Building(
            index=index,
            name=_key(section),
            genus=section.text("genus"),
            requirements=self.requirements(section),
            obsolete_by=self.requirements(section, "obsolete_by"),
            replaced_by=_name(section, "replaced_by"),
            build_cost=section.integer("build_cost"),
            upkeep=section.integer("upkeep"),
            flags=_flags(section),
            bit=1 << index,
        )

    @blaming
    def disaster(self, section: Section) -> Disaster:
        return Disaster(
            _key(section),
            self.requirements(section),
            section.integer("frequency"),
            _flags(section, "effects"),
        )

    @blaming
    def achievement(self, section: Section) -> Achievement:
        return Achievement(
            _key(section),
            section.text("type"),
            section.integer("value", 1),
            section.flag("unique", False),
            section.integer("culture", 0),
        )

    def action_flags(self) -> dict[str, frozenset[str]]:
        flags: dict[str, set[str]] = {}
        for section in self.files["game"].starting("actionenabler_"):
            wanted = flags.setdefault(section.text("action"), set())
            rows = section.records("actor_reqs")
            wanted |= {str(r["name"]) for r in rows if r["type"] == "UnitFlag" and r.get("present", True)}
        return {action: frozenset(wanted) for action, wanted in flags.items()}

    def settings(self) -> dict[str, Value]:
        chapter = self.files["game"].sections.get("settings")
        rows = chapter.records("set") if chapter else []
        return {str(row["name"]): _setting(str(row["name"]), row["value"]) for row in rows}

    def parameters(self) -> Parameters:
        game, cities = self.files["game"], self.files["cities"]
        style, illness, borders = game.need("civstyle"), game.need("illness"), game.need("borders")
        research, calendar = game.need("research"), game.need("calendar")
        city, citizen, missing = (cities.need(s) for s in ("parameters", "citizen", "missing_unit_upkeep"))
        resources = "food", "shield", "gold"
        with style.blamed():
            granary = tuple(int(each) for each in style.vector("granary_food_ini"))
            if not granary or min(granary) < 1:
                raise style.wrong("'granary_food_ini' must be numbers of at least 1.", "granary_food_ini")
        with game.need("trade").blamed("settings"):
            routes = {
                str(row["type"]): (int(row["pct"]), str(row["cancelling"]))
                for row in game.need("trade").records("settings")
            }
        return Parameters(
            base_pollution=style.integer("base_pollution", -20),
            happy_cost=style.integer("happy_cost"),
            food_cost=style.integer("food_cost"),
            granary_first=granary,
            granary_increase=style.integer("granary_food_inc"),
            min_city_center=_yields(style, "min_city_center_{}") or NOTHING,
            init_city_radius_sq=style.integer("init_city_radius_sq"),
            gold_upkeep_style=style.text("gold_upkeep_style"),
            tech_loss_allow_holes=style.flag("tech_loss_allow_holes", True),
            tech_parasite_allow_holes=style.flag("tech_parasite_allow_holes", True),
            autoupgrade_veteran_loss=style.integer("autoupgrade_veteran_loss"),
            illness_on=illness.flag("illness_on"),
            illness_base_factor=illness.integer("illness_base_factor"),
            illness_min_size=illness.integer("illness_min_size"),
            illness_trade_infection=illness.integer("illness_trade_infection"),
            illness_pollution_factor=illness.integer("illness_pollution_factor"),
            border_radius_sq_city=borders.integer("radius_sq_city"),
            border_size_effect=borders.integer("size_effect"),
            border_radius_sq_permanent=borders.integer("radius_sq_city_permanent"),
            tech_cost_style=research.text("tech_cost_style"),
            base_tech_cost=research.integer("base_tech_cost"),
            tech_leakage=research.text("tech_leakage"),
            tech_upkeep_style=research.text("tech_upkeep_style"),
            tech_upkeep_divider=research.integer("tech_upkeep_divider"),
            free_tech_method=research.text("free_tech_method"),
            start_year=calendar.integer("start_year"),
            skip_year_0=calendar.flag("skip_year_0"),
            move_fragments=self.files["terrain"].need("parameters").integer("move_fragments"),
            celebrate_size_limit=city.integer("celebrate_size_limit"),
            angry_citizens=city.flag("angry_citizens"),
            nationality=citizen.flag("nationality"),
            convert_speed=citizen.integer("convert_speed"),
            culture_migration_pml=game.need("culture").integer("migration_pml"),
            upkeep_protected={name: _flags(missing, f"{name}_protected") for name in resources},
            upkeep_actions={name: tuple(missing.texts(f"{name}_unit_act")) for name in resources},
            upkeep_wipe={name: missing.flag(f"{name}_wipe", True) for name in resources},
            trade_routes=routes,
            during_revolution=self.files["governments"].need("governments").text("during_revolution").lower(),
            goods_on_leaving=game.need("trade").text("goods_selection", "Leaving") == "Leaving",
        )
