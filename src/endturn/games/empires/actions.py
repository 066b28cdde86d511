"""Everything a player of Empires can ask for. Cities and units go by their ids, tiles are numbered row by row."""

from enum import IntEnum
from typing import Annotated

from msgspec import Meta

from endturn.engine.actions import Action

Id = Annotated[int, Meta(ge=0, le=1_000_000)]
Tile = Annotated[int, Meta(ge=0, le=4799)]
Number = Annotated[
    int, Meta(ge=0, le=255)
]  # of a tech, a government, a thing to build, as the view lists them
Percent = Annotated[int, Meta(ge=0, le=100)]
Heading = Annotated[int, Meta(ge=0, le=7)]  # 0 is north-west, 1 north, then row by row: 7 is south-east
People = Annotated[int, Meta(ge=0, le=15)]


class Task(IntEnum):
    """What a unit can be told to do where it stands."""

    REST = 0
    FORTIFY = 1
    SENTRY = 2
    EXPLORE = 3
    AUTO = 4
    IRRIGATE = 5
    MINE = 6
    ROAD = 7
    TRANSFORM = 8
    BASE = 9
    CLEAN = 10
    PILLAGE = 11


class Subject(IntEnum):
    """What can be voted on."""

    END = 0
    LONGER = 1
    FOG = 2


class PhaseDone(Action, frozen=True):
    """The seat is done with this phase; when all are, it ends (A2)."""


class SetRates(Action, frozen=True):
    """How trade is shared among taxes, luxury and science (A3)."""

    tax: Percent
    luxury: Percent
    science: Percent


class Study(Action, frozen=True):
    """A tech is studied from now on (A4)."""

    tech: Number


class Aim(Action, frozen=True):
    """A tech is the goal of all studies (A5)."""

    tech: Number


class Revolt(Action, frozen=True):
    """A revolution, for another government (A6)."""

    government: Number


class CancelPact(Action, frozen=True):
    """A treaty with a people is at an end (A7)."""

    people: People


class Launch(Action, frozen=True):
    """The spaceship leaves (A8)."""


class Call(Action, frozen=True):
    """All are asked to vote on something (A9)."""

    subject: Subject


class Ballot(Action, frozen=True):
    """A vote for or against what is asked (A10)."""

    yes: bool


class Build(Action, frozen=True):
    """A city builds something else from now on (C2)."""

    city: Id
    item: Number


class Plan(Action, frozen=True):
    """A city's worklist gets one more thing (C4)."""

    city: Id
    item: Number


class Unplan(Action, frozen=True):
    """Something is struck off a city's worklist (C5)."""

    city: Id
    place: Annotated[int, Meta(ge=0, le=15)]


class Buy(Action, frozen=True):
    """What a city builds is paid for in gold (C6)."""

    city: Id


class Sell(Action, frozen=True):
    """A building is sold (C7)."""

    city: Id
    item: Number


class Arrange(Action, frozen=True):
    """A city's citizens are placed where they are worth most (C8)."""

    city: Id


class Release(Action, frozen=True):
    """A citizen leaves a tile and becomes a specialist (C9)."""

    city: Id
    tile: Tile


class Employ(Action, frozen=True):
    """A specialist goes to work on a tile (C10)."""

    city: Id
    tile: Tile


class Retrain(Action, frozen=True):
    """A specialist becomes one of another kind (C11)."""

    city: Id
    old: Annotated[int, Meta(ge=0, le=15)]
    new: Annotated[int, Meta(ge=0, le=15)]


class Move(Action, frozen=True):
    """A unit goes one step (U2)."""

    unit: Id
    heading: Heading


class Go(Action, frozen=True):
    """A unit is ordered to a tile that its owner knows (U3)."""

    unit: Id
    tile: Tile


class Work(Action, frozen=True):
    """A unit does something where it stands (U4)."""

    unit: Id
    task: Task


class Found(Action, frozen=True):
    """A unit founds a city where it stands (U6)."""

    unit: Id


class Disband(Action, frozen=True):
    """A unit goes home for good (U7)."""

    unit: Id
