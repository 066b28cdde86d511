"""Draws positions for tests and plays in them; every change goes through `Match.submit`.

    c0 S0+s0 .       Red's overlord, Red's soldier in Red's shelter, an empty tile
    s1*50 h- W1:25   Blue's soldier with 50 energy, a neutral human, Blue's wall with 25 materials
    f40 ,30 %50 ==   harvest rate 40, 30 food and 50 materials on the ground, a road

Parts on one tile are joined by +. The drawing is the north-western corner of a map of 10 x 8 tiles; the other tiles
are empty. Units are numbered in reading order. An overlord that is not drawn stands in the south-western (Red) or
south-eastern corner (Blue), with a fresh human next to it; these units come last.
"""

import re
from typing import Any

from endturn.engine.actions import Action
from endturn.engine.match import Match
from endturn.games.catastrophe import game
from endturn.games.catastrophe.actions import EndTurn
from endturn.games.catastrophe.notation import settings_of
from endturn.games.catastrophe.setup import arrive, build, empty_world
from endturn.games.catastrophe.state import NOBODY, NONE, Job, Structure, World
from endturn.games.catastrophe.text import STRUCTURE_LETTERS, UNIT_LETTERS
from endturn.testing import play

WIDTH, HEIGHT = 10, 8
JOBS = {letter.lower(): job for job, letter in UNIT_LETTERS.items()}
STRUCTURES = {letter: structure for structure, letter in STRUCTURE_LETTERS.items()}
OWNERS = {"0": 0, "1": 1, "-": NOBODY}
UNIT = re.compile(r"([csgbmh])([01-])(?:\*([\d.]+))?")
STRUCTURE = re.compile(r"([WSMN])([01-])(?::(\d+))?")
QUIET_TURN = 2  # no human enters the road, and the harvest does not fall


def at(x: int, y: int) -> int:
    """Return the number of a tile."""
    return x + y * WIDTH


def draw(
    drawing: str, *, turn: int = QUIET_TURN, profile: str = "official", humans: bool = True, **settings: Any
) -> World:
    """Return the state of a drawing, to change by hand."""
    chosen = game.configure(profile, {"map_width": WIDTH, "map_height": HEIGHT, **settings})
    world = empty_world(chosen, 24)
    world.turn, world.seat = turn, turn % 2
    world.store[0] = world.store[1] = 1000
    world.overlord[0] = world.overlord[1] = NONE
    for y, row in enumerate(drawing.strip().splitlines()):
        for x, cell in enumerate(row.split()):
            for part in cell.split("+"):
                _put(world, at(x, y), part)
    for seat, x, beside in (0, 0, 1), (1, WIDTH - 1, WIDTH - 2):
        if world.overlord[seat] == NONE:
            arrive(world, at(x, HEIGHT - 1), Job.CAT_OVERLORD, seat)
        if humans:
            arrive(world, at(beside, HEIGHT - 1), Job.FRESH_HUMAN, seat)
    return world


def _put(world: World, tile: int, part: str) -> None:
    unit, structure = UNIT.fullmatch(part), STRUCTURE.fullmatch(part)
    if unit:
        number = arrive(world, tile, JOBS[unit[1]], OWNERS[unit[2]])
        world.energy[number] = float(unit[3] or 100)
        world.turns_to_die[number] = 5 if unit[2] == "-" else NONE
    elif structure:
        build(world, tile, STRUCTURES[structure[1]], OWNERS[structure[2]])
        if structure[3]:
            world.structure_materials[tile] = int(structure[3])
    elif part == "==":
        build(world, tile, Structure.ROAD, NOBODY)
    elif part != ".":
        column = {"f": world.harvest_rate, ",": world.ground_food, "%": world.ground_materials}[part[0]]
        column[tile] = int(part[1:])


def start(world: World) -> Match:
    """Return a match that starts from a state."""
    return Match(game, settings_of(world), start=world)


def begin(drawing: str, **settings: Any) -> Match:
    """Return a match that starts from a drawing."""
    return start(draw(drawing, **settings))


def act(match: Match, *actions: Action) -> None:
    """Play actions of the seat to act; each must be accepted."""
    for action in actions:
        play.act(match, action)
        assert not any(match.state.called) and not any(match.state.mustered), (
            f"{action} leaves a squad called up"
        )


def refused(match: Match, action: Action, seat: int | None = None) -> str:
    """Return the rule that an action of the seat to act breaks; check that nothing changes."""
    return play.refused(match, action, match.state.seat if seat is None else seat).rule


def end_turns(match: Match, count: int = 1) -> None:
    """End this many turns."""
    act(match, *[EndTurn()] * count)


def energies(match: Match, *units: int) -> list[float]:
    """Return the energy of units."""
    return [match.state.energy[unit] for unit in units]
