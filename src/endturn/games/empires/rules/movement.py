"""How units move from tile to tile: where they may go, what a step costs, what they see."""

from endturn.games.empires.rules.diplomacy import renew_contact
from endturn.games.empires.rules.units import at_war, relocate
from endturn.games.empires.state import Player, Unit, World
from endturn.games.empires.vocabulary import DiplomaticState

ALLIED = DiplomaticState.TEAM, DiplomaticState.ALLIANCE
SIGHT = 1  # how many steps away a unit sees


def may_enter(world: World, unit: Unit, tile: int) -> bool:
    """Whether a unit may stand on a tile: a city of its owner or an ally, or native terrain, without strangers."""
    city = world.city_at.get(tile)
    if any(_is_stranger(unit.owner, other.owner) for other in world.units_at.get(tile, ())):
        return False
    if city is not None:
        return not _is_stranger(unit.owner, city.owner)
    return unit.type.native in world.terrain[tile].native_to


def _is_stranger(player: Player, other: Player) -> bool:
    return player is not other and player.relations[other.number].state not in ALLIED


def step_cost(world: World, tile: int) -> int:
    """The cost of entering a tile, in move fragments."""
    return max(world.terrain[tile].movement_cost, 1) * world.rules.parameters.move_fragments


def go(world: World, unit: Unit, tile: int) -> bool:
    """Move one step to an adjacent tile; any moves left are enough. Returns whether the unit moved."""
    if unit.moves <= 0 or not may_enter(world, unit, tile):
        return False
    cargo = [each for each in world.units_at[unit.tile] if each.transport == unit.id]
    for each in (unit, *cargo):
        relocate(world, each, tile)
        each.moved = True
    unit.moves = max(unit.moves - step_cost(world, tile), 0)
    look_around(world, unit)
    world.tell("unit_moved", unit.owner.number, unit.id, tile)
    return True


def look_around(world: World, unit: Unit) -> None:
    """The owner learns the tiles around, and meets the players there."""
    for near in world.geometry.square(unit.tile, SIGHT):
        world.known[near] |= 1 << unit.owner.number
    renew_contact(world, unit.owner, unit.tile)


def sees_enemy(world: World, unit: Unit) -> bool:
    """Whether a unit of an enemy is adjacent."""
    near = world.geometry.adjacent(unit.tile)
    return any(at_war(unit.owner, other.owner) for tile in near for other in world.units_at.get(tile, ()))


def paths(world: World, unit: Unit) -> dict[int, list[int]]:
    """All tiles that a unit can reach over known land, nearest first, each with its path."""
    found: dict[int, list[int]] = {unit.tile: []}
    waiting = [unit.tile]
    for tile in waiting:
        for near in world.geometry.adjacent(tile):
            known = world.known[near] >> unit.owner.number & 1
            if near not in found and known and may_enter(world, unit, near):
                found[near] = [*found[tile], near]
                waiting.append(near)
    return found
