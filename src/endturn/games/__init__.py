"""The games: one folder each, and one line here. `endturn.games()` lists them: this module can be called."""

import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

from endturn.engine.game import FINDERS, Game

GAMES: Mapping[str, str] = {
    "anarchy": "endturn.games.anarchy",
    "catastrophe": "endturn.games.catastrophe",
    "snowball": "endturn.games.snowball",
    "notchess": "endturn.games.notchess",
    "empires": "endturn.games.empires",
}


class UnknownGame(LookupError):
    """There is no game of that name. The message lists the games."""


def find(name: str) -> Game:
    """The game of that name. Raises UnknownGame."""
    if name not in GAMES:
        raise UnknownGame(f"There is no game {name!r}. The games are {', '.join(GAMES)}.")
    game: Game = import_module(GAMES[name]).game
    return game


def offering(part: str) -> str:
    """The names of the games that have an optional part, such as `maps`."""
    return ", ".join(name for name in GAMES if getattr(find(name), part) is not None)


FINDERS[:] = [find]


class _Games(ModuleType):
    """This package as a function, as `import endturn` exports `games` both as a package and as a list of names."""

    def __call__(self) -> list[str]:
        """List the names of all games."""
        return list(GAMES)


sys.modules[__name__].__class__ = _Games
