"""Effects: how much of something players, cities, tiles and units get, as the ruleset's requirements decide.

The answer to a requirement is yes, no or maybe. Maybe means that the target lacks what the requirement asks about, such
as a tile for a terrain; it never counts, not even for a requirement that something is absent. Answers that depend only
on a player, or only on a city, are cached until that player or city changes.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

from endturn.games.empires.rules.terrain import continent_of
from endturn.games.empires.ruleset import Building, Effect, Output, Requirement, Ruleset, UnitType
from endturn.games.empires.state import City, Player, Unit, World
from endturn.games.empires.vocabulary import EffectType, Range, RequirementType

Answer = bool | None


class Target(NamedTuple):
    """What requirements are checked against."""

    player: Player | None = None
    city: City | None = None
    tile: int | None = None
    unit: Unit | None = None
    unit_type: UnitType | None = None
    building: Building | None = None
    output: int | None = None
    specialist: str | None = None


NOTHING = Target()
OF_PLAYER = {
    RequirementType.GOV, RequirementType.TECH, RequirementType.AI, RequirementType.NATION_GROUP,
    RequirementType.MIN_YEAR, RequirementType.OUTPUT_TYPE,
}  # fmt: skip
OF_CITY = {RequirementType.MIN_SIZE}
WIDE = {Range.PLAYER, Range.WORLD}


def holds(world: World, requirements: Iterable[Requirement], target: Target) -> bool:
    """Whether all requirements hold."""
    for requirement in requirements:
        test = ANSWERS.get(requirement.asks)
        answer = test(world, target, requirement) if test is not None else None
        if answer is not requirement.present:
            return False
    return True


def _government(world: World, target: Target, req: Requirement) -> Answer:
    return None if target.player is None else target.player.government == req.value


def _tech(world: World, target: Target, req: Requirement) -> Answer:
    if req.range == Range.WORLD:
        return bool(world.global_techs >> req.value & 1)
    return None if target.player is None else bool(target.player.research.known >> req.value & 1)


def _ai(world: World, target: Target, req: Requirement) -> Answer:
    return None if target.player is None else target.player.is_ai and target.player.skill == req.value


def _nation_group(world: World, target: Target, req: Requirement) -> Answer:
    return None if target.player is None else req.value == "barbarian" and target.player.barbarian is not None


def _year(world: World, target: Target, req: Requirement) -> Answer:
    return bool(world.year >= req.value)


def _building(world: World, target: Target, req: Requirement) -> Answer:
    building = world.rules.buildings[req.value]
    if target.player is not None and obsolete(world, target.player) & building.bit:
        return False
    if req.range == Range.LOCAL:
        return None if target.building is None else target.building is building
    if req.range == Range.WORLD:
        return built_anywhere(world, building) or (
            req.survives and bool(world.destroyed_wonders & building.bit)
        )
    if req.range == Range.CITY:
        return None if target.city is None else bool(target.city.buildings & building.bit)
    if target.player is None:
        return None
    if req.range == Range.CONTINENT:
        return None if target.city is None else _on_continent(world, target.city, building)
    return bool(buildings_of(target.player) & building.bit)


def _on_continent(world: World, city: City, building: Building) -> bool:
    here = continent_of(world, city.tile)
    return any(c.buildings & building.bit and continent_of(world, c.tile) == here for c in city.owner.cities)


def buildings_of(player: Player) -> int:
    """All building types in a player's cities, as bits."""
    found = 0
    for city in player.cities:
        found |= city.buildings
    return found


def built_anywhere(world: World, building: Building) -> bool:
    """Whether the building stands in any city."""
    return any(buildings_of(player) & building.bit for player in world.players.values())


def _size(world: World, target: Target, req: Requirement) -> Answer:
    return None if target.city is None else bool(target.city.size >= req.value)


def _output(world: World, target: Target, req: Requirement) -> Answer:
    return None if target.output is None else bool(target.output == req.value)


def _specialist(world: World, target: Target, req: Requirement) -> Answer:
    return None if target.specialist is None else bool(target.specialist == req.value)


def _genus(world: World, target: Target, req: Requirement) -> Answer:
    return None if target.building is None else bool(target.building.genus.lower() == req.value)


@cache
def _lower(flags: frozenset[str]) -> frozenset[str]:
    return frozenset(flag.lower() for flag in flags)


def _unit_type(world: World, target: Target, req: Requirement) -> Answer:
    return None if target.unit_type is None else bool(target.unit_type.name.lower() == req.value)


def _unit_flag(world: World, target: Target, req: Requirement) -> Answer:
    return None if target.unit_type is None else req.value in _lower(target.unit_type.flags)


def _unit_class(world: World, target: Target, req: Requirement) -> Answer:
    return None if target.unit_type is None else bool(target.unit_type.unit_class.name.lower() == req.value)


def _around(world: World, target: Target, req: Requirement) -> list[int] | None:
    """The tiles that a requirement about tiles covers."""
    if target.tile is None:
        return None
    if req.range == Range.LOCAL:
        return [target.tile]
    near = world.geometry.straight if req.range == Range.CADJACENT else world.geometry.adjacent
    return [target.tile, *near(target.tile)]


def _terrain(world: World, target: Target, req: Requirement) -> Answer:
    tiles = _around(world, target, req)
    return None if tiles is None else any(world.terrain[tile].index == req.value for tile in tiles)


def _terrain_class(world: World, target: Target, req: Requirement) -> Answer:
    tiles, ocean = _around(world, target, req), req.value == "oceanic"
    return None if tiles is None else any(world.terrain[tile].is_ocean == ocean for tile in tiles)


def _terrain_flag(world: World, target: Target, req: Requirement) -> Answer:
    tiles = _around(world, target, req)
    return None if tiles is None else any(req.value in _lower(world.terrain[tile].flags) for tile in tiles)


ALTERATIONS = {"canirrigate": "irrigation", "canmine": "mining"}


def _alteration(world: World, target: Target, req: Requirement) -> Answer:
    if target.tile is None:
        return None
    terrain = world.terrain[target.tile]
    if req.value == "canroad":
        return terrain.times["road"] > 0
    result = terrain.results[ALTERATIONS[req.value]]
    return result is not None and result.lower() in ("yes", terrain.name.lower())


def _extra(world: World, target: Target, req: Requirement) -> Answer:
    tiles = _around(world, target, req)
    return None if tiles is None else any(world.extras[tile] >> req.value & 1 for tile in tiles)


def _extra_flag(world: World, target: Target, req: Requirement) -> Answer:
    tiles = _around(world, target, req)
    if tiles is None:
        return None
    wanted = sum(extra.bit for extra in world.rules.extras if req.value in _lower(extra.flags))
    return any(world.extras[tile] & wanted for tile in tiles)


def _city_tile(world: World, target: Target, req: Requirement) -> Answer:
    tiles = _around(world, target, req)
    if tiles is None:
        return None
    if req.value == "center":
        return any(tile in world.city_at for tile in tiles)
    return any(world.owner[tile] >= 0 for tile in tiles) if req.value == "claimed" else None


def _age(world: World, target: Target, req: Requirement) -> Answer:
    if req.range == Range.LOCAL:
        return None if target.unit is None else bool(world.turn - target.unit.born >= req.value)
    if req.range == Range.CITY:
        return None if target.city is None else bool(world.turn - target.city.turn_founded >= req.value)
    return None if target.player is None else bool(target.player.turns_alive >= req.value)


def _crowd(world: World, target: Target, req: Requirement) -> Answer:
    tiles = _around(world, target, req)
    return None if tiles is None else any(len(world.units_at.get(tile, ())) <= req.value for tile in tiles)


Test = Callable[[World, Target, Requirement], Answer]
HERE = (Range.LOCAL,)
NEAR = Range.LOCAL, Range.CADJACENT, Range.ADJACENT
TESTS: dict[RequirementType, tuple[Test, tuple[Range, ...]]] = {
    RequirementType.GOV: (_government, (Range.PLAYER,)),
    RequirementType.TECH: (_tech, (Range.PLAYER, Range.WORLD)),
    RequirementType.AI: (_ai, (Range.PLAYER,)),
    RequirementType.NATION_GROUP: (_nation_group, (Range.PLAYER,)),
    RequirementType.MIN_YEAR: (_year, (Range.WORLD,)),
    RequirementType.BUILDING: (
        _building, (Range.LOCAL, Range.CITY, Range.CONTINENT, Range.PLAYER, Range.WORLD),
    ),
    RequirementType.BUILDING_GENUS: (_genus, HERE),
    RequirementType.MIN_SIZE: (_size, (Range.CITY,)),
    RequirementType.OUTPUT_TYPE: (_output, HERE),
    RequirementType.SPECIALIST: (_specialist, HERE),
    RequirementType.UNIT_TYPE: (_unit_type, HERE),
    RequirementType.UNIT_FLAG: (_unit_flag, HERE),
    RequirementType.UNIT_CLASS: (_unit_class, HERE),
    RequirementType.TERRAIN: (_terrain, NEAR),
    RequirementType.TERRAIN_CLASS: (_terrain_class, NEAR),
    RequirementType.TERRAIN_FLAG: (_terrain_flag, NEAR),
    RequirementType.TERRAIN_ALTER: (_alteration, HERE),
    RequirementType.EXTRA: (_extra, NEAR),
    RequirementType.EXTRA_FLAG: (_extra_flag, NEAR),
    RequirementType.CITY_TILE: (_city_tile, NEAR),
    RequirementType.AGE: (_age, (Range.LOCAL, Range.CITY, Range.PLAYER)),
    RequirementType.MAX_UNITS_ON_TILE: (_crowd, NEAR),
}  # fmt: skip
ANSWERS = {(kind, each): test for kind, (test, ranges) in TESTS.items() for each in ranges}


def unanswered(rules: Ruleset) -> list[str]:
    """What a ruleset has and our rules lack: effects that no rule asks for, requirements that never hold."""
    needs = (req for effects in rules.effects.values() for each in effects for req in each.requirements)
    unknown = {f"{req.kind} ({req.range})" for req in needs if req.asks not in ANSWERS}
    return [*sorted(rules.unused_effects), *sorted(unknown)]


def obsolete(world: World, player: Player) -> int:
    """The buildings that are obsolete for a player, as bits."""
    remembered = of_this_government(world, player)
    gone = remembered.get("obsolete")
    if gone is None:
        remembered["obsolete"] = 0  # for now: buildings do not make each other obsolete
        target = Target(player=player)
        lost = (b for b in world.rules.buildings if any(holds(world, (r,), target) for r in b.obsolete_by))
        gone = remembered["obsolete"] = sum(building.bit for building in lost)
    return int(gone)


class PartialEffect(NamedTuple):
    """An effect that a player can have, with the requirements that depend on the city or on something narrower."""

    value: int
    of_city: tuple[Requirement, ...]
    narrower: tuple[Requirement, ...]


def of_this_government(world: World, player: Player) -> dict[Any, Any]:
    """The cached answers about a player under the current government.

    The cache is cleared when a stamp changes: the player's (techs, buildings that reach beyond a city) or the world's.
    Each government has its own answers, because an overthrown government often returns within the same turn.
    """
    if player.filtered_at != (player.stamp, world.stamp):
        player.filtered.clear()
        player.filtered_at = player.stamp, world.stamp
    found = player.filtered.get(player.government)
    if found is None:
        found = player.filtered[player.government] = {}
    return found


def open_effects(
    world: World, player: Player, kind: EffectType, output: int | None
) -> tuple[PartialEffect, ...]:
    """The effects of a type that a player can have."""
    remembered = of_this_government(world, player)
    key = kind, output
    found: tuple[PartialEffect, ...] | None = remembered.get(key)
    if found is None:
        target = Target(player=player, output=output)
        effects = world.rules.effects.get(kind, ())
        found = tuple(rest for effect in effects if (rest := _rest(world, effect, target)) is not None)
        remembered[key] = found
    return found


def _rest(world: World, effect: Effect, target: Target) -> PartialEffect | None:
    """What remains of an effect once player and output are known; None if the player cannot have it."""
    of_city: list[Requirement] = []
    narrower: list[Requirement] = []
    for req in effect.requirements:
        if req.kind in OF_PLAYER or (req.kind == RequirementType.BUILDING and req.range in WIDE):
            if not holds(world, (req,), target):
                return None
        elif req.kind in OF_CITY or (req.kind == RequirementType.BUILDING and req.range != Range.LOCAL):
            of_city.append(req)
        else:
            narrower.append(req)
    return PartialEffect(effect.value, tuple(of_city), tuple(narrower))


def of_player(world: World, player: Player, kind: EffectType, output: int | None = None) -> int:
    """The value of an effect for a player."""
    return sum(
        rest.value for rest in open_effects(world, player, kind, output) if not rest.of_city + rest.narrower
    )


def answers(world: World, city: City) -> dict[Any, Any]:
    """The cached answers about a city under its owner's government; cleared when one of three stamps changes."""
    at = city.stamp, city.owner.stamp, world.stamp
    if city.known_at != at:
        city.known.clear()
        city.known_at = at
    found = city.known.get(city.owner.government)
    if found is None:
        found = city.known[city.owner.government] = {}
    return found


def open_in_city(
    world: World, city: City, kind: EffectType, output: int | None
) -> tuple[int, tuple[PartialEffect, ...]]:
    """The value of an effect that a city has for certain, and the effects that depend on something narrower."""
    known = answers(world, city)
    key = kind, output
    found = known.get(key)
    if found is None:
        target = Target(player=city.owner, city=city, output=output)
        rests = [r for r in open_effects(world, city.owner, kind, output) if holds(world, r.of_city, target)]
        certain = sum(rest.value for rest in rests if not rest.narrower)
        found = known[key] = certain, tuple(rest for rest in rests if rest.narrower)
    return found


def of_city(world: World, city: City, kind: EffectType, output: int | None = None) -> int:
    """The value of an effect for a city, with the city's tile as the tile."""
    certain, rests = open_in_city(world, city, kind, output)
    if rests:
        target = Target(player=city.owner, city=city, tile=city.tile, output=output)
        certain += sum(rest.value for rest in rests if holds(world, rest.narrower, target))
    return certain


def of_city_without_tile(world: World, city: City, kind: EffectType, output: int | None = None) -> int:
    """The value of an effect for a city when no tile is given."""
    return open_in_city(world, city, kind, output)[0]


def _with(world: World, city: City, kind: EffectType, target: Target) -> int:
    certain, rests = open_in_city(world, city, kind, target.output)
    return certain + sum(rest.value for rest in rests if holds(world, rest.narrower, target))


def of_tile(world: World, city: City, tile: int, kind: EffectType, output: int | None) -> int:
    """The value of an effect for a tile of a city."""
    if not open_in_city(world, city, kind, output)[1]:
        return open_in_city(world, city, kind, output)[0]
    return _with(world, city, kind, Target(player=city.owner, city=city, tile=tile, output=output))


def of_specialist(world: World, city: City, specialist: str, output: Output) -> int:
    """The output of one specialist of a city."""
    target = Target(player=city.owner, city=city, output=output, specialist=specialist)
    return _with(world, city, EffectType.SPECIALIST_OUTPUT, target)


def of_building(world: World, city: City, building: Building, kind: EffectType) -> int:
    """The value of an effect for a building of a city."""
    return _with(world, city, kind, Target(player=city.owner, city=city, building=building))


def of_new_unit(world: World, city: City, unit_type: UnitType, kind: EffectType) -> int:
    """The value of an effect for a unit that a city builds."""
    return _with(world, city, kind, Target(player=city.owner, city=city, tile=city.tile, unit_type=unit_type))


def of_unit(world: World, unit: Unit, kind: EffectType) -> int:
    """The value of an effect for a unit on its tile."""
    rests = open_effects(world, unit.owner, kind, None)
    if not rests:
        return 0
    city = world.city_at.get(unit.tile)
    target = Target(player=unit.owner, city=city, tile=unit.tile, unit=unit, unit_type=unit.type)
    return sum(rest.value for rest in rests if holds(world, rest.of_city + rest.narrower, target))
