"""The games: one folder each, and one line here."""

from collections.abc import Mapping
from importlib import import_module

from endturn.engine.game import Game

GAMES: Mapping[str, str] = {
    "anarchy": "endturn.games.anarchy",
    "catastrophe": "endturn.games.catastrophe",
    "snowball": "endturn.games.snowball",
    "notchess": "endturn.games.notchess",
    "empires": "endturn.games.empires",
}


class UnknownGame(LookupError):
    """There is no game of that name; the message lists those there are."""


def find(name: str) -> Game:
    """The game of that name."""
    if name not in GAMES:
        raise UnknownGame(f"There is no game {name!r}; there are: {', '.join(GAMES)}.")
    game: Game = import_module(GAMES[name]).game
    return game
