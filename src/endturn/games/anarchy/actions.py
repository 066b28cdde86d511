"""The actions of Anarchy. They refer to buildings by number."""

from typing import Annotated

from msgspec import Meta

from endturn.engine.actions import Action, Leave

Number = Annotated[int, Meta(ge=0, le=32767)]


class Ignite(Action, frozen=True):
    """A warehouse sets a building on fire."""

    warehouse: Number
    building: Number


class Extinguish(Action, frozen=True):
    """A fire department reduces the fire of a building."""

    fire_department: Number
    building: Number


class Raid(Action, frozen=True):
    """A police department damages a warehouse by its exposure."""

    police_department: Number
    warehouse: Number


class Rotate(Action, frozen=True):
    """A weather station turns the wind of the next forecast by a quarter."""

    weather_station: Number
    counterclockwise: bool = False


class Intensify(Action, frozen=True):
    """A weather station makes the wind of the next forecast stronger or weaker by 1."""

    weather_station: Number
    negative: bool = False


class EndTurn(Action, frozen=True):
    """End the turn: fires burn, the wind blows, and the other seat is to act."""


class KeepTurn(Action, frozen=True):
    """Keep the turn and refill the bribes; only with the setting `refills`."""


ACTIONS: tuple[type[Action], ...] = (
    Ignite,
    Extinguish,
    Raid,
    Rotate,
    Intensify,
    EndTurn,
    KeepTurn,
    Leave,
)  # numbered in this order
