"""A world as one line of JSON and back: every field except caches, with references as numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any

import msgspec

from endturn.games.empires import own
from endturn.games.empires.rules.chance import RandomGenerator
from endturn.games.empires.rules.geometry import Geometry
from endturn.games.empires.ruleset import Ruleset
from endturn.games.empires.state import (
    City,
    Glimpse,
    Motion,
    Player,
    Production,
    Relation,
    Research,
    TradeRoute,
    Unit,
    Upset,
    World,
    WorldEvent,
)
from endturn.games.empires.vocabulary import DiplomaticState

FORMAT = 1
CACHES = {"stamp", "filtered", "filtered_at", "tile_yields", "known", "known_at", "counted_from"}


def _names(kind: Any, besides: Iterable[str]) -> tuple[str, ...]:
    """The fields of a class that are written unchanged."""
    return tuple(each.name for each in fields(kind) if each.name not in besides)


RELATION, RESEARCH, ROUTE = _names(Relation, ()), _names(Research, {"players"}), _names(TradeRoute, ())
PLAYER = _names(Player, CACHES | {"research", "relations", "cities", "units"})
CITY = _names(
    City,
    CACHES | {"owner", "production", "changed_from", "worklist", "routes", "units", "worked", "citizens"},
)
UNIT = _names(Unit, {"owner", "type", "home"})
WORLD = (
    "settings", "turn", "year", "year_zero_hidden", "score_turn", "extras", "owner", "source", "worked", "extra_owner",
    "known", "global_techs", "destroyed_wonders", "last_identity", "draws_identities", "phase_mode", "phase",
    "government_changes", "player_slots", "seats", "script", "is_over", "winners", "has_fog",
)  # fmt: skip
_relation, _research, _route = attrgetter(*RELATION), attrgetter(*RESEARCH), attrgetter(*ROUTE)
_player, _city, _unit = attrgetter(*PLAYER), attrgetter(*CITY), attrgetter(*UNIT)


def items(rules: Ruleset) -> list[Production]:
    """All buildings and unit types by number: buildings first."""
    return [*rules.buildings, *rules.unit_types.values()]


def number_of(rules: Ruleset, item: Production) -> int:
    """The number of a building or unit type."""
    places = {id(each): place for place, each in enumerate(items(rules))}
    return places[id(item)]


# --- writing ------------------------------------------------------------------------------------------------


def write(world: World) -> str:
    """The world as one line."""
    return dump(world).decode()


def dump(world: World) -> bytes:
    """The same as bytes: equal worlds have equal bytes."""
    places = {id(each): place for place, each in enumerate(items(world.rules))}
    return msgspec.json.encode(
        {
            "empires": FORMAT,
            "rules": [world.rules.name, world.rules.parameters.gold_upkeep_style],
            "map": _shape(world.geometry),
            "terrain": [terrain.index for terrain in world.terrain],
            "world": {name: getattr(world, name) for name in WORLD},
            "climate": [_upset(world.warming), _upset(world.winter)],
            "chance": world.chance.state(),
            "research": [_research(each) for each in world.research.values()],
            "players": [_written_player(each) for each in world.players.values()],
            "order": [player.number for player in world.order],
            "cities": [_written_city(each, places) for each in world.cities.values()],
            "units": [_written_unit(each) for each in world.units.values()],
            "standing": [
                [tile, *(unit.id for unit in units)]
                for tile, units in sorted(world.units_at.items())
                if units
            ],
            "news": [tuple(event) for event in world.events],
            "seen": [[number, *sorted(known.items())] for number, known in world.seen.items()],
            "motion": world.motion and [getattr(world.motion, name) for name in _names(Motion, ())],
        }
    )


def _shape(geometry: Geometry) -> list[Any]:
    made = (
        geometry.width,
        geometry.height,
        geometry.wraps_x,
        geometry.wraps_y,
        geometry.is_iso,
        geometry.is_hex,
    )
    return list(made)


def _upset(upset: Upset) -> list[int]:
    return [upset.accumulated, upset.current, upset.level]


def _written_player(player: Player) -> list[Any]:
    relations = [[number, *_relation(each)] for number, each in player.relations.items()]
    cities, units = [city.id for city in player.cities], [unit.id for unit in player.units]
    return [*_player(player), player.research.number, relations, cities, units]


def _written_city(city: City, places: dict[int, int]) -> list[Any]:
    return [
        *_city(city),
        city.owner.number,
        places[id(city.production)],
        places[id(city.changed_from)],
        [places[id(each)] for each in city.worklist],
        [_route(each) for each in city.routes],
        [unit.id for unit in city.units],
        sorted(city.worked),
        list(city.citizens.items()),
    ]


def _written_unit(unit: Unit) -> list[Any]:
    home = 0 if unit.home is None else unit.home.id
    return [*_unit(unit), unit.owner.number, unit.type.name.lower(), home]


# --- reading ------------------------------------------------------------------------------------------------


def read(text: str) -> World:
    """The world of a position; ValueError if the line is not a position."""
    return load(World, text.encode())


def load(kind: type[World], data: bytes) -> World:
    """The world of these bytes."""
    try:
        said = msgspec.json.decode(data)
        if said["empires"] != FORMAT:
            raise ValueError(f"its format is {said['empires']!r}, not {FORMAT}")
        return _world(said)
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"not a position of Empires: {error}") from None


def _rules(name: str, upkeep_style: str) -> Ruleset:
    rules = own.ruleset()
    if name != rules.name:
        raise ValueError(f"its ruleset is {name!r}, not {rules.name!r}")
    return replace(rules, parameters=replace(rules.parameters, gold_upkeep_style=upkeep_style))


def _world(said: dict[str, Any]) -> World:
    rules = _rules(*said["rules"])
    j, k, x, table = said["chance"]
    world = World(
        rules=rules,
        geometry=Geometry(*said["map"]),
        chance=RandomGenerator(table, j, k, x),
        terrain=[rules.terrains[each] for each in said["terrain"]],
        warming=Upset(*said["climate"][0]),
        winter=Upset(*said["climate"][1]),
        **said["world"],
    )
    world.research = {
        each.number: each for each in (_made(Research, RESEARCH, row) for row in said["research"])
    }
    for row in said["players"]:
        _read_player(world, row)
    for row in said["cities"]:
        _read_city(world, row)
    for row in said["units"]:
        _read_unit(world, row)
    _join(world, said)
    return world


def _made(kind: Any, names: tuple[str, ...], row: Sequence[Any], **more: Any) -> Any:
    return kind(**dict(zip(names, row, strict=False)), **more)


def _read_player(world: World, row: list[Any]) -> None:
    *_, research, relations, _cities, _units = row
    met = {number: _relation_of(each) for number, *each in relations}
    player = _made(Player, PLAYER, row, research=world.research[research], relations=met)
    player.research.players.append(player)
    world.players[player.number] = player


def _relation_of(row: list[Any]) -> Relation:
    relation: Relation = _made(Relation, RELATION, row)
    relation.state, relation.closest = DiplomaticState(relation.state), DiplomaticState(relation.closest)
    return relation


def _read_city(world: World, row: list[Any]) -> None:
    owner, production, changed_from, worklist, routes, _units, worked, citizens = row[len(CITY) :]
    things = items(world.rules)
    city = _made(
        City,
        CITY,
        row,
        owner=world.players[owner],
        production=things[production],
        changed_from=things[changed_from],
        worklist=[things[each] for each in worklist],
        routes=[TradeRoute(*each) for each in routes],
        worked=set(worked),
        citizens=dict(citizens),
    )
    city.mood_before = tuple(city.mood_before)
    world.cities[city.id] = world.city_at[city.tile] = city


def _read_unit(world: World, row: list[Any]) -> None:
    owner, kind, home = row[len(UNIT) :]
    more = {
        "owner": world.players[owner],
        "type": world.rules.unit_types[kind],
        "home": world.cities.get(home),
    }
    unit = _made(Unit, UNIT, row, **more)
    world.units[unit.id] = unit


def _join(world: World, said: dict[str, Any]) -> None:
    """Set the references between records."""
    world.order = [world.players[number] for number in said["order"]]
    for player, row in zip(world.players.values(), said["players"], strict=True):
        player.cities, player.units = [world.cities[i] for i in row[-2]], [world.units[i] for i in row[-1]]
    for city, row in zip(world.cities.values(), said["cities"], strict=True):
        city.units = [world.units[i] for i in row[len(CITY) + 5]]
    world.units_at = {tile: [world.units[i] for i in ids] for tile, *ids in said["standing"]}
    world.events = [
        WorldEvent(kind, audience, about, tuple(facts)) for kind, audience, about, facts in said["news"]
    ]
    world.seen = {
        number: {tile: Glimpse(a, b, c, d and tuple(d)) for tile, (a, b, c, d) in known}
        for number, *known in said["seen"]
    }
    world.motion = Motion(*said["motion"]) if said["motion"] else None


def copy(world: World) -> World:
    """A copy of the world that shares nothing that changes."""
    return load(World, dump(world))
