"""The functions of the public API; `endturn` exports them."""

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from endturn import archive, bots
from endturn.bots.player import Seen
from endturn.bots.seating import Player, seat_all
from endturn.engine import gamelog
from endturn.engine.answers import Accepted, Malformed, Refusal
from endturn.engine.game import Game, Outcome, game_of
from endturn.engine.match import Match, require_seed
from endturn.games import GAMES, find

if TYPE_CHECKING:
    from endturn.engine.batch import Batch

__all__ = [
    "Accepted",
    "Batch",
    "Game",
    "Malformed",
    "Match",
    "Outcome",
    "Refusal",
    "Seen",
    "game",
    "games",
    "load",
    "play",
    "save",
]


def games() -> list[str]:
    """List the names of all games."""
    return list(GAMES)


def game(name: str) -> Game:
    """Get a game by name. Raises LookupError if there is none."""
    return find(name)


def play(
    game: str | Game,
    *players: Player,
    settings: Mapping[str, Any] | None = None,
    profile: str | None = None,
    seed: int | None = None,
    on_action: Callable[[Match], None] | None = None,
) -> Match:
    """Play a match between bots and return it when it is over.

    `players` has one entry per seat: a bot's name, the path of a Python file, a function `act(seen)`, or an object
    with such a method. `settings` change single values of `profile`. Without a `seed` the match gets a random one.
    `on_action` is called with the match after every action. Raises LookupError if there is no such game, and
    ValueError if a setting, a player or the seed is wrong.
    """
    table = game_of(game)
    chosen = table.configure(profile, settings)
    seed = secrets.randbits(64) if seed is None else seed
    require_seed(seed)
    seated = seat_all(table.seated(chosen), players, seed)
    match = Match(table, chosen, seed=seed, players=[each.name for each in seated])
    bots.play(match, [each.bot for each in seated], on_action or (lambda match: None))
    return match


def save(match: Match, path: str | Path, *, overwrite: bool = False) -> None:
    """Write the gamelog of a match, gzipped. Raises ValueError if the file exists and `overwrite` is false."""
    with archive.writing(Path(path), overwrite) as write:
        for line in gamelog.write(match):
            write(line)


def load(path: str | Path, *, turn: int | None = None) -> Match:
    """Read a gamelog, replay it and check every turn. The file may be gzipped.

    The match stands at its end, or at the start of `turn`. Raises ValueError, which names the file and the line, if
    the gamelog is invalid, and OSError if the file cannot be read: FileNotFoundError if it does not exist,
    IsADirectoryError if it is a folder.
    """
    match = archive.replay(Path(path), find, turn).match
    if turn is not None and match.turn != turn:
        raise ValueError(f"{path} has no turn {turn}.")
    return match


def __getattr__(name: str) -> Any:
    if name == "Batch":  # NumPy is slow to import, and matches do not need it
        from endturn.engine.batch import Batch  # noqa: PLC0415

        return Batch
    raise AttributeError(f"module 'endturn.api' has no attribute {name!r}")
