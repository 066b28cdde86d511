"""Borders (TURN_CHANGE N2): cities and bases claim the land around them, and the stronger claim wins."""

from endturn.games.empires.rules.terrain import continent_of, extras_on
from endturn.games.empires.ruleset import Extra
from endturn.games.empires.state import NOBODY, City, World

SIZE_COUNTED = 32  # the largest city size that counts for its claim
INLET = 2  # water with at most so many water neighbours belongs to the land
LARGEST_LAKE = 20  # the most tiles of water that can belong to the land around it


def base_at(world: World, tile: int) -> Extra | None:
    """The base on the tile that claims land."""
    bases = (extra for extra in extras_on(world, tile) if extra.is_base and extra.border_sq >= 0)
    return next(bases, None)


def is_source(world: World, tile: int) -> bool:
    """Whether a city or base on the tile claims land."""
    return tile in world.city_at or (world.extra_owner[tile] != NOBODY and base_at(world, tile) is not None)


def radius_sq(world: World, tile: int) -> int:
    """The squared radius of a source's claim."""
    city, rules = world.city_at.get(tile), world.rules.parameters
    if city is not None:
        return rules.border_radius_sq_city + min(city.size, SIZE_COUNTED) * rules.border_size_effect
    base = base_at(world, tile)
    return base.border_sq if base is not None else -1


def claimant(world: World, source: int) -> int:
    """The number of the player who owns a source."""
    city = world.city_at.get(source)
    return city.owner.number if city is not None else world.extra_owner[source]


def calculate(world: World) -> None:
    """N2: renew the claims of all sources, in the order of their tiles."""
    if world.settings["borders"] == "DISABLED":
        return
    for tile in range(world.geometry.tiles):
        if is_source(world, tile):
            claim_border(world, tile)


def claim_border(world: World, source: int) -> None:
    """Claim the tiles around one source that no stronger source holds."""
    owner = claimant(world, source)
    if world.settings["borders"] == "DISABLED" or owner == NOBODY:
        return
    for tile, squared in world.geometry.circle(source, radius_sq(world, source)):
        if world.source[tile] == source and world.owner[tile] == owner:
            continue  # the tile is claimed already
        if tile == source or _may_claim(world, source, owner, tile, squared):
            _set(world, tile, source, owner)


def _set(world: World, tile: int, source: int, owner: int) -> None:
    if world.owner[tile] != owner or world.source[tile] != source:
        if world.owner[tile] != owner:
            _call_homes(world, tile)
        world.owner[tile], world.source[tile] = owner, source
        _leave_foreign_tile(world, tile, owner)


def _call_homes(world: World, tile: int) -> None:
    """Mark the home cities of units on a tile: who owns the tile affects their mood."""
    for unit in world.units_at.get(tile, ()):
        if unit.home is not None:
            unit.home.needs_counting = True


def _leave_foreign_tile(world: World, tile: int, owner: int) -> None:
    city = world.cities.get(world.worked[tile])
    if city is not None and city.owner.number != owner:
        world.worked[tile] = 0
        city.worked.discard(tile)
        city.specialists[0] += 1
        city.needs_arranging = True


def _may_claim(world: World, source: int, owner: int, tile: int, squared: int) -> bool:
    if is_source(world, tile):
        return False
    if not world.known[tile] >> owner & 1 and world.settings["borders"] != "EXPAND":
        return False
    held_by = world.source[tile]
    if held_by not in (NOBODY, source) and is_source(world, held_by):
        if _is_permanent(world, held_by, tile):
            return False
        if strength_of(world, held_by, world.geometry.span(held_by, tile)) >= strength_of(
            world, source, squared
        ):
            return False
    return _reaches(world, source, tile)


def strength_of(world: World, source: int, squared: int) -> float:
    """The strength of a source's claim at a squared distance."""
    city = world.city_at.get(source)
    held = (city.size + 2) ** 2 if city is not None else 1
    return held // squared if squared else 10**9


def _is_permanent(world: World, held_by: int, tile: int) -> bool:
    city: City | None = world.city_at.get(held_by)
    if city is None:
        return False
    radius = city.radius_sq + world.rules.parameters.border_radius_sq_permanent
    return world.geometry.span(held_by, tile) <= radius


def _reaches(world: World, source: int, tile: int) -> bool:
    """Whether a claim crosses to a tile: land on the same continent, or water near own land."""
    if not world.terrain[tile].is_ocean:
        return continent_of(world, source) == continent_of(world, tile) or world.terrain[source].is_ocean
    continent_of(world, tile)  # clears the cached waters if the continents have changed
    key = source, tile
    if key not in world.waters:
        world.waters[key] = _near_water(world, source, tile)
    return world.waters[key]


def _near_water(world: World, source: int, tile: int) -> bool:
    """Whether water is adjacent to the source, an inlet, or a lake that only the source's land surrounds."""
    near = world.geometry.adjacent(tile)
    if source in near:
        return True
    shore = [continent_of(world, each) for each in near if not world.terrain[each].is_ocean]
    if len(near) - len(shore) <= INLET and all(land == continent_of(world, source) for land in shore):
        return True
    return _lake_of(world, continent_of(world, tile)) == continent_of(world, source)


def _lake_of(world: World, water: int) -> int | None:
    """The one continent around a small lake; None if the water is large or touches several continents."""
    if water not in world.lakes:
        tiles = [tile for tile, number in enumerate(world.continents) if number == water]
        near = {near for tile in tiles[: LARGEST_LAKE + 1] for near in world.geometry.adjacent(tile)}
        shores = {world.continents[tile] for tile in near} - {water}
        world.lakes[water] = shores.pop() if len(tiles) <= LARGEST_LAKE and len(shores) == 1 else None
    return world.lakes[water]


def release_far(world: World, source: int) -> None:
    """Give up the tiles that a source no longer reaches."""
    reach = radius_sq(world, source)
    for tile, held_by in enumerate(world.source):
        if held_by == source and world.geometry.squared(*world.geometry.vector(source, tile)) > reach:
            world.source[tile] = world.owner[tile] = NOBODY


def unclaim(world: World, source: int) -> None:
    """Give up all tiles of a source that is gone."""
    for tile, held_by in enumerate(world.source):
        if held_by == source:
            world.source[tile] = world.owner[tile] = NOBODY
