"""Everything a player of Anarchy can ask for. Buildings are named by their number."""

from typing import Annotated

from msgspec import Meta

from endturn.engine.actions import Action

Number = Annotated[int, Meta(ge=0, le=32767)]

# An action's verb is its place in the table of rules (`__init__.py`).
IGNITE, EXTINGUISH, RAID, ROTATE, INTENSIFY, END_TURN, KEEP_TURN, LEAVE = range(8)


class Ignite(Action, frozen=True):
    """A warehouse sets a building on fire."""

    warehouse: Number
    building: Number


class Extinguish(Action, frozen=True):
    """A fire department takes fire from a building."""

    fire_department: Number
    building: Number


class Raid(Action, frozen=True):
    """A police department makes a warehouse pay for its exposure."""

    police_department: Number
    warehouse: Number


class Rotate(Action, frozen=True):
    """A weather station turns the next forecast by a quarter."""

    weather_station: Number
    counterclockwise: bool = False


class Intensify(Action, frozen=True):
    """A weather station makes the next forecast stronger by one, or weaker."""

    weather_station: Number
    negative: bool = False


class EndTurn(Action, frozen=True):
    """The seat is done: fires burn, wind blows, the other seat is to act."""


class KeepTurn(Action, frozen=True):
    """The seat says that it is not done; only where the setting `refills` gives that a meaning."""
