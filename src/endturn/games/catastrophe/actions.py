"""Everything a player of Catastrophe can ask for. Units and tiles have numbers; tile = x + y * width."""

from typing import Annotated

from msgspec import Meta

from endturn.engine.actions import Action
from endturn.games.catastrophe.state import Job, Resource, Structure

Number = Annotated[int, Meta(ge=0, le=32767)]
Amount = Annotated[int, Meta(ge=-1000000, le=1000000)]

# An action's verb is its place in the table of rules (`__init__.py`).
MOVE, ATTACK, CHANGE_JOB, CONSTRUCT, CONVERT, DECONSTRUCT = range(6)
HARVEST, DROP, PICKUP, REST, END_TURN, LEAVE = range(6, 12)


class Move(Action, frozen=True):
    """A unit steps to a tile."""

    unit: Number
    tile: Number


class Attack(Action, frozen=True):
    """A soldier and its squad attack what is on a tile."""

    unit: Number
    tile: Number


class ChangeJob(Action, frozen=True):
    """A unit takes another job."""

    unit: Number
    job: Job


class Construct(Action, frozen=True):
    """A builder makes a structure of the materials that lie on a tile."""

    unit: Number
    tile: Number
    structure: Structure


class Convert(Action, frozen=True):
    """A missionary wins over the neutral unit on a tile."""

    unit: Number
    tile: Number


class Deconstruct(Action, frozen=True):
    """A builder takes materials out of the structure on a tile."""

    unit: Number
    tile: Number


class Harvest(Action, frozen=True):
    """A gatherer takes food from a tile, or from the store behind an enemy shelter."""

    unit: Number
    tile: Number


class Drop(Action, frozen=True):
    """A unit puts down some of what it carries, or all of it."""

    unit: Number
    tile: Number
    resource: Resource
    amount: Amount = 0  # below 1: all


class Pickup(Action, frozen=True):
    """A unit picks up some of what lies on a tile, or as much as it can."""

    unit: Number
    tile: Number
    resource: Resource
    amount: Amount = 0  # below 1: as much as possible


class Rest(Action, frozen=True):
    """A unit regains energy near a shelter."""

    unit: Number


class EndTurn(Action, frozen=True):
    """The seat is done: humans walk the road, food is eaten, the other seat is to act."""
