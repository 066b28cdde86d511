"""The Cadre framework: how clients and gamelogs of the original Anarchy and Catastrophe servers see our games.

`dialects` says how each game looks on the wire; the games do not know it.
"""

from functools import cache
from importlib import import_module

from endturn.cadre.wire import Dialect
from endturn.engine.game import Game

DIALECTS = "anarchy", "catastrophe"  # the games that have one: a module of `dialects` each


class NoDialect(LookupError):
    """A game is not played over Cadre."""


def dialect(game: Game) -> Dialect:
    """The dialect of a game; NoDialect if it has none."""
    if game.name not in DIALECTS:
        raise NoDialect(f"{game.title} has no Cadre dialect. Games with one: {', '.join(DIALECTS)}.")
    return _load(game.name)


@cache
def _load(name: str) -> Dialect:
    made: Dialect = import_module(f"endturn.cadre.dialects.{name}").DIALECT
    return made
