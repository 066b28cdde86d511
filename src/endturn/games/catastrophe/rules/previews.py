"""What units of Catastrophe could do, for clients: how far they can walk in this turn."""

from collections.abc import Iterator
from typing import Any

from endturn.engine.actions import Action
from endturn.games.catastrophe.rules.labour import is_passable
from endturn.games.catastrophe.state import NONE, World
from endturn.mechanisms.grid import OFF_THE_MAP, Direction, neighbour


def foresee(world: World, seat: int, action: Action | None) -> dict[str, Any]:
    """Without an action the tiles that each unit of a seat can walk to, step by step (P1, P2, P3, P4)."""
    if action is not None or world.settings.moves_far:
        return {}
    own = (unit for unit in range(world.unit_count) if world.owner[unit] == seat and world.tile[unit] != NONE)
    return {"walks": [walk for unit in own for walk in walks(world, unit)]}


def walks(world: World, unit: int) -> Iterator[dict[str, int]]:
    """Where a unit can be after some of the moves it has left, and after how many at least."""
    known, edge = {world.tile[unit]}, [world.tile[unit]]
    for steps in range(1, world.moves[unit] + 1):
        beside = {tile for here in edge for tile in _open(world, here)}
        edge = sorted(beside - known)
        known |= beside
        for tile in edge:
            yield {"unit": unit, "tile": tile, "steps": steps}


def _open(world: World, tile: int) -> Iterator[int]:
    """The tiles beside one that a unit can walk onto."""
    width, height = world.settings.map_width, world.settings.map_height
    for direction in Direction:
        there = neighbour(tile, direction, width, height)
        if there != OFF_THE_MAP and world.unit_on[there] == NONE and is_passable(world.structure[there]):
            yield there
