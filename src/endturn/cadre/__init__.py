"""The Cadre framework: the protocol, gamelogs and clients of the original Anarchy and Catastrophe servers.

Start with README.md. The package is

    table        what a dialect is made of
    dialects     the dialect of each game: how it looks on the wire
    state        the complete state as clients see it; references and ids
    deltas       changes to a state
    runs         what clients run, and the actions they mean
    messages     the messages of the protocol, both ways
    settings     the settings that clients choose
    live         a match in progress, as deltas
    gamelogs     gamelogs of the original format, both ways
    conformance  replays original gamelogs and compares every state
    client       one of our bots at a Cadre server

Nothing here needs a server: `endturn.server.transports.cadre` serves matches over these modules.
"""

from functools import cache
from importlib import import_module

from endturn.cadre.table import Dialect
from endturn.engine.game import Game

DIALECTS = "anarchy", "catastrophe"  # games that have one


class NoDialect(LookupError):
    """The game has no Cadre dialect."""


def dialect(game: Game) -> Dialect:
    """The dialect of a game; NoDialect if it has none."""
    if game.name not in DIALECTS:
        raise NoDialect(f"{game.title} has no Cadre dialect. Games with one: {', '.join(DIALECTS)}.")
    return _load(game.name)


@cache
def _load(name: str) -> Dialect:
    made: Dialect = import_module(f"endturn.cadre.dialects.{name}").DIALECT
    return made
