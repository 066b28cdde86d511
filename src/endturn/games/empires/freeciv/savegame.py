"""Savegames of Freeciv 3.0, loaded into a World. A file is loaded completely, or refused with an error."""

from pathlib import Path
from typing import Any

from endturn.games.empires.freeciv import orders
from endturn.games.empires.freeciv import rules as installed
from endturn.games.empires.freeciv.names import hint, member
from endturn.games.empires.freeciv.secfile import BadSecfile, Secfile, Section, Value, read
from endturn.games.empires.rules.chance import SIZE, RandomGenerator
from endturn.games.empires.rules.geometry import Geometry
from endturn.games.empires.ruleset import Ruleset
from endturn.games.empires.state import (
    NOBODY,
    UNSET,
    City,
    Player,
    Production,
    Relation,
    Research,
    TradeRoute,
    Unit,
    Upset,
    World,
)
from endturn.games.empires.vocabulary import DiplomaticState

VERSION = 40
LARGEST = 2000  # tiles along a side of the map
# The server's settings unless the file or the ruleset says otherwise.
SERVER_DEFAULTS: dict[str, int | bool | str] = {
    "aqueductloss": 0, "barbarians": "NORMAL", "borders": "ENABLED", "contactturns": 20, "disasters": 10,
    "endturn": 5000, "foodbox": 100, "freecost": 0, "fulltradesize": 1, "globalwarming": True,
    "globalwarming_percent": 100, "happyborders": "NATIONAL", "killunhomed": 0, "mgr_distance": 0,
    "mgr_foodneeded": True, "mgr_nationchance": 50, "mgr_turninterval": 5, "mgr_worldchance": 10,
    "migration": False, "multiresearch": False, "notradesize": 0, "nuclearwinter": True,
    "nuclearwinter_percent": 100, "onsetbarbs": 60, "rapturedelay": 1, "revolen": 5,
    "revolentype": "RANDOM", "savepalace": True, "sciencebox": 100, "shieldbox": 100,
    "spaceship_travel_time": 100, "team_pooled_research": True, "techleak": 100, "techlossforgiveness": -1,
    "techlossrestore": 50, "techpenalty": 100, "timeout": 0, "topology": "WRAPX|ISO", "trade_revenue_style": "CLASSIC",
    "trademindist": 9, "tradeworldrelpct": 50, "victories": "SPACERACE|ALLIED", "xsize": 64, "ysize": 64,
    "gold": 50, "civilwarsize": 10, "restrictinfra": False, "phasemode": "ALL",
}  # fmt: skip


def load(path: Path, data: Path | None = None) -> World:
    """The world of a savegame, with its ruleset from Freeciv's data folder."""
    return from_secfile(read(path), data)


def from_secfile(file: Secfile, data: Path | None = None) -> World:
    """The world of a savegame that was read already."""
    head = file.need("savefile")
    if head.integer("version", 0) != VERSION:
        raise head.wrong(f"the version must be {VERSION}, as written by Freeciv 3.0.", "version")
    rules = installed.load(head.text("rulesetdir"), data or installed.data_folder())
    return SavegameLoader(file, head, rules).world()


class SavegameLoader:
    """Reads one savegame; indexes in the file refer to the vectors in its head."""

    def __init__(self, file: Secfile, head: Section, rules: Ruleset) -> None:
        """Take the file, its head and the ruleset it names."""
        self.file, self.head, self.rules = file, head, rules
        self.extras = self.indexes("extras_vector", rules.extra_by_name)
        self.buildings = self.indexes("improvement_vector", rules.building_by_name)
        techs = {**rules.tech_by_name, "a_none": rules.techs[0]}
        self.techs = self.indexes("technology_vector", techs)
        self.tech_index = {name: tech.index for name, tech in techs.items()} | {"a_unset": UNSET, "": UNSET}
        self.activities = head.texts("activities_vector")
        self.governments = rules.governments

    def indexes(self, key: str, named: dict[str, Any]) -> list[int]:
        found = []
        for name in self.head.texts(key):
            if name.lower() not in named:
                raise self.head.wrong(
                    f"{key!r} contains {name!r}, which ruleset {self.rules.name!r} lacks.", key
                )
            found.append(named[name.lower()].index)
        return found

    def world(self) -> World:
        """The whole world."""
        game, settings = self.file.need("game"), self.settings()
        geometry = self.geometry(settings)
        world = World(
            rules=self.rules,
            settings=settings,
            geometry=geometry,
            chance=self.generator(),
            turn=game.integer("turn"),
            year=game.integer("year"),
            year_zero_hidden=game.flag("year_0_hack", False),
            score_turn=game.integer("scoreturn"),
            warming=Upset(*(game.integer(key) for key in ("globalwarming", "heating", "warminglevel"))),
            winter=Upset(*(game.integer(key) for key in ("nuclearwinter", "cooling", "coolinglevel"))),
            phase_mode=game.text("phase_mode", "Concurrent"),
            phase=game.integer("phase", 0),
            global_techs=self.bits(game, "global_advances", self.techs),
            script=self.script(),
            **self.map_rows(geometry),
        )
        self.read_players(world)
        return world

    def settings(self) -> dict[str, Any]:
        section = self.file.need("settings")
        rows = section.records("set")
        with section.blamed("set"):
            self.check_size(section, {str(row["name"]): row["value"] for row in rows})
        return SERVER_DEFAULTS | self.rules.settings | {str(row["name"]): row["value"] for row in rows}

    @staticmethod
    def check_size(section: Section, values: dict[str, Value]) -> None:
        for name in ("xsize", "ysize"):
            size = values.get(name, 16)
            if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= LARGEST:
                raise section.wrong(
                    f"{name!r} must be a whole number from 1 to {LARGEST}, not {size!r}.", "set"
                )

    def geometry(self, settings: dict[str, Any]) -> Geometry:
        topology = str(settings["topology"]).upper().split("|")
        return Geometry(
            settings["xsize"],
            settings["ysize"],
            wraps_x="WRAPX" in topology,
            wraps_y="WRAPY" in topology,
            is_iso="ISO" in topology,
            is_hex="HEX" in topology,
        )

    def script(self) -> str:
        section = self.file.sections.get("script")
        return section.text("vars", "") if section else ""

    def generator(self) -> RandomGenerator:
        section = self.file.need("random")
        words = " ".join(section.text(f"table{row}") for row in range(8)).split()
        if len(words) != SIZE:
            raise section.wrong(
                f"the generator's table must have {SIZE} numbers, not {len(words)}.", "table0"
            )
        j, k, x = (section.integer(f"index_{name}") for name in "JKX")
        if not all(0 <= index < SIZE for index in (j, k, x)):
            raise section.wrong(f"the generator's indexes must be below {SIZE}.", "index_J")
        with section.blamed("table0"):
            return RandomGenerator([int(word, 16) for word in words], j, k, x)

    def bits(self, section: Section, key: str, order: list[int]) -> int:
        return self.set_of(section, section.text(key, ""), order, key)

    @staticmethod
    def set_of(section: Section, digits: str, order: list[int], key: str) -> int:
        if len(digits) > len(order):
            raise section.wrong(f"{key!r} has {len(digits)} digits for {len(order)} names.", key)
        return sum(1 << order[place] for place, digit in enumerate(digits) if digit == "1")

    def map_rows(self, geometry: Geometry) -> dict[str, Any]:
        section = self.file.need("map")
        with section.blamed():
            return self.read_rows(section, geometry)

    def read_rows(self, section: Section, geometry: Geometry) -> dict[str, Any]:
        return {
            "terrain": self.terrain(section, geometry),
            "extras": self.layered(section, "e", geometry, [1 << index for index in self.extras]),
            "owner": self.listed(section, "owner", geometry, NOBODY),
            "source": self.listed(section, "source", geometry, NOBODY),
            "worked": self.listed(section, "worked", geometry, 0),
            "extra_owner": self.listed(section, "eowner", geometry, NOBODY),
            "known": self.layered(section, "k", geometry, [1 << number for number in range(160)]),
        }

    def terrain(self, section: Section, geometry: Geometry) -> list[Any]:
        letters = {str(r["identifier"]): str(r["name"]).lower() for r in self.head.records("terrident")}
        by_letter = {letter: self.rules.terrain_by_name.get(name) for letter, name in letters.items()}
        tiles: list[Any] = []
        for y in range(geometry.height):
            key = f"t{y:04d}"
            row = section.text(key)
            if len(row) != geometry.width or not all(by_letter.get(letter) for letter in row):
                raise section.wrong(f"{key!r} must be {geometry.width} letters of known terrains.", key)
            tiles.extend(by_letter[letter] for letter in row)
        return tiles

    @staticmethod
    def layered(section: Section, letter: str, geometry: Geometry, bits: list[int]) -> list[int]:
        """Rows of hexadecimal digits: each layer has four bits of each tile."""
        found = [0] * geometry.tiles
        layer = 0
        while f"{letter}{layer:02d}_0000" in section.entries:
            four = bits[4 * layer : 4 * layer + 4]
            meaning = {f"{n:x}": sum(b for i, b in enumerate(four) if n >> i & 1) for n in range(16)}
            for y in range(geometry.height):
                row = section.text(f"{letter}{layer:02d}_{y:04d}")
                if row.strip("0"):
                    start = y * geometry.width
                    for x, digit in enumerate(row):
                        if digit != "0":
                            found[start + x] |= meaning[digit]
            layer += 1
        return found

    @staticmethod
    def listed(section: Section, name: str, geometry: Geometry, nothing: int) -> list[int]:
        tiles: list[int] = []
        for y in range(geometry.height):
            key = f"{name}{y:04d}"
            row = section.text(key).rstrip(",").split(",")
            if len(row) != geometry.width:
                raise section.wrong(f"{key!r} must have {geometry.width} entries, not {len(row)}.", key)
            tiles.extend(nothing if entry == "-" else int(entry) for entry in row)
        return tiles

    def read_players(self, world: World) -> None:
        section = self.file.need("players")
        world.last_identity = section.integer("identity_number_used")
        world.destroyed_wonders = self.bits(section, "destroyed_wonders", self.buildings)
        with self.file.need("ruledata").blamed("government"):
            world.government_changes = {
                str(row["name"]).lower(): int(row["changes"])
                for row in self.file.need("ruledata").records("government")
            }
        with self.file.need("research").blamed("r"):
            world.research = self.research()
        for number in range(160):
            if f"player{number}" in self.file.sections:
                own = self.file.need(f"player{number}")
                with own.blamed():
                    world.players[number] = self.player(world, own, number)
        if len(world.players) != section.integer("nplayers"):
            raise section.wrong(f"the file has sections for {len(world.players)} players.", "nplayers")
        shuffled = (
            section.integer(f"shuffled_player_{place}", NOBODY) for place in range(len(world.players))
        )
        world.order = [world.players[number] for number in shuffled if number in world.players]
        if len(world.order) != len(world.players):
            raise section.wrong("the order of players is incomplete.", "shuffled_player_0")
        for part, key in ((self.read_cities, "c"), (self.read_units, "u")):
            for number, player in world.players.items():
                own = self.file.need(f"player{number}")
                with own.blamed(key):
                    part(world, player, own)
        for number, player in world.players.items():
            if missing := set(world.players) - set(player.relations) - {number}:
                own = self.file.need(f"player{number}")
                raise own.wrong(f"the relation to player {min(missing)} is missing.", "diplstate")
        self.read_workers(world)

    def read_workers(self, world: World) -> None:
        """Check that workers and owners of tiles exist, and note the tiles that cities work."""
        section, width = self.file.need("map"), world.geometry.width
        for tile, city in enumerate(world.worked):
            if city:
                if city not in world.cities:
                    key = f"worked{tile // width:04d}"
                    raise section.wrong(f"{key!r} names an unknown city {city}.", key)
                world.cities[city].worked.add(tile)
        for name, owners in (("owner", world.owner), ("eowner", world.extra_owner)):
            for tile, owner in enumerate(owners):
                if owner != NOBODY and owner not in world.players:
                    key = f"{name}{tile // width:04d}"
                    raise section.wrong(f"{key!r} names an unknown player {owner}.", key)

    def research(self) -> dict[int, Research]:
        section = self.file.need("research")
        found = {}
        for row in section.records("r"):
            names = [str(row[key]).lower() for key in ("now_name", "goal_name", "saved_name")]
            if unknown := [name for name in names if name not in self.tech_index]:
                raise section.wrong(f"unknown tech {unknown[0]!r}.", "r")
            now, goal, saved = (self.tech_index[name] for name in names)
            number = int(row["number"])
            found[number] = Research(
                number=number,
                known=self.set_of(section, str(row["done"]), self.techs, "r"),
                bulbs=int(row["bulbs"]),
                researching=now,
                goal=goal,
                saved=saved,
                bulbs_before=int(row["bulbs_before"]),
                got_tech=bool(row["got_tech"]),
                got_tech_multi=bool(row.get("got_tech_multi", False)),
                future_techs=int(row["futuretech"]),
                techs=int(row["techs"]),
            )
        return found

    def government(self, section: Section, key: str) -> str | None:
        name = section.text(key, "").lower()
        if name and name not in self.governments:
            raise section.wrong(f"unknown government {name!r}.", key)
        return name or None

    def player(self, world: World, section: Section, number: int) -> Player:
        team = section.integer("team_no")
        barbarian = section.text("ai.barb_type", "None")
        score = self.file.sections.get(f"score{number}")
        player = Player(
            number=number,
            name=section.text("name"),
            government=self.government(section, "government_name") or "",
            target_government=self.government(section, "target_government_name"),
            revolution_finishes=section.integer("revolution_finishes", -1),
            is_alive=section.flag("is_alive"),
            is_ai="ai" in section.texts("flags"),
            barbarian=None if barbarian == "None" else barbarian,
            skill=section.text("ai.level", "").lower(),
            gold=section.integer("gold"),
            tax=section.integer("rates.tax"),
            science=section.integer("rates.science"),
            luxury=section.integer("rates.luxury"),
            bulbs_last_turn=section.integer("research.bulbs_last_turn"),
            history=section.integer("history", 0),
            turns_alive=section.integer("turns_alive"),
            research=world.research[team if world.settings["team_pooled_research"] else number],
            relations=self.relations(section),
            lost_wonders=self.bits(section, "lost_wonders", self.buildings),
            team=team,
            nation=section.text("nation"),
            style=section.text("style_by_name", ""),
            achievements={str(row["name"]): bool(row["first"]) for row in section.records("achievement")},
            spaceship={
                key.removeprefix("spaceship."): value
                for key, value in section.entries.items()
                if key.startswith("spaceship.") and isinstance(value, int)
            },
            score={key: value for key, value in score.entries.items() if isinstance(value, int)}
            if score
            else {},
        )
        player.units_built, player.units_killed = (
            player.score.get("units_built", 0),
            player.score.get("units_killed", 0),
        )
        player.units_lost = player.score.get("units_lost", 0)
        player.research.players.append(player)
        return player

    def relations(self, section: Section) -> dict[int, Relation]:
        return {
            number: Relation(
                state=self.diplomatic_state(section, row["current"]),
                turns_left=int(row["turns_left"]),
                reason_to_cancel=int(row["has_reason_to_cancel"]),
                contact_turns_left=int(row["contact_turns_left"]),
                embassy=bool(row["embassy"]),
                first_contact_turn=int(row["first_contact_turn"]),
                gives_vision=bool(row["gives_shared_vision"]),
                closest=self.diplomatic_state(section, row["closest"]),
            )
            for number, row in enumerate(section.records("diplstate"))
        }

    @staticmethod
    def diplomatic_state(section: Section, name: Value) -> DiplomaticState:
        found = member(DiplomaticState, str(name))
        if found is None:
            raise section.wrong(
                f"unknown diplomatic state {name!r}.{hint(str(name), list(DiplomaticState))}", "diplstate"
            )
        return found

    def production(self, section: Section, kind: Value, name: Value) -> Production:
        named: dict[str, Any] = self.rules.building_by_name if kind == "Building" else self.rules.unit_types
        found: Production | None = named.get(str(name).lower())
        if found is None:
            raise section.wrong(f"unknown {kind} {name!r}.", "c")
        return found

    def read_cities(self, world: World, player: Player, section: Section) -> None:
        for row in section.records("c"):
            city = self.city(world, player, section, row)
            player.cities.append(city)
            world.cities[city.id] = world.city_at[city.tile] = city

    def city(self, world: World, player: Player, section: Section, row: dict[str, Value]) -> City:
        def number(key: str) -> int:
            if not isinstance(row.get(key), int):
                raise section.wrong(f"a city needs a whole number as {key!r}.", "c")
            return int(row[key])

        specialists = [number(f"nspe{place}") for place in range(len(self.rules.specialists))]
        worklist = [(row[f"wl_kind{i}"], row[f"wl_value{i}"]) for i in range(number("wl_length"))]
        routes = [i for i in range(10) if row.get(f"traderoute{i}")]
        tile = number("y") * world.geometry.width + number("x")
        if number("size") < 1 or not 0 <= tile < world.geometry.tiles:
            raise section.wrong(f"city {row['name']!r} has no citizens, or is not on the map.", "c")
        if min(specialists) < 0 or sum(specialists) > number("size"):
            raise section.wrong(f"city {row['name']!r} has more specialists than citizens.", "c")
        return City(
            id=number("id"),
            name=str(row["name"]),
            owner=player,
            tile=tile,
            founder=number("original"),
            size=number("size"),
            specialists=specialists,
            food_stock=number("food_stock"),
            shield_stock=number("shield_stock"),
            history=number("history"),
            airlift=number("airlift"),
            was_happy=bool(row["was_happy"]),
            turn_plague=number("turn_plague"),
            anarchy=number("anarchy"),
            rapture=number("rapture"),
            turn_founded=number("turn_founded"),
            did_buy=bool(row["did_buy"]),
            did_sell=bool(row["did_sell"]),
            turn_last_built=number("turn_last_built"),
            production=self.production(
                section, row["currently_building_kind"], row["currently_building_name"]
            ),
            changed_from=self.production(section, row["changed_from_kind"], row["changed_from_name"]),
            before_change_shields=number("before_change_shields"),
            caravan_shields=number("caravan_shields"),
            disbanded_shields=number("disbanded_shields"),
            last_turns_shield_surplus=number("last_turns_shield_surplus"),
            radius_sq=number("city_radius_sq"),
            buildings=self.set_of(section, str(row["improvements"]), self.buildings, "c"),
            worklist=[self.production(section, kind, name) for kind, name in worklist],
            options={
                name: bool(row.get(f"option{i}", False))
                for i, name in enumerate(self.head.texts("city_options_vector"))
            },
            routes=[
                TradeRoute(
                    number(f"traderoute{i}"), str(row[f"route_direction{i}"]), str(row[f"route_good{i}"])
                )
                for i in routes
            ],
            citizens=nationalities(row),
            style=str(row.get("style", "")),
        )

    def read_units(self, world: World, player: Player, section: Section) -> None:
        placed: list[tuple[int, int, Unit]] = []
        for row in section.records("u"):
            unit = self.unit(world, player, section, row)
            player.units.append(unit)
            world.units[unit.id] = unit
            placed.append((int(row["ord_map"]), int(row["ord_city"]), unit))
        for _, _, unit in sorted(placed, key=lambda each: each[0]):
            world.units_at.setdefault(unit.tile, []).append(unit)
        for _, _, unit in sorted(placed, key=lambda each: each[1]):
            if unit.home:
                unit.home.units.append(unit)

    def unit(self, world: World, player: Player, section: Section, row: dict[str, Value]) -> Unit:
        def number(key: str) -> int:
            if not isinstance(row.get(key), int):
                raise section.wrong(f"a unit needs a whole number as {key!r}.", "u")
            return int(row[key])

        kind = self.rules.unit_types.get(str(row["type_by_name"]).lower())
        if kind is None:
            raise section.wrong(f"unknown unit type {row['type_by_name']!r}.", "u")
        if number("homecity") and number("homecity") not in world.cities:
            raise section.wrong(f"unit {row['id']} has an unknown home city {row['homecity']}.", "u")
        tile = number("y") * world.geometry.width + number("x")
        if not 0 <= tile < world.geometry.tiles or not 0 <= number("x") < world.geometry.width:
            raise section.wrong(f"unit {row['id']} is not on the map.", "u")
        if not 0 <= number("veteran") < len(kind.veterans) or number("activity") < 0 or number("hp") < 1:
            raise section.wrong(f"unit {row['id']} has an impossible rank, activity or hit points.", "u")
        targets = [
            -1 if number(k) < 0 else self.extras[number(k)] for k in ("activity_tgt", "changed_from_tgt")
        ]
        return Unit(
            id=number("id"),
            owner=player,
            type=kind,
            tile=tile,
            veteran=number("veteran"),
            hp=number("hp"),
            home=world.cities.get(number("homecity")),
            activity=self.activities[number("activity")],
            activity_count=number("activity_count"),
            activity_target=targets[0],
            changed_from=self.activities[number("changed_from")],
            changed_from_count=number("changed_from_count"),
            changed_from_target=targets[1],
            done_moving=bool(row["done_moving"]),
            moves=number("moves"),
            fuel=number("fuel"),
            moved=bool(row["moved"]),
            paradropped=bool(row["paradropped"]),
            transport=number("transported_by"),
            born=number("born"),
            facing=str(row["facing"]),
            nationality=int(row.get("nationality", player.number)),
            carrying=str(row.get("carrying", "")),
            is_auto=bool(row["ai"]),
            stays=bool(row.get("stay", False)),
            orders=self.orders(world.geometry, section, row),
        )

    def orders(self, geometry: Geometry, section: Section, row: dict[str, Value]) -> list[dict[str, Any]]:
        if not row.get("orders_length"):
            return []
        try:
            return orders.read(geometry, row, int(row["y"]) * geometry.width + int(row["x"]), self.extras)
        except (LookupError, TypeError, ValueError):
            raise section.wrong(f"cannot read the orders of unit {row['id']}.", "u") from None


def nationalities(row: dict[str, Value]) -> dict[int, int]:
    """A city's citizens by nationality, as numbers of players."""
    counts = {key.removeprefix("citizen"): value for key, value in row.items() if key.startswith("citizen")}
    return {int(player): int(count) for player, count in counts.items() if count}


__all__ = ["BadSecfile", "from_secfile", "load"]
