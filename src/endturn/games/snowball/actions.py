"""Everything a player of Snowball Fight can ask for. Units and tiles have numbers; tile = x + 64 y."""

from typing import Annotated

from msgspec import Meta

from endturn.engine.actions import Action, Leave
from endturn.games.snowball.state import Kind

Unit = Annotated[int, Meta(ge=0, le=47)]
Tile = Annotated[int, Meta(ge=0, le=3839)]


class Pick(Action, frozen=True):
    """In the draft: the seat takes a hero."""

    hero: Kind


class Recruit(Action, frozen=True):
    """Before the battle: the seat buys a unit."""

    kind: Kind


class Dismiss(Action, frozen=True):
    """Before the battle: the seat gives a unit back, for its points."""

    unit: Unit


class Place(Action, frozen=True):
    """Before the battle: a unit goes to a tile near the start; if one of the seat's is there they change places."""

    unit: Unit
    tile: Tile


class Ready(Action, frozen=True):
    """Before the battle: the seat wants no more heroes, or is content with its army and where it stands."""


class Move(Action, frozen=True):
    """The unit at turn walks to a tile."""

    tile: Tile


class Attack(Action, frozen=True):
    """The unit at turn throws a snowball at an enemy."""

    target: Unit


class Rearm(Action, frozen=True):
    """The unit at turn scoops up as many snowballs as it can carry."""


class Defend(Action, frozen=True):
    """The unit at turn stays where it is and watches out."""


class Delay(Action, frozen=True):
    """The unit at turn waits. Before the battle it is what `Ready` is, for a seat whose time is over."""


class Stand(Action, frozen=True):
    """The unit at turn, which is prone, gets up."""


class HelpAlly(Action, frozen=True):
    """The unit at turn helps a prone or downed friend beside it up."""

    unit: Unit


class Reconsider(Action, frozen=True):
    """Before the battle: the seat that said it is ready wants to change something after all."""


ACTIONS: tuple[type[Action], ...] = (
    Pick,
    Recruit,
    Dismiss,
    Place,
    Ready,
    Move,
    Attack,
    Rearm,
    Defend,
    Delay,
    Stand,
    HelpAlly,
    Reconsider,
    Leave,
)  # numbered in this order
