"""A World as a savegame of Freeciv 3.0, which the real server loads and continues.

What the server keeps and our rules do not have (the memory of its bots, colours, how a tile looked before it changed)
is written as in a new game, or as it is now.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from pathlib import Path

from endturn.games.empires.freeciv.orders import written
from endturn.games.empires.freeciv.savegame import VERSION
from endturn.games.empires.freeciv.secfile import Entry, Raw, Secfile, Section, SectionTable, Value, write
from endturn.games.empires.ruleset import Building
from endturn.games.empires.state import NOBODY, UNSET, City, Player, Production, Relation, Unit, World
from endturn.games.empires.vocabulary import DiplomaticState

ACTIVITIES = (
    "Idle", "Pollution", "Unused Road", "Mine", "Irrigate", "Fortified", "Fortress", "Sentry", "Unused Railroad",
    "Pillage", "Goto", "Explore", "Transform", "Unused", "Unused Airbase", "Fortifying", "Fallout", "Unused Patrol",
    "Base", "Road", "Convert",
)  # fmt: skip
ACTIONS = ("Found City",)  # the server needs at least one; orders refer to them by position
DECISIONS = "nothing", "passive", "active"
TRAITS = "Expansionist", "Trader", "Aggressive"
OPTIONS = "Disband", "Sci_Specialists", "Tax_Specialists"
LETTERS = "abcdefghijklmnopqrstvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # of terrains; "u" means unknown
STYLE = "European"
WORDS_A_ROW = 7
SEEN_LAYERS = 4  # of the turn in which a tile was seen, four bits each
PLAYERS_A_LAYER = 4
NEW_UNIT: dict[str, Value] = {
    "battlegroup": -1, "go": False, "goto_x": 0, "goto_y": 0, "passenger": 0, "ferryboat": 0, "charge": 0,
    "bodyguard": 0, "action_decision": 0, "action_decision_tile_x": -1, "action_decision_tile_y": -1,
}  # fmt: skip
NEW_CITY: dict[str, Value] = {
    "ai.urgency": 0, "ai.building_turn": 0, "ai.building_wait": 5, "ai.founder_turn": 0, "ai.founder_want": 0,
    "ai.founder_boat": False,
}  # fmt: skip
NEW_ATTITUDE: dict[str, Value] = {
    "love": 0, "spam": 0, "countdown": -1, "war_reason": 5, "patience": 0, "warn_space": 0, "ask_peace": 0,
    "ask_alliance": 0, "ask_ceasefire": 0,
}  # fmt: skip


def save(world: World, path: Path) -> None:
    """Write the world to a file."""
    path.write_text(write(to_secfile(world, str(path))))


def to_secfile(world: World, name: str = "endturn.sav") -> Secfile:
    """The world as the sections of a savegame."""
    file = Secfile(name)
    for title, entries in SavegameWriter(world).sections():
        file.sections[title] = Section(title, name, 0, entries)
    return file


def _table(rows: Sequence[dict[str, Value]]) -> SectionTable:
    columns = tuple(rows[0]) if rows else ()
    return SectionTable(columns, [[row[column] for column in columns] for row in rows])


class SavegameWriter:
    """Writes one world; indexes in the file refer to the ruleset's lists."""

    def __init__(self, world: World) -> None:
        """Take the world, and assign a letter to each of its terrains."""
        self.world, self.rules = world, world.rules
        self.letters = {terrain.index: LETTERS[terrain.index] for terrain in world.rules.terrains}

    def sections(self) -> Iterable[tuple[str, dict[str, Entry]]]:
        """All sections, in the server's order."""
        world = self.world
        yield "scenario", {"game_version": 3000600, "is_scenario": False}
        yield "savefile", self.head()
        yield "game", self.game()
        yield "random", self.random()
        yield "script", {"code": Raw(""), "vars": Raw(world.script)}
        yield "settings", self.settings()
        yield "ruledata", {"government": self.governments()}
        yield "map", self.map()
        yield "players", self.players()
        for number, player in sorted(world.players.items()):
            yield f"player{number}", self.player(player)
            yield f"score{number}", self.score(player)
        yield "research", self.research()
        yield "event_cache", {"count": 0}
        yield "history", {"turn": -2}
        yield "mapimg", {"count": 0}

    def head(self) -> dict[str, Entry]:
        rules = self.rules
        vectors: dict[str, Sequence[str]] = {
            "improvement": [building.name for building in rules.buildings],
            "technology": ["A_NONE", *(tech.name for tech in rules.techs[1:])],
            "activities": ACTIVITIES,
            "specialists": rules.specialists,
            "trait": TRAITS,
            "extras": [extra.name for extra in rules.extras],
            "multipliers": [],
            "diplstate_type": [state.value for state in DiplomaticState],
            "city_options": OPTIONS,
            "action": ACTIONS,
            "action_decision": DECISIONS,
        }
        made: dict[str, Entry] = {
            "options": " +version3", "version": VERSION, "reason": "Autosave", "revision": "3.0.6",
            "rulesetdir": rules.name,
        }  # fmt: skip
        for name, values in vectors.items():
            made[f"{name}_size"] = len(values)
            if values:
                made[f"{name}_vector"] = list(values)
        made["terrident"] = _table(
            [{"name": t.name, "identifier": self.letters[t.index]} for t in rules.terrains]
        )
        return made

    def game(self) -> dict[str, Entry]:
        world = self.world
        return {
            "server_state": "S_S_RUNNING", "phase_seconds": 0, "meta_patches": "", "meta_server": "", "id": "endturn",
            "serverid": "", "level": "Hard", "phase_mode": world.phase_mode, "phase_mode_stored": world.phase_mode,
            "phase": world.phase, "scoreturn": world.score_turn, "timeoutint": 0, "timeoutintinc": 0, "timeoutinc": 0,
            "timeoutincmult": 1, "timeoutcounter": 1, "turn": world.turn, "year": world.year,
            "year_0_hack": world.year_zero_hidden, "globalwarming": world.warming.accumulated,
            "heating": world.warming.current, "warminglevel": world.warming.level,
            "nuclearwinter": world.winter.accumulated, "cooling": world.winter.current,
            "coolinglevel": world.winter.level, "random_seed": int(world.settings.get("gameseed", 0)),
            "global_advances": _bits(world.global_techs, len(self.rules.techs)), "last_turn_change_time": 0,
            "save_players": True, "ai_types": "classic", "save_known": True,
        }  # fmt: skip

    def random(self) -> dict[str, Entry]:
        chance = self.world.chance
        made: dict[str, Entry] = {
            "saved": True, "index_J": chance.j, "index_K": chance.k, "index_X": chance.x,
        }  # fmt: skip
        for row, start in enumerate(range(0, len(chance.table), WORDS_A_ROW)):
            made[f"table{row}"] = " ".join(f"{n:8x}" for n in chance.table[start : start + WORDS_A_ROW])
        return made

    def settings(self) -> dict[str, Entry]:
        rows: list[dict[str, Value]] = [
            {"name": name, "value": value, "gamestart": value}
            for name, value in sorted(self.world.settings.items())
        ]
        return {"set": _table(rows), "set_count": len(rows), "gamestart_valid": False}

    def governments(self) -> SectionTable:
        changes, names = self.world.government_changes, self.rules.governments
        return _table([{"name": name, "changes": changes.get(name, 0)} for name in names])

    # --- the map

    def rows(self, key: str, text: Callable[[int], str], between: str = "") -> dict[str, Entry]:
        """A line of text for each row of tiles; `text` makes the part of each tile."""
        width, height = self.world.geometry.width, self.world.geometry.height
        return {
            f"{key}{y:04d}": between.join(text(tile) for tile in range(y * width, (y + 1) * width))
            for y in range(height)
        }

    def layers(self, key: str, numbers: Sequence[int], count: int) -> dict[str, Entry]:
        """Numbers as rows of hexadecimal digits: each layer has four bits of each tile."""
        made: dict[str, Entry] = {}
        for layer in range(count):
            four = [f"{number >> 4 * layer & 15:x}" for number in numbers]
            made |= self.rows(f"{key}{layer:02d}_", four.__getitem__)
        return made

    def owners(self, key: str, numbers: Sequence[int], nobody: int = NOBODY) -> dict[str, Entry]:
        return self.rows(key, lambda tile: "-" if numbers[tile] == nobody else str(numbers[tile]), ",")

    @property
    def extra_layers(self) -> int:
        return (len(self.rules.extras) + 3) // 4

    def map(self) -> dict[str, Entry]:
        world = self.world
        most = max(world.players, default=0)
        return {
            "have_huts": True,
            "have_resources": True,
            **self.rows("t", lambda tile: self.letters[world.terrain[tile].index]),
            "startpos_count": 0,
            **self.layers("e", world.extras, self.extra_layers),
            **self.owners("owner", world.owner),
            **self.owners("source", world.source),
            **self.owners("eowner", world.extra_owner),
            **self.owners("worked", world.worked, 0),
            **self.layers("k", world.known, most // PLAYERS_A_LAYER + 1),
        }

    def seen(self, player: Player) -> dict[str, Entry]:
        """What the player knows of the map, as it is now."""
        world, bit = self.world, 1 << player.number
        known = [bool(each & bit) for each in world.known]
        extras = [each if seen else 0 for each, seen in zip(world.extras, known, strict=True)]
        made = self.rows(
            "map_t", lambda tile: self.letters[world.terrain[tile].index] if known[tile] else "u"
        )
        if world.settings.get("foggedborders"):
            for key, owners in ("map_owner", world.owner), ("extras_owner", world.extra_owner):
                seen = [each if is_known else NOBODY for each, is_known in zip(owners, known, strict=True)]
                made |= {key: f"{row}," for key, row in self.owners(key, seen).items()}
        made |= self.layers("map_e", extras, self.extra_layers)
        return made | self.layers("map_u", [world.turn] * world.geometry.tiles, SEEN_LAYERS)

    def seen_cities(self, player: Player) -> list[dict[str, Value]]:
        foreign = (city for city in self.world.cities.values() if city.owner is not player)
        return [self.seen_city(c) for c in foreign if self.world.known[c.tile] >> player.number & 1]

    def seen_city(self, city: City) -> dict[str, Value]:
        y, x = divmod(city.tile, self.world.geometry.width)
        return {
            "y": y, "x": x, "id": city.id, "owner": city.owner.number, "size": city.size,
            "occupied": bool(self.world.units_at.get(city.tile)), "walls": False, "happy": False, "unhappy": False,
            "style": city.style or STYLE, "city_image": 0, "improvements": _bits(0, len(self.rules.buildings)),
            "name": city.name,
        }  # fmt: skip

    # --- players

    def players(self) -> dict[str, Entry]:
        world = self.world
        return {
            "nplayers": len(world.players),
            "destroyed_wonders": _bits(world.destroyed_wonders, len(self.rules.buildings)),
            "identity_number_used": world.last_identity,
            **{f"shuffled_player_{place}": player.number for place, player in enumerate(world.order)},
        }

    def player(self, player: Player) -> dict[str, Entry]:
        made: dict[str, Entry] = {
            "ai_type": "classic", "name": player.name, "username": "Unassigned", "unassigned_user": True,
            "ranked_username": "Unassigned", "unassigned_ranked": True, "orig_username": "",
            "delegation_username": "", **_colour(player.number), "nation": player.nation, "team_no": player.team,
            "government_name": player.government,
        }  # fmt: skip
        if player.target_government:
            made["target_government_name"] = player.target_government
        made |= {"style_by_name": player.style or STYLE, "idle_turns": 0, "kind": "male"}
        if player.is_ai:  # the server cannot read an empty list of flags
            made["flags"] = "ai"
        made |= {
            "is_alive": player.is_alive, "turns_alive": player.turns_alive, "last_war": 0,
            "phase_done": player.phase_done,
            "diplstate": _table([_relation(each) for _, each in sorted(player.relations.items())]),
            "ai": _table([NEW_ATTITUDE] * len(player.relations)),
            "ai.level": player.skill, "ai.barb_type": player.barbarian or "None", "gold": player.gold,
            "rates.tax": player.tax, "rates.science": player.science, "rates.luxury": player.luxury,
            "research.bulbs_last_turn": player.bulbs_last_turn,
            "trait": _table([{"val": 50, "mod": 0} for _ in TRAITS]),
            "achievement_count": len(player.achievements),
        }  # fmt: skip
        if player.achievements:
            made["achievement"] = _table([{"name": n, "first": f} for n, f in player.achievements.items()])
        made |= {
            "got_first_city": True,
            "revolution_finishes": player.revolution_finishes,
            **{f"spaceship.{key}": value for key, value in (player.spaceship or {"state": 0}).items()},
            "lost_wonders": _bits(player.lost_wonders, len(self.rules.buildings)),
            "history": player.history,
            "hut_count": 0,
            "border_vision": False,
            "ncities": len(player.cities),
        }
        return made | self.possessions(player)

    def possessions(self, player: Player) -> dict[str, Entry]:
        made: dict[str, Entry] = {}
        if player.cities:
            longest = max(len(city.worklist) for city in player.cities)
            made["c"] = _table([self.city(city, longest) for city in player.cities])
        made["nunits"] = len(player.units)
        if player.units:
            longest = max(1, *(len(unit.orders) for unit in player.units))
            orders = [written(self.world.geometry, unit, longest) for unit in player.units]
            made["u"] = _table([self.unit(u) | told for u, told in zip(player.units, orders, strict=True)])
        if player.is_alive:
            made |= self.seen(player)
            seen = self.seen_cities(player)
            made["dc_total"] = len(seen)
            if seen:
                made["dc"] = _table(seen)
        return made

    def score(self, player: Player) -> dict[str, Entry]:
        kept = {"units_built": player.units_built, "units_killed": player.units_killed}
        return {**player.score, **kept, "units_lost": player.units_lost}

    def city(self, city: City, longest_worklist: int) -> dict[str, Value]:
        y, x = divmod(city.tile, self.world.geometry.width)
        made: dict[str, Value] = {"y": y, "x": x, "id": city.id, "original": city.founder, "size": city.size}
        made |= {f"nspe{place}": count for place, count in enumerate(city.specialists)}
        made |= self.routes(city)
        made |= {
            "food_stock": city.food_stock, "shield_stock": city.shield_stock, "history": city.history,
            "airlift": city.airlift, "was_happy": city.was_happy, "turn_plague": city.turn_plague,
            "anarchy": city.anarchy, "rapture": city.rapture, "steal": 0, "turn_founded": city.turn_founded,
            "did_buy": city.did_buy, "did_sell": city.did_sell, "turn_last_built": city.turn_last_built,
            "name": city.name, **_item("currently_building", city.production),
            **_item("changed_from", city.changed_from), "before_change_shields": city.before_change_shields,
            "caravan_shields": city.caravan_shields, "disbanded_shields": city.disbanded_shields,
            "last_turns_shield_surplus": city.last_turns_shield_surplus, "style": city.style or STYLE,
            "city_radius_sq": city.radius_sq, "improvements": _bits(city.buildings, len(self.rules.buildings)),
            "wl_length": len(city.worklist),
        }  # fmt: skip
        for place, (item, _) in enumerate(zip_longest(city.worklist, range(longest_worklist))):
            made[f"wl_kind{place}"], made[f"wl_value{place}"] = _kind_and_name(item)
        made |= {f"option{place}": city.options.get(name, False) for place, name in enumerate(OPTIONS)}
        made |= NEW_CITY
        if self.rules.parameters.nationality:
            made |= {f"citizen{number}": city.citizens.get(number, 0) for number in self.world.players}
        return made

    def routes(self, city: City) -> dict[str, Value]:
        """The routes of a city, with as many columns as the owner's city with most routes has."""
        most = max(len(each.routes) for each in city.owner.cities)
        made: dict[str, Value] = {}
        for place in range(most):
            route = city.routes[place] if place < len(city.routes) else None
            made[f"traderoute{place}"] = route.partner if route else 0
            made[f"route_direction{place}"] = route.direction if route else "Bidirectional"
            made[f"route_good{place}"] = route.good if route else self.rules.goods[0]
        return made

    def unit(self, unit: Unit) -> dict[str, Value]:
        y, x = divmod(unit.tile, self.world.geometry.width)
        return {
            "id": unit.id, "x": x, "y": y, "facing": unit.facing, "nationality": unit.nationality,
            "veteran": unit.veteran, "hp": unit.hp, "homecity": unit.home.id if unit.home else 0,
            "type_by_name": unit.type.name, "activity": ACTIVITIES.index(unit.activity),
            "activity_count": unit.activity_count, "activity_tgt": unit.activity_target,
            "changed_from": ACTIVITIES.index(unit.changed_from), "changed_from_count": unit.changed_from_count,
            "changed_from_tgt": unit.changed_from_target, "done_moving": unit.done_moving, "moves": unit.moves,
            "fuel": unit.fuel, "born": unit.born, "ai": unit.is_auto,
            "ord_map": self.world.units_at[unit.tile].index(unit),
            "ord_city": unit.home.units.index(unit) if unit.home else 0,
            "moved": unit.moved, "paradropped": unit.paradropped, "transported_by": unit.transport,
            "carrying": unit.carrying, "stay": unit.stays, **NEW_UNIT,
        }  # fmt: skip

    def research(self) -> dict[str, Entry]:
        rows: list[dict[str, Value]] = []
        for number, research in sorted(self.world.research.items()):
            rows.append({
                "number": number, "goal_name": self.tech(research.goal), "techs": research.techs,
                "futuretech": research.future_techs, "bulbs_before": research.bulbs_before,
                "saved_name": "" if research.saved == UNSET else self.tech(research.saved), "bulbs": research.bulbs,
                "now_name": self.tech(research.researching), "got_tech": research.got_tech,
                "got_tech_multi": research.got_tech_multi,
                "done": _bits(research.known | 1, len(self.rules.techs)),
            })  # fmt: skip
        return {"r": _table(rows), "count": len(rows)}

    def tech(self, index: int) -> str:
        return {UNSET: "A_UNSET", 0: "A_NONE"}.get(index) or self.rules.techs[index].name


def _colour(number: int) -> dict[str, Entry]:
    """A colour that no other player has: each channel takes every third bit of the player's number."""
    channels = [
        255 - 36 * sum((number >> 3 * i + channel & 1) << i for i in range(3)) for channel in range(3)
    ]
    return {f"color.{name}": value for name, value in zip("rgb", channels, strict=True)}


def _bits(numbers: int, count: int) -> str:
    return "".join("1" if numbers >> place & 1 else "0" for place in range(count))


def _kind_and_name(item: Production | None) -> tuple[str, str]:
    if item is None:
        return "", ""
    return "Building" if isinstance(item, Building) else "UnitType", item.name


def _item(key: str, item: Production) -> dict[str, Value]:
    kind, name = _kind_and_name(item)
    return {f"{key}_kind": kind, f"{key}_name": name}


def _relation(relation: Relation) -> dict[str, Value]:
    return {
        "current": relation.state.value, "closest": relation.closest.value,
        "first_contact_turn": relation.first_contact_turn, "turns_left": relation.turns_left,
        "has_reason_to_cancel": relation.reason_to_cancel, "contact_turns_left": relation.contact_turns_left,
        "embassy": relation.embassy, "gives_shared_vision": relation.gives_vision,
    }  # fmt: skip
