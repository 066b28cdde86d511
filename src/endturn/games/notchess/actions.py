"""The actions of Not-Chess. Squares are numbered from 0, row by row from the top left."""

from typing import Annotated

from msgspec import Meta

from endturn.engine.actions import Action, Leave
from endturn.games.notchess.state import War

Square = Annotated[int, Meta(ge=0, le=539)]


class Settle(Action, frozen=True):
    """Settle a peasant on a light square next to the capital or another peasant; this ends the turn (S1)."""

    square: Square


class Raise(Action, frozen=True):
    """Raise a war figure on a dark square next to the capital or a peasant (S2)."""

    kind: War
    square: Square


class Move(Action, frozen=True):
    """Move a war figure to another square (M1)."""

    figure: Square
    to: Square


class Attack(Action, frozen=True):
    """Strike a piece on another square with a war figure (A1)."""

    figure: Square
    target: Square


class EndTurn(Action, frozen=True):
    """End the turn; without another action before it, this is a pass (T4)."""


ACTIONS: tuple[type[Action], ...] = (
    Settle,
    Raise,
    Move,
    Attack,
    EndTurn,
    Leave,
)  # numbered in this order
