"""The actions of Snowball Fight. Units and tiles have numbers; tile = x + 64 y."""

from typing import Annotated

from msgspec import Meta

from endturn.engine.actions import Action, Leave
from endturn.games.snowball.state import Kind

Unit = Annotated[int, Meta(ge=0, le=47)]
Tile = Annotated[int, Meta(ge=0, le=3839)]


class Pick(Action, frozen=True):
    """In the draft: pick a hero."""

    hero: Kind


class Recruit(Action, frozen=True):
    """Before the battle: buy a unit."""

    kind: Kind


class Dismiss(Action, frozen=True):
    """Before the battle: return a unit for its points."""

    unit: Unit


class Place(Action, frozen=True):
    """Before the battle: place a unit on a tile near the start, or swap it with the seat's unit there."""

    unit: Unit
    tile: Tile


class Ready(Action, frozen=True):
    """Before the battle: pick no more heroes, or accept the army and its placement."""


class Move(Action, frozen=True):
    """Walk to a tile."""

    tile: Tile


class Attack(Action, frozen=True):
    """Throw a snowball at an enemy."""

    target: Unit


class Rearm(Action, frozen=True):
    """Scoop up as many snowballs as the unit can carry."""


class Defend(Action, frozen=True):
    """Stay on the tile and dodge better."""


class Delay(Action, frozen=True):
    """Wait. Before the battle this equals `Ready`, for a seat that runs out of time."""


class Stand(Action, frozen=True):
    """Stand up, for a prone unit."""


class HelpAlly(Action, frozen=True):
    """Help up a prone or downed friend next to the unit."""

    unit: Unit


class Reconsider(Action, frozen=True):
    """Before the battle: withdraw `Ready`."""


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
