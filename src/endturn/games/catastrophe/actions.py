"""The actions of Catastrophe. They refer to units and tiles by number; tile = x + y * width."""

from typing import Annotated

from msgspec import Meta

from endturn.engine.actions import Action, Leave
from endturn.games.catastrophe.state import Job, Resource, Structure

Number = Annotated[int, Meta(ge=0, le=32767)]
Amount = Annotated[int, Meta(ge=-1000000, le=1000000)]


class Move(Action, frozen=True):
    """A unit moves to a tile."""

    unit: Number
    tile: Number


class Attack(Action, frozen=True):
    """A soldier and its squad attack a tile."""

    unit: Number
    tile: Number


class ChangeJob(Action, frozen=True):
    """A unit takes another job."""

    unit: Number
    job: Job


class Construct(Action, frozen=True):
    """A builder turns the materials on a tile into a structure."""

    unit: Number
    tile: Number
    structure: Structure


class Convert(Action, frozen=True):
    """A missionary converts the neutral unit on a tile."""

    unit: Number
    tile: Number


class Deconstruct(Action, frozen=True):
    """A builder takes materials out of the structure on a tile."""

    unit: Number
    tile: Number


class Harvest(Action, frozen=True):
    """A gatherer takes food from a tile, or steals it at an enemy shelter."""

    unit: Number
    tile: Number


class Drop(Action, frozen=True):
    """A unit drops some or all of its food or materials."""

    unit: Number
    tile: Number
    resource: Resource
    amount: Amount = 0  # below 1: all


class Pickup(Action, frozen=True):
    """A unit picks up food or materials from a tile."""

    unit: Number
    tile: Number
    resource: Resource
    amount: Amount = 0  # below 1: as much as possible


class Rest(Action, frozen=True):
    """A unit regains energy near a shelter."""

    unit: Number


class EndTurn(Action, frozen=True):
    """End the turn: humans walk, the harvest changes, and the other seat is to act."""


ACTIONS: tuple[type[Action], ...] = (
    Move,
    Attack,
    ChangeJob,
    Construct,
    Convert,
    Deconstruct,
    Harvest,
    Drop,
    Pickup,
    Rest,
    EndTurn,
    Leave,
)  # numbered in this order
