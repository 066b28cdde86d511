"""Previews for clients: how far units can walk this turn."""

from collections.abc import Iterator

from endturn.engine.actions import Action
from endturn.games.catastrophe.rules.labour import is_passable
from endturn.games.catastrophe.state import NONE, World
from endturn.games.catastrophe.view_types import WalkPreview, WorldPreview
from endturn.mechanisms.grid import OFF_THE_MAP, Direction, neighbour


def foresee(world: World, seat: int, action: Action | None) -> WorldPreview:
    """Without an action, return the tiles that each unit of a seat can reach, with steps (P1, P2, P3, P4)."""
    if action is not None or world.settings.moves_far:
        return {}
    own = (unit for unit in range(world.unit_count) if world.owner[unit] == seat and world.tile[unit] != NONE)
    return {"walks": [walk for unit in own for walk in walks(world, unit)]}


def walks(world: World, unit: int) -> Iterator[WalkPreview]:
    """Yield the tiles that a unit can reach with its moves, with the fewest steps."""
    known, edge = {world.tile[unit]}, [world.tile[unit]]
    for steps in range(1, world.moves[unit] + 1):
        beside = {tile for here in edge for tile in _open(world, here)}
        edge = sorted(beside - known)
        known |= beside
        for tile in edge:
            yield {"unit": unit, "tile": tile, "steps": steps}


def _open(world: World, tile: int) -> Iterator[int]:
    """Yield the adjacent tiles that a unit can enter."""
    width, height = world.settings.map_width, world.settings.map_height
    for direction in Direction:
        there = neighbour(tile, direction, width, height)
        if there != OFF_THE_MAP and world.unit_on[there] == NONE and is_passable(world.structure[there]):
            yield there
