"""The actions of Empires. Cities and units are named by their ids; tiles are numbered row by row."""

from enum import IntEnum
from typing import Annotated

from msgspec import Meta

from endturn.engine.actions import Action, Leave

Id = Annotated[int, Meta(ge=0, le=1_000_000)]
Tile = Annotated[int, Meta(ge=0, le=4799)]
Number = Annotated[int, Meta(ge=0, le=255)]  # of a tech, government or thing to build, as the view lists them
Percent = Annotated[int, Meta(ge=0, le=100)]
Heading = Annotated[int, Meta(ge=0, le=7)]  # 0 is north-west, 1 north, then row by row: 7 is south-east
People = Annotated[int, Meta(ge=0, le=15)]


class Task(IntEnum):
    """What a unit can be told to do on its tile."""

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
    """What players can vote on."""

    END = 0
    LONGER = 1
    FOG = 2


class PhaseDone(Action, frozen=True):
    """End the phase for this seat (A2)."""


class SetRates(Action, frozen=True):
    """Set taxes, luxury and science, in percent (A3)."""

    tax: Percent
    luxury: Percent
    science: Percent


class Study(Action, frozen=True):
    """Study a tech (A4)."""

    tech: Number


class Aim(Action, frozen=True):
    """Set the goal of research (A5)."""

    tech: Number


class Revolt(Action, frozen=True):
    """Start a revolution for another government (A6)."""

    government: Number


class CancelPact(Action, frozen=True):
    """Cancel a treaty with a nation (A7)."""

    people: People


class Launch(Action, frozen=True):
    """Launch the spaceship (A8)."""


class Call(Action, frozen=True):
    """Call a vote (A9)."""

    subject: Subject


class Ballot(Action, frozen=True):
    """Vote for or against (A10)."""

    yes: bool


class Build(Action, frozen=True):
    """Change what a city builds (C2)."""

    city: Id
    item: Number


class Plan(Action, frozen=True):
    """Append to a city's worklist (C4)."""

    city: Id
    item: Number


class Unplan(Action, frozen=True):
    """Remove an entry from a city's worklist (C5)."""

    city: Id
    place: Annotated[int, Meta(ge=0, le=15)]


class Buy(Action, frozen=True):
    """Buy the rest of what a city builds (C6)."""

    city: Id


class Sell(Action, frozen=True):
    """Sell an improvement (C7)."""

    city: Id
    item: Number


class Arrange(Action, frozen=True):
    """Arrange a city's citizens where they are worth most (C8)."""

    city: Id


class Release(Action, frozen=True):
    """Turn the citizen on a tile into a specialist (C9)."""

    city: Id
    tile: Tile


class Employ(Action, frozen=True):
    """Send a specialist to work on a tile (C10)."""

    city: Id
    tile: Tile


class Retrain(Action, frozen=True):
    """Turn a specialist into one of another kind (C11)."""

    city: Id
    old: Annotated[int, Meta(ge=0, le=15)]
    new: Annotated[int, Meta(ge=0, le=15)]


class Move(Action, frozen=True):
    """Move a unit one step (U2)."""

    unit: Id
    heading: Heading


class Go(Action, frozen=True):
    """Order a unit to a tile its owner knows (U3)."""

    unit: Id
    tile: Tile


class Work(Action, frozen=True):
    """Give a unit an activity on its tile (U4)."""

    unit: Id
    task: Task


class Found(Action, frozen=True):
    """Found a city where a unit stands (U6)."""

    unit: Id


class Disband(Action, frozen=True):
    """Disband a unit (U7)."""

    unit: Id


ACTIONS: tuple[type[Action], ...] = (
    PhaseDone,
    SetRates,
    Study,
    Aim,
    Revolt,
    CancelPact,
    Launch,
    Call,
    Ballot,
    Build,
    Plan,
    Unplan,
    Buy,
    Sell,
    Arrange,
    Release,
    Employ,
    Retrain,
    Move,
    Go,
    Work,
    Found,
    Disband,
    Leave,
)  # numbered in this order
