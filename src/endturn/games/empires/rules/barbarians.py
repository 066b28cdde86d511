"""Barbarians, who land at the end of a turn (TURN_CHANGE N3)."""

from endturn.games.empires.rules.effects import of_player
from endturn.games.empires.rules.production import knows_unit
from endturn.games.empires.rules.units import create
from endturn.games.empires.ruleset import UnitType
from endturn.games.empires.state import City, Player, Unit, World
from endturn.games.empires.vocabulary import EffectType

RATES = {"DISABLED": 0, "HUTS_ONLY": 1, "NORMAL": 2, "FREQUENT": 3, "HORDES": 4}
NEAREST, FARTHEST = 5, 8
CHANCE_OF = 30
UPRISE = 2
TILES_A_TRY = 2000
SEVERAL = 2
OFFSHORE = 4  # steps from land within which boats appear
LEADERS = 1  # returning barbarians draw a new name; it is not kept, but the draw counts
BOOTY = 100  # gold of new barbarians


def summon(world: World) -> None:
    """N3: from the turn `onsetbarbs` on, barbarians try to land."""
    rate = RATES[world.settings["barbarians"]]
    if rate <= 1 or world.turn < world.settings["onsetbarbs"]:
        return
    for _ in range(max(1, world.geometry.tiles // TILES_A_TRY) * (rate - 1)):
        try_to_land(world, rate)


def try_to_land(world: World, rate: int) -> None:
    """Land on a random tile, if a city is at the right distance and several draws succeed."""
    x = world.chance.below(world.geometry.width, "landing x")
    y = world.chance.below(world.geometry.height, "landing y")
    tile = y * world.geometry.width + x
    if "NoBarbs" in world.terrain[tile].flags:
        return
    victim = nearest_city(world, tile)
    if victim is None or not NEAREST <= world.geometry.distance(tile, victim.tile) <= FARTHEST:
        return
    spot = empty_near(world, tile)
    if spot is None or victim.owner.barbarian or not _is_exposed(world, spot, victim.owner):
        return
    if world.chance.below(CHANCE_OF, "landing") + 1 > len(victim.owner.cities) * (rate - 1):
        return
    if world.chance.below(100, "uprising") > of_player(world, victim.owner, EffectType.CIVIL_WAR_CHANCE):
        return
    land(world, spot, victim, rate)


def nearest_city(world: World, tile: int) -> City | None:
    """The city nearest to a tile; the first of several."""
    every = (city for player in world.players.values() for city in player.cities)
    return min(every, key=lambda city: world.geometry.distance(tile, city.tile), default=None)


def empty_near(world: World, tile: int) -> int | None:
    """The tile, or an adjacent one, without units and cities."""
    near = world.geometry.square(tile, 1)
    return next((each for each in near if not world.units_at.get(each) and each not in world.city_at), None)


def _is_exposed(world: World, tile: int, victim: Player) -> bool:
    """Whether the tile is water near land, or land that the victim knows."""
    if world.terrain[tile].is_ocean:
        return any(not world.terrain[near].is_ocean for near in world.geometry.square(tile, OFFSHORE))
    return bool(world.known[tile] >> victim.number & 1)


def barbarian_player(world: World, kind: str) -> Player | None:
    """The player who leads the barbarians of land or sea."""
    return next((player for player in world.players.values() if player.barbarian == kind), None)


def find_type(world: World, role: str, tech_role: str | None) -> UnitType:
    """A random unit type for a role, preferably a modern one that several players could build."""
    kinds = list(world.rules.unit_types.values())
    modern = [kind for kind in kinds if tech_role in kind.roles and _known_to_several(world, kind)]
    found = modern or [kind for kind in kinds if role in kind.roles]
    return found[world.chance.below(len(found), "barbarian unit")]


def _known_to_several(world: World, kind: UnitType) -> bool:
    players = [player for player in world.players.values() if not player.barbarian]
    return sum(knows_unit(world, player, kind) for player in players) > SEVERAL


def land(world: World, spot: int, victim: City, rate: int) -> None:
    """Create barbarians with a leader: a random number on land, as many as a boat carries at sea."""
    at_sea = world.terrain[spot].is_ocean
    player = barbarian_player(world, "Sea" if at_sea else "Land")
    if player is None:
        return
    if not player.is_alive:
        world.chance.below(LEADERS, "barbarian leader's name")
        player.is_alive, player.gold = True, 0
    player.gold += BOOTY
    count = world.chance.below(3, "barbarians") + UPRISE * rate
    boat = None
    if at_sea:
        boat = create(world, player, find_type(world, "BarbarianBoat", None), spot, 0, None)
        count = boat.type.transport_capacity - 1
    for _ in range(count):
        roles = ("BarbarianSea", "BarbarianSeaTech") if at_sea else ("Barbarian", "BarbarianTech")
        board(create(world, player, find_type(world, *roles), spot, 0, None), boat)
    leader = next((kind for kind in world.rules.unit_types.values() if "BarbarianLeader" in kind.roles), None)
    if leader is not None:
        board(create(world, player, leader, spot, 0, None), boat)
    world.tell("uprising", victim.owner.number, victim.id, spot)


def board(unit: Unit, boat: Unit | None) -> None:
    """Put a unit aboard, if there is a boat."""
    unit.transport = boat.id if boat is not None else -1
