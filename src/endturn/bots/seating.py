"""Bots for the seats of a match, from whatever names or is a bot."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from endturn.bots import files
from endturn.bots.player import Bot, Seen, bots_of
from endturn.engine.game import Game
from endturn.engine.match import derived_seed

BOT_SEEDS = 2000  # derived seeds from this number on belong to bots; those from 1000 on to what bots see
Player = str | Path | Bot | Callable[[Seen], Any]


class Seated(NamedTuple):
    """A bot in a seat, and its name in the match."""

    name: str
    bot: Bot


class UnknownBot(ValueError):
    """The game has no bot of that name, or the wrong number of seats. The message lists the choices."""


def seat_all(game: Game, players: Sequence[Player], seed: int) -> list[Seated]:
    """The bots of a match. Each gets its own seed, which reveals nothing about the dice."""
    if len(players) != game.seat_count:
        seats = ", ".join(game.seats)
        raise UnknownBot(f"{game.title} needs {game.seat_count} bots ({seats}), not {len(players)}.")
    return [_seated(game, each, derived_seed(seed, BOT_SEEDS + seat)) for seat, each in enumerate(players)]


def maker(game: Game, name: str) -> Callable[[int], Bot]:
    """What makes a bot from a seed, given the bot's name or the path of a Python file."""
    if files.is_file(name):
        return files.load(Path(name))
    known = bots_of(game)
    if name not in known:
        choices = f"Choose {', '.join(known)}, or a file such as ./mybot.py."
        raise UnknownBot(f"{game.title} has no bot {name[:40]!r}. {choices}")
    return known[name]


def shown(name: str) -> str:
    """A bot's name in a match. A bot from a file is named after the file."""
    return Path(name).stem if files.is_file(name) else name


def _seated(game: Game, player: Player, seed: int) -> Seated:
    if isinstance(player, str | Path):
        return Seated(shown(str(player)), maker(game, str(player))(seed))
    if inspect.isroutine(player):
        return Seated(player.__name__, files.FunctionBot(player))
    if inspect.isclass(player) or not hasattr(player, "act"):
        raise UnknownBot(
            f"{player!r} is not a bot. Pass a name, a file, a function or an object with a method act."
        )
    return Seated(type(player).__name__, player)  # type: ignore[arg-type]
