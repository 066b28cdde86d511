"""A new world from settings and a seed: land, rivers, resources, and nations with a city each."""

from dataclasses import replace
from enum import IntEnum
from typing import Annotated, Any

from endturn.engine.settings import Settings as AnySettings
from endturn.engine.settings import choice, number
from endturn.games.empires import own
from endturn.games.empires.freeciv.savegame import SERVER_DEFAULTS
from endturn.games.empires.rules import sequence
from endturn.games.empires.rules.chance import RandomGenerator, seeded, spent
from endturn.games.empires.rules.cities import add_building, found
from endturn.games.empires.rules.geometry import Geometry
from endturn.games.empires.rules.names import PEOPLES, TOWNS
from endturn.games.empires.rules.production import advise
from endturn.games.empires.rules.sight import all_look
from endturn.games.empires.rules.units import create, next_identity
from endturn.games.empires.ruleset import Ruleset, Terrain
from endturn.games.empires.state import NOBODY, UNSET, Player, Relation, Research, Upset, World
from endturn.games.empires.vocabulary import DiplomaticState

SMOOTHINGS = 3
RICH, STREAMS = 12, 40  # one tile in 12, in 40
BARBARIANS = "Land", "Sea"
FIRST_UNITS = "pioneer", "mason", "spear", "scout"
START_GOLD = 50
SIGHT_SQ = 8
SPREAD_LEVEL = 4  # polluted tiles that the climate tolerates at first


class Phases(IntEnum):
    """Which players act at the same time."""

    ALL = 0
    PLAYERS = 1
    TEAMS = 2


class Upkeep(IntEnum):
    """How units and buildings are sold to settle a debt: by the city, by both, or by the nation."""

    CITY = 0
    MIXED = 1
    NATION = 2


class Settings(AnySettings, frozen=True):
    """The settings of a match of Empires."""

    width: Annotated[int, number(20, 80, "width of the map in tiles")] = 36
    height: Annotated[int, number(16, 60, "height of the map in tiles")] = 24
    land: Annotated[int, number(20, 60, "percentage of tiles that are land")] = 35
    hexagonal: Annotated[bool, choice("whether tiles are hexagons")] = False
    round: Annotated[bool, choice("whether the map wraps from west to east")] = True
    seats: Annotated[int, number(2, 4, "number of seats")] = 2
    peoples: Annotated[
        int, number(2, 4, "least number of nations; nations without a seat are led by their advisors")
    ] = 2
    last_turn: Annotated[int, number(5, 500, "the last turn")] = 150
    phases: Annotated[Phases, choice("whether all act at once, or players or teams one after the other")] = (
        Phases.ALL
    )
    teams: Annotated[bool, choice("whether nations 1 and 3 form a team, and nations 2 and 4")] = False
    upkeep: Annotated[
        Upkeep,
        choice("who settles a gold debt: the city, both (mixed), or the nation"),
    ] = Upkeep.CITY
    advisor: Annotated[
        bool, choice("whether an advisor picks what a city builds when its worklist is empty")
    ] = True
    fog: Annotated[bool, choice("whether units out of sight are hidden")] = True


def new_match(settings: Settings, seed: int) -> World:
    """S1: a new world whose state holds no dice to come."""
    world = new_world(settings, seed)
    world.chance = spent()
    return world


def new_world(settings: Settings, seed: int) -> World:
    """A world at the start of its first turn."""
    chance = seeded(seed ^ seed >> 32)
    rules = _chosen_rules(settings)
    world = _empty_world(settings, rules, chance)
    _shape(world, settings)
    for count, tile in enumerate(_homes(world, _peoples(settings))):
        _settle(world, _people(world, count, count % 2 if settings.teams else count), tile)
    for kind in BARBARIANS:
        player = _people(world, len(world.players), len(world.players))
        player.barbarian, player.is_alive, player.name, player.nation = (
            kind,
            False,
            f"{kind} raiders",
            "Raiders",
        )
    _introduce(world)
    world.order = list(world.players.values())
    sequence.prepare(world)
    sequence.run(world, sequence.TURN_START)
    sequence.begin_phase(world)
    all_look(world)
    world.events.clear()
    chance.draws.clear()
    return world


def seat_names(settings: Settings) -> tuple[str, ...]:
    """The names of the seats."""
    return PEOPLES[: settings.seats]


def _peoples(settings: Settings) -> int:
    return max(settings.peoples, settings.seats)


def _chosen_rules(settings: Settings) -> Ruleset:
    rules = own.ruleset()
    style = settings.upkeep.name.capitalize()
    return replace(rules, parameters=replace(rules.parameters, gold_upkeep_style=style))


def _options(settings: Settings, rules: Ruleset) -> dict[str, Any]:
    chosen = {
        "xsize": settings.width, "ysize": settings.height, "endturn": settings.last_turn, "fogofwar": settings.fog,
        "phasemode": settings.phases.name, "advisor": settings.advisor, "victories": "SPACERACE|ALLIED",
    }  # fmt: skip
    return SERVER_DEFAULTS | rules.settings | chosen


def _empty_world(settings: Settings, rules: Ruleset, chance: RandomGenerator) -> World:
    geometry = Geometry(
        settings.width, settings.height, settings.round, False, is_iso=False, is_hex=settings.hexagonal
    )
    tiles, sea = geometry.tiles, rules.terrain_by_name["shallows"]
    return World(
        rules=rules, settings=_options(settings, rules), geometry=geometry, chance=chance, turn=1,
        year=rules.parameters.start_year, year_zero_hidden=False, score_turn=20, warming=Upset(0, 0, SPREAD_LEVEL),
        winter=Upset(0, 0, SPREAD_LEVEL), terrain=[sea] * tiles, extras=[0] * tiles, owner=[NOBODY] * tiles,
        source=[NOBODY] * tiles, worked=[0] * tiles, extra_owner=[NOBODY] * tiles, known=[0] * tiles,
        last_identity=100, draws_identities=True, player_slots=_peoples(settings) + len(BARBARIANS),
        seats=settings.seats, phase_mode=PHASE_MODES[settings.phases],
    )  # fmt: skip


PHASE_MODES = {
    Phases.ALL: "Concurrent", Phases.PLAYERS: "Players Alternate", Phases.TEAMS: "Teams Alternate",
}  # fmt: skip


def _shape(world: World, settings: Settings) -> None:
    """Make land where the noise is highest, terrain by height and wetness, then resources and streams."""
    heights = _smooth(world, "height")
    shore = sorted(heights, reverse=True)[world.geometry.tiles * settings.land // 100]
    wetness = _smooth(world, "wetness")
    for tile, height in enumerate(heights):
        world.terrain[tile] = _terrain_of(world, tile, height - shore, wetness[tile])
    for tile in range(world.geometry.tiles):
        if world.terrain[tile].is_ocean and not any(
            not world.terrain[near].is_ocean for near in world.geometry.square(tile, 2)
        ):
            world.terrain[tile] = world.rules.terrain_by_name["deep"]
        _enrich(world, tile)


def _smooth(world: World, purpose: str) -> list[int]:
    """Random numbers, each blended with its neighbours a few times."""
    geometry = world.geometry
    values = [world.chance.below(1000, purpose) for _ in range(geometry.tiles)]
    for _ in range(SMOOTHINGS):
        values = [
            (2 * values[tile] + sum(values[near] for near in geometry.adjacent(tile)))
            // (2 + len(geometry.adjacent(tile)))
            for tile in range(geometry.tiles)
        ]
    return values


def _terrain_of(world: World, tile: int, height: int, wetness: int) -> Terrain:
    if height <= 0:
        return world.rules.terrain_by_name["shallows"]
    drawn = world.chance.below(10, "terrain")
    if drawn < 2:
        name = "ridge"
    elif wetness > 520:
        name = "wood" if drawn < 8 else "fen"
    elif wetness < 470 and drawn > 6:
        name = "waste"
    else:
        name = "meadow"
    return world.rules.terrain_by_name[name]


def _enrich(world: World, tile: int) -> None:
    riches = [extra for extra in world.rules.extras if extra.bit & world.terrain[tile].resources]
    if riches and world.chance.below(RICH, "riches") == 0:
        world.extras[tile] |= riches[0].bit
    if not world.terrain[tile].is_ocean and world.chance.below(STREAMS, "stream") == 0:
        world.extras[tile] |= world.rules.extra_by_name["stream"].bit


def _homes(world: World, count: int) -> list[int]:
    """Tiles for first cities: meadows with good land around, as far from each other as possible."""
    worth = {tile: _worth(world, tile) for tile in range(world.geometry.tiles) if _is_mild(world, tile)}
    wanted = sorted(worth.values(), reverse=True)[len(worth) // 2]
    good = [tile for tile, each in worth.items() if each >= wanted]
    homes = [max(good, key=lambda tile: (worth[tile], -tile))]
    while len(homes) < count:
        homes.append(max(good, key=lambda tile: (_apart(world, tile, homes), worth[tile], -tile)))
    return homes


def _is_mild(world: World, tile: int) -> bool:
    return world.terrain[tile].name == "Meadow"


def _worth(world: World, tile: int) -> int:
    near = world.geometry.square(tile, 2)
    return sum(2 * world.terrain[each].yields[0] + world.terrain[each].yields[1] for each in near)


def _apart(world: World, tile: int, homes: list[int]) -> int:
    return min(world.geometry.distance(tile, home) for home in homes)


def _people(world: World, count: int, team: int) -> Player:
    research = Research(count, 1, 0, UNSET, UNSET, UNSET, 0, False, False, 0, 1)
    player = Player(
        number=count, name=PEOPLES[count % len(PEOPLES)], government="chiefdom", target_government=None,
        revolution_finishes=-1, is_alive=True, is_ai=False, barbarian=None, skill="", gold=START_GOLD, tax=40,
        science=60, luxury=0, bulbs_last_turn=0, history=0, turns_alive=0, research=research, relations={}, team=team,
        nation=PEOPLES[count % len(PEOPLES)],
    )  # fmt: skip
    research.players.append(player)
    world.players[count], world.research[count] = player, research
    return player


def _introduce(world: World) -> None:
    """No player has met another, except members of a team."""
    for one in world.players.values():
        for other in world.players.values():
            state = _state_of(one, other)
            one.relations[other.number] = Relation(
                state, 0, 0, 0, False, 0, gives_vision=state == DiplomaticState.TEAM, closest=state
            )


def _state_of(one: Player, other: Player) -> DiplomaticState:
    if one is not other and one.team == other.team:
        return DiplomaticState.TEAM
    return DiplomaticState.WAR if one.barbarian or other.barbarian else DiplomaticState.NEVER_MET


def _settle(world: World, player: Player, tile: int) -> None:
    """Found the first city with its Hearth, create the first units, and reveal the land around."""
    for near, _ in world.geometry.circle(tile, SIGHT_SQ):
        world.known[near] |= 1 << player.number
    city = found(world, player, tile, TOWNS[player.number][0], next_identity(world))
    add_building(world, city, world.rules.building_by_name["hearth"])
    for name in FIRST_UNITS:
        unit = create(world, player, world.rules.unit_types[name], tile, 0, city)
        if player.number >= world.seats:  # S2: their advisors lead them
            unit.is_auto = name == "mason"
            unit.activity = "Explore" if name == "scout" else "Idle"
    if world.settings["advisor"]:
        city.production = city.changed_from = advise(world, city) or city.production
