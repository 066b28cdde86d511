"""Everything a player of Not-Chess can ask for. Squares are numbered row by row from the top left, from 0 on."""

from typing import Annotated

from msgspec import Meta

from endturn.engine.actions import Action, Leave
from endturn.games.notchess.state import War

Square = Annotated[int, Meta(ge=0, le=539)]


class Settle(Action, frozen=True):
    """A peasant settles on a light square beside the capital or another peasant; the turn is over (S1)."""

    square: Square


class Raise(Action, frozen=True):
    """A war figure is raised on a dark square beside the capital or a peasant (S2)."""

    kind: War
    square: Square


class Move(Action, frozen=True):
    """A war figure goes from its square to another (M1)."""

    figure: Square
    to: Square


class Attack(Action, frozen=True):
    """A war figure strikes the piece on another square (A1)."""

    figure: Square
    target: Square


class EndTurn(Action, frozen=True):
    """The seat is done; with nothing done before this is a pass (T4)."""


ACTIONS: tuple[type[Action], ...] = (
    Settle,
    Raise,
    Move,
    Attack,
    EndTurn,
    Leave,
)  # numbered in this order
